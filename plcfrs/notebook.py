"""What notebooks show: Jupyter and its like ask objects for `_repr_svg_` or `_repr_html_`.

Trees, derivations and grammars know nothing of who draws them, so they get these methods here,
whenever plcfrs is imported. Results of parsers stand above, and have such methods of their own.
"""

from __future__ import annotations

from heapq import nlargest
from itertools import count

from plcfrs.drawing import draw_svg
from plcfrs.grammar import Derivation, Grammar
from plcfrs.grammar.notation import in_paper_notation
from plcfrs.text import escape
from plcfrs.trees import ROOT, Node, Token, Tree

_SHOWN = 10


def picture(tree: Tree) -> str:
    """Return the SVG of a tree, its discontinuous constituents in colours."""
    return draw_svg(tree, gaps=True)


def picture_of_derivation(derivation: Derivation) -> str:
    """Return the SVG of a derivation: symbols of the grammar, and positions for the words.

    Examples
    --------
    >>> from plcfrs.grammar import Nonterminal, tag
    >>> np = Derivation(Nonterminal("NP"), ((0,),), (Derivation(tag("PRP")),))
    >>> ">PRP</text>" in picture_of_derivation(np)
    True
    """
    position_of = {leaf: position for position, leaf in enumerate(derivation.order())}
    leaves = count()
    tokens = [Token(str(position), "") for position in range(len(position_of))]

    def node_or_position(part: Derivation, children: list[Node | int]) -> Node | int:
        if part.children:
            return Node(str(part.nonterminal), children=children)
        position = position_of[next(leaves)]
        tokens[position].tag = str(part.nonterminal)
        return position

    root = derivation.fold(node_or_position)
    return picture(Tree(root if isinstance(root, Node) else Node(ROOT, children=[root]), tokens))


def table_of_grammar(grammar: Grammar) -> str:
    """Return HTML: the figures of a grammar, and its most frequent rules."""
    symbols = [symbol for symbol in grammar.nonterminals() if symbol.kind != "tag"]
    by_fan_out = sorted(grammar.count_by_fan_out().items())
    figures = [
        f"{len(grammar.rules)} rules",
        *(f"{rules} of fan-out {fan_out}" for fan_out, rules in by_fan_out),
        f"{len(symbols)} symbols",
        f"{len(grammar.lexicon.words)} words",
    ]
    probabilities = grammar.probabilities()
    rows = [
        f'<tr><td style="text-align: left">{escape(in_paper_notation(rule))}</td>'
        f"<td>{weight:g}</td><td>{probabilities[rule]:.4f}</td></tr>"
        for rule, weight in nlargest(_SHOWN, grammar.rules.items(), key=lambda item: item[1])
    ]
    return "\n".join(
        [
            f"<table><caption>{', '.join(figures)}; the {len(rows)} with the highest "
            f"{grammar.weights}:</caption>",
            '<tr><th style="text-align: left">rule</th>'
            f"<th>{grammar.weights.removesuffix('s')}</th><th>p</th></tr>",
            *rows,
            "</table>",
        ]
    )


Tree._repr_svg_ = picture  # type: ignore[attr-defined]
Derivation._repr_svg_ = picture_of_derivation  # type: ignore[attr-defined]
Grammar._repr_html_ = table_of_grammar  # type: ignore[attr-defined]
