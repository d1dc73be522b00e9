"""Nonterminals, yield functions, rules, constituents, and examples, each with its text form.

``VP_2`` has fan-out 2, ``S^WH`` the split WH, ``NP-SBJ`` the function SBJ; ``X~`` is a tag, if a
category has the same name. ``@7_2`` and ``@NP+DT+JJ`` (an NP after DT and JJ) are intermediate,
``NP>S>ROOT`` is an NP below an S below ROOT. A backslash takes away the special meaning of the next
character; labels such as ``-LRB-`` are whole categories.

A yield function says how the ranges of a mother are composed of the ranges of its children. It is a
tuple of components, each a tuple of child numbers. The j-th occurrence of a child stands for its
j-th range, so every yield function is monotone. ``((0, 1, 2, 0),)`` is the one of the rule
``SQ(XYZU) -> VP(X,U) MD(Y) NP(Z)``, in the notation of the papers; its text form is ``[0 1 2 0]``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from itertools import pairwise
from math import log
from typing import Literal, NamedTuple, TypeVar

from plcfrs.errors import GrammarError, InputError
from plcfrs.trees.tree import render_ranges
from plcfrs.wording import counted

Kind = Literal["category", "tag", "intermediate"]
Item = TypeVar("Item")

# Blanks, and characters that a YAML file cannot hold.
_INVISIBLE = r"\s\x00-\x1f\x7f-\x9f\ufeff\ufffe\uffff\ud800-\udfff"
_SPECIAL = re.compile(rf"[\\_^~@#>+\[\]{_INVISIBLE}-]")
_SPECIAL_IN_WORDS = re.compile(rf"[\\{_INVISIBLE}]")
_ESCAPED = re.compile(r"\\(?:u([0-9a-f]{4})|(.))")
_WHOLE = re.compile(r"-[A-Z]+-")
_NAME = r"(?:\\.|[^\\_^~@>+-])+"
_SYMBOL = re.compile(
    rf"(?P<intermediate>@)?(?P<category>-[A-Z]+-|{_NAME})(?:\^(?P<split>{_NAME}))?"
    rf"(?P<functions>(?:-{_NAME})*)(?P<ancestors>(?:>{_NAME})*)(?P<siblings>(?:\+{_NAME})*)"
    r"(?:_(?P<fanout>[1-9]\d{0,8}))?(?P<tag>~)?"
)
_PART = re.compile(f"[->+]({_NAME})")


class Nonterminal(NamedTuple):
    """A symbol of the grammar; its fan-out is the number of ranges that it spans.

    Parameters
    ----------
    category : str
    fanout : int
    split : str
        Category split, ``"WH"``.
    functions : tuple of str
    kind : {"category", "tag", "intermediate"}
        A treebank category, a part of speech, or a symbol made by binarization.
    ancestors : tuple of str
        The categories above that the symbol remembers, the mother first.
    siblings : tuple of str
        The sisters that an intermediate symbol remembers.

    Examples
    --------
    >>> str(Nonterminal("VP", 2)), str(Nonterminal("S", split="WH"))
    ('VP_2', 'S^WH')
    """

    category: str
    fanout: int = 1
    split: str = ""
    functions: tuple[str, ...] = ()
    kind: Kind = "category"
    ancestors: tuple[str, ...] = ()
    siblings: tuple[str, ...] = ()

    def __str__(self) -> str:
        return _render(self)

    def stored(self) -> str:
        """Return the text form with the mark of tags, see `plcfrs.storage.model_file`."""
        return f"{self}~" if self.kind == "tag" else str(self)

    @staticmethod
    def restored(text: str) -> Nonterminal:
        """Return the nonterminal with a text form."""
        return parse_nonterminal(text)


def tag(name: str) -> Nonterminal:
    """Return the nonterminal of a part-of-speech tag."""
    return Nonterminal(name, kind="tag")


def escape(text: str) -> str:
    r"""Write a word as one field of a line.

    >>> print(escape("1\\/2"), escape("# 7"))
    1\\/2 \#\u00207
    """
    text = _SPECIAL_IN_WORDS.sub(_escape_character, text)
    return "\\" + text if text.startswith("#") else text


def unescape(text: str) -> str:
    """Undo `escape`."""
    return _ESCAPED.sub(_escaped_character, text) if "\\" in text else text


@cache
def parse_nonterminal(text: str) -> Nonterminal:
    r"""Read the text form of a nonterminal.

    The kind is "category" unless the text says otherwise: in a grammar, tags have no rules.

    Parameters
    ----------
    text : str

    Raises
    ------
    GrammarError
        If the text is not a nonterminal.

    Examples
    --------
    >>> parse_nonterminal("VP_2") == Nonterminal("VP", 2)
    True
    >>> parse_nonterminal("@VP>S+NP+PP_2").siblings
    ('NP', 'PP')
    >>> parse_nonterminal(r"a\_b").category
    'a_b'
    """
    match = _SYMBOL.fullmatch(text)
    if match is None:
        raise GrammarError(f"{text!r} is not a nonterminal such as VP, VP_2, S^WH or NP-SBJ_2")
    intermediate, category, split, functions, ancestors, siblings, fanout, tag = match.groups()
    return Nonterminal(
        unescape(category),
        int(fanout or 1),
        unescape(split or ""),
        _parts(functions),
        "intermediate" if intermediate else "tag" if tag else "category",
        _parts(ancestors),
        _parts(siblings),
    )


@cache
def _render(nonterminal: Nonterminal) -> str:
    category, fanout, split, functions, kind, ancestors, siblings = nonterminal
    text = category if _WHOLE.fullmatch(category) else _escape_special(category)
    if kind == "intermediate":
        text = "@" + text
    if split:
        text += "^" + _escape_special(split)
    for mark, names in (("-", functions), (">", ancestors), ("+", siblings)):
        text += "".join(mark + _escape_special(name) for name in names)
    return text if fanout == 1 else f"{text}_{fanout}"


def _parts(text: str) -> tuple[str, ...]:
    return tuple(map(unescape, _PART.findall(text))) if text else ()


def _escape_special(text: str) -> str:
    return _SPECIAL.sub(_escape_character, text)


def _escape_character(match: re.Match[str]) -> str:
    character = match.group()
    blank = character.isspace() or not character.isprintable()
    return f"\\u{ord(character):04x}" if blank else "\\" + character


def _escaped_character(match: re.Match[str]) -> str:
    return chr(int(match[1], 16)) if match[1] else match[2]


YieldFunction = tuple[tuple[int, ...], ...]


def render_yield_function(yield_function: YieldFunction) -> str:
    """Return the text form: numbers separated by blanks, components by commas.

    Examples
    --------
    >>> render_yield_function(((0, 1), (0,)))
    '[0 1, 0]'
    """
    return "[" + ", ".join(" ".join(map(str, component)) for component in yield_function) + "]"


@cache
def parse_yield_function(text: str) -> YieldFunction:
    """Read the text form of a yield function, with or without its square brackets.

    Raises
    ------
    GrammarError
        If there is anything other than numbers, blanks and commas, or an empty component.

    Examples
    --------
    >>> parse_yield_function("[0 1, 0]")
    ((0, 1), (0,))
    """
    try:
        components = text.removeprefix("[").removesuffix("]").split(",")
        parsed = tuple(tuple(map(int, component.split())) for component in components)
    except ValueError:
        raise GrammarError(f"{text!r} is not a yield function such as [0 1, 0]") from None
    if not all(parsed):
        raise GrammarError(f"yield function {text!r} has an empty component")
    return parsed


def child_fan_outs(yield_function: YieldFunction) -> list[int]:
    """Return the fan-out of each child: how often it is named.

    >>> child_fan_outs(((0, 1), (0,)))
    [2, 1]
    """
    named = [child for component in yield_function for child in component]
    return [named.count(child) for child in range(max(named) + 1)]


def apply(
    yield_function: YieldFunction, children: Sequence[Sequence[Sequence[Item]]]
) -> list[list[Item]]:
    """Compose the components of the mother from the components of the children.

    >>> apply(((0, 1, 0),), [[["what"], ["do"]], [["should", "I"]]])
    [['what', 'should', 'I', 'do']]
    """
    following = [iter(components) for components in children]
    return [
        [item for child in component for item in next(following[child])]
        for component in yield_function
    ]


def in_variables(
    yield_function: YieldFunction, names: Iterable[str]
) -> tuple[list[str], list[list[str]]]:
    """Return the components of the mother and those of each child, with variables for ranges.

    >>> in_variables(((0, 1, 2, 0),), "XYZU")
    (['XYZU'], [['X', 'U'], ['Y'], ['Z']])
    """
    following = iter(names)
    children: list[list[str]] = [[] for _ in child_fan_outs(yield_function)]
    mother = []
    for component in yield_function:
        variables = [next(following) for _ in component]
        mother.append("".join(variables))
        for child, variable in zip(component, variables, strict=True):
            children[child].append(variable)
    return mother, children


def from_runs(runs: Iterable[tuple[int, int, int]]) -> YieldFunction:
    """Return the yield function of a mother, given the runs (left, right, child) of its children.

    >>> from_runs([(0, 1, 0), (2, 3, 0), (1, 2, 1), (5, 6, 1)])
    ((0, 1, 0), (1,))
    """
    components: list[list[int]] = []
    end = -1
    for left, right, child in sorted(runs):
        if left != end:
            components.append([])
        components[-1].append(child)
        end = right
    return tuple(map(tuple, components))


_NO_SENTENCE = "-"
_BRACKET = re.compile(r"[\[\]]")
_MARKED = re.compile(r"(\[?)((?:\\.|[^\\\[\]])+)(\]?)")

Range = tuple[int, int]
"""Positions of tokens, half-open: the first one, and the one after the last."""


class RuleExample(NamedTuple):
    """A sentence of the treebank in which a rule was used, with the ranges of its left-hand side.

    In the text form, ``wsj_0041:7 [What] should I [do] ?``, the name of the sentence (``-`` if it
    has none) comes first. Words are written as in the lexicon, with a backslash before square
    brackets of their own.

    >>> print(RuleExample(("What", "should", "I", "do", "?"), ((0, 1), (3, 4))))
    [What] should I [do] ?
    """

    words: tuple[str, ...]
    ranges: tuple[Range, ...]
    sentence: str = ""

    def __str__(self) -> str:
        return " ".join(self._marked(self.words))

    def line(self) -> str:
        """Return the text form, the inverse of `parse_example`."""
        name = escape(self.sentence)
        name = f"\\{name}" if name == _NO_SENTENCE else name or _NO_SENTENCE
        words = tuple(_BRACKET.sub(r"\\\g<0>", escape(word)) for word in self.words)
        return " ".join([name, *self._marked(words)])

    def _marked(self, words: tuple[str, ...]) -> list[str]:
        marked = list(words)
        for left, right in self.ranges:
            marked[left] = f"[{marked[left]}"
            marked[right - 1] = f"{marked[right - 1]}]"
        return marked


def shortest(examples: Iterable[RuleExample], most: int) -> tuple[RuleExample, ...]:
    """Return the shortest examples, and of examples with equal lengths the first ones."""
    return tuple(sorted(examples, key=lambda example: len(example.words))[:most])


def parse_example(text: str) -> RuleExample:
    """Read the text form of an example.

    >>> parse_example("wsj:7 [What] should I [do] ?").ranges
    ((0, 1), (3, 4))
    """
    name, *fields = text.split()
    words: list[str] = []
    ranges: list[Range] = []
    begin = None
    for position, field in enumerate(fields):
        match = _MARKED.fullmatch(field)
        if match is None or (match[1] and begin is not None):
            raise _example_error(text)
        begin = position if match[1] else begin
        if match[3]:
            if begin is None:
                raise _example_error(text)
            ranges.append((begin, position + 1))
            begin = None
        words.append(unescape(match[2]))
    if begin is not None or not ranges:
        raise _example_error(text)
    return RuleExample(tuple(words), tuple(ranges), "" if name == _NO_SENTENCE else unescape(name))


def _example_error(text: str) -> GrammarError:
    return GrammarError(
        f"{text.strip()!r} should be like 'wsj:7 [What] should I [do] ?': the name of a sentence, "
        "or -, and its words, with brackets around each range"
    )


_WANT = re.compile(r"\s*(\S+)\s+(\d+(?:-\d+)?(?:\s*,\s*\d+(?:-\d+)?)*)\s*")


class Want(NamedTuple):
    """A constituent that a parse is expected to have, with half-open ranges of positions, from 0.

    The category is ``VP`` with any split and functions, or a whole symbol such as ``VP^HINF_2``.
    """

    category: str
    ranges: tuple[Range, ...]

    def __str__(self) -> str:
        return f"{self.category} {render_ranges(self.ranges)}"


def parse_want(text: str) -> Want:
    """Read a category and token positions, from 0; raise an InputError if they are wrong.

    >>> parse_want("VP 0,3-4")
    Want(category='VP', ranges=((0, 1), (3, 5)))
    """
    match = _WANT.fullmatch(text)
    if match is None:
        raise InputError(
            f"{text!r} should be like 'VP 0,3-4': a category and token positions, from 0"
        )
    ranges = []
    for part in match[2].split(","):
        first, _, last = part.strip().partition("-")
        ranges.append((int(first), int(last or first) + 1))
    if any(left >= right for left, right in ranges) or any(
        one[1] > other[0] for one, other in pairwise(ranges)
    ):
        raise InputError(f"the positions {match[2]} must be in ascending order")
    return Want(match[1], tuple(ranges))


class Rule(NamedTuple):
    """A syntactic rule; terminals occur only in the lexicon.

    Parameters
    ----------
    lhs : Nonterminal
    rhs : tuple of Nonterminal
    yield_function : YieldFunction

    Examples
    --------
    >>> vp, md, np = Nonterminal("VP", 2), Nonterminal("MD"), Nonterminal("NP")
    >>> print(Rule(Nonterminal("SQ"), (vp, md, np), ((0, 1, 2, 0),)))
    SQ -> VP_2 MD NP [0 1 2 0]
    """

    lhs: Nonterminal
    rhs: tuple[Nonterminal, ...]
    yield_function: YieldFunction

    def __str__(self) -> str:
        children = " ".join(map(str, self.rhs))
        return f"{self.lhs} -> {children} {render_yield_function(self.yield_function)}"

    @property
    def rank(self) -> int:
        """The number of nonterminals on the right-hand side."""
        return len(self.rhs)

    def check(self) -> None:
        """Raise a GrammarError unless the yield function fits the symbols."""
        if not self.rhs or not all(self.yield_function):
            raise GrammarError(f"rule {self}: a component of the yield function is empty")
        if _fan_outs(self.yield_function) != [child.fanout for child in self.rhs]:
            raise GrammarError(f"rule {self}: {_misfit(self)}")
        if len(self.yield_function) != self.lhs.fanout:
            raise GrammarError(
                f"rule {self}: the yield function has {len(self.yield_function)} components, "
                f"the left-hand side has fan-out {self.lhs.fanout}"
            )


def _misfit(rule: Rule) -> str:
    """Say which child the yield function does not name as often as its fan-out says."""
    named = [child for component in rule.yield_function for child in component]
    wrong = f"{max(named, default=0)}, and the last one is {len(rule.rhs) - 1}"
    for number, child in enumerate(rule.rhs):
        if (times := named.count(number)) != child.fanout:
            wrong = f"{number}, {child}, {counted(times, 'time')}"
            break
    return (
        "the yield function must name every child as often as its fan-out says, "
        f"but names child {wrong}"
    )


@cache
def _fan_outs(yield_function: YieldFunction) -> list[int]:
    """Return the fan-out of each child; nothing if the numbers of children are not 0, 1, 2 ..."""
    named = {child for component in yield_function for child in component}
    return child_fan_outs(yield_function) if named == set(range(len(named))) and named else []


_LETTERS = "XYZUVW"


def in_paper_notation(rule: Rule) -> str:
    """Return a rule with variables, named from left to right; X1, X2 and so on if there are many.

    >>> vp, md, np = Nonterminal("VP", 2), Nonterminal("MD"), Nonterminal("NP")
    >>> in_paper_notation(Rule(Nonterminal("SQ"), (vp, md, np), ((0, 1, 2, 0),)))
    'SQ(XYZU) -> VP(X,U) MD(Y) NP(Z)'
    """
    total = sum(map(len, rule.yield_function))
    letters = _LETTERS if total <= len(_LETTERS) else [f"X{n}" for n in range(1, total + 1)]
    left, children = in_variables(rule.yield_function, letters)
    right = " ".join(map(_predicate, rule.rhs, children))
    return f"{_predicate(rule.lhs, left)} -> {right}"


def _predicate(symbol: Nonterminal, arguments: Sequence[str]) -> str:
    return f"{symbol._replace(fanout=1)}({','.join(arguments)})"


def parsing_complexity(rule: Rule) -> int:
    """Return the parsing complexity: time grows with sentence length to this power.

    It is the sum of the fan-outs of the left-hand side and of the children (Seki et al. 1991;
    Gildea 2010, section 2).

    >>> s, np, vp = Nonterminal("S"), Nonterminal("NP"), Nonterminal("VP", 2)
    >>> parsing_complexity(Rule(s, (np, np), ((0, 1),)))
    3
    >>> parsing_complexity(Rule(vp, (vp, np), ((0, 1), (0,))))
    5
    """
    return rule.lhs.fanout + sum(child.fanout for child in rule.rhs)


def with_tags(
    rules: Mapping[Rule, float], undefined: AbstractSet[Nonterminal] = frozenset()
) -> dict[Rule, float]:
    """Return rules in which symbols without rules are tags, except for the undefined ones."""
    defined = {rule.lhs for rule in rules} | undefined
    tags = {
        child: child if child in defined else child._replace(kind="tag")
        for child in {child for rule in rules for child in rule.rhs}
    }
    return {
        Rule(lhs, tuple([tags[child] for child in rhs]), yield_function): weight
        for (lhs, rhs, yield_function), weight in rules.items()
    }


def cost(probability: float) -> float:
    """Return ``-log p`` (natural logarithm), never below zero."""
    return max(0.0, -log(probability))
