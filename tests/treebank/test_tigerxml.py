"""TIGER-XML: structure, XML as it is found, errors, streaming, round trips."""

import tracemalloc
from xml.etree import ElementTree

import pytest
from hypothesis import example, given
from nasty import texts

from plcfrs.errors import TreebankError
from plcfrs.treebank import FORMATS, read_trees, write_trees
from plcfrs.trees import Node, SecondaryEdge, Token, Tree

FORMAT = FORMATS["tigerxml"]

# Darüber muss sie nachdenken . -- the VP has a gap, the full stop no mother.
SENTENCE = """\
<s id="s7">
<graph root="s7_501">
<terminals>
<t id="s7_1" word="Darüber" lemma="darüber" pos="PROAV" morph="--"/>
<t id="s7_2" word="muss" lemma="müssen" pos="VMFIN" morph="3.Sg.Pres.Ind"/>
<t id="s7_3" word="sie" lemma="sie" pos="PPER" morph="Nom.Sg.Fem">
<secedge label="SB" idref="s7_500"/>
</t>
<t id="s7_4" word="nachdenken" lemma="nachdenken" pos="VVINF" morph="--"/>
<t id="s7_5" word="." lemma="--" pos="$." morph="--"/>
</terminals>
<nonterminals>
<nt id="s7_500" cat="VP">
<edge label="HD" idref="s7_4"/>
<edge label="OP" idref="s7_1"/>
<secedge label="--" idref="s7_501"/>
</nt>
<nt id="s7_501" cat="S^V2">
<edge label="OC-X" idref="s7_500"/>
<edge label="HD" idref="s7_2"/>
<edge label="SB" idref="s7_3"/>
</nt>
</nonterminals>
</graph>
</s>
"""
FILE = f"""\
<?xml version="1.0" encoding="utf-8" standalone="yes"?>
<corpus id="ours">
<head><annotation><feature name="word" domain="T"/></annotation></head>
<body>
{SENTENCE}</body>
</corpus>
"""


def small(name, word="ja"):
    return (
        f'<s id="{name}"><graph root="x"><terminals><t id="{name}_1" word="{word}" pos="PTKANT"/>'
        "</terminals><nonterminals/></graph></s>"
    )


def read_leniently(read, text):
    errors = []
    trees = read(text, on_error=errors.append)
    return [tree.id for tree in trees], errors


def again(tree):
    """Write a tree and read it."""
    (chunk,) = FORMAT.split(FORMAT.render(tree, 1).splitlines(keepends=True), "a.xml")
    return FORMAT.parse(chunk)


def check_sentence(tree):
    assert tree.id == "s7"
    assert tree.tokens == [
        Token("Darüber", "PROAV", "darüber", "", "OP"),
        Token("muss", "VMFIN", "müssen", "3.Sg.Pres.Ind", "HD"),
        Token("sie", "PPER", "sie", "Nom.Sg.Fem", "SB"),
        Token("nachdenken", "VVINF", "nachdenken", "", "HD"),
        Token(".", "$.", "", "", ""),
    ]
    sentence, stop = tree.root.children
    assert (tree.root.category, stop) == ("ROOT", 4)
    assert (sentence.category, sentence.split, sentence.functions) == ("S", "V2", ())
    phrase = sentence.children[0]
    assert sentence.children == [phrase, 1, 2]
    assert (phrase.category, phrase.functions, phrase.children) == ("VP", ("OC", "X"), [0, 3])
    assert tree.secondary_edges == [
        SecondaryEdge("SB", 2, phrase),
        SecondaryEdge("", phrase, sentence),
    ]


def test_a_sentence_by_hand(read):
    (tree,) = read(FILE)
    check_sentence(tree)


def test_xml_as_it_is_found(read):
    for old, new in [
        ("\n", "\r\n"),
        ("\n", ""),
        ("\n", " \n\n\t"),
        ('"', "'"),
        ('morph="--"/>', 'morph="--">\n </t>'),
        ('<t id="s7_1" word="Darüber" lemma', '<t word="Darüber"\n  id = "s7_1" morph2="x" lemma'),
        ("Darüber", "Dar&#252;ber"),
        ("Darüber", "Dar&#xFC;ber"),
        (
            '<nt id="s7_500"',
            "<!-- <nt/> </s> <s> --><![CDATA[ </s> <s id='0'> ]]>\n<nt id='s7_500'",
        ),
        ('<nt id="s7_500"', "<!--\n</s>\n<s id='x'>\n--><nt id='s7_500'"),
        ("<s id", "<!-- <s id='s0'> </s>\n<s id='s1'>\n</s> -->\n<s id"),
        ("<head>", "<head><![CDATA[ <s id='s0'> ]]>"),
        ("<corpus", "<!DOCTYPE corpus SYSTEM 'nowhere.dtd'>\n<corpus"),
        ("<s id", "<s xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' art_id='1' id"),
        ("</s>", "<matches><match subgraph='s7_500'/></matches></s >"),
        ("<?xml", "\ufeff<?xml"),
        ('<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n', ""),
        ('root="s7_501"', 'root="nowhere"'),
        ("s7_", "a.b-"),
    ]:
        assert old in FILE
        (tree,) = read(FILE.replace(old, new))
        check_sentence(tree)


def test_entities(read):
    (tree,) = read(small("s1", "&lt;&quot;R&amp;D&apos;s&gt;&#10;"))
    assert tree.tokens[0].form == "<\"R&D's>\n"


def test_what_is_missing_is_nothing(read):
    (tree,) = read("<s><graph><terminals><t id='1' word='--' lemma='--'/></terminals></graph></s>")
    assert tree.tokens == [Token("--", "")]
    assert tree.id == "a:1"


def test_a_sentence_without_tokens(read):
    for empty in ['<s id="s1"></s>', '<s id="s1"/>', '<s id="s1"><graph/></s>']:
        first, second = read(f"<corpus><body>{empty}\n{small('s2')}</body></corpus>")
        assert (first.id, first.tokens, first.root.children) == ("s1", [], [])
        assert second.id == "s2"
        assert again(first) == first


def test_corpora_and_subcorpora(read):
    text = (
        f"<subcorpus name='a'>{small('s1')}<subcorpus name='b'>\n{small('s2')}</subcorpus>"
        f"</subcorpus><subcorpus name='c' external='file:c.xml'/>\n{small('s3')}{small('s4')}"
    )
    assert [tree.id for tree in read(f"<corpus><body>{text}</body></corpus>")] == [
        "s1",
        "s2",
        "s3",
        "s4",
    ]
    two = f"<corpus id='1'>{small('s1')}</corpus>\n<corpus id='2'>{small('s2')}</corpus>"
    assert [tree.id for tree in read(two)] == ["s1", "s2"]
    assert [tree.id for tree in read(f"<subcorpus name='a'>{small('s1')}</subcorpus>")] == ["s1"]


def test_the_virtual_root_is_root(read):
    edge = "<edge label='{}' idref='{}'/>".format
    root = f"<nt id='v' cat='VROOT'>{edge('--', 's7_501')}<secedge label='A' idref='s7_500'/></nt>"
    text = FILE.replace("</nonterminals>", f"{root}</nonterminals>")
    text = text.replace('<secedge label="--" idref="s7_501"/>', "<secedge label='B' idref='v'/>")
    (tree,) = read(text)
    (sentence,) = tree.root.nodes
    assert tree.root.children == [sentence, 4]
    phrase = sentence.nodes[0]
    assert tree.secondary_edges == [
        SecondaryEdge("SB", 2, phrase),
        SecondaryEdge("B", phrase, tree.root),
        SecondaryEdge("A", tree.root, phrase),
    ]
    whole = text.replace("idref='s7_501'/>", f"idref='s7_501'/>{edge('PNC', 's7_5')}")
    (tree,) = read(whole)
    assert tree.root.children == [tree.root.nodes[0], 4]
    assert tree.tokens[4].function == "PNC"


def test_secondary_edges_to_tokens_are_left_out(read):
    (tree,) = read(FILE.replace('<secedge label="--" idref="s7_501"/>', "<secedge idref='s7_1'/>"))
    assert [edge.label for edge in tree.secondary_edges] == ["SB"]


def test_the_declared_encoding_goes_first(read):
    for declared in ["ISO-8859-1", "iso-8859-15", "Windows-1252", "latin1"]:
        # These bytes are also valid utf-8.
        (tree,) = read(FILE.replace("utf-8", declared).replace("Darüber", "Ã©ber"), declared)
        assert tree.tokens[0].form == "Ã©ber"


def test_other_encodings(tmp_path, read):
    path = tmp_path / "b.xml"
    path.write_bytes(FILE.replace('encoding="utf-8"', "").encode("latin-1"))
    check_sentence(next(read_trees(path, encoding="latin-1")))
    with pytest.raises(TreebankError, match=r"b\.xml:8: byte 0xfc is not utf-8"):
        list(read_trees(path))
    # A byte order mark overrides the declaration, and a user can correct a declaration.
    check_sentence(read("\ufeff" + FILE.replace("utf-8", "latin-1"))[0])
    path.write_bytes(FILE.encode("latin-1"))
    check_sentence(next(read_trees(path, encoding="latin-1")))
    with pytest.raises(TreebankError, match="wrong header: encoding 'klingon'"):
        read(FILE.replace("utf-8", "klingon"))


def test_errors_name_the_line_and_the_sentence(read):
    for old, new, line, message in [
        (
            '<edge label="HD" idref="s7_4"/>',
            "<edge idref='s7_9'/>",
            18,
            "this edge points to 's7_9'",
        ),
        ('<edge label="HD" idref="s7_4"/>', "<edge label='HD'/>", 18, "this edge points to ''"),
        ('"SB" idref="s7_500"', '"SB" idref="x"', 11, "this secedge points to 'x': no t or nt"),
        (
            'idref="s7_3"',
            'idref="s7_1"',
            25,
            "two edges to 's7_1': write the second one as secedge",
        ),
        ('"OP" idref="s7_1"', '"OP" idref="s7_501"', 17, "node 's7_500' is in a cycle"),
        ('"OC-X" idref="s7_500"', '"X" idref="s7_501"', 22, "node 's7_501' is in a cycle"),
        (
            "</nonterminals>",
            "<nt id='e' cat='X'/></nonterminals>",
            27,
            "node 'e' has no children",
        ),
        ('id="s7_5"', 'id="s7_4"', 14, "the id 's7_4' occurs twice"),
        ('id="s7_501" cat', 'id="s7_4" cat', 22, "the id 's7_4' occurs twice"),
        ('id="s7_5" word', "word", 14, "a t has no id"),
        (' word="."', "", 14, r"a token \(t\) has no word"),
        (' cat="VP"', "", 17, r"a node \(nt\) has no category"),
        ('lemma="sie"', "lemma=sie", 10, "not well-formed XML: not well-formed"),
        ("</t>", "</nt>", 12, "not well-formed XML: mismatched tag"),
        ("Darüber", "R&D", 8, "not well-formed XML"),
        ("Darüber", "&auml;", 8, "not well-formed XML: undefined entity"),
        ("Darüber", "a<b", 8, "not well-formed XML"),
        ("Darüber", "\x01", 8, "not well-formed XML"),
        ('pos="PROAV"', 'word="x"', 8, "not well-formed XML: duplicate attribute"),
        ("</terminals>", "<!-- </terminals>", 20, "not well-formed XML"),
        ("</s>", "", 5, "'</s>' is missing: this sentence does not end"),
    ]:
        bad = SENTENCE.replace(old, new, 1)
        assert bad != SENTENCE
        names, errors = read_leniently(
            read, f"<corpus>\n<body>\n{small('s1')}\n\n{bad}{small('s9')}\n</body></corpus>\n"
        )
        assert names == ["s1", "s9"]
        with pytest.raises(TreebankError, match=message):
            raise errors[0]
        assert len(errors) == 1
        assert errors[0].sentence == "s7"
        assert errors[0].line == line
        assert errors[0].path.endswith("a.xml")


def test_an_end_without_a_start(read):
    names, errors = read_leniently(read, f"<corpus>\n<body>\nx</s>\n{small('s1')}</body></corpus>")
    assert names == ["s1"]
    assert [str(error).partition(": ")[2] for error in errors] == [
        "'</s>' without a '<s ...>' before it"
    ]
    assert errors[0].line == 3


LAUGHS = """\
<?xml version="1.0"?>
<!DOCTYPE corpus [
 <!ENTITY lol "lol">
 <!ENTITY lol2 "&lol;&lol;&lol;">
 <!ENTITY file SYSTEM "file:///etc/hostname">
]>
<corpus>
"""


def test_entities_that_a_file_declares_are_refused(read):
    with pytest.raises(TreebankError, match=r"a\.xml:3: declared entities are not supported"):
        read(f"{LAUGHS}{small('s1')}</corpus>")
    text = f"{LAUGHS}{small('s1')}{small('s2', '&lol2;')}{small('s3', '&file;')}</corpus>"
    names, errors = read_leniently(read, text)
    assert names == ["s1"]
    assert [error.sentence for error in errors] == [None, "s2", "s3"]
    assert all("undefined entity" in str(error) for error in errors[1:])


def test_a_comment_that_never_ends_spoils_one_sentence(read):
    text = f"<corpus>\n{small('s1')}\n<s id='s2'> <!-- </s>\n{small('s3')}\n{small('s4')}</corpus>"
    names, errors = read_leniently(read, text)
    assert names == ["s1", "s3", "s4"]
    assert [(error.sentence, error.line) for error in errors] == [("s2", 3)]


def test_only_one_sentence_is_held():
    lines = iter(["<corpus>\n", "<s id='1'>\n", "</s>\n", "<s id='2'>\n", "</s>\n"])
    chunks = FORMAT.split(lines, "a.xml")
    assert next(chunks).text == "<s id='1'>\n</s>"
    assert next(lines) == "<s id='2'>\n"


@pytest.mark.full
def test_memory_does_not_grow(tmp_path):
    path = tmp_path / "a.xml"
    with path.open("w", encoding="utf-8") as file:
        file.write("<corpus>\n")
        file.writelines(SENTENCE for _ in range(3000))
    list_of_lines = path.stat().st_size
    tracemalloc.start()
    try:
        assert sum(1 for _ in read_trees(path)) == 3000
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < list_of_lines / 4


def test_a_file_written(tmp_path):
    path = tmp_path / "a.xml"
    tokens = [Token("Was", "PWS", "was", "Akk", "OA"), Token('"R&D"', ""), Token("tun", "VVINF")]
    phrase = Node("VP", ("OC", "X"), children=[0, 2])
    tree = Tree(
        Node("ROOT", children=[Node("S", ("SB",), children=[phrase, 1], split="WH")]), tokens, "5"
    )
    tree.secondary_edges = [SecondaryEdge("SB", 1, phrase), SecondaryEdge("", phrase, tree.root)]
    tree.secondary_edges.append(SecondaryEdge("X", 1, Node("gone")))
    assert write_trees([tree], path) == 1
    text = path.read_text(encoding="utf-8")
    assert text.startswith('<?xml version="1.0" encoding="utf-8"?>\n<corpus id="plcfrs">\n<head>\n')
    assert text.endswith("</s>\n</body>\n</corpus>\n")
    corpus = ElementTree.fromstring(text)  # without the declaration, or as bytes
    (sentence,) = corpus.findall("body/s")
    assert ElementTree.tostring(sentence, encoding="unicode").split("\n") == [
        '<s id="s5" com="id: 5">',
        '<graph root="s5_VROOT">',
        "<terminals>",
        '<t id="s5_1" word="Was" lemma="was" pos="PWS" morph="Akk" />',
        '<t id="s5_2" word="&quot;R&amp;D&quot;" lemma="--" pos="--" morph="--">',
        '<secedge label="SB" idref="s5_500" />',
        "</t>",
        '<t id="s5_3" word="tun" lemma="--" pos="VVINF" morph="--" />',
        "</terminals>",
        "<nonterminals>",
        '<nt id="s5_500" cat="VP">',
        '<edge label="OA" idref="s5_1" />',
        '<edge label="--" idref="s5_3" />',
        '<secedge label="--" idref="s5_VROOT" />',
        "</nt>",
        '<nt id="s5_501" cat="S^WH">',
        '<edge label="OC-X" idref="s5_500" />',
        '<edge label="--" idref="s5_2" />',
        "</nt>",
        '<nt id="s5_VROOT" cat="VROOT">',
        '<edge label="SB" idref="s5_501" />',
        "</nt>",
        "</nonterminals>",
        "</graph>",
        "</s>",
        "",
    ]
    assert list(read_trees(path)) == [tree]


def test_identifiers():
    for identifier, written in [
        ("s2165", '"s2165"'),
        ("17", '"s17" com="id: 17"'),
        ("wsj_0001:3", '"s4" com="id: wsj_0001:3"'),
        ("", '"s4"'),
        ("a.b-c", '"a.b-c"'),
        ('"\0<&', '"s4" com="id: &#34;_&#60;&#38;"'),
    ]:
        tree = Tree(Node("ROOT", children=[0]), [Token("a", "NN")], identifier)
        assert FORMAT.render(tree, 4).startswith(f"<s id={written}>\n")


def test_other_comments_and_identifiers_of_documents(read):
    text = FILE.replace('<s id="s7"', '<s id="s7" com="very odd" orig_id="id: document"')
    (tree,) = read(text)
    assert tree.id == "s7"


def test_the_numbers_of_an_export_file_and_back(tmp_path, read):
    (tree,) = read(FILE)
    write_trees([tree], tmp_path / "a.export")
    (tree,) = read_trees(tmp_path / "a.export")
    assert tree.id == "s7"
    write_trees([tree], tmp_path / "b.tiger")
    check_sentence(next(read_trees(tmp_path / "b.tiger")))


def test_long_sentences_have_no_number_twice():
    tokens = [Token("a", "NN") for _ in range(700)]
    tree = Tree(Node("ROOT", children=[Node("S", children=[*range(700)])]), tokens)
    assert again(tree) == tree
    assert '<nt id="s1_701" cat="S">' in FORMAT.render(tree, 1)


def test_header_and_footer(tmp_path, capsys):
    path = tmp_path / "a.xml"
    write_trees([], path)
    assert ElementTree.parse(path).getroot().find("body") is not None
    with pytest.raises(TreebankError, match=r"a\.xml: no trees in this file \(read as tigerxml"):
        list(read_trees(path))
    tree = Tree(Node("ROOT", children=[0]), [Token("straße", "NN")])
    write_trees([tree, tree], path, encoding="latin-1")
    assert path.read_bytes().startswith(b'<?xml version="1.0" encoding="iso-8859-1"?>')
    assert ElementTree.parse(path).getroot().find(".//t").get("word") == "straße"
    assert list(read_trees(path)) == [tree, tree]
    write_trees([tree], "-", format="tigerxml")
    out = capsys.readouterr().out
    assert out.startswith("<?xml")
    assert out.endswith("</body>\n</corpus>\n")


def test_an_interrupted_file_can_be_read(tmp_path):
    tree = Tree(Node("ROOT", children=[0]), [Token("a", "NN")])
    with pytest.raises(ZeroDivisionError):
        write_trees((tree for stop in (1, 0) if 1 / stop), tmp_path / "a.xml")
    assert list(read_trees(tmp_path / "a.xml.part", format="tigerxml")) == [tree]


@given(texts(), texts())
@example("a", "--")
def test_any_text_is_kept_or_refused(form, tag):
    tree = Tree(Node("ROOT", children=[Node("S", children=[0])]), [Token(form, tag)], "a:1")
    try:
        text = FORMAT.render(tree, 1)
    except TreebankError:
        with pytest.raises((ElementTree.ParseError, UnicodeEncodeError)):
            ElementTree.fromstring(f"<t>{(form + tag).translate({38: '', 60: ''})}</t>")
        return
    assert ElementTree.fromstring(text).find(".//t").get("word") == form
    assert again(tree).tokens == [Token(form, tag)]


def test_characters_that_xml_cannot_hold():
    for char in ["\x00", "\x1f", "\ufffe", "\ud800"]:
        tree = Tree(Node("ROOT", children=[0]), [Token(f"a{char}", "NN")], "a:1")
        with pytest.raises(TreebankError, match="sentence a:1: XML cannot hold the character"):
            FORMAT.render(tree, 1)


def test_another_root(read):
    (tree,) = read(FILE.replace("corpus", "my"))
    (expected,) = read(FILE)
    assert tree == expected
