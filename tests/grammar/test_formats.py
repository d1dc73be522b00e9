"""Both forms of grammar files: round trips, and reports of damage."""

import gzip
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from nasty import WORDS
from nasty_grammars import nasty_grammars, same
from quick import core

from plcfrs.errors import GrammarError
from plcfrs.grammar import Grammar, Lexicon, Nonterminal, Rule, tag
from plcfrs.grammar.formats import native as compressed
from plcfrs.grammar.formats import recognize_grammar
from plcfrs.grammar.formats import yaml as readable
from plcfrs.grammar.formats.native import parse_rules

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reference" / "grammar-file.md").read_text(encoding="utf-8")
S, VP, NP, B = Nonterminal("S"), Nonterminal("VP", 2), Nonterminal("NP"), tag("b")
SMALL = Grammar(
    {Rule(S, (VP, B), ((0, 1, 0),)): 1, Rule(VP, (B, B), ((0,), (1,))): 2.5},
    Lexicon({"ö": {B: 1}, "#": {B: 3}}),
    start=S,
)
HEAD = "plcfrs: 1\nstart: S\nrules: |\n"


@given(nasty_grammars(signatures=True))
def test_both_forms_round_trip(grammar):
    grammar.check()
    assert same(readable.loads(readable.dumps(grammar)), grammar)
    assert same(compressed.loads(compressed.dumps(grammar)), grammar)
    readable.dumps(grammar).encode()


@core(1, "suffix", [".yaml", ".yml", ".yaml.gz", ".plcfrs", ".plcfrs.gz", ".gz", ""])
def test_files_round_trip(tmp_path, suffix):
    grammar = Grammar(dict(SMALL.rules), Lexicon({word: {B: 1, tag(word): 2} for word in WORDS}), S)
    path = tmp_path / f"grammar{suffix}"
    grammar.save(path)
    assert same(Grammar.load(path), grammar)
    assert same(Grammar.load(str(path)), grammar)
    assert list(tmp_path.iterdir()) == [path]


@core(1, "name", ["grammar.yaml", "grammar.plcfrs"])
def test_signatures_stand_beside_the_lexicon(tmp_path, name):
    rules = {Rule(S, (B,), ((0,),)): 0.5, Rule(S, (B, B), ((0, 1),)): 0.5}
    lexicon = Lexicon({"ö": {B: 3}}, {"lower -": {B: 2, tag("c"): 1}, "Capital first -s": {B: 0.5}})
    grammar = Grammar(rules, lexicon, S, "probabilities")  # of rules; words have counts
    grammar.save(tmp_path / name)
    assert same(Grammar.load(tmp_path / name), grammar)
    text = readable.dumps(grammar)
    block = "signatures: |\n  b lower - 2\n  c lower - 1\n  b Capital first -s 0.5\n"
    assert text.endswith("lexicon: |\n  b ö 3\n" + block)


def test_only_signatures():
    grammar = Grammar({Rule(S, (B,), ((0,),)): 1}, Lexicon({}, {"lower -": {tag("c"): 1}}), S)
    assert same(readable.loads(readable.dumps(grammar)), grammar)
    assert same(compressed.loads(compressed.dumps(grammar)), grammar)


@core(
    1,
    ("line", "message"),
    [
        ("A lower 1", "line 1 of the signatures: 'A lower 1' should be like 'NN lower -ing 12'"),
        ("A", "line 1 of the signatures: 'A' should be like 'NN lower -ing 12'"),
        ("A lower -ing", "line 1 of the signatures: 'A lower -ing' should be like"),
        ("A lower -ing x", "line 1 of the signatures: 'x' is not a number"),
        ("A_ lower - 1", "line 1 of the signatures: 'A_' is not a nonterminal"),
        ("S lower - 1", "line 1 of the signatures: S has rules, so it cannot have words"),
        ("A lower - 1\n  A lower - 2", "line 2 of the signatures: A lower - occurs twice"),
        ("A lower - -1", "A lower -: -1 is outside the range of counts"),
    ],
)
def test_wrong_signatures(tmp_path, line, message):
    path = tmp_path / "grammar.yaml"
    path.write_text(f"{HEAD}  S -> A 1\nsignatures: |\n  {line}\n")
    assert error_of(path).startswith(message)


def test_the_compressed_form_keeps_shifts(tmp_path):
    wide = [rule for rule in SMALL.rules if rule.lhs.fanout > 1]
    assert wide
    shifts = {rule: (0.25,) * (rule.lhs.fanout - 1) for rule in wide}
    shifts = {rule: (*shift, -sum(shift)) for rule, shift in shifts.items()}
    path = tmp_path / "grammar.plcfrs"
    replace(SMALL, shifts=shifts).save(path)
    assert Grammar.load(path).shifts == shifts
    text = gzip.decompress(path.read_bytes())
    for wrong in (b"[0.25, 0.5]", b'"a"', b"[true]", b"[NaN]"):
        path.write_bytes(gzip.compress(text.replace(b"[0.25]", wrong)))
        assert error_of(path) == "shifts are damaged: leave them out"


def test_the_same_grammar_gives_the_same_bytes(tmp_path):
    SMALL.save(tmp_path / "one")
    SMALL.save(tmp_path / "two")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@core(
    1,
    "grammar",
    [Grammar(), Grammar(lexicon=Lexicon({"ö": {B: 1}})), Grammar({Rule(S, (B,), ((0,),)): 1})],
    ids=["empty", "only words", "only rules"],
)
def test_grammars_without_rules_or_words_round_trip(grammar):
    assert same(readable.loads(readable.dumps(grammar)), grammar)
    assert same(compressed.loads(compressed.dumps(grammar)), grammar)


@core(1, "name", ["NO", "null", "1", "1.0", "0x10", "2001-01-01", "~x", ":", "ö"])
def test_start_symbols_that_yaml_would_take_for_something_else(name):
    symbol = Nonterminal(name)
    grammar = Grammar({Rule(symbol, (B,), ((0,),)): 1}, start=symbol, options={"heads": name})
    assert same(readable.loads(readable.dumps(grammar)), grammar)


def test_a_symbol_written_by_hand_needs_no_quotes():
    assert readable.loads("plcfrs: 1\nstart: NO\n").start == Nonterminal("NO")
    assert readable.loads("plcfrs: 1\noptions:\n  heads: yes\n").options == {"heads": "yes"}


def test_what_people_write():
    text = """# a comment
plcfrs: 1
start: S
rules: |
  # a comment
  S -> NP VP_2 [0 1 1] 2   # the [ in a comment means nothing

  S    ->  NP   NP   1e1#x
  VP_2 -> V \\# [0,1] 1# no blank, no comment
"""
    with pytest.raises(GrammarError, match="line 4 of the rules: '1e1#x' is not a number"):
        readable.loads(text)
    with pytest.raises(GrammarError, match="line 5 of the rules"):
        readable.loads(text.replace("1e1#x", "1e1 #x [0]"))
    text = text.replace("1e1#x", "1e1 #x [0]").replace("1# no", "1 # no")
    text += "  NP -> NN~ .5\n  NN -> NN~ 1\nlexicon: |\n  NN~  \\#1 3 # x\n  # NN y 1\n  V a#b 1"
    grammar = readable.loads(text.replace("\n", "\r\n"))
    assert [(str(rule), weight) for rule, weight in grammar.rules.items()] == [
        ("S -> NP VP_2 [0 1 1]", 2),
        ("S -> NP NP [0 1]", 10),
        ("VP_2 -> V \\# [0, 1]", 1),
        ("NP -> NN [0]", 0.5),
        ("NN -> NN [0]", 1),
    ]
    assert list(grammar.rules)[3].rhs == (tag("NN"),)
    assert grammar.lexicon.words == {"#1": {tag("NN"): 3}, "a#b": {tag("V"): 1}}


def test_symbols_without_rules_are_tags():
    grammar = readable.loads(HEAD + "  S -> NP V 1\n  NP -> N 1\n")
    assert [symbol.kind for symbol in grammar.nonterminals()] == [
        "category",
        "category",
        "tag",
        "tag",
    ]


def error_of(path: Path) -> str:
    """Return the message of a file that cannot be loaded: one line that names the file."""
    with pytest.raises(GrammarError) as caught:
        Grammar.load(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert len(message.splitlines()) == 1
    assert len(message) < 400
    return message.removeprefix(f"{path}: ")


@core(
    1,
    ("line", "message"),
    [
        (
            "S -> NP [0 0] 1",
            "line 2 of the rules: rule S -> NP [0 0]: the yield function must name every child",
        ),
        ("S -> VP_2 1", "the yield function must name every child"),
        ("S -> NP [0, 0] 1", "the yield function must name every child"),
        ("S -> NP VP_2 [0 1, 1] 1", "2 components, the left-hand side has fan-out 1"),
        ("S -> NP [0 -1] 1", "the yield function must name every child"),
        ("S -> NP [0 99999999999999] 1", "the yield function must name every child"),
        ("S -> NP [0,] 1", "empty component"),
        ("S -> NP [] 1", "empty component"),
        ("S -> NP [a] 1", "is not a yield function such as [0 1, 0]"),
        ("S -> NP [0 1", "should be like"),
        ("S -> NP [0]", "should be like"),
        ("S -> NP", "should be like"),
        ("S -> 1", "should be like"),
        ("S ->", "should be like"),
        ("S NP 1", "should be like"),
        ("S->NP 1", "should be like"),
        ("S -> NP [0] 1 1", "should be like"),
        ("S -> NP one", "'one' is not a number"),
        ("S -> NP_x 1", "line 2 of the rules: 'NP_x' is not a nonterminal"),
        ("S^ -> NP 1", "line 2 of the rules: 'S^' is not a nonterminal"),
        ("S -> NP 0", "S -> NP [0]: 0 is outside the range of counts"),
        ("S -> NP -1", "-1 is outside the range of counts"),
        ("S -> NP nan", "nan is outside the range of counts"),
        ("S -> NP inf", "inf is outside the range of counts"),
        ("S -> A 7", "line 2 of the rules: S -> A [0] occurs twice"),
        ("S -> V_2 [0 0] 1", "V_2 has no rules, so it is a tag; but tags must have fan-out 1"),
        ("V~ -> A 1", "V is a tag, and tags have no rules"),
    ],
)
def test_wrong_rules(tmp_path, line, message):
    path = tmp_path / "wrong.yaml"
    path.write_text(f"{HEAD}  S -> A 1\n  {line}\n")
    assert message in error_of(path)


@core(
    1,
    ("line", "message"),
    [
        ("A a", "line 1 of the lexicon: 'A a' should be a tag, a word and a number"),
        ("A a b 1", "should be a tag, a word and a number"),
        ("A a x", "line 1 of the lexicon: 'x' is not a number"),
        ("A_ a 1", "line 1 of the lexicon: 'A_' is not a nonterminal"),
        ("A_2 a 1", "tags must have fan-out 1"),
        ("S a 1", "give the words to the tag S~ and add the rule S -> S~"),
        ("A a 0", "A a: 0 is outside the range of counts"),
        ("A a nan", "nan is outside the range of counts"),
        ("A a 1\n  A a 2", "line 2 of the lexicon: A a occurs twice"),
    ],
)
def test_wrong_words(tmp_path, line, message):
    path = tmp_path / "wrong.yaml"
    path.write_text(f"{HEAD}  S -> A 1\nlexicon: |\n  {line}\n")
    assert message in error_of(path)


@core(
    1,
    ("text", "message"),
    [
        ("", "not a plcfrs grammar"),
        ("\n\n", "not a plcfrs grammar"),
        ("hello", "not a plcfrs grammar"),
        ("- a\n- b\n", "not a plcfrs grammar"),
        ("services:\n  web:\n    image: x\n", "not a plcfrs grammar"),
        ("released: 2001-99-99\n", "not a plcfrs grammar"),
        ("count: 0b_\n", "not a plcfrs grammar"),
        ("a: *b\n", "not a plcfrs grammar"),
        ("[1, 2\n", "not YAML: line 2"),
        ("a: b: c\n", "not YAML: line 1"),
        ("a: !!python/object/apply:os.system [ls]\n", "not a plcfrs grammar"),
        ("plcfrs: 1\n---\nplcfrs: 1\n", "not YAML: line 2"),
        ("(S (NP (PRP it)) (VP (VBZ rains)))\n", "not a plcfrs grammar"),
        ("plcfrs: 2\n", "written by a newer plcfrs in format 2, but this one reads format 1"),
        ("plcfrs:\n", "unknown format ''"),
        ("plcfrs: 1\nweights: numbers\n", "weights must be counts or probabilities"),
        ("plcfrs: 1\nweights: [counts]\n", "weights must be counts or probabilities"),
        ("plcfrs: 1\nstart: VP_2\n", "the start symbol VP_2 must have fan-out 1"),
        ("plcfrs: 1\nstart: V P_\n", "is not a nonterminal"),
        ("plcfrs: 1\noptions: x\n", "options must be names with values"),
        ("plcfrs: 1\nrules: [S -> NP 1]\n", "write 'rules: |' above them"),
        ("plcfrs: 1\nweight: counts\n", "unknown key 'weight'"),
        ("plcfrs: 1\nstart: S\nweights: probabilities\nrules: |\n  S -> A 1.5\n", "1.5 is outside"),
    ],
)
def test_other_yaml(tmp_path, text, message):
    path = tmp_path / "other.yaml"
    path.write_text(text)
    assert message in error_of(path)


@core(1, "opening", ["[", "- ", "{a: ", "? "])
def test_deep_nesting_does_not_crash(tmp_path, opening):
    path = tmp_path / "deep.yaml"
    path.write_text(100_000 * opening)
    assert "nested" in error_of(path)


def test_references_cannot_make_a_file_huge(tmp_path):
    path = tmp_path / "laughs.yaml"
    lines = ["a0: &a0 [x, x]", *(f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]" for i in range(1, 60))]
    path.write_text("\n".join([*lines, "plcfrs: *a59"]))
    assert "references" in error_of(path)


@core(
    1,
    "data",
    [
        b"\x00\x01\x02",
        b"\xff\xfe\x00",
        b"\x89PNG\r\n\x1a\n\x00\x00",
        b"plcfrs: 1\nrules: |\n  S -> \xe4 1\n",
        "plcfrs: 1".encode("utf-16"),
        b"\x1f\x8b",
        b"\x1f\x8b\x08",
        gzip.compress(b""),
        gzip.compress(b"hello\n"),
        gzip.compress(b"\xff\xff"),
        gzip.compress(b"[" * 100_000),
        gzip.compress(b'{"plcfrs": ' + b"1" * 5000 + b"}"),
        gzip.compress(b'{"plcfrs": 2}\n\n'),
        gzip.compress(b"[1]\n\n"),
    ],
    ids=range(14),
)
def test_other_files(tmp_path, data):
    path = tmp_path / "other"
    path.write_bytes(data)
    assert re.match(
        "not a plcfrs (grammar|model)|written by a newer plcfrs|unknown format|the file is damaged",
        error_of(path),
    )


@core(2, "name", ["a", "a.model", "a.rules", "a.gz"])
@core(2, "suffix", [".plcfrs", ".yaml"])
def test_grammars_are_told_by_their_content(tmp_path, suffix, name):
    grammar = Grammar(dict(SMALL.rules), SMALL.lexicon, S)
    grammar.save(tmp_path / f"grammar{suffix}")
    data = (tmp_path / f"grammar{suffix}").read_bytes()
    if suffix == ".yaml":
        data = b"# A grammar by hand.\n\n---\n" + data
        data = gzip.compress(data) if name == "a.gz" else data
    (tmp_path / name).write_bytes(data)
    assert recognize_grammar(tmp_path / name) is not None
    assert same(Grammar.load(tmp_path / name), grammar)


@core(1, "text", ["( (S (NN word)))", "#FORMAT 4\n", "<corpus/>", "", "{}", "plcfrs"])
def test_what_is_no_grammar_is_not_taken_for_one(tmp_path, text):
    (tmp_path / "a.model").write_text(text)
    assert recognize_grammar(tmp_path / "a.model") is None
    assert recognize_grammar(tmp_path / "no such file") is None
    assert recognize_grammar(tmp_path) is None


@core(
    1, ("name", "program"), [("a.rcg", "rparse"), ("a.rcg.gz", "rparse"), ("a.pmcfg", "treetools")]
)
def test_formats_that_are_not_supported(tmp_path, monkeypatch, name, program):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text("C:1 S:1.0 S1([0]) --> A1([0])\n")
    for use in (Grammar.load, SMALL.save):
        with pytest.raises(GrammarError) as caught:
            use(name)
        assert str(caught.value) == (
            f"{name}: grammars of {program} are not supported: give a file that ends in one of "
            ".plcfrs, .yaml, .yml, .rules"
        )


def test_folders_and_missing_files(tmp_path):
    assert error_of(tmp_path) == "Is a directory"
    assert error_of(tmp_path / "none") == "No such file or directory"


@core(1, "name", ["folder", "none/grammar", "."])
def test_places_that_cannot_be_written(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    with pytest.raises(GrammarError, match=f"^{re.escape(name)}: "):
        SMALL.save(name)
    assert list(tmp_path.iterdir()) == [tmp_path / "folder"]


def test_the_example_of_the_page_about_grammar_files():
    (example,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    figure = Grammar.load(ROOT / "grammars" / "evang-kallmeyer-figure-6.yaml")
    assert same(readable.loads(example), figure)


def test_the_rules_of_the_page_about_grammar_files():
    rows = re.findall(r"^\| `(.* -> .*)` \| (.*?)(?:: .*)? \|$", PAGE, re.M)
    assert len(rows) == 4
    for line, in_the_papers in rows:
        (rule,) = parse_rules([line])
        assert as_in_the_papers(rule) == in_the_papers


def as_in_the_papers(rule: Rule) -> str:
    """Render a rule with variables, named X, Y, Z, U from left to right on the left-hand side."""
    names = iter("XYZUVW")
    arguments: list[list[str]] = [[] for _ in rule.rhs]
    components = []
    for component in rule.yield_function:
        variables = []
        for child in component:
            variables.append(next(names))
            arguments[child].append(variables[-1])
        components.append("".join(variables))
    children = [
        f"{child}({','.join(variables)})"
        for child, variables in zip(rule.rhs, arguments, strict=True)
    ]
    return f"{rule.lhs}({','.join(components)}) -> {' '.join(children)}"
