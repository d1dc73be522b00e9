"""Public names are named once, in stubs, and loaded on first use."""

from importlib import import_module
from pathlib import Path

import lazy_loader
import pytest

import plcfrs

ROOT = Path(plcfrs.__file__).parent
PACKAGES = sorted(path.parent for path in ROOT.rglob("__init__.pyi"))


@pytest.mark.parametrize("folder", PACKAGES, ids=lambda folder: folder.name)
def test_stubs_are_read_as_by_lazy_loader(folder):
    name = ".".join(("plcfrs", *folder.relative_to(ROOT).parts))
    expected = lazy_loader.attach_stub(name, str(folder / "__init__.py"))[2]
    package = import_module(name)
    assert package.__all__ == expected
    assert all(hasattr(package, each) for each in expected)
