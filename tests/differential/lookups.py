"""Forms of a condition whose value comes from other documents, or from another field."""

from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity
from tests.differential import conditions
from tests.differential.drafts import NUMBERS, At, Draft, Forms, literal, text
from tests.differential.material import Hit, Place, written

FORMS = Forms()


def _simple(draft: Draft, entity: Entity, hit: Hit) -> str | None:
    """A short condition that a document meets, for the inside of a sub-query."""
    for place in draft.random.sample(draft.material.places(entity), k=min(12, len(draft.material.places(entity)))):
        if place.element is not None:
            continue
        at = At(place, place.text, hit, draft.material.values(place, hit))
        found = conditions.FORMS[draft.random.choice(["equals", "exists", "among"])](draft, at)
        if found:
            return found
    return None


@FORMS.add("a value", "comparable")
def _in_search(draft: Draft, at: At) -> str | None:
    entity = at.place.entity
    inner = _simple(draft, entity, at.hit) if at.place.element is None else None
    if inner and at.place.field.kind is FieldKind.DATE:
        inner += f" sort {at.place.text} limit 500"  # each date is a range of its own
    return inner and f"{at.name} in (find {written(entity.plural)} where {inner}).{at.place.text}"


@FORMS.add("of the document", "comparable")
def _of_lookup(draft: Draft, at: At) -> str | None:
    """Equal to the value of a document that is looked up, or on a side of it."""
    compares = at.place.field.kind in (*NUMBERS, FieldKind.DATE) and draft.random.random() < 0.5
    found = draft.material.name_of(at.place, draft.random, None if compares else at.hit)
    theirs = draft.material.values(at.place, found[1])
    if not theirs:
        return None
    member = f"{written(at.place.entity.name)}({text(found[0])}).{at.place.text}"
    if compares and len(theirs) == 1 and at.values:
        return f"{at.name} {'<=' if min(at.values) <= theirs[0] else '>'} {member}"
    operator = "in" if len(theirs) > 1 else "="
    return f"{at.name} {operator} {member}"


@FORMS.add("a value", "of the document", *NUMBERS)
def _of_rows(draft: Draft, at: At) -> str | None:
    below = min(at.values) < draft.material.average(at.place)
    measure, operator = draft.random.choice([("min", ">="), ("max", "<="), ("avg", "<" if below else ">")])
    return f"{at.name} {operator} ({measure}({at.place.text}) of {written(at.place.entity.plural)})"


@FORMS.add("a value", "of the document", FieldKind.KEYWORD)
def _most_frequent(draft: Draft, at: At) -> str | None:
    plural = written(at.place.entity.plural)
    operator = "=" if draft.material.most_frequent(at.place) in at.values else "!="
    return f"{at.name} {operator} (count {plural} by {at.place.text} limit 1).{at.place.text.split('.')[-1]}"


@FORMS.add("a value", "a reference")
def _reference(draft: Draft, at: At) -> str | None:
    """A field of what a reference points at."""
    entity = draft.material.schema.entity(at.place.field.reference.entity)
    hit = None if entity.virtual else draft.material.by_id(entity).get(draft.random.choice(at.values))
    inner = _simple(draft, entity, hit) if hit is not None else None
    if inner is None:
        return None
    if draft.random.random() < 0.5:
        return f"{at.name} in (find {written(entity.plural)} where {inner})"
    return f"{at.name}.{inner}" if not inner.startswith(("not ", "`")) else None


@FORMS.add("a value", "of the document")
def _under(draft: Draft, at: At) -> str | None:
    reference = at.place.field.reference
    entity = draft.material.schema.entity(reference.entity) if reference is not None else None
    if entity is None or entity.parent is None:
        return None
    above = [draft.random.choice(at.values)]
    parent = entity.fields[entity.parent]
    while draft.random.random() < 0.6 and above[-1] in draft.material.by_id(entity):
        upward = draft.material.values(Place(entity, parent, None, "", ""), draft.material.by_id(entity)[above[-1]])
        if not upward:
            break
        above.append(upward[0])
    value = literal(draft, at.place, above[-1])
    if draft.random.random() < 0.3 and value.startswith('"'):
        return f"{at.name} under in [{value}]"
    return f"{at.name} under {value}"


@FORMS.add("a value", "of the document", FieldKind.KEYWORD, FieldKind.BOOLEAN)
def _same_value(draft: Draft, at: At) -> str | None:
    """Another field of the same entity with a value in common."""
    for place in draft.random.sample(draft.material.places(at.place.entity), k=10):
        alike = place.element is None and place.field.kind is at.place.field.kind and place.field != at.place.field
        if alike and place.text not in (at.place.field.reference.constants if at.place.field.reference else {}):
            theirs = draft.material.values(place, at.hit)
            operator = "=" if set(theirs) & set(at.values) else "!="
            return f"{at.name} {operator} {place.text}"
    return None
