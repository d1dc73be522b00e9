"""The classifier that restores unary nodes (Fernández-González and Martins 2015, section 4.4).

It looks at the constituents and tokens of a tree without unary nodes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from plcfrs.errors import InputError
from plcfrs.learning.kernel.arrays import Averages
from plcfrs.learning.sequences import CandidateLists, Steps, check_lists, find, train
from plcfrs.learning.templates import ContextTemplates, Keys, folded, listed, number
from plcfrs.learning.weights import weights_of
from plcfrs.transformation import without_unaries
from plcfrs.trees import Node, Tree
from plcfrs.trees.heads import on_copy
from plcfrs.trees.labels import Label, labels_of_chain, render_category, render_chain

# The label and whether it is a tag; the labels of the mother, her mother, two sisters on either
# side, and the mother's sisters; places. Then the rules below and above, and the labels in them in
# any order. Then the first and the last token, the tokens around them, the lexical head, sisters
# that are tokens, and the number of tokens.
_ATOMS = listed(
    """
    label, is_token, mother, grandmother, sister-1, sister+1, sister-2, sister+2, aunt-1, aunt+1,
    place, sisters, is_head, mother_place, mother_is_head,
    rule, rule_above, inventory, inventory_above, child1, child2, last_child,
    first, last, before, after,
    first_tag, second_tag, last_tag, before_tag, before2_tag, after_tag, after2_tag,
    head, head_tag, mother_head, mother_head_tag, token-1, token+1, size, has_gap, lower, suffix
    """
)

# All templates are combined with the label; the first one is the label alone. The paper has the
# rules, the labels of mother and sisters, the place, the first and last tokens, and sisters that
# are tokens.
_TEMPLATES = listed(
    """,
    rule, rule_above place, rule_above place rule, mother, sister-1, sister+1, mother sister-1,
    mother sister+1, sister-1 sister+1, mother sister-1 sister+1, sister-2 sister-1,
    sister+1 sister+2, mother sister-2 sister-1, mother sister+1 sister+2, mother grandmother,
    mother grandmother sister-1, mother grandmother sister+1, mother place, mother sisters place,
    mother is_head, is_head sister-1 sister+1, inventory_above, mother inventory_above,
    mother is_head inventory_above, aunt-1 mother, aunt+1 mother, mother_place mother,
    mother_is_head mother, first, last, first_tag, last_tag, first_tag last_tag, first mother,
    last mother, first_tag second_tag, first_tag second_tag mother, before, after, before_tag,
    after_tag, before_tag after_tag, before mother, after mother, before2_tag before_tag,
    after_tag after2_tag, before_tag first_tag, last_tag after_tag, head, head_tag, head mother,
    head_tag mother, head_tag sister-1, head_tag sister+1, head sister-1, head sister+1,
    head_tag mother sister-1, head_tag mother sister+1, token-1, token+1, token-1 mother,
    token+1 mother, token-1 head_tag, token+1 head_tag, size, has_gap, child1, child2, last_child,
    child1 last_child, child1 child2, inventory, inventory mother, mother_head, mother_head_tag,
    mother_head mother, mother_head_tag mother, mother_head place, mother_head_tag head_tag mother,
    mother_head head_tag, mother_head_tag head, lower, suffix, suffix mother, lower sister-1,
    lower sister+1
    """
)
_KEYS = ContextTemplates(_ATOMS, [f"label {template}" for template in _TEMPLATES])

# Atoms that say no more about a token than its word and its tag.
_OF_CONSTITUENTS = frozenset(
    listed(
        """
        rule, inventory, child1, child2, last_child, size, has_gap, first, last, first_tag,
        last_tag, head_tag
        """
    )
)
_NOT_OF_TOKENS = np.array(
    [not _OF_CONSTITUENTS.isdisjoint(template.split()) for template in _TEMPLATES]
)

# Larger places and sizes count as these.
_MOST_PLACES, _MOST_TOKENS = 10, 8
_SUFFIX = 3


class UnaryPlace(NamedTuple):
    """A constituent or a token that may have unary nodes above it.

    The place is its index among the mother's children.
    """

    mother: Node
    place: int
    label: str
    is_token: bool


class _TreePart(NamedTuple):
    """What features say about a constituent or token; labels, words and tags are numbers."""

    label: int
    first: int
    last: int
    size: int
    head: int
    children: tuple[int, ...] = ()
    rule: int = 0
    inventory: int = 0
    lower: int = 0
    suffix: int = 0


def items_of(tree: Tree) -> list[UnaryPlace]:
    """Return all constituents except the top one, and all tokens; sisters are together.

    Mothers come before their children.
    """
    return [
        UnaryPlace(node, place, tree.tokens[child].tag, is_token=True)
        if isinstance(child, int)
        else UnaryPlace(node, place, render_category(child), is_token=False)
        for node in tree.root.preorder()
        for place, child in enumerate(node.children)
    ]


def keys_of(tree: Tree, items: list[UnaryPlace]) -> Keys:
    """Return the keys of the features of the items of a tree; 0 stands for no feature."""
    keys = _KEYS.keys(atoms_of(tree, items))
    are_tokens = np.array([item.is_token for item in items], np.bool_)
    keys[are_tokens[:, np.newaxis] & _NOT_OF_TOKENS] = 0
    return keys


def atoms_of(tree: Tree, items: list[UnaryPlace]) -> Keys:
    """Return the atoms of the items of a tree."""
    words = [*(number(token.form) for token in tree.tokens), 1, 1, 1]
    tags = [*(number(token.tag) for token in tree.tokens), 1, 1, 1]
    parts = _parts(tree, tags)
    places = {tree.root: (tree.root, 0)}
    rows = []
    for mother, place, _, is_token in items:
        child = mother.children[place]
        if isinstance(child, Node):
            places[child] = mother, place
        part, above = parts[child], parts[mother]
        upper, upper_place = places[mother]
        sisters = [0, 0, *above.children, 0, 0]
        aunts = [0, *parts[upper].children, 0] if upper is not mother else [0, 0, 0]
        neighbours = _tokens_beside(mother, place, words)
        children = (*part.children, 0, 0)
        rows.append(
            (
                part.label,
                is_token,
                above.label,
                parts[upper].label,
                sisters[place + 1],
                sisters[place + 3],
                sisters[place],
                sisters[place + 4],
                aunts[upper_place],
                aunts[upper_place + 2],
                min(place, _MOST_PLACES),
                len(mother.children),
                mother.head == place,
                min(upper_place, _MOST_PLACES),
                upper.head == upper_place,
                part.rule,
                above.rule,
                part.inventory,
                above.inventory,
                children[0],
                children[1],
                children[len(part.children) - 1],
                *_atoms_at_ends(part, words, tags),
                words[part.head],
                tags[part.head],
                words[above.head],
                tags[above.head],
                *neighbours,
                min(part.size, _MOST_TOKENS),
                part.size <= part.last - part.first,
                part.lower,
                part.suffix,
            )
        )
    return np.array(rows, np.uint64).reshape(-1, len(_ATOMS))


def _atoms_at_ends(part: _TreePart, words: list[int], tags: list[int]) -> list[int]:
    """Return the atoms of the first and the last token of a part, and of the tokens beside it."""
    return [
        words[part.first],
        words[part.last],
        words[part.first - 1],
        words[part.last + 1],
        tags[part.first],
        tags[part.first + 1],
        tags[part.last],
        tags[part.first - 1],
        tags[max(part.first - 2, -1)],
        tags[part.last + 1],
        tags[part.last + 2],
    ]


def _parts(tree: Tree, tags: list[int]) -> dict[Node | int, _TreePart]:
    """Return what features say about each node and token of a tree."""
    parts: dict[Node | int, _TreePart] = {}
    for place, token in enumerate(tree.tokens):
        lower, suffix = number(token.form.lower()), number(token.form[-_SUFFIX:])
        parts[place] = _TreePart(tags[place], place, place, 1, place, lower=lower, suffix=suffix)
    for node in tree.bottom_up():
        below = [parts[child] for child in node.children]
        # A category is not a tag with the same name.
        label = number(f"+{render_category(node)}")
        labels = tuple(part.label for part in below)
        parts[node] = _TreePart(
            label,
            min(part.first for part in below),
            max(part.last for part in below),
            sum(part.size for part in below),
            below[node.head or 0].head,
            labels,
            folded([label, *labels]),
            folded(sorted(set(labels))),
        )
    return parts


def _tokens_beside(mother: Node, place: int, words: list[int]) -> list[int]:
    """Return the words of the sisters before and after; 0 for a sister that is not a token."""
    around = [None, *mother.children, None]
    beside = around[place], around[place + 2]
    return [words[each] if isinstance(each, int) else 0 for each in beside]


# The numbers of the chains seen above a label; the flag says whether the label is a tag.
Seen = Mapping[tuple[str, bool], Sequence[int]]

_NO_NODES = ""
_NOT_SEEN = "not seen"


@dataclass(eq=False, repr=False)
class UnaryClassifier:
    """A trained classifier.

    Parameters
    ----------
    chains : tuple of str
        The chains of unary nodes, such as ``S+VP``, from the top down. The first one is empty.
    seen : mapping of (label, whether it is a tag) to numbers of chains
    averages : Averages
        Of the weights, over the training.

    Examples
    --------
    >>> tree = Tree.from_string("(S (NP (PRP They)) (VP (VBP sing)))")
    >>> classifier = UnaryClassifier.train([tree] * 2)
    >>> print(classifier(without_unaries(tree)))
    (ROOT (S (NP (PRP 0=They)) (VP (VBP 1=sing))))
    """

    chains: tuple[str, ...]
    seen: Seen
    averages: Averages

    def __post_init__(self) -> None:
        if self.chains[:1] != (_NO_NODES,):
            raise ValueError("the first chain has no nodes")
        check_lists(self.seen.values(), len(self.chains))
        self.weights = weights_of(self.averages, len(self.chains))
        self._labels = list(map(labels_of_chain, self.chains))
        self._candidates = _candidate_lists(self.seen)

    @classmethod
    def train(cls, trees: Sequence[Tree], seed: int = 1) -> UnaryClassifier:
        """Train a classifier on trees with unary nodes; the same seed gives the same classifier.

        The trees have no null elements. Only categories and their splits are learned.
        """
        if not trees:
            raise InputError("there are no trees to train a classifier of unary nodes on")
        gold = [list(_unary_chains(tree)) for tree in trees]
        bare = list(map(without_unaries, trees))
        items = list(map(items_of, bare))
        chains = tuple(sorted({_NO_NODES}.union(*gold)))
        numbers = {chain: number for number, chain in enumerate(chains)}
        labels = [numbers[chain] for above in gold for chain in above]
        seen = _seen((item for each in items for item in each), labels)
        candidates = _candidate_lists(seen)
        steps = Steps.joined([_steps(*pair, candidates) for pair in zip(bare, items, strict=True)])
        weights = train(steps, labels, candidates.arrays, len(chains), seed)
        return cls(chains, seen, weights.averages)

    def __call__(self, tree: Tree) -> Tree:
        """Return a copy of a tree with its unary nodes restored; it uses and keeps marked heads."""
        return on_copy(self._restore)(tree)

    def _restore(self, tree: Tree) -> Tree:
        items = items_of(tree)
        steps = _steps(tree, items, self._candidates)
        chains = find(self.weights, steps, self._candidates.arrays, len(self.chains))
        for item, chain in zip(items, chains, strict=True):
            for label in reversed(self._labels[chain]):
                below = item.mother.children[item.place]
                item.mother.children[item.place] = Node(*label, children=[below], head=0)
        return tree


def _unary_chains(tree: Tree) -> Iterator[str]:
    """Yield the chain of unary nodes above each item of the tree without unary nodes."""
    for node in tree.root.preorder():
        if node is tree.root or len(node.children) > 1:
            yield from map(_chain_of, node.children)


def _chain_of(child: Node | int) -> str:
    labels = []
    while isinstance(child, Node) and len(child.children) == 1:
        labels.append(Label(child.category, split=child.split))
        child = child.children[0]
    if not labels:
        return _NO_NODES
    return render_chain(labels[0]._replace(chain=tuple(labels[1:])), is_top=False)


def _seen(items: Iterable[UnaryPlace], chains: Sequence[int]) -> Seen:
    seen: dict[tuple[str, bool], set[int]] = defaultdict(set)
    for item, chain in zip(items, chains, strict=True):
        seen[item.label, item.is_token].add(chain)
    return {key: sorted(seen[key]) for key in sorted(seen)}


def _candidate_lists(seen: Seen) -> CandidateLists:
    """Return the candidates for each label; an unknown label has no unary nodes above it."""
    lists: dict[Any, Sequence[int]] = {**seen, _NOT_SEEN: [0]}
    return CandidateLists(lists)


def _steps(tree: Tree, items: list[UnaryPlace], candidates: CandidateLists) -> Steps:
    """Return the items as chains of one step, because each is classified alone."""
    return Steps(
        list(range(len(items) + 1)),
        keys_of(tree, items),
        np.zeros((len(items), 0), np.uint64),
        [candidates.find([(item.label, item.is_token), _NOT_SEEN]) for item in items],
    )
