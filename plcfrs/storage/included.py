"""The models that come with plcfrs: names such as ``plcfrs:english`` instead of those of files."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from plcfrs.errors import MissingFileError

_FOLDER = Path(str(files("plcfrs"))) / "models"
_PREFIX = "plcfrs:"
_AGAIN = "install plcfrs again with pip install --force-reinstall plcfrs"

ENGLISH = {
    "plcfrs:english": _FOLDER / "english.neural",
    "plcfrs:english-grammar": _FOLDER / "english-grammar.plcfrs",
}
INCLUDED = {**ENGLISH, "plcfrs:icelandic": _FOLDER / "icelandic.neural"}
"""The files of the models by their names."""


def is_included(name: str | Path) -> bool:
    """Whether a name is that of an included model."""
    return str(name) in INCLUDED


def model_path(name: str | Path) -> Path:
    """Return the file of a model, which may be called by the name of an included one.

    Raises
    ------
    MissingFileError
        If no model of such a name is included, or its file is missing.

    Examples
    --------
    >>> model_path("plcfrs:english-grammar").name, model_path("wsj.plcfrs").name
    ('english-grammar.plcfrs', 'wsj.plcfrs')
    """
    if not str(name).startswith(_PREFIX):
        return Path(name)
    if str(name) not in INCLUDED:
        raise MissingFileError(f"there is no model {name}: expected {' or '.join(INCLUDED)}")
    path = INCLUDED[str(name)]
    if not path.is_file():
        raise MissingFileError(f"{name}: its file is missing; {_AGAIN}")
    return path


def remedy(name: str | Path, usual: str) -> str:
    """Return what to do if a model is damaged: the usual thing, unless it is an included one.

    >>> remedy("plcfrs:english", "train it again")
    'install plcfrs again with pip install --force-reinstall plcfrs'
    """
    return _AGAIN if model_path(name) in INCLUDED.values() else usual
