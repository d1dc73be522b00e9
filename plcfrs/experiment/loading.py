"""The YAML file of an experiment: read, checked, and completed by the defaults."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

from plcfrs.chart.budget import BudgetSettings
from plcfrs.errors import InputError
from plcfrs.evaluation import prm
from plcfrs.evaluation.report import Cell
from plcfrs.experiment.scores import KINDS, Experiment, ParserPlan, Published, ScorePlan, TreeSet
from plcfrs.experiment.section import Section, load_section
from plcfrs.parsing.registry import MODULES, NoOptions, families, find_family
from plcfrs.settings import setting, settings_of
from plcfrs.storage.included import model_path
from plcfrs.storage.model_file import DEFAULT_KIND
from plcfrs.transformation import Options
from plcfrs.treebank import FORMATS
from plcfrs.treebank.reading import Selection, parse_ranges
from plcfrs.trees.heads import PACKAGED

_TOP = ("treebank", "files", "transformations", "sets", "parsers", "scores")
_NAME = re.compile(r"[\w'(][\w' ()+=,.-]{0,99}")
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
        If it cannot be read, or has an unknown key, a bad value or an undefined name.
    """
    top = load_section(Path(path))
    experiment = top.read(Experiment(Path(path).stem), _TOP)
    for key in ("treebank", "sets", "scores"):
        top.check_is_there(key)
    reader = _Reader(Path(path).parent)
    sets = reader.sets(top)
    parsers = {}
    for name, section in _expanded(top.sections("parsers")):
        _check_name(name, section)
        parsers[name] = _parser(section, list(sets))
        _check_members(section, parsers[name], list(parsers)[:-1])
    scores: dict[str, ScorePlan] = {}
    for item in top.items("scores"):
        plan = reader.score(item, list(sets), list(parsers))
        if plan.title in scores:
            raise item.error("title", f"{plan.title!r} occurs twice: give each table its own title")
        scores[plan.title] = plan
    return replace(experiment, sets=sets, parsers=parsers, scores=tuple(scores.values()))


@dataclass(frozen=True)
class _Treebank:
    path: str = setting("", "A file, a folder, a zip archive, or a packaged one.", is_needed=True)
    format: str | None = setting(None, "By default the file tells.", choices=tuple(FORMATS))
    encoding: str = setting("utf-8", "Of the files.")


@dataclass(frozen=True)
class _Set:
    files: str | None = setting(None, "A list of files; by default all of the treebank.")
    max_length: int | None = setting(None, "The greatest number of tokens.", least=1)
    transformation: str | None = setting(None, "How the trees are transformed.")


@dataclass(frozen=True)
class _Reader:
    """Reads the sections with file names, which are relative to a folder."""

    folder: Path

    def sets(self, top: Section) -> dict[str, TreeSet]:
        """Read the treebank, the lists of files, the transformations and the sets."""
        treebank = top.section("treebank").read(_Treebank())
        base = self._located(treebank.path)
        files = top.section("files")
        lists = {name: [f"{base}/{file}" for file in files.texts(name)] for name in files.content}
        transformations = {
            name: self._transformation(section)
            for name, section in top.sections("transformations").items()
        }
        sets = {}
        for name, section in top.sections("sets").items():
            _check_name(name, section)
            chosen = section.read(
                _Set(), ["sentences"], files=list(lists), transformation=list(transformations)
            )
            sets[name] = TreeSet(
                tuple(lists[chosen.files]) if chosen.files else (base,),
                treebank.format,
                treebank.encoding,
                Selection(_ranges(section), chosen.max_length),
                transformations[chosen.transformation] if chosen.transformation else Options(),
            )
        return sets

    def score(self, item: Section, sets: Sequence[str], parsers: Sequence[str]) -> ScorePlan:
        """Read the plan of a table."""
        kind = item.needed_choice("kind", tuple(KINDS))
        plan = self._with_files(item, ScorePlan, prm.PACKAGED).read(
            ScorePlan(kind, kind.capitalize()),
            ["kind", "gold", "parsers", "published"],
            partition=sets,
        )
        published = _published(item.section("published")) if "published" in item else None
        return replace(plan, gold=_gold(item, kind, sets, parsers), published=published)

    def _transformation(self, section: Section) -> Options:
        return self._with_files(section, Options, PACKAGED).read(Options())

    def _with_files(self, section: Section, kind: type, packaged: Sequence[str]) -> Section:
        """Return a section whose values of settings that are files are relative to the folder."""
        located = {
            each.option: self._located(name, packaged)
            for each in settings_of(kind)
            if each.form == "file" and isinstance(name := section.content.get(each.option), str)
        }
        return Section({**section.content, **located}, section.place)

    def _located(self, name: str, packaged: Sequence[str] = ()) -> str:
        is_elsewhere = name in packaged or name.startswith(_ELSEWHERE)
        return name if is_elsewhere else str(self.folder / name)


def _expanded(sections: dict[str, Section]) -> Iterator[tuple[str, Section]]:
    """Yield the parsers: one for each combination of the values of a grid."""
    for name, section in sections.items():
        if "grid" not in section:
            yield name, section
            continue
        others = {key: value for key, value in section.content.items() if key != "grid"}
        grid = _grid(section, name)
        for values in product(*grid.values()):
            chosen = dict(zip(grid, values, strict=True))
            shown = name
            for key, value in chosen.items():
                shown = shown.replace(f"{{{key}}}", str(value))
            content = _with_values(others, chosen)
            yield shown, Section(content, section.place.replace(name, shown))


def _with_values(content: dict[str, object], chosen: dict[str, object]) -> dict[str, object]:
    """Return the section of one parser of a grid; {KEY} in names of members stands for a value."""
    members = content.get("members")
    if not isinstance(members, list):
        return {**content, **chosen}
    filled = [str(member) for member in members]
    for key, value in chosen.items():
        filled = [member.replace(f"{{{key}}}", str(value)) for member in filled]
    kind = str(content.get("kind", DEFAULT_KIND))
    settings = find_family(kind).settings if kind in MODULES else NoOptions()
    known = [each.option for each in settings_of(settings)]
    own = {key: value for key, value in chosen.items() if key in known}
    return {**content, **own, "members": filled}


def _grid(section: Section, name: str) -> dict[str, list[object]]:
    """Return the values of each option of a grid."""
    grid = section.section("grid")
    known = [each.option for family in families().values() for each in settings_of(family.settings)]
    grid.check_keys(dict.fromkeys(["kind", "preset", *known]))
    options: dict[str, list[object]] = {}
    for key, values in grid.content.items():
        if not isinstance(values, list) or not values:
            raise grid.error(key, "expected a list of values, such as [1, 2]")
        if f"{{{key}}}" not in name:
            raise grid.error(key, f"the name of the parser must contain {{{key}}}")
        options[key] = values
    return options


def _parser(section: Section, sets: Sequence[str]) -> ParserPlan:
    family = find_family(section.choice("kind", tuple(MODULES), DEFAULT_KIND))
    training = {each.option for each in settings_of(family.settings)}
    # The same name means different things in training and in parsing, but for votes.
    ambiguous = training - {"votes"}
    parsing = {each.option for each in settings_of(family.options)} - ambiguous
    budget = {each.option for each in settings_of(BudgetSettings) if family.can("budget")}
    others = {"kind", *training, *parsing, *budget, *(["preset"] if family.presets else [])}
    plan = section.read(
        ParserPlan(family.kind),
        sorted(others),
        **dict.fromkeys(["training", "test", "development"], sets),
        objective=family.objectives,
    )
    name = section.choice("preset", tuple(family.presets), None)
    start = family.presets[name].settings if name else family.settings
    return replace(
        plan,
        settings=section.settings(start),
        options=section.settings(family.options, without=ambiguous),
        budget=section.settings(BudgetSettings()).chosen,
    )


def _check_members(section: Section, plan: ParserPlan, above: Sequence[str]) -> None:
    """Raise if a member of a combined parser is neither a parser above it nor a file."""
    for member in plan.members:
        if member not in above and not model_path(member).is_file():
            known = f": the parsers above it are {', '.join(above)}" * bool(above)
            raise section.error("members", f"{member!r} is neither a parser nor a file{known}")


def _gold(
    item: Section, kind: str, sets: Sequence[str], parsers: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """Return the gold sets of a table, each with the parsers scored against it."""
    if isinstance(item.content.get("gold"), dict):
        if kind != "brackets":
            raise item.error(
                "gold", f"a table of {kind} needs the name of one set: {', '.join(sets)}"
            )
        below = item.section("gold")
        below.check_keys(sets)
        return {name: _chosen(below, name, parsers) for name in below.content}
    gold = item.needed_choice("gold", sets)
    return {gold: () if kind == "reattachment" else _chosen(item, "parsers", parsers)}


def _chosen(section: Section, key: str, parsers: Sequence[str]) -> tuple[str, ...]:
    """Return the wanted parsers, all by default."""
    chosen = section.choices(key, parsers, tuple(parsers))
    if not chosen:
        raise section.error(key, f"expected at least one parser of: {', '.join(parsers) or 'none'}")
    return chosen


def _published(section: Section) -> Published:
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


def _ranges(section: Section) -> tuple[range, ...]:
    if "sentences" not in section:
        return ()
    try:
        return parse_ranges(str(section.content["sentences"]))
    except InputError as error:
        raise section.error("sentences", str(error)) from None


def _check_name(name: str, section: Section) -> None:
    """Raise if the name cannot be a file name."""
    if not _NAME.fullmatch(name):
        raise InputError(
            f"{section.place}: the name is also a file name: use letters, digits, blanks "
            "and ' ( ) + = , . - _"
        )
