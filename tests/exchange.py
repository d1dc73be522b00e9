"""Write grammars to files, read them again, and get the messages for wrong files."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from plcfrs.errors import GrammarError
from plcfrs.grammar import Grammar, Lexicon, Recipe, binarize, extract
from plcfrs.transformation import transform_all
from plcfrs.trees import Tree


def there_and_back(grammar: Grammar, extension: str) -> Grammar:
    """Write a grammar to a file and read it; keep the options, which other programs do not have."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"grammar{extension}"
        grammar.save(path)
        back = Grammar.load(path)
        assert len(list(Path(folder).iterdir())) == 2  # with the lexicon, and no parts
    return replace(back, options=grammar.options)


def load(folder: Path, extension: str, rules: str, lexicon: str | None = None) -> Grammar:
    """Read a grammar from its text."""
    path = folder / f"grammar{extension}"
    path.write_text(rules, encoding="utf-8")
    path.with_suffix(".lex").unlink(missing_ok=True)
    if lexicon is not None:
        path.with_suffix(".lex").write_text(lexicon, encoding="utf-8")
    return Grammar.load(path)


def written(folder: Path, grammar: Grammar, extension: str) -> tuple[str, str]:
    """Return the two files that a grammar becomes."""
    path = folder / f"written{extension}"
    grammar.save(path)
    return path.read_text("utf-8"), path.with_suffix(".lex").read_text("utf-8")


def error_of(folder: Path, extension: str, rules: str, lexicon: str | None = None) -> str:
    """Return the message for a malformed grammar, from the name of the file on."""
    with pytest.raises(GrammarError) as caught:
        load(folder, extension, rules, lexicon)
    message = str(caught.value)
    assert message.startswith(f"{folder}/grammar.")
    assert len(message.splitlines()) == 1
    assert len(message) < 300 + len(str(folder))
    return message.removeprefix(f"{folder}/grammar.")


def treebank_grammars(trees: list[Tree]) -> dict[str, Grammar]:
    """Grammars of the 3,396 trees that the paper trains on, without signatures."""
    transformed = list(transform_all(trees[:3396]))
    extracted = extract(transformed)
    binarized = binarize(extracted)
    assert len(extracted.rules) > 4000
    smoothed = Recipe("right-to-left", 2, 2, "interpolated").grammar(transformed)
    words = Lexicon(binarized.lexicon.words)
    return {
        "extracted": replace(extracted, lexicon=words),
        "binarized": replace(binarized, lexicon=words),
        "probabilities": replace(
            binarized,
            rules=binarized.probabilities(),
            lexicon=Lexicon(binarized.lexicon.probabilities()),
            weights="probabilities",
        ),
        "smoothed": replace(smoothed, lexicon=Lexicon(words.probabilities())),
    }
