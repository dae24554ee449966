"""A small world for tests of the rules: lots of an auction house, and the clerks who look after them."""

from __future__ import annotations

from typing import Any

CATALOG = """
version: 1
index: auction
entities:
  lot:
    words: [item, items]
    where: {sort: LOT}
    id: number
    id_pattern: 'L-[0-9]{3}'
    names: [title]
    date: listed
    number: price
    fields:
      number: number
      title: {path: title, list: false}
      state: {path: state, list: false, values: {open: [], closed_sold: [sold], closed_pulled: [withdrawn]}}
      listed: {path: listed, words: [added], list: false}
      closed_on: {path: closedOn, whole_days: true, words: [closed, sold on, withdrawn on], list: false}
      price: {path: price, words: [worth], list: false}
      buyer: {path: buyer, words: [sold to], list: false, values: [Harrow, Lindqvist, Okafor]}
      category: {path: category, list: false, values: {chairs: [chair], clocks: [clock], maps: [map]}}
      insured: {path: insured, list: false}
      clerk: {path: clerkId, refers_to: clerk, words: [looked after by], list: false}
  clerk:
    words: [person, people, staff, colleague, colleagues]
    where: {sort: CLERK}
    id: number
    id_pattern: 'K-[0-9]{3}'
    names: [name]
    date: hired
    number: pay
    fields:
      number: number
      name: {path: name, list: false}
      branch: {path: branch, words: [team], list: false, values: [Furniture, Paper]}
      site: {path: site, words: [based in], list: false, values: [Lund, Malmo]}
      hired: {path: hired, whole_days: true, words: [joined, started], list: false}
      left: {path: left, whole_days: true, words: [left on], list: false}
      pay: {path: pay, words: [salary, earn, earns], list: false}
      manager: {path: managerId, refers_to: clerk, words: [boss, reports to], list: false}
      remote: {path: remote, words: [works from home, works remotely, remotely], list: false}
      languages: {path: languages, list: true, words: [speaks, speak], values: [Danish, Swedish, German]}
"""

_KEYWORDS = "sort number title state buyer category clerkId name branch site managerId languages"

MAPPING: dict[str, Any] = {
    "properties": {
        **{name: {"type": "keyword"} for name in _KEYWORDS.split()},
        **{name: {"type": "date"} for name in ("listed", "closedOn", "hired", "left")},
        **{name: {"type": "double"} for name in ("price", "pay")},
        **{name: {"type": "boolean"} for name in ("insured", "remote")},
    }
}


def documents() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for at, name in enumerate(("Ada Berg", "Nils Holm", "Pia Falk", "Olof Ek", "Tove Lind", "Sven Dahl")):
        clerk: dict[str, Any] = {
            "sort": "CLERK", "number": f"K-{at:03}", "name": name, "branch": ("Furniture", "Paper")[at % 2],
            "site": ("Lund", "Malmo")[at // 3], "hired": f"202{at % 5}-04-01", "pay": 30_000 + 1_500 * at,
            "remote": at % 3 == 0, "languages": ["Swedish", ("Danish", "German")[at % 2]],
        }  # fmt: skip
        if at:
            clerk["managerId"] = f"K-{(at - 1) // 2:03}"
        if at == 5:
            clerk["left"] = "2025-02-28"
        found.append(clerk)
    for at in range(12):
        lot: dict[str, Any] = {
            "sort": "LOT", "number": f"L-{at:03}", "title": f"Oak {at}", "price": 100.0 * (at + 1),
            "state": ("open", "closed_sold", "closed_pulled")[at % 3], "listed": f"2025-0{at % 3 + 1}-05T09:00:00Z",
            "category": ("chairs", "clocks", "maps")[at // 2 % 3], "insured": at % 2 == 0, "clerkId": f"K-{at % 5:03}",
        }  # fmt: skip
        if at % 3:
            lot["closedOn"] = f"2025-0{at % 3 + 3}-1{at % 9}"
        if at % 3 == 1:
            lot["buyer"] = ("Harrow", "Lindqvist", "Okafor")[at % 2]
        found.append(lot)
    return found
