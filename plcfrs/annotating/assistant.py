"""What a person sees of a sentence, and what a parser makes of each decision."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from threading import RLock
from time import monotonic
from typing import Any
from zlib import crc32

from plcfrs.annotating.choices import Alternatives, Choice
from plcfrs.annotating.menus import MenuEntry, Menus
from plcfrs.annotating.order import Rating, Ratings
from plcfrs.annotating.proposer import Guess, Proposer
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
from plcfrs.compiling import working_time
from plcfrs.errors import InputError, PlcfrsError
from plcfrs.parsing import Parse, SentenceParser
from plcfrs.parsing.sentence import UNKNOWN_TAG
from plcfrs.project import AnnotatedSentence, NamedTree, Project
from plcfrs.project.annotated_sentence import ACCEPTED
from plcfrs.project.decisions import (
    constituents_named,
    fixed_of,
    forbidding,
    placing,
    tree_of,
    without_nulls,
)
from plcfrs.project.operations import Operation
from plcfrs.query import Treebank
from plcfrs.stopping import StoppedError, check_stopped, stoppable, until_stopped
from plcfrs.trees import Fixed, Node, Token, Tree, render_label
from plcfrs.trees.fixed import ANY
from plcfrs.trees.labels import ROOT

_DOUBTFUL = 0.8
_OPENING = 10.0  # times as long may a parse without decisions take: only who opens a tree waits
_CHOOSING = 0.08  # of the time of a parse: choices that take longer are found when asked for
_KEPT_GUESSES = 200
_MOST_ATTEMPTS = 3
_UNPARSED = ("keep", "annotate")  # they change nothing that a parser knows


@dataclass(frozen=True)
class SentenceView:
    """What a person sees of a sentence.

    Parameters
    ----------
    id, document : str
    revision : int
    status, note : str
    tree : Tree
    names : dict of str to list of str
        Of ``nodes``, in the order of ``tree.nodes()``, and of ``tokens``.
    is_proposal : bool
        Whether the tree is the parser's: nothing has been done yet.
    without_parse : bool
        Whether the sentence is shown without a parse, since people drift towards what they see.
    by_hand : bool
        Whether the parser does not change it any more.
    kept : list of str
        The names of parts that the parser does not change.
    doubt : float or None
        The expected number of repairs for each word, if the parser says it.
    doubts : list of (str, float)
        The names of constituents whose probability is low, in the order of the text, with it.
    choices : dict of str to list of Choice
        Of doubtful constituents; empty if they take too long: ask `Assistant.choices`.
    cost : float or None
        How much less the tree scores than without the decisions of the person, if it is known.
    findings : list of (Finding, list of str)
        What checks find, with the names of the parts.
    chosen : list of str
        The names of parts that the operation has made or moved.
    can_undo, can_redo : bool
    """

    id: str
    document: str
    revision: int
    status: str
    note: str
    tree: Tree
    names: dict[str, list[str]]
    is_proposal: bool
    without_parse: bool
    by_hand: bool
    kept: list[str]
    doubt: float | None = None
    doubts: list[tuple[str, float]] = field(default_factory=list)
    choices: dict[str, list[Choice]] = field(default_factory=dict)
    cost: float | None = None
    findings: list[tuple[Finding, list[str]]] = field(default_factory=list)
    chosen: list[str] = field(default_factory=list)
    can_undo: bool = False
    can_redo: bool = False


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
        self._ratings = Ratings(project.folder / ".cache" / f"{project.person}.ratings.jsonl")
        self.use(model)

    def use(self, model: SentenceParser | None) -> None:
        """Take another parser from now on."""
        nulls = self.project.settings.null_elements
        proposer = Proposer(model, nulls=nulls) if model else None
        if proposer:
            proposer.warm_up()
        with self._turn():
            self._proposer = proposer
            self._model = _name_of(model) if model else ""
            self._guesses: OrderedDict[tuple[str, bool], tuple[object, Guess | None]] = (
                OrderedDict()
            )
            self._best: tuple[object, list[Parse]] = None, []
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
            return self._view(self.project[sentence_id], [])

    def choices(self, sentence_id: str, part: str) -> list[Choice]:
        """Return what a part of the tree can become."""
        with self._turn():
            return self._alternatives(self._shown(self.project[sentence_id]), part).choices()

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
        sentences = [self.project[name] for name in self.project.ids()]
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
            yield finding, _parts_of(finding, named[finding.sentence])

    def labels(self) -> dict[str, list[str]]:
        """Return the labels of each kind that are allowed, or else those that are known."""
        return self._menus.labels(self.project.settings.labels)

    def rating(self, sentence_id: str, revision: int) -> Rating | None:
        """Return how doubtful a revision of a sentence is, if it is known."""
        return self._ratings.get(sentence_id, self._model, revision)

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
            self._keep_rating(sentence, self._doubt(shown), len([*self._findings(named)]))
            if sentence.status == ACCEPTED and self._proposer:
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
                    self.project.propose(behind.id, self._proposal(behind))
            changed = self.project.act(
                sentence_id,
                operation,
                revision=revision,
                proposal=None if before.named else self._proposal(before),
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
        guess = None if self._is_left_alone(shown) else self._guess(shown)
        doubts = list(self._doubts(shown, guess)) if guess else []
        findings = [(finding, _parts_of(finding, named)) for finding in self._findings(named)]
        self._keep_rating(sentence, self._doubt(shown), len(findings))
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
            doubt=self._doubt(shown),
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
        if not names or self._best_parses(sentence, _CHOOSING) is None:
            return {}
        found = {name: self._alternatives(sentence, name).choices() for name in names}
        return {name: choices for name, choices in found.items() if choices}

    def _shown(self, sentence: AnnotatedSentence) -> AnnotatedSentence:
        """Return a sentence with its tree, or else with the one that is proposed."""
        if sentence.named:
            return sentence
        return replace(sentence, named=NamedTree.new(self._proposal(sentence)))

    def _proposal(self, sentence: AnnotatedSentence) -> Tree:
        guess = self._guess(sentence)
        if guess and not self._is_without_parse(sentence.id):
            tree = guess.tree.copy()
        else:
            tokens = self.project.tokens(sentence.id)
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
        """Return the best parse with all that is decided about a sentence, if there is one."""
        tokens, fixed = self._task(sentence)
        free = self._guessed(sentence.id, tokens, _FREE)
        return free if fixed == _FREE else self._guessed(sentence.id, tokens, fixed, free)

    def _guessed(
        self, sentence_id: str, tokens: list[Token], fixed: Fixed, free: Guess | None = None
    ) -> Guess | None:
        """Return the best parse of a sentence, and keep it."""
        place, task = (sentence_id, fixed == _FREE), (tokens, fixed)
        known = self._guesses.get(place)
        if self._proposer and (known is None or known[0] != task):
            known = None
            with self._in_time(_OPENING if fixed == _FREE else 1.0):
                known = task, self._proposer.guess(tokens, fixed, free)
            if known is None:
                return None
            self._guesses[place] = known
            if len(self._guesses) > _KEPT_GUESSES:
                self._guesses.popitem(last=False)
        return known[1] if known else None

    @contextmanager
    def _in_time(self, share: float = 1.0) -> Iterator[None]:
        """Stop a parser that takes too long; it never stands in the way of an edit."""
        end = working_time() + share * self._seconds

        def check() -> None:
            if working_time() > end:
                raise StoppedError("the parser takes too long")

        with suppress(PlcfrsError), stoppable(check):
            yield
        check_stopped()  # if not the parser was too slow, but somebody waits

    def _task(self, sentence: AnnotatedSentence) -> tuple[list[Token], Fixed]:
        """Return the words of a sentence, and what is fixed of its tree."""
        if sentence.named is None:
            return self.project.tokens(sentence.id), _FREE
        words = [token for token in sentence.named.tree.tokens if not token.is_null]
        return [replace(token, tag="", function="") for token in words], fixed_of(sentence)

    def _filled(
        self, decided: AnnotatedSentence, operation: Operation, parts: list[str]
    ) -> tuple[AnnotatedSentence, list[str]]:
        """Return a decided sentence with what the parser makes of it, and the chosen parts.

        What the person has moved stays below its new mother: what the parser puts in between is
        forbidden.
        """
        do = operation.get("do")
        if do == "discard":
            free = AnnotatedSentence(decided.id)
            named = _continued(tree_of(decided), self._proposal(free))
            return replace(decided, named=named, status="", **_UNDECIDED), []
        mother = str(operation.get("mother", "")) if do == "attach" else ""
        if do == "choose":
            decided, parts, mother = self._chosen(decided, operation)
        if do in _UNPARSED or self._is_left_alone(decided):
            return decided, parts
        for _ in range(_MOST_ATTEMPTS):
            guess = self._guess(decided)
            if guess is None:
                break
            named = _continued(tree_of(decided), guess.tree)
            if not _is_held(decided, named):
                break
            between = set(_other_mothers(named, parts, mother)) if mother else set()
            if not between:
                return replace(decided, named=named), parts
            words = constituents_named(named)
            if not between <= words.keys():
                break
            decided = forbidding(decided, [words[name] for name in between])
        return decided, parts

    def _chosen(
        self, sentence: AnnotatedSentence, operation: Operation
    ) -> tuple[AnnotatedSentence, list[str], str]:
        """Return a sentence with a choice, the name of the part, and that of its mother."""
        name, number = operation.get("part"), operation.get("choice")
        if not isinstance(name, str) or not isinstance(number, int):
            raise InputError("choose: expected a part, and the number of a choice from 0")
        alternatives = self._alternatives(sentence, name)
        parse = alternatives.parse(number)
        if parse is None or self._proposer is None:
            raise InputError(f"there is no choice {number} for {name}")
        old = tree_of(sentence)
        named = _continued(old, self._proposer.completed(parse.tree, fixed_of(sentence)))
        edited = replace(sentence, named=named, status="")
        replaced = [each for each in [constituents_named(old).get(name)] if each]
        bare = without_nulls(named)
        part = alternatives.part(number, bare.tree)
        if part is None:
            return forbidding(edited, [(ANY, words) for _, words in replaced]), [], ""
        mother = bare.names[bare.tree.mothers()[part]]
        parts = [bare.names[part]]
        return forbidding(placing(edited, [*parts, mother]), replaced), parts, mother

    def _alternatives(self, sentence: AnnotatedSentence, name: str) -> Alternatives:
        """Return what the best parses with all that is decided make of a part."""
        bare = without_nulls(tree_of(sentence))
        part = bare.part(name)
        if part is bare.tree.root:
            raise InputError("choose a part below the root")
        parses = None if self._is_left_alone(sentence) else self._best_parses(sentence, 1.0)
        return Alternatives(parses or [], bare.tree, part)

    def _best_parses(self, sentence: AnnotatedSentence, share: float) -> list[Parse] | None:
        """Return the best parses with all that is decided; None if they take too long."""
        task = self._task(sentence)
        if self._best[0] != task:
            parses: list[Parse] | None = []
            guess = self._guess(sentence)
            if self._proposer and guess and guess.cost is not None:
                parses = None
                with self._in_time(share):
                    parses = self._proposer.best(*task)
            if parses is None:
                return None
            self._best = task, parses
        return self._best[1]

    def _doubt(self, sentence: AnnotatedSentence) -> float | None:
        """Return the expected number of repairs for each word, if the parser says it."""
        guess = None if self._is_left_alone(sentence) else self._guess(sentence)
        if guess is None or not guess.chances:
            return None
        words = sum(not token.is_null for token in guess.tree.tokens)
        return sum(1 - chance for chance in guess.chances.values()) / words

    def _keep_rating(self, sentence: AnnotatedSentence, doubt: float | None, findings: int) -> None:
        rating = Rating(self._model, sentence.revision, doubt, findings)
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


_FREE = Fixed()
_UNDECIDED: dict[str, Any] = {"kept": (), "placed": (), "forbidden": (), "by_hand": False}


def _name_of(model: SentenceParser) -> str:
    """Return a name that no other parser has: it tells the settings, and the training set."""
    return f"{crc32(f'{model!r} {sum(model.training_set)}'.encode()):08x}"


def _continued(named: NamedTree, tree: Tree) -> NamedTree:
    """Return another tree of a sentence, with the notes and comments that it had."""
    copy = tree.copy()
    copy.id, copy.comments = named.tree.id, list(named.tree.comments)
    after = named.replaced_by(copy)
    notes = {named.names[node]: node.note for node in named.tree.nodes()}
    for node in copy.nodes():
        node.note = notes.get(after.names[node], "")
    return after


def _checked(tree: Tree, sets: LabelSets) -> Iterator[Finding]:
    """Yield what checks find in a single tree."""
    yield from check_labels(tree, sets)
    yield from check_indices(tree)


def _is_held(decided: AnnotatedSentence, named: NamedTree) -> bool:
    """Whether another tree has all that is decided."""
    there = {*tree_of(decided).names.values()}.intersection([*decided.kept, *decided.placed])
    return there <= {*named.names.values()}


def _other_mothers(named: NamedTree, parts: list[str], mother: str) -> Iterator[str]:
    """Yield the names of the mothers of some parts that are not the one they should have."""
    mothers = named.tree.mothers()
    for name in parts:
        found = named.names[mothers[named.part(name)]]
        if found != mother:
            yield found


def _parts_of(finding: Finding, named: NamedTree) -> list[str]:
    """Return the names of the constituent of a finding, or of its tokens."""
    nodes = [
        named.names[node]
        for node in named.tree.nodes()
        if render_label(node) == finding.label and tuple(sorted(node.leaves())) == finding.positions
    ]
    return nodes[:1] or [named.names[place] for place in finding.positions]
