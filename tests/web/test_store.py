"""The store of the server."""

import gc
import tracemalloc
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event
from weakref import ref

import pytest

from plcfrs.errors import GrammarError, InputError
from plcfrs.stopping import StoppedError, stoppable
from plcfrs.web.limits import Job, Limits
from plcfrs.web.searches import SearchCache, TreebankSearch
from plcfrs.web.sentences import examples_of
from plcfrs.web.store import Store


def test_models_of_one_name_are_told_apart_without_their_folders(demo, transitions, tmp_path):
    other, gap = tmp_path / demo.name, tmp_path / "demo.gap"
    other.write_bytes(demo.read_bytes())
    gap.write_bytes(transitions.read_bytes())
    assert list(Store([str(demo)]).models) == ["demo"]
    assert list(Store([str(demo), str(gap)]).models) == ["demo.plcfrs", "demo.gap"]
    assert list(Store([str(demo), str(other)]).models) == ["demo.plcfrs", "demo.plcfrs (2)"]


def test_missing_files_are_errors(demo):
    with pytest.raises(GrammarError, match=r"nowhere\.plcfrs"):
        Store(["nowhere.plcfrs"])
    with pytest.raises(InputError, match=r"nowhere\.mrg"):
        Store([str(demo)], ["nowhere.mrg"])


def test_examples_keep_no_treebank_that_the_server_has_dropped(demo):
    store = Store([str(demo)], [], Limits(uploads=1))
    model = store.model(None).model
    dropped = ref(store.upload("first.mrg", b"( (S (NN rain) (VB falls)) )"))
    assert examples_of(model, tuple(store.treebanks.values()))
    store.upload("second.mrg", b"( (S (NN rain) (VB falls)) )")
    gc.collect()
    assert dropped() is None


def test_what_several_ask_for_at_once_is_found_once():
    kept, asked, go = SearchCache(), Barrier(4), Event()
    found = []

    def find():
        go.wait()
        found.append(1)
        return Counter([(2,)])

    def ask(_):
        asked.wait()
        return kept.get("a", find)

    with ThreadPoolExecutor(4) as pool:
        answers = pool.map(ask, range(4))
        go.set()
        assert list(answers) == [Counter([(2,)])] * 4
    assert found == [1]


def test_what_failed_is_looked_for_again():
    kept = SearchCache()
    with pytest.raises(ZeroDivisionError):
        kept.get("a", lambda: Counter([(1 / 0,)]))
    assert kept.get("a", lambda: Counter([(1,)])) == Counter([(1,)])


def test_lists_that_nobody_asks_for_are_dropped_first():
    kept, ones = SearchCache(most=11_800), Counter([(1,)])  # three counts of 20
    for key in ("a", "b", "a", "c", "d"):
        kept.get(key, lambda: Counter((number,) for number in range(20)))
    again = [key for key in ("a", "c", "d", "b") if kept.get(key, lambda: ones) == ones]
    assert again == ["b"]


def test_what_is_larger_than_all_that_may_be_kept_is_not_kept():
    kept, large = SearchCache(most=9000), Counter((number,) for number in range(1000))
    kept.get("small", lambda: Counter([(1,)]))
    assert kept.get("large", lambda: large) == large
    assert kept.get("large", Counter) == Counter()
    assert kept.get("small", Counter) == Counter([(1,)])
    assert kept.size < 9000


@pytest.mark.full
def test_sizes_are_about_those_in_memory():
    for keys in [(), ("a.words", "b.words")]:
        treebank = Store([], ["plcfrs:demo"]).treebank("plcfrs:demo")
        search = TreebankSearch("*=a << *=b", "", transformed=False)
        treebank.counts(search, ("label", "words"))  # what all searches share
        assert len(treebank.hits(search, ("a", "b")).numbers)
        kept = treebank._kept.size
        tracemalloc.start()
        if keys:
            treebank.counts(search, keys)
        else:
            assert len(treebank.hits(search, ("a",)).numbers)
        gc.collect()
        taken, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert 0.5 < (treebank._kept.size - kept) / taken < 2


@pytest.mark.full
def test_thousands_of_searches_take_no_more_memory_than_some():
    treebank = Store([], ["plcfrs:demo"]).treebank("plcfrs:demo")
    treebank._kept = SearchCache(most=100_000)
    sizes = []
    for number in range(300):
        search = TreebankSearch(f"*[length<{number}]", "", transformed=True)
        treebank.listed(search, sort="-length")
        treebank.counts(search, ("words",))
        sizes.append(treebank._kept.size)
    assert max(sizes) < 1_000_000
    assert len(treebank._kept._results) < 10
    assert not treebank._kept._locks


def test_a_count_ends_in_time():
    treebank = Store([], ["plcfrs:demo"]).treebank("plcfrs:demo")
    search = TreebankSearch("*=a << *=b", "", transformed=False)
    treebank.hits(search, ("a", "b"))
    job = Job(Limits(max_seconds=1e-9), 1)
    with stoppable(job.check), pytest.raises(StoppedError, match="took longer than"):
        treebank.counts(search, ("a.label", "b.label"))


def test_an_upload_that_took_too_long_is_not_there_afterwards():
    store, asked = Store([]), []

    def check():
        asked.append(bool(asked))
        if len(asked) > stops_at:
            raise StoppedError("nobody waits for it")

    stops_at = float("inf")
    with stoppable(check):
        store.upload("first.mrg", b"( (S (NN rain) (VB falls)) )")
    stops_at, asked = len(asked) - 1, []  # the last time that it asks
    with stoppable(check), pytest.raises(StoppedError):
        store.upload("second.mrg", b"( (S (NN rain) (VB falls)) )")
    assert store.names == ["first"]
