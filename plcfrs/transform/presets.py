"""All transformations in their order, and the presets of the paper."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from plcfrs.transform.cleanup import remove_null_elements, remove_unary_sbar
from plcfrs.transform.corrections import Corrections, correct
from plcfrs.transform.splits import split_infinitive, split_vp, split_wh
from plcfrs.transform.traces import TRACE_TYPES, Anomaly, reattach_traces
from plcfrs.trees import Tree
from plcfrs.trees.heads import HeadRules, collins, mark_heads

SPLITS = ("wh", "vp", "infinitive")


@dataclass(frozen=True, slots=True)
class Options:
    """What `transform` does.

    Parameters
    ----------
    reattach : tuple of str
        The types of traces whose fillers are moved; none gives context-free trees.
    keep_sbar : bool
        Whether an SBAR over a single constituent stays.
    splits : tuple of str
        Which categories are split: ``"wh"`` (SWH), ``"vp"`` (VPHINF, VPHTO, VPHPART),
        ``"infinitive"`` (SINF).
    head_rules : HeadRules
    corrections : Corrections
    """

    reattach: tuple[str, ...] = TRACE_TYPES
    keep_sbar: bool = False
    splits: tuple[str, ...] = SPLITS
    head_rules: HeadRules = field(default_factory=collins)
    corrections: Corrections = field(default_factory=dict)


EVANG_KALLMEYER = Options()
CONTEXT_FREE = Options(reattach=())


def transform(
    tree: Tree, options: Options = EVANG_KALLMEYER, anomalies: list[Anomaly] | None = None
) -> Tree:
    """Turn a tree with traces into one with crossing branches, and split its categories.

    Evang and Kallmeyer (2011), sections 3 and 4.2. Of a tree without traces, only the categories
    change, and unary SBAR nodes.

    Parameters
    ----------
    tree : Tree
        As read; changed.
    options : Options
    anomalies : list of Anomaly, optional
        Oddities of the annotation are added.

    Returns
    -------
    Tree
        The same tree; without tokens if all were null elements.

    Examples
    --------
    >>> from plcfrs.treebank import read_trees
    >>> trees = [transform(tree) for tree in read_trees("plcfrs:demo")]
    >>> max(tree.gap_degree() for tree in trees)
    2
    """
    correct(tree, options.corrections)
    if "wh" in options.splits:
        split_wh(tree)
    if options.reattach:
        reattach_traces(tree, options.reattach, anomalies)
    remove_null_elements(tree)
    if not options.keep_sbar:
        remove_unary_sbar(tree)
    mark_heads(tree, options.head_rules)
    if "vp" in options.splits:
        split_vp(tree)
    if "infinitive" in options.splits:
        split_infinitive(tree)
    return tree


def transform_all(
    trees: Iterable[Tree],
    options: Options = EVANG_KALLMEYER,
    anomalies: list[Anomaly] | None = None,
) -> Iterator[Tree]:
    """Transform one tree after another; those left without tokens are dropped.

    Yields
    ------
    Tree
    """
    for tree in trees:
        transformed = transform(tree, options, anomalies)
        if transformed.tokens:
            yield transformed
        elif anomalies is not None:
            anomalies.append(Anomaly("dropped sentence", tree.id))
