"""The labeler: it finds the relations of tokens to their heads.

For each head, the relations of its dependents are a chain, from the first one on its left to the
last one on its right (Fernández-González and Martins 2015, section 4.2).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from plcfrs.dependency.label_features import ChainFeatures
from plcfrs.errors import InputError
from plcfrs.linear.kernel.arrays import Averages
from plcfrs.linear.sequences import CandidateLists, Steps, check_lists, find, train
from plcfrs.linear.weights import weights_of
from plcfrs.trees import DependencyTree, Token

# The numbers of the relations seen between the tag of a head, None for the root, and that of a
# dependent.
Seen = Mapping[tuple[str | None, str], Sequence[int]]


_END = "end"


@dataclass(eq=False, repr=False)
class Labeler:
    """A trained labeler.

    Parameters
    ----------
    seen : mapping of (head's tag or None, tag) to numbers of relations
        The relations seen between two tags; the root has no tag.
    averages : Averages
        Of the weights, over the training.

    Examples
    --------
    >>> tokens = [Token("They", "PRP"), Token("sing", "VBP")]
    >>> tree = DependencyTree(tokens, [2, 0], ["S#1", "root"])
    >>> Labeler.train([tree] * 2)(tokens, [2, 0])
    ['S#1', 'root']
    """

    relations: tuple[str, ...]
    seen: Seen
    averages: Averages

    def __post_init__(self) -> None:
        check_lists(self.seen.values(), len(self.relations))
        self.weights = weights_of(self.averages, len(self.relations) + 1)
        self._candidates = _candidate_lists(self.seen, len(self.relations))

    @classmethod
    def train(cls, trees: Sequence[DependencyTree], seed: int = 1) -> Labeler:
        """Train a labeler; the same seed gives the same labeler.

        It learns from the heads of the trees. To learn from heads that a parser finds in its
        training sentences (jackknifed) gave worse constituents on files 0160-0179 of the Penn
        Treebank sample, even where only the dependents with the right head counted.
        """
        if not any(tree.tokens for tree in trees):
            raise InputError("there are no dependencies to train a labeler on")
        relations = tuple(sorted({relation for tree in trees for relation in tree.relations}))
        numbers = {relation: number for number, relation in enumerate(relations)}
        seen = _seen(trees, numbers)
        candidates = _candidate_lists(seen, len(relations))
        sentences, gold = [], []
        for tree in trees:
            features = ChainFeatures(tree.tokens, tree.heads)
            sentences.append(_steps(features, tree.tokens, candidates))
            labels = [len(relations), *(numbers[relation] for relation in tree.relations)]
            gold += [labels[dependent] for _, dependent in features.arcs]
        weights = train(Steps.joined(sentences), gold, candidates.arrays, len(relations) + 1, seed)
        return cls(relations, seen, weights.averages)

    def __call__(self, tokens: Sequence[Token], heads: Sequence[int]) -> list[str]:
        """Return the relation of each tagged token to its head.

        Heads are numbered from 1, 0 stands for the root; they need not be a tree. A ValueError if
        there is not one head for each token, or one is out of range.
        """
        features = ChainFeatures(tokens, heads)
        steps = _steps(features, tokens, self._candidates)
        found = find(self.weights, steps, self._candidates.arrays, len(self.relations) + 1)
        relations = [""] * (len(tokens) + 1)
        for (_, dependent), label in zip(features.arcs, found, strict=True):
            if dependent:
                relations[dependent] = self.relations[label]
        return relations[1:]


def _seen(trees: Iterable[DependencyTree], numbers: Mapping[str, int]) -> Seen:
    found: dict[tuple[str | None, str], set[int]] = defaultdict(set)
    for tree in trees:
        tags = [None, *(token.tag for token in tree.tokens)]
        for token, head, relation in zip(tree.tokens, tree.heads, tree.relations, strict=True):
            found[tags[head], token.tag].add(numbers[relation])
    order = sorted(found, key=lambda tags: (tags[0] or "", tags[0] is not None, tags[1]))
    return {tags: sorted(found[tags]) for tags in order}


def _candidate_lists(seen: Seen, end: int) -> CandidateLists:
    """Return the candidates for two tags, for one or none if the pair is unknown, and the end."""
    found: dict[Hashable, set[int]] = defaultdict(set)
    for tags, labels in seen.items():
        for key in _keys(*tags):
            found[key].update(labels)
    return CandidateLists({**found, _END: {end}})


def _keys(head: str | None, tag: str) -> Iterator[Hashable]:
    """Yield the keys of lists of candidates, the most specific one first."""
    is_root = head is None
    yield head, tag
    yield "head", is_root, head
    yield "dependent", is_root, tag
    yield is_root
    yield "all"


def _steps(features: ChainFeatures, tokens: Sequence[Token], candidates: CandidateLists) -> Steps:
    tags = [None, *(token.tag for token in tokens)]
    lists = [
        candidates.find(_keys(tags[head], tokens[dependent - 1].tag) if dependent else [_END])
        for head, dependent in features.arcs
    ]
    return Steps(features.start, *features.keys(), lists)
