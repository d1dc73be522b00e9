"""Treebanks are compiled in parts, and large ones are kept in the cache."""

import io
import os
import shutil
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from demo_trees import demo_trees, raw_demo_trees
from quick import JOBS

from plcfrs.compiling import user_cache
from plcfrs.corpus import indexing, open_treebank
from plcfrs.corpus.indexing import compile_corpus
from plcfrs.errors import PlcfrsError, TreebankError
from plcfrs.transformation import EVANG_KALLMEYER, Options
from plcfrs.treebank import Selection, read_texts, read_trees, write_trees
from plcfrs.treebank.compilation import compile_trees
from plcfrs.treebank.compiled import CompiledTrees

GOOD = "(ROOT (S (NP (PRP 0=We)) (VP (VBP 1=sing))))\n"
BAD = "(ROOT (S we))\n"


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr(indexing, "PART", 17)


@pytest.fixture
def malformed(tmp_path):
    """Two files of 40 trees; trees 5, 18 and 70 are malformed."""
    lines = [BAD if number in (5, 18, 70) else GOOD for number in range(1, 81)]
    paths = [tmp_path / "a.dbr", tmp_path / "b.dbr"]
    for path, some in zip(paths, (lines[:40], lines[40:]), strict=True):
        path.write_text("".join(some))
    return paths


def saved(compiled, folder):
    compiled.save(folder / "saved.treebank")
    return (folder / "saved.treebank").read_bytes()


@pytest.mark.full
@pytest.mark.parametrize("options", [None, EVANG_KALLMEYER])
def test_two_processes_give_the_same_bytes(options, tmp_path):
    one, two = (compile_corpus(read_texts("plcfrs:demo"), options, jobs=jobs) for jobs in (1, 2))
    assert saved(one, tmp_path) == saved(two, tmp_path)


def test_parts_give_the_bytes_of_the_whole(tmp_path):
    found = compile_corpus(read_texts("plcfrs:demo"))
    assert saved(found, tmp_path) == saved(compile_trees(raw_demo_trees()), tmp_path)


def test_trees_are_transformed():
    assert list(compile_corpus(read_texts("plcfrs:demo"), EVANG_KALLMEYER)) == demo_trees()


def test_trees_are_selected():
    for selection in [Selection((range(3, 19),)), Selection(max_length=5)]:
        found = compile_corpus(read_texts("plcfrs:demo"), selection=selection)
        assert list(found) == list(read_trees("plcfrs:demo", selection=selection))


@pytest.mark.parametrize("jobs", JOBS)
def test_the_first_malformed_tree_is_an_error(jobs, malformed):
    with pytest.raises(TreebankError) as expected:
        list(read_trees(malformed))
    with pytest.raises(TreebankError) as found:
        compile_corpus(read_texts(malformed), jobs=jobs)
    assert str(found.value) == str(expected.value)


@pytest.mark.parametrize("jobs", JOBS)
def test_malformed_trees_are_skipped(jobs, malformed):
    expected, found = [], []
    trees = list(read_trees(malformed, on_error=expected.append))
    assert list(compile_corpus(read_texts(malformed), on_error=found.append, jobs=jobs)) == trees
    assert list(map(str, found)) == list(map(str, expected))
    assert len(found) == 3


def test_malformed_trees_keep_their_numbers(malformed):
    few = Selection((range(4, 7),))
    found = compile_corpus(read_texts(malformed), selection=few, on_error=lambda _: None)
    assert found.ids.texts == ["a:4", "a:6"]


def test_who_watches_may_stop():
    def stop(trees):
        for number, tree in enumerate(trees):
            if number == 10:
                raise PlcfrsError("enough")
            yield tree

    with pytest.raises(PlcfrsError, match="enough"):
        compile_corpus(read_texts("plcfrs:demo"), watch=lambda trees: stop(trees))


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """An empty cache, in which treebanks of a hundred bytes are large."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(indexing, "LARGE", 100)
    return folder / "plcfrs" / "treebanks"


@pytest.fixture
def large(tmp_path):
    """A large treebank."""
    path = tmp_path / "a.dbr"
    path.write_text(GOOD * 40)
    return path


@pytest.fixture
def compiled(monkeypatch):
    """Which treebanks are compiled: a list that grows."""
    calls = []

    def compile_and_count(*args, **options):
        calls.append(args)
        return compile_corpus(*args, **options)

    monkeypatch.setattr(indexing, "compile_corpus", compile_and_count)
    return calls


def test_a_large_treebank_is_kept(large, cache, compiled):
    assert list(open_treebank(large).trees) == list(read_trees(large))
    assert list(CompiledTrees.load(*cache.iterdir())) == list(read_trees(large))
    assert len(compiled) == 1


def test_a_kept_treebank_is_found_without_reading(large, compiled):
    trees = list(open_treebank(large).trees)
    assert list(open_treebank(large).trees) == trees
    assert len(compiled) == 1


def test_a_small_treebank_is_not_kept(large, cache):
    large.write_text(GOOD)
    open_treebank(large)
    assert not cache.exists()


def test_files_are_large_together(tmp_path, cache):
    for name in "abc":
        (tmp_path / f"{name}.dbr").write_text(GOOD)
    open_treebank(tmp_path / "*.dbr")
    assert len(list(cache.iterdir())) == 1


def test_a_line_is_told_when_it_is_compiled(large):
    lines = []
    open_treebank(large, tell=lines.append)
    open_treebank(large, tell=lines.append)
    assert lines == [f"indexing {large}: the next search will start at once"]


def test_changed_content_is_noticed(large, compiled):
    open_treebank(large)
    large.write_text(GOOD.replace("sing", "sang") * 40)
    assert len(open_treebank(large).find("sang")) == 40
    assert len(compiled) == 2


def test_other_options_are_noticed(large, cache, compiled):
    for other in [
        {"options": Options()},
        {"options": EVANG_KALLMEYER},
        {"encoding": "latin-1"},
        {"format": "discbracket"},
    ]:
        open_treebank(large)
        open_treebank(large, **other)
        assert len(compiled) == 2
        compiled.clear()
        shutil.rmtree(cache)


def test_another_format_of_the_same_content_is_noticed(tmp_path):
    for name in ("a.tokens", "a.tagged"):
        (tmp_path / name).write_text("We/PRP sing/VBP\n" * 10)
    assert len(open_treebank(tmp_path / "a.tokens").find("PRP")) == 0
    assert len(open_treebank(tmp_path / "a.tagged").find("PRP")) == 10


def test_the_folder_does_not_count(large, tmp_path, compiled):
    open_treebank(large)
    (tmp_path / "elsewhere").mkdir()
    open_treebank(large.rename(tmp_path / "elsewhere" / "a.dbr"))
    assert len(compiled) == 1


def test_the_order_of_files_counts(large, tmp_path):
    other = tmp_path / "b.dbr"
    other.write_text(GOOD)
    open_treebank([large, other])
    assert open_treebank([other, large]).trees.ids.texts[0] == "b:1"


def test_a_cache_that_cannot_be_written_is_no_error(large, cache):
    cache.parent.parent.write_text("a file where the folder of the cache would be")
    assert len(open_treebank(large).trees) == 40


def test_a_kept_treebank_of_another_user_is_read(large, compiled, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError

    open_treebank(large)
    monkeypatch.setattr(Path, "touch", refuse)
    assert len(open_treebank(large).trees) == 40
    assert len(compiled) == 1


def test_a_treebank_that_cannot_be_kept_is_searched(tmp_path, cache):
    path = tmp_path / "a.dbr"
    path.write_text(GOOD.replace("sing", r"\u{0}") * 40)
    assert len(open_treebank(path).find("VBP")) == 40
    assert list(cache.iterdir()) == []


def test_a_file_that_is_not_used_for_a_month_goes(large, cache):
    cache.mkdir(parents=True)
    for days in (29, 31):
        other = cache / f"{days}.treebank"
        other.write_bytes(b"")
        then = time.time() - days * 24 * 60 * 60
        os.utime(other, (then, then))
    open_treebank(large)
    assert (cache / "29.treebank").exists()
    assert not (cache / "31.treebank").exists()


def test_a_file_that_is_used_stays(large, cache):
    open_treebank(large)
    (kept,) = cache.iterdir()
    os.utime(kept, (1, 1))
    open_treebank(large)
    assert kept.stat().st_mtime > time.time() - 60


def test_a_damaged_kept_file_is_made_again(large, cache):
    for damage in [lambda data: data[:-9], lambda _: b"", lambda _: b"We sing ."]:
        open_treebank(large)
        (kept,) = cache.iterdir()
        data = kept.read_bytes()
        kept.write_bytes(damage(data))
        assert len(open_treebank(large).trees) == 40
        assert kept.read_bytes() == data


def test_a_malformed_treebank_is_not_kept(malformed, cache):
    with suppress(TreebankError):
        open_treebank(malformed)
    assert not cache.exists()


def test_a_pipe_is_read_once_and_not_kept(large, cache, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(GOOD.encode())))
    assert len(open_treebank([large, "-"], "discbracket").trees) == 41
    assert not cache.exists()


def test_without_a_home_there_is_a_cache(monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", lambda: Path("/home/kato"))
    assert user_cache() == Path("/home/kato/.cache")


@pytest.fixture
def two_files(tmp_path):
    """The demo treebank in two compiled files."""
    paths = [tmp_path / "a.treebank", tmp_path / "b.treebank"]
    for path, trees in zip(paths, (demo_trees()[:60], demo_trees()[60:]), strict=True):
        compile_trees(trees).save(path)
    return paths


def test_compiled_files_are_opened_together(two_files, cache, compiled):
    assert list(open_treebank(two_files).trees) == demo_trees()
    assert not compiled
    assert not cache.exists()


def test_a_compiled_file_and_a_text_are_compiled_together(two_files, tmp_path):
    write_trees(demo_trees()[60:], tmp_path / "b.export")
    treebank = open_treebank([two_files[0], tmp_path / "b.export"])
    assert [tree.words() for tree in treebank.trees] == [tree.words() for tree in demo_trees()]


def test_a_compiled_file_is_transformed(tmp_path):
    path = tmp_path / "raw.treebank"
    compile_trees(raw_demo_trees()).save(path)
    assert list(open_treebank(path, options=EVANG_KALLMEYER).trees) == demo_trees()


def test_a_text_with_the_name_of_a_compiled_file_is_read(tmp_path):
    path = tmp_path / "a.treebank"
    path.write_text(GOOD)
    assert len(open_treebank(path).trees) == 1
