"""``plcfrs surprisal``."""

from __future__ import annotations

import csv
from collections import Counter, deque
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import cast

import click

from plcfrs.chart.budget import BudgetSettings
from plcfrs.cli.command import argument, command_of, group
from plcfrs.cli.options import Selection, output_setting, patience_of
from plcfrs.cli.resuming import Record, ResumableOutput
from plcfrs.corpus.surprisal_table import DELIMITERS, Read, header, rows, surprisal_all
from plcfrs.corpus.workers import get_ready
from plcfrs.errors import InputError
from plcfrs.parsing.registry import family_of, is_treebank, load_model
from plcfrs.parsing.surprisal import PrefixReader, Surprisal
from plcfrs.settings import setting
from plcfrs.treebank import open_output


@dataclass(frozen=True)
class SurprisalOptions:
    """The options of ``plcfrs surprisal``."""

    model: str = argument("MODEL")
    sources: tuple[str, ...] = argument("[INPUT]...", nargs=-1, default=())
    tagged: bool = setting(False, "The input is word/TAG; these tags are read.")
    own_tags: bool = setting(False, "Ignore the tags of the input: words are read.")
    output: str = output_setting()
    to: str | None = setting(
        None,
        "Format of the output.  [default: by file extension, else tsv]",
        choices=tuple(DELIMITERS),
    )
    analyses: int = setting(0, "Add the N most probable structures after each word.", least=0)
    derivation_entropy: bool = setting(
        False, "Find the entropy of the whole derivation, too; takes three times as long."
    )
    budget: BudgetSettings = group(BudgetSettings)
    jobs: int = setting(
        1,
        "Read in N processes; if one dies, it is replaced, and its sentence tried once more.",
        least=1,
    )
    resume: bool = setting(False, "Continue FILE.part where the same command was interrupted.")
    selection: Selection = group(Selection)


@command_of("surprisal", SurprisalOptions())
def command(chosen: SurprisalOptions) -> None:
    """Say how surprising each word is, given the words before it: one row for every word.

    MODEL is a grammar. INPUT is as for plcfrs parse: standard input by default, one sentence per
    line; word/TAG with --tagged; or trees in any format. With tags, the sequence of tags is what is
    read.

    \b
    surprisal               -log2 P(word | words before)
    at_least, at_most       its proven bounds
    tag_surprisal           its part that is syntactic: of the tags of the word
    word_surprisal          its part that is lexical: of the word, given its tags
    log_prefix_probability  ln P(a sentence begins with these words)
    entropy                 of the next tag or the end, in bits
    entropy_reduction       by how much the word has lowered the entropy, or 0
    derivation_entropy      of the whole derivation down to the tags, with
                            --derivation-entropy; and its reduction
    status                  read; bounded; no sentence (of the grammar begins so),
                            unknown word, out of time, memory or items, crashed, no words

    With --analyses, there are four more columns for the best analysis, and four for each other one:
    
    probability_1           of the analysis, given the words so far
    open_1                  the constituents that go on, the largest one first
    awaited_1               the constituents that go on after a gap, with their words
    tree_1                  all constituents with words, as discbracket

    What is not known is NA. Probabilities are exact sums over all sentences of the grammar, with
    their gaps (see the guide). When a sentence has used up half of its time, memory or items,
    improbable constituents are left out: such words are bounded, and surprisal is an estimate
    between the bounds.

    \b
    Examples:
      echo 'What should we do ?' | plcfrs surprisal wsj.plcfrs
      plcfrs surprisal wsj.plcfrs test.mrg -o test.csv --jobs 2
      echo 'What should we do ?' | plcfrs surprisal wsj.plcfrs --analyses 3
    """  # noqa: D301
    if chosen.tagged and chosen.own_tags:
        raise click.UsageError("--own-tags ignores the tags of --tagged: leave one of them out.")
    if is_treebank(chosen.model):
        raise InputError(f"{chosen.model}: a treebank, not a grammar: plcfrs surprisal MODEL INPUT")
    if not (family := family_of(chosen.model)).can("surprisal"):
        raise InputError(
            f"{chosen.model} is {family.title}: surprisal is for grammars (plcfrs extract)"
        )
    selection = chosen.selection
    sources = selection.sentences_of(chosen.sources, "tagged" if chosen.tagged else None)
    if chosen.jobs > 1:
        get_ready("plcfrs.corpus.surprisal_table")
    reader = cast(PrefixReader, load_model(chosen.model, chosen.budget.chosen))
    if reader.prefixes.is_changed:
        click.echo(
            f"{chosen.model}: the derivations do not sum to 1: probabilities are normalised "
            "(Nederhof and Satta 2003)",
            err=True,
        )
    sentences = selection.sentences_in(sources, own_tags=chosen.own_tags)
    table = _Table(chosen)
    try:
        with table:
            deque(table.skip(sentences), maxlen=0)
            found = surprisal_all(
                reader,
                table.noting(sentences),
                chosen.jobs,
                patience_of(chosen.budget),
                chosen.analyses,
                derivation_entropy=chosen.derivation_entropy,
            )
            table.write_all(found, "surprisal", partial(selection.count, sources))
    finally:
        selection.report()
        table.report()


class _Table(ResumableOutput):
    """The rows of all words, and how many sentences were read to the end."""

    def __init__(self, chosen: SurprisalOptions) -> None:
        super().__init__([chosen.output], resume=chosen.resume)
        self._analyses = chosen.analyses
        is_csv = chosen.output.removesuffix(".gz").endswith(".csv")
        self._delimiter = DELIMITERS[chosen.to or ("csv" if is_csv else "tsv")]
        self._statuses: Counter[str] = Counter()

    def open(self, files: ExitStack, done: Record) -> None:
        """Open the file, to go on after the last complete sentence."""
        self._file = files.enter_context(open_output(self._path, size=done.row_bytes))
        self._writer = csv.writer(self._file, delimiter=self._delimiter, lineterminator="\n")
        if not done.row_bytes:
            self._writer.writerow(header(self._analyses))

    def write(self, read: Read) -> None:
        """Write the rows of the next sentence."""
        sentence, checksum_so_far = self.next_read()
        words = read.words or [Surprisal("", status="no words")]
        tags = [token.tag for token in sentence.tokens]
        self._writer.writerows(rows(sentence.id, tags, words, self._analyses))
        self._statuses[next((w.status for w in words if w.status != "read"), "read")] += 1
        size, tokens, status = self.size(self._file), len(sentence.tokens), words[-1].status
        self.add(Record(checksum_so_far, 0, 0, size, status, "", tokens, 0, 0.0, 0.0))

    def report(self) -> None:
        """Say on stderr how many sentences were read, and how many not to the end."""
        if total := sum(self._statuses.values()):
            counts = [f"{number} {status}" for status, number in self._statuses.most_common()]
            click.echo(f"{total} sentences: {', '.join(counts)}", err=True)
