"""``plcfrs explain``."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

import click

from plcfrs.budget import BudgetSettings
from plcfrs.cli.command import argument, command_of, group
from plcfrs.cli.input import InputOptions
from plcfrs.errors import InputError
from plcfrs.grammar.rules import parse_want
from plcfrs.parsing import Sentence, SentenceParser, load_model
from plcfrs.settings import setting
from plcfrs.text.splitting import doubt_about
from plcfrs.treebank import Chunk
from plcfrs.treebank.registry import parse_tagged, parse_tokens


@dataclass(frozen=True)
class ExplainOptions:
    """The options of ``plcfrs explain``."""

    model: str = argument("MODEL")
    sentence: str = argument("[SENTENCE]", default="")
    tagged: bool = setting(False, "The sentence is word/TAG; the parser uses these tags.")
    tokenize: bool = setting(
        False, "The sentence is running text: split it into words like the model's."
    )
    treebank: str | None = setting(
        None, "Take the words and tags from a tree of this file.", metavar="FILE"
    )
    number: int = setting(1, "With --treebank: the number of the tree.", least=1)
    want: tuple[str, ...] = setting(
        (),
        "A constituent that you expected: its category (VP) or symbol (VP_2), and its tokens, "
        "counted from 0 as in discbracket. May be repeated.",
        commas=False,
        metavar="'VP 0,3-4'",
    )
    votes: tuple[str, ...] = setting(
        (),
        "For a combined parser: parses of another program that votes.",
        commas=False,
        metavar="NAME=FILE",
    )
    binarized: bool = setting(False, "Show the rules that the parser used.")
    budget: BudgetSettings = group(BudgetSettings)


@command_of("explain", ExplainOptions())
def command(chosen: ExplainOptions) -> None:
    """Show the best parse of a sentence, rule by rule, with costs that add up to its cost.

    A cost is the negative natural logarithm of a probability. Without tags (--tagged, --treebank),
    the words must be in the lexicon of the grammar; given tags cost nothing. Positions count from
    0. Included models split the sentence into words; for other models, put blanks between words, or
    add --tokenize.

    With --want: the cost of the best parse with this constituent, how much more it costs than the
    best parse, and which rules differ; or why no parse has the constituent. For other parsers: how
    much lower the best parse with it scores, and what differs.

    For a combined parser: the posterior probabilities of the constituents in its log-linear model,
    and the weighted score of each member.

    For a refined grammar: the posterior probabilities of the constituents. For a transition
    parser: its transitions, each with its score (higher is better), and the stack and the queue
    after it; for a neural parser, the focus and the memory after it, and the best transition
    that was not taken. For parsing as reduction: the head of each word with its score, and what the
    next best head would cost.

    \b
    Examples:
      plcfrs explain wsj.plcfrs --tagged 'What/WP should/MD I/PRP do/VB ?/.'
      plcfrs explain wsj.plcfrs --tagged 'What/WP should/MD I/PRP do/VB ?/.' --want 'NP 0-1'
      plcfrs explain wsj.plcfrs --treebank test.mrg --number 12 --want 'VP 0,3-4'
      plcfrs explain wsj.gap 'What should I do ?'
    """  # noqa: D301
    if chosen.tagged and chosen.tokenize:
        raise click.UsageError("--tokenize is for words without tags: leave out --tagged.")
    if (not chosen.sentence) == (chosen.treebank is None):
        raise click.UsageError("Give a sentence, or a file with --treebank.")
    wants = [parse_want(text) for text in chosen.want]
    options = {"votes": chosen.votes} if chosen.votes else {}
    parser = load_model(chosen.model, chosen.budget.chosen, **options)
    sentence = _sentence(chosen, parser)
    if parser.warning:
        click.echo(f"{chosen.model}: {parser.warning}", err=True)
    for name in parser.missing(sentence):
        click.echo(f"no parse of this sentence from {name}: it does not vote", err=True)
    click.echo("\n".join(parser.explain(sentence, wants, binarized=chosen.binarized).lines()))


def _sentence(chosen: ExplainOptions, parser: SentenceParser) -> Sentence:
    """Return the sentence of the command line, or of a tree of the treebank."""
    if chosen.treebank is not None:
        input = InputOptions()
        sources = input.sentences_of([chosen.treebank], None, chosen.model)
        for sentence in islice(input.read_for(parser, sources), chosen.number - 1, None):
            return sentence
        raise InputError(f"--number {chosen.number}: {chosen.treebank} has fewer trees")
    chunk = Chunk("sentence", 1, chosen.sentence, 1)
    if chosen.tagged:
        return Sentence.of(parse_tagged(chunk))
    if chosen.tokenize or parser.reads_text:
        return Sentence.of_text(chosen.sentence, parser.splitter, "add --tagged")
    sentence = Sentence.of(parse_tokens(chunk))
    if doubt := doubt_about(sentence.words):
        click.echo(doubt, err=True)
    return sentence
