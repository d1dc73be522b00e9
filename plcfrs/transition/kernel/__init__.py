"""The kernels of transition parsers: all that Numba sees of them."""
