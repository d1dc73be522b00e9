"""Linear models of hashed features: sparse weights, their updates and averages."""
