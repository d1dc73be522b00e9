"""Neural networks: PyTorch trains them, and NumPy parses with them.

Only `network`, `training` and the encoders import PyTorch, so parsing needs none.
"""
