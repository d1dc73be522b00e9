"""Functions and null elements: how right they are in gold trees, and in parses of words.

CRAFT and MASC are folders with parts `train` and `test`, PCC is one with files in TigerXML. The
sample of the Penn Treebank is NLTK's. Completions are trained with several seeds, except the
included one. It takes some minutes.

    python tools/bench_annotation.py CRAFT MASC PCC [--seeds 3] [--json FILE]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from statistics import mean

import click
from measuring import TEST, TRAINING, Report, benchmark
from train_models import in_penn_style

from plcfrs import Tree, load_model, read_trees
from plcfrs.completion import Completion
from plcfrs.completion.lessons import forget_functions
from plcfrs.evaluation import Evaluation, evaluate
from plcfrs.evaluation.report import Cell, function_groups, null_table
from plcfrs.parsing import Sentence
from plcfrs.parsing.parse import Task
from plcfrs.transformation import Options, transform
from plcfrs.transformation.presets import change_all
from plcfrs.trees import restore_traces

_Complete = Callable[[Tree], Tree]

_ENGLISH = "plcfrs:english"
_GROUPS = ("all", "all without CLR", "syntactic", "semantic")
_MOST = 12  # kinds of null elements, and functions, in a table


@benchmark("Functions and null elements")
@click.argument("craft", type=click.Path(exists=True, path_type=Path))
@click.argument("masc", type=click.Path(exists=True, path_type=Path))
@click.argument("pcc", type=click.Path(exists=True, path_type=Path))
@click.option("--seeds", default=3, show_default=True, help="Completions of each treebank.")
def main(report: Report, craft: Path, masc: Path, pcc: Path, seeds: int) -> None:
    """Run the benchmark."""
    report.about = (
        "F1: the mean, and the range over seeds. Null elements with their places; with their "
        "antecedents, too; those of the four types of traces. Penn Treebank: trained on "
        "0001-0159, tested on 0180-0199. MASC and CRAFT: the completion and the parser "
        f"{_ENGLISH}; its functions are those of MASC. CRAFT: every tenth sentence. Potsdam: 90 % "
        "for training, functions of constituents and words, gold tags."
    )
    kept = Options(keep_sbar=True)
    german = _read(sorted(pcc.iterdir()))
    cut = len(german) * 9 // 10
    wsj = _trained(_read(TRAINING), Options(), seeds)
    potsdam = _trained(german[:cut], Options(), seeds)
    masc_test = _read([masc / "test"])
    craft_test = [*map(in_penn_style, _read([craft / "test"])[::10])]
    parser = load_model(_ENGLISH)

    def bare(tree: Tree) -> Tree:
        return _bare(tree, kept)

    def complete(tree: Tree) -> Tree:
        return parser.complete(Sentence.of(tree), tree)

    def parsed(tree: Tree) -> Tree:
        ((parse,),) = parser.parse_together([tree.words()], Task(functions=False))
        return parse.tree

    everything = {
        "Penn Treebank, gold trees": _runs(wsj, _read(TEST), partial(_bare, options=Options())),
        "MASC, gold trees": _runs([complete], masc_test, bare),
        "MASC, words": _runs([complete], masc_test, parsed),
        "CRAFT, gold trees": _runs([complete], craft_test, bare),
        "CRAFT, words": _runs([complete], craft_test, parsed),
        "Potsdam, gold trees": _runs(potsdam, german[cut:], partial(_bare, options=Options())),
    }
    report.table("All", "nulls", "with antecedent", "traces", "traces with antecedent", *_GROUPS)
    for name, runs in everything.items():
        report.row(name, *map(_with_range, zip(*map(_figures, runs), strict=True)))
    for name, (run, *_) in everything.items():
        report.table(name, "gold", "F1", "F1 with antecedent")
        kinds = sorted(run.by_null.items(), key=lambda item: -item[1].gold)
        for kind, counts in kinds[:_MOST]:
            linked = run.by_null_with_antecedent[kind]
            report.row(" ".join(kind), counts.gold, _percent(counts.f1), _percent(linked.f1))
        tags = sorted(run.by_function.items(), key=lambda item: -item[1].gold)
        for tag, counts in tags[:_MOST]:
            report.row(f"-{tag}", counts.gold, _percent(counts.f1), None)


def _read(names: Iterable[str | Path]) -> list[Tree]:
    return list(read_trees(names, on_error=lambda *_: None))


def _trained(trees: list[Tree], options: Options, seeds: int) -> list[_Complete]:
    transformed = list(change_all((tree.copy() for tree in trees), options, annotation=True))
    return [Completion.train(transformed, options, seed) for seed in range(1, seeds + 1)]


def _bare(tree: Tree, options: Options) -> Tree:
    """Return a transformed tree as a parser gives it."""
    changed = transform(tree, options).forget_splits()
    forget_functions(changed)
    for node in changed.nodes():
        node.moved = None
    return changed


def _runs(completions: Sequence[_Complete], gold: list[Tree], given: _Complete) -> list[Evaluation]:
    given_trees = [*map(given, gold)]
    return [
        evaluate(gold, [restore_traces(complete(tree)) for tree in given_trees])
        for complete in completions
    ]


def _figures(run: Evaluation) -> list[Cell]:
    groups = function_groups(run)
    nulls: list[Cell] = [None] * 4
    if run.all.nulls.gold:
        every, traces, *_ = null_table(run).rows.values()
        nulls = [every[2], every[5], traces[2], traces[5]]
    return [*nulls, *(groups[name].f1 if name in groups else None for name in _GROUPS)]


def _percent(figure: float) -> str:
    return f"{figure:.1f}"


def _with_range(figures: tuple[Cell, ...]) -> str:
    known = [figure for figure in figures if isinstance(figure, float)]
    if not known:
        return "-"
    width = f" ({min(known):.1f}-{max(known):.1f})" if len(known) > 1 else ""
    return f"{mean(known):.1f}{width}"


if __name__ == "__main__":
    main()
