"""Whether a text is a program or words: what parses, what is a program with a typo, what is too long to read."""

from __future__ import annotations

import re

from qlc.grammar import SyntaxProblem, parse
from qlc.grammar.reading import is_program

LONGEST = 2_000
MOST_WORDS, MOST_PIECES = 100, 400
"""Characters, words, and words and marks together of the longest question that is read. Whoever asks in words needs
fewer."""
NO_QUESTION = "There is no question. Ask for a list, a number or a value."
TOO_LONG = f"That is too long for one question: say it in at most {MOST_WORDS} words and {LONGEST:,} characters."
LONGEST_SOURCE = 500_000
"""Characters of the longest text that is looked at: whether it is a program, a request or words."""
_PIECE = re.compile(r"\w+|[^\w\s]")
STATEMENT = re.compile(r"\s*(?:find|count|get)\b", re.IGNORECASE)
_ONLY_PROGRAMS = re.compile(
    r"\s*(?:--|let\s+\w+\s*=|(?:sum|avg|min|max|median|percentile|distinct|share)\s*\(|(?:find|count)\b.*\bwhere\s*$)"
)
_BARE = re.compile(r"[\w\s,]+")
_SIGNS = re.compile(r"[!<>=]=|[=<>]|&&|\|\|")
_CODE = re.compile(r"[=<>|;]|\w\(\w|\b(?:SELECT|FROM|WHERE)\b")
_WORD_OPERATORS = re.compile(r"\b(?:in|has|contains|between|missing|exists|under|starts|ends|like|matches|mentions)\b")
_STRINGS = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\\?\Z)', re.DOTALL)


def looks_like_program(text: str) -> bool:
    """A text that parses; or can be nothing but a program with a typo: it begins as one, and compares with signs."""
    if not text.strip() or what_is_too_long(text):
        return False
    if is_program(text):
        return not begins_with_measure(text)
    if _ONLY_PROGRAMS.match(text):
        return True
    return STATEMENT.match(text) is not None and _SIGNS.search(_STRINGS.sub('""', text)) is not None


def is_of_words(text: str) -> bool:
    """Whether a text that parses is made of words alone, so that it may also be a question."""
    return _BARE.fullmatch(text) is not None


def begins_with_measure(text: str) -> bool:
    """Return whether a text is a program only if the catalog has such a measure: `price of gold`."""
    return is_of_words(text) and STATEMENT.match(text) is None


def typo_of(text: str) -> SyntaxProblem | None:
    """The syntax error of a text that may be words or a program: `find documents where name contains x`.

    Also of what has signs of code in it and can be fixed, or is another language: `documents where size > 5 MB`; and of
    what compares and has a misspelt keyword: `find documents whre name contains x`.
    """
    bare = _STRINGS.sub('""', text)
    compares = STATEMENT.match(text) is not None and _WORD_OPERATORS.search(bare) is not None
    where = bare.find(" where ")
    begun = compares and where >= 0 and _WORD_OPERATORS.search(bare, where) is not None
    if not compares and not _CODE.search(bare):
        return None
    try:
        parse(text)
    except SyntaxProblem as problem:
        found = problem.diagnostic
        is_typo = found.code == "other-language" or (compares and found.code == "misspelt-keyword")
        coded = found.fixed is not None and _CODE.search(bare) is not None
        return problem if begun or is_typo or coded else None
    return None


def is_readable(text: str) -> bool:
    """Whether a text has any words, and no more of them than a question has."""
    if len(text) > LONGEST or not 0 < len(text.split()) <= MOST_WORDS:
        return False
    return len(_PIECE.findall(text)) <= MOST_PIECES


def what_is_too_long(text: str) -> str:
    """Return the message for a text above the length limit; empty for others."""
    if len(text) <= LONGEST_SOURCE:
        return ""
    return f"That is too long to be read: at most {LONGEST_SOURCE:,} characters are."
