"""Fields that a question speaks of without their names: by a unit, by another word, by `with tax` or `before tax`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from qlc.corpus.schema import CorpusSchema
from qlc.corpus.values.synonyms import END, in_common_words, same_words
from qlc.corpus.values.units import convert, unit_of

from .terms import Term, stems, stems_in_order
from .vocabulary import FITTING, LEAST, NAMED, OTHERWISE_NAMED, Kind, LinkedField, fits, phrases, synonyms


def with_units(
    fields: tuple[LinkedField, ...], words: Sequence[Term], among: Sequence[str], schema: CorpusSchema
) -> tuple[LinkedField, ...]:  # fmt: skip
    """Fields with those that a unit speaks of: `head, kilowatts and kilos`, where a bucket has one field of each."""
    used = {at for one in fields if one.score >= LEAST for at in one.used}
    found = list(fields)
    for word in words:
        unit = unit_of(word.raw) if word.begin not in used and len(word.raw) > 3 else None
        for bucket in among if unit is not None else ():
            having = [
                (name, part) for name, part in schema.fields(bucket).items()
                if part.type == "number" and (of := unit_of(part.unit)) and not part.sensitive
                and convert(Decimal(1), unit or "", of) is not None
            ]  # fmt: skip
            if len(having) == 1 and not any((one.bucket, one.name) == (bucket, having[0][0]) for one in found):
                found.append(LinkedField(bucket, *having[0], NAMED, frozenset({word.begin})))
    return tuple(sorted(found, key=lambda one: -one.score))


def with_synonyms(
    fields: tuple[LinkedField, ...], words: Sequence[Term], among: Sequence[str], kind: Kind, schema: CorpusSchema
) -> tuple[LinkedField, ...]:
    """Fields with those that words are for that no field is called by."""
    used = {(one.bucket, at) for one in fields if one.score >= LEAST for at in one.used}
    found = list(fields)
    language = schema.file.language
    for bucket in among:
        declared = schema.fields(bucket)
        free = [one for one in words if (bucket, one.begin) not in used]
        said = {one.stem for one in free}
        done = {one.name for one in fields if one.bucket == bucket and one.score >= LEAST}
        for name, phrase in synonyms(declared):
            wanted = stems_in_order(phrase, language)
            if name in done or declared[name].sensitive or not said.issuperset(wanted):
                continue
            runs = (free[at : at + len(wanted)] for at in range(len(free) - len(wanted) + 1))
            run = next((one for one in runs if tuple(term.stem for term in one) == wanted), None)
            if run:
                done.add(name)
                score = OTHERWISE_NAMED + (FITTING if kind and fits(kind, declared[name]) else 0)
                found = [one for one in found if (one.bucket, one.name) != (bucket, name)]
                found.append(LinkedField(bucket, name, declared[name], score, frozenset(one.begin for one in run)))
    return tuple(sorted(found, key=lambda one: -one.score))


_TAX = r"(?:(?:sales |value[- ]added )?tax(?:es)?|vat|gst|moms|mwst|ust|tva|iva|btw)"
_WITH_TAX = re.compile(
    rf"\b(?:with|incl\.?|including|includes|inclusive of|plus|after)\s+(?:the\s+|all\s+)?{_TAX}\b"
    rf"|\b{_TAX}\s+(?:included|inclusive|incl\b\.?)|\bgross\b(?!\s+(?:weight|tonnage|volume))",
    re.IGNORECASE,
)
_BEFORE_TAX = re.compile(
    rf"\b(?:without|excl\.?|excluding|exclusive of|before|net of|ex)\s+(?:the\s+|any\s+)?{_TAX}\b"
    rf"|\b{_TAX}\s+(?:excluded|exclusive|excl\b\.?|extra)",
    re.IGNORECASE,
)


def by_tax(fields: tuple[LinkedField, ...], text: str, words: Sequence[Term], among: Sequence[str],
           schema: CorpusSchema) -> tuple[LinkedField, ...]:  # fmt: skip
    """Fields where an amount is asked for with tax, or without: that is the total, or what it was before. The words say
    nothing of the tax itself."""
    for form, row in ((_WITH_TAX, "total"), (_BEFORE_TAX, "net")):
        said = form.search(text)
        if said is None:
            continue
        places = frozenset(one.begin for one in words if said.start() <= one.begin < said.end())
        for bucket in among:
            declared = schema.fields(bucket)
            meant = [
                name for name, part in declared.items()
                if part.type == "money" and not part.sensitive and row in same_words(phrases(name, part)[0], "money")
            ]  # fmt: skip
            if len(meant) == 1:
                own = next((one for one in fields if (one.bucket, one.name) == (bucket, meant[0])), None)
                used = (own.used if own else frozenset()) | places
                one = LinkedField(bucket, meant[0], declared[meant[0]], NAMED + FITTING, used, is_whole=True)
                others = (
                    each for each in fields
                    if each.bucket != bucket or not (each.used <= used or each.name == meant[0])
                )  # fmt: skip
                fields = (one, *(replace(each, used=each.used - places) for each in others if each.used - places))
    return tuple(sorted(fields, key=lambda one: -one.score))


def words_of_ends(fields: Sequence[LinkedField]) -> frozenset[str]:
    """The stems of words for an end that say no more than one of some fields does: an expiry, or a notice period."""
    found = set[str]()
    for one in fields:
        called = " ".join((*phrases(one.name, one.part), one.part.description))
        if one.part.type == "date" and END.search(called):
            found |= stems("until till before end ends ended expire expires expired lapse lapses due valid good")
        if re.search("same(?:notice|ending)", in_common_words(called, "duration")):
            found |= stems(" ".join(same_words("end", "duration")))
    return frozenset(found)
