"""Queries of other tools, translated into the query language; see `translate`."""

from __future__ import annotations

from plcfrs.errors import InputError, check_types
from plcfrs.query import tgrep, tigersearch
from plcfrs.query.language import parse
from plcfrs.query.writing import LONGEST

LANGUAGES = ("tgrep2", "tregex", "tigersearch")
"""The languages whose queries can be translated."""


def translate(text: str, language: str) -> str:
    """Translate a query of another tool, so that it finds the same nodes.

    The translation finds the first node of the query, or the marked node of a tgrep2 query.

    Parameters
    ----------
    text
        The query.
    language
        One of `LANGUAGES`.

    Returns
    -------
    str
        A query that `plcfrs.parse_query` takes.

    Raises
    ------
    InputError
        If the text is not a query of the language, or has a part that cannot be translated. The
        message names the column.

    Examples
    --------
    >>> translate("@NP < (DT $+ NN)", "tregex")
    'NP < (/^DT$/ $. /^NN$/)'
    >>> translate('[cat="VP"] > [pos="VVFIN"]', "tigersearch")
    '*[category=VP] < *[tag=VVFIN]'
    """
    check_types("translate(text, language)", (text, str), (language, str))
    if language not in LANGUAGES:
        raise InputError(f"unknown language {language}: choose one of {', '.join(LANGUAGES)}")
    if len(text) > LONGEST:
        raise InputError(f"{language}: the query has more than {LONGEST} characters")
    if language == "tigersearch":
        translated = tigersearch.translate(text)
    else:
        translated = tgrep.translate(text, language)
    try:
        parse(translated)
    except InputError as error:
        raise InputError(f"{language}: the translation {translated} is refused: {error}") from None
    return translated


def suggest(text: str) -> str:
    """Return the translation of a text if it is a query of another tool, or else an empty text.

    >>> suggest("NP $+ VP")
    '/^NP$/ $. /^VP$/'
    >>> suggest("NP $+")
    ''
    """
    for language in reversed(LANGUAGES):
        try:
            return translate(text, language)
        except InputError:
            continue
    return ""
