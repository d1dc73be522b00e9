"""Combined parsers: scores and time of all members together, of each alone, and without each.

The members are saved models that were trained on files 0001-0159 of NLTK's sample of the Penn
Treebank, the one that makes the forests first. The weights are learned from files 0160-0179, and
files 0180-0199 are parsed, with gold tags and from words alone.

    plcfrs train refined 'nltk:treebank/wsj_00*' ... --grammars 8 -o eight.refined
    python tools/bench_experts.py eight.refined one.gap two.gap one.skipshift [--json FILE]
"""

from __future__ import annotations

import time
from itertools import combinations
from pathlib import Path
from statistics import mean, quantiles

import click
from measuring import Report, Run, f1_of, peak_memory, reports, timed_parse, warm_up
from splits import DEVELOPMENT, LENGTHS, TEST, parts

from plcfrs.binarization import restore
from plcfrs.evaluation.comparison import compare_parsers, difference
from plcfrs.experts import best_derivation, scores_of_edges
from plcfrs.experts.decoding import derivation_of_edges
from plcfrs.experts.votes import nearest
from plcfrs.grammar import tag
from plcfrs.pipeline import SentenceParser, find_family, load_model, train
from plcfrs.pipeline.combined import CombinedModel
from plcfrs.pipeline.grammar_parser import printed_tree
from plcfrs.pipeline.sentence import Sentence
from plcfrs.trees import Tree

_COLUMNS = [
    *(f"{name}: {what}" for name in LENGTHS for what in ("F1", "disc.")),
    "mean / p95, ms of <= 40",
]


@click.command()
@click.argument("models", nargs=-1, required=True)
@reports("Combined parsers")
def main(report: Report, models: tuple[str, ...]) -> None:
    """Run the benchmark."""
    report.about = (
        "NLTK's sample of the Penn Treebank: members trained on files 0001-0159, weights learned "
        "from 0160-0179, tested on 0180-0199; CPU time of one core."
    )
    transformation = find_family("combined").transformation
    _, development = parts(None, transformation, DEVELOPMENT)
    _, test = parts(None, transformation, TEST)
    report.fact("load or compile the kernels", warm_up("refined", cycles=1))
    for tags in ("gold", "own"):
        _report_parsers(report, models, tags, development, test)
    report.fact("peak memory", peak_memory())


def _report_parsers(
    report: Report, models: tuple[str, ...], tags: str, development: list[Tree], test: list[Tree]
) -> None:
    runs: dict[str, list[Run]] = {}

    def row(name: str, parser: SentenceParser) -> None:
        runs[name] = [timed_parse(parser, tree, tagged=tags == "gold") for tree in test]
        report.row(name, *_cells(runs[name]))

    start = time.process_time()
    everything: CombinedModel = train("combined", development, members=models, tags=tags)
    learning = time.process_time() - start
    report.table(f"Labelled F1, {tags} tags", "parser", *_COLUMNS)
    for path in models:
        row(Path(path).stem, load_model(path))
    row("all", everything)
    if len(models) > 2:
        for fewer in reversed(list(combinations(models, len(models) - 1))):
            if models[0] in fewer:
                left_out = next(Path(path).stem for path in models if path not in fewer)
                parser = train("combined", development, members=fewer, tags=tags)
                row(f"all but {left_out}", parser)
    if tags == "gold":
        oracle = [_oracle(everything, tree) for tree in test]
        report.row("the best tree in each forest", *_scores(test, oracle), "-")
    first = Path(models[0]).stem
    parses = {name: [run.parse.tree for run in runs[name]] for name in (first, "all")}
    found = difference(list(compare_parsers(test, parses)))
    report.fact(
        f"all and {first}, {tags} tags",
        f"{found.second - found.first:+.2f} F1, p {found.randomisation:.4f} (randomisation)",
    )
    report.fact(f"learning the weights, {tags} tags", f"{learning:.1f} s CPU")
    report.fact(f"weights, {tags} tags", "; ".join(everything.weight_lines[1:]))


def _cells(runs: list[Run]) -> list[str]:
    scores = _scores([run.gold for run in runs], [run.parse.tree for run in runs])
    times = [run.milliseconds for run in runs if run.length <= 40]
    return [*scores, f"{mean(times):.0f} / {quantiles(times, n=20)[-1]:.0f}"]


def _scores(gold: list[Tree], found: list[Tree]) -> list[str]:
    return [f"{score:.2f}" for longest in LENGTHS.values() for score in f1_of(gold, found, longest)]


def _oracle(parser: CombinedModel, gold: Tree) -> Tree:
    """Return the tree of the forest that is nearest to a gold tree."""
    _, forest = parser.parse_with_forest([{tag(token.tag): 0.0} for token in gold.tokens])
    if forest is None:
        return parser.parse(gold).tree
    edges = best_derivation(forest, scores_of_edges(forest, nearest(forest, gold))).edges
    return printed_tree(restore(derivation_of_edges(forest, edges)), Sentence.of(gold))


if __name__ == "__main__":
    main()
