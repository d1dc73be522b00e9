"""``plcfrs parse``."""

from __future__ import annotations

import time
from collections import Counter
from math import inf
from typing import Any

import click

from plcfrs.chart import Strategy
from plcfrs.cli.announce import announce_compilation
from plcfrs.cli.options import Selection, output_options, progress, selection_options
from plcfrs.cli.output import row_output, tree_output
from plcfrs.pipeline import Model, Parse, SentenceParser, load_model
from plcfrs.transform import remove_null_elements
from plcfrs.trees import Tree

_COLUMNS = [
    *("id", "rank", "length", "status", "cost", "items", "popped", "improved", "edges"),
    *("pair_tests", "estimate_seconds", "search_seconds", "cpu_seconds"),
]
_SHOWN = 5


@click.command("parse")
@click.argument("grammar")
@click.argument("sources", nargs=-1, metavar="[INPUT]...")
@click.option("--tagged", is_flag=True, help="The input is word/TAG; the tags are taken as given.")
@output_options
@click.option(
    "--strategy",
    type=click.Choice(["astar", "knuth"]),
    help="Search guided by the component-split CFG, or the paper's figure 3; equally exact. "
    "Not for refined grammars.  [default: astar]",
)
@click.option(
    "--objective",
    type=click.Choice(["mpd", "mcp", "max-rule-product", "max-rule-sum"]),
    help="The most probable derivation, or the one with most constituents expected correct (mcp: "
    "plain grammars), or whose rules are (max-rule: refined grammars).  "
    "[default: mpd, max-rule-product for refined grammars]",
)
@click.option(
    "--nbest",
    type=click.IntRange(min=1),
    metavar="N",
    help="Write the N most probable trees of each sentence, one after the other.",
)
@click.option("--derivations", is_flag=True, help="With --nbest: all derivations of a tree count.")
@click.option(
    "--max-items",
    type=click.IntRange(min=1),
    help="Stop the search of a sentence that creates so many items.",
)
@click.option(
    "--max-seconds",
    type=click.FloatRange(min=0, min_open=True),
    help="Stop the search of a sentence that takes so long.",
)
@click.option("--stats", metavar="FILE", help="Write one row a tree as TSV; times in seconds.")
@selection_options
def command(
    grammar: str,
    sources: tuple[str, ...],
    tagged: bool,
    output: str,
    to: str | None,
    strategy: Strategy | None,
    objective: str | None,
    nbest: int | None,
    derivations: bool,
    max_items: int | None,
    max_seconds: float | None,
    stats: str | None,
    selection: Selection,
) -> None:
    """Parse sentences: one tree for every sentence, in order.

    INPUT is standard input by default: one sentence a line, tokens between blanks, which the
    grammar's own lexicon has to know, unless the grammar is refined; word/TAG with --tagged;
    or trees in any format, of which tokens and tags are used. A sentence without a parse
    becomes a flat NOPARSE tree.
    A sentence whose search was stopped by --max-items or --max-seconds becomes the best tree
    found so far, if there is one; the rows of --stats and the summary say so.

    \b
    Examples:
      echo 'What/WP should/MD we/PRP do/VB ?/.' | plcfrs parse wsj.plcfrs --tagged
      plcfrs parse wsj.plcfrs test.mrg --nbest 10 --stats costs.tsv -o test.export
      plcfrs parse wsj.refined test.mrg -o test.export
    """  # noqa: D301
    if tagged:
        selection.format = "tagged"
    elif sources in ((), ("-",)) and selection.format is None:
        selection.format = "tokens"
    if derivations and nbest is None:
        raise click.UsageError("--derivations says what --nbest counts: give it as well")
    if nbest is not None and objective == "mcp":
        raise click.UsageError("--nbest lists the most probable trees: leave --objective mcp out")
    model = load_model(
        grammar, strategy or "astar", max_items=max_items or inf, max_seconds=max_seconds or inf
    )
    if objective is not None and objective not in model.objectives:
        possible = ", ".join(model.objectives)
        raise click.UsageError(f"--objective {objective}: {grammar} has only {possible}.")
    for option, value in (("--nbest", nbest), ("--strategy", strategy)):
        if value is not None and not isinstance(model, Model):
            raise click.UsageError(f"{option} is not for refined grammars.")
    announce_compilation((objective or "mpd") if isinstance(model, Model) else "refined")
    summary = Summary()
    try:
        with tree_output(output, to) as writer, row_output(stats, _COLUMNS) as write_row:
            for tree in progress(selection.read(sources or ("-",)), "parse"):
                start = time.process_time()
                parses = _parse(model, tree, objective, nbest, derivations)
                seconds = time.process_time() - start
                for rank, parse in enumerate(parses, start=1):
                    writer.write(parse.tree)
                    write_row(_row(parse, rank, seconds))
                summary.add(parses[0], seconds)
    finally:
        selection.report()
        if summary.statuses:
            click.echo(summary, err=True)


class Summary:
    """What became of all sentences."""

    def __init__(self) -> None:
        self.statuses: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()
        self.tokens = self.items = 0
        self.cpu_seconds = 0.0
        self.lost_mass = 0.0

    def add(self, parse: Parse, cpu_seconds: float) -> None:
        """Count a sentence."""
        self.statuses[parse.status] += 1
        if parse.reason:
            self.reasons[f"{parse.status} {parse.reason}"] += 1
        self.tokens += len(parse.tree.tokens)
        self.items += parse.statistics.items
        self.cpu_seconds += cpu_seconds
        self.lost_mass = max(self.lost_mass, parse.lost_mass)

    def __str__(self) -> str:
        sentences = self.statuses.total()
        parsed = self.statuses["parsed"]
        seconds = max(self.cpu_seconds, 1e-9)
        lines = [
            f"{parsed} of {sentences} sentences parsed, {sentences - parsed} failed",
            f"{self.items} items, {self.cpu_seconds:.2f} s CPU, "
            f"{sentences / seconds:.1f} sentences/s, {self.tokens / seconds:.0f} tokens/s",
        ]
        failed = {status: count for status, count in self.statuses.items() if status != "parsed"}
        if self.lost_mass:
            lines.append(
                "derivations left out of the sums: at the most "
                f"{self.lost_mass:.2g} of the probability of a sentence"
            )
        if failed:
            lines.append(", ".join(f"{status}: {count}" for status, count in failed.items()))
        for reason, count in self.reasons.most_common(_SHOWN):
            lines.append(f"  {reason}: {count}")
        if len(self.reasons) > _SHOWN:
            lines.append(f"  and {len(self.reasons) - _SHOWN} others")
        return "\n".join(lines)


def _parse(
    model: SentenceParser[Any],
    tree: Tree,
    objective: str | None,
    nbest: int | None,
    derivations: bool,
) -> list[Parse]:
    """Return the parses of the tokens of a tree."""
    remove_null_elements(tree)
    tokens, name = tree.tokens, tree.id
    tagged = all(token.tag for token in tokens)
    if nbest is None or not isinstance(model, Model):
        return [model.parse_tokens(tokens, tagged=tagged, sentence=name, objective=objective)]
    return model.parse_tokens_nbest(
        tokens, nbest, tagged=tagged, sentence=name, derivations=derivations
    )


def _row(parse: Parse, rank: int, seconds: float) -> list[object]:
    statistics = parse.statistics
    return [
        parse.tree.id,
        rank,
        len(parse.tree.tokens),
        parse.status,
        repr(parse.cost),
        statistics.items,
        statistics.popped,
        statistics.improved,
        statistics.edges,
        statistics.pair_tests,
        f"{statistics.estimate_seconds:.6f}",
        f"{statistics.search_seconds:.6f}",
        f"{seconds:.6f}",
    ]
