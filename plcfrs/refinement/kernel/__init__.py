"""The kernels of refined grammars: all that Numba sees of them."""
