"""Why a sentence has its dependencies: their scores, and what the next best heads would cost."""

from __future__ import annotations

from math import fsum

from plcfrs.dependency.explanation import Attachment
from plcfrs.pipeline.explanation import Column, Explanation, Row
from plcfrs.trees import DependencyTree

_COLUMNS = (
    Column("    score", is_number=True),
    Column("head -> word"),
    Column("relation"),
    Column("next best head"),
    Column("   costs", is_number=True),
)


def explain_arcs(dependencies: DependencyTree, attachments: list[Attachment]) -> Explanation:
    """Return the explanation of a dependency tree, given the attachment of each word."""
    words = dependencies.words()
    names = ["ROOT", *(f"{place}={word}" for place, word in enumerate(words))]
    rows = []
    for number, (head, relation, attachment) in enumerate(
        zip(dependencies.heads, dependencies.relations, attachments, strict=True), start=1
    ):
        clause = f"{names[head]} -> {names[number]}"
        second = cost = ""
        if attachment.second is not None:
            second, cost = names[attachment.second], f"{attachment.cost:8.2f}"
        positions = [place - 1 for place in (number, head) if place]
        cells = (f"{attachment.score:9.2f}", clause, relation, second, cost)
        details = {"relation": relation, "next best head": second, "costs": cost.strip()}
        rows.append(Row(relation, clause, attachment.score, positions, cells, (), details))
    total = f"{fsum(row.score for row in rows):9.2f}  the sum"
    return Explanation(words, "dependency", "score", _COLUMNS, rows, [total], dependencies)
