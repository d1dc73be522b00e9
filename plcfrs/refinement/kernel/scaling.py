"""Scaling of numbers, so that they do not underflow or overflow."""

from __future__ import annotations

from plcfrs.chart.kernel.arrays import Costs
from plcfrs.jit import inner_kernel


@inner_kernel
def scale_down(numbers: Costs) -> float:
    """Divide non-negative numbers by the highest, and return the highest; 0 if all are 0."""
    highest = 0.0
    for place in range(numbers.shape[0]):
        highest = max(highest, numbers[place])
    if highest > 0.0:
        for place in range(numbers.shape[0]):
            numbers[place] /= highest
    return highest
