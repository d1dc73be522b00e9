"""What Numba sees of the best derivation of a forest."""
