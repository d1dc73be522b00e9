"""``plcfrs parse``."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import replace
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any

import click

from plcfrs.chart.budget import Budget
from plcfrs.cli.announce import announce_compilation
from plcfrs.cli.budget_options import budget_options, chosen_budget
from plcfrs.cli.family_options import FamilyCommand
from plcfrs.cli.options import (
    Selection,
    doubting,
    jobs_option,
    output_options,
    progress,
    selection_options,
)
from plcfrs.cli.parse_output import ParseOutput
from plcfrs.cli.resuming import this_run
from plcfrs.cli.vote_count import VoteCount
from plcfrs.corpus import Outcome, parse_all
from plcfrs.corpus.workers import get_ready
from plcfrs.errors import InputError
from plcfrs.pipeline.family import Family
from plcfrs.pipeline.parse import Capability, Wanted
from plcfrs.pipeline.registry import (
    family_of,
    find_family,
    is_treebank,
    kernels_of,
    load_model,
)
from plcfrs.pipeline.sentence_parser import SentenceParser
from plcfrs.settings import settings_of
from plcfrs.tagging import Spelling
from plcfrs.transformation import remove_null_elements
from plcfrs.treebank import format_of
from plcfrs.trees import Tree

if TYPE_CHECKING:
    from distributed import Client

# The capability that a family needs for an option.
_CAPABILITIES: dict[Capability, tuple[str, ...]] = {
    "budget": ("max_items", "max_seconds", "max_memory"),
    "nbest": ("nbest",),
    "sums": ("posteriors", "min_posterior"),
}

# A process is ended if it takes more than this many times the budget of a sentence (search and
# fallback each have one) and this many seconds for everything else, such as the compilation of
# kernels in all processes at once.
_TIMES, _GRACE = 4, 120


@click.command("parse", cls=FamilyCommand)
@click.argument("model", metavar="MODEL")
@click.argument("sources", nargs=-1, metavar="[INPUT]...")
@click.option("--tagged", is_flag=True, help="The input is word/TAG; the parser uses these tags.")
@click.option(
    "--tokenize",
    is_flag=True,
    help="The input is running English text, to be split into sentences and words.",
)
@click.option(
    "--own-tags", is_flag=True, help="Ignore the tags of the input: the parser tags the words."
)
@output_options
@click.option(
    "--nbest",
    type=click.IntRange(min=1),
    metavar="N",
    help="Write the N best trees of each sentence, one after the other; identifiers (in export and "
    "tigerxml) end in .rank1, .rank2 ...",
)
@click.option(
    "--derivations", is_flag=True, help="With --nbest: write a tree for each of its derivations."
)
@budget_options
@jobs_option("Parse in N processes; if one dies, it is replaced, and its sentence tried once more.")
@click.option(
    "--scheduler", metavar="ADDRESS", help="Parse on the Dask cluster at tcp://HOST:PORT."
)
@click.option(
    "--resume", is_flag=True, help="Continue FILE.part where the same command was interrupted."
)
@click.option(
    "--stats", metavar="FILE", help="Write a row for each tree as TSV, with times in seconds."
)
@click.option(
    "--posteriors",
    metavar="FILE",
    help="Write a row for each constituent as TSV, with its probability.",
)
@click.option(
    "--min-posterior",
    type=click.FloatRange(0, 1),
    metavar="P",
    help="Leave out constituents that are less probable; their children go to their mothers.",
)
@selection_options
def command(
    model: str,
    sources: tuple[str, ...],
    tagged: bool,
    tokenize: bool,
    own_tags: bool,
    output: str,
    to: str | None,
    nbest: int | None,
    derivations: bool,
    max_items: float | None,
    max_seconds: float | None,
    max_memory: float | None,
    jobs: int,
    scheduler: str | None,
    resume: bool,
    stats: str | None,
    posteriors: str | None,
    min_posterior: float | None,
    selection: Selection,
    objective: str | None = None,
    **given: Any,  # noqa: ANN401 (how the family parses)
) -> None:
    """Parse sentences: one tree for every sentence, in order.

    MODEL is a parser of any family. INPUT is standard input by default: one sentence per
    line, with blanks between tokens, which may be words that the model has not seen; word/TAG with
    --tagged; running text with --tokenize; or trees in any format, whose tokens and tags are used.

    A sentence without a parse becomes a NOPARSE tree (see --fallback); a parser without a grammar
    parses every sentence. If --max-items, --max-seconds or --max-memory stops a search, the best
    tree found so far is written, if there is one; the rows of --stats and the summary say how far
    it may be from the best (gap). With --jobs, no sentence stops the run: if two processes die
    while parsing it, it becomes a NOPARSE tree.

    --posteriors tells how probable each constituent is, and --min-posterior keeps the safe ones.
    The probabilities of combined parsers are calibrated; those of others are often too high.

    FILE is called FILE.part until it is complete; however a run ends, --resume continues it.

    \b
    Examples:
      echo 'What/WP should/MD we/PRP do/VB ?/.' | plcfrs parse wsj.plcfrs --tagged
      plcfrs parse wsj.plcfrs test.mrg --nbest 10 --stats costs.tsv -o test.export
      plcfrs parse wsj.refined test.mrg -o test.export
      plcfrs parse wsj.gap test.mrg --beam 32 -o test.export
      plcfrs parse wsj.plcfrs news.txt --jobs 8 --max-seconds 60 -o news.export --resume
    """  # noqa: D301
    with_posteriors = posteriors is not None or min_posterior is not None
    _check_options(
        tagged, tokenize, objective, nbest, derivations, jobs, scheduler, with_posteriors
    )
    to = to or format_of(output).name
    if tagged or tokenize:
        selection.format = "tagged" if tagged else "text"
    elif sources in ((), ("-",)) and selection.format is None:
        selection.format = "tokens"
    sources = sources or ("-",)
    if jobs > 1:
        get_ready("plcfrs.corpus.parsing")
    budget = chosen_budget(max_items, max_seconds, max_memory)
    parser = _loaded(model, objective, budget, given)
    if scheduler is None:
        uses = ("parsing", objective, "posteriors" if with_posteriors else None)
        announce_compilation(kernels_of(parser, *uses), elsewhere=jobs > 1)
    gc.freeze()  # the grammar stays: the garbage collector need not search it again and again
    start = time.perf_counter()
    ranked = nbest is not None
    files = ParseOutput(output, to, stats, posteriors, this_run(), ranked=ranked, resume=resume)
    trees = _sentences(selection, sources, own_tags, Spelling(parser.words) if tokenize else None)
    votes = VoteCount(parser)
    wanted = Wanted(objective, nbest, derivations, trees_alone=True, posteriors=with_posteriors)
    has_budget = find_family(parser.kind).can("budget")
    patience = _TIMES * budget.max_seconds + _GRACE if has_budget else inf
    done = 0
    try:
        with files, _connected(scheduler) as client:
            files.skip(trees)
            done = files.summary.sentences
            if resume:
                click.echo(f"resuming after sentence {done}", err=True)
            noted = map(votes.noting, files.noting(trees))
            outcomes = parse_all(parser, noted, wanted, jobs, client, patience)
            total = partial(selection.count, sources)
            with closing(outcomes):
                for outcome in progress(outcomes, "parse", total, done):
                    files.write(_safe(outcome, min_posterior))
    finally:
        selection.report()
        if files.summary.sentences:
            click.echo(files.summary, err=True)
            if jobs > 1 or scheduler:
                sentences, seconds = files.summary.sentences - done, time.perf_counter() - start
                click.echo(f"{seconds:.2f} s, {sentences / seconds:.1f} sentences/s", err=True)
    votes.report()


def _check_options(
    tagged: bool,
    tokenize: bool,
    objective: str | None,
    nbest: int | None,
    derivations: bool,
    jobs: int,
    scheduler: str | None,
    with_posteriors: bool,
) -> None:
    """Refuse options that do not go together."""
    if tagged and tokenize:
        raise click.UsageError("--tokenize is for words without tags: leave --tagged out.")
    if derivations and nbest is None:
        raise click.UsageError("--derivations needs --nbest.")
    if nbest is not None and with_posteriors:
        raise click.UsageError(
            "--posteriors and --min-posterior are about the best tree: leave --nbest out."
        )
    if nbest is not None and objective in ("mcp", "expected-f1"):
        raise click.UsageError(
            f"--nbest lists the most probable trees: leave --objective {objective} out."
        )
    if jobs > 1 and scheduler:
        raise click.UsageError("--jobs is for this machine: leave it out with --scheduler.")


def _loaded(
    name: str, objective: str | None, budget: Budget, given: dict[str, object]
) -> SentenceParser:
    """Return the parser, if it can do what was asked for."""
    if is_treebank(name):
        raise InputError(f"{name}: a treebank, not a model: plcfrs parse MODEL INPUT")
    _check_family(name, family_of(name), objective, given)
    chosen = {option: value for option, value in given.items() if value is not None}
    parser = load_model(name, budget, **chosen)
    _check_model(name, parser, objective)
    return parser


def _sentences(
    selection: Selection, sources: tuple[str, ...], own_tags: bool, spelling: Spelling | None
) -> Iterator[Tree]:
    """Yield the sentences of the input as the parser shall get them."""
    for tree in doubting(map(remove_null_elements, selection.read(sources))):
        untagged = _without_tags(tree) if own_tags else tree
        yield spelling.respell(untagged) if spelling else untagged


def _check_family(
    name: str, family: Family, objective: str | None, given: dict[str, object]
) -> None:
    """Refuse options that the family of a model does not have."""
    known = {each.name for each in settings_of(family.options)}
    refused = [
        option for option, value in given.items() if value is not None and option not in known
    ]
    parameters = click.get_current_context().params
    for capability, options in _CAPABILITIES.items():
        if not family.can(capability):
            refused += [option for option in options if parameters[option]]
    if objective is not None and not family.objectives:
        refused.append("objective")
    if refused:
        raise click.UsageError(
            f"--{refused[0].replace('_', '-')} is not for {name}: it is {family.title}."
        )


def _check_model(name: str, parser: SentenceParser, objective: str | None) -> None:
    """Refuse an objective that the model does not have, and warn about odd probabilities."""
    if parser.warning:
        click.echo(f"{name}: {parser.warning}", err=True)
    if objective is not None and objective not in parser.objectives:
        possible = ", ".join(parser.objectives)
        raise click.UsageError(f"--objective {objective}: {name} has only {possible}.")


def _safe(outcome: Outcome, least: float | None) -> Outcome:
    """Return the outcome without constituents that are not probable enough."""
    if least is None:
        return outcome
    parses = [replace(parse, tree=parse.safe_tree(least)) for parse in outcome.parses]
    return outcome._replace(parses=parses)


def _without_tags(tree: Tree) -> Tree:
    return replace(tree, tokens=[replace(token, tag="") for token in tree.tokens])


def _connected(scheduler: str | None) -> AbstractContextManager[Client | None]:
    if scheduler is None:
        return nullcontext()
    try:
        from plcfrs.corpus.cluster import connected
    except ImportError:
        raise InputError("--scheduler needs Dask: pip install 'plcfrs[dask]'") from None
    return connected(scheduler)
