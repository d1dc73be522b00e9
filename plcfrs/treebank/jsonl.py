"""JSON for other programs, one line per tree: its discbracket, its tokens, its constituents.

Tokens have all their fields, with their places in the text, which no other format of trees holds.
Their forms are those of the text; the tree spells them as its treebank does. Each constituent has
its label and the positions of its tokens; these are not read back. A secondary edge has the number
of its constituent (mothers before children, from 0) or the position of its token, and the number of
its second mother. The annotation of a transformed tree has the small trees that `restore_traces`
puts back, with the numbers of their mothers and of what fills their holes, and the indices. Notes
have the numbers of their nodes. The types of traces by which phrases were moved are not kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from typing import Any

from plcfrs.errors import InputError, TreebankError
from plcfrs.stopping import until_stopped
from plcfrs.text.spelling import as_spelled, as_typed
from plcfrs.treebank.format import Chunk, Format, parse_positions, render_positions
from plcfrs.trees import Node, SecondaryEdge, Token, Tree, render_label
from plcfrs.trees.annotation import Annotation, Removed
from plcfrs.trees.restoring import check_annotation, parse_small_tree, render_small_tree
from plcfrs.trees.tree import positions

_PARTS = {part.name: part.default for part in fields(Token)}
_write = json.JSONEncoder(ensure_ascii=False).encode
_TOO_FAR = 1 << 31  # texts are shorter


def split(lines: Iterable[str], path: str) -> Iterator[Chunk]:
    """Yield every line that is not blank."""
    filled = ((line, text) for line, text in enumerate(lines, start=1) if text.strip())
    for number, (line, text) in enumerate(filled, start=1):
        yield Chunk(path, line, text, number)


def parse(chunk: Chunk) -> Tree:
    """Read a tree and its tokens."""
    try:
        content = json.loads(chunk.text)
        tree = parse_positions(chunk._replace(text=content["tree"]))
        tree.id, tokens = str(content.get("id", "")), content["tokens"]
        if len(tokens) != len(tree.tokens):
            raise chunk.error(f"{len(tokens)} tokens, but the tree has {len(tree.tokens)}")
        forms = [token.form for token in tree.tokens]
        tree.tokens = [Token(**token) for token in tokens]
        tree.secondary_edges = _read_edges(content.get("secondary_edges", ()), tree)
        tree.annotation = _read_annotation(content.get("annotation"), tree)
        tree.comments = [str(comment) for comment in content.get("comments", ())]
        nodes = tree.nodes()
        for number, note in content.get("notes", {}).items():
            nodes[int(number)].note = str(note)
    except TreebankError:
        raise
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise chunk.error(
            'expected a line of JSON such as {"tree": "(S (UH 0=Yes))", "tokens": [{"form": "Yes", '
            '"tag": "UH"}]}'
        ) from None
    except InputError as error:  # of the annotation
        raise chunk.error(str(error)) from None
    for token in tree.tokens:
        for name, default in _PARTS.items():
            value = getattr(token, name)
            is_far = isinstance(value, int) and not 0 <= value < _TOO_FAR
            if is_far or not isinstance(value, int | None if default is None else str):
                raise chunk.error(f"{name} of a token cannot be {value!r}")
    tree.tokens = list(map(as_spelled, tree.tokens, forms))
    return tree


def _read_edges(edges: Iterable[dict[str, Any]], tree: Tree) -> list[SecondaryEdge]:
    nodes = dict(enumerate(tree.nodes()))  # unlike a list, without negative numbers
    places = {place: place for place in range(len(tree.tokens))}
    return [
        SecondaryEdge(
            str(edge["label"]),
            places[edge["token"]] if edge.get("node") is None else nodes[edge["node"]],
            nodes[edge["mother"]],
        )
        for edge in edges
    ]


def _read_annotation(content: dict[str, Any] | None, tree: Tree) -> Annotation | None:
    if content is None:
        return None
    nodes = dict(enumerate(tree.nodes()))
    places = {place: place for place in range(len(tree.tokens))}
    annotation = Annotation()
    for each in content["removed"]:
        small = parse_small_tree(each["tree"])
        parts = [
            places[part["token"]] if part.get("node") is None else nodes[part["node"]]
            for part in each.get("parts", ())
        ]
        annotation.removed.append(
            Removed(nodes[each["mother"]], int(each["position"]), small, parts)
        )
    for number, (index, gap_index) in content.get("indices", {}).items():
        annotation.indices[nodes[int(number)]] = index, gap_index
    check_annotation(tree, annotation)
    return annotation


def _write_annotation(
    annotation: Annotation, places: dict[Node | int, dict[str, int]]
) -> dict[str, Any]:
    return {
        "removed": [
            {
                "mother": places[each.mother]["node"],
                "position": each.position,
                "tree": render_small_tree(each.tree),
                "parts": [places[part] for part in each.parts],
            }
            for each in annotation.removed
        ],
        "indices": {places[node]["node"]: pair for node, pair in annotation.indices.items()},
    }


def render(tree: Tree, number: int) -> str:
    """Write a tree on a line."""
    typed = [replace(token, form=as_typed(token)) for token in tree.tokens]
    tokens = [
        {name: value for name in _PARTS if (value := getattr(token, name)) != _PARTS[name]}
        for token in typed
    ]
    constituents = [  # one by one: those of a deep tree are large, and other threads wait
        _write({"label": render_label(node), "tokens": positions(span)})
        for node, span in until_stopped(tree.yields().items())
    ]
    places: dict[Node | int, dict[str, int]] = {
        **{node: {"node": number} for number, node in enumerate(tree.nodes())},
        **{position: {"token": position} for position in range(len(tokens))},
    }
    edges = [
        {"label": edge.label, **places[edge.child], "mother": places[edge.parent]["node"]}
        for edge in tree.secondary_edges
        if edge.child in places and edge.parent in places
    ]
    written = {
        "id": _write(tree.id or str(number)),
        "tree": _write(render_positions(tree, number).rstrip("\n")),
        "tokens": _write(tokens),
        "constituents": f"[{', '.join(constituents[::-1])}]",
    }
    if edges:
        written["secondary_edges"] = _write(edges)
    if tree.comments:
        written["comments"] = _write(tree.comments)
    if notes := {number: node.note for number, node in enumerate(tree.nodes()) if node.note}:
        written["notes"] = _write(notes)
    if tree.annotation is not None:
        written["annotation"] = _write(_write_annotation(tree.annotation, places))
    return "{" + ", ".join(f'"{name}": {text}' for name, text in written.items()) + "}\n"


def is_json(start: bytes) -> bool:
    """Whether a file begins with a tree in JSON.

    >>> is_json(b'{"id": "", "tree": "(S (UH 0=Yes))"'), is_json(b'{"a": 1}')
    (True, False)
    """
    return start.lstrip().startswith(b"{") and b'"tree":' in start


JSON = Format("json", (".jsonl",), split, parse, render, signature=is_json)
