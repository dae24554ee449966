"""Notes on values and words of a query that no document has, with similar ones that exist."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from elasticsearch.dsl.aggs import Filter, Filters, Nested, Terms
from elasticsearch.dsl.query import Fuzzy, Prefix

from qlc.base.words.sentences import listed
from qlc.compiler import typed
from qlc.compiler.caseless import fold_case, has_case, same_case
from qlc.compiler.codegen import conjuncts
from qlc.compiler.context import UsedLiteral
from qlc.compiler.environment import Bindings
from qlc.compiler.request import (
    Agg,
    Aggs,
    CannotAnswer,
    Clause,
    Reading,
    SearchRequest,
    conjunction,
    disjunction,
    nested,
    on,
)
from qlc.resolver.kept import Kept
from qlc.resolver.rows import filtered_body, read_values
from qlc.resolver.steps import Run

NEAR = 75
"""Least similarity, in percent, of a value that is suggested."""
NEAR_ARE = " Similar: "
CLOSE = 86
"""Least similarity of a value that can replace the absent one."""
MOST_READ = 10_000
"""Most values of a field that are read and compared; with more, only likely ones are searched for."""
MOST_LIKELY = 20
LONGEST_PREFIX = 100
MAX_ASKED = 1_000
"""Most texts of a query that are checked. With more, it has a list that was not typed by hand, and would get as many
notes."""
LONGEST_REPORTED = 1_000
"""Most characters of a value in a note; no similar values are searched for longer ones."""
MAX_REPORTED = 5
"""Most absent values that are named, each with similar ones; the rest are counted."""


def read_unknown_values(
    literals: Sequence[UsedLiteral], run: Run, known: Kept[Hashable, str]
) -> Reading[list[str]]:
    """Return notes on values that no document has, a few in full and the number of the rest, and on values that occur
    in several spellings which differ by case only.

    `known` has earlier results per index, catalog version and access. `run.near` gets the similar values.
    """
    env, access = run.env, run.access
    absent: list[UsedLiteral] = []
    earlier = {key: known.get(key) for key in (_key(used, env, access) for used in literals)}
    fresh = {key: used for used in literals if earlier[key := _key(used, env, access)] is None}
    spelled = [note for note in earlier.values() if note]
    if len(fresh) > MAX_ASKED:
        return spelled
    by_entity: dict[str, dict[Hashable, UsedLiteral]] = {}
    for key, used in fresh.items():
        by_entity.setdefault(used.entity.name, {})[key] = used
    for group in by_entity.values():
        keys, entity = list(group), next(iter(group.values())).entity
        filters = {str(n): _query(group[key], env) for n, key in enumerate(keys)}
        aggs: Aggs = {"values": Filters(filters=filters)}
        aggs |= {f"spelled{n}": _spellings(group[key], env) for n, key in enumerate(keys) if _has_spellings(group[key])}
        body = filtered_body(env.scope(entity), aggs)
        response = yield SearchRequest(entity.index, body, "whether the values occur")
        found = response["aggregations"]
        for number, key in enumerate(keys):
            if found["values"]["buckets"][str(number)]["doc_count"]:
                note = _spelled(group[key], found.get(f"spelled{number}"))
                known.put(key, note)
                spelled += [note] if note else []
            else:
                absent.append(group[key])
    stored: dict[Hashable, dict[Any, str]] = {}
    notes = spelled
    for used in absent[:MAX_REPORTED]:
        note, near = yield from _note(used, env, stored)
        notes.append(note)
        run.near[used.span] = near
    rest = len(absent) - MAX_REPORTED
    return [*notes, f"Also found nowhere: {rest:,} more of the values in the query."] if rest > 0 else notes


def _key(used: UsedLiteral, env: Bindings, access: Hashable) -> Hashable:
    field = used.field
    text = used.value if used.operator == "exactly" else fold_case(used.value)
    return used.entity.index, env.schema.version, access, used.entity.name, field, used.operator, text


def _query(used: UsedLiteral, env: Bindings) -> Clause:
    field = used.field
    return nested(field.mapped.nested_path, _inner_query(used, env))


def _inner_query(used: UsedLiteral, env: Bindings) -> Clause:
    """Return the query of a value, inside the nested list that its field is in."""
    field = used.field
    text = typed.Literal(used.value, used.operator == "exactly")
    if used.operator in ("=", "key", "exactly"):
        query = env.query(typed.Equals(field, (text,), folded=True))
    else:
        query = env.query(typed.Pattern(field, used.operator, text))  # type: ignore[arg-type]
    if field.of_key is not None:
        query = conjunction([env.query(typed.has_key(field.of_key)), query])
    return query


# --- spellings -------------------------------------------------------------------------------------------------------

MOST_SPELLINGS = 50
"""Most frequent values of the documents with a text that are read, to see how it is spelled."""


def _has_spellings(used: UsedLiteral) -> bool:
    """Whether a text can be met by several stored values, or would be if the catalog did not say that case counts."""
    mapped = used.field.mapped
    is_told = used.operator == "=" or (used.operator == "exactly" and used.field.exact_case)
    return is_told and has_case(used.value) and mapped.doc_values and (
        mapped.normalizer is None and mapped.es_type in ("keyword", "text")
    )


def _spellings(used: UsedLiteral, env: Bindings) -> Agg:
    """Return the aggregation of the values that documents with a text have."""
    mapped = used.field.mapped
    values = Terms(field=mapped.term_path, size=MOST_SPELLINGS)
    alike = env.query(typed.Equals(used.field, (typed.Literal(used.value),), folded=True))
    inner = Filter(alike, aggs={"texts": values})
    return inner if mapped.nested_path is None else Nested(path=mapped.nested_path, aggs={"inner": inner})


def _spelled(used: UsedLiteral, found: Mapping[str, Any] | None) -> str:
    """Return a note if a text was met by several spellings, or was not met by others, else an empty text."""
    buckets = found.get("inner", found)["texts"]["buckets"] if found is not None else ()
    texts = [one["key"] for one in buckets if same_case(str(one["key"]), used.value)]
    if len(texts) < 2:
        return ""
    if used.operator == "exactly":
        others = listed([f"'{text}'" for text in texts if text != used.value], "and")
        return f"'{used.field.title}' also has {others}: by the catalog its case counts (`case: exact`)."
    quoted = listed([f"'{text}'" for text in texts], "and")
    return f"'{used.field.title}' has {quoted}, and '=' ignores case: exactly \"{texts[0]}\" is one of them."


# --- values that do not occur ----------------------------------------------------------------------------------------



def _note(
    used: UsedLiteral, env: Bindings, stored: dict[Hashable, dict[Any, str]]
) -> Reading[tuple[str, tuple[str, ...]]]:
    """Return the note on an absent value, and the values that can replace it. `stored` caches the values of each
    field."""
    if used.operator not in ("=", "key", "exactly"):
        plain = "'%' is a plain character" if used.operator == "like" else "here they are plain characters"
        verb = "is like" if used.operator == "like" else used.operator
        note = f"No {used.entity.name} has a {used.field.name} that {verb} '{used.value}'"
        return f"{note}: '*' and '?' are wildcards after 'like', and {plain}.", ()
    longest = used.field.mapped.ignore_above
    if used.operator == "=" and longest is not None and len(used.value) > longest:
        return (f"The index has no value of '{used.field.title}' longer than {longest:,} characters: longer ones "
                "cannot be found by '='."), ()
    text = used.value if len(used.value) <= LONGEST_REPORTED else f"{used.value[:LONGEST_REPORTED]}…"
    note = f"No {used.entity.name} has the {used.field.name} {'exactly ' * (used.operator == 'exactly')}'{text}'."
    if used.operator == "key":
        note = f"No {used.entity.name} has '{used.field.name.rpartition('.')[0]}.{text}'."
    elif "*" in used.value or "?" in used.value:
        return f"{note[:-1]}: '*' and '?' are wildcards after 'like', and here they are plain characters.", ()
    if len(used.value) > LONGEST_REPORTED:
        return note, ()
    place = used.entity.name, used.field
    if place not in stored:
        stored[place] = yield from _stored_texts(used, env)
    texts = stored[place] or {value: value.casefold() for value in (yield from _likely_texts(used, env))}
    from rapidfuzz import fuzz, process

    found = process.extract(used.value.casefold(), texts, scorer=fuzz.WRatio, limit=3, score_cutoff=NEAR)
    if not found:
        return note, ()
    close = tuple(name for _, score, name in found if score >= CLOSE and (used.operator == "=" or used.field.is_id))
    similar = ", ".join(f"'{name}'" for _, _, name in found)
    return f"{note}{NEAR_ARE}{similar}.", close


def _stored_texts(used: UsedLiteral, env: Bindings) -> Reading[dict[Any, str]]:
    """Return the values of a field by their folded form; empty if there are too many."""
    try:
        values = yield from read_values(used.entity, used.field, env.scope(used.entity), env, MOST_READ)
    except CannotAnswer:
        return {}
    return {value: value.casefold() for value in values if isinstance(value, str) and value}


def _likely_texts(used: UsedLiteral, env: Bindings) -> Reading[list[str]]:
    """Return values with the same beginning or a similar spelling, in one search, for a field with too many values to
    read."""
    mapped = used.field.mapped
    if used.operator != "=" or mapped.nested_path or used.field.of_key is not None:
        return []
    begins = on(Prefix, mapped.term_path, {"value": used.value[:LONGEST_PREFIX], "case_insensitive": True})
    misspelled = [on(Fuzzy, mapped.term_path, {"value": used.value, "fuzziness": "AUTO"})]
    if mapped.es_type == "flattened":  # Elasticsearch has no fuzzy query on a key of one
        misspelled = []
    filters = [*env.scope(used.entity), disjunction([begins, *misspelled])]
    aggs: Aggs = {"values": Terms(field=mapped.term_path, size=MOST_LIKELY)}
    response = yield SearchRequest(used.entity.index, filtered_body(filters, aggs=aggs), "values that are like one")
    return [key for one in response["aggregations"]["values"]["buckets"] if isinstance(key := one["key"], str)]


# --- words -----------------------------------------------------------------------------------------------------------

MAX_WORDS = 8
"""Most words of a text that are looked up separately, if no document has all of them."""


def read_absent_words(asked_for: typed.Find | typed.Aggregate, env: Bindings) -> Reading[list[str]]:
    """Return notes on texts of several words that match nothing by themselves: how many documents have each word, or
    that some have all of them, but not adjacent."""
    entity, notes = asked_for.entity, []
    for condition, text, words in _searched(asked_for.where):
        one_by_one = {word: replace(condition, text=typed.Literal(word)) for word in words}
        together = typed.And(tuple(one_by_one.values()))
        asked = [condition, together, *one_by_one.values()]
        filters = {str(n): env.query(one) for n, one in enumerate(asked)}
        body = filtered_body(env.scope(entity), aggs={"words": Filters(filters=filters)})
        response = yield SearchRequest(entity.index, body, "whether the words occur")
        buckets = response["aggregations"]["words"]["buckets"]
        whole, all_of_them, *each = (buckets[str(n)]["doc_count"] for n in range(len(asked)))
        if whole:
            continue
        found = ", ".join(f"'{word}' in {count or 'none'}" for word, count in zip(words, each, strict=True))
        if all_of_them:
            apart = f"{all_of_them:,} have all of these words."
            notes.append(f"No {entity.name} has the words '{text}' side by side; {apart}")
        else:
            notes.append(f"No {entity.name} has all words of '{text}': {found}.")
    return notes


def _searched(where: typed.Condition) -> Iterator[tuple[typed.Matches | typed.Mentions, str, list[str]]]:
    """Yield the texts of several words that every result must have."""
    for condition in conjuncts(where):
        if isinstance(condition, typed.Matches | typed.Mentions) and isinstance(condition.text, typed.Literal):
            text = str(condition.text.value)
            words = list(dict.fromkeys(text.split()))
            all_of_them = isinstance(condition, typed.Mentions) or condition.words in ("all", "roughly")
            if all_of_them and 1 < len(words) <= MAX_WORDS:
                yield condition, text, words
