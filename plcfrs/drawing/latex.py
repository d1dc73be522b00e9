"""Text in LaTeX."""

from __future__ import annotations

import re

_ESCAPED = {
    **{sign: f"\\{sign}" for sign in "#$%&_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    # Characters that the old font encoding of LaTeX, or the package babel, would change.
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\symbol{34}",
}
_SPECIAL = re.compile("|".join(map(re.escape, _ESCAPED)))
_NOT_PRINTED = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\s]+")


def escape_latex(text: str) -> str:
    r"""Return a text for use in LaTeX; characters that cannot be printed become blanks.

    >>> escape_latex("NP_2 100% {a}")
    'NP\\_2 100\\% \\{a\\}'
    """
    return _SPECIAL.sub(lambda found: _ESCAPED[found[0]], _NOT_PRINTED.sub(" ", text))
