"""Two trees of a sentence: which constituents only one of them has."""

from __future__ import annotations

from plcfrs.errors import InputError
from plcfrs.evaluation import compare_sentences, differences, errors_of, load_settings
from plcfrs.evaluation.prm import PACKAGED
from plcfrs.transformation import remove_splits, transform
from plcfrs.trees import Tree
from plcfrs.web.answers.evaluation import CompareAnswer, CompareRequest, ErrorOfKind
from plcfrs.web.presentation import describe_tree, read_tree


def compare_trees(wanted: CompareRequest) -> CompareAnswer:
    """Return two trees of a sentence with their differences marked.

    Raises
    ------
    TreebankError
        If one of them is not a tree.
    InputError
        If their words differ, they have traces, or there are no such settings.
    """
    if wanted.settings not in PACKAGED:
        raise InputError(f"settings: expected one of {', '.join(PACKAGED)}")
    settings = load_settings(wanted.settings)
    first, second = (_prepared(text, wanted) for text in (wanted.first, wanted.second))
    for _ in compare_sentences([first], [second], settings):
        pass  # now the words are known to be the same
    missed, spurious = differences(first, second, settings)
    return CompareAnswer(
        same=not missed and not spurious,
        first=describe_tree(first, missed),
        second=describe_tree(second, spurious),
        errors=[
            ErrorOfKind(kind=error.type, text=str(error))
            for error in errors_of("", first, second, settings)
        ],
    )


def _prepared(discbracket: str, wanted: CompareRequest) -> Tree:
    tree = read_tree(discbracket)
    if any(token.is_null for token in tree.tokens):
        if not wanted.transform:
            raise InputError("a tree has traces: turn them into crossing branches (transform)")
        tree = transform(tree)
    return remove_splits(tree)
