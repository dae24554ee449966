"""Whether a message asks about a query that was run, and what."""

from __future__ import annotations

import weakref
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from qlc.base.texts import with_capital
from qlc.compiler import typed
from qlc.compiler.periods import DAYS, Clock, InvalidDate, days_of, relative_period
from qlc.grammar import print_value, tree
from qlc.grammar.tree import walked
from qlc.mapping.names import find_entity
from qlc.mapping.schema import Entity, Schema
from qlc.translator.explanations import english
from qlc.translator.in_words import spaced
from qlc.translator.programs import statement_of
from qlc.translator.protocol import Turn
from qlc.translator.rules.words.phrases import stems
from qlc.translator.rules.words.tokens import TokenKind, name_key, tokenize

What = Literal["query", "filters", "kind", "empty", "few", "absent", "days", "below", "rest"]
_NO_SEARCH = ("explain", "refuse", "exhausted", "declined")


@dataclass(frozen=True, slots=True)
class About:
    """A question about an earlier turn: its kind and the turn; `turn` is None if no query was run before.

    `fields` and `entities` are the names that the message mentions, `thing` is the name or id of what is `absent`.
    """

    what: What
    turn: Turn | None
    fields: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    thing: str = ""


def asked_about(message: str, history: Sequence[Turn], schema: Schema) -> About | None:
    """Read a message as a question about an earlier query (`why nothing?`); None if it asks for something else."""
    absent = _absent(message, history, schema)
    if absent is not None:
        return absent
    tokens = [t for t in tokenize(message) if t.kind is not TokenKind.MARK]
    if any(token.kind is TokenKind.QUOTED for token in tokens):
        return None
    while tokens and tokens[-1].text in english.CLOSING:
        tokens.pop()
    while len(tokens) > 1 and tokens[0].text in english.CLOSING | {"and", "but"}:
        tokens.pop(0)
    if not tokens:
        return None
    words = [token.text for token in tokens]
    entities, fields = _entities(words, schema), _fields(words, schema)
    turn = _turn(words, history)
    what = _what(words, entities, fields)
    if what is None and turn is not None:
        what = _used(words, entities, fields, turn)
    elif what != "kind" and any(token.raw[:1].isupper() and token.raw != "I" for token in tokens[1:]):
        return None
    if what is None:
        return None
    if what in ("empty", "few") and entities and turn is not None and not set(entities) & set(_kinds(turn, schema)):
        what = "kind"  # "why no folders?", after a list of documents
    return About(what, turn, fields, entities)


def _what(words: Sequence[str], entities: Sequence[str], fields: Sequence[str]) -> What | None:
    after = english.WHY.longest(words, 0)
    rest = words[after:]
    if after:
        return _why(rest, entities)
    if english.DID.longest(words, 0) == len(words):
        return "query"
    if english.FILTERED.longest(words, 0) == len(words):
        return "filters"
    spoken = set(words)
    filters = spoken & english.FILTERS - {part for name in fields for part in name.split("_")}  # a column `condition`
    changes = bool(spoken & english.TAKING_AWAY) and words[0] not in english.ASKED_WHICH
    if filters and spoken & english.TO_BLAME and not changes:
        return "empty"  # "which filter removes everything?"
    to_change = english.TO_CHANGE.longest(words, 0)
    if to_change == len(words) or (to_change and spoken & (english.RESULTS | english.SOMETHING)):
        return "empty"  # "what can I drop to get something?"
    if filters and not entities:
        begins = words[0] in english.ASKED_WHICH or english.SHOWING.longest(words, 0)
        if begins or (len(words) <= 3 and not spoken & english.TAKING_AWAY):
            return "filters" if "query" not in spoken else "query"
    if words[0] in english.ASKED_WHICH and fields and not entities:
        # "which date did you use for that?"
        if "you" in spoken and spoken & english.APPLIED:
            return "filters"
        return None
    shown = english.SHOWING.longest(words, 0)
    others = [word for word in words[shown:] if word not in english.QUERIES]
    if spoken & english.QUERIES and all(word in english.POINTING for word in others) and "again" not in spoken:
        return "query"
    explained = english.EXPLAINING.longest(words, 0)
    if explained and all(word in english.POINTING for word in words[explained:]):
        return "query"
    return None


def _used(words: Sequence[str], entities: Sequence[str], fields: Sequence[str], turn: Turn) -> What | None:
    """Read a question about what a search used: its dates, fields, values, or the levels it searched."""
    spoken = set(words)
    if spoken <= english.NOTHING_AT_ALL and spoken & (english.NOTHING | {"no"}):
        return "empty" if _found_nothing(turn) else None  # "nothing?"
    if words[0] == "why" and fields and (len(words) == 2 or words[1] in ("the", "by", "use", "not")):
        return "filters"  # "why created?"
    if turn.outcome.get("kind") == "hits" and english.WHETHER_ALL.longest(words, 0) == len(words):
        return "rest"  # "are those all?"
    if words[0] in english.WHETHER and len(words) > 2:
        return _whether(words, entities, fields)
    asked = english.ASKING_WHAT.longest(words, 0)
    if asked and set(words[asked:]) <= english.OF_A_PERIOD and spoken & english.UNITS and _has_dates(turn):
        return "days"  # "what is last week?", "when does last week start?"
    if words[0] not in english.ASKED_WHICH:
        return None
    for at in range(2, min(len(words), 5)):
        said = english.USED_WHICH.longest(words, at)
        between, after = set(words[1:at]), set(words[at + said :])
        if not said or not after <= english.POINTING | english.APPLIED:
            continue
        if between & english.UNITS and not between & english.ASKED_WHICH and _has_dates(turn):
            return "days"  # "which week is that?"
        if after & english.APPLIED or words[at : at + 2] == ["do", "you"] or between <= _said_values(turn):
            return "filters"  # "which Acme is that?"
    return None


def _whether(words: Sequence[str], entities: Sequence[str], fields: Sequence[str]) -> What | None:
    """`did you include subfolders?`, `do you mean the due date?`, `are folders included?`"""
    rest = set(words[1:])
    if rest & english.INCLUDED:
        if rest & english.BELOW or any(word.startswith("sub") for word in rest):
            return "below"
        return "kind" if entities else None
    if words[1] == "you" and words[2] in english.APPLIED and fields:
        return "filters"
    return "filters" if words[1] in english.WHAT_WAS_DONE and words[2] == "by" and fields else None


def _found_nothing(turn: Turn) -> bool:
    outcome = turn.outcome
    return outcome.get("kind") == "not_found" or (outcome.get("kind"), outcome.get("total")) == ("hits", 0) or (
        outcome.get("kind") == "count" and not outcome.get("value"))  # fmt: skip


def _has_dates(turn: Turn) -> bool:
    return any(map(says_when, _nodes_of(turn)))


def _said_values(turn: Turn) -> set[str]:
    """The words of the texts that a search compares with."""
    texts = (one.value for one in _nodes_of(turn) if isinstance(one, tree.String))
    return {token.text for text in texts for token in tokenize(text)}


def _kinds(turn: Turn, schema: Schema) -> tuple[str, ...]:
    """The kind of things that a search was for, with those that it covers and that cover it."""
    statement = next((one for one in _nodes_of(turn) if isinstance(one, tree.Find | tree.Aggregate)), None)
    name = statement.entity.text if statement is not None and isinstance(statement.entity, tree.Name) else ""
    entity = find_entity(schema, name) if name else None
    if entity is None:
        return tuple(schema.entities)
    covering = [one.name for one in schema.entities.values() if entity.name in one.kinds]
    return (entity.name, *entity.kinds, *covering)


def _nodes_of(turn: Turn) -> Iterator[tree.Node]:
    """The nodes of the program of a turn; none where it cannot be read."""
    statement = statement_of(str(turn.outcome.get("query") or turn.program))
    return walked(statement) if statement is not None else iter(())


def _why(rest: Sequence[str], entities: Sequence[str]) -> What | None:
    spoken = set(rest)
    if not rest:
        return "empty"
    if entities and spoken & english.ONLY and not spoken & english.NOTHING and "found" not in spoken:
        return "kind"
    nothing = spoken & english.NOTHING or (spoken & english.NO and spoken & (english.RESULTS | {"there"}))
    if nothing or (spoken & english.NO and (entities or len(rest) <= 2)):
        return "empty"
    if spoken & english.FEW or any(word.isdecimal() for word in rest):
        return "few"
    if all(word in english.POINTING | english.MANY | english.QUERIES | english.RESULTS | {"so", "are", "is", "were"} or
           word in ("show", "find", "include", "get", "these", "them") for word in rest):  # fmt: skip
        return "query"
    return "query" if spoken & english.QUERIES else None


def _entities(words: Sequence[str], schema: Schema) -> tuple[str, ...]:
    found = {entity.name: None for word in words if (entity := _entity(word, schema)) is not None}
    return tuple(found)


def _entity(word: str, schema: Schema) -> Entity | None:
    entity = find_entity(schema, word)
    return entity if entity is not None and not entity.virtual and word not in english.QUERIES else None


def _fields(words: Sequence[str], schema: Schema) -> tuple[str, ...]:
    """The names of the fields that some words speak of; `date` for dates whichever."""
    spoken, phrases = stems(tuple(words)), _phrases(schema)
    found = {name: None for at, word in enumerate(spoken) for key, name in phrases.get(word, ())
             if spoken[at : at + len(key)] == key}
    if {"date", "dates", "day", "time", "period"} & set(words):
        found["date"] = None
    return tuple(found)


_PHRASES: weakref.WeakKeyDictionary[Schema, Mapping[str, Sequence[tuple[tuple[str, ...], str]]]] = (
    weakref.WeakKeyDictionary()
)


def _phrases(schema: Schema) -> Mapping[str, Sequence[tuple[tuple[str, ...], str]]]:
    """Return the phrases for fields as stems, each with the field's name, by the first stem. Made once per schema."""
    known = _PHRASES.get(schema)
    if known is None:
        found: defaultdict[str, dict[tuple[tuple[str, ...], str], None]] = defaultdict(dict)
        for entity in schema.entities.values():
            for field in entity.fields.values():
                for phrase in (field.name, *field.words):
                    key = stems(name_key(spaced(phrase)))
                    if key:
                        found[key[0]][key, field.name] = None
        known = _PHRASES[schema] = {first: tuple(each) for first, each in found.items()}
    return known


def _absent(message: str, history: Sequence[Turn], schema: Schema) -> About | None:
    """`why is Q3 Report.pdf not in the list?`: about the last list, and what is not in it."""
    tokens = [token for token in tokenize(message) if token.kind is not TokenKind.MARK or token.raw == ">"]
    words = ["" if token.kind is TokenKind.QUOTED else token.text for token in tokens]
    end = len(words)
    while end and words[end - 1] in english.CLOSING:
        end -= 1
    start = english.WHY_IS.longest(words[:end], 0)
    after = next((at for at in range(start + 1, end) if words[at] in english.NOT_THERE), None)
    if not start or (after is None and not any(word in english.NOT for word in words[:start])):
        return None
    last = after if after is not None else next(
        (at for at in range(start + 1, end) if words[at] in english.IN_THE_LIST), end)  # fmt: skip
    rest = set(words[last:end])
    if last == start or not rest <= english.NOT_THERE | english.IN_THE_LIST:
        return None
    thing = message[tokens[start].start : tokens[last - 1].end].strip("\"'")
    searches = _searches(history)
    said = words[start:last]
    if not any(token.raw[:1].isupper() or token.kind is TokenKind.QUOTED
               for token in tokens[start:last]) and (_entities(said, schema) or _fields(said, schema)):
        return None  # "why are folders missing?", "why is the owner not shown?"
    if set(words[start:last]) <= english.THIS_ONE:
        if len(searches) < 2 or len(searches[-1].outcome.get("ids") or ()) != 1:
            return None
        return About("absent", searches[-2], thing=str(searches[-1].outcome["ids"][0]))
    return About("absent", searches[-1] if searches else None, thing=thing)


def _searches(history: Sequence[Turn]) -> list[Turn]:
    return [turn for turn in history if (turn.program or turn.outcome.get("query"))
            and turn.outcome.get("kind") not in _NO_SEARCH]  # fmt: skip


def _turn(words: Sequence[str], history: Sequence[Turn]) -> Turn | None:
    searches = _searches(history)
    if not searches:
        return None
    if "first" in words:
        return searches[0]
    return searches[-1]


def says_when(node: tree.Node) -> bool:
    """Whether a date, or a year, is in a program or condition."""
    return any(isinstance(one, _DATES) or _is_a_year(one) for one in walked(node))


_DATES = (tree.RelativePeriod, tree.Day, tree.DateLiteral)


def _is_a_year(node: tree.Node) -> bool:
    right = node.right if isinstance(node, tree.Comparison) and node.operator == "=" else None
    return isinstance(right, tree.Number) and right.unit is None and 1900 <= right.value <= 2100


def days_in_words(node: tree.Node, clock: Clock) -> list[str]:
    """A sentence for each relative date of a program or condition, in their order."""
    found: dict[str, None] = {}
    for one in walked(node):
        if isinstance(one, tree.RelativePeriod | tree.Day):
            text = _said(one, clock)
            if text:
                found[text] = None
    return list(found)


def _said(value: tree.RelativePeriod | tree.Day, clock: Clock) -> str:
    if isinstance(value, tree.Day):
        spec = typed.RelativePeriod(DAYS[value.which], "day")
    else:
        spec = typed.RelativePeriod(value.which, value.unit, value.count)
    try:
        period = relative_period(spec, clock)
    except InvalidDate:
        return ""
    said = with_capital(print_value(value))
    if spec.count is not None or spec.unit in ("minute", "hour"):
        start, end = (one.astimezone(clock.zone) for one in (period.start, period.end))
        return f"{said}: from {start:%Y-%m-%d %H:%M} to {end:%Y-%m-%d %H:%M}."
    first, last = days_of(period, clock)
    return f"{said}: {first}." if first == last else f"{said}: from {first} to {last}."
