"""How well trees agree with the heads of Universal Dependencies.

python tools/agreement_with_heads.py MODEL ewt-dev.conllu gum-dev.conllu [--every N]

A model parses the words. The yield of a word is the word and all words below it, without
punctuation. It should be a constituent, and none should cross it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click

from plcfrs import load_model
from plcfrs.treebank.reading import read_dependencies
from plcfrs.trees import Tree
from plcfrs.trees.tree import DependencyTree, crosses

SHORTEST, LONGEST = 4, 40
# Their yields are often no constituents in the Penn Treebank: a first conjunct, a part of a name.
OTHERS = frozenset(
    [
        "conj",
        "compound",
        "amod",
        "advmod",
        "flat",
        "fixed",
        "root",
        "parataxis",
        "list",
        "discourse",
        "appos",
        "nummod",
    ]
)


def overt(sentence: DependencyTree) -> int:
    """Return the span of all words that are not punctuation."""
    return sum(
        1 << word
        for word, relation in enumerate(sentence.relations)
        if relation != "punct" and sentence.columns[word].coarse_tag != "PUNCT"
    )


def yields_of(sentence: DependencyTree) -> dict[int, int]:
    """Return the yield of each word that is not punctuation, if it has several such words."""
    words = overt(sentence)
    below = [1 << word & words for word in range(len(sentence.heads))]
    for word in range(len(below)):
        head, seen = sentence.heads[word], 0
        while head and not seen >> head & 1:
            below[head - 1] |= 1 << word & words
            head, seen = sentence.heads[head - 1], seen | 1 << head
    return {
        word: span for word, span in enumerate(below) if span & (span - 1) and words >> word & 1
    }


def spans_of(tree: Tree, words: int) -> set[int]:
    """Return the spans of the constituents of a tree, without other words."""
    return {span & words for span in tree.yields().values()}


def read(path: Path, every: int = 1) -> list[DependencyTree]:
    """Read the sentences of usual lengths."""
    sentences = read_dependencies(str(path))
    return [each for each in sentences if SHORTEST <= len(each.tokens) <= LONGEST][::every]


def agreement(sentences: list[DependencyTree], trees: Iterator[Tree]) -> Counter[tuple[str, str]]:
    """Count the yields by relation: all, the constituents among them, and the crossed ones."""
    counts: Counter[tuple[str, str]] = Counter()
    for sentence, tree in zip(sentences, trees, strict=True):
        spans = spans_of(tree, overt(sentence))
        for word, span in yields_of(sentence).items():
            relation = sentence.relations[word].partition(":")[0]
            groups = [relation, "all"] if relation in OTHERS else [relation, "chosen", "all"]
            for group in groups:
                counts[group, "yields"] += 1
                counts[group, "constituents"] += span in spans
                counts[group, "crossed"] += any(crosses(span, each) for each in spans)
    return counts


@click.command()
@click.argument("model")
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--every", default=1, show_default=True, help="Take every Nth sentence.")
@click.option("--relations", is_flag=True, help="Also show each relation.")
def main(model: str, files: tuple[Path, ...], every: int, *, relations: bool) -> None:
    """Parse the words of sentences, and count the yields in the trees."""
    parser = load_model(model)
    for path in files:
        sentences = read(path, every)
        words = [each.words() for each in sentences]
        trees = (parses[0].tree for parses in parser.parse_together(words))
        counts = agreement(sentences, trees)
        names = sorted({name for name, _ in counts}) if relations else ["chosen", "all"]
        print(f"{path.stem}: {len(sentences)} sentences")
        for name in names:
            total = counts[name, "yields"]
            shares = (
                f"{100 * counts[name, each] / total:5.1f}" for each in ("constituents", "crossed")
            )
            print(f"  {name:12}{total:6} yields: {' % constituents, '.join(shares)} % crossed")


if __name__ == "__main__":
    main()
