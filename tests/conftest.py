"""Fixtures shared by all tests."""

import gc
import os
import sys
from importlib.util import find_spec
from itertools import islice
from pathlib import Path

import hypothesis
import pytest
from quick import PROFILES
from trained import TrainedModels

from plcfrs.errors import TreebankError
from plcfrs.jit import interpreter
from plcfrs.treebank import read_trees
from plcfrs.trees import Tree

sys.path.append(str(Path(__file__).parents[1] / "tools"))
from page_server import chromium, chromium_path

# They have no doctests, and two modules with the same name cannot be collected.
collect_ignore_glob = ["*/conftest.py"]

# The first call of a kernel compiles it, which must not count for deadlines. CI is deterministic.
for name, number in PROFILES.items():
    hypothesis.settings.register_profile(
        name, deadline=None, max_examples=number, derandomize=bool(os.environ.get("CI"))
    )
hypothesis.settings.load_profile("quick")

QUICK = "not full"  # what pyproject.toml selects

# Packages of extras that the tests need, and are skipped without.
_EXTRAS = ("spacy", "torch", "transformers")


def pytest_configure(config: pytest.Config) -> None:
    """Make sure that in CI nothing is skipped because a package is missing.

    The processes of the tests take a single thread of NumPy's library, as the program does, and
    of PyTorch's: with two, both cores are busy with waiting, and each has a process of tests.
    """
    if config.option.markexpr != QUICK:
        hypothesis.settings.load_profile("full")
    gc.disable()  # it would look at all modules and tests again and again
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    missing = [name for name in _EXTRAS if find_spec(name) is None]
    if missing and os.environ.get("CI"):
        pytest.exit(f"in CI there must be {', '.join(missing)}", returncode=1)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not import files of which a quick run takes no test; None leaves it to others."""
    if config.option.markexpr != QUICK or collection_path.suffix != ".py":
        return None
    return "\npytestmark = pytest.mark.full" in collection_path.read_text(encoding="utf-8") or None


def pytest_collection_finish() -> None:
    """Collect garbage from now on, but only what the tests make."""
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def session_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all processes of a run of the tests share."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@pytest.fixture(scope="session", autouse=True)
def _compiled_kernels() -> None:
    """Compile kernels that are not in the cache at once: each worker would interpret them first."""
    interpreter.stop()


@pytest.fixture(scope="session")
def trained(session_folder: Path) -> TrainedModels:
    """Files of models: `trained("gap")` is trained once a session (see `trained.py`)."""
    return TrainedModels(session_folder)


@pytest.fixture
def penn_treebank() -> list[Tree]:
    """The 3,914 trees of NLTK's Penn Treebank sample with their traces, for the test to change."""
    return _penn_trees(None)


@pytest.fixture
def first_penn_trees() -> list[Tree]:
    """The first hundred of them."""
    return _penn_trees(100)


def _penn_trees(number: int | None) -> list[Tree]:
    try:
        return list(islice(read_trees("nltk:treebank"), number))
    except TreebankError as error:
        if os.environ.get("CI"):
            pytest.fail(f"in CI the Penn Treebank sample must be there: {error}")
        pytest.skip("needs NLTK's Penn Treebank sample: set NLTK_DATA or download 'treebank'")


@pytest.fixture
def potsdam() -> Path:
    """The folder of the Potsdam Commentary Corpus: 176 TigerXML files."""
    return _folder("the Potsdam Commentary Corpus", "PLCFRS_PCC")


@pytest.fixture
def icepahc() -> Path:
    """The folder of the Icelandic Parsed Historical Corpus: 55 files in train, dev and test."""
    return _folder("IcePaHC", "PLCFRS_ICEPAHC")


@pytest.fixture
def cgelbank() -> Path:
    """The folder of CGELBank: 34 files."""
    return _folder("CGELBank", "PLCFRS_CGEL")


def _folder(treebank: str, variable: str) -> Path:
    folder = Path(os.environ.get(variable, "does-not-exist"))
    if not folder.is_dir():
        if os.environ.get("CI"):
            pytest.fail(f"in CI {treebank} must be there: set {variable}")
        pytest.skip(f"needs {treebank}: set {variable} to its folder")
    return folder


@pytest.fixture(scope="session")
def pytorch():
    """PyTorch, which trains networks."""
    return pytest.importorskip("torch", reason="needs PyTorch: pip install 'plcfrs[neural]'")


@pytest.fixture(scope="session")
def spacy():
    """SpaCy."""
    return pytest.importorskip("spacy", reason="needs spaCy: pip install 'plcfrs[spacy]'")


@pytest.fixture(scope="session")
def browser():
    """A browser without a window."""
    if chromium_path() is None:
        if os.environ.get("CI"):
            pytest.fail("in CI there must be a browser: apt-get install chromium")
        pytest.skip("needs a browser: install chromium, or set PLCFRS_CHROMIUM to its path")
    with chromium() as browser:
        yield browser
