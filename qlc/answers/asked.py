"""Decides which fields a question asks for, and which ones only describe the list: `which tenants`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from qlc.corpus.schema import CorpusSchema
from qlc.corpus.values.synonyms import END

from .conditions import declared_fields
from .linking import Linked
from .vocabulary import LEAST, LinkedField, fits, is_plain

_QUESTIONS = re.compile(r"\b(?:who|what|when|which|how)\b", re.IGNORECASE)
_STRICT = ("date", "name", "money", "duration")
"""Kinds of values that a question word tells surely: `when`, `who`."""


def asked_fields(fields: list[LinkedField], linked: Linked) -> list[LinkedField]:
    """Return the fields whose values are asked for. Each word counts for the best field that it names."""
    if linked.kind in _STRICT:
        several = len(_QUESTIONS.findall(linked.text)) > 1
        fields = [one for one in fields if fits(linked.kind, one.part) or one.is_whole or several]
    found: list[LinkedField] = []
    taken: set[int] = set()
    for one in fields:
        if one.score >= LEAST and not one.used & taken:
            rivals = [
                other for other in fields
                if other is not one and other.used & one.used and not other.used < one.used
                and other.name not in {f.name for f in found}
                and one.score - other.score < LEAST / 3
            ]  # fmt: skip
            taken |= one.used
            if not rivals:
                found.append(one)
    return found


_HAVING = re.compile(r"\b(?:with|have|has|having)\s+(?:an?\s+|any\s+)?$", re.IGNORECASE)


def is_condition(one: LinkedField, linked: Linked) -> bool:
    """Whether a list is of what has a field: a property that is true or not, or `with a liability cap`."""
    return one.part.type == "boolean" or _HAVING.search(linked.text, 0, one.begin) is not None


_COLUMN_MARK = re.compile(
    r"\b(?:with|and|including|showing|plus|as well as)\s+(?P<own>(?:all\s+)?(?:of\s+)?(?:their|its|the)\s+)?"
    r"|\b(?:the\s+)?(?=(?:[\w-]+(?:,|\s+and)?\s+){1,12}(?:of|for)\s+(?P<each>each|every)\b)", re.IGNORECASE,
)  # fmt: skip
"""Words before fields that are shown beside the listed documents: `with their totals`, `with vendor and total`, `the
total of each invoice`."""


def are_columns(asked: Sequence[LinkedField], linked: Linked) -> bool:
    """Whether a list is to show the values of the fields that are asked for: nothing else stands between them."""
    if not asked:
        return False
    explained = {at for one in asked for at in one.explained}
    begin, end = min(one.begin for one in asked), max(max(one.used) for one in asked)
    is_between = all(one.begin in explained for one in linked.terms if begin <= one.begin <= end)
    found = any(before.end() == begin and (before["own"] or before["each"] or len(asked) > 1)
                for before in _COLUMN_MARK.finditer(linked.text))  # fmt: skip
    return is_between and (found or linked.owner in linked.bucket_words)


_HEAD = re.compile(r"^\s*(?:please\s+)?(?:which|what|list|show|give|find)\s+(?:me\s+)?(?:all\s+|the\s+|every\s+)*"
                   r"((?:[\w-]+\s+){0,2}[\w-]+)", re.IGNORECASE)  # fmt: skip


def is_listed(one: LinkedField, linked: Linked) -> bool:
    """Whether a list is of the values of a field: `which tenants may keep a dog`."""
    head = _HEAD.match(linked.text)
    if head is None or any(head.start(1) <= at < head.end(1) for at in linked.bucket_words):
        return False
    return head.start(1) <= one.begin < head.end(1)


EXTREME = re.compile(
    r"\b(?:(?P<date>earliest|latest|newest|oldest|most recent)|(?P<duration>longest|shortest)"
    r"|cheapest|most expensive|dearest|highest|lowest|largest|smallest|biggest|greatest)\b", re.IGNORECASE,
)  # fmt: skip


def usual_field(
    asked: Sequence[LinkedField], linked: Linked, bucket: str, schema: CorpusSchema
) -> str | None:  # fmt: skip
    """Return the field by which documents themselves are compared or added up; None if a field that is asked for is
    measured, empty if nothing says which one.

    `the fee of the latest contract` -> agreement_date. `sum of all invoices` -> total_due.
    """
    said, kind = EXTREME.search(linked.text), "money"
    if linked.measure in ("min", "max"):
        noun = re.compile(r"\s+").match(linked.text, said.end()) if said else None
        nouns = [one for one in linked.terms if noun is not None and one.begin == noun.end() in linked.bucket_words]
        if said is None or (asked and not (nouns and all(one.begin < said.start() for one in asked))):
            return None
        if any(one.raw.lower().endswith("s") for one in nouns):
            return ""  # how many of `the latest contracts` are meant is not said
        kind = "date" if said["date"] else "duration" if said["duration"] else kind
    elif asked or linked.measure not in ("sum", "avg"):
        return None
    fitting = [name for name, part in declared_fields(bucket, schema).items()
               if part.type == kind and not part.by and not part.list]  # fmt: skip
    plain = [name for name in fitting if is_plain(name, bucket, schema, linked.language)]
    if kind != "date" or len(plain) == 1:  # a cap of liability does not make a contract a dear one
        return plain[0] if len(plain) == 1 else ""
    is_end = any(END.search(one.replace("_", " ")) for one in fitting)  # is `the latest` the one that ends last?
    return fitting[0] if len(fitting) == 1 and not is_end else ""
