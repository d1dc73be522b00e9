"""One network with several heads, and a grammar: tags, set-based transitions, and spans."""

from plcfrs.parsers.joint.model import FAMILIES, JointModel

__all__ = ["FAMILIES", "JointModel"]
