"""Facts about a field, and guesses marked as such, from sampled documents."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from qlc.base.words.countries import countries
from qlc.language.field_words import word_set
from qlc.language.nouns import plural_of
from qlc.mapping.draft.kinds import Kind
from qlc.mapping.draft.naming import (
    FUNCTION_WORDS,
    ID_WORDS,
    NAME_WORDS,
    REFERRING,
    listed,
    names_beside,
    scalar,
    without_the_kind,
    words_of,
)
from qlc.mapping.draft.other_words import kinds_of, names_of_languages, short_for, words_for_states
from qlc.mapping.draft.references import Referred
from qlc.mapping.draft.sample import ENOUGH, Sample
from qlc.mapping.draft.sums import why_no_sum
from qlc.mapping.draft.units import CURRENCIES, how_long_it_takes, unit_and_doubt, unit_of, without_unit
from qlc.mapping.fields import NUMERIC, FieldKind, MappedField

_SECRET_WORDS = frozenset({"password", "passwd", "pwd", "ssn", "iban", "salary", "wage", "wages", "confidential"})
_PRIVATE_WORDS = word_set(
    "email mail phone mobile birth born birthday telefon téléphone teléfono telefono handy geburtsdatum geburtstag "
    "naissance nacimiento"
)
_MIDNIGHT = re.compile(r"\d{4}-\d\d-\d\d(T00:00(:00(\.0+)?)?(Z|[+-]00:?00)?)?")
_MILLISECONDS_A_DAY = 86_400_000
_CURRENCY = "currency"
_UNITS = frozenset({"unit", "units", "uom"})
_OF_A_UNIT = frozenset({"value", "quantity", "qty", "amount", "result", "reading"})
"""Numbers whose unit is in the field `unit` beside them."""

_OPEN = frozenset({"tag", "tags", "label", "labels", "keyword", "keywords", "topics"})
"""Names of fields with open values: people add new ones."""

_EACH = 3
"""Documents per value of a closed field, at least; values of an open field are nearly all different."""


@dataclass(slots=True)
class Guesses:
    """Lines of a field in YAML: `facts` apply, `doubts` are comments until somebody confirms them."""

    facts: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)

    def guess(self, line: str, why: str) -> None:
        """Add a line that applies, with the reason for the guess."""
        self.facts.append(f"{line}  # ? {why}")


@dataclass(frozen=True, slots=True)
class Siblings:
    """The fields beside a field: those of its entity, or of the list `within` that it is in (empty: none).

    `names` are their names by path, `labels` the paths of names beside ids. `shows_all`: none is confidential by its
    name.
    """

    fields: Mapping[str, MappedField]
    names: Mapping[str, str]
    labels: Mapping[str, str]
    within: str = ""
    shows_all: bool = False


def guessed(
    kind: Kind, path: str, beside: Siblings, refers_to: str | None, referred: Referred | None = None
) -> Guesses:
    """Return the lines for the field at a path of a kind; `refers_to` is the entity whose ids it holds, `referred` what
    shows that."""
    mapped, seen = beside.fields[path], kind.sample.at(path)
    found = Guesses()
    if mapped.kind in NUMERIC:
        _measured(found, kind, path, beside)
    if seen.per_document > 1 and not beside.within:
        found.facts.append("list: true")
    if mapped.is_added:
        found.facts.append(f"description: {scalar(mapped.read_from or _OF_ROWS)}")
        return found
    if mapped.kind is FieldKind.DATE and len(seen.values) > 1 and all(map(is_midnight, seen.values)):
        found.guess("whole_days: true", "no value has a time of day")
    if mapped.kind is FieldKind.KEYWORD and path == kind.identity and mapped.normalizer is None:
        if " ".join(map(str, seen.values)).isupper():  # people type PG7 as pg7
            found.guess("case: ignore", "no id has a small letter")
    elif mapped.kind is FieldKind.KEYWORD and not refers_to:
        _cases(found, kind.sample.terms.get(path, ()))
    _references(found, kind, path, beside, refers_to, referred)
    called, why = _other_words(kind, path, beside)
    if called:
        found.guess(f"words: {listed(called)}", why)
    secret = "" if beside.shows_all else is_secret(path, mapped)
    if secret:
        found.guess("sensitive: true", f"called {secret}: shown only with permission; take this line out to show it")
    elif is_private(path) and mapped.kind is not FieldKind.BOOLEAN:
        found.doubts.append("sensitive: true  # where it is not for everybody's eyes")
    closed = None if refers_to or secret else _closed(kind, path, beside)
    if closed is None and not refers_to and (examples := _examples(kind, path, beside)):
        found.guess(f"description: {scalar(examples)}", "some of its values")
    if closed is not None:
        found.guess(f"values: {closed}", "all there are now")
        known = {kind.name, kind.plural, *(word for one in beside.fields for word in words_of(one))}
        groups = kinds_of(kind.sample.terms[path], words_of(path), known)
        if groups:
            listed_groups = ", ".join(f"{scalar(noun)}: {listed(values)}" for noun, values in groups.items())
            found.guess(f"groups: {{{listed_groups}}}", "these end alike")
    return found


_OF_ROWS = "Place in the file, from 1: what is listed first, last, above or after another."


def _other_words(kind: Kind, path: str, beside: Siblings) -> tuple[Sequence[str], str]:
    """Return what else a field is called, and why: `amount` for the `order_amount` of orders."""
    mapped = beside.fields[path]
    if mapped.kind in NUMERIC and not beside.within and (takes := how_long_it_takes(path, beside.fields)):
        return takes, "how long it takes"
    ids = [one for one, name in names_beside(beside.fields).items() if name == path and one not in beside.labels]
    if ids and kind.identity not in ids:
        stem = "_".join(word for word in words_of(path) if word not in ("full", "name"))
        # An element's `name` has no other word.
        return ([stem, plural_of(stem)], f"{ids[0]} has several names") if stem else ([], "")
    if not beside.within and (short := _short(path, kind, beside)):
        return [short.replace("_", " ")], f"it is of {kind.plural} anyway"
    if whole := _with_its_object(path, beside):
        thing, _, last = whole.rpartition(" ")
        is_free = thing.replace(" ", "_") not in beside.names.values()
        how_much = mapped.kind in NUMERIC and [last] == words_of(path) and last in _SAYS_HOW_MUCH
        return [whole, thing] if how_much and is_free else [whole], "where it is"
    if (thing := _named_thing(path, beside)) and mapped.kind not in NUMERIC:
        return [thing, plural_of(thing)], "its name is all that there is of it"
    plain = without_unit(path, mapped.label) if mapped.kind in NUMERIC and not mapped.unit else ""
    if plain and not plain.endswith("ed") and plain.replace(" ", "_") != beside.names.get(path):
        return [plain], "its name without the unit"
    head = "" if beside.within or mapped.kind not in NUMERIC else _head(path, kind, beside)
    return ([head], "no other field is called so") if head else ([], "")


_SAYS_HOW_MUCH = frozenset({"amount", "value"})
"""Numbers of an object that are called as it is: the `amount` of a `fee`."""
_PLAIN = word_set(
    "annual yearly quarterly monthly weekly daily hourly nightly total overall entire full average avg mean current "
    "actual base basic unit performance satisfaction quality"
)
"""Adjectives that do not change the noun after them, unlike those of a `lost_sale` or a `previous_rating`."""
_NO_HEADS = frozenset({"number", "code", "count", "total", "percent", "share", "version", "value"})
_SHORTEST_HEAD = 3
_VOWELS = frozenset("aeiouyäöüéèáàíóú")


def _head(path: str, kind: Kind, beside: Siblings) -> str:
    """Return the last noun of a number's name where it is of no other field, and no value of one: `salary` for
    `annual_salary`; else empty."""
    *before, last = words_of(path)
    if before and (unit_of(path) is not None or _VOWELS.isdisjoint(last)):
        *before, last = before  # `total_depth_ft`, `daily_output_bbl`
    others = {word for one in beside.fields if one != path for word in words_of(one)}
    values = {str(one).lower() for several in kind.sample.terms.values() for one in several}
    is_noun = len(last) >= _SHORTEST_HEAD and last.isalpha() and last not in _NO_HEADS | FUNCTION_WORDS
    return last if before and _PLAIN.issuperset(before) and is_noun and last not in others | values else ""


def _short(path: str, kind: Kind, beside: Siblings) -> str:
    """Return the name without that of the documents, `amount` of orders for `order_amount`; empty if that is no word
    for it: the `no` of `order_no` says in questions that there is none."""
    short = without_the_kind(path, kind.name, beside.fields)
    return "" if short in ("no", "not", "or", "in", "by") else short


_PARTS_OF_NAMES = word_set(
    "first last middle full given family maiden display short long common legal scientific former other"
)
"""In front of `name` they say which one, not whose."""


def _named_thing(path: str, beside: Siblings) -> str:
    """Return what a name is of where no other field is about it: `customer` for `customer_name`; else empty."""
    *thing, last = words_of(path)
    others = {word for one in beside.fields if one != path for word in words_of(one)}
    is_of_it = last == "name" and thing and not others & {thing[-1], plural_of(thing[-1])}
    return " ".join(thing) if is_of_it and not _PARTS_OF_NAMES & set(thing) else ""


def _with_its_object(path: str, beside: Siblings) -> str:
    """Return the name with its object, `battery level` for `battery.level`; empty if the name has it, or is in no
    object."""
    folder = path.rpartition(".")[0].removeprefix(beside.within).strip(".")
    around = words_of(folder) if folder else []
    whole = [*around, *words_of(path)]
    called = beside.names.get(path, "").split("_")
    return " ".join(whole) if around and called != whole and not set(around) & set(words_of(path)) else ""


def _measured(found: Guesses, kind: Kind, path: str, beside: Siblings) -> None:
    """Add the unit of a number (what the mapping says, else from its name, else a currency field beside it), and
    whether it has a sum."""
    mapped = beside.fields[path]
    unit = mapped.unit or None
    if unit is not None:
        found.facts.append(f"unit: {scalar(unit)}")
    else:
        unit, doubt = unit_and_doubt(path, beside.fields, mapped.label)
        if unit is not None and doubt:
            found.doubts.append(f"unit: {unit}  # {doubt}")
        elif unit is not None:
            found.guess(f"unit: {scalar(unit)}", "its name")
    currency = _currency_of(path, mapped, beside) if unit is None else None
    why = "" if currency else why_no_sum(path, mapped, kind.sample.at(path).values, unit)
    if path == kind.identity or why:
        found.guess("adds_up: false", why or "its id")
    if currency is None:
        other = _unit_of(path, mapped, beside) if unit is None else None
        if other is not None:
            found.guess(f"unit_field: {beside.names[other]}", "the unit beside it")
        return
    stored = kind.sample.terms.get(currency, ())
    if len(stored) == 1 and re.fullmatch("[A-Z]{3}", stored[0]) and kind.sample.at(currency).filled >= ENOUGH:
        found.guess(f"unit: {stored[0]}", f"the only value of {currency}")
    else:
        found.guess(f"unit_field: {beside.names[currency]}", "the currency beside it")


def _references(
    found: Guesses, kind: Kind, path: str, beside: Siblings, refers_to: str | None, referred: Referred | None
) -> None:
    """Add the reference of a field with ids of other documents, or of an id with a name beside it."""
    name_at = beside.labels.get(path)
    if refers_to is None or (path == kind.identity and referred is None):
        return
    if name_at is None and referred is not None and not referred.sure:
        found.doubts.append(f"refers_to: {refers_to}  # {referred.why}")
        return
    why = "a name is beside it" if name_at is not None or referred is None else referred.why
    found.guess(f"refers_to: {refers_to}", why)
    if name_at is not None:
        found.facts.append(f"name_at: {scalar(name_at.removeprefix(beside.within + '.'))}")


_SHORT = 3
"""Most letters of a code whose case means something, as in Co and CO; longer values are words of people."""


def _cases(found: Guesses, values: Iterable[str]) -> None:
    """Add that case counts, if values differ by case only: a guess for short codes, a doubt for words."""
    first: dict[str, str] = {}
    pairs = [(other, one) for one in values if (other := first.setdefault(one.casefold(), one)) != one]
    if pairs:
        first_pair = min(pairs, key=lambda pair: len(pair[0]))
        which = " and ".join(first_pair)
        if all(len(one) <= _SHORT for one, _ in pairs):
            found.guess("case: exact", f"{which} differ by case only")
        else:
            found.doubts.append(f"case: exact  # where {which} are different things")


def _closed(kind: Kind, path: str, beside: Siblings) -> str | None:
    """Return all values of a field with few, as YAML; None for open fields, and for fields that people do not ask
    for."""
    words, values = words_of(path), kind.sample.terms.get(path, ())
    seen = kind.sample.at(path)
    names_something = _names_something(path, beside)
    identifies = path == kind.identity or words[-1] in REFERRING
    typed = len({one.casefold() for one in values}) < len(values)  # by people, who may write another one tomorrow
    few = not typed and not _OPEN & set(words) and len(values) > 1 and seen.filled >= _EACH * len(values)
    are_sentences = 2 * sum(len(value.split()) >= _SENTENCE for value in values) > len(values)
    if not few or names_something or identifies or is_private(path) or are_sentences:
        return None
    if holds_country_codes(path, seen.values):
        return _spelled(values, countries())
    if {"gender", "sex"} & set(words):
        return _spelled(values, {one: _GENDERS.get(one.casefold(), ()) for one in values})
    if called := names_of_languages(values, words):
        return _spelled(values, called)
    meaning = words_of_codes(kind.sample, path) if not beside.within else {}
    meaning = meaning or words_for_states(values, words) or words_beside_the_field(values, words[-1], kind)
    return _spelled(values, meaning) if meaning else listed(values)


def _names_something(path: str, beside: Siblings) -> bool:
    """Whether a field has names, and new ones can come any day: `name`, `title`, `vendor_name`; not the `country_name`
    of cities."""
    *stem, last = words_of(path)
    return (last in NAME_WORDS and not _FEW_NAMED & set(stem[-1:])) or path in beside.labels.values()


_FEW_NAMED = word_set(
    "country state region province district city category type status department currency language group class color "
    "colour brand month weekday day"
)
"""Words for things with few names: `country_name` has a choice of values, `vendor_name` does not."""

_CODE = re.compile(r"[A-Z][A-Z0-9]{0,6}")


def words_of_codes(sample: Sample, path: str) -> dict[str, tuple[str, ...]]:
    """Return words for each code of a closed field: `SHIP` -> `shipped`. Empty if no value is a known code.

    Words of other fields are not used, however often they occur beside a code: a customer who always pays in SEK is not
    a currency.
    """
    codes = sample.terms.get(path, ())
    if not codes or not all(map(_CODE.fullmatch, codes)):
        return {}
    known = short_for(codes, words_of(path))
    return {code: tuple(sorted(known.get(code, ()))) for code in codes} if known else {}


def _examples(kind: Kind, path: str, beside: Siblings) -> str:
    """Return a sentence with some values of an open text in a loaded table, for people and for prompts: `Such as
    "Oslo", "Rome" and "Bern".` Empty for ids, names and whatever may be private."""
    mapped = beside.fields[path]
    is_text = mapped.kind is FieldKind.KEYWORD and bool(mapped.label) and kind.sample.at(path).per_document == 1
    last = words_of(path)[-1]
    names = last in NAME_WORDS | ID_WORDS | {kind.name} or last.endswith("name") or path == kind.identity
    if not is_text or names or is_private(path):
        return ""
    values = dict.fromkeys(str(value) for value in kind.sample.at(path).values)
    short = [one for one in values if len(one) <= _LONGEST_EXAMPLE and one.isprintable()][:_MOST_EXAMPLES]
    quoted = [f'"{one}"' for one in short]
    return f"Such as {', '.join(quoted[:-1])} and {quoted[-1]}." if len(short) == _MOST_EXAMPLES else ""


_MOST_EXAMPLES = 3
_LONGEST_EXAMPLE = 30


def words_beside_the_field(values: Sequence[str], field: str, kind: Kind) -> dict[str, tuple[str, ...]]:
    """Return longer names for values that alone are function words of English: `Plus` of a plan -> `plus plan`,
    `plan plus`, `plus members`. Empty if there are none."""
    found = {}
    for value in values:
        word = value.casefold()
        if word in _SAID_WITH_ITS_FIELD:
            nouns = (kind.name, kind.plural) if word in _BEFORE_NOUNS else ()
            found[value] = (f"{word} {field}", f"{field} {word}", *(f"{word} {noun}" for noun in nouns))
    return found


_BEFORE_NOUNS = frozenset({"plus"})
_SAID_WITH_ITS_FIELD = _BEFORE_NOUNS | FUNCTION_WORDS
"""Values that people must say with their field; `_BEFORE_NOUNS` also before what the documents are called."""


def _spelled(values: Sequence[str], forms: Mapping[str, Sequence[str]]) -> str:
    """Return values in YAML with other words for them."""
    return "{" + ", ".join(f"{scalar(one)}: {listed(forms.get(one, ()))}" for one in values) + "}"


_FEMALE, _MALE = ("woman", "women"), ("man", "men")
_GENDERS = {"female": _FEMALE, "f": ("female", *_FEMALE), "male": _MALE, "m": ("male", *_MALE)}


_SENTENCE = 5
"""Number of words that a value of a closed field hardly reaches."""


def is_of_money(path: str) -> bool:
    """Whether the name of a number means an amount of money."""
    words = set(words_of(path))
    return (bool(_MONEY & words) and not (_NO_MONEY | _COUNTED) & words) or words_of(path)[-1] in CURRENCIES


_MONEY = frozenset({"price", "cost", "costs", "fee", "total", "amount", "revenue", "salary", "sum", "rent", "budget"})

_COUNTED = frozenset({"quantity", "count", "number", "num", "unique", "items", "visits", "days", "orders", "units"})

_NO_MONEY = word_set(
    "weight height width length depth size area volume distance speed duration rate ratio share score rating "
    "temperature latitude longitude quantity age temp lat lon lng altitude humidity pressure percentage pct percent "
    "hours factor"
)
"""Names of numbers with units that are not currencies."""


def _currency_of(path: str, mapped: MappedField, beside: Siblings) -> str | None:
    """Return the path of an amount's currency: named after it (`priceCurrency` of `listPrice`), else the only
    `currency` beside a number with decimals."""
    if mapped.kind not in NUMERIC:
        return None
    bare = []
    for other, one in beside.fields.items():
        *stem, end = words_of(other)
        if end != _CURRENCY or one.kind is not FieldKind.KEYWORD or one.nested != mapped.nested:
            continue
        if stem and set(stem) <= set(words_of(path)):
            return other
        money = is_of_money(path) or (mapped.kind is FieldKind.NUMBER and not _NO_MONEY & set(words_of(path)))
        if not stem and money and other.rpartition(".")[0] == path.rpartition(".")[0]:
            bare.append(other)
    return bare[0] if bare else None


def _unit_of(path: str, mapped: MappedField, beside: Siblings) -> str | None:
    """Return the path of the unit of a number, in the same object: `doseUnit` of `dose`, `unit` of `value`."""
    if mapped.kind not in NUMERIC:
        return None
    for other, one in beside.fields.items():
        *stem, end = words_of(other)
        near = one.kind is FieldKind.KEYWORD and other.rpartition(".")[0] == path.rpartition(".")[0]
        if near and end in _UNITS and (stem == words_of(path) if stem else words_of(path)[-1] in _OF_A_UNIT):
            return other
    return None


def is_private(path: str) -> bool:
    """Whether the name of a field suggests private data."""
    return bool((_PRIVATE_WORDS | _SECRET_WORDS) & set(words_of(path)))


def only_mark(identity: str | None, fields: Mapping[str, MappedField], sample: Sample) -> list[str]:
    """Return the path of the only text that differs in every document, if the id is a mere number: the `plate` of
    cars."""
    if identity is None or not all(str(one).isdecimal() for one in sample.at(identity).values):
        return []
    texts = (path for path, one in fields.items() if one.kind is FieldKind.KEYWORD and path != identity)
    marks = [path for path in texts if not is_private(path) and _is_mark([*map(str, sample.at(path).values)], sample)]
    return marks if len(marks) == 1 else []


def _is_mark(values: Sequence[str], sample: Sample) -> bool:
    is_short = all(len(one) <= _LONGEST_MARK and not one.isdecimal() for one in values)
    return is_short and len(values) == len(set(values)) == sample.read >= _FEWEST


_LONGEST_MARK = 40
_FEWEST = 10
"""Fewer documents may have different texts by chance."""


def is_secret(path: str, mapped: MappedField) -> str:
    """Return the word in a field's name for which it is sensitive; empty if it is not. A flag such as
    `is_confidential` only says whether something else is."""
    return "" if mapped.kind is FieldKind.BOOLEAN else min(_SECRET_WORDS & set(words_of(path)), default="")


def holds_country_codes(path: str, values: Sequence[object]) -> bool:
    """Whether values are ISO country codes: nearly all of them if the field is named so, otherwise many."""
    distinct = set(map(str, values))
    known = len(distinct & countries().keys())
    if COUNTRY_WORDS & set(words_of(path)):
        return known >= _MOST_CODES * len(distinct) > 0
    return known == len(distinct) >= _MANY_CODES and not _OTHER_CODES & set(words_of(path))


_MOST_CODES = 0.9
_MANY_CODES = 15
COUNTRY_WORDS = frozenset({"country", "countries", "nation", "nationality", "citizenship"})
_OTHER_CODES = frozenset({"state", "province", "region", "lang", "language", "locale", "currency"})
"""Names of fields with other codes of two letters."""


def is_midnight(value: object) -> bool:
    if isinstance(value, int):
        return value % _MILLISECONDS_A_DAY == 0
    return _MIDNIGHT.fullmatch(str(value)) is not None


def has_prose(kind: Kind, path: str, mapped: MappedField) -> bool:
    """Whether a field holds prose rather than codes or names: it has no keyword, or most of its values are several
    words and few of them begin with capitals."""
    seen, few = kind.sample.at(path), kind.sample.terms.get(path, ())
    texts = [value for value in map(str, seen.values) if " " in value and not value.istitle()]
    prose = 2 * len(texts) > len(seen.values) and (not few or len(seen.values) < 2 * len(few))
    return mapped.kind is FieldKind.TEXT or prose
