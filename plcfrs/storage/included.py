"""The included models, which have names such as ``plcfrs:english``."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from plcfrs.errors import MissingFileError

_FOLDER = Path(str(files("plcfrs"))) / "models"
_PREFIX = "plcfrs:"
_REINSTALL = "install plcfrs again with pip install --force-reinstall plcfrs"

ENGLISH = {
    "plcfrs:english": _FOLDER / "english.neural",
    "plcfrs:english-grammar": _FOLDER / "english-grammar.plcfrs",
}
INCLUDED = {**ENGLISH, "plcfrs:icelandic": _FOLDER / "icelandic.neural"}
"""The files of the models by their names."""


SAME_ANNOTATION = {"plcfrs:english-grammar": "plcfrs:english"}
"""The models that have the annotation of others, too, by the names of these."""


def is_included(name: str | Path) -> bool:
    """Whether an included model has this name."""
    return str(name) in INCLUDED


def model_path(name: str | Path) -> Path:
    """Return the file of a model, given by its path or by the name of an included model.

    Raises
    ------
    MissingFileError
        If no included model has this name, or its file is missing.

    Examples
    --------
    >>> model_path("plcfrs:english-grammar").name, model_path("wsj.plcfrs").name
    ('english-grammar.plcfrs', 'wsj.plcfrs')
    """
    if not str(name).startswith(_PREFIX):
        meant = f"{_PREFIX}{str(name).lower()}"
        if meant in INCLUDED and not Path(name).exists():
            raise MissingFileError(f"{name}: no such file: is it {meant}?")
        return Path(name)
    if str(name) not in INCLUDED:
        raise MissingFileError(f"there is no model {name}: expected {' or '.join(INCLUDED)}")
    path = INCLUDED[str(name)]
    if not path.is_file():
        raise MissingFileError(f"{name}: its file is missing; {_REINSTALL}")
    return path


def remedy(name: str | Path, usual: str) -> str:
    """Return what to do about a damaged model: the usual, or install included models again.

    >>> remedy("plcfrs:english", "train it again")
    'install plcfrs again with pip install --force-reinstall plcfrs'
    """
    return _REINSTALL if model_path(name) in INCLUDED.values() else usual
