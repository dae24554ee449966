"""The names of buckets and fields: words of the schema, and other words with the same meaning."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from qlc.base.units import find_unit
from qlc.corpus.schema import BucketPart, CorpusSchema, FieldPart, singular
from qlc.corpus.values.synonyms import KINDS_OF_PAPERS, papers_like, same_words
from qlc.language.stems import stem

Kind: TypeAlias = Literal["date", "duration", "money", "number", "name", ""]

NAMED, HALF_NAMED, DESCRIBED = 1.0, 0.5, 0.3
"""Scores of a word that a field shares with the question: of a whole name, of a part of one, of a description."""
FITTING = 0.4
"""Added to the score of a field with the kind of value that is asked for."""
OTHERWISE_NAMED = 0.92
"""Score of a field that the question calls by a synonym; it is used if no field has that name."""
LEAST = 0.9
"""Least score of a field that is asked for. It must lead the next one by a third of this."""


@dataclass(frozen=True, slots=True)
class LinkedField:
    """A field that a question speaks of, and how surely. `used` are the places of its words in the question."""

    bucket: str
    name: str
    part: FieldPart
    score: float
    used: frozenset[int]
    hinted: frozenset[int] = frozenset()
    """The places of the words of its description."""
    is_whole: bool = False
    """Whether a phrase for it of several words is there whole."""

    @property
    def begin(self) -> int:
        return min(self.used, default=0)

    @property
    def explained(self) -> frozenset[int]:
        return self.used | self.hinted

    @property
    def called(self) -> str:
        """Return the name that people use for it."""
        return phrases(self.name, self.part)[0]


def nouns_of(name: str, bucket: BucketPart, others: Mapping[str, BucketPart]) -> Iterator[str]:
    """Yield the nouns for a document of a bucket, also by a word for similar papers if no other bucket has it."""
    own = [name.replace("_", " "), (bucket.singular or singular(name)).replace("_", " "), *bucket.words]
    yield from own
    taken = {each.lower() for other, part in others.items() if other != name
             for each in (other.replace("_", " "), part.singular or singular(other), *part.words)}  # fmt: skip
    yield from (other for other in papers_like({each.lower() for each in own}) if other not in taken)


def _spelled(unit: str) -> frozenset[str]:
    """Return the spellings of a unit at the end of a field's name: `°C` -> `c`."""
    plain = re.sub(r"[^a-z]", "", unit.lower()) if len(unit) < 4 else ""
    return frozenset({plain, plain[:1], *({"pct", "percent"} if unit == "%" else ())}) - {""}


def phrases(name: str, part: FieldPart) -> tuple[str, ...]:
    """Return the names of a field, the first one for people.

    The symbol of a unit at the end is cut off (`width_mm` -> `width`). The word for a unit is optional: `weekly_hours`
    -> `weekly hours`, `weekly`. So is how often it is due: `monthly_rent` -> `monthly rent`, `rent`.
    """
    words = name.split("_")
    while len(words) > 1 and (words[-1] in _spelled(part.unit) or (find_unit(words[-1]) and len(words[-1]) < 4)):
        words.pop()
    plain = words[:-1] if len(words) > 1 and find_unit(words[-1]) else words
    bare = plain[1:] if len(plain) > 1 and plain[0] in _HOW_OFTEN else plain
    return tuple(dict.fromkeys((" ".join(words), " ".join(plain), *part.labels, *part.words, " ".join(bare))))


_HOW_OFTEN = frozenset(("daily", "weekly", "monthly", "quarterly", "yearly", "annual"))


def synonyms(declared: Mapping[str, FieldPart]) -> Iterator[tuple[str, str]]:
    """Yield fields with synonyms of their names: `vat` for a tax, `supplier` for a vendor.

    Synonyms that two fields of the bucket share are left out.
    """
    same = {name: same_words(phrases(name, part)[0], part.type) for name, part in declared.items()}
    having = Counter(same.values())
    for name, words in same.items():
        for one in words if having[words] == 1 else ():
            if stem(one) not in KIND_NOUNS.get(declared[name].type, ()):
                yield name, one


MEASURED = ("number", "money", "duration", "date")
"""Types of fields whose values are compared and measured."""


def fits(kind: Kind, part: FieldPart) -> bool:
    """Whether a field has values of a kind that a question asks for."""
    wanted = {"name": ("name", "text", "choice"), "number": ("number", "duration")}.get(kind, (kind,))
    return part.type in wanted


KIND_NOUNS: Mapping[str, frozenset[str]] = {
    kind: frozenset(stem(word) for word in words.split())
    for kind, words in {
        "duration": "long period periods time length duration deadline days weeks months years hours minutes",
        "date": "date dates day days time moment",
        "money": "amount amounts price prices sum cost costs money",
        "number": "number level figure value measure content concentration reading",
        "name": "name person people company",
    }.items()
}
"""Nouns that only say of what kind a value is: they restrict nothing where a field of this kind is meant."""

PAPERS = frozenset(map(stem, KINDS_OF_PAPERS))
"""The stems of what papers call themselves."""


def is_plain(name: str, bucket: str, schema: CorpusSchema, language: str) -> bool:
    """Return whether a field has a general name: the `date`, the `total`, the `invoice date` of an invoice."""
    part = schema.file.buckets[bucket]
    called = nouns_of(bucket, part, schema.file.buckets)
    nouns = {stem(word, language) for noun in called for word in noun.split()}
    words = {stem(word, language) for word in name.split("_")}
    kinds = KIND_NOUNS["date"] | KIND_NOUNS["money"] | {"total", "period", "term", "durat"}
    kinds |= {"due", "payabl"} if schema.fields(bucket)[name].type == "money" else frozenset()
    return words <= nouns | kinds and not words <= nouns
