"""Files of refined grammars: the grammar and the words as text, the refinements as arrays."""

from __future__ import annotations

import json
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plcfrs.errors import GrammarError
from plcfrs.grammar import tag
from plcfrs.grammar.formats import compressed
from plcfrs.refinement.estimation import rules_of_entries
from plcfrs.refinement.grammar import RefinedGrammar
from plcfrs.refinement.kernel.arrays import Refinement, Skeleton
from plcfrs.storage import model_file
from plcfrs.storage.files import errors_name
from plcfrs.storage.model_file import ModelFile
from plcfrs.tagging import WordClasses

KIND = "refined"


_NAMES = ("words", "signatures", "pairs", "refinements")


def contents_of(refined: RefinedGrammar) -> ModelFile:
    """Return the contents of the file of a refined grammar."""
    header = {
        "words": sorted(refined.classes.words),
        "signatures": sorted(refined.classes.signatures),
        "pairs": [[tag.category, name, count] for (tag, name), count in refined.pairs.items()],
        "refinements": len(refined.refinements),
    }
    texts = {name: json.dumps(value, ensure_ascii=False) for name, value in header.items()}
    grammar = np.frombuffer(compressed.dumps(refined.grammar).encode(), np.uint8)
    arrays = {
        f"{number}.{name}": array
        for number, refinement in enumerate(refined.refinements)
        for name, array in refinement._asdict().items()
    }
    if refined.shares is not None:
        arrays["shares"] = refined.shares
    return ModelFile(KIND, texts, {"grammar": grammar, **arrays})


def refined_of(contents: ModelFile) -> RefinedGrammar:
    """Return the refined grammar with these contents of a file.

    Raises
    ------
    GrammarError
        If something is missing or damaged.
    """
    try:
        return _parse(contents)
    except (KeyError, ValueError, TypeError, AttributeError, OverflowError):
        raise GrammarError("not a refined grammar, or damaged; train it again") from None


def check_refinement(refinement: Refinement, refined: RefinedGrammar) -> None:
    """Check a refinement that was read from a file.

    Raises
    ------
    ValueError
        If a kernel could read or write beyond an array.
    """
    _check(refinement, refined.skeleton(), refined.unrefined())


def save(refined: RefinedGrammar, path: str | Path) -> None:
    """Write a refined grammar; the file appears only when it is complete.

    Raises
    ------
    GrammarError
        If the file cannot be written.
    """
    model_file.save(path, contents_of(refined))


def load(path: str | Path) -> RefinedGrammar:
    """Read a refined grammar.

    Raises
    ------
    GrammarError
        If the file is missing, damaged or not a refined grammar.
    """
    contents = model_file.load(path)
    with errors_name(path):
        return refined_of(contents)


def _parse(content: ModelFile) -> RefinedGrammar:
    header = {name: json.loads(content.header[name]) for name in _NAMES}
    refined = RefinedGrammar(
        compressed.loads(content.arrays["grammar"].tobytes().decode()),
        WordClasses(frozenset(header["words"]), frozenset(header["signatures"])),
        {(tag(name), word_class): count for name, word_class, count in header["pairs"]},
        tuple(
            Refinement(*(content.arrays[f"{number}.{name}"] for name in Refinement._fields))
            for number in range(header["refinements"])
        ),
        content.arrays.get("shares"),
    )
    _check_words(refined)
    skeleton, unrefined = refined.skeleton(), refined.unrefined()
    for refinement in refined.refinements:
        _check(refinement, skeleton, unrefined)
    return refined


def _check_words(refined: RefinedGrammar) -> None:
    """Raise a ValueError if a word or tag is not text, or a count is not a number above 0."""
    names = [*refined.classes.words, *refined.classes.signatures]
    names += [
        name for symbol, word_class in refined.pairs for name in (symbol.category, word_class)
    ]
    if not all(isinstance(name, str) for name in names):
        raise ValueError
    if not all(0 < count < inf for count in refined.pairs.values()):
        raise ValueError


def _check(refinement: Refinement, skeleton: Skeleton, unrefined: Refinement) -> None:
    """Raise a ValueError if a kernel could read or write beyond an array.

    Parameters
    ----------
    refinement : Refinement
    skeleton : Skeleton
    unrefined : Refinement
        The unrefined one of the same grammar, for the types of the arrays.
    """
    for array, like in zip(_arrays(refinement), _arrays(unrefined), strict=True):
        if array.dtype != like.dtype or array.ndim != 1:
            raise ValueError
    entries = len(refinement.probability)
    sizes = [skeleton.labels, len(skeleton.rule_labels) + 1, entries, entries, entries]
    if [len(array) for array in _arrays(refinement)[:5]] != sizes:
        raise ValueError
    most = np.iinfo(refinement.state.dtype).max + 1
    if refinement.states.min(initial=1) < 1 or refinement.states.max(initial=1) > most:
        raise ValueError
    rule_start, pair_start = refinement.rule_start, refinement.pair_start
    # Comparisons, because differences of large numbers may overflow.
    falls = (rule_start[:-1] > rule_start[1:]).any()
    if rule_start[0] != 0 or rule_start[-1] != entries or falls:
        raise ValueError
    by_label = np.append(refinement.states, 1)  # the last is for the child -1
    limits = by_label[skeleton.rule_labels[rules_of_entries(refinement)]].T
    for states, limit in zip(refinement[2:5], limits, strict=True):
        if ((states < 0) | (states >= limit)).any():
            raise ValueError
    pairs = np.concatenate([[0], np.cumsum(refinement.states[skeleton.pair_label])])
    if not np.array_equal(pair_start, pairs) or len(refinement.pair_probability) != pairs[-1]:
        raise ValueError
    for numbers in (refinement.probability, refinement.pair_probability):
        if not ((numbers >= 0.0) & (numbers <= 1.0 + 1e-9)).all():
            raise ValueError


def _arrays(refinement: Refinement) -> list[NDArray[Any]]:
    return list(refinement)
