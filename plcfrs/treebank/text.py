"""Sentences as text, one per line: the formats ``tokens`` and ``tagged`` (``What/WP should/MD``).

Only blanks and tabs separate tokens. A blank line is a sentence without tokens, so that lines stay
aligned. ``tokens`` leaves out null elements, which would look like words; ``tagged`` keeps them,
and writes a slash in a tag as ``|``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from plcfrs.treebank.format import Chunk, Format
from plcfrs.treebank.splitting import split_sentences, split_words
from plcfrs.trees import ROOT, Node, Token, Tree
from plcfrs.trees.notation import one_word, or_empty

_TOKEN = re.compile(r"[^ \t\r\n]+")


def split(lines: Iterable[str], path: str) -> Iterator[Chunk]:
    """Yield every line."""
    for number, line in enumerate(lines, start=1):
        yield Chunk(path, number, line, number)


def parse_tokens(chunk: Chunk) -> Tree:
    """Read a sentence of tokens."""
    return _flat([Token(form, "") for form in _TOKEN.findall(chunk.text)])


def parse_tagged(chunk: Chunk) -> Tree:
    """Read a sentence of tokens with tags."""
    tokens = []
    for text in _TOKEN.findall(chunk.text):
        form, _, tag = text.rpartition("/")
        if not form or not tag:
            raise chunk.error(f"expected word/TAG, but found {text!r}")
        tokens.append(Token(form, or_empty(tag)))
    return _flat(tokens)


def render_tokens(tree: Tree, number: int) -> str:  # noqa: ARG001 (all formats have it)
    """Write the words."""
    return " ".join(one_word(token.form) for token in tree.tokens if not token.is_null) + "\n"


def render_tagged(tree: Tree, number: int) -> str:  # noqa: ARG001 (all formats have it)
    """Write the words with their tags."""
    words = [
        f"{one_word(token.form)}/{one_word(token.tag).replace('/', '|')}" for token in tree.tokens
    ]
    return " ".join(words) + "\n"


def split_running_text(lines: Iterable[str], path: str) -> Iterator[Chunk]:
    """Yield every sentence of running text."""
    for number, (line, sentence) in enumerate(split_sentences(lines), start=1):
        yield Chunk(path, line, sentence, number)


def parse_running_text(chunk: Chunk) -> Tree:
    """Split a sentence into words."""
    return _flat([Token(word, "") for word in split_words(chunk.text)])


TOKENS = Format(
    "tokens", (".tokens", ".txt"), split, parse_tokens, render_tokens, may_be_empty=True
)
TAGGED = Format("tagged", (".tagged",), split, parse_tagged, render_tagged, may_be_empty=True)
RUNNING_TEXT = Format("text", (), split_running_text, parse_running_text, may_be_empty=True)


def _flat(tokens: list[Token]) -> Tree:
    return Tree(Node(ROOT, children=list(range(len(tokens)))), tokens)
