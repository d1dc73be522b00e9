"""The directive `picture`: a drawing that plcfrs makes while the documentation is built.

Its argument is a shell command that prints SVG; its content is the file `tree` for the command:

    ```{picture} plcfrs transform tree --from brackets | plcfrs draw --to svg
    ( (S (NP (PRP We)) (VP (VBD left))) )
    ```
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective


class PictureDirective(SphinxDirective):
    """Run the command, and put its SVG into the page, where it takes the page's colours."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec = {"caption": directives.unchanged_required}  # noqa: RUF012 (as docutils has it)

    def run(self) -> list[nodes.Node]:
        """Return a figure."""
        svg = picture(self.arguments[0], "\n".join(self.content))
        figure = nodes.container(classes=["plcfrs-picture"])
        figure += nodes.raw("", svg, format="html")
        if "caption" in self.options:
            texts, messages = self.state.inline_text(self.options["caption"], self.lineno)
            figure += nodes.paragraph("", "", *texts, *messages)
        return [figure]


def picture(command: str, tree: str) -> str:
    """Run a shell command in a folder with the file `tree`, and return the SVG that it prints."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    with TemporaryDirectory() as folder:
        Path(folder, "tree").write_text(tree + "\n", encoding="utf-8")
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", command],
            cwd=folder,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode or "<svg" not in done.stdout:
        raise ExtensionError(f"no picture from {command!r}: {done.stderr or done.stdout}")
    return done.stdout


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("picture", PictureDirective)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
