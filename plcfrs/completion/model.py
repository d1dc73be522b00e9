"""A model that completes trees of any parser: functions, null elements, indices."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import TypeVar

from plcfrs.completion import antecedents, functions, movement, null_elements
from plcfrs.completion.antecedents import PlacedNull
from plcfrs.completion.classifier import Classifier, Decision, Features
from plcfrs.completion.context import Context, Part
from plcfrs.completion.functions import FunctionScores
from plcfrs.completion.lessons import TreeLessons
from plcfrs.errors import GrammarError, TreebankError
from plcfrs.grammar import Grammar
from plcfrs.storage.files import errors_name
from plcfrs.storage.included import SAME_ANNOTATION
from plcfrs.storage.model_file import (
    COMPLETION,
    DEFAULT_KIND,
    MODEL,
    ModelFile,
    from_bytes,
    kind_of,
    opened,
    save,
    to_bytes,
)
from plcfrs.transformation import Options
from plcfrs.trees import Node, Tree
from plcfrs.trees.annotation import Annotation, Removed
from plcfrs.trees.fillers import Filler, undo, undo_by_rule
from plcfrs.trees.heads import HeadRules, mark_heads, read_head_rules
from plcfrs.trees.restoring import parse_small_tree, record, restore_traces
from plcfrs.trees.tree import NO_PARSE, TRACE_TYPES
from plcfrs.wording import counted

Hosts = dict[Node, list[Filler]]
Score = Callable[[Tree], FunctionScores | None]
_Part = TypeVar("_Part")


@dataclass(eq=False, repr=False)
class Completion:
    """What has been learned of the annotation of a treebank.

    Parameters
    ----------
    functions, wrappers, fillers, nulls, antecedents : Classifier, optional
        None if the treebank does not have these, or only one of them.
    head_rules : str
        The name of the head rules that features use.
    words : bool
        Whether words have functions, too.
    on_nodes : bool
        Whether the index of a trace is on its mother, as in CRAFT, or on the null element.
    about : dict of str to str
        What it was learned from, for people.
    """

    functions: Classifier | None
    wrappers: Classifier | None
    fillers: Classifier | None
    nulls: Classifier | None
    antecedents: Classifier | None
    head_rules: str
    words: bool
    on_nodes: bool
    about: dict[str, str] = field(default_factory=dict)

    @classmethod
    def train(cls, trees: Iterable[Tree], options: Options, seed: int = 1) -> Completion:
        """Learn from transformed trees, and from what `transform` keeps beside them.

        Parameters
        ----------
        trees : iterable of Tree
        options : Options
            Of the transformation.
        seed : int
            Of the order of the trees.

        Raises
        ------
        TreebankError
            If the trees have neither functions nor null elements.
        """
        lessons = TreeLessons(options)
        for tree in trees:
            lessons.add(tree)
        if completion := cls.of(lessons, seed):
            return completion
        raise TreebankError("the trees have neither functions nor null elements to learn")

    @classmethod
    def of(cls, lessons: TreeLessons, seed: int = 1) -> Completion | None:
        """Learn from lessons; return None if the trees had nothing that a tree could get."""
        learned = cls(
            lessons.functions.learn(seed),
            lessons.wrappers.learn(seed),
            lessons.fillers.learn(seed),
            lessons.nulls.learn(seed),
            lessons.antecedents.learn(seed),
            lessons.head_rules,
            lessons.words,
            lessons.on_nodes,
        )
        return learned if learned.functions or learned.nulls else None

    @classmethod
    def load(cls, path: str | Path) -> Completion:
        """Read the completion of a parser, or one that was saved alone.

        Raises
        ------
        GrammarError
            If the file is missing or damaged, or a parser that has learned no annotation.
        """
        if completion := cls.find(path):
            return completion
        raise nothing_learned(path)

    @classmethod
    def find(cls, path: str | Path) -> Completion | None:
        """Return what `load` reads, or None if a parser has learned no annotation."""
        path = SAME_ANNOTATION.get(str(path), path)
        if kind_of(path) == DEFAULT_KIND:
            packed = Grammar.load(path).completion
            with errors_name(path):
                return cls.restored(packed)
        with opened(path) as file:
            name = MODEL if file.kind == COMPLETION else COMPLETION
            return file.read(name, cls) if name in file.header else None

    def save(self, path: str | Path) -> None:
        """Write the model to a file."""
        save(path, self._file)

    def to_bytes(self) -> bytes:
        """Return what `save` writes."""
        return to_bytes(self._file)

    @classmethod
    def restored(cls, data: bytes) -> Completion | None:
        """Return what `to_bytes` has written; None of no bytes."""
        try:
            return from_bytes(data).read(MODEL, cls) if data else None
        except (ValueError, LookupError):
            raise GrammarError("the completion is damaged: train the model again") from None

    @property
    def _file(self) -> ModelFile:
        return ModelFile.of(COMPLETION, **{MODEL: self})

    @property
    def sizes(self) -> dict[str, int]:
        """The number of labels of each classifier."""
        found = {
            "functions": self.functions,
            "removed SBARs": self.wrappers,
            "fillers": self.fillers,
            "null elements": self.nulls,
            "antecedents": self.antecedents,
        }
        return {name: len(classifier.labels) for name, classifier in found.items() if classifier}

    def __str__(self) -> str:
        learned = {"function": self.functions, "null element": self.nulls}
        return ", ".join(
            counted(len({*classifier.labels} - {""}), noun)
            for noun, classifier in learned.items()
            if classifier
        )

    def __call__(self, tree: Tree, score: Score | None = None) -> Tree:
        """Return a copy of a tree with functions, and with an annotation for `restore_traces`.

        Parameters
        ----------
        tree : Tree
        score : callable, optional
            Returns what a network says of the functions of the tree, beside the classifier.

        Raises
        ------
        TreebankError
            If the tree already has null elements.
        """
        nulls = [token.form for token in tree.tokens if token.is_null]
        if nulls:
            raise TreebankError(
                f"null element {nulls[0]}: transform the treebank first", sentence=tree.id
            )
        completed, work = tree.copy(), tree.copy().forget_splits()
        work.annotation = None
        source = dict(zip(completed.nodes(), work.nodes(), strict=True))
        if not tree.tokens or any(node.category == NO_PARSE for node in work.root.nodes):
            return completed
        rules = read_head_rules(self.head_rules)
        hosts = self._undo_moves(work, rules)
        context = Context(work, rules, described(hosts))
        if not any(node.functions for node in context.nodes):
            originals: dict[Part, Part] = dict(zip(source.values(), tree.nodes(), strict=True))
            scores = score(tree) if score else None
            for part, label in self._decide_functions(context, originals, scores):
                _set_functions(work, part, label)
        words = [token.function for token in work.tokens]
        if self.nulls:
            work.annotation = Annotation(list(self._find_nulls(self.nulls, context, hosts)))
            restore_traces.in_place(work)
            self._link(work, rules, hosts)
        for filler in chain.from_iterable(hosts.values()):
            filler.node.moved = filler.type
        for node, other in source.items():
            node.functions, node.moved = other.functions, other.moved
        for token, function in zip(completed.tokens, words, strict=True):
            token.function = function
        completed.annotation = record(work, completed, source)
        return completed

    def _decide_functions(
        self, context: Context, originals: Mapping[Part, Part], scores: FunctionScores | None
    ) -> list[tuple[Part, str]]:
        """Return functions of parts of a copy of a tree; scores are of the original parts."""
        decisions = functions.decisions(context, self.words)
        if self.functions is None or scores is None:
            return _decided(self.functions, functions.FEATURES, decisions)
        parts, only = zip(*decisions, strict=True) if decisions else ((), ())
        chances = self.functions.chances(functions.FEATURES, only)
        return [
            (part, scores.most_probable(originals.get(part, part), each))
            for part, each in zip(parts, chances, strict=True)
        ]

    def _undo_moves(self, tree: Tree, rules: HeadRules) -> Hosts:
        """Put SBARs and fillers back, and return the fillers of each host."""
        context = Context(tree, rules, {})
        if self.wrappers:
            decisions = movement.wrapper_decisions(context)
            wrapped = _decided(self.wrappers, movement.WRAPPERS, decisions)
            if movement.wrap(tree, wrapped):
                context = Context(tree, rules, {})
        labels = _decided(self.fillers, movement.FILLERS, movement.filler_decisions(context))
        found = (movement.filler_of(context, node, label) for node, label in labels if label)
        hosts = undo(tree, list(filter(None, found)))
        if self.fillers and tree.gap_degree():  # else branches cross, but not because of traces
            for filler in undo_by_rule(tree):
                hosts.setdefault(filler.host, []).append(filler)
        return hosts

    def _find_nulls(
        self, classifier: Classifier, context: Context, hosts: Hosts
    ) -> Iterator[Removed]:
        """Yield the null elements; each filler gets a trace below its host."""
        operators: dict[Node, str] = {}
        labels: dict[Node, list[str]] = {}
        for nodes in null_elements.in_turn(context):
            decisions = null_elements.decisions(context, nodes, operators)
            flat = [each for _, own in decisions for each in own]
            decided = iter(classifier.decide(null_elements.FEATURES, flat))
            labels |= {node: [next(decided) for _ in own] for node, own in decisions}
            operators = null_elements.operators_of(labels)
        for node in context.nodes:
            for filler in hosts.get(node, ()):
                _ensure_trace(labels[node], filler, node)
            positions = null_elements.positions_of(context, node)
            for label, position in zip(labels[node], positions, strict=True):
                for small in _small_trees(label):
                    yield Removed(node, position, small)

    def _link(self, tree: Tree, rules: HeadRules, hosts: Hosts) -> None:
        """Give null elements and their antecedents indices."""
        mark_heads.in_place(tree, rules)
        nulls = antecedents.null_elements(tree)
        left = {host: [*fillers] for host, fillers in hosts.items()}
        links: list[tuple[PlacedNull, Node]] = []
        for null in nulls:
            antecedent = _take_filler(null, left) if null.type in TRACE_TYPES else None
            if antecedent is None and null.type == TRACE_TYPES[0]:
                antecedent = antecedents.operator_of(null, tree)
            if antecedent is not None:
                links.append((null, antecedent))
        if self.antecedents:
            links += antecedents.choose(self.antecedents, tree, nulls)
        self._number(tree, links)

    def _number(self, tree: Tree, links: list[tuple[PlacedNull, Node]]) -> None:
        """Write the same index on each null element and its antecedent."""
        last = 0
        for null, antecedent in sorted(links, key=lambda link: link[0].position):
            if antecedent.index is None:
                antecedent.index = last = last + 1
            if not self.on_nodes:
                tree.tokens[null.position].form = f"{null.type}-{antecedent.index}"
            elif null.above[0].index is None:
                null.above[0].index = antecedent.index


def nothing_learned(path: str | Path) -> GrammarError:
    """Return the error of a parser that has learned no annotation."""
    return GrammarError(
        f"{path}: this model has learned neither functions nor null elements: train it on a "
        "treebank that has them, or give a model of plcfrs train completion"
    )


def described(hosts: Hosts) -> dict[Node, str]:
    """Return what features know about hosts."""
    return {host: " ".join(map(str, fillers)) for host, fillers in hosts.items()}


def _decided(
    classifier: Classifier | None,
    features: Features,
    decisions: Sequence[tuple[_Part, Decision]],
) -> list[tuple[_Part, str]]:
    """Return parts of the tree with what the classifier decides about them."""
    if classifier is None:
        return []
    decided = classifier.decide(features, [decision for _, decision in decisions])
    return [(part, label) for (part, _), label in zip(decisions, decided, strict=True)]


def _set_functions(tree: Tree, part: Part, label: str) -> None:
    if isinstance(part, Node):
        part.functions = tuple(filter(None, label.split("-")))
    else:
        tree.tokens[part].function = label


def _take_filler(null: PlacedNull, left: Mapping[Node, list[Filler]]) -> Node | None:
    """Return the filler of a trace, and take it from its host: the next node above with words."""
    host = next((node for node in null.above if node in left), None)
    fillers = left[host] if host else []
    filler = next((filler for filler in fillers if filler.trace == null.type), None)
    if filler is None:
        return None
    fillers.remove(filler)
    return filler.node


def _ensure_trace(labels: list[str], filler: Filler, host: Node) -> None:
    """Make sure that one place of a host has a placeholder for its filler: NP for a WHNP."""
    category = filler.node.category.removeprefix("WH")
    placeholder = f"({category} (-NONE- {filler.trace}))"
    for place, label in enumerate(labels):
        found = _PLACEHOLDER.search(label) if filler.trace in label else None
        if found and category != filler.node.category and found["category"] != category:
            labels[place] = label.replace(found[0], placeholder)
        if found:
            return
    place = len(labels) - 1
    if category == "NP" and host.category in ("S", "SQ"):
        place = 0
    elif category == "NP" and host.category == "VP":
        place = min((host.head or 0) + 1, place)
    labels[place] = "; ".join(filter(None, [labels[place], placeholder]))


_PLACEHOLDER = re.compile(r"\((?P<category>\w+)[^() ]* \(-NONE- \*(T|ICH|EXP|RNR)\*\)\)")


@lru_cache(maxsize=10_000)
def _small_trees(label: str) -> list[Tree]:
    """Return the small trees that stand at a place; semicolons separate their labels."""
    return [parse_small_tree(text) for text in label.split("; ") if text]
