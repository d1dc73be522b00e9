"""Trained models: one file each, made once for all processes of a session of the tests."""

from dataclasses import replace
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

import pytest
from demo_trees import demo_trees
from filelock import FileLock

from plcfrs.parsing.registry import find_family, train

SMALL = {"word_size": 6, "character_size": 4, "tag_size": 4, "recurrent_size": 8, "hidden_size": 8}
NETWORK = {"epochs": 2, "threads": 1, **SMALL}

# A grammar has no settings that make it quicker to train.
QUICK = {
    "grammar": {},
    "refined": {"cycles": 1},
    "features": {"epochs": 2, "folds": 2},
    **{system: {"epochs": 2} for system in ("gap", "cgap", "swap", "skipshift", "reduction")},
    "neural": NETWORK,
}


class TrainedModels:
    """Call it for the file of a model; `load_model` reads it."""

    def __init__(self, folder: Path):
        self.folder = folder

    def __call__(self, family: str, sentences: int = 30, **settings) -> Path:
        """Return the file of a model, which is trained by the first test that asks for it.

        It learns the first sentences of `demo_trees()` without their functions; two epochs are
        enough for most tests: name more sentences, or other settings than `QUICK`, only where a
        test needs them.
        The file is for all tests: copy it before you change it.
        """
        if "threads" in QUICK[family] and find_spec("torch") is None:
            pytest.skip("needs PyTorch: pip install 'plcfrs[neural]'")
        found = find_family(family)
        chosen = replace(found.settings, **{**QUICK[family], **settings})
        name = sha256(repr((sentences, chosen)).encode()).hexdigest()[:8]
        path = self.folder / "trained" / name / f"demo.{found.extension}"
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{path}.lock"):
            if not path.exists():
                train(family, demo_trees()[:sentences], chosen, annotation=()).save(path)
        return path
