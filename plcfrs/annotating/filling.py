"""What a parser makes of a decision: it fills in the rest of the tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from plcfrs.annotating.choices import Alternatives
from plcfrs.annotating.proposer import Proposer
from plcfrs.errors import InputError
from plcfrs.project import AnnotatedSentence, NamedTree
from plcfrs.project.decisions import (
    constituents_named,
    fixed_of,
    forbidding,
    placing,
    tree_of,
    without_nulls,
)
from plcfrs.project.operations import Operation
from plcfrs.trees import Tree
from plcfrs.trees.fixed import ANY

_MOST_ATTEMPTS = 3


def filled(
    proposer: Proposer, decided: AnnotatedSentence, parts: list[str], mother: str = ""
) -> AnnotatedSentence:
    """Return a decided sentence with what the parser makes of it.

    Parts that have moved stay below their new mother, if it is named: what the parser puts in
    between is forbidden. What the parser cannot keep stays as it was edited.
    """
    for _ in range(_MOST_ATTEMPTS):
        guess = proposer.guess(decided)
        if guess is None:
            break
        named = continued(tree_of(decided), guess.tree)
        if not _is_held(decided, named):
            break
        between = set(_other_mothers(named, parts, mother)) if mother else set()
        if not between:
            return replace(decided, named=named)
        words = constituents_named(named)
        if not between <= words.keys():
            break
        decided = forbidding(decided, [words[name] for name in between])
    return decided


def choose(
    proposer: Proposer, sentence: AnnotatedSentence, operation: Operation
) -> tuple[AnnotatedSentence, list[str], str]:
    """Return a sentence with a choice, the name of the part, and that of its mother.

    Raises
    ------
    InputError
        If there is no such choice.
    """
    name, number = operation.get("part"), operation.get("choice")
    if not isinstance(name, str) or not isinstance(number, int):
        raise InputError("choose: expected a part, and the number of a choice from 0")
    alternatives = alternatives_of(proposer, sentence, name)
    parse = alternatives.parse(number)
    if parse is None:
        raise InputError(f"there is no choice {number} for {name}")
    old = tree_of(sentence)
    named = continued(old, proposer.completed(parse.tree, fixed_of(sentence)))
    edited = replace(sentence, named=named, status="")
    replaced = [each for each in [constituents_named(old).get(name)] if each]
    bare = without_nulls(named)
    part = alternatives.part(number, bare.tree)
    if part is None:
        return forbidding(edited, [(ANY, words) for _, words in replaced]), [], ""
    mother = bare.names[bare.tree.mothers()[part]]
    parts = [bare.names[part]]
    return forbidding(placing(edited, [*parts, mother]), replaced), parts, mother


def alternatives_of(proposer: Proposer, sentence: AnnotatedSentence, name: str) -> Alternatives:
    """Return what the best parses with all that is decided make of a part."""
    bare = without_nulls(tree_of(sentence))
    part = bare.part(name)
    if part is bare.tree.root:
        raise InputError("choose a part below the root")
    return Alternatives(proposer.best(sentence) or [], bare.tree, part)


def continued(named: NamedTree, tree: Tree) -> NamedTree:
    """Return another tree of a sentence, with the notes and comments that it had."""
    copy = tree.copy()
    copy.id, copy.comments = named.tree.id, list(named.tree.comments)
    after = named.replaced_by(copy)
    notes = {named.names[node]: node.note for node in named.tree.nodes()}
    for node in copy.nodes():
        node.note = notes.get(after.names[node], "")
    return after


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
