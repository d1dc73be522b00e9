"""``plcfrs parse``."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator

import click

from plcfrs.chart import Strategy
from plcfrs.cli.announce import announce_compilation
from plcfrs.cli.options import Selection, output_options, progress, selection_options
from plcfrs.cli.output import row_output, tree_output
from plcfrs.pipeline import Model, Parse
from plcfrs.transform import remove_null_elements

_COLUMNS = ["id", "length", "status", "cost", "items", "popped", "cpu_seconds"]
_SHOWN = 5


@click.command("parse")
@click.argument("grammar")
@click.argument("sources", nargs=-1, metavar="[INPUT]...")
@click.option("--tagged", is_flag=True, help="The input is word/TAG; the tags are taken as given.")
@output_options
@click.option(
    "--strategy",
    type=click.Choice(["astar", "knuth"]),
    default="astar",
    show_default=True,
    help="Search guided by the component-split CFG, or the paper's figure 3; equally exact.",
)
@click.option("--stats", metavar="FILE", help="Write one row a sentence as TSV.")
@selection_options
def command(
    grammar: str,
    sources: tuple[str, ...],
    tagged: bool,
    output: str,
    to: str | None,
    strategy: Strategy,
    stats: str | None,
    selection: Selection,
) -> None:
    """Parse sentences: one tree for every sentence, in order.

    INPUT is standard input by default: one sentence a line, tokens between blanks, which the
    grammar's own lexicon has to know; word/TAG with --tagged; or trees in any format, of
    which tokens and tags are used. A sentence without a parse becomes a flat NOPARSE tree.

    \b
    Example:
      echo 'What/WP should/MD we/PRP do/VB ?/.' | plcfrs parse wsj.plcfrs --tagged
    """  # noqa: D301
    if tagged:
        selection.format = "tagged"
    elif sources in ((), ("-",)) and selection.format is None:
        selection.format = "tokens"
    model = Model.load(grammar, strategy)
    announce_compilation()
    summary = Summary()
    try:
        with tree_output(output, to) as writer, row_output(stats, _COLUMNS) as write_row:
            for parse, seconds in _parses(model, sources or ("-",), selection):
                writer.write(parse.tree)
                write_row(_row(parse, seconds))
                summary.add(parse, seconds)
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

    def add(self, parse: Parse, cpu_seconds: float) -> None:
        """Count a sentence."""
        self.statuses[parse.status] += 1
        if parse.reason:
            self.reasons[f"{parse.status} {parse.reason}"] += 1
        self.tokens += len(parse.tree.tokens)
        self.items += parse.statistics.items
        self.cpu_seconds += cpu_seconds

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
        if failed:
            lines.append(", ".join(f"{status}: {count}" for status, count in failed.items()))
        for reason, count in self.reasons.most_common(_SHOWN):
            lines.append(f"  {reason}: {count}")
        if len(self.reasons) > _SHOWN:
            lines.append(f"  and {len(self.reasons) - _SHOWN} others")
        return "\n".join(lines)


def _parses(
    model: Model, sources: tuple[str, ...], selection: Selection
) -> Iterator[tuple[Parse, float]]:
    """Yield every parse with its CPU seconds."""
    for tree in progress(selection.read(sources), "parse"):
        remove_null_elements(tree)
        start = time.process_time()
        tagged = all(token.tag for token in tree.tokens)
        parse = model.parse_tokens(tree.tokens, tagged=tagged, sentence=tree.id)
        yield parse, time.process_time() - start


def _row(parse: Parse, seconds: float) -> list[object]:
    statistics = parse.statistics
    return [
        parse.tree.id,
        len(parse.tree.tokens),
        parse.status,
        repr(parse.cost),
        statistics.items,
        statistics.popped,
        f"{seconds:.6f}",
    ]
