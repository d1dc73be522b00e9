"""Annotation projects: texts, the trees of the people who annotate them, and their history."""
