"""All families of parsers, and functions for any of them: training, and loading a model.

To add a family, write a module with a tuple ``FAMILIES`` and enter it here. A module is imported
only when one of its families is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from plcfrs.chart.budget import DEFAULT, Budget
from plcfrs.errors import GrammarError, InputError
from plcfrs.grammar.formats import grammar_format_of
from plcfrs.pipeline.family import Family, training_trees
from plcfrs.pipeline.sentence_parser import SentenceParser
from plcfrs.settings import change_settings
from plcfrs.storage.files import read_start
from plcfrs.storage.model_file import kind_of
from plcfrs.training import Runner
from plcfrs.treebank import FORMATS
from plcfrs.trees import Tree

MODULES = {
    "grammar": "plcfrs.pipeline.grammar",
    "refined": "plcfrs.pipeline.refined",
    "features": "plcfrs.pipeline.features",
    "spans": "plcfrs.pipeline.spans",
    **dict.fromkeys(["gap", "cgap", "swap", "skipshift"], "plcfrs.pipeline.transition"),
    "reduction": "plcfrs.pipeline.reduction",
    "set-based": "plcfrs.pipeline.set_based",
    "combined": "plcfrs.pipeline.combining",
}
"""The modules of all families, by the names of the families."""

DEFAULT_KIND = "grammar"
"""The family where none is named: of files with rules, and in experiments."""


def families() -> dict[str, Family]:
    """Return all families by their names."""
    return {kind: _family(kind) for kind in MODULES}


def _family(kind: str) -> Family:
    known: tuple[Family, ...] = import_module(MODULES[kind]).FAMILIES
    return next(family for family in known if family.kind == kind)


def find_family(kind: str) -> Family:
    """Return a family.

    Raises
    ------
    InputError
        If there is no family of this name.
    """
    if not isinstance(kind, str):
        raise InputError('the first argument is the kind of parser, such as "grammar"')
    if kind not in MODULES:
        raise InputError(f"there is no parser {kind!r}: expected one of {', '.join(MODULES)}")
    return _family(kind)


def family_of(path: str | Path) -> Family:
    """Return the family of the model in a file.

    Raises
    ------
    GrammarError
        If the file cannot be read, is a treebank, or its model belongs to an unknown family.
    """
    kind = kind_of(path)
    if is_treebank(path):
        raise GrammarError(f"{path}: a treebank, not a model")
    if kind not in MODULES:
        raise GrammarError(
            f"{path}: a model of the kind {kind!r}, which this plcfrs does not know: upgrade with "
            "pip install --upgrade plcfrs"
        )
    return _family(kind)


def is_treebank(path: str | Path) -> bool:
    """Whether a file begins like a treebank, and has no name of a grammar."""
    start = read_start(Path(path))
    return grammar_format_of(path) is None and any(
        format.signature(start) for format in FORMATS.values() if format.signature
    )


def load_model(
    path: str | Path,
    budget: Budget = DEFAULT,
    **options: Any,  # noqa: ANN401 (each family has its own)
) -> SentenceParser:
    """Read a saved model of any family.

    Parameters
    ----------
    path : str or Path
    budget : Budget
        For each sentence; transition parsers ignore it.
    **options
        Options of the family: ``strategy`` and ``fallback`` of grammars, ``beam`` of transition
        parsers.

    Raises
    ------
    GrammarError
        If the file is missing, damaged or not a model.
    InputError
        If the family has no such option, or the value is impossible.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "demo.plcfrs")
    ...     train("grammar", "plcfrs:demo").save(path)
    ...     load_model(path, fallback="flat").parse("What should we do ?").status
    'parsed'
    """
    family = family_of(path)
    chosen = change_settings(family.options, _as_options(options))
    return family.load(path, budget=budget, **vars(chosen))


def train(
    kind: str,
    trees: str | Path | Iterable[Tree],
    settings: object = None,
    *,
    development: str | Path | Iterable[Tree] = (),
    **values: Any,  # noqa: ANN401 (each family has its own)
) -> Any:  # noqa: ANN401 (of the family)
    """Train a parser.

    Parameters
    ----------
    kind : str
        The family: "grammar", "refined", "gap" ...; `plcfrs train --help` lists all.
    trees : iterable of Tree, str or Path
        Transformed trees, with heads marked; or a treebank, which is read and transformed.
    settings : dataclass or str, optional
        Settings of the family, or the name of one of its presets; those of grammars are in
        `plcfrs.PRESETS`.
    development : iterable of Tree, str or Path
        Gold trees, or a treebank, that score the model after each cycle or epoch: the best one is
        kept.
    **values
        Single settings by name: ``beam=8``. The names are the options of `plcfrs train KIND`, with
        ``_`` for ``-``.

    Returns
    -------
    SentenceParser

    Raises
    ------
    TreebankError
        If there are no trees, or a tree has no heads.
    InputError
        If there is no such family, setting or preset, a name stands for no file, or one of the
        trees is something else.

    Examples
    --------
    >>> model = train("gap", "plcfrs:demo", epochs=8)
    >>> model.parse("What should we do ?").tree.gap_degree()
    1
    >>> train("grammar", "plcfrs:demo", "interpolated-v2h2").kind
    'grammar'
    """
    family = find_family(kind)
    preset = family.preset(settings) if isinstance(settings, str) else None
    if preset is not None:
        settings = preset.settings
    if "preset" in values:
        raise InputError(
            "there is no setting preset: a preset is the third argument: "
            f"train({kind!r}, trees, {values['preset']!r})"
        )
    chosen = change_settings(settings or family.settings, _as_options(values))
    transformation = preset.transformation if preset else family.transformation
    gold = training_trees(development, transformation)
    trainer = family.trainer(training_trees(trees, transformation), chosen, {})
    return Runner(trainer, gold).run()


def _as_options(values: Mapping[str, object]) -> dict[str, object]:
    """Return values by the command-line names of their settings."""
    return {name.replace("_", "-"): value for name, value in values.items()}
