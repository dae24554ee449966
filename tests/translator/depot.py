"""A small world for tests of the rules: vehicles with what was done to them, their trips, and who ordered these."""

from __future__ import annotations

from typing import Any

CATALOG = """
version: 1
index: depot
entities:
  vehicle:
    where: {sort: VEHICLE}
    id: number
    id_pattern: 'V-[0-9]{2}'
    names: [plate]
    text: [remarks]
    fields:
      number: number
      plate: plate
      status: {path: status, values: [available, in use, retired]}
      class: {path: class, words: [emission class], values: [A, A+, B-]}
      assigned_driver: {path: assignedDriver}
      inspection_due: {path: inspectionDue, whole_days: true}
      lease_ends: {path: leaseEnds, whole_days: true}
      deposit_paid: depositPaid
      needs_permit: {path: needsPermit, words: [permit]}
      built: year_built
      seats: seats
      comfort: {path: comfort, words: [rated]}
      tyre: {path: tyre, values: [summer tyre, winter tyre]}
      remarks: remarks
      warranty_expires: {path: warrantyExpires, whole_days: true, words: [expires]}
      washed: {path: washed, whole_days: true}
      approved_by: {path: approvedBy, words: [approver]}
      deck: deck
      stock: stock
      route: route
      faulty: {path: faulty, list: true, values: [front mirror, front door, rear door, lamp]}
      damage: {path: damage, values: [none, dent, scratch]}
      colours: {path: colours, list: true, values: [red, white, blue]}
      fault: {path: fault, values: {0: [no fault], 7: [leak]}}
    lists:
      services:
        path: services
        words: [maintenance, serviced]
        fields:
          work: {path: work, values: {oil change: [], brakes: [brake]}}
          garage: {path: garage, values: [Truckland, Autofix]}
          hours: hours
          cost: cost
          warranty: warranty
          parts: parts
          checked: checked
      refills:
        path: refills
        fields:
          liquid: {path: liquid, values: [oil, water]}
          amount: amount
          unit: {path: unit, values: [l, ml]}
      answers: {path: answers, key: question, value: answer}
  trip:
    words: [ride, rides]
    where: {sort: TRIP}
    id: number
    date: started
    fields:
      number: number
      vehicle: {path: vehicleId, refers_to: vehicle}
      driver: {path: driver, words: [driven by]}
      state: {path: state, values: [done, cancelled]}
      cancelled_by: {path: cancelledBy, values: [customer, driver]}
      started: started
      minutes: {path: minutes, unit: minutes, words: [duration]}
      distance: {path: distance, unit: km, words: [kilometres]}
      incident: incident
      ordered_by: {path: customerId, refers_to: customer}
  customer:
    where: {sort: CUSTOMER}
    id: number
    names: [name]
    fields:
      number: number
      name: name
"""

_KEYWORDS = (
    "sort number plate status class assignedDriver tyre vehicleId driver state cancelledBy customerId name approvedBy "
    "damage colours route faulty"
)


def _all(names: str, kind: str) -> dict[str, Any]:
    return {name: {"type": kind} for name in names.split()}


MAPPING: dict[str, Any] = {
    "properties": {
        **_all(_KEYWORDS, "keyword"),
        **_all("year_built stock seats deck fault minutes distance", "integer"),
        **_all("inspectionDue leaseEnds warrantyExpires washed started", "date"),
        **_all("depositPaid needsPermit incident", "boolean"),
        "comfort": {"type": "float"},
        "remarks": {"type": "text"},
        "services": {
            "type": "nested",
            "properties": {
                **_all("work garage", "keyword"),
                "hours": {"type": "integer"},
                "cost": {"type": "double"},
                **_all("warranty checked", "boolean"),
                "parts": {"type": "integer"},
            },
        },
        "refills": {"type": "nested", "properties": {**_all("liquid unit", "keyword"), "amount": {"type": "integer"}}},
        "answers": {"type": "nested", "properties": _all("question answer", "keyword")},
    }
}


def documents() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for at, name in enumerate(("Holm Bakery", "Ricci Tools")):
        found.append({"sort": "CUSTOMER", "number": f"C-{at}", "name": name})
    for at in range(12):
        vehicle: dict[str, Any] = {
            "sort": "VEHICLE", "number": f"V-{at:02}", "plate": f"KX {100 + at}",
            "status": ("available", "in use", "retired")[at % 3], "class": ("A", "A+", "B-")[at % 3],
            "inspectionDue": f"2025-0{at % 9 + 1}-11", "leaseEnds": f"202{at % 5 + 4}-03-31",
            "depositPaid": at % 2 == 0, "needsPermit": at % 4 == 0, "year_built": 2010 + at, "seats": 2 + at % 4,
            "tyre": ("summer tyre", "winter tyre")[at % 2],
            "remarks": ("flat tyre in the rain", "scratch on the front door")[at % 2],
            "services": [
                {"work": ("oil change", "brakes")[at % 2], "garage": ("Truckland", "Autofix")[at % 3 % 2],
                 "hours": at, "cost": 100.0 * at, "warranty": at % 2 == 0, "parts": at % 5, "checked": at % 3 == 0}
            ],
            "refills": [{"liquid": ("oil", "water")[at % 2], "amount": at, "unit": ("l", "ml")[at % 3 % 2]}],
            "warrantyExpires": f"2025-0{at % 9 + 1}-28", "deck": at % 3, "stock": at % 4,
            "faulty": [("front mirror", "front door", "rear door", "lamp")[at % 4]], "damage": ("none", "dent")[at % 2],
            "colours": [("red", "white", "blue")[at % 3], "white"], "fault": (0, 7)[at % 2],
            "answers": [{"question": "tow bar", "answer": ("yes", "no")[at % 2]}],
        }  # fmt: skip
        if at % 3:
            vehicle |= {"assignedDriver": ("Ida Frost", "Ben Adler")[at % 2], "comfort": 1.5 + at % 4}
            vehicle |= {"route": "North", "washed": f"2025-05-0{at % 9 + 1}"}
            vehicle |= {"approvedBy": ("Ida Frost", "Ben Adler")[at % 2]}
        found.append(vehicle)
        trip: dict[str, Any] = {
            "sort": "TRIP", "number": f"T-{at}", "vehicleId": f"V-{at:02}",
            "driver": ("Ida Frost", "Ben Adler")[at % 2],
            "started": f"2025-0{at % 6 + 1}-1{at % 9}T1{at % 9}:00:00Z", "minutes": 30 + at, "distance": 20 * at + 5,
            "incident": at % 5 == 0, "state": ("done", "cancelled")[at % 2], "customerId": f"C-{at % 2}",
        }  # fmt: skip
        if at % 2:
            trip["cancelledBy"] = ("customer", "driver")[at % 4 // 2]
        found.append(trip)
    return found
