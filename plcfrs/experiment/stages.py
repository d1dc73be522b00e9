"""The stages before scoring: transforming trees, training models, parsing sentences."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import chain, islice
from math import inf
from pathlib import Path
from typing import TextIO

from plcfrs.compiling import working_cpu_time
from plcfrs.corpus.outcomes import in_chunks
from plcfrs.errors import GrammarError, TreebankError
from plcfrs.experiment.folder import (
    Figures,
    Folder,
    Result,
    digest,
    dump_tree,
    load_tree,
    read_lines,
    read_tree_lines,
)
from plcfrs.experiment.plan import Experiment, ParserPlan, TreeSet
from plcfrs.experiment.scores import Results
from plcfrs.learning.runner import Runner
from plcfrs.parsing import Sentence, SentenceParser, find_family, load_model
from plcfrs.parsing.parse import Task
from plcfrs.storage.files import digest_of
from plcfrs.transformation import Anomaly, remove_splits, transform_all
from plcfrs.treebank import FORMATS, read_trees, write_trees
from plcfrs.treebank.compilation import compile_trees
from plcfrs.treebank.files import find_sources, read_blocks
from plcfrs.treebank.registry import EXTENSIONS
from plcfrs.trees import Tree, mark_heads
from plcfrs.trees.heads import HeadRules


def transform_set(folder: Folder, name: str, chosen: TreeSet) -> Result:
    """Select and transform the trees of a set, and write ``NAME.export`` for other programs."""
    title, file = f"transform {name}", f"trees/{name}.jsonl"

    def build(part: Path) -> Figures:
        anomalies: list[Anomaly] = []
        skipped: list[Exception] = []
        on_error = skipped.append if chosen.skip_bad else None
        read = read_trees(chosen.files, chosen.format, chosen.encoding, on_error, chosen.selection)
        transformed = transform_all(read, chosen.transformation, anomalies)
        trees = islice(islice(transformed, 0, None, chosen.every), chosen.most)
        number = 0
        with part.open("w", encoding="utf-8", newline="\n") as lines:
            for tree in folder.progress(trees, title):
                _write_line(lines, dump_tree(tree))
                number += 1
        if not number:
            raise TreebankError(f"set {name}: no trees were selected")
        _write_export(part, folder.path / file)
        return {"trees": number, "odd annotations": len(anomalies)}

    return folder.make(title, file, chosen, _treebank_files(chosen), build)


def make_model(folder: Folder, name: str, plan: ParserPlan, results: Results) -> Result:
    """Extract or train the model of a parser, or return the model of another parser or a file."""
    if plan.model:
        return results.models.get(plan.model) or _model_file(plan.model)
    assert plan.training
    training, family = results.trees[plan.training], find_family(plan.kind)
    development = [results.trees[plan.development]] if plan.development else []
    members = [results.models.get(member) or _model_file(member) for member in plan.members]
    silver = [results.parses[plan.silver]] if plan.silver else []
    rules = results.experiment.sets[plan.training].transformation.head_rules
    title = f"train {name}"

    def build(part: Path) -> Figures:
        parses = chain.from_iterable(_parses(result, rules) for result in silver)
        trees = folder.progress(chain(read_tree_lines(training.path), parses), title)
        compiled = compile_trees(trees)
        scored = [tree for result in development for tree in read_tree_lines(result.path)]
        settings = plan.settings
        if members:
            settings = replace(settings, members=tuple(str(member.path) for member in members))
        runner = Runner(family.trainer(compiled, settings, {}), scored, checkpoint=part)
        if part.exists():
            with suppress(GrammarError):  # the earlier run was interrupted at the end
                runner.resume(part)
        figures: dict[str, float] = {}
        for done in runner.rounds():
            if len(runner.trainer.rounds) > 1:
                folder.log(f"{title}: {done}")
            if done.is_best:
                figures = {**runner.trainer.facts, **done.figures}
        if len(runner.trainer.rounds) > 1 and runner.best is not None:
            figures[runner.trainer.unit] = runner.best
        runner.finish().save(part)
        return figures

    inputs = [training, *development, *members, *silver]
    file = f"models/{name}.{family.extension}"
    return folder.make(title, file, plan.settings, inputs, build)


def _parses(result: Result, rules: HeadRules) -> Iterator[Tree]:
    """Yield the parses of a parser, with heads marked for training."""
    for line in read_lines(result.path):
        if line["status"] == "parsed":
            yield mark_heads(load_tree(line), rules)


def parse_set(
    folder: Folder, title: str, file: str, plan: ParserPlan, grammar: Result, test: Result
) -> Result:
    """Parse the test set of a parser; the parses are also written to ``NAME.export``."""

    def build(part: Path) -> Figures:
        model = load_model(grammar.path, plan.budget, **vars(plan.options))
        trees = list(read_tree_lines(test.path))
        done = _keep_complete_lines(part, trees)
        # The first parse loads the kernels, which should not count as parsing time.
        shortest = min(trees, key=lambda tree: len(tree.tokens))
        _parsed(model, [Sentence.of(shortest)], plan)
        with part.open("a", encoding="utf-8", newline="\n") as lines:
            remaining = islice(folder.progress(trees, title), done, None)
            for chunk in in_chunks(remaining, model.batch_tokens):
                for content in _parsed(model, chunk, plan):
                    _write_line(lines, content)
        _write_export(part, folder.path / file)
        return _figures_of_parses(part)

    options = [plan.options, plan.objective, plan.gold_tags, plan.safe, *plan.budget]
    return folder.make(title, file, options, [grammar, test], build)


def _parsed(
    model: SentenceParser, sentences: list[Sentence], plan: ParserPlan
) -> list[dict[str, object]]:
    start = working_cpu_time()
    if not plan.gold_tags:
        sentences = [replace(sentence, tags=None) for sentence in sentences]
    task = Task(plan.objective, posteriors=plan.safe is not None, functions=False)
    parses = model.parse_together(sentences, task)
    seconds = (working_cpu_time() - start) / len(sentences)
    return [
        {
            **dump_tree(parse.tree if plan.safe is None else parse.safe_tree(plan.safe)),
            "status": parse.status,
            "score": None if parse.score == -inf else parse.score,
            "unproven": bool(parse.optimality_gap),
            "items": parse.statistics.items,
            "cpu_seconds": round(seconds, 6),
            "posteriors": parse.posteriors or [],
        }
        for parse, *_ in parses
    ]


def _keep_complete_lines(part: Path, trees: list[Tree]) -> int:
    """Remove an incomplete last line of an interrupted run, and return the number of lines."""
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


def _figures_of_parses(path: Path) -> Figures:
    lines = list(read_lines(path))
    return {
        "sentences": len(lines),
        "parsed": sum(line["status"] == "parsed" for line in lines),
        "unproven": sum(line["unproven"] for line in lines),
        "items": sum(line["items"] for line in lines),
    }


def _model_file(name: str) -> Result:
    """Return a model file that was trained elsewhere."""
    return Result(Path(name), digest_of([Path(name)]))


def _treebank_files(chosen: TreeSet) -> list[Result]:
    """Return the treebank files of a set as inputs."""
    extensions = FORMATS[chosen.format].extensions if chosen.format else EXTENSIONS
    return [
        Result(Path(source.name), digest(b"".join(read_blocks(source))))
        for source in find_sources(chosen.files, extensions)
    ]


def _write_export(part: Path, result: Path) -> None:
    trees = map(remove_splits, read_tree_lines(part))
    write_trees(trees, result.with_name(f"{result.stem}.export"))


def _write_line(lines: TextIO, content: dict[str, object]) -> None:
    lines.write(json.dumps(content, ensure_ascii=False) + "\n")
    lines.flush()


def run_stages(experiment: Experiment, folder: Folder) -> Results:
    """Run the stages before scoring; each parser parses once it is trained."""
    trees = {name: transform_set(folder, name, plan) for name, plan in experiment.sets.items()}
    results = Results(experiment, trees)
    for name, plan in experiment.parsers.items():
        model, test = make_model(folder, name, plan, results), trees[plan.test]
        results.models[name] = model
        file = f"parses/{name}.jsonl"
        results.parses[name] = parse_set(folder, f"parse {name}", file, plan, model, test)
    return results
