"""Make the model for Icelandic that comes with plcfrs, from a copy of its treebank on disk.

IcePaHC 2024.03 (CC BY 4.0): https://github.com/antonkarl/icecorpus

The texts are in folders `train` and `dev`; the hashes of what is read are compared. On one core it
takes an hour; --resume continues.

    python tools/train_icelandic.py ICEPAHC [--resume]
"""

from __future__ import annotations

from pathlib import Path

import click
from train_english import check, note_sources, plcfrs

from plcfrs.storage.included import INCLUDED

EVERY = {"train": 1, "dev": 10}
SOURCES = {"treebanks": "IcePaHC 2024.03 (Wallenberg and others 2024)", "licence": "CC BY 4.0"}

_FOLDER = Path("build/icelandic")
_EPOCHS, _BITS = "4", "8"
_GAP_BONUS = "5"  # finds nearly twice as many gaps of the part `dev`, with the same F1


@click.command()
@click.argument("icepahc", type=click.Path(exists=True, path_type=Path))
@click.option("--resume", is_flag=True, help="Continue the training of the network.")
def main(icepahc: Path, *, resume: bool) -> None:
    """Train, round to fewer bits, and put the model where plcfrs has it."""
    _FOLDER.mkdir(parents=True, exist_ok=True)
    for part, every in EVERY.items():
        files = sorted((icepahc / part).iterdir())
        check("IcePaHC", part, files)
        path = _FOLDER / f"{part}.discbracket"
        plcfrs("transform", "--skip-bad", *files, "-o", path)
        trees = path.read_text(encoding="utf-8").splitlines(keepends=True)
        path.write_text("".join(trees[::every]), encoding="utf-8")
    trained, path = _FOLDER / "trained.neural", INCLUDED["plcfrs:icelandic"]
    training: list[str | Path] = [_FOLDER / "train.discbracket"]
    training += ["--dev", _FOLDER / "dev.discbracket", "--log", _FOLDER / "icelandic.tsv"]
    training += ["--threads", "1", "--epochs", _EPOCHS]
    training += ["--gap-bonus", _GAP_BONUS, "-o", trained]
    plcfrs("train", "neural", *training, *(["--resume"] if resume else []))
    plcfrs("convert", trained, "-o", path, "--quantize", _BITS)
    note_sources(path, SOURCES)


if __name__ == "__main__":
    main()
