"""The kernels of the tagger: all that Numba sees of it."""
