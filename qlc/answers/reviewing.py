"""Where nothing was found, or nothing can be: what was probably meant, each as a follow-up that works when chosen.

Nothing is relaxed: a wider question is offered in a fixed order (what cannot be, near spellings, each condition left
out, the range that exists, other buckets), and asked by whoever chooses it.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator, Mapping, Sequence

from qlc.base.words.sentences import listed
from qlc.base.words.spelling import distance
from qlc.grammar.printer import print_string
from qlc.outcome import AggregateOut, Clarify, Count, Hits, NotInCorpus, Option, Outcome, ValueOut

from .bounds import Bound
from .conditions import Condition
from .linking import Linked
from .planning import Plan
from .searching import Search, Searches, label_of
from .terms import Term, stem, terms
from .vocabulary import phrases

TOKEN = "question"
"""Of what is chosen here: the id of an option is a question, which is asked in place of the first."""
_MOST_GROUPS = 8
"""Fields whose names are read for near spellings."""
_MOST_NAMES = 500
_LONGEST_WORD = 40
_LONG = 7
"""Letters from which on a word may have two typos."""

_MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_name) if name} | {
    name.lower(): number for number, name in enumerate(calendar.month_abbr) if name
}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DAY_FIRST = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?({_MONTH})\b\.?(?:,?\s+(\d{{4}}))?", re.IGNORECASE)
_MONTH_FIRST = re.compile(rf"\b({_MONTH})\b\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?\b(?!\d)(?:,?\s+(\d{{4}}))?", re.IGNORECASE)
_ISO = re.compile(r"(?<![\w-])([1-9]\d{3})-(\d{2})-(\d{2})(?![\w-])")


def impossible(linked: Linked) -> Clarify | None:
    """A date that does not exist, or a range whose end is before its beginning: what is meant?"""
    for begin, end, day, last in _days(linked.text):
        text = linked.text[begin:end]
        meant = re.sub(rf"(?<!\d)0?{day}(?!\d)", f"{last}", text, count=1)
        return _asked_back("date", f"There is no {text}.", [(meant, linked.text[:begin] + meant + linked.text[end:])])
    for first in linked.bounds:
        for second in linked.bounds:
            is_pair = first.operator == ">=" and second.operator == "<=" and first.text == second.text
            one, other = first.amount, second.amount
            if not is_pair or (one.kind, one.unit) != (other.kind, other.unit):
                continue
            low, high = (one.date, other.date) if one.date is not None else (one.number, other.number)
            if high is not None and low is not None and low > high:  # type: ignore[operator]
                low_at, high_at = _number(first, linked.text), _number(second, linked.text)
                before, between, after = (
                    linked.text[: low_at[0]], linked.text[low_at[1] : high_at[0]], linked.text[high_at[1] :]
                )  # fmt: skip
                turned = f"{linked.text[slice(*high_at)]}{between}{linked.text[slice(*low_at)]}"
                said = f"'{first.text}' ends before it begins."
                return _asked_back("range", said, [(turned, f"{before}{turned}{after}")])
    return None


def _number(bound: Bound, text: str) -> tuple[int, int]:
    """Where the date of a bound is, or its number: two numbers can share a unit, which stays where it is."""
    one = bound.amount
    found = re.compile(r"\d(?:[\d.,' ]*\d)?").search(text, one.begin, one.end)
    return (one.begin, one.end) if one.date is not None or found is None else found.span()


def _days(text: str) -> Iterator[tuple[int, int, int, int]]:
    """Days up to 31 that their month has not: begin, end, the day, and the last one of the month."""
    found = [(*one.span(), one[3], _MONTHS[one[2].lower()], int(one[1])) for one in _DAY_FIRST.finditer(text)]
    found += [(*one.span(), one[3], _MONTHS[one[1].lower()], int(one[2])) for one in _MONTH_FIRST.finditer(text)]
    found += [(*one.span(), one[1], int(one[2]), int(one[3])) for one in _ISO.finditer(text)]
    for begin, end, year, month, day in sorted(found):
        if 1 <= month <= 12 and day <= 31:
            last = calendar.monthrange(int(year or 0) or 2024, month)[1]  # 2024 has a 29 February
            if day > last:
                yield begin, end, day, last


def _asked_back(what: str, said: str, meant: Sequence[tuple[str, str]]) -> Clarify:
    """A question back: each option is what can be meant, with the question that says so."""
    options = [Option(id=question, label=label, details={"question": question}) for label, question in meant]
    message = f"{said} Is {listed([repr(label) for label, _ in meant], 'or')} meant?"
    return Clarify(what=what, message=message, options=options, token=TOKEN)


# --- near spellings --------------------------------------------------------------------------------------------------


def respelled(plan: Plan, searches: Searches) -> Clarify | None:
    """Words that no document has and that are a typo away from one of the schema, or of a name: is that meant?"""
    linked = plan.linked
    unknown = _unknown([one for one in plan.topic if _can_be_typo(one)], searches)
    if not unknown:
        return None
    known: dict[str, str] = {}
    meant: list[tuple[Term, str]] = []
    for read in (_schema_words, _names):
        known |= {one.lower(): one for one in read(plan, searches)}
        meant = [(one, found) for one in unknown if (found := _nearest(one.raw.lower(), known)) is not None]
        if len(meant) == len(unknown):
            break
    if not meant:
        return None
    text = linked.text
    for one, found in sorted(meant, key=lambda pair: -pair[0].begin):
        text = text[: one.begin] + found + text[one.end :]
    said = f"No document has {listed([repr(one.raw) for one, _ in meant], 'or')}."
    return _asked_back("spelling", said, [(meant[0][1] if len(meant) == 1 else text, text)])


def _nearest(word: str, known: Mapping[str, str]) -> str | None:
    """The one word that is nearest; it is only asked whether it is meant, so one edit is enough in a short word."""
    if any(stem(word) == stem(name) for name in known):
        return None  # another form of a word that is known
    limit = 1 if len(word) < _LONG else 2
    far = {name: far for name in known if word[0] == name[0] and (far := distance(word, name, limit)) <= limit}
    best = [known[name] for name in far if far[name] == min(far.values())]
    return best[0] if len(best) == 1 else None


def _can_be_typo(one: Term) -> bool:
    shortest = 5 if one.raw.islower() else 4  # one edit leads from a short word to another: `left`, `lift`
    return shortest <= len(one.raw) <= _LONGEST_WORD and one.raw.isalpha()


def _unknown(words: Sequence[Term], searches: Searches) -> list[Term]:
    """Those that no document has."""
    texts = "passages" if searches.hides_passages else "documents"
    counted = searches.counts(
        (f"count {texts} where mentions {print_string(one.raw)}", f"whether any document has '{one.raw}'")
        for one in words
    )
    return [one for one, having in zip(words, counted, strict=True) if not having]


def _schema_words(plan: Plan, searches: Searches) -> Iterator[str]:
    yield from ("document", "documents", "file", "files", "page", "pages")
    for name, bucket in searches.schema.file.buckets.items():
        texts = [name.replace("_", " "), *bucket.words]
        for field, part in bucket.fields.items():
            texts += phrases(field, part) if not part.sensitive else ()
        for text in texts:
            yield from (one.raw.lower() for one in terms(text, plan.linked.language) if _can_be_typo(one))


def _names(plan: Plan, searches: Searches) -> Iterator[str]:
    """Words of the names in fields, and of titles."""
    buckets = searches.schema.file.buckets
    fields = [
        (bucket, name)
        for bucket in ((plan.bucket,) if plan.bucket in buckets else buckets)
        for name, part in buckets[bucket].fields.items()
        if part.type == "name" and not part.sensitive
    ]
    asked: list[Search] = [
        ("facets", f"count {bucket} by {name} limit {_MOST_NAMES}", f"the names in {name}")
        for bucket, name in fields[:_MOST_GROUPS]
    ]
    asked.append(("search_text", f"find {plan.bucket} limit 100 show title", "titles that can be meant"))
    *groups, titles = searches.together(asked)
    for grouped in groups:
        for row in grouped.rows if isinstance(grouped, AggregateOut) else ():
            yield from (one.raw for one in terms(label_of(row.key), plan.linked.language) if _can_be_typo(one))
    for hit in titles.hits if isinstance(titles, Hits) else ():
        title = str(hit.values.get("title") or "")
        yield from (one.raw for one in terms(title, plan.linked.language) if _can_be_typo(one))


# --- no results ------------------------------------------------------------------------------------------------------


def no_results(plan: Plan, searches: Searches, notes: Sequence[str] = ()) -> NotInCorpus:
    """Nothing meets the conditions: how many would without each of them, which values there are, and where else. Each
    suggestion is a program that finds something."""
    parts = [one.text for one in plan.conditions] + plan.named
    fewer = {left_out: " and ".join(one for one in parts if one != left_out) for left_out in parts} if parts[1:] else {}
    without: list[Search] = [
        ("count", f"count {plan.bucket} where {where}", f"without {left_out}") for left_out, where in fewer.items()
    ]
    ends = {one.text: _ends(one, plan, searches) for one in plan.conditions}
    elsewhere = {bucket: _same(bucket, plan) for bucket in _others(plan, searches)}
    all_of: Search = ("count", f"count {plan.bucket}", f"how many {plan.bucket} there are")
    asked = [*without, *(end for some in ends.values() for end in some), *elsewhere.values(), all_of]
    found = dict(zip(asked, searches.together(asked), strict=True))
    counted = {one: outcome.value for one, outcome in found.items() if isinstance(outcome, Count) and outcome.value}
    said, queries = [], []
    for one, (left_out, where) in zip(without, fewer.items(), strict=True):
        if one in counted:
            said.append(f"{counted[one]:,} without {left_out}")
            queries.append(f"find {plan.bucket} where {where}")
    ranges = []
    for condition in plan.conditions:
        if (meant := _range(condition, plan, [found[one] for one in ends[condition.text]], searches)) is not None:
            ranges.append(meant[0])
            queries.append(meant[1])
    for bucket, one in elsewhere.items():
        if one in counted:
            ranges.append(f"{counted[one]:,} {bucket} {'meets' if counted[one] == 1 else 'meet'} it.")
            queries.append(f"find {bucket} where {plan.where}")
    whole, less = counted.get(all_of, 0), f" ({'; '.join(said)})" if said else ""
    none = f"None of the {whole:,} {plan.bucket} is known to have {plan.where}{less}."
    return NotInCorpus(
        message=" ".join([none, *ranges, *notes]),
        documents=whole, query=f"find {plan.bucket} where {plan.where}", suggestions=queries,
    )  # fmt: skip


def _range(one: Condition, plan: Plan, ends: Sequence[Outcome], searches: Searches) -> tuple[str, str] | None:
    """The lowest and the highest value that there is of an amount or a date, and the program for the one that is
    nearer to what was asked for."""
    if not ends or one.constraint is None:
        return None
    part = searches.schema.fields(plan.bucket)[one.field]
    low, high = (_end(found, part.unit) for found in ends)
    if low is None or high is None:
        return None
    operator = one.constraint.operator
    wants_high = operator in (">", ">=") or (operator in ("=", "in") and _is_above(one.constraint.value, high))
    name, currency = phrases(one.field, part)[0], _currency(one)
    program = f"find {plan.bucket} where {one.field} {'>=' if wants_high else '<='} {high if wants_high else low}"
    if currency:
        code = currency.partition('"')[2].rstrip('"')
        return f"'{name}' goes from {code} {float(low):,.2f} to {float(high):,.2f}.", f"{program} and {currency}"
    return f"'{name}' goes from {low} to {high}.", program


def _currency(one: Condition) -> str:
    """The part of a condition that says of which currency an amount is; empty for all others."""
    found = re.search(rf'\b{re.escape(one.field)}_currency = "[A-Z]{{3}}"', one.text)
    return found[0] if found is not None else ""


def _ends(one: Condition, plan: Plan, searches: Searches) -> list[Search]:
    """The searches for the ends of the range that a field has; none for what has no range."""
    if one.constraint is None or one.constraint.operator not in (">", ">=", "<", "<=", "=", "in"):
        return []
    part = searches.schema.fields(plan.bucket)[one.field] if plan.bucket != "documents" else None
    currency = _currency(one)
    if part is None or (part.type not in ("date", "number", "duration") and not currency):
        return []
    where = f" where {currency}" if currency else ""
    return [("annotations_aggregate", f"{measure}({one.field}) of {plan.bucket}{where}", f"the {measure} there is")
            for measure in ("min", "max")]  # fmt: skip


def _end(outcome: Outcome, unit: str) -> str | None:
    if not isinstance(outcome, ValueOut) or outcome.value is None:
        return None
    if isinstance(outcome.value, str):
        return outcome.value[:10]
    return f"{outcome.value:.10g} {unit}".rstrip()


def _is_above(value: object, high: str) -> bool:
    return str(value)[:4] > high[:4] if re.match(r"\d{4}-", high) else True


def _others(plan: Plan, searches: Searches) -> list[str]:
    fields = {one.field for one in plan.conditions} | {field for one in plan.names for field in one.fields}
    return [
        bucket for bucket, part in searches.schema.file.buckets.items()
        if bucket != plan.bucket and plan.conditions
        and fields <= {"title", "file", *(name for name, one in part.fields.items() if not one.sensitive)}
    ]  # fmt: skip


def _same(bucket: str, plan: Plan) -> Search:
    return "count", f"count {bucket} where {plan.where}", f"the same among {bucket}"
