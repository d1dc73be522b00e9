"""All arrays that the kernels of features and learning see.

A sentence of n tokens has n + 2 rows: 0 is the root, and n + 1 stands for no token. A *part* of a
tree has three places: head and modifier of an arc, and a third one that depends on the kind of the
part. The key of a feature is a sum: one summand for each place, and one for the *relation* of the
places, their directions and distances. So all summands of a sentence can be prepared once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plcfrs.linear.kernel.arrays import Int32, Keys, Places

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

# The most atoms of a template at one place.
WIDTH = 4

# Bins of distances: 1, 2, 3, 4, 5, 6-7, 8-10, 11-15, 16-25, more.
BINS = 10

# Relations of parts: see the functions that compute them in `features`.
ARC_RELATIONS = 2 * BINS
SIBLING_RELATIONS = 4 * BINS
GRANDPARENT_RELATIONS = 6


class Templates(NamedTuple):
    """The T feature templates of a kind of part."""

    columns: Places  # (3, T, WIDTH) of the attributes of the token at each of the three places
    factors: Keys  # (3, T, WIDTH) 0 where a template has fewer atoms
    relations: Keys  # (relations, T)


class Kind(NamedTuple):
    """The summands of the keys of a kind of part in a sentence."""

    summands: Keys  # (3, n + 2, T)
    relations: Keys  # (relations, T)


class Features(NamedTuple):
    """The features of a sentence."""

    arcs: Kind
    between: Kind  # arcs and the tags between head and modifier
    siblings: Kind
    grandparents: Kind
    crossing: Kind  # arcs that are not projective
    crossed: Kind  # such arcs and a word between that does not depend on the head
    tags: Keys  # (n + 2,)
    seen: Keys  # (n + 2,) scratch memory: tags that are different
    firsts: Int32  # (n + 2,) scratch memory: where they are first
