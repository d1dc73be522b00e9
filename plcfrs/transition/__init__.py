"""Transition parsers for discontinuous trees: SR-GAP, SR-SWAP and SKIPSHIFT."""
