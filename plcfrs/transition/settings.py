"""How a transition parser is trained: the system, its features, and the learning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Literal, get_args

from plcfrs.errors import InputError
from plcfrs.transition.reordering import check_order

SystemName = Literal["gap", "cgap", "swap", "skipshift"]
Update = Literal["early", "max-violation"]

_FEATURES: dict[str, tuple[str, ...]] = {
    "gap": ("baseline", "extended", "spans"),
    "cgap": ("baseline", "extended", "spans"),
    "swap": ("baseline", "extended", "disco", "spans", "full-queue"),
    "skipshift": ("baseline", "extended", "disco", "spans", "skips", "full-queue"),
}
_NOT_BY_DEFAULT = "full-queue"
_WIDEST_BEAM = 10_000
_SYSTEMS: dict[str, SystemName] = {name: name for name in get_args(SystemName)}
_UPDATES: dict[str, Update] = {name: name for name in get_args(Update)}


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a transition parser.

    Parameters
    ----------
    system : {"gap", "cgap", "swap", "skipshift"}
    features : tuple of str
        Sets of templates: "baseline" with "extended" and "spans" (gap, cgap), or with "extended",
        "disco", "spans", "skips" (skipshift only) and "full-queue" (swap, skipshift); empty for
        all but the last.
    order : str
        In which swap and skipshift shift the tokens of a tree: see `reorder`.
    beam : int
    update : {"early", "max-violation"}, optional
        By default "max-violation" for swap, "early" for the others. In the paper skipshift has
        "max-violation"; with the set "skips" early update did better, in less time.
    importance : int
        How often updates count that concern a swap or a skip.
    seed : int
        Of the order of the training trees.

    Raises
    ------
    InputError
        If the system has no such features, there is no such order, or a number is too small.

    Examples
    --------
    >>> Settings("skipshift", beam=8).features
    ('baseline', 'extended', 'disco', 'spans', 'skips')
    """

    system: SystemName = "gap"
    features: tuple[str, ...] = ()
    order: str = "left"
    beam: int = 4
    update: Update | None = None
    importance: int = 1
    seed: int = 1

    def __post_init__(self) -> None:
        _check("system", self.system, get_args(SystemName))
        if self.update is None:
            default = "max-violation" if self.system == "swap" else "early"
            object.__setattr__(self, "update", default)
        _check("update", str(self.update), get_args(Update))
        known = _FEATURES[self.system]
        if not self.features:
            chosen = tuple(name for name in known if name != _NOT_BY_DEFAULT)
            object.__setattr__(self, "features", chosen)
        for name in self.features:
            _check(f"features of {self.system}", name, known)
        check_order(self.order)
        check_beam(self.beam)
        if self.importance < 1:
            raise InputError(f"importance must be at least 1, not {self.importance}")

    def header(self) -> dict[str, str]:
        """Return the settings as text."""
        texts = {field.name: str(getattr(self, field.name)) for field in fields(self)}
        return texts | {"features": " ".join(self.features)}

    @classmethod
    def from_header(cls, header: Mapping[str, str]) -> Settings:
        """Return the settings of a header, which may have other lines, too.

        Raises
        ------
        ValueError
            If something is missing or wrong.
        """
        try:
            return cls(
                _SYSTEMS[header["system"]],
                tuple(header["features"].split()),
                header["order"],
                int(header["beam"]),
                _UPDATES[header["update"]],
                int(header["importance"]),
                int(header["seed"]),
            )
        except (KeyError, ValueError, InputError) as error:
            raise ValueError(f"the settings of the transition parser: {error}") from None


def check_beam(beam: int) -> None:
    """Raise an error if a beam is empty, or too wide to fit into memory.

    Raises
    ------
    InputError
    """
    if not 1 <= beam <= _WIDEST_BEAM:
        raise InputError(f"beam must be a number from 1 to {_WIDEST_BEAM}, not {beam}")


def _check(what: str, name: str, known: tuple[str, ...]) -> None:
    if name not in known:
        raise InputError(f"{what}: {name!r} is not one of {', '.join(known)}")
