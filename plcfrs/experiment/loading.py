"""The YAML file of an experiment: read, checked, and completed by the defaults."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from plcfrs.chart.budget import BudgetSettings
from plcfrs.errors import InputError
from plcfrs.evaluation import load_settings, prm
from plcfrs.evaluation.report import Cell
from plcfrs.experiment.published import Published
from plcfrs.experiment.scores import KINDS, Experiment, ParserPlan, ScorePlan, TreeSet
from plcfrs.experiment.section import Section, load_section
from plcfrs.parsing.registry import MODULES, NoOptions, families, find_family
from plcfrs.settings import settings_of
from plcfrs.storage.model_file import DEFAULT_KIND
from plcfrs.transformation import Options
from plcfrs.treebank import FORMATS
from plcfrs.treebank.reading import Selection, parse_ranges
from plcfrs.trees.heads import PACKAGED

_TOP = (
    *("title", "treebank", "files", "transformations", "sets", "parsers", "count-items"),
    "scores",
)
_PARSER = ("kind", "training", "test", "development", "gold-tags", "objective")
_SCORE = ("kind", "title", "gold", "parsers", "partition", "settings", "show", "published")
_NAME = re.compile(r"[\w'(][\w' ()+=,.-]{0,99}")
_SHOWN = 5
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
    top.check_keys(_TOP)
    title = top.text("title", Path(path).stem)
    count_items = top.switch("count-items", default=False)
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
    return Experiment(title, sets, parsers, tuple(scores.values()), count_items)


@dataclass(frozen=True)
class _Reader:
    """Reads the sections with file names, which are relative to a folder."""

    folder: Path

    def sets(self, top: Section) -> dict[str, TreeSet]:
        """Read the treebank, the lists of files, the transformations and the sets."""
        treebank = top.section("treebank")
        treebank.check_keys(["path", "format", "encoding"])
        treebank.check_is_there("path")
        base = self._located(treebank.text("path", ""))
        format = treebank.choice("format", list(FORMATS), None)
        encoding = treebank.text("encoding", "utf-8")
        files = top.section("files")
        lists = {name: [f"{base}/{file}" for file in files.texts(name)] for name in files.content}
        transformations = {
            name: self._transformation(section)
            for name, section in top.sections("transformations").items()
        }
        sets = {}
        for name, section in top.sections("sets").items():
            _check_name(name, section)
            section.check_keys(["files", "sentences", "max-length", "transformation"])
            chosen = section.choice("files", list(lists), None)
            transformation = section.choice("transformation", list(transformations), None)
            sets[name] = TreeSet(
                tuple(lists[chosen]) if chosen else (base,),
                format,
                encoding,
                Selection(_ranges(section), section.number("max-length", 1, None)),
                transformations[transformation] if transformation else Options(),
            )
        return sets

    def score(self, item: Section, sets: Sequence[str], parsers: Sequence[str]) -> ScorePlan:
        """Read the plan of a table."""
        item.check_keys(_SCORE)
        kind = item.needed_choice("kind", tuple(KINDS))
        settings = item.text("settings", "field")
        return ScorePlan(
            kind,
            item.text("title", kind.capitalize()),
            _gold(item, kind, sets, parsers),
            item.choice("partition", sets, None),
            load_settings(settings if settings in prm.PACKAGED else self._located(settings)),
            item.number("show", 1, _SHOWN),
            _published(item.section("published")) if "published" in item else None,
        )

    def _transformation(self, section: Section) -> Options:
        known = settings_of(Options())
        located = {
            each.option: self._located(section.text(each.option, ""))
            for each in known
            if each.form == "file" and each.option in section
        }
        content = Section({**section.content, **located}, section.place)
        content.check_keys([each.option for each in known])
        return content.settings(Options())

    def _located(self, name: str) -> str:
        is_elsewhere = name in PACKAGED or name.startswith(_ELSEWHERE)
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
    preset = {"preset"} if family.presets else set()
    section.check_keys([*_PARSER, *sorted(training | parsing | budget | preset)])
    name = section.choice("preset", tuple(family.presets), None)
    start = family.presets[name].settings if name else family.settings
    return ParserPlan(
        family.kind,
        section.needed_choice("training", sets),
        section.needed_choice("test", sets),
        section.choice("development", sets, None),
        section.settings(start),
        section.settings(family.options, without=ambiguous),
        section.choice("objective", family.objectives, None),
        section.switch("gold-tags", default=True),
        section.settings(BudgetSettings()).chosen,
    )


def _check_members(section: Section, plan: ParserPlan, above: Sequence[str]) -> None:
    """Raise if a member of a combined parser is neither a parser above it nor a file."""
    for member in plan.members:
        if member not in above and not Path(member).is_file():
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
