"""The directive `surprisal`: numbers for the words of an example, drawn while building.

    ```{surprisal} Complement clause
    ```

The numbers are in `docs/results/surprisal-examples.json`; `tools/surprisal_examples.py` writes it.
"""

from __future__ import annotations

import json

from docutils import nodes
from results import RESULTS
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from plcfrs.plots import BarPlot, plot_svg


class SurprisalDirective(SphinxDirective):
    """Draw a bar for each word of each version of a sentence."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Return a figure."""
        path = RESULTS / "surprisal-examples.json"
        self.env.note_dependency(str(path))
        tables = json.loads(path.read_text(encoding="utf-8"))["tables"]
        (table,) = (each for each in tables if _name(each["caption"]) == self.arguments[0])
        words = [word for word, *_ in table["rows"]]
        rows = {
            f"{word} ({number})" if words.count(word) > 1 else word: [
                None if each == "-" else float(each) for each in bits
            ]
            for number, (word, *bits) in enumerate(table["rows"], start=1)
        }
        plot = BarPlot(table["caption"], table["columns"][1:], rows)
        figure = nodes.container(classes=["plcfrs-picture"])
        figure += nodes.raw("", plot_svg(plot), format="html")
        return [figure]


def _name(caption: str) -> str:
    return caption.partition(":")[0]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("surprisal", SurprisalDirective)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
