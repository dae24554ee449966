"""The data sets as plain rows: one flat dict per document, short names for keys, values as the index holds them.

Nothing here knows the compiler. A row is read by attribute (`row.size`) or by key (`row["geoip.city_name"]`);
what a document lacks is None, lists are always lists (empty when missing), dates are aware datetimes in UTC.
"""

import functools
import gzip
import json
import re
import struct
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from elasticsearch import Elasticsearch, helpers

from tests.tables import read_yaml, rows

DATA = Path(__file__).resolve().parents[1] / "data"
"""The data sets that tests and benchmarks read; their READMEs name source and licence."""
SHIPPED = Path(__file__).resolve().parents[2] / "qlc" / "catalogs" / "drive"
"""The sample documents and their mapping."""
NOW = "2026-03-15T12:00:00Z"


class Row(dict[str, Any]):
    """A dict whose keys can be read as attributes; a name that no row has is an error, not a missing value."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.__dict__ = self  # the predicates of cases read attributes ten million times

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(self["_id"])


def dig(value: Any, path: list[str]) -> Iterator[Any]:
    """Every value found at a path, through objects and lists."""
    if isinstance(value, list):
        for item in value:
            yield from dig(item, path)
    elif not path:
        if value is not None:
            yield value
    elif isinstance(value, dict) and path[0] in value:
        yield from dig(value[path[0]], path[1:])


def moment(text: str) -> datetime:
    """An ISO date as an aware datetime; one without a zone is UTC."""
    when = datetime.fromisoformat(text.replace("Z", "+00:00"))
    return when if when.tzinfo else when.replace(tzinfo=UTC)


def indexed(kind: str, value: Any) -> Any:
    """A value as a field of this mapping type holds it (half precision, numbers in keywords, ...)."""
    if kind == "date":
        return moment(value)
    if kind == "half_float":
        return struct.unpack("e", struct.pack("e", value))[0]
    if kind == "float":
        return struct.unpack("f", struct.pack("f", value))[0]
    if kind in ("keyword", "text", "ip"):
        return value if isinstance(value, str) else json.dumps(value)
    return value


def leaves(properties: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Each leaf of a mapping: its path and its type."""
    for name, body in properties.items():
        if "properties" in body:
            yield from leaves(body["properties"], f"{prefix}{name}.")
        else:
            yield prefix + name, body["type"]


def read_lines(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


# ---- drive -----------------------------------------------------------------------------------------------------


@functools.cache
def vocabulary() -> dict[str, Any]:
    return dict(read_yaml(Path(__file__).parent / "drive_vocabulary.yaml")["fields"])


@functools.cache
def drive_documents() -> tuple[dict[str, Any], ...]:
    return tuple(read_lines(SHIPPED / "documents.ndjson.gz"))


@functools.cache
def drive_mapping() -> dict[str, Any]:
    return dict(json.loads((SHIPPED / "mapping.json").read_text(encoding="utf-8")))


def drive_row(source: dict[str, Any], types: dict[str, str]) -> Row:
    row = Row(_id=source["systemAttributes"]["id"])
    for name, entry in vocabulary().items():
        if isinstance(entry, dict) and "nested" in entry:
            elements = list(dig(source, entry["nested"].split(".")))
            row[name] = [element_row(element, entry, types) for element in elements]
            continue
        path = entry["path"] if isinstance(entry, dict) else entry
        values = [indexed(types[path], value) for value in dig(source, path.split("."))]
        row[name] = values if name == "tags" else (values[0] if values else None)
        if isinstance(entry, dict) and "name_at" in entry:
            row[name + "_name"] = next(dig(source, entry["name_at"].split(".")), None)
    row["ancestors"] = list(dig(source, ["organizationAttributes", "folderPathIds"]))
    row["checksum"] = next(dig(source, ["systemAttributes", "checksum"]), None)
    row["encoding"] = next(dig(source, ["contentAttributes", "encoding"]), None)
    return row


def element_row(element: dict[str, Any], entry: dict[str, Any], types: dict[str, str]) -> Row:
    row = Row(_id="")
    for name, spec in entry["fields"].items():
        path = spec["path"] if isinstance(spec, dict) else spec
        value = element.get(path)
        row[name] = None if value is None else indexed(types[f"{entry['nested']}.{path}"], value)
        if isinstance(spec, dict) and "name_at" in spec:
            row[name + "_name"] = element.get(spec["name_at"])
    return row


@functools.cache
def entries() -> tuple[Row, ...]:
    types = dict(leaves(drive_mapping()["mappings"]["properties"]))
    return tuple(drive_row(source, types) for source in drive_documents())


@functools.cache
def documents() -> tuple[Row, ...]:
    return tuple(row for row in entries() if row.kind == "DOCUMENT")


@functools.cache
def folders() -> tuple[Row, ...]:
    return tuple(row for row in entries() if row.kind == "FOLDER")


@functools.cache
def by_id() -> dict[str, Row]:
    return {row.id: row for row in entries()}


@functools.cache
def people() -> dict[str, str]:
    """Everyone that any role names: id to name."""
    found: dict[str, str] = {}
    for row in entries():
        for role in ("owner", "creator", "editor"):
            found[row[role]] = row[role + "_name"]
        found.update({share.who: share.who_name for share in row.shares})
        found.update({comment.author: comment.author_name for comment in row.comments})
    return found


def only(rows: Iterable[Row], name: str) -> Row:
    found = [row for row in rows if row.name == name]
    if len(found) != 1:
        raise LookupError(f"{len(found)} entries are named {name!r}")
    return found[0]


@functools.cache
def folder(name: str) -> Row:
    """The one folder of this name."""
    return only(folders(), name)


@functools.cache
def document(name: str) -> Row:
    """The one document of this name."""
    return only(documents(), name)


@functools.cache
def folder_at(path: str) -> Row:
    """The folder at a whole path, without `root/`."""
    return next(row for row in folders() if row.path == "root/" + path)


@functools.cache
def person(name: str) -> str:
    """The id of the one person, organisation, group or bot of this name."""
    (found,) = [key for key, value in people().items() if value == name]
    return found


def below(row: Row, *tops: Row) -> bool:
    """The row lies in one of these folders or anywhere beneath it."""
    return any(top.id in row.ancestors for top in tops)


def holder(row: Row) -> Row | None:
    """The folder that holds a row; None at the top level."""
    return by_id().get(row.folder)


# ---- the indices without a catalog -------------------------------------------------------------------------------

FILES = rows(__file__, "FILES")


@functools.cache
def plain_mapping(name: str) -> dict[str, Any]:
    return dict(json.loads((DATA / FILES[name][1]).read_text(encoding="utf-8")))


@functools.cache
def plain_documents(name: str) -> dict[str, dict[str, Any]]:
    """`_id` to source; ids are the natural key, else the line number. Rows with a point off the globe are left out."""
    path, _, key = FILES[name]
    every = 4 if name == "ais" else 1  # which leaves more ships than a server counts exactly unless it is told to
    sources = list(enumerate(read_lines(DATA / path), 1))[::every]
    numbered = {str(source[key] if key else number): source for number, source in sources}
    return {key: source for key, source in numbered.items() if on_the_globe(source)}


def on_the_globe(source: dict[str, Any]) -> bool:
    point = source.get("location")
    return point is None or (abs(float(point["lat"])) <= 90 and abs(float(point["lon"])) <= 180)


@functools.cache
def plain(name: str) -> tuple[Row, ...]:
    """The rows of an index without a catalog, keyed by mapping path; a path with several values holds a list."""
    types = dict(leaves(plain_mapping(name)["mappings"]["properties"]))
    return tuple(plain_row(key, source, types) for key, source in plain_documents(name).items())


LISTS = {"category", "manufacturer", "sku", "tags", "functions"}


def plain_row(key: str, source: dict[str, Any], types: dict[str, str]) -> Row:
    row = Row(_id=key)
    for path, kind in types.items():
        if kind == "alias":
            continue
        if kind == "geo_point":
            point = next(dig(source, path.split(".")), None)
            row[path] = None if point is None else (float(point["lat"]), float(point["lon"]))
            continue
        values = [indexed(kind, value) for value in dig(source, path.split("."))]
        several = path.startswith("products.") or path in LISTS
        row[path] = values if several else (values[0] if values else None)
    return row


# ---- any of them ---------------------------------------------------------------------------------------------------


def index_of(data: str) -> str:
    return "entities-v4" if data == "drive" else data


def mapping(data: str) -> dict[str, Any]:
    return drive_mapping() if data == "drive" else plain_mapping(data)


def sources(data: str) -> dict[str, dict[str, Any]]:
    if data == "drive":
        return {source["systemAttributes"]["id"]: source for source in drive_documents()}
    return plain_documents(data)


def load(client: Elasticsearch, data: str, **settings: Any) -> None:
    index = index_of(data)
    client.indices.create(index=index, mappings=mapping(data)["mappings"], settings=settings or None)
    actions = ({"_index": index, "_id": key, "_source": source} for key, source in sources(data).items())
    helpers.bulk(client, actions, chunk_size=2000, refresh=True)


# ---- words -------------------------------------------------------------------------------------------------------

LETTER = r"[^\W\d_]"
WORD = re.compile(rf"(?:{LETTER}|[0-9_]|(?<={LETTER})['’.:](?={LETTER})|(?<=[0-9])['’.,;](?=[0-9]))+", re.UNICODE)
SINGLE = re.compile(r"[一-鿿぀-ゟ]")


def words(text: str | None) -> list[str]:
    """The words of analysed text, in order: lower case, ideographs one by one."""
    found: list[str] = []
    for match in WORD.finditer((text or "").lower()):
        token = match.group()
        found.extend(SINGLE.findall(token) if SINGLE.search(token) else [token])
    return found


def has_words(text: str | None, wanted: str) -> bool:
    """All the words are there, in any order."""
    return set(words(wanted)) <= set(words(text))


def has_phrase(text: str | None, phrase: str) -> bool:
    """The words are there, adjacent and in order."""
    have, want = words(text), words(phrase)
    return any(have[at : at + len(want)] == want for at in range(len(have) - len(want) + 1))


def mentions(row: Row, phrase: str) -> bool:
    """One of the text fields of the row's kind holds the phrase."""
    fields = ("content", "description", "name") if row.kind == "DOCUMENT" else ("description", "name")
    return any(has_phrase(row[field], phrase) for field in fields)


# ---- comparisons in which a missing value is never true ------------------------------------------------------------


def over(value: Any, bound: Any) -> bool:
    return value is not None and bool(value > bound)


def least(value: Any, bound: Any) -> bool:
    return value is not None and bool(value >= bound)


def under(value: Any, bound: Any) -> bool:
    return value is not None and bool(value < bound)


def most(value: Any, bound: Any) -> bool:
    return value is not None and bool(value <= bound)


def among(value: Any, low: Any, high: Any) -> bool:
    return value is not None and bool(low <= value <= high)


def same(value: str | None, other: str) -> bool:
    """Equal up to case; accents count."""
    return value is not None and value.lower() == other.lower()


def holds(value: str | None, part: str) -> bool:
    return value is not None and part.lower() in value.lower()


def attribute(row: Row, key: str, *values: str) -> bool:
    """A custom attribute with this key and one of these values, in one element."""
    return any(item.key == key and (not values or same_any(item.value, values)) for item in row.attributes)


def same_any(value: str | None, others: Iterable[str]) -> bool:
    return any(same(value, other) for other in others)


def shared(row: Row, who: str, *roles: str) -> bool:
    """One grant gives this person (one of) the roles."""
    return any(item.who == person(who) and (not roles or item.role in roles) for item in row.shares)


def distance(point: tuple[float, float] | None, centre: tuple[float, float]) -> float:
    """Kilometres over the sphere; infinite from nowhere."""
    from math import asin, cos, inf, radians, sin, sqrt

    if point is None:
        return inf
    (lat, lon), (lat0, lon0) = point, centre
    bow = sin(radians(lat - lat0) / 2) ** 2
    bow += cos(radians(lat)) * cos(radians(lat0)) * sin(radians(lon - lon0) / 2) ** 2
    return 2 * 6371.0087714 * asin(min(1.0, sqrt(bow)))
