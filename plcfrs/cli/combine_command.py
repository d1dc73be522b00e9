"""``plcfrs combine``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import click

from plcfrs.cli.command import argument, command_of, group
from plcfrs.cli.convert_command import refuse_dependencies
from plcfrs.cli.input import InputOptions
from plcfrs.cli.output import progress, saved_setting
from plcfrs.cli.parse_command import VoteCount
from plcfrs.cli.rounds import checkpoint_of, naming_checkpoint, run_rounds
from plcfrs.forest.votes import WeightSettings
from plcfrs.learning.runner import Runner
from plcfrs.parsing import Family, Sentence, find_family
from plcfrs.settings import setting
from plcfrs.storage.files import check_folder
from plcfrs.transformation import Options, transform_all
from plcfrs.transformation.presets import describe
from plcfrs.treebank.reading import trainable_trees


@dataclass(frozen=True)
class CombineOptions:
    """The options of ``plcfrs combine``."""

    models: tuple[str, ...] = argument("MODEL...", nargs=-1)
    dev: str | None = setting(
        None,
        "Trees for learning the weights; no model may have seen them in training.",
        metavar="TREEBANK",
    )
    weights: str | None = setting(
        None,
        "Instead of --dev: copy the weights of this combined parser, whose models have the same "
        "names; for the same models, trained again on more trees.",
        metavar="COMBINED",
    )
    output: str = saved_setting("Where the model is saved.")
    settings: WeightSettings = group(WeightSettings)
    options: Options = Options(splits=())
    input: InputOptions = group(InputOptions)


@command_of("combine", CombineOptions())
def command(chosen: CombineOptions) -> None:
    """Combine several parsers into one that is better than each of them.

    The first model with a grammar makes a forest of parses for each sentence, and all models score
    it: grammars by the probabilities of its rules and constituents, other parsers by votes for
    the constituents of their own parses. The derivation with the highest weighted sum is the parse.
    The weights are learned from a development set. The file contains only the names of its models:
    leave these where they are.

    With --votes, parses of the development set by another program also vote. Sentences are found by
    their words. New sentences need votes as well: plcfrs parse --votes NAME=FILE.

    \b
    Examples:
      plcfrs combine wsj.refined wsj.gap --dev dev.export -o best.combined
      plcfrs combine wsj.refined --dev dev.export --votes berkeley=dev.mrg -o best.combined
      plcfrs combine all/wsj.refined all/wsj.gap --weights best.combined -o final.combined
    """  # noqa: D301
    check_folder(chosen.output)
    family = find_family("combined")
    if chosen.weights is not None and chosen.dev is None:
        model: Any = family.load(chosen.weights, members=chosen.models)
        model.save(chosen.output)
    elif chosen.dev is not None and chosen.weights is None:
        model = _learned(chosen, chosen.dev, family)
    else:
        raise click.UsageError(
            "Give either --dev to learn weights, or --weights to copy those of a combined parser."
        )
    click.echo("\n".join(model.weight_lines), err=True)


def _learned(chosen: CombineOptions, dev: str, family: Family) -> Any:  # noqa: ANN401 (of the family)
    """Learn the weights from trees, and save the model."""
    input, options = chosen.input, chosen.options
    refuse_dependencies([dev], input.format)
    read = transform_all(input.read([dev]), options)
    trees = list(progress(trainable_trees(read, input.on_error), "read"))
    input.report()
    settings = replace(family.settings, **vars(chosen.settings), members=chosen.models)
    trainer = family.trainer(trees, settings, describe(options), replace(options, splits=()))
    if trainer.model().warning:
        click.echo(trainer.model().warning, err=True)
    runner = Runner(trainer, [], checkpoint=checkpoint_of(chosen.output))
    with naming_checkpoint(chosen.output):
        run_rounds(runner)
        runner.model.save(chosen.output)
    votes = VoteCount(runner.model)
    for tree in trees:
        votes.add(Sentence.of(tree))
    votes.report()
    return runner.model
