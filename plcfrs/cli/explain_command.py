"""``plcfrs explain``."""

from __future__ import annotations

import click

from plcfrs.cli.announce import announce_compilation
from plcfrs.cli.budget_options import budget_options, chosen_budget
from plcfrs.errors import InputError
from plcfrs.grammar.positions import parse_want
from plcfrs.pipeline.registry import family_of, kernels_of, load_model
from plcfrs.pipeline.sentence import Sentence
from plcfrs.treebank import Selection, read_trees
from plcfrs.treebank.doubts import doubt_about
from plcfrs.treebank.format import Chunk
from plcfrs.treebank.text import parse_tagged, parse_tokens


@click.command("explain")
@click.argument("model", metavar="MODEL")
@click.argument("sentence", required=False)
@click.option(
    "--tagged", is_flag=True, help="The sentence is word/TAG; the parser uses these tags."
)
@click.option(
    "--treebank", metavar="FILE", help="Take the words and tags from a tree of this file."
)
@click.option(
    "--number",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    metavar="N",
    help="With --treebank: the number of the tree.",
)
@click.option(
    "--want",
    "wants",
    multiple=True,
    metavar="'VP 0,3-4'",
    help="A constituent that you expected: its category (VP) or symbol (VP_2), and its tokens, "
    "counted from 0 as in discbracket. May be repeated.",
)
@click.option(
    "--votes",
    multiple=True,
    metavar="NAME=FILE",
    help="For a combined parser: parses by a program that votes.",
)
@click.option("--binarized", is_flag=True, help="Show the rules that the parser used.")
@budget_options
def command(
    model: str,
    sentence: str | None,
    tagged: bool,
    treebank: str | None,
    number: int,
    wants: tuple[str, ...],
    votes: tuple[str, ...],
    binarized: bool,
    max_items: float | None,
    max_seconds: float | None,
    max_memory: float | None,
) -> None:
    """Show the best parse of a sentence, rule by rule, with costs that add up to its cost.

    A cost is the negative natural logarithm of a probability. The words must be in the grammar's
    lexicon, unless tags are given (--tagged, --treebank), which cost nothing. Positions count
    from 0.

    With --want: the cost of the best parse with that constituent, how much more that is than the
    cost of the best parse, and which rules differ; or why no parse has the constituent.

    For a combined parser: the posterior probabilities of the constituents in its log-linear model,
    and the weighted score of each member.

    For a refined grammar: the posterior probabilities of the constituents. For a transition
    parser: its transitions, each with its score (higher is better), and the stack and the queue
    after it; for a set-based parser, the focus and the memory after it, and the best transition
    that was not taken. For parsing as reduction: the head of each word with its score, and what the
    next best head would cost.

    \b
    Examples:
      plcfrs explain wsj.plcfrs --tagged 'What/WP should/MD I/PRP do/VB ?/.'
      plcfrs explain wsj.plcfrs --tagged 'What/WP should/MD I/PRP do/VB ?/.' --want 'NP 0-1'
      plcfrs explain wsj.plcfrs --treebank test.mrg --number 12 --want 'VP 0,3-4'
      plcfrs explain wsj.gap 'What should I do ?'
    """  # noqa: D301
    if (sentence is None) == (treebank is None):
        raise click.UsageError("Give a sentence, or a file with --treebank.")
    family = family_of(model)
    if (wants or binarized) and not family.can("wants"):
        raise click.UsageError(f"--want and --binarized are not for {family.kind}: {family.title}.")
    wanted = [parse_want(text) for text in wants]
    read = _of_text(sentence, tagged=tagged) if sentence else _of_tree(treebank or "", number)
    doubt = None if read.tags else doubt_about(read.words)
    if doubt:
        click.echo(doubt, err=True)
    options = {"votes": votes} if votes else {}
    parser = load_model(model, chosen_budget(max_items, max_seconds, max_memory), **options)
    if parser.warning:
        click.echo(f"{model}: {parser.warning}", err=True)
    for name in parser.missing(read):
        click.echo(f"no votes of {name} for this sentence", err=True)
    announce_compilation(kernels_of(parser, "parsing"))
    click.echo("\n".join(parser.explain(read, wanted, binarized=binarized).lines()))


def _of_text(sentence: str, *, tagged: bool) -> Sentence:
    """Return a sentence as ``plcfrs parse`` reads it."""
    parse = parse_tagged if tagged else parse_tokens
    return Sentence.of(parse(Chunk("sentence", 1, sentence, 1)))


def _of_tree(path: str, number: int) -> Sentence:
    """Return the words and tags of a tree of a file."""
    only = Selection((range(number, number + 1),))
    for tree in read_trees(path, selection=only):
        return Sentence.of(tree)
    raise InputError(f"--number {number}: {path} has fewer trees")
