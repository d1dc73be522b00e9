"""The parser at the hand of a person who annotates the sentences of a project."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import RLock
from time import monotonic
from typing import Any

from plcfrs.annotating.choices import Choice
from plcfrs.annotating.filling import alternatives_of, choose, continued, filled
from plcfrs.annotating.menus import MenuEntry, Menus
from plcfrs.annotating.order import Rating, Ratings
from plcfrs.annotating.proposer import Guess, Proposer
from plcfrs.annotating.sentence_view import SentenceView, parts_of
from plcfrs.annotating.training import lot
from plcfrs.checking import (
    Finding,
    LabelSets,
    check_indices,
    check_labels,
    check_rules,
    find_doubts,
    find_rare_rules,
    find_variation,
    ranked,
)
from plcfrs.errors import InputError
from plcfrs.parsing import SentenceParser
from plcfrs.parsing.sentence import UNKNOWN_TAG
from plcfrs.project import AnnotatedSentence, NamedTree, Project
from plcfrs.project.annotated_sentence import ACCEPTED
from plcfrs.project.decisions import tree_of
from plcfrs.project.operations import Operation
from plcfrs.query import Treebank
from plcfrs.stopping import until_stopped
from plcfrs.trees import Node, Tree
from plcfrs.trees.labels import ROOT

_DOUBTFUL = 0.8
_CHOOSING = 0.08  # of the time of a parse: choices that take longer are found when asked for
_UNPARSED = ("keep", "annotate")  # they change nothing that a parser knows


class Assistant:
    """A project with a parser at hand.

    Parameters
    ----------
    project : Project
    model : SentenceParser, optional
    seconds : float
        How long the parser may take for a sentence: an edit does not wait longer.

    Attributes
    ----------
    last_used : float
        When somebody last asked for something, by `time.monotonic`.
    """

    def __init__(
        self, project: Project, model: SentenceParser | None = None, *, seconds: float = 1.0
    ) -> None:
        self.project = project
        self.last_used = monotonic()
        self._seconds = seconds
        self._lock = RLock()
        self._waiting: list[None] = []
        self._proposed: dict[str, Tree] = {}  # what the person has seen of untouched sentences
        self._ratings = Ratings(project.folder / ".cache" / f"{project.person}.ratings.jsonl")
        self.use(model)

    def use(self, model: SentenceParser | None) -> None:
        """Take another parser from now on."""
        nulls = self.project.settings.null_elements
        proposer = Proposer(model, nulls=nulls, seconds=self._seconds)
        with self._turn():
            self._proposer = proposer
            self._menus = Menus(model)
            self._seen: dict[str, int] = {}
            self._contradictions: dict[str, list[Finding]] = {}

    @property
    def is_wanted(self) -> bool:
        """Whether somebody waits for an answer."""
        return bool(self._waiting)

    def view(self, sentence_id: str) -> SentenceView:
        """Return what a person sees of a sentence."""
        with self._turn():
            self._proposed.pop(sentence_id, None)
            return self._view(self.project[sentence_id], [])

    def choices(self, sentence_id: str, part: str) -> list[Choice]:
        """Return what a part of the tree can become."""
        with self._turn():
            sentence = self._shown(self.project[sentence_id])
            if self._is_left_alone(sentence):
                return []
            return alternatives_of(self._proposer, sentence, part).choices()

    def menu(self, sentence_id: str, part: str, kind: str) -> list[MenuEntry]:
        """Return the labels of a kind for a part, the most probable first; see `Menus.menu`."""
        with self._turn():
            named = tree_of(self._shown(self.project[sentence_id]))
            labels = self.project.settings.labels
            return self._menus.menu(named.tree, named.part(part), kind, labels)

    def checks(self) -> Iterator[tuple[Finding, list[str]]]:
        """Yield what checks find in all trees, with the names of parts, the most probable first.

        What the parser finds improbable in accepted trees is known as far as they are rated.
        """
        sentences = self.project.sentences()
        named = {each.id: each.named for each in sentences if each.named}
        trees = [each.tree for each in named.values()]
        sets = LabelSets.of(trees, self.project.settings.labels)
        found = [finding for tree in until_stopped(trees) for finding in _checked(tree, sets)]
        found += check_rules(Treebank(trees), self.project.settings.rules)
        found += find_rare_rules(trees)
        found += find_variation(trees)
        for each in sentences:
            if self._seen.get(each.id) == each.revision:
                found += self._contradictions.get(each.id, [])
        for finding in ranked(found):
            yield finding, parts_of(finding, named[finding.sentence])

    def labels(self) -> dict[str, list[str]]:
        """Return the allowed labels of each kind; where all are allowed, the known ones."""
        return self._menus.labels(self.project.settings.labels)

    def rating(self, sentence_id: str, revision: int) -> Rating | None:
        """Return how doubtful a revision of a sentence is, if it is known."""
        return self._ratings.get(sentence_id, self._proposer.name, revision)

    def unrated(self) -> list[str]:
        """Return the sentences that `rate` has not seen as they are."""
        return [
            header["id"]
            for header in self.project.headers()
            if self.rating(header["id"], header["revision"]) is None
            or (header["has_tree"] and self._seen.get(header["id"]) != header["revision"])
        ]

    def rate(self, sentence_id: str) -> None:
        """Find out how doubtful a sentence is; what is found is for lists, menus and checks."""
        with self._lock:
            sentence = self.project[sentence_id]
            shown = self._shown(sentence)
            named = tree_of(shown)
            self._keep_rating(sentence, self._guess(shown), len([*self._findings(named)]))
            if sentence.status == ACCEPTED and self._proposer.model:
                found = find_doubts([named.tree], self._proposer.model)
                self._contradictions[sentence_id] = list(found)
            if sentence_id not in self._seen:
                self._menus.learn(named.tree)
            self._seen[sentence_id] = sentence.revision

    def act(
        self,
        sentence_id: str,
        operation: Operation,
        *,
        revision: int | None = None,
        seconds: float | None = None,
    ) -> list[SentenceView]:
        """Do something to a sentence, let the parser fill in the rest, and save both.

        Parameters
        ----------
        sentence_id : str
        operation : mapping of str to object
            See `plcfrs.project.Project.act`.
        revision : int, optional
            The revision that the person has seen.
        seconds : float, optional
            How long the person needed.

        Returns
        -------
        list of SentenceView
            All sentences that have changed.

        Raises
        ------
        InputError
            See `plcfrs.project.Project.act`.
        """
        chosen: list[str] = []

        def then(decided: AnnotatedSentence, parts: list[str]) -> AnnotatedSentence:
            filled, more = self._filled(decided, operation, parts)
            chosen.extend(more)
            return filled

        with self._turn():
            before = self.project[sentence_id]
            if operation.get("do") == "join-sentence":
                behind = self.project[self.project.behind(sentence_id)]
                if behind.named is None:
                    self.project.propose(behind.id, tree_of(self._shown(behind)).tree)
            changed = self.project.act(
                sentence_id,
                operation,
                revision=revision,
                proposal=tree_of(self._shown(before)).tree,
                then=then,
                **({} if seconds is None else {"seconds": seconds}),
            )
            return [self._view(each, chosen) for each in changed if each.named]

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Let what runs in the background stop, and wait for it."""
        self._waiting.append(None)
        try:
            with self._lock:
                yield
        finally:
            self._waiting.pop()
            self.last_used = monotonic()

    def _view(self, sentence: AnnotatedSentence, chosen: list[str]) -> SentenceView:
        shown = self._shown(sentence)
        named = tree_of(shown)
        names = {*named.names.values()}
        if sentence.named is None:
            self._proposed[sentence.id] = named.tree
        guess = self._guess(shown)
        doubts = list(self._doubts(shown, guess)) if guess else []
        findings = [(finding, parts_of(finding, named)) for finding in self._findings(named)]
        self._keep_rating(sentence, guess, len(findings))
        return SentenceView(
            sentence.id,
            self.project.header(sentence.id)["document"],
            sentence.revision,
            sentence.status,
            sentence.note,
            named.tree,
            {
                "nodes": [named.names[node] for node in named.tree.nodes()],
                "tokens": [named.names[place] for place in range(len(named.tree.tokens))],
            },
            is_proposal=sentence.named is None,
            without_parse=self._is_without_parse(sentence.id),
            by_hand=sentence.by_hand,
            kept=[
                name for name in dict.fromkeys([*sentence.kept, *sentence.placed]) if name in names
            ],
            doubt=guess.doubt if guess else None,
            doubts=doubts,
            choices=self._choices(shown, [name for name, _ in doubts]),
            cost=guess.cost if guess else None,
            findings=findings,
            chosen=[name for name in chosen if name in names],
            can_undo=self.project.can("undo", sentence.id),
            can_redo=self.project.can("redo", sentence.id),
        )

    def _choices(self, sentence: AnnotatedSentence, names: list[str]) -> dict[str, list[Choice]]:
        """Return what parts can become, as far as it is found quickly."""
        if not names or self._proposer.best(sentence, _CHOOSING) is None:
            return {}
        found = {name: alternatives_of(self._proposer, sentence, name).choices() for name in names}
        return {name: choices for name, choices in found.items() if choices}

    def _shown(self, sentence: AnnotatedSentence) -> AnnotatedSentence:
        """Return a sentence with its tree, or else with the one that is proposed."""
        if sentence.named:
            return sentence
        tree = self._proposed.get(sentence.id) or self._proposal(sentence)
        return replace(sentence, named=NamedTree.new(tree))

    def _proposal(self, sentence: AnnotatedSentence) -> Tree:
        """Return the tree that a person sees of a sentence about which nothing is decided."""
        tokens = self.project.tokens(sentence.id)
        words = [replace(token, tag="", function="") for token in tokens]
        guess = self._proposer.free(sentence.id, words)
        if guess and not self._is_without_parse(sentence.id):
            tree = guess.tree.copy()
        else:
            tags = [token.tag for token in guess.tree.tokens if not token.is_null] if guess else []
            tags = tags or [token.tag or UNKNOWN_TAG for token in tokens]
            flat = [replace(token, tag=tag) for token, tag in zip(tokens, tags, strict=True)]
            tree = Tree(Node(ROOT, children=[*range(len(flat))]), flat)
        tree.id = sentence.id
        return tree

    def _is_without_parse(self, sentence_id: str) -> bool:
        """Whether a sentence is in the share without a parse: by its identifier, for good."""
        return lot(sentence_id) < self.project.settings.without_parse

    def _is_left_alone(self, sentence: AnnotatedSentence) -> bool:
        return sentence.by_hand or self._is_without_parse(sentence.id)

    def _guess(self, sentence: AnnotatedSentence) -> Guess | None:
        """Return what the parser makes of a sentence, unless it is left alone."""
        return None if self._is_left_alone(sentence) else self._proposer.guess(sentence)

    def _filled(
        self, decided: AnnotatedSentence, operation: Operation, parts: list[str]
    ) -> tuple[AnnotatedSentence, list[str]]:
        """Return a decided sentence with what the parser makes of it, and the chosen parts."""
        do, mother = operation.get("do"), ""
        if do == "discard":
            original = self.project.original(decided.id)
            named = original.named if original else None
            named = named or continued(tree_of(decided), self._proposal(decided))
            by_hand = original is not None and original.by_hand
            return replace(decided, named=named, status="", by_hand=by_hand, **_UNDECIDED), []
        if do == "choose" and self._is_left_alone(decided):
            raise InputError("the parser leaves this sentence alone: it has no choices")
        if do == "choose":
            decided, parts, mother = choose(self._proposer, decided, operation)
        if do == "attach":
            mother = str(operation["mother"])
        if do not in _UNPARSED and not self._is_left_alone(decided):
            decided = filled(self._proposer, decided, parts, mother)
        return decided, parts

    def _keep_rating(self, sentence: AnnotatedSentence, guess: Guess | None, findings: int) -> None:
        doubt = guess.doubt if guess else None
        rating = Rating(self._proposer.name, sentence.revision, doubt, findings)
        self._ratings.add(sentence.id, rating)

    def _doubts(self, sentence: AnnotatedSentence, guess: Guess) -> Iterator[tuple[str, float]]:
        """Yield the names of doubtful constituents of a tree with their probabilities."""
        named = tree_of(sentence)
        decided = {*sentence.kept, *sentence.placed}
        names = {*named.names.values()} - decided
        guessed = named.replaced_by(guess.tree).names
        for node in sorted(guess.chances, key=lambda node: min(node.leaves())):
            if guess.chances[node] < _DOUBTFUL and guessed[node] in names:
                yield guessed[node], guess.chances[node]

    def _findings(self, named: NamedTree) -> Iterator[Finding]:
        settings = self.project.settings
        yield from _checked(named.tree, LabelSets(settings.labels, {}))
        if settings.rules:
            yield from check_rules(Treebank([named.tree]), settings.rules)


_UNDECIDED: dict[str, Any] = {"kept": (), "placed": (), "forbidden": ()}


def _checked(tree: Tree, sets: LabelSets) -> Iterator[Finding]:
    """Yield what checks find in a single tree."""
    yield from check_labels(tree, sets)
    yield from check_indices(tree)
