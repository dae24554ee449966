"""Two tenants in one index: folders, documents, people and projects, each tenant's by the same names where it can be.

An access rule on every entity; the projects' rule is a semi-join. Pay is sensitive, in fields, elements and texts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from elasticsearch import Elasticsearch, helpers

INDEX = "shared"

CATALOG = """
version: 1
index: shared
defaults:
  id: id
  names: [name]
  parent: folder
  text: [body]
  show: [name, folder, size]
  access: tenant = $tenant
entities:
  folder: {where: {kind: folder}}
  document:
    where: {kind: document}
    tell_apart: [owner, created]
    conditions: {mine: owner = $me, big: size > 5 MB}
  project:
    where: {kind: project}
    access: tenant = $tenant and folder in (find folders where clearance <= $level)
    open_paths: false
  person: {virtual: true, plural: people}
fields:
  id: id
  name: name
  tenant: {path: tenant, sensitive: true}
  clearance: clearance
  folder: {path: parent, refers_to: folder, under: above, constants: [root]}
  owner: {path: owner_id, name_at: owner_name, refers_to: person}
  source: {path: copied_from, refers_to: document}
  size: {path: size, unit: bytes, words: [bytes]}
  created: created
  due: {path: due, whole_days: true}
  status: {path: status, values: {open: [active], closed: [done]}, groups: {finished: [closed]}}
  type: type
  tags: {path: tags, list: true}
  salary: {path: pay.salary, sensitive: true}
  grade: {path: pay.grade, sensitive: true}
  verdict: {path: verdict, sensitive: true}
  body: body
  signed: signed
lists:
  shares:
    path: shares
    fields:
      who: {path: who}
      role: {path: role}
      wage: {path: wage, sensitive: true}
  reviews: {path: reviews, sensitive: true}
"""

_KEYWORDS = (
    "id", "kind", "name", "tenant", "parent", "above", "owner_id", "owner_name", "copied_from", "status", "type",
    "tags", "secret_note",
)  # fmt: skip

MAPPING: dict[str, Any] = {
    "properties": {
        **{name: {"type": "keyword"} for name in _KEYWORDS},
        "clearance": {"type": "integer"},
        "size": {"type": "long"},
        "created": {"type": "date"},
        "due": {"type": "date"},
        "body": {"type": "text"},
        "verdict": {"type": "text"},
        "signed": {"type": "boolean"},
        "pay": {"properties": {"salary": {"type": "long"}, "grade": {"type": "keyword"}}},
        "pay_alias": {"type": "alias", "path": "pay.salary"},
        "shares": {
            "type": "nested",
            "properties": {"who": {"type": "keyword"}, "role": {"type": "keyword"}, "wage": {"type": "long"}},
        },
        "reviews": {"type": "nested", "properties": {"by": {"type": "keyword"}, "mark": {"type": "integer"}}},
    }
}

TENANTS = ("red", "blue")
MARKS = {"red": ("red", "crimson"), "blue": ("blue", "azure")}
"""Words that stand in what belongs to a tenant, and nowhere else."""


def entry(tenant: str, key: str, kind: str, name: str, parent: str | None = None, **more: Any) -> dict[str, Any]:
    return {
        "id": f"{tenant}-{key}",
        "kind": kind,
        "name": name,
        "tenant": tenant,
        "parent": "root" if parent is None else f"{tenant}-{parent}",
        "above": ["root"] if parent is None else ["root", f"{tenant}-{parent}"],
        **more,
    }


def documents() -> Iterator[dict[str, Any]]:
    for tenant, colour in (("red", "Crimson"), ("blue", "Azure")):
        owner = {"owner_id": f"{tenant}-p1", "owner_name": f"Olga {colour}"}
        other = {"owner_id": f"{tenant}-p2", "owner_name": "Sam Common"}
        yield entry(tenant, "f1", "folder", "Plans", clearance=1, **owner)
        yield entry(tenant, "f2", "folder", f"{colour} Vault", clearance=9, **owner)
        yield entry(tenant, "f3", "folder", "Drafts", "f1", clearance=1, **owner)
        yield entry(tenant, "f4", "folder", "Drafts", "f2", clearance=1, **owner)
        yield entry(tenant, "j1", "project", "Bridge", "f1", status="open", **owner)
        yield entry(tenant, "j2", "project", f"{colour} Tunnel", "f2", status="open", **owner)
        for number in range(1, 9):
            yield entry(
                tenant, f"d{number}", "document", f"{colour} Report {number}.pdf" if number > 2 else "Report.pdf",
                "f1" if number % 2 else "f2",
                **(owner if number < 6 else other),
                size=number * 1_000_000 if number != 7 else None,
                created=f"2026-0{number}-01T08:00:00Z",
                due=f"2026-0{number}-20",
                status="open" if number < 5 else "closed",
                type=f"{colour} memo" if number == 8 else "memo",
                tags=["draft", f"{tenant}-tag{number % 3}"] if number != 5 else [],
                body=f"the {colour.lower()} plan number {number}",
                verdict=f"the secret verdict {number}",
                signed=number % 2 == 0,
                secret_note=f"{tenant}-note",
                copied_from=f"{tenant}-d1" if number == 4 else None,
                pay={"salary": 1000 * number, "grade": f"{tenant}-grade{number}"},
                shares=[{"who": f"Olga {colour}", "role": "editor", "wage": number},
                        {"who": "Sam Common", "role": "viewer", "wage": 10 * number}],
                reviews=[{"by": f"Olga {colour}", "mark": number}],
            )  # fmt: skip


def load(client: Elasticsearch) -> None:
    client.indices.create(index=INDEX, mappings=MAPPING)
    found = ({"_index": INDEX, "_id": one["id"], "_source": one} for one in documents())
    helpers.bulk(client, found, refresh=True)
