"""Complete the chosen reading with defaults, and report open points."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from typing import Any

from qlc.grammar import parse as parse_program
from qlc.grammar import print_statement, tree
from qlc.grammar.tree import mapped, walked
from qlc.language.nouns import plural_of
from qlc.mapping.names import find_entity
from qlc.mapping.schema import Entity, Field
from qlc.outcome import AggregateOut, Count, Hits, ValueOut, has_answer
from qlc.outcome.amounts import several
from qlc.translator.protocol import AskBack, CannotSay, Diagnose, Need, Translated, Try
from qlc.translator.rules.build import COUNT, both, either, name_of, parts, path, search_of, string
from qlc.translator.rules.conditions import default_date
from qlc.translator.rules.lexicon.lexemes import EntityWord, FieldRef, ValueWord
from qlc.translator.rules.nouns.compounds import recorded
from qlc.translator.rules.nouns.degrees import numbers_of_dimension
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.questions.deed_dates import LAST, spoken
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import is_participle, spaced, stem, words
from qlc.translator.rules.words.tokens import fold, name_key, with_more_words

_SO_FAR = words("last latest recent recently")
MOST_KINDS_SHOWN = 6  # kinds of things that are listed one by one
_KINDS = words("kind type")


def up_to_now(parse: Parse, chosen: Translated) -> Generator[Need, Any, Translated]:
    """`the last visit`, where others are booked: the last one so far. What is still to come is reported."""
    if _SO_FAR.isdisjoint(token.text for token in parse.tokens):
        return chosen
    statement = parse_program(chosen.program).statement
    finds = (one for one in walked(statement) if isinstance(one, tree.Find))
    ordered = next(((one, date) for one in finds if (date := _ordered_by_its_date(parse, one)) is not None), None)
    if ordered is None:
        unbound = isinstance(statement, tree.Find) and statement.sort and statement.limit is None
        note = "'Recent' says no number and no period: the newest come first, and none is left out."
        recent = unbound and any(token.text.startswith("recent") for token in parse.tokens)
        return replace(chosen, notes=(*chosen.notes, note)) if recent else chosen
    find, date = ordered
    later = replace(find, where=both(find.where, date.compared(">", tree.Now())), limit=1)
    outcome = yield Try(print_statement(later))
    if not isinstance(outcome, Hits) or not outcome.hits:
        return chosen
    so_far = replace(find, where=both(find.where, date.compared("<=", tree.Now())))
    program = print_statement(mapped(statement, lambda node: so_far if node == find else None))
    note = f"Up to now: there are others whose '{spaced(date.field.name)}' is still to come."
    return replace(chosen, program=program, notes=(*chosen.notes, note))


def _ordered_by_its_date(parse: Parse, find: tree.Find) -> FieldRef | None:
    """Return the usual date if the last things by it are wanted, it has no condition, and some of it is to come."""
    entity = find_entity(parse.schema, find.entity.text) if isinstance(find.entity, tree.Name) else None
    usual = default_date(entity) if entity is not None else None
    if entity is None or usual is None or find.limit is None or not find.sort or not find.sort[0].descending:
        return None
    date = usual[0].left
    if find.sort[0].key != date or (find.where is not None and date in walked(find.where)):
        return None
    return usual[0] if parse.lies_ahead(entity.name, usual[0].path[0]) else None


def counted_by_records(parse: Parse, chosen: Translated) -> Generator[Need, Any, Translated | CannotSay]:
    """Decline records for things known by them alone: `how many ships`, where each ship has several positions."""
    yield from ()
    statement = parse_program(chosen.program).statement
    if isinstance(statement, tree.Get) or not isinstance(statement.entity, tree.Name):
        return chosen
    nouns = {one.payload.entity for row in parse.lexemes for one in row if isinstance(one.payload, EntityWord)}
    for entity, ref in recorded(parse):
        of_it = statement.entity.text == entity.plural and ref.target in nouns and entity.name not in nouns
        if of_it and ref.left not in set(walked(statement)):
            things = parse.entity(ref.target or "").plural
            sentence = f"One may have several {entity.plural}: ask for {entity.plural}, not for {things}."
            return CannotSay(cannot_be=sentence)
    return chosen


WHICH_THINGS = "Several kinds of things have that. Which do you mean?"


def of_which_things(parse: Parse, chosen: Translated) -> Generator[Need, Any, Translated | AskBack]:
    """Ask which things are meant if none are named and several have it: `what was lodged`, claims or appeals?"""
    search = search_of(parse_program(chosen.program).statement, parse.schema)
    named = any(isinstance(one.payload, EntityWord) for row in parse.lexemes for one in row)
    if search is None or named or any(one.kinds for one in parse.things):
        return chosen
    statement, entity = search
    options = [(chosen.program, entity.plural)]
    for other in parse.things:
        program = print_statement(replace(statement, entity=tree.Name(other.plural)))
        if other.name == entity.name or (yield Diagnose(program)).failed:
            continue
        outcome = yield Try(program)
        if has_answer(outcome) and (not isinstance(outcome, Count | ValueOut) or outcome.value):  # 0 says: none has it
            options.append((program, other.plural))
            if len(options) == MOST_KINDS_SHOWN:
                break
    return chosen if len(options) == 1 else AskBack(WHICH_THINGS, tuple(options))


NOT_YET = "Some are '{0}' and will never be '{1}'. Are those meant as well?"
DONE_WITHOUT_A_DATE = "Some are '{0}' and have no '{1}'. Are those meant as well?"
PAST_IT = "What is past '{0}' is not '{0}' any more. Say which ones you mean by their {1}: {2}."
_CALLED_OFF = words("cancelled canceled rejected declined withdrawn abandoned void voided aborted")


def not_yet(parse: Parse, chosen: Translated) -> Generator[Need, Any, Translated | CannotSay | AskBack]:
    """Ask about what a date or state leaves open: `not shipped yet`, where some orders are cancelled."""
    search = search_of(parse_program(chosen.program).statement, parse.schema)
    if search is None:
        return chosen
    statement, entity = search
    words_said = {token.text for token in parse.tokens}
    closed = [ref for ref in FieldRef.own(entity) if ref.field.values is not None]
    for one in parts(statement.where):
        for ref in closed:
            values = ref.field.values.display if ref.field.values is not None else ()
            match one:
                case tree.Presence(left=left, missing=missing) if (date := FieldRef.at(entity, left)) is not None:
                    verbs = {stem(word) for word in words_said if is_participle(word)} & spoken(date)
                    reached = [value for value in values if stem(value.casefold()) in verbs]
                    done = ref.equals(string(reached[0])) if len(reached) == 1 else None
                    in_it = both(tree.Presence(left, True), done) if done is not None else None
                    counted = tree.Aggregate((COUNT,), tree.Name(entity.plural), in_it)
                    outcome = (yield Try(print_statement(counted))) if in_it is not None else None
                    if isinstance(outcome, Count) and outcome.value:
                        question = DONE_WITHOUT_A_DATE.format(reached[0], spaced(date.field.name))
                        if missing or done is None:
                            return _asked(question, chosen, statement, ref, reached)
                        also = (either((one, done)) if part == one else part for part in parts(statement.where))
                        more = print_statement(replace(statement, where=both(*also)))
                        return AskBack(question, ((more, more), (chosen.program, chosen.program)))
                case tree.Comparison(operator="!=", right=tree.String(value=value)) if (
                    one.left == ref.left and value in values and words_said & _NOT_YET
                ):
                    ends = [end for end in values if end.casefold() in _CALLED_OFF]
                    others = [other for other in values if other not in (*ends, value)]
                    if value not in ends and len(others) > 1 and stem(value.casefold()) not in LAST:
                        return CannotSay(cannot_be=PAST_IT.format(value, spaced(ref.field.name), ", ".join(others)))
                    if ends and value not in ends:
                        return _asked(NOT_YET.format("' or '".join(ends), value), chosen, statement, ref, ends)
    return chosen


_NOT_YET = words("yet never")


def _asked(question: str, chosen: Translated, statement: tree.Find | tree.Aggregate, ref: FieldRef,
           values: Sequence[str]) -> AskBack:
    """Ask whether things with these values are meant: the program without them, and as it is."""
    without = (ref.compared("!=", string(value)) for value in values)
    fewer = print_statement(replace(statement, where=both(*parts(statement.where), *without)))
    return AskBack(question, ((fewer, fewer), (chosen.program, chosen.program)))


def those_that_have_none(parse: Parse, chosen: Translated) -> Generator[Need, Any, Translated | CannotSay | AskBack]:
    """Name the groups without any in place of the fewest: `the month of 2025 with the fewest receipts`."""
    rows = parse_program(chosen.program).statement
    if not {"fewest", "least"} & {token.text for token in parse.tokens}:
        return (yield from not_yet(parse, chosen))
    if not isinstance(rows, tree.Aggregate) or len(rows.groups) != 1 or not rows.sort or rows.limit is None:
        return chosen
    count, by = tree.Measure("count"), rows.groups[0]
    if rows.where is None or rows.sort[0] not in (tree.SortKey(count, False), tree.SortKey(path("count"), False)):
        return chosen
    in_scope = both(*(one for one in parts(rows.where) if getattr(one, "left", None) == by.path))
    found: list[list[str]] = []
    for where in (rows.where, in_scope):
        outcome = yield Try(print_statement(tree.Aggregate((count,), rows.entity, where, rows.groups)))
        found.append([str(one.key) for one in outcome.rows] if isinstance(outcome, AggregateOut) else [])
    without = [one for one in found[1] if one not in found[0]]
    if not without or not found[0]:
        return chosen
    listed = ", ".join(without[:MOST_KINDS_SHOWN])
    more = f" and {len(without) - MOST_KINDS_SHOWN} more" if len(without) > MOST_KINDS_SHOWN else ""
    return CannotSay(cannot_be=f"These have none at all: {listed}{more}.")


def kinds_added_up(parse: Parse, chosen: Translated) -> Generator[Need, Any, Translated]:
    """Note the kinds whose amounts were added up: `how much did we pay Verizon` -> bills, quotes and receipts."""
    total = parse_program(chosen.program).statement
    spending = any(token.text in english.SPENDING | {"money", "charge", "charged"} for token in parse.tokens)
    entity = find_entity(parse.schema, total.entity.text) if isinstance(total, tree.Aggregate) else None
    if entity is None or not isinstance(total, tree.Aggregate) or len(total.measures) != 1:
        return chosen
    kind, measure = _kinds(entity), total.measures[0]
    money = spending and any(measure.path == ref.left for ref in numbers_of_dimension(entity, "money"))
    said = kind is None or path(kind.name) in walked(total)
    if measure.function != "sum" or kind is None or said or not (money or _called_by_a_kind(entity, measure, kind)):
        return chosen
    grouped = (tree.Presence(one.path, False) for one in total.groups
               if one.function is None and isinstance(one.path, tree.Path))
    by_kind = tree.Aggregate((measure,), total.entity, both(total.where, *grouped), (tree.Group(path(kind.name)),))
    outcome = yield Try(print_statement(by_kind))
    rows = outcome.rows if isinstance(outcome, AggregateOut) else []
    sums = {str(one.key): one.value for one in rows if one.key is not None and isinstance(one.value, int | float)}
    most_first = sorted((one for one in sums.items() if one[1]), key=lambda one: -one[1])
    # The sums are of all rows, of which some may not be reported.
    names = [name if total.groups else f"{name} {part:,.2f}" for name, part in most_first]
    if not names:
        return chosen
    more = f" and {len(names) - MOST_KINDS_SHOWN} more" if len(names) > MOST_KINDS_SHOWN else ""
    note = f"Added up over every {kind.name.replace('_', ' ')}: {', '.join(names[:MOST_KINDS_SHOWN])}{more}."
    return replace(chosen, notes=(*chosen.notes, note))


def _called_by_a_kind(entity: Entity, measure: tree.Measure, kind: Field) -> bool:
    """Whether a field is called by one kind of things, and others may have it as well."""
    of_it: set[str] = next((ref.stems for ref in FieldRef.own(entity) if ref.left == measure.path), set())
    return kind.values is not None and any(stem(one.casefold()) in of_it for one in kind.values.display)


def met_by_different_elements(parse: Parse, program: str) -> tuple[str, ...]:
    """`that Ann commented on with a comment that is unresolved`: not said to be one comment, so there is a note."""
    search = search_of(parse_program(program).statement, parse.schema)
    if search is None:
        return ()
    statement, entity = search
    asked: dict[str, list[frozenset[str]]] = {}
    for one in parts(statement.where):
        match one:
            case tree.Bare(path=tree.Path(segments=(tree.Segment(name=name, narrowed=narrowed),))) if narrowed:
                asked.setdefault(name.text, []).append(
                    frozenset(name_of(one) for one in walked(narrowed) if isinstance(one, tree.Path))
                )
    apart = [name for name, fields in asked.items() if name in entity.lists and len(set(fields)) > 1]
    return tuple(f"The conditions on '{name}' may be met by different elements." for name in apart)


def empties(parse: Parse, program: str) -> Generator[Need, Any, tuple[str, ...]]:
    """Note things without a value that a condition leaves out: `not vaccinated` -> `13 have no 'Vaccinated'`."""
    search = search_of(parse_program(program).statement, parse.schema)
    if search is None:
        return ()
    statement, entity = search
    conditions, notes = parts(statement.where), []
    for one in conditions:
        match one:
            case tree.Or(items=(tree.Presence(left=left, missing=True), tree.Comparison(operator="="))):
                told = "have no '{}', which is taken for none"
            case tree.Comparison(left=left, operator="=", right=tree.Boolean(value=False)):
                told = "are left out: they have no '{}'"
            case tree.Comparison(left=left, operator="<" | "<=", right=tree.Number()):
                told = "are left out: they have no '{}'"
            case _:
                continue
        ref = FieldRef.at(entity, left)
        if ref is None or (ref.is_number and not ref.field.adds_up):
            continue
        without = (tree.Presence(ref.left, True) if each == one else each for each in conditions)
        outcome = yield Try(print_statement(tree.Aggregate((COUNT,), tree.Name(entity.plural), both(*without))))
        if isinstance(outcome, Count) and outcome.value:
            notes.append(f"{outcome.value:,} {told.format(ref.field.title)}.")
    return tuple(notes)


def _kinds(entity: Entity) -> Field | None:
    """Return the only field of closed values that tells the kind of documents: a `type` before a `category`."""
    settled = {one.field for one in entity.filter}
    closed = [one for one in entity.fields.values() if one.values is not None and not one.many and not one.sensitive]
    closed = [one for one in closed if one.mapped not in settled]
    for nouns in (_KINDS, english.KINDS):
        found = [one for one in closed if nouns & {one.name, *one.words}]
        if found:
            return found[0] if len(found) == 1 else None
    return None


def taken_for(parse: Parse, program: str) -> tuple[str, ...]:
    """Return notes for values that were meant by a part of their names: `Took 'acme' for 'Acme Corp'.`"""
    found = [
        (one.start, one.end, one.payload.text)
        for lexemes in parse.lexemes
        for one in lexemes
        if isinstance(one.payload, ValueWord) and not one.payload.whole and f'"{one.payload.text}"' in program
        and fold(one.payload.text) not in fold(parse.text)
    ]  # fmt: skip
    longest = [(start, end, text) for start, end, text in found
               if not any(s <= start and end <= e and end - start < e - s for s, e, _ in found)]
    read_as = set()
    for node in walked(parse_program(program).statement):
        match node:
            case tree.Comparison(left=tree.Path() as left, right=tree.ListValue(items=items)):
                texts = [item.value for item in items if isinstance(item, tree.String)]
                joined = r"\s+and\s+".join(map(re.escape, texts))
                if re.search(rf"\b(?:is|are|was|were|be|been)\s+{joined}\b", parse.text, re.IGNORECASE):
                    both_said = "' and '".join(texts)
                    read_as.add(f"Took '{both_said}' as one or the other: nothing is both.")
                if texts and not any(fold(one) in fold(parse.text) for one in texts):
                    several = "' or '".join(texts)
                    read_as.add(f"Took '{several}' for '{spaced(name_of(left))}'.")
    took = {f"Took '{parse.raw(start, end)}' for '{text}'." for start, end, text in longest}
    return tuple(sorted(took | read_as | set(_not_the_longer(parse, program)) | set(_as_nouns(parse, program))))


def _as_nouns(parse: Parse, program: str) -> Iterator[str]:
    """Yield a note for each plural of an open value that is the only noun: `how many sunderlands`."""
    lexemes = [one for row in parse.lexemes for one in row]
    if any(isinstance(one.payload, EntityWord) for one in lexemes):
        return
    values = [(one.payload, parse.raw(one.start, one.end)) for one in lexemes if isinstance(one.payload, ValueWord)]
    for said, raw in values:
        is_open = said.ref.field.values is None and f'"{said.text}"' in program
        if is_open and fold(raw) == fold(plural_of(said.text)) != fold(said.text):
            yield f"Took '{raw}' for the {spaced(said.ref.field.name)} '{said.text}'."


def _not_the_longer(parse: Parse, program: str) -> Iterator[str]:
    """Yield a note for each value that is a part of longer values: `Collie`, not `Border Collie`."""
    compared = {one.left for one in walked(parse_program(program).statement) if isinstance(one, tree.Comparison)}
    said = (one.payload for row in parse.lexemes for one in row if isinstance(one.payload, ValueWord))
    for one in [one for one in said if one.whole and one.ref.left in compared and f'"{one.text}"' in program]:
        if one.ref.field.values is not None and fold(one.text) in one.ref.field.values.groups:
            continue  # a group has all its values
        longer = sorted(with_more_words(parse.lexicon.stored_values(one.ref), [name_key(one.text)]))
        others = f" and {several(len(longer) - 1, 'other value')} that have it" if len(longer) > 1 else ""
        if longer and not any(f'"{text}"' in program for text in longer):
            yield f"Took '{one.text}' as that '{spaced(one.ref.field.name)}' alone, not as '{longer[0]}'{others}."
