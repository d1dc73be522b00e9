"""The way back from crossing branches to null elements, traces and indices.

`record` keeps what a transformation has taken out of a tree: small trees of null elements,
constituents without other words, SBARs above a single constituent, and the places of phrases that
have moved. `restore_traces` puts all of it back.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate

from plcfrs.errors import InputError
from plcfrs.trees.annotation import HOLE, Annotation, Removed
from plcfrs.trees.fillers import Filler, undo_by_rule
from plcfrs.trees.heads import on_copy
from plcfrs.trees.notation import parse_brackets, render_brackets
from plcfrs.trees.tree import NULL_TAG, Node, Token, Tree, leftmost, null_parts

Part = Node | int
_Key = tuple[int, int, int]


def parse_small_tree(text: str) -> Tree:
    """Return a small tree of an annotation, such as ``(SBAR (-NONE- 0) (_ _))``.

    >>> render_small_tree(parse_small_tree("(SBAR (-NONE- 0) (_ _))"))
    '(SBAR (-NONE- 0) (_ _))'
    """
    whole = parse_brackets(f"(_ {text})", _refuse)
    above = whole.root.nodes[0] if whole.root.nodes else Node("", children=[0])
    if len(above.children) != 1:
        raise InputError(f"{text}: expected one tree")
    return Tree(Node("", children=above.children), whole.tokens)


def _refuse(message: str, _: int) -> InputError:
    return InputError(message)


def render_small_tree(tree: Tree) -> str:
    """Return a small tree of an annotation as brackets."""
    return render_brackets(tree).removeprefix("(").removesuffix(")").strip()


def check_annotation(tree: Tree, annotation: Annotation) -> None:
    """Raise an InputError if an annotation that was read does not fit its tree."""
    moved: set[Part] = {tree.root}
    for removed in annotation.removed:
        holes = sum(token.tag == HOLE for token in removed.tree.tokens)
        fits = holes == len(removed.parts) and 0 <= removed.position <= len(tree.tokens)
        others = all(token.is_null or token.tag == HOLE for token in removed.tree.tokens)
        if not fits or not others or not moved.isdisjoint(removed.parts):
            raise InputError("the annotation does not fit the tree")
        moved.update(removed.parts)


def record(original: Tree, transformed: Tree, source: Mapping[Node, Node]) -> Annotation:
    """Return what a transformation has taken out of a tree.

    Parameters
    ----------
    original : Tree
    transformed : Tree
        With the same words, and without null elements.
    source : mapping of Node to Node
        The nodes of the original from which the nodes of the transformed tree come.
    """
    words = [place for place, token in enumerate(original.tokens) if not token.is_null]
    kept: dict[Part, Part] = {place: number for number, place in enumerate(words)}
    kept |= {source[node]: node for node in transformed.nodes()}
    mothers = transformed.mothers()
    before = [0, *accumulate(int(not token.is_null) for token in original.tokens)]
    spans = original.yields()
    annotation = Annotation()
    places: list[int] = []
    for node in original.nodes():
        mother = kept.get(node)
        if not isinstance(mother, Node):
            continue
        if (node.index, node.gap_index) != (None, None):
            annotation.indices[mother] = node.index, node.gap_index
        for child in node.children:
            if child not in kept or mothers[kept[child]] is not mother:
                first = child if isinstance(child, int) else leftmost(spans[child])
                tree, parts = _taken_out(original, child, kept)
                annotation.removed.append(Removed(mother, before[first], tree, parts))
                places.append(first)
    order = sorted(range(len(places)), key=places.__getitem__)
    annotation.removed = [annotation.removed[number] for number in order]
    return annotation


def _taken_out(original: Tree, top: Part, kept: Mapping[Part, Part]) -> tuple[Tree, list[Part]]:
    """Return a part of the original as a small tree, and the kept parts that fill its holes."""
    tokens: list[Token] = []
    parts: list[Part] = []

    def small(part: Part) -> Part:
        if part in kept:
            parts.append(kept[part])
            tokens.append(Token(HOLE, HOLE))
        elif isinstance(part, Node):
            return Node(*part.label, children=[small(child) for child in part.children])
        else:
            tokens.append(original.tokens[part])
        return len(tokens) - 1

    root = Node("", children=[small(top)])
    return Tree(root, tokens), parts


@on_copy
def restore_traces(tree: Tree) -> Tree:
    """Put the null elements, traces and indices back that the annotation of a tree describes.

    What a transformation has recorded comes back exactly. In a tree without annotation, crossing
    branches become traces by rule: see `plcfrs.trees.fillers`.

    Examples
    --------
    >>> from plcfrs.transformation import transform_reversibly
    >>> from plcfrs.treebank import read_trees
    >>> tree = next(iter(read_trees("plcfrs:demo")))
    >>> restore_traces(transform_reversibly(tree)) == tree
    True
    >>> print(restore_traces(Tree.from_string("(SQ (VP (WHNP (WP 0=What)) (VB 2=do)) (MD 1=can))")))
    (ROOT (SQ (WHNP-1 (WP 0=What)) (MD 1=can) (VP (VB 2=do) (NP (-NONE- 3=*T*-1)))))
    """
    annotation = tree.annotation or _traces_by_rule(tree)
    tree.annotation = None
    for node, (index, gap_index) in annotation.indices.items():
        node.index, node.gap_index = index, gap_index
    keys = [(place, 1, 0) for place in range(len(tree.tokens))]
    small = _put_back(tree, annotation, keys)
    _sort(tree, keys, small)
    for node in tree.nodes():
        node.split, node.moved, node.head = "", None, None
    return tree


def with_traces(tree: Tree) -> Tree:
    """Return a tree with the traces of its annotation, or the tree itself without annotation."""
    return restore_traces(tree) if tree.annotation else tree


def _traces_by_rule(tree: Tree) -> Annotation:
    """Move parts of a tree until no branches cross, and return the traces that they leave."""
    annotation = Annotation()
    numbers = [null_parts(token.form)[1] for token in tree.tokens if token.is_null]
    last = max(filter(None, [0, *numbers, *(node.index for node in tree.nodes())]), default=0)
    for filler in undo_by_rule(tree):
        if filler.node.index is None:
            filler.node.index = last = last + 1
        placeholder = Node(filler.node.category.removeprefix("WH"), children=[0])
        trace = Token(f"{filler.trace}-{filler.node.index}", NULL_TAG)
        small = Tree(Node("", children=[placeholder]), [trace])
        annotation.removed.append(Removed(filler.host, _position(filler), small))
    return annotation


def _position(filler: Filler) -> int:
    """Return where a trace stands: a subject first, an object behind the verb, all others last."""
    host = filler.host
    if filler.node.category.endswith("NP"):
        if host.category in ("S", "SQ") and "NP" not in [node.category for node in host.nodes]:
            return next(host.leaves())
        if host.category == "VP":
            verb = host.children[0]
            return 1 + (verb if isinstance(verb, int) else max(verb.leaves()))
    return max(host.leaves()) + 1


def _put_back(tree: Tree, annotation: Annotation, keys: list[_Key]) -> set[Node]:
    """Insert all small trees behind the other children, and return their nodes.

    Null elements become tokens behind all others, and get keys: their places in the text.
    """
    mothers = tree.mothers()
    inserted: set[Node] = set()
    words = len(tree.tokens)
    for number, removed in enumerate(annotation.removed):
        small = removed.tree.copy()
        parts = iter(removed.parts)
        filled: list[Part] = []
        for token in small.tokens:
            if token.tag == HOLE:
                part = next(parts)
                mothers[part].children.remove(part)
                filled.append(part)
            else:
                filled.append(len(tree.tokens))
                tree.tokens.append(token)
                # Behind a part, the place depends on where the part ends: see `_sort`.
                is_behind = any(isinstance(part, Node) or part < words for part in filled)
                keys.append((-1 if is_behind else removed.position, 0, number))
        for node in small.nodes():
            node.children = [filled[c] if isinstance(c, int) else c for c in node.children]
            mothers |= dict.fromkeys(node.children, node)
            inserted.add(node)
        (top,) = small.root.children
        removed.mother.children.append(top)
        mothers[top] = removed.mother
    return inserted


def _sort(tree: Tree, keys: list[_Key], small: set[Node]) -> None:
    """Order the tokens, and the children of all nodes but those of small trees, by keys.

    Nodes that have lost all their children are removed.
    """
    first: dict[Part, _Key] = dict(enumerate(keys))
    for node in tree.bottom_up():
        node.children = [child for child in node.children if child in first]
        if not node.children:
            continue
        if node not in small:
            node.children.sort(key=first.__getitem__)
        first[node] = first[node.children[0]]
    behind = 0
    leaves = list(tree.root.leaves())
    for leaf in leaves:
        position, is_word, number = keys[leaf]
        behind = position + 1 if is_word else behind
        if position < 0:
            keys[leaf] = behind, 0, number
    order = sorted(leaves, key=lambda leaf: keys[leaf][:2])
    new = {old: place for place, old in enumerate(order)}
    tree.tokens = [tree.tokens[old] for old in order]
    for node in tree.nodes():
        node.children = [new[c] if isinstance(c, int) else c for c in node.children]
