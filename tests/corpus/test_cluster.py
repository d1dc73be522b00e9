"""A Dask cluster of real processes: nothing is lost or doubled, whichever process dies."""

import logging
import os
import signal

import killer
import pytest

import plcfrs
from plcfrs.cli import run
from plcfrs.errors import InputError, WorkerError
from plcfrs.trees import Token

pytestmark = pytest.mark.full  # they start processes, threads or a server
GOOD = killer.WORDS


@pytest.fixture(scope="module")
def model():
    return killer.killer()


@pytest.fixture
def client(monkeypatch):
    import dask
    from distributed import Client, LocalCluster

    monkeypatch.setattr("plcfrs.corpus.cluster._CHUNK", 40)
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 1}),
        LocalCluster(processes=True, silence_logs=logging.CRITICAL, **options) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        yield client


def numbered(number):
    """Return a sentence that contains its number."""
    return [("What", "WP"), ("should", "MD"), (f"we{number}", "PRP"), ("do", "VB"), ("?", ".")]


def check(parses, model, sentences, crashed=()):
    """Compare with parses from this process, except for sentences that crash."""
    assert len(parses) == len(sentences)
    for number, (parse, sentence) in enumerate(zip(parses, sentences, strict=True)):
        if number in crashed:
            assert parse.status == "crashed"
            assert parse.tree.tokens == [Token(*pair) for pair in sentence]
        else:
            alone = model.parse(sentence)
            assert (parse.status, parse.tree, parse.score) == (
                alone.status,
                alone.tree,
                alone.score,
            )


def test_a_cluster_in_this_process_parses_as_one_process_does(model):
    from distributed import Client

    sentences = [numbered(number) for number in range(20)]
    sentences[7] = [*GOOD, ("ERR", "NN")]
    with Client(
        processes=False, n_workers=1, dashboard_address=None, set_as_default=False
    ) as client:
        parses = list(plcfrs.parse_corpus(model, sentences, client=client))
    check(parses, model, sentences, crashed=(7,))


def test_a_worker_dies_in_the_middle(client, model, tmp_path):
    sentences = [numbered(number) for number in range(100)]
    sentences[50] = [*GOOD, (f"ONCE:{tmp_path / 'tried'}", "NN")]
    sentences[70] = [*GOOD, ("ERR", "NN")]
    parses = list(plcfrs.parse_corpus(model, sentences, client=client))
    assert (tmp_path / "tried").exists()
    check(parses, model, sentences, crashed=(70,))


def test_a_sentence_that_kills_its_workers(client, model):
    sentences = [numbered(number) for number in range(300)]
    for guilty in (50, 120):
        sentences[guilty] = [*GOOD, ("KILL", "NN")]
    parses = list(plcfrs.parse_corpus(model, sentences, client=client))
    check(parses, model, sentences, crashed=(50, 120))


def test_workers_killed_from_outside(client, model):
    sentences = [numbered(number) for number in range(5000)]
    killed, found = set(), []
    for parse in plcfrs.parse_corpus(model, sentences, client=client):
        found.append(parse)
        if len(found) in (1, 1500, 3000):
            process = next(iter(client.run(os.getpid).values()))
            killed.add(process)
            os.kill(process, signal.SIGKILL)
    assert len(killed) == 3
    check(found, model, sentences)


def test_the_command_line_on_a_cluster(client, model, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    model.save("demo.plcfrs")
    lines = ["What/WP should/MD we/PRP do/VB ?/.\n", "\n", "xyzzy/QQ\n"] * 300
    (tmp_path / "in.tagged").write_text("".join(lines))
    command = ["parse", "demo.plcfrs", "in.tagged"]
    assert run([*command, "-o", "one.export"]) == 0
    address = client.scheduler.address
    assert run([*command, "-o", "two.export", "--scheduler", address]) == 0
    assert (tmp_path / "two.export").read_bytes() == (tmp_path / "one.export").read_bytes()


def test_errors_are_those_of_one_process(client, model):
    with pytest.raises(InputError, match="objective max-rule-sum"):
        list(plcfrs.parse_corpus(model, [GOOD], client=client, objective="max-rule-sum"))


def test_the_scheduler_ends(model):
    from distributed import Client, LocalCluster

    with LocalCluster(
        n_workers=1, processes=True, dashboard_address=None, silence_logs=logging.CRITICAL
    ) as cluster:
        client = Client(cluster, set_as_default=False)
        parses = plcfrs.parse_corpus(model, ([*GOOD] for _ in range(10**6)), client=client)
        assert next(parses).status == "parsed"
    with pytest.raises(WorkerError, match="the cluster has stopped"):
        list(parses)
    client.close()


def test_no_scheduler(tmp_path, model, capsys, monkeypatch):
    monkeypatch.setattr("plcfrs.corpus.cluster._TIMEOUT", 1)
    model.save(tmp_path / "demo.plcfrs")
    for address in ("tcp://127.0.0.1:1", "nonsense://x"):
        command = ["parse", str(tmp_path / "demo.plcfrs"), "plcfrs:demo", "--scheduler", address]
        assert run(command) == 2
        assert f"no Dask scheduler at {address}" in capsys.readouterr().err
