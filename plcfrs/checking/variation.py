"""The same words with different annotation: variation nuclei in n-grams.

A string of words that is a constituent somewhere is a nucleus; elsewhere it may have another
category, or be no constituent (Dickinson and Meurers 2003, "Detecting inconsistencies in
treebanks", section 3). If the words around it are the same as well, one of the places is probably
wrong, and the more of them the more probably. Discontinuous constituents are nuclei, too, with the
words in their gaps (Boyd, Dickinson and Meurers 2007, "Increasing the recall of corpus annotation
error detection").
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from plcfrs.checking.finding import Finding
from plcfrs.stopping import until_stopped
from plcfrs.trees import Node, Tree
from plcfrs.trees.tree import runs

_MOST_WORDS = 12  # of a nucleus with its gaps
_NO_CONSTITUENT = "no constituent"
_EDGE = "\n"  # before and behind a sentence

_Nucleus = tuple[tuple[str, bool], ...]  # the words, and whether each is in a gap


class _Occurrence(NamedTuple):
    tree: int
    first: int
    label: str


class _Words:
    """The words of a tree, without null elements, and the labels of its constituents."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.places = [place for place, token in enumerate(tree.tokens) if not token.is_null]
        self.forms = [tree.tokens[place].form for place in self.places]
        number = {place: word for word, place in enumerate(self.places)}
        self.nodes: dict[int, list[Node]] = defaultdict(list)
        for node in tree.nodes()[1:]:
            span = sum(1 << number[leaf] for leaf in node.leaves() if leaf in number)
            if span:
                self.nodes[span].append(node)

    def label(self, span: int) -> str:
        """Return the categories of all constituents with these words, the highest first."""
        return "+".join(node.category for node in self.nodes.get(span, ())) or _NO_CONSTITUENT

    def nucleus(self, span: int) -> _Nucleus:
        """Return words and the words in their gaps, or nothing if there are too many."""
        parts = runs(span)
        first, last = parts[0][0], parts[-1][1]
        if last - first > _MOST_WORDS:
            return ()
        return tuple((self.forms[word], not span >> word & 1) for word in range(first, last))

    def around(self, first: int, size: int, distance: int) -> tuple[str, str]:
        """Return the words before and behind a nucleus, at a distance."""
        left, right = first - distance, first + size + distance - 1
        return (
            self.forms[left] if left >= 0 else _EDGE,
            self.forms[right] if right < len(self.forms) else _EDGE,
        )


def find_variation(trees: Sequence[Tree]) -> Iterator[Finding]:
    """Yield the places where words are annotated in another way than elsewhere.

    Places are compared if at least one word before and one behind are the same; the annotation that
    more places have is taken as right.

    >>> sentences = ["(S (NP (DT the) (NN cat)) (VP (VBD saw) (NP (DT the) (NN dog))) (. .))"] * 2
    >>> sentences += ["(S (NP (DT the) (NN cat)) (VP (VBD saw) (DT the) (NN dog)) (. .))"]
    >>> for found in find_variation([Tree.from_string(text) for text in sentences]):
    ...     print(found.words, found.message, sep=": ")
    the dog: no constituent here, but NP in 2 places with the same words around it
    """
    sentences = [_Words(tree) for tree in until_stopped(trees)]
    for nucleus, occurrences in _variations(sentences).items():
        size = len(nucleus)
        by_context = defaultdict(list)
        for each in occurrences:
            context = sentences[each.tree].around(each.first, size, 1)
            if context != (_EDGE, _EDGE):  # whole sentences are often titles
                by_context[context].append(each)
        for group in by_context.values():
            yield from _contradictions(sentences, nucleus, group)


def _variations(sentences: Sequence[_Words]) -> dict[_Nucleus, list[_Occurrence]]:
    """Return the occurrences of the nuclei that have different labels."""
    nuclei: dict[_Nucleus, set[int]] = defaultdict(set)  # the spans, from the first word
    for words in sentences:
        for span in words.nodes:
            if nucleus := words.nucleus(span):
                nuclei[nucleus].add(span >> runs(span)[0][0])
    patterns: dict[tuple[str, ...], list[_Nucleus]] = defaultdict(list)
    for nucleus in nuclei:
        patterns[tuple(word for word, _ in nucleus)].append(nucleus)
    found: dict[_Nucleus, list[_Occurrence]] = defaultdict(list)
    for number, words in enumerate(until_stopped(sentences)):
        for first in range(len(words.forms)):
            for last in range(first + 1, min(first + _MOST_WORDS, len(words.forms)) + 1):
                for nucleus in patterns.get(tuple(words.forms[first:last]), ()):
                    (span,) = nuclei[nucleus]
                    found[nucleus].append(_Occurrence(number, first, words.label(span << first)))
    return {
        nucleus: occurrences
        for nucleus, occurrences in found.items()
        if len({each.label for each in occurrences}) > 1
    }


def _contradictions(
    sentences: Sequence[_Words], nucleus: _Nucleus, group: Sequence[_Occurrence]
) -> Iterator[Finding]:
    """Yield the occurrences with the same context whose label is not the most frequent one."""
    counts = Counter(each.label for each in group)
    (usual, most), *others = counts.most_common()
    if not others:
        return
    for each in group:
        if each.label == usual:
            continue
        shared = max(
            _shared_context(sentences, nucleus, each, other)
            for other in group
            if other.label == usual
        )
        words = sentences[each.tree]
        place = f"{most} places" if most > 1 else sentences[_first(group, usual)].tree.id
        message = f"{each.label} here, but {usual} in {place} with the same words around it"
        score = most / (most + counts[each.label]) * (1 - 0.5**shared)
        inside = [place for place, (_, is_in_gap) in enumerate(nucleus) if not is_in_gap]
        positions = [words.places[each.first + place] for place in inside]
        yield Finding.at(words.tree, positions, "variation", message, score)


def _first(group: Sequence[_Occurrence], label: str) -> int:
    return next(each.tree for each in group if each.label == label)


def _shared_context(
    sentences: Sequence[_Words], nucleus: _Nucleus, one: _Occurrence, other: _Occurrence
) -> int:
    """Return how many words before and behind two occurrences are the same."""
    size, distance = len(nucleus), 1
    while distance < _MOST_WORDS:
        pair = {
            sentences[each.tree].around(each.first, size, distance + 1) for each in (one, other)
        }
        if len(pair) > 1 or pair == {(_EDGE, _EDGE)}:
            break
        distance += 1
    return distance
