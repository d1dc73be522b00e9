"""The assistant: an edit holds, the parser fills in the rest, and both are one action."""

from time import sleep

import pytest
from demo_trees import demo_trees
from random_networks import demo, random_model, sure_of_none

from plcfrs import load_model
from plcfrs.annotating import Assistant
from plcfrs.annotating.order import rate_in_background
from plcfrs.annotating.proposer import Proposer
from plcfrs.completion import Completion
from plcfrs.completion.lessons import forget_functions
from plcfrs.errors import InputError
from plcfrs.project import Project, create
from plcfrs.transformation import Options
from plcfrs.trees import ROOT, Fixed, Tree

SENTENCE = Tree.from_string(
    "(X (WP What) (VBD caused) (DT the) (NN fire) (IN at) (DT the) (NN mill))"
)


@pytest.fixture(scope="module")
def model(trained):
    """A grammar of the demo treebank."""
    return load_model(trained("grammar", 140))


@pytest.fixture
def begin(tmp_path, model):
    """Return a function that begins a project with a sentence, and returns its assistant."""
    opened = []

    def begin(*trees, nulls=False, with_trees=False, parser=model):
        folder = tmp_path / f"project{len(opened)}"
        create(folder, [("doc", tree) for tree in trees], "anna", "", trees=with_trees)
        settings = folder / "project.toml"
        text = settings.read_text().replace("without-parse = 0.1", "without-parse = 0")
        settings.write_text(
            text.replace("null-elements = false", f"null-elements = {nulls}".lower())
        )
        opened.append(Project(folder))
        return Assistant(opened[-1], parser, seconds=60)

    yield begin
    for project in opened:
        project.close()


def node(view, category, words=None):
    """Return the name of a node with a category, and perhaps some words."""
    for node, name in zip(view.tree.nodes(), view.names["nodes"], strict=True):
        found = [view.tree.tokens[place].form for place in sorted(node.leaves())]
        if node.category == category and words in (None, " ".join(found)):
            return name
    raise AssertionError(f"there is no {category} {words}: {view.tree}")


def mother(assistant, name, part):
    named = assistant.project[name].named
    return named.names[named.tree.mothers()[named.part(part)]]


def test_an_edit_holds_and_the_parser_fills_in_the_rest(begin):
    assistant = begin(SENTENCE)
    (name,) = assistant.project.ids()
    before = assistant.view(name)
    assert before.is_proposal
    pp = node(before, "PP", "at the mill")
    (moved,) = assistant.act(
        name, {"do": "attach", "parts": [pp], "mother": node(before, "VP")}, revision=0
    )
    assert mother(assistant, name, pp) == node(before, "VP")
    assert not moved.is_proposal
    assert moved.chosen == [pp]
    assert {pp, node(before, "VP")} <= {*moved.kept}
    assert [entry["operation"]["do"] for entry in assistant.project.actions()] == [
        "propose",
        "attach",
    ]
    (undone,) = assistant.act(name, {"do": "undo"})
    assert (undone.tree, undone.kept) == (before.tree, [])


def test_what_is_forbidden_does_not_come_back(begin):
    assistant = begin(SENTENCE)
    (name,) = assistant.project.ids()
    pp = node(assistant.view(name), "PP", "at the mill")
    (after,) = assistant.act(name, {"do": "forbid", "parts": [pp]})
    assert "PP" not in [each.category for each in after.tree.nodes()]
    (after,) = assistant.act(name, {"do": "add", "parts": [after.names["tokens"][0]], "label": "X"})
    assert "PP" not in [each.category for each in after.tree.nodes()]
    assert after.cost is None  # no parse has X
    (after,) = assistant.act(name, {"do": "forget"})
    assert node(after, "PP", "at the mill")


def test_a_choice_is_taken_and_kept(begin):
    assistant = begin(SENTENCE)
    (name,) = assistant.project.ids()
    view = assistant.view(name)
    pp = node(view, "PP", "at the mill")
    choices = assistant.choices(name, pp)
    assert sum(choice.is_current for choice in choices) == 1
    assert choices == sorted(choices, key=lambda choice: -choice.probability)
    number = next(n for n, choice in enumerate(choices) if not choice.is_current)
    (after,) = assistant.act(name, {"do": "choose", "part": pp, "choice": number})
    assert choices[number].text in [c.text for c in assistant.choices(name, pp)] or pp in after.kept
    assert after.tree != view.tree
    with pytest.raises(InputError, match=f"there is no choice 99 for {pp}"):
        assistant.act(name, {"do": "choose", "part": pp, "choice": 99})
    (after,) = assistant.act(name, {"do": "discard"})
    assert (after.tree, after.kept) == (view.tree, [])


def test_null_elements_stand_in_place_of_crossing_branches(begin):
    question = demo_trees()[0]
    assistant = begin(question, nulls=True)
    (name,) = assistant.project.ids()
    view = assistant.view(name)
    assert view.tree.gap_degree() == 0
    assert any(token.is_null for token in view.tree.tokens)
    np = node(view, "NP", "the students")
    (after,) = assistant.act(name, {"do": "relabel", "parts": [np], "label": "NP-TMP"})
    assert after.tree.nodes()[after.names["nodes"].index(np)].functions == ("TMP",)
    assert any(token.is_null for token in after.tree.tokens)
    null = next(p for p, token in enumerate(after.tree.tokens) if token.is_null)
    (after,) = assistant.act(name, {"do": "delete", "parts": [after.names["tokens"][null]]})
    assert not any(token.is_null for token in after.tree.tokens)


def test_trees_of_a_treebank_stay_as_they_are(begin):
    tree = demo_trees()[1]
    assistant = begin(tree, with_trees=True)
    (name,) = assistant.project.ids()
    view = assistant.view(name)
    assert (view.tree, view.by_hand, view.is_proposal) == (tree, True, False)
    nodes = view.names["nodes"]
    (after,) = assistant.act(name, {"do": "relabel", "parts": [nodes[-1]], "label": "X"})
    assert (after.names["nodes"], after.by_hand) == (nodes, True)
    labels = [each.category for each in after.tree.nodes()]
    assert labels == [*(each.category for each in tree.nodes()[:-1]), "X"]
    assistant.act(name, {"do": "forget"})
    (after,) = assistant.act(name, {"do": "discard"})
    assert (after.tree, after.by_hand) == (tree, True)


def test_without_a_parser_words_are_there_to_be_put_together(begin):
    assistant = begin(SENTENCE, parser=None)
    (name,) = assistant.project.ids()
    view = assistant.view(name)
    assert (len(view.tree.nodes()), view.doubts, view.cost) == (1, [], None)
    (after,) = assistant.act(name, {"do": "add", "parts": view.names["tokens"][2:4], "label": "NP"})
    assert node(after, "NP", "the fire") in after.kept


def test_an_edit_is_about_the_tree_that_the_person_has_seen(begin):
    assistant = begin(SENTENCE)
    (name,) = assistant.project.ids()
    view = assistant.view(name)
    pp = node(view, "PP", "at the mill")
    assistant.use(None)  # for example, a new parser
    (after,) = assistant.act(name, {"do": "relabel", "parts": [pp], "label": "XP"}, revision=0)
    assert node(after, "XP", "at the mill") == pp
    assistant.act(name, {"do": "undo"})
    assert assistant.view(name).tree == view.tree


def test_sentences_are_rated_while_nobody_waits(begin):
    assistant = begin(SENTENCE, demo_trees()[0])
    first, second = assistant.unrated()
    assistant.rate(first)
    assert assistant.unrated() == [second]
    assert assistant.rating(first, 0).doubt >= 0
    assert Assistant(assistant.project, assistant._proposer.model).unrated() == [second]
    assert rate_in_background(begin(parser=None)).daemon


@pytest.mark.full
def test_all_sentences_are_rated_in_the_background(begin):
    assistant = begin(SENTENCE, *demo_trees()[:3])
    rate_in_background(assistant)
    while assistant.unrated():
        sleep(0.05)
    first, *_ = assistant.project.ids()
    assistant.act(first, {"do": "accept"})
    while assistant.unrated():
        sleep(0.05)
    assert assistant.rating(first, assistant.project[first].revision)


def test_the_head_of_a_network_proposes_functions_too(monkeypatch):
    model, tree = random_model(), demo()[0]
    model.completion = Completion.train(demo(), Options(splits=()))
    monkeypatch.setattr(model.network, "function_scores", sure_of_none)
    forget_functions(tree)
    alone = model.completion(tree)
    proposed = Proposer(model, nulls=False, seconds=60).completed(tree, Fixed())
    functions = [sum(bool(node.functions) for node in each.nodes()) for each in (proposed, alone)]
    assert functions[0] < functions[1]


def test_a_menu_has_the_categories_of_the_parser_from_the_start(begin, model):
    assistant = begin(SENTENCE)
    view = assistant.view("doc.1")
    labels = {each.label for each in assistant.menu("doc.1", node(view, "VP"), "category")}
    assert labels == {*model.categories} - {ROOT}
