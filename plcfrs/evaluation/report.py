"""Scores as a table for people."""

from plcfrs.evaluation.brackets import Counts, Scores


def render_scores(scores: Scores) -> str:
    """Return the table of scores, percentages with two decimals.

    A score of constituents of which neither the gold trees nor the parses have any is ``-``.

    Parameters
    ----------
    scores : Scores

    Returns
    -------
    str
        Labelled and unlabelled precision, recall and F1 and the counts behind them, of all and of
        discontinuous constituents; then what concerns whole sentences and words.
    """
    rows = [
        ["", "All", "Discontinuous"],
        *_percentages("L", scores.labelled, scores.labelled_discontinuous),
        *_percentages("U", scores.unlabelled, scores.unlabelled_discontinuous),
        *_numbers(scores),
        ["Exact match", _decimals(scores.exact_match, scores.sentences)],
        ["Tagging accuracy", _decimals(scores.tagging_accuracy, scores.words)],
        ["Sentences", str(scores.sentences)],
        ["Without a parse", str(scores.without_parse)],
    ]
    return "\n".join(row[0].ljust(20) + "".join(cell.rjust(15) for cell in row[1:]) for row in rows)


def _percentages(letter: str, *columns: Counts) -> list[list[str]]:
    scores = {
        "P": [counts.precision for counts in columns],
        "R": [counts.recall for counts in columns],
        "F1": [counts.f1 for counts in columns],
    }
    bases = [counts.gold + counts.parsed for counts in columns]
    return [
        [letter + name, *map(_decimals, percentages, bases)] for name, percentages in scores.items()
    ]


def _numbers(scores: Scores) -> list[list[str]]:
    labelled, discontinuous = scores.labelled, scores.labelled_discontinuous
    unlabelled = [scores.unlabelled.matched, scores.unlabelled_discontinuous.matched]
    return [
        ["Gold", str(labelled.gold), str(discontinuous.gold)],
        ["Parsed", str(labelled.parsed), str(discontinuous.parsed)],
        ["Matched labelled", str(labelled.matched), str(discontinuous.matched)],
        ["Matched unlabelled", *map(str, unlabelled)],
    ]


def _decimals(percentage: float, base: int) -> str:
    return f"{percentage:.2f}" if base else "-"
