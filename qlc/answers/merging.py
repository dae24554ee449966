"""Merges a follow-up into the topic: each part of the message replaces the part of the same kind.

A field replaces the field that was asked for, a name replaces the name in the same role, a condition the one on the
same field. All other parts stay. The answer tells which parts were replaced.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from qlc.corpus.schema import BucketPart, CorpusSchema
from qlc.grammar import tree
from qlc.grammar.printer import print_inside, print_path, print_string
from qlc.outcome import Declined, Outcome
from qlc.translator.programs import conditions_of, statement_of
from qlc.translator.protocol import Turn

from .conditions import Condition
from .declining import which_field
from .linking import Linked, link
from .naming import Name, name_fields
from .planning import Plan, plans
from .searching import Searches
from .terms import terms
from .topic import Topic, fields_of, where_of
from .vocabulary import LEAST, LinkedField

LEAD = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|so|well|now|then)\W+)*(?:(?:and|or|but|what about|how about|what of|same|the same|do the same"
    r"|likewise|also|instead|rather|make (?:it|that)|no|only|just|for|of|in|from|with|by|to|at|on|over|under|above"
    r"|below|before|after|since|the ones?|those|these|its|his|her|their|of (?:them|these|those)"
    r"|(?:which|how many) of (?:them|these|those))\b)",
    re.IGNORECASE,
)
"""Beginnings of messages that continue the topic."""
ONE = re.compile(r"\b(?:it|its|he|she|his|him|her|that one|this one|that document|this document)\b", re.IGNORECASE)
MANY = re.compile(r"\b(?:they|them|their|these|those|the ones|each of|all of)\b", re.IGNORECASE)
_NARROWS = re.compile(
    r"\b(?:only|just|of these|of those|of them|among (?:them|these|those))\b|^\W*(?:and )?(?:the ones|those|these)\b",
    re.IGNORECASE,
)
SAYS_NOTHING = re.compile(
    r"\b(?:same(?: question| thing)?|only|just|also|instead|rather|too|as well|then|again|now|likewise|okay|ok|exactly"
    r"|please|mean)\b"
    r"|^\W*(?:and|but|so|no)\b",
    re.IGNORECASE,
)
"""Words that only mark a message as a follow-up."""
_WIDENS = re.compile(r"\b(?:also|as well|too|in addition|additionally|include|including|plus|add)\b", re.IGNORECASE)
WIDER = "I can narrow these down or look for others, but not add to them. Ask for all of them in one question."
HOW_MANY = re.compile(r"^\W*(?:and |so |but )?(?:how many|count)\b", re.IGNORECASE)
WHICH_ONES = re.compile(
    r"^\W*(?:and |so )?(?:which|what|who)(?: ones?| documents| of them)?(?: (?:are|were) (?:they|those|that))?\W*$"
    r"|^\W*(?:please )?(?:list|show|name|give me) (?:them|those|these|the list)(?: all)?\W*$",
    re.IGNORECASE,
)
ORDINAL = re.compile(
    r"\b(?:of )?the (first|second|third|fourth|fifth|last)(?: (?:one|document|of them|of these|of those)|(?=\W*$))",
    re.IGNORECASE,
)
_PLACES = {"first": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4, "last": -1}


@dataclass(frozen=True, slots=True)
class Merged:
    """A plan with the kept parts of the topic; `dropped` are the conditions that new ones replaced."""

    plan: Plan
    dropped: tuple[tree.Condition, ...] = ()


def linked_in(bucket: str, text: str, searches: Searches) -> Linked:
    """Link a text to one bucket only; the names of other buckets are ordinary words in it.

    A word that names both a field and the bucket (`the insurer`, of insurances) names the field, as the bucket is
    known.
    """
    part = searches.schema.file.buckets.get(bucket)
    if part is None:
        return replace(link(text, _only({}, searches)), buckets=(bucket,))
    named = link(text, _only({bucket: part}, searches)).bucket_words
    linked = link(text, _only({_UNNAMED: part.model_copy(update={"words": [], "singular": _UNNAMED})}, searches))
    fields = tuple(replace(one, bucket=bucket) for one in linked.fields)
    chosen = tuple(replace(one, bucket=bucket) for one in linked.chosen)
    taken = {at for one in fields if one.score >= LEAST for at in one.used} | {at for one in chosen for at in one.used}
    return replace(linked, buckets=(bucket,), bucket_words=named - taken, fields=fields, chosen=chosen)


_UNNAMED = "-"


def _only(buckets: dict[str, BucketPart], searches: Searches) -> CorpusSchema:
    schema = searches.schema
    return CorpusSchema(schema.file.model_copy(update={"buckets": buckets}), schema.text)


def merged(
    text: str, alone: Linked, topic: Topic, last: Turn, goes_on: bool, searches: Searches
) -> Merged | Outcome | None:
    """Apply a message to the topic, and return the new plan; None if the message does not follow up on it."""
    ordinal = ORDINAL.search(text)
    if ordinal is not None:
        if (one := _listed(ordinal[1], topic, last, searches)) is None:
            return None
        topic, text = one, f"{text[: ordinal.start()]} it {text[ordinal.end() :]}"
    counts = HOW_MANY.match(text) is not None and alone.kind != "duration"
    if WHICH_ONES.match(text):
        return plan_of(replace(topic, measure="", asked=(), is_table=False), alone, searches) if topic.measure else None
    said = SAYS_NOTHING.sub(lambda found: " " * len(found[0]), text)
    linked = linked_in(topic.bucket, said, searches)
    measure = linked.measure if linked.measure != "count" else ""
    only_conditions = "list" if counts or linked.intent == "list" or _NARROWS.search(text) else linked.intent
    plan = plans(replace(linked, intent=only_conditions), searches)[0]
    if plan.unused and len(known := _meant(plan, topic)) == 1:
        choices = {**(searches.options.get("choices") or {}), "field": known[0]}
        chosen = replace(searches, options={**searches.options, "choices": choices})
        plan = plans(replace(linked, intent=only_conditions), chosen)[0]
    asked = tuple(one.name for one in (*plan.asked, *plan.shown))
    if _is_a_question_of_its_own(text, linked, plan, asked, goes_on):
        return None
    if plan.unused:
        return which_field(text, plan.unused[0], last.program)
    if not (asked or plan.names or plan.conditions or counts or measure):
        says_it = ordinal is not None or (linked.unit and topic.asked)  # `in weeks?`
        return plan_of(topic, linked, searches) if says_it and not plan.topic else None
    if _WIDENS.search(text) and (plan.names or plan.conditions) and not _NARROWS.search(text):
        return Declined(message=WIDER, query=last.program)
    conditions, dropped = _together(topic, plan, text, searches)
    if linked.intent == "compare" and plan.names and topic.conditions and not (topic.measure or dropped == ()):
        conditions, dropped = nodes_of(f"({where_of(topic.conditions)}) or ({' or '.join(plan.named)})"), ()
        topic = replace(topic, is_table=True, is_summary=False)
    one_document = topic.asked and not (topic.measure or topic.is_table)
    if measure and one_document and not asked:
        return None
    topic = replace(topic, conditions=conditions)
    if counts and not asked:
        topic = replace(topic, asked=(), measure="count", is_table=False, is_summary=False)
    elif measure:
        topic = replace(topic, asked=asked or topic.asked, measure=measure, is_table=False)
    elif asked:
        topic = _asked_of(topic, asked, text, searches)
    elif topic.measure == "count" and linked.intent == "list":
        topic = replace(topic, measure="")
    made = plan_of(topic, linked, searches, plan.conditions)
    fields = {one.name: one for one in (*plan.asked, *plan.shown)}
    shown = tuple(fields.get(one.name, one) for one in made.plan.asked)
    declared = searches.schema.fields(topic.bucket)
    used = {one.name for one in plan.asked} | {one.field for one in plan.conditions}
    described = {one.stem for name in used if name in declared for one in terms(declared[name].description)}
    left = tuple(one for one in plan.topic if one.stem not in described)
    plan = replace(made.plan, asked=shown, topic=left, rest=plan.rest)
    return Merged(plan, dropped)


def _is_a_question_of_its_own(text: str, linked: Linked, plan: Plan, asked: Sequence[str], goes_on: bool) -> bool:
    """Return whether a message names its own subject, or has nothing about the topic."""
    if plan.groups or plan.asked_of_it:
        return True  # numbers by group, and a field of the latest one, are asked in one question
    names_both = plan.names and asked and not (ONE.search(text) or MANY.search(text))
    if names_both or (not goes_on and (linked.bucket_words or plan.unused)):
        return True
    return not (goes_on or asked or plan.names or plan.conditions)


def _asked_of(topic: Topic, asked: tuple[str, ...], text: str, searches: Searches) -> Topic:
    """Return the topic with other fields asked for: in a table, if it is of several documents."""
    keeps = topic.measure not in ("", "count") and is_elliptic(text)
    was_list = not (topic.asked or topic.measure or topic.is_summary)
    is_table = not keeps and not ONE.search(text) and (topic.is_table or was_list or topic.measure == "count")
    is_table = is_table and _are_several(topic.bucket, topic.conditions, searches)
    measure = topic.measure if keeps else ""
    return replace(topic, asked=asked, measure=measure, is_table=is_table, is_summary=False)


def _are_several(bucket: str, conditions: Sequence[tree.Condition], searches: Searches) -> bool:
    where = where_of(conditions)
    return searches.count(f"count {bucket}{f' where {where}' if where else ''}", "how many documents are meant") > 1


def is_elliptic(text: str) -> bool:
    """Whether a message only names something else: `and of lead?`, `and the deposit?`."""
    return re.search(r"\b(?:is|are|was|were|do|does|did|has|have|who|when|where)\b", text, re.IGNORECASE) is None


def _listed(word: str, topic: Topic, last: Turn, searches: Searches) -> Topic | None:
    """Return the topic of one document of the shown list: `the second`."""
    ids = list(last.outcome.get("ids") or [one.get("document") for one in last.outcome.get("rows") or ()])
    at = _PLACES[word.lower()]
    if len(ids) != (last.outcome.get("total") or len(ids)) and at < 0:
        return None
    if not -len(ids) <= at < len(ids):
        return None
    measure = "" if topic.measure == "count" else topic.measure
    return replace(topic, conditions=is_document(str(ids[at]), topic.bucket, searches), is_table=False, measure=measure)


def _meant(plan: Plan, topic: Topic) -> list[str]:
    """Return the fields that an amount without a field can belong to: `and over 500` -> the fields that the earlier
    question restricts, else those that it shows."""
    fields = {field for one in plan.unused for field in one.fields}
    constrained = [field for one in topic.conditions for field in fields_of(one) if field in fields]
    return list(dict.fromkeys(constrained)) or [one for one in topic.asked if one in fields]


def _together(
    topic: Topic, plan: Plan, text: str, searches: Searches
) -> tuple[tuple[tree.Condition, ...], tuple[tree.Condition, ...]]:
    """Return the conditions of a topic with the new ones, and those of the topic that they replace."""
    added = tuple(node for one in (*(c.text for c in plan.conditions), *plan.named) for node in nodes_of(one))
    if _NARROWS.search(text):
        return (*topic.conditions, *(one for one in added if one not in topic.conditions)), ()
    changed = {field for one in added for field in fields_of(one)}
    named = {field for one in plan.names for field in one.fields}
    of_file = {"title", "file", "id"}
    roles = set(name_fields(topic.bucket, searches)) | {"id"}
    dropped, may_stay = list[tree.Condition](), list[tree.Condition]()
    for one in topic.conditions:
        fields = set(fields_of(one))
        is_name = bool(fields) and fields <= roles and _is_name(one)
        if (fields & changed and not is_name) or (is_name and fields & named - of_file):
            dropped.append(one)
        elif named and is_name and (fields | named) & of_file:
            may_stay.append(one)
    kept = tuple(one for one in topic.conditions if one not in dropped)
    if may_stay:  # `and in the addendum?` is about the same thing where there is such a document
        both = where_of((*kept, *added))
        if not searches.count(f"count {topic.bucket} where {both}", "whether the names go together"):
            dropped += may_stay
            kept = tuple(one for one in kept if one not in may_stay)
    return (*kept, *(one for one in added if one not in kept)), tuple(one for one in dropped if one not in added)


def nodes_of(condition: str) -> tuple[tree.Condition, ...]:
    return conditions_of(statement_of(f"find x where {condition}"))


def _is_name(one: tree.Condition) -> bool:
    alternatives = one.items if isinstance(one, tree.Or) else (one,)
    return all(isinstance(some, tree.Comparison) and some.operator in ("contains", "in", "=") for some in alternatives)


def plan_of(topic: Topic, linked: Linked, searches: Searches, said: Sequence[Condition] = ()) -> Merged:
    """Return the plan of a topic; `said` are conditions as the message states them.

    A condition on names becomes a name again, as the search for changing documents needs it. Earlier words are added
    after the message.
    """
    declared = searches.schema.fields(topic.bucket)
    conditions, names, text = list[Condition](), list[Name](), f"{linked.text} ;"
    bounds = list(linked.bounds)
    for one in _with_currencies(topic.conditions):
        program = " and ".join(print_inside(part, (tree.Or,)) for part in one)
        found = name_of(one[0], topic.bucket, searches) if len(one) == 1 else None
        if found is not None and not any(set(found.fields) & set(other.fields) for other in names):
            names.append(replace(found, used=frozenset({len(text) + 1})))
            text = f"{text} {found.text} ;"
            continue
        known = next((some for some in said if some.text == program), None)
        if known is None:
            raw = program
            if len(one) > 1:
                raw = program.replace(f"{fields_of(one[0])[0]}_currency = ", "").replace(" and", "")
            known = Condition(next(iter(fields_of(one[0])), ""), program, raw)
            bounds += link(raw.replace('"', ""), searches.schema).bounds
        conditions.append(known)
    asked = tuple(
        LinkedField(topic.bucket, name, declared[name], 1.0, frozenset()) for name in topic.asked
        if name in declared and not declared[name].sensitive
    )  # fmt: skip
    done = replace(
        linked, text=text, intent=topic.decomposition().intent, measure=topic.measure, buckets=(topic.bucket,),
        bounds=tuple(bounds),
    )  # fmt: skip
    return Merged(Plan(done, topic.bucket, tuple(conditions), tuple(names), asked, (), (), ""))


def _with_currencies(conditions: Sequence[tree.Condition]) -> list[tuple[tree.Condition, ...]]:
    """Pair each amount with its currency: if the one is not known, the other is not."""
    found: list[tuple[tree.Condition, ...]] = []
    for one in conditions:
        field = next(iter(fields_of(one)), "")
        amounts = [f"{next(iter(fields_of(other[0])), '')}_currency" for other in found]
        at = amounts.index(field) if field in amounts else None
        if at is None:
            found.append((one,))
        elif one not in found[at]:
            found[at] = (*found[at], one)
    return found


def name_of(one: tree.Condition, bucket: str, searches: Searches) -> Name | None:
    """Return the name that a condition requires in one or several fields; None for other conditions."""
    fields = list[str]()
    names = set[str]()
    for some in one.items if isinstance(one, tree.Or) else (one,):
        match some:
            case tree.Comparison(left=tree.Path() as path, operator="contains", right=tree.String(value=name)):
                fields.append(print_path(path))
                names.add(name)
            case _:
                return None
    if len(names) != 1 or not set(fields) <= set(name_fields(bucket, searches)):
        return None
    (text,) = names
    return Name(text, frozenset(), tuple(fields), (text,), frozenset())


# --- one document -----------------------------------------------------------------------------------------------------


def of_one(id: str, topic: Topic, searches: Searches) -> tuple[tree.Condition, ...]:
    """Return the conditions for one document of a topic, with the full names in place of the parts that it was found
    by."""
    found = list(is_document(id, topic.bucket, searches))
    known = searches.documents([id])
    for one in topic.conditions:
        fields = fields_of(one) if name_of(one, topic.bucket, searches) else ()
        places = [searches.place(document, field) for document in known for field in fields]
        whole = [(at.field, at.stored) for at in places if at is not None and isinstance(at.stored, str)]
        found += [node for field, name in whole for node in nodes_of(f"{field} contains {print_string(name)}")] or [one]
    return tuple(found)


def is_document(id: str, bucket: str, searches: Searches) -> tuple[tree.Condition, ...]:
    """Return a condition for this document alone: by its file name, which people can read, or by id if the caller
    cannot see the file."""
    program = f"find {bucket} where id = {print_string(id)} show file"
    _, hits = searches.hits("get_document_metadata", program, "the document that is meant")
    files = hits[0].values.get("file") if hits else None
    return nodes_of(f"file = {print_string(files[0])}" if files else f"id = {print_string(id)}")
