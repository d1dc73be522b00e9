"""Files that are complete or not there, and files of learned models."""
