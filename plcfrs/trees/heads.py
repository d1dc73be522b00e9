"""Heads: rules from files find the head among the children of a constituent.

The default is the rules of Collins (1999, appendix A) for the Penn Treebank, extended for its newer
guidelines; there are also rules for NeGra, TIGER and other German treebanks with edge labels. The
rules need the tags of punctuation, and marking heads changes a tree, so that `is_punctuation` and
`on_copy` are here, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property, wraps
from importlib.resources import files
from pathlib import Path
from string import ascii_uppercase
from typing import Concatenate, NamedTuple, ParamSpec, Protocol, cast

from plcfrs.errors import InputError, TreebankError
from plcfrs.storage.files import read_utf8
from plcfrs.trees.tree import Node, Token, Tree

_Arguments = ParamSpec("_Arguments")


class OnCopy(Protocol[_Arguments]):
    """A function that changes a copy of a tree; plcfrs itself also changes trees `in_place`."""

    in_place: Callable[Concatenate[Tree, _Arguments], Tree]

    def __call__(self, tree: Tree, *others: _Arguments.args, **named: _Arguments.kwargs) -> Tree:
        """Return a changed copy of a tree."""


def on_copy(change: Callable[Concatenate[Tree, _Arguments], Tree]) -> OnCopy[_Arguments]:
    """Return the copying version of a function that changes a tree and returns it.

    >>> from plcfrs.trees import Node
    >>> @on_copy
    ... def without_children(tree):
    ...     tree.root.children = []
    ...     return tree
    >>> tree = Tree(Node("ROOT", children=[0]), [])
    >>> without_children(tree).root.children, tree.root.children
    ([], [0])
    """

    @wraps(change)
    def changed(tree: Tree, *others: _Arguments.args, **named: _Arguments.kwargs) -> Tree:
        return change(tree.copy(), *others, **named)

    public = cast(OnCopy[_Arguments], changed)
    public.in_place = change
    return public


PUNCTUATION_TAGS = frozenset(
    [
        # Penn Treebank
        ",",
        ":",
        ".",
        "``",
        "''",
        "-LRB-",
        "-RRB-",
        # STTS
        "$,",
        "$.",
        "$(",
        "$[",
        # Universal Dependencies, Alpino
        "PUNCT",
        "punct",
        "LET",
        "let",
    ]
)


def is_punctuation(token: Token) -> bool:
    """Return whether a token is a punctuation mark, by its tag."""
    return token.tag in PUNCTUATION_TAGS


# Never heads: signs in the newer guidelines of the Penn Treebank, and what a speaker breaks off.
_ASIDE = frozenset(["HYPH", "NFP", "-LSB-", "-RSB-", "CODE", "SU", "EDITED"])
_NO_WORDS = PUNCTUATION_TAGS | _ASIDE

PACKAGED = ("collins", "negra")
HEAD_RULES_HELP = "collins (Collins 1999), for the Penn Treebank; negra, for German; or a file."
_ANY_MOTHER = "*"
_MOST_EXPANSIONS = 100_000
_WAYS = ("priority", "any", "outermost", "after", "function", "word")


class HeadRule(NamedTuple):
    """One line of a file of head rules; `plcfrs/data/collins.heads` explains the format."""

    from_left: bool
    how: str
    names: tuple[str, ...]


class HeadRules(dict[str, list[HeadRule]]):
    """The rules of each mother, and a cache of heads, since treebanks repeat many expansions."""

    @cached_property
    def cache(self) -> dict[tuple[object, ...], int]:
        """The heads of expansions: mother, children and their functions."""
        return {}


def read_head_rules(source: str | Path) -> HeadRules:
    """Read the rules ``"collins"`` or ``"negra"``, or the rules of a file."""
    if source in PACKAGED:
        return _packaged(str(source))
    return _parse_rules(read_utf8(source, "head rules"), str(source))


def collins() -> HeadRules:
    """Return the head rules of Collins (1999) for the Penn Treebank and its newer guidelines."""
    return _packaged("collins")


def negra() -> HeadRules:
    """Return the head rules for NeGra, TIGER and the Potsdam Commentary Corpus."""
    return _packaged("negra")


@cache
def _packaged(name: str) -> HeadRules:
    path = files("plcfrs") / "data" / f"{name}.heads"
    return _parse_rules(path.read_text(encoding="utf-8"), str(path))


def find_head(
    mother: str, children: list[str], rules: HeadRules, functions: Sequence[Sequence[str]] = ()
) -> int:
    """Return the index of the head among children (their categories or tags, by leftmost token).

    >>> find_head("VP", ["WHNP", "VB"], collins())
    1
    >>> find_head("NP", ["NP", "CC", "NP"], collins())
    0
    >>> find_head("S", ["ART", "NN"], negra(), [["HD"], ["NK"]])
    0
    """
    functions = functions or [()] * len(children)
    lines = rules.get(mother) or rules[_ANY_MOTHER]
    for prefix in ("", "WH"):
        for line in lines:
            place = _search_head(line, prefix, children, functions)
            if place is not None:
                return _first_conjunct(children, place)
    places = _places(lines[-1], children)
    likely = (place for place in places if children[place] not in _ASIDE)
    return _first_conjunct(children, next(likely, places[0]))


@on_copy
def mark_heads(tree: Tree, rules: HeadRules | None = None) -> Tree:
    """Set the head of every node, by default with the rules of Collins (1999)."""
    for node in tree.nodes():
        node.head = head_of(tree, node, rules) if node.children else None
    return tree


def unmarked_head(node: Node, tree: Tree) -> TreebankError:
    """Return the error of a node whose head is needed, but not marked."""
    return TreebankError(
        f"the head of a node {node.category} is not marked: use plcfrs.trees.mark_heads(tree) for "
        "each tree, or give train the name of the treebank",
        sentence=tree.id,
    )


def head_of(tree: Tree, node: Node, rules: HeadRules | None = None) -> int:
    """Return the index of the head of a node by the rules alone; ``VP*1`` counts as VP."""
    tokens = tree.tokens
    names = [tokens[c].tag if isinstance(c, int) else c.category for c in node.children]
    functions = [tokens[c].function if isinstance(c, int) else c.functions for c in node.children]
    return head_among(node.category, names, functions, rules or collins())


def head_among(
    category: str,
    names: Sequence[str],
    functions: Sequence[str | tuple[str, ...]],
    rules: HeadRules,
) -> int:
    """Return the index of the head among children with these names and functions."""
    if len(names) == 1:
        return 0
    expansion = (category, *names, *functions)
    heads = rules.cache if isinstance(rules, HeadRules) else {}
    if expansion not in heads:
        if len(heads) >= _MOST_EXPANSIONS:
            heads.clear()
        mother = _whole_category(category)
        children = [  # a token has one function, as a text
            name if isinstance(labels, str) else _whole_category(name)
            for name, labels in zip(names, functions, strict=True)
        ]
        labels = [(each,) if isinstance(each, str) else each for each in functions]
        heads[expansion] = find_head(mother, children, rules, labels)
    return heads[expansion]


def lexical_heads(tree: Tree) -> dict[Node, int]:
    """Return the position of the lexical head of each node, following the marked heads."""
    heads: dict[Node, int] = {}
    for node in tree.bottom_up():
        if node.head is not None:
            child = node.children[node.head]
            heads[node] = child if isinstance(child, int) else heads[child]
    return heads


def _whole_category(category: str) -> str:
    return category.partition("*")[0] or category


def _places(rule: HeadRule, children: list[str]) -> range:
    places = range(len(children))
    return places if rule.from_left else places[::-1]


def _search_head(
    rule: HeadRule, prefix: str, children: list[str], functions: Sequence[Sequence[str]]
) -> int | None:
    places = _places(rule, children)
    names = tuple(prefix + name for name in rule.names) if prefix else rule.names
    match rule.how:
        case "priority":
            candidates = (place for name in names for place in places if children[place] == name)
        case "function":
            candidates = (
                place for place in places if any(name in names for name in functions[place])
            )
        case "word":
            candidates = (place for place in places if children[place] not in _NO_WORDS)
        case "after":
            candidates = (
                place
                for place in places
                if place and children[place - 1] in names and children[place] != "CC"
            )
        case _:
            among = places[:1] if rule.how == "outermost" else places
            candidates = (place for place in among if children[place] in names)
    return next(candidates, None)


def _first_conjunct(children: list[str], head: int) -> int:
    if head < 2 or children[head - 1] != "CC":
        return head
    places = range(head - 2, -1, -1)
    return next((place for place in places if children[place] not in _NO_WORDS), head)


def _parse_rules(text: str, path: str) -> HeadRules:
    rules = HeadRules()
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        mothers, side, how, *names = [*line.split(), "", ""]
        if side not in ("left", "right") or how not in _WAYS:
            raise InputError(
                f"{path}:{number}: expected MOTHER left|right {'|'.join(_WAYS)} NAMES..."
            )
        rule = HeadRule(side == "left", how, tuple(_expand_names(names)))
        for mother in mothers.split(","):
            rules.setdefault(mother, []).append(rule)
    if _ANY_MOTHER not in rules:
        raise InputError(f"{path}: a line for the mother {_ANY_MOTHER} (all others) is missing")
    return rules


def _expand_names(names: list[str]) -> Iterator[str]:
    """Yield the names; V?FIN stands for VAFIN, VBFIN and so on."""
    for name in filter(None, names):
        letters = ascii_uppercase if "?" in name else "?"
        yield from (name.replace("?", letter) for letter in letters)
