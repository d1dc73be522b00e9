"""PyTorch, which is installed with an extra."""

from __future__ import annotations

from importlib.util import find_spec

from plcfrs.errors import InputError


def require_torch() -> None:
    """Check that PyTorch is there, before what trains with it is imported."""
    if find_spec("torch") is None:
        raise InputError(
            "a network is trained by PyTorch, which is not installed: pip install 'plcfrs[neural]'"
        )
