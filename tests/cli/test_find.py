"""``plcfrs find``: what it prints of the matches in a small treebank."""

import io
import sys
import zipfile
from itertools import combinations
from pathlib import Path

import pytest

from plcfrs.cli import find_command
from plcfrs.corpus import indexing
from plcfrs.treebank import read_trees

TREES = """\
(ROOT (SBARQ (SQ (VP (WHNP (WP 0=What)) (VB 3=do)) (MD 1=should) (NP-SBJ (PRP 2=I))) (. 4=?)))
(ROOT (S (NP-SBJ (PRP 0=I)) (VP (VBP 1=see) (NP (PRP 2=you))) (. 3=.)))
(ROOT (S (VP (NP (ART 0=Das) (NN 1=Boot)) (VVPP 4=geputzt)) (VAFIN 2=hat) (NE 3=Ida) ($. 5=.)))
"""
ALL_NPS = "matches: 4, in 3 of 3 trees\n"


@pytest.fixture(autouse=True)
def treebank(tmp_path):
    (tmp_path / "a.dbr").write_text(TREES)


@pytest.fixture
def find(plcfrs):
    """A function that runs ``plcfrs find`` on the treebank."""
    return lambda *arguments: plcfrs("find", "a.dbr", *arguments)


PRINTED = [
    ("NP", "", "a:1\tNP-SBJ\tI\na:2\tNP-SBJ\tI\na:2\tNP\tyou\na:3\tNP\tDas Boot\n"),
    # Words on both sides, and in gaps.
    (
        "VP",
        "--kwic",
        "a:1\t\t[What] should I [do]\t?\n"
        "a:2\tI\t[see you]\t.\n"
        "a:3\t\t[Das Boot] hat Ida [geputzt]\t.\n",
    ),
    (
        "NP",
        "--columns words,function,length,before,after",
        "sentence\twords\tfunction\tlength\tbefore\tafter\n"
        "a:1\tI\tSBJ\t1\tWhat should\tdo ?\n"
        "a:2\tI\tSBJ\t1\t\tsee you .\n"
        "a:2\tyou\t\t1\tI see\t.\n"
        "a:3\tDas Boot\t\t2\t\that Ida geputzt .\n",
    ),
    (
        "S < VP=v << NP=n",
        "--columns v.words,n.label,label",
        "sentence\tv.words\tn.label\tlabel\n"
        "a:2\tsee you\tNP-SBJ\tS\n"
        "a:2\tsee you\tNP\tS\n"
        "a:3\tDas Boot ... geputzt\tNP\tS\n",
    ),
    ("XP", "--columns words", "sentence\twords\n"),
    ("NP", "--count", "4\n"),
    ("NP", "--count-by words", "2\tI\n1\tDas Boot\n1\tyou\n"),
    ("NP", "--count-by label,length", "2\tNP-SBJ\t1\n1\tNP\t1\n1\tNP\t2\n"),
    ("NP", "--count-by label --count-by length", "2\tNP-SBJ\t1\n1\tNP\t1\n1\tNP\t2\n"),
    ("S < VP=v << NP=n", "--count-by n.category,v.gap-degree", "2\tNP\t0\n1\tNP\t1\n"),
    ("NP", "--count --per-million", "4\t266666.67\n"),  # of 15 tokens
    ("NP", "--count-by label --per-million", "2\t133333.33\tNP\n2\t133333.33\tNP-SBJ\n"),
    ("NP", "--count --per-million --sentences 2", "2\t500000.00\n"),
    ("NP < ART", "--context 1", "a:2\t\tI see you .\na:3\tNP\tDas Boot\n--\n"),
    # The context ends where the treebank does.
    (
        "VBP",
        "--context 9 --kwic",
        "a:1\t\tWhat should I do ?\na:2\tI\t[see]\tyou .\na:3\t\tDas Boot hat Ida geputzt .\n--\n",
    ),
    ("VBP", "--to tokens", "I see you .\n"),
    ("@NP", "--language tregex --count", "4\n"),  # in tregex, not a file of queries
]


def test_what_is_printed(find):
    for query, options, expected in PRINTED:
        assert find(query, *options.split()).out == expected
    assert find("NP", "--count") == (0, "4\n", ALL_NPS)


def test_kwic_has_eight_words_on_each_side(find):
    words = " ".join(f"(X {number}=w{number})" for number in range(21))
    Path("a.dbr").write_text(f"(ROOT {words})\n")
    assert find("w10", "--kwic").out == (
        "a:1\tw2 w3 w4 w5 w6 w7 w8 w9\t[w10]\tw11 w12 w13 w14 w15 w16 w17 w18\n"
    )


def test_per_million_words(plcfrs):
    """Null elements do not count, and there may be none."""
    Path("a.mrg").write_text("( (S (NP (-NONE- *)) (VP (VB Go) (RB now))))\n")
    assert plcfrs("find", "a.mrg", "VP", "--count", "--per-million").out == "1\t500000.00\n"
    Path("a.txt").write_text("\n")
    assert plcfrs("find", "a.txt", "NP", "--count", "--per-million").out == "0\t-\n"


def test_a_random_sample(find):
    everything = find("*[tag]").out.splitlines()
    sample = find("*[tag]", "--random", "7").out.splitlines()
    assert len(sample) == 7
    assert [line for line in everything if line in set(sample)] == sample
    samples = [find("*", "--random", "5", "--seed", seed).out for seed in (1, 1, 2)]
    assert samples[0] == samples[1] != samples[2]
    assert find("NP", "--random", "9") == find("NP")
    ran = find("NP", "--random", "1", "-o", "b.dbr")
    assert (ran.code, ran.err) == (0, ALL_NPS)
    assert len(list(read_trees("b.dbr"))) == 1


def test_trees_are_written(find):
    assert find("VP[discontinuous]", "-o", "b.dbr").code == 0
    first, _, third = TREES.splitlines(keepends=True)
    assert Path("b.dbr").read_text() == first + third


def test_trees_are_drawn(find):
    assert "[VP]" in find("VP < VBP", "--draw").out


OUTPUTS = {
    "-o or --to": ["--to", "export"],
    "--draw": ["--draw"],
    "--kwic": ["--kwic"],
    "--columns": ["--columns", "words"],
    "--count": ["--count"],
    "--count-by": ["--count-by", "words"],
}


def test_outputs_exclude_each_other(find):
    for one, other in [*combinations(OUTPUTS, 2)]:
        assert find("NP", *OUTPUTS[one], *OUTPUTS[other]) == (
            2,
            "",
            f"plcfrs: {one} and {other} exclude each other: give only one\n",
        )


def test_options_that_would_change_nothing_are_refused(find):
    for options, problem in [
        (["--per-million"], "--per-million needs --count, --count-by or a file of queries"),
        (["--count", "--context", "1"], "--context works only with lists of matches, --kwic and"),
        (["--draw", "--context", "1"], "--context works only with lists of matches, --kwic and"),
    ]:
        code, out, err = find("NP", *options)
        assert (code, out) == (2, "")
        assert err.startswith(f"plcfrs: {problem}")


LAYOUTS = [
    [],
    ["--kwic"],
    ["--columns", "words,n.words"],
    ["--count-by", "n.label", "--per-million"],
    ["--count"],
    ["--draw"],
    ["--context", "1"],
    ["--random", "2"],
    ["--to", "export"],
]


def test_parts_give_the_same_as_the_whole(find, monkeypatch):
    for options in LAYOUTS:
        whole = find("NP=n", *options)
        with monkeypatch.context() as patched:
            patched.setattr(find_command, "PART", 1)
            assert find("NP=n", *options) == whole


def test_a_compiled_treebank_gives_the_same(find, plcfrs):
    assert plcfrs("index", "a.dbr", "-o", "a.treebank").code == 0
    for options in LAYOUTS:
        assert plcfrs("find", "a.treebank", "NP=n", *options) == find("NP=n", *options)


def test_an_unknown_named_node_is_told_before_anything_is_printed(find):
    for query in ["NP", "NP=m", "NP [< PRP=n | < NN]", "NP !< PRP=n"]:
        for option in ["--columns", "--count-by"]:
            assert find(query, option, "n.words") == (
                2,
                "",
                "plcfrs: query: no node has the name n in all alternatives\n",
            )


def test_an_unknown_value_is_told_before_anything_is_printed(find):
    for option, key in [
        ("--columns", "beauty"),
        ("--columns", "n.before"),
        ("--columns", "sentence"),
        ("--count-by", "beauty"),
        ("--count-by", "before"),
        ("--count-by", "n.after"),
    ]:
        ran = find("NP=n", option, f"words,{key}")
        assert ran[:2] == (2, "")
        assert ran.err.startswith(
            f"plcfrs: {key}: expected one of category, label, function, words"
        )
        assert ran.err.count("\n") == 1


@pytest.fixture
def queries():
    """A function that writes a file of queries."""
    return lambda text: Path("queries").write_text(text, encoding="utf-8")


def test_a_file_of_queries_gives_a_table(find, queries):
    queries("# noun phrases\nNP\n\n  VP[discontinuous]  \n# Straße\nXP\n")
    assert find("@queries") == (
        0,
        "matches\ttrees\tquery\n4\t3\tNP\n2\t2\tVP[discontinuous]\n0\t0\tXP\n",
        "matches: 4, in 3 of 3 trees\n"
        "matches: 2, in 2 of 3 trees\n"
        "matches: 0, in 0 of 3 trees\n"
        "XP is not a category, tag or word of any tree\n",
    )


def test_a_file_of_queries_with_figures_per_million(find, queries, monkeypatch):
    queries("NP\nVP\n")
    whole = find("@queries", "--per-million")
    assert whole.out == (
        "matches\tper million\ttrees\tquery\n4\t266666.67\t3\tNP\n3\t200000.00\t3\tVP\n"
    )
    monkeypatch.setattr(find_command, "PART", 1)
    assert find("@queries", "--per-million") == whole


def test_a_file_of_queries_of_another_tool(find, queries):
    queries('// verb phrases\n#x:[cat="VP"]\n[pos="PRP"]\n')
    assert find("@queries", "--language", "tigersearch").out == (
        "matches\ttrees\tquery\n3\t3\t*[category=VP]\n3\t2\t*[tag=PRP]\n"
    )


def test_a_file_of_queries_excludes_other_outputs(find, queries):
    for name in OUTPUTS:
        queries("NP\n")
        assert find("@queries", *OUTPUTS[name]) == (
            2,
            "",
            f"plcfrs: @queries is a file of queries: it excludes {name}\n",
        )


def test_a_file_that_has_no_queries(find):
    for content, problem in [
        (None, "cannot be read: No such file or directory"),
        (b"", "no queries in this file"),
        (b"\n# only a comment\n", "no queries in this file"),
        ("Straße".encode("latin-1"), "cannot be read: it is not utf-8"),
    ]:
        if content is not None:
            Path("queries").write_bytes(content)
        assert find("@queries") == (2, "", f"plcfrs: queries: {problem}\n")


def test_a_wrong_query_in_a_file_is_told_with_its_line(find, queries):
    queries("NP\n\n# next\nVP <\n")
    ran = find("@queries")
    assert ran[:2] == (2, "")
    assert ran.err.startswith("plcfrs: queries:4: query, column 5: expected a node")
    assert ran.err.count("\n") == 1


def test_a_wrong_query_of_another_tool_in_a_file_is_told_with_its_line(find, queries):
    queries("NP < PRP\nNP <\n")
    ran = find("@queries", "--language", "tgrep2")
    assert ran.err.splitlines()[-1].startswith("plcfrs: queries:2: tgrep2, column")


def test_a_query_of_another_tool_is_translated(find):
    for language, query, translated in [
        ("tgrep2", "VBP $. NP", "/^VBP$/ $. /^NP$/"),
        ("tregex", "@NP < PRP", "NP < /^PRP$/"),
        ("tigersearch", '[cat="NP"] > [pos="PRP"]', "*[category=NP] < *[tag=PRP]"),
    ]:
        ran, expected = find(query, "--language", language), find(translated)
        assert ran == (0, expected.out, f"query: {translated}\n{expected.err}")


def test_a_query_that_cannot_be_translated(find):
    assert find("NP @@", "--language", "tigersearch") == (
        2,
        "",
        "plcfrs: tigersearch, column 1: 'NP' is not expected here\n",
    )


def test_an_unknown_language(find):
    ran = find("NP", "--language", "tndrag")
    assert ran[:2] == (2, "")
    assert "'tgrep2', 'tregex', 'tigersearch'" in ran.err


def test_a_query_of_another_tool_gets_a_hint(find):
    ran = find("NP $+ VP")
    assert ran[:2] == (2, "")
    assert ran.err.endswith("; translated query: /^NP$/ $. /^VP$/\n")
    assert ran.err.count("\n") == 1
    assert "translated query" not in find("NP $+").err


@pytest.fixture
def compiled(plcfrs):
    """A function that runs ``plcfrs find`` on the compiled treebank."""
    plcfrs("index", "a.dbr", "-o", "a.treebank")
    return lambda *arguments: plcfrs("find", "a.treebank", *arguments)


def test_a_selection_of_a_compiled_treebank(compiled):
    assert compiled("NP", "--sentences", "1,3-9") == (
        0,
        "a:1\tNP-SBJ\tI\na:3\tNP\tDas Boot\n",
        "matches: 2, in 2 of 2 trees\n",
    )
    assert compiled("NP", "--max-length", "4") == (
        0,
        "a:2\tNP-SBJ\tI\na:2\tNP\tyou\n",
        "matches: 2, in 1 of 1 trees\n",
    )
    ran = compiled("a.treebank", "VP", "--sentences", "3-4")  # of both together
    assert ran.out == "a:3\tVP\tDas Boot ... geputzt\na:1\tVP\tWhat ... do\n"


def test_nothing_is_selected(find, compiled):
    for option in [["--sentences", "4-9"], ["--max-length", "3"]]:
        error = f"no trees were selected by {' '.join(option)}\n"
        assert find("NP", *option) == (2, "", f"plcfrs: a.dbr: {error}")
        assert compiled("NP", *option) == (2, "", f"plcfrs: a.treebank: {error}")


def test_several_treebanks(plcfrs):
    Path("b.dbr").write_text("(ROOT (NP (NE 0=Ida)))\n")
    plcfrs("index", "a.dbr", "-o", "a.treebank")
    plcfrs("index", "b.dbr", "-o", "b.treebank")
    together = "a:3\tNP\tDas Boot\nb:1\tNP\tIda\n"
    for first, second in [("a.dbr", "b.dbr"), ("a.dbr", "b.treebank"), ("a.treebank", "b.dbr")]:
        assert plcfrs("find", first, second, "NP !< PRP").out == together
    assert plcfrs("find", "a.treebank", "b.treebank", "NP !< PRP").out == together


def test_transformed_trees_are_those_of_a_transformed_treebank(plcfrs):
    for query in ["VP[discontinuous]", "WHNP[moved=*T*]", "NP < SBAR", "-NONE-"]:
        plcfrs("index", "plcfrs:demo", "--transform", "-o", "demo.treebank")
        transformed = plcfrs("find", "plcfrs:demo", query, "--transform")
        assert plcfrs("find", "demo.treebank", query) == transformed


def test_a_compiled_treebank_with_traces_is_transformed(plcfrs):
    plcfrs("index", "plcfrs:demo", "-o", "demo.treebank")
    transformed = plcfrs("find", "plcfrs:demo", "VP[discontinuous]", "--transform")
    assert plcfrs("find", "demo.treebank", "VP[discontinuous]", "--transform") == transformed


def test_splits_are_found_but_not_shown(plcfrs):
    ran = plcfrs("find", "plcfrs:demo", "S[split=WH]", "--transform", "--columns", "label")
    assert ran.out.startswith("sentence\tlabel\ndemo:")
    assert "^" not in ran.out


def test_standard_input(find, plcfrs, monkeypatch):
    expected = find("NP").out.replace("a:", "stdin:")
    for arguments in (["NP"], ["-", "NP"]):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TREES.encode())))
        assert plcfrs("find", *arguments) == (0, expected, ALL_NPS)


def test_malformed_trees_are_skipped(find):
    Path("a.dbr").write_text(f"(S we))\n{TREES}")
    ran = find("VBP", "--skip-bad")
    assert (ran.code, ran.out) == (0, "a:3\tVBP\tsee\n")
    assert ran.err.endswith("malformed trees skipped: 1\nmatches: 1, in 1 of 3 trees\n")


def test_traces_that_were_not_transformed(plcfrs):
    ran = plcfrs("find", "plcfrs:demo", "VP[discontinuous]")
    assert ran.err.endswith(
        "the trees have traces: --transform turns them into crossing branches\n"
    )


def test_null_elements_of_annotations(plcfrs):
    plcfrs("convert", "plcfrs:demo", "-o", "demo.mrg")
    plcfrs("transform", "plcfrs:demo", "--annotation", "-o", "demo.jsonl")
    for query in ("*[null=*T*]", "NP-SBJ <@ *[null=*]", "*[antecedent=/^WH/]"):
        expected = plcfrs("find", "demo.mrg", query)
        assert expected.out
        assert plcfrs("find", "demo.jsonl", "--traces", query) == expected
    ran = plcfrs("find", "demo.jsonl", "*[null]")
    assert (ran.out, ran.err.splitlines()[-1]) == (
        "",
        "no null elements: try without --transform, or with --traces",
    )
    assert plcfrs("find", "demo.jsonl", "*", "--traces", "--transform").code == 2


@pytest.fixture
def large(monkeypatch):
    """Makes all treebanks large; the folder of those that are kept."""
    monkeypatch.setattr(indexing, "LARGE", 1)
    monkeypatch.setattr(sys, "platform", "linux")
    return Path("cache", "plcfrs", "treebanks")


def test_a_large_treebank_is_compiled_once(find, large):
    small = find("NP", "--no-index")
    told = "indexing a.dbr: the next search will start at once\n"
    assert find("NP") == small._replace(err=told + small.err)
    assert find("NP") == small
    assert len(list(large.iterdir())) == 1


def test_a_treebank_is_not_kept(find, large):
    for options in [["--no-index"], ["--sentences", "1-2"], ["--skip-bad"]]:
        assert find("NP", *options).code == 0
        assert not large.exists()


def test_a_transformed_treebank_is_kept_beside_the_other(find, large):
    find("NP")
    assert find("NP", "--transform").err.startswith("indexing a.dbr: ")
    assert len(list(large.iterdir())) == 2


def test_a_damaged_archive_is_told_in_a_line(plcfrs):
    with zipfile.ZipFile("a.zip", "w") as archive:
        archive.writestr("a.dbr", TREES)
    Path("a.zip").write_bytes(Path("a.zip").read_bytes().replace(b"What", b"That"))
    assert plcfrs("find", "a.zip", "NP") == (
        2,
        "",
        "plcfrs: a.zip/a.dbr: cannot be read: Bad CRC-32 for file 'a.dbr'\n",
    )


def test_a_malformed_treebank_is_told_in_a_line(find):
    Path("a.dbr").write_text("(S (NP\n")
    ran = find("NP")
    assert ran[:2] == (2, "")
    assert ran.err.startswith("plcfrs: a.dbr:1: missing ')'")
    assert ran.err.count("\n") == 1


def test_it_fails_when_regular_expressions_take_too_long(plcfrs, tmp_path):
    (tmp_path / "long.dbr").write_text(f"(S (N 0={'Weiter' * 9}bildung) (V 1=hilft))\n")
    code, out, err = plcfrs("find", "long.dbr", r"/^(\w+-?)+ungen$/", "--max-seconds", "0.1")
    assert (code, out) == (1, "")
    assert err == (
        "plcfrs: the regular expression /^(\\w+-?)+ungen$/ was stopped: it took longer than 0.1 "
        "seconds; avoid a repeat within a repeat, such as (a+)+\n"
    )
