"""``plcfrs generate``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice, repeat
from math import inf
from random import Random
from typing import Literal

import click

from plcfrs.cli.command import argument, command_of
from plcfrs.cli.output import output_setting
from plcfrs.errors import InputError
from plcfrs.grammar import (
    GeneratedTree,
    Grammar,
    Nonterminal,
    TreeSampler,
    binarize,
    enumerate_trees,
)
from plcfrs.grammar.enumeration import TreeOrder
from plcfrs.grammar.formats import check_is_model
from plcfrs.grammar.generation import words_of
from plcfrs.settings import setting
from plcfrs.stopping import StoppedError
from plcfrs.storage.model_file import DEFAULT_KIND, kind_of
from plcfrs.treebank import WRITABLE, TreeWriter, format_of
from plcfrs.wording import counted

_NUMBER = 10
_LONGEST = 100
_WORDS = "tokens"  # the format
_MOST_MISSES = 100_000


@dataclass(frozen=True)
class GenerateOptions:
    """The options of ``plcfrs generate``."""

    grammar: str = argument("GRAMMAR")
    number: int | None = setting(
        None, f"Number of sentences.  [default: {_NUMBER}; all with --all]", short="-n", least=1
    )
    order: Literal["random", "shortest", "probable"] = setting(
        "random", "Random ones by probability, the shortest, or the most probable ones."
    )
    all: bool = setting(False, "All sentences up to --max-length or --max-depth, shortest first.")
    max_length: int | None = setting(
        None, f"Sentences of up to N words.  [default: {_LONGEST} for random ones]", least=1
    )
    max_depth: int | None = setting(
        None, "Trees with up to N constituents above each word.", least=1
    )
    gaps: bool = setting(False, "Only sentences whose tree has a gap.")
    ambiguity: bool = setting(
        False, "Print a table: the number of trees of each sentence, and the probability of one."
    )
    seed: int = setting(1, "Seed of the random choice.")
    output: str = output_setting()
    to: str | None = setting(
        None, "Format of the output.  [default: by file extension, else words]", choices=WRITABLE
    )

    @property
    def format(self) -> str:
        """The format of the output; by default words."""
        return self.to or (_WORDS if self.output == "-" else format_of(self.output).name)

    def check(self, grammar: Grammar) -> None:
        """Raise an InputError if options do not fit together, or to the grammar."""
        if self.all and self.max_length is None and self.max_depth is None:
            raise InputError("--all needs --max-length or --max-depth")
        if self.gaps and grammar.fan_out() == 1:
            raise InputError("--gaps: no tree of this grammar has a gap: all fan-outs are 1")
        if self.ambiguity and (self.to, self.output) != (None, "-"):
            raise InputError("--ambiguity prints a table: leave out -o and --to")


@command_of("generate", GenerateOptions())
def command(chosen: GenerateOptions) -> None:
    """Generate sentences or trees of a grammar: random ones, the shortest, or all up to a length.

    Prints the words, one sentence per line. With --to or the extension of -o, writes trees. A tree
    has the probability of its rules and words; random trees are drawn by it, among those of up to
    --max-length words. The same --seed gives the same trees. A grammar without words gives tags.

    In order, each sentence comes once, with its best tree; --to FORMAT gives all its trees, but
    none that repeats a symbol over the same words.

    \b
    Examples:
      plcfrs generate grammars/wh-english.yaml -n 20 --seed 7
      plcfrs generate grammars/anbncndn.yaml --order shortest -n 3 --to discbracket
      plcfrs generate wsj.plcfrs --gaps --max-length 12 -o gaps.export
      plcfrs generate toy.yaml --all --max-length 6 --ambiguity
    """  # noqa: D301
    check_is_model(chosen.grammar)
    if (kind := kind_of(chosen.grammar)) != DEFAULT_KIND:
        raise InputError(f"{chosen.grammar} is a trained {kind} parser: give a grammar")
    grammar = Grammar.load(chosen.grammar)
    chosen.check(grammar)
    number = chosen.number or (None if chosen.all else _NUMBER)
    trees = enumerate(islice(_wanted(grammar, chosen), number), start=1)
    written = 0
    row_of = _table(grammar) if chosen.ambiguity else None
    with TreeWriter(chosen.output, chosen.format) as writer:
        for written, generated in trees:
            if row_of:
                click.echo(row_of(generated))
            else:
                writer.write(generated.tree(str(written)))
    if number is None or written < number:
        more = "" if chosen.all else ": the grammar has no more"
        click.echo(f"{counted(written, 'sentence')}{more}", err=True)


def _wanted(grammar: Grammar, chosen: GenerateOptions) -> Iterator[GeneratedTree]:
    """Yield the trees that the options ask for; in order, each sentence or tree once."""
    is_random = chosen.order == "random" and not chosen.all
    has_words = chosen.format == _WORDS
    trees: Iterator[GeneratedTree]
    if is_random:
        sampler, random = TreeSampler(grammar, chosen.max_length or _LONGEST), Random(chosen.seed)
        trees = map(sampler.draw, repeat(random))
    else:
        order: TreeOrder = "shortest" if chosen.order == "random" else chosen.order
        limits = chosen.max_length or inf, chosen.max_depth or inf
        trees = enumerate_trees(grammar, order, *limits, once=has_words and not chosen.gaps)
    seen: set[str] = set()
    misses = 0
    for generated in trees:
        tree = generated.tree()
        if generated.depth > (chosen.max_depth or inf) or (chosen.gaps and not tree.gap_degree()):
            misses += 1
            if misses == _MOST_MISSES and not chosen.all:
                raise StoppedError(f"none of {misses} trees in a row was as the options ask")
            continue
        misses = 0
        text = " ".join(generated.words) if has_words else str(tree)
        if is_random or text not in seen:
            seen.add(text)
            yield generated


def _table(grammar: Grammar) -> Callable[[GeneratedTree], str]:
    """Print the headings of a table, and return the function that makes its rows."""
    from plcfrs.budget import UNLIMITED  # here, since Numba is slow to import
    from plcfrs.chart import ChartParser
    from plcfrs.chart.forest import count_derivations

    parser = ChartParser(binarize(grammar), budget=UNLIMITED)
    tags_of: dict[str, dict[Nonterminal, float]] = defaultdict(dict)
    for tag, words in words_of(grammar).items():
        for word in words:
            tags_of[word][tag] = 0.0

    def row(generated: GeneratedTree) -> str:
        forest = parser.forest([tags_of[word] for word in generated.words])
        trees = count_derivations(forest) if forest else 0
        return f"{trees}\t{generated.log_probability:.4f}\t{' '.join(generated.words)}"

    click.echo("trees\tlog probability\tsentence")
    return row
