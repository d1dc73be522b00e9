"""Many sentences: the same parses with any number of processes, and no sentence is lost."""

import subprocess
import sys
from time import process_time
from types import SimpleNamespace
from unittest.mock import patch

import killer
import pytest
from demo_trees import raw_demo_trees
from numba.core.event import trigger_event
from quick import JOBS

import plcfrs
from plcfrs.corpus import Shared, parse_all
from plcfrs.corpus import workers as workers_module
from plcfrs.errors import InputError
from plcfrs.parsers.grammar.model import GrammarModel
from plcfrs.parsing.parse import Task
from plcfrs.treebank import read_trees
from plcfrs.trees import NO_PARSE

GOOD = killer.WORDS


@pytest.fixture(scope="module")
def model():
    return killer.killer()


def sentence(command):
    return [*GOOD, (command, "NN")]


def what_became(parses):
    return [
        (parse.status, parse.reason, parse.tree, -parse.score, parse.derivation) for parse in parses
    ]


@pytest.fixture(params=[0, 60], ids=["alone", "together"])
def batching(model, request, monkeypatch):
    """The model as it is, and as if it parsed several sentences together."""
    monkeypatch.setattr(model, "batch_tokens", request.param)
    return model


@pytest.mark.full
def test_two_processes_parse_as_one_does(model):
    sentences = [GOOD, ["What", "should", "we", "do", "?"], [], ["xyzzy"], sentence("x")] * 20
    trees = [*sentences, *raw_demo_trees()]
    alone = list(plcfrs.parse_corpus(model, trees))
    trees[len(sentences) :] = read_trees("plcfrs:demo")
    together = list(plcfrs.parse_corpus(model, trees, jobs=2))
    assert what_became(alone) == what_became(together)
    assert [parse.statistics for parse in alone] == [parse.statistics for parse in together]
    assert together[-1].tree.id == trees[-1].id
    assert len(together) == len(trees)
    assert {parse.status for parse in together} >= {"parsed", "empty"}


def test_a_file_is_a_model_too(model, tmp_path):
    model.save(tmp_path / "demo.plcfrs")
    (parse,) = plcfrs.parse_corpus(tmp_path / "demo.plcfrs", [GOOD])
    assert parse.tree == GrammarModel.load(tmp_path / "demo.plcfrs").parse(GOOD).tree


@pytest.mark.parametrize("jobs", JOBS)
def test_several_parses_of_each_sentence(model, jobs):
    task = Task(nbest=4, derivations=True)
    for outcome in parse_all(model, [GOOD, [], *raw_demo_trees()[:20]], task, jobs):
        costs = [round(-parse.score, 9) for parse in outcome.parses]
        assert costs == sorted(costs)
        assert 1 <= len(costs) <= 4
    (outcome,) = parse_all(model, [GOOD], task)
    assert what_became(outcome.parses) == what_became(model.parse_nbest(GOOD, 4, derivations=True))


@pytest.mark.parametrize("jobs", JOBS)
def test_other_objectives(model, jobs):
    (parse,) = plcfrs.parse_corpus(model, [GOOD], jobs=jobs, objective="mcp")
    assert parse.tree == model.parse(GOOD, objective="mcp").tree
    with pytest.raises(InputError, match="objective max-rule-sum"):
        list(plcfrs.parse_corpus(model, [GOOD], jobs=jobs, objective="max-rule-sum"))


@pytest.mark.full
def test_a_sentence_that_kills_is_reported_and_no_other_one_is_lost(batching, tmp_path):
    model = batching
    once = sentence(f"ONCE:{tmp_path / 'tried'}")
    sentences = [GOOD, sentence("KILL"), GOOD, sentence("ERR"), once, GOOD, [], sentence("KILL")]
    parses = list(plcfrs.parse_corpus(model, sentences, jobs=2))
    crashed = ("crashed", "ended by SIGKILL")
    assert [(parse.status, parse.reason) for parse in parses] == [
        ("parsed", ""),
        crashed,
        ("parsed", ""),
        ("crashed", "ZeroDivisionError: on purpose"),
        (model.parse(once).status, ""),
        ("parsed", ""),
        ("empty", ""),
        crashed,
    ]
    assert (tmp_path / "tried").exists()
    assert parses[1].tree.root.nodes[0].category == NO_PARSE
    assert [token.form for token in parses[1].tree.tokens][-1] == "KILL"


def test_sentences_parsed_together_share_the_time(model, monkeypatch):
    monkeypatch.setattr(model, "batch_tokens", 60)
    given = []
    parse = model.parse_together
    monkeypatch.setattr(
        model,
        "parse_together",
        lambda *each, **how: given.append(len(each[0])) or parse(*each, **how),
    )
    outcomes = list(parse_all(model, [GOOD, [], GOOD[:1]] * 10, Task()))
    assert given == [19, 11]
    first, nothing, one = (outcome.cpu_seconds for outcome in outcomes[:3])
    assert first == pytest.approx((len(GOOD) + 1) * nothing)
    assert one == pytest.approx(2 * nothing)


@pytest.mark.full
@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_of_the_program_is_logged_once_with_its_traceback(jobs, tmp_path):
    """By each process. What one of them appends to a file stays together, unlike in a pipe."""
    code = (
        "import killer, plcfrs\n"
        "sentences = [[*killer.WORDS, (word, 'NN')] for word in ['ERR', 'x', 'ERR', 'ERR'] * 50]\n"
        "if __name__ == '__main__':\n"
        f"    for parse in plcfrs.parse_corpus(killer.killer(), sentences, jobs={jobs}):\n"
        "        print(parse.status, flush=True)\n"
    )
    errors = tmp_path / "errors"
    with errors.open("a") as stderr:
        done = subprocess.run(
            [sys.executable, "-c", code],
            check=True,
            env=killer.environment(),
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
        )
    lines = errors.read_text().splitlines()
    assert done.stdout.count("crashed\n") == 150
    assert 1 <= lines.count("Traceback (most recent call last):") <= jobs
    assert lines.count('    raise ZeroDivisionError("on purpose")') >= 1
    assert lines.count("ZeroDivisionError: on purpose") == lines.count(
        "a sentence crashed: please report this defect of plcfrs"
    )


@pytest.mark.full
def test_a_sentence_that_hangs_is_out_of_time(model, monkeypatch):
    model.parse(GOOD)  # kernels are compiled and kept before the clock runs
    monkeypatch.setattr(workers_module, "_COMPILATION", 10.0)
    sentences = [GOOD, sentence("HANG"), GOOD]
    parses = plcfrs.parse_corpus(model, sentences, jobs=2, max_wall_seconds=0.5)
    assert [parse.status for parse in parses] == ["parsed", "out of time", "parsed"]


def test_a_shared_model_has_its_arrays_in_memory_that_can_be_mapped(model):
    model.parse(GOOD)
    shared = Shared(model)
    loaded = shared.load()
    assert loaded.parse(GOOD).tree == model.parse(GOOD).tree
    arrays = loaded._chart._compiled.arrays
    assert arrays.rules.flags.writeable  # otherwise Numba compiles all kernels again
    assert not arrays.rules.flags.owndata
    assert not Shared(model).load()._chart._unused  # each process has its own memory for sentences


@pytest.mark.full
def test_the_time_of_a_parse_is_without_compilation(model):
    """A first sentence is not slower than the second one."""
    (quick,) = parse_all(model, [GOOD], Task())
    compiled = SimpleNamespace(py_func=killer.start)

    def compile_first(sentences, wanted):
        with trigger_event("numba:compile", data={"dispatcher": compiled}):
            end = process_time() + 0.5
            while process_time() < end:
                pass
        return GrammarModel._parse(model, sentences, wanted)

    with patch.object(model, "_parse", compile_first):
        (slow,) = parse_all(model, [GOOD], Task())
    assert slow.parses[0].score == quick.parses[0].score
    assert slow.cpu_seconds < 0.4
