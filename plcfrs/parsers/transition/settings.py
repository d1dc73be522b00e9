"""The transition systems by name (to add one, enter it here), and the settings of training."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from plcfrs.errors import InputError
from plcfrs.parsers.transition.gap import CompoundGap, Gap
from plcfrs.parsers.transition.stack_and_queue import QueueSystem, SkipShift, Swap
from plcfrs.parsers.transition.system import System, Update, check_order, prepare
from plcfrs.parsing.registry import Length
from plcfrs.settings import check_settings, setting
from plcfrs.trees import Tree

SYSTEMS: dict[str, type[System[Any]]] = {
    system.name: system for system in (Gap, CompoundGap, Swap, SkipShift)
}


def find_system(name: str, order: str = "left") -> System[Any]:
    """Return a transition system by its name.

    The order of tokens (see `reorder`) matters only for systems that can reorder them. Raise an
    InputError if the system or the order is unknown.
    """
    if name not in SYSTEMS:
        raise InputError(f"{name!r} is not a transition system: choose from {', '.join(SYSTEMS)}")
    system = SYSTEMS[name]
    return system(order) if issubclass(system, QueueSystem) else system()


def lengths_of(name: str, tree: Tree) -> dict[str, Length]:
    """Return the length of the derivation of a tree with marked heads, for each column."""
    system = find_system(name)
    return system.lengths(system.oracle(prepare(tree, system.binarization)))


WIDEST_BEAM = 10_000


@dataclass(frozen=True)
class TransitionSettings:
    """Settings of a transition parser; by default, the system chooses the features and the update.

    The paper uses the update "max-violation" for skipshift; with the set "skips", "early" did
    better in less time. `importance` multiplies the updates for swaps and skips.

    >>> TransitionSettings("skipshift", beam=8).features
    ('baseline', 'extended', 'disco', 'spans', 'skips')
    """

    system: str = "gap"
    features: tuple[str, ...] = setting((), "Sets of templates; by default the best ones.")
    order: str = "left"
    beam: int = setting(4, "Number of derivations to keep at each step.", least=1, most=WIDEST_BEAM)
    update: Update | None = setting(None, "Where in a wrong derivation the perceptron learns.")
    importance: int = 1
    seed: int = setting(1, "Seed of the order of the trees.", least=0)
    epochs: int = setting(20, "Number of passes over all trees.", least=1, stored=False)
    tags: Literal["given", "own"] = setting(
        "given",
        "The tags to learn from: given, as in the trees; or own, from taggers that did not see the "
        "sentence, for parsing words without tags.",
        stored=False,
    )

    def __post_init__(self) -> None:
        system = find_system(self.system)
        if self.update is None:
            object.__setattr__(self, "update", system.update)
        if not self.features:
            features = tuple(name for name in system.templates if name not in system.left_out)
            object.__setattr__(self, "features", features)
        check_settings(self)
        check_order(self.order)
        if self.importance < 1:
            raise InputError(f"importance must be at least 1, not {self.importance}")
        for name in self.features:
            if name not in system.templates:
                known = ", ".join(system.templates)
                raise InputError(f"features of {self.system}: {name!r} is not one of {known}")


@dataclass(frozen=True)
class ReorderingSettings(TransitionSettings):
    """Settings of a transition parser that can reorder tokens."""

    order: str = setting(
        "left",
        "The order of tokens in discontinuous constituents: left, right, rightd, "
        "label, or dist2 and so on.",
    )
    importance: int = setting(1, "Factor for mistakes that concern a token out of order.", least=1)
