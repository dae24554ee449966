"""A small world for tests of the rules: huts in the mountains, who stays there, and the sledges that bring supplies."""

from __future__ import annotations

from typing import Any

CATALOG = """
version: 1
index: huts
entities:
  stay:
    words: [booking, bookings, visit to a hut]
    where: {sort: STAY}
    id: number
    id_pattern: 'S-[0-9]{4}'
    text: [remarks]
    date: arrived
    conditions:
      overdue: left missing and due < today
    fields:
      number: number
      guest: {path: guest.id, name_at: guest.name, refers_to: guest, words: [guest name]}
      age: {path: guest.age, words: [years old]}
      hut: {path: hutId, refers_to: hut, words: [at, to]}
      arrived: {path: arrived, words: [arrival, checked in]}
      left: {path: left, words: [departure, departed, checked out]}
      due: {path: due, whole_days: true, words: [expected departure]}
      until: {path: until, whole_days: true, words: [expires, end of contract], list: false}
      status: {path: status, values: {booked: [planned], here: [on site], cancelled: [called off], expired: [run out]}}
      room: {path: room, values: {dormitory: [dormitories], double: [doubles], single: [singles]}}
      price: {path: price, unit_field: currency, words: [amount, cost]}
      deposit: {path: deposit, unit_field: currency, words: [deposit paid]}
      currency: {path: currency, values: {EUR: [euro, euros], CHF: [franc, francs], USD: [dollar, dollars]}}
      notice: {path: noticeDays, unit: days, words: [notice period]}
      member: {path: member, words: [club member]}
      remarks: {path: remarks, words: [remark, notes, note]}
    lists:
      meals:
        path: meals
        words: [meal]
        fields:
          kind: {path: kind, values: {breakfast: [breakfasts], dinner: [dinners], packed: [packed lunch, packing]}}
          minutes: {path: minutes, unit: minutes, words: [duration]}
          served: {path: served, words: [date]}
          warden: {path: warden.id, name_at: warden.name, refers_to: warden, words: [by, served by]}
          tab: {path: tab, words: [billed to]}
          comment: {path: comment, words: [remark]}
  hut:
    where: {sort: HUT}
    id: number
    names: [name]
    fields:
      number: number
      name: {path: name, words: [called]}
      region: {path: region, values: {VS: [Valais], BE: [Berne], GR: [Grisons]}}
      altitude: {path: altitude, unit: m, words: [height]}
      beds: {path: beds, words: [capacity, number of beds]}
      floor: {path: floor, words: [storeys]}
      dogs: {path: dogs, words: [dogs allowed]}
      warden: {path: warden.id, name_at: warden.name, refers_to: warden, words: [run by, looked after by]}
      place: {path: place, words: [coordinates]}
      opened: {path: opened, words: [built]}
  sledge:
    words: [racer, racers]
    where: {sort: SLEDGE}
    id: number
    names: [name]
    fields:
      number: number
      name: {path: name, words: [called]}
      kind: {path: kind, values: {cargo: [freight sledge, freight sledges], racing: [racer, racers]}}
      top_speed: {path: topSpeed, words: [maximum speed], description: In knots}
      length: {path: length, unit: m, words: [long]}
      width: {path: width, unit: m, words: [wide]}
      rank: {path: rank, words: [ranking]}
      home: {path: hutId, refers_to: hut, words: [kept at, based at]}
  guest:
    words: [guests]
    virtual: true
    id_pattern: '[0-9]{5}'
  warden:
    words: [wardens]
    virtual: true
    id_pattern: 'W[0-9]{2}'
"""

_KEYWORD: dict[str, Any] = {"type": "keyword"}

_PERSON: dict[str, Any] = {"properties": {"id": _KEYWORD, "name": _KEYWORD, "age": {"type": "integer"}}}
_DATE, _NUMBER, _FLAG = {"type": "date"}, {"type": "double"}, {"type": "boolean"}


def _all(names: str, mapped: dict[str, Any]) -> dict[str, Any]:
    return dict.fromkeys(names.split(), mapped)


MAPPING: dict[str, Any] = {
    "properties": {
        **_all("sort number region hutId status room currency kind", _KEYWORD),
        **_all("guest warden", _PERSON),
        **_all("arrived left due until opened", _DATE),
        **_all("price deposit topSpeed length width", _NUMBER),
        **_all("noticeDays altitude beds floor rank", {"type": "integer"}),
        **_all("member dogs", _FLAG),
        "name": _KEYWORD,
        "remarks": {"type": "text"},
        "place": {"type": "geo_point"},
        "meals": {
            "type": "nested",
            "properties": {
                "kind": _KEYWORD, "minutes": {"type": "integer"}, "served": _DATE, "warden": _PERSON, "tab": _KEYWORD,
                "comment": {"type": "text"},
            },
        },
    }
}  # fmt: skip

_HUTS = (("Falcon Hut", 2900, 40, True), ("Larch Hut", 1800, 12, False), ("Marmot Hut", 2300, 25, True))
_GUESTS = ("Nora Lindt", "Paolo Riva", "Ines Roth", "Jakob Frei", "Mira Sand")
_REMARKS = ("", "Arrived with a stowaway marmot.", "Left a wet sleeping bag behind.", "Key was lost on the way.")
WARDENS = {"W01": "Greta Amann", "W02": "Luis Berg"}


def documents() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for at, (name, altitude, beds, dogs) in enumerate(_HUTS):
        warden = f"W0{at % 2 + 1}"
        found.append(
            {"sort": "HUT", "number": f"H-{at}", "name": name, "altitude": altitude, "beds": beds, "floor": at + 1,
             "dogs": dogs,
             "region": ("VS", "BE", "GR")[at], "warden": {"id": warden, "name": WARDENS[warden]},
             "opened": f"19{60 + at * 9}-05-01",
             "place": {"lat": 46.5 + at / 10, "lon": 8.0}}
        )  # fmt: skip
    for at, name in enumerate(("Arrow", "Bison", "Comet", "Dray")):
        found.append(
            {"sort": "SLEDGE", "number": f"L-{at}", "name": name, "kind": ("racing", "cargo")[at % 2],
             "topSpeed": 10 + 9 * at, "length": 2.5 + at, "width": 0.8 + at / 5, "rank": at + 1, "hutId": f"H-{at % 3}"}
        )  # fmt: skip
    for at in range(40):
        guest = at % len(_GUESTS)
        day = f"2025-{at % 6 + 1:02}-{at % 27 + 1:02}"
        stay: dict[str, Any] = {
            "sort": "STAY", "number": f"S-{at:04}", "hutId": f"H-{at % 3}", "arrived": day,
            "guest": {"id": f"{10001 + guest}", "name": _GUESTS[guest], "age": 20 + 11 * guest},
            "due": f"2025-{at % 6 + 1:02}-28", "until": f"2025-{at % 6 + 4:02}-20",
            "status": ("booked", "here", "cancelled", "expired")[at % 4],
            "room": ("dormitory", "double", "single")[at % 3],
            "price": 40 + 17 * at, "currency": ("EUR", "CHF", "USD")[at // 2 % 3], "noticeDays": at % 10,
            "member": at % 3 == 0, "remarks": _REMARKS[at % len(_REMARKS)],
            "meals": [
                {"kind": ("breakfast", "dinner", "packed")[(at + i) % 3], "minutes": 10 * (i + 1) + at % 25,
                 "served": day, "tab": ("KITCHEN-1", "KITCHEN-2")[(at + i) % 2],
                 "warden": {"id": (w := f"W0{(at + i) % 2 + 1}"), "name": WARDENS[w]},
                 "comment": "milk was missing today" if at % 7 == 0 else "all well"}
                for i in range(at % 3)
            ],
        }  # fmt: skip
        if at % 4 != 1:
            stay["left"] = f"2025-{at % 6 + 1:02}-28"
        if at % 5:
            stay["deposit"] = 20 * (at % 3)
        found.append(stay)
    return found
