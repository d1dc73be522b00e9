"""What all learned parsers share: templates, weights, taggers, and the runner of training."""

from plcfrs.learning.runner import Runner, Step, Trainer, checksum

__all__ = ["Runner", "Step", "Trainer", "checksum"]
