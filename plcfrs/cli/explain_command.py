"""``plcfrs explain``."""

from __future__ import annotations

import click

from plcfrs.cli.announce import announce_compilation
from plcfrs.cli.explanation_report import explanation_lines, step_lines, want_lines
from plcfrs.cli.family import family_of
from plcfrs.cli.options import check_options
from plcfrs.errors import InputError
from plcfrs.grammar.positions import parse_want
from plcfrs.pipeline import Model, TransitionModel
from plcfrs.transformation import remove_null_elements
from plcfrs.treebank import Selection, read_trees
from plcfrs.treebank.format import Chunk
from plcfrs.treebank.text import parse_tagged, parse_tokens
from plcfrs.trees import Token

_KINDS = dict.fromkeys(["wants", "binarized"], ("grammar",))


@click.command("explain")
@click.argument("grammar", metavar="MODEL")
@click.argument("sentence", required=False)
@click.option(
    "--tagged", is_flag=True, help="The sentence is word/TAG; the tags are taken as given."
)
@click.option("--treebank", metavar="FILE", help="Take the words and tags of a tree of this file.")
@click.option(
    "--number",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    metavar="N",
    help="With --treebank: of the tree N.",
)
@click.option(
    "--want",
    "wants",
    multiple=True,
    metavar="'VP 0,3-4'",
    help="A constituent that is expected: its category (VP) or symbol (VP_2), and its tokens, "
    "counted from 0 as in discbracket. May be repeated.",
)
@click.option("--binarized", is_flag=True, help="Show the rules that the parser used.")
def command(
    grammar: str,
    sentence: str | None,
    tagged: bool,
    treebank: str | None,
    number: int,
    wants: tuple[str, ...],
    binarized: bool,
) -> None:
    """Show the best parse of a sentence, rule by rule, with costs that add up to its cost.

    A cost is the natural logarithm of a probability with the sign changed. The grammar's lexicon
    has to know the words; given tags (--tagged, --treebank) cost nothing. Positions count from 0.

    With --want: what the best parse with that constituent costs, how much it loses against the
    best parse of all, and which rules differ; or why no parse has it.

    Of a transition parser: its transitions, each with its score (the more the better), and what
    was then on the stack and in the queue.

    \b
    Examples:
      plcfrs explain wsj.plcfrs --tagged 'What/WP should/MD I/PRP do/VB ?/.'
      plcfrs explain wsj.plcfrs --tagged 'What/WP should/MD I/PRP do/VB ?/.' --want 'NP 0-1'
      plcfrs explain wsj.plcfrs --treebank test.mrg --number 12 --want 'VP 0,3-4'
      plcfrs explain wsj.gap 'What should I do ?'
    """  # noqa: D301
    if (sentence is None) == (treebank is None):
        raise click.UsageError("Give a sentence, or a file with --treebank.")
    kind = family_of(grammar)
    if kind == "refined":
        raise click.UsageError(f"{grammar} is a refined grammar: explain is for plain ones.")
    check_options(_KINDS, kind, "transition parsers")
    wanted = [parse_want(text) for text in wants]
    tokens = _of_text(sentence, tagged=tagged) if sentence else _of_tree(treebank or "", number)
    is_tagged = all(token.tag for token in tokens)
    if kind == "transition":
        announce_compilation(kind)
        steps = TransitionModel.load(grammar).explain_tokens(tokens, tagged=is_tagged)
        click.echo("\n".join(step_lines(tokens, steps)))
        return
    model = Model.load(grammar)
    announce_compilation()
    best, found = model.explain_tokens(tokens, wanted, tagged=is_tagged)
    click.echo("\n".join(explanation_lines(tokens, best, binarized=binarized)))
    for one in found:
        click.echo("\n" + "\n".join(want_lines(one, binarized=binarized)))


def _of_text(sentence: str, *, tagged: bool) -> list[Token]:
    """Return the tokens of a sentence as `parse` reads them."""
    parse = parse_tagged if tagged else parse_tokens
    return parse(Chunk("sentence", 1, sentence, 1)).tokens


def _of_tree(path: str, number: int) -> list[Token]:
    """Return the tokens of a tree of a file, without null elements."""
    only = Selection((range(number, number + 1),))
    for tree in read_trees(path, selection=only):
        remove_null_elements(tree)
        return tree.tokens
    raise InputError(f"--number {number}: {path} has fewer trees")
