"""The kernels of linear span features: all that Numba sees of them."""
