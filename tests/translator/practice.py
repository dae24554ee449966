"""A small world for tests of the rules: house calls of a veterinary practice, some of which are still to come."""

from __future__ import annotations

from typing import Any

CATALOG = """
version: 1
index: practice
entities:
  visit:
    words: [appointment, appointments, trip, trips]
    where: {sort: VISIT}
    id: number
    id_pattern: 'V-[0-9]{2}'
    tell_apart: [patient, start]
    date: start
    number: distance
    fields:
      number: number
      patient: {path: patientId, refers_to: patient, words: [animal]}
      vet: {path: vetId, refers_to: vet, words: [seen by, treated by]}
      start: {path: start, words: [date, scheduled for]}
      booked_on: {path: bookedOn, whole_days: true, words: [booking date, booked on]}
      checked_on: {path: checkedOn, whole_days: true, words: [checked, checked on]}
      status: {path: status, values: {done: , booked: [scheduled], cancelled: }}
      distance: {path: distanceKm, unit: km, words: [length, long]}
      duration: {path: durationMin, unit: minutes, words: [took, driving time]}
      fee: {path: fee, unit: EUR, words: [price, cost]}
      paid: {path: paid, words: [settled]}
      town: {path: town, words: [to, in], values: [Ashford, Kirkby]}
    lists:
      treatments:
        path: treatments
        words: [treatment]
        fields:
          drug: {path: drug, words: [given], values: [Meloxicam, Propofol]}
          dose: {path: doseMl, unit: ml, words: [dosage]}
          cost: {path: cost, unit: EUR, words: [price]}
  patient:
    words: [animal, animals]
    where: {sort: PATIENT}
    id: number
    id_pattern: 'P-[0-9]'
    names: [name]
    tell_apart: [species]
    fields:
      number: number
      name: {path: name, words: [called]}
      species: {path: species, values: {dog: [dogs], cat: [cats]}}
  vet:
    words: [doctor, doctors]
    where: {sort: VET}
    id: number
    id_pattern: 'D-[0-9]'
    names: [name]
    tell_apart: [licence_expires]
    fields:
      number: number
      name: {path: name, words: [called]}
      licence_expires: {path: licenceExpires, whole_days: true, words: [licence expiry]}
      birthday: {path: birthday, whole_days: true}
"""

MAPPING: dict[str, Any] = {
    "properties": {
        **{
            one: {"type": "keyword"}
            for one in ("sort", "number", "patientId", "vetId", "status", "town", "name", "species")
        },
        **{one: {"type": "date"} for one in ("start", "bookedOn", "checkedOn", "licenceExpires", "birthday")},
        **{one: {"type": "double"} for one in ("distanceKm", "fee")},
        "durationMin": {"type": "integer"},
        "paid": {"type": "boolean"},
        "treatments": {
            "type": "nested",
            "properties": {"drug": {"type": "keyword"}, "doseMl": {"type": "double"}, "cost": {"type": "double"}},
        },
    }
}

VETS = ("Lars Holm", "Priya Raman")
PATIENTS = ("Sherlock", "Olive", "Pepper")
VISITS = 12
PER_DAY = 2


def documents() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [
        {
            "sort": "VET",
            "number": f"D-{at}",
            "name": name,
            "licenceExpires": f"2026-0{7 + at}-01",
            "birthday": f"198{at}-07-09",
        }
        for at, name in enumerate(VETS)
    ]
    found += [
        {"sort": "PATIENT", "number": f"P-{at}", "name": name, "species": ("dog", "cat")[at % 2]}
        for at, name in enumerate(PATIENTS)
    ]
    return found + [_visit(at) for at in range(VISITS)]


def _visit(at: int) -> dict[str, Any]:
    """Two on each day from the first of June; those from the fourth on are booked."""
    day = 1 + at // PER_DAY
    return {
        "sort": "VISIT",
        "number": f"V-{at:02}",
        "patientId": f"P-{at % len(PATIENTS)}",
        "vetId": f"D-{at % len(VETS)}",
        "start": f"2026-06-{day:02}T{9 + at % PER_DAY:02}:00:00Z",
        "bookedOn": f"2026-05-{20 + at % 5}",
        "checkedOn": f"2026-06-{day + 1:02}" if at % 3 else None,
        "status": "booked" if day > 3 else "done",
        "town": ("Ashford", "Kirkby")[at % 2],
        "distanceKm": 10.0 + 7 * at % 5,
        "durationMin": 30 + 11 * at % 7,
        "fee": 40.0 + at,
        "paid": at % 3 > 0,
        "treatments": [{"drug": ("Meloxicam", "Propofol")[at % 2], "doseMl": 1.0 + at % 4, "cost": 8.0 + at}],
    }
