"""The guard of answers from fields: which words of a question its plan accounts for.

`how many leases forbid pets` -> `pets` is a field, `forbid` is not: it is left over, and nothing is counted. Documents
are listed, counted and measured only if no word is left over. Field words, closed values, names and amounts are
accounted for wherever they stand. Soft words (of a label, `held`, `made`) are accounted for only before a value: `held
by ACME`; in `were terminated with a notice of 30 days` the first verb is not.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise

from qlc.corpus.schema import CorpusSchema
from qlc.language.stems import stem

from .decomposition import HOW_MANY
from .linking import Linked
from .terms import RELATIONAL, Term, noun_stem, stems
from .vocabulary import KIND_NOUNS, LinkedField, nouns_of, phrases


def _stems_of(words: str) -> frozenset[str]:
    return frozenset(map(stem, words.split()))


def is_generic(term: Term, generic: Collection[str]) -> bool:
    """Return whether a word is one of some nouns: `files`, and not `filed`, which has the same stem."""
    is_noun = term.raw.lower() in _NOUNS or not term.raw.lower().endswith(("ed", "ing"))
    return term.stem in generic and (is_noun or term.stem in _OF_MONEY)


_NOUNS = frozenset(("reading", "rating", "including"))


GENERIC = _stems_of(
    """documents files models products items types kinds units pieces things ones entries records papers name names
    value values data information detail details current currently exactly only also each per total overall maximum
    minimum max min date number amount currency main key important exactly
    today respective include includes including incl inclusive"""
)
"""Stems of words that restrict nothing: every document is of some kind, every value is a value."""
VERBS = _stems_of(
    """included now made found come comes hold held holds keep keeps carried
    go goes got become allowed use used under stand stands fall falls set sets"""
)
"""Words that restrict nothing beside a value: `held by ACME`, `made in 2024`."""
NOW = _stems_of("now today current currently")
"""Words that ask for the latest of several values: which it is, fields do not tell."""
RESTRICTING = _stems_of("current important main key open active valid")
"""Adjectives that restrict documents if the question says them of documents: `current contracts`."""
_OF_MONEY = _stems_of("bought spend spent pay paid charge")
"""Stems of verbs that go with amounts of money. They restrict nothing if an amount is asked for: `how much did we
pay`."""


def is_strict(linked: Linked) -> bool:
    """Return whether a question lists, counts, measures or compares documents; else it asks for a value of one."""
    return linked.intent not in ("qa", "summarize")


def generic_words(
    linked: Linked, explained: Sequence[LinkedField], bucket: str, schema: CorpusSchema
) -> frozenset[str]:  # fmt: skip
    """Return the stems that say no more than the fields of a plan do."""
    kinds = {one.part.type for one in explained} | {linked.kind}
    generic = GENERIC.union(*(KIND_NOUNS.get(kind, ()) for kind in kinds))
    if linked.intent == "list" or linked.measure == "count":  # not all contracts are `current contracts`
        spoken = {one.stem for one, other in pairwise(linked.terms)
                if other.begin in linked.bucket_words and other.begin - one.end < 2}  # fmt: skip
        spoken |= {one.stem for one in linked.terms if re.search(r"\b(?:is|are|still)\s+$", linked.text[: one.begin])}
        generic -= spoken & RESTRICTING
    asks_for_money = linked.kind == "money" or (linked.measure not in ("", "count") and "money" in kinds)
    parts = [one for field in schema.fields(bucket).values() for one in (field, *field.fields.values())]
    if "money" in kinds or any(one.type == "money" for one in parts):
        generic |= _stems_of("purchase") | (_OF_MONEY if asks_for_money or not is_strict(linked) else frozenset())
    return generic


def soft_words(linked: Linked, explained: Sequence[LinkedField]) -> frozenset[int]:
    """Return the places of words that may repeat a field or a value of the plan: words of a label, and verbs such as
    `held`.

    Words of descriptions are not soft: `lift` in `house in which the lift is`.
    """
    labels = frozenset[str]().union(*(stems(" ".join(one.part.labels), linked.language) for one in explained))
    return frozenset(
        one.begin for one in linked.terms
        if (one.stem in labels and one.raw.islower()) or (one.stem in VERBS and one.stem not in NOW)
    )  # fmt: skip


def supported(linked: Linked, explained: Sequence[LinkedField], values: Collection[int]) -> frozenset[int]:
    """Return the places of soft words that are accounted for: those before a value, and all where a value is asked for.

    `held by ACME` -> the place of `held`.
    """
    soft = soft_words(linked, explained)
    if not is_strict(linked):
        return soft
    places = sorted({one.begin for one in linked.terms} | {one.start for one in linked.bounds})
    found: set[int] = set()
    for at, after in reversed([*pairwise(places)]):
        if at in soft and (after in values or after in found):
            found.add(at)
    return frozenset(found)


def counts_documents(linked: Linked) -> bool:
    """Return whether the noun that is counted is one for documents.

    `how many fire policies` -> True. `how many kinds of contracts`, `how many vendors have invoices` -> False.
    """
    found = HOW_MANY.search(linked.text)
    if found is None or not linked.bucket_words:
        return True
    counted = [at for at in linked.bucket_words if found.start(1) <= at < found.end(1)]
    return bool(counted) and not any(
        found.start(1) <= one.begin < min(counted) and is_generic(one, GENERIC) for one in linked.terms
    )  # fmt: skip


_ALSO_ASKS = re.compile(
    r"\b(?:with|to|for|by|from|at|in|on|of)\s+(?:whom|which|what|how)\b|\b(?:whom|when|why)\b", re.IGNORECASE
)
"""A second question: `how many contracts with whom`."""


def asks_two_things(linked: Linked) -> bool:
    """Return whether documents are to be counted, and something else is asked: `how many leases have the highest rent`,
    `how many leases with whom`."""
    found = HOW_MANY.search(linked.text)
    if linked.measure == "count":
        return _ALSO_ASKS.search(linked.text, found.start(1) if found else 0) is not None
    return (
        found is not None and linked.measure in ("min", "max", "avg")
        and any(found.start(1) <= at < found.end(1) for at in linked.bucket_words)
    )  # fmt: skip


def left_over(linked: Linked, bucket: str, asked: Sequence[LinkedField], said: Iterable[str], schema: CorpusSchema
              ) -> list[str]:  # fmt: skip
    """Return the words and amounts of a question that a plan of a language model leaves out.

    `said` are the parts of the question that its conditions, names and topics stand for.
    """
    part, said = schema.file.buckets.get(bucket), [*said]
    nouns = nouns_of(bucket, part, schema.file.buckets) if part is not None else ()
    called = [*said, *nouns, *_kind_in_labels(linked, bucket, schema)]
    called += [phrase for one in asked for phrase in phrases(one.name, one.part)]
    known = stems(" ".join(called).replace("_", " "), linked.language)
    generic = generic_words(linked, asked, bucket, schema)
    places = linked.bucket_words | linked.spent | linked.unit_places
    amounts = [one.text for one in linked.bounds if not any(one.text in part or part in one.text for part in said)]
    return amounts + [
        one.raw for one in linked.terms
        if one.begin not in places and one.stem not in known and not stems(one.raw, linked.language) <= known
        and not (said and one.stem in VERBS) and not is_generic(one, generic) and one.stem not in RELATIONAL
        and noun_stem(one.raw, linked.language) not in known
    ]  # fmt: skip


def _kind_in_labels(linked: Linked, bucket: str, schema: CorpusSchema) -> list[str]:
    """Return the first word of a question if labels of fields call the documents so: `visits`, for `Date of visit`. A
    word that is the whole name of a field asks for it."""
    named = [stems(one, linked.language) for name, part in schema.fields(bucket).items() for one in phrases(name, part)]
    first = next((one for one in linked.terms if one.stem not in GENERIC | VERBS), None)
    is_part = first is not None and any(first.stem in words for words in named) and {first.stem} not in named
    return [first.raw] if first is not None and is_part else []
