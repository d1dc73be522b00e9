"""The directive `surprisal`: the surprisal of the words of an example, drawn while building.

    ```{surprisal} complement
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

    def run(self) -> list[nodes.Node]:
        """Return a figure."""
        path = RESULTS / "surprisal-examples.json"
        self.env.note_dependency(str(path))
        example = json.loads(path.read_text(encoding="utf-8"))[self.arguments[0]]
        rows = {
            f"{word} ({number})" if example["words"].count(word) > 1 else word: bits
            for number, (word, bits) in enumerate(
                zip(example["words"], example["bits"], strict=True), start=1
            )
        }
        plot = BarPlot(f"{example['title']}: surprisal in bits", example["versions"], rows)
        figure = nodes.container(classes=["plcfrs-picture"])
        figure += nodes.raw("", plot_svg(plot), format="html")
        return [figure]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("surprisal", SurprisalDirective)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
