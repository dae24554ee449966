"""Another small world for tests of the rules: pieces of a museum with the year they were made, and what is lent."""

from __future__ import annotations

from typing import Any

CATALOG = """
version: 1
index: museum
entities:
  piece:
    words: [artwork, artworks, work, works]
    where: {sort: PIECE}
    id: number
    id_pattern: 'P-[0-9]{3}'
    names: [title]
    date: acquired
    fields:
      number: number
      title: title
      kind: {path: kind, values: [painting, sculpture, vase]}
      material: {path: material, words: [made of], list: true, values: [oil, marble, bronze, gold]}
      artist: {path: artistId, refers_to: artist, words: [by]}
      made: {path: year_made, words: [created]}
      height: {path: height_cm, words: [tall]}
      value: {path: value, words: [worth]}
      keeper: {path: keeper, words: [looked after by]}
      acquired: {path: acquired, whole_days: true, words: [bought]}
  artist:
    where: {sort: ARTIST}
    id: number
    names: [name]
    fields:
      number: number
      name: name
      nationality: nationality
      born: {path: born_year, words: [birth]}
  lender:
    words: [museum, museums]
    where: {sort: LENDER}
    id: number
    names: [name]
    fields:
      number: number
      name: name
      visitors: visitors
      country: {path: country, values: {FR: [], DE: [], IT: []}}
  loan:
    where: {sort: LOAN}
    id: number
    date: sent
    fields:
      number: number
      piece: {path: pieceId, refers_to: piece}
      sender: {path: senderId, refers_to: lender}
      receiver: {path: receiverId, refers_to: lender, words: [recipient]}
      sent: {path: sent, whole_days: true}
      state: {path: state, values: [planned, returned, lost]}
      insured: insured
      price: {path: price, unit_field: currency, words: [amount]}
      fee: {path: fee, unit_field: currency}
      gain: gain
      days: {path: days, unit: days, words: [duration]}
      currency: {path: currency, values: [EUR, USD]}
      reason: {path: reason, values: [show-up, research]}
  restorer:
    where: {sort: RESTORER}
    id: number
    names: [name]
    fields:
      number: number
      name: name
      born: {path: born, whole_days: true, words: [date of birth]}
"""

_KEYWORDS = (
    "sort number title kind material artistId keeper name nationality country pieceId senderId receiverId state "
    "currency reason"
)


def _all(names: str, kind: str) -> dict[str, Any]:
    return {name: {"type": kind} for name in names.split()}


MAPPING: dict[str, Any] = {
    "properties": {
        **_all(_KEYWORDS, "keyword"),
        **_all("year_made born_year visitors days", "integer"),
        **_all("height_cm value fee price gain", "double"),
        **_all("acquired sent born", "date"),
        **_all("insured", "boolean"),
    }
}

_ARTISTS = (("Clara Holm", "Swedish", 1610), ("Otto Ricci", "Italian", 1740), ("Rosa Marsh", "British", 1822))
_LENDERS = (("Old Mill Museum", "FR", 900), ("Harbour House", "DE", 4200), ("Castle Collection", "IT", 300))


def documents() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for at, (name, nationality, born) in enumerate(_ARTISTS):
        artist = {"sort": "ARTIST", "number": f"A-{at}", "name": name, "nationality": nationality, "born_year": born}
        found.append(artist)
    for at, (name, country, visitors) in enumerate(_LENDERS):
        found.append({"sort": "LENDER", "number": f"L-{at}", "name": name, "country": country, "visitors": visitors})
    for at, name in enumerate(("Ida Frost", "Ben Adler")):
        found.append({"sort": "RESTORER", "number": f"R-{at}", "name": name, "born": f"19{50 + 40 * at}-03-01"})
    for at in range(24):
        found.append(
            {"sort": "PIECE", "number": f"P-{at:03}", "title": f"Study No {at + 1}", "artistId": f"A-{at % 3}",
             "kind": ("painting", "sculpture", "vase")[at % 3],
             "material": [("oil", "marble", "gold", "bronze")[at % 4]],
             "year_made": _ARTISTS[at % 3][2] + 25 + at, "height_cm": 20.0 + 12 * at, "value": 1000.0 * (at + 1),
             "keeper": ("Nadia Cole", "Tom Wilder")[at % 2], "acquired": f"{2000 + at}-05-0{at % 9 + 1}"}
        )  # fmt: skip
        found.append(
            {"sort": "LOAN", "number": f"N-{at}", "pieceId": f"P-{at:03}", "senderId": f"L-{at % 3}",
             "receiverId": f"L-{(at + 1) % 3}", "sent": f"2025-0{at % 6 + 1}-15",
             "state": ("planned", "returned", "lost")[at % 3], "insured": at % 2 == 0, "fee": 5.0 + at,
             "price": 50.0 + 10 * at, "gain": 7.0 - at,
             "days": 10 + at, "currency": ("EUR", "USD")[at % 2], "reason": ("show-up", "research")[at % 2]}
        )  # fmt: skip
    return found
