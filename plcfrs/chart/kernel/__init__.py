"""The compiled part of the parser: it sees arrays and numbers, never trees or strings."""
