"""One folder a family; none imports another one, but for `combined`, which is above them."""
