"""Read a picture back into brackets, by following its lines with a finger."""

LINES = "─│┌┐┬┴┼├┤"


def read_picture(picture: str) -> str:
    """Return the brackets that a picture with box-drawing characters shows.

    Words are shown as their number from the left. Labels and words must be narrow
    and free of blanks and of box-drawing characters.
    """
    lines = picture.split("\n")
    width = max(map(len, lines))
    grid = [line.ljust(width) for line in lines]
    left = len(grid[0]) - len(grid[0].lstrip())
    return _read(grid, 0, left)


def _read(grid: list[str], row: int, column: int) -> str:
    """Return what is at and below the label that covers a cell."""
    start, end = column, column
    while start > 0 and _is_label(grid[row][start - 1]):
        start -= 1
    while end < len(grid[row]) and _is_label(grid[row][end]):
        end += 1
    if row == len(grid) - 1:
        return str(len(grid[row][:end].split()) - 1)
    marks = [place for place in range(start, end) if grid[row + 1][place] in "│┴┼├┤"]
    assert len(marks) == 1, f"one line must leave the label {grid[row][start:end]}"
    feet = _feet(grid[row + 1], marks[0])
    children = [_read(grid, *_descend(grid, row + 1, foot)) for foot in feet]
    return f"({' '.join([grid[row][start:end], *children])})"


def _feet(branch: str, place: int) -> list[int]:
    """Return where a branch has lines down; a line that crosses it has a blank on either side."""
    if branch[place] == "│":
        return [place]
    left = place
    while branch[left] not in "┌├":
        left -= 1
    right = place
    while branch[right] not in "┐┤":
        right += 1
    inside = branch[left + 1 : right].replace(" │ ", "───")
    assert not set(inside) - set("─┬┴┼"), f"a broken branch: {inside}"
    return [foot for foot in range(left, right + 1) if branch[foot] in "┌├┬┼┤┐"]


def _descend(grid: list[str], row: int, column: int) -> tuple[int, int]:
    row += 1
    while grid[row][column] == "│":
        row += 1
    assert _is_label(grid[row][column]), f"a line ends at {grid[row][column]!r}"
    return row, column


def _is_label(character: str) -> bool:
    return character != " " and character not in LINES
