"""Transition parsers for trees with crossing branches: SR-GAP, SR-SWAP and SKIPSHIFT."""
