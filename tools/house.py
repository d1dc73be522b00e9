"""How large the house is: figures that are to fall, and a check that none of them rises.

    python tools/house.py            # print them
    python tools/house.py --passes   # and how many files a sentence passes: a minute, for training
    python tools/house.py --check    # fail if one is worse than in tools/house.json

A line of code is not blank, not a comment, and not in a docstring; a function has its decorators.

A sentence passes a file of `plcfrs` if a function of this file runs while `plcfrs parse MODEL FILE
--tagged` parses one sentence, from the start of the program to the tree. What runs because a module
is imported does not count, nor what Numba has compiled. The models are small, trained on
`plcfrs:demo`; the combined one has three members.
"""

from __future__ import annotations

import ast
import io
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import redirect_stderr, suppress
from itertools import chain
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any, NamedTuple

import click

ROOT = Path(__file__).parents[1]
LIMITS = Path(__file__).with_suffix(".json")
MEDIAN = "median code lines of a module"  # the more the better
SENTENCE = "What/WP should/MD we/PRP do/VB ?/."
SHORT = {"grammar": {}, "gap": {"epochs": 1}, "neural": {"epochs": 1}, "refined": {"cycles": 1}}
MEMBERS = ("refined", "gap", "neural")  # the first one makes the forests


class Module(NamedTuple):
    """How many lines of each kind a file has, and the functions by their lines of code."""

    lines: int
    code: int
    imports: int
    docstrings: int
    functions: list[tuple[int, str]]

    @staticmethod
    def of(path: Path) -> Module:
        """Count the lines of a file."""
        text = path.read_text(encoding="utf-8")
        nodes = list(ast.walk(ast.parse(text)))
        docstrings = _docstrings(nodes)
        lines = [line.strip() for line in text.splitlines()]
        code = _code(lines) - docstrings
        functions = [
            (len(_lines([node, *node.decorator_list]) & code), f"{node.name} in {path.name}")
            for node in nodes
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        ]
        imports = _lines(node for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom)))
        return Module(len(lines), len(code), len(imports), len(docstrings), functions)


def code_in(text: str) -> str:
    """Return the lines of code of a module."""
    lines = text.splitlines()
    numbers = _code(lines) - _docstrings(ast.walk(ast.parse(text)))
    return "\n".join(lines[number - 1] for number in sorted(numbers))


def sizes(root: Path) -> tuple[dict[str, float], str]:
    """Return the figures of a source tree, and the name of the longest function."""
    modules = [Module.of(path) for path in (root / "plcfrs").rglob("*.py")]
    lines, code, imports, docstrings, functions = zip(*modules, strict=True)
    lengths = sorted(chain.from_iterable(functions), reverse=True)
    scripts = (root / "plcfrs/web/static").glob("*.js")
    figures = {
        "code lines in plcfrs": sum(code),
        "modules": len(modules),
        MEDIAN: median(code),
        "imports, % of code lines": round(100 * sum(imports) / sum(code), 1),
        "docstrings, % of lines": round(100 * sum(docstrings) / sum(lines), 1),
        "functions over 40 lines": sum(length > 40 for length, _ in lengths),
        "lines of the longest function": lengths[0][0],
        "lines of JavaScript": sum(len(path.read_text("utf-8").splitlines()) for path in scripts),
        "code lines in tools": sum(Module.of(path).code for path in (root / "tools").glob("*.py")),
    }
    return figures, lengths[0][1]


def passes() -> Iterator[tuple[str, int]]:
    """Train parsers, and yield how many files a sentence passes with each of them."""
    from plcfrs import read_trees, train, transform

    trees = [transform(tree) for tree in read_trees("plcfrs:demo")]
    with TemporaryDirectory() as folder:
        paths = {kind: str(Path(folder, kind)) for kind in (*SHORT, "combined")}
        members = [paths[kind] for kind in MEMBERS]
        settings: dict[str, dict[str, Any]] = {**SHORT, "combined": {"members": members}}
        for kind, path in paths.items():
            train(kind, trees, **settings[kind]).save(path)
            with get_context("spawn").Pool(1) as fresh:  # where nothing is imported or cached
                yield f"files passed: {kind}", len(fresh.apply(files_passed, [path]))


def files_passed(model: str) -> set[str]:
    """Parse a sentence by the command line, and return the files of which a function ran."""
    package = str(ROOT / "plcfrs")
    passed: set[str] = set()

    def note(frame: FrameType | None, event: str, _: object) -> None:
        path = frame.f_code.co_filename if frame else ""
        if event != "call" or path in passed or not path.startswith(package):
            return
        while frame:
            code, frame = frame.f_code, frame.f_back
            if code.co_name == "<module>" and code.co_filename.startswith(package):
                return  # an import
        passed.add(path)

    text = Path(f"{model}.txt")
    text.write_text(SENTENCE, encoding="utf-8")
    sys.argv = ["plcfrs", "parse", model, str(text), "--tagged", "-o", f"{model}.discbracket"]
    from plcfrs.__main__ import main

    sys.setprofile(note)
    with suppress(SystemExit), redirect_stderr(io.StringIO()):
        main()
    sys.setprofile(None)
    return passed


def _code(lines: Iterable[str]) -> set[int]:
    """Return the numbers of the lines that are neither blank nor comments."""
    return {n for n, line in enumerate(lines, 1) if line.strip() and line.strip()[0] != "#"}


def _docstrings(nodes: Iterable[ast.AST]) -> set[int]:
    """Return the numbers of the lines of docstrings."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return _lines(
        node.body[0]
        for node in nodes
        if isinstance(node, documented) and ast.get_docstring(node) is not None
    )


def _lines(nodes: Iterable[ast.stmt | ast.expr]) -> set[int]:
    """Return the numbers of the lines of some nodes."""
    return {n for node in nodes for n in range(node.lineno, (node.end_lineno or 0) + 1)}


def worse(figures: dict[str, float], limits: dict[str, float]) -> Iterator[str]:
    """Yield a line for each figure that is worse than its limit."""
    for name, figure in figures.items():
        limit = limits[name]
        if figure < limit if name == MEDIAN else figure > limit:
            yield (
                f"{name}: {figure:g}, which was {limit:g}; better it, or write a line in "
                "CHANGELOG.md and change the figure in tools/house.json"
            )


@click.command()
@click.option("--passes", "with_passes", is_flag=True, help="And the files that a sentence passes.")
@click.option("--check", is_flag=True, help="Fail if one is worse than in tools/house.json.")
def main(with_passes: bool, check: bool) -> None:
    """Print the figures."""
    figures, longest = sizes(ROOT)
    if with_passes:
        figures.update(passes())
    for name, figure in figures.items():
        note = f" ({longest})" if "longest" in name else ""
        click.echo(f"{name:<32}{figure:>10,}{note}")
    if check and (found := list(worse(figures, json.loads(LIMITS.read_text("utf-8"))))):
        raise click.ClickException("\n".join(found))


if __name__ == "__main__":
    main()
