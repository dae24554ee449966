"""Describes a pasted request in words: what it asks for, what it would show, and its program."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from qlc.base.texts import with_capital
from qlc.base.words.sentences import listed
from qlc.compiler.periods import Clock
from qlc.grammar import print_condition, tree
from qlc.grammar.printer import print_computed
from qlc.mapping.fields import RANGES, FieldKind
from qlc.mapping.schema import Field, Schema
from qlc.outcome import Explain
from qlc.pasted.aggregations import Aggregation
from qlc.pasted.checking import Checked, place_of
from qlc.pasted.clauses import Clause, Script
from qlc.pasted.conditions import minimum as least_of
from qlc.pasted.endpoint import Write
from qlc.pasted.reach import FieldUse, Reach, covers
from qlc.pasted.request import Search, SortKey
from qlc.pasted.running import field_of
from qlc.pasted.saying import CannotSay
from qlc.pasted.translate import DEFAULT_SIZE, conjuncts, entities_asked, translate
from qlc.pipeline.present import note

EVERYTHING = "anything is there"
LONGEST_CONDITION = 2_000
MOST_VALUES = 8
"""Most values of a list that are printed; longer lists are counted."""


def explain(found: Checked, schema: Schema, clock: Clock, common: Mapping[str, Any], source: str) -> Explain:
    """Describe the request in sentences. Nothing is run."""
    sentences: list[str] = []
    notes = list(found.notes)
    program = ""
    if isinstance(found.endpoint, Write):
        sentences.append(f"This request {found.endpoint.does}. It is not run: only requests that read are.")
    elif found.search is not None and found.reach is not None:
        if found.fixes:
            sentences.append("The text as pasted is not valid, and is read as it was probably meant.")
            sentences += found.fixes
        sentences += _sentences(found.search, found.reach)
    if found.problems:
        sentences.append("It cannot be run here as it is:" if sentences else "This request cannot be run here:")
        sentences += [f"{one.message}{place_of(one.span, source)}." for one in found.problems]
    elif found.search is not None:
        sentences.append("It was not run.")
        translation = translate(found, schema, clock)
        program = translation.program
        if translation.exact:
            sentences.append(f"In the query language: {program}")
        elif program:
            sentences.append(f"Nearly the same in the query language: {program}")
            notes.append(f"What is not the same: {_listed(translation.differences, 'and', 'others')}.")
        else:
            notes.append(f"The query language cannot say {translation.differences[0]}.")
    diagnostics = [note(one.diagnostic(found.fixed or None)) for one in found.problems]
    given = {**common, "message": " ".join(sentences), "notes": notes, "query": program, "diagnostics": diagnostics}
    return Explain(**given, about="pasted")


def _sentences(search: Search, reach: Reach) -> list[str]:
    words = _Words(reach)
    parts = list(conjuncts(search.query))
    of, parts = next(iter(entities_asked(parts, reach)), (None, parts))
    kinds = of.plural if of is not None else _listed([one.plural for one in words.searched()], "and", "kinds")
    conditions = [words.condition(one, bracket=len(parts) > 1) for one in parts]
    if search.post_filter is not None:
        conditions.append(words.condition(search.post_filter, bracket=True))
    condition = " and ".join(one for one in conditions if one and one != EVERYTHING)
    if len(condition) > LONGEST_CONDITION:
        condition = f"{condition[:LONGEST_CONDITION].rsplit(' ', 1)[0]} … (and more)"
    which = f" where {condition}" if condition else ""
    counts = search.only_count or (search.size == 0 and not search.aggregations)
    does = "counts" if counts else "looks at" if search.aggregations and not search.size else "finds"
    found = [f"This {does} {kinds}{which or ', all of them'}."]
    if not counts and (not search.aggregations or search.size):
        found.append(_order(search, words))
        if search.shown is not None:
            shown = [words.name(used) for used in search.shown]
            found.append(f"Of each it shows {_listed(shown, 'and', 'fields') if shown else 'nothing but the id'}.")
    found += [f"{with_capital(words.aggregation(one))}." for one in search.aggregations]
    return [one for one in found if one]


def _order(search: Search, words: _Words) -> str:
    size = search.size if search.size is not None else DEFAULT_SIZE
    which = f"numbers {search.offset + 1} to {search.offset + size}" if search.offset else f"the first {size}"
    if not search.sort:
        ranked = search.query is not None and words.ranks(search.query)
        ordered = "best match first" if ranked else "in no set order"
        return f"They come {ordered}; {which} are shown."
    keys = [words.key(key) for key in search.sort]
    return f"They are sorted by {'; then by '.join(keys)}; {which} are shown."


class _Words:
    """Phrases for queries and aggregations, with the catalog's names of fields."""

    def __init__(self, reach: Reach) -> None:
        self.reach = reach

    def searched(self) -> list[Any]:
        """Return the entity of all the documents as a list of one; without a common one, all their entities."""
        within = self.reach.within
        return next(([one] for one in within if covers(one, within)), list(within))

    def field(self, used: FieldUse) -> Field:
        found = [field_of(used, entity) for entity in self.reach.within]
        return next((one for one in found if one.from_catalog), found[0])

    def name(self, used: FieldUse | None) -> str:
        if used is None:
            return "the score"
        if used.path == "_id":
            return "the id"
        if used.mapped.es_type == "object":
            return used.path
        field = self.field(used)
        return f"{field.name} ({used.path})" if field.from_catalog and field.name != used.path else used.path

    def names(self, clause: Clause) -> str:
        return _listed([self.name(used) for used, _ in clause.fields], "or", "fields")

    def direction(self, used: FieldUse, descending: bool) -> str:
        match used.mapped.kind:
            case FieldKind.DATE:
                return "newest first" if descending else "oldest first"
            case FieldKind.NUMBER | FieldKind.WHOLE_NUMBER:
                return "largest first" if descending else "smallest first"
            case _:
                return "backwards (descending)" if descending else "ascending"

    def key(self, key: SortKey) -> str:
        if key.script is not None:
            return f"{_script_words(key.script)}, {'largest' if key.descending else 'smallest'} first"
        if key.field is None:
            return "how well they match"
        return f"{self.name(key.field)}, {self.direction(key.field, key.descending)}"

    def value(self, value: Any) -> str:
        return f'"{value}"' if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)

    def ranks(self, clause: Clause) -> bool:
        scored = ("match", "multi", "query_string", "simple", "function")
        return any(one.kind.startswith(scored) and one.kind not in ("match_all", "match_none")
                   for one in clause.walk())

    # --- queries -----------------------------------------------------------------------------------------------------

    def condition(self, clause: Clause, *, bracket: bool = False) -> str:
        say = _PHRASES.get(clause.kind)
        if say is None:
            return f"[{clause.params.get('name') or 'a query that cannot be read'}]"
        text = say(self, clause)
        return f"({text})" if bracket and (" and " in text or " or " in text or ";" in text) else text

    def several(self, clauses: Sequence[Clause], joint: str) -> str:
        parts = [self.condition(one, bracket=len(clauses) > 1) for one in clauses]
        return f" {joint} ".join(part for part in parts if part)

    def aggregation(self, one: Aggregation, level: int = 0) -> str:
        """Return a phrase without a subject: `groups them by type, the 10 largest groups`."""
        name = self.name(one.field) if one.field is not None else ""
        p = one.params
        match one.kind:
            case "terms":
                text = f"it groups them by {name} and counts each group, at most {p['size']} groups"
                if order := p.get("order"):
                    text += f" in the order of {self._order(order)}"
            case "date_histogram":
                text = f"it counts them by {p.get('calendar_interval') or p.get('fixed_interval')} of {name}"
            case "composite":
                named = [f"{source.kind.replace('_', ' ')} of {self.name(source.field)}" for source in one.sources]
                text = f"it counts the combinations of {_listed(named, 'and', 'sources')}, at most {p['size']}"
            case "histogram":
                text = f"it counts them in steps of {p['interval']} of {name}"
            case "range" | "date_range":
                ranges = [_range_words(part) for part in p["ranges"]]
                text = f"it counts them by {name}: {_listed(ranges, 'and', 'ranges')}"
            case "filter":
                text = f"'{one.name}' counts those where {self.condition(one.filters['filter'])}"
            case "filters":
                buckets = [f"'{key}' where {self.condition(clause)}" for key, clause in one.filters.items()]
                text = f"it counts {_listed(buckets, 'and', 'queries')}"
            case "missing":
                text = f"'{one.name}' counts those without {name}"
            case "nested":
                text = f"'{one.name}' counts the elements of {p['path']}"
            case "reverse_nested":
                text = f"'{one.name}' counts the documents that they are in"
            case _:
                text = f"'{one.name}' is {_METRICS[one.kind]} {name}"
        if one.inner:
            inner = [self.aggregation(each, level + 1) for each in one.inner]
            text += f"; in each, {'; '.join(inner)}"
        return text

    def _order(self, order: Any) -> str:
        listed = order if isinstance(order, list) else [order]
        wording = {"_count": "their number", "_key": "the value", "_term": "the value"}
        return ", ".join(f"{wording.get(path, repr(path))} ({'descending' if way.lower() == 'desc' else 'ascending'})"
                         for item in listed for path, way in item.items())


_METRICS = {
    "avg": "the average of", "sum": "the sum of", "min": "the smallest", "max": "the largest",
    "value_count": "the number of values of", "cardinality": "about the number of different values of",
    "stats": "number, smallest, largest, average and sum of", "percentiles": "percentiles of",
    "extended_stats": "number, smallest, largest, average, sum and spread of",
    "median_absolute_deviation": "the median absolute deviation of",
}  # fmt: skip


def _bool(words: _Words, clause: Clause) -> str:
    parts = [*clause.parts.get("must", ()), *clause.parts.get("filter", ())]
    should = clause.parts.get("should", ())
    found = [words.condition(one, bracket=True) for one in parts]
    if should:
        try:
            least = least_of(clause.params.get("minimum_should_match"), len(should), bool(parts))
        except CannotSay:
            least = 1
        chosen = words.several(should, "or")
        if least <= 0:
            chosen = f"(better, but not needed: {chosen})"
        elif least > 1:
            described = [words.condition(one) for one in should]
            chosen = f"at least {least} of these: {'; '.join(described)}"
        found.append(f"({chosen})" if found and least == 1 and len(should) > 1 else chosen)
    found += [_negated(words, one) for one in clause.parts.get("must_not", ())]
    return " and ".join(one for one in found if one) or EVERYTHING


def _negated(words: _Words, clause: Clause) -> str:
    if clause.kind == "exists":
        return f"{words.name(clause.field)} has no value"
    if clause.kind == "term" and clause.field is not None and clause.field.kind is not FieldKind.TEXT:
        return f"{words.name(clause.field)} is not {words.value(clause.params['value'])}"
    return f"not ({words.condition(clause)})"


def _term(words: _Words, clause: Clause) -> str:
    if clause.field is not None and clause.field.kind is FieldKind.TEXT:
        return f"{words.name(clause.field)} holds the word {words.value(clause.params['value'])}"
    cased = " in any case" if clause.params.get("case_insensitive") else ""
    return f"{words.name(clause.field)} is {words.value(clause.params['value'])}{cased}"


def _terms(words: _Words, clause: Clause) -> str:
    values = [words.value(one) for one in clause.params["values"]]
    if clause.field is None:
        return f"the id is {_listed(values, 'or', 'ids')}"
    if clause.field.kind is FieldKind.TEXT:
        return f"{words.name(clause.field)} holds the word {_listed(values, 'or', 'words')}"
    return f"{words.name(clause.field)} is {_listed(values, 'or', 'values')}"


_BOUNDS = {"gt": "more than", "gte": "at least", "lt": "less than", "lte": "at most"}
_DATE_BOUNDS = {"gt": "after", "gte": "from", "lt": "before", "lte": "up to and including"}


def _range(words: _Words, clause: Clause) -> str:
    assert clause.field is not None
    kind = clause.field.mapped.kind
    date = kind in (FieldKind.DATE, FieldKind.DATE_RANGE)
    wording = _DATE_BOUNDS if date else _BOUNDS
    parts = [f"{wording[name]} {_date(clause.params[name]) if date else words.value(clause.params[name])}"
             + (" on" if date and name == "gte" and not clause.params.keys() & {"lt", "lte"} else "")
             for name in ("gt", "gte", "lt", "lte") if name in clause.params]
    if not parts:
        return f"{words.name(clause.field)} has a value"
    if kind in RANGES:
        relation = _RELATIONS[clause.params.get("relation", "intersects")]
        return f"{words.name(clause.field)} {relation} the range {' and '.join(parts)}"
    if date and {"gte", "lte"} <= clause.params.keys():
        first, last = (_date(clause.params[name]) for name in ("gte", "lte"))
        return f"{words.name(clause.field)} is from {first} to {last}, both included"
    return f"{words.name(clause.field)} is {' and '.join(parts)}"


def _date(value: Any) -> str:
    text = str(value)
    return text.removesuffix("T00:00:00.000Z").removesuffix(".000Z")


def _script_words(script: Script | None) -> str:
    """Return the condition or the calculation of a script of qlc in the query language."""
    assert script is not None
    said = next(iter(script.said.values()))
    return print_computed(said) if isinstance(said, tree.Arithmetic | tree.Call) else print_condition(said)


def _range_words(part: Mapping[str, Any]) -> str:
    ends = [f"from {part['from']}" if "from" in part else "", f"to under {part['to']}" if "to" in part else ""]
    return part.get("key") or " ".join(end for end in ends if end) or "all"


def _match(words: _Words, clause: Clause) -> str:
    how = "all of the words" if clause.params.get("operator") == "and" else "any of the words"
    text = str(clause.params["query"])
    if clause.field is not None and clause.field.kind is not FieldKind.TEXT:
        return f"{words.name(clause.field)} is {words.value(clause.params['query'])}"
    if len(text.split()) == 1:
        how = "the word"
    sentence = f'{words.name(clause.field)} holds {how} "{text}"'
    return sentence + (", also misspelled" if clause.params.get("fuzziness") is not None else "")


def _phrase(words: _Words, clause: Clause) -> str:
    apart = clause.params.get("slop")
    how = f"at most {apart} places apart" if apart else "next to each other"
    return f'{words.name(clause.field)} holds the words "{clause.params["query"]}" {how}'


def _multi_match(words: _Words, clause: Clause) -> str:
    how = "all of the words" if clause.params.get("operator") == "and" else "any of the words"
    how = "the words next to each other" if clause.params.get("type") == "phrase" else how
    return f'{words.names(clause)} holds {how} "{clause.params["query"]}"'


def _boosting(words: _Words, clause: Clause) -> str:
    return (f"{words.condition(clause.parts['positive'][0], bracket=True)} "
            f"(later in the list: {words.condition(clause.parts['negative'][0])})")


def _function_score(words: _Words, clause: Clause) -> str:
    by = [words.name(one.made.field) for one in clause.functions if one.made is not None]
    query = clause.parts["query"][0]
    if not by:
        return words.condition(query)
    return f"{words.condition(query, bracket=True)} (ordered also by {_listed(by, 'and', 'fields')})"


def _place(words: _Words, clause: Clause) -> str:
    place = clause.params["place"]
    listed = ", ".join(str(one) for one in place.values()) if isinstance(place, dict) else str(place)
    return f"{words.name(clause.field)} lies within {clause.params['distance']} of {listed}"


_RELATIONS = {"intersects": "has a point in", "within": "lies within", "disjoint": "has no point in",
              "contains": "contains"}


def _shape(words: _Words, clause: Clause) -> str:
    kind = "the box" if clause.params["shape"]["type"].lower() == "envelope" else "the polygon"
    return f"{words.name(clause.field)} {_RELATIONS[clause.params.get('relation', 'intersects')]} {kind}"


def _with(text: str) -> Callable[[_Words, Clause], str]:
    """Return a phrase builder that fills a template with parameters, fields and the inner query."""

    def say(words: _Words, clause: Clause) -> str:
        inner = words.several(clause.parts.get("query", ()), "")
        return text.format(**clause.params, name=words.name(clause.field), names=words.names(clause), inner=inner)

    return say


_PHRASES: Mapping[str, Callable[[_Words, Clause], str]] = {
    "match_all": lambda words, clause: EVERYTHING,
    "match_none": lambda words, clause: "nothing can match",
    "bool": _bool,
    "constant_score": lambda words, clause: words.condition(clause.parts["filter"][0]),
    "dis_max": lambda words, clause: words.several(clause.parts["queries"], "or"),
    "boosting": _boosting,
    "nested": _with("one element of {path} has: {inner}"),
    "term": _term,
    "terms": _terms,
    "ids": _terms,
    "exists": _with("{name} has a value"),
    "range": _range,
    "prefix": _with('{name} begins with "{value}"'),
    "wildcard": _with('{name} looks like "{value}" (* any letters, ? one)'),
    "regexp": _with("{name} matches the pattern /{value}/"),
    "fuzzy": _with('{name} is spelled nearly like "{value}"'),
    "match": _match,
    "match_phrase": _phrase,
    **dict.fromkeys(("match_bool_prefix", "match_phrase_prefix"),
                    _with('{name} holds the words "{query}", the last one as a prefix')),
    "multi_match": _multi_match,
    "function_score": _function_score,
    **dict.fromkeys(("query_string", "simple_query_string"), _with('{names} matches the search text "{query}"')),
    "geo_distance": _place,
    "geo_bounding_box": _with("{name} is in the box {place}"),
    "geo_shape": _shape,
    "script": lambda words, clause: _script_words(clause.script),
}
"""The phrase of each query. A test checks that all are here."""


def _listed(parts: Sequence[str], joint: str, what: str) -> str:
    return listed(parts, joint, most=MOST_VALUES, what=what) if parts else "nothing"
