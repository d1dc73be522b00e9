"""Trees that are edited, against naive edits of a table of mothers."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import trees
from test_inputs_stay import contents

from plcfrs.errors import InputError
from plcfrs.trees import Node, SecondaryEdge, Tree, mark_heads, render_label
from plcfrs.trees.editing import (
    add_edge,
    add_node,
    add_null,
    annotate,
    attach,
    coindex,
    delete_edge,
    delete_nodes,
    join_sentences,
    join_tokens,
    relabel,
    split_sentence,
    split_token,
)

WISHES = "(CS (S (PPER 0=Sie) (VVFIN 1=hoffen)) (KON 2=und) (S (VVFIN 3=rudern)))"


@st.composite
def drawn(draw):
    """A tree whose constituents have names (categories), some of its parts, and a constituent."""
    tree = draw(trees(8))
    for number, node in enumerate(tree.nodes()[1:]):
        node.category = f"N{number}"
    mark_heads.in_place(tree)
    nodes = tree.nodes()
    tree.secondary_edges = [SecondaryEdge("SB", 0, draw(st.sampled_from(nodes)))]
    parts = st.sampled_from([*nodes, *range(len(tree.tokens))])
    return tree, draw(st.lists(parts, min_size=1, max_size=3)), draw(st.sampled_from(nodes))


def name(part):
    return part if isinstance(part, int) else part.category


def table(tree):
    """Return the mother of each part, by their names."""
    found = {}
    for node in tree.nodes():
        for child in node.children:
            assert name(child) not in found
            found[name(child)] = name(node)
    return found


def above(mothers, part):
    """Return a part and all above it."""
    return [part, *(above(mothers, mothers[part]) if part in mothers else [])]


def positions_below(mothers, part):
    return [one for one in mothers if isinstance(one, int) and part in above(mothers, one)]


def check(edited, mothers, before):
    """Check an edited tree by the table that it should have, and what holds of all trees."""
    assert table(edited) == mothers
    assert edited.root.category == "ROOT"
    assert sorted(one for one in mothers if isinstance(one, int)) == list(range(len(edited.tokens)))
    for node in edited.nodes():
        firsts = [
            child if isinstance(child, int) else min(positions_below(mothers, name(child)))
            for child in node.children
        ]
        assert firsts, "a node without children"
        assert firsts == sorted(firsts)
        assert node.head is None
    assert edited.tokens == before.tokens
    assert not {*map(id, edited.tokens)} & {*map(id, before.tokens)}
    assert not set(edited.nodes()) & set(before.nodes())
    ends = [edge.parent for edge in edited.secondary_edges]
    wanted = name(before.secondary_edges[0].parent) in {"ROOT", *mothers}
    assert [name(one) for one in ends] == [name(before.secondary_edges[0].parent)] * wanted
    assert set(ends) <= set(edited.nodes())


@given(drawn())
def test_parts_are_moved(found):
    tree, parts, mother = found
    before, mothers = contents(tree), table(tree)
    if tree.root in parts or any(name(part) in above(mothers, name(mother)) for part in parts):
        with pytest.raises(InputError, match="cannot be"):
            attach(tree, parts, mother)
    else:
        edited, moved, _ = attach(tree, parts, mother)
        mothers |= dict.fromkeys(map(name, parts), name(mother))
        while empty := {one for one in mothers if isinstance(one, str)} - {*mothers.values()}:
            mothers = {one: to for one, to in mothers.items() if one not in empty}
        check(edited, mothers, tree)
        assert {*map(name, moved)} == {*map(name, parts)} & {*mothers}
        assert all(part in edited.nodes() for part in moved if isinstance(part, Node))
    assert contents(tree) == before


def test_a_node_that_moves_away_from_its_only_child_goes():
    tree = Tree.from_string("(S (NN rain))")
    edited, moved, _ = attach(tree, [tree.nodes()[1], 0], tree.root)
    assert (str(edited), moved) == ("(ROOT (NN 0=rain))", [0])


@given(drawn())
def test_what_is_attached_back_gives_the_same_tree(found):
    tree, (part, *_), mother = found
    mothers = table(tree)
    assume(name(part) not in above(mothers, name(mother)))
    edited, moved, _ = attach(tree, [part], mother)
    old = [node for node in edited.nodes() if name(node) == mothers[name(part)]]
    assume(old)  # its only child has left it
    assert attach(edited, moved, old[0]).tree == tree


@given(drawn())
def test_nodes_are_added_and_deleted_again(found):
    tree, parts, _ = found
    before, mothers = contents(tree), table(tree)
    above_them = {mothers.get(name(part)) for part in parts}
    if None in above_them or len(above_them) > 1:
        with pytest.raises(InputError, match=r"above (the root|sisters)"):
            add_node(tree, parts, "NEW")
    else:
        edited, added, _ = add_node(tree, parts, "NEW")
        mothers |= {"NEW": above_them.pop(), **dict.fromkeys(map(name, parts), "NEW")}
        check(edited, mothers, tree)
        again, freed, _ = delete_nodes(edited, added)
        assert again == tree
        assert {*map(name, freed)} == {*map(name, parts)}
    assert contents(tree) == before


@given(drawn())
def test_children_of_a_deleted_node_go_to_its_mother(found):
    tree, parts, _ = found
    before, mothers = contents(tree), table(tree)
    if tree.root in parts or any(isinstance(part, int) for part in parts):
        with pytest.raises(InputError, match=r"deleted|to delete"):
            delete_nodes(tree, parts)
    else:
        edited, freed, _ = delete_nodes(tree, parts)
        for part in {*map(name, parts)}:
            gone = mothers.pop(part)
            mothers = {one: gone if to == part else to for one, to in mothers.items()}
        check(edited, mothers, tree)
        assert all(mothers[name(one)] != table(tree)[name(one)] for one in freed)
    assert contents(tree) == before


@given(drawn(), st.sampled_from(["NP", "VP-OC", "WHNP-1", "S^WH", "R=2", "a b", "(", "-LRB-"]))
def test_only_a_label_changes(found, label):
    tree, (part, *_), _ = found
    before, labels = contents(tree), list(map(render_label, tree.nodes()))
    if part is tree.root:
        with pytest.raises(InputError, match="the root keeps its label"):
            relabel(tree, part, label)
        return
    edited, (changed,), _ = relabel(tree, part, label)
    if isinstance(part, int):
        assert edited.tokens[part].tag == label
        old = tree.tokens[part]
        assert relabel(edited, part, old.tag).tree == tree
        word = relabel(tree, part, old.tag, "word").tree.tokens[part]
        assert (word.form, word.tag, word.lemma) == ("word", old.tag, old.lemma)
    else:
        labels[tree.nodes().index(part)] = label
        assert relabel(edited, changed, render_label(part)).tree == tree
    assert list(map(render_label, edited.nodes())) == labels
    assert Tree.from_string(str(edited)) == edited
    assert contents(tree) == before


def test_secondary_edges_stay_with_their_nodes():
    tree = Tree.from_string(WISHES)
    _, _, first, second = tree.nodes()
    tree.secondary_edges = [SecondaryEdge("SB", 0, second), SecondaryEdge("X", first, second)]
    edited = attach(tree, [0], tree.root).tree
    assert [edge.child for edge in edited.secondary_edges] == [0, edited.nodes()[2]]
    assert [edge.label for edge in delete_nodes(tree, [first]).tree.secondary_edges] == ["SB"]
    assert attach(tree, [3], first).tree.secondary_edges == []  # the other S has gone


def test_a_token_that_is_split_and_joined_keeps_all_constituents():
    tree = Tree.from_string("(S (VP (VBP 0=Cannot) (VB 2=sing)) (NP (PRP 1=they)) (-NONE- 3=*))")
    tree.tokens[0].start, tree.tokens[0].end = 4, 10
    edited, parts, origins = split_token(tree, 0, ["Can", "not"])
    assert str(edited) == (
        "(ROOT (S (VP (VBP 0=Can) (VBP 1=not) (VB 3=sing)) (NP (PRP 2=they)) (-NONE- 4=*)))"
    )
    assert [(token.start, token.end) for token in edited.tokens[:3]] == [
        (4, 7),
        (7, 10),
        (None,) * 2,
    ]
    assert (parts, origins[2], 1 in origins) == ([0, 1], 1, False)
    joined = join_tokens(edited, 0, 1).tree
    assert (joined, joined.tokens[0].start, joined.tokens[0].end) == (tree, 4, 10)
    moved = join_tokens(tree, 1, 2).tree  # the second word leaves its VP, which stays
    assert str(moved) == "(ROOT (S (VP (VBP 0=Cannot)) (NP (PRP 1=theysing)) (-NONE- 2=*)))"


def test_null_elements_are_added_coindexed_and_deleted():
    tree = Tree.from_string("(SBARQ (WHNP (WP 0=Who)) (SQ (VP (VBD 1=slept))) (. 2=?))")
    _, _, who, sq, _ = tree.nodes()
    edited, (subject,), origins = add_null(tree, sq, 1, "*T*", "NP-SBJ")
    linked, (null, filler), _ = coindex(edited, 1, edited.nodes()[2])
    assert (linked.tokens[null].form, filler.index, origins[edited.nodes()[2]]) == ("*T*-1", 1, who)
    assert str(linked) == (
        "(ROOT (SBARQ (WHNP-1 (WP 0=Who)) "
        "(SQ (NP-SBJ (-NONE- 1=*T*-1)) (VP (VBD 2=slept))) (. 3=?)))"
    )
    two = add_null(linked, linked.nodes()[5], 3, "*").tree
    other = coindex(two, 3, two.nodes()[4]).tree  # NP-SBJ
    assert [token.form for token in other.tokens] == ["Who", "*T*-1", "slept", "*-2", "?"]
    assert coindex(other, 3, None).tree == two
    assert coindex(linked, 1, None).tree == edited
    assert delete_nodes(edited, [1]).tree == tree  # NP-SBJ loses its only child
    assert str(subject) == str(edited.nodes()[4])


def test_a_sentence_that_is_divided_and_joined_keeps_what_each_side_has():
    tree = Tree.from_string(WISHES)
    _, _, first, second = tree.nodes()
    tree.secondary_edges = [SecondaryEdge("SB", 0, second), SecondaryEdge("MO", 1, first)]
    left, right = split_sentence(tree, 2)
    assert str(left.tree) == "(ROOT (CS (S (PPER 0=Sie) (VVFIN 1=hoffen))))"
    assert str(right.tree) == "(ROOT (CS (KON 0=und) (S (VVFIN 1=rudern))))"
    assert [edge.label for edge in left.tree.secondary_edges] == ["MO"]
    assert [right.origins[place] for place in range(2)] == [2, 3]
    joined = join_sentences(left.tree, right.tree)
    assert str(joined.tree) == WISHES.replace(" (KON", ") (CS (KON").join(["(ROOT ", ")"])
    clause = Tree.from_string("(S (NP-1 (PRP We)) (VP (VBP seem) (S (-NONE- *-1) (VB hide))))")
    twice = join_sentences(clause, clause).tree
    assert [token.form for token in twice.tokens if token.is_null] == ["*-1", "*-2"]
    assert [node.index for node in twice.nodes() if node.index] == [1, 2]


def test_what_is_known_about_parts_changes():
    tree = Tree.from_string(WISHES)
    _, _, first, second = tree.nodes()
    edited = annotate(tree, 0, lemma="sie", morph="3.Pl", function="SB", tag="PRF").tree
    assert repr(edited.tokens[0]).startswith(
        "Token(form='Sie', tag='PRF', lemma='sie', morph='3.Pl', function='SB'"
    )
    noted = annotate(tree, first, function="CJ-X", note="?").tree.nodes()[2]
    assert (noted.functions, noted.note) == (("CJ", "X"), "?")
    linked = add_edge(tree, 0, second, "SB").tree
    assert [(edge.label, edge.child) for edge in linked.secondary_edges] == [("SB", 0)]
    assert delete_edge(linked, 0).tree.secondary_edges == []


def test_what_cannot_be_done_is_said():
    for edit, named in [
        (
            lambda tree, s: annotate(tree, s, lemma="x"),
            "S cannot have a lemma: it can have function",
        ),
        (lambda tree, _: annotate(tree, tree.root, function="SBJ"), "the root keeps its label"),
        (lambda tree, s: add_null(tree, s, 9, "*"), "9 is not a position"),
        (lambda tree, s: add_null(tree, s, 1, ""), "a label is missing"),
        (lambda tree, s: coindex(tree, 0, s), "Sie is not a null element"),
        (lambda tree, s: add_edge(tree, s, s, "SB"), "another node"),
        (lambda tree, s: add_edge(tree, 0, s, ""), "a label is missing"),
        (lambda tree, _: delete_edge(tree, 0), "no secondary edge 0"),
        (lambda tree, _: split_token(tree, 0, ["S", "i"]), r"S\|i is not a division of Sie"),
        (lambda tree, _: split_token(tree, 0, ["Sie"]), "not a division"),
        (lambda tree, _: join_tokens(tree, 1, 1), "two or more neighbouring words"),
        (lambda tree, _: split_sentence(tree, 0), "but not the first one"),
        (lambda tree, s: attach(tree, [s], s), "S cannot be attached to itself"),
        (
            lambda tree, s: attach(tree, [tree.nodes()[1]], s),
            "CS cannot be attached to S, which is below it",
        ),
        (lambda tree, s: attach(tree, [tree.root], s), "the root cannot be moved"),
        (lambda tree, s: relabel(tree, s, ""), "a label is missing"),
        (lambda tree, s: add_node(tree, [s], ""), "a label is missing"),
        (lambda tree, s: add_node(tree, [0, s], "NP"), "the same mother"),
        (lambda tree, _: delete_nodes(tree, [0]), "Sie is a word"),
        (lambda tree, _: delete_nodes(tree, [tree.root]), "the root cannot be deleted"),
        (lambda tree, _: delete_nodes(tree, [9]), "positions of tokens of the tree"),
        (lambda tree, _: delete_nodes(tree, [Node("S")]), "constituents and positions"),
    ]:
        tree = Tree.from_string(WISHES)
        with pytest.raises(InputError, match=named):
            edit(tree, tree.nodes()[2])


def test_each_part_of_a_divided_sentence_has_a_word():
    tree = Tree.from_string("(S (NP (-NONE- *)) (VP (VB go) (RB on)))")
    with pytest.raises(InputError, match="each part of a divided sentence needs a word"):
        split_sentence(tree, 1)
