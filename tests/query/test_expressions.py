"""Regular expressions are those of Python, whatever they are, but they can be stopped."""

import os
import re
import signal
import subprocess
import sys
import textwrap
from threading import Event, Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st
from quick import core

from plcfrs.errors import InputError
from plcfrs.query import Treebank, find
from plcfrs.query import expressions as module
from plcfrs.query.expressions import Expression
from plcfrs.stopping import StoppedError, stoppable
from plcfrs.trees import Tree

HOSTILE = Expression(r"^((.*)*)*x$")
LONG = "a" * 40
TREE = Tree.from_string(f"(S (A {LONG}) (B b))")

LITERALS = [
    "a",
    "b",
    r"\.",
    "é",
    "İ",
    "ß",
    "²",
    "e\u0301",
    "\x1c",
    "\n",
    "[[]",  # Python warns that it may once mean something else
    "[a-ü]",
    "{",
    "{e<=1}",
]
CLASSES = [r"\w", r"\W", r"\d", r"\s", r"[^\W\d_]", "(?i:ß)", r"(?a:\w)"]
PLACES = ["^", "$", r"\b", r"\B", r"\Z", "(?=a)", "(?<!b)", "|"]
ATOMS = st.sampled_from([*LITERALS, *CLASSES, *PLACES])
PATTERNS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=4).map("".join),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "*?", "{1,2}", "{,1}"])).map(
            lambda pair: f"(?:{pair[0]}){pair[1]}"
        ),
        st.tuples(inner, inner).map(lambda pair: f"({pair[0]})|\\1{pair[1]}"),
    ),
    max_leaves=6,
)
LETTERS = "ab\u0301eéßİiI\u0131s²\u017f_ \n\x1c1٣-{}<="  # with a dotless i and a long s
TEXTS = st.lists(st.text(LETTERS, max_size=6), max_size=6)


@pytest.mark.filterwarnings("ignore::FutureWarning")
@given(PATTERNS, TEXTS, st.booleans())
def test_they_are_those_of_python(pattern, texts, ignores_case):
    try:
        compiled = re.compile(pattern, re.IGNORECASE if ignores_case else 0)
    except re.error as error:
        with pytest.raises(InputError, match=re.escape(str(error))):
            Expression(pattern, ignores_case).places(texts)
        return
    places = [place for place, text in enumerate(texts) if compiled.search(text)]
    assert Expression(pattern, ignores_case).places(texts) == places


def test_nobody_is_warned_of_syntax_that_may_change(recwarn):
    for pattern in ("[[a]", "[a||b]", "[a&&b]", "[~~a]"):
        assert Expression(pattern).places(["[", "a", "c"])[-1] == 1
    assert not recwarn


def test_texts_may_have_half_a_character():
    assert Expression("b+").places(["\ud800b", "a", ""]) == [0]


@core(
    1, "search", [Treebank([TREE]).find, lambda query, max_seconds: find(TREE, query, max_seconds)]
)
def test_a_query_ends_in_time_and_names_its_expression(search):
    with pytest.raises(StoppedError) as error:
        search(f"*[word={HOSTILE}]", max_seconds=0.2)
    message = str(error.value)
    assert message.startswith("the regular expression /^((.*)*)*x$/ was stopped: it took longer")
    assert "\n" not in message
    assert len(search("*[word=/b+/]", max_seconds=60)) == 1  # the next one has another process


def test_who_has_left_stops_it():
    asked = Event()

    def check():
        if asked.is_set():
            raise StoppedError("the client has left")
        asked.set()

    with stoppable(check), pytest.raises(StoppedError, match="the client has left"):
        HOSTILE.places([LONG])


def test_others_go_on_while_it_is_searched():
    """It holds no lock of the interpreter: this thread counts on."""
    begun, over, ended = Event(), Event(), []

    def check():
        begun.set()
        if over.is_set():
            raise StoppedError("enough")

    def search():
        with stoppable(check), pytest.raises(StoppedError):
            HOSTILE.places([LONG])
        ended.append(True)

    thread = Thread(target=search)
    thread.start()
    assert begun.wait(60)
    assert sum(range(100_000)) == 4_999_950_000
    assert not ended
    over.set()
    thread.join(60)
    assert ended


def test_large_expressions_are_compiled_or_refused():
    for pattern in [
        "(a{1000}){1000}",
        "|".join(map(str, range(3000))),
        "(?:" * 300 + "a" + ")*" * 300 + "x",
    ]:
        try:
            assert Expression(pattern).places(["b"]) == []
        except InputError as error:
            assert "is not a regular expression" in str(error)  # noqa: PT017


@pytest.mark.full
@pytest.mark.skipif(sys.platform != "linux", reason="limits memory")
def test_one_that_takes_too_much_memory_is_refused():
    with pytest.raises(InputError, match=r"^/\S+/ takes too much memory$"):
        Expression("(?:(.)|b)*x").places(["a" * 30_000_000])
    assert Expression("b+").places(["b"]) == [0]


def test_a_process_that_has_died_is_replaced():
    Expression("b+").places(["b"])
    for process in module._idle:
        process.kill()
        process.wait()
    assert Expression("b+").places(["b"]) == [0]


@pytest.mark.full
def test_a_script_is_not_run_again_and_processes_do_not_share_one(tmp_path):
    """Unlike those of multiprocessing, which imports the main module anew."""
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent(
            """
            import multiprocessing, sys
            from plcfrs.query import find
            from plcfrs.trees import Tree
            print("begun")
            TREE = Tree.from_string("(S (A a) (B b))")
            print(find(TREE, "/b+/"))
            if "fork" in multiprocessing.get_all_start_methods():
                with multiprocessing.get_context("fork").Pool(2) as pool:
                    print(pool.starmap(find, [(TREE, "/b+/")] * 4))
            """
        )
    )
    done = subprocess.run(
        [sys.executable, "-W", "error::ResourceWarning", script],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[:2] == ["begun", "[1]"]
    assert done.stdout.splitlines()[2:] in ([], ["[[1], [1], [1], [1]]"])
    assert done.stderr == ""


@pytest.mark.full
@pytest.mark.skipif(os.name != "posix", reason="sends signals")
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_signal_ends_it_and_its_process(sent, tmp_path):
    """The process of the expression says that it works, and its end closes the pipe."""
    trees = tmp_path / "long.mrg"
    trees.write_text(f"(S (A {LONG}) (B b))\n")
    script = textwrap.dedent(
        """
        import sys
        from plcfrs.query import expressions
        from plcfrs.stopping import stoppable
        ask = expressions.check_stopped
        expressions.check_stopped = lambda: print("asked", flush=True)
        from plcfrs.__main__ import main
        sys.argv = ["plcfrs", *sys.argv[1:]]
        main()
        """
    )
    command = [sys.executable, "-c", script, "find", str(trees), f"*[word={HOSTILE}]"]
    with subprocess.Popen(
        [*command, "--max-seconds", "inf"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:
        for _ in range(10):  # it works
            assert process.stdout.readline() == "asked\n"
        children = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(process.pid)],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        assert len(children) == 1
        process.send_signal(sent)
        assert process.wait(timeout=60) == (1 if sent is signal.SIGINT else -sent)
        while (
            subprocess.run(["ps", "-p", children[0]], capture_output=True, check=False).returncode
            == 0
        ):
            pass
        assert process.stderr.read().lstrip() == (
            "plcfrs: interrupted\n" if sent is signal.SIGINT else ""
        )
