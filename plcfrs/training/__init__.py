"""The training of any parser: rounds, progress, scores, the best round kept, resuming."""

from plcfrs.training.runner import Round, Runner
from plcfrs.training.trainer import Step, Trainer, checksum

__all__ = ["Round", "Runner", "Step", "Trainer", "checksum"]
