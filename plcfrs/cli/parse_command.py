"""``plcfrs parse``: its options, its files of trees, statistics and constituents, its summary."""

from __future__ import annotations

import csv
import gc
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from math import fsum, inf
from typing import TYPE_CHECKING, Literal, TextIO

import click

from plcfrs.budget import BudgetSettings
from plcfrs.cli.command import FamilyCommand, argument, command_of, group
from plcfrs.cli.input import InputOptions
from plcfrs.cli.output import format_setting, format_to_write, output_setting, say_tsv, writer_of
from plcfrs.cli.resuming import Record, Run
from plcfrs.compiling import watchers
from plcfrs.corpus import Outcome, parse_all
from plcfrs.corpus.workers import get_ready
from plcfrs.errors import InputError
from plcfrs.grammar.formats import check_is_model
from plcfrs.parsing import Family, Sentence, SentenceParser, family_of, find_family, load_model
from plcfrs.parsing.parse import Capability, Parse, Task, describe_gap
from plcfrs.settings import setting, settings_of
from plcfrs.transformation import to_dependencies
from plcfrs.treebank import DEPENDENCY_FORMATS, WRITABLE
from plcfrs.treebank.writing import add_rank, open_output
from plcfrs.trees import mark_heads
from plcfrs.trees.tree import render_ranges, runs, span_of
from plcfrs.wording import counted

if TYPE_CHECKING:
    from distributed import Client

_FIGURES = ("items", "popped", "improved", "edges", "pair_tests")
_TIMES = ("estimate_seconds", "search_seconds")
COLUMNS = [
    "id",
    "rank",
    "length",
    "status",
    "fallback",
    "score",
    *_FIGURES,
    *_TIMES,
    "cpu_seconds",
    "gap",
    "fixed_cost",
]
POSTERIOR_COLUMNS = ["id", "category", "tokens", "probability"]

# The capability that a family needs for an option.
_CAPABILITIES: dict[Capability, tuple[str, ...]] = {
    "budget": ("max_items", "max_seconds", "max_memory"),
    "nbest": ("nbest",),
    "sums": ("posteriors", "min_posterior"),
}
_SHOWN = 5


@dataclass(frozen=True)
class ParseOptions:
    """The options of ``plcfrs parse``."""

    model: str = argument("MODEL")
    sources: tuple[str, ...] = argument("[INPUT]...", nargs=-1, default=())
    tagged: bool = setting(False, "The input is word/TAG; the parser uses these tags.")
    tokenize: bool = setting(
        False, "The input is running text: split it into sentences, and words like the model's."
    )
    own_tags: bool = setting(False, "Ignore the tags of the input: the parser tags the words.")
    fixed: bool = setting(
        False,
        "The input has partial trees: complete them. Their constituents and functions are fixed; "
        "the category * is any, and the tag * is not known.",
    )
    output: str = output_setting(
        "Output file, or a folder for a file of each text.  [default: standard output]"
    )
    to: str | None = format_setting((*WRITABLE, *DEPENDENCY_FORMATS))
    functions: Literal["yes", "no"] = setting(
        "yes",
        "Whether trees get the functions and null elements that the model has learned; no for bare "
        "categories. Functions that are part of the categories of a grammar always stay.",
    )
    nbest: int | None = setting(
        None,
        "Write the N best trees of each sentence, one after the other; identifiers (in export and "
        "tigerxml) end in .rank1, .rank2 ...",
        least=1,
    )
    derivations: bool = setting(False, "With --nbest: write a tree for each of its derivations.")
    budget: BudgetSettings = group(BudgetSettings)
    jobs: int = setting(
        1,
        "Parse in N processes; if one dies, it is replaced, and its sentence tried once more.",
        least=1,
    )
    scheduler: str | None = setting(
        None, "Parse on the Dask cluster at tcp://HOST:PORT.", metavar="ADDRESS"
    )
    resume: bool = setting(False, "Continue FILE.part where the same command was interrupted.")
    stats: str | None = setting(
        None,
        "Write a row of statistics for each tree as TSV, with times in seconds.",
        metavar="FILE",
        is_output=True,
    )
    posteriors: str | None = setting(
        None,
        "Write a row for each constituent as TSV, with its probability.",
        metavar="FILE",
        is_output=True,
    )
    min_posterior: float | None = setting(
        None,
        "Leave out constituents that are less probable; their mothers get their children.",
        least=0,
        most=1,
        fraction=True,
        metavar="P",
    )
    input: InputOptions = group(InputOptions)
    objective: str | None = None
    others: Mapping[str, object] = field(default_factory=dict)
    """Options of the family."""

    @property
    def task(self) -> Task:
        """What the parser computes for each sentence."""
        posteriors = self.posteriors is not None or self.min_posterior is not None
        return Task(
            self.objective,
            self.nbest,
            self.derivations,
            trees_alone=True,
            posteriors=posteriors,
            compared=self.fixed,
            functions=self.functions == "yes",
        )

    def check(self) -> None:
        """Raise if options do not go together."""
        if self.tagged and self.tokenize:
            raise click.UsageError("--tokenize is for words without tags: leave out --tagged.")
        if self.derivations and self.nbest is None:
            raise click.UsageError("--derivations needs --nbest.")
        if self.nbest is not None and self.task.posteriors:
            raise click.UsageError(
                "--posteriors and --min-posterior are for the best tree: leave out --nbest."
            )
        if self.nbest is not None and self.objective in ("mcp", "expected-f1"):
            raise click.UsageError(
                f"--nbest lists the most probable trees: leave out --objective {self.objective}."
            )
        if self.jobs > 1 and self.scheduler:
            raise click.UsageError("--jobs is for this machine: leave out --jobs or --scheduler.")
        format_to_write(
            self.output, self.to
        )  # reports an unknown extension before the model is loaded


@command_of("parse", ParseOptions(), cls=FamilyCommand)
def command(chosen: ParseOptions) -> None:
    """Parse sentences: one tree for every sentence, in order.

    MODEL is a parser of any family. INPUT is standard input by default: one sentence per
    line, with blanks between tokens, which may be words that the model has not seen; word/TAG with
    --tagged; running text with --tokenize; or trees in any format, whose tokens and tags are used.
    Included models (plcfrs:english) read plain text as running text, except with --from tokens;
    Markdown (.md) is always running text. INPUT may be a folder of texts; -o FOLDER/ writes a file
    for each text. CoNLL-U gets the dependencies of the trees (see plcfrs convert).

    A sentence without a parse becomes a NOPARSE tree (see --fallback); a parser without a grammar
    parses every sentence. If --max-items, --max-seconds or --max-memory stops a search, the best
    tree found so far, if any, is written; the rows of --stats and the summary say how far it may be
    from the best (gap). With --jobs, a sentence cannot stop the run: if two processes die while
    parsing it, it becomes a NOPARSE tree.

    --fixed completes partial trees: every constituent of the input is in the output, and the parser
    finds the others. The summary and --stats say what this costs: how much lower the parses score
    than those without what is fixed.

    --posteriors gives the probability of each constituent, and --min-posterior keeps probable ones.
    The probabilities of combined parsers are calibrated; those of others are often too high.

    The output is FILE.part until it is complete. --resume continues a run, however it ended.

    \b
    Examples:
      plcfrs parse plcfrs:english article.txt
      plcfrs parse plcfrs:english texts -o trees/
      echo 'What/WP should/MD we/PRP do/VB ?/.' | plcfrs parse wsj.plcfrs --tagged
      plcfrs parse wsj.plcfrs test.mrg --nbest 10 --stats costs.tsv -o test.export
      plcfrs parse wsj.refined test.mrg -o test.export
      plcfrs parse wsj.gap test.mrg --beam 32 -o test.export
      plcfrs parse plcfrs:english partial.discbracket --fixed -o complete.discbracket
      plcfrs parse wsj.plcfrs news.txt --jobs 8 --max-seconds 60 -o news.export --resume
    """  # noqa: D301
    chosen.check()
    input = chosen.input
    format = "tagged" if chosen.tagged else "text" if chosen.tokenize else None
    sources = input.sentences_of(chosen.sources, format, chosen.model)
    if chosen.jobs > 1:
        get_ready("plcfrs.corpus.parsing")
    parser = _loaded(chosen)
    gc.freeze()  # the garbage collector would search the grammar again and again
    start = time.perf_counter()
    run = ParseRun(chosen, parser, sources)
    reading = {"own_tags": chosen.own_tags, "fixed": chosen.fixed}
    sentences = input.read_for(parser, sources, **reading)
    has_budget = find_family(parser.kind).can("budget")
    wall_seconds = chosen.budget.wall_seconds if has_budget else inf
    compiled: list[str] = []
    watchers.add(compiled.append)
    try:
        with run, _connected(chosen.scheduler) as client:
            remaining = run.remaining(sentences)
            outcomes = parse_all(parser, remaining, chosen.task, chosen.jobs, client, wall_seconds)
            run.write_all(outcomes, "parse", partial(input.count, sources))
    finally:
        watchers.discard(compiled.append)
        input.report()
        seconds = time.perf_counter() - start
        _report(run, seconds if chosen.jobs > 1 or chosen.scheduler else None, bool(compiled))
    run.votes.report()


def _report(run: ParseRun, seconds: float | None, compiled: bool) -> None:
    """Print the summary, and the wall time of several processes."""
    if run.summary.sentences:
        click.echo(run.summary, err=True)
        if seconds is not None:
            speed = f"{(run.summary.sentences - run.done) / seconds:.1f} sentences/s"
            speed = "includes time to compile kernels" if compiled else speed
            click.echo(f"{seconds:.2f} s, {speed}", err=True)


def _loaded(chosen: ParseOptions) -> SentenceParser:
    """Return the parser and print its warning; raise a UsageError if options are not for it."""
    name, objective = chosen.model, chosen.objective
    check_is_model(name, ": plcfrs parse MODEL INPUT")
    given = {option: value for option, value in chosen.others.items() if value is not None}
    _check_family(chosen, family_of(name), given)
    parser = load_model(name, chosen.budget.chosen, **given)
    if parser.warning:
        click.echo(f"{name}: {parser.warning}", err=True)
    if parser.completion is None and format_to_write(chosen.output, chosen.to).name == "penn":
        click.echo(
            f"{name} has learned no null elements, so traces are written by rule: train it on a "
            "treebank that has them",
            err=True,
        )
    if objective is not None and objective not in parser.objectives:
        possible = ", ".join(parser.objectives)
        raise click.UsageError(f"--objective {objective}: {name} has only {possible}.")
    return parser


def _check_family(chosen: ParseOptions, family: Family, given: Iterable[str]) -> None:
    """Raise a UsageError if an option, such as one of those `given`, is not for the family."""
    known = {setting.name for setting in settings_of(family.options)}
    refused = [option for option in given if option not in known]
    parameters = click.get_current_context().params
    for capability, options in _CAPABILITIES.items():
        if not family.can(capability):
            refused += [option for option in options if parameters[option]]
    if chosen.objective is not None and not family.objectives:
        refused.append("objective")
    if refused:
        raise click.UsageError(
            f"--{refused[0].replace('_', '-')} is not for {chosen.model}: it is {family.title}."
        )


def _connected(scheduler: str | None) -> AbstractContextManager[Client | None]:
    if scheduler is None:
        return nullcontext()
    try:
        from plcfrs.corpus.cluster import connected
    except ImportError:
        raise InputError("--scheduler needs Dask: pip install 'plcfrs[dask]'") from None
    return connected(scheduler)


class ParseRun(Run):
    """Writes the trees, statistics and constituents of all sentences, and counts for a summary."""

    def __init__(
        self, chosen: ParseOptions, parser: SentenceParser, sources: Sequence[str]
    ) -> None:
        super().__init__((chosen.output, chosen.stats, chosen.posteriors), resume=chosen.resume)
        for path in (chosen.stats, chosen.posteriors):
            say_tsv(path)
        self.summary = Summary()
        self.votes = VoteCount(parser)
        self._chosen = chosen
        self._sources = sources
        self._has_dependencies = format_to_write(chosen.output, chosen.to).render is None

    def open(self, files: ExitStack, done: Record) -> None:
        """Open the files after the last complete sentence."""
        chosen = self._chosen
        place = done.trees, done.tree_bytes
        self._trees = writer_of(chosen.output, chosen.to, self._sources, *place)
        files.enter_context(self._trees)
        self._rows = _open_rows(files, chosen.stats, COLUMNS, done.row_bytes)
        self._constituents = _open_rows(
            files, chosen.posteriors, POSTERIOR_COLUMNS, done.posterior_bytes
        )

    def count(self, record: Record, sentence: Sentence) -> None:
        """Count a complete sentence for the summary."""
        self.summary.add(record, tagged=sentence.tags is not None)

    def write(self, outcome: Outcome, sentence: Sentence, checksum: int) -> Record:
        """Write the parses of a sentence and the rows about them."""
        self.votes.add(sentence)
        best = outcome.parses[0]
        for rank, parse in enumerate(outcome.parses, start=1):
            least = self._chosen.min_posterior
            tree = parse.tree if least is None else parse.safe_tree(least)
            if self._chosen.nbest is not None:
                tree = replace(tree, id=add_rank(tree.id, rank))
            if not self._has_dependencies:
                self._trees.write(tree)
            elif tree.tokens:  # CoNLL has no sentences without words
                self._trees.write(to_dependencies(mark_heads(tree)))
            _write_rows(self._rows, [row(parse, rank, outcome.cpu_seconds)])
            _write_rows(self._constituents, posterior_rows(parse))
        return Record(
            checksum,
            self._trees.count,
            self._trees.flush() if self._journal else 0,
            self.size(self._rows),
            best.status,
            best.reason,
            len(best.tree.tokens),
            best.statistics.items,
            outcome.cpu_seconds,
            best.lost_mass,
            best.fallback,
            best.optimality_gap,
            self.size(self._constituents),
            best.fixed_cost,
        )


def _open_rows(files: ExitStack, path: str | None, columns: list[str], size: int) -> TextIO | None:
    """Open a file of rows, if there is a path; write the header of a new one."""
    if path is None:
        return None
    file = files.enter_context(open_output(path, size=size))
    if not size:
        _write_rows(file, [columns])
    return file


def _write_rows(file: TextIO | None, rows: Iterable[Iterable[object]]) -> None:
    """Write rows to a file, if there is one."""
    if file is not None:
        csv.writer(file, delimiter="\t", lineterminator="\n").writerows(rows)


def posterior_rows(parse: Parse) -> list[list[str]]:
    """Return a row with the `POSTERIOR_COLUMNS` for each constituent below the root."""
    return [
        [parse.tree.id, category, render_ranges(runs(span_of(list(positions)))), f"{chance:.4f}"]
        for category, positions, chance in (parse.posteriors or [])[1:]
    ]


def row(parse: Parse, rank: int, seconds: float) -> list[object]:
    """Return a row of statistics with the `COLUMNS`."""
    statistics, tree = parse.statistics, parse.tree
    times = [*(getattr(statistics, name) for name in _TIMES), seconds]
    return [
        tree.id,
        rank,
        len(tree.tokens),
        parse.status,
        parse.fallback,
        repr(parse.score),
        *(getattr(statistics, name) for name in _FIGURES),
        *(f"{time:.6f}" for time in times),
        "" if parse.optimality_gap is None else repr(parse.optimality_gap),
        "" if parse.fixed_cost is None else repr(parse.fixed_cost),
    ]


class Summary:
    """Counts the outcomes of all sentences."""

    def __init__(self) -> None:
        self.statuses: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()
        self.fallbacks: Counter[str] = Counter()
        self.tags: Counter[str] = Counter()
        self.tokens = self.items = self.unproven = 0
        self.cpu_seconds = self.lost_mass = self.gap = 0.0
        self.fixed_costs: list[float] = []

    @property
    def sentences(self) -> int:
        """The number of sentences so far."""
        return self.statuses.total()

    def add(self, record: Record, *, tagged: bool) -> None:
        """Count a sentence, with or without given tags."""
        self.statuses[record.status] += 1
        if record.tokens:
            self.tags["given" if tagged else "found by the parser"] += 1
        if record.fallback != "none":
            self.fallbacks[record.fallback] += 1
        if record.reason:
            self.reasons[f"{record.status} {record.reason}"] += 1
        self.tokens += record.tokens
        self.items += record.items
        self.cpu_seconds += record.cpu_seconds
        self.lost_mass = max(self.lost_mass, record.lost_mass)
        self.unproven += bool(record.gap)
        self.gap = max(self.gap, record.gap or 0.0)
        self.fixed_costs += [] if record.fixed_cost is None else [record.fixed_cost]

    def __str__(self) -> str:
        sentences, parsed = self.sentences, self.statuses["parsed"]
        seconds = max(self.cpu_seconds, 1e-9)
        items = f"{self.items} items, " if self.items else ""  # transition parsers have none
        lines = [
            f"{parsed} of {sentences} sentences parsed, {sentences - parsed} failed",
            f"{items}{self.cpu_seconds:.2f} s CPU, "
            f"{sentences / seconds:.1f} sentences/s, {self.tokens / seconds:.0f} tokens/s",
        ]
        if len(self.tags) == 1:
            lines.append(f"tags: {next(iter(self.tags))}")
        elif self.tags:
            given = f"{self.tags['given']} of {sentences} sentences"
            lines.append(f"tags: given in {given}, else found by the parser")
        failed = {status: count for status, count in self.statuses.items() if status != "parsed"}
        if self.unproven:
            lines.append(f"{counted(self.unproven, 'parse')} {describe_gap(self.gap)}")
        if self.fixed_costs:
            found = [cost for cost in self.fixed_costs if cost < inf]
            mean = fsum(found) / (len(found) or 1)
            lacking = len(self.fixed_costs) - len(found)
            lines.append(f"what is fixed costs {mean:.2f} on average")
            lines += [f"fixed, but in no parse that was found: in {lacking} trees"] * bool(lacking)
        if self.lost_mass:
            lines.append(
                "largest share of the probability of a sentence that the sums leave out: "
                f"{self.lost_mass:.2g}"
            )
        if failed:
            lines.append(", ".join(f"{status}: {count}" for status, count in failed.items()))
        for fallback, count in self.fallbacks.items():
            lines.append(f"fallback {fallback}: {count}")
        for reason, count in self.reasons.most_common(_SHOWN):
            lines.append(f"  {reason}: {count}")
        if len(self.reasons) > _SHOWN:
            lines.append(f"  and {len(self.reasons) - _SHOWN} others")
        return "\n".join(lines)


class VoteCount:
    """Counts the sentences without votes for a parser."""

    def __init__(self, parser: SentenceParser) -> None:
        self._parser = parser
        self._sentences = 0
        self._missing: Counter[str] = Counter()

    def add(self, sentence: Sentence) -> None:
        """Count a sentence, if it has words."""
        if sentence.tokens:
            self._sentences += 1
            self._missing.update(self._parser.missing(sentence))

    def report(self) -> None:
        """Say how many sentences have no votes; raise an InputError if a voter has none at all."""
        for name, number in self._missing.items():
            if number == self._sentences:
                raise InputError(
                    f"votes {name}: the file has none of these sentences; the words must be the "
                    "same"
                )
            click.echo(f"no parses from {name}: {number} of {self._sentences} sentences", err=True)
