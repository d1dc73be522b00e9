"""Numbers that neither vanish nor overflow."""

from __future__ import annotations

from plcfrs.chart.kernel.arrays import Costs
from plcfrs.jit import inner_kernel


@inner_kernel
def scale_down(numbers: Costs) -> float:
    """Divide numbers that are not negative by the highest, and return it; 0 if all are."""
    highest = 0.0
    for place in range(numbers.shape[0]):
        highest = max(highest, numbers[place])
    if highest > 0.0:
        for place in range(numbers.shape[0]):
            numbers[place] /= highest
    return highest
