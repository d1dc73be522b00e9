"""A small experiment in a folder of its own."""

import shutil
import sys

import pytest

from plcfrs.experiment import Folder, load_experiment, run_experiment

SMALL = """
treebank: {path: "plcfrs:demo"}
transformations:
  context-free: {reattach: none}
sets:
  Tr: {sentences: 1-110, transformation: context-free}
  Te: {sentences: "111-130", transformation: context-free}
  Tr': {sentences: 1-110}
  Te': {sentences: "111-130"}
parsers:
  Tr: {training: Tr, test: Te}
  Tr': {training: Tr', test: Te', shared: no}
scores:
  - kind: brackets
    gold: {Te': [Tr, Tr'], Te: [Tr]}
    partition: Te'
"""


@pytest.fixture
def small():
    """The text of an experiment of a second."""
    return SMALL


@pytest.fixture
def write(tmp_path):
    """Write the file of an experiment."""

    def write(text):
        path = tmp_path / "small.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.fixture(scope="session")
def small_results(tmp_path_factory):
    """The folder of the small experiment, run once."""
    folder = tmp_path_factory.mktemp("small")
    (folder / "small.yaml").write_text(SMALL, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "matplotlib", None)
        run_experiment(load_experiment(folder / "small.yaml"), Folder(folder / "results"))
    return folder / "results"


@pytest.fixture
def done(small_results, tmp_path):
    """Let the small experiment be one that has been run before."""
    shutil.copytree(small_results, tmp_path / "results")


@pytest.fixture
def run(tmp_path, write, monkeypatch):
    """Run an experiment and return its tables; `run.said` has its messages.

    Plots take most of the time: there are none without matplotlib.
    """

    def run(text=SMALL, plots=False, **options):
        run.said = []
        folder = Folder(tmp_path / "results", run.said.append, **options)
        with monkeypatch.context() as patch:
            if not plots:
                patch.setitem(sys.modules, "matplotlib", None)
            return run_experiment(load_experiment(write(text)), folder)

    run.folder = tmp_path / "results"
    return run
