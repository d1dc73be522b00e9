"""The directive `families`: what each kind of parser can do, as the registry has it."""

from __future__ import annotations

from typing import get_args

from docutils import nodes
from results import table_of
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from plcfrs.parsing.parse import Capability
from plcfrs.parsing.registry import families

MEANINGS: dict[Capability, str] = {
    "budget": "limits of time and items",
    "nbest": "N best parses",
    "sums": "sums over derivations",
    "surprisal": "surprisal of words",
    "resume": "a training resumes",
}


class FamiliesDirective(SphinxDirective):
    """Show a table with a row for each kind of parser."""

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        capabilities: tuple[Capability, ...] = get_args(Capability)
        rows = [
            [kind, *("yes" if family.can(each) else "" for each in capabilities)]
            for kind, family in families().items()
        ]
        return [table_of(["kind", *(MEANINGS[each] for each in capabilities)], rows)]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("families", FamiliesDirective)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
