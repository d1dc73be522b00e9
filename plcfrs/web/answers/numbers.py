"""Numbers as JSON has them."""

from __future__ import annotations

from math import isfinite
from typing import Annotated

from pydantic import BeforeValidator


def finite(number: float | None) -> float | None:
    """Return null instead of infinity, which JSON does not have."""
    return number if number is not None and isfinite(number) else None


Finite = Annotated[float | None, BeforeValidator(finite)]
