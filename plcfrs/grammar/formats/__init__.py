"""Grammar files: YAML for people, a compressed form of the same content for programs."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

from plcfrs.errors import GrammarError
from plcfrs.grammar.formats import compressed
from plcfrs.grammar.formats import yaml as readable
from plcfrs.grammar.grammar import Grammar

YAML_SUFFIXES = (".yaml", ".yml")
_GZIP_MAGIC = b"\x1f\x8b"


def load_grammar(path: str | Path) -> Grammar:
    """Read a grammar from a file; its first bytes tell which form it has.

    Raises
    ------
    GrammarError
        If the file is missing, damaged or not a grammar.
    """
    try:
        data = Path(path).read_bytes()
        if data.startswith(_GZIP_MAGIC):
            return compressed.loads(gzip.decompress(data).decode())
        return readable.loads(data.decode())
    except GrammarError as error:
        raise GrammarError(f"{path}: {error}") from None
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise GrammarError(f"{path}: the file is damaged or cut off; extract it again") from None
    except UnicodeDecodeError:
        raise GrammarError(f"{path}: not a plcfrs grammar: not a text file") from None
    except OSError as error:
        raise GrammarError(f"{path}: {error.strerror}") from None


def save_grammar(grammar: Grammar, path: str | Path) -> None:
    """Write a grammar: as YAML if the name ends in .yaml or .yml, else compressed.

    Raises
    ------
    GrammarError
        If the file cannot be written.
    """
    part = Path(f"{path}.part")
    try:
        if Path(path).suffix in YAML_SUFFIXES:
            part.write_text(readable.dumps(grammar), encoding="utf-8")
        else:
            part.write_bytes(gzip.compress(compressed.dumps(grammar).encode(), mtime=0))
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise GrammarError(f"{path}: {error.strerror}") from None
