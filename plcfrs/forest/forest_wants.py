"""Why a constituent is not in the parse that scores choose from a forest: what it would lose."""

from __future__ import annotations

import numpy as np

from plcfrs.chart import Forest
from plcfrs.chart.forest import span_of_item
from plcfrs.chart.kernel.arrays import Int64
from plcfrs.forest.judged_forest import JudgedForest
from plcfrs.forest.votes import constituents_in
from plcfrs.grammar.nonterminal import Want
from plcfrs.parsing.explanation import Column, table
from plcfrs.parsing.votes import Constituent
from plcfrs.trees.tree import runs, span_of_runs

# More than all scores of a sentence together.
_BONUS = 1e6


def want_lines(judged: JudgedForest, want: Want) -> list[str]:
    """Return what the best parse of a forest with a wanted constituent loses, and how it differs.

    Of several judges, it is said for each of them.
    """
    forest = judged.forest
    symbols = list(forest.compiled.labels)
    span = span_of_runs(want.ranges)
    wanted = np.array(
        [
            want.category in (symbols[label].category, str(symbols[label]))
            and symbols[label].kind != "intermediate"
            and span_of_item(forest, item) == span
            for item, label in enumerate(forest.label)
        ]
    )
    if not wanted.any():
        nobody = "no member could choose it" if judged.members else "it could not be chosen"
        return [f"{want}: not in the forest, so {nobody}"]
    posterior = f"posterior {float(judged.posterior[wanted].sum()):.4f}"
    best, with_it = judged.best_edges(), judged.best_edges(_BONUS * wanted[forest.edge_mother])
    before, after = (judged.weighted[:, edges[edges >= 0]].sum(axis=1) for edges in (best, with_it))
    losses = (before - after).tolist()
    if not any(losses):
        return [f"{want}: in the best parse; {posterior}"]
    rows = zip([sum(losses), *losses], ["sum", *judged.members], strict=False)
    columns = [Column("loss", is_number=True), Column("member" if judged.members else "")]
    one, other = (_constituents(forest, edges) for edges in (best, with_it))
    return [
        f"{want}: not in the best parse; {posterior}",
        *table(columns, rows),
        f"only in the best parse: {_only(one, other)}",
        f"only with {want}: {_only(other, one)}",
    ]


def _constituents(forest: Forest, edges: Int64) -> list[Constituent]:
    """Return the constituents of a derivation, mothers before their children."""
    found = constituents_in(forest)
    return [each for item in np.flatnonzero(edges >= 0)[::-1].tolist() for each in found[item]]


def _only(one: list[Constituent], other: list[Constituent]) -> str:
    wants = [Want(category, tuple(runs(span))) for category, span in one]
    kept = [str(want) for want, each in zip(wants, one, strict=True) if each not in other]
    return ", ".join(kept) or "nothing"
