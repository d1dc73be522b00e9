"""What the classifiers of annotation learn from, tree by tree."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from plcfrs.completion import antecedents, functions, movement, null_elements
from plcfrs.completion.antecedents import PlacedNull
from plcfrs.completion.classifier import Decision, Lessons
from plcfrs.completion.context import Context
from plcfrs.transformation import Options, transform
from plcfrs.transformation.presets import can_be_undone, change_all, describe
from plcfrs.trees import Node, Tree
from plcfrs.trees.annotation import ANNOTATION, FUNCTIONS, NULLS, Annotation, Removed
from plcfrs.trees.fillers import Filler
from plcfrs.trees.heads import PACKAGED, mark_heads, read_head_rules
from plcfrs.trees.restoring import record, render_small_tree, restore_traces
from plcfrs.trees.tree import TRACE_TYPES, null_parts

Sources = Mapping[Node, Node]
"""The nodes of the treebank from which those of a transformed tree come."""


class TreeLessons:
    """The lessons of transformed trees with annotation.

    Three trees are compared: the transformed one; the same with all SBARs; and one without crossing
    branches, with the fillers where the treebank has them.

    Parameters
    ----------
    options : Options
        Of the transformation.
    annotation : collection of str
        What to learn, if the trees have it: some of `ANNOTATION`.

    Attributes
    ----------
    functions, wrappers, fillers, nulls, antecedents : Lessons
    head_rules : str
        The name of the head rules that features use.
    words : bool
        Whether words have functions.
    """

    def __init__(self, options: Options, annotation: Collection[str] = ANNOTATION) -> None:
        self._options, self._annotation = options, annotation
        self._wrapped = replace(options, splits=(), corrections={}, keep_sbar=True)
        self._plain = replace(self._wrapped, reattach=())
        stated = describe(options).get("head-rules", PACKAGED[0])
        self.head_rules = stated if stated in PACKAGED else PACKAGED[0]
        self._rules = read_head_rules(self.head_rules)
        self._styles = 0  # traces with an index on their mothers, minus all others
        self.words = False
        self.functions = Lessons(functions.FEATURES)
        self.wrappers = Lessons(movement.WRAPPERS)
        self.fillers = Lessons(movement.FILLERS)
        self.nulls = Lessons(null_elements.FEATURES)
        self.antecedents = Lessons(antecedents.FEATURES)

    @property
    def on_nodes(self) -> bool:
        """Whether the indices of traces are on their mothers."""
        return self._styles > 0

    def transformed(self, trees: Iterable[Tree]) -> Iterator[Tree]:
        """Transform trees for a parser, in place, and add them."""
        is_kept = NULLS in self._annotation and can_be_undone(self._options)
        return self.watched(change_all(trees, self._options, annotation=is_kept))

    def watched(self, trees: Iterable[Tree]) -> Iterator[Tree]:
        """Add transformed trees as they are used."""
        for tree in trees:
            self.add(tree)
            yield tree

    def add(self, tree: Tree) -> None:
        """Add a transformed tree."""
        if not self._annotation:
            return
        bare = tree.copy().forget_splits()
        if FUNCTIONS not in self._annotation:
            forget_functions(bare)
        self.words = self.words or any(token.function for token in bare.tokens)
        if bare.annotation is None or NULLS not in self._annotation:
            self.add_functions(Context(bare, self._rules, {}))
            return
        original = bare.copy()
        source = dict(zip(bare.nodes(), original.nodes(), strict=True))
        restore_traces.in_place(original)
        wrapped, wrapped_source = _transformed(original, self._wrapped)
        plain, plain_source = _transformed(original, self._plain)
        node_of = {wrapped_source[node]: node for node in wrapped.nodes()}
        self._add_wrappers(bare, source, wrapped, node_of)
        hosts = self._add_fillers(original, wrapped, wrapped_source, node_of)
        context = Context(plain, self._rules, _described(hosts, original, plain, plain_source))
        self.add_functions(context)
        self.add_nulls(context, record(original, plain, plain_source))
        self._add_antecedents(original)

    def add_functions(self, context: Context) -> None:
        """Add the functions of a tree without crossing branches."""
        decisions = functions.decisions(context, self.words)
        self.functions.add((context.functions(part), decision) for part, decision in decisions)

    def _add_wrappers(self, bare: Tree, source: Sources, wrapped: Tree, node_of: Sources) -> None:
        kept = {node_of[source[node]] for node in bare.nodes()}
        mothers = wrapped.parents()

        def above(node: Node) -> str:
            categories: list[str] = []
            mother = mothers.get(node_of[source[node]])
            while mother is not None and mother not in kept:
                categories.insert(0, mother.category)
                mother = mothers.get(mother)
            return " ".join(categories)

        decisions = movement.wrapper_decisions(Context(bare, self._rules, {}))
        self.wrappers.add((above(node), decision) for node, decision in decisions)

    def _add_fillers(
        self, original: Tree, wrapped: Tree, source: Sources, node_of: Sources
    ) -> list[Filler]:
        """Add the lessons, and return the fillers; their hosts are nodes of the original."""
        context = Context(wrapped, self._rules, {})
        mothers = original.parents()
        labels: dict[Node, str] = {}
        fillers = []
        for node in context.nodes:
            if node.moved:
                origin = mothers[source[node]]
                while origin not in node_of:
                    origin = mothers[origin]
                filler = Filler(node, node.moved, context.mothers[node], node_of[origin])
                labels[node] = movement.label_of(context, filler)
                fillers.append(filler._replace(host=source[filler.host]))
        decisions = movement.filler_decisions(context)
        self.fillers.add((labels.get(node, ""), decision) for node, decision in decisions)
        return fillers

    def add_nulls(self, context: Context, annotation: Annotation) -> None:
        """Add the null elements of a tree without crossing branches."""
        self.nulls.add(
            (label, decision) for *_, label, decision in null_labels(context, annotation)
        )

    def _add_antecedents(self, original: Tree) -> None:
        mark_heads.in_place(original, self._rules)
        by_index: dict[int | None, list[Node]] = {}
        for node in original.nodes():
            by_index.setdefault(node.index, []).append(node)
        nulls = antecedents.null_elements(original)
        for null in nulls:
            if null.type in TRACE_TYPES:
                self._styles += 1 if null.number is None else -1

        def learned(null: PlacedNull, node: Node) -> str:
            index = null.above[0].index if null.number is None else null.number
            phrases = [] if index is None else by_index.get(index, [])
            return antecedents.label_of(node, phrases)

        for candidates in antecedents.decisions(original, nulls):
            self.antecedents.add(
                (learned(null, node), decision) for null, node, decision in candidates
            )


def null_labels(
    context: Context, annotation: Annotation
) -> Iterator[tuple[Node, int, str, Decision]]:
    """Yield nodes, the words before a place of theirs, and the null elements there."""
    standing: dict[Node, list[Removed]] = {}
    for removed in annotation.removed:
        if not removed.parts:  # others are the places of words that were attached elsewhere
            standing.setdefault(removed.mother, []).append(removed)
    operators: dict[Node, str] = {}
    for nodes in null_elements.in_turn(context):
        labels: dict[Node, list[str]] = {}
        for node, decisions in null_elements.decisions(context, nodes, operators):
            positions = null_elements.positions_of(context, node)
            at: list[list[str]] = [[] for _ in positions]
            for removed in standing.get(node, ()):
                place = sum(position < removed.position for position in positions)
                at[min(place, len(positions) - 1)].append(label_of(removed.tree))
            labels[node] = ["; ".join(each) for each in at]
            for position, label, decision in zip(positions, labels[node], decisions, strict=True):
                yield node, position, label, decision
        operators = null_elements.operators_of(labels)


def forget_functions(tree: Tree) -> None:
    """Remove the functions of nodes and tokens."""
    for node in tree.nodes():
        node.functions = ()
    for token in tree.tokens:
        token.function = ""


def _transformed(original: Tree, options: Options) -> tuple[Tree, dict[Node, Node]]:
    tree = original.copy()
    source = dict(zip(tree.nodes(), original.nodes(), strict=True))
    return transform.in_place(tree, options), source


def _described(
    fillers: list[Filler], original: Tree, plain: Tree, source: Sources
) -> dict[Node, str]:
    """Return what features know about the hosts of fillers, which are nodes of the original."""
    node_of = {source[node]: node for node in plain.nodes()}
    mothers = original.parents()
    hosts: dict[Node, str] = {}
    for filler in fillers:
        host = filler.host
        while host not in node_of:
            host = mothers[host]
        hosts[node_of[host]] = f"{hosts.get(node_of[host], '')} {filler}".strip()
    return hosts


def label_of(small: Tree) -> str:
    """Return the label of a small tree: brackets without indices."""
    plain = small.copy()
    for node in plain.nodes():
        node.index = node.gap_index = None
    for token in plain.tokens:
        token.form, _ = null_parts(token.form)
    return render_small_tree(plain)
