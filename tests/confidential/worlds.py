"""Pairs of stores that differ only in what a caller may not see, with a catalog that hides it, all drawn by chance.

The mapping leads to every value by several paths: multi-fields, aliases, `copy_to`, flattened fields, objects, nested
lists, names beside ids. The catalog calls some of them sensitive, and gives some of its entities an access rule.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from random import Random
from typing import Any

from elasticsearch import Elasticsearch, helpers

from qlc.mapping.catalog import read_catalog
from qlc.pipeline.compiler import Compiler
from tests.engines import open_client
from tests.tables import table

INDEX = "things"
NOW = "2026-03-15T12:00:00Z"
CONTEXT = {"tenant": "red"}
ZONES = (None, "+14:00", "-12:00", "America/New_York")
"""Time zones that a caller says to be in."""

KEYWORD: dict[str, Any] = {"type": "keyword"}
WORDS = ("amber", "birch", "cedar", "delta", "ember", "fjord")


@dataclass(frozen=True)
class Secret:
    """A field that a catalog may call sensitive: its name, what the catalog says of it, and how a value is drawn."""

    name: str
    part: dict[str, Any]
    put: Callable[[dict[str, Any], Random], None]


def _put(path: str, draw: Callable[[Random], Any]) -> Callable[[dict[str, Any], Random], None]:
    """Puts a value that is drawn at a path, or none, in one of four documents."""

    def put(document: dict[str, Any], random: Random) -> None:
        *around, last = path.split(".")
        at = document
        for name in around:
            at = at.setdefault(name, {})
        value = draw(random)
        at.pop(last, None)
        if random.random() < 0.75:
            at[last] = value

    return put


def _costs(document: dict[str, Any], random: Random) -> None:
    for item in document.get("items", []):
        item["cost"] = random.randint(1, 9)


def _reviews(document: dict[str, Any], random: Random) -> None:
    count = random.randint(0, 2)
    document["reviews"] = [{"by": random.choice(WORDS), "mark": random.randint(1, 5)} for _ in range(count)]


SECRETS = (
    Secret("salary", {"path": "pay"}, _put("pay", lambda r: r.randint(1, 40))),
    Secret("band", {"path": "band"}, _put("band", lambda r: r.choice(WORDS))),
    Secret("verdict", {"path": "verdict"}, _put("verdict", lambda r: " ".join(r.sample(WORDS, 2)))),
    Secret("grade", {"path": "attrs.grade"}, _put("attrs.grade", lambda r: r.choice(WORDS))),
    Secret("ssn", {"path": "person.ssn"}, _put("person.ssn", lambda r: str(r.randint(100, 120)))),
    Secret("owner_name", {"path": "owner_name"}, _put("owner_name", lambda r: r.choice(WORDS).title())),
    Secret("raise_on", {"path": "raise_on"}, _put("raise_on", lambda r: f"2026-0{r.randint(1, 6)}-1{r.randint(0, 9)}")),
    Secret("items.cost", {}, _costs),
    Secret("reviews", {}, _reviews),
)

MAPPING: dict[str, Any] = table(__file__, "MAPPING")

OPEN_FIELDS: dict[str, Any] = {
    "id": {"path": "id"}, "name": {"path": "name"}, "size": {"path": "size"}, "created": {"path": "created"},
    "color": {"path": "color"}, "state": {"path": "state"}, "city": {"path": "person.city"},
}  # fmt: skip
MAYBE_NAMED: dict[str, Any] = {
    "labels": {"path": "labels"}, "everything": {"path": "everything"}, "attrs": {"path": "attrs"},
    "numbers": {"path": "numbers"}, "pay_alias": {"path": "pay_alias"}, "band_alias": {"path": "band_alias"},
}  # fmt: skip
"""Other paths to what may be sensitive, which a careless catalog names without saying so."""


@dataclass(frozen=True)
class Pair:
    """Two compilers with one catalog over stores that differ in what is hidden. `hidden` are the sensitive fields."""

    first: Compiler
    second: Compiler
    catalog: dict[str, Any]
    hidden: tuple[str, ...]
    clients: tuple[Elasticsearch, Elasticsearch]

    def close(self) -> None:
        for one in self.clients:
            one.close()


def draw_pair(seed: int) -> Pair:
    """The pair of a seed; the same seed draws the same pair."""
    random = Random(seed)
    hidden = random.sample(SECRETS, random.randint(1, 4))
    rule = random.choice([None, "tenant = $tenant", "tenant = $tenant and created <= now", "created <= now",
                          "created <= today", "created <= 2026-03-15"])  # fmt: skip
    catalog = _catalog(random, hidden, rule)
    documents = [_document(number, random) for number in range(24)]
    kinds = catalog["entities"]["thing"].get("where", {}).get("kind")
    others = [_changed(one, random, hidden, rule) if _is_thing(one, kinds) else one for one in documents]
    clients = (open_client(), open_client())
    for client, stored in zip(clients, (documents, others), strict=True):
        client.indices.create(index=INDEX, mappings=MAPPING)
        actions = ({"_index": INDEX, "_id": one["id"], "_source": one} for one in stored)
        helpers.bulk(client, actions, refresh=True)
    text = json.dumps(catalog)  # JSON is YAML
    clock = partial(datetime.fromisoformat, NOW)
    first, second = (Compiler(client, read_catalog(text, "drawn"), clock=clock) for client in clients)
    return Pair(first, second, catalog, tuple(one.name for one in hidden), clients)


def _catalog(random: Random, hidden: list[Secret], rule: str | None) -> dict[str, Any]:
    fields = dict(OPEN_FIELDS)
    names = {one.name for one in hidden}
    owner: dict[str, Any] = {"path": "owner_id", "refers_to": "person"}
    if random.random() < 0.7:
        owner["name_at"] = "owner_name"
    fields["owner"] = owner
    items: dict[str, Any] = {"path": "items", "fields": {"what": {"path": "what"}, "cost": {"path": "cost"}}}
    reviews = {"path": "reviews", "fields": {"by": {"path": "by"}, "mark": {"path": "mark"}}}
    lists: dict[str, Any] = {"items": items, "reviews": reviews}
    secret: dict[str, Any] = {}
    for one in SECRETS:
        if one.part and one.name in names:
            secret[one.name] = {**one.part, "sensitive": True}
        elif one.part and random.random() < 0.5:
            fields[one.name] = one.part
    if "items.cost" in names:
        items["fields"]["cost"]["sensitive"] = True
    if "reviews" in names:
        lists["reviews"]["sensitive"] = True
    fields |= {name: part for name, part in MAYBE_NAMED.items() if random.random() < 0.3}
    thing: dict[str, Any] = {
        "id": "id", "names": ["name"], "show": ["name", "size", "owner", "items"], "fields": secret,
        "tell_apart": ["color", "owner"],
    }
    if rule is not None:
        thing["access"] = rule
    if random.random() < 0.3:
        thing["where"] = {"kind": ["a"]}
    if "everything" in fields:
        thing["text"] = ["everything"]
    entities: dict[str, Any] = {"thing": thing}
    if random.random() < 0.7:
        # Another entity of the same documents, that says nothing of rules and secrets.
        entry: dict[str, Any] = {"plural": "entries", "id": "id", "names": ["name"]}
        if random.random() < 0.5:
            entry["fields"] = {"earnings": {"path": "pay"}, "level": {"path": "band"}}
        if random.random() < 0.3:
            entry["where"] = {"kind": ["a", "b"]}
        entities["entry"] = entry
    needed = "name_at" in owner and "owner_name" not in names
    person: dict[str, Any] = {"plural": "people"}
    if needed:
        person["virtual"] = True
    else:
        person |= {"where": {"kind": ["p"]}, "id": "id", "names": ["name"]}
    entities["person"] = person
    return {"version": 1, "index": INDEX, "entities": entities, "fields": fields, "lists": lists}


def _document(number: int, random: Random) -> dict[str, Any]:
    document: dict[str, Any] = {
        "id": f"t{number:02}", "kind": random.choice("aab"), "tenant": random.choice(["red", "red", "blue"]),
        "name": f"{random.choice(WORDS).title()} {number % 7}", "size": random.randint(1, 20),
        "created": _day(random), "color": random.choice(["red", "green"]),
        "state": random.choice(["open", "closed"]), "owner_id": f"p{number % 3}",
        "person": {"city": random.choice(WORDS)}, "attrs": {"shape": random.choice(WORDS)},
        "items": [{"what": random.choice(WORDS)} for _ in range(random.randint(0, 2))],
    }  # fmt: skip
    if random.random() < 0.15:
        document["kind"] = random.choice(["p", ["a", "p"]])
    for one in SECRETS:
        one.put(document, random)
    return document


def _day(random: Random) -> str:
    """A day before NOW, the next one, or one far ahead."""
    year = random.choice([2026, 2026, 2099])
    return random.choice([f"{year}-0{random.randint(1, 2)}-0{random.randint(1, 9)}", "2026-03-16"])


def _changed(document: dict[str, Any], random: Random, hidden: list[Secret], rule: str | None) -> dict[str, Any]:
    """The document with other secrets; one that the rule keeps from the caller is another one altogether."""
    changed = {
        **document,
        "person": dict(document["person"]),
        "attrs": dict(document["attrs"]),
        "items": [dict(one) for one in document["items"]],
    }
    for one in hidden:
        one.put(changed, random)
    if rule is not None and _is_kept_back(document, rule):
        changed |= {
            "size": random.randint(1, 20),
            "color": random.choice(WORDS),
            "owner_id": f"q{random.randint(0, 3)}",
        }
    return changed


def _is_thing(document: dict[str, Any], kinds: list[str] | None) -> bool:
    kind = document["kind"]
    return kinds is None or bool(set(kinds) & set(kind if isinstance(kind, list) else [kind]))


def _is_kept_back(document: dict[str, Any], rule: str) -> bool:
    of_another = "tenant" in rule and document["tenant"] != CONTEXT["tenant"]
    return of_another or ("created" in rule and document["created"] > NOW[:10])
