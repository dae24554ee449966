"""Reads the groups of a question: `per supplier`, `by law`, `for each month`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from qlc.corpus.schema import CorpusSchema

from .vocabulary import LinkedField, is_plain

_FORM = re.compile(
    r"\b(?:per|(?:for|in|from|of|with|to|on) (?:each|every)|(?:grouped|broken down|split)? ?by|did each|does each"
    r"|for the (?:individual|different|various))\s+(?:the\s+)?(?P<noun>[\w-]+(?:\s+[\w-]+)?)",
    re.IGNORECASE,
)
_MOST = re.compile(
    r"^\W*(?:(?:in|on|from|with|to|for|by) )?(?:which|what|who is the|whose)\s+(?P<noun>[\w-]+(?:\s+[\w-]+)?)\b.*?"
    r"\b(?P<end>(?:the )?(?:most|fewest|least|(?:highest|largest|greatest|lowest|smallest) number of))\b",
    re.IGNORECASE,
)
_CALENDAR = re.compile(r"(?:calendar )?(year|quarter|month|week|weekday|day)s?\b", re.IGNORECASE)
_PARTICIPLE = re.compile(r"\w(?:ed|en)\s*$", re.IGNORECASE)
_LISTING = ("name", "choice", "text", "boolean", "duration")


@dataclass(frozen=True, slots=True)
class Group:
    """A group of a bucket's documents: the field, its text in a program, and its span in the question."""

    bucket: str
    field: str
    program: str
    begin: int
    end: int
    extreme: str = ""
    """`most` or `fewest`, where only the first or the last group is asked for: `which supplier has the most orders`."""
    extreme_at: tuple[int, int] = (0, 0)


def groups_in(
    text: str, fields: Sequence[LinkedField], buckets: Iterable[str], schema: CorpusSchema
) -> Iterator[Group]:
    """The groups that a question names, for each bucket that can be meant."""
    for bucket in buckets:
        most = _MOST.search(text)
        for said in [*_FORM.finditer(text)] if most is None else [most]:
            begin, end = said.span("noun")
            extreme = ("", (0, 0))
            if most is not None:
                is_low = re.search(r"fewest|least|lowest|smallest", most["end"], re.IGNORECASE)
                extreme = ("fewest" if is_low else "most", most.span("end"))
            period = _CALENDAR.match(text, begin)
            if period is not None and period.end() <= end:
                if (field := _date(fields, bucket, schema, (begin, end))) is not None:
                    yield Group(bucket, field, f"{period[1].lower()}({field})", said.start(), period.end(), *extreme)
                continue
            if _PARTICIPLE.search(text, 0, said.start()) and re.match(r"\S+(?: \S+)? of\b", text[begin:]):
                continue  # `governed by the law of Norway` names a value
            meant = [
                one for one in fields
                if one.bucket == bucket and one.part.type in _LISTING and begin in one.used and max(one.used) < end
            ]  # fmt: skip
            best = [one for one in meant if one.score == meant[0].score]
            if len(best) == 1:
                last = re.compile(r"\w+").match(text, max(best[0].used))
                yield Group(bucket, best[0].name, best[0].name, said.start(), last.end() if last else end, *extreme)


def _date(fields: Sequence[LinkedField], bucket: str, schema: CorpusSchema, noun: tuple[int, int]) -> str | None:
    """Return the date field for groups by calendar: the one that the question names, or the only one."""
    dates = [name for name, part in schema.fields(bucket).items() if part.type == "date"]
    own = [one for one in fields if one.bucket == bucket]
    said = [one for one in own if one.name in dates and not all(noun[0] <= at < noun[1] for at in one.used)
            and not any(one.used < other.used and one.score < other.score for other in own)]  # `due` of `total due`
    if said and (len(said) == 1 or said[0].score > said[1].score):
        return said[0].name
    plain = [name for name in dates if is_plain(name, bucket, schema, schema.file.language)]
    return dates[0] if len(dates) == 1 else plain[0] if len(plain) == 1 else None
