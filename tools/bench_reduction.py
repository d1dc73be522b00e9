"""Parsing as reduction (Fernández-González and Martins 2015): table 1, and where points are lost.

On NLTK's sample of the Penn Treebank (training on files 0001-0159, development set 0160-0179, test
0180-0199) or on any treebank (its last tenth is the test), with gold tags.

    python tools/bench_reduction.py [--seeds 3] [--development] [--json FILE]
    python tools/bench_reduction.py --backbone second-order --encoding direct
    python tools/bench_reduction.py pcc --punctuation low --head-rules negra
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from statistics import mean
from typing import get_args

import click
from measuring import Report, f1_of, over_seeds, peak_memory, reports, warm_up
from splits import DEVELOPMENT, LENGTHS, TEST, described, parts

from plcfrs.cli.options import transform_options
from plcfrs.dependency.backbones import AnyBackbone, begin_training
from plcfrs.dependency.labeler import Labeler
from plcfrs.dependency.settings import BackboneName
from plcfrs.dependency.unaries import UnaryClassifier
from plcfrs.evaluation.attachment import AttachmentScores
from plcfrs.pipeline import Sentence
from plcfrs.pipeline.reduction import ReductionModel, ReductionSettings, Restorer
from plcfrs.reduction import Encoding, from_dependencies, to_dependencies
from plcfrs.reduction.relations import parse_relation, render_relation
from plcfrs.tagging.tagger import Tagger
from plcfrs.transformation import Options
from plcfrs.trees import DependencyTree, Node, Tree

BACKBONES: tuple[BackboneName, ...] = ("second-order", "first-order", "projective", "udpipe")


@dataclass
class Result:
    """The scores and times of a parser with one seed."""

    unlabelled: float
    labelled: float
    f1: list[float]  # by length
    discontinuous_f1: float
    training_seconds: float
    sentences_per_second: float
    tokens_per_second: float


@click.command(context_settings={"default_map": {"splits": "none"}})
@click.argument("treebank", required=False)
@click.option("--backbone", type=click.Choice(BACKBONES), help="Only this one.")
@click.option("--encoding", type=click.Choice(get_args(Encoding)), help="Only this one.")
@click.option("--unaries", type=click.Choice(["classifier", "labels"]), help="Only this way.")
@click.option("--epochs", default=None, type=int, help="[default: those of plcfrs train]")
@click.option("--udpipe-epochs", default=5, show_default=True, help="UDPipe takes longer.")
@click.option("--seeds", default=3, show_default=True, help="How many.")
@click.option("--development", is_flag=True, help="Score on 0160-0179, not on 0180-0199.")
@transform_options
@reports("Parsing as reduction")
def main(
    report: Report,
    treebank: str | None,
    backbone: BackboneName | None,
    encoding: Encoding | None,
    unaries: Restorer | None,
    epochs: int | None,
    udpipe_epochs: int,
    seeds: int,
    development: bool,
    options: Options,
) -> None:
    """Run the benchmark."""
    files = DEVELOPMENT if development else TEST
    report.about = (
        f"{described(treebank, files)}, gold tags; means over {seeds} seeds with standard "
        "deviations; CPU time on one core. UAS and LAS count all tokens."
    )
    training, test = parts(treebank, options, files)
    report.fact("trees", f"{len(training):,} to train on, {len(test)} to parse")
    report.fact("load or compile the kernels", warm_up("reduction", epochs=1))
    report.table(
        "Backbones and encodings (table 1 of the paper)",
        *("backbone", "encoding", "unary nodes", "UAS", "LAS"),
        *(f"F1 {name}" for name in LENGTHS),
        *("disc. F1", "training, s", "sentences/s", "tokens/s"),
    )
    kept: ReductionModel | None = None
    parts_of = cache(partial(_other_parts, training))
    for name in [backbone] if backbone else BACKBONES:
        settings = ReductionSettings(backbone=name)
        if chosen := udpipe_epochs if name == "udpipe" else epochs:
            settings = replace(settings, epochs=chosen)
        numbers = range(1, (1 if name == "udpipe" else seeds) + 1)
        backbones = {seed: _backbone(training, replace(settings, seed=seed)) for seed in numbers}
        for each in [encoding] if encoding else get_args(Encoding):
            way = unaries or ("labels" if each == "hall-nivre" else "classifier")
            changed = replace(settings, encoding=each, unaries=way)
            results = []
            for seed, (found, seconds) in backbones.items():
                others, more_seconds = parts_of(each, way, seed)
                model = ReductionModel(replace(changed, seed=seed), found, *others, {})
                results.append(_measured(model, test, seconds + more_seconds))
                if each == "direct":  # others do not say orders word by word
                    kept = kept or model
            _add_row(report, changed, results)
    if kept:
        _add_oracles(report, kept, test)
    report.fact("peak memory", peak_memory())


def _backbone(training: list[Tree], settings: ReductionSettings) -> tuple[AnyBackbone, float]:
    """Train a backbone; it does not depend on the encoding. Return it with the CPU time."""
    start = _cpu_seconds()
    trained = begin_training(settings.dependencies(training), settings)
    for _ in trained.rounds:
        trained.run_epoch(lambda: None)
    return trained.model(), _cpu_seconds() - start


def _other_parts(
    training: list[Tree], encoding: Encoding, unaries: Restorer, seed: int
) -> tuple[tuple[Labeler, UnaryClassifier | None, Tagger], float]:
    """Train the other parts, which do not depend on the backbone. Return them with the CPU time."""
    start = _cpu_seconds()
    dependencies = ReductionSettings(encoding=encoding, unaries=unaries).dependencies(training)
    found = (
        Labeler.train(dependencies, seed),
        UnaryClassifier.train(training, seed) if unaries == "classifier" else None,
        Tagger.train([tree.tokens for tree in training], seed),
    )
    return found, _cpu_seconds() - start


def _cpu_seconds() -> float:
    """Return the CPU time of this process and of those that have ended, such as UDPipe's."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _measured(model: ReductionModel, test: list[Tree], training_seconds: float) -> Result:
    start = time.process_time()
    found = [model.parse(Sentence.of(tree)).tree for tree in test]
    seconds = time.process_time() - start
    predicted = [model.dependencies(Sentence.of(tree)) for tree in test]
    attachment = AttachmentScores.of(model.settings.dependencies(test), predicted).all
    scores = [f1_of(test, found, longest) for longest in LENGTHS.values()]
    return Result(
        attachment.unlabelled,
        attachment.labelled,
        [one for one, _ in scores],
        scores[-1][1],
        training_seconds,
        len(test) / seconds,
        sum(len(tree.tokens) for tree in test) / seconds,
    )


def _add_row(report: Report, settings: ReductionSettings, results: list[Result]) -> None:
    report.row(
        settings.backbone,
        settings.encoding,
        settings.unaries,
        over_seeds([result.unlabelled for result in results]),
        over_seeds([result.labelled for result in results]),
        *(over_seeds(f1) for f1 in zip(*(result.f1 for result in results), strict=True)),
        over_seeds([result.discontinuous_f1 for result in results]),
        f"{mean(result.training_seconds for result in results):.0f}",
        f"{mean(result.sentences_per_second for result in results):.0f}",
        f"{mean(result.tokens_per_second for result in results):,.0f}",
    )


def _add_oracles(report: Report, model: ReductionModel, test: list[Tree]) -> None:
    """Report the scores if one of the parts made no mistake."""
    report.table(
        "What each part costs", "right by decree", *(f"F1 {name}" for name in LENGTHS), "disc. F1"
    )
    for name, found in _oracles(model, test):
        scores = [f1_of(test, found, longest) for longest in LENGTHS.values()]
        report.row(name, *(f"{one:.2f}" for one, _ in scores), f"{scores[-1][1]:.2f}")


def _oracles(model: ReductionModel, test: list[Tree]) -> Iterator[tuple[str, list[Tree]]]:
    """Yield parses with one part replaced by what is right."""
    encoding = model.settings.encoding
    golds = [to_dependencies(tree, encoding) for tree in test]
    parses = [model.dependencies(Sentence.of(tree)) for tree in test]
    labelled = [
        DependencyTree(gold.tokens, gold.heads, model.labeler(gold.tokens, gold.heads), gold.id)
        for gold in golds
    ]
    yield "nothing", list(map(model.constituents, parses))
    yield "heads", list(map(model.constituents, labelled))
    yield (
        "labels",
        [
            model.constituents(_with_gold(parse, gold, labels=True))
            for parse, gold in zip(parses, golds, strict=True)
        ],
    )
    yield (
        "orders",
        [
            model.constituents(_with_gold(parse, gold, labels=False))
            for parse, gold in zip(parses, golds, strict=True)
        ],
    )
    yield (
        "unary nodes",
        [
            _with_gold_unaries(from_dependencies(parse, encoding), tree)
            for parse, tree in zip(parses, test, strict=True)
        ],
    )
    yield "heads, labels and orders", list(map(model.constituents, golds))
    yield (
        "everything",
        [
            _with_gold_unaries(from_dependencies(gold, encoding), tree)
            for gold, tree in zip(golds, test, strict=True)
        ],
    )


def _with_gold(parse: DependencyTree, gold: DependencyTree, *, labels: bool) -> DependencyTree:
    """Return a parse with the right labels, or the right orders, of all words with a right head."""
    relations = list(parse.relations)
    for place, (head, right) in enumerate(zip(parse.heads, gold.heads, strict=True)):
        if head == right != 0:
            found, wanted = parse_relation(relations[place]), parse_relation(gold.relations[place])
            label, number = (
                (wanted.labels, found.number) if labels else (found.labels, wanted.number)
            )
            relations[place] = render_relation(label, number or 1)
    return replace(parse, relations=relations)


def _with_gold_unaries(tree: Tree, gold: Tree) -> Tree:
    """Return a tree with the unary nodes of another one, above the same nodes and tokens."""
    chains = _chains(gold)
    spans = tree.yields()
    for node in list(spans):
        for place, child in enumerate(node.children):
            key = ("", 1 << child) if isinstance(child, int) else (child.category, spans[child])
            for category in chains.get(key, ()):
                node.children[place] = Node(category, children=[node.children[place]])
    return tree


def _chains(tree: Tree) -> dict[tuple[str, int], list[str]]:
    """Return the categories of the unary nodes above each other node and token, upwards."""
    spans = tree.yields()
    found: dict[tuple[str, int], list[str]] = {}
    for node in spans:
        if len(node.children) == 1 and node is not tree.root:
            child: Node | int = node
            chain = []
            while isinstance(child, Node) and len(child.children) == 1:
                chain.append(child.category)
                child = child.children[0]
            key = ("", spans[node]) if isinstance(child, int) else (child.category, spans[node])
            found[key] = chain[::-1]  # mothers come last: the whole chain stays
    return found


if __name__ == "__main__":
    main()
