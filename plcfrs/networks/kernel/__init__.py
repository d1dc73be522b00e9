"""What Numba compiles: arrays and numbers only."""
