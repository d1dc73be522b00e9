"""Errors as answers."""

from __future__ import annotations

from pydantic import BaseModel


class Refusal(BaseModel):
    """Why a request was refused."""

    status: int
    message: str


class ErrorAnswer(BaseModel):
    """An error."""

    error: Refusal
