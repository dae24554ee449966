"""Offers follow-ups if a question has no results, or can have none. Each one works when chosen.

The conditions are never relaxed silently: a near spelling, or the question without one condition, is offered.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from qlc.base.words.sentences import listed
from qlc.base.words.spelling import distance
from qlc.corpus.searching import years_in
from qlc.grammar.printer import print_string
from qlc.language.stems import stem
from qlc.outcome import AggregateOut, Clarify, Hits, NotInCorpus, Option

from .planning import Plan
from .searching import MOST_DOCUMENTS, Search, Searches, label_of
from .terms import RELATIONAL, Term, terms
from .vocabulary import phrases

TOKEN = "question"
"""Token of the clarifications made here. The id of an option is a question that is asked instead of the first."""
_MOST_GROUPS = 8
"""Fields whose names are read for near spellings."""
_MOST_NAMES = 500
_LONGEST_WORD = 40
_LONG = 7
"""Letters from which on a word may have two typos."""


def _clarify(what: str, said: str, meant: Sequence[tuple[str, str]]) -> Clarify:
    """Return a clarification. Each option has a question in its words, which is asked if the option is chosen."""
    options = [Option(id=question, label=label, details={"question": question}) for label, question in meant]
    message = f"{said} Is {listed([repr(label) for label, _ in meant], 'or')} meant?"
    return Clarify(what=what, message=message, options=options, token=TOKEN)


# --- near spellings --------------------------------------------------------------------------------------------------


def respelled(plan: Plan, absent: Sequence[Term], searches: Searches) -> Clarify | None:
    """Words that no document has and that are a typo away from one of the schema, or of a name: is that meant?"""
    linked = plan.linked
    if not (unknown := [one for one in absent if _can_be_typo(one)]):
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
    return _clarify("spelling", said, [(meant[0][1] if len(meant) == 1 else text, text)])


def _nearest(word: str, known: Mapping[str, str]) -> str | None:
    """Return the only nearest word; None if several are as near.

    One edit is enough in a short word, because the result is only offered.
    """
    if any(stem(word) == stem(name) for name in known):
        return None  # another form of a word that is known
    limit = 1 if len(word) < _LONG else 2
    far = {name: far for name in known if word[0] == name[0] and (far := distance(word, name, limit)) <= limit}
    best = [known[name] for name in far if far[name] == min(far.values())]
    return best[0] if len(best) == 1 else None


def _can_be_typo(one: Term) -> bool:
    shortest = 5 if one.raw.islower() else 4  # one edit leads from a short word to another: `left`, `lift`
    return shortest <= len(one.raw) <= _LONGEST_WORD and one.raw.isalpha()


def words_that_none_has(plan: Plan, searches: Searches) -> list[Term]:
    """The words of a question that nothing explains and that no document has. A document with 2023 has `FY2023`."""
    named = {at for one in plan.names for at in one.used}
    words = [one for one in plan.topic if one.begin not in named and one.stem not in RELATIONAL]
    texts = "passages" if searches.hides_passages else "documents"
    forms = [" or ".join(f"mentions {print_string(form)}" for form in (one.raw, *years_in(one.raw))) for one in words]
    counted = searches.counts(
        (f"count {texts} where {form}", f"whether any document has '{one.raw}'")
        for one, form in zip(words, forms, strict=True)
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
    """Yield words of names in fields, and of titles."""
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
    """Return "no results", with the number of matches without each condition.

    Each suggestion is a program that finds something.
    """
    parts = [one.text for one in plan.conditions] + plan.named
    fewer = {left_out: " and ".join(one for one in parts if one != left_out) for left_out in parts if parts[1:]}
    whole, *counted = searches.counts([
        (f"count {plan.bucket}", f"how many {plan.bucket} there are"),
        *((f"count {plan.bucket} where {where}", f"without {left_out}") for left_out, where in fewer.items()),
    ])  # fmt: skip
    found = [(left_out, where, count) for (left_out, where), count in zip(fewer.items(), counted, strict=True) if count]
    said = "; ".join(f"{count:,} without {left_out}" for left_out, _, count in found)
    none = f"None of the {whole:,} {plan.bucket} is known to have {plan.where}{f' ({said})' if said else ''}."
    return NotInCorpus(
        message=" ".join([none, *notes]), documents=whole, query=f"find {plan.bucket} where {plan.where}",
        suggestions=[f"find {plan.bucket} where {where}" for _, where, _ in found]
        or [f"find {plan.bucket} limit {MOST_DOCUMENTS}"] * (whole > 0),
    )  # fmt: skip
