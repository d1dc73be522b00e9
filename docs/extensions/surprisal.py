"""The directive `surprisal`: numbers for the words of an example, drawn while building.

    ```{surprisal} Complement clause
    ```

The numbers are in `docs/results/surprisal-examples.json`; `tools/surprisal_examples.py` writes it.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib
from docutils import nodes
from matplotlib.figure import Figure
from results import RESULTS
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


class SurprisalDirective(SphinxDirective):
    """Draw a bar for each word of each version of a sentence."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Return a figure."""
        path = RESULTS / "surprisal-examples.json"
        self.env.note_dependency(str(path))
        tables = json.loads(path.read_text(encoding="utf-8"))["tables"]
        (title,) = (each for each in tables if each.partition(":")[0] == self.arguments[0])
        rows = {
            word: [None if bits == "-" else float(bits) for bits in versions.values()]
            for word, versions in tables[title].items()
        }
        (columns, *_) = tables[title].values()
        svg = draw_bars(title, list(columns), rows)
        figure = nodes.container(classes=["plcfrs-picture"])
        figure += nodes.raw("", svg, format="html")
        return [figure]


def draw_bars(title: str, names: Sequence[str], rows: Mapping[str, Sequence[float | None]]) -> str:
    """Return horizontal bars as SVG: each row has a number for each name, None for no bar."""
    figure = Figure((5, 1.15 + (0.13 + 0.14 * len(names)) * len(rows)), layout="constrained")
    axes = figure.subplots()
    thickness = 0.8 / len(names)
    for number, name in enumerate(names):
        numbers = [bars[number] for bars in rows.values()]
        shift = thickness * (number - (len(names) - 1) / 2)
        places = [place + shift for place in range(len(rows))]
        drawn = axes.barh(places, [each or 0 for each in numbers], thickness, label=name)
        labels = ["" if each is None else f"{each:g}" for each in numbers]
        axes.bar_label(drawn, labels, padding=3, fontsize="small")
    axes.set_yticks(range(len(rows)), rows)
    axes.invert_yaxis()
    axes.spines[["top", "right"]].set_visible(False)
    if len(names) > 1:
        figure.legend(loc="outside lower center", ncols=4, frameon=False, fontsize="small")
    figure.suptitle(title, fontsize="medium")
    text = io.StringIO()
    # Text stays text, and dollar signs start no formulas.
    settings: Any = {"svg.fonttype": "none", "text.parse_math": False, "svg.hashsalt": title}
    with matplotlib.rc_context(settings):
        figure.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()[text.getvalue().index("<svg") :]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("surprisal", SurprisalDirective)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
