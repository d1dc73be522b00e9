"""Files that are complete or absent, and the file format of all learned models."""
