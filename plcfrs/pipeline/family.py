"""A family of parsers: all that commands, experiments and the page need to know of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

from plcfrs.errors import InputError
from plcfrs.grammar.inspection import Inspection
from plcfrs.pipeline.kernels import Kernels
from plcfrs.pipeline.sentence_parser import SentenceParser
from plcfrs.training import Trainer
from plcfrs.transformation import Options, transform_all
from plcfrs.treebank import read_trees
from plcfrs.trees import Tree

Capability = Literal["budget", "nbest", "sums", "wants", "resume"]
"""What a family can do.

A budget bounds its search; it has n best parses; it sums over derivations; `explain` compares its
parse with wanted constituents; a training can be resumed.
"""


@dataclass(frozen=True)
class NoOptions:
    """The options of a family that has none."""


def training_trees(trees: str | Path | Iterable[Tree], transformation: Options) -> list[Tree]:
    """Return trees to train on; those of a treebank are read and transformed.

    Parameters
    ----------
    trees : str, Path or iterable of Tree
        The name of a treebank, or trees that are transformed already.
    transformation : Options
    """
    if isinstance(trees, str | Path):
        return list(transform_all(read_trees(trees), transformation))
    return list(trees)


class Preset(NamedTuple):
    """Settings that are well known, with the transformation of trees that goes with them."""

    settings: Any
    transformation: Options


@dataclass(frozen=True)
class Family:
    """A family of parsers.

    Parameters
    ----------
    kind : str
        Its name: that of its models in their files, of ``plcfrs train KIND``, in experiments.
    extension : str
        With which the names of its files end, if people like that.
    title : str
        What one is, as in "a refined grammar", with its source.
    load : callable
        Gets a path and a budget, and the fields of `options` by name; returns the parser.
    trainer : callable
        Gets trees, settings, and how the trees were made (for people); returns the trainer.
    inspect : callable
        Gets a path.
    settings : dataclass
        How it is trained if nothing else is said (see `plcfrs.settings`).
    options : dataclass
        How it parses if nothing else is said.
    objectives : tuple of str
        Which parses can be asked for.
    capabilities : set of str
    presets : mapping of str to Preset
    transformation : Options
        How the trees are transformed that it learns from, without a preset.
    kernels : mapping of str to tuple of Kernels
        What its first use compiles: "parsing", "training", and more for some objectives.
    """

    kind: str
    extension: str
    title: str
    load: Callable[..., SentenceParser]
    trainer: Callable[[Sequence[Tree], Any, Mapping[str, str]], Trainer[Any]]
    inspect: Callable[[Path], Inspection]
    settings: Any = NoOptions()
    options: Any = NoOptions()
    objectives: tuple[str, ...] = ()
    capabilities: frozenset[Capability] = frozenset()
    presets: Mapping[str, Preset] = field(default_factory=dict)
    transformation: Options = Options()
    kernels: Mapping[str, tuple[Kernels, ...]] = field(default_factory=dict)

    def can(self, capability: Capability) -> bool:
        """Whether the family has a capability."""
        return capability in self.capabilities

    def kernels_for(self, *uses: str | None) -> set[Kernels]:
        """Return what the first of some uses compiles: "parsing", "training", an objective."""
        return {each for use in uses if use for each in self.kernels.get(use, ())}

    def preset(self, name: str) -> Preset:
        """Return a preset.

        Raises
        ------
        InputError
            If there is none of this name.
        """
        if name not in self.presets:
            known = f"it is one of {', '.join(self.presets)}" if self.presets else "there are none"
            raise InputError(f"{self.kind}: no preset is called {name!r}: {known}")
        return self.presets[name]
