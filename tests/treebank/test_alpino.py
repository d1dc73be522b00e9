"""Alpino's XML: words, co-references, errors, several sentences in a file."""

import pytest

from plcfrs.errors import InputError, TreebankError
from plcfrs.treebank import FORMATS, WRITABLE, read_trees, write_trees
from plcfrs.trees import Node, SecondaryEdge, Token, Tree

# Dat liedje wil zij nu zingen . -- the infinitive has a gap, and the subject of the finite verb.
TREE = """\
<node begin="0" cat="top" end="7" id="0" rel="top">
 <node begin="6" end="7" id="11" lemma="." pos="punct" postag="LET()" rel="--" word="."/>
 <node begin="0" cat="smain" end="6" id="1" rel="--">
  <node begin="2" end="3" id="2" lemma="willen" pos="verb" postag="WW(pv)" rel="hd" word="wil"/>
  <node begin="3" end="4" id="3" index="1" pos="pron" rel="su" root="zij" word="zij"/>
  <node begin="0" cat="inf" end="6" id="4" rel="vc">
   <node begin="5" end="6" id="5" lemma="zingen" root="zing" pos="verb" rel="hd" word="zingen"/>
   <node begin="3" end="4" id="6" index="1" rel="su"/>
   <node begin="0" cat="np" end="2" id="7" rel="obj1">
    <node begin="1" end="2" id="8" lemma="lied" pos="noun" rel="hd" word="liedje"/>
    <node begin="0" end="1" id="9" lemma="dat" pos="det" rel="det" word="Dat"/>
   </node>
   <node begin="4" end="5" id="10" lemma="nu" pos="adv" rel="mod" word="nu"/>
  </node>
 </node>
</node>
"""
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


def sentence(tree=TREE, name="dat.1"):
    return (
        f'<alpino_ds version="1.3">\n{tree}'
        f'<sentence sentid="{name}">Dat liedje wil zij nu zingen .</sentence>\n'
        "<comments>\n<comment>Q#dat.1|&lt;node/>|1|1|0.5</comment>\n</comments>\n</alpino_ds>\n"
    )


def nodes_of(tree):
    return [(node.category, node.functions) for node in tree.nodes()]


def test_a_sentence_by_hand(read):
    (tree,) = read(HEAD + sentence())
    assert tree.id == "dat.1"
    assert tree.tokens == [
        Token("Dat", "det", "dat", "", "det"),
        Token("liedje", "noun", "lied", "", "hd"),
        Token("wil", "verb", "willen", "WW(pv)", "hd"),
        Token("zij", "pron", "zij", "", "su"),
        Token("nu", "adv", "nu", "", "mod"),
        Token("zingen", "verb", "zingen", "", "hd"),
        Token(".", "punct", ".", "LET()", ""),
    ]
    main, stop = tree.root.children
    infinitive = main.children[0]
    phrase = infinitive.children[0]
    assert nodes_of(tree) == [("ROOT", ()), ("smain", ()), ("inf", ("vc",)), ("np", ("obj1",))]
    assert stop == 6
    assert main.children == [infinitive, 2, 3]
    assert infinitive.children == [phrase, 4, 5]
    assert phrase.children == [0, 1]
    assert tree.secondary_edges == [SecondaryEdge("su", 3, infinitive)]
    assert tree.gap_degree() == 1


def test_the_trees_can_be_written_in_other_formats(tmp_path, read):
    (tree,) = read(sentence())
    for name in ("a.export", "b.xml"):
        write_trees([tree], tmp_path / name)
        (same,) = read_trees(tmp_path / name)
        assert same == tree
        assert [edge.label for edge in same.secondary_edges] == ["su"]


def test_constituents_are_shared_too(read):
    shared = TREE.replace('cat="np"', 'cat="np" index="2"').replace(
        '<node begin="6"', '<node begin="0" end="2" id="12" index="2" rel="obj2"/>\n<node begin="6"'
    )
    (tree,) = read(sentence(shared))
    phrase = tree.nodes()[3]
    assert tree.secondary_edges == [
        SecondaryEdge("obj2", phrase, tree.root),
        SecondaryEdge("su", 3, tree.nodes()[2]),
    ]


def test_nodes_without_words_are_left_out(read):
    empty = (
        '<node cat="conj" id="20" rel="mod" index="5"><node cat="np" id="21" rel="cnj">'
        '<node id="22" index="1" rel="hd"/></node></node><node id="23" index="5" rel="x"/>'
        '<node id="24" rel="dp"/><node cat="pp" id="25" rel="mod"/>\n'
    )
    (tree,) = read(sentence(TREE.replace('  <node begin="5"', empty + '  <node begin="5"', 1)))
    assert nodes_of(tree) == [("ROOT", ()), ("smain", ()), ("inf", ("vc",)), ("np", ("obj1",))]
    assert [edge.label for edge in tree.secondary_edges] == ["su"]


def test_words_take_the_order_of_their_positions(read):
    # A word may take several positions; 10 comes after 9.
    words = "".join(
        f'<node begin="{begin}" id="{begin}" pos="x" rel="mwp" word="{word}"/>\n'
        for begin, word in [(10, "d"), (2, "b"), (0, "a"), (9, "c")]
    )
    (tree,) = read(sentence(f'<node cat="mwu" rel="top">{words}</node>'))
    assert [token.form for token in tree.tokens] == ["a", "b", "c", "d"]
    assert nodes_of(tree) == [("ROOT", ()), ("mwu", ("top",))]


def test_small_trees(read):
    for tree, words in [
        ('<node cat="top" rel="top"><node begin="0" pos="x" rel="--" word="Ja"/></node>', ["Ja"]),
        ('<node begin="0" pos="x" rel="--" word="Ja"/>', ["Ja"]),
        ('<node cat="top" rel="top"/>', []),
        ('<node cat="top" rel="top"><node cat="np" rel="x"/></node>', []),
    ]:
        (found,) = read(sentence(tree))
        assert found == Tree(
            Node("ROOT", children=[*range(len(words))]), [Token("Ja", "x")] * len(words)
        )


def test_several_sentences_in_a_file(read):
    text = sentence(name="1") + "\n" + sentence(name="2")
    assert [tree.id for tree in read(f"{HEAD}<treebank>\n{text}</treebank>")] == ["1", "2"]
    nameless = sentence().replace(' sentid="dat.1"', "")
    assert [tree.id for tree in read(f"<treebank>{nameless}{nameless}</treebank>")] == [
        "a:1",
        "a:2",
    ]
    no_text = sentence(name="").replace("sentence", "text")
    assert [tree.id for tree in read(no_text)] == ["a:1"]


def test_other_annotation_is_left_out(read):
    extra = (
        '<metadata><meta name="x"/></metadata><conllu><![CDATA[1\tDat </alpino_ds>\n]]></conllu>'
        '<root ud="basic"><nsubj><node word="x"/></nsubj></root>'
    )
    text = sentence().replace("<sentence", f"{extra}<sentence")
    text = text.replace('word="nu"/>', 'word="nu"><ud id="5"><dep head="3"/></ud></node>')
    assert read(text) == read(sentence())


def test_the_declared_encoding(read):
    text = HEAD.replace("UTF-8", "ISO-8859-1") + sentence().replace("liedje", "coördinatie")
    assert read(text, "latin-1")[0].tokens[1].form == "coördinatie"


def test_errors_name_the_line_and_the_sentence(read):
    for old, new, line, message in [
        ('begin="2" end="3"', f'begin="{"1" * 5000}"', 7, "begin of a word must be a number"),
        ('<node begin="2" end="3"', "<node", 7, "begin of a word must be a number, not ''"),
        ('<node begin="2"', '<node begin="-2"', 7, "begin of a word must be a number, not '-2'"),
        ('<node begin="2"', '<node begin="3"', 8, "a second word begins at position 3"),
        (' cat="np"', "", 12, r"a node with children has no category \(cat\)"),
        ('begin="0" cat="np"', 'begin="9" word="np"', 12, "a word has other words below it"),
        ('index="1" rel', 'index="4" rel', 11, "no node has content for index '4'"),
        ('word="wil"', "word=wil", 7, "not well-formed XML"),
        ("<sentence", "</node><sentence", 20, "not well-formed XML: mismatched tag"),
        ("</alpino_ds>", "", 3, "'</alpino_ds>' is missing: this sentence does not end"),
        (TREE, "", 3, "the sentence has no node"),
    ]:
        bad = sentence().replace(old, new, 1)
        assert bad != sentence()
        good = sentence(name="dat.2")
        errors = []
        trees = read(f"<treebank>\n\n{bad}{good}</treebank>", on_error=errors.append)
        assert [tree.id for tree in trees] == ["dat.2"]
        with pytest.raises(TreebankError, match=rf"a\.xml:{line}, sentence dat\.1: {message}"):
            raise errors[0]
        assert len(errors) == 1


def test_it_can_only_be_read(tmp_path):
    assert "alpino" in FORMATS
    assert "alpino" not in WRITABLE
    with pytest.raises(InputError, match="cannot write the format alpino: write one of brackets, "):
        write_trees([], tmp_path / "a.xml", format="alpino")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["alpino", "corpus-x"])
@pytest.mark.parametrize("file", ["a.xml", "a.txt", "a"])
def test_other_roots_and_identifiers(tmp_path, name, file):
    path = tmp_path / file
    path.write_text(f'{HEAD}<!-- a --><{name}>\n<alpino_ds id="7">{TREE}</alpino_ds></{name}>')
    (tree,) = read_trees(path)
    assert (tree.id, len(tree.tokens)) == ("7", 7)
