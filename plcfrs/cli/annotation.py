"""What a training learns of the functions and null elements of a treebank."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from plcfrs.settings import setting
from plcfrs.trees.annotation import ANNOTATION

if TYPE_CHECKING:
    from plcfrs.completion import Completion


def annotation_setting() -> tuple[str, ...]:
    """Return the field of ``--annotation``."""
    return setting(
        ANNOTATION,
        "What parses get beside categories, if the treebank has it: functions, nulls (null "
        "elements and indices), or none.",
        choices=ANNOTATION,
    )


def say_annotation(completion: Completion | None) -> None:
    """Say what was learned, if anything."""
    if completion is not None:
        click.echo(f"annotation: {completion}", err=True)
