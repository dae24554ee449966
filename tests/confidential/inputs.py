"""Draws inputs of a caller at random: programs, words, pasted requests, completions, turns of a conversation.

Nothing here knows which fields are sensitive: every path of the mapping is asked for in every way.
"""

import json
from base64 import urlsafe_b64decode
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from qlc.conversation import Conversation
from qlc.pasted.entry import run_pasted
from qlc.pipeline.compiler import Compiler
from qlc.translator.by_rules import ByRules
from qlc.translator.entry import Asker
from tests.confidential.worlds import CONTEXT, NOW, WORDS, ZONES, Pair

PATHS = (
    "id", "kind", "tenant", "owner_id", "owner_name", "color", "state", "name", "name.keyword", "size", "created", "pay",
    "pay.text", "numbers", "pay_alias", "band", "labels", "band_alias", "verdict", "verdict.exact", "everything",
    "attrs", "attrs.grade", "attrs.shape", "person", "person.ssn", "person.city", "city_alias", "raise_on", "items",
    "items.what", "items.cost", "reviews", "reviews.by", "reviews.mark", "labels_alias",
)  # fmt: skip
NAMES = (
    "owner", "owner.name", "owner.id", "city", "salary", "grade", "ssn", "earnings", "level", "owner.city", "owner.salary",
    "owner.band",
)  # fmt: skip
FIELDS = PATHS + NAMES
NUMBERS = ("size", "pay", "pay_alias", "numbers", "items.cost", "reviews.mark", "salary", "earnings", "owner.salary")
DATES = ("created", "raise_on")
ENTITIES = ("things", "things", "entries", "people")


def program(random: Random) -> str:
    """A query, most of them without a mistake."""
    entity = random.choice(ENTITIES)
    where = _condition(random) if random.random() < 0.85 else f"size > {random.randint(0, 10)}"
    match random.randint(0, 8):
        case 0 | 1 | 2:
            shown = f" show {', '.join(random.sample(FIELDS, random.randint(1, 3)))}" if random.random() < 0.6 else ""
            order = f" sort {random.choice(FIELDS)}{random.choice(['', ' desc'])}" if random.random() < 0.5 else ""
            limit = f" limit {random.randint(1, 9)}" if random.random() < 0.3 else ""
            return f"find {entity} where {where}{order}{limit}{shown}"
        case 3:
            return f"count {entity} where {where} by {_group(random)}"
        case 4:
            having = f" having count > {random.randint(0, 3)}" if random.random() < 0.3 else ""
            return f"count {entity} by {_group(random)}, {_group(random)}{having}"
        case 5:
            return f"{_measure(random)} of {entity} where {where}"
        case 6:
            return f"{_measure(random)}, count of {entity} by {_group(random)} sort {_measure(random)} desc top 3"
        case 7:
            thing = random.choice(["thing", "entry", "person"])
            return f'get {thing}("{_name(random)}").{random.choice(FIELDS)}, {random.choice(FIELDS)}'
        case _:
            inner = f"find {random.choice(ENTITIES)} where {_condition(random)}"
            return f"find {entity} where {random.choice(['id', 'owner', 'owner_id'])} in ({inner})"


def _name(random: Random) -> str:
    return random.choice([f"{random.choice(WORDS).title()} {random.randint(0, 6)}", f"t{random.randint(0, 23):02}",
                          random.choice(WORDS).title(), f"p{random.randint(0, 2)}"])


def _value(random: Random, field: str) -> str:
    """A value that fits the field, as a rule."""
    if random.random() < 0.1:
        field = random.choice(FIELDS)
    if field in NUMBERS:
        return str(random.randint(0, 40))
    if field in DATES:
        return f"2026-0{random.randint(1, 6)}"
    return random.choice([f'"{random.choice(WORDS)}"', f'"{random.choice(WORDS)}"', f'"{_name(random)}"',
                          f'"{random.randint(100, 120)}"'])


def _condition(random: Random, depth: int = 0) -> str:
    field = random.choice(FIELDS)
    match random.randint(0, 12 if depth < 2 else 9):
        case 0 | 1:
            return f"{field} = {_value(random, field)}"
        case 2:
            field = random.choice([*NUMBERS, *DATES, field])
            return f"{field} {random.choice(['<', '>', '<=', '>=', '!='])} {_value(random, field)}"
        case 3:
            return f"{field} {random.choice(['exists', 'missing'])}"
        case 4:
            word = f'"{random.choice(WORDS)[: random.randint(1, 4)]}"'
            return f"{field} {random.choice(['contains', 'starts with', 'ends with', 'like', 'matches'])} {word}"
        case 5:
            return f"{field} in [{_value(random, field)}, {_value(random, field)}]"
        case 6:
            return f"{field} = {random.choice(FIELDS)}"
        case 7:
            inner = random.choice(["what", "cost"])
            return f"items[{inner} = {_value(random, 'items.' + inner)}]"
        case 8:
            return f'mentions "{random.choice(WORDS)}"'
        case 9:
            return f'{field} has any ["{random.choice(WORDS)}", "{random.choice(WORDS)}"]'
        case 10:
            return f"not ({_condition(random, depth + 1)})"
        case 11:
            return f"({_condition(random, depth + 1)} or {_condition(random, depth + 1)})"
        case _:
            return f"{_condition(random, depth + 1)} and {_condition(random, depth + 1)}"


def _group(random: Random) -> str:
    field, number, date = random.choice(FIELDS), random.choice(NUMBERS), random.choice(DATES)
    return random.choice([field, field, field, f"month({date})", f"step({number}, 5)", f"weekday({date})"])


def _measure(random: Random) -> str:
    function = random.choice(["sum", "avg", "min", "max", "median"])
    of_number = f"{function}({random.choice(NUMBERS)})"
    return random.choice([of_number, f"distinct({random.choice(FIELDS)})", f"share({_condition(random, 2)})"])


def words(random: Random) -> str:
    """A question as somebody may write it, about fields that may be confidential."""
    entity, field = random.choice(ENTITIES), random.choice(FIELDS).replace("_", " ").replace(".", " ")
    word, other = random.choice(WORDS), random.choice(FIELDS).replace("_", " ")
    return random.choice([
        f"{entity} with {field} {word}", f"{field} of {_name(random)}", f"how many {entity} have {field} {word}",
        f"{entity} by {field}", f"{entity} with the highest {field}", f"average {field} of {entity} by {other}",
        f"{word} {entity}", f"which {entity} have no {field}", f"{entity} owned by {word.title()}",
        f"what fields do {entity} have", f"what values does {field} have", f"{entity} sorted by {field}",
        f"{entity} where {field} is over {random.randint(1, 30)}", f"who owns {_name(random)}", f"{field} {word}",
        f"show {field} and {other} of {entity}", f"{entity} mentioning {word}", f"total {field} per {other}",
    ])  # fmt: skip


def pasted(random: Random, paths: Sequence[str] = PATHS, words: Sequence[str] = WORDS) -> str:
    """A request for Elasticsearch as people paste it."""
    path, other = random.choice(paths), random.choice(paths)
    word, number = random.choice(words), random.randint(0, 40)
    clause: dict[str, Any] = random.choice([
        {"term": {path: random.choice([word, number])}}, {"terms": {path: [word, number]}}, {"exists": {"field": path}},
        {"range": {path: {"gte": number}}}, {"prefix": {path: word[:2]}}, {"wildcard": {path: f"*{word[1:3]}*"}},
        {"match": {path: word}}, {"match_phrase": {path: word}}, {"fuzzy": {path: word}},
        {"multi_match": {"query": word, "fields": random.choice([["*"], [path, other], [f"{path[:2]}*"]])}},
        {"query_string": {"query": random.choice([f"{path}:{word}", word, f"{path}:[1 TO {number}]"])}},
        {"simple_query_string": {"query": word, "fields": [path, f"{other[:2]}*"]}},
        {"nested": {"path": random.choice(["items", "reviews"]), "query": {"term": {path: number}}}},
        {"match_all": {}},
    ])  # fmt: skip
    if random.random() < 0.4:
        clause = {"bool": {random.choice(["filter", "must_not", "should"]): [clause, {"term": {other: word}}]}}
    body: dict[str, Any] = {"query": clause}
    if random.random() < 0.3:
        body["sort"] = [{random.choice(paths): random.choice(["asc", "desc"])}]
    if random.random() < 0.4:
        body["_source"] = random.choice([True, [random.choice(paths)], ["*"], [f"{path[:3]}*"], {"excludes": [other]}])
    if random.random() < 0.2:
        body["fields"] = [random.choice([path, "*", f"{path[:2]}*"])]
    if random.random() < 0.4:
        kind = random.choice(["terms", "min", "max", "avg", "cardinality", "value_count", "missing", "histogram"])
        more = {"interval": 5} if kind == "histogram" else {}
        body["aggs"] = {"found": {kind: {"field": random.choice(paths), **more}}}
        body["size"] = random.choice([0, 5])
    return json.dumps(body)


Input = tuple[str, str]
"""The kind of an input, and its text."""

_KINDS: tuple[tuple[str, int, Callable[[Random], str]], ...] = (
    ("program", 5, program), ("words", 3, words), ("pasted", 3, pasted), ("complete", 1, program), ("turns", 1, words),
)  # fmt: skip


def draw_input(random: Random) -> Input:
    (kind, _, draw), = random.choices(_KINDS, [weight for _, weight, _ in _KINDS])
    return kind, draw(random)


def answer(pair: Pair, number: int, found: Input, random: Random) -> str:
    """All that a store answers an input with, as a text: outcomes, pages, notes, round trips. Times are left out."""
    compiler = (pair.first, pair.second)[number]
    kind, text = found
    given: Any = {"context": CONTEXT, "now": NOW, "timezone": random.choice(ZONES)}
    match kind:
        case "program":
            pages = [compiler.run(text, size=3, **given)]
            while len(pages) < 4 and getattr(pages[-1], "cursor", None):
                pages.append(compiler.run(text, size=3, cursor=pages[-1].cursor, **given))
            return _told(pages)
        case "words":
            return _told([by_rules(compiler).ask(text, **given)])
        case "pasted":
            return _told(list(run_pasted(text, compiler, **given)))
        case "complete":
            cut = text[: random.randint(1, len(text))]
            return json.dumps([str(one) for one in compiler.complete(cut, context=CONTEXT)])
        case _:
            talk = Conversation(by_rules(compiler), **given)
            further = ["only the red ones", "sort them by size", "how many are there", "why is it empty", "show more",
                       "by owner", "what does it mean", text]
            return _told([one for said in (text, *random.sample(further, 3)) for one in talk.turn(said).outcomes])


def by_rules(compiler: Compiler) -> Asker:
    return Asker(compiler, [ByRules()])


def _told(outcomes: list[Any]) -> str:
    return json.dumps([plain(one.model_dump(mode="json")) for one in outcomes], sort_keys=True)


def plain(found: dict[str, Any]) -> dict[str, Any]:
    stats, cursor = found.pop("stats", None) or {}, found.pop("cursor", None)
    found.pop("id", None)  # of a failure, for the log: another one each time
    if cursor is not None:  # where the next page begins; the index behind it is another one
        _, _, now, after, read, _ = json.loads(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        found["cursor"] = [now, after, read]
    return {**found, "trips": [stats.get("round_trips"), stats.get("further")]}
