"""The API: treebanks, queries, hits and counts."""

import re
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, product

import pytest
from demo_trees import demo_trees, raw_demo_trees
from quick import core
from serving import refusal, upload

from plcfrs.query import Treebank
from plcfrs.query.help import SECTIONS
from plcfrs.query.hits import KEYS, ORDERS
from plcfrs.treebank import read_trees
from plcfrs.treebank.registry import WRITABLE

MINE = b"(S (NP (A 0=x) (B 3=y)) (C 1=z) (NP (A 2=w)))\n(S (NP (A 0=b)) (C 1=c))\n"


def trees(client, **params):
    return client.get("/api/v1/trees", params={"treebank": "plcfrs:demo", **params})


def test_treebanks_are_paged_through(serve):
    client = serve()
    expected = raw_demo_trees()
    answer = trees(client, offset=3, limit=2).json()
    assert answer["total"] == len(expected)
    assert [one["number"] for one in answer["trees"]] == [4, 5]
    assert answer["trees"][0]["tree"]["id"] == expected[3].id
    beyond = trees(client, offset=10_000).json()
    assert beyond["trees"] == []
    assert beyond["message"] == "There is no tree 10001: only 140 trees found."


def test_a_query_filters_trees_and_marks_what_it_finds(serve):
    client = serve()
    nothing = trees(client, query="VP[discontinuous]").json()
    assert nothing["total"] == 0  # they are traces
    assert "The trees have traces" in nothing["message"]
    assert trees(client, query="XP", transform=True).json()["message"] == "No tree matches."
    answer = trees(client, query="VP[discontinuous]", transform=True, limit=50).json()
    assert 0 < answer["total"] < 140
    assert answer["matches"] >= answer["total"]
    first = answer["trees"][0]
    assert first["tree"]["svg"].count('font-weight="bold"') == first["matches"]
    status, message = refusal(trees(client, query="VP <"))
    assert status == 400
    assert "query" in message


def test_null_elements_are_searched_in_trees_with_traces(serve):
    client = serve()
    answer = trees(client, query="*[null=*T*]", transform="auto").json()
    assert (answer["transform"], answer["matches"]) == (False, 102)
    nothing = trees(client, query="*[null=*T*]", transform=True).json()
    assert "leave the traces as they are" in nothing["message"]


def test_the_trees_with_hits_are_given_as_a_file(serve, tmp_path):
    client = serve(alone=True)
    content = b"(ROOT (NP (A 0=x) (B 2=y)) (C 1=z))\n(ROOT (A 0=b) (C 1=c))\n(ROOT (NP (A 0=w)))\n"
    upload(client, "mine.discbracket", content)
    query = {"treebank": "mine", "query": "NP"}
    for name in WRITABLE:
        answer = client.get("/api/v1/trees/file", params={**query, "format": name})
        if name in ("brackets", "cgel"):  # they cannot hold the first tree
            assert refusal(answer)[0] == 400
            continue
        suffix = re.search(r'filename="trees(\S+)"', answer.headers["Content-Disposition"])[1]
        file = tmp_path / f"{name}{suffix}"
        file.write_text(answer.text, encoding="utf-8")
        found = [tree.words() for tree in read_trees(file, name)]
        assert found == [["x", "z", "y"], ["w"]]
    whole = client.get("/api/v1/trees/file", params={"treebank": "mine"}).text
    assert whole.encode() == content
    for name in ("conllu", "beauty"):
        refused = client.get("/api/v1/trees/file", params={**query, "format": name})
        assert refusal(refused)[0] == 400


def test_only_named_files_can_be_opened(serve, tmp_path):
    secret = tmp_path / "secret.discbracket"
    secret.write_text("(ROOT (X 0=a))\n")
    for name in (str(secret), "@/etc/passwd", "-", "nltk:treebank"):
        assert refusal(trees(serve(), treebank=name))[0] == 404


def test_an_uploaded_treebank_is_looked_at(serve):
    client = serve(alone=True)
    content = "(S (NP (DT 0=Eine) (NN 2=Fähre)) (VB 1=kommt))\n"
    response = upload(client, "../../mine.discbracket", content.encode())
    assert (response.status_code, response.json()) == (201, {"name": "mine"})
    assert upload(client, "mine.discbracket", content.encode()).json() == {"name": "mine (2)"}
    found = trees(client, treebank="mine", query="NP[discontinuous]").json()
    assert [token["form"] for token in found["trees"][0]["tree"]["tokens"]][2] == "Fähre"
    names = [one["name"] for one in client.get("/api/v1/treebanks").json()]
    assert names == ["plcfrs:demo", "mine", "mine (2)", "all treebanks"]


def test_only_the_last_uploads_are_kept(serve):
    client = serve(alone=True, uploads=2)
    for name in "abc":
        upload(client, f"{name}.discbracket", b"(X 0=a)\n")
    names = [one["name"] for one in client.get("/api/v1/treebanks").json()]
    assert names == ["plcfrs:demo", "b", "c", "all treebanks"]


def test_all_treebanks_are_searched_together(serve):
    client = serve(alone=True)
    upload(client, "mine.discbracket", b"(S (NP (DT 0=Eine) (NN 2=Ruine)) (VB 1=kommt))\n")
    alone = [
        trees(client, treebank=name, query="NP[discontinuous]", transform=True).json()
        for name in ("plcfrs:demo", "mine", "all treebanks")
    ]
    assert [one["matches"] for one in alone] == [20, 1, 21]
    last = trees(client, treebank="all treebanks", query="Ruine", transform=True).json()
    assert [one["tree"]["id"] for one in last["trees"]] == ["mine:1"]
    upload(client, "more.discbracket", b"(S (NP (DT 0=Eine) (NN 2=Ruine)) (VB 1=kommt))\n")
    assert trees(client, treebank="all treebanks", query="Ruine").json()["total"] == 2


def test_a_search_within_what_another_one_has_found(search):
    assert words(search("hits", query="*[length=1]")) != []
    within = {"query": "A", "within": "*[discontinuous]"}
    found = search("hits", **within).json()
    assert 0 < found["total"] < search("hits", query="A").json()["total"]
    assert {hit["number"] for hit in found["hits"]} == {1}
    assert search("trees", **within).json()["matches"] == found["total"]
    assert search("trees", query="", within="*[discontinuous]").json()["total"] > 0
    assert search("hits", query="A", within="no").json()["total"] == 0
    assert "in trees with: query, column 4" in search("hits", query="A", within="A <").text


def test_an_upload_that_is_refused_says_why(serve):
    for name, content, status, named in [
        ("a.docx", b"x", 400, "extension"),
        ("a.export.gz", b"x", 400, "extension"),
        ("a.discbracket", b"(S (NP 0=a\n", 400, "a.discbracket:1"),
        ("a.discbracket", b"\xff(X 0=a)\n", 400, "utf-8"),
        ("a.discbracket", b"", 400, "a.discbracket"),
        ("a.discbracket", b"(X 0=a)\n" * 200_000, 413, "1 MB"),
    ]:
        found, message = refusal(upload(serve(max_megabytes=1), name, content))
        assert (found, named in message) == (status, True)
        assert "/tmp" not in message


@pytest.fixture(scope="module")
def search(serve):
    """Return a function that asks about the NPs of two short trees."""
    client = serve(alone=True)
    upload(client, "mine.discbracket", MINE)

    def get(path, **params):
        params = {"treebank": "mine", "query": "NP", **params}
        return client.get(f"/api/v1/{path}", params=params)

    return get


def words(answer):
    return [hit["words"] for hit in answer.json()["hits"]]


def test_hits_are_listed_with_their_context(search):
    hits = search("hits").json()
    assert hits["total"] == 3
    shown = [
        (hit["number"], hit["before"], hit["words"], hit["after"], hit["positions"])
        for hit in hits["hits"]
    ]
    assert shown == [
        (1, "", "x ... y", "", [0, 3]),
        (1, "x z", "w", "y", [2]),
        (2, "", "b", "c", [0]),
    ]
    assert [hit["gap_degree"] for hit in hits["hits"]] == [1, 0, 0]
    assert [hit["parts"] for hit in hits["hits"]] == [["x", "z w", "y"], ["w"], ["b"]]
    assert words(search("hits", offset=1, limit=1)) == ["w"]


def test_hits_are_sorted(search):
    for sort, expected in [
        ("words", ["b", "w", "x ... y"]),
        ("-words", ["x ... y", "w", "b"]),
        ("length", ["w", "b", "x ... y"]),
        ("-sentence", ["b", "x ... y", "w"]),
        ("after", ["x ... y", "b", "w"]),
        ("before", ["x ... y", "b", "w"]),
    ]:
        assert words(search("hits", sort=sort)) == expected
        table = search("hits.tsv", sort=sort).text.splitlines()
        assert table[0] == "id\tlabel\twords\tpositions"
        assert [row.split("\t")[2] for row in table[1:]] == expected


def test_every_order_has_its_opposite(search):
    for name in ORDERS:
        there, back = (search("hits", sort=sort, query="*") for sort in (name, f"-{name}"))
        assert there.json()["total"] == back.json()["total"] > 3
        assert there.status_code == 200


def counted(answer):
    return [("/".join(one["values"]), one["count"]) for one in answer.json()["counts"]]


def test_hits_are_counted(search):
    assert counted(search("counts", by="gap-degree")) == [("0", 2), ("1", 1)]
    assert counted(search("counts", by="label", query="C|B")) == [("C", 2), ("B", 1)]
    assert counted(search("counts", by="children")) == [("A", 2), ("A B", 1)]
    assert counted(search("counts", by="tags", sort="-value")) == [("A ... B", 1), ("A", 2)]
    assert counted(search("counts", by="length", sort="count")) == [("2", 1), ("1", 2)]
    first = search("counts", by="words", limit=2)
    assert counted(first) == [("b", 1), ("w", 1)]
    assert (first.json()["kinds"], first.json()["total"]) == (3, 3)
    table = search("counts.tsv", by="words").text
    assert table == "count\twords\n1\tb\n1\tw\n1\tx ... y\n"


def test_hits_are_counted_by_several_keys_and_nodes(search):
    named = {"query": "NP=n < A|B=t", "by": "t.words, n.gap-degree"}
    assert counted(search("counts", **named)) == [("b/0", 1), ("w/0", 1), ("x/1", 1), ("y/1", 1)]
    table = search("counts.tsv", **named).text.splitlines()
    assert table[0] == "count\tt.words\tn.gap-degree"
    assert table[-1] == "1\ty\t1"
    params = {"query": named["query"], "kind": named["by"], "value": ["y", "1"]}
    assert words(search("hits", **params)) == ["x ... y"]
    assert search("trees", **params).json()["total"] == 1
    assert refusal(search("hits", query="NP", kind="words,label", value="x"))[0] == 400
    assert "the name n" in refusal(search("counts", query="NP", by="n.words"))[1]


def listed(answer):
    """Return the identifiers of the trees in a list of hits, each once."""
    return list(dict.fromkeys(hit["id"] for hit in answer.json()["hits"]))


@core(
    2,
    ("kind", "sort"),
    product(
        [{}, {"kind": "function", "value": "SBJ"}, {"kind": "gap-degree", "value": "1"}],
        ["sentence", "-sentence", "-length", "words", "before"],
    ),
)
def test_the_trees_are_those_of_the_listed_hits_in_their_order(serve, kind, sort):
    client = serve()
    params = {"treebank": "plcfrs:demo", "query": "NP", "transform": True, "sort": sort, **kind}
    found = client.get("/api/v1/hits", params={**params, "limit": 500})
    ids = listed(found)
    expected = Treebank(demo_trees()).find("NP")
    expected = expected.having(*kind.values()) if kind else expected
    in_order = expected if sort == "sentence" else expected.sorted(sort)
    assert ids == list(dict.fromkeys(hit.id for hit in in_order))
    for hit in found.json()["hits"][:: len(ids) // 4]:
        answer = client.get("/api/v1/trees", params={**params, "offset": hit["number"] - 1})
        assert answer.json()["trees"][0]["tree"]["id"] == hit["id"]
        assert (answer.json()["total"], answer.json()["matches"]) == (len(ids), len(expected))
    params["format"] = "export"
    text = client.get("/api/v1/trees/file", params=params).text
    by_id = {tree.id: " ".join(token.form for token in tree.tokens) for tree in demo_trees()}
    blocks = [block.partition("\n#5")[0] for block in text.split("#BOS")[1:]]
    words = [" ".join(row.split()[0] for row in block.splitlines()[1:]) for block in blocks]
    assert words == [by_id[each] for each in ids]


def test_traces_are_transformed_if_there_are_any(serve):
    client = serve(alone=True)
    upload(client, "mine.discbracket", MINE)
    query = {"query": "VP[discontinuous]", "transform": "auto"}
    demo = trees(client, **query).json()
    assert demo["transform"]
    assert demo["matches"] == len(Treebank(demo_trees()).find(query["query"]))
    assert not trees(client, treebank="mine", transform="auto").json()["transform"]
    params = {"treebank": "plcfrs:demo", **query}
    assert client.get("/api/v1/hits", params=params).json()["total"] == demo["matches"]
    assert refusal(trees(client, transform="perhaps"))[0] == 422


def test_named_nodes_are_told_apart(serve):
    (found,) = trees(serve(), query="VP=v[discontinuous] <~ MD=m", transform=True, offset=0).json()[
        "trees"
    ]
    verbs, modals = found["named"][1], found["named"][0]
    assert (modals["name"], verbs["name"]) == ("m", "v")
    tree = found["tree"]
    assert {tree["labels"][node] for node in verbs["nodes"]} == {"VP^HINF"}
    assert [tree["tokens"][token]["tag"] for token in modals["tokens"]] == ["MD"]
    assert tree["marked"] == verbs["nodes"]
    assert tree["marked_tokens"] == modals["tokens"]
    assert demo_trees()[found["place"] - 1].id == tree["id"]
    assert trees(serve(), query="VP", transform=True).json()["trees"][0]["named"] == []


def test_a_query_is_written_for_chosen_nodes(serve):
    client = serve()
    params = {"treebank": "plcfrs:demo", "transform": True}
    (found,) = trees(client, query="VP[discontinuous] <~ NP", **params).json()["trees"]
    (node,) = found["tree"]["marked"]
    chosen = {**params, "place": found["place"], "node": [node], "token": [0]}
    query = client.get("/api/v1/trees/example", params=chosen).json()["query"]
    assert "VP=b[discontinuous]" in query
    again = trees(client, query=query, limit=50, **params).json()
    assert found["place"] in [one["place"] for one in again["trees"]]


def test_no_query_is_written_for_what_is_not_there(serve):
    for wrong, status in [
        ({"place": 0}, 400),
        ({"place": 141}, 400),
        ({}, 400),
        ({"node": 1000}, 400),
        ({"token": 1000}, 400),
        ({"node": -1}, 422),
        ({"place": "first"}, 422),
    ]:
        params = {"treebank": "plcfrs:demo", "place": 1, **wrong}
        assert refusal(serve().get("/api/v1/trees/example", params=params))[0] == status


def test_queries_of_other_tools_are_translated(serve):
    for query, expected in [
        ("NP $+ VP", "/^NP$/ $. /^VP$/"),
        ('[cat="NP"]', "*[category=NP]"),
        ("NP $+", ""),
    ]:
        answer = serve().get("/api/v1/queries/translation", params={"query": query})
        assert answer.json() == {"query": expected}


@pytest.mark.full
def test_many_clients_search_at_once(serve):
    client = serve(alone=True)

    def ask(number):
        query = ("NP", "VP[discontinuous]", "S << WHNP=n", "*", "PP < NP")[number % 5]
        params = {"treebank": "plcfrs:demo", "query": query, "transform": "auto"}
        paths = [("trees", {}), ("hits", {"sort": "-length"}), ("counts", {"by": "label"})]
        return [
            client.get(f"/api/v1/{path}", params={**params, **more}).status_code
            for path, more in paths
        ]

    with client, ThreadPoolExecutor(20) as pool:
        assert set(chain.from_iterable(pool.map(ask, range(40)))) == {200}


def test_a_count_is_the_number_of_hits_of_its_kind(search):
    for by in KEYS:
        for value, count in counted(search("counts", by=by, query="*")):
            answer = search("hits", query="*", kind=by, value=value)
            assert answer.json()["total"] == count
        table = search("hits.tsv", query="*", kind=by, value=value).text
        assert len(table.splitlines()) == count + 1


def test_what_cannot_be_counted_is_refused(search):
    for path, params in [
        ("counts", {"by": "beauty"}),
        ("counts", {"by": "words", "sort": "beauty"}),
        ("counts.tsv", {"by": "beauty"}),
        ("hits", {"sort": "beauty"}),
        ("hits", {"kind": "beauty", "value": "1"}),
        ("trees", {"kind": "beauty", "value": "1"}),
        ("trees", {"sort": "beauty"}),
        ("trees/file", {"sort": "-beauty"}),
        ("counts", {"by": "n.beauty", "query": "NP=n"}),
    ]:
        status, message = refusal(search(path, **params))
        assert status == 400
        assert "beauty: expected one of " in message


def test_queries_are_explained_with_examples(serve):
    client = serve()
    answer = client.get("/api/v1/queries").json()
    sections = answer["sections"]
    assert answer["keys"] == list(KEYS)
    assert [section["title"] for section in sections] == [section.title for section in SECTIONS]
    treebank = Treebank(demo_trees())
    (gaps,) = [section for section in sections if section["title"] == "Gaps"]
    for entry in gaps["entries"]:
        params = {"treebank": "plcfrs:demo", "query": entry["example"], "transform": True}
        found = client.get("/api/v1/hits", params=params).json()
        assert found["total"] == len(treebank.find(entry["example"]))


WISHES = b"""#FORMAT 4
#BOS 1
Sie\tsie\tPPER\tNom.Pl\tSB\t500\tSB\t501
hoffen\thoffen\tVVFIN\t--\tHD\t500
und\tund\tKON\t--\tCD\t502
rudern\trudern\tVVFIN\t--\tHD\t501
#500\t--\tS\t--\tCJ\t502\tMO\t501
#501\t--\tS\t--\tCJ\t502
#502\t--\tCS\t--\t--\t0
#EOS 1
"""


@pytest.fixture(scope="module")
def wishes(serve):
    """Return a client, and what it says of a tree with secondary edges."""
    client = serve(alone=True)
    upload(client, "wishes.export", WISHES)
    return client, trees(client, treebank="wishes").json()["trees"][0]["tree"]


def test_tokens_and_constituents_have_details(wishes):
    _, tree = wishes
    assert tree["tokens"][0] == {
        "form": "Sie", "tag": "PPER", "lemma": "sie", "morph": "Nom.Pl", "function": "SB",
        "start": None, "end": None,
    }  # fmt: skip
    assert tree["tokens"][2]["morph"] == ""
    assert tree["labels"] == ["ROOT", "CS", "S-CJ", "S-CJ"]
    assert tree["functions"] == [[], [], ["CJ"], ["CJ"]]
    assert tree["secondary_edges"] == [
        {"label": "SB", "node": None, "token": 0, "mother": 3},
        {"label": "MO", "node": 2, "token": None, "mother": 3},
    ]


def test_details_are_drawn_again(wishes):
    client, tree = wishes
    wanted = {key: tree[key] for key in ("discbracket", "tokens", "secondary_edges")}
    again = client.post("/api/v1/draw", json=wanted).json()
    assert again["svg"] == tree["svg"]
    plain = client.post("/api/v1/draw", json={"discbracket": tree["discbracket"]}).json()
    assert ("data-edge" in again["svg"], "data-edge" in plain["svg"]) == (True, False)
    below = client.post("/api/v1/draw", json={**wanted, "below": ["morph", "lemma"]}).json()
    assert below["svg"].count("Nom.Pl") == 1
    assert below["svg"].count(">hoffen<") == 2
    shut = client.post("/api/v1/draw", json={**wanted, "collapsed": [2]}).json()
    assert shut["svg"].count("data-edge") == 1
    file = client.post("/api/v1/draw/file", json={**wanted, "format": "export"}).text
    assert file.splitlines()[2].split() == WISHES.decode().splitlines()[2].split()


def test_details_of_another_tree_are_refused(wishes):
    for wrong in [
        {"tokens": [{"form": "Sie", "tag": "PPER"}]},
        {"secondary_edges": [{"label": "SB", "token": 4, "mother": 3}]},
        {"secondary_edges": [{"label": "SB", "token": -1, "mother": 3}]},
        {"secondary_edges": [{"label": "SB", "mother": 3}]},
        {"secondary_edges": [{"label": "SB", "node": 1, "mother": 4}]},
    ]:
        client, tree = wishes
        answer = client.post("/api/v1/draw", json={"discbracket": tree["discbracket"], **wrong})
        status, message = refusal(answer)
        assert status == 400
        assert message.startswith(next(iter(wrong)))
