"""What a person sees of a sentence."""

from __future__ import annotations

from dataclasses import dataclass, field

from plcfrs.annotating.choices import Choice
from plcfrs.checking import Finding
from plcfrs.project import NamedTree
from plcfrs.trees import Tree, render_label


@dataclass(frozen=True)
class SentenceView:
    """What a person sees of a sentence.

    Parameters
    ----------
    id, document : str
    revision : int
    status, note : str
    tree : Tree
    names : dict of str to list of str
        Of ``nodes``, in the order of ``tree.nodes()``, and of ``tokens``.
    is_proposal : bool
        Whether the tree is the parser's: nothing has been done yet.
    without_parse : bool
        Whether the sentence is shown without a parse, since people drift towards what they see.
    by_hand : bool
        Whether the parser does not change it any more.
    kept : list of str
        The names of parts that the parser does not change.
    doubt : float or None
        The expected number of repairs for each word, if the parser says it.
    doubts : list of (str, float)
        The names of constituents whose probability is low, in the order of the text, with it.
    choices : dict of str to list of Choice
        Of doubtful constituents; empty if they take too long: ask `Assistant.choices`.
    cost : float or None
        How much less the tree scores than without the decisions of the person, if it is known.
    findings : list of (Finding, list of str)
        What checks find, with the names of the parts.
    chosen : list of str
        The names of parts that the operation has made or moved.
    can_undo, can_redo : bool
    """

    id: str
    document: str
    revision: int
    status: str
    note: str
    tree: Tree
    names: dict[str, list[str]]
    is_proposal: bool
    without_parse: bool
    by_hand: bool
    kept: list[str]
    doubt: float | None = None
    doubts: list[tuple[str, float]] = field(default_factory=list)
    choices: dict[str, list[Choice]] = field(default_factory=dict)
    cost: float | None = None
    findings: list[tuple[Finding, list[str]]] = field(default_factory=list)
    chosen: list[str] = field(default_factory=list)
    can_undo: bool = False
    can_redo: bool = False


def parts_of(finding: Finding, named: NamedTree) -> list[str]:
    """Return the names of the constituent of a finding, or of its tokens."""
    nodes = [
        named.names[node]
        for node in named.tree.nodes()
        if render_label(node) == finding.label and tuple(sorted(node.leaves())) == finding.positions
    ]
    return nodes[:1] or [named.names[place] for place in finding.positions]
