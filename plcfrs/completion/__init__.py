"""Completing trees: functions, null elements and indices for the trees of any parser."""
