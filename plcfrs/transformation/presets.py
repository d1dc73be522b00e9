"""All transformations in their order, and the presets of the paper."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from plcfrs.settings import check_settings, file_setting, setting, show_changes
from plcfrs.transformation.cleanup import remove_null_elements, remove_unary_sbar
from plcfrs.transformation.continuous import raise_nodes, split_nodes
from plcfrs.transformation.corrections import Corrections, correct, read_corrections
from plcfrs.transformation.pairs import pair_marks
from plcfrs.transformation.punctuation import attach_punctuation, remove_punctuation
from plcfrs.transformation.roots import attach_low
from plcfrs.transformation.splits import split_infinitive, split_vp, split_wh
from plcfrs.transformation.traces import TRACE_TYPES, Anomaly, reattach_traces
from plcfrs.trees import Tree
from plcfrs.trees.copying import on_copy
from plcfrs.trees.heads import (
    HEAD_RULES_HELP,
    HeadRules,
    mark_heads,
    read_head_rules,
)

SPLITS = ("wh", "vp", "infinitive")
Punctuation = Literal["leave", "low", "high", "remove"]
Continuous = Literal["no", "raise", "split"]


@dataclass(frozen=True, slots=True)
class Options:
    """Options of `transform`.

    Parameters
    ----------
    reattach : tuple of str
        The types of traces whose fillers are moved; without any, trees stay context-free.
    keep_sbar : bool
        Whether an SBAR over a single constituent stays.
    splits : tuple of str
        Which categories are split: ``"wh"`` (SWH), ``"vp"`` (VPHINF, VPHTO, VPHPART),
        ``"infinitive"`` (SINF).
    head_rules : HeadRules
    corrections : Corrections
    punctuation : {"leave", "low", "high", "remove"}
        Where to attach punctuation at the root (`attach_punctuation`), or to remove all of it.
    attach_low : bool
        Whether other things at the root are attached to what they interrupt (`attach_low`).
    pair_marks : bool
        Whether both marks of a pair of quotes, brackets or dashes get the same mother.
    continuous : {"no", "raise", "split"}
        Whether and how trees are made continuous (`raise_nodes`, `split_nodes`).
    """

    reattach: tuple[str, ...] = setting(
        TRACE_TYPES,
        "Types of traces whose fillers are reattached, or none (Tr and Te in the paper).",
        choices=TRACE_TYPES,
        metavar="TYPES",
    )
    keep_sbar: bool = setting(False, "Keep an SBAR over a single constituent.")
    splits: tuple[str, ...] = setting(SPLITS, "Category splits, or none.", choices=SPLITS)
    head_rules: HeadRules = file_setting(
        "collins", HEAD_RULES_HELP, read_head_rules, metavar="NAME|FILE"
    )
    corrections: Corrections = file_setting(
        "",
        "Corrections of annotation errors: TSV with the columns file, sentence, old, new.",
        lambda path: read_corrections(path) if path else {},
    )
    punctuation: Punctuation = setting(
        "leave",
        "Leave punctuation where it is; attach punctuation at the root without new gaps, low "
        "(treetools: punctuation_verylow) or high (root_attach); or remove all punctuation.",
    )
    attach_low: bool = setting(
        False, "Attach other children of the root that interrupt a constituent."
    )
    pair_marks: bool = setting(False, "Put pairs of quotes, brackets and dashes in one node.")
    continuous: Continuous = setting(
        "no",
        "Make crossing branches continuous: raise parts without the head, or split nodes into "
        "VP*1, VP*2 (Boyd 2007; disco-dop: splitdisc).",
    )

    __repr__ = show_changes

    def __post_init__(self) -> None:
        check_settings(self)


EVANG_KALLMEYER = Options()
CONTEXT_FREE = Options(reattach=())


@on_copy
def transform(
    tree: Tree, options: Options = EVANG_KALLMEYER, anomalies: list[Anomaly] | None = None
) -> Tree:
    """Turn a tree with traces into one with crossing branches, and split its categories.

    See Evang and Kallmeyer (2011), sections 3 and 4.2. In a tree without traces, only the
    categories and unary SBAR nodes change. The options say what happens to children of the root and
    to crossing branches. A tree has no tokens if all of them were removed.

    Parameters
    ----------
    tree : Tree
        As read.
    options : Options
    anomalies : list of Anomaly, optional
        Oddities of the annotation are appended.

    Examples
    --------
    >>> from plcfrs.treebank import read_trees
    >>> trees = [transform(tree) for tree in read_trees("plcfrs:demo")]
    >>> max(tree.gap_degree() for tree in trees)
    2
    """
    correct.in_place(tree, options.corrections)
    if "wh" in options.splits:
        split_wh.in_place(tree)
    if options.reattach:
        reattach_traces.in_place(tree, options.reattach, anomalies)
    remove_null_elements.in_place(tree)
    # Words are attached first, since gaps are counted without punctuation.
    if options.attach_low:
        attach_low.in_place(tree)
    if options.punctuation == "remove":
        remove_punctuation.in_place(tree)
    elif options.punctuation != "leave":
        attach_punctuation.in_place(tree, options.punctuation)
    if options.pair_marks:
        pair_marks.in_place(tree)
    if not options.keep_sbar:
        remove_unary_sbar.in_place(tree)
    mark_heads.in_place(tree, options.head_rules)
    if "vp" in options.splits:
        split_vp.in_place(tree)
    if "infinitive" in options.splits:
        split_infinitive.in_place(tree)
    match options.continuous:
        case "raise":
            raise_nodes.in_place(tree)
        case "split":
            split_nodes.in_place(tree, options.head_rules)
    return tree


def transform_all(
    trees: Iterable[Tree],
    options: Options = EVANG_KALLMEYER,
    anomalies: list[Anomaly] | None = None,
) -> Iterator[Tree]:
    """Transform one tree after another; trees that are left without tokens are dropped."""
    for tree in trees:
        transformed = transform(tree, options, anomalies)
        if transformed.tokens:
            yield transformed
        elif anomalies is not None:
            anomalies.append(Anomaly("dropped sentence", tree.id))
