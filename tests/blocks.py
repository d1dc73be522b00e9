"""The blocks of a Markdown page: which run, in order, and what they should print.

`sh` and `python` blocks run, all of a page in one directory. A `text` block right after one is what
it prints (on standard error, if it prints nothing else); `...` in it stands for anything. A comment
right before a block says more:

    <!-- not run: REASON -->  the block only stands there
    <!-- file: NAME -->       the block, of any language, is written to this file
    <!-- exit: 2 -->          the shell block ends with this code
"""

import re
from typing import NamedTuple

from markdown_it import MarkdownIt

_COMMENT = re.compile(r"<!-- (not run|file|exit): (.+) -->")


class Block(NamedTuple):
    language: str
    code: str
    line: int  # of the fence, from 0
    says: str = ""  # "not run", "file" or "exit"
    value: str = ""
    expected: str | None = None
    expected_lines: tuple[int, int] = (0, 0)  # of the text block, fences included


def blocks_of(text: str) -> list[Block]:
    """Return the blocks of a page that run or are written to a file."""
    tokens = [token for token in MarkdownIt().parse(text) if token.level == 0]
    found = []
    for index, token in enumerate(tokens):
        if token.type != "fence":
            continue
        comment = _COMMENT.match(tokens[index - 1].content) if index else None
        says, value = comment.groups() if comment else ("", "")
        if token.info in ("sh", "python") or says == "file":
            block = Block(token.info, token.content, token.map[0], says, value)
            following = tokens[index + 1] if index + 1 < len(tokens) else token
            if following.type == "fence" and following.info == "text":
                block = block._replace(expected=following.content, expected_lines=following.map)
            found.append(block)
    return found


def cells(line: str) -> list[str]:
    """Return the cells of a row of a table."""
    return [cell.strip() for cell in line.strip("|").split("|")]


def fits(expected: str, printed: str) -> bool:
    """Whether a text is as expected, where `...` stands for anything.

    Blanks before it may be fewer, for a longer number that is aligned on the right.
    """
    pieces = map(
        re.escape, re.sub(r"(?<=\S  ) +\.\.\.", "...", without_blanks(expected)).split("...")
    )
    return re.fullmatch(".*?".join(pieces), without_blanks(printed), re.DOTALL) is not None


def without_blanks(text: str) -> str:
    """Leave out blanks at ends of lines, which editors remove."""
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())
