"""What each way to make a grammar costs and brings: rules, scores, time.

On NLTK's sample of the Penn Treebank (training on files 0001-0159, test on 0180-0199) or on any
treebank (its last tenth is the test), gold tags.

    python tools/bench_presets.py [--max-length 25] [--json FILE]
    python tools/bench_presets.py pcc --punctuation low --head-rules negra --splits none
"""

from __future__ import annotations

from collections.abc import Iterator

import bench
import click
from measuring import Report, scores_of, timed_parse, warm_up

from plcfrs import Recipe
from plcfrs.budget import UNLIMITED

COLUMNS: dict[str, bench.Column] = {
    **bench.PARSED,
    "LF1": bench.f1(),
    "UF1": bench.over(lambda each: scores_of(each.runs).unlabelled.f1),
    "LF1 disc.": bench.discontinuous_f1(),
    "exact": bench.mean_of(lambda each: scores_of(each.runs).exact_match, 1),
    **bench.SPREAD,
    "mcp: LF1": bench.f1(runs="others"),
    "mcp: LF1 disc.": bench.discontinuous_f1(runs="others"),
}


@bench.on_treebank("Ways to make a grammar")
@click.option("--max-length", default=25, show_default=True)
@click.option("--presets-only", is_flag=True)
def main(report: Report, source: bench.Source, max_length: int, presets_only: bool) -> None:
    """Run the benchmark."""
    report.about = f"{source}, sentences of at most {max_length} tokens, gold tags."
    report.fact("load or compile the kernels", warm_up())
    others = {} if presets_only else bench.RUNS["presets"]
    report.compare(
        "Rules, labelled and unlabelled F1, exact match, CPU time; the objective mcp",
        ("grammar", "rules", "fan-out"),
        COLUMNS,
        _rows(source, max_length, {name: Recipe(**values) for name, values in others.items()}),
    )


def _rows(source: bench.Source, max_length: int, others: dict[str, Recipe]) -> Iterator[bench.Row]:
    for name, model, test in bench.grammars(source, UNLIMITED, others):
        short = [tree for tree in test if len(tree.tokens) <= max_length]
        best, expected = (
            [timed_parse(model, tree, objective) for tree in short] for objective in (None, "mcp")
        )
        names = (name, f"{len(model.grammar.rules):,}", str(model.grammar.fan_out()))
        yield names, [bench.Outcome(model, best, others=expected)]


if __name__ == "__main__":
    main()
