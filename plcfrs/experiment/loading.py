"""Reading the YAML file of an experiment: values are checked, and defaults added."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fnmatch import fnmatchcase
from itertools import product
from pathlib import Path
from typing import Any

from plcfrs.budget import BudgetSettings
from plcfrs.errors import InputError
from plcfrs.evaluation import prm
from plcfrs.evaluation.report import Cell
from plcfrs.experiment.plan import Experiment, ParserPlan, Published, ScorePlan, TreeSet
from plcfrs.experiment.scores import KINDS, OVERVIEWS, check_columns
from plcfrs.experiment.section import YamlSection, load_section
from plcfrs.parsing.registry import MODULES, family_of, find_family
from plcfrs.settings import setting, settings_of
from plcfrs.storage.included import model_path
from plcfrs.storage.model_file import DEFAULT_KIND
from plcfrs.transformation import Options
from plcfrs.treebank import FORMATS
from plcfrs.treebank.reading import Selection, parse_ranges
from plcfrs.trees.heads import PACKAGED

_TOP = ("treebank", "files", "transformations", "sets", "parsers", "scores")
_NAME = re.compile(r"[\w'(][\w' ()+=,.-]{0,99}")
_SEED = re.compile(r" seed \d+$")
_ELSEWHERE = ("nltk:", "plcfrs:")


def load_experiment(path: str | Path) -> Experiment:
    """Read the file of an experiment.

    Parameters
    ----------
    path : str or Path
        A YAML file; ``docs/reference/experiment-file.md`` explains its keys. File names in it are
        relative to its folder.

    Raises
    ------
    InputError
        If the file cannot be read, or has an unknown key, a bad value or an undefined name.
    """
    top = load_section(Path(path))
    experiment = top.read(Experiment(Path(path).stem), _TOP)
    for key in ("sets", "scores"):
        top.check_is_there(key)
    reader = _Reader(Path(path).parent)
    sets = reader.sets(top)
    parsers = _parsers(top, list(sets))
    scores: dict[str, ScorePlan] = {}
    for item in top.items("scores"):
        plan = reader.score(item, list(sets), parsers)
        if plan.title in scores:
            raise item.error("title", f"{plan.title!r} occurs twice: give each table its own title")
        scores[plan.title] = plan
    return replace(experiment, sets=sets, parsers=parsers, scores=tuple(scores.values()))


@dataclass(frozen=True)
class _Treebank:
    path: str = setting("", "A file, a folder, a zip archive, or an included treebank.")
    format: str | None = setting(None, "The format; by default recognized.", choices=tuple(FORMATS))
    encoding: str = setting("utf-8", "The encoding of the files.")


@dataclass(frozen=True)
class _Set(_Treebank):
    files: str | None = setting(None, "A list of files; by default all files of the treebank.")
    max_length: int | None = setting(None, "The greatest number of tokens.", least=1)
    every: int = setting(1, "Keep only every N-th tree.", least=1)
    skip_bad: bool = setting(False, "Leave out malformed trees.")
    transformation: str | None = setting(None, "How the trees are transformed.")


@dataclass(frozen=True)
class _Reader:
    """Reads the sections with names of files, which are relative to a folder."""

    folder: Path

    def sets(self, top: YamlSection) -> dict[str, TreeSet]:
        """Read the treebank, the lists of files, the transformations and the sets."""
        treebank = top.section("treebank").read(_Treebank())
        if "treebank" in top:
            top.section("treebank").check_is_there("path")
        files = top.section("files")
        transformations = {
            name: self._with_files(section, Options, PACKAGED).read(Options())
            for name, section in top.sections("transformations").items()
        }
        sets = {}
        for name, section in top.sections("sets").items():
            _check_name(name, section)
            chosen = section.read(
                _Set(**asdict(treebank)),
                ["sentences"],
                files=files.content,
                transformation=transformations,
            )
            if not chosen.path:
                top.check_is_there("treebank")
            base = self._located(chosen.path)
            names = [f"/{file}" for file in files.texts(chosen.files)] if chosen.files else [""]
            sets[name] = TreeSet(
                tuple(base + name for name in names),
                chosen.format,
                chosen.encoding,
                Selection(_ranges(section), chosen.max_length),
                transformations[chosen.transformation] if chosen.transformation else Options(),
                chosen.every,
                chosen.skip_bad,
            )
        return sets

    def score(
        self, item: YamlSection, sets: Sequence[str], parsers: Mapping[str, ParserPlan]
    ) -> ScorePlan:
        """Read the plan of a table."""
        kind = item.choice("kind", KINDS)
        plan = self._with_files(item, ScorePlan, prm.PACKAGED).read(
            ScorePlan(kind, kind.capitalize()),
            ["kind", "gold", "parsers", "without", "published"],
            partition=sets,
        )
        try:
            check_columns(plan)
        except InputError as error:
            raise item.error("columns", str(error)) from None
        published = _published(item.section("published")) if "published" in item else None
        return replace(plan, gold=_gold(item, kind, sets, parsers), published=published)

    def _with_files(self, section: YamlSection, kind: type, packaged: Sequence[str]) -> YamlSection:
        """Return a section with the paths of files in its settings."""
        files = [setting.option for setting in settings_of(kind) if setting.read is not None]
        located = {
            option: self._located(name, packaged)
            for option in files
            if isinstance(name := section.content.get(option), str)
        }
        return YamlSection({**section.content, **located}, section.place)

    def _located(self, name: str, packaged: Sequence[str] = ()) -> str:
        is_elsewhere = name in packaged or name.startswith(_ELSEWHERE)
        return name if is_elsewhere else str(self.folder / name)


def _parsers(top: YamlSection, sets: Sequence[str]) -> dict[str, ParserPlan]:
    """Read the parsers: one for each combination of a grid, and for each seed."""
    plans: dict[str, ParserPlan] = {}
    seeds: dict[str, int] = {}
    for name, section in _expanded(top.sections("parsers")):
        plan = _parser(section, sets, plans)
        number = plan.seeds or max(seeds.get(used, 0) for used in ["", *_used(plan)])
        for seed in range(1, number + 1) or [0]:
            seeded = _with_seed(plan, seed, seeds) if seed else plan
            seeded_name = _name_with_seed(name, seed) if seed else name
            _check_name(seeded_name, section)
            for used in _used(seeded):
                _check_is_there(section, used, plans)
            plans[seeded_name] = seeded
        if number:
            seeds[name] = number
    return plans


def _expanded(sections: dict[str, YamlSection]) -> Iterator[tuple[str, YamlSection]]:
    """Yield the parsers: one for each combination of the values of a grid."""
    for name, section in sections.items():
        grid = section.section("grid")
        for key, values in grid.content.items():
            if not isinstance(values, list) or not values:
                raise grid.error(key, "expected a list of values, such as [1, 2]")
            if f"{{{key}}}" not in name:
                raise grid.error(key, f"the name of the parser must contain {{{key}}}")
        others = {key: value for key, value in section.content.items() if key != "grid"}
        for values in product(*grid.content.values()):
            chosen = dict(zip(grid.content, values, strict=True))
            shown = name
            for key, value in chosen.items():
                shown = shown.replace(f"{{{key}}}", str(value))
            yield shown, YamlSection({**others, **chosen}, section.place.replace(name, shown))


def _parser(
    section: YamlSection, sets: Sequence[str], above: Mapping[str, ParserPlan]
) -> ParserPlan:
    family = find_family(_kind(section, above))
    is_trained = "model" not in section
    training = _options_of(family.settings) if is_trained else set()
    # The same name means different things in training and in parsing, except votes.
    ambiguous = training - {"votes"}
    parsing = _options_of(family.options) - ambiguous
    budget = _options_of(BudgetSettings) if family.can("budget") else set()
    others = {*training, *parsing, *budget, *(["kind"] if is_trained else [])}
    if is_trained and family.presets:
        others.add("preset")
    plan = section.read(
        ParserPlan(family.kind),
        sorted(others),
        **dict.fromkeys(["training", "test", "development"], sets),
        objective=family.objectives,
    )
    if is_trained:
        section.check_is_there("training", sets)
    if plan.seeds and "seed" not in training:
        raise section.error("seeds", f"{family.title} has no seed")
    start = family.settings
    if "preset" in section:
        start = family.presets[section.choice("preset", family.presets)].settings
    return replace(
        plan,
        settings=section.settings(start) if is_trained else None,
        options=section.settings(family.options, without=ambiguous),
        budget=section.settings(BudgetSettings()).chosen,
    )


def _kind(section: YamlSection, above: Mapping[str, ParserPlan]) -> str:
    """Return the kind of a parser: the kind of its model, or the one to train."""
    name = section.content.get("model")
    if not isinstance(name, str):
        return section.choice("kind", MODULES, DEFAULT_KIND)
    for parser in (name, _name_with_seed(name, 1)):
        if parser in above:
            return above[parser].kind
    _check_is_there(section, name, above)
    return family_of(model_path(name)).kind


def _options_of(settings: Any) -> set[str]:  # noqa: ANN401 (of any family)
    return {setting.option for setting in settings_of(settings)}


def _name_with_seed(name: str, seed: int) -> str:
    return f"{name} seed {seed}"


def _used(plan: ParserPlan) -> list[str]:
    """Return the other parsers, or model files, that a parser is made of."""
    return [name for name in (plan.model, plan.silver, *plan.members) if name]


def _with_seed(plan: ParserPlan, seed: int, seeds: Mapping[str, int]) -> ParserPlan:
    """Return the parser with one of several seeds, made of parsers with the same seed."""

    def named(name: str) -> str:
        return _name_with_seed(name, seed) if name in seeds else name

    settings = plan.settings
    if plan.members:
        settings = replace(settings, members=tuple(map(named, plan.members)))
    if plan.seeds:  # products of grammars must not share a grammar
        step = getattr(settings, "grammars", 1)
        settings = replace(settings, seed=settings.seed + (seed - 1) * step)
    return replace(
        plan,
        settings=settings,
        model=plan.model and named(plan.model),
        silver=plan.silver and named(plan.silver),
    )


def _check_is_there(section: YamlSection, name: str, above: Mapping[str, ParserPlan]) -> None:
    """Raise an InputError if another parser is neither above this one nor a file."""
    if name not in above and not model_path(name).is_file():
        known = f": the parsers above it are {', '.join(above)}" * bool(above)
        key = next((key for key in ("model", "silver") if section.content.get(key)), "members")
        raise section.error(key, f"{name!r} is neither a parser nor a file{known}")


def _gold(
    item: YamlSection, kind: str, sets: Sequence[str], parsers: Mapping[str, ParserPlan]
) -> dict[str, tuple[str, ...]]:
    """Return the gold sets of a table, each with the parsers scored against it."""
    if isinstance(item.content.get("gold"), dict):
        if kind != "brackets":
            raise item.error("gold", f"{kind} needs the name of one set: {', '.join(sets)}")
        below = item.section("gold")
        below.check_keys(sets)
        return {name: _chosen(below, name, list(parsers)) for name in below.content}
    if "gold" not in item and kind in OVERVIEWS:
        names = _chosen(item, "parsers", list(parsers))
        tests = dict.fromkeys(parsers[name].test for name in names)
        return {test: tuple(name for name in names if parsers[name].test == test) for test in tests}
    gold = item.choice("gold", sets)
    return {gold: () if kind == "reattachment" else _chosen(item, "parsers", list(parsers))}


def _chosen(section: YamlSection, key: str, parsers: Sequence[str]) -> tuple[str, ...]:
    """Return the chosen parsers, all by default."""
    included = _matching(section, key, parsers) if key in section else list(parsers)
    excluded = _matching(section, "without", parsers) if "without" in section else []
    chosen = tuple(name for name in included if name not in excluded)
    if not chosen:
        raise section.error(key, f"expected at least one parser of: {', '.join(parsers) or 'none'}")
    return chosen


def _matching(section: YamlSection, key: str, parsers: Sequence[str]) -> list[str]:
    """Return the parsers with these names; ``*`` is any text, and names may leave out the seed."""
    matching: list[str] = []
    for pattern in section.texts(key):
        names = [
            name
            for name in parsers
            if fnmatchcase(name, pattern) or fnmatchcase(_SEED.sub("", name), pattern)
        ]
        if not names:
            raise section.unknown(key, pattern, parsers)
        matching += names
    return list(dict.fromkeys(matching))


def _published(section: YamlSection) -> Published:
    section.check_keys(["columns", "rows"])
    columns, rows = section.texts("columns"), section.section("rows")
    figures: dict[str, list[Cell]] = {}
    for name, cells in rows.content.items():
        if not isinstance(cells, list) or len(cells) != len(columns):
            raise rows.error(name, f"expected a list of {len(columns)} figures, one per column")
        for cell in cells:
            if isinstance(cell, bool) or not isinstance(cell, int | float | None):
                raise rows.error(name, f"{cell!r} is not a figure: write a number, or ~ for none")
        figures[name] = cells
    return Published(list(columns), figures)


def _ranges(section: YamlSection) -> tuple[range, ...]:
    if "sentences" not in section:
        return ()
    try:
        return parse_ranges(str(section.content["sentences"]))
    except InputError as error:
        raise section.error("sentences", str(error)) from None


def _check_name(name: str, section: YamlSection) -> None:
    """Raise an InputError if the name cannot be a file name."""
    if not _NAME.fullmatch(name):
        raise InputError(
            f"{section.place}: the name is also a file name: use letters, digits, blanks "
            "and ' ( ) + = , . - _"
        )
