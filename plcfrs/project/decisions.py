"""What a person decides about a tree, and so what a parser must respect.

An edit keeps what it made, and forbids what it destroyed. Parts can be kept, and constituents
forbidden, without an edit, too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from plcfrs.errors import InputError
from plcfrs.project.annotated_sentence import AnnotatedSentence
from plcfrs.project.named_tree import NamedTree
from plcfrs.project.operations import Operation, asked_parts, perform
from plcfrs.transformation import Options, transform
from plcfrs.trees import Fixed, FixedConstituent, Node
from plcfrs.trees.fixed import ANY
from plcfrs.trees.tree import span_of

_BY_HAND = ("null", "coindex", "edge", "delete-edge", "split", "join")
_REVERSIBLE = Options(splits=(), keep_sbar=True)

Decided = tuple[AnnotatedSentence, list[str]]


def decide(sentence: AnnotatedSentence, operation: Operation) -> Decided:
    """Return a sentence after an operation, and the names of the parts that it is about.

    Parameters
    ----------
    sentence : AnnotatedSentence
        With a tree.
    operation : mapping of str to object
        One of `plcfrs.project.operations.OPERATIONS`; ``keep`` or ``forbid`` parts; or ``forget``
        what is decided about parts, without parts about all of them.

    Raises
    ------
    InputError
        If the operation is not possible.
    """
    named = tree_of(sentence)
    match operation.get("do"):
        case "keep":
            parts = asked_parts(named, operation)
            return replace(sentence, kept=_joined(sentence.kept, parts)), parts
        case "forbid":
            return _forbid(sentence, asked_parts(named, operation))
        case "forget" if "parts" in operation:
            parts = asked_parts(named, operation)
            return _without(sentence, parts), parts
        case "forget":
            return replace(sentence, kept=(), placed=(), forbidden=(), by_hand=False), []
    after, parts = perform(named, operation)
    edited = replace(sentence, named=after, status="")
    if _is_by_hand(named, after, operation):
        return replace(edited, by_hand=True), parts
    words, new = constituents_named(named), constituents_named(after)
    resized = [name for name in new if name in words and words[name][1] != new[name][1]]
    match operation["do"]:
        case "attach":
            edited = placing(edited, [*parts, *resized, str(operation["mother"])])
        case "add":
            edited = _labelled(edited, parts[0], str(operation["label"]))
        case "relabel":
            edited = _labelled(edited, parts[0], str(operation["label"]), words)
        case "annotate" if {*operation["values"]} - {"form", "lemma", "morph"}:
            edited = replace(edited, kept=_joined(edited.kept, parts))
    spans = {span for _, span in new.values()}
    destroyed = [
        (category if span in spans else ANY, span)
        for category, span in words.values()
        if (category, span) not in new.values()
    ]
    return forbidding(edited, destroyed), parts


def fixed_of(sentence: AnnotatedSentence) -> Fixed:
    """Return what a parser must respect in the tree of a sentence without null elements."""
    named = without_nulls(tree_of(sentence))
    tree, names = named.tree, named.names
    spans = tree.yields()
    required: list[FixedConstituent] = []
    functions: dict[FixedConstituent | int, tuple[str, ...]] = {}
    for node in tree.nodes()[1:]:
        if names[node] in sentence.kept or names[node] in sentence.placed:
            required.append(FixedConstituent(node.category, spans[node]))
        if names[node] in sentence.kept:
            functions[required[-1]] = node.functions
    kept = [place for place in range(len(tree.tokens)) if names[place] in sentence.kept]
    tokens = {place: tree.tokens[place] for place in kept}
    functions |= {place: tuple(filter(None, [token.function])) for place, token in tokens.items()}
    places = {name: part for part, name in names.items() if isinstance(part, int)}
    forbidden = []
    for text in sentence.forbidden:
        category, _, span_text = text.rpartition("\t")
        words = span_text.split()
        if all(word in places for word in words):
            span = span_of([places[word] for word in words])
            each = FixedConstituent(None if category == ANY else category, span)
            if not any(each.fits(one.category or "", one.span) for one in required):
                forbidden.append(each)
    tags = {place: token.tag for place, token in tokens.items()}
    return Fixed(tuple(required), tuple(forbidden), tags, functions)


def without_nulls(named: NamedTree) -> NamedTree:
    """Return a tree with crossing branches in place of null elements; its parts keep their names.

    >>> from plcfrs.trees import Tree
    >>> tree = Tree.from_string("(S (NP-1 (WP Who)) (SQ (NP (-NONE- *T*-1)) (VP (VBD left))))")
    >>> bare = without_nulls(NamedTree.new(tree))
    >>> print(bare.tree, bare.names[1])
    (ROOT (S (SQ (NP (WP 0=Who)) (VP (VBD 1=left))))) t2
    """
    tree = named.tree
    if not any(token.is_null for token in tree.tokens):
        return named
    marked = tree.copy()
    for node, origin in zip(marked.nodes(), tree.nodes(), strict=True):
        node.note = named.names[origin]  # copies of a node keep its note
    bare = transform(marked, _REVERSIBLE)
    names: dict[Node | int, str] = {}
    for node in bare.nodes():
        names[node], node.note = node.note, ""  # what the transformation has made has no name
    words = [place for place, token in enumerate(tree.tokens) if not token.is_null]
    return NamedTree(bare, names | {n: named.names[place] for n, place in enumerate(words)})


def tree_of(sentence: AnnotatedSentence) -> NamedTree:
    """Return the tree of a sentence, or raise an InputError if it has none."""
    if sentence.named is None:
        raise InputError(f"{sentence.id} has no tree yet")
    return sentence.named


def _is_by_hand(before: NamedTree, after: NamedTree, operation: Operation) -> bool:
    """Whether an edit is about what a parser cannot keep: null elements, indices, tokens."""
    nulls, indices = _nulls(before), _indices(before)
    return (
        operation["do"] in _BY_HAND
        or nulls != _nulls(after)
        or not _indices(after).items() <= indices.items()
        or not nulls.isdisjoint(operation.get("parts", []))
    )


def _nulls(named: NamedTree) -> set[str]:
    """Return the names of null elements, and of the constituents without words."""
    tree = named.tree
    return {
        name
        for part, name in named.names.items()
        if all(
            tree.tokens[leaf].is_null
            for leaf in (part.leaves() if isinstance(part, Node) else [part])
        )
    }


def _indices(named: NamedTree) -> dict[str, tuple[int | None, int | None]]:
    nodes = {named.names[node]: (node.index, node.gap_index) for node in named.tree.nodes()}
    return {name: indices for name, indices in nodes.items() if indices != (None, None)}


def _forbid(sentence: AnnotatedSentence, parts: list[str]) -> Decided:
    words = constituents_named(tree_of(sentence))
    if not all(name in words for name in parts):
        raise InputError("choose constituents to forbid, below the root")
    after, freed = perform(tree_of(sentence), {"do": "delete", "parts": parts})
    edited = replace(_without(sentence, parts), named=after, status="")
    return forbidding(edited, [words[name] for name in parts]), freed


def _labelled(
    sentence: AnnotatedSentence,
    name: str,
    label: str,
    words: dict[str, tuple[str, str]] | None = None,
) -> AnnotatedSentence:
    """Keep a part with a new label; a parser may find the function that a new category lacks."""
    part = tree_of(sentence).part(name)
    is_free = isinstance(part, Node) and not part.functions
    old = (words or {}).get(name, ("", ""))[0]
    if is_free and old != label:
        return placing(sentence, [name])
    return replace(sentence, kept=_joined(sentence.kept, [name]))


def placing(sentence: AnnotatedSentence, names: Iterable[str]) -> AnnotatedSentence:
    """Keep constituents except for their functions; other names are left out."""
    nodes = constituents_named(tree_of(sentence))
    return replace(
        sentence, placed=_joined(sentence.placed, [name for name in names if name in nodes])
    )


def _without(sentence: AnnotatedSentence, names: Iterable[str]) -> AnnotatedSentence:
    gone = {*names}
    return replace(
        sentence,
        kept=tuple(name for name in sentence.kept if name not in gone),
        placed=tuple(name for name in sentence.placed if name not in gone),
    )


def forbidding(sentence: AnnotatedSentence, more: Iterable[tuple[str, str]]) -> AnnotatedSentence:
    """Forbid more constituents, but none that the tree has; forget parts that are gone."""
    words = constituents_named(tree_of(sentence))
    there = {_written(*each) for each in words.values()}
    there |= {_written(ANY, span) for _, span in words.values()}
    names = {*tree_of(sentence).names.values()}
    written = _joined(sentence.forbidden, [_written(*each) for each in more])
    forbidden = [each for each in written if each not in there]
    kept = _without(sentence, {*sentence.kept, *sentence.placed} - names)
    return replace(kept, forbidden=tuple(forbidden))


def constituents_named(named: NamedTree) -> dict[str, tuple[str, str]]:
    """Return the category of each constituent below the root, and the names of its words."""
    bare = without_nulls(named)
    return {
        bare.names[node]: (
            node.category,
            " ".join(bare.names[place] for place in sorted(node.leaves())),
        )
        for node in bare.tree.nodes()[1:]
        if bare.names[node]
    }


def _written(category: str, span: str) -> str:
    return f"{category}\t{span}"


def _joined(names: tuple[str, ...], more: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*names, *more]))
