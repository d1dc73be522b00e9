"""Sentences to try with a model: from the treebanks of the server, or from the demo."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain, islice

from plcfrs.pipeline.sentence_parser import SentenceParser
from plcfrs.treebank import read_trees
from plcfrs.treebank.files import DEMO
from plcfrs.trees import Token, Tree
from plcfrs.web.answers.parses import ExampleAnswer
from plcfrs.web.treebanks import Treebank

_SHOWN = 6
_LENGTHS = range(3, 13)


def find_examples(model: SentenceParser, treebanks: Iterable[Treebank]) -> list[ExampleAnswer]:
    """Return short sentences that a model knows, those with gaps or traces first.

    Parameters
    ----------
    model : SentenceParser
        It knows all words of a sentence, or else all tags, which the example then has.
    treebanks : iterable of Treebank
        Only their first trees are looked at.
    """
    trees = chain(*(each.beginning for each in treebanks), _demo())
    known = _known(model, sorted(_short(trees), key=_is_plain))
    return [ExampleAnswer(text=text, tagged=tagged) for text, tagged in islice(known, _SHOWN)]


@cache
def _demo() -> list[Tree]:
    return list(read_trees(DEMO))


def _short(trees: Iterable[Tree]) -> Iterator[Tree]:
    return (tree for tree in trees if len(_words(tree)) in _LENGTHS)


def _is_plain(tree: Tree) -> bool:
    return len(_words(tree)) == len(tree.tokens) and tree.gap_degree() == 0


def _known(model: SentenceParser, trees: Iterable[Tree]) -> Iterator[tuple[str, bool]]:
    words, tags = set(model.words), set(model.tags)
    seen = set()
    for tokens in map(_words, trees):
        tagged = not words.issuperset(token.form for token in tokens)
        text = " ".join(f"{one.form}/{one.tag}" if tagged else one.form for one in tokens)
        if text not in seen and (not tagged or tags.issuperset(token.tag for token in tokens)):
            seen.add(text)
            yield text, tagged


def _words(tree: Tree) -> list[Token]:
    return [token for token in tree.tokens if not token.is_null]
