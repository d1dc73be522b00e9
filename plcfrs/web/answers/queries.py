"""What can be written in queries, as answers."""

from __future__ import annotations

from pydantic import BaseModel, Field


class HelpEntry(BaseModel):
    """Something that can be written in a query."""

    written: list[str] = Field(description="The ways to write it.")
    meaning: str = Field(description="Parts of queries are in backquotes.")
    example: str = Field(description="A query.")


class HelpSection(BaseModel):
    """Entries of a kind, such as operators for gaps."""

    title: str
    about: str
    entries: list[HelpEntry]


class HelpAnswer(BaseModel):
    """What can be written in queries, and by what hits are counted."""

    sections: list[HelpSection]
    keys: list[str] = Field(description="As for plcfrs find --count-by.")
