"""Parses of other programs: failed, malformed, with tops and escapes of their own."""

import re
from dataclasses import replace

import pytest
from quick import core

from plcfrs.cli import run
from plcfrs.errors import InputError
from plcfrs.evaluation import ALL, FIELD, Counts, evaluate, load_settings, score
from plcfrs.evaluation.comparison import compare_parsers
from plcfrs.evaluation.prm import parse_settings
from plcfrs.evaluation.scoring import Scoring
from plcfrs.treebank import read_trees, write_trees
from plcfrs.trees import Node, Token, Tree

TREES = [
    "(S (NN rain) (VP (VB falls)))",
    "(S (NN snow) (VP (VB melts)))",
    "(S (NN hail) (VP (VB stops)))",
]


@pytest.fixture
def files(tmp_path):
    """Return a function that writes a file of gold trees, and one of parses."""

    def write(parses: str, name: str = "parses.mrg", gold: str = "\n".join(TREES)) -> list[str]:
        (tmp_path / "gold.mrg").write_text(f"{gold}\n", encoding="utf-8")
        (tmp_path / name).write_text(parses, encoding="utf-8")
        return [str(tmp_path / "gold.mrg"), str(tmp_path / name)]

    return write


def counts(files, capsys, *options):
    """Return the numbers of brackets and of sentences that plcfrs eval and compare print."""
    assert run(["eval", *files, "--settings", "all", *options]) == 0
    rows = [line.rsplit(maxsplit=5) for line in capsys.readouterr().out.splitlines()]
    found = {row[0].strip(): row[1] for row in rows[::-1] if len(row) > 1}
    few = ["--samples", "100"]  # of the tests of significance
    assert run(["compare", *files, files[1], "--settings", "all", *few, *options]) == 0
    assert capsys.readouterr().out.startswith(f"{found['Sentences']} sentence")
    return [int(found[row]) for row in ("Gold", "Parsed", "Matched labelled", "Without a parse")]


@core(1, "place", range(3))
def test_a_failed_parse_at_any_place(files, capsys, place):
    for failed in ["(())", "()", "(S1)", "(TOP ())", "NOPARSE", "null", ""]:
        lines = [*TREES[:place], failed, *TREES[place + 1 :]]
        assert counts(files("\n".join(lines) + "\n"), capsys) == [6, 4, 4, 1]


@pytest.mark.full
@core(
    2,
    "parses",
    [
        f"\n\n{TREES[2]}\n",
        f"\n{TREES[1]}\n\n",
        f"{TREES[0]}\n\n\n",
        f"(())\n\n{TREES[2]}",
        f"\n(())\n{TREES[2]}",
    ],
)
def test_several_failed_parses(files, capsys, parses):
    assert counts(files(parses), capsys) == [6, 2, 2, 2]


def test_blank_lines_that_only_separate(files, capsys):
    for between in ["\n\n", "\n \t\n\n", "\n\n(())\n\n".replace("(())", "")]:
        parses = between.join(tree.replace("(VP", "\n  (VP") for tree in TREES)
        assert counts(files(f"\n{parses}\n\n"), capsys) == [6, 6, 6, 0]


def test_blank_lines_that_separate_with_a_failed_parse(files, capsys):
    assert counts(files(f"{TREES[0]}\n\n(())\n\n{TREES[2]}\n\n"), capsys) == [6, 4, 4, 1]


def test_a_file_of_blank_lines_has_no_parses(files, capsys):
    for options in ([], ["--skip-bad"]):
        assert run(["eval", *files("\n\n\n"), *options]) == 2
        assert "parses.mrg: no" in capsys.readouterr().err


MALFORMED = {
    "mrg": "(S (NN snow) (VP (VB melts))",
    "mrg2": "(S (NN snow) (VP (VB melts))))",
    "mrg3": "(S (NN snow)\n  (VP (VB melts))",
    "dbr": "(S (NN 0=snow) (VP (VB 2=melts)))",
}


def test_a_malformed_parse_is_without_a_parse_at_its_place(files, capsys):
    for kind in MALFORMED:
        lines = [TREES[0], MALFORMED[kind], TREES[2]]
        if kind == "dbr":
            lines[::2] = [
                "(S (NN 0=rain) (VP (VB 1=falls)))",
                "(S (NN 0=hail) (VP (VB 1=stops)))",
            ]
        written = files("\n".join(lines), f"parses.{kind[:3]}")
        assert run(["eval", *written]) == 2
        assert "(the parse of sentence 2)" in capsys.readouterr().err
        assert counts(written, capsys, "--skip-bad") == [6, 4, 4, 1]


def test_a_malformed_gold_tree_is_left_out_with_its_parse(files, capsys):
    for place in range(3):
        gold = [*TREES[:place], TREES[place][:-1], *TREES[place + 1 :]]
        written = files("\n".join(TREES), gold="\n".join(gold))
        assert counts(written, capsys, "--skip-bad") == [4, 4, 4, 0]


def test_text_between_parses_has_no_place(files, capsys):
    written = files("\n".join([TREES[0], "-- next --", *TREES[1:]]))
    assert counts(written, capsys, "--skip-bad") == [6, 6, 6, 0]


def test_a_malformed_sentence_of_export(files, capsys, tmp_path):
    written = files("")
    path = tmp_path / "parses.export"
    write_trees(read_trees(written[0]), path)
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join("snow\n" if line.startswith("snow") else line for line in lines))
    assert counts([written[0], str(path)], capsys, "--skip-bad") == [6, 4, 4, 1]


def test_only_selected_sentences_count(files, capsys):
    written = files(f"{TREES[0]}\n\n{TREES[2]}\n")
    assert counts(written, capsys, "--sentences", "1,2") == [4, 2, 2, 1]
    assert counts(written, capsys, "--sentences", "3") == [2, 2, 2, 0]
    assert counts(written, capsys, "--max-length", "2") == [6, 4, 4, 1]
    for command in (["eval", *written], ["compare", *written, written[1]]):
        assert run([*command, "--sentences", "4-5"]) == 2
        error = capsys.readouterr().err
        assert error.endswith("gold.mrg: no trees were selected by --sentences 4-5\n")


def test_tops_count_as_the_root(files, capsys):
    for top in ["S1", "TOP", "VROOT", "ROOT", "", "S1 (TOP"]:
        closing = ")" * (1 + top.count("("))
        parses = "\n".join(f"({top} {tree}{closing}" for tree in TREES)
        assert counts(files(parses), capsys) == [6, 6, 6, 0]
        assert counts(files("\n".join(TREES), gold=parses), capsys) == [6, 6, 6, 0]


# EVALB's own settings delete TOP and no other root.
COLLINS = "\n".join(f"DELETE_LABEL {label}" for label in ("TOP", ".")) + "\nEQ_LABEL ADVP PRT"
COOK = "(S (NP (DT the) (NN cook)) (VP (VBD sang) ({} (RP out))) (. .))"
RENTS = "(S {}(NP (NNS rents)){} (ADVP (RB generally)){} (VP (VBP do)) (. .))"
COLLINS_GOLD = [COOK.format("PRT"), RENTS.format("", "", "")]
COLLINS_PARSES = [COOK.format("ADVP"), RENTS.format("(NP ", "", ")")]


def test_no_settings_count_the_top(files, tmp_path, capsys):
    for top in [None, "TOP", "ROOT", "VROOT", "S1", "", "TOP (ROOT"]:
        (tmp_path / "collins.prm").write_text(COLLINS)
        settings = load_settings(tmp_path / "collins.prm")
        trees = "\n".join(COLLINS_PARSES), "\n".join(COLLINS_GOLD)
        pairs = [trees]
        if top is not None:
            end = ")" * (1 + top.count("("))
            with_tops = [
                "\n".join(f"({top} {tree}{end}" for tree in each)
                for each in (COLLINS_PARSES, COLLINS_GOLD)
            ]
            pairs = [(trees[0], with_tops[1]), (with_tops[0], trees[1]), with_tops]
        for parses, gold in pairs:
            paths = files(parses, gold=gold)
            # By hand, as EVALB counts: S NP VP PRT, S NP ADVP VP in the gold trees;
            # one NP is spurious.
            found = score(*paths, settings)
            assert (found.labelled, found.unlabelled) == (Counts(8, 9, 8), Counts(8, 9, 8))
            assert run(["eval", *paths, "--settings", str(tmp_path / "collins.prm")]) == 0
            assert re.search(r"^LF1 +94\.12 ", capsys.readouterr().out, re.MULTILINE)
            assert score(*paths, replace(settings, labelled=False)).labelled == found.unlabelled


def test_no_settings_count_noparse(files):
    written = files(f"{TREES[0]}\n(())\n{TREES[2]}\n")
    assert score(*written, parse_settings([])).labelled == Counts(6, 4, 4)
    flat = "(NOPARSE (NN snow) (VB melts))"
    written = files(f"{TREES[0]}\n{flat}\n{TREES[2]}\n")
    assert score(*written, parse_settings([])).labelled == Counts(6, 4, 4)


def test_a_top_elsewhere_is_a_constituent(files, capsys):
    parses = "\n".join(tree.replace("(VP", "(S1 (VP") + ")" for tree in TREES)
    assert counts(files(parses), capsys) == [6, 9, 6, 0]


def test_words_are_the_same_as_our_formats_write_them(tmp_path):
    for extension in ["mrg", "dbr", "export", "xml"]:
        for word in [
            "singer(s)",
            ":)",
            "(",
            "in front",
            "a\tb",
            "x[1]",
            "{x}",
            "1/2",
            "``",
            "Maler(innen)",
        ]:
            tokens = [Token(word, "NN"), Token("left", "VB")]
            tree = Tree(Node("ROOT", children=[Node("S", children=[0, 1])]), tokens, "a")
            path = tmp_path / f"a.{extension}"
            write_trees([tree], path)
            for settings in (ALL, FIELD):
                scores = evaluate([tree], read_trees(path), settings).all
                assert (scores.labelled, scores.right_tags) == (Counts(1, 1, 1), scores.words)


def test_escapes_of_other_programs():
    for one, other in [
        ("-LRB-", "("),
        ("-RSB-", "]"),
        ("a-LCB-b", "a{b"),
        ("1\\/2", "1/2"),
        ("\\*", "*"),
        ("``", '"'),
        ("''", '"'),
        ("in front", "in_front"),
        ("", "--"),
        ("x\xa0y", "x_y"),
    ]:
        first, second = (
            Tree(Node("ROOT", children=[0]), [Token(form, "X")]) for form in (one, other)
        )
        assert evaluate([first], [second], ALL).all.right_tags == 1


def test_other_words_stay_others():
    for one, other in [("a_b", "ab"), ("(", "["), ("-LRB", "("), ("", "-")]:
        first, second = (
            Tree(Node("ROOT", children=[0]), [Token(form, "X")]) for form in (one, other)
        )
        with pytest.raises(InputError, match="word 1"):
            evaluate([first], [second], ALL)


def test_empty_sentences_have_no_parse():
    empty = Tree(Node("ROOT"), [], "a")
    scores = evaluate([empty], [empty], ALL).all
    assert (scores.sentences, scores.without_parse, scores.exact) == (1, 1, 0)
    assert scores.labelled == Counts()


def test_compare_counts_as_eval_does():
    gold = [Tree.from_string(text) for text in TREES]
    others = [gold[0], None, Tree.from_string(f"(S1 {TREES[2]})")]
    (first, *_), (second, *_) = zip(
        *(each.scores for each in compare_parsers(gold, {"a": others, "b": gold}, ALL)), strict=True
    )
    scored = list(Scoring(ALL).run(gold, others))
    assert scored[0].scores == first
    total = evaluate(gold, [gold[0], Tree(Node("ROOT"), []), gold[2]], ALL).all
    assert sum(one.scores.without_parse for one in scored) == total.without_parse == 1
    assert second.labelled == Counts(2, 2, 2)


def test_scores_in_python(files):
    assert score(*files(f"{TREES[0]}\n(())\n{TREES[2]}"), "all").labelled == Counts(6, 4, 4)


def test_dependencies_that_are_malformed(tmp_path, capsys):
    row = "{}\t{}\t_\tN\tN\t_\t{}\t{}\t_\t_\n"
    good = row.format(1, "rain", 2, "SUB") + row.format(2, "falls", 0, "root") + "\n"
    (tmp_path / "gold.conllu").write_text(good * 3)
    (tmp_path / "parses.conllu").write_text(good + good.replace("\t0\t", "\tx\t") + good)
    files = [str(tmp_path / "gold.conllu"), str(tmp_path / "parses.conllu")]
    assert run(["eval", *files, "--skip-bad", "-o", str(tmp_path / "a.csv")]) == 0
    assert "Right heads,All,4" in (tmp_path / "a.csv").read_text()
    capsys.readouterr()
