"""``plcfrs generate``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count, islice
from math import inf
from random import Random
from typing import Literal

import click

from plcfrs.cli.command import argument, command_of
from plcfrs.cli.output import output_setting, write_rows
from plcfrs.errors import InputError
from plcfrs.grammar import (
    GeneratedTree,
    Grammar,
    Nonterminal,
    TreeSampler,
    binarize,
    enumerate_trees,
)
from plcfrs.grammar.formats import check_is_model
from plcfrs.grammar.generation import words_of
from plcfrs.settings import setting
from plcfrs.stopping import StoppedError
from plcfrs.treebank import WRITABLE, TreeWriter, format_of
from plcfrs.wording import counted

_NUMBER = 10
_LONGEST = 100
_TOKENS = "tokens"
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
        return self.to or (_TOKENS if self.output == "-" else format_of(self.output).name)

    @property
    def has_words(self) -> bool:
        """Whether the output has words, not trees."""
        return self.ambiguity or self.format == _TOKENS

    @property
    def is_random(self) -> bool:
        """Whether the trees are random."""
        return self.order == "random" and not self.all

    def check(self, grammar: Grammar) -> None:
        """Raise an InputError if options do not fit together, or to the grammar."""
        if self.all and self.max_length is None and self.max_depth is None:
            raise InputError("--all needs --max-length or --max-depth")
        if self.gaps and grammar.fan_out() == 1:
            raise InputError("--gaps: no tree of this grammar has a gap: all fan-outs are 1")
        if self.ambiguity and self.to:
            raise InputError("--ambiguity writes a table: leave out --to")


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
    grammar = Grammar.load(chosen.grammar)
    chosen.check(grammar)
    number = chosen.number or (None if chosen.all else _NUMBER)
    numbers = count()
    found = islice(_wanted(grammar, chosen), number)
    trees = (generated for generated, _ in zip(found, numbers, strict=False))
    if chosen.ambiguity:
        header = ["trees", "log probability", "sentence"]
        write_rows(chosen.output, header, _rows(grammar, trees))
    else:
        with TreeWriter(chosen.output, chosen.format) as writer:
            for generated in trees:
                writer.write(generated.tree(str(writer.count + 1)))
    written = next(numbers)
    if number is None or written < number:
        more = "" if chosen.all else ": the grammar has no more"
        click.echo(f"{counted(written, 'sentence')}{more}", err=True)


def _wanted(grammar: Grammar, chosen: GenerateOptions) -> Iterator[GeneratedTree]:
    """Yield the trees that the options ask for; in order, each sentence or tree once."""
    seen: set[str] = set()
    misses = 0
    for generated in _generated(grammar, chosen):
        tree = generated.tree()
        has_gap = not chosen.gaps or tree.gap_degree() > 0
        misses += 1
        if misses > _MOST_MISSES and not chosen.all:
            raise StoppedError(f"{_MOST_MISSES} trees in a row were not what the options ask for")
        if has_gap and generated.depth <= (chosen.max_depth or inf):
            misses = 0
            text = " ".join(generated.words) if chosen.has_words else str(tree)
            if chosen.is_random or text not in seen:
                seen.add(text)
                yield generated


def _generated(grammar: Grammar, chosen: GenerateOptions) -> Iterator[GeneratedTree]:
    if chosen.is_random:
        sampler, random = TreeSampler(grammar, chosen.max_length or _LONGEST), Random(chosen.seed)
        while True:
            yield sampler.draw(random)
    yield from enumerate_trees(
        grammar,
        "probable" if chosen.order == "probable" else "shortest",
        max_length=chosen.max_length or inf,
        max_depth=chosen.max_depth or inf,
        once=chosen.has_words and not chosen.gaps,
    )


def _rows(grammar: Grammar, trees: Iterable[GeneratedTree]) -> Iterator[tuple[object, ...]]:
    """Yield the number of trees of each sentence, the log probability of one, and the words."""
    from plcfrs.budget import UNLIMITED  # here, since Numba is slow to import
    from plcfrs.chart import ChartParser
    from plcfrs.chart.forest import count_derivations

    parser = ChartParser(binarize(grammar), budget=UNLIMITED)
    tags_of: dict[str, dict[Nonterminal, float]] = defaultdict(dict)
    for tag, words in words_of(grammar).items():
        for word in words:
            tags_of[word][tag] = 0.0
    for generated in trees:
        forest = parser.forest([tags_of[word] for word in generated.words])
        number = count_derivations(forest) if forest else 0
        yield number, f"{generated.log_probability:.4f}", " ".join(generated.words)
