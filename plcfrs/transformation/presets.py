"""All transformations in their order, and the presets of Evang and Kallmeyer (2011).

Their category splits (section 4.2) and their table of reattachments and gap degrees (table 1) are
here, too, and so are the texts by which a model states the transformation of its trees.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from plcfrs.errors import InputError
from plcfrs.settings import (
    Checked,
    file_setting,
    from_texts,
    setting,
    show_changes,
    to_texts,
)
from plcfrs.transformation.cleanup import (
    Corrections,
    attach_low,
    attach_punctuation,
    correct,
    read_corrections,
    remove_null_elements,
    remove_punctuation,
    remove_unary_sbar,
)
from plcfrs.transformation.continuous import raise_nodes, split_nodes
from plcfrs.transformation.traces import (
    SURROUNDING,
    TRACE_TYPES,
    Anomaly,
    find_traces,
    pair_marks,
    reattach_traces,
)
from plcfrs.trees import Node, Tree
from plcfrs.trees.heads import (
    HEAD_RULES_HELP,
    PACKAGED,
    HeadRules,
    collins,
    lexical_heads,
    mark_heads,
    on_copy,
    read_head_rules,
)
from plcfrs.trees.restoring import record
from plcfrs.wording import aligned

WH, INFINITIVE = "WH", "INF"
VP_SPLITS = {"VB": "HINF", "TO": "HTO", "VBN": "HPART", "VBG": "HPART"}
INFINITIVE_TAGS = ("VB", "TO")


@on_copy
def split_wh(tree: Tree) -> Tree:
    """Mark S as SWH if it is the sister of a wh-phrase that fills a trace inside the S."""
    traces: dict[int, int] = {}
    for trace in find_traces(tree):
        traces[trace.index] = traces.get(trace.index, 0) | 1 << trace.position
    nodes = tree.nodes() if traces else []
    if not any(node.index in traces and node.category.startswith("WH") for node in nodes):
        return tree
    yields = tree.yields()
    for mother in nodes:
        moved = 0
        for filler in mother.nodes:
            if filler.category.startswith("WH") and filler.index is not None:
                moved |= traces.get(filler.index, 0)
        for sister in mother.nodes:
            if sister.category == "S" and yields[sister] & moved:
                sister.split = WH
    return tree


@on_copy
def split_vp(tree: Tree) -> Tree:
    """Mark VP as VPHINF, VPHTO or VPHPART, by the tag of the marked lexical head."""
    return _split_by_heads(tree, ("vp",))


@on_copy
def split_infinitive(tree: Tree) -> Tree:
    """Mark S as SINF if it is not SWH and its marked head is VPHINF or VPHTO (marked or not)."""
    return _split_by_heads(tree, ("infinitive",))


def _split_by_heads(tree: Tree, splits: Collection[str]) -> Tree:
    for node, head in lexical_heads(tree).items():
        if node.category == "VP" and "vp" in splits:
            node.split = VP_SPLITS.get(tree.tokens[head].tag, "")
        elif node.category == "S" and node.split != WH and "infinitive" in splits:
            child = node.children[node.head or 0]
            if isinstance(child, Node) and child.category == "VP":
                node.split = INFINITIVE if tree.tokens[head].tag in INFINITIVE_TAGS else ""
    return tree


def remove_splits(tree: Tree) -> Tree:
    """Return a copy without the category splits of all nodes."""
    return tree.copy().forget_splits()


SPLITS = ("wh", "vp", "infinitive")
Punctuation = Literal["leave", "low", "high", "remove"]
Continuous = Literal["no", "raise", "split"]


@dataclass(frozen=True, slots=True)
class Options(Checked):
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
        Where to attach punctuation at the root (`attach_punctuation`), or whether to remove all
        punctuation.
    attach_low : bool
        Whether other children of the root are attached to constituents that they interrupt
        (`attach_low`).
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


EVANG_KALLMEYER = Options()
CONTEXT_FREE = Options(reattach=())


@on_copy
def transform(
    tree: Tree, options: Options = EVANG_KALLMEYER, anomalies: list[Anomaly] | None = None
) -> Tree:
    """Turn a tree with traces into one with crossing branches, and split its categories.

    See Evang and Kallmeyer (2011), sections 3 and 4.2. In a tree without traces, only the
    categories and unary SBAR nodes change. The options say what happens to children of the root and
    to crossing branches. If all tokens were removed, the tree has no tokens.

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
    if options.splits:
        _split_by_heads(tree, options.splits)
    match options.continuous:
        case "raise":
            raise_nodes.in_place(tree)
        case "split":
            split_nodes.in_place(tree, options.head_rules)
    return tree


def can_be_undone(options: Options) -> bool:
    """Whether `transform_reversibly` accepts options."""
    return options.punctuation != "remove" and options.continuous == "no"


@on_copy
def transform_reversibly(
    tree: Tree, options: Options = EVANG_KALLMEYER, anomalies: list[Anomaly] | None = None
) -> Tree:
    """Transform a tree as `transform` does, and keep what it takes out, for `restore_traces`.

    An InputError is raised if options remove punctuation or make trees continuous: they cannot be
    undone.

    Examples
    --------
    >>> from plcfrs.treebank import read_trees
    >>> from plcfrs.trees import restore_traces
    >>> trees = list(read_trees("plcfrs:demo"))
    >>> [*map(restore_traces, map(transform_reversibly, trees))] == trees
    True
    """
    if not can_be_undone(options):
        raise InputError("the annotation cannot be kept with --punctuation remove or --continuous")
    correct.in_place(tree, options.corrections)
    original = tree.copy()
    source = dict(zip(tree.nodes(), original.nodes(), strict=True))
    transform.in_place(tree, replace(options, corrections={}), anomalies)
    tree.annotation = record(original, tree, source)
    return tree


def transform_all(
    trees: Iterable[Tree],
    options: Options = EVANG_KALLMEYER,
    anomalies: list[Anomaly] | None = None,
) -> Iterator[Tree]:
    """Transform one tree after another; trees that are left without tokens are dropped."""
    return change_all((tree.copy() for tree in trees), options, anomalies)


def change_all(
    trees: Iterable[Tree],
    options: Options,
    anomalies: list[Anomaly] | None = None,
    *,
    annotation: bool = False,
) -> Iterator[Tree]:
    """Transform trees like `transform_all`, but in place, or like `transform_reversibly`."""
    change = transform_reversibly if annotation else transform
    for tree in trees:
        transformed = change.in_place(tree, options, anomalies)
        if transformed.tokens:
            yield transformed
        elif anomalies is not None:
            anomalies.append(Anomaly("dropped sentence", tree.id))


TYPES = (TRACE_TYPES[0], SURROUNDING, *TRACE_TYPES[1:])
ANY, NONE, TOTAL = "any reattachment", "no reattachment", "total"


class ReattachmentTable:
    """A table of trace types: moved phrases, and the gap degrees of their trees.

    >>> from plcfrs.treebank import read_trees
    >>> from plcfrs.transformation import transform
    >>> table = ReattachmentTable()
    >>> for tree in table.watch(map(transform, read_trees("plcfrs:demo"))):
    ...     pass
    >>> [row[0] for row in table.rows()[1:]]
    ['*T*', '*T*-PRN', '*ICH*', '*EXP*', '*RNR*', 'any reattachment', 'no reattachment', 'total']
    """

    def __init__(self) -> None:
        self.instances: Counter[str] = Counter()
        self.trees: Counter[str] = Counter()
        self.gap_degrees: Counter[tuple[str, int]] = Counter()

    def add(self, tree: Tree) -> None:
        """Count a transformed tree."""
        moved = Counter([node.moved for node in tree.nodes() if node.moved])
        rows = [*moved, ANY if moved else NONE, TOTAL]
        self.instances.update({**moved, ANY: moved.total()})
        self.trees.update(rows)
        degree = tree.gap_degree()
        self.gap_degrees.update((row, degree) for row in rows)

    def watch(self, trees: Iterable[Tree]) -> Iterator[Tree]:
        """Yield the trees and count each of them."""
        for tree in trees:
            self.add(tree)
            yield tree

    def rows(self) -> list[list[str]]:
        """Return the rows, a header first: type, instances, trees, trees of each gap degree."""
        degrees = range(max((degree for _, degree in self.gap_degrees), default=0) + 1)
        table = [["type", "instances", "trees", *(f"gap degree {degree}" for degree in degrees)]]
        for name in (*TYPES, ANY, NONE, TOTAL):
            instances = "n/a" if name in (NONE, TOTAL) else str(self.instances[name])
            counts = [str(self.gap_degrees[name, degree]) for degree in degrees]
            table.append([name, instances, str(self.trees[name]), *counts])
        return table

    def __str__(self) -> str:
        return aligned(self.rows())


_FROM_A_FILE = "of a file"


def describe(options: Options) -> dict[str, str]:
    """Return the texts by which a model states the transformation of its trees.

    >>> describe(Options(splits=(), punctuation="low"))["splits"]
    'none'
    """
    stated = to_texts(options)
    if options.head_rules != collins():
        names = (name for name in PACKAGED if read_head_rules(name) == options.head_rules)
        stated["head-rules"] = next(names, _FROM_A_FILE)
    if options.corrections:
        stated["corrections"] = _FROM_A_FILE
    return stated


def options_of(stated: Mapping[str, str]) -> Options:
    """Return the stated options: the inverse of `describe`; rules from a file cannot be restored.

    >>> options_of(describe(Options(splits=(), punctuation="low")))
    Options(splits=(), punctuation='low')
    """
    for name in ("head-rules", "corrections"):
        if stated.get(name) == _FROM_A_FILE:
            what = name.replace("-", " ")
            raise InputError(f"the {what} of its treebank came from a separate file")
    return from_texts(Options(), stated)
