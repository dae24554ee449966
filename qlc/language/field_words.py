"""Judge fields by the words of their names: the usual date of documents, adjectives that change the noun."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text: `"id ids"` -> {"id", "ids"}."""
    return frozenset(text.split())


ALTERING = word_set(
    "previous prior former past next upcoming future new last original proposed planned scheduled estimated est "
    "expected projected predicted forecast target targeted desired requested offered quoted budgeted tentative "
    "provisional promised alternate alternative backup secondary substitute deputy acting interim emergency max "
    "maximum min minimum lost missed cancelled canceled rejected failed damaged unpaid outstanding remaining pending "
    "net insured trial"
)
"""Adjectives that make something else of the noun: a `previous manager` is not the manager."""

ALWAYS_TO_COME = word_set("due deadline expiry expiration")
"""Dates that no adjective makes another one of: the `next deadline` is the deadline."""
BIRTHS = word_set("born birth birthday birthdate birthyear dob")
OF_RECORDS = word_set(
    "updated modified changed edited created inserted indexed ingested imported synced loaded stored saved timestamp "
    "logged crawled scraped"
)
"""Verbs for the record of a thing, not for the thing."""

_BEGINNINGS = word_set(
    "created creation create start starts started posted published issued ordered opened reported received registered "
    "joined signed hired added scheduled submitted filed logged recorded performed installed admitted intake arrived "
    "sent requested order purchase sale sold invoice booking booked reserved enrolled transaction visit event entry "
    "issue hire begin begins began placed publication release admission registration purchased incident session "
    "appointment departure departed arrival checkin planned lent rented taken made"
)
_MOMENTS = word_set("timestamp ts date time datetime at on day utc of when up in out for")
"""Words that only say that a field is a date."""
_BOOKED = word_set("booked booking reserved registered enrolled")
_LATER = word_set("scheduled planned started")
"""Words of dates that come after another usual one: `reported_at`, then `started_at`."""
_OF_OTHER_TIMES = ALTERING | BIRTHS | OF_RECORDS - {"created", "timestamp", "logged"} | word_set(
    "end ends ended until before after due expires expiry expiration deadline renewal review reminder maturity "
    "closed resolved cancelled valid death update warranty check checked seen login"
)
"""Words of dates that a question has to name: `end_date`, `updated_at`, `next_inspection`."""


def is_usual_date(words: Iterable[str], kind: Collection[str]) -> bool:
    """Whether a date is named as the date of a whole document: `created_at`, `start`, the `order_date` of orders.

    `kind` are the words for the documents.
    """
    own = [one for one in words if one not in kind]
    return own[-1:] == ["since"] or _BEGINNINGS.issuperset(one for one in own if one not in _MOMENTS)


def is_booked_before(words: Iterable[str], others: Iterable[Sequence[str]]) -> bool:
    """Whether a date is of a booking and one of the `others` may be of the event: `booked_on` and `play_date`."""
    return not _BOOKED.isdisjoint(words) and any(_OF_OTHER_TIMES.isdisjoint(one) for one in others)


def usual_dates(words: Mapping[str, Sequence[str]], kind: Collection[str]) -> list[str]:
    """Return the dates that questions can mean that name none, of the words of each date.

    A date called `date` alone comes before what happened, and that before what came later, unless it was booked for
    then: `date` and `created_at` -> `date`; `reported_at` and `scheduled_for` -> `reported_at`; `booked_on` and
    `scheduled_for` -> `scheduled_for`. Without any, what is not of another time: `picked_on` and `next_inspection` ->
    `picked_on`.
    """
    usual = [one for one in words if is_usual_date(words[one], kind)]
    plain = [one for one in usual if _MOMENTS.union(kind).issuperset(words[one])]
    booked = any(not _BOOKED.isdisjoint(words[one]) for one in usual)
    rather = [one for one in usual if ("scheduled" in words[one] if booked else _LATER.isdisjoint(words[one]))]
    return plain or rather or usual or [one for one in words if _OF_OTHER_TIMES.isdisjoint(words[one])]
