"""The API: trees of a text, drawn again, edited, compared, and written in other formats."""

import json

from serving import AMBIGUOUS, parsed

from plcfrs.evaluation import differences, load_settings
from plcfrs.transformation import Options, from_dependencies, to_dependencies, transform
from plcfrs.treebank import DEPENDENCY_FORMATS, FORMATS, WRITABLE, read_dependencies, read_trees
from plcfrs.trees import SecondaryEdge, Tree, mark_heads, render_label
from plcfrs.trees.editing import add_node, attach, delete_nodes, relabel


def test_shades_are_drawn_again_and_in_latex(serve):
    client = serve()
    (best,) = parsed(client, posteriors=True)["parses"]
    tree = best["tree"]
    wanted = {"discbracket": tree["discbracket"], "shades": best["posteriors"]}
    again = client.post("/api/v1/draw", json={**wanted, "gaps": True}).json()
    assert again["svg"] == tree["svg"]
    shut = client.post("/api/v1/draw", json={**wanted, "collapsed": [1]}).json()
    assert shut["svg"].count("#2f74d0") == len(shut["nodes"]) < len(tree["labels"])
    answer = client.post("/api/v1/draw", json={**wanted, "shades": [0.5]})
    assert answer.status_code == 400
    assert "one for each" in answer.json()["error"]["message"]
    darkest = [1e9 * one for one in best["posteriors"]]
    assert "1e" not in client.post("/api/v1/draw", json={**wanted, "shades": darkest}).json()["svg"]
    latex = client.post("/api/v1/draw/file", json={**wanted, "format": "tikz"}).text
    assert latex.count("fill=blue!30") == sum(one > 0.99 for one in best["posteriors"])


def compare(client, first, second, **wanted):
    return client.post("/api/v1/compare", json={"first": first, "second": second, **wanted})


def test_two_parses_are_compared(serve):
    client = serve()
    one, other = (
        each["tree"]["discbracket"] for each in parsed(client, AMBIGUOUS, nbest=2)["parses"]
    )
    found = compare(client, one, other).json()
    first, second = differences(*map(Tree.from_string, (one, other)), load_settings("all"))
    assert not found["same"]
    assert (len(found["first"]["marked"]), len(found["second"]["marked"])) == (
        len(first),
        len(second),
    )
    assert found["errors"]
    assert compare(client, one, one).json()["same"]
    assert compare(client, one, one).json()["errors"] == []


def test_a_parse_is_compared_with_a_gold_tree_that_has_traces(serve):
    gold = next(tree for tree in read_trees("plcfrs:demo") if tree.tokens[-2].is_null)
    wanted = FORMATS["discbracket"].render(gold, 1)
    parsed = FORMATS["discbracket"].render(transform(gold), 1)
    refused = compare(serve(), wanted, parsed)
    assert refused.status_code == 400
    assert "traces" in refused.json()["error"]["message"]
    assert compare(serve(), wanted, parsed, transform=True).json()["same"]


def test_what_cannot_be_compared(serve):
    for wanted, status, named in [
        ({"second": "(ROOT (X 0=b))"}, 400, "the same words"),
        ({"second": "(ROOT"}, 400, "tree"),
        ({"settings": "mine"}, 400, "settings"),
        ({"second": 200_000 * "("}, 413, "too large"),
        ({"first": f"{2_000 * '(S '}(A 0=a){2_000 * ')'}"}, 413, "too large"),
    ]:
        answer = compare(
            serve(), **{"first": "(ROOT (X 0=a))", "second": "(ROOT (X 0=a))", **wanted}
        )
        assert answer.status_code == status
        assert named in answer.json()["error"]["message"]


def written(client, tree, folder, **wanted):
    """Return the file of a tree in some format."""
    wanted = {"discbracket": FORMATS["discbracket"].render(tree, 1), **wanted}
    answer = client.post("/api/v1/draw/file", json=wanted)
    assert answer.headers["content-type"].startswith("text/plain")
    path = folder / f"tree.{wanted['format']}"
    path.write_text(answer.text, encoding="utf-8")
    return path


def test_a_tree_is_written_in_other_formats(serve, tmp_path):
    tree = Tree.from_string("(ROOT (S (VP (WP 0=What) (VB 3=do)) (MD 1=should) (NP (PRP 2=we))))")
    client = serve()
    for format in ("discbracket", "export"):
        path = written(client, tree, tmp_path, format=format, collapsed=[1])
        assert list(read_trees(path)) == [tree]
    (dependencies,) = read_dependencies(written(client, tree, tmp_path, format="conllu"))
    assert dependencies.heads == [4, 4, 4, 0]
    assert from_dependencies(dependencies) == tree


def test_heads_are_found_by_the_chosen_rules(serve, tmp_path):
    for rules, heads in [("collins", [3, 3, 0]), ("negra", [0, 1, 1])]:
        tree = Tree.from_string("(ROOT (PP (APPR 0=in) (ART 1=der) (NN 2=Stadt)))")
        path = written(serve(), tree, tmp_path, format="conllu", head_rules=rules)
        assert [found.heads for found in read_dependencies(path)] == [heads]


CROSSING = "(ROOT (SBARQ (SQ (VP (WHNP (WP 0=What)) (VB 3=do)) (MD 1=should) (NP (PRP 2=we)))))\n"
SECONDARY = Tree.from_string(
    "(CS (S (PPER 0=Sie) (VVFIN 1=hoffen)) (KON 2=und) (S (VVFIN 3=rudern)))"
)
SECONDARY.secondary_edges = [SecondaryEdge("SB", 0, SECONDARY.nodes()[3])]


def post(client, path, wanted):
    """Post JSON, perhaps with halves of characters, which only escapes can express."""
    headers = {"Content-Type": "application/json"}
    return client.post(f"/api/v1/{path}", content=json.dumps(wanted), headers=headers)


def draw_text(client, text, **wanted):
    return post(client, "draw/text", {"text": text, **wanted})


def edit(client, discbracket, operation, **wanted):
    return post(client, "edit", {"discbracket": discbracket, "operation": operation, **wanted})


def test_a_text_in_any_format_is_drawn(serve):
    for name in [*WRITABLE, *DEPENDENCY_FORMATS]:
        if name in ("tokens", "tagged"):
            return  # any text may be words
        form, tree = FORMATS[name], Tree.from_string("(S (NP (PRP They)) (VP (VBP sing)))")
        if form.render_dependencies:
            text = form.render_dependencies(to_dependencies(mark_heads(tree))) * 2
            tree = Tree.from_string("(ROOT (PRP They) (VBP sing))")
        else:
            rendered = [form.render(tree, number) for number in (1, 2)]
            text = "".join([form.header.format(encoding="utf-8"), *rendered, form.footer])
        found = draw_text(serve(), text, number=2).json()
        assert (found["number"], found["traces"]) == (2, False)
        assert list(map(Tree.from_string, found["texts"])) == [tree, tree]
        assert found["texts"][1] == found["tree"]["discbracket"]
        assert draw_text(serve(), text, number=9).json()["number"] == 2


def test_secondary_edges_of_a_text_are_drawn_and_kept_in_edits(serve):
    client = serve()
    form = FORMATS["tigerxml"]
    text = f"{form.header.format(encoding='utf-8')}{form.render(SECONDARY, 1)}{form.footer}"
    tree = draw_text(client, text).json()["tree"]
    assert "data-edge" in tree["svg"]
    kept = {name: tree[name] for name in ("tokens", "secondary_edges")}
    add = {"do": "add", "label": "VP-X"}
    found = edit(client, tree["discbracket"], {**add, "parts": ["t2", "t3"]}, **kept)
    assert found.status_code == 400  # they are no sisters
    found = edit(client, tree["discbracket"], {**add, "parts": ["t0", "t1"]}, **kept).json()
    (edge,) = found["tree"]["secondary_edges"]
    assert found["tree"]["labels"][edge["mother"]] == "S"
    (name,) = found["chosen"]
    assert found["tree"]["labels"][int(name[1:])] == "VP-X"


def test_traces_of_a_text_become_crossing_branches(serve):
    gold = next(tree for tree in read_trees("plcfrs:demo") if tree.tokens[-2].is_null)
    text = FORMATS["brackets"].render(gold, 1)
    found = draw_text(serve(), text).json()
    assert found["traces"]
    assert Tree.from_string(found["texts"][0]) == gold
    found = draw_text(serve(), text, transform=True).json()
    assert found["traces"]
    wanted = transform(gold, Options(splits=(), keep_sbar=True))
    assert Tree.from_string(found["texts"][0]) == wanted
    assert wanted.discontinuous_nodes()


def test_edits_are_those_of_the_library(serve):
    client, tree = serve(), Tree.from_string(CROSSING)
    nodes = tree.nodes()
    for operation, (edited, parts, _) in [
        ({"do": "attach", "parts": ["n4"], "mother": "n2"}, attach(tree, [nodes[4]], nodes[2])),
        ({"do": "attach", "parts": ["t0", "t2"], "mother": "n1"}, attach(tree, [0, 2], nodes[1])),
        (
            {"do": "relabel", "parts": ["n3"], "label": " VP-X "},
            relabel(tree, nodes[3], "VP-X"),
        ),
        (
            {"do": "relabel", "parts": ["t0"], "label": "WDT", "word": "Which"},
            relabel(tree, 0, "WDT", "Which"),
        ),
        ({"do": "add", "parts": ["t1"], "label": "X"}, add_node(tree, [1], "X")),
        ({"do": "delete", "parts": ["n3", "n4"]}, delete_nodes(tree, [nodes[3], nodes[4]])),
    ]:
        found = edit(client, CROSSING, operation).json()
        after = Tree.from_string(found["tree"]["discbracket"])
        assert after == edited
        labels = [render_label(node) for node in after.nodes()]
        assert [
            labels[int(name[1:])] if name[0] == "n" else int(name[1:]) for name in found["chosen"]
        ] == [part if isinstance(part, int) else render_label(part) for part in parts]


def test_texts_that_cannot_be_drawn(serve):
    for text, status, named in [
        ("", 400, "the text: the file is empty"),
        ("What should we do ?", 400, "such as (S (NP (PRP We))"),
        ("(S (A b))\n(S (NP (PRP We))", 400, "line 2: missing ')'"),
        ("\0", 400, "NUL"),
        ("(S (A \ud800))", 400, "unpaired surrogate"),
        ('aaaaaa\0\0{"__metadata__": "kind": "treebank"', 400, "NUL"),
        ("<corpus>", 400, "no trees"),
        ("((S (-NONE- *)))", 400, "only traces"),
        (2_000_000 * " ", 413, "too long"),
        (f"{2_500 * '(S '}(A a){2_500 * ')'}", 413, "too large"),
        (f"(S (A a))\n{2_500 * '(S '}(A a){2_500 * ')'}", 413, "too large"),  # not the one shown
    ]:
        answer = draw_text(serve(), text, transform=True)
        assert answer.status_code == status
        assert named in answer.json()["error"]["message"]


def test_edits_that_cannot_be_done(serve):
    for wanted, status, named in [
        ({"do": "attach", "parts": ["n2"], "mother": "n3"}, 400, "cannot be attached to VP"),
        ({"do": "attach", "parts": ["n2"]}, 400, "mother: expected"),
        ({"do": "delete", "parts": ["n99"]}, 400, "there is no part n99"),
        ({"do": "delete", "parts": ["n0"]}, 400, "the root cannot"),
        ({"do": "delete"}, 400, "parts: expected"),
        ({"do": "relabel", "parts": ["n2"], "label": " "}, 400, "a label is missing"),
        ({"do": "relabel", "parts": ["n2"], "label": 101 * "N"}, 400, "label: expected"),
        ({"do": "grow", "parts": ["n2"]}, 400, "unknown operation 'grow'"),
    ]:
        answer = edit(serve(), CROSSING, wanted)
        assert answer.status_code == status
        assert named in answer.json()["error"]["message"]
    for tree, status, named in [
        ("(S (X (A 0=\ud800)))", 400, "unpaired surrogate"),
        ("(S", 400, "the tree"),
        (200_000 * "(", 413, "too large"),
    ]:
        answer = edit(serve(), tree, {"do": "delete", "parts": ["n1"]})
        assert answer.status_code == status
        assert named in answer.json()["error"]["message"]


def test_words_of_a_text_are_typed_in_answers_and_spelled_in_trees(serve):
    client = serve()
    tokens = [
        {"form": "(", "tag": "-LRB-", "start": 0, "end": 1},
        {"form": "Yes", "tag": "UH", "start": 1, "end": 4},
        {"form": ")", "tag": "-RRB-", "start": 4, "end": 5},
    ]
    tree = "(ROOT (S (-LRB- 0=-LRB-) (UH 1=Yes) (-RRB- 2=-RRB-)))"
    add = {"do": "add", "parts": ["n1"], "label": "X"}
    found = edit(client, tree, add, tokens=tokens).json()["tree"]
    assert [token["form"] for token in found["tokens"]] == ["(", "Yes", ")"]
    assert found["discbracket"] == tree.replace("(S", "(X (S").replace(")))", "))))") + "\n"
    assert "-LRB-" in found["export"]
