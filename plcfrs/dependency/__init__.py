"""Parsers of dependencies."""
