"""Span scorers: networks that judge the constituents of a forest by the words at their ends."""
