"""The targets of fuzzing: for each kind of file some valid ones, and a function that uses it."""

from __future__ import annotations

import gzip
import io
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from fuzz_mutations import mutated_gzip, mutated_model, mutated_text, mutated_zip

from plcfrs.errors import PlcfrsError, TreebankError
from plcfrs.evaluation import load_settings
from plcfrs.experiment.loading import load_experiment
from plcfrs.experts.forests import grammar_of
from plcfrs.grammar import Grammar
from plcfrs.neural.parser import SetParser
from plcfrs.neural.settings import Settings
from plcfrs.neural.shapes import Shapes, shapes_of
from plcfrs.neural.spans.grammar import SpanGrammar
from plcfrs.neural.spans.parts import parts_of
from plcfrs.neural.spans.scorer import SpanScorer, span_shapes
from plcfrs.neural.spans.settings import SpanSettings
from plcfrs.neural.vectors import WordVectors, read_word_vectors
from plcfrs.neural.vocabulary import Vocabulary
from plcfrs.pipeline import (
    Budget,
    GrammarModel,
    family_of,
    load_model,
    train,
)
from plcfrs.pipeline.features import FeatureModel
from plcfrs.pipeline.set_based import SetBasedModel
from plcfrs.pipeline.spans import SpanModel
from plcfrs.query import find
from plcfrs.settings import settings_of
from plcfrs.tagging.tagger import Tagger
from plcfrs.transformation import Options, correct, read_corrections, transform
from plcfrs.transition.registry import SYSTEMS
from plcfrs.transition.sets.constituents import constituents_of, inventory
from plcfrs.treebank import (
    DEPENDENCY_FORMATS,
    FORMATS,
    WRITABLE,
    read_dependencies,
    read_trees,
    write_trees,
)
from plcfrs.trees import Tree
from plcfrs.trees.heads import mark_heads, read_head_rules

_TREES = 4
_PLACES = 64  # of weights
_SIZES: dict[str, Any] = {  # of networks
    "word_size": 3,
    "character_size": 2,
    "recurrent_size": 4,
    "hidden_size": 5,
}
_TOKENS = 60  # longer sentences are not parsed
_ITEMS, _SECONDS = 500, 1.0  # limits for the search for a sentence

Change = Callable[[bytes, Random], bytes]


@dataclass(frozen=True)
class Target:
    """A kind of file.

    Parameters
    ----------
    name : str
    make_seeds : callable
        Makes some valid files.
    use : callable
        Reads the content of a file, given also a folder, and uses the result.
    changed : callable
        Changes the content of a file at random.
    """

    name: str
    make_seeds: Callable[[], list[bytes]]
    use: Callable[[bytes, Path], None]
    changed: Change = mutated_text

    @cached_property
    def seeds(self) -> list[bytes]:
        """Some valid files."""
        return self.make_seeds()

    def mutated(self, random: Random) -> bytes:
        """Return a randomly changed file."""
        return self.changed(random.choice(self.seeds), random)


@cache
def _demo() -> tuple[Tree, ...]:
    """Return a few trees, some with traces and some with crossing branches and all fields."""
    trees = [tree for tree in read_trees("plcfrs:demo") if len(tree.tokens) < 15]
    return tuple(trees[: 2 * _TREES])


@cache
def _crossing() -> tuple[Tree, ...]:
    trees = []
    for tree in list(read_trees("plcfrs:demo"))[: 2 * _TREES]:
        tree = transform(tree)
        tree.tokens[0].lemma, tree.tokens[0].morph, tree.tokens[0].function = "x", "Nom.Sg", "HD"
        trees.append(tree)
    return tuple(trees)


def _written(name: str, save: Callable[[Path], object]) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        save(Path(folder) / name)
        return (Path(folder) / name).read_bytes()


def _treebank_seeds(format: str) -> list[bytes]:
    if format == "alpino":
        return [_ALPINO]
    if format == "text":
        return [b'Mr. Nkosi can\'t come (yet). "Why?", they asked.\n\nA new\nparagraph: No. 7!\n']
    if format in DEPENDENCY_FORMATS:
        return [_CONLL]
    trees = _demo() if format == "brackets" else _crossing()
    halves = (trees[:_TREES], trees[_TREES:])
    return [_written("x", partial(write_trees, half, format=format)) for half in halves]


def _use_trees(name: str, format: str | None, content: bytes, folder: Path) -> None:
    path = folder / name
    path.write_bytes(content)
    errors: list[TreebankError] = []
    trees = list(read_trees(path, format, on_error=errors.append))
    for tree in trees[:_TREES]:
        if sum(1 for _ in tree.nodes()) > 2000:
            continue
        for other in WRITABLE:
            render = FORMATS[other].render
            if render is not None:
                _unless_refused(partial(render, tree, 1))
        _unless_refused(partial(find, tree, "VP[discontinuous] <~ NP"))
        _unless_refused(partial(transform, tree, Options(corrections={})))
    if errors:  # an error in a list of its own traceback would keep the file open
        raise errors.pop(0)


def _use_dependencies(content: bytes, folder: Path) -> None:
    path = folder / "x.conllu"
    path.write_bytes(content)
    for tree in read_dependencies(path):
        for format in DEPENDENCY_FORMATS:
            render = FORMATS[format].render_dependencies
            if render is not None:
                render(tree)


def _unless_refused(step: Callable[[], object]) -> None:
    try:
        step()
    except PlcfrsError:
        return


def _grammar() -> Grammar:
    return GrammarModel.train(_crossing()).grammar


def _grammar_seeds(name: str) -> list[bytes]:
    return [_written(name, _grammar().save)]


def _lexicon_seeds(name: str) -> list[bytes]:
    with tempfile.TemporaryDirectory() as folder:
        _grammar().save(Path(folder) / name)
        return [next(Path(folder).glob("*.lex")).read_bytes()]


def _use_model(name: str, content: bytes, folder: Path) -> None:
    path = folder / name
    path.write_bytes(content)
    known = {each.name for each in settings_of(family_of(path).options)}
    options = {"fallback": "partial"} if "fallback" in known else {}
    model = load_model(path, Budget(_ITEMS, _SECONDS), **options)
    for tree in _crossing()[:2]:
        words = [(token.form, token.tag) for token in tree.tokens][:_TOKENS]
        model.parse(words)
        model.parse([word for word, _ in words])


def _use_grammar(name: str, content: bytes, folder: Path) -> None:
    path = folder / name
    path.write_bytes(content)
    grammar = Grammar.load(path)
    for other in ("saved.yaml", "saved.plcfrs", "saved.rules", "saved.rcg", "saved.pmcfg"):
        _unless_refused(partial(grammar.save, folder / other))
    if grammar.fan_out() <= 8:
        model = GrammarModel(grammar, budget=Budget(_ITEMS, _SECONDS))
        model.parse([(token.form, token.tag) for token in _crossing()[0].tokens])


def _use_lexicon(rules: str, content: bytes, folder: Path) -> None:
    """Read a lexicon beside a valid file of rules."""
    beside = folder / "lexicon"
    beside.mkdir(exist_ok=True)
    if not (beside / rules).exists():
        _grammar().save(beside / rules)
    (beside / f"{Path(rules).stem}.lex").write_bytes(content)
    _use_grammar(rules, (beside / rules).read_bytes(), beside)


def _refined_seeds() -> list[bytes]:
    model = train("refined", _crossing(), cycles=1)
    return [_written("x.refined", model.save)]


def _features_seeds() -> list[bytes]:
    model = train("features", _crossing(), epochs=1, folds=2)
    few = replace(model.model, weights=model.model.weights[:_PLACES])
    return [_written("x.features", FeatureModel(few).save)]


def _transition_seeds() -> list[bytes]:
    seeds = []
    for system in SYSTEMS:
        trees = list(read_trees("plcfrs:demo"))[: 2 * _TREES]
        model = train(system, [transform(tree) for tree in trees], epochs=1)
        seeds.append(_written(f"x.{system}", model.save))
    return seeds


def _reduction_seeds() -> list[bytes]:
    trees = [transform(tree) for tree in list(read_trees("plcfrs:demo"))[: 2 * _TREES]]
    ways = (
        {"backbone": "second-order", "unaries": "classifier"},
        {"backbone": "projective", "unaries": "labels"},
    )
    models = (train("reduction", trees, epochs=1, **settings) for settings in ways)
    return [_written("x.reduction", model.save) for model in models]


def _set_based_seeds() -> list[bytes]:
    """Return models with random weights, which need no PyTorch."""
    trees = [transform(tree, Options(splits=())) for tree in _demo()]
    sentences = [tree.tokens for tree in trees]
    vocabulary = Vocabulary.of(sentences, inventory(map(constituents_of, trees)))
    seeds = []
    for settings in (Settings(**_SIZES), Settings(tags="predicted", **_SIZES)):
        arrays = _random_arrays(shapes_of(settings, vocabulary))
        tagger = Tagger.train(sentences, 1) if settings.tags == "gold" else None
        model = SetBasedModel(SetParser(settings, vocabulary, arrays), tagger, {})
        seeds.append(_written("x.set-based", model.save))
    return seeds


def _spans_seeds() -> list[bytes]:
    """Return models with random weights, which need no PyTorch."""
    trees = [transform(tree, Options(splits=())) for tree in _demo()]
    seeds = []
    for settings in (
        SpanSettings(networks=2, **_SIZES),
        SpanSettings(gaps="joint", tags="none", **_SIZES),
    ):
        labels = sorted({part.label for tree in trees for part in parts_of(tree, settings.gaps)})
        vocabulary = Vocabulary.of([tree.tokens for tree in trees], labels)
        arrays = _random_arrays(span_shapes(settings, vocabulary))
        scorer = SpanScorer(settings, vocabulary, arrays)
        model = SpanModel(SpanGrammar(grammar_of(trees), scorer))
        seeds.append(_written("x.spans", model.save))
    return seeds


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


def _use_head_rules(content: bytes, folder: Path) -> None:
    path = folder / "x.heads"
    path.write_bytes(content)
    rules = read_head_rules(path)
    for tree in _crossing():
        mark_heads(tree, rules)


def _use_corrections(content: bytes, folder: Path) -> None:
    path = folder / "x.tsv"
    path.write_bytes(content)
    corrections = read_corrections(path)
    for tree in read_trees("plcfrs:demo"):
        correct(tree, corrections)


def _use_vectors(content: bytes, folder: Path) -> None:
    path = folder / "x.txt"
    path.write_bytes(content)
    vectors = read_word_vectors(path, ["the", "-LRB-"], most_frequent=2)
    vectors.encode([["The", "bank"]])
    WordVectors.from_arrays(vectors.header(), vectors.arrays())


def _use_settings(content: bytes, folder: Path) -> None:
    path = folder / "x.prm"
    path.write_bytes(content)
    load_settings(path)


def _use_experiment(content: bytes, folder: Path) -> None:
    path = folder / "x.yaml"
    path.write_bytes(content)
    load_experiment(path)


def _use_query(content: bytes, _folder: Path) -> None:
    text = content.decode("utf-8", "replace")
    for tree in _crossing()[:_TREES]:
        find(tree, text)


def _targets() -> Iterator[Target]:
    for format in FORMATS:
        seeds = partial(_treebank_seeds, format)
        yield Target(format, seeds, partial(_use_trees, f"x.{format}", format))
    yield Target("dependencies", lambda: [_CONLL], _use_dependencies)
    packed = [gzip.compress(seed, mtime=0) for seed in _treebank_seeds("brackets")]
    yield Target("gzip", lambda: packed, partial(_use_trees, "x.mrg.gz", None), mutated_gzip)
    yield Target("zip", _archive_seeds, partial(_use_trees, "x.zip", None), mutated_zip)
    yield Target("xml", lambda: [*_treebank_seeds("tigerxml"), _ALPINO], _XML)
    for name in ("x.yaml", "x.rules", "x.rcg", "x.pmcfg"):
        kind = name.removeprefix("x.")
        yield Target(kind, partial(_grammar_seeds, name), partial(_use_grammar, name))
    for name in ("x.rules", "x.rcg", "x.pmcfg"):
        kind = f"{name.removeprefix('x.')}-lexicon"
        yield Target(kind, partial(_lexicon_seeds, name), partial(_use_lexicon, name))
    use = partial(_use_model, "x.plcfrs")
    yield Target("plcfrs", partial(_grammar_seeds, "x.plcfrs"), use, mutated_gzip)
    yield Target("refined", _refined_seeds, partial(_use_model, "x.refined"), mutated_model)
    yield Target("features", _features_seeds, partial(_use_model, "x.features"), mutated_model)
    yield Target("transition", _transition_seeds, partial(_use_model, "x.gap"), mutated_model)
    yield Target("reduction", _reduction_seeds, partial(_use_model, "x.reduction"), mutated_model)
    use = partial(_use_model, "x.set-based")
    yield Target("set-based", _set_based_seeds, use, mutated_model)
    yield Target("spans", _spans_seeds, partial(_use_model, "x.spans"), mutated_model)
    yield Target("heads", lambda: [_HEADS], _use_head_rules)
    yield Target("corrections", lambda: [_CORRECTIONS], _use_corrections)
    vectors = [_VECTORS, gzip.compress(_VECTORS, mtime=0)]
    yield Target("vectors", lambda: vectors, _use_vectors)
    yield Target("settings", lambda: [_SETTINGS], _use_settings)
    yield Target("experiment", lambda: [_EXPERIMENT], _use_experiment)
    yield Target("query", lambda: _QUERIES, _use_query)


_XML = partial(_use_trees, "x.xml", None)
_ALPINO = b"""<?xml version="1.0" encoding="UTF-8"?>
<treebank>
<alpino_ds version="1.3">
 <node begin="0" cat="top" end="4" id="0" rel="top">
  <node begin="0" cat="smain" end="4" id="1" rel="--">
   <node begin="0" end="1" id="2" index="1" lemma="zij" pos="pron" rel="su" word="Zij"/>
   <node begin="1" end="2" id="3" lemma="willen" pos="verb" rel="hd" word="wil"/>
   <node begin="0" cat="inf" end="4" id="4" rel="vc">
    <node begin="0" end="1" id="5" index="1" rel="su"/>
    <node begin="2" end="3" id="6" lemma="nu" pos="adv" rel="mod" word="nu"/>
    <node begin="3" end="4" id="7" lemma="zingen" pos="verb" rel="hd" word="zingen"/>
   </node>
  </node>
 </node>
 <sentence sentid="12">Zij wil nu zingen</sentence>
</alpino_ds>
</treebank>
"""
_CONLL = b"""# sent_id = s-1
# text = Zij wil'ns zingen
1\tZij\tzij\tPRON\tVNW\tCase=Nom|Person=3\t2\tnsubj\t_\t_
2-3\twil'ns\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
2\twil\twillen\tAUX\tWW\t_\t4\taux\t_\t_
3\teens\teens\tADV\tBW\t_\t4\tadvmod\t_\t_
3.1\tnu\tnu\tADV\t_\t_\t_\t_\t4:advmod\t_
4\tzingen\tzingen\tVERB\tWW\t_\t0\troot\t_\tSpaceAfter=No

1\tNu\tnu\tADV\tBW\t_\t0\troot\t_\t_
2\t!\t!\tPUNCT\tLET\t_\t1\tpunct\t_\t_

"""
_VECTORS = b"""4 3
the 0.25 -1 3e-2
. . . 1 2 3
( 1 2 3
bank -4 5 6
"""
_HEADS = b"""# mothers, side, how, names
S,SQ left priority VP S
NP right any NN NNS
NP left function HD
VP left outermost V?Z
PP left word
* left any
"""
_CORRECTIONS = b"# file\nx.mrg\t1\tNP-SBJ-1#2\tNP-1\ndemo.mrg\t3\t*T*-1\t*T*-2\ndemo\t1\tS#1\tSQ\n"
_SETTINGS = b"""# comment
DELETE_LABEL TOP
DELETE_LABEL -NONE-
DELETE_WORD x
EQ_LABEL ADVP PRT
EQ_WORD a b
LABELED 1
CUTOFF_LEN 40
DEBUG -1
LA 0
"""
_EXPERIMENT = b"""title: Demo
treebank: {path: "plcfrs:demo", format: brackets, encoding: utf-8}
transformations:
  context-free: {reattach: none, splits: [wh], punctuation: low}
sets:
  Tr: {sentences: 1-110, transformation: context-free}
  Te: {sentences: "111-130,140", max-length: 20}
parsers:
  plain: {training: Tr, test: Te, preset: evang-kallmeyer, horizontal: inf, shared: no}
  refined: {kind: refined, training: Tr, test: Te, cycles: 1, grammars: 2, seed: 3}
  gap: {kind: swap, training: Tr, test: Te, development: Te, order: dist2, epochs: 2, beam: 3}
scores:
  - {kind: brackets, title: Scores, gold: Te}
  - kind: constructions
    gold: Te
    parsers: [plain]
    published: {columns: [gold, plain], rows: {wh-movement: [129, 108]}}
"""
_QUERIES = [
    b"VP[discontinuous] <~ NP",
    b'S < NP=n < (VP[fanout>=2 & !category=NP|"x"] <~: =n) : =n !<< /^W.*(a|b)+$/',
    b"NP|i@vp <<, i@/x+/ & [> S | >> SQ] & ![< NP] <2 * >-1 *[length<3]",
]

TARGETS: dict[str, Target] = {target.name: target for target in _targets()}
