"""Files on the disk: complete or not there; and the one file of all learned models."""
