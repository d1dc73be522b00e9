"""The kernels of dependency parsers: all that Numba sees of them."""
