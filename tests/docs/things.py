"""A small index with what ordinary ones do not have, for the examples of docs/diagnostics.md."""

from typing import Any

from qlc import Compiler
from qlc.mapping.catalog import read_catalog
from qlc.mapping.index_mapping import mapping_from_responses
from tests import engines

CATALOG = """
version: 1
index: things-*
bounds: {set_size: 3, rows: 3, pairs: 2, ranges: 10, depth: 2, scripts: 3}
entities:
  box:
    plural: boxes
    where: {kind: BOX}
    id: id
    names: [label]
    parent: box
    conditions: {odd: not even, even: not odd}
  note: {where: {kind: NOTE}}
fields:
  id: uid
  label: label
  other: other
  seal: seal
  made: made
  drift: drift
  sent: sent
  notice: {path: notice, unit: days}
  state: {path: state, values: [new, old], groups: {gone: []}, list: false}
  box: {path: boxId, refers_to: box}
  note: {path: noteId, refers_to: note}
lists:
  moves: {path: moves, fields: {to: {path: boxId, refers_to: box}}}
"""

KEYWORD = {"type": "keyword"}
PROPERTIES: dict[str, Any] = {
    **dict.fromkeys(("kind", "uid", "label", "other", "state", "boxId", "noteId"), KEYWORD),
    "seal": {"type": "keyword", "normalizer": "lowercase"},
    "made": {"type": "date"},
    "drift": {"type": "double"},
    "sent": {"type": "date"},
    "notice": {"type": "integer"},
    "stamp": {"type": "keyword", "index": False, "doc_values": False},
    "moves": {"type": "nested", "properties": {"boxId": KEYWORD, "stops": {"type": "nested", "properties": {
        "port": KEYWORD}}}},
}


def boxes() -> list[dict[str, Any]]:
    """Five boxes, each in the one before; the third was sent in a year that no calendar of ours reaches."""
    found = []
    for number, label in enumerate("abcde"):
        box: dict[str, Any] = {"kind": "BOX", "uid": f"box-{label}", "label": label, "other": label}
        box |= {"state": "new" if number else "old", "made": f"20{20 + number}-03-05", "sent": "2024-03-05"}
        if number:
            box["boxId"] = f"box-{'abcde'[number - 1]}"
        found.append(box)
    found[0]["drift"], found[1]["drift"] = 0.0, -0.0
    found[2]["sent"] = 400_000_000_000_000
    return found


def things() -> Compiler:
    """`span` is in the mapping alone: the embedded engine has no histograms as values."""
    client = engines.open_client()
    mappings = {}
    for index, code in (("things-1", "integer"), ("things-2", "keyword")):
        properties = {**PROPERTIES, "code": {"type": code}}
        client.indices.create(index=index, mappings={"properties": properties})
        mappings[index] = {"mappings": {"properties": {**properties, "span": {"type": "histogram"}}}}
    for box in boxes():
        client.index(index="things-1", id=box["uid"], document=box)
    client.indices.refresh(index="things-1")
    mapping = mapping_from_responses("things-*", mappings, {})
    return Compiler(client, read_catalog(CATALOG), mapping=mapping)
