"""The kernels of linear models: all that Numba sees of them."""
