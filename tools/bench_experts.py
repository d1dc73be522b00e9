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

from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Literal, NamedTuple, cast, get_args

import bench
import click
import numpy as np
from measuring import Report, benchmark, cells_of, p95, peak_memory, sentence_of, timed, warm_up

from plcfrs import SentenceParser, Tree, load_model, train, unbinarize
from plcfrs.cli.options import transform_options
from plcfrs.forest.grammar_parser import printed_tree
from plcfrs.forest.judged_forest import best_derivation, derivation_of_edges
from plcfrs.forest.votes import nearest, scores_of_edges
from plcfrs.grammar import tag
from plcfrs.parsers.combined.model import CombinedModel
from plcfrs.parsers.combined.weights import Example, learn_weights
from plcfrs.transformation import Options

Tags = Literal["gold", "own"]

COLUMNS: dict[str, bench.Column] = {
    **bench.BOTH_BY_LENGTH,
    "mean / p95, ms of <= 40": lambda outcomes: (
        f"{mean(times):.0f} / {p95(times):.0f}" if any(times := bench.times(outcomes)) else "-"
    ),
}


class Data(NamedTuple):
    """Trees to learn weights from, trees to parse, and the folder of other members, if any."""

    development: list[Tree]
    test: list[Tree]
    learn: str | None

    def combined(self, models: tuple[str, ...], tags: Tags) -> tuple[CombinedModel, CombinedModel]:
        """Return the parser whose weights were learned, and these models with its weights."""
        members = models
        if self.learn is not None:
            members = tuple(str(Path(self.learn, Path(path).name)) for path in models)
        given = "given" if tags == "gold" else tags
        trained = train("combined", self.development, members=members, tags=given)
        learned = cast(CombinedModel, trained)
        if self.learn is None:
            return learned, learned
        with TemporaryDirectory() as folder:
            path = Path(folder, "learned.combined")
            learned.save(path)
            return learned, CombinedModel.load(path, members=models)


@benchmark("Combined parsers", splits=["none"])
@click.argument("models", nargs=-1, required=True)
@click.option("--again", multiple=True, metavar="'MODEL...'", help="Members with other seeds.")
@click.option("--treebank", help="Parse the last tenth of this one.")
@click.option("--learn", metavar="FOLDER", help="Models trained on eight tenths of the treebank.")
@transform_options
def main(
    report: Report,
    models: tuple[str, ...],
    again: tuple[str, ...],
    treebank: str | None,
    learn: str | None,
    options: Options,
) -> None:
    """Run the benchmark."""
    source = bench.Source(treebank, options, bench.TEST)
    known, test = source.parts()
    if treebank is None:
        learned_from, development = "files 0160-0179", bench.read(bench.DEVELOPMENT, options)
    else:
        learned_from = "the ninth tenth, with members trained on the first eight"
        development = known[(len(known) + len(test)) * 8 // 10 :]
    report.about = f"{source}; weights learned from {learned_from}; CPU time of one core."
    data = Data(development, test, learn)
    report.fact("load or compile the kernels", warm_up("refined"))
    for tags in get_args(Tags):
        _report_parsers(report, data, models, [tuple(each.split()) for each in again], tags)
    report.fact("peak memory", peak_memory())


def _report_parsers(
    report: Report, data: Data, models: tuple[str, ...], again: list[tuple[str, ...]], tags: Tags
) -> None:
    found: dict[str, bench.Outcome] = {}

    def row(name: str, parser: SentenceParser) -> None:
        found[name] = bench.parse_each(parser, data.test, tagged=bench.TAGS[tags])
        report.row(name, *cells_of(COLUMNS, [found[name]]))

    (learned, everything), seconds = timed(lambda: data.combined(models, tags))
    report.table(f"Labelled F1, {tags} tags", "parser", *COLUMNS)
    for path in models:
        row(Path(path).stem, load_model(path))
    row("all", everything)
    for number, others in enumerate(again, 2):
        row(f"all, seeds {number}", data.combined(others, tags)[1])
    if again:
        seeds = [found[name] for name in found if name[:3] == "all"]
        report.row("all, mean", *cells_of(COLUMNS, seeds))
    if len(models) > 2:
        sentences = [sentence_of(tree, tagged=bench.TAGS[tags]) for tree in data.development]
        examples = list(map(learned.example, sentences, data.development))
        for left_out in everything.members.names[1:]:
            row(f"all but {left_out}", _without(everything, left_out, examples))
    if tags == "gold":
        oracle = bench.decreed(everything, data.test, (_oracle(everything, e) for e in data.test))
        report.row("the best tree in each forest", *cells_of(COLUMNS, [oracle]))
    first = Path(models[0]).stem
    compared = bench.compared(found[first], found["all"])
    without = sum(run.parse.status != "parsed" for run in found["all"].runs)
    facts = {
        f"all and {first}": f"{compared.second - compared.first:+.2f} F1, "
        f"p {compared.randomisation:.4f} (randomisation)",
        "sentences without a parse": f"{without} of {len(data.test)}",
        "learning the weights": f"{seconds:.1f} s CPU",
        "weights": "; ".join(everything.weight_lines[1:]),
    }
    for name, value in facts.items():
        report.fact(f"{name}, {tags} tags", value)


def _without(parser: CombinedModel, left_out: str, examples: list[Example | None]) -> CombinedModel:
    """Return a parser that does not ask a member, with weights for the others."""
    members = parser.members
    kinds = dict(zip(members.names, members.kinds, strict=True))
    asked = np.array([name != left_out for name in 2 * members.names])
    weights = np.zeros(len(asked))
    weights[asked] = learn_weights(
        [each._replace(scores=each.scores[asked]) for each in examples if each],
        [kind for name, kind in kinds.items() if name != left_out],
    )
    how = weights, parser.calibration, parser.about
    return CombinedModel(members, *how, without=(left_out,))


def _oracle(parser: CombinedModel, gold: Tree) -> Tree:
    """Return the tree of the forest that is nearest to a gold tree."""
    _, forest = parser.parse_with_forest([{tag(token.tag): 0.0} for token in gold.tokens])
    if forest is None:
        return parser.parse(gold).tree
    edges = best_derivation(forest, scores_of_edges(forest, nearest(forest, gold))).edges
    return printed_tree(unbinarize(derivation_of_edges(forest, edges)), sentence_of(gold))


if __name__ == "__main__":
    main()
