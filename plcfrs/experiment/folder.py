"""The output folder: the result of each stage, and everything it depends on.

A result is reused if nothing that it depends on has changed: the options of its stage, the contents
of its inputs, and plcfrs itself. ``NAME.made.json`` beside each result records them. The name of an
incomplete file has the key of its stage and ends in ``.part``: a stage can resume an interrupted
run, but never a run with other options.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache
from importlib.metadata import version
from math import isinf
from pathlib import Path
from typing import Any, Protocol, TypeVar

import plcfrs
from plcfrs.compiling import working_cpu_time, working_time
from plcfrs.storage.files import digest_of
from plcfrs.trees import Node, Token, Tree

Item = TypeVar("Item")
Figures = Mapping[str, float]

WALL, CPU, MEMORY = "wall seconds", "CPU seconds", "peak MB"
"""The figures of each stage; the peak memory is only known on Linux."""

_PEAK = re.compile(r"VmHWM:\s+(\d+) kB")


class StageProgress(Protocol):
    """Shows the progress of a stage."""

    def __call__(self, items: Iterable[Item], what: str) -> Iterable[Item]:
        """Yield the items."""


def no_progress(items: Iterable[Item], what: str) -> Iterable[Item]:  # noqa: ARG001
    """Show nothing."""
    return items


@dataclass(frozen=True)
class Result:
    """The file that a stage has made.

    Parameters
    ----------
    path : Path
    digest : str
        SHA-256 of its content.
    figures : mapping of str to number
        For example the number of sentences or rules.
    """

    path: Path
    digest: str
    figures: Figures = field(default_factory=dict)


class Folder:
    """The folder that keeps the results.

    Parameters
    ----------
    path : Path
    say : callable
        Gets each line for the user; the log also has its time and duration.
    progress : StageProgress
    force : bool
        Whether to run all stages again.
    """

    def __init__(
        self,
        path: Path,
        say: Callable[[str], object] = lambda _: None,
        progress: StageProgress = no_progress,
        *,
        force: bool = False,
    ) -> None:
        self.path = path
        self.progress = progress
        self._say = say
        self._force = force
        path.mkdir(parents=True, exist_ok=True)

    def make(
        self,
        name: str,
        file: str,
        options: object,
        inputs: Sequence[Result],
        build: Callable[[Path], Figures],
    ) -> Result:
        """Return the result of a stage, from an earlier run if nothing has changed.

        Parameters
        ----------
        name : str
            The name of the stage in the log.
        file : str
            The path of the result in the folder.
        options : object
            Everything the result depends on besides the inputs: dataclasses, mappings, lists.
        inputs : sequence of Result
        build : callable
            Gets a path, makes the file and returns its figures. The file already exists if a run
            with the same options was interrupted.
        """
        path = self.path / file
        recipe = {
            "stage": name,
            "options": plain(options),
            "inputs": [result.digest for result in inputs],
            "program": program(),
        }
        key = digest(json.dumps(recipe, sort_keys=True))
        earlier = None if self._force else _earlier_result(path, key)
        if earlier:
            self.log(f"{name}: unchanged{_figures_in_brackets(earlier.figures)}")
            return earlier
        part = self._part(path, key)
        figures = _measured(lambda: build(part))
        part.replace(path)
        result = Result(path, digest_of([path]), figures)
        entry = {"key": key, "digest": result.digest, "figures": figures, "versions": versions()}
        write_json(_record_path(path), {**recipe, **entry})
        times = f" ({figures[WALL]:.1f} s, {figures[CPU]:.1f} s CPU)"
        self.log(f"{name}: done{_figures_in_brackets(figures)}", times)
        return result

    def log(self, line: str, detail: str = "") -> None:
        """Show a line to the user; the log also has a detail and the time."""
        self._say(line)
        with (self.path / "log.txt").open("a", encoding="utf-8") as file:
            file.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {line}{detail}\n")

    def _part(self, path: Path, key: str) -> Path:
        """Return the path where a stage writes, and remove partial results of other options."""
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{path.name}.{key[:16]}.part")
        for file in path.parent.iterdir():
            is_part = file.name.startswith(f"{path.name}.") and file.suffix == ".part"
            if is_part and (file != part or self._force):
                file.unlink()
        return part


def _measured(build: Callable[[], Figures]) -> dict[str, float]:
    """Return the figures of a stage, and the time and memory that it took."""
    start, cpu_start = working_time(), working_cpu_time()
    with suppress(OSError):  # on Linux, this resets the peak memory
        Path("/proc/self/clear_refs").write_text("5")
    figures = dict(build())
    figures |= {WALL: working_time() - start, CPU: working_cpu_time() - cpu_start}
    with suppress(OSError):
        figures[MEMORY] = int(_PEAK.findall(Path("/proc/self/status").read_text())[0]) / 1024
    return figures


def plain(value: object) -> object:
    """Return options as JSON values; equal options give equal JSON.

    >>> plain({"horizontal": float("inf"), "labels": frozenset("ba")})
    {'horizontal': 'inf', 'labels': ['a', 'b']}
    """
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, frozenset):
        return sorted(map(str, value))
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, range):
        return f"{value.start}-{value.stop - 1}"
    return "inf" if isinstance(value, float) and isinf(value) else value


def digest(content: bytes | str) -> str:
    """Return the SHA-256 of a text or bytes."""
    return hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()


def write_json(path: Path, content: object) -> None:
    """Write a JSON file that is complete or absent."""
    part = path.with_name(f"{path.name}.part")
    part.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    part.replace(path)


@cache
def program() -> str:
    """Return the version of plcfrs, with a digest of its sources because they may be edited."""
    folder = Path(plcfrs.__file__).parent
    sources = (path.read_bytes() for path in sorted(folder.rglob("*.py")))
    return f"{plcfrs.__version__} {digest(b''.join(sources))[:16]}"


@cache
def versions() -> dict[str, str]:
    """Return the versions of software and the machine that a run depends on."""
    return {
        "plcfrs": program(),
        "Python": platform.python_version(),
        **{name: version(name) for name in ("numpy", "numba", "nltk", "pyyaml")},
        "machine": machine(),
    }


def machine() -> str:
    """Return what times depend on: processor, cores, system, Python and Numba."""
    return (
        f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}, "
        f"Python {platform.python_version()}, numba {version('numba')}"
    )


def _record_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.made.json")


def _earlier_result(path: Path, key: str) -> Result | None:
    """Return the result of an earlier run with this key if its file is unchanged."""
    try:
        entry = json.loads(_record_path(path).read_text(encoding="utf-8"))
        if entry["key"] == key and entry["digest"] == digest_of([path]):
            return Result(path, entry["digest"], entry["figures"])
    except (OSError, ValueError, KeyError, TypeError):
        pass  # missing or damaged: make it again
    return None


def _figures_in_brackets(figures: Figures) -> str:
    listed = [f"{name}: {value}" for name, value in figures.items() if isinstance(value, int)]
    return f" ({', '.join(listed)})" if listed else ""


_MARKS = ("functions", "split", "head", "index", "gap_index", "moved")
_UNSET: tuple[object, ...] = ((), "", None)


def dump_tree(tree: Tree) -> dict[str, object]:
    """Return a tree as plain lists, for a line of JSON.

    Treebank formats do not keep all that grammars and scores need: heads, category splits and the
    types of traces. Secondary edges are left out. Nodes are in the order of `Tree.nodes`; a child
    is the position of a token, or -N for node N, where the root is 0.

    >>> tree = Tree(Node("ROOT", children=[Node("NP", children=[0])]), [Token("We", "PRP")])
    >>> dump_tree(tree)["nodes"]
    [['ROOT', [-1], {}], ['NP', [0], {}]]
    """
    nodes = tree.nodes()
    numbers = {node: number for number, node in enumerate(nodes)}
    return {
        "id": tree.id,
        "tokens": [
            [token.form, token.tag, token.lemma, token.morph, token.function]
            for token in tree.tokens
        ],
        "nodes": [
            [
                node.category,
                [child if isinstance(child, int) else -numbers[child] for child in node.children],
                {mark: getattr(node, mark) for mark in _MARKS if getattr(node, mark) not in _UNSET},
            ]
            for node in nodes
        ],
    }


def load_tree(content: dict[str, Any]) -> Tree:
    """Return the tree of the output of `dump_tree`."""
    nodes = [
        Node(category, **{**marks, "functions": tuple(marks.get("functions", ()))})
        for category, _, marks in content["nodes"]
    ]
    for node, (_, children, _) in zip(nodes, content["nodes"], strict=True):
        node.children = [child if child >= 0 else nodes[-child] for child in children]
    return Tree(nodes[0], [Token(*token) for token in content["tokens"]], content["id"])


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the JSON value of each line of a file."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def read_tree_lines(path: Path) -> Iterator[Tree]:
    """Yield the trees of a file with transformed trees or parses."""
    return map(load_tree, read_lines(path))
