"""The targets of fuzzing: kinds of files, each with valid files and a function that uses a file."""

from __future__ import annotations

import gzip
import io
import tempfile
import warnings
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from fuzz_mutations import mutated_gzip, mutated_model, mutated_text, mutated_zip

import plcfrs
from plcfrs import Budget, Grammar, GrammarModel, Tree, read_trees, transform
from plcfrs.corpus.stimuli import read_stimuli
from plcfrs.corpus.surprisal_table import rows
from plcfrs.errors import PlcfrsError, TreebankError, TreebankWarning
from plcfrs.evaluation import load_settings
from plcfrs.experiment.loading import load_experiment
from plcfrs.forest.forests import grammar_of
from plcfrs.forest.surprisal import Surprisal
from plcfrs.learning.sequences import Tagger
from plcfrs.networks.encoding import NetworkVocabulary, Shapes
from plcfrs.parsers.features.model import FeatureModel
from plcfrs.parsers.neural import NeuralModel
from plcfrs.parsers.neural.configuration import constituents_of, inventory
from plcfrs.parsers.neural.heads import parts_of
from plcfrs.parsers.neural.network import NeuralNetwork, neural_shapes
from plcfrs.parsers.neural.parser import NeuralContents
from plcfrs.parsers.neural.settings import NeuralSettings
from plcfrs.parsers.transition.settings import SYSTEMS
from plcfrs.parsing.registry import family_of
from plcfrs.settings import settings_of
from plcfrs.text import Splitter
from plcfrs.transformation import Options, correct, read_corrections
from plcfrs.treebank import DEPENDENCY_FORMATS, FORMATS, WRITABLE
from plcfrs.treebank.compilation import compile_trees
from plcfrs.treebank.registry import COMPILED
from plcfrs.trees.heads import mark_heads, read_head_rules

_TREES = 4
_PLACES = 64  # of weights
_SIZES: Any = {"word_size": 3, "character_size": 2, "recurrent_size": 4, "hidden_size": 5}
_TOKENS = 60  # longer sentences are not parsed
_ITEMS, _SECONDS = 500, 1.0  # limits for the search for a sentence

Change = Callable[[bytes, Random], bytes]


@dataclass(frozen=True)
class Target:
    """A kind of file.

    Parameters
    ----------
    name : str
    file : str
        The name of the file.
    make_seeds : callable
        Makes some valid files.
    read : callable
        Reads a file, and uses the result.
    changed : callable
        Changes the content of a file at random.
    """

    name: str
    file: str
    make_seeds: Callable[[], list[bytes]]
    read: Callable[[Path], object]
    changed: Change = mutated_text

    @cached_property
    def seeds(self) -> list[bytes]:
        """Some valid files."""
        return self.make_seeds()

    def mutated(self, random: Random) -> bytes:
        """Return a randomly changed file."""
        return self.changed(random.choice(self.seeds), random)

    def use(self, content: bytes, folder: Path) -> None:
        """Write this content to a file in a folder, and read it."""
        path = folder / self.file
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", TreebankWarning)  # the command line prints it
            self.read(path)


def _stored(*names: str) -> list[bytes]:
    folder = Path(__file__).with_name("fuzz_seeds")
    return [folder.joinpath(name).read_bytes() for name in names]


@cache
def _demo() -> tuple[Tree, ...]:
    """Return a few trees, some with traces and some with crossing branches and all fields."""
    trees = [tree for tree in read_trees("plcfrs:demo") if len(tree.tokens) < 15]
    return tuple(trees[: 2 * _TREES])


@cache
def _crossing() -> tuple[Tree, ...]:
    trees = [transform(tree) for tree in islice(read_trees("plcfrs:demo"), 2 * _TREES)]
    for tree in trees:
        tree.tokens[0].lemma, tree.tokens[0].morph, tree.tokens[0].function = "x", "Nom.Sg", "HD"
    return tuple(trees)


def _written(name: str, save: Callable[[Path], object], beside: str = "") -> bytes:
    """Return the content of a saved file, or of another file that is saved beside it."""
    with tempfile.TemporaryDirectory() as folder:
        save(Path(folder) / name)
        return (Path(folder) / (beside or name)).read_bytes()


def _treebank_seeds(format: str) -> list[bytes]:
    stored = {
        "alpino": ["alpino.xml"],
        "text": ["running.txt"],
        "lines": ["running.txt"],
        "conll2012": ["documents.conll"],
    }
    stored["psd"] = ["historical.psd", "lemmas.psd", "deep.psd"]
    stored |= {name: ["sentences.conllu"] for name in DEPENDENCY_FORMATS}
    stored |= {"cgel": ["sentences.cgel"], "vertical": ["chunks.vert"]}
    stored["conllx"] = ["sentences.conllu", "long.conll"]
    if format in stored:
        return _stored(*stored[format])
    trees = _demo() if format in ("brackets", "penn") else _crossing()
    if format == COMPILED.name:
        return [_written("x", compile_trees(trees).save)]
    halves = (trees[:_TREES], trees[_TREES:])
    written = [_written("x", partial(plcfrs.write_trees, half, format=format)) for half in halves]
    return written + (
        _stored("slashes.mrg", "containers.mrg", "leaves.mrg") if format == "brackets" else []
    )


def _use_trees(path: Path, format: str | None = None) -> None:
    errors: list[TreebankError] = []
    trees = list(read_trees(path, format, on_error=errors.append))
    for tree in trees[:_TREES]:
        if sum(1 for _ in tree.nodes()) > 2000:
            continue
        for render in [FORMATS[other].render for other in WRITABLE]:
            if render is not None:
                _unless_refused(partial(render, tree, 1))
        _unless_refused(partial(plcfrs.find, tree, "VP[discontinuous] <~ NP"))
        _unless_refused(partial(transform, tree, Options(corrections={})))
    if errors:  # an error in a list of its own traceback would keep the file open
        raise errors.pop(0)


def _use_dependencies(path: Path) -> None:
    for tree in plcfrs.read_dependencies(path):
        for render in [FORMATS[format].render_dependencies for format in DEPENDENCY_FORMATS]:
            if render is not None:
                render(tree)


def _unless_refused(step: Callable[[], object]) -> None:
    with suppress(PlcfrsError):
        step()


def _grammar() -> Grammar:
    return GrammarModel.train(_crossing()).grammar


def _grammar_seeds(name: str, beside: str = "") -> list[bytes]:
    return [_written(name, _grammar().save, beside)]


def _use_model(path: Path) -> None:
    names = {setting.name for setting in settings_of(family_of(path).options)}
    options = {"fallback": "partial"} if "fallback" in names else {}
    model = plcfrs.load_model(path, Budget(_ITEMS, _SECONDS), **options)
    for tree in _crossing()[:2]:
        words = [(token.form, token.tag) for token in tree.tokens][:_TOKENS]
        model.parse(words)
        model.parse([word for word, _ in words])


def _use_grammar(path: Path) -> None:
    grammar = Grammar.load(path)
    for other in ("saved.yaml", "saved.plcfrs", "saved.rules"):
        _unless_refused(partial(grammar.save, path.with_name(other)))
    if grammar.fan_out() <= 8:
        model = GrammarModel(grammar, budget=Budget(_ITEMS, _SECONDS))
        model.parse([(token.form, token.tag) for token in _crossing()[0].tokens])


def _use_lexicon(rules: str, path: Path) -> None:
    """Read a lexicon beside a valid file of rules."""
    content, beside = path.read_bytes(), path.with_name(rules)
    if not beside.exists():
        _grammar().save(beside)
        path.write_bytes(content)
    _use_grammar(beside)


# How models are trained.
_TRAINED: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "refined": [("refined", {"cycles": 1})],
    "features": [("features", {"epochs": 1, "folds": 2})],
    "transition": [(system, {"epochs": 1}) for system in SYSTEMS],
    "reduction": [
        ("reduction", {"epochs": 1, "unaries": "classifier"}),
        ("reduction", {"epochs": 1, "unaries": "labels"}),
    ],
}


def _trained_seeds(name: str) -> list[bytes]:
    models: list[Any] = [
        plcfrs.train(kind, _crossing(), **settings) for kind, settings in _TRAINED[name]
    ]
    if name == "features":
        few = [replace(each.model, weights=each.model.weights[:_PLACES]) for each in models]
        models = list(map(FeatureModel, few))
    return [_written("x", model.save) for model in models]


def _neural_seeds() -> list[bytes]:
    """Return models with random weights, which do not need PyTorch."""
    trees = _without_splits()
    sentences = [tree.tokens for tree in trees]
    vocabulary = NetworkVocabulary.of(sentences, inventory(map(constituents_of, trees)))
    labels = tuple(sorted({part.label for tree in trees for part in parts_of(tree)}))
    seeds = []
    for chosen in ({}, {"heads": "transitions", "tags": "given"}, {"heads": "spans"}):
        settings = NeuralSettings(**_SIZES | chosen)
        parts = labels if settings.has_spans else ()
        arrays = _random_arrays(neural_shapes(settings, vocabulary, parts))
        network = NeuralNetwork(settings, vocabulary, arrays, parts=parts)
        tagger = Tagger.train(sentences, 1) if settings.tags == "given" else None
        grammar = grammar_of(trees) if settings.has_spans else None
        model = NeuralModel.of(NeuralContents(network, {}, tagger, grammar))
        seeds.append(_written("x", model.save))
    return seeds


def _without_splits() -> list[Tree]:
    return [transform(tree, Options(splits=())) for tree in _demo()]


def _random_arrays(shapes: Shapes) -> dict[str, np.ndarray]:
    random = np.random.default_rng(1)
    return {name: random.normal(size=shapes[name]).astype(np.float32) for name in shapes}


def _archive_seeds() -> list[bytes]:
    seeds = []
    for method in (zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", method) as archive:
            archive.writestr("a/\xe9.mrg", _treebank_seeds("brackets")[0])
            archive.writestr("two.export", _treebank_seeds("export")[0])
        seeds.append(file.getvalue())
    return seeds


def _use_head_rules(path: Path) -> None:
    rules = read_head_rules(path)
    for tree in _crossing():
        mark_heads(tree, rules)


def _use_corrections(path: Path) -> None:
    corrections = read_corrections(path)
    for tree in read_trees("plcfrs:demo"):
        correct(tree, corrections)


def _use_query(path: Path) -> None:
    text = path.read_bytes().decode("utf-8", "replace")
    for tree in _crossing()[:_TREES]:
        plcfrs.find(tree, text)


def _use_stimuli(path: Path) -> None:
    stimuli = read_stimuli([str(path)], None, "utf-8", Splitter())
    for number, tree in enumerate(stimuli.read()[0]):
        words = [Surprisal(token.form, 1.0) for token in tree.tokens]
        stimuli.arranged(number, rows(tree.id, None, [*words, Surprisal("</s>")]))


def _packed(seeds: list[bytes]) -> list[bytes]:
    return [gzip.compress(seed, mtime=0) for seed in seeds]


def _targets() -> Iterator[Target]:
    for format in FORMATS:
        seeds, use = partial(_treebank_seeds, format), partial(_use_trees, format=format)
        yield Target(format, f"x.{format}", seeds, use)
    conll = partial(_stored, "sentences.conllu")
    yield Target("dependencies", "x.conllu", conll, _use_dependencies)
    brackets = partial(_treebank_seeds, "brackets")
    yield Target("gzip", "x.mrg.gz", lambda: _packed(brackets()), _use_trees, mutated_gzip)
    yield Target("zip", "x.zip", _archive_seeds, _use_trees, mutated_zip)
    xml = [partial(_treebank_seeds, format) for format in ("tigerxml", "alpino")]
    yield Target("xml", "x.xml", lambda: [seed for seeds in xml for seed in seeds()], _use_trees)
    for kind in ("yaml", "rules"):
        yield Target(kind, f"x.{kind}", partial(_grammar_seeds, f"x.{kind}"), _use_grammar)
    seeds, use = partial(_grammar_seeds, "x.rules", "x.lex"), partial(_use_lexicon, "x.rules")
    yield Target("lexicon", "lexicon/x.lex", seeds, use)
    seeds = partial(_grammar_seeds, "x.plcfrs")
    yield Target("plcfrs", "x.plcfrs", seeds, _use_model, mutated_gzip)
    for name in _TRAINED:
        yield Target(name, f"x.{name}", partial(_trained_seeds, name), _use_model, mutated_model)
    yield Target("neural", "x.neural", _neural_seeds, _use_model, mutated_model)
    yield Target("heads", "x.heads", partial(_stored, "rules.heads"), _use_head_rules)
    yield Target("corrections", "x.tsv", partial(_stored, "corrections.tsv"), _use_corrections)
    yield Target("settings", "x.prm", partial(_stored, "settings.prm"), load_settings)
    yield Target("experiment", "x.yaml", partial(_stored, "experiment.yaml"), load_experiment)
    yield Target("stimuli", "x.csv", partial(_stored, "marked.csv", "words.csv"), _use_stimuli)
    yield Target("suite", "x.json", partial(_stored, "suite.json"), _use_stimuli)
    yield Target("query", "x.txt", lambda: _stored("queries.txt")[0].splitlines(), _use_query)


TARGETS: dict[str, Target] = {target.name: target for target in _targets()}
