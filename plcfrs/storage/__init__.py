"""Files that are complete or absent, and files of learned models."""
