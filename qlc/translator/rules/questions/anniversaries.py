"""Days that come back every year: `whose birthday is in July`. A condition on a date is of one year."""

from __future__ import annotations

from qlc.mapping.fields import FieldKind
from qlc.translator.rules.lexicon.lexemes import FieldWord
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.quantities.date_tests import date_test
from qlc.translator.rules.quantities.dates import is_year
from qlc.translator.rules.words.phrases import words

EVERY_YEAR = (
    "These days come back every year, and dates are only compared with those of one year. Ask with a year, or for a "
    "list with the dates in it."
)

_COMING_BACK = words("birthday birthdays anniversary anniversaries jubilee")


def comes_back(p: Parse) -> bool:
    """Whether a birthday, which the index has as a date, is asked for by a month or a day of no year."""
    dates = any(
        p.word(at) in _COMING_BACK and any(one.payload.ref.kind is FieldKind.DATE for one in p.starting(at, FieldWord))
        for at in range(p.end)
    )
    return dates and not any(is_year(token.text) for token in p.tokens) and any(date_test(p, at) for at in range(p.end))
