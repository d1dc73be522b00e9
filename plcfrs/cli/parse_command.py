"""``plcfrs parse``."""

from __future__ import annotations

import gc
import hashlib
import sys
import time
from contextlib import AbstractContextManager, closing, nullcontext
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

import click

from plcfrs import __version__
from plcfrs.chart import Strategy
from plcfrs.cli.announce import announce_compilation
from plcfrs.cli.family import family_of
from plcfrs.cli.improper import improper_sums
from plcfrs.cli.options import (
    Selection,
    check_options,
    jobs_option,
    output_options,
    progress,
    selection_options,
)
from plcfrs.cli.parse_output import ParseOutput
from plcfrs.corpus import Wanted, parse_all
from plcfrs.corpus.workers import get_ready
from plcfrs.pipeline import (
    Fallback,
    GrammarParser,
    Model,
    RefinedModel,
    TransitionModel,
    load_model,
)
from plcfrs.tagging import Spelling
from plcfrs.transformation import remove_null_elements

if TYPE_CHECKING:
    from distributed import Client

# Which kinds of models have an option; the others are for all.
_KINDS = {
    "strategy": ("grammar",),
    "nbest": ("grammar", "transition"),
    **dict.fromkeys(["objective", "max_items", "max_seconds", "fallback"], ("grammar", "refined")),
    "beam": ("transition",),
}
_NAMES = {
    "grammar": "plain grammars",
    "refined": "refined grammars",
    "transition": "transition parsers",
}

# Options on which the trees do not depend: a run may be resumed with others.
_INDIFFERENT = ("output", "jobs", "scheduler", "resume")

# A process is ended that takes more than these times the budget of a sentence, which holds for the
# search and for the fallback, and some seconds for all else.
_TIMES, _GRACE = 4, 10


@click.command("parse")
@click.argument("grammar", metavar="MODEL")
@click.argument("sources", nargs=-1, metavar="[INPUT]...")
@click.option("--tagged", is_flag=True, help="The input is word/TAG; the tags are taken as given.")
@click.option(
    "--tokenize",
    is_flag=True,
    help="The input is running text, English: it is cut into sentences and words.",
)
@output_options
@click.option(
    "--strategy",
    type=click.Choice(["astar", "knuth"]),
    help="Search guided by the component-split CFG, or the paper's figure 3; equally exact. "
    "For plain grammars.  [default: astar]",
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
    help="Write the N best trees of each sentence, one after the other.",
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
@click.option(
    "--fallback",
    type=click.Choice(["none", "flat", "partial"]),
    default="none",
    show_default=True,
    help="What is below NOPARSE in a sentence without a parse: its tokens (none), words with their "
    "most probable tags (flat), or the most probable sequence of constituents that covers it, "
    "each as probable as its category is frequent (partial; takes --max-seconds once more).",
)
@click.option(
    "--beam",
    type=click.IntRange(1),
    metavar="K",
    help="How many derivations a transition parser keeps at each step.  [default: as in training]",
)
@jobs_option("Parse in N processes; one that dies is replaced, and its sentence tried once more.")
@click.option(
    "--scheduler", metavar="ADDRESS", help="Parse on the Dask cluster at tcp://HOST:PORT."
)
@click.option(
    "--resume", is_flag=True, help="Go on with FILE.part where the same command was interrupted."
)
@click.option("--stats", metavar="FILE", help="Write one row a tree as TSV; times in seconds.")
@selection_options
def command(
    grammar: str,
    sources: tuple[str, ...],
    tagged: bool,
    tokenize: bool,
    output: str,
    to: str | None,
    strategy: Strategy | None,
    objective: str | None,
    nbest: int | None,
    derivations: bool,
    max_items: int | None,
    max_seconds: float | None,
    fallback: Fallback,
    beam: int | None,
    jobs: int,
    scheduler: str | None,
    resume: bool,
    stats: str | None,
    selection: Selection,
) -> None:
    """Parse sentences: one tree for every sentence, in order.

    MODEL is a grammar or a transition parser. INPUT is standard input by default: one sentence a
    line, tokens between blanks, also such as the model has never seen; word/TAG with
    --tagged; running text with --tokenize; or trees in any format, of which tokens and tags are
    used. A sentence without a parse becomes a NOPARSE tree: see --fallback; a transition
    parser has a parse of every sentence.
    A sentence whose search was stopped by --max-items or --max-seconds becomes the best tree
    found so far, if there is one; the rows of --stats and the summary say so. With --jobs,
    no sentence stops the run: one at which two processes die is written as NOPARSE.
    FILE is called FILE.part until it is complete; however a run ends, --resume goes on with it.

    \b
    Examples:
      echo 'What/WP should/MD we/PRP do/VB ?/.' | plcfrs parse wsj.plcfrs --tagged
      plcfrs parse wsj.plcfrs test.mrg --nbest 10 --stats costs.tsv -o test.export
      plcfrs parse wsj.refined test.mrg -o test.export
      plcfrs parse wsj.gap test.mrg --beam 32 -o test.export
      plcfrs parse wsj.plcfrs news.txt --jobs 8 --max-seconds 60 -o news.export --resume
    """  # noqa: D301
    _check_options(tagged, tokenize, objective, nbest, derivations, jobs, scheduler)
    if tagged or tokenize:
        selection.format = "tagged" if tagged else "text"
    elif sources in ((), ("-",)) and selection.format is None:
        selection.format = "tokens"
    sources = sources or ("-",)
    if jobs > 1:
        get_ready("plcfrs.corpus.parsing")
    kind = family_of(grammar)
    check_options(_KINDS, kind, _NAMES[kind])
    model = load_model(
        grammar,
        strategy or "astar",
        max_items=max_items or inf,
        max_seconds=max_seconds or inf,
        fallback=fallback,
        beam=beam,
    )
    _check_model(grammar, model, objective)
    if scheduler is None:
        announce_compilation(objective or "mpd" if kind == "grammar" else kind)
    gc.freeze()  # the grammar stays: no need to look for garbage in it again and again
    start = time.perf_counter()
    files = ParseOutput(output, to, stats, _run(), resume=resume)
    trees = map(remove_null_elements, selection.read(sources))
    if tokenize:
        trees = map(Spelling(model.words).respell, trees)
    wanted = Wanted(objective, nbest, derivations, trees_alone=True)
    patience = _TIMES * max_seconds + _GRACE if max_seconds else inf
    done = 0
    try:
        with files, _connected(scheduler) as client:
            files.skip(trees)
            done = files.summary.sentences
            if resume:
                click.echo(f"going on behind sentence {done}", err=True)
            outcomes = parse_all(model, files.noting(trees), wanted, jobs, client, patience)
            total = selection.count(sources) if sys.stderr.isatty() else None
            with closing(outcomes):
                for outcome in progress(outcomes, "parse", total, done):
                    files.write(outcome)
    finally:
        selection.report()
        if files.summary.sentences:
            click.echo(files.summary, err=True)
        if jobs > 1 or scheduler:
            sentences, seconds = files.summary.sentences - done, time.perf_counter() - start
            click.echo(f"{seconds:.2f} s, {sentences / seconds:.1f} sentences/s", err=True)


def _check_options(
    tagged: bool,
    tokenize: bool,
    objective: str | None,
    nbest: int | None,
    derivations: bool,
    jobs: int,
    scheduler: str | None,
) -> None:
    """Refuse options that do not go together."""
    if tagged and tokenize:
        raise click.UsageError("--tokenize is for words without tags: leave --tagged out")
    if derivations and nbest is None:
        raise click.UsageError("--derivations says what --nbest counts: give it as well")
    if nbest is not None and objective == "mcp":
        raise click.UsageError("--nbest lists the most probable trees: leave --objective mcp out")
    if jobs > 1 and scheduler:
        raise click.UsageError("--jobs is for this machine: with --scheduler, leave it out")


def _check_model(
    name: str, model: Model | RefinedModel | TransitionModel, objective: str | None
) -> None:
    """Refuse an objective that the model does not have, and warn of odd probabilities."""
    if isinstance(model, GrammarParser) and (improper := improper_sums(model.grammar)):
        click.echo(f"{name}: {improper}", err=True)
    if objective is not None and objective not in model.objectives:
        possible = ", ".join(model.objectives)
        raise click.UsageError(f"--objective {objective}: {name} has only {possible}.")


def _connected(scheduler: str | None) -> AbstractContextManager[Client | None]:
    if scheduler is None:
        return nullcontext()
    try:
        from plcfrs.corpus.cluster import connected
    except ImportError:
        raise click.UsageError("--scheduler needs Dask: pip install 'plcfrs[dask]'") from None
    return connected(scheduler)


def _run() -> dict[str, str]:
    """Return what the trees depend on: the model, the input and the options."""
    context = click.get_current_context()
    run = {"version of plcfrs": __version__}
    for parameter in context.command.params:
        value = context.params.get(parameter.name or "")
        if parameter.name in _INDIFFERENT or value in (None, False, ()):
            continue
        if parameter.name == "grammar":
            run["grammar"] = hashlib.sha256(Path(str(value)).read_bytes()).hexdigest()
        else:
            name = "input" if parameter.name == "sources" else max(parameter.opts, key=len)
            run[name] = " ".join(value) if isinstance(value, tuple) else str(value)
    return run
