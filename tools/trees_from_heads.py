"""Make trees of sentences that have heads in Universal Dependencies.

python tools/trees_from_heads.py partial ewt-train.conllu > partial.discbracket
plcfrs parse MODEL partial.discbracket --fixed -o completed.discbracket
python tools/trees_from_heads.py agreeing ewt-train.conllu completed.discbracket > trees.discbracket

The yield of an argument or a modifier is a constituent in the Penn Treebank, too. Verb phrases,
noun phrases, and what is beside a preposition or a conjunction follow from the heads. A partial
tree has only these constituents, most without categories, and the gold tags. A parser completes it.
The last command leaves out trees with a constituent that crosses another yield or has no category.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from itertools import pairwise
from pathlib import Path

import click
from agreement_with_heads import overt, spans_of, yields_of
from usual_expansions import with_usual_expansions

from plcfrs.parsers.neural.configuration import tree_of
from plcfrs.treebank.reading import read_dependencies, read_trees
from plcfrs.trees import ROOT, Token, Tree
from plcfrs.trees.fixed import ANY
from plcfrs.trees.tree import DependencyTree, crosses, fan_out, leftmost, positions

_SUBJECTS = frozenset({"nsubj", "csubj"})
_OBJECTS = frozenset({"obj", "iobj", "ccomp", "xcomp"})
_PHRASES = _SUBJECTS | _OBJECTS | {"obl", "nmod", "acl", "advcl", "nummod", "conj"}
_MODIFIERS = frozenset({"nmod", "acl"})  # after a noun
_IN_NOUN_PHRASE = _MODIFIERS | {"det", "amod", "compound", "nummod", "flat", "nmod"}
_LOOSE = frozenset(
    ["conj", "parataxis", "list", "discourse", "vocative", "dislocated", "appos", "reparandum"]
)
# Constituents may cross the yields of these.
_CROSSED = frozenset(
    [
        "conj",
        "case",
        "cc",
        "mark",
        "det",
        "fixed",
        "aux",
        "cop",
        "reparandum",
        "parataxis",
        "dep",
        "orphan",
        "flat",
    ]
)
# The prepositions of complements of adjectives; others may be those of the clause.
_OF_ADJECTIVES = frozenset({"of", "than", "with", "to", "about", "for"})
_DEGREES = frozenset(
    ["very", "so", "too", "more", "most", "less", "as", "quite", "pretty", "rather", "much", "how"]
)
_UNNAMED = "X"  # the category of a constituent that the parser has not named


class Heads:
    """A sentence with the yield of each word, and its dependents; punctuation has none."""

    def __init__(self, sentence: DependencyTree) -> None:
        self.tokens = sentence.tokens
        self.relations = [relation.partition(":")[0] for relation in sentence.relations]
        self.heads = [head - 1 for head in sentence.heads]
        words = positions(overt(sentence))
        self.neighbours = list(pairwise(words))
        self.yields = {word: 1 << word for word in words} | yields_of(sentence)
        self.below: dict[int, list[int]] = {word: [] for word in range(-1, len(self.tokens))}
        for word in self.yields:
            self.below[self.heads[word]].append(word)

    def constituents(self) -> Iterator[tuple[int, str]]:
        """Yield spans of constituents, with categories; the first of two that cross is right."""
        for word in self.yields:
            yield from ((span, ANY) for span in self._phrases(word))
        for word in self.yields:
            yield from self._quotation(word)
            yield from ((span, "VP") for span in self._verb_phrases(word))
            yield from self._first_conjunct(word)
            yield from self._comparison(word)
            if self._tag(word).startswith("JJ") and self._has(word, {"cop"}):
                yield from ((span, "ADJP") for span in self._predicate(word))
            if self._tag(word).startswith("N"):
                yield from ((span, ANY) for span in self._noun_phrases(word))

    def _phrases(self, word: int) -> Iterator[int]:
        """Yield a phrase, and the phrase after its preposition or conjunction."""
        relation, span = self.relations[word], self.yields[word]
        if relation not in _PHRASES:
            return
        if self.is_in_free_relative(word):
            return
        # Conjunctions and fronted clauses are apart.
        span &= ~self._union(self._left(word, {"cc", "acl"} if relation == "conj" else {"acl"}))
        if self._has(word, _SUBJECTS | {"aux", "cop"}):
            end = span.bit_length()
            if self._tag(end) == "." and self.heads[end] == word:
                span |= 1 << end  # the mark of a quoted sentence
        yield span
        for introduction in ({"case"}, {"mark"}):
            if left := self._left(word, introduction, without="to"):
                others = [each for each in self._conjuncts(word) if self._left(each, introduction)]
                if others:  # "in town or at sea"
                    span &= ~self._union(others)
                    yield from self._whole(span)
                yield from self._whole(span & ~self._union(left))
                return

    def _noun_phrases(self, word: int) -> Iterator[int]:
        """Yield a noun phrase, and the part before its modifiers.

        In the Penn Treebank, the phrase of a possessive has its mark as the last word.
        """
        is_possessive = any(self._tag(each) == "POS" for each in self.below[word])
        is_fragment = self.relations[word] == "root" and not self._has(word, {"cop"})
        if is_possessive or is_fragment or self._has(word, {"conj"}):
            return
        parts = [each for each in self.below[word] if self.relations[each] in _IN_NOUN_PHRASE]
        span = (self._union(parts) | 1 << word) & ~self._union(self._left(word, {"acl"}))
        yield from self._whole(span)
        after = [each for each in parts if each > word and self.relations[each] in _MODIFIERS]
        if after and not self._is_noun_complement(after[0]):
            yield from self._whole(span & ((1 << leftmost(self._union(after))) - 1))

    def _is_noun_complement(self, word: int) -> bool:
        """Return whether a clause may be beside a noun: "the fact that", "a right to"."""
        return self.relations[word] == "acl" and bool(self._left(word, {"mark"}))

    def _verb_phrases(self, word: int) -> Iterator[int]:
        """Yield the rest of a clause from each auxiliary and from its verb, with a fronted part.

        Without a subject and an auxiliary, the verb phrase also has adverbs before the verb. In
        "it is odd that she left", the last clause is not in it. Conjuncts without subjects are; it
        is not known which auxiliaries they share.
        """
        subjects = [
            each for each in self.below[word] if self.relations[each] in _SUBJECTS | {"expl"}
        ]
        conjuncts = self._conjuncts(word)
        if self._has(word, _LOOSE - {"conj"}) or not all(map(self._is_verb_phrase, conjuncts)):
            return
        if subjects and min(subjects) > word:
            if self._left(word, {"ccomp"}):  # "No," said she.
                yield self.yields[word] & ~self._union(subjects)
            return
        subject = max((each for each in subjects if each < word), default=-1)
        auxiliaries = self._left(word, {"aux", "cop"})
        auxiliaries += [each for each in self._left(word, {"mark"}) if self._form(each) == "to"]
        begins = bool(conjuncts) and min(self.below[word]) > word  # "seeing and hearing"
        is_verb = self._tag(word).startswith("V") and (auxiliaries or subjects or begins)
        starts = sorted(each for each in auxiliaries if each > subject)
        starts += [word] if is_verb else []
        if conjuncts:
            starts = starts[: 2 if self._share_to(starts, conjuncts) else 1]
        before = self._before(word, subject if subjects else min(auxiliaries, default=-1))
        span = self.yields[word] & ~self._extraposed(word)
        for start in starts:
            for rest in self._whole(span >> start << start):
                yield rest | before

    def _share_to(self, starts: list[int], conjuncts: list[int]) -> bool:
        """Return whether conjuncts have one "to": "to come and go"."""
        marks = (self._left(each, {"mark"}) for each in conjuncts)
        return bool(starts) and self._form(starts[0]) == "to" and not any(marks)

    def _before(self, word: int, subject: int) -> int:
        """Return what a verb phrase has before the subject or "to".

        These are fronted objects, parts with wh-words, and the wh-word of a free relative.
        """
        before = [each for each in self._left(word, _OBJECTS | {"obl", "advmod"}) if each < subject]
        fronted = self._union(
            [each for each in before if self.relations[each] in _OBJECTS or self._is_question(each)]
        )
        if self._has(word, _SUBJECTS | {"expl"}) and self.is_in_free_relative(word):
            whole = self.yields[self.heads[word]] & ~self.yields[word]
            fronted |= whole & ((1 << word) - 1)
        return fronted

    def _is_verb_phrase(self, word: int) -> bool:
        """Return whether a conjunct has no subject, but a verb or an auxiliary."""
        is_verb = self._tag(word).startswith("V") or self._has(word, {"aux", "cop"})
        return is_verb and not self._has(word, _SUBJECTS | {"expl", "orphan"})

    def _conjuncts(self, word: int) -> list[int]:
        return [each for each in self.below[word] if self.relations[each] == "conj"]

    def _extraposed(self, word: int) -> int:
        """Return the words of clauses behind, if "it" stands for them."""
        expletives = [each for each in self._left(word, {"expl"}) if self._form(each) == "it"]
        behind = [each for each in self.below[word] if each > word]
        clauses = [each for each in behind if self.relations[each] in {"csubj", "ccomp"}]
        return self._union(clauses) if expletives else 0

    def _predicate(self, word: int) -> Iterator[int]:
        """Yield an adjective after a copula, with adverbs of degree and its complements."""
        copula = max(self._left(word, {"cop"}), default=word)
        inside = [each for each in self._left(word, {"advmod"}) if each > copula]
        are_of_degree = all(self._form(each) in _DEGREES for each in inside)
        inside += [each for each in self.below[word] if each > word and self._is_complement(each)]
        if inside and are_of_degree and self._has_clauses_beside(word):
            yield from self._whole(self._union(inside) | 1 << word)

    def _is_complement(self, word: int) -> bool:
        """Return whether a dependent behind an adjective belongs to it, and not to its clause."""
        relation = self.relations[word]
        if relation == "obl":
            return any(self._form(each) in _OF_ADJECTIVES for each in self._left(word, {"case"}))
        marks = [self._form(each) for each in self._left(word, {"mark"})]
        return relation in {"ccomp", "xcomp"} or (relation == "advcl" and "than" in marks)

    def _comparison(self, word: int) -> Iterator[tuple[int, str]]:
        """Yield an adverb with the phrase or clause after "than" or "as"."""
        if self.relations[word] == "advmod" and self._tag(word).startswith("RB"):
            behind = [each for each in self.below[word] if each > word]
            marks = {
                self._form(mark) for each in behind for mark in self._left(each, {"mark", "case"})
            }
            if marks & {"than", "as"}:
                yield from ((span, ANY) for span in self._whole(self.yields[word]))

    def _first_conjunct(self, word: int) -> Iterator[tuple[int, str]]:
        """Yield a clause that begins with its subject, before other clauses."""
        left = [each for each in self.below[word] if each < word]
        begins = bool(left) and self.relations[left[0]] in _SUBJECTS
        if begins and self._has(word, {"conj"}) and self._has_clauses_beside(word):
            behind = [each for each in self.below[word] if each > word]
            others = [each for each in behind if self.relations[each] in {"conj", "cc"}]
            yield from (
                (span, ANY) for span in self._whole(self.yields[word] & ~self._union(others))
            )

    def _has_clauses_beside(self, word: int) -> bool:
        """Return whether all conjuncts behind the first one are clauses, perhaps without a verb."""
        return all(self._has(each, _SUBJECTS | {"orphan"}) for each in self._conjuncts(word))

    def _quotation(self, word: int) -> Iterator[tuple[int, str]]:
        """Yield a sentence before "she said", and both without their subject."""
        for verb in self.below[word]:
            said = self.yields[verb]
            if (
                self.relations[verb] == "parataxis"
                and self._tag(verb).startswith("VB")
                and self._has(verb, _SUBJECTS)
                and not self._has(verb, _OBJECTS)
                and said > self.yields[word] & ~said
            ):
                yield self.yields[word] & ~said, ANY
                subjects = [each for each in self.below[verb] if self.relations[each] in _SUBJECTS]
                yield self.yields[word] & ~self._union(subjects), "VP"

    def _whole(self, span: int) -> Iterator[int]:
        """Yield a span if it has no gap."""
        if fan_out(self.filled(span)) == 1:
            yield span

    def is_in_free_relative(self, word: int) -> bool:
        """Return whether a clause modifies a wh-word, which the Penn Treebank has inside of it.

        In "what you said", "said" has the object "what".
        """
        is_modifier = self.relations[word] in {"acl", "advcl"}
        return is_modifier and self._tag(self.heads[word]).startswith("W")

    def filled(self, span: int) -> int:
        """Return a span with the punctuation marks between neighbouring words, and their pairs."""
        for left, right in self.neighbours:
            if span >> left & 1 and span >> right & 1:
                span |= (1 << right) - (1 << left)
        tags = [self._tag(each) for each in positions(span)]
        for opening, closing in (("-LRB-", "-RRB-"), ("``", "''")):
            before, after = leftmost(span) - 1, span.bit_length()
            if tags.count(opening) > tags.count(closing) and self._tag(after) == closing:
                span |= 1 << after
            elif tags.count(closing) > tags.count(opening) and self._tag(before) == opening:
                span |= 1 << before
        return span

    def _left(self, word: int, relations: Collection[str], without: str = "") -> list[int]:
        return [
            each
            for each in self.below[word]
            if each < word and self.relations[each] in relations and self._form(each) != without
        ]

    def _has(self, word: int, relations: Collection[str]) -> bool:
        return any(self.relations[each] in relations for each in self.below[word])

    def _is_question(self, word: int) -> bool:
        """Return whether a phrase begins with a wh-word that has no clause of its own."""
        words = (each for each in positions(self.yields[word]) if self.relations[each] != "case")
        return self._tag(next(words, -1)).startswith("W") and not self._has(word, {"acl"})

    def _union(self, words: list[int]) -> int:
        span = 0
        for word in words:
            span |= self.yields[word]
        return span

    def _tag(self, word: int) -> str:
        return self.tokens[word].tag if 0 <= word < len(self.tokens) else ""

    def _form(self, word: int) -> str:
        return self.tokens[word].form.lower()


def partial_tree(sentence: DependencyTree) -> Tree:
    """Return the partial tree of a sentence."""
    heads = Heads(sentence)
    known: dict[int, str] = {}
    for each, category in heads.constituents():
        span = heads.filled(each)
        if span & (span - 1) and not any(crosses(span, other) for other in known):
            known[span] = max(category, known.get(span, ANY))
    known[(1 << len(sentence.tokens)) - 1] = ROOT
    tokens = [Token(token.form, _tag(token)) for token in sentence.tokens]
    return tree_of(known, tokens)


def _tag(token: Token) -> str:
    """Return the tag in the older guidelines, which have one tag for each "to"."""
    if token.tag in {"ADD", "GW"}:  # they have none for addresses and parts of words
        return ANY
    return "TO" if token.form.lower() == "to" and token.tag == "IN" else token.tag


def agrees(tree: Tree, sentence: DependencyTree) -> bool:
    """Return whether all constituents have categories, and none crosses a yield."""
    if "goeswith" in sentence.relations or _UNNAMED in {node.category for node in tree.nodes()}:
        return False
    spans, heads = spans_of(tree, overt(sentence)), Heads(sentence)
    return not any(
        crosses(span, each)
        for word, span in heads.yields.items()
        if heads.relations[word] not in _CROSSED and not heads.is_in_free_relative(word)
        for each in spans
    )


_file = click.Path(exists=True, path_type=Path)


@click.group()
def main() -> None:
    """Make trees of sentences that have heads in Universal Dependencies."""


@main.command()
@click.argument("treebank", type=_file)
def partial(treebank: Path) -> None:
    """Write the partial trees."""
    for sentence in read_dependencies(str(treebank)):
        print(partial_tree(sentence))


@main.command()
@click.argument("treebank", type=_file)
@click.argument("completed", type=_file)
def agreeing(treebank: Path, completed: Path) -> None:
    """Write the completed trees that agree with the heads."""
    pairs = zip(read_dependencies(str(treebank)), read_trees(str(completed)), strict=True)
    kept = [with_usual_expansions(tree) for sentence, tree in pairs if agrees(tree, sentence)]
    print(*kept, sep="\n")
    print(f"{len(kept)} trees", file=sys.stderr)


if __name__ == "__main__":
    main()
