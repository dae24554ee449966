"""A small world for tests of the rules: instruments that are lent, where they are, and who mends them."""

from __future__ import annotations

from typing import Any

CATALOG = """
version: 1
index: lending
entities:
  loan:
    where: {sort: LOAN}
    id: number
    id_pattern: 'N-[0-9]{2}'
    date: lent
    number: fee
    fields:
      number: number
      instrument: {path: instrumentId, refers_to: instrument}
      student: {path: studentId, refers_to: student, words: [borrowed by]}
      approver: {path: approverId, refers_to: tutor, words: [approved by]}
      state: {path: state, values: [returned, lost, out]}
      lent: {path: lent, whole_days: true}
      back: {path: back, whole_days: true, words: [return date]}
      fee: {path: fee, words: [return fee, price]}
      deposit: {path: deposit, words: [pounds, total]}
      kept_for: {path: keptDays, unit: days, words: [return time]}
  instrument:
    where: {sort: INSTRUMENT}
    id: number
    id_pattern: 'I-[0-9]{2}'
    names: [label]
    conditions:
      check_overdue: next_check < today
    fields:
      number: number
      label: label
      family: {path: family, words: [kind], values: [strings, brass, woodwind]}
      tone: {path: tone, list: true, values: [metallic, vocal, nasal, warm]}
      room: {path: roomId, refers_to: room, words: [kept in]}
      next_check: {path: nextCheck, whole_days: true}
    lists:
      repairs:
        path: repairs
        words: [repair]
        fields:
          work: {path: work, values: [cleaning, gluing]}
          tutor: {path: tutorId, refers_to: tutor, words: [done by]}
          material: material
          quantity: quantity
          hours: {path: hours, unit: hours}
  room:
    where: {sort: ROOM}
    id: number
    names: [label]
    fields:
      number: number
      label: label
      heated: heated
      leased: {path: leasedUntil, whole_days: true, words: [leased until]}
      school: {path: schoolId, refers_to: school}
  school:
    where: {sort: SCHOOL}
    id: number
    names: [label]
    fields:
      number: number
      label: label
      town: {path: town, words: [in], values: [Harlow, Epping]}
      caretaker_phone: {path: caretakerPhone, sensitive: true}
  tutor:
    words: [teacher, teachers]
    where: {sort: TUTOR}
    id: number
    names: [label]
    date: hired
    fields:
      number: number
      label: label
      home: {path: home, words: [lives in], values: [Harlow, Epping]}
      head: {path: headId, refers_to: tutor, words: [reports to]}
      hired: {path: hired, whole_days: true}
      wage: wage
  student:
    words: [pupil, pupils]
    where: {sort: STUDENT}
    id: number
    names: [label]
    date: enrolled
    fields:
      number: number
      label: label
      enrolled: {path: enrolled, whole_days: true}
      active: active
"""

_KEYWORDS = (
    "sort number instrumentId studentId approverId state label "
    "family tone roomId schoolId town caretakerPhone home headId"
)

MAPPING: dict[str, Any] = {
    "properties": {
        **{one: {"type": "keyword"} for one in _KEYWORDS.split()},
        **{one: {"type": "date"} for one in ("lent", "back", "nextCheck", "hired", "enrolled", "leasedUntil")},
        **{one: {"type": "double"} for one in ("fee", "deposit", "wage", "keptDays")},
        **{one: {"type": "boolean"} for one in ("heated", "active")},
        "repairs": {
            "type": "nested",
            "properties": {
                **{one: {"type": "keyword"} for one in ("work", "tutorId", "material")},
                **{one: {"type": "integer"} for one in ("quantity", "hours")},
            },
        },
    }
}

TUTORS = ("Nora Bell", "Otto Lind", "Ruth Hale")
STUDENTS = ("Ida Frost", "Max Stone", "Lea Marsh", "Tom Reed")


def documents() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [
        {"sort": "SCHOOL", "number": f"S-{at}", "label": name, "town": town, "caretakerPhone": f"0300 {at}"}
        for at, (name, town) in enumerate((("Elm Lane", "Harlow"), ("Mill Road", "Epping")))
    ]
    found += [
        {
            "sort": "ROOM",
            "number": f"R-{at}",
            "label": f"Studio {at}",
            "heated": at != 2,
            "schoolId": f"S-{at % 2}",
            "leasedUntil": f"202{at + 4}-12-31",
        }
        for at in range(4)
    ]
    for at, name in enumerate(TUTORS):
        tutor: dict[str, Any] = {"sort": "TUTOR", "number": f"T-{at}", "label": name, "hired": f"20{10 + 4 * at}-03-01"}
        found.append(tutor | {"home": ("Harlow", "Epping")[at % 2], "headId": "T-0", "wage": 30.0 + at})
    for at, name in enumerate(STUDENTS):
        joined = {"enrolled": f"202{at + 2}-09-01", "active": at != 1}
        found.append({"sort": "STUDENT", "number": f"P-{at}", "label": name, **joined})
    for at in range(6):
        repair = {"work": ("cleaning", "gluing")[at % 2], "tutorId": f"T-{at % 2}", "hours": at + 1}
        found.append({
            "sort": "INSTRUMENT", "number": f"I-{at:02}", "label": f"Cello {at}" if at % 2 else f"Flute {at}",
            "family": ("woodwind", "strings")[at % 2], "tone": [("warm", "nasal", "vocal", "metallic")[at % 4]],
            "roomId": f"R-{at % 3}", "nextCheck": f"2025-0{at + 3}-01",
            "repairs": [repair | {"material": ("horse hair", "cork ring")[at % 2], "quantity": at}],
        })  # fmt: skip
    for at in range(12):
        loan: dict[str, Any] = {
            "sort": "LOAN", "number": f"N-{at:02}", "instrumentId": f"I-{at % 5:02}", "studentId": f"P-{at % 3}",
            "approverId": f"T-{at % 2}", "state": ("returned", "lost", "out")[at % 3],
            "lent": f"2024-{at + 1:02}-10", "fee": 5.0 + at, "deposit": 20.0,
        }  # fmt: skip
        found.append(loan | ({} if at % 3 == 2 else {"back": f"2025-0{at % 6 + 1}-10", "keptDays": 30 * at}))
    return found
