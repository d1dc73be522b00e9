"""Partial trees of sentences with heads, and which trees agree with the heads."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2] / "tools"))
from agreement_with_heads import agreement
from trees_from_heads import agrees, partial_tree

from plcfrs import read_dependencies
from plcfrs.trees import Tree

# Which book will the girl at home read? She went to a.com, he said. It is so long that I left and I
# swim faster than you. It is odd to swim.
SENTENCES = """\
1	Which	_	DET	WDT	_	2	det	_	_
2	book	_	NOUN	NN	_	8	obj	_	_
3	will	_	AUX	MD	_	8	aux	_	_
4	the	_	DET	DT	_	5	det	_	_
5	girl	_	NOUN	NN	_	8	nsubj	_	_
6	at	_	ADP	IN	_	7	case	_	_
7	home	_	NOUN	NN	_	5	nmod	_	_
8	read	_	VERB	VB	_	0	root	_	_
9	?	_	PUNCT	.	_	8	punct	_	_

1	She	_	PRON	PRP	_	2	nsubj	_	_
2	went	_	VERB	VBD	_	0	root	_	_
3	to	_	ADP	IN	_	4	case	_	_
4	a.com	_	X	ADD	_	2	obl	_	_
5	,	_	PUNCT	,	_	7	punct	_	_
6	he	_	PRON	PRP	_	7	nsubj	_	_
7	said	_	VERB	VBD	_	2	parataxis	_	_

1	It	_	PRON	PRP	_	4	nsubj	_	_
2	is	_	AUX	VBZ	_	4	cop	_	_
3	so	_	ADV	RB	_	4	advmod	_	_
4	long	_	ADJ	JJ	_	0	root	_	_
5	that	_	SCONJ	IN	_	7	mark	_	_
6	I	_	PRON	PRP	_	7	nsubj	_	_
7	left	_	VERB	VBD	_	4	ccomp	_	_
8	and	_	CCONJ	CC	_	10	cc	_	_
9	I	_	PRON	PRP	_	10	nsubj	_	_
10	swim	_	VERB	VBP	_	4	conj	_	_
11	faster	_	ADV	RBR	_	10	advmod	_	_
12	than	_	ADP	IN	_	13	case	_	_
13	you	_	PRON	PRP	_	11	obl	_	_

1	It	_	PRON	PRP	_	3	expl	_	_
2	is	_	AUX	VBZ	_	3	cop	_	_
3	odd	_	ADJ	JJ	_	0	root	_	_
4	to	_	PART	TO	_	5	mark	_	_
5	swim	_	VERB	VB	_	3	csubj	_	_

"""


def sentences(tmp_path):
    path = tmp_path / "few.conllu"
    path.write_text(SENTENCES, encoding="utf-8")
    return list(read_dependencies(str(path)))


def test_partial_trees(tmp_path):
    question, quotation, comparison, extraposed = map(str, map(partial_tree, sentences(tmp_path)))
    assert question == (
        "(ROOT (VP (* (WDT 0=Which) (NN 1=book)) (VB 7=read)) (MD 2=will) "
        "(* (* (DT 3=the) (NN 4=girl)) (* (IN 5=at) (NN 6=home))) (. 8=?))"
    )
    assert quotation == (
        "(ROOT (VP (* (PRP 0=She) (VBD 1=went) (* (TO 2=to) (* 3=a.com))) (VBD 6=said)) "
        "(, 4=,) (PRP 5=he))"
    )
    assert str(comparison) == (
        "(ROOT (* (PRP 0=It) (VBZ 1=is) (ADJP (RB 2=so) (JJ 3=long) (* (IN 4=that) "
        "(* (PRP 5=I) (VBD 6=left))))) (CC 7=and) (* (PRP 8=I) (VP (VBP 9=swim) "
        "(* (RBR 10=faster) (* (IN 11=than) (PRP 12=you))))))"
    )
    assert extraposed == ("(ROOT (PRP 0=It) (VP (VBZ 1=is) (JJ 2=odd)) (VP (TO 3=to) (VB 4=swim)))")


def test_agreement(tmp_path):
    question = sentences(tmp_path)[0]
    right = "(SQ (VP (NP (D 0=Which) (N 1=book)) (V 7=read)) (M 2=will) (NP {}) (. 8=?))"
    inside = Tree.from_string(right.format("(NP (D 3=the) (N 4=girl)) (PP (P 5=at) (N 6=home))"))
    assert agrees(inside, question)
    across = Tree.from_string(right.format("(D 3=the) (NP (N 4=girl) (P 5=at)) (N 6=home)"))
    assert not agrees(across, question)
    assert not agrees(Tree.from_string(str(inside).replace("(PP", "(X")), question)
    counts = agreement([question, question], iter([inside, across]))
    assert counts["nmod", "yields"] == 2
    assert counts["nmod", "constituents"] == counts["nmod", "crossed"] == 1


def partial(tmp_path, *lines):
    """Return the partial tree of a sentence, given the form, tag, head and relation of words."""
    rows = [line.split() for line in lines]
    text = "\n".join(
        f"{number}\t{form}\t_\t_\t{tag}\t_\t{head}\t{relation}\t_\t_"
        for number, (form, tag, head, relation) in enumerate(rows, start=1)
    )
    (tmp_path / "one.conllu").write_text(text + "\n\n", encoding="utf-8")
    (sentence,) = read_dependencies(str(tmp_path / "one.conllu"))
    return str(partial_tree(sentence)), sentence


RULES = {
    "to and": (
        "They PRP 2 nsubj; hope VBP 0 root; to TO 4 mark; swim VB 2 xcomp; and CC 6 cc;"
        "dive VB 4 conj",
        "(PRP 0=They) (VP (VBP 1=hope) (VP (TO 2=to) (VP (VB 3=swim) (CC 4=and) (VB 5=dive))))",
    ),
    "auxiliaries of conjuncts": (
        "He PRP 3 nsubj; was VBD 3 aux; singing VBG 0 root; and CC 6 cc; would MD 6 aux;"
        "dance VB 3 conj",
        "(PRP 0=He) (VP (VBD 1=was) (VBG 2=singing) (CC 3=and) (VP (MD 4=would) (VB 5=dance)))",
    ),
    "prepositions of conjuncts": (
        "Eat VB 0 root; in IN 3 case; town NN 1 obl; or CC 6 cc; at IN 6 case; sea NN 3 conj",
        "(VB 0=Eat) (* (* (IN 1=in) (NN 2=town)) (CC 3=or) (* (IN 4=at) (NN 5=sea)))",
    ),
    "inverted quotations": (
        "I PRP 2 nsubj; sing VBP 4 ccomp; , , 2 punct; said VBD 0 root; Ann NNP 4 nsubj",
        "(VP (* (PRP 0=I) (VBP 1=sing)) (, 2=,) (VBD 3=said)) (NNP 4=Ann)",
    ),
}


@pytest.mark.parametrize(("lines", "expected"), RULES.values(), ids=RULES)
def test_rules(tmp_path, lines, expected):
    text, _ = partial(tmp_path, *lines.split(";"))
    assert text == f"(ROOT {expected})"


def test_free_relatives(tmp_path):
    text, sentence = partial(
        tmp_path, "Sing VB 0 root", "what WP 1 obj", "you PRP 4 nsubj", "like VBP 2 acl:relcl"
    )
    assert text == "(ROOT (VB 0=Sing) (* (VP (WP 1=what) (VBP 3=like)) (PRP 2=you)))"
    assert agrees(Tree.from_string(text.replace("(*", "(S")), sentence)
