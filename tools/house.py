"""How large the house is: a report, and a check of what CI holds.

    python tools/house.py            # print the figures
    python tools/house.py --passes   # and how many files a sentence passes: a minute, for training
    python tools/house.py --check    # fail if there are more circles or long functions than allowed

A line of code is not blank, not a comment, and not in a docstring; functions include decorators.
Files form a circle if each of them imports the others, directly or through other files.

A sentence passes a file of `plcfrs` if a function of this file runs while `plcfrs parse MODEL FILE
--tagged` parses one sentence, from the start of the program to the tree. Imports and functions that
Numba has compiled do not count. The models are small, trained on `plcfrs:demo`; the combined model
has three members.
"""

from __future__ import annotations

import ast
import io
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import redirect_stderr, suppress
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any, NamedTuple

import click
import grimp

ROOT = Path(__file__).parents[1]
LIMITS = Path(__file__).with_suffix(".json")
LONGEST = 60  # lines of code of a function
SENTENCE = "What/WP should/MD we/PRP do/VB ?/."
SHORT = {"grammar": {}, "gap": {"epochs": 1}, "neural": {"epochs": 1}, "refined": {"cycles": 1}}
MEMBERS = ("refined", "gap", "neural")  # the first one makes the forests


class Module(NamedTuple):
    """The numbers of lines of code and of imports in a file, and of each of its functions."""

    code: int
    imports: int
    functions: dict[str, int]

    @staticmethod
    def of(path: Path) -> Module:
        """Count the lines of a file."""
        text = path.read_text(encoding="utf-8")
        nodes = list(ast.walk(ast.parse(text)))
        lines = (line.strip() for line in text.splitlines())
        code = {n for n, line in enumerate(lines, 1) if line and line[0] != "#"}
        code -= _lines(docstring for node in nodes for docstring in _docstring(node))
        functions = {
            f"{node.name} in {path.name}": len(_lines([node, *node.decorator_list]) & code)
            for node in nodes
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        }
        imports = _lines(node for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom)))
        return Module(len(code), len(imports), functions)


def _docstring(node: ast.AST) -> Iterator[ast.stmt]:
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    if isinstance(node, documented) and ast.get_docstring(node) is not None:
        yield node.body[0]


def _lines(nodes: Iterable[ast.stmt | ast.expr]) -> set[int]:
    """Return the line numbers of nodes."""
    return {n for node in nodes for n in range(node.lineno, (node.end_lineno or 0) + 1)}


def sizes(root: Path) -> dict[str, float]:
    """Return how large a source tree is."""
    modules = [Module.of(path) for path in (root / "plcfrs").rglob("*.py")]
    code = sum(module.code for module in modules)
    scripts = (root / "plcfrs/web/static").glob("*.js")
    return {
        "code lines in plcfrs": code,
        "modules": len(modules),
        "imports, % of code lines": round(100 * sum(it.imports for it in modules) / code, 1),
        "lines of JavaScript": sum(len(path.read_text("utf-8").splitlines()) for path in scripts),
        "code lines in tools": sum(Module.of(path).code for path in (root / "tools").glob("*.py")),
    }


def long_functions(root: Path) -> list[str]:
    """Return the functions that do not fit on a screen."""
    modules = [Module.of(path) for path in sorted((root / "plcfrs").rglob("*.py"))]
    return [
        f"{name}: {lines} lines"
        for module in modules
        for name, lines in module.functions.items()
        if lines > LONGEST
    ]


def circles(package: str) -> list[str]:
    """Return the files that import each other."""
    graph = grimp.build_graph(package, exclude_type_checking_imports=True, cache_dir=None)
    imported = {module: graph.find_upstream_modules(module) for module in graph.modules}
    found = {
        frozenset(other for other in [module, *others] if module in imported[other] | {other})
        for module, others in imported.items()
    }
    return sorted(", ".join(sorted(circle)) for circle in found if len(circle) > 1)


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
    """Parse a sentence with the command line, and return the files whose functions ran."""
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


@click.command()
@click.option("--passes", "with_passes", is_flag=True, help="Count files that a sentence passes.")
@click.option("--check", is_flag=True, help="Fail if figures exceed those of tools/house.json.")
def main(with_passes: bool, check: bool) -> None:
    """Print the figures."""
    problems = {
        "circles of files": circles("plcfrs"),
        f"functions over {LONGEST} lines": long_functions(ROOT),
    }
    figures = sizes(ROOT) | {name: len(places) for name, places in problems.items()}
    if with_passes:
        figures.update(passes())
    for name, figure in figures.items():
        click.echo(f"{name:<32}{figure:>10,}")
    for name, places in problems.items():
        click.echo("\n".join([f"\n{name}:", *places]))
    limits = json.loads(LIMITS.read_text("utf-8"))
    broken = [f"{name}: {figures[name]:g}, allowed: {limits[name]}" for name in problems]
    if check and any(figures[name] > limits[name] for name in problems):
        raise click.ClickException("; ".join(broken))


if __name__ == "__main__":
    main()
