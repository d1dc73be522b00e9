"""The models that come with plcfrs: names such as ``plcfrs:english`` instead of those of files."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from plcfrs.errors import MissingFileError

_FOLDER = Path(str(files("plcfrs"))) / "models"
_PREFIX = "plcfrs:"

ENGLISH = {
    "plcfrs:english": _FOLDER / "english.joint",
    "plcfrs:english-grammar": _FOLDER / "english-grammar.plcfrs",
}
INCLUDED = {**ENGLISH, "plcfrs:icelandic": _FOLDER / "icelandic.joint"}
"""The files of the models by their names."""


def is_included(name: str | Path) -> bool:
    """Whether a name is that of a model that comes along."""
    return str(name) in INCLUDED


def model_path(name: str | Path) -> Path:
    """Return the file of a model, which may be called by the name of one that comes along.

    Raises
    ------
    MissingFileError
        If no model of such a name comes along.

    Examples
    --------
    >>> model_path("plcfrs:english-grammar").name, model_path("wsj.plcfrs").name
    ('english-grammar.plcfrs', 'wsj.plcfrs')
    """
    if not str(name).startswith(_PREFIX):
        return Path(name)
    if str(name) not in INCLUDED:
        raise MissingFileError(f"there is no model {name}: expected {' or '.join(INCLUDED)}")
    return INCLUDED[str(name)]
