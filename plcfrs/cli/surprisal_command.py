"""``plcfrs surprisal``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import cast

import click

from plcfrs.budget import BudgetSettings
from plcfrs.cli.command import argument, command_of, group
from plcfrs.cli.input import InputOptions, as_sentences
from plcfrs.cli.output import output_setting, say_tsv
from plcfrs.cli.resuming import Record, Run
from plcfrs.corpus.stimuli import Stimuli, are_tables, read_stimuli
from plcfrs.corpus.surprisal_table import (
    DELIMITERS,
    ReadSentence,
    Row,
    TableWriter,
    header,
    merged,
    rows,
    surprisal_all,
    without_punctuation,
)
from plcfrs.corpus.workers import get_ready
from plcfrs.errors import InputError
from plcfrs.forest.surprisal import PRECISION, PrefixReader, Surprisal
from plcfrs.grammar.formats import check_is_model
from plcfrs.parsing import Sentence, family_of, load_model
from plcfrs.settings import setting
from plcfrs.text import Splitter
from plcfrs.treebank import open_output
from plcfrs.trees import Tree


@dataclass(frozen=True)
class SurprisalOptions:
    """The options of ``plcfrs surprisal``."""

    model: str = argument("MODEL")
    sources: tuple[str, ...] = argument("[INPUT]...", nargs=-1, default=())
    tagged: bool = setting(False, "The input is word/TAG; read these tags.")
    own_tags: bool = setting(False, "Ignore the tags of the input, and read the words.")
    tokenize: bool = setting(
        False, "The input is running text: split it into sentences, and words like the model's."
    )
    output: str = output_setting()
    to: str | None = setting(
        None,
        "Format of the output.  [default: by file extension, else tsv]",
        choices=tuple(DELIMITERS),
    )
    analyses: int = setting(0, "Add the N most probable structures after each word.", least=0)
    derivation_entropy: bool = setting(
        False, "Add the entropy of the whole derivation; takes several times as long."
    )
    precision: float = setting(
        PRECISION,
        "Leave out improbable constituents as long as the bounds are at most this number of bits "
        "apart; 0 leaves out none.",
        least=0.0,
        fraction=True,
        metavar="BITS",
    )
    end: bool = setting(False, "Add a row for the end of each sentence, </s>.")
    no_punctuation: bool = setting(
        False, "Leave out the rows of punctuation: add its surprisal to the word before."
    )
    by: str | None = setting(
        None,
        "Sum up the words of each region: successive words with the same value in this column.",
        metavar="COLUMN",
    )
    budget: BudgetSettings = group(BudgetSettings)
    jobs: int = setting(
        1,
        "Read in N processes; if one dies, it is replaced, and its sentence tried once more.",
        least=1,
    )
    resume: bool = setting(False, "Continue FILE.part where the same command was interrupted.")
    input: InputOptions = group(InputOptions)

    @property
    def _text_format(self) -> str | None:
        """The format of plain sentences, if an option says so."""
        return "tagged" if self.tagged else "text" if self.tokenize else None

    def check(self) -> None:
        """Raise if options do not go together."""
        if self.tagged and self.own_tags:
            raise click.UsageError(
                "--own-tags ignores the tags of --tagged: leave out one of them."
            )
        if self.tagged and self.tokenize:
            raise click.UsageError("--tokenize is for words without tags: leave out --tagged.")
        check_is_model(self.model, ": plcfrs surprisal MODEL INPUT")
        if not (family := family_of(self.model)).can("surprisal"):
            raise InputError(
                f"{self.model} is {family.title}: surprisal is for grammars (plcfrs extract)"
            )

    def read_tables(self, splitter: Splitter | None) -> Stimuli | None:
        """Return the selected sentences of tables, or None if the input is something else."""
        if not self.sources or self.input.format or not are_tables(self.sources):
            return None
        stimuli = read_stimuli(self.sources, self._text_format, self.input.encoding, splitter)
        if stimuli.are_marked:
            click.echo("| and / mark regions: the column region has their numbers", err=True)
        return stimuli.selected(self.input.selection)

    def read_text(self, splitter: Splitter) -> tuple[Iterator[Tree], Callable[[], int | None]]:
        """Return the sentences of other input, and a function that counts them."""
        sources = self.input.sentences_of(self.sources, self._text_format, self.model)
        return self.input.read(sources, splitter), partial(self.input.count, sources)


@command_of("surprisal", SurprisalOptions())
def command(chosen: SurprisalOptions) -> None:
    """Compute the surprisal of each word, given the words before it: one row for every word.

    MODEL is a grammar. INPUT is as for plcfrs parse: standard input by default, one sentence per
    line; word/TAG with --tagged; running text with --tokenize; or trees in any format. With tags,
    it reads the sequence of tags. INPUT may also be tables of stimuli, .csv or .tsv, with a
    column sentence, in which | or / may mark regions, or with a column word and a column sentence
    or item; the output keeps all other columns. Or it is a test suite of SyntaxGym, .json.

    \b
    surprisal               -log2 P(word | words before)
    at_least, at_most       proven bounds of the surprisal
    tag_surprisal           syntactic part: of the tags of the word
    word_surprisal          lexical part: of the word, given its tags
    log_prefix_probability  ln P(a sentence begins with these words)
    entropy                 of the next tag or the end, in bits
    entropy_reduction       reduction of the entropy by the word, or 0
    derivation_entropy      of the whole derivation down to the tags, with
                            --derivation-entropy; and its reduction
    known                   1 if the lexicon has the word, or else 0
    status                  read; bounded; no sentence (begins with these words),
                            unknown word, out of time, memory or items, crashed, no words

    With --analyses, there are four more columns for the best analysis, and four for each other one:
    
    probability_1           of the analysis, given the words so far
    open_1                  the constituents that continue, the largest one first
    awaited_1               the constituents that continue after a gap, with their words
    tree_1                  all constituents with words, as discbracket

    Unknown values are NA. Probabilities are sums over all sentences of the grammar, with their
    gaps (see the guide); --precision says how far the bounds may be apart. When a sentence has used
    most of its time, memory or items, more constituents are left out: these words are bounded, and
    their surprisal is an estimate between the bounds.

    --by sums the surprisal of each region; entropies are taken after its last word.

    \b
    Examples:
      echo 'What should we do ?' | plcfrs surprisal wsj.plcfrs
      plcfrs surprisal wsj.plcfrs test.mrg -o test.csv --jobs 2
      plcfrs surprisal wsj.plcfrs stimuli.csv --by region --no-punctuation -o out.csv
      echo 'What should we do ?' | plcfrs surprisal wsj.plcfrs --analyses 3
    """  # noqa: D301
    chosen.check()
    if chosen.jobs > 1:
        get_ready("plcfrs.corpus.surprisal_table")
    model = load_model(chosen.model, chosen.budget.chosen)
    stimuli = chosen.read_tables(model.splitter if chosen.tokenize else None)
    reader = cast(PrefixReader, model)
    if reader.prefixes.is_changed:
        click.echo(
            f"{chosen.model}: the derivations do not sum to 1: probabilities are normalised "
            "(Nederhof and Satta 2003)",
            err=True,
        )
    trees, count = chosen.read_text(model.splitter) if stimuli is None else stimuli.read()
    sentences = as_sentences(trees, own_tags=chosen.own_tags)
    table = _Table(chosen, stimuli)
    try:
        with table:
            remaining = table.remaining(sentences)
            results = surprisal_all(
                reader,
                list(remaining) if stimuli else remaining,
                chosen.jobs,
                chosen.budget.wall_seconds,
                chosen.analyses,
                derivation_entropy=chosen.derivation_entropy,
                end=chosen.end,
                precision=chosen.precision,
            )
            table.write_all(results, "surprisal", count)
    finally:
        chosen.input.report()
        table.report()


class _Table(Run):
    """The table of all words, and counts of the sentences."""

    def __init__(self, chosen: SurprisalOptions, stimuli: Stimuli | None) -> None:
        super().__init__([chosen.output], resume=chosen.resume)
        self._chosen, self._stimuli = chosen, stimuli
        is_csv = chosen.output.removesuffix(".gz").endswith(".csv")
        self._kind = chosen.to or ("csv" if is_csv else "tsv")
        if not (chosen.to or is_csv):
            say_tsv(chosen.output)
        kept = stimuli.kept if stimuli else []
        self._columns = header(chosen.analyses, kept)
        by, names = chosen.by, ("sentence", *kept)
        self._by = by and next((name for name in names if name.lower() == by.lower()), None)
        if by and not self._by:
            raise click.UsageError(f"--by {by}: no such column, only {', '.join(names)}.")
        self._statuses: Counter[str] = Counter()
        self._unknown = self._marks = self._borders = 0

    def open(self, files: ExitStack, done: Record) -> None:
        """Open the file after the last complete sentence."""
        self._file = files.enter_context(open_output(self._path, size=done.row_bytes))
        self._writer = TableWriter(self._file, self._columns, self._kind)
        if not done.row_bytes:
            self._writer.begin()

    def write(self, read: ReadSentence, sentence: Sentence, checksum: int) -> Record:
        """Write the rows of a sentence."""
        words = read.words if sentence.tokens else [Surprisal("", status="no words")]
        tags = [token.tag for token in sentence.tokens]
        self._writer.write(self._arranged(rows(sentence.id, tags, words)))
        self._statuses[next((w.status for w in words if w.status != "read"), "read")] += 1
        self._unknown += sum(word.known is False for word in words)
        self._borders += 0 if any(tags) else sum(word.word in ("|", "/") for word in words)
        size, tokens, status = self.size(self._file), len(sentence.tokens), words[-1].status
        return Record(checksum, 0, 0, size, status, "", tokens, 0, 0.0, 0.0)

    def _arranged(self, rows: list[Row]) -> list[Row]:
        """Return the rows of a sentence as the options say."""
        if self._stimuli:
            rows = self._stimuli.arranged(self.done + self._statuses.total(), rows)
        if self._chosen.no_punctuation:
            words = without_punctuation(rows)
            self._marks += len(rows) - len(words)
            rows = words
        if self._by:
            rows = [merged(list(region)) for _, region in groupby(rows, itemgetter(self._by))]
        return rows

    def report(self) -> None:
        """Say on stderr how many sentences were read, and what is special about the numbers."""
        if total := self._statuses.total():
            counts = [f"{number} {status}" for status, number in self._statuses.most_common()]
            click.echo(f"{total} sentences: {', '.join(counts)}", err=True)
        if self._unknown:
            click.echo(f"unknown words (known is 0): {self._unknown}", err=True)
        if self._borders:
            click.echo(
                f"words | and /: {self._borders}; they mark regions only in the column sentence of "
                "a table",
                err=True,
            )
        if self._marks:
            click.echo(
                f"punctuation marks: {self._marks}; their surprisal was added to the word before "
                "(at the beginning of a sentence, to the word after)",
                err=True,
            )
