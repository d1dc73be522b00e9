"""Scores of functions, null elements and antecedents, by hand and against naive scores."""

import json
from dataclasses import replace
from random import Random

import pytest
from bracket import read
from damage import damaged
from demo_trees import demo_trees
from naive import annotation as naive

from plcfrs.cli import run
from plcfrs.evaluation import ALL, FIELD, Counts, evaluate, score, tables
from plcfrs.evaluation.nulls import Antecedent, NullElement, null_elements
from plcfrs.evaluation.report import function_groups
from plcfrs.treebank import FORMATS, read_trees
from plcfrs.trees import Node, Token, no_parse, render_label

CATEGORIES = ("NP", "VP", "S", "SBAR", "ADVP", "PRT", "WHNP")
TAGS = ("", "-SBJ", "-LOC-PRD", "-CLR", "-TPC", "-TTL", "-IMP")
INDICES = ("", "-1", "-2", "=1")
NULLS = ("*", "*-1", "*T*", "*T*-1", "*T*-2", "*ICH*-2", "0", "*0*", "*U*", "*PRO*")


# By hand

PASSIVE = """
    (S (NP-SBJ-1 (DT The) (NN cake)) (VP (VBZ seems) (S (NP-SBJ-2 (-NONE- *-1)) (VP (TO to)
       (VP (VB be) (VP (VBN eaten) (NP (-NONE- *-2)) (ADVP-TMP (RB now))))))) (. .))
"""
RELATIVE = """
    (NP (NP (NN rain)) (SBAR (WHNP-1 (-NONE- 0)) (S (NP-SBJ (PRP he)) (VP (VBZ likes)
        (NP (-NONE- *T*-1)) (PP-LOC-CLR (IN in) (NP (NN town)))))))
"""


def test_antecedents_by_index():
    assert [*null_elements(read(PASSIVE))] == [
        (NullElement("NP", "*", 3), Antecedent("NP", 0, 2)),
        (NullElement("NP", "*", 6), Antecedent("NP", 3, 3)),
    ]
    assert [*null_elements(read(RELATIVE))] == [
        (NullElement("WHNP", "0", 1), None),
        (NullElement("NP", "*T*", 3), Antecedent("WHNP", 1, 1)),
    ]


def test_antecedents_by_indices_above_nulls():
    chain = "(S (NP-SBJ-1 (NN it)) (NP-1 (-NONE- *)) (VP (VB is) (NP-1 (-NONE- *T*))))"
    assert [link for _, link in null_elements(read(chain))] == [Antecedent("NP", 0, 1)] * 2
    empty = "(S (WHNP-1 (-NONE- *0*)) (VP (VB is) (NP-1 (-NONE- *T*))))"
    assert [link for _, link in null_elements(read(empty))] == [None, Antecedent("WHNP", 0, 0)]
    without_words = "(S (NP-SBJ-1 (-NONE- *PRO*)) (VP (VB go) (NP-1 (-NONE- *))))"
    assert [link for _, link in null_elements(read(without_words))] == [None, None]


def test_an_antecedent_may_be_empty_but_not_without_tokens():
    tree = read("(S (NP-SBJ-1 (-NONE- *)) (VP (VBN done) (NP (-NONE- *-1))))")
    tree.root.children.insert(0, Node("PP", index=1))
    assert [link for _, link in null_elements(tree)] == [None, Antecedent("NP", 0, 0)]


def test_the_first_of_several_phrases_is_the_antecedent():
    text = "(S (NP-1 (NN a)) (VP (VB is) (NP (-NONE- *-1)) (PP-1 (IN on))))"
    assert [link for _, link in null_elements(read(text))] == [Antecedent("NP", 0, 1)]


def test_an_antecedent_with_a_gap_has_its_outer_edges():
    tree = read("(S (NP-1 (DT the)) (VP (VBZ is) (NN man) (NP (-NONE- *-1))))")
    phrase, verb_phrase = tree.root.nodes[0].nodes
    phrase.children.append(2)
    verb_phrase.children.remove(2)
    assert [link for _, link in null_elements(tree)] == [Antecedent("NP", 0, 3)]


@pytest.mark.parametrize(
    ("old", "new", "nulls", "with_antecedents"),
    [
        ("*-2", "*T*-2", 1, 1),  # another type
        ("(NP (-NONE- *-2))", "(PP (-NONE- *-2))", 1, 1),  # another category
        ("(NP (-NONE- *-2)) (ADVP-TMP (RB now))", "(ADVP (RB now)) (NP (-NONE- *-2))", 1, 1),
        ("*-2", "*-1", 2, 1),
        ("*-2", "*", 2, 1),
        ("(NP-SBJ-1 (DT The) (NN cake))", "(DT The) (NP-SBJ-1 (NN cake))", 2, 1),
        ("NP-SBJ-1", "PP-1", 2, 1),
        ("seems) (S ", "seems) (S (NP (-NONE- *-1)) ", 2, 2),  # a spurious one
    ],
)
def test_right_nulls(old, new, nulls, with_antecedents):
    assert old in " ".join(PASSIVE.split())
    parse = read(" ".join(PASSIVE.split()).replace(old, new))
    found = score([read(PASSIVE)], [parse])
    assert (found.nulls.matched, found.nulls_with_antecedents.matched) == (nulls, with_antecedents)
    assert (found.nulls.gold, found.nulls.parsed) == (2, 2 + ("(NP (-NONE- *-1))" in new))


def test_groups_of_functions():
    parse = RELATIVE.replace("PP-LOC-CLR", "PP-CLR-TMP-TTL").replace("NP-SBJ", "NP-SBJ-VOC")
    groups = function_groups(evaluate([read(RELATIVE)], [read(parse)]))
    assert groups == {
        "all": Counts(3, 5, 2),
        "all without CLR": Counts(2, 4, 1),
        "syntactic": Counts(1, 2, 1),
        "semantic": Counts(1, 1, 0),
        "CLR": Counts(1, 1, 1),
        "TPC": Counts(),
        "other": Counts(0, 1, 0),
    }


def test_a_sentence_without_a_parse_and_parses_without_nulls():
    gold = read(PASSIVE)
    without = no_parse([Token(word, "") for word in gold.words()])
    evaluation = evaluate([gold, gold], [without, gold])
    assert evaluation.all.nulls == Counts(4, 2, 2)
    assert evaluation.by_null["NP", "*"] == Counts(4, 2, 2)
    titles = [table.title for table in tables(evaluate([gold], [without]))]
    assert "Null elements" not in titles
    assert "Function groups" not in titles


def test_nulls_do_not_count_if_words_are_aligned():
    gold, parse = read("(S (NN a) (-NONE- 0) (NN b))"), read("(S (NN ab) (-NONE- 0))")
    assert score([gold], [parse], replace(ALL, align=True)).nulls == Counts()


# Damage of naive trees


def damaged_text(text, random):
    """Return Penn brackets with the same words and up to six other things wrong."""
    tree = naive.tree_of_text(text)
    for _ in range(random.randint(0, 6)):
        _damage(tree, random)
    return naive.text_of_tree(_without_empty(tree))


def _damage(tree, random):
    nodes = naive.nodes(tree)
    node = random.choice(nodes)
    nulls = [(mother, w) for mother in nodes for w in mother[1:] if w[0] == naive.NULL]
    inside = [child for child in node[1:] if isinstance(child, list)]
    match random.choice(["label", "delete", "insert", "type", "remove", "add", "move"]):
        case "label" if node is not tree:
            node[0] = "".join(map(random.choice, (CATEGORIES, TAGS, INDICES)))
        case "delete" if inside:
            child = random.choice(inside)
            place = node.index(child)
            node[place : place + 1] = child[1:]
        case "insert":
            first = random.randint(1, len(node) - 1) if len(node) > 1 else 1
            last = random.randint(first, len(node))
            label = "".join(map(random.choice, (CATEGORIES, TAGS, INDICES)))
            node[first:last] = [[label, *node[first:last]]]
        case "type" if nulls:
            mother, null = random.choice(nulls)
            mother[mother.index(null)] = (naive.NULL, random.choice(NULLS), null[2], "")
        case "remove" if nulls:
            mother, null = random.choice(nulls)
            mother.remove(null)
        case "add":
            null = [random.choice(CATEGORIES), (naive.NULL, random.choice(NULLS), 0, "")]
            node.insert(random.randint(1, len(node)), null)
        case "move" if nulls:
            mother, null = random.choice(nulls)
            mother.remove(null)
            node.insert(random.randint(1, len(node)), null)


def _without_empty(tree):
    if isinstance(tree, tuple):
        return tree
    below = [_without_empty(child) for child in tree[1:]]
    return [tree[0], *(child for child in below if isinstance(child, tuple) or len(child) > 1)]


def indices_above(text):
    """Move the indices of null elements to the nodes above them, as in OntoNotes and CRAFT."""
    tree = naive.tree_of_text(text)
    for node in naive.nodes(tree):
        if len(node) == 2 and node[1][0] == naive.NULL and not node[0][-1].isdigit():
            _, form, place, _ = node[1]
            type_, dash, index = form.rpartition("-")
            if type_ and index.isdigit():
                node[:] = [node[0] + dash + index, (naive.NULL, type_, place, "")]
    return naive.text_of_tree(tree)


# Against naive scores


def check(found, gold, parses, settings):
    """Compare tables, by title, row and column, with naive scores of naive trees."""
    ignored = settings.ignored_labels | settings.ignored_tags
    arguments = ignored, settings.ignored_words, settings.equal_labels
    expected = {"nulls": {}, "functions": {}}
    for pair in zip(gold, parses, strict=True):
        for table, scores in (
            ("nulls", naive.null_scores(*pair)),
            ("functions", naive.function_scores(*pair, *arguments)),
        ):
            for kind, counts in scores.items():
                total = expected[table].setdefault(kind, [0, 0, 0])
                total[:] = map(sum, zip(total, counts, strict=True))
    for row, figures in found.get("Null elements", {}).items():
        kind = "four" if row == "*T* *ICH* *EXP* *RNR*" else row
        alone, linked = (
            expected["nulls"].pop((measure, kind), [0, 0, 0])
            for measure in ("null", "with antecedent")
        )
        check_figures(figures, "L", alone, figures["Matched"])
        check_figures(figures, "A", linked, figures["Matched with antecedent"])
    assert not expected["nulls"]
    by_tag = {f"tag {tag}": figures for tag, figures in found["Function tags"].items()}
    for row, figures in {**found["Function groups"], **by_tag}.items():
        counts = expected["functions"].pop(row, [0, 0, 0])
        check_figures(figures, "L", counts, figures["Matched"])
    with_words = "of words" in found["Function groups"]
    other_rows = ["of constituents"] if not with_words else [*naive.GROUPS]
    assert expected["functions"].keys() <= set(other_rows)


def check_figures(figures, letter, counts, matched):
    gold, parsed, right = counts
    assert (figures["Gold"], figures["Parsed"], matched) == tuple(counts)
    expected = [None] * 3
    if gold or parsed:
        expected = [100 * right / n if n else 0 for n in (parsed, gold)]
        expected.append(200 * right / (gold + parsed))
    assert [figures[letter + name] for name in ("P", "R", "F1")] == expected


def check_texts(texts, folder, capsys, settings="all", seed=1):
    """Score damaged Penn brackets with plcfrs eval and naively."""
    random = Random(seed)
    damaged_texts = [damaged_text(text, random) for text in texts]
    gold, parses = folder / "gold.mrg", folder / "parses.mrg"
    gold.write_text("\n".join(texts), encoding="utf-8")
    parses.write_text("\n".join(damaged_texts), encoding="utf-8")
    assert run(["eval", str(gold), str(parses), "--settings", settings, "--to", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    trees = [list(map(naive.tree_of_text, lines)) for lines in (texts, damaged_texts)]
    check(found, *trees, {"all": ALL, "field": FIELD}[settings])


def texts_of(trees):
    return [FORMATS["brackets"].render(tree, 1) for tree in trees]


def naive_tree(tree):
    """Return a naive tree, whose words are where they are; branches may cross."""

    def converted(child):
        if isinstance(child, Node):
            return [render_label(child), *map(converted, child.children)]
        token = tree.tokens[child]
        return (token.tag, token.form, child, token.function)

    return converted(tree.root)


def check_trees(gold, random, settings=ALL):
    """Score damaged trees, which may have gaps and functions of words, with both scorers."""
    parses = [damaged(tree, random) for tree in gold]
    found = {
        table.title: {
            row: dict(zip(table.columns, figures, strict=True))
            for row, figures in table.rows.items()
        }
        for table in tables(evaluate(gold, parses, settings))
    }
    trees = [list(map(naive_tree, those)) for those in (gold, parses)]
    check(found, *trees, settings)


@pytest.mark.parametrize("settings", ["all", "field"])
@pytest.mark.parametrize("style", [str, indices_above], ids=["Penn", "CRAFT"])
def test_damaged_penn_trees(style, settings, first_penn_trees, tmp_path, capsys):
    check_texts([*map(style, texts_of(first_penn_trees))], tmp_path, capsys, settings)


@pytest.mark.full
@pytest.mark.parametrize("style", [str, indices_above], ids=["Penn", "CRAFT"])
def test_all_damaged_penn_trees(style, penn_treebank, tmp_path, capsys):
    texts = [*map(style, texts_of(penn_treebank))]
    check_texts(texts, tmp_path, capsys, "all", seed=2)
    check_texts(texts, tmp_path, capsys, "field", seed=3)


@pytest.mark.parametrize("settings", [ALL, FIELD], ids=["all", "field"])
def test_damaged_trees_with_gaps(settings):
    check_trees(demo_trees(), Random(1), settings)


@pytest.mark.full
def test_damaged_trees_with_functions_of_words(potsdam):
    trees = list(read_trees(potsdam))
    check_trees(trees, Random(1))
    check_trees(trees, Random(2), FIELD)
