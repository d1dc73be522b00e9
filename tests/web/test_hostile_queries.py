"""Regular expressions that would take for ever: each ends, and holds up nobody else."""

import json
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest
from serving import running

REPEATS = [
    "(a+)+",
    "(a*)*",
    "((.*)*)*",
    r"(\w+-?)+",
    "(.+)+",
    "(a|a)+",
    "(a|aa)+",
    "(a|ab|b)*",
    "([a-z]+)*",
    "(.*a){12}",
    r"(\w|\W)*\w{3}",
    "(?:a?){25}a{25}",
    "(.*?)+?",
    r"(?:\w*)*\s*",
    "((a+)+)+",
    "(?:(?:a|b|.)+)+",
    r"(?i:\w+)*(?:_|\w)*",
    "(?P<all>.*)*(?P=all)",
]
ENDS = ["x$", r"\d$", "ungen$", "Z", r"[^\w]q"]
OTHERS = [
    "(?(1)a|b)",
    r"(.+)\1+\1+x",
    r"((.)(.)).*\1.*\2.*\3.*x$",
    r"^(?=(.*)*x)",
    r"(?<=a)(.*)*x",
    "(a{1000}){1000}",
    "(?:(?:.{1000}){1000}){1000}",
    "|".join(map(str, range(250))),
    "(?:" * 90 + "a" + ")*" * 90 + "x",
    "[\0-\U0010ffff]*" * 9 + "x",
]
EXPRESSIONS = [*map("^{0[0]}{0[1]}".format, product(REPEATS, ENDS)), *OTHERS]
JOBS = 4


@pytest.mark.full
def test_a_hundred_hostile_expressions_end_and_hold_up_nobody(demo, tmp_path):
    trees = tmp_path / "long.mrg"
    trees.write_text(f"(S (A {'a' * 60}) (B Landwirtschafts-Versicherungen))\n")
    command = (demo, "--treebank", trees, "--max-seconds", "0.5", "--jobs", str(JOBS))
    with running(*command) as (_, address), ThreadPoolExecutor(JOBS) as clients:
        pages = []  # how many there are says when something else was

        def ask(number, expression):
            path = ("hits", "trees", "counts", "queries/translation")[number % 4]
            query = {"treebank": "long", "query": f"*[word=/{expression}/]", "by": "label"}
            before = len(pages)
            try:
                with urlopen(f"{address}api/v1/{path}?{urlencode(query)}") as answer:
                    return answer.status, "", len(pages) - before
            except HTTPError as error:
                message = json.load(error)["error"]["message"]
                return error.code, message, len(pages) - before

        asked = [clients.submit(ask, *each) for each in enumerate(EXPRESSIONS)]
        while not all(one.done() for one in asked):
            with urlopen(address) as answer:
                pages.append(answer.status)
        answers = [one.result() for one in asked]
    assert len(answers) == 100
    assert set(pages) == {200}
    assert {status for status, *_ in answers} == {200, 400, 503}
    stopped = [(message, meanwhile) for status, message, meanwhile in answers if status == 503]
    assert len(stopped) > 20
    for message, meanwhile in stopped:
        assert "this took longer than 0.5 seconds" in message
        assert meanwhile > 1  # one at least began when it was already searched
