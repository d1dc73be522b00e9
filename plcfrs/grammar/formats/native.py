"""The two formats of plcfrs: the compressed form for programs, and YAML for people.

Both have a header, and lines of rules, words, signatures and examples:

    SQ -> VP_2 MD NP [0 1 2 0] 12
    NN ferry 3
    NN lower -ing 12

The yield function can be left out if all symbols have fan-out 1 and the children follow each other.
Rules may also be in the notation of the papers, as they are printed, with a weight or without:

    SQ(XYZU) -> VP(X,U) MD(Y) NP(Z) 12

Comments begin with ``#`` at the start of a line or after the number. Examples are indented below
their rule, which has no number there.

The compressed form is a JSON header on one line, the rules, an empty line, and the lexicon. If the
lexicon has signatures, they follow after another empty line. If there are examples, they come last,
after a line ``examples:``.
"""

from __future__ import annotations

import json
import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cache
from itertools import islice, takewhile
from math import isfinite
from types import MappingProxyType

from plcfrs.errors import GrammarError
from plcfrs.grammar.grammar import Grammar, Lexicon
from plcfrs.grammar.rules import (
    Nonterminal,
    Rule,
    RuleExample,
    escape,
    parse_example,
    parse_nonterminal,
    parse_yield_function,
    render_yield_function,
    unescape,
    with_tags,
)
from plcfrs.storage.files import check_version, errors_name
from plcfrs.trees.training_set import TrainingSet

_COMMENT = re.compile(r"\s#.*")
_PREDICATE = re.compile(r"\s*(\S+?)\(([A-Za-z0-9, ]*)\)")
_CLAUSE = re.compile(rf"({_PREDICATE.pattern})\s+->((?:{_PREDICATE.pattern}(?=\s|$))+)\s*(\S*)\s*")
_VARIABLE = re.compile(r"[A-Za-z][0-9]*")


def rule_lines(
    grammar: Grammar, comments: Mapping[Rule, str] = MappingProxyType({})
) -> Iterator[str]:
    """Yield lines with a rule, its weight and its comment."""
    names = _names(grammar)
    for rule, weight in grammar.rules.items():
        line = f"{_render_rule(rule, names)} {_render_weight(weight)}"
        yield f"{line}  # {comments[rule]}" if rule in comments else line


def lexicon_lines(grammar: Grammar) -> Iterator[str]:
    """Yield lines with a tag, a word and a weight."""
    names = _names(grammar)
    for word, tags in grammar.lexicon.words.items():
        for tag, weight in tags.items():
            yield f"{names[tag]} {escape(word)} {_render_weight(weight)}"


def signature_lines(grammar: Grammar) -> Iterator[str]:
    """Yield lines with a tag, a signature of rare words and a weight."""
    names = _names(grammar)
    for signature, tags in grammar.lexicon.signatures.items():
        for tag, weight in tags.items():
            yield f"{names[tag]} {signature} {_render_weight(weight)}"


def example_lines(grammar: Grammar) -> Iterator[str]:
    """Yield the rules that have examples, each followed by its examples, indented."""
    names = _names(grammar)
    for rule, examples in grammar.examples.items():
        yield _render_rule(rule, names)
        for example in examples:
            yield f"  {example.line()}"


def parse_rules(
    lines: Iterable[str], undefined: AbstractSet[Nonterminal] = frozenset()
) -> dict[Rule, float]:
    """Read rules. Symbols without rules become tags, unless the header lists them as undefined."""
    parsed: dict[Rule, float] = {}

    def add(line: str) -> None:
        rule, weight = _parse_rule(line)
        if rule in parsed:
            raise GrammarError(f"{rule} occurs twice")
        parsed[rule] = weight

    _for_each(lines, "the rules", add)
    return with_tags(parsed, undefined)


def parse_lexicon(
    lines: Iterable[str], signatures: Iterable[str], defined: set[Nonterminal]
) -> Lexicon:
    """Read the lines of words and of signatures; defined symbols have rules and are not tags."""
    lexicon = Lexicon()

    @cache
    def tag_of(name: str) -> Nonterminal:
        tag = parse_nonterminal(name)
        if tag in defined:
            raise GrammarError(
                f"{tag} has rules, so it cannot have words: "
                f"give the words to the tag {tag}~ and add the rule {tag} -> {tag}~"
            )
        return tag._replace(kind="tag")

    def add(tags: dict[Nonterminal, float], name: str, what: str, weight: str) -> None:
        tag = tag_of(name)
        if tag in tags:
            raise GrammarError(f"{tag} {what} occurs twice")
        tags[tag] = _parse_weight(weight)

    def add_word(line: str) -> None:
        fields = line.split()
        if len(fields) < 3 or (len(fields) > 3 and not fields[3].startswith("#")):
            raise GrammarError(f"{line!r} should be a tag, a word and a number")
        word = unescape(fields[1])
        add(lexicon.words.setdefault(word, {}), fields[0], word, fields[2])

    def add_signature(line: str) -> None:
        fields = _COMMENT.sub("", line).split()
        if len(fields) < 4 or not fields[-2].startswith("-"):
            raise GrammarError(f"{line!r} should be like 'NN lower -ing 12'")
        name, *writing, weight = fields
        signature = " ".join(writing)
        add(lexicon.signatures.setdefault(signature, {}), name, signature, weight)

    _for_each(lines, "the lexicon", add_word)
    _for_each(signatures, "the signatures", add_signature)
    return lexicon


def parse_examples(
    lines: Iterable[str], rules: Mapping[Rule, float]
) -> dict[Rule, tuple[RuleExample, ...]]:
    """Read the examples of rules."""
    symbols = {child for rule in rules for child in rule.rhs}
    examples: dict[Rule, tuple[RuleExample, ...]] = {}
    rule = None
    for number, line in enumerate(lines, start=1):
        place = f"line {number} of the examples"
        if not line.strip() or line.startswith("#"):
            continue
        if not line[0].isspace():
            with errors_name(place):
                rule, _ = _parse_rule(f"{_COMMENT.sub('', line)} 1")
            rhs = [child if child in symbols else child._replace(kind="tag") for child in rule.rhs]
            rule = rule._replace(rhs=tuple(rhs))
            if rule not in rules:
                raise GrammarError(f"{place}: {rule} is not among the rules")
            continue
        with errors_name(place):
            example = parse_example(line)
        if rule is None or len(example.ranges) != rule.lhs.fanout:
            raise GrammarError(f"{place}: the brackets do not fit the rule above")
        examples[rule] = (*examples.get(rule, ()), example)
    return examples


def _render_rule(rule: Rule, names: Mapping[Nonterminal, str]) -> str:
    children = " ".join([names[child] for child in rule.rhs])
    return f"{names[rule.lhs]} -> {children} {render_yield_function(rule.yield_function)}"


def _names(grammar: Grammar) -> dict[Nonterminal, str]:
    """Return the names of all symbols; a tag that looks like a category is marked by ``~``."""
    symbols = grammar.nonterminals()
    return {
        symbol: f"{symbol}~"
        if symbol.kind == "tag" and symbol._replace(kind="category") in symbols
        else str(symbol)
        for symbol in symbols
    }


def _for_each(lines: Iterable[str], what: str, read: Callable[[str], None]) -> None:
    """Read each line that has content; errors name the line."""
    for number, line in enumerate(lines, start=1):
        stripped = line.strip()
        if stripped and not stripped.startswith("#"):
            try:
                read(stripped)
            except GrammarError as error:
                raise GrammarError(f"line {number} of {what}: {error}") from None


def _parse_clause(left: str, right: str) -> Rule:
    """Read a rule in the notation of the papers; its variables are in the order of the sentence."""
    (name, arguments), *children = _PREDICATE.findall(f"{left} {right}")
    owners: dict[str, int] = {}
    rhs = []
    for number, (child, texts) in enumerate(children):
        variables = [text.strip() for text in texts.split(",")]
        for variable in variables:
            if not _VARIABLE.fullmatch(variable) or variable in owners:
                raise GrammarError(f"{child}({texts}): expected variables of its own, such as X,Y")
            owners[variable] = number
        rhs.append(parse_nonterminal(child)._replace(fanout=len(variables)))
    components = [_VARIABLE.findall(text) for text in arguments.split(",")]
    named = [variable for component in components for variable in component]
    for variable in {*named} ^ {*owners}:
        where = f"in {children[owners[variable]][0]}" if variable in owners else f"in {name}"
        raise GrammarError(f"the variable {variable} occurs only {where}")
    for number, (child, texts) in enumerate(children):
        own = [variable for variable in named if owners[variable] == number]
        if own != [variable.strip() for variable in texts.split(",")]:
            raise GrammarError(f"{child}({texts}): its variables must be as in {name}({arguments})")
    lhs = parse_nonterminal(name)._replace(fanout=len(components))
    function = tuple(tuple(owners[variable] for variable in each) for each in components)
    return Rule(lhs, tuple(rhs), function)


def _parse_rule(line: str) -> tuple[Rule, float]:
    content = _COMMENT.sub("", line) if "#" in line else line
    if ")" in content and (clause := _CLAUSE.fullmatch(content)):
        rule = _parse_clause(clause[1], clause[4])
        rule.check()
        return rule, _parse_weight(clause[7] or "1")
    left, arrow, right = content.partition(" -> ")
    symbols, bracket, rest = right.partition(" [")
    components, closing, weight = rest.partition("]")
    if not bracket:
        *names, weight = right.split() or [""]
        symbols = " ".join(names)
    if not arrow or (bracket and not closing) or not symbols or len(weight.split()) != 1:
        raise GrammarError(f"{line!r} should be like 'SQ -> VP_2 MD NP [0 1 2 0] 12'")
    lhs = parse_nonterminal(left.strip())
    rhs = tuple(map(parse_nonterminal, symbols.split()))
    yield_function = parse_yield_function(components) if bracket else (tuple(range(len(rhs))),)
    rule = Rule(lhs, rhs, yield_function)
    rule.check()
    return rule, _parse_weight(weight)


def _parse_weight(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise GrammarError(f"{text.strip()!r} is not a number") from None


def _render_weight(weight: float) -> str:
    return str(int(weight)) if weight == int(weight) else repr(weight)


VERSION = 1
KEYS = (
    "plcfrs",
    "start",
    "weights",
    "options",
    "undefined",
    "rules",
    "lexicon",
    "signatures",
    "examples",
    "training_set",
    "completion",
)


def header_of(grammar: Grammar) -> dict[str, object]:
    """Return the version, start symbol, kind of weights, options and undefined symbols.

    Undefined are symbols without rules that are not tags, as in a selection of rules.
    """
    undefined = " ".join(map(str, _undefined(grammar)))
    return {
        "plcfrs": VERSION,
        "start": str(grammar.start),
        "weights": grammar.weights,
        "options": grammar.options,
        **({"undefined": undefined} if undefined else {}),
    }


def parse_header(header: object) -> tuple[Grammar, set[Nonterminal]]:
    """Return a grammar without rules, and the undefined symbols; see `header_of`."""
    if not isinstance(header, dict) or "plcfrs" not in header:
        raise GrammarError("not a plcfrs grammar: it does not begin with 'plcfrs: 1'")
    check_version(header["plcfrs"], VERSION)
    for key in header:
        if key not in KEYS:
            raise GrammarError(f"unknown key {key!r}; the keys are {', '.join(KEYS)}")
    weights = header.get("weights", "counts")
    if weights not in ("counts", "probabilities"):
        raise GrammarError(f"weights must be counts or probabilities, not {weights!r}")
    options = header.get("options") or {}
    if not isinstance(options, dict):
        raise GrammarError("options must be names with values")
    grammar = Grammar(
        start=parse_nonterminal(str(header.get("start", "ROOT"))),
        weights=weights,
        options={str(name): str(value) for name, value in options.items()},
    )
    try:
        packed = bytes.fromhex(str(header.get("training_set", "")))
        grammar.training_set = set(TrainingSet.restored(packed))
    except ValueError:
        raise GrammarError("training_set is damaged: leave it out") from None
    try:
        grammar.completion = b64decode(str(header.get("completion", "")), validate=True)
    except ValueError:
        raise GrammarError("completion is damaged: leave it out") from None
    undefined = str(header.get("undefined") or "").split()
    return grammar, set(map(parse_nonterminal, undefined))


def _undefined(grammar: Grammar) -> list[Nonterminal]:
    defined = {rule.lhs for rule in grammar.rules}
    children = dict.fromkeys(child for rule in grammar.rules for child in rule.rhs)
    return [child for child in children if child.kind != "tag" and child not in defined]


# The line above the examples, which come last.
_EXAMPLES = "examples:"


def dumps(grammar: Grammar) -> str:
    """Return the text of the compressed form."""
    fields = header_of(grammar)
    if grammar.shifts:
        fields["shifts"] = _pack_shifts(grammar)
    if grammar.training_set:
        fields["training_set"] = TrainingSet(grammar.training_set).stored().hex()
    if grammar.completion:
        fields["completion"] = b64encode(grammar.completion).decode()
    header = json.dumps(fields, ensure_ascii=False)
    lines = [header, *rule_lines(grammar), "", *lexicon_lines(grammar)]
    if grammar.lexicon.signatures:
        lines += ["", *signature_lines(grammar)]
    if grammar.examples:
        lines += ["", _EXAMPLES, *example_lines(grammar)]
    return "\n".join([*lines, ""])


def loads(text: str) -> Grammar:
    """Read a grammar, the inverse of `dumps`."""
    text, _, examples = text.partition(f"\n{_EXAMPLES}\n")
    lines = iter(text.split("\n"))
    first, *rules = takewhile(bool, lines)
    lexicon = takewhile(bool, lines)
    try:
        header = json.loads(first)
    except (ValueError, RecursionError):
        header = None
    shifts = header.pop("shifts", None) if isinstance(header, dict) else None
    parts = {"rules": rules, "lexicon": lexicon, "signatures": lines}
    grammar = parse_parts(header, {**parts, "examples": examples.split("\n")}.__getitem__)
    grammar.shifts = _unpack_shifts(shifts, grammar) if shifts else {}
    return grammar


def parse_parts(header: object, lines_of: Callable[[str], Iterable[str]]) -> Grammar:
    """Read a grammar, given its header and the lines of its other parts by their names."""
    grammar, undefined = parse_header(header)
    grammar.rules = parse_rules(lines_of("rules"), undefined)
    defined = {rule.lhs for rule in grammar.rules}
    grammar.lexicon = parse_lexicon(lines_of("lexicon"), lines_of("signatures"), defined)
    grammar.examples = parse_examples(lines_of("examples"), grammar.rules)
    grammar.check()
    return grammar


def _pack_shifts(grammar: Grammar) -> list[float]:
    """Return the shifts of rules with several components: all but the last, which follows."""
    return [
        round(shift, 4)
        for rule in grammar.rules
        for shift in grammar.shifts.get(rule, (0.0,) * rule.lhs.fanout)[:-1]
    ]


def _unpack_shifts(packed: object, grammar: Grammar) -> dict[Rule, tuple[float, ...]]:
    wanted = sum(rule.lhs.fanout - 1 for rule in grammar.rules)
    numbers = packed if isinstance(packed, list) else []
    are_finite = all(type(each) is float and isfinite(each) for each in numbers)
    if len(numbers) != wanted or not are_finite:
        raise GrammarError("shifts are damaged: leave them out")
    left = iter(numbers)
    shifts = {}
    for rule in grammar.rules:
        if rule.lhs.fanout > 1:
            own = tuple(islice(left, rule.lhs.fanout - 1))
            shifts[rule] = (*own, -sum(own))
    return shifts
