r"""What parsers write around parses in brackets: scores, numbers, and headers of N-best lists.

The number or name before a tab and a parse is the identifier of the sentence. The header ``2 s17``
(BLLIP) begins two parses of the sentence s17, each behind a line with its score: their identifiers
are s17.rank1 and s17.rank2. Scores are not kept.
"""

from __future__ import annotations

import re

_SCORE = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?|(?i:inf(?:inity)?|nan))"
OUTSIDE = rf"{_SCORE}(?:[ \t]+[^\s()]+)?[ \t]*\r?\n"
"""Matches a line with a score, or a header."""
BEFORE = rf"(?:[^\s()<>\"]+\t\s*|{_SCORE}[ \t]+){{1,3}}"
"""Matches what may be before a parse on its line."""

_HEADER = re.compile(r"\s*([0-9]+)[ \t]+([^\s()<>\"]*[0-9][^\s()<>\"]*)\s*", re.ASCII)
_ALONE = re.compile(rf"\s*{_SCORE}\s*")
_BEFORE = re.compile(rf"(?=[^\s(]){BEFORE}(?=\()")
_BEHIND = re.compile(rf"(?<=\))[ \t]+(?:\(p={_SCORE}\)|{_SCORE}(?:[ \t]+{_SCORE})*)(?=\s*\Z)")


def without_score(line: str) -> str:
    r"""Return a line without a score behind a parse.

    >>> without_score("(S (UH Yes))\t-2.5"), without_score("(S (UH No)) (p=0.03)")
    ('(S (UH Yes))', '(S (UH No))')
    """
    return _BEHIND.sub("", line)


class Names:
    r"""Reads the lines outside of brackets.

    >>> names = Names()
    >>> lines = ["2 s1\n", "-3.5\n", "(S (UH Yes))\n", "17\t(S (UH No))\n"]
    >>> [names.cut(line) for line in lines]
    [('', ''), ('', ''), ('s1.rank1', '(S (UH Yes))\n'), ('17', '(S (UH No))\n')]
    """

    def __init__(self) -> None:
        self._sentence = ""
        self._rank = 0

    def cut(self, line: str) -> tuple[str, str]:
        """Return the identifier of the parse on a line, and the line without it and its score."""
        if not self._sentence and line[:1] in "(\n":  # the usual case
            return "", line
        if header := _HEADER.fullmatch(line):
            self._sentence, self._rank = header[2], 0
            return (f"{header[2]}.rank1", "(())\n") if int(header[1]) == 0 else ("", "")
        if _ALONE.fullmatch(line):
            return "", ""
        name, before = "", _BEFORE.match(line)
        if before:
            texts = before[0].split()
            name = next((t for t in texts if t.isdecimal() or not _ALONE.fullmatch(t)), "")
            line = line[before.end() :]
        if self._sentence and not name and "(" in line:
            self._rank += 1
            name = f"{self._sentence}.rank{self._rank}"
        return name, line
