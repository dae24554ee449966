"""The turns before: their programs as trees, and what a word such as `it`, `she` or `those` can mean in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from qlc.base.deadline import checkpoint
from qlc.grammar import print_statement, tree
from qlc.grammar.tree import walked
from qlc.mapping.names import find_entity
from qlc.mapping.schema import Entity, Schema
from qlc.translator.follow_ups import english
from qlc.translator.follow_ups.editing import field_of, lookups
from qlc.translator.programs import parsed
from qlc.translator.protocol import Turn
from qlc.translator.rules.build import compare, lookup, parts, path, search_of, string
from qlc.translator.rules.lexicon.lexemes import ThingWord
from qlc.translator.rules.words import english as plain
from qlc.translator.rules.words.phrases import stem, words
from qlc.translator.rules.words.tokens import Token, TokenKind, tokenize

_WITHOUT_A_SEARCH = ("refuse", "explain", "exhausted")  # kinds of outcomes after which the last search still counts
_NOT_ANSWERED = ("declined", "passages", "unsupported", "invalid", "failed", "rejected_query")
"""Turns after which it is not known what is spoken of."""
OPENING, CLOSING = "\u2039", "\u203a"  # marks around the word that stands for what was spoken of, in place of a pronoun
EACH = f"{OPENING}each{CLOSING}"  # placeholder for the name or id of each document that was found
FOUND_BY = f"{OPENING}found by{CLOSING}"
"""Beginning of a placeholder, before a query: the one document that this query finds."""
FROM_CONDITION = 0.3  # cost of pointing back to something that only a condition names
Meant = tuple[ThingWord, float]


@dataclass(frozen=True, slots=True)
class Earlier:
    """A turn before, as far as it can be spoken of. `program` is None where none was run or it cannot be read."""

    turn: Turn
    program: tree.Program | None

    @property
    def kind(self) -> str:
        return str(self.turn.outcome.get("kind", ""))

    @property
    def statement(self) -> tree.Statement | None:
        return self.program.statement if self.program is not None else None

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(str(one) for one in self.turn.outcome.get("ids") or ())

    @property
    def rows(self) -> Sequence[Mapping[str, Any]]:
        return self.turn.outcome.get("rows") or () if self.kind == "aggregate" else ()

    @property
    def complete(self) -> bool:
        """Whether all that was found was shown."""
        outcome = self.turn.outcome
        return self.kind == "hits" and not outcome.get("cursor") and len(self.ids) >= int(outcome.get("total") or 0)

    @property
    def is_a_search(self) -> bool:
        """Whether it has a program that may be returned to."""
        return self.program is not None and self.kind not in _NOT_ANSWERED

    @property
    def is_unclear(self) -> bool:
        return self.kind in _NOT_ANSWERED or (self.kind == "clarify" and self.program is None)

    @property
    def leaves_the_search(self) -> bool:
        """Whether it leaves what was spoken of as it was. A refused request speaks of what it names."""
        return self.kind in _WITHOUT_A_SEARCH and not (self.kind == "refuse" and self.program is not None)


@dataclass(frozen=True, slots=True)
class Base:
    """The search that a follow-up changes."""

    earlier: Earlier
    program: tree.Program
    statement: tree.Find | tree.Aggregate
    entity: Entity

    @property
    def name(self) -> tree.Name:
        return tree.Name(self.entity.plural)

    @property
    def conditions(self) -> tuple[tree.Condition, ...]:
        return parts(self.statement.where)

    @property
    def rows(self) -> tree.Aggregate | None:
        """The search, where it is for groups."""
        return self.statement if isinstance(self.statement, tree.Aggregate) and self.statement.groups else None


def remembered(history: Sequence[Turn]) -> tuple[Earlier, ...]:
    return tuple(Earlier(turn, _parsed(turn)) for turn in history)


def _parsed(turn: Turn) -> tree.Program | None:
    checkpoint()
    texts = (str(text) for text in (turn.outcome.get("query"), turn.program) if text)
    return next((found for text in texts if (found := parsed(text)) is not None), None)


def is_answered(turn: Turn) -> bool:
    """Whether it is known what was meant by a turn."""
    return turn.outcome.get("kind") not in _NOT_ANSWERED


def latest(earlier: Sequence[Earlier]) -> Earlier | None:
    """The last turn that was a search; None where it is not known what was meant by it."""
    for one in reversed(earlier):
        if one.is_unclear:
            return None
        if not one.leaves_the_search and (one.program is not None or one.ids):
            return one
    return None


def base_of(earlier: Sequence[Earlier], schema: Schema) -> Base | None:
    """The last search for several things: what a follow-up changes."""
    for one in reversed(earlier):
        if one.is_unclear or (one.statement is not None and _is_beyond_rules(one.statement)):
            return None
        base = as_base(one, schema)
        if base is not None:
            return base
    return None


def _is_beyond_rules(statement: tree.Statement) -> bool:
    """Whether a program of a model or a person has a part that the edits of the rules would drop or misread."""
    parts = ("top_per", "ties", "counted", "empty", "total")
    return any(getattr(node, name, None) for node in walked(statement) for name in parts)


def as_base(one: Earlier, schema: Schema) -> Base | None:
    """A turn as what can be changed: a search for several things; the things themselves, where it was no program."""
    statement = one.statement
    if one.leaves_the_search or isinstance(statement, tree.Get):
        return None
    if statement is None or one.program is None:
        entity = find_entity(schema, str(one.turn.outcome.get("entity") or ""))
        if entity is None or entity.id is None or not one.complete or not one.ids:
            return None
        ids = tree.ListValue(tuple(string(id) for id in one.ids))
        found = tree.Find(tree.Name(entity.plural), compare(path(entity.id.name), "in", ids))
        return Base(one, tree.Program((), found), found, entity)
    if isinstance(statement.entity, tree.EntityLookup):
        return None
    entity = find_entity(schema, statement.entity.text)
    return Base(one, one.program, statement, entity) if entity is not None else None


def one_thing(last: Earlier | None) -> tree.EntityLookup | None:
    """The one thing whose field was asked for, or that was all that was found."""
    statement = last.statement if last is not None else None
    if isinstance(statement, tree.Get):
        item = statement.items[0]
        base = item.base if isinstance(item, tree.Member) else None
        return base if isinstance(base, tree.EntityLookup) and len(statement.items) == 1 else None
    if last is not None and last.complete and len(last.ids) == 1:
        return lookup(str(last.turn.outcome.get("entity")), last.ids[0])
    return None


def things(earlier: Sequence[Earlier], schema: Schema) -> list[Meant]:
    """The single things that the last turn that has any spoke of."""
    return next(_spoken_of(earlier, lambda one: _things_of(one, schema)), [])


def people(earlier: Sequence[Earlier], schema: Schema) -> list[Meant]:
    """The people that the last turn that has any spoke of."""
    return next(_spoken_of(earlier, lambda one: _people_of(one, schema)), [])


def thing_called(earlier: Sequence[Earlier], noun: Sequence[Token], schema: Schema) -> ThingWord | None:
    """The last single thing that a noun was a word of: of what was said of it, or of its name."""
    wanted = {stem(token.text) for token in noun}

    def called(one: Earlier) -> Iterator[Meant]:
        asked = one.turn.text if one.complete and len(one.ids) == 1 else ""
        for word, cost in _things_of(one, schema):
            if wanted <= {stem(token.text) for token in tokenize(f"{word.text} {asked}")}:
                yield word, cost

    return next((found[0][0] for found in _spoken_of(earlier, called)), None)


def _spoken_of(earlier: Sequence[Earlier], of: Callable[[Earlier], Iterator[Meant]]) -> Iterator[list[Meant]]:
    for one in reversed(earlier):
        if one.kind == "hits" and not one.ids and getattr(one.statement, "limit", None) == 1:
            return  # the first of some things was asked for, and there are none
        best: dict[ThingWord, float] = {}
        for word, cost in of(one):
            best[word] = min(cost, best.get(word, cost))
        if best:
            yield sorted(best.items(), key=lambda pair: pair[1])
        if not is_answered(one.turn) and not is_about_one(one.turn):
            return  # what that spoke of is not known


def _things_of(one: Earlier, schema: Schema) -> Iterator[Meant]:
    if one.complete and len(one.ids) == 1:
        yield _hit(one, 0, schema), 0.0
    yield from _of_the_only_row(one, schema, people=False)
    statement = one.statement
    if statement is None or one.kind in ("clarify", "not_found"):
        return
    for item in statement.items if isinstance(statement, tree.Get) else ():
        match item:
            case tree.Member(base=tree.EntityLookup(entity=name, name=tree.String(value=text))):
                yield ThingWord((name.text,), text), 0.0
            case tree.Member(base=tree.Subquery(statement=tree.Find(entity=tree.Name() as name, limit=1) as found)):
                entity = find_entity(schema, name.text)  # `who owns the largest video?`
                if entity is not None:
                    yield ThingWord((entity.name,), FOUND_BY + print_statement(found)), 0.0
    for known in lookups(statement):
        if isinstance(known.name, tree.String) and known.entity.text in schema.entities:
            yield ThingWord((known.entity.text,), known.name.value), FROM_CONDITION if one.kind == "hits" else 0.1
    for target, text in _compared_names(statement, schema):
        if not schema.entities[target].virtual:
            yield ThingWord((target,), text), FROM_CONDITION


def _people_of(one: Earlier, schema: Schema) -> Iterator[Meant]:
    statement, value = one.statement, one.turn.outcome.get("value")
    yield from _of_the_only_row(one, schema, people=True)
    if isinstance(statement, tree.Get) and isinstance(value, Mapping):
        names = [
            item.names[-1] if isinstance(item, tree.Member) else item.segments[-1].name
            for item in statement.items if not isinstance(item, tree.Calculated)
        ]
        targets = [field.reference.entity for name in names for entity in schema.entities.values()
                   if (field := entity.fields.get(name.text)) is not None and field.reference is not None]  # fmt: skip
        for person in (value, *value.values()) if targets and schema.entities[targets[0]].virtual else ():
            if isinstance(person, Mapping) and "id" in person:
                yield ThingWord((targets[0],), str(person["id"])), 0.0
    for name, text in _compared_names(statement, schema):
        if schema.entities[name].virtual:
            yield ThingWord((name,), text), 0.1


def _of_the_only_row(one: Earlier, schema: Schema, *, people: bool) -> Iterator[Meant]:
    only = _row(one, 1, schema) if len(one.rows) == 1 else None
    if only is not None and schema.entities[only.entities[0]].virtual == people:
        yield only, 0.0


def _compared_names(statement: tree.Statement | None, schema: Schema) -> Iterator[tuple[str, str]]:
    """The names that references of a statement's own things are compared with, after the entity of each."""
    search = search_of(statement, schema) if statement is not None else None
    for one in (each for part in parts(search[0].where) for each in walked(part)) if search is not None else ():
        match one:
            case tree.Comparison(
                left=tree.Path() as left, operator="=" | "under" | "has", right=tree.String(value=text)
            ):
                field = field_of(search[1], left) if search is not None else None
                if field is not None and field.reference is not None:
                    yield field.reference.entity, text


def nth(earlier: Sequence[Earlier], number: int, schema: Schema) -> ThingWord | None:
    """The thing at a place of the last list, from 1; -1 for the last of a list that was shown to its end."""
    for one in reversed(earlier):
        if (number < 0 and one.kind in ("count", "value")) or (one.kind == "hits" and not one.ids):
            return None  # the last one may be that answer; what was shown before an empty list is not meant
        if one.kind == "hits" and (len(one.ids) > 1 or number in (1, -1)):
            at = number - 1 if number > 0 else len(one.ids) - 1 if one.complete else len(one.ids)
            return _hit(one, at, schema) if at < len(one.ids) else None
        if one.kind == "aggregate":
            return _row(one, number, schema)
        if one.kind in _NOT_ANSWERED:
            return None
    return None


def _hit(one: Earlier, at: int, schema: Schema) -> ThingWord:
    """A hit as a thing of its kind, where the shown values are those that make a document one of a kind."""
    name = str(one.turn.outcome.get("entity") or "")
    kinds = schema.entities[name].kinds if name in schema.entities else ()
    hits = one.turn.outcome.get("hits") or ()
    values = hits[at].get("values", {}) if at < len(hits) and isinstance(hits[at], Mapping) else {}
    fields = (field for kind in kinds for field in schema.entities[kind].fields.values() if field.name in values)
    shown = {field.mapped.path: values.get(field.name) for field in fields}
    own = [kind for kind in kinds if schema.entities[kind].filter and all(
        shown.get(terms.field.path) in terms.values for terms in schema.entities[kind].filter)]  # fmt: skip
    return ThingWord(tuple(own) if len(own) == 1 else (name, *kinds), one.ids[at])


def _row(one: Earlier, number: int, schema: Schema) -> ThingWord | None:
    at = len(one.rows) - 1 if number < 0 else number - 1
    statement = one.statement
    if not isinstance(statement, tree.Aggregate) or not statement.groups or not 0 <= at < len(one.rows):
        return None
    key = one.rows[at].get("key")
    field = field_of(find_entity(schema, statement.entity.text), statement.groups[0].path)
    if field is None or field.reference is None or not isinstance(key, Mapping) or "id" not in key:
        return None
    return ThingWord((field.reference.entity,), str(key["id"]))


_ASKING = plain.ASKING_WORDS | plain.PREDICATING | words("whose can could why any open")
_BEING = words("is 's was did does has")
_ABOUT_ONE = words("it its he she him his her")
_ABOUT_THE_SEARCH = words("you query search filter filters condition conditions")


def is_aside(turn: Turn) -> bool:
    """Return whether a turn was not understood and asked about results or the search: `how big is it?`."""
    said = [token.text for token in tokenize(turn.text) if token.kind is not TokenKind.MARK]
    while said and said[0] in plain.POLITE | plain.AND | english.CLOSING:
        said.pop(0)
    # "how many does she own?", "what papers did she sign?" ask for more
    further = bool(said[1:]) and (said[1] in ("many", "much", "about") or (said[0] == "what" and said[1] not in _BEING))
    asks = bool(said) and said[0] in _ASKING and not further
    of_the_last = any(english.THE_LAST.longest(said, at) for at in range(len(said)))
    alone = said[:1] == ["why"] or said in (["where"], ["when"], ["who"])
    about = alone or of_the_last or (asks and bool((_ABOUT_ONE | _ABOUT_THE_SEARCH) & set(said)))
    return turn.outcome.get("kind") == "declined" and about


def is_about_one(turn: Turn) -> bool:
    """Whether a turn speaks of the one thing or person that was spoken of before."""
    return not _ABOUT_ONE.isdisjoint(token.text for token in tokenize(turn.text))


def came_last(earlier: Sequence[Earlier], base: Base, schema: Schema) -> tuple[tree.Condition, ...]:
    """Return the conditions that earlier searches lacked; empty if all came at once."""
    own = base.conditions
    for one in reversed(earlier[: list(earlier).index(base.earlier)] if base.earlier in earlier else ()):
        known = as_base(one, schema)
        came = tuple(each for each in own if each not in known.conditions) if known is not None else ()
        if known is not None and known.entity.name == base.entity.name and came:
            return came if len(came) < len(own) or len(own) == 1 else ()
    return own if len(own) == 1 else ()
