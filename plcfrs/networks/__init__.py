"""Networks: encoders and vectors, run with NumPy, trained with PyTorch."""
