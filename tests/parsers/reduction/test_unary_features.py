"""The features of the unary classifier, against their definitions in plain Python."""

from hypothesis import given
from prepared import headed_trees
from quick import examples

from plcfrs.learning.templates import folded, number
from plcfrs.parsers.reduction.unaries import _ATOMS, atoms_of, items_of
from plcfrs.transformation import without_unaries
from plcfrs.trees import Node, Tree
from plcfrs.trees.labels import render_category


class Naive:
    """The atoms of any constituent or token, by name."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.parents: dict[Node | int, Node] = {
            child: node for node in tree.nodes() for child in node.children
        }

    def label(self, child: Node | int) -> int:
        if isinstance(child, int):
            return number(self.tree.tokens[child].tag)
        return number(f"+{render_category(child)}")

    def tokens(self, child: Node | int) -> list[int]:
        if isinstance(child, int):
            return [child]
        return sorted(token for below in child.children for token in self.tokens(below))

    def head(self, child: Node | int) -> int:
        return child if isinstance(child, int) else self.head(child.children[child.head])

    def word(self, place: int) -> int:
        is_inside = 0 <= place < len(self.tree.tokens)
        return number(self.tree.tokens[place].form) if is_inside else 1

    def tag(self, place: int) -> int:
        is_inside = 0 <= place < len(self.tree.tokens)
        return number(self.tree.tokens[place].tag) if is_inside else 1

    def sister(self, child: Node | int, distance: int) -> int:
        """Return the label of a sister at some distance to the right, or 0."""
        if child not in self.parents:
            return 0
        sisters = self.parents[child].children
        place = sisters.index(child) + distance
        return self.label(sisters[place]) if 0 <= place < len(sisters) else 0

    def word_of_sister(self, child: Node | int, distance: int) -> int:
        sisters = self.parents[child].children
        place = sisters.index(child) + distance
        is_token = 0 <= place < len(sisters) and isinstance(sisters[place], int)
        return self.word(sisters[place]) if is_token else 0

    def atoms(self, child: Node | int) -> dict[str, int]:
        mother = self.parents[child]
        upper = self.parents.get(mother, mother)
        is_token = isinstance(child, int)
        tokens, children = (
            self.tokens(child),
            [] if is_token else list(map(self.label, child.children)),
        )
        sisters = list(map(self.label, mother.children))
        place = mother.children.index(child)
        mother_place = upper.children.index(mother) if upper is not mother else 0
        form = self.tree.tokens[child].form if is_token else ""
        return {
            "label": self.label(child),
            "is_token": is_token,
            "mother": self.label(mother),
            "grandmother": self.label(upper),
            **{f"sister{each:+d}": self.sister(child, each) for each in (-2, -1, 1, 2)},
            **{f"aunt{each:+d}": self.sister(mother, each) for each in (-1, 1)},
            "place": min(place, 10),
            "sisters": len(sisters),
            "is_head": mother.head == place,
            "mother_place": min(mother_place, 10),
            "mother_is_head": upper.head == mother_place,
            "rule": 0 if is_token else folded([self.label(child), *children]),
            "rule_above": folded([self.label(mother), *sisters]),
            "inventory": 0 if is_token else folded(sorted(set(children))),
            "inventory_above": folded(sorted(set(sisters))),
            "child1": children[0] if children else 0,
            "child2": children[1] if children else 0,
            "last_child": children[-1] if children else 0,
            "first": self.word(tokens[0]),
            "last": self.word(tokens[-1]),
            "before": self.word(tokens[0] - 1),
            "after": self.word(tokens[-1] + 1),
            "first_tag": self.tag(tokens[0]),
            "second_tag": self.tag(tokens[0] + 1),
            "last_tag": self.tag(tokens[-1]),
            "before_tag": self.tag(tokens[0] - 1),
            "before2_tag": self.tag(tokens[0] - 2),
            "after_tag": self.tag(tokens[-1] + 1),
            "after2_tag": self.tag(tokens[-1] + 2),
            "head": self.word(self.head(child)),
            "head_tag": self.tag(self.head(child)),
            "mother_head": self.word(self.head(mother)),
            "mother_head_tag": self.tag(self.head(mother)),
            "token-1": self.word_of_sister(child, -1),
            "token+1": self.word_of_sister(child, 1),
            "size": min(len(tokens), 8),
            "has_gap": len(tokens) <= tokens[-1] - tokens[0],
            "lower": number(form.lower()) if is_token else 0,
            "suffix": number(form[-3:]) if is_token else 0,
        }


@examples(60)
@given(headed_trees())
def test_atoms(tree):
    bare = without_unaries(tree)
    items, naive = items_of(bare), Naive(bare)
    for item, row in zip(items, atoms_of(bare, items).tolist(), strict=True):
        expected = naive.atoms(item.mother.children[item.place])
        assert dict(zip(_ATOMS, row, strict=True)) == expected
