"""What a query means, said with quantifiers: all pairs of elements, all assignments of names.

Elements are pairs of a kind ("node", "tag" or "word") and a node or a position. Everything is
computed from the tree itself: no bitsets, no numbering, no candidates.
"""

import operator
import re
from itertools import pairwise, product

from plcfrs.query.language import parse
from plcfrs.query.syntax import (
    AllOf,
    AnyOf,
    Elsewhere,
    Not,
    NumberTest,
    Pattern,
    Reference,
    Relation,
    TextTest,
)
from plcfrs.treebank.compilation import elements_of
from plcfrs.trees import Node, Tree
from plcfrs.trees.heads import head_of, is_punctuation

Element = tuple[str, object]


class NaiveTree:
    """All elements of a tree, with their mothers and their tokens."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.elements: list[Element] = []
        self.mother: dict[Element, Element] = {}
        self._add(tree.root, None)
        self.ancestors = {element: self._above(element) for element in self.elements}
        self.tokens: dict[Element, set[int]] = {element: set() for element in self.elements}
        for kind, position in self.elements:
            if kind == "word":
                for element in [(kind, position), *self.ancestors[kind, position]]:
                    self.tokens[element].add(position)
        self.children: dict[Element, list[Element]] = {element: [] for element in self.elements}
        for child, mother in self.mother.items():
            self.children[mother].append(child)
        for below in self.children.values():
            below.sort(key=lambda child: min(self.tokens[child], default=0))

    def _add(self, child: Node | int, mother: Element | None) -> None:
        element = ("tag", child) if isinstance(child, int) else ("node", child)
        self.elements.append(element)
        if mother is not None:
            self.mother[element] = mother
        if isinstance(child, int):
            self.elements.append(("word", child))
            self.mother["word", child] = element
        else:
            for below in child.children:
                self._add(below, element)

    def _above(self, element: Element) -> list[Element]:
        found = []
        while element in self.mother:
            element = self.mother[element]
            found.append(element)
        return found

    def is_head(self, mother: Element, child: Element) -> bool:
        if mother != self.mother.get(child):
            return False
        if mother[0] == "tag":
            return True
        node = mother[1]
        head = head_of(self.tree, node) if node.head is None else node.head
        return node.children[head] is child[1]

    def gaps(self, element: Element) -> list[set[int]]:
        own = self.tokens[element]
        gaps: list[set[int]] = []
        for position in range(min(own), max(own)):
            if position not in own:
                if not gaps or position - 1 in own:
                    gaps.append(set())
                gaps[-1].add(position)
        return gaps


def null_parts(form: str) -> tuple[str, str | None]:
    """Return the type and the index of a null element."""
    return re.fullmatch(r"(.+?)(?:-(\d+))?", form).groups()


def antecedent(tree: Tree, element: Element) -> Node | None:
    """Return the antecedent of a null element: the first constituent with the same index.

    A null element without an index has that of its mother, and so have the other null elements of
    the chain: these are no antecedents.
    """

    def is_null(child: Node | int) -> bool:
        return isinstance(child, int) and tree.tokens[child].tag == "-NONE-"

    def is_link(node: Node) -> bool:
        return all(
            is_null(child)
            and null_parts(tree.tokens[child].form) not in [("0", None), ("*0*", None)]
            and null_parts(tree.tokens[child].form)[1] is None
            for child in node.children
        )

    kind, position = element
    if kind == "node" or not is_null(position):
        return None
    (mother,) = [node for node in tree.nodes() if position in node.children]
    _, own = null_parts(tree.tokens[position].form)
    index = mother.index if own is None else int(own)
    phrases = [
        node
        for node in tree.nodes()
        if node is not mother and node.index == index is not None
        if own or not is_link(node)
    ]
    return phrases[0] if phrases else None


def element_of(found: Node | int) -> Element:
    """Convert an element of plcfrs to one of this module: there words are negative."""
    if isinstance(found, Node):
        return "node", found
    return ("tag", found) if found >= 0 else ("word", -found - 1)


def related(tree: NaiveTree, sign: str, a: Element, b: Element) -> bool:
    """Whether ``a sign b`` holds."""
    if sign.startswith(">") and sign != "><":
        return related(tree, "<" + sign[1:].replace(">", "<"), b, a)
    if "," in sign and not sign.startswith("<"):
        return related(tree, sign.replace(",", "."), b, a)
    if sign.startswith("$"):
        sisters = a != b and a in tree.mother and tree.mother[a] == tree.mother.get(b)
        return sisters and (sign == "$" or related(tree, sign[1:], a, b))
    first, second = tree.tokens[a], tree.tokens[b]
    children, dominates = tree.children[a], a in tree.ancestors[b]
    path = [b, *tree.ancestors[b]]
    if dominates:
        path = path[: path.index(a) + 1]
    if sign[1:].lstrip("-").isdigit():
        number = int(sign[1:])
        counted = children if number > 0 else children[::-1]
        return counted[abs(number) - 1 : abs(number)] == [b]
    return {
        "<": lambda: b in children,
        "<<": lambda: dominates,
        "<,": lambda: children[:1] == [b],
        "<-": lambda: children[-1:] == [b],
        "<`": lambda: children[-1:] == [b],
        "<'": lambda: children[-1:] == [b],
        "<:": lambda: children == [b],
        "<<,": lambda: dominates and min(first) in second,
        "<<`": lambda: dominates and max(first) in second,
        "<<'": lambda: dominates and max(first) in second,
        "<#": lambda: tree.is_head(a, b),
        "<<#": lambda: dominates and all(tree.is_head(high, low) for low, high in pairwise(path)),
        "<<:": lambda: dominates and all(len(tree.children[one]) == 1 for one in path[1:]),
        ".": lambda: max(first) + 1 == min(second),
        "..": lambda: all(one < other for one in first for other in second),
        "<~": lambda: any(second <= gap for gap in tree.gaps(a)),
        "<~:": lambda: any(second == gap for gap in tree.gaps(a)),
        "<@": lambda: a[0] == "node" and antecedent(tree.tree, b) is a[1],
        "><": lambda: (
            not first & second
            and any(
                x < y < z and (w < x or w > z)
                for mine, yours in ((first, second), (second, first))
                for x, y, z, w in product(mine, yours, mine, yours)
            )
        ),
    }[sign]()


def find(tree: Tree, text: str) -> set[Node | int]:
    """Return the matches of a query."""
    return find_in(NaiveTree(tree), text)


def find_in(naive: NaiveTree, text: str) -> set[Node | int]:
    """Return the matches of a query in a tree whose elements are listed."""
    pattern = parse(text)
    names = sorted(names_in(pattern))
    return {
        element[1]
        for element in naive.elements
        for values in product(naive.elements, repeat=len(names))
        if matches(naive, pattern, element, dict(zip(names, values, strict=True)))
    }


def places(naive: NaiveTree, text: str) -> list[int]:
    """Return the places of the matches among all nodes and tokens: nodes first."""
    found, elements = find_in(naive, text), elements_of(naive.tree)
    nodes = [node for node in naive.tree.nodes() if node in found]
    tokens = sorted(one for one in found if isinstance(one, int))
    return [elements.index(one) for one in (*nodes, *tokens)]


def names_in(pattern: Pattern) -> set[str]:
    """Return the names given in a pattern, outside of negations."""
    found = {pattern.name} - {""}
    for condition in pattern.conditions:
        found |= names_in_condition(condition)
    return found


def names_in_condition(condition) -> set[str]:
    match condition:
        case Relation(pattern=pattern):
            return names_in(pattern)
        case AllOf(conditions=parts) | AnyOf(conditions=parts) | Elsewhere(conditions=parts):
            return set().union(*map(names_in_condition, parts))
        case _:
            return set()


def matches(tree: NaiveTree, pattern: Pattern, element: Element, names: dict) -> bool:
    if isinstance(pattern.label, Reference):
        fits = names[pattern.label.name] == element
    else:
        fits = has_label(tree.tree, pattern.label, element)
    return (
        fits
        and (not pattern.name or names[pattern.name] == element)
        and all(holds(tree, condition, element, names) for condition in pattern.conditions)
    )


def is_found(expression, text: str) -> bool:
    flags = re.IGNORECASE if expression.ignores_case else 0
    return re.search(expression.pattern, text, flags) is not None


def has_label(tree: Tree, label, element: Element) -> bool:
    kind, thing = element
    if kind == "node":
        text = "-".join([thing.category, *thing.functions])
        names = {thing.category, *(f"{thing.category}-{function}" for function in thing.functions)}
    else:
        text = tree.tokens[thing].tag if kind == "tag" else tree.tokens[thing].form
        names = {text}
    return (
        "*" in label.texts
        or any(name in names for name in label.texts)
        or any(is_found(expression, text) for expression in label.expressions)
    )


def holds(tree: NaiveTree, condition, element: Element, names: dict) -> bool:
    match condition:
        case Relation(operator=sign, pattern=pattern):
            return any(
                matches(tree, pattern, other, names) and related(tree, sign, element, other)
                for other in tree.elements
            )
        case Not(condition=denied):
            within = sorted(names_in_condition(denied))
            return not any(
                holds(tree, denied, element, names | dict(zip(within, values, strict=True)))
                for values in product(tree.elements, repeat=len(within))
            )
        case AllOf(conditions=parts):
            return all(holds(tree, part, element, names) for part in parts)
        case AnyOf(conditions=parts):
            return any(holds(tree, part, element, names) for part in parts)
        case Elsewhere(reference=reference, conditions=parts):
            return all(holds(tree, part, names[reference.name], names) for part in parts)
        case NumberTest(attribute=attribute, comparison=comparison, number=number):
            compare = {"=": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
            return getattr(operator, compare[comparison])(
                number_of(tree, attribute, element), number
            )
        case TextTest(attribute=attribute, values=values):
            return any(
                value in values.texts or any(is_found(e, value) for e in values.expressions)
                for value in texts_of(tree.tree, attribute, element)
            )


def number_of(tree: NaiveTree, attribute: str, element: Element) -> int:
    if attribute == "fanout":
        return len(tree.gaps(element)) + 1
    if attribute == "gaps with words":
        gaps = [[tree.tree.tokens[one] for one in gap] for gap in tree.gaps(element)]
        return sum(not all(one.is_null or is_punctuation(one) for one in gap) for gap in gaps)
    return sum(not tree.tree.tokens[position].is_null for position in tree.tokens[element])


def texts_of(tree: Tree, attribute: str, element: Element) -> list[str]:
    kind, thing = element
    if kind == "node":
        return {
            "category": [thing.category],
            "function": list(thing.functions),
            "split": [thing.split],
            "moved": [thing.moved or ""],
        }.get(attribute, [])
    token = tree.tokens[thing]
    values = {"word": token.form, "tag": token.tag, "lemma": token.lemma, "morph": token.morph}
    values["function"] = token.function
    if token.tag == "-NONE-":
        values["null"] = null_parts(token.form)[0]
    if phrase := antecedent(tree, element):
        values["antecedent"] = phrase.category
    return [values[attribute]] if attribute in values else []
