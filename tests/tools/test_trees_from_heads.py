"""Partial trees of sentences with heads, and which trees agree with the heads."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "tools"))
from agreement_with_heads import agreement
from trees_from_heads import agrees, partial_tree, with_usual_nodes

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


def test_usual_nodes():
    tree = Tree.from_string("(HEADING (NP (NN 0=Way) (PRT (RB 1=up) (RP 2=out))))")
    assert str(with_usual_nodes(tree)) == "(ROOT (NP (NN 0=Way) (ADVP (RB 1=up) (RP 2=out))))"
    tree = Tree.from_string("(VP (VP (VBP 2=like) (NP (PRP 3=it))) (ADVP (RB 1=really)) (NN 0=I))")
    assert str(with_usual_nodes(tree)) == (
        "(ROOT (VP (NN 0=I) (ADVP (RB 1=really)) (VBP 2=like) (NP (PRP 3=it))))"
    )
    tree = Tree.from_string("(VP (MD 0=will) (VP (VB 1=go)))")
    assert with_usual_nodes(tree.copy()) == tree
