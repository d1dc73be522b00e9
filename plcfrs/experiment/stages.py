"""The stages before the scores: trees are transformed, models are made, sentences are parsed."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any, TextIO

from plcfrs.errors import GrammarError, TreebankError
from plcfrs.experiment.folder import Figures, Folder, Result, digest
from plcfrs.experiment.plan import ParserPlan, Refinement, Transitions, TreeSet
from plcfrs.experiment.tree_lines import dump_tree, read_lines, read_tree_lines
from plcfrs.extraction import Recipe
from plcfrs.pipeline import Learning, Parse, SentenceParser, load_model
from plcfrs.refinement import Cycle, compile_trees, train_product
from plcfrs.transformation import Anomaly, remove_splits, transform_all
from plcfrs.treebank import FORMATS, read_trees, write_trees
from plcfrs.treebank.files import find_sources
from plcfrs.trees import Tree


def transform_set(folder: Folder, name: str, chosen: TreeSet) -> Result:
    """Select and transform the trees of a set.

    The same trees are in ``NAME.export``, for people and other programs.

    Raises
    ------
    TreebankError
        If there are none, or one cannot be read.
    """
    title, file = f"transform {name}", f"trees/{name}.jsonl"

    def build(part: Path) -> Figures:
        anomalies: list[Anomaly] = []
        read = read_trees(chosen.files, chosen.format, chosen.encoding, None, chosen.selection)
        trees = transform_all(read, chosen.transformation, anomalies)
        number = 0
        with part.open("w", encoding="utf-8", newline="\n") as lines:
            for tree in folder.progress(trees, title):
                _write_line(lines, dump_tree(tree))
                number += 1
        if not number:
            raise TreebankError(f"set {name}: no trees were selected")
        _write_export(part, folder.path / file)
        return {"trees": number, "odd annotations": len(anomalies)}

    return folder.make(title, file, chosen, _contents(chosen), build)


def make_model(folder: Folder, name: str, plan: ParserPlan, trees: Mapping[str, Result]) -> Result:
    """Extract the grammar of a parser from its training set, or train it.

    Parameters
    ----------
    folder : Folder
    name : str
    plan : ParserPlan
    trees : mapping of str to Result
        The transformed sets by their names.
    """
    how, training = plan.model, trees[plan.training]
    title = f"{'extract' if isinstance(how, Recipe) else 'train'} {name}"

    def read() -> Iterable[Tree]:
        return folder.progress(read_tree_lines(training.path), title)

    def log(line: str) -> None:
        folder.log(f"{title}: {line}")

    if isinstance(how, Recipe):
        file = f"grammars/{name}.plcfrs"
        return folder.make(title, file, how, [training], lambda part: _extract(how, read(), part))
    if isinstance(how, Refinement):
        file = f"grammars/{name}.refined"
        return folder.make(
            title, file, how, [training], lambda part: _refine(how, read(), part, log)
        )
    development = [trees[how.development]] if how.development else []
    scored = [tree for result in development for tree in read_tree_lines(result.path)]
    return folder.make(
        title,
        f"grammars/{name}.{how.settings.system}",
        how,
        [training, *development],
        lambda part: _learn(how, list(read()), scored, part, log),
    )


def parse_set(folder: Folder, name: str, plan: ParserPlan, grammar: Result, test: Result) -> Result:
    """Parse the test set of a parser; the trees are in ``NAME.export``, too."""
    return _parse(folder, f"parse {name}", f"parses/{name}.jsonl", plan, (grammar, test))


def count_items(
    folder: Folder, name: str, plan: ParserPlan, grammar: Result, test: Result
) -> Result | None:
    """Parse once more with the search of the paper, whose items are counted.

    There is none but for plain grammars.
    """
    if not isinstance(plan.model, Recipe):
        return None
    paper = replace(plan, strategy="knuth", objective="mpd")
    return _parse(folder, f"count items {name}", f"items/{name}.jsonl", paper, (grammar, test))


def _extract(recipe: Recipe, trees: Iterable[Tree], part: Path) -> Figures:
    grammar = recipe.extract(trees)
    binarized = recipe.binarize(grammar) if grammar.rank() > 2 else grammar
    binarized.save(part)
    return {"rules": len(grammar.rules), "binarized": len(binarized.rules)}


def _refine(
    how: Refinement, trees: Iterable[Tree], part: Path, log: Callable[[str], object]
) -> Figures:
    def report(cycle: Cycle) -> None:
        log(f"seed {cycle.seed}, cycle {cycle.number}, {cycle.refinement.states.sum()} substates")

    training = compile_trees(trees, how.markovization)
    refined = train_product(training, how.schedule, how.seeds, after_cycle=report)
    refined.save(part)
    substates = sum(int(refinement.states.sum()) for refinement in refined.refinements)
    return {"binarized": len(refined.grammar.rules), "substates": substates}


def _learn(
    how: Transitions,
    trees: list[Tree],
    development: list[Tree],
    part: Path,
    log: Callable[[str], object],
) -> Figures:
    learning = Learning(trees, how.settings, how.tags, development)
    if part.exists():
        with suppress(GrammarError):  # then the earlier run was interrupted at its very end
            learning.resume(part)
    while learning.epochs < how.epochs:
        epoch = learning.run_epoch()
        learning.save(part)
        score = f", F1 {epoch.f1:.2f}" if epoch.f1 is not None else ""
        log(f"epoch {epoch.number}, {epoch.mistakes} sentences wrong{score}")
    learning.model.save(part)
    return {
        "transitions": len(learning.model.parser.vocabulary.transitions),
        "epoch": learning.best,
    }


def _parse(
    folder: Folder, title: str, file: str, plan: ParserPlan, inputs: tuple[Result, Result]
) -> Result:
    grammar, test = inputs

    def build(part: Path) -> Figures:
        model = load_model(
            grammar.path,
            plan.strategy,
            max_items=plan.max_items,
            max_seconds=plan.max_seconds,
            fallback=plan.fallback,
        )
        trees = list(read_tree_lines(test.path))
        done = _keep_complete_lines(part, trees)
        # The first parse loads the kernels, which should not count as its time.
        _parsed(model, min(trees, key=lambda tree: len(tree.tokens)), plan)
        with part.open("a", encoding="utf-8", newline="\n") as lines:
            for number, tree in enumerate(folder.progress(trees, title)):
                if number >= done:
                    _write_line(lines, _parsed(model, tree, plan))
        _write_export(part, folder.path / file)
        return _summary(part)

    options = [
        *(plan.strategy, plan.objective, plan.gold_tags),
        *(plan.max_items, plan.max_seconds, plan.fallback),
    ]
    return folder.make(title, file, options, inputs, build)


def _parsed(model: SentenceParser[Any], tree: Tree, plan: ParserPlan) -> dict[str, object]:
    start = time.process_time()
    parse: Parse = model.parse_tokens(
        tree.tokens, tagged=plan.gold_tags, sentence=tree.id, objective=plan.objective
    )
    seconds = time.process_time() - start
    return {
        **dump_tree(parse.tree),
        "status": parse.status,
        "cost": None if parse.cost == inf else parse.cost,
        "items": parse.statistics.items,
        "cpu_seconds": round(seconds, 6),
    }


def _keep_complete_lines(part: Path, trees: list[Tree]) -> int:
    """Cut off what an interrupted run left of a last line, and return how many are complete."""
    if not part.exists():
        return 0
    complete = []
    with part.open("rb") as lines:
        for line, tree in zip(lines, trees, strict=False):
            try:
                if not line.endswith(b"\n") or json.loads(line)["id"] != tree.id:
                    break
            except (ValueError, KeyError, TypeError):
                break
            complete.append(line)
    part.write_bytes(b"".join(complete))
    return len(complete)


def _summary(path: Path) -> Figures:
    lines = list(read_lines(path))
    return {
        "sentences": len(lines),
        "parsed": sum(line["status"] == "parsed" for line in lines),
        "items": sum(line["items"] for line in lines),
        "cpu seconds": sum(line["cpu_seconds"] for line in lines),
    }


def _contents(chosen: TreeSet) -> list[Result]:
    """Return the treebank files of a set as inputs."""
    extensions = (
        FORMATS[chosen.format].extensions
        if chosen.format
        else tuple(extension for one in FORMATS.values() for extension in one.extensions)
    )
    contents = []
    for source in find_sources(chosen.files, extensions):
        try:
            with source.open() as file:
                contents.append(Result(Path(source.name), digest(file.read())))
        except OSError as error:
            raise TreebankError(f"cannot be read: {error.strerror}", source.name) from None
    return contents


def _write_export(part: Path, result: Path) -> None:
    trees = map(remove_splits, read_tree_lines(part))
    write_trees(trees, result.with_name(f"{result.stem}.export"))


def _write_line(lines: TextIO, content: dict[str, object]) -> None:
    lines.write(json.dumps(content, ensure_ascii=False) + "\n")
    lines.flush()
