"""The scorers of disco-dop and plcfrs: the same figures to the last digit, and why some differ."""

import importlib.util
import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from decimal import Decimal
from math import nan
from pathlib import Path
from random import Random

import pytest
from damage import damaged
from demo_trees import demo_trees
from hypothesis import given
from quick import core
from strategies import trees

from plcfrs.cli import run
from plcfrs.errors import InputError
from plcfrs.evaluation import ALL, FIELD, Settings, compare_sentences, load_settings, summarize
from plcfrs.interop.discodop import (
    compare_with_discodop,
    discodop_parameters,
    for_scoring,
    from_discodop,
    to_discodop,
)
from plcfrs.parsers.grammar.model import GrammarModel
from plcfrs.transformation import transform
from plcfrs.treebank import read_trees, write_trees
from plcfrs.treebank.format import DISCBRACKET
from plcfrs.trees import Node, Token, Tree, no_parse

INSTALLED = importlib.util.find_spec("discodop") is not None
DATA = Path(__file__).parents[2] / "plcfrs" / "data"


def test_disco_dop_is_there_in_ci():
    assert INSTALLED or not os.environ.get("CI"), "run python tools/install_discodop.py"


needs_discodop = pytest.mark.skipif(
    not INSTALLED, reason="needs disco-dop: python tools/install_discodop.py"
)


@pytest.mark.skipif(INSTALLED, reason="disco-dop is installed")
def test_message_without_disco_dop():
    with pytest.raises(InputError, match=r"not installed: run 'python tools/install_discodop\.py'"):
        to_discodop(Tree(Node("ROOT", children=[0]), [Token("Yes", "UH")]))


@needs_discodop
@given(trees())
def test_conversion_and_back(tree):
    for token in tree.tokens:
        token.lemma, token.morph, token.function = "see", "3.sg", "HD"
    assert from_discodop(*to_discodop(tree)) == tree


@needs_discodop
def test_writer_and_reader_of_disco_dop():
    from discodop.tree import brackettree, writediscbrackettree

    tokens = [Token("What", "WP"), Token("should", "MD"), Token("I", "PRP"), Token("do", "VB")]
    question = Node("SQ", children=[Node("VP", children=[0, 3]), 1, Node("NP", children=[2])])
    tree = Tree(Node("ROOT", children=[question]), tokens)
    line = DISCBRACKET.render(tree, 1)
    assert writediscbrackettree(*to_discodop(tree)) == line
    assert from_discodop(*brackettree(line)) == tree


@needs_discodop
def test_a_top_node_of_any_name():
    from discodop.tree import ParentedTree

    assert from_discodop(ParentedTree("(VROOT (UH 0))"), ["Yes"]).root.category == "ROOT"
    tree = from_discodop(ParentedTree("(S (UH 0))"), ["Yes"])
    assert [node.category for node in tree.nodes()] == ["ROOT", "S"]


@needs_discodop
@core(1, "text", ["(S (UH 0))", "(S (UH 0) (UH 2))"])
def test_positions_that_are_not_those_of_the_words(text):
    from discodop.tree import ParentedTree

    with pytest.raises(InputError, match="position"):
        from_discodop(ParentedTree(text), ["Yes", "no"])


@needs_discodop
@pytest.mark.filterwarnings("ignore::ResourceWarning")  # it leaves the file open
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@core(1, "name", ["field", "all"])
def test_packaged_settings_as_disco_dop_reads_them(name):
    from discodop.eval import readparam

    theirs = readparam(str(DATA / f"{name}.prm"))
    ours = discodop_parameters(load_settings(name))
    for key in ("DELETE_LABEL", "DELETE_WORD", "CUTOFF_LEN", "LABELED", "DISC_ONLY"):
        assert ours[key] == theirs[key]
    # Which of equal labels stands for the others is up to chance in disco-dop.
    for key in ("EQ_LABEL", "EQ_WORD"):
        assert set(ours[key]) | set(ours[key].values()) == set(theirs[key])


def figures(gold, parses, settings):
    """Return disco-dop's scores of a corpus: percentages with two decimals, as it prints them."""
    from discodop.eval import Evaluator

    evaluator = Evaluator(discodop_parameters(settings))
    for number, (tree, parse) in enumerate(zip(gold, parses, strict=True)):
        evaluator.add(number, *for_scoring(tree), *for_scoring(parse))
    return [accumulator.scores() for accumulator in (evaluator.acc, evaluator.acc40)]


def ours(sentences, settings):
    """Return the same from the scorer of plcfrs."""
    scores = summarize(sentences, settings).all
    discontinuous = settings.discontinuous_only
    # A NOPARSE tree is not an exact match: one of the differences below.
    exact = [each.gold == each.parsed for each in sentences if counts(each) or not discontinuous]
    return {
        "lp": f"{scores.labelled.precision:6.2f}",
        "lr": f"{scores.labelled.recall:6.2f}",
        "lf": f"{scores.labelled.f1:6.2f}",
        "ex": f"{100 * Decimal(sum(exact)) / len(exact):6.2f}",
        "tag": f"{100 * Decimal(scores.right_tags) / scores.words:6.2f}",
        "fun": f"{scores.functions.f1 if scores.functions.matched else nan:6.2f}",
    }


def counts(sentence):
    return bool(sentence.gold or sentence.parsed)


def check_agreement(gold, parses, settings):
    """Compare both scorers: each sentence, all their sums, and disco-dop's own percentages."""
    sentences = list(compare_sentences(gold, parses, settings))
    assert sentences == list(compare_with_discodop(gold, parses, settings))
    short = [sentence for sentence in sentences if sentence.length <= settings.cutoff]
    assert [ours(each, settings) for each in (sentences, short)] == figures(gold, parses, settings)
    evaluation = summarize(sentences, settings)
    assert evaluation.all.labelled.gold > evaluation.all.labelled.matched > 0
    assert evaluation.short == summarize(short, settings).all
    kind = "labelled" if settings.labelled else "unlabelled"
    if settings.discontinuous_only:
        kind += "_discontinuous"
    assert getattr(evaluation.all, kind) == evaluation.all.labelled
    return evaluation


VARIANTS = [
    FIELD,
    ALL,
    replace(FIELD, discontinuous_only=True),
    replace(ALL, labelled=False),
    Settings(cutoff=40),  # the root does not count, whatever is deleted
]
NAMES = ["field", "all", "discontinuous only", "unlabelled", "nothing deleted"]


@needs_discodop
@pytest.mark.full
@pytest.mark.parametrize("settings", VARIANTS[:2], ids=NAMES[:2])
def test_agreement_on_damaged_penn_trees(penn_treebank, settings):
    random = Random(6)
    gold = [transform(tree) for tree in penn_treebank]
    evaluation = check_agreement(gold, [damaged(tree, random) for tree in gold], settings)
    assert evaluation.all.sentences == 3914
    assert evaluation.all.without_parse > 50
    assert evaluation.by_fan_out[2].matched > 500
    assert evaluation.all.functions.matched > 10_000
    assert 80 < evaluation.all.labelled.f1 < 95


@needs_discodop
@pytest.mark.full
@pytest.mark.parametrize("settings", VARIANTS[2:], ids=NAMES[2:])
def test_agreement_of_other_settings(penn_treebank, settings):
    random = Random(6)
    gold = [transform(tree) for tree in penn_treebank[::8]]
    parses = [damaged(tree, random) for tree in gold]
    if not settings.labelled:
        forget_functions(gold, parses)
    check_agreement(gold, parses, settings)


@needs_discodop
@pytest.mark.full
@pytest.mark.parametrize("settings", VARIANTS[:2], ids=NAMES[:2])
def test_agreement_on_damaged_german_trees(potsdam, settings):
    random = Random(6)
    gold = list(read_trees(potsdam))
    evaluation = check_agreement(gold, [damaged(tree, random) for tree in gold], settings)
    assert evaluation.all.functions.matched > 10_000
    assert evaluation.all.sentences == len(gold) > 2000


@needs_discodop
@pytest.mark.full
@pytest.mark.parametrize("settings", VARIANTS[:2], ids=NAMES[:2])
def test_agreement_on_parses(penn_treebank, settings):
    gold = [transform(tree) for tree in penn_treebank]
    model = GrammarModel.train(gold[:3000])
    test = [tree for tree in gold[3000:] if len(tree.tokens) <= 20]
    parses = [model.parse(tree).tree for tree in test]
    forget_functions(test, parses)
    evaluation = check_agreement(test, parses, settings)
    assert evaluation.all.sentences > 300
    assert 70 < evaluation.all.labelled.f1 < 90


@needs_discodop
@core(1, "settings", VARIANTS, ids=NAMES)
def test_agreement_on_the_demo(settings):
    random = Random(1)
    gold = demo_trees()
    parses = [damaged(tree, random) for tree in gold]
    if not settings.labelled:
        forget_functions(gold, parses)
    check_agreement(gold, parses, settings)


@needs_discodop
@given(trees())
def test_agreement_on_random_trees(tree):
    for settings in (FIELD, ALL):
        parse = damaged(tree, Random(len(tree.nodes())))
        pair = ([tree], [parse], settings)
        assert list(compare_sentences(*pair)) == list(compare_with_discodop(*pair))


@needs_discodop
def test_lengths_and_tokens_at_the_root():
    settings = replace(ALL, uncounted_tags=frozenset([".", ","]), ignore_root_tokens=True)
    gold = demo_trees()[:30]
    for tree in gold:
        if tree.root.nodes[0].children[-1] == len(tree.tokens) - 1:
            tree.root.children.append(tree.root.nodes[0].children.pop())
    parses = [damaged(tree, Random(3)) for tree in gold]
    sentences = list(compare_sentences(gold, parses, settings))
    assert sentences == list(compare_with_discodop(gold, parses, settings))
    assert sum(len(sentence.tags) for sentence in sentences) < sum(
        len(tree.tokens) for tree in gold
    )


@pytest.mark.full
@needs_discodop
def test_command_line(tmp_path, capsys):
    gold = demo_trees()
    write_trees(gold, tmp_path / "gold.export")
    write_trees([damaged(tree, Random(2)) for tree in gold], tmp_path / "parses.export")
    arguments = ["eval", str(tmp_path / "gold.export"), str(tmp_path / "parses.export")]
    assert run([*arguments, "--breakdown"]) == 0
    expected = capsys.readouterr().out
    assert run([*arguments, "--breakdown", "--scorer", "discodop"]) == 0
    assert capsys.readouterr().out == expected


@pytest.mark.full
@needs_discodop
def test_disco_dop_on_its_own(tmp_path, capsys):
    """Files of plcfrs, read and scored by disco-dop's own command."""
    gold = demo_trees()
    for tree in gold:
        for node in tree.nodes():
            node.split = ""
    forget_functions(gold)  # its reader takes VP^WH-TMP for a category
    parses = [damaged(tree, Random(number)) for number, tree in enumerate(gold)]
    forget_functions(parses)
    files = [str(tmp_path / "gold.discbracket"), str(tmp_path / "parses.discbracket")]
    write_trees(gold, files[0])
    write_trees(parses, files[1])
    command = "from discodop.eval import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", command, "eval", *files, DATA / "field.prm", "--fmt=discbracket"],
        capture_output=True,
        text=True,
        check=True,
    )
    theirs = re.findall(r"(recall|precision|f-measure|pos accuracy): +([\d.]+)", done.stdout)
    assert run(["eval", *files, "--to", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    scores = [found["Constituents"][name]["All"] for name in ("LR", "LP", "LF1")]
    scores.append(found["Sentences and words"]["Tagging accuracy"]["All"])
    assert [figure for _, figure in theirs] == [f"{score:.2f}" for score in scores]


# Where the scorers differ by design


def flat(*tags):
    return Tree(Node("ROOT", children=list(range(len(tags)))), [Token("a", tag) for tag in tags])


@needs_discodop
def test_no_parse_of_a_flat_tree_is_no_exact_match():
    # A parser that found nothing has nothing right, although no bracket is missing.
    gold = flat("NN", "NN")
    scores = summarize(compare_sentences([gold], [no_parse(gold.tokens)])).all
    theirs, _ = figures([gold], [no_parse(gold.tokens)], FIELD)
    assert (scores.exact_match, theirs["ex"]) == (0, "100.00")


@needs_discodop
def test_scores_with_nothing_to_divide_by():
    # Sums over a corpus with such a sentence must be numbers: if there was nothing to find and
    # nothing was found, all is right; if nothing was right, F1 is 0.
    gold = flat("NN", "NN")
    wrong = Tree(Node("ROOT", children=[Node("NP", children=[0]), 1]), gold.tokens)
    assert figures([gold], [gold], FIELD)[0]["lf"].strip() == "nan"
    assert summarize(compare_sentences([gold], [gold])).all.labelled.f1 == 100
    assert figures([gold], [wrong], FIELD)[0]["lf"].strip() == "nan"
    assert summarize(compare_sentences([gold], [wrong])).all.labelled.f1 == 0


@needs_discodop
def test_null_elements_are_never_words():
    # With traces in both trees, disco-dop under `all` counts the constituents over them, and under
    # any settings their tokens for the length; plcfrs counts those of the overt words.
    gold = Tree(Node("ROOT", children=[Node("NP", children=[0]), 1]), flat("-NONE-", "VB").tokens)
    from discodop.eval import TreePairResult

    pair = TreePairResult(1, *to_discodop(gold), *to_discodop(gold), discodop_parameters(ALL))
    (sentence,) = compare_sentences([gold], [gold], ALL)
    assert (sum(pair.gbrack.values()), pair.lengpos) == (1, 2)
    assert (sentence.gold.total(), sentence.length) == (0, 1)


@needs_discodop
def test_a_label_equal_to_an_ignored_one_is_ignored():
    # As in EVALB. In disco-dop it depends on which of the equal labels stands for the others,
    # which the order of a set decides, another one in each run.
    settings = Settings(frozenset(["ROOT", "X", "Y"]), equal_labels={"X": "Y"})
    tree = Tree(Node("ROOT", children=[Node("X", children=[0])]), [Token("a", "NN")])
    (sentence,) = compare_sentences([tree], [tree], settings)
    assert not sentence.gold
    parameters = {**discodop_parameters(settings), "DELETE_LABEL": {"ROOT", "X"}}
    from discodop.eval import TreePairResult

    pair = TreePairResult(1, *for_scoring(tree), *for_scoring(tree), parameters)
    assert list(pair.gbrack) == [("Y", 1)]


@needs_discodop
def test_function_tags_where_categories_do_not_matter():
    # Disco-dop looks labelled brackets up among unlabelled ones: it counts those of tokens only.
    tokens = [Token("a", "NN", function="HD"), Token("b", "VB")]
    tree = Tree(Node("ROOT", children=[Node("NP", ("SBJ",), children=[0]), 1]), tokens)
    settings = replace(ALL, labelled=False)
    (sentence,) = compare_sentences([tree], [tree], settings)
    (theirs,) = compare_with_discodop([tree], [tree], settings)
    assert sentence.gold_functions.total() == 2
    assert [function for _, function in theirs.gold_functions] == ["HD"]


def forget_functions(*corpora):
    for corpus in corpora:
        for tree in corpus:
            for node in tree.nodes():
                node.functions = ()
            for token in tree.tokens:
                token.function = ""
