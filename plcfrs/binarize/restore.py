"""The inverse of every binarization: intermediate nonterminals give way to their children."""

from __future__ import annotations

from plcfrs.grammar import Derivation, YieldFunction


def restore(derivation: Derivation) -> Derivation:
    """Return the derivation of the grammar before binarization.

    Parameters
    ----------
    derivation : Derivation
        With intermediate nonterminals anywhere but at the top.

    Returns
    -------
    Derivation
        Without intermediate nonterminals.
    """
    return derivation.fold(_without_intermediates)


def _without_intermediates(derivation: Derivation, children: list[Derivation]) -> Derivation:
    if not any(child.nonterminal.kind == "intermediate" for child in children):
        return derivation._replace(children=tuple(children))
    kept: list[Derivation] = []
    components = []
    for child in children:
        number = len(kept)
        if child.nonterminal.kind == "intermediate":
            components.append(
                iter([[number + inner for inner in part] for part in child.yield_function])
            )
            kept.extend(child.children)
        else:
            components.append(iter([[number]] * child.nonterminal.fanout))
            kept.append(child)
    yield_function: YieldFunction = tuple(
        tuple(inner for child in component for inner in next(components[child]))
        for component in derivation.yield_function
    )
    return derivation._replace(yield_function=yield_function, children=tuple(kept))
