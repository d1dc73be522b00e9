"""The sums over continuations of a prefix, for Numba: arrays and numbers only."""
