"""Learning: a parser from the accepted trees of a project, and how good it is.

A tenth of the sentences, the same ones for good, is held out of every training. The new parser
proposes trees from then on if it parses them not worse than the one before it.
"""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from time import monotonic
from typing import IO, TYPE_CHECKING, Any

from plcfrs.errors import InputError, PlcfrsError
from plcfrs.project.annotated_sentence import ACCEPTED
from plcfrs.project.document import Document
from plcfrs.project.journal import Entry
from plcfrs.project.settings import ProjectSettings
from plcfrs.storage.files import hold, write_files
from plcfrs.transformation import Options
from plcfrs.treebank import read_trees
from plcfrs.treebank.reading import trainable_trees
from plcfrs.trees import Tree
from plcfrs.trees.heads import PACKAGED, HeadRules, read_head_rules
from plcfrs.trees.training_set import TrainingSet, sentence_hash
from plcfrs.wording import counted

if TYPE_CHECKING:
    from plcfrs.parsing import Family, SentenceParser

DEFAULT_FAMILY = "features"
FEWEST_TREES = 50
HELD_OUT = 0.1
CURVE = "learning.jsonl"

_CACHE = ".cache"
_LOCK = "training.lock"
_STATE = "training.json"
_PRESET = "markov-v1h1"  # of grammars
_SETTINGS = {"tags": "own", "horizontal": 0}  # for words without tags, and few trees

Say = Callable[[str, int, int], None]
"""Gets what the training does, how many steps of it are done, and how many there are."""


@dataclass(frozen=True)
class LearningStep:
    """A point of the curve: what a training has learned from, and how good its parser is.

    Parameters
    ----------
    time, family : str
    trees, held_out : int
        The numbers of trees for learning, and of held-out trees.
    f1_before, f1, functions_before, functions : float or None
        Of constituents and functions, of the parser before it and of the new one.
    untouched : float or None
        The percentage of proposals that were accepted as they were.
    seconds : int
    is_taken : bool
        Whether the new parser has replaced the one before it.
    """

    time: str
    family: str
    trees: int
    held_out: int
    f1_before: float | None
    f1: float | None
    functions_before: float | None
    functions: float | None
    untouched: float | None
    seconds: int
    is_taken: bool

    def __str__(self) -> str:
        outcome = "it proposes trees from now on" if self.is_taken else "the one before it stays"
        scores = f"F1 {_arrow(self.f1_before, self.f1)}"
        if self.functions is not None:
            scores += f", functions {_arrow(self.functions_before, self.functions)}"
        learned = f"a {self.family} parser from {counted(self.trees, 'tree')}"
        return f"{learned}; on {counted(self.held_out, 'held-out tree')}: {scores}; {outcome}"


def lot(sentence_id: str) -> float:
    """Return a number from 0 to below 1 for a sentence, always the same one.

    >>> lot("doc03.014") == lot("doc03.014") < 1
    True
    """
    return zlib.crc32(sentence_id.encode("utf-8", "surrogatepass")) / (1 << 32)


def trained_parser(folder: Path) -> Path:
    """Return the file of the parser that was trained on the project, if any was."""
    return folder / _CACHE / "parser.model"


def current_parser(folder: Path, settings: ProjectSettings) -> str:
    """Return the file of the parser that proposes trees, or an empty text if there is none."""
    trained = trained_parser(folder)
    return str(trained) if trained.is_file() else settings.parser


def accepted_trees(folder: Path) -> list[Tree]:
    """Return the accepted trees of all people, one for each sentence, and gold trees first."""
    people = sorted((folder / "trees").glob("*"), key=lambda path: (path.name != "gold", path.name))
    found: dict[str, Tree] = {}
    for text in sorted((folder / "text").glob("*.jsonl")):
        for person in people:
            document = Document(text, person)
            for name in document.ids():
                if name not in found and document.header(name)["status"] == ACCEPTED:
                    sentence = document[name]
                    if sentence.named is not None:
                        found[name] = sentence.named.tree
    return list(found.values())


def untouched(entries: Iterable[Entry], without_parse: float) -> tuple[int, int]:
    """Return how many proposals were accepted as they were, and how many were accepted.

    Only the first time that a sentence is accepted counts, since later parsers may have learned its
    tree. Sentences that are shown without a parse do not count.
    """
    edits: Counter[str] = Counter()
    proposed: set[str] = set()
    accepted: dict[str, bool] = {}
    for entry in entries:
        name, operation = entry["sentence"], entry["operation"]
        if name in accepted or lot(name) < without_parse:
            continue
        if operation["do"] == "propose":
            proposed.add(name)
        elif operation["do"] == "accept" or operation.get("status") == ACCEPTED:
            accepted[name] = edits[name] == 0
        elif operation["do"] not in ("status", "note", "keep"):
            edits[name] += 1
    counting = [is_untouched for name, is_untouched in accepted.items() if name in proposed]
    return sum(counting), len(counting)


def learn(
    folder: Path, kind: str = DEFAULT_FAMILY, base: str = "", say: Say = lambda *_: None
) -> LearningStep:
    """Train a parser from the accepted trees of a project, and take it if it is not worse.

    Parameters
    ----------
    folder : Path
    kind : str
        The family of the parser.
    base : str
        A treebank to learn from, too; by default that of the settings.
    say : callable
        See `Say`.

    Returns
    -------
    LearningStep

    Raises
    ------
    InputError
        If there are too few trees, or another training runs.
    """
    settings = ProjectSettings.read(folder)
    with _alone(folder):
        tell = partial(_tell, folder, say)
        try:
            step = _learn(folder, settings, kind, base or settings.base, tell)
        except PlcfrsError as error:
            tell(str(error), 1, 1)
            raise
        tell(str(step), 1, 1)
    return step


def _learn(folder: Path, settings: ProjectSettings, kind: str, base: str, say: Say) -> LearningStep:
    start = monotonic()
    say("reading trees", 0, 1)
    learned, held_out = _divided(folder, base)
    model, gold = _trained(kind, learned, held_out, say)
    before = current_parser(folder, settings)
    f1_before, functions_before = _scores(before, gold, say)
    f1, functions = _scores(model, gold, say)
    is_taken = not before or (f1 is not None and f1 >= (f1_before or 0.0))
    if is_taken:
        model.save(trained_parser(folder))
    step = LearningStep(
        datetime.now(timezone.utc).isoformat(timespec="seconds"),
        kind,
        len(learned),
        len(gold),
        f1_before,
        f1,
        functions_before,
        functions,
        _untouched(folder, settings),
        round(monotonic() - start),
        is_taken,
    )
    with (folder / CURVE).open("a", encoding="utf-8") as file:
        file.write(json.dumps(asdict(step)) + "\n")
    return step


def state_of_training(folder: Path) -> dict[str, Any]:
    """Return whether a training runs, what it does or did last, and the curve.

    The stage of a training that ended before its time is the last thing that it did.
    """
    state: dict[str, Any] = {"stage": "", "done": 0, "total": 1}
    if (path := folder / _CACHE / _STATE).is_file():
        state = json.loads(path.read_text(encoding="utf-8"))
    try:
        with _alone(folder):
            running = False
    except InputError:
        running = True
    return {"running": running, **state, "curve": [asdict(step) for step in curve(folder)]}


def curve(folder: Path) -> list[LearningStep]:
    """Return what all trainings of a project have learned, the first one first."""
    return [LearningStep(**content) for content in _lines(folder / CURVE)]


def _alone(folder: Path) -> IO[str]:
    """Keep other processes from training a parser of the same project, until it is closed."""
    taken = f"{folder}: a training runs already: wait for its end"
    return hold(folder / _CACHE / _LOCK, taken)


def _tell(folder: Path, say: Say, stage: str, done: int, total: int) -> None:
    """Write what other processes may ask for, some twenty times for each stage."""
    if done == total or 20 * done // total != 20 * (done - 1) // total:
        state = json.dumps({"stage": stage, "done": done, "total": total}, ensure_ascii=False)
        write_files({folder / _CACHE / _STATE: state.encode()})
        say(stage, done, total)


def _divided(folder: Path, base: str) -> tuple[list[Tree], list[Tree]]:
    """Return the trees to learn from, and the held-out ones."""
    accepted = accepted_trees(folder)
    if len(accepted) < FEWEST_TREES and not base:
        raise InputError(
            f"{folder}: {counted(len(accepted), 'accepted tree')}: the first parser needs "
            f"{FEWEST_TREES}"
        )
    held_out = [tree for tree in accepted if lot(tree.id) < HELD_OUT]
    others = [tree for tree in accepted if lot(tree.id) >= HELD_OUT]
    if base:
        path = str(folder / base) if (folder / base).exists() else base
        others += read_trees(path, on_error=lambda _: None)
    unseen = TrainingSet.of(held_out)
    return [tree for tree in others if sentence_hash(tree) not in unseen], held_out


def _trained(
    kind: str, learned: Sequence[Tree], held_out: Sequence[Tree], say: Say
) -> tuple[SentenceParser, list[Tree]]:
    """Return a parser, and the transformed held-out trees."""
    from plcfrs.completion import Completion  # here, since Numba takes long to import
    from plcfrs.completion.lessons import TreeLessons
    from plcfrs.learning.runner import Runner
    from plcfrs.parsing.registry import find_family
    from plcfrs.transformation.presets import describe, transform_all

    family = find_family(kind)
    options = _options(learned)
    lessons = TreeLessons(options)
    transformed = lessons.transformed(tree.copy() for tree in learned)
    trees = list(trainable_trees(transformed, lambda _: None))
    runner = Runner(family.trainer(trees, _settings_of(family), describe(options)))
    total = runner.trainer.steps * len(runner.left)
    done = 0

    def step() -> None:
        nonlocal done
        done += 1
        say("training", min(done, total), total)

    for _ in runner.rounds(step):
        pass
    model: SentenceParser = runner.finish(Completion.of(lessons))
    return model, list(transform_all(held_out, options))


def _options(trees: Iterable[Tree]) -> Options:
    """Return how trees are transformed: with the head rules that know most of their nodes."""
    nodes = Counter(node.category for tree in trees for node in tree.nodes())

    def known(rules: HeadRules) -> int:
        return sum(number for category, number in nodes.items() if category in rules)

    rules = max(map(read_head_rules, PACKAGED), key=known)
    return Options(splits=(), keep_sbar=True, head_rules=rules)


def _settings_of(family: Family) -> Any:  # noqa: ANN401 (each family has its own)
    from plcfrs.settings import change_settings, settings_of

    settings = family.preset(_PRESET).settings if family.presets else family.settings
    known = {setting.name for setting in settings_of(settings)}
    chosen = {name: value for name, value in _SETTINGS.items() if name in known}
    return change_settings(settings, chosen)


def _scores(
    parser: SentenceParser | str, gold: Sequence[Tree], say: Say
) -> tuple[float | None, float | None]:
    """Return F1 of constituents and of functions, or None if there is nothing to compare."""
    from plcfrs.evaluation import evaluate
    from plcfrs.parsing.registry import load_model

    if not gold or not parser:
        return None, None
    try:
        model = load_model(parser) if isinstance(parser, str) else parser
    except PlcfrsError:  # the file is gone, for example
        return None, None
    parses = []
    for number, tree in enumerate(gold, start=1):
        parses.append(model.parse([token.form for token in tree.tokens]).tree)
        say("comparing", number, len(gold))
    scores = evaluate(gold, parses).all
    has_functions = bool(scores.functions.gold)
    return round(scores.labelled.f1, 2), round(scores.functions.f1, 2) if has_functions else None


def _untouched(folder: Path, settings: ProjectSettings) -> float | None:
    """Return the percentage of proposals that all people have accepted as they were."""
    journals = sorted((folder / "journal").glob("*.jsonl"))
    counts = [untouched(_lines(path), settings.without_parse) for path in journals]
    as_proposed, accepted = map(sum, zip((0, 0), *counts, strict=True))
    return round(100 * as_proposed / accepted, 1) if accepted else None


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the lines of a file to which another process may be writing."""
    with path.open("rb") if path.exists() else nullcontext(()) as lines:
        for line in lines:
            if line.endswith(b"\n"):
                yield json.loads(line)


def _arrow(before: float | None, after: float | None) -> str:
    return " -> ".join(f"{figure:.1f}" for figure in (before, after) if figure is not None) or "-"
