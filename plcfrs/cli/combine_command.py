"""``plcfrs combine``."""

from __future__ import annotations

from dataclasses import replace

import click

from plcfrs.cli.dependencies import refuse_dependencies
from plcfrs.cli.options import (
    Selection,
    progress,
    selection_options,
    transform_options,
)
from plcfrs.cli.rounds import check_folder, run_rounds
from plcfrs.cli.settings_options import settings_options
from plcfrs.cli.vote_count import VoteCount
from plcfrs.pipeline.combined import CombinedModel
from plcfrs.pipeline.combined_settings import CombinedSettings, WeightSettings
from plcfrs.pipeline.combining import CombinedTrainer
from plcfrs.training import Runner
from plcfrs.transformation import Options, transform_all
from plcfrs.transformation.description import describe


@click.command("combine", context_settings={"default_map": {"splits": "none"}})
@click.argument("models", nargs=-1, required=True, metavar="MODEL...")
@click.option(
    "--dev",
    metavar="TREEBANK",
    help="Trees that no model has learned from: the weights are learned from them.",
)
@click.option(
    "--weights",
    metavar="COMBINED",
    help="Instead of --dev: take the weights of this combined parser, whose models have the same "
    "names. For the same models, trained again with more trees.",
)
@click.option("-o", "--output", required=True, metavar="MODEL", help="Where the model is saved.")
@settings_options(WeightSettings())
@transform_options
@selection_options
def command(
    models: tuple[str, ...],
    dev: str | None,
    weights: str | None,
    output: str,
    settings: WeightSettings,
    options: Options,
    selection: Selection,
) -> None:
    """Combine several parsers into one that is better than each.

    The first model with a grammar makes a forest of parses for each sentence, and all models judge
    it: grammars by the probabilities of its rules and constituents, other parsers by votes for
    the constituents of their own parses. The derivation with the highest weighted sum is the parse.
    The weights are learned from a development set. The file names its models: they stay where they
    are.

    With --votes, parses of the development set by another program vote, too. Sentences are found by
    their words. The new sentences need its votes as well: plcfrs parse --votes NAME=FILE.

    \b
    Examples:
      plcfrs combine wsj.refined wsj.gap --dev dev.export -o best.combined
      plcfrs combine wsj.refined --dev dev.export --votes berkeley=dev.mrg -o best.combined
      plcfrs combine all/wsj.refined all/wsj.gap --weights best.combined -o final.combined
    """  # noqa: D301
    check_folder(output)
    if weights is not None and dev is None:
        model = CombinedModel.load(weights, members=models)
        model.save(output)
    elif dev is not None and weights is None:
        model = _learned(models, dev, output, settings, options, selection)
    else:
        raise click.UsageError(
            "give either --dev, to learn weights, or --weights, to take those of a combined parser."
        )
    click.echo("\n".join(model.weight_lines), err=True)


def _learned(
    models: tuple[str, ...],
    dev: str,
    output: str,
    settings: WeightSettings,
    options: Options,
    selection: Selection,
) -> CombinedModel:
    """Learn the weights from trees, and save the model."""
    refuse_dependencies([dev], selection.format)
    trees = list(progress(transform_all(selection.read([dev]), options), "read"))
    selection.report()
    chosen = CombinedSettings(**vars(settings), members=models)
    trainer = CombinedTrainer(trees, chosen, describe(options), replace(options, splits=()))
    if trainer.model().warning:
        click.echo(trainer.model().warning, err=True)
    runner = Runner(trainer, [])
    run_rounds(runner)
    runner.model.save(output)
    votes = VoteCount(runner.model)
    for tree in trees:
        votes.noting(tree)
    votes.report()
    return runner.model
