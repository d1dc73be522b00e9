"""The functions and null elements of English."""

from plcfrs import load_model
from plcfrs.cli import run
from plcfrs.completion import Completion
from plcfrs.trees import Tree, restore_traces


def test_who_does_what():
    completion = Completion.load("plcfrs:english")
    assert completion.about["licence"]
    assert len(completion.to_bytes()) < 4_000_000
    parse = Tree.from_string(
        "(SBARQ (SQ (VBD 1=did) (NP (PRP 2=you)) (VP (VB 3=want) (S (NP (PRP 4=me)) (VP (TO 5=to)"
        " (VP (WHNP (WP 0=What)) (VB 6=buy)))))) (. 7=?))"
    )
    assert str(restore_traces(completion(parse))) == (
        "(ROOT (SBARQ (WHNP-1 (WP 0=What)) (SQ (VBD 1=did) (NP-SBJ (PRP 2=you)) (VP (VB 3=want)"
        " (S (NP-SBJ (PRP 4=me)) (VP (TO 5=to) (VP (VB 6=buy) (NP (-NONE- 7=*T*-1)))))))"
        " (. 8=?)))"
    )


def test_included_models_give_them(tmp_path, capsys):
    path = tmp_path / "a.txt"
    path.write_text("The cake was eaten.")
    assert run(["parse", "plcfrs:english", str(path), "--to", "penn"]) == 0
    assert "(NP-SBJ-1 (DT The) (NN cake))" in (found := capsys.readouterr().out)
    assert "(VP (VBN eaten) (NP (-NONE- *-1)))" in found
    assert run(["find", str(path), "NP-SBJ", "--parse", "plcfrs:english"]) == 0
    assert capsys.readouterr().out == "a:1\tNP-SBJ\tThe cake\n"
    assert "NP-SBJ" in str(load_model("plcfrs:english-grammar").parse("The cake was eaten .").tree)
