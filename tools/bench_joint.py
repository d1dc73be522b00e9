"""Joint parsers with a pretrained encoder: all heads, and the set-based tree alone.

Each MODEL is one seed, trained by this on files 0001-0159 of NLTK's sample of the Penn Treebank
with the encoder MiniLM, where --dev is files 0170-0179:

    plcfrs train joint 'nltk:treebank/wsj_000*' ... --dev ... --encoder DIR --encoder-layers 6 \
      --encoder-rate 0.0001 --embed --seed 1 -o 1.joint

With --combined, a parser is measured that `plcfrs combine MODEL... --tags own` has made of them.

    python tools/bench_joint.py MODEL... [--combined FILE] [--json FILE]
"""

from __future__ import annotations

import bench
import click
from measuring import Report, benchmark, cells_of, on_one_core, warm_up

from plcfrs import Budget, load_model, read_trees
from plcfrs.transformation import Options, transform_all

# A search without items leaves the tree of the transitions.
KINDS = {"all heads": Budget(), "the set-based tree": Budget(max_items=1)}

COLUMNS: dict[str, bench.Column] = {
    "F1": bench.f1(),
    "F1, <= 40 words": bench.f1(40),
    "discontinuous F1": bench.discontinuous_f1(),
    "right tags": bench.right_tags(),
    **bench.RATE,
}


@benchmark("Joint parsers")
@click.argument("models", nargs=-1, required=True, type=click.Path(exists=True))
@click.option("--combined", type=click.Path(exists=True), help="All of them, combined.")
def main(report: Report, models: tuple[str, ...], combined: str | None) -> None:
    """Run the benchmark."""
    report.about = (
        f"{bench.ON_SAMPLE}; the encoder MiniLM, all layers trained, 12 epochs, the best by files "
        f"0170-0179; means over {len(models)} seeds with standard deviations. CPU time on one "
        "core, all sentences together."
    )
    warm_up("joint")
    test = list(transform_all(read_trees(bench.TEST), Options(splits=())))
    report.table("From words, and with gold tags", "tags", "parser", *COLUMNS)
    for tags, tagged in {"own": False, "gold": True}.items():
        outcomes = {
            kind: [
                bench.Outcome(each, bench.parse_together(each, test, tagged=tagged))
                for each in (load_model(path, budget) for path in models)
            ]
            for kind, budget in KINDS.items()
        }
        for kind, found in outcomes.items():
            report.row(tags, kind, *cells_of(COLUMNS, found))
        if combined and not tagged:
            parser = load_model(combined)
            together = bench.Outcome(parser, bench.parse_together(parser, test, tagged=False))
            report.row(tags, "all of them, combined", *cells_of(COLUMNS, [together]))
            chances = (
                f"{bench.compared(together, each).randomisation:.4f}"
                for each in outcomes["all heads"]
            )
            report.fact("p of all of them, combined, against each", ", ".join(chances))
        pairs = zip(*outcomes.values(), strict=True)
        chances = (f"{bench.compared(*pair).randomisation:.4f}" for pair in pairs)
        report.fact(f"p of the difference, {tags} tags, by seed", ", ".join(chances))


if __name__ == "__main__":
    on_one_core()
    main()
