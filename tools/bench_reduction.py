"""Parsing as reduction (Fernández-González and Martins 2015): table 1, and where points are lost.

On NLTK's sample of the Penn Treebank (training on files 0001-0159, development set 0160-0179, test
0180-0199) or on any treebank (its last tenth is the test), with gold tags.

    python tools/bench_reduction.py [--seeds 3] [--development] [--json FILE]
    python tools/bench_reduction.py --encoding direct
    python tools/bench_reduction.py pcc --punctuation low --head-rules negra
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, lru_cache, partial
from typing import Literal, get_args

import bench
import click
from measuring import Report, peak_memory, timed, warm_up

from plcfrs import DependencyTree, Node, Sentence, Tree, from_dependencies, to_dependencies
from plcfrs.evaluation.attachment import AttachmentCounts, AttachmentScores
from plcfrs.learning.sequences import Tagger
from plcfrs.parsers.reduction.backbone import Backbone
from plcfrs.parsers.reduction.labeler import Labeler
from plcfrs.parsers.reduction.model import ReductionModel, ReductionSettings, Restorer
from plcfrs.parsers.reduction.training import Training
from plcfrs.parsers.reduction.unaries import UnaryClassifier
from plcfrs.transformation import Encoding
from plcfrs.transformation.dependencies import parse_relation, render_relation

COLUMNS: dict[str, bench.Column] = {
    "UAS": bench.over(lambda each: _attachment(each).unlabelled),
    "LAS": bench.over(lambda each: _attachment(each).labelled),
    **bench.BY_LENGTH,
    **bench.TRAINING_TIME,
    **bench.RATE,
    "tokens/s": bench.mean_of(
        lambda each: bench.rate(each) * sum(run.length for run in each.runs) / len(each.runs)
    ),
}


@bench.on_treebank("Parsing as reduction", splits=["none"])
@click.option("--encoding", type=click.Choice(get_args(Encoding)), help="Only this one.")
@click.option("--unaries", type=click.Choice(["classifier", "labels"]), help="Only this way.")
@click.option("--epochs", default=None, type=int, help="[default: those of plcfrs train]")
@click.option("--seeds", default=3, show_default=True, help="How many.")
def main(
    report: Report,
    source: bench.Source,
    encoding: Encoding | None,
    unaries: Restorer | None,
    epochs: int | None,
    seeds: int,
) -> None:
    """Run the benchmark."""
    report.about = (
        f"{source}, gold tags; means over {seeds} seeds with standard deviations; CPU time on one "
        "core. UAS and LAS count all tokens."
    )
    training, test = source.reported_parts(report)
    report.fact("load or compile the kernels", warm_up("reduction"))
    backbone_of = lru_cache(seeds)(partial(_backbone, training))
    others_of = cache(partial(_other_parts, training))
    kept: list[ReductionModel] = []  # with a direct encoding: others give words no orders

    def rows() -> Iterator[bench.Row]:
        settings = ReductionSettings()
        if epochs:
            settings = replace(settings, epochs=epochs)
        for way in [encoding] if encoding else get_args(Encoding):
            restorer = unaries or ("labels" if way == "hall-nivre" else "classifier")
            outcomes = []
            for seed in range(1, seeds + 1):
                found, seconds = backbone_of(replace(settings, seed=seed))
                others, more_seconds = others_of(way, restorer, seed)
                changed = replace(settings, seed=seed, encoding=way, unaries=restorer)
                model = ReductionModel(changed, found, *others, {})
                outcomes.append(bench.parse_each(model, test, seconds + more_seconds))
            if way == "direct":
                kept.append(outcomes[0].model)
            yield (way, restorer), outcomes

    names = ("encoding", "unary nodes")
    report.compare("Encodings (table 1 of the paper)", names, COLUMNS, rows())
    for model in kept:
        oracles = (
            ((name,), [bench.decreed(model, test, found)]) for name, found in _oracles(model, test)
        )
        report.compare("What each part costs", ("right by decree",), bench.BY_LENGTH, oracles)
    report.fact("peak memory", peak_memory())


def _backbone(training: list[Tree], settings: ReductionSettings) -> tuple[Backbone, float]:
    """Train a backbone, which does not depend on the encoding; return it with the CPU time."""
    trained = Training(settings.dependencies(training), settings)
    _, seconds = timed(lambda: [trained.run_epoch(lambda: None) for _ in trained.rounds])
    return trained.model(), seconds


def _other_parts(
    training: list[Tree], encoding: Encoding, unaries: Restorer, seed: int
) -> tuple[tuple[Labeler, UnaryClassifier | None, Tagger], float]:
    """Train the other parts, which do not depend on the backbone; return them with the CPU time."""
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

    def with_unaries(dependencies: list[DependencyTree]) -> list[Tree]:
        trees = [from_dependencies(each, encoding) for each in dependencies]
        return list(map(_with_gold_unaries, trees, test))

    yield "nothing", list(map(constituents, parses))
    yield "heads", list(map(constituents, right_heads))
    yield "labels", [constituents(_with_gold("labels", *pair)) for pair in pairs]
    yield "orders", [constituents(_with_gold("number", *pair)) for pair in pairs]
    yield "unary nodes", with_unaries(parses)
    yield "heads, labels and orders", list(map(constituents, golds))
    yield "everything", with_unaries(golds)


def _with_gold(
    part: Literal["labels", "number"], parse: DependencyTree, gold: DependencyTree
) -> DependencyTree:
    """Return a parse with the right labels, or the right orders, of all words with a right head."""
    relations = list(parse.relations)
    for place, (head, right) in enumerate(zip(parse.heads, gold.heads, strict=True)):
        if head == right != 0:
            wanted = getattr(parse_relation(gold.relations[place]), part)
            mixed = parse_relation(relations[place])._replace(**{part: wanted})
            relations[place] = render_relation(mixed.labels, mixed.number or 1)
    return replace(parse, relations=relations)


def _with_gold_unaries(tree: Tree, gold: Tree) -> Tree:
    """Add the unary nodes of a gold tree, above the same nodes and tokens, and return the tree."""
    chains, spans = _chains(gold), tree.yields()
    for node in list(spans):
        for place, child in enumerate(node.children):
            key = ("", 1 << child) if isinstance(child, int) else (child.category, spans[child])
            for category in chains[key]:
                node.children[place] = Node(category, children=[node.children[place]])
    return tree


def _chains(tree: Tree) -> dict[tuple[str, int], list[str]]:
    """Return the categories of the unary nodes above each other node and token, upwards."""
    spans = tree.yields()
    lowest: dict[Node | int, tuple[str, int]] = {  # by nodes: below all unary ones
        position: ("", 1 << position) for position in range(len(tree.tokens))
    }
    found: dict[tuple[str, int], list[str]] = defaultdict(list)
    for node in tree.bottom_up():
        if len(node.children) == 1 and node is not tree.root:
            lowest[node] = lowest[node.children[0]]
            found[lowest[node]].append(node.category)
        else:
            lowest[node] = node.category, spans[node]
    return found


if __name__ == "__main__":
    main()
