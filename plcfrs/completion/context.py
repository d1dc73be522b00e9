"""What features ask about a tree: categories, heads, neighbours and voice."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from plcfrs.learning.templates import collapsed, listed, outline_of
from plcfrs.trees import Node, Tree
from plcfrs.trees.heads import HeadRules, lexical_heads, mark_heads
from plcfrs.trees.tree import leftmost

Part = Node | int

_BE = frozenset(
    listed("be, is, was, were, are, been, being, am, 's, 're, 'm, get, got, gets, getting, gotten")
)
_HAVE = frozenset(["have", "has", "had", "having", "'ve", "'d"])


class Context:
    """A tree, and what its features are made of.

    Parameters
    ----------
    tree : Tree
        Its heads are marked.
    rules : HeadRules
    hosts : mapping of Node to str
        Descriptions of phrases that moved out of nodes.
    """

    def __init__(self, tree: Tree, rules: HeadRules, hosts: Mapping[Node, str]) -> None:
        mark_heads.in_place(tree, rules)
        self.tree = tree
        self.hosts = hosts
        self.nodes = tree.nodes()
        self.spans = tree.yields()
        self.heads = lexical_heads(tree)
        self.mothers = tree.mothers()
        self.forms = ["", *(token.form.lower() for token in tree.tokens), ""]
        self.tags = ["", *(token.tag for token in tree.tokens), ""]

    def category(self, part: Part | None) -> str:
        """Return the category of a node or the tag of a token; empty for nothing."""
        if part is None:
            return ""
        return part.category if isinstance(part, Node) else self.tree.tokens[part].tag

    def functions(self, part: Part | None) -> str:
        """Return the functions of a node or token as one text."""
        if isinstance(part, Node):
            return "-".join(part.functions)
        return "" if part is None else self.tree.tokens[part].function

    def form(self, position: int | None) -> str:
        """Return the lower-case form of a token; empty outside the sentence."""
        return "" if position is None else self.forms[position + 1]

    def tag(self, position: int | None) -> str:
        """Return the tag of a token; empty outside the sentence."""
        return "" if position is None else self.tags[position + 1]

    def shape(self, position: int | None) -> str:
        """Return a token with X for capital letters, x for others and 9 for digits: Xx-9x."""
        return "" if position is None else _shape(self.tree.tokens[position].form)

    def head(self, part: Part | None) -> int | None:
        """Return the position of the lexical head."""
        return self.heads[part] if isinstance(part, Node) else part

    def span(self, part: Part) -> int:
        """Return the span of a node or token."""
        return self.spans[part] if isinstance(part, Node) else 1 << part

    def ends(self, part: Part) -> tuple[int, int]:
        """Return the positions of the first and the last token."""
        span = self.span(part)
        return leftmost(span), span.bit_length() - 1

    def edges(self, part: Part) -> dict[str, str]:
        """Return the first and the last token, and those before and after, as atoms."""
        first, last = self.ends(part)
        return {
            "first": self.form(first),
            "first_tag": self.tag(first),
            "last": self.form(last),
            "last_tag": self.tag(last),
            "before": self.form(first - 1),
            "before_tag": self.tag(first - 1),
            "after": self.form(last + 1),
            "after_tag": self.tag(last + 1),
        }

    def content(self, part: Part) -> int | None:
        """Return the head of the last other child, such as the noun below a preposition."""
        if isinstance(part, Node):
            for place in range(len(part.children) - 1, -1, -1):
                child = part.children[place]
                if isinstance(child, Node) and place != part.head:
                    return self.heads[child]
        return None

    def voice(self, part: Part | None) -> str:
        """Return whether a phrase has a participle, and the auxiliary above it."""
        if not isinstance(part, Node) or part.category != "VP":
            return ""
        head = self.heads[part]
        if self.tag(head) != "VBN":
            return "active"
        above = self.mothers.get(part)
        while above is not None and above.category == "VP":
            if self.heads[above] != head:
                auxiliary = self.form(self.heads[above])
                return "passive" if auxiliary in _BE else "perfect" * (auxiliary in _HAVE)
            above = self.mothers.get(above)
        return "reduced"

    def wh_below(self, node: Node) -> str:
        """Return the category of a wh-phrase among the children or below the first ones."""
        for below in node.preorder():
            for child in below.nodes:
                if child.category.startswith("WH"):
                    return f"{child.category} {'in' if below is not node else ''}"
            if below.category not in ("S", "SQ", "SINV", "VP", "SBAR"):
                break
        return ""

    def clause(self, node: Node) -> tuple[str, str, Node | None]:
        """Return the path up to the next SBAR, the categories in and above it, and the SBAR."""
        path = [node.category]
        above = self.mothers.get(node)
        while above is not None and above.category != "SBAR" and len(path) < _FARTHEST:
            path.append(above.category)
            above = self.mothers.get(above)
        if above is None or above.category != "SBAR":
            return " ".join(path), "", None
        inside = " ".join(map(self.category, above.children))
        return " ".join(path), f"{self.category(self.mothers.get(above))} {inside}", above

    def spine(self, node: Node) -> list[Node]:
        """Return the clauses and verb phrases that are the heads below an SBAR, the lowest last."""
        spine: list[Node] = []
        below = next((child for child in node.nodes if child.category in _CLAUSES), None)
        while below is not None and len(spine) < _FARTHEST:
            spine.append(below)
            below = next((child for child in below.nodes if child.category == "VP"), None)
        return spine


_FARTHEST = 7
_CLAUSES = ("S", "SQ", "SINV", "VP")


@lru_cache(maxsize=50_000)
def _shape(form: str) -> str:
    return collapsed(outline_of(form))
