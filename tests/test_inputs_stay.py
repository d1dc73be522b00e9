"""No public function changes a tree that it gets, even if it fails."""

import re
from contextlib import suppress

import pytest
from demo_trees import demo_trees, raw_demo_trees
from hypothesis import given
from hypothesis import strategies as st
from public import public_functions
from quick import core, examples
from random_networks import random_model
from strategies import trees

import plcfrs
from plcfrs import PRESETS, GrammarModel, Recipe, checking, drawing, evaluation, interop
from plcfrs import grammar as g
from plcfrs import transformation as t
from plcfrs.annotating import SentenceView
from plcfrs.completion import Completion
from plcfrs.evaluation import ConstructionScores, DependencyScores
from plcfrs.grammar import Markovization
from plcfrs.learning.runner import checksum
from plcfrs.parsers.refined.grammar import compile_trees
from plcfrs.parsers.transition import stack_and_queue as reordering
from plcfrs.parsers.transition import system as preparation
from plcfrs.predicates import relation_tree
from plcfrs.project import NamedTree
from plcfrs.transformation import DiscontinuityTable, Options, ReattachmentTable, cleanup
from plcfrs.transformation.cleanup import Correction
from plcfrs.treebank import FORMATS, Selection, TreeWriter, write_trees
from plcfrs.trees import Fixed, FixedConstituent, Node, SecondaryEdge, Token, Tree, mark_heads

OTHERS = Tree(Node("ROOT", children=[Node("NP", children=[0])]), [Token("What", "WP")])


def write(tree, name):
    FORMATS[name].render(tree, 1)


MODEL = random_model()

# How each function is called with a tree, by its module and its name.
CALLS = {
    "grammar.markovization.annotate_ancestors": lambda tree: g.annotate_ancestors(tree, 2),
    "grammar.markovization.binarize_tree": lambda tree: g.binarize_tree(tree, Markovization()),
    "grammar.markovization.unbinarize_tree": g.unbinarize_tree,
    "checking.finding.Finding.at": (
        lambda tree: checking.Finding.at(tree, tree.root, "labels", "", 1.0)
    ),
    "checking.labels.LabelSets.of": lambda tree: checking.LabelSets.of([tree], {}),
    "checking.indices.check_indices": lambda tree: list(checking.check_indices(tree)),
    "checking.labels.check_labels": (
        lambda tree: list(checking.check_labels(tree, checking.LabelSets.of([tree], {})))
    ),
    "checking.doubts.find_doubts": lambda tree: list(checking.find_doubts([tree], MODEL)),
    "checking.doubts.find_doubts_in_folds": (
        lambda tree: list(checking.find_doubts_in_folds([tree, tree], "gap", 3))
    ),
    "checking.doubts.has_learned": lambda tree: checking.has_learned(MODEL, tree),
    "checking.rare.find_rare_rules": lambda tree: list(checking.find_rare_rules([tree, tree])),
    "checking.variation.find_variation": lambda tree: list(checking.find_variation([tree, tree])),
    "annotating.sentence_view.SentenceView.__init__": lambda tree: SentenceView(
        *("", "", 0, "", "", tree, {}),
        is_proposal=False,
        without_parse=False,
        by_hand=False,
        kept=[],
    ),
    "project.named_tree.NamedTree.__init__": lambda tree: NamedTree(tree, {}),
    "project.named_tree.NamedTree.new": NamedTree.new,
    "project.named_tree.NamedTree.replaced_by": (
        lambda tree: NamedTree.new(OTHERS).replaced_by(tree).table()
    ),
    "drawing.picture.picture_of": drawing.picture_of,
    "drawing.svg.draw_svg": drawing.draw_svg,
    "drawing.terminal.draw": drawing.draw,
    "drawing.tikz.draw_tikz": drawing.draw_tikz,
    "evaluation.bracketing.evaluate": lambda tree: evaluation.evaluate([tree], [tree]),
    "evaluation.bracketing.score": lambda tree: evaluation.score([tree], [OTHERS]),
    "evaluation.bracketing.compare_sentences": (
        lambda tree: list(evaluation.compare_sentences([tree], [tree]))
    ),
    "evaluation.attachment.ConstructionScores.add": (
        lambda tree: ConstructionScores().add(tree, tree)
    ),
    "evaluation.attachment.constructions": evaluation.constructions,
    "evaluation.attachment.DependencyScores.add": (lambda tree: DependencyScores().add(tree, tree)),
    "evaluation.attachment.dependencies": evaluation.dependencies,
    "evaluation.bracketing.differences": lambda tree: evaluation.differences(tree, tree),
    "evaluation.errors_by_type.errors_of": lambda tree: evaluation.errors_of("1", tree, tree),
    "evaluation.errors_by_type.find_errors": (
        lambda tree: list(evaluation.find_errors([tree], [tree]))
    ),
    "evaluation.attachment.Recall.of": lambda tree: DependencyScores.of([tree], [tree]),
    "grammar.extraction.derivation_of": g.derivation_of,
    "grammar.extraction.extract": lambda tree: g.extract([tree]),
    "grammar.extraction.Preset.grammar": (
        lambda tree: [preset.grammar([tree]) for preset in PRESETS.values()]
    ),
    "grammar.extraction.Recipe.count": lambda tree: Recipe(vertical=2).count([tree]),
    "grammar.extraction.Recipe.extract": lambda tree: Recipe("left-to-right").extract([tree]),
    "grammar.extraction.Recipe.grammar": (
        lambda tree: Recipe("head-outward", splits=False).grammar([tree])
    ),
    "grammar.extraction.Recipe.labelled": lambda tree: list(
        Recipe("head-outward", splits=False).labelled([tree])
    ),
    "interop.discodop.compare_with_discodop": (
        lambda tree: list(interop.compare_with_discodop([tree], [tree]))
    ),
    "interop.discodop.to_discodop": interop.to_discodop,
    "interop.networkx.to_networkx": interop.to_networkx,
    "interop.nltk.to_nltk": interop.to_nltk,
    "interop.nltk.to_nltk_positions": interop.to_nltk_positions,
    "parsers.grammar.model.GrammarModel.calibrated": (
        lambda tree: GrammarModel.train([tree]).calibrated([tree], [tree])
    ),
    "parsers.grammar.model.GrammarModel.train": lambda tree: GrammarModel.train([tree]),
    "parsing.sentence.Sentence.of_partial": plcfrs.Sentence.of_partial,
    "parsing.sentence_parser.SentenceParser.calibrated": (
        lambda tree: MODEL.calibrated([tree], [tree])
    ),
    "parsing.sentence_parser.SentenceParser.complete": (
        lambda tree: MODEL.complete(plcfrs.Sentence.of([token.form for token in tree.tokens]), tree)
    ),
    "parsing.sentence_parser.SentenceParser.function_scores": (
        lambda tree: MODEL.function_scores(
            plcfrs.Sentence.of([token.form for token in tree.tokens]), tree
        )
    ),
    "parsing.parse.Parse.__init__": lambda tree: str(plcfrs.Parse(tree, "parsed")),
    "predicates.conllu.relation_tree": relation_tree,
    "predicates.relations.relations": plcfrs.relations,
    "query.treebank.find": lambda tree: plcfrs.find(tree, "NP"),
    "query.treebank.Treebank.__init__": lambda tree: plcfrs.Treebank([tree]),
    "transformation.dependencies.to_dependencies": t.to_dependencies,
    "transformation.cleanup.without_unaries": t.without_unaries,
    "parsers.refined.grammar.compile_trees": lambda tree: compile_trees([tree]),
    "learning.runner.checksum": lambda tree: checksum([tree]),
    "transformation.cleanup.remove_null_elements": t.remove_null_elements,
    "transformation.cleanup.join_nulls": t.join_nulls,
    "transformation.cleanup.remove_unary_sbar": t.remove_unary_sbar,
    "transformation.continuous.merge_nodes": t.merge_nodes,
    "transformation.continuous.raise_nodes": t.raise_nodes,
    "transformation.continuous.split_nodes": t.split_nodes,
    "transformation.cleanup.correct": (
        lambda tree: t.correct(tree, {"1": [Correction("NP", 1, "X", "a:1")]})
    ),
    "transformation.discontinuity.DiscontinuityTable.add": (
        lambda tree: DiscontinuityTable().add(tree)
    ),
    "transformation.discontinuity.DiscontinuityTable.watch": (
        lambda tree: list(DiscontinuityTable().watch([tree]))
    ),
    "transformation.discontinuity.edge_degree": (
        lambda tree: [t.edge_degree(tree, node) for node in tree.discontinuous_nodes()]
    ),
    "transformation.discontinuity.ill_nested_nodes": t.ill_nested_nodes,
    "transformation.traces.pair_marks": t.pair_marks,
    "completion.model.Completion.train": lambda tree: Completion.train([tree], Options()),
    "trees.fixed.Fixed.of": Fixed.of,
    "trees.fixed.Fixed.hold": Fixed((), (FixedConstituent("NP", 1),)).hold,
    "trees.restoring.restore_traces": plcfrs.trees.restore_traces,
    "transformation.presets.transform": t.transform,
    "transformation.presets.transform_reversibly": t.transform_reversibly,
    "transformation.presets.transform_all": (
        lambda tree: list(
            t.transform_all(
                [tree],
                Options(punctuation="high", attach_low=True, pair_marks=True, continuous="split"),
            )
        )
    ),
    "transformation.cleanup.attach_punctuation": (lambda tree: t.attach_punctuation(tree, "low")),
    "transformation.cleanup.remove_punctuation": t.remove_punctuation,
    "transformation.cleanup.attach_low": t.attach_low,
    "transformation.presets.remove_splits": t.remove_splits,
    "transformation.presets.split_infinitive": t.split_infinitive,
    "transformation.presets.split_vp": t.split_vp,
    "transformation.presets.split_wh": t.split_wh,
    "transformation.presets.ReattachmentTable.add": lambda tree: ReattachmentTable().add(tree),
    "transformation.presets.ReattachmentTable.watch": (
        lambda tree: list(ReattachmentTable().watch([tree]))
    ),
    "transformation.traces.find_traces": t.find_traces,
    "transformation.traces.reattach_traces": t.reattach_traces,
    "treebank.reading.Selection.includes": lambda tree: Selection().includes(1, tree),
    "trees.heads.mark_heads": mark_heads,
}
# Functions that no package has in its `__all__`, and writers of trees, which are slow.
MORE = {
    "collapse": cleanup.collapse_chains,
    "restore": lambda tree: cleanup.restore_chains(cleanup.collapse_chains(tree)),
    "prepare": preparation.prepare,
    "restore what is prepared": preparation.printed_tree,
    "reorder": reordering.reorder_tree,
    "copy": Tree.copy,
    "print": str,
    **{f"write {name}": lambda tree, name=name: write(tree, name) for name in ("export", "tokens")},
    **{
        f"write {name}": lambda tree, name=name: write(tree, name)
        for name in ("brackets", "discbracket", "tigerxml")
    },
}
# Functions that train or write files: tested on a few trees.
SLOW = {
    "parsing.registry.train",
    "project.project.Project.act",  # it writes files
    "project.project.Project.propose",
    "learning.runner.Runner.__init__",
    "learning.runner.Trainer.__init__",
    "treebank.writing.write_trees",
}


def contents(tree):
    """Return all parts of a tree, with the identities of the objects."""
    return (
        tree.id,
        id(tree.root),
        [(id(token), repr(token)) for token in tree.tokens],
        [
            (
                id(node),
                node.label,
                node.head,
                node.moved,
                [child if isinstance(child, int) else id(child) for child in node.children],
            )
            for node in tree.nodes()
        ],
        [(edge.label, str(edge.child), id(edge.parent)) for edge in tree.secondary_edges],
    )


@st.composite
def annotated_trees(draw):
    """Trees with traces, indices, splits, heads (or not) and a secondary edge."""
    tree = draw(trees(8))
    tree.id = draw(st.sampled_from(["1", ""]))
    for token in tree.tokens:
        if draw(st.integers(0, 4)) == 0:
            token.form, token.tag = draw(st.sampled_from(["*T*-1", "*ICH*", "0"])), "-NONE-"
    is_headed = draw(st.booleans())
    for node in tree.nodes()[1:]:
        node.index = draw(st.sampled_from([None, None, 1]))
        node.category = draw(st.sampled_from([node.category, "WHNP", "SBAR", "VP*1"]))
        node.split = draw(st.sampled_from(["", "", "WH"]))
    if is_headed:
        for node in tree.nodes():
            node.head = draw(st.integers(0, len(node.children) - 1))
    tree.secondary_edges = [SecondaryEdge("OA", tree.nodes()[-1], tree.root)]
    return tree


def takes_trees(function):
    hints = getattr(function, "__annotations__", {})
    return any(
        re.search(r"(?<!\.)\bTree\b(?!\])|\[Tree\]", str(hint)) and "Callable" not in str(hint)
        for name, hint in hints.items()
        if name != "return"
    )


def test_no_function_is_forgotten():
    found = {place for place, function in public_functions() if takes_trees(function)}
    inner = {"parsers.refined.grammar.compile_trees"}  # exported by no package
    assert {place.removeprefix("plcfrs.") for place in found} | inner == CALLS.keys() | SLOW


@examples(60)
@given(annotated_trees(), st.booleans())
def test_trees_stay(tree, is_transformed):
    if is_transformed:
        with suppress(plcfrs.PlcfrsError):
            tree = t.transform(tree)
    before = contents(tree)
    for name, call in {**CALLS, **MORE}.items():
        with suppress(plcfrs.PlcfrsError):
            call(tree)
        assert contents(tree) == before, name


@core(
    2,
    ("kind", "values"),
    [
        ("grammar", {"binarization": "head-outward", "vertical": 2}),
        ("reduction", {"epochs": 1, "tags": "own"}),
        ("neural", {"epochs": 1, "threads": 1}),
        ("refined", {"cycles": 1}),
        ("features", {"epochs": 1, "folds": 2}),
        ("gap", {"epochs": 1, "tags": "own"}),
        ("swap", {"epochs": 1}),
    ],
)
def test_trees_stay_in_training(kind, values):
    if kind == "neural":
        pytest.importorskip("torch")
    treebank = demo_trees()[:12]
    before = list(map(contents, treebank))
    plcfrs.train(kind, treebank, **values, development=treebank[:3])
    assert list(map(contents, treebank)) == before


def test_trees_stay_if_training_fails():
    treebank = demo_trees()[:4]
    long = next(node for node in treebank[-1].nodes() if len(node.children) > 2)
    long.head = None
    before = list(map(contents, treebank))
    for kind in ("refined", "features", "gap"):
        with pytest.raises(plcfrs.TreebankError, match=r"plcfrs\.trees\.mark_heads"):
            plcfrs.train(kind, treebank)
    assert list(map(contents, treebank)) == before


def test_trees_stay_where_files_are_written(tmp_path):
    treebank = raw_demo_trees()[:10]
    before = list(map(contents, treebank))
    write_trees(treebank, tmp_path / "a.discbracket")
    with TreeWriter(tmp_path / "a.export") as writer:
        for tree in treebank:
            writer.write(tree)
    assert list(map(contents, treebank)) == before


def test_nothing_is_left_behind_where_counting_stops():
    treebank = demo_trees()[:4]
    before = list(map(contents, treebank))
    treebank.append(Tree(Node("X", children=[0], head=0), [Token("a", "A")]))
    with pytest.raises(plcfrs.TreebankError, match="top node"):
        Recipe("head-outward", vertical=2).count(treebank)
    assert list(map(contents, treebank[:-1])) == before
