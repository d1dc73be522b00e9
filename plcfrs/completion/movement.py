"""Which phrases have moved, and where they come from: from crossing branches back to a plain tree.

Two decisions are learned: which constituents had an SBAR above them that the transformation has
removed, and which phrases are fillers, with the type of their trace and the ancestor of their host
below which they stood. The *host* is the mother of a filler in the tree with crossing branches.
"""

from __future__ import annotations

from functools import partial

from plcfrs.completion.classifier import Atoms, Decision, Features
from plcfrs.completion.context import Context, Part
from plcfrs.learning.templates import listed
from plcfrs.trees import Node, Tree
from plcfrs.trees.fillers import SURROUNDING, Filler
from plcfrs.trees.tree import fan_out, leftmost

WRAPPERS = Features(
    atoms=listed(
        """
        cat, mother, grandmother, left, right, left2, children, first, first_tag, head, head_tag,
        mother_head, mother_head_tag, split, wh, place, voice, gap
        """
    ),
    templates=listed(
        """
        cat mother, cat mother left, cat mother left right, cat mother grandmother, cat left right,
        cat children, cat children mother, cat first, cat first_tag, cat first mother, cat head, cat
        head_tag, cat head_tag mother, cat head_tag mother left, cat mother_head, cat mother_head
        mother, cat mother_head head_tag, cat mother_head_tag mother, cat left2 left, cat wh, cat wh
        mother, cat wh children, cat place mother, cat mother_head first_tag, cat mother_head left,
        cat voice, cat gap mother, cat gap wh, mother mother_head place cat
        """
    ),
)

FILLERS = Features(
    atoms=listed(
        """
        cat, host, host_mother, above, side, gap, first, first_tag, head, head_tag, host_head,
        host_head_tag, hosts, lowest, lowest_children, next, origins, neighbour, left, right,
        before, before_tag, after, after_tag, children, subject, last_tag
        """
    ),
    templates=listed(
        """
        cat host, cat host side, cat host side gap, cat host host_mother, cat host gap above, cat
        hosts, cat hosts side, cat hosts lowest, cat hosts lowest next, cat lowest, cat lowest next,
        cat lowest_children, cat lowest next neighbour, cat origins, cat origins side, cat
        neighbour, cat side gap lowest, cat first, cat first_tag, cat head, cat head_tag, cat first
        host, cat first lowest, cat first gap, cat head lowest, cat host_head, cat host_head lowest,
        cat host_head side, cat host_head_tag, cat host_head_tag lowest next, cat left right, cat
        host left right, cat before, cat after, cat before_tag, cat after_tag, cat before_tag
        after_tag, cat before_tag lowest, cat children, cat children lowest, cat subject, cat
        subject side, cat last_tag lowest, first head_tag, cat gap left right, cat host_mother above
        side
        """
    ),
)

_MOST_STEPS = 9


def wrapper_decisions(context: Context) -> list[tuple[Node, Decision]]:
    """Return all nodes but the root, and the decisions about SBARs above them."""
    return [
        (
            node,
            Decision(
                (node.category, mother.category), partial(_wrapper_atoms, context, mother, node)
            ),
        )
        for mother in context.nodes
        for node in mother.nodes
    ]


def _wrapper_atoms(context: Context, mother: Node, node: Node) -> Atoms:
    category, form, tag = context.category, context.form, context.tag
    place = mother.children.index(node)
    left2, left, _, right = [None, None, *mother.children, None][place : place + 4]
    first, last = context.ends(node)
    head, mother_head = context.heads[node], context.heads[mother]
    return context.edges(node) | {
        "cat": node.category,
        "mother": mother.category,
        "grandmother": category(context.mothers.get(mother)),
        "left": category(left),
        "left2": category(left2),
        "right": category(right),
        "children": " ".join(map(category, node.children)),
        "head": form(head),
        "head_tag": tag(head),
        "mother_head": form(mother_head),
        "mother_head_tag": tag(mother_head),
        "split": node.split,
        "wh": context.wh_below(node),
        "place": str((place > (mother.head or 0)) - (place < (mother.head or 0))),
        "voice": context.voice(node),
        "gap": str(context.spans[node].bit_count() <= last - first),
    }


def wrap(tree: Tree, wrapped: list[tuple[Node, str]]) -> bool:
    """Put new nodes above nodes, given their categories; return whether there are any."""
    mothers = tree.parents()
    above = [(node, categories.split()) for node, categories in wrapped if categories]
    for node, categories in above:
        new = node
        for category in reversed(categories):
            new = Node(category, children=[new])
        mothers[node].replace(node, new)
    return bool(above)


def filler_decisions(context: Context) -> list[tuple[Node, Decision]]:
    """Return all nodes but those below the root, and the decisions whether they are fillers."""
    decided = []
    for host in context.nodes[1:]:
        for node in host.nodes:
            span = context.spans[node]
            key = node.category, host.category, _gap(span, context.spans[host] & ~span)
            decided.append((node, Decision(key, partial(_filler_atoms, context, host, node))))
    return decided


def _filler_atoms(context: Context, host: Node, node: Node) -> Atoms:
    category, form, tag = context.category, context.form, context.tag
    span = context.spans[node]
    rest = context.spans[host] & ~span
    origins = origins_of(context, node, host)
    lowest, following, neighbour = map(origins.get, ("up 0", "up 1", "left 0"))
    path = []
    above = host
    while above is not lowest and above in context.mothers:
        path.append(above.category)
        above = context.mothers[above]
    place = host.children.index(node)
    left, _, right = [None, *host.children, None][place : place + 3]
    head, host_head = context.heads[node], context.heads[host]
    return context.edges(node) | {
        "cat": node.category,
        "host": host.category,
        "host_mother": category(context.mothers.get(host)),
        "above": category(context.mothers.get(context.mothers.get(host, host))),
        "side": _side(span, rest),
        "gap": _gap(span, rest),
        "head": form(head),
        "head_tag": tag(head),
        "host_head": form(host_head),
        "host_head_tag": tag(host_head),
        "hosts": " ".join(path),
        "lowest": category(lowest),
        "lowest_children": " ".join(map(category, lowest.children)) if lowest else "",
        "next": category(following),
        "neighbour": category(neighbour),
        "origins": " ".join(map(category, origins.values())),
        "left": category(left),
        "right": category(right),
        "children": " ".join(map(category, node.children)),
        "subject": str(any(child.category == "NP" for child in host.nodes if child is not node)),
    }


def _side(span: int, rest: int) -> str:
    if not rest:
        return "alone"
    if span.bit_length() <= leftmost(rest):
        return "left"
    return "right" if rest.bit_length() <= leftmost(span) else "around"


def _gap(span: int, rest: int) -> str:
    """Return whether there are other words between a phrase and the rest of its mother."""
    is_apart = rest and not (span << 1 | span >> 1) & rest
    return str(True) if is_apart else ""


def origins_of(context: Context, filler: Part, host: Node) -> dict[str, Node]:
    """Return the nodes below which a filler makes no gap, by their places.

    These are ancestors of the host, ``up 0`` being the lowest, and nodes that end before the
    filler, ``left 0`` being the highest: extraposed clauses often stand in the VP.
    """
    words = context.span(filler)
    origins: dict[str, Node] = {}
    below = host
    while below in context.mothers and len(origins) < _MOST_STEPS:
        above = context.mothers[below]
        if above is context.tree.root and origins:
            break
        rest = context.spans[below] & ~words
        hull = (1 << rest.bit_length()) - (1 << leftmost(rest)) if rest else 0
        span = context.spans[above]
        if not hull & words and fan_out(span) <= fan_out(span & ~words):
            origins[f"up {len(origins)}"] = above
        below = above
    node = origins.get("up 0")
    for step in range(_MOST_STEPS):
        if node is not None:
            node = _last_before(context, node, words)
        if node is not None and node is not host:
            origins[f"left {step}"] = node
    return origins


def _last_before(context: Context, node: Node, words: int) -> Node | None:
    """Return the child whose other words end where some words begin."""
    for child in node.nodes:
        rest = context.spans[child] & ~words
        if rest.bit_length() == leftmost(words) and rest:
            return child
    return None


def label_of(context: Context, filler: Filler) -> str:
    """Return the label of a filler for the classifier; empty if it cannot be expressed."""
    if filler.type == SURROUNDING:
        return SURROUNDING
    for place, origin in origins_of(context, filler.node, filler.host).items():
        if origin is filler.origin:
            return f"{filler.type} {place}"
    return ""


def filler_of(context: Context, node: Node, label: str) -> Filler | None:
    """Return the filler that a label says a node is: the inverse of `label_of`."""
    host = context.mothers[node]
    if label == SURROUNDING:
        parenthesis = _parenthesis(context, host)
        return Filler(node, SURROUNDING, host, parenthesis) if parenthesis else None
    type_, _, place = label.partition(" ")
    origins = origins_of(context, node, host)
    origin = origins.get(place) or origins.get("up 0")
    return Filler(node, type_, host, origin) if label and origin else None


def _parenthesis(context: Context, host: Node) -> Node | None:
    """Return the PRN above the host of a phrase that surrounds it, or the highest candidate."""
    node: Node | None = host
    while node is not None and node.category != "PRN":
        node = context.mothers.get(node)
    return node if node in context.mothers else None
