"""The included completion for English."""

from plcfrs.completion import Completion
from plcfrs.storage.included import COMPLETIONS
from plcfrs.trees import Tree, restore_traces


def test_who_does_what():
    completion = Completion.load("plcfrs:english")
    assert completion.about["licence"]
    assert COMPLETIONS["plcfrs:english"].stat().st_size < 4_000_000
    parse = Tree.from_string(
        "(SBARQ (SQ (VBD 1=did) (NP (PRP 2=you)) (VP (VB 3=want) (S (NP (PRP 4=me)) (VP (TO 5=to)"
        " (VP (WHNP (WP 0=What)) (VB 6=buy)))))) (. 7=?))"
    )
    assert str(restore_traces(completion(parse))) == (
        "(ROOT (SBARQ (WHNP-1 (WP 0=What)) (SQ (VBD 1=did) (NP-SBJ (PRP 2=you)) (VP (VB 3=want)"
        " (S (NP-SBJ (PRP 4=me)) (VP (TO 5=to) (VP (VB 6=buy) (NP (-NONE- 7=*T*-1)))))))"
        " (. 8=?)))"
    )
