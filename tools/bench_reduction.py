"""Parsing as reduction (Fernández-González and Martins 2015): table 1, and where points are lost.

On NLTK's sample of the Penn Treebank (training on files 0001-0159, development set 0160-0179, test
0180-0199) or on any treebank (its last tenth is the test), with gold tags.

    python tools/bench_reduction.py [--seeds 3] [--development] [--json FILE]
    python tools/bench_reduction.py --backbone second-order --encoding direct
    python tools/bench_reduction.py pcc --punctuation low --head-rules negra
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from typing import get_args

import bench
import click
from measuring import Report, peak_memory, timed, timed_parse, warm_up

from plcfrs.evaluation.attachment import AttachmentCounts, AttachmentScores
from plcfrs.learning.sequences import Tagger
from plcfrs.parsers.reduction.backbone import Backbone, BackboneName
from plcfrs.parsers.reduction.labeler import Labeler
from plcfrs.parsers.reduction.model import ReductionModel, ReductionSettings, Restorer
from plcfrs.parsers.reduction.training import begin_training
from plcfrs.parsers.reduction.udpipe import UDPipe
from plcfrs.parsers.reduction.unaries import UnaryClassifier
from plcfrs.parsing.sentence import Sentence
from plcfrs.transformation import Encoding, from_dependencies, to_dependencies
from plcfrs.transformation.dependencies import parse_relation, render_relation
from plcfrs.trees import DependencyTree, Node, Tree

BACKBONES: tuple[BackboneName, ...] = ("second-order", "first-order", "projective", "udpipe")
COLUMNS: dict[str, bench.Column] = {
    "UAS": bench.over(lambda each: _attachment(each).unlabelled),
    "LAS": bench.over(lambda each: _attachment(each).labelled),
    **bench.BY_LENGTH,
    **bench.TRAINING,
    **bench.RATE,
    "tokens/s": bench.mean_of(
        lambda each: bench.rate(each) * sum(run.length for run in each.runs) / len(each.runs)
    ),
}


@bench.on_treebank("Parsing as reduction", splits=["none"])
@click.option("--backbone", type=click.Choice(BACKBONES), help="Only this one.")
@click.option("--encoding", type=click.Choice(get_args(Encoding)), help="Only this one.")
@click.option("--unaries", type=click.Choice(["classifier", "labels"]), help="Only this way.")
@click.option("--epochs", default=None, type=int, help="[default: those of plcfrs train]")
@click.option("--udpipe-epochs", default=5, show_default=True, help="UDPipe takes longer.")
@click.option("--seeds", default=3, show_default=True, help="How many.")
def main(
    report: Report,
    source: bench.Source,
    backbone: BackboneName | None,
    encoding: Encoding | None,
    unaries: Restorer | None,
    epochs: int | None,
    udpipe_epochs: int,
    seeds: int,
) -> None:
    """Run the benchmark."""
    report.about = (
        f"{source}, gold tags; means over {seeds} seeds with standard deviations; CPU time on one "
        "core. UAS and LAS count all tokens."
    )
    training, test = source.reported_parts(report)
    report.fact("load or compile the kernels", warm_up("reduction", epochs=1))
    kept: list[ReductionModel] = []  # one with a direct encoding: others give words no orders
    others_of = cache(partial(_other_parts, training))

    def rows() -> Iterator[bench.Row]:
        for name in [backbone] if backbone else BACKBONES:
            settings = ReductionSettings(name)
            if chosen := udpipe_epochs if name == "udpipe" else epochs:
                settings = replace(settings, epochs=chosen)
            numbers = range(1, (1 if name == "udpipe" else seeds) + 1)
            seeded = [replace(settings, seed=number) for number in numbers]
            backbones = [timed(partial(_backbone, training, each)) for each in seeded]
            for way in [encoding] if encoding else get_args(Encoding):
                restorer = unaries or ("labels" if way == "hall-nivre" else "classifier")
                outcomes = []
                for each, (found, seconds) in zip(seeded, backbones, strict=True):
                    others, more_seconds = others_of(way, restorer, each.seed)
                    changed = replace(each, encoding=way, unaries=restorer)
                    model = ReductionModel(changed, found, *others, {})
                    runs = [timed_parse(model, tree) for tree in test]
                    outcomes.append(bench.Outcome(model, runs, seconds + more_seconds))
                    if way == "direct" and not kept:
                        kept.append(model)
                yield (name, way, restorer), outcomes

    names = ("backbone", "encoding", "unary nodes")
    bench.compare(report, "Backbones and encodings (table 1 of the paper)", names, COLUMNS, rows())
    for model in kept:
        oracles = (
            ((name,), [bench.Outcome(model, bench.decreed(test, found))])
            for name, found in _oracles(model, test)
        )
        bench.compare(
            report, "What each part costs", ("right by decree",), bench.BY_LENGTH, oracles
        )
    report.fact("peak memory", peak_memory())


def _backbone(training: list[Tree], settings: ReductionSettings) -> Backbone | UDPipe:
    """Train a backbone; it does not depend on the encoding."""
    trained = begin_training(settings.dependencies(training), settings)
    for _ in trained.rounds:
        trained.run_epoch(lambda: None)
    return trained.model()


def _other_parts(
    training: list[Tree], encoding: Encoding, unaries: Restorer, seed: int
) -> tuple[tuple[Labeler, UnaryClassifier | None, Tagger], float]:
    """Train the other parts, which do not depend on the backbone. Return them with the CPU time."""
    dependencies = ReductionSettings(encoding=encoding, unaries=unaries).dependencies(training)
    return timed(
        lambda: (
            Labeler.train(dependencies, seed),
            UnaryClassifier.train(training, seed) if unaries == "classifier" else None,
            Tagger.train([tree.tokens for tree in training], seed),
        )
    )


def _attachment(each: bench.Outcome) -> AttachmentCounts:
    gold = each.model.settings.dependencies([run.gold for run in each.runs])
    found = [each.model.dependencies(Sentence.of(run.gold)) for run in each.runs]
    return AttachmentScores.of(gold, found).all


def _oracles(model: ReductionModel, test: list[Tree]) -> Iterator[tuple[str, list[Tree]]]:
    """Yield parses with one part replaced by what is right."""
    encoding, constituents = model.settings.encoding, model.constituents
    golds = [to_dependencies(tree, encoding) for tree in test]
    parses = [model.dependencies(Sentence.of(tree)) for tree in test]
    pairs = list(zip(parses, golds, strict=True))
    right_heads = (
        replace(gold, relations=model.labeler(gold.tokens, gold.heads)) for gold in golds
    )
    yield "nothing", list(map(constituents, parses))
    yield "heads", list(map(constituents, right_heads))
    yield "labels", [constituents(_with_gold(*pair, labels=True)) for pair in pairs]
    yield "orders", [constituents(_with_gold(*pair, labels=False)) for pair in pairs]
    yield "unary nodes", _with_gold_unaries(parses, test, encoding)
    yield "heads, labels and orders", list(map(constituents, golds))
    yield "everything", _with_gold_unaries(golds, test, encoding)


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


def _with_gold_unaries(
    parses: list[DependencyTree], golds: list[Tree], encoding: Encoding
) -> list[Tree]:
    """Return constituents with the unary nodes of gold trees, above the same nodes and tokens."""
    trees = [from_dependencies(parse, encoding) for parse in parses]
    for tree, gold in zip(trees, golds, strict=True):
        chains, spans = _chains(gold), tree.yields()
        for node in list(spans):
            for place, child in enumerate(node.children):
                key = ("", 1 << child) if isinstance(child, int) else (child.category, spans[child])
                for category in chains.get(key, ()):
                    node.children[place] = Node(category, children=[node.children[place]])
    return trees


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
