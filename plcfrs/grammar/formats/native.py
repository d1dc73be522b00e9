"""The two grammar formats of plcfrs: YAML for people, the compressed form for programs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from plcfrs.grammar.formats import compressed
from plcfrs.grammar.formats import yaml as readable
from plcfrs.grammar.grammar import Grammar
from plcfrs.storage.files import errors_name, read_start, read_text, write_texts

# A header in JSON; or YAML, perhaps after comments.
_BEGINNING = re.compile(rb'\{"plcfrs"|(?:\xef\xbb\xbf)?(?:\s|#[^\n]*\n|---\s)*plcfrs\s*:')


@dataclass(frozen=True)
class Native:
    """One of the two forms. Either one reads both, since their beginnings differ."""

    name: str
    extensions: tuple[str, ...]
    compress: bool

    def files(self, path: Path) -> list[Path]:
        """Return just this file."""
        return [path]

    def load(self, path: Path) -> Grammar:
        """Read a grammar in either form."""
        text, packed = read_text(path)
        with errors_name(path):
            loads = compressed.loads if packed and text.startswith("{") else readable.loads
            return loads(text)

    def save(self, grammar: Grammar, path: Path) -> None:
        """Write a grammar in this form."""
        text = compressed.dumps(grammar) if self.compress else readable.dumps(grammar)
        write_texts({path: text}, pack=self.compress)


def is_native(path: Path) -> bool:
    """Return whether a file begins like a grammar in either form."""
    return _BEGINNING.match(read_start(path)) is not None


COMPRESSED = Native("plcfrs", (".plcfrs",), compress=True)
YAML = Native("yaml", (".yaml", ".yml"), compress=False)
