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
        Without intermediate nonterminals. Where one was the first child, the children are now in
        the order in which their yields begin.
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
    restored = derivation._replace(yield_function=yield_function, children=tuple(kept))
    is_first = derivation.children[0].nonterminal.kind == "intermediate"
    return _in_order(restored) if is_first else restored


def _in_order(derivation: Derivation) -> Derivation:
    """Bring the children into the order in which the yield function names them."""
    order = list(dict.fromkeys(child for part in derivation.yield_function for child in part))
    number_of = {child: number for number, child in enumerate(order)}
    return derivation._replace(
        yield_function=tuple(
            tuple(number_of[child] for child in part) for part in derivation.yield_function
        ),
        children=tuple(derivation.children[child] for child in order),
    )
