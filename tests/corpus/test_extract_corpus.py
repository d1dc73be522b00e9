"""Grammars of treebanks in parts equal those of the whole, with any number of processes."""

import gc
import os
import signal
import sys
import tracemalloc
from dataclasses import replace
from functools import partial
from itertools import chain, repeat

import pytest
from demo_trees import demo_trees
from quick import JOBS, core

from plcfrs.corpus import extraction
from plcfrs.corpus.extraction import extract_corpus
from plcfrs.errors import InputError, TreebankError, WorkerError
from plcfrs.grammar import PRESETS, Recipe
from plcfrs.transformation import EVANG_KALLMEYER, Options, read_corrections, transform_all
from plcfrs.treebank import EVERYTHING, Selection, read_texts, read_trees, write_trees

GOOD = "( (S (NP (PRP We)) (VP (VBP {verb}) (NP (NNS {noun})))))\n"
BAD = "( (S (NP (PRP We)) (VP (VBP see) ferries)))\n"
WITHOUT_WORDS = "( (S (NP (-NONE- *))))\n"

RECIPES = {
    **{name: replace(preset.recipe, splits=True) for name, preset in PRESETS.items()},
    "vertical": Recipe("none", vertical=2),
    "factored": Recipe(estimator="factored", functions=True),
}


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr(extraction, "_PART", 17)


@pytest.fixture
def treebank(tmp_path):
    """Two files of 40 trees, and one without any; trees 5, 18, 23, 41 and 70 are malformed."""
    trees = [GOOD.format(verb=f"see{place % 7}", noun=f"noun{place}") for place in range(1, 81)]
    for place in (5, 18, 23, 41, 70):
        trees[place - 1] = BAD
    trees[9] = WITHOUT_WORDS
    files = [tmp_path / name for name in ("a.mrg", "b.mrg", "c.mrg")]
    for file, lines in zip(files, (trees[:40], [], trees[40:]), strict=True):
        file.write_text("".join(lines))
    return files


def saved(grammar, folder):
    grammar.save(folder / "saved.plcfrs")
    return (folder / "saved.plcfrs").read_bytes()


def in_one_go(paths, recipe, selection=EVERYTHING, on_error=None):
    trees = read_trees(paths, on_error=on_error, selection=selection)
    return recipe.extract(transform_all(trees))


@core(1, "name", RECIPES)
def test_parts_make_the_same_file_as_the_whole(name, tmp_path):
    recipe = RECIPES[name]
    whole = saved(in_one_go("plcfrs:demo", recipe), tmp_path)
    assert saved(extract_corpus(read_texts("plcfrs:demo"), recipe), tmp_path) == whole


@pytest.mark.full
@pytest.mark.parametrize("jobs", [2, 3])
def test_processes_make_the_same_file(jobs, tmp_path):
    recipe = RECIPES["interpolated-v2h2"]
    whole = saved(in_one_go("plcfrs:demo", recipe), tmp_path)
    assert saved(extract_corpus(read_texts("plcfrs:demo"), recipe, jobs=jobs), tmp_path) == whole


@pytest.mark.full
@pytest.mark.usefixtures("penn_treebank")
@pytest.mark.parametrize("name", RECIPES)
def test_processes_make_the_same_file_of_the_penn_treebank(name, tmp_path, monkeypatch):
    monkeypatch.setattr(extraction, "_PART", 500)
    recipe = RECIPES[name]
    whole = saved(in_one_go("nltk:treebank", recipe), tmp_path)
    for jobs in (1, 2, 3) if name == "interpolated-v2h2" else (2,):  # which counts the most
        grammar = extract_corpus(read_texts("nltk:treebank"), recipe, jobs=jobs)
        assert saved(grammar, tmp_path) == whole


@pytest.mark.full
@pytest.mark.parametrize("jobs", [1, 2])
def test_processes_make_the_same_file_of_the_potsdam_corpus(potsdam, jobs, tmp_path):
    recipe = RECIPES["kallmeyer-maier"]
    whole = saved(in_one_go(potsdam, recipe), tmp_path)
    assert saved(extract_corpus(read_texts(potsdam), recipe, jobs=jobs), tmp_path) == whole


SELECTIONS = [
    EVERYTHING,
    Selection((range(3, 30), range(60, 64))),
    Selection((range(17, 18), range(18, 19), range(51, 53))),
    Selection((range(1, 10**30),), max_length=3),
]


@pytest.mark.parametrize("jobs", JOBS)
@pytest.mark.parametrize("selection", SELECTIONS)
def test_bad_trees_are_skipped_and_named_in_order(selection, jobs, treebank, tmp_path):
    expected: list[TreebankError] = []
    whole = in_one_go(treebank, Recipe(), selection, expected.append)
    found: list[TreebankError] = []
    grammar = extract_corpus(
        read_texts(treebank), selection=selection, on_error=found.append, jobs=jobs
    )
    assert saved(grammar, tmp_path) == saved(whole, tmp_path)
    assert [str(error) for error in found] == [str(error) for error in expected]
    assert [(error.path, error.line) for error in found] == [
        (error.path, error.line) for error in expected
    ]
    assert len(expected) >= 3


def test_which_trees_are_counted(treebank):
    errors: list[TreebankError] = []
    chosen = Selection((range(4, 7), range(40, 44)))
    grammar = extract_corpus(read_texts(treebank), selection=chosen, on_error=errors.append)
    # Tree 5 is malformed; number 41 is the file without trees, and 42 malformed.
    nouns = [word for word in grammar.lexicon.words if word.startswith("noun")]
    assert nouns == ["noun4", "noun6", "noun40", "noun42"]
    places = [(error.path, error.line) for error in errors]
    first, empty, last = map(str, treebank)
    assert places == [(first, 5), (first, 18), (first, 23), (empty, None), (last, 1)]


@pytest.mark.parametrize("jobs", JOBS)
def test_the_first_bad_tree_ends_the_run(jobs, treebank):
    with pytest.raises(TreebankError) as caught:
        extract_corpus(read_texts(treebank), jobs=jobs)
    assert (caught.value.path, caught.value.line) == (str(treebank[0]), 5)
    assert "needs a bracket and a tag of its own" in str(caught.value)


@pytest.mark.parametrize("jobs", JOBS)
def test_a_tree_without_a_grammar_is_as_bad_as_a_malformed_one(jobs, tmp_path):
    """Such as one with a token without a tag."""
    lines = ["a/X b/Y\n"] * 50
    lines[20] = lines[37] = lines[39] = "a\n"
    lines[38] = "a/--\n"
    path = tmp_path / "a.tagged"
    path.write_text("".join(lines))
    errors: list[TreebankError] = []
    extract_corpus(read_texts(path), on_error=errors.append, jobs=jobs)
    assert [error.line for error in errors] == [21, 38, None, 40]
    assert str(errors[2]) == "sentence a:39: token 'a' has no tag"
    lines[20] = lines[37] = "a/X\n"
    path.write_text("".join(lines))
    with pytest.raises(TreebankError, match="sentence a:39: token 'a' has no tag"):
        extract_corpus(read_texts(path), jobs=jobs)


@pytest.mark.parametrize("jobs", JOBS)
def test_a_correction_that_does_not_fit_ends_the_run(jobs, tmp_path):
    corrections = tmp_path / "corrections.tsv"
    corrections.write_text("demo.mrg\t90\tNP-99\tNP\n")
    options = Options(corrections=read_corrections(corrections))
    with pytest.raises(InputError, match=r"corrections.tsv:1: sentence demo:90 has NP-99 0 times"):
        extract_corpus(read_texts("plcfrs:demo"), options=options, jobs=jobs)


def test_reading_stops_behind_the_last_wanted_tree():
    def texts():
        yield from read_texts("plcfrs:demo")
        raise AssertionError("read too far")

    grammar = extract_corpus(texts(), selection=Selection((range(1, 141),)))
    assert grammar.rules == in_one_go("plcfrs:demo", Recipe()).rules


class Deadly(dict):
    """Corrections that kill the process that looks them up for a sentence."""

    def __init__(self, sentence, marker, *, always):
        self.sentence, self.marker, self.always = sentence, marker, always

    def get(self, key, default=None):
        if key == self.sentence and (self.always or not self.marker.exists()):
            self.marker.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return default

    def __reduce__(self):
        return _deadly, (self.sentence, self.marker, self.always)


def _deadly(sentence, marker, always):
    return Deadly(sentence, marker, always=always)


@pytest.mark.full
@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGKILL")
def test_the_work_of_a_process_that_dies_is_done_again(tmp_path):
    deadly = Deadly("demo:75", tmp_path / "killed", always=False)
    options = replace(EVANG_KALLMEYER, corrections=deadly)
    grammar = extract_corpus(read_texts("plcfrs:demo"), options=options, jobs=2)
    assert (tmp_path / "killed").exists()
    assert saved(grammar, tmp_path) == saved(in_one_go("plcfrs:demo", Recipe()), tmp_path)


@pytest.mark.full
@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGKILL")
def test_processes_that_always_die_end_the_run(tmp_path):
    deadly = Deadly("demo:75", tmp_path / "killed", always=True)
    options = replace(EVANG_KALLMEYER, corrections=deadly)
    with pytest.raises(WorkerError, match="SIGKILL"):
        extract_corpus(read_texts("plcfrs:demo"), options=options, jobs=2)


# Allowance for uncollected garbage, in bytes; 2,240 trees have more than twice as much.
NOISE = 600_000
FEW, MANY = 4, 20  # times 140 trees


def peak_memory(work):
    """Return the peak memory of Python objects."""
    gc.collect()
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def demo(times):
    return chain.from_iterable(repeat(list(read_texts("plcfrs:demo")), times))


@pytest.mark.full
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("name", RECIPES)
def test_memory_does_not_grow_with_the_number_of_trees(name, jobs, monkeypatch):
    # Even the fewest trees have more parts than may wait; how many wait depends on timing.
    monkeypatch.setattr(extraction, "_PART", 10)

    def run(times):
        extract_corpus(demo(times), RECIPES[name], jobs=jobs)

    run(1)  # fills the caches
    few, many = ([peak_memory(partial(run, times)) for _ in range(jobs)] for times in (FEW, MANY))
    assert min(many) < min(few) + NOISE


@pytest.mark.full
def test_memory_does_not_grow_with_the_number_of_bad_trees():
    bad = list(read_texts("plcfrs:demo"))
    bad = [text._replace(chunk=text.chunk._replace(text=f"{text.chunk.text})")) for text in bad]

    def run(times):
        texts = chain(read_texts("plcfrs:demo"), chain.from_iterable(repeat(bad, times)))
        extract_corpus(texts, on_error=str)

    run(1)
    few, many = (peak_memory(partial(run, times)) for times in (FEW, MANY))
    assert many < few + NOISE


@pytest.mark.full
@pytest.mark.parametrize(
    "extension", ["discbracket", "export", "export3", "tiger", "tagged", "tokens", "mrg"]
)
def test_memory_does_not_grow_with_the_size_of_a_file(extension, tmp_path):
    def run(path):
        for _ in read_trees(path):
            pass

    peaks = []
    for times in (1, FEW, MANY):
        path = tmp_path / f"{times}.{extension}"
        options = Options(continuous="split" if extension == "mrg" else "no")
        trees = demo_trees(options)
        write_trees(chain.from_iterable(repeat(trees, times)), path)
        peaks.append(peak_memory(partial(run, path)))
    assert peaks[2] < peaks[1] + NOISE
