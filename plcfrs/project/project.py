"""A project: a folder of text files, the trees of one person in it, and what the person does.

    my-treebank/
      project.toml             settings
      text/doc03.jsonl         a line for each sentence: its tokens
      trees/anna/doc03.jsonl   a line for each sentence: its tree, status and revision
      journal/anna.jsonl       a line for each action
      .cache/                  can be deleted

An action is in the journal, on the disk, before the file of its document is written anew and
renamed. So a crash loses nothing: what the file lacks comes from the journal. Each person writes
only their own files, so that git merges the work of several people without conflicts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timezone
from itertools import count, pairwise
from pathlib import Path
from threading import RLock
from typing import Any
from warnings import warn

from plcfrs.errors import GrammarError, InputError, TreebankWarning
from plcfrs.project.annotated_sentence import ACCEPTED, STATUSES, AnnotatedSentence
from plcfrs.project.decisions import decide, tree_of
from plcfrs.project.document import Document, State, state_of
from plcfrs.project.journal import ActionJournal, Entry
from plcfrs.project.named_tree import Change, NamedTree, difference, inverse, is_removal
from plcfrs.project.operations import Operation
from plcfrs.project.settings import ProjectSettings, person_named
from plcfrs.storage.files import hold
from plcfrs.treebank.files import PROJECT, documents_in
from plcfrs.trees import Token, Tree
from plcfrs.trees.editing import join_sentences, split_sentence

Changes = dict[str, Change]
Then = Callable[[AnnotatedSentence, list[str]], AnnotatedSentence]


class ChangedMeanwhileError(InputError):
    """Somebody else, or another window, has changed the sentence."""


class Project:
    """The trees of a person in a project.

    Parameters
    ----------
    folder : str or Path
    person : str, optional
        By default the first person of the project.

    Raises
    ------
    InputError
        If the folder is not a project, or another process works on the trees of this person.
    """

    def __init__(self, folder: str | Path, person: str | None = None) -> None:
        self.folder = Path(folder)
        self.settings = ProjectSettings.read(self.folder)
        self.person = person_named(person or self.settings.people[0])
        self.trees_folder = self.folder / "trees" / self.person
        self._journal = ActionJournal(self.folder / "journal" / f"{self.person}.jsonl")
        self._lock = RLock()
        self._held = hold(
            self.folder / ".cache" / f"{self.person}.lock",
            f"another process works on the trees of {self.person} in {self.folder}: stop it",
        )
        try:
            self._load()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let other processes work on the trees of this person."""
        self._held.close()

    def __enter__(self) -> Project:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ids(self) -> list[str]:
        """Return the identifiers of all sentences in the order of the text."""
        with self._lock:
            self._refresh()
            return [each for document in self._documents.values() for each in document.ids()]

    def __getitem__(self, sentence_id: str) -> AnnotatedSentence:
        """Return a sentence; without a tree if nothing has been done to it."""
        with self._lock:
            self._refresh()
            return self._document_of(sentence_id)[sentence_id]

    def header(self, sentence_id: str) -> dict[str, Any]:
        """Return the document, status, note and revision of a sentence, and `has_tree`."""
        with self._lock:
            document = self._document_of(sentence_id)
            return {"document": document.name, **document.header(sentence_id)}

    def headers(self) -> list[dict[str, Any]]:
        """Return what is known about each sentence without its tree, in the order of the text.

        Its `id`, `document`, `status`, `note` and `revision`, whether it has a tree (`has_tree`),
        its first words (`text`), and which action of the person was the last on it (`acted`).
        """
        with self._lock:
            return [
                {
                    **document.header(sentence_id),
                    "id": sentence_id,
                    "document": document.name,
                    "text": document.beginning(sentence_id),
                    "acted": self._acted.get(sentence_id, 0),
                }
                for sentence_id in self.ids()
                for document in [self._document_of(sentence_id)]
            ]

    def can(self, do: str, sentence_id: str) -> bool:
        """Return whether there is something to ``undo`` or ``redo``."""
        with self._lock:
            return bool(self._stacks(sentence_id)[do == "redo"])

    def tokens(self, sentence_id: str) -> list[Token]:
        """Return the tokens of a sentence: those of its tree, or else those of the text."""
        sentence = self[sentence_id]
        if sentence.named is not None:
            return [token for token in sentence.named.tree.tokens if not token.is_null]
        return self._document_of(sentence_id).tokens[sentence_id]

    def sentences(self) -> list[AnnotatedSentence]:
        """Return all sentences in the order of the text."""
        with self._lock:
            return [self._document_of(name)[name] for name in self.ids()]

    def trees(self) -> Iterator[Tree]:
        """Yield the trees in the order of the text."""
        for sentence in self.sentences():
            if sentence.named:
                yield sentence.named.tree

    def actions(self) -> Iterator[Entry]:
        """Yield the actions of the person, the first one first."""
        with self._lock:
            return iter([*self._journal.entries()])

    def act(
        self,
        sentence_id: str,
        operation: Operation,
        *,
        revision: int | None = None,
        proposal: Tree | None = None,
        then: Then | None = None,
        **known: object,
    ) -> list[AnnotatedSentence]:
        """Do something to a sentence, and save it.

        Parameters
        ----------
        sentence_id : str
        operation : mapping of str to object
            One of `plcfrs.project.decisions.decide`, or ``status``, ``accept``, ``note``, ``tree``
            (with a `Tree`), ``undo``, ``redo``, ``split-sentence``, ``join-sentence``; with `then`
            also ``choose`` and ``discard``.
        revision : int, optional
            The revision of the sentence that the person has seen.
        proposal : Tree, optional
            The tree that the person has seen, if the sentence has none yet.
        then : callable, optional
            Gets the decided sentence and the names of the parts that the operation is about, and
            returns what a parser makes of it: it is saved as a part of this action.
        **known : object
            What the journal keeps besides, such as the seconds that the person needed.

        Returns
        -------
        list of AnnotatedSentence
            All sentences that have changed.

        Raises
        ------
        ChangedMeanwhileError
            If the revision is another one.
        InputError
            If the operation is not possible, or nothing could be saved.
        """
        with self._lock:
            self._refresh()
            before = self._document_of(sentence_id)[sentence_id]
            if revision is not None and revision != before.revision:
                raise ChangedMeanwhileError(f"{sentence_id} has changed in the meantime")
            if before.named is None and proposal is not None:
                before = self.propose(sentence_id, proposal)
            changes = self._changes(before, operation, then)
            return self._record(sentence_id, operation, changes, known)

    def propose(self, sentence_id: str, tree: Tree) -> AnnotatedSentence:
        """Give a sentence without a tree the one that the person has seen."""
        with self._lock:
            sentence, proposed = self[sentence_id], tree.copy()
            proposed.id = sentence_id
            changes = _between({sentence: replace(sentence, named=NamedTree.new(proposed))})
            return self._record(sentence_id, {"do": "propose"}, changes, {})[0]

    def original(self, sentence_id: str) -> AnnotatedSentence | None:
        """Return a sentence as it was before the person did anything, if it had a tree then."""
        with self._lock:
            sentence = self[sentence_id]
            if sentence_id in self._were_proposed:
                return None
            for changes in reversed(self._stacks(sentence_id)[0]):
                sentence = sentence.after(inverse(changes[sentence_id]))
            return sentence if sentence.named else None

    def behind(self, sentence_id: str) -> str:
        """Return the sentence behind another one, or raise an InputError if there is none."""
        with self._lock:
            ids = self._document_of(sentence_id).ids()
            for sentence, following in pairwise(ids):
                if sentence == sentence_id:
                    return following
            raise InputError("there is no sentence behind it in this document")

    def _changes(
        self, sentence: AnnotatedSentence, operation: Operation, then: Then | None
    ) -> Changes:
        """Return what an operation changes, by sentence."""
        match operation.get("do"):
            case "undo" | "redo" as do:
                stack = self._stacks(sentence.id)[do == "redo"]
                if not stack:
                    raise InputError(f"there is nothing to {do}")
                return {name: inverse(each) for name, each in stack[-1].items()}
            case "accept":
                tree_of(sentence)
                return _between({sentence: replace(sentence, status=ACCEPTED, by_hand=True)})
            case "status":
                status = operation.get("status")
                if status not in STATUSES:
                    raise InputError(f"status: expected one of {', '.join(STATUSES[1:])}, or none")
                tree_of(sentence)
                by_hand = sentence.by_hand or status == ACCEPTED
                return _between({sentence: replace(sentence, status=status, by_hand=by_hand)})
            case "note":
                tree_of(sentence)
                return _between({sentence: replace(sentence, note=str(operation.get("note", "")))})
            case "split-sentence":
                return self._split(sentence, operation)
            case "join-sentence":
                return self._join(sentence)
            case "tree":
                return _between({sentence: _with_tree(sentence, str(operation.get("tree")))})
            case "choose" | "discard" if then:
                return _between({sentence: then(sentence, [])})
        decided, parts = decide(sentence, operation)
        return _between({sentence: then(decided, parts) if then else decided})

    def _split(self, sentence: AnnotatedSentence, operation: Operation) -> Changes:
        named = tree_of(sentence)
        place = named.part(str(operation.get("before")))
        left, right = split_sentence(named.tree, place if isinstance(place, int) else 0)
        used = set(self._document_of(sentence.id).all_ids())
        numbered = (f"{sentence.id}+{number}" for number in count(1))
        new = next(name for name in numbered if name not in used)
        right.tree.id = new
        second = AnnotatedSentence(new, named.after(right), behind=sentence.id)
        return _between(
            {
                sentence: replace(sentence, named=named.after(left), status=""),
                AnnotatedSentence(new): second,
            }
        )

    def _join(self, sentence: AnnotatedSentence) -> Changes:
        second = self[self.behind(sentence.id)]
        joined = tree_of(sentence).after(
            join_sentences(tree_of(sentence).tree, tree_of(second).tree)
        )
        return _between(
            {
                sentence: replace(sentence, named=joined, status=""),
                second: AnnotatedSentence(second.id),
            }
        )

    def _record(
        self, sentence_id: str, operation: Operation, changes: Changes, known: Mapping[str, object]
    ) -> list[AnnotatedSentence]:
        """Write changes into the journal, and then into the files of their documents."""
        document = self._document_of(sentence_id)
        after = {name: document[name].after(change) for name, change in changes.items()}
        entry: Entry = {
            "time": datetime.now(timezone.utc).isoformat(timespec="milliseconds"),
            "sentence": sentence_id,
            "operation": dict(operation),
            "revisions": {name: sentence.revision for name, sentence in after.items()},
            "changes": changes,
            **known,
        }
        self._journal.append(entry)
        self._remember(entry)
        for sentence in after.values():
            document.put(sentence)
        self._write(document)
        self._states[self._journal.path] = state_of(self._journal.path)
        return list(after.values())

    def _write(self, document: Document) -> None:
        """Write a document; if the disk is full, the journal is enough until there is room."""
        try:
            document.write()
        except (OSError, GrammarError) as error:
            message = f"{document.path}: only the journal has the last actions: {error}"
            warn(message, TreebankWarning, stacklevel=2)
        self._states[document.path] = state_of(document.path)

    def _load(self) -> None:
        """Read everything, and put into the documents what only the journal has."""
        self._states: dict[Path, State] = {}
        states = self._found_states()
        self.settings = ProjectSettings.read(self.folder)
        texts = documents_in(self.folder / "text")
        self._documents = {path.stem: Document(path, self.trees_folder) for path in texts}
        self._document_names: dict[str, str] = {}
        for document in self._documents.values():
            for name in document.all_ids():
                if (other := self._document_names.setdefault(name, document.name)) != document.name:
                    raise InputError(f"{document.path}: {name} is in {other}, too")
        self._history: dict[str, tuple[list[Changes], list[Changes]]] = {}
        self._acted: dict[str, int] = {}
        self._were_proposed: set[str] = set()
        self._actions = 0
        behind = self._replay()
        self._states = states
        for name in behind:
            self._write(self._documents[name])

    def _replay(self) -> set[str]:
        """Do what only the journal has, and return the names of the documents that change.

        A tree that git or a person has changed in its file is taken from there.
        """
        behind, foreign = set(), set()
        for entry in self._journal.entries():
            if entry["sentence"] not in self._document_names:
                continue  # the text no longer has it
            self._remember(entry)
            document = self._document_of(entry["sentence"])
            for name, change in entry["changes"].items():
                revision = entry["revisions"][name]
                if revision <= document.header(name)["revision"]:
                    continue
                try:
                    sentence = document[name].after(change)
                except InputError:
                    sentence = document[name]
                    foreign.add(name)
                if is_removal(change):
                    sentence = AnnotatedSentence(name)
                    foreign.discard(name)
                elif name in foreign:
                    sentence = document[name]
                document.put(replace(sentence, revision=revision))
                behind.add(document.name)
        return behind

    def _refresh(self) -> None:
        """Read everything again if another program, such as git, has changed a file."""
        if self._found_states() != self._states:
            self._load()

    def _found_states(self) -> dict[Path, State]:
        files = [self.folder / PROJECT, self._journal.path]
        files += [*(self.folder / "text").glob("*.jsonl"), *self.trees_folder.glob("*.jsonl")]
        return {path: state_of(path) for path in files}

    def _remember(self, entry: Entry) -> None:
        """Keep the changes of an action, so that it can be undone, or done again."""
        changes, do = entry["changes"], entry["operation"]["do"]
        self._actions += 1
        for name in changes:
            self._acted[name] = self._actions
            self._document_names[name] = self._document_names[entry["sentence"]]
            done, undone = self._stacks(name)
            if do in ("undo", "redo"):
                old, new = (done, undone) if do == "undo" else (undone, done)
                if old:  # git may have merged what was undone in two places
                    new.append({each: inverse(one) for each, one in old.pop().items()})
            elif do == "propose":
                self._were_proposed.add(name)
            else:
                done.append(changes)
                undone.clear()

    def _stacks(self, sentence_id: str) -> tuple[list[Changes], list[Changes]]:
        """Return what was done to a sentence, and what was undone; the last one last."""
        return self._history.setdefault(sentence_id, ([], []))

    def _document_of(self, sentence_id: str) -> Document:
        if sentence_id not in self._document_names:
            raise InputError(f"there is no sentence {sentence_id} in {self.folder}")
        return self._documents[self._document_names[sentence_id]]


def read_sentences(folder: str | Path, person: str = "") -> Iterator[AnnotatedSentence]:
    """Yield the sentences of a person, by default of the first one, in the order of the text."""
    settings = ProjectSettings.read(Path(folder))
    trees = Path(folder) / "trees" / person_named(person or settings.people[0])
    if person and not trees.is_dir():
        raise InputError(f"{folder}: {person} has no trees here")
    for path in documents_in(Path(folder) / "text"):
        document = Document(path, trees)
        yield from (document[sentence_id] for sentence_id in document.ids())


def _with_tree(sentence: AnnotatedSentence, written: str) -> AnnotatedSentence:
    """Return a sentence with another tree of the same words, and with its tags."""
    named, tree = tree_of(sentence), Tree.from_string(written)
    if [token.form for token in tree.tokens] != [token.form for token in named.tree.tokens]:
        raise InputError("tree: expected one of the words of the sentence")
    pairs = zip(named.tree.tokens, tree.tokens, strict=True)
    tree.id, tree.tokens = sentence.id, [replace(old, tag=new.tag) for old, new in pairs]
    return replace(sentence, named=named.replaced_by(tree), status="", by_hand=True)


def _between(sentences: Mapping[AnnotatedSentence, AnnotatedSentence]) -> Changes:
    """Return the changes from sentences to others."""
    return {
        before.id: difference(before.table(), after.table()) for before, after in sentences.items()
    }
