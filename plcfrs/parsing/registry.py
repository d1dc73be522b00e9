"""All families of parsers: what each can do, how one is trained, and how a model is loaded.

Commands, experiments and the page know a family only by its description here. To add one, write a
package with a tuple ``FAMILIES`` and enter it in `MODULES`. It is imported only when one of its
families is used.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from plcfrs.budget import DEFAULT, Budget
from plcfrs.errors import GrammarError, InputError
from plcfrs.grammar.formats import check_is_model
from plcfrs.grammar.grammar import Inspection
from plcfrs.learning.runner import Runner, Trainer
from plcfrs.parsing.parse import Capability
from plcfrs.parsing.sentence import Sentence
from plcfrs.parsing.sentence_parser import SentenceParser
from plcfrs.settings import change_settings
from plcfrs.storage.included import SAME_ANNOTATION, is_included
from plcfrs.storage.model_file import COMPLETION, kind_of
from plcfrs.transformation import Options
from plcfrs.transformation.presets import change_all
from plcfrs.treebank import read_trees
from plcfrs.treebank.compilation import compile_trees
from plcfrs.treebank.reading import checked_trees
from plcfrs.trees import Tree
from plcfrs.trees.annotation import ANNOTATION

if TYPE_CHECKING:
    from plcfrs.completion.lessons import TreeLessons


@dataclass(frozen=True)
class NoOptions:
    """The options of a family without options."""


def training_trees(
    trees: str | Path | Iterable[Tree], transformation: Options, lessons: TreeLessons | None = None
) -> Sequence[Tree]:
    """Return trees to train or score on: transformed trees, or a treebank read and transformed.

    All of them are added to the lessons.
    """
    if isinstance(trees, str | Path):
        read = read_trees(trees)
        changed = lessons.transformed(read) if lessons else change_all(read, transformation)
        return compile_trees(changed)
    checked = checked_trees(trees)
    return list(lessons.watched(checked) if lessons else checked)


class Preset(NamedTuple):
    """Well-known settings, with the transformation of trees that belongs to them."""

    settings: Any
    transformation: Options


class Length(NamedTuple):
    """The length of a derivation without FINISH and IDLE; moves are gaps, swaps or skips.

    `most` is the most moves made at once. The formula of the longest possible derivation (Coavoux
    and Crabbé 2017, appendix A.1) is for trees without unary nodes.
    """

    transitions: int
    moves: int
    most: int
    longest_possible: str


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
        Gets trees, settings, and a description of how the trees were made; returns the trainer.
        See also `trained_by`.
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
    is_annotated : bool
        Whether training learns functions and null elements; combined parsers have those of a
        member.
    lengths : callable, optional
        Gets a tree with heads marked; returns the length of its derivation in each system by the
        name of the system. Only of families with transitions.
    """

    kind: str
    extension: str
    title: str
    load: Callable[..., SentenceParser]
    trainer: Callable[..., Trainer[Any]]
    inspect: Callable[[Path], Inspection]
    settings: Any = NoOptions()
    options: Any = NoOptions()
    objectives: tuple[str, ...] = ()
    capabilities: frozenset[Capability] = frozenset()
    presets: Mapping[str, Preset] = field(default_factory=dict)
    transformation: Options = Options()
    is_annotated: bool = True
    lengths: Callable[[Tree], Mapping[str, Length]] | None = None

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


def trained_by(
    module: str, name: str, check: Callable[[Any], object] = lambda _settings: None
) -> Callable[..., Trainer[Any]]:
    """Return the trainer of a family, whose module is imported when a training begins.

    Parameters
    ----------
    module, name : str
        Where the class is, and its name.
    check : callable
        Gets the settings before the import; raises an InputError if a library is missing.
    """

    def trainer(trees: Sequence[Tree], settings: object, about: Mapping[str, str]) -> Trainer[Any]:
        check(settings)
        found: Trainer[Any] = getattr(import_module(module), name)(trees, settings, about)
        return found

    return trainer


MODULES = {
    "grammar": "plcfrs.parsers.grammar",
    "refined": "plcfrs.parsers.refined",
    "features": "plcfrs.parsers.features",
    **dict.fromkeys(["gap", "cgap", "swap", "skipshift"], "plcfrs.parsers.transition"),
    "reduction": "plcfrs.parsers.reduction",
    "neural": "plcfrs.parsers.neural",
    "combined": "plcfrs.parsers.combined",
}
"""The modules of all families, by the names of the families."""

_REPLACED = {"set-based": "transitions", "spans": "spans", "joint": "both"}
"""Families of plcfrs 0.2 that are neural parsers now, with these heads."""


def families() -> dict[str, Family]:
    """Return all families by their names."""
    return {kind: _imported(kind) for kind in MODULES}


def _imported(kind: str) -> Family:
    known: tuple[Family, ...] = import_module(MODULES[kind]).FAMILIES
    return next(family for family in known if family.kind == kind)


def find_family(kind: str) -> Family:
    """Return a family.

    Raises
    ------
    InputError
        If the family is unknown.
    """
    if not isinstance(kind, str):
        raise InputError('the first argument is the kind of parser, such as "grammar"')
    if kind in _REPLACED:
        raise InputError(f"neural has replaced the parser {kind!r}: use neural {_heads(kind)}")
    if kind not in MODULES:
        raise InputError(f"there is no parser {kind!r}: expected one of {', '.join(MODULES)}")
    return _imported(kind)


def _heads(kind: str) -> str:
    """Return the option of neural parsers that replaces a family."""
    return f"--heads {_REPLACED[kind]}"


def family_of(path: str | Path) -> Family:
    """Return the family of the model in a file.

    Raises
    ------
    GrammarError
        If the file cannot be read, is a treebank, or its model belongs to an unknown family.
    """
    check_is_model(path)
    kind = kind_of(path)
    if kind in _REPLACED:
        raise GrammarError(
            f"{path}: a model of the kind {kind}, which plcfrs 0.3 replaced by neural: train it "
            f"again with plcfrs train neural {_heads(kind)}"
        )
    if kind == COMPLETION:
        raise GrammarError(f"{path}: this model completes trees and cannot parse: use complete")
    if kind not in MODULES:
        raise GrammarError(
            f"{path}: a model of the kind {kind!r}, which this plcfrs does not know: upgrade with "
            "pip install --upgrade plcfrs"
        )
    return _imported(kind)


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
        If the option is unknown to the family, or its value is impossible.

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
    chosen = change_settings(family.options, _by_option(options))
    parser = family.load(path, budget=budget, **vars(chosen))
    parser.reads_text = is_included(path)
    if str(path) in SAME_ANNOTATION:
        from plcfrs.completion import Completion  # here, since Numba takes long to import

        parser.completion = Completion.find(path)
    return parser


def load_completer(path: str | Path) -> Callable[[Tree], Tree]:
    """Read what gives trees functions and null elements: a parser, or a completion alone.

    The network of a parser reads the words of each tree.

    Raises
    ------
    GrammarError
        If the file is missing or damaged, or a parser that has learned no annotation.
    """
    from plcfrs.completion import Completion  # here, since Numba takes long to import
    from plcfrs.completion.model import nothing_learned

    if kind_of(path) == COMPLETION:
        return Completion.load(path)
    parser = load_model(path)
    if parser.completion is None:
        raise nothing_learned(path)
    return lambda tree: parser.complete(Sentence.of(tree), tree)


def train(
    kind: str,
    trees: str | Path | Iterable[Tree],
    settings: object = None,
    *,
    development: str | Path | Iterable[Tree] = (),
    annotation: Collection[str] = ANNOTATION,
    **values: Any,  # noqa: ANN401 (each family has its own)
) -> SentenceParser:
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
    annotation : collection of str
        What parses get beside categories: "functions", "nulls", where the trees have them.
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
        If a family, setting or preset is unknown, a file is missing, or one of the trees is not a
        tree.

    Examples
    --------
    >>> model = train("gap", "plcfrs:demo", epochs=8)
    >>> model.parse("What should we do ?").tree.gap_degree()
    1
    >>> train("grammar", "plcfrs:demo", "interpolated-v2h2").kind
    'grammar'
    """
    family = find_family(kind)
    transformation = family.transformation
    if isinstance(settings, str):
        settings, transformation = family.preset(settings)
    if "preset" in values:
        raise InputError(
            "there is no setting preset: a preset is the third argument: "
            f"train({kind!r}, trees, {values['preset']!r})"
        )
    chosen = change_settings(settings or family.settings, _by_option(values))
    from plcfrs.completion import Completion  # here, since Numba takes long to import
    from plcfrs.completion.lessons import TreeLessons

    gold = training_trees(development, transformation)
    lessons = TreeLessons(transformation, annotation if family.is_annotated else ())
    trainer = family.trainer(training_trees(trees, transformation, lessons), chosen, {})
    model: SentenceParser = Runner(trainer, gold).run(Completion.of(lessons))
    return model


def _by_option(values: Mapping[str, object]) -> dict[str, object]:
    """Return values by the command-line names of their settings."""
    return {name.replace("_", "-"): value for name, value in values.items()}
