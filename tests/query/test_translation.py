"""Translated queries find what the other tools find: nodes named by hand, and `nltk.tgrep`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk_tgrep import OPERATORS, found_by_tgrep
from query_strategies import trees, untangled
from quick import core, examples

from plcfrs import Tree, find
from plcfrs.errors import InputError
from plcfrs.query.translation import LANGUAGES, suggest, translate
from plcfrs.trees import Node, Token, render_label

PENN = Tree.from_string(
    "(S (NP-SBJ (NP (DT the) (NN dog)) (PP (IN of) (NP (PRP$ my) (NN aunt)))) (ADVP (RB often)) "
    "(VP (VBZ barks) (NP-TMP (NN night))) (. .))"
)
"""Only here are labels enough to say which node is meant: NP is used thrice."""


def german_tree():
    tokens = [
        Token("Bücher", "NN", "Buch", "Acc.Pl", "OA"),
        Token("hat", "VAFIN", "haben", "3.Sg", "HD"),
        Token("der", "ART", "der", "Nom.Sg", "NK"),
        Token("Mann", "NN", "Mann", "Nom.Sg", "NK"),
        Token("gelesen", "VVPP", "lesen", "--", "HD"),
        Token(".", "$.", ".", "--", ""),
    ]
    vp = Node("VP", ("OC",), children=[0, 4])
    s = Node("S", children=[vp, 1, Node("NP", ("SB",), children=[2, 3])])
    return Tree(Node("ROOT", children=[s, 5]), tokens)


GERMAN = german_tree()


def found(tree, text, language):
    """Return the labels of the nodes, and the words of the tokens, that a query finds."""
    return [
        render_label(one) if isinstance(one, Node) else tree.tokens[one].form
        for one in find(tree, translate(text, language))
    ]


# The same in tgrep2 and in Tregex: the operators, and what they find in the English tree.
SHARED = [
    ("NP < DT", "NP"),
    ("DT > NP", "the"),
    ("__ << aunt", "ROOT S NP-SBJ PP NP aunt"),
    ("NN >> PP", "aunt"),
    ("S <, NP-SBJ", "S"),
    ("DT >, NP", "the"),
    ("NP <- NN", "NP NP"),
    ("NN >- NP", "dog aunt"),
    ("NP <` NN", "NP NP"),
    ("NN >` NP", "dog aunt"),
    ("S <2 ADVP", "S"),
    ("ADVP >2 S", "ADVP"),
    ("S <-2 VP", "S"),
    ("VP >-2 S", "VP"),
    ("__ <: RB", "ADVP"),
    ("RB >: ADVP", "often"),
    ("S <<, the", "S"),
    ("DT >>, S", "the"),
    ("ADVP <<: often", "ADVP"),
    ("often >>: ADVP", "often"),
    ("NN . RB", "aunt"),
    ("RB , NN", "often"),
    ("DT .. VP", "the"),
    ("VP ,, RB", "VP"),
    ("NP $ PP", "NP"),
    ("NP $. PP", "NP"),
    ("PP $, NP", "PP"),
    ("ADVP $.. VP", "ADVP"),
    ("VP $,, NP-SBJ", "VP"),
    ("NP % PP", "NP"),
    ("NP", "NP NP"),
    ("NP-SBJ|VP", "NP-SBJ VP"),
    ("/^NP/", "NP-SBJ NP NP NP-TMP"),
    ("/^V/ < /^barks$/", "barks"),
    ("NP !< DT", "NP"),
    ("NP < !DT", "NP NP"),
    ("S < !NP-SBJ|/^V/", "S"),
    ("VP < !/^(V|N)/", ""),
    ("NP < NN !< DT", "NP"),
    ("NP < NN & < DT", "NP"),
    ("NP < (NN . RB)", "NP"),
    ("/^NP/ < DT | < PP", "NP-SBJ NP"),
    ("/^NP/ < NN [< DT | > VP]", "NP NP-TMP"),
    ("/^NP/ [< DT | > VP] < NN", "NP NP-TMP"),
    ("/^NP/ ![< DT | > VP]", "NP-SBJ NP"),
    ("/^NP/ ?< DT ?[< PP]", "NP-SBJ NP NP NP-TMP"),
    ("/^NP/ [?< DT | < PP]", "NP-SBJ NP NP NP-TMP"),
    ("S < ADVP=a < (/^V/ , =a)", "S"),
    ("S < ADVP=1 < VP=v : =1 . =v", "S"),
    ("S < ADVP=a < VP : =a", "S"),
]
TGREP2 = [
    ("S <<` night", ""),
    ("S <<' \\.", "S"),
    ("NN >>` VP", "night"),
    ("i@vp", "VP"),
    ("i@/^the$/", "the"),
    ("/^vp$/i", "VP"),
    ("* < !i@vp", "ROOT S NP-SBJ NP PP NP ADVP VP NP-TMP the dog of my aunt often barks night ."),
    ('"PRP$"', "my"),
    (r"PRP\$", "my"),
    ("S < 'NP-SBJ", "NP-SBJ"),
    ("S < (`VP < (/^NP/ < NN)) <2 ADVP", "VP"),
    ("S < (NP-SBJ < (NP=n < 'DT)) < VP : =n . PP", "the"),
    ("S < 'ADVP=a $ x", ""),
    ("'S <<, the ;", "S"),
    ("@ N /^NP/;\n# a comment; and more\n@ D /^(DT|PRP\\$)/;\n@N|VP <, @D", "NP NP"),
    ("@ N /^NP/;  @ BARE @N !< (DT|NP);\n# the query:\n@BARE > S|PP|VP", "NP NP-TMP"),
    ("@ N NP|VP; 'S < !@N < @N=n : =n < VBZ", "S"),
    ('@ THE "@N"|i@THE; @ LEAF (* !< *); @THE . @LEAF', "the"),
]
TREGEX = [
    ("@NP", "NP-SBJ NP NP NP-TMP"),
    ("@NP|VP < NN", "NP NP NP-TMP"),
    ("@NP $+ ADVP", "NP-SBJ"),
    ("VP $- ADVP", "VP"),
    ("@NP $++ VP", "NP-SBJ"),
    ("VP $-- @NP", "VP"),
    ("@/^N/ > VP", "NP-TMP"),
    ("@/^N/ > @NP", "NP dog aunt night"),
    ("PP < !@NP", "PP"),
    ("@__ >: ADVP", "often"),
    ("VP <<- NN", "VP"),
    ("NN >>- VP", "night"),
    ("@NP <# NN", "NP NP NP-TMP"),
    ("VBZ ># VP", "barks"),
    ("__ <<# barks", "ROOT S VP barks"),
    ("NN >># @NP !>># NP", "night"),
    ("S <# (VP <# VB|VBZ)", "S"),
]


@core(
    2,
    ("text", "nodes", "language"),
    [
        *((*case, "tgrep2") for case in (*SHARED, *TGREP2)),
        *((*case, "tregex") for case in (*SHARED, *TREGEX)),
    ],
)
def test_brackets(text, nodes, language):
    assert found(PENN, text, language) == nodes.split()


TIGERSEARCH = [
    ('[cat="NP"]', "NP-SB"),
    ('[cat=("NP"|"VP")]', "VP-OC NP-SB"),
    ("[NT]", "ROOT S VP-OC NP-SB"),
    ("[T]", "Bücher hat der Mann gelesen ."),
    ("[]", "ROOT S VP-OC NP-SB Bücher hat der Mann gelesen ."),
    ('[pos="NN" & word="Mann"]', "Mann"),
    ('[word="\\."]', "."),
    ("[word=/.*e.*/]", "Bücher der gelesen"),
    ("[lemma=/haben|sein/]", "hat"),
    ("[morph=/Nom.*/]", "der Mann"),
    ('[pos!="NN"]', "hat der gelesen ."),
    ('[cat!="NP"]', "ROOT S VP-OC"),
    ('[pos=(!"NN" & /V.*/)]', "hat gelesen"),
    ('[!(cat="NP" | pos="NN")]', "ROOT S VP-OC hat der gelesen ."),
    ('[!pos="NN" & word=/.*a.*/]', "hat"),
    ('[cat="VP" | pos="ART"]', "VP-OC der"),
    ('[cat="NP"] > [pos="ART"]', "NP-SB"),
    ('[cat="S"] >SB [cat="NP"]', "S"),
    ('[cat="S"] >OA [cat="NP"]', ""),
    ('[] > #x:[pos="NN"]', "VP-OC NP-SB"),
    ('[] >* [pos="ART"]', "ROOT S NP-SB"),
    ('[] >2 [pos="ART"]', "S"),
    ('[] >2,3 [pos="ART"]', "ROOT S"),
    ('[] >@l [word="Bücher"]', "ROOT S VP-OC Bücher"),
    ('[cat="S"] >@r [word="Mann"]', ""),
    ('[NT] >@r [word="gelesen"]', "S VP-OC"),
    ('[pos="NN"] . [pos="VAFIN"]', "Bücher"),
    ('[pos="NN"] .* [pos="VVPP"]', "Bücher Mann"),
    ('[cat="VP"] . [pos="VAFIN"]', "VP-OC"),  # as its first word
    ('[pos="VAFIN"] . [cat="NP"]', "hat"),
    ('[cat="VP"] .* [cat="NP"]', "VP-OC"),
    ('[pos="NN"] .2 [pos="ART"]', "Bücher"),
    ('[pos="NN"] .1,4 [pos="VVPP"]', "Bücher Mann"),
    ('[cat="VP"] $ [cat="NP"]', "VP-OC"),
    ('[cat="VP"] $.* [cat="NP"]', "VP-OC"),
    ('[cat="NP"] $.* [cat="VP"]', ""),
    ('[pos="ART"] $.* [pos="NN"]', "der"),
    ('#s:[cat="S"] >* #n:[pos="NN"] & #s !>SB #n', "S"),
    ('#p:[] > #n & #s:[cat="S"] >* #n:[pos="NN"] & #s !> #p', ""),
    ('#v:[cat="S"] > #a & #v > #b & #a !. #b', "S"),
    ('#n:[pos="NN"] & #s:[cat="S"] >* #n & #s > #v:[cat="VP"] & #v !> #n', "Mann"),
    ('#n:[pos="NN"] & #s:[cat="S"] >* #n & #s > #v:[cat="VP"] & #v !>* #n', "Mann"),
    ('#n:[pos="NN"] & #s:[cat="S"] >* #n & #s > #v:[cat="VP"] & #v !>@l #n', "Mann"),
    ('#n:[pos="NN"] & #s:[cat="S"] >* #n & #s > #v:[cat="VP"] & #v !>OA #n', "Mann"),
    ('#s:[cat="S"] > #v:[cat="VP"] & #s !>@l #v', "S"),  # it is no token
    ('#n:[pos="NN"] & #s:[cat="S"] >* #n & #s > #v:[cat="VP"] & #n !$ #v', "Bücher Mann"),
    ('#s:[cat="S"] > #n & #s > #v:[pos="VAFIN"] & #n !.* #v', "S"),
    ("discontinuous(#a)", "VP-OC"),
    ("#a:[cat=/.P/] & continuous(#a)", "NP-SB"),
    ("root(#a) & #a:[NT]", "ROOT"),
    ("arity(#a,2)", "ROOT VP-OC NP-SB"),
    ("arity(#a,3,4)", "S"),
    ("#a:[NT] & tokenarity(#a,2)", "VP-OC NP-SB"),
    ("tokenarity(#a,3,5)", "S"),
    ('(#n:[cat="S"] > [pos="VAFIN"]) & (#n > [cat="NP"])', "S"),
    ('#s > [pos="ART"] | #s > [pos="VVPP"]', "VP-OC NP-SB"),
    ('#s:[] & (#s > #x | #s >2 #x) & #x:[pos="ART"]', "S NP-SB"),
    ('[cat="NP"] | [pos="ART"] . #x', "NP-SB der"),
    ('#s:[cat="S"] >OC #v & #s >SB #n & #v .* #n & #v >OA #o & #o .* #n', "S"),
    ('#1:[cat="S"] > #2 & #1 > #3 & #2 $ #3', "S"),
    ('#s:[cat="S" | cat="VP"] & discontinuous(#s)', "VP-OC"),
    ('// clauses\n#s:[cat="S"] /* and\n their verbs */ > [pos="VAFIN"] // finite', "S"),
    ('[word="//"] | [word=/M.*/ /* not in */ & pos="NN"]', "Mann"),
]


def test_tigersearch():
    for text, nodes in TIGERSEARCH:
        assert found(GERMAN, text, "tigersearch") == nodes.split()


def test_root_without_a_virtual_one():
    tree = Tree.from_string("(S (NP (PRP They)) (VP (VBP sing)))")
    assert found(tree, '#s:[cat="S"] & root(#s)', "tigersearch") == ["S"]
    assert found(tree, '#s:[cat="NP"] & root(#s)', "tigersearch") == []


REFUSED = [
    ("tgrep2", "@ NPX /^NP/ @NPX < VP", "column 1: @ cannot be translated: no macro of this name"),
    ("tgrep2", "S < @NPX", "column 5: @ cannot be translated: no macro of this name"),
    ("tgrep2", "@ A @B; @ B DT; NP < @A", "column 7: @ cannot be translated: no macro of this"),
    (
        "tgrep2",
        "@ M0 NP|NP; " + "".join(f"@ M{i + 1} @M{i}|@M{i}; " for i in range(60)) + "@M60",
        "with its macros, a query has more than 10000 characters",
    ),
    ("tgrep2", "NP = (* < DT)", "column 4: = cannot be translated: no operator"),
    ("tgrep2", "NP ~ VP", "column 4: ~ cannot be translated: labels"),
    ("tgrep2", "NP; VP", "column 3: ; cannot be translated: a query here is one pattern"),
    ("tgrep2", "/NP/x", "column 1: /NP/x cannot be translated: only the flag i"),
    ("tgrep2", "S < 'NP < 'VP", "column 11: ' cannot be translated: there are two marks"),
    ("tgrep2", "S < ('NP < 'VP)", "column 12: ' cannot be translated: there are two marks"),
    ("tgrep2", "S < 'NP | < VP", "column 5: ' cannot be translated: the marked node must be"),
    ("tgrep2", "S !< (VP < 'NP)", "column 12: ' cannot be translated: the marked node must be"),
    ("tgrep2", "S ?< 'NP", "column 6: ' cannot be translated: the marked node must be"),
    ("tgrep2", "S ![< 'NP]", "column 7: ' cannot be translated: the marked node must be"),
    ("tgrep2", "S=s : =s < 'NP", "column 12: ' cannot be translated: the marked node must be"),
    ("tgrep2", "S : NP", "column 3: : cannot be translated: the node behind it must be =name"),
    ("tgrep2", "S < !*", "column 5: ! cannot be translated: there is no node"),
    (
        "tgrep2",
        "S ![?< NP]",
        "column 3: ! cannot be translated: a negation has an optional condition",
    ),
    ("tgrep2", "NP < /(/", "column 6: /(/ cannot be translated: it is not a regular expression"),
    ("tgrep2", "S ?< NP=n < =n", "the translation /^S$/ < =n is refused: query, column 9"),
    ("tgrep2", "NP $+ VP", "column 4: '$+' is not expected here"),
    ("tgrep2", "NP <", "column 5: the query ends too early"),
    ("tgrep2", "@ N /^NP/; @N <", "column 8: the query ends too early, in /^NP/ <"),
    ("tregex", "NP <+(VP) NN", "column 4: <+ cannot be translated: chains"),
    ("tregex", "NN >+(VP) NP", "column 4: >+ cannot be translated: chains"),
    ("tregex", "NN .+(VP) NP", "column 4: .+ cannot be translated: chains"),
    ("tregex", "NN ,+(VP) NP", "column 4: ,+ cannot be translated: chains"),
    ("tregex", "NP == @NP", "column 4: == cannot be translated: no operator"),
    ("tregex", "NP <= @NP", "column 4: <= cannot be translated: no operator"),
    ("tregex", "NP <<< dog", "column 4: <<< cannot be translated: there is no such"),
    ("tregex", "NP <... { DT ; NN }", "column 4: <... cannot be translated: there is no such"),
    ("tregex", "NP=n < ~n", "column 8: ~ cannot be translated: labels"),
    ("tregex", "/-([0-9])$/#1%i", "column 12: # cannot be translated: parts of expressions"),
    ("tregex", "S < 'NP", "column 5: ' cannot be translated: marks are of tgrep2"),
    ("tregex", "NP < 'tis", "column 6: ' cannot be translated"),
    ("tregex", "NP $+ (VP", "column 10: the query ends too early"),
    ("tigersearch", "#x >~ #y", "column 4: >~ cannot be translated: plcfrs queries do not see"),
    ("tigersearch", "#x >~RE #y", "column 4: >~RE cannot be translated: plcfrs queries do not see"),
    ("tigersearch", "#x !$.* #y", "column 4: !$.* cannot be translated: a negation covers two"),
    ("tigersearch", "#x >0 #y", "column 4: >0 cannot be translated: unexpected distances"),
    ("tigersearch", "#x .3,2 #y", "column 4: .3,2 cannot be translated: unexpected distances"),
    ("tigersearch", "arity(#x)", "column 1: arity cannot be translated: unexpected numbers"),
    ("tigersearch", "[pos=#c]", "column 6: #c cannot be translated: plcfrs has no variables"),
    ("tigersearch", "[pos=Noun]", "column 6: Noun cannot be translated: plcfrs has no variables"),
    (
        "tigersearch",
        "[Noun]",
        "column 2: Noun cannot be translated: plcfrs knows only the types NT and T",
    ),
    (
        "tigersearch",
        '[case="Nom"]',
        "column 2: case cannot be translated: plcfrs knows the features",
    ),
    ("tigersearch", "[word=/(/]", "cannot be translated: it is not a regular expression"),
    ("tigersearch", "[T] & #x", "column 7: #x cannot be translated: no relation that is not"),
    ("tigersearch", '[NT] !>NK [pos="NE"]', "column 11: this node cannot be translated: no relat"),
    ("tigersearch", "&".join(["(#a | #b)"] * 7), "too many alternatives"),
    ("tigersearch", "&".join(["#a > #b"] * 99), "too many parts"),
    ("tigersearch", '[cat="NP" > [pos="ART"]', "column 11: '>' is not expected here"),
    ("tigersearch", "[", "column 2: the query ends too early"),
    ("tgrep2", "NP < " * 10_000, "more than 10000 characters"),
    ("tgrep", "NP", "unknown language tgrep: choose one of tgrep2, tregex, tigersearch"),
]


def test_what_cannot_be_translated():
    for language, text, message in REFUSED:
        with pytest.raises(InputError) as error:
            translate(text, language)
        assert message in str(error.value)
        assert str(error.value).startswith(
            (f"{language}, column ", f"{language}: ", "unknown language")
        )
        assert "\n" not in str(error.value)


@core(1, "language", LANGUAGES)
def test_deep_queries(language):
    deep = "(a<" * 2000 + "b" + ")" * 2000
    with pytest.raises(InputError):
        translate(f"[{'(' * 4000}" if language == "tigersearch" else deep, language)


def test_suggestions():
    for text, suggestion in [
        ("NP $+ VP", "/^NP$/ $. /^VP$/"),
        ("@NP < NN", "NP < /^NN$/"),
        ('[cat="NP"]', "*[category=NP]"),
        ('#x:[pos="NN"]', "*[tag=NN]"),
        ("S < 'NP", "/^NP$/ > /^S$/"),
        ("VP[discontinous]", ""),
        ("NP <", ""),
        ("NP $+", ""),
        ("", ""),
    ]:
        assert suggest(text) == suggestion


# The queries of the manuals (of Rohde, of the class TregexPattern, of TIGERSearch), of the tutorial
# of TGrep2 (euge.de), and of Lu's (2010) measures of syntactic complexity.
PUBLISHED = [
    ("tgrep2", "NP < PP", "/^NP$/ < /^PP$/"),
    ("tgrep2", "NP << PP . VP", "/^NP$/ << /^PP$/ . /^VP$/"),
    ("tgrep2", "NP << PP | . VP", "/^NP$/[<< /^PP$/ | . /^VP$/]"),
    ("tgrep2", "NP !<< PP [> NP | >> VP]", "/^NP$/ !<< /^PP$/ & [> /^NP$/ | >> /^VP$/]"),
    ("tgrep2", "NP << (PP . VP)", "/^NP$/ << (/^PP$/ . /^VP$/)"),
    ("tgrep2", "NP <' (PP <, (IN < on))", "/^NP$/ <` (/^PP$/ <, (/^IN$/ < /^on$/))"),
    ("tgrep2", "S < (A < B) < C", "/^S$/ < (/^A$/ < /^B$/) < /^C$/"),
    ("tgrep2", "S < ((A < B) < C)", "/^S$/ < (/^A$/ < /^B$/ < /^C$/)"),
    ("tgrep2", "A<B&.C", "/^A$/ < /^B$/ . /^C$/"),
    ("tgrep2", "/^VP$/ < /^NP/ < /DT/", "/^VP$/ < /^NP/ < /DT/"),
    ("tgrep2", "PP > VP < (IN < /^on$/)", "/^PP$/ > /^VP$/ < (/^IN$/ < /^on$/)"),
    (
        "tregex",
        "(@NP <, (@NP $+ (/,/ $+ (@NP $+ /,/=comma))) <- =comma)",
        "NP <, (NP $. (/,/ $. (NP $. /,/=comma))) <- =comma",
    ),
    ("tregex", "NP [< NN | < NNS] & > S", "/^NP$/[< /^NN$/ | < /^NNS$/] > /^S$/"),
    ("tregex", "S < (NP $++ VP)", "/^S$/ < (/^NP$/ $.. /^VP$/)"),
    ("tregex", "(NP < !NNP|NNS)", "/^NP$/ < /^(?!.*(^(NNP|NNS)$))/"),
    ("tregex", "(@NP < @/NN.?/)", "NP < *[category=/NN.?/ | tag=/NN.?/ & < *]"),
    ("tregex", "VP > S|SINV|SQ", "/^VP$/ > /^(S|SINV|SQ)$/"),
    (
        "tregex",
        "S|SBARQ|SINV|SQ > ROOT | [$-- S|SBARQ|SINV|SQ !>> SBAR|VP]",
        "/^(S|SBARQ|SINV|SQ)$/[> /^ROOT$/ | $,, /^(S|SBARQ|SINV|SQ)$/ !>> /^(SBAR|VP)$/]",
    ),
    ("tregex", "ADJP|ADVP|NP|VP < CC", "/^(ADJP|ADVP|NP|VP)$/ < /^CC$/"),
    (
        "tregex",
        "NP !> NP [<< JJ|POS|PP|S|VBG | << (NP $++ NP !$+ CC)]",
        "/^NP$/ !> /^NP$/ & [<< /^(JJ|POS|PP|S|VBG)$/ | << (/^NP$/ $.. /^NP$/ !$. /^CC$/)]",
    ),
    ("tregex", "MD|VBZ|VBP|VBD > (SQ !< VP)", "/^(MD|VBZ|VBP|VBD)$/ > (/^SQ$/ !< /^VP$/)"),
    ("tregex", "S < (VP <# VBG|TO) $+ VP", "/^S$/ < (/^VP$/ <# /^(VBG|TO)$/) $. /^VP$/"),
    (
        "tregex",
        "SBAR [<# WHNP | <# (IN < That|that|For|for) | <, S] & [$+ VP | > VP]",
        "/^SBAR$/[<# /^WHNP$/ | <# (/^IN$/ < /^(That|that|For|for)$/) | <, /^S$/] "
        "& [$. /^VP$/ | > /^VP$/]",
    ),
    ("tigersearch", '[word="Abend" & pos="NN"]', "*[word=Abend & tag=NN]"),
    ("tigersearch", '[word=/Ma.*/ & pos= ("NN"|"NE")]', "*[word=/^(Ma.*)$/ & tag=NN|NE]"),
    ("tigersearch", '[cat="NP"] > [pos="ART"]', "*[category=NP] < *[tag=ART]"),
    (
        "tigersearch",
        '(#n:[cat="NP"] > [pos="ART"]) & (#n >* [pos="ADJA"])',
        "*=n[category=NP] < *[tag=ART] << *[tag=ADJA]",
    ),
    ("tigersearch", "[word = /.+[0-9A-Z]+.*/]", "*[word=/^(.+[0-9A-Z]+.*)$/]"),
    ("tigersearch", "[word = /[dD](as|er)/]", "*[word=/^([dD](as|er))$/]"),
    ("tigersearch", '[pos != "NN"]', "*[tag & tag!=NN]"),
    ("tigersearch", '[word = "\\,"]', '*[word=","]'),
    ("tigersearch", '[cat="VP"] >* [cat=(!"NP")]', "*[category=VP] << *[category & category!=NP]"),
    ("tigersearch", "arity(#n,2,4)", "*[<2 * & !<5 *]"),
    ("tigersearch", "tokenarity(#n,5,8)", "*[length>=5 & length<=8]"),
]


def test_published_queries():
    for language, text, translated in PUBLISHED:
        assert translate(text, language) == translated


LABELS = st.sampled_from(("S", "NP", "NP-SBJ", "NP|VP", "NN", "/P/", "/^V/|S", 'i@"np"', "i@/^n/"))


def patterns(depth):
    """Patterns as both tgrep2 and NLTK read them; there, words are only found below others."""
    if depth == 0:
        return LABELS
    below = LABELS | st.sampled_from(("*", "w0", "w1")) | patterns(depth - 1)
    relation = st.builds(
        "{}{} {}".format, st.sampled_from(("", "!")), st.sampled_from((*OPERATORS, "%")), below
    )
    joined = st.builds("{} {} {}".format, relation, st.sampled_from(("", "&", "|")), relation)
    group = st.builds("{}[{}]".format, st.sampled_from(("", "!")), joined)
    # NLTK reads what follows a bracket as tgrep2 does: it belongs to the first node.
    further = st.builds("{} {}".format, relation, group)
    return st.builds("({} {})".format, LABELS, relation | joined | group | further)


def continuous_trees():
    """Trees without crossing branches, but with functions, which names must not overlook."""

    def with_functions(tree):
        functions = [node.functions for node in tree.nodes()]
        tree.root = untangled(tree.root, iter(range(len(tree.tokens))))
        for node, own in zip(tree.nodes(), functions, strict=True):
            node.functions, node.moved = own, None
        return tree

    return trees(max_tokens=6).map(with_functions)


@examples(60)
@given(continuous_trees(), patterns(2))
def test_agreement_with_nltk(tree, query):
    query = query[1:-1]
    assert set(find(tree, translate(query, "tgrep2"))) == found_by_tgrep(tree, query)
