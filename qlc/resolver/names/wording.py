"""Texts about names: labels of candidates, and sentences of notes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, tzinfo

from qlc.base.diagnostics import an
from qlc.base.words.sentences import shortened
from qlc.compiler.request import CannotAnswer
from qlc.compiler.typed import Scalar
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity, Field, Schema
from qlc.resolver.instants import as_datetime
from qlc.resolver.names.entries import Candidate, Entry, Found, labels, stored
from qlc.resolver.names.matching import LATER_STEPS, MatchStep

MAX_VALUE = 60
"""Most characters of a value in a label."""


def document_label(
    entity: Entity, entry: Entry, name: str, path: str, zone: tzinfo, referred: Mapping[str, str] | None = None
) -> str:
    """Return the name, the path and the distinguishing fields: `notes.txt (root/Legal, created ...)`.

    `referred` has the values from referred documents, by the name of the label.
    """
    parts = [path] if path else []
    for label in labels(entity):
        text = (referred or {}).get(label.name, "") if label.after else shown_value(entry, label.field, zone)
        if text:
            parts.append(f"{_spoken(label.name)} {text}")
    return f"{name} ({', '.join(parts)})" if parts else name


def _spoken(name: str) -> str:
    """Return the words for a label: `shelf` for `shelf.name`."""
    return name.removesuffix(".name").replace("_", " ").replace(".", " ")


def shown_value(entry: Entry, field: Field, zone: tzinfo) -> str:
    """Return a field's values for people: dates as days, names instead of ids."""
    beside = field.reference.name_at if field.reference is not None else None
    values = (stored(entry.hit, beside) if beside is not None else ()) or stored(entry.hit, field.mapped)
    if field.kind is FieldKind.DATE:
        return ", ".join(_day(value, zone, field.whole_days) for value in values)
    text = ", ".join(str(value).lower() if isinstance(value, bool) else str(value) for value in values)
    return shortened(text, MAX_VALUE)


def _day(value: Scalar, zone: tzinfo, whole_days: bool) -> str:
    """Return the calendar day of a stored date in the caller's zone; other values unchanged."""
    try:
        moment = as_datetime(value)
    except CannotAnswer:
        return str(value)
    if not isinstance(moment, datetime):
        return str(value)
    return (moment if whole_days else moment.astimezone(zone)).date().isoformat()


def found_later(entity: Entity, step: MatchStep, found: Found) -> str:
    """Return the note that a name does not exist exactly as written, with the name used instead."""
    used = found.candidates
    alike = len({one.name for one in used}) == 1
    if len(used) == 1:
        taken = f"used '{used[0].name}'"
        if found.by_path and used[0].path:
            taken += f" at {used[0].path}"
    else:
        taken = f"{len(used):,} are called '{used[0].name}'" if alike else f"{len(used):,} others may be meant"
    return f"No {entity.name} is called exactly '{shortened(found.text)}'; {taken} ({step.how})."


_MEANT = {"id": "with the id '{text}'", "exact": "called '{text}'", "path": "that fit the path '{text}'"} | {
    step.name: step.meant for step in LATER_STEPS
}


def several_found(entity: Entity, found: Found) -> str:
    """Return the question which of several candidates is meant, and how they match the name."""
    lower = found.step in [step.name for step in LATER_STEPS]
    meant = "that come near the path '{text}'" if found.by_path and lower else _MEANT[found.step or "exact"]
    count = f"more than {len(found.candidates):,}" if found.truncated else f"{len(found.candidates):,}"
    message = f"There are {count} {entity.plural} {meant.format(text=shortened(found.text))}. Which do you mean?"
    if len(found.candidates) <= MOST_READ:
        return message
    more = "say where it lies" if any(one.path for one in found.candidates) else "say more of its name"
    return f"{message} The likeliest come first; for another one {more}."


MOST_READ = 20
"""Most candidates that a person reads. Of more, the likeliest come first."""

MOST_OFFERED = 100
"""Most candidates that are offered. A user can choose among them by words without reading all."""


def offered(found: Found) -> tuple[Candidate, ...]:
    """Return the candidates to offer. If there are many, those near the top and with short names come first."""
    if len(found.candidates) <= MOST_READ:
        return found.candidates
    likeliest = sorted(found.candidates, key=lambda one: (len(re.findall(r"[/\\>]", one.path)), len(one.name)))
    return tuple(likeliest[:MOST_OFFERED])


def none_found(entity: Entity, found: Found) -> str:
    """Return the message that no entity has the name, with other entities that have it, and similar names."""
    what = shortened(found.text)
    other = " or ".join(map(an, found.other_kinds))
    if found.other_kinds and found.as_id:
        message = f"There is no {entity.name} with the id '{what}', but {other} has it."
    elif found.other_kinds:
        message = f"There is no {entity.name} called '{what}', but there is {other} of that name."
    elif found.reason == "no-such-id":
        message = f"There is no {entity.name} with the id '{what}'."
    else:
        message = f"There is no {entity.name} called '{what}'."
    if found.suggestions:
        message += f" Did you mean {' or '.join(repr(one) for one in found.suggestions[:3])}?"
    return message


def ways_on(entity: Entity, found: Found, schema: Schema) -> str:
    """Return queries to suggest for a name without an entity; empty for an id, which texts do not mention."""
    held = next((one for one in schema.entities.values() if one.text and not one.virtual), None)
    ways = [] if entity.virtual else [f"all {entity.plural}"]
    ways += [f"{held.plural} that mention '{shortened(found.text)}'"] if held is not None else []
    return f"Ask for {', or for '.join(ways)}." if ways and not found.as_id and found.reason != "no-such-id" else ""
