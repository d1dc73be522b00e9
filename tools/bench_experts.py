"""Combined parsers: scores and time of all members together, of each alone, and without each.

The members are saved models that were trained on files 0001-0159 of NLTK's sample of the Penn
Treebank, the one that makes the forests first. The weights are learned from files 0160-0179, and
files 0180-0199 are parsed, with gold tags and from words alone.

    plcfrs train refined 'nltk:treebank/wsj_00*' ... --grammars 8 -o eight.refined
    python tools/bench_experts.py eight.refined one.gap two.gap one.skipshift [--json FILE]

Of any other treebank, the last tenth is parsed. The models were trained on the first nine tenths,
and those of the same names in a folder on the first eight: their weights are learned from the ninth
tenth.

    python tools/bench_experts.py one.refined one.gap --treebank FILE --learn FOLDER
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import mean, quantiles
from tempfile import TemporaryDirectory
from typing import Literal, NamedTuple, get_args

import click
import numpy as np
from measuring import Report, Run, f1_of, over_seeds, peak_memory, reports, timed_parse, warm_up
from splits import DEVELOPMENT, LENGTHS, TEST, parts

from plcfrs.binarization import unbinarize
from plcfrs.cli.options import transform_options
from plcfrs.evaluation.comparison import compare_parsers, difference
from plcfrs.experts import best_derivation, scores_of_edges
from plcfrs.experts.decoding import derivation_of_edges
from plcfrs.experts.votes import nearest
from plcfrs.experts.weights import Example, learn_weights
from plcfrs.grammar import tag
from plcfrs.pipeline import SentenceParser, load_model, train
from plcfrs.pipeline.combined import CombinedModel
from plcfrs.pipeline.grammar_parser import printed_tree
from plcfrs.pipeline.sentence import Sentence
from plcfrs.transformation import Options
from plcfrs.trees import Tree

_COLUMNS = [
    *(f"{name}: {what}" for name in LENGTHS for what in ("F1", "disc.")),
    "mean / p95, ms of <= 40",
]


Tags = Literal["gold", "own"]


class Data(NamedTuple):
    """Trees to learn weights from, trees to parse, and the folder of other members, if any."""

    development: list[Tree]
    test: list[Tree]
    learn: str | None

    def learned(self, models: tuple[str, ...], tags: Tags) -> CombinedModel:
        """Return models with weights, or models of the same names in the other folder."""
        if self.learn is not None:
            models = tuple(str(Path(self.learn, Path(path).name)) for path in models)
        learned: CombinedModel = train(
            "combined", self.development, members=models, tags="given" if tags == "gold" else tags
        )
        return learned

    def weighted(self, models: tuple[str, ...], learned: CombinedModel) -> CombinedModel:
        """Return models with the weights that were learned."""
        if self.learn is None:
            return learned
        with TemporaryDirectory() as folder:
            learned.save(Path(folder, "learned.combined"))
            return CombinedModel.load(Path(folder, "learned.combined"), members=models)

    def examples(self, learned: CombinedModel, tags: Tags) -> list[Example]:
        """Return what weights are learned from."""
        found = []
        for tree in self.development:
            sentence = Sentence.of(tree)
            if tags == "own":
                sentence = replace(sentence, tags=None)
            found.append(learned.example(sentence, tree))
        return [each for each in found if each is not None]


@click.command(context_settings={"default_map": {"splits": "none"}})
@click.argument("models", nargs=-1, required=True)
@click.option("--again", multiple=True, metavar="'MODEL...'", help="Members with other seeds.")
@click.option("--treebank", help="Parse the last tenth of this one.")
@click.option("--learn", metavar="FOLDER", help="Models trained on eight tenths of the treebank.")
@transform_options
@reports("Combined parsers")
def main(
    report: Report,
    models: tuple[str, ...],
    again: tuple[str, ...],
    treebank: str | None,
    learn: str | None,
    options: Options,
) -> None:
    """Run the benchmark."""
    if treebank is None:
        report.about = (
            "NLTK's sample of the Penn Treebank: members trained on files 0001-0159, weights "
            "learned from 0160-0179, tested on 0180-0199; CPU time of one core."
        )
        (_, development), (_, test) = (parts(None, options, each) for each in (DEVELOPMENT, TEST))
    else:
        report.about = (
            f"{Path(treebank).name}: members trained on the first nine tenths, tested on the last; "
            "weights learned from the ninth tenth, with members trained on the first eight."
        )
        known, test = parts(treebank, options)
        development = known[(len(known) + len(test)) * 8 // 10 :]
    data = Data(development, test, learn)
    report.fact("load or compile the kernels", warm_up("refined", cycles=1))
    for tags in get_args(Tags):
        _report_parsers(report, data, models, [tuple(each.split()) for each in again], tags)
    report.fact("peak memory", peak_memory())


def _report_parsers(
    report: Report,
    data: Data,
    models: tuple[str, ...],
    again: Sequence[tuple[str, ...]],
    tags: Tags,
) -> None:
    runs: dict[str, list[Run]] = {}

    def row(name: str, parser: SentenceParser) -> None:
        runs[name] = [timed_parse(parser, tree, tagged=tags == "gold") for tree in data.test]
        report.row(name, *_cells(runs[name]))

    start = time.process_time()
    learned = data.learned(models, tags)
    learning = time.process_time() - start
    everything = data.weighted(models, learned)
    report.table(f"Labelled F1, {tags} tags", "parser", *_COLUMNS)
    for path in models:
        row(Path(path).stem, load_model(path))
    row("all", everything)
    for number, others in enumerate(again, 2):
        row(f"all, seeds {number}", data.weighted(others, data.learned(others, tags)))
    if again:
        report.row("all, mean", *_mean_cells([runs[name] for name in runs if name[:3] == "all"]))
    if len(models) > 2:
        examples = data.examples(learned, tags)
        for left_out in everything.members.names[1:]:
            row(f"all but {left_out}", _without(everything, left_out, examples))
    if tags == "gold":
        oracle = [_oracle(everything, tree) for tree in data.test]
        scores = _scores(data.test, oracle)
        report.row("the best tree in each forest", *(f"{each:.2f}" for each in scores), "-")
    first = Path(models[0]).stem
    parses = {name: [run.parse.tree for run in runs[name]] for name in (first, "all")}
    found = difference(list(compare_parsers(data.test, parses)))
    report.fact(
        f"all and {first}, {tags} tags",
        f"{found.second - found.first:+.2f} F1, p {found.randomisation:.4f} (randomisation)",
    )
    without = sum(run.parse.status != "parsed" for run in runs["all"])
    report.fact(f"sentences without a parse, {tags} tags", f"{without} of {len(data.test)}")
    report.fact(f"learning the weights, {tags} tags", f"{learning:.1f} s CPU")
    report.fact(f"weights, {tags} tags", "; ".join(everything.weight_lines[1:]))


def _without(parser: CombinedModel, left_out: str, examples: list[Example]) -> CombinedModel:
    """Return a parser that does not ask a member, with weights for the others."""
    names = parser.members.names
    asked = np.array([name != left_out for name in 2 * names])
    weights = np.zeros(len(asked))
    weights[asked] = learn_weights(
        [each._replace(scores=each.scores[asked]) for each in examples], len(names) - 1
    )
    return CombinedModel(
        parser.members, weights, parser.calibration, parser.about, without=(left_out,)
    )


def _cells(runs: list[Run]) -> list[str]:
    return _mean_cells([runs])


def _mean_cells(seeds: Sequence[list[Run]]) -> list[str]:
    scores = [
        _scores([run.gold for run in runs], [run.parse.tree for run in runs]) for runs in seeds
    ]
    times = [run.milliseconds for runs in seeds for run in runs if run.length <= 40]
    cells = [over_seeds(each) for each in zip(*scores, strict=True)]
    return [*cells, f"{mean(times):.0f} / {quantiles(times, n=20)[-1]:.0f}"]


def _scores(gold: list[Tree], found: list[Tree]) -> list[float]:
    return [score for longest in LENGTHS.values() for score in f1_of(gold, found, longest)]


def _oracle(parser: CombinedModel, gold: Tree) -> Tree:
    """Return the tree of the forest that is nearest to a gold tree."""
    _, forest = parser.parse_with_forest([{tag(token.tag): 0.0} for token in gold.tokens])
    if forest is None:
        return parser.parse(gold).tree
    edges = best_derivation(forest, scores_of_edges(forest, nearest(forest, gold))).edges
    return printed_tree(unbinarize(derivation_of_edges(forest, edges)), Sentence.of(gold))


if __name__ == "__main__":
    main()
