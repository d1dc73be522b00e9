"""``plcfrs serve`` as a process."""

import json
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from urllib.error import HTTPError
from urllib.parse import urlsplit

import pytest
from serving import running

from plcfrs.cli import run

SENTENCE = "What/WP should/MD we/PRP do/VB ?/. "
PLCFRS = [sys.executable, "-m", "plcfrs"]


def fail(*arguments):
    done = subprocess.run([*PLCFRS, "serve", *arguments], capture_output=True, text=True)
    assert done.stderr.count("\n") == 1
    return done.returncode, done.stderr


def ask(address, text, timeout=None):
    request = urllib.request.Request(
        f"{address}api/v1/parse",
        json.dumps({"text": text, "tagged": True}).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=timeout) as response:
        return json.load(response)


def cpu_time(process):
    """Return the processor time of a process so far, to the second."""
    command = ["ps", "-o", "time=", "-p", str(process.pid)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def wait_until_busy(process):
    """Wait until a process has worked for a second or two."""
    for _ in range(2):
        before = cpu_time(process)
        while cpu_time(process) == before:
            time.sleep(0.05)


@contextmanager
def asking_for_a_long_parse(address):
    """Ask for a parse that takes long; give the connection."""
    with socket.create_connection(urlsplit(address).netloc.split(":")) as connection:
        text = f"What/WP caused/VBD the/DT fire/NN {60 * 'at/IN the/DT mill/NN '}?/."
        body = json.dumps({"text": text, "tagged": True, "strategy": "knuth"})
        connection.sendall(
            "POST /api/v1/parse HTTP/1.1\r\nHost: localhost\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
            f"{body}".encode()
        )
        yield connection


@pytest.mark.full
def test_a_parse_ends_when_its_client_has_left(demo):
    limits = "--jobs", "1", "--max-length", "400", "--max-items", "inf", "--max-memory", "inf"
    with running(demo, *limits, "--max-seconds", "600") as (process, address):
        with asking_for_a_long_parse(address):
            wait_until_busy(process)
        assert ask(address, SENTENCE, timeout=120)["status"] == "parsed"
        process.kill()
        assert process.stderr.read() == ""


@pytest.mark.full
@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_a_long_sentence_holds_up_neither_others_nor_an_interrupt(demo):
    with running(demo, "--max-length", "400", "--max-seconds", "600") as (process, address):
        assert ask(address, SENTENCE)["status"] == "parsed"
        with asking_for_a_long_parse(address) as connection:
            wait_until_busy(process)
            assert ask(address, SENTENCE)["status"] == "parsed"
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=60) == 0
            assert connection.recv(1) == b""  # it was still working
        assert process.stderr.read() == ""


@pytest.mark.full
def test_every_job_ends_when_its_time_is_over(demo):
    """And then its slot is free."""
    deep, many = f"{300_000 * '(A'} a{300_000 * ')'}", 80_000 * "(S (V see))\n"
    jobs = {
        "draw/file": {"text": deep, "format": "svg"},
        "draw/text": {"text": many},
        "treebanks?name=many.mrg": 10 * many,
        "treebanks?name=deep.mrg": deep,
    }
    with running(demo, "--max-seconds", "2", "--jobs", "1") as (process, address):
        for path, body in jobs.items():
            is_json = isinstance(body, dict)
            data = json.dumps(body) if is_json else body
            kind = "application/json" if is_json else "application/octet-stream"
            request = urllib.request.Request(
                f"{address}api/v1/{path}", data.encode(), {"Content-Type": kind}
            )
            with pytest.raises(HTTPError) as refused:
                urllib.request.urlopen(request)
            assert "this took longer than 2 seconds" in json.load(refused.value)["error"]["message"]
            assert ask(address, SENTENCE)["status"] == "parsed"
        process.kill()
        assert process.stderr.read() == ""


def test_a_port_that_is_taken_is_an_error(demo, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert run(["serve", str(demo), "--port", str(port)]) == 2
    (message,) = capsys.readouterr().err.splitlines()
    assert f"port {port}" in message
    assert "--port" in message


@pytest.mark.full
def test_a_missing_model_is_an_error():
    assert fail("nowhere.plcfrs") == (2, "plcfrs: nowhere.plcfrs: No such file or directory\n")


def test_a_missing_extra_is_an_error(demo, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert run(["serve", str(demo)]) == 2
    assert "pip install 'plcfrs[web]'" in capsys.readouterr().err
