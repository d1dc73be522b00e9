"""Section 4.1 of Evang and Kallmeyer (2011) backwards: binarized rules by substitution."""

from __future__ import annotations

from plcfrs.grammar import Derivation, Grammar, Rule


def chains(binarized: Grammar) -> dict[Rule, list[Rule]]:
    """Return for each rule before binarization the rules that it was cut into."""
    below = {}
    for rule in binarized.rules:
        if rule.lhs.kind == "intermediate":
            assert rule.lhs not in below
            below[rule.lhs] = rule
    found = {}
    for rule in binarized.rules:
        if rule.lhs.kind != "intermediate":
            chain = [rule]
            while chain[-1].rhs[-1] in below:
                chain.append(below[chain[-1].rhs[-1]])
            whole = chain[-1]
            for upper in reversed(chain[:-1]):
                whole = substitute(upper, whole)
            found[whole] = chain
    return found


def substitute(upper: Rule, lower: Rule) -> Rule:
    """Replace the last child of a rule, of two children, by the right-hand side of its rule."""
    first, _ = upper.rhs
    arguments = iter(lower.yield_function)
    components = []
    for component in upper.yield_function:
        variables: list[int] = []
        for child in component:
            variables += [0] if child == 0 else [1 + inner for inner in next(arguments)]
        components.append(tuple(variables))
    return Rule(upper.lhs, (first, *lower.rhs), tuple(components))


def binarize_derivation(derivation: Derivation, cut: dict[Rule, list[Rule]]) -> Derivation:
    """Return the derivation of the binarized grammar for one of the grammar before."""

    def binarized(derivation: Derivation, children: list[Derivation]) -> Derivation:
        if not children:
            return derivation
        chain = cut[derivation.rule]
        last = chain[-1]
        built = Derivation(last.lhs, last.yield_function, tuple(children[len(chain) - 1 :]))
        for place in reversed(range(len(chain) - 1)):
            rule = chain[place]
            built = Derivation(rule.lhs, rule.yield_function, (children[place], built))
        return built

    return derivation.fold(binarized)
