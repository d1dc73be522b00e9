"""Trees and scores of disco-dop (van Cranenburgh et al. 2016), whose scorer most papers use.

Disco-dop is not installed with plcfrs, because its only release no longer compiles. ``python
tools/install_discodop.py`` installs its pure Python modules. Nodes keep lemma, morphology and
functions in their `source`; indices and secondary edges are lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any

from plcfrs.errors import InputError
from plcfrs.evaluation import FIELD, Sentence, Settings
from plcfrs.evaluation.alignment import align_with_reference, words
from plcfrs.evaluation.bracketing import gap_degree, has_parse
from plcfrs.trees import NO_PARSE, ROOT, Node, Token, Tree, parse_label, render_category
from plcfrs.trees.notation import renamed_root

if TYPE_CHECKING:
    from discodop.tree import ParentedTree

_NOTHING = "--"
_LEMMA, _MORPH, _FUNCTION = 1, 3, 4
_ROOTS = (ROOT, "TOP", "VROOT")


def to_discodop(tree: Tree) -> tuple[ParentedTree, list[str]]:
    """Return a tree as a disco-dop tree over positions, and its words."""
    forms = [token.form for token in tree.tokens]
    return _convert(tree, list(range(len(forms))), render_category), forms


def from_discodop(discodop_tree: ParentedTree, forms: list[str]) -> Tree:
    """Return a disco-dop tree and its words as a `Tree`; the inverse of `to_discodop`.

    A top node TOP or VROOT is renamed to ROOT; any other top node gets a ROOT above it. A position
    without a tag or outside the sentence is an InputError.
    """
    tokens: dict[int, Token] = {}
    converted: dict[int, Node | int] = {}
    for node in reversed(list(discodop_tree.subtrees())):
        if len(node) == 1 and isinstance(node[0], int):
            tokens[node[0]] = _token(node, forms)
            converted[id(node)] = node[0]
        else:
            constituent = Node(*parse_label(node.label))
            function = _field(node, _FUNCTION)
            constituent.functions = tuple(function.split("-")) if function else ()
            constituent.children = [converted[id(child)] for child in node]
            converted[id(node)] = constituent
    if sorted(tokens) != list(range(len(forms))):
        raise InputError(f"the positions of the tree must be 0 to {len(forms) - 1}, each once")
    root = renamed_root(converted[id(discodop_tree)], _ROOTS)
    tree = Tree(root, [tokens[position] for position in range(len(forms))])
    tree.sort_children()
    return tree


def compare_with_discodop(
    gold: Iterable[Tree],
    parses: Iterable[Tree],
    settings: Settings = FIELD,
    reference: Iterable[Tree] | None = None,
) -> Iterator[Sentence]:
    """Compare parses with gold trees by disco-dop, like `plcfrs.evaluation.compare_sentences`.

    Parameters
    ----------
    gold, parses : iterable of Tree
        The same sentences in the same order; anything else is an InputError.
    settings : Settings
    reference : iterable of Tree, optional
        The trees that decide the gap degree of a sentence; the gold trees by default.
    """
    for trees in align_with_reference(gold, parses, reference, settings):
        yield compare_trees_with_discodop(*trees, settings)


def compare_trees_with_discodop(
    number: int, gold: Tree, parse: Tree, reference: Tree, settings: Settings
) -> Sentence:
    """Compare a parse with its gold tree; they must be aligned."""
    evaluation = _import("eval")
    parameters = discodop_parameters(settings)
    pair = evaluation.TreePairResult(number, *for_scoring(gold), *for_scoring(parse), parameters)
    return Sentence(
        number,
        gold.id,
        pair.lengpos,
        gap_degree(reference),
        has_parse(parse),
        Counter(pair.gbrack),
        Counter(pair.cbrack),
        Counter(pair.goldfun),
        Counter(pair.candfun),
        list(zip(pair.gpos, pair.cpos, strict=True)),
    )


def for_scoring(tree: Tree) -> tuple[ParentedTree, list[str]]:
    """Return a tree for disco-dop's scorer, without null elements and splits, and its words."""
    positions = words(tree)
    forms = [tree.tokens[position].form for position in positions]
    return _convert(tree, positions, lambda node: node.category), forms


def discodop_parameters(settings: Settings) -> dict[str, Any]:
    """Return settings as parameters of disco-dop's scorer."""
    return {
        "DEBUG": 0,
        "MAX_ERROR": 0,
        "CUTOFF_LEN": settings.cutoff,
        "LABELED": int(settings.labelled),
        "DELETE_LABEL": settings.ignored_labels | settings.ignored_tags | {ROOT, NO_PARSE},
        "DELETE_LABEL_FOR_LENGTH": settings.uncounted_tags,
        "DELETE_WORD": settings.ignored_words,
        "DELETE_ROOT_PRETERMS": int(settings.ignore_root_tokens),
        "EQ_LABEL": settings.equal_labels,
        "EQ_WORD": settings.equal_words,
        "DISC_ONLY": int(settings.discontinuous_only),
        "LA": 0,
        "TED": 0,
        "DEP": 0,
    }


def _convert(tree: Tree, positions: list[int], label: Callable[[Node], str]) -> ParentedTree:
    """Convert a tree over some of its tokens; nodes without any of them are removed."""
    make = _import("tree").ParentedTree
    places = {position: place for place, position in enumerate(positions)}
    converted: dict[Node, ParentedTree] = {}
    for node in tree.bottom_up():
        children = []
        for child in node.children:
            if isinstance(child, Node):
                children.extend([converted[child]] if child in converted else [])
            elif child in places:
                token = tree.tokens[child]
                children.append(make(token.tag, [places[child]]))
                children[-1].source = _source(token.form, token.function, token.lemma, token.morph)
        if children or node is tree.root:
            converted[node] = make(label(node), children)
            converted[node].source = _source("", "-".join(node.functions))
    return converted[tree.root]


def _source(form: str, function: str, lemma: str = "", morph: str = "") -> list[str]:
    return [form, lemma or _NOTHING, "", morph or _NOTHING, function or _NOTHING, "0"]


def _token(node: ParentedTree, forms: list[str]) -> Token:
    position = node[0]
    if not 0 <= position < len(forms):
        raise InputError(f"position {position} is not in the {len(forms)} words")
    lemma, morph, function = (_field(node, place) for place in (_LEMMA, _MORPH, _FUNCTION))
    return Token(forms[position], node.label, lemma, morph, function)


def _field(node: ParentedTree, place: int) -> str:
    text = node.source[place] if node.source else None
    return "" if text in (None, _NOTHING) else str(text)


def _import(module: str) -> Any:  # noqa: ANN401 (disco-dop has no types)
    try:
        return import_module(f"discodop.{module}")
    except ImportError:
        raise InputError(
            "disco-dop is not installed: run 'python tools/install_discodop.py'"
        ) from None
