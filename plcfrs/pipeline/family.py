"""A family of parsers: everything that commands, experiments and the page know about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from plcfrs.errors import InputError
from plcfrs.grammar.inspection import Inspection
from plcfrs.pipeline.parse import Capability
from plcfrs.pipeline.sentence_parser import SentenceParser
from plcfrs.training import Trainer
from plcfrs.transformation import Options, transform_all
from plcfrs.treebank import read_trees
from plcfrs.treebank.validation import checked_trees
from plcfrs.trees import Tree


@dataclass(frozen=True)
class NoOptions:
    """The options of a family without options."""


def training_trees(trees: str | Path | Iterable[Tree], transformation: Options) -> list[Tree]:
    """Return trees to train or score on; a treebank is read and transformed.

    Parameters
    ----------
    trees : str, Path or iterable of Tree
        The name of a treebank, or transformed trees.
    """
    if isinstance(trees, str | Path):
        return list(transform_all(read_trees(trees), transformation))
    return list(checked_trees(trees))


class Preset(NamedTuple):
    """Well-known settings, with the transformation of trees that belongs to them."""

    settings: Any
    transformation: Options


@dataclass(frozen=True)
class Family:
    """A family of parsers.

    Parameters
    ----------
    kind : str
        Its name in model files, in ``plcfrs train KIND`` and in experiments.
    extension : str
        The usual file extension of its models.
    title : str
        A noun phrase such as "a refined grammar", with the source.
    load : callable
        Gets a path and a budget, and the fields of `options` by name; returns the parser.
    trainer : callable
        Gets trees, settings, and how the trees were made (for people); returns the trainer.
    inspect : callable
        Gets a path.
    settings : dataclass
        The default settings of training (see `plcfrs.settings`).
    options : dataclass
        The default options of parsing.
    objectives : tuple of str
        The objectives of parsing to choose from.
    capabilities : set of str
    presets : mapping of str to Preset
    transformation : Options
        How the training trees are transformed without a preset.
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

    def can(self, capability: Capability) -> bool:
        """Whether the family has a capability."""
        return capability in self.capabilities

    def preset(self, name: str) -> Preset:
        """Return a preset.

        Raises
        ------
        InputError
            If the family has no preset of this name.
        """
        if name not in self.presets:
            known = f"expected one of {', '.join(self.presets)}" if self.presets else "it has none"
            raise InputError(f"{self.kind} has no preset {name!r}: {known}")
        return self.presets[name]
