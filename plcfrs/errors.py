"""Errors for users: what is wrong, where, and what to do."""

from typing import get_args


class PlcfrsError(Exception):
    """Base of every error that plcfrs raises on purpose.

    The command line prints its message as one line and exits with code 2, or 1 for a failed run.
    """


class InputError(PlcfrsError):
    """A sentence, a file name or an option that cannot be used."""


class MissingError(InputError):
    """A package or a pretrained encoder that a model needs is missing."""


class GrammarError(PlcfrsError):
    """A grammar, or a grammar file, that cannot be used."""


class WorkerError(PlcfrsError):
    """The worker processes do not start, or have died: a failed run."""


class TreebankError(PlcfrsError):
    """A treebank that cannot be read.

    Parameters
    ----------
    message : str
        What is wrong and what was expected.
    path : str, optional
    line : int, optional
        From 1.
    sentence : str, optional
        The identifier of the sentence.

    Examples
    --------
    >>> print(TreebankError("expected ')'", path="a.mrg", line=3))
    a.mrg:3: expected ')'
    """

    def __init__(
        self,
        message: str,
        path: str | None = None,
        line: int | None = None,
        sentence: str | None = None,
    ) -> None:
        self.path = path
        self.line = line
        self.sentence = sentence
        place = ":".join(str(part) for part in (path, line) if part is not None)
        if sentence:
            place = f"{place}, sentence {sentence}" if place else f"sentence {sentence}"
        super().__init__(f"{place}: {message}" if place else message)


class MissingFileError(GrammarError, InputError, FileNotFoundError):
    """A file that does not exist; programs may expect the usual error of Python."""

    def __str__(self) -> str:
        return str(self.args[0])  # an OSError would add its number


def check_types(call: str, *arguments: tuple[object, type | tuple[type, ...]]) -> None:
    """Raise a TypeError if arguments have wrong types, for example in a wrong order.

    >>> check_types("draw(tree)", ("NP", int))
    Traceback (most recent call last):
        ...
    TypeError: draw(tree): got str
    """
    if not all(isinstance(argument, kind) for argument, kind in arguments):
        got = ", ".join(type(argument).__name__ for argument, _ in arguments)
        raise TypeError(f"{call}: got {got}")


def check_choice(name: str, value: str, choices: object) -> None:
    """Raise an InputError if a value is not one of those of a Literal type.

    >>> from typing import Literal
    >>> check_choice("place", "left", Literal["low", "high"])
    Traceback (most recent call last):
        ...
    plcfrs.errors.InputError: place: 'left' is not one of low, high
    """
    if value not in get_args(choices):
        raise InputError(f"{name}: {value!r} is not one of {', '.join(get_args(choices))}")


class TreebankWarning(UserWarning):
    """A treebank was read, but perhaps not as intended."""
