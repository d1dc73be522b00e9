"""What parsers with a grammar share: its forest, how others judge it, and what is read off it."""
