"""A question and its program as a form: what stands in both becomes slots. Whether forms still give what they gave when
they were taught, and whether two of them disagree."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from qlc.base.diagnostics import Span
from qlc.compiler.check import check
from qlc.grammar import SyntaxProblem, parse, print_program, tree
from qlc.grammar.printer import print_value
from qlc.mapping.schema import Schema
from qlc.translator.forms.form import CONFIRMED, SLOT, Form, NotTaught, Origin, Sample, Slot, id_of
from qlc.translator.forms.matching import MARKS, Pattern, places_of
from qlc.translator.forms.places import LIMIT, LITERALS, Place, filled, places
from qlc.translator.forms.readers import CATALOG, Filler, fillers, same_value
from qlc.translator.model.sensitivity import is_sensitive
from qlc.translator.recognise import is_readable
from qlc.translator.rules.build import number, string
from qlc.translator.rules.lexicon.lexemes import NameWord, ValueWord
from qlc.translator.rules.lexicon.lexicon import Lexicon
from qlc.translator.rules.lexicon.vocabulary import IndexValues
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.quantities.dates import period
from qlc.translator.rules.words.tokens import TokenKind, name_key, tokenize

_ONCE = "say each value once in the question"
MOST_SLOTS = 20
SAMPLE_DATE, SAMPLE_NUMBER = "2024-03-05", 7
_Span = tuple[int, int]
_Cut = tuple[Place, _Span, Filler]


def taught(p: Parse, program: str, schema: Schema, origin: Origin, day: str) -> Form:
    """The form of a pair. `p` is the question. Raises NotTaught."""
    checked = _checked(program, schema)
    if all(token.text in MARKS for token in p.tokens):
        raise NotTaught("form-empty", "there is no question", "say the question that the program answers")
    if not is_readable(p.text):
        raise NotTaught("form-too-long", "the question is longer than questions may be", "teach a shorter question")
    cuts = _cuts(p, checked, schema, origin)
    _check_rest(p, [span for _, span, _ in cuts], origin)
    literals = {one.node.span for one in places(checked, schema) if one.kind is not None}
    names: dict[int, str] = {}
    values: dict[tree.Node, str] = {}
    slots: dict[str, Slot] = {}
    for place, (start, _), filler in sorted(cuts, key=lambda one: one[1]):
        name = names[start] = values[place.node] = _name_of(place, slots)
        slots[name] = Slot(type=place.kind or "text", of=place.of, unit=filler.unit, money=filler.money)
    ends = dict(span for _, span, _ in cuts)
    question = " ".join(_words(p, names, ends))
    pattern = print_program(_with_slots(checked, values, literals))
    form = Form(
        id=id_of(question, pattern), question=question, program=pattern, slots=slots, origin=origin, date=day,
        test=_sample(question, pattern, slots, schema),
    )  # fmt: skip
    _check_again(form, p, checked, schema)
    return form


def pattern_of(form: Form, like: Parse) -> Pattern:
    """A form as it is compared with questions, read as another text. Raises ValueError where it does not fit."""
    program, slots = places_of(form.program, form.slots, like.schema)
    text = SLOT.sub(r'"{\1}"', form.question)
    return Pattern(form, program, Parse(tokenize(text), like.lexicon, like.now, text), slots)


def _sample(question: str, program: str, slots: dict[str, Slot], schema: Schema) -> Sample:
    """A question of a form with made-up fillers, and the program that it gives."""
    pattern, places_of_slots = places_of(program, slots, schema)
    said: dict[str, str] = {}
    values: dict[str, tree.Value] = {}
    for at, (name, (slot, place)) in enumerate(places_of_slots.items(), 1):
        values[name], said[name] = _made_up(slot, place, at)
    given = _canonical(print_program(filled(pattern, values)), schema)
    return Sample(question=SLOT.sub(lambda found: said[found[1]], question), program=given)


def _made_up(slot: Slot, place: Place, at: int) -> tuple[tree.Value, str]:
    match slot.type:
        case "date":
            return tree.DateLiteral(SAMPLE_DATE), SAMPLE_DATE
        case "number" | "count":
            text = " ".join(filter(None, (str(SAMPLE_NUMBER), slot.unit or slot.money)))
            return number(SAMPLE_NUMBER, slot.unit or None), text
        case _:
            closed = place.field.values if place.field is not None and slot.type == "value" else None
            text = closed.display[at % len(closed.display)] if closed is not None else f"Example {at}"
            return string(text), f'"{text}"'


def _canonical(program: str, schema: Schema) -> str:
    return check(parse(program), schema, program).text


def _checked(program: str, schema: Schema) -> tree.Program:
    """The program in canonical form, its spans those of that text. Raises NotTaught."""
    try:
        found = check(parse(program), schema, program, {}, None)
    except SyntaxProblem as problem:
        wrong = problem.diagnostic
        raise NotTaught("form-program", f"the program cannot be read: {wrong.message}", wrong.hint) from None
    errors = [one for one in found.diagnostics if one.severity == "error"]
    if errors:
        hint = errors[0].hint or "try the program with 'qlc check' first"
        raise NotTaught("form-program", f"the program has errors: {errors[0].message}", hint)
    if is_sensitive(found.text, schema):
        raise NotTaught("form-sensitive", "the program uses a field that not everybody may see",
                        "confidential values are not stored in forms: ask it as a program")  # fmt: skip
    return parse(found.text)


def _with_slots(program: tree.Program, names: dict[tree.Node, str], literals: set[Span]) -> tree.Program:
    """The program with the slots in place of literals, which have the same value wherever a slot is used."""

    def changed(node: tree.Node) -> tree.Node | None:
        name = names.get(node) if isinstance(node, LITERALS) and node.span in literals else None
        return tree.Parameter(name) if name is not None else None

    found = tree.mapped(program, changed)
    statement = found.statement
    if LIMIT in names.values() and not isinstance(statement, tree.Get):
        found = replace(found, statement=replace(statement, limit=None))
    return found


def _name_of(place: Place, taken: Container[str]) -> str:
    """Return a new name for a slot, after its field or entity: `vendor`, `vendor_2`."""
    last = LIMIT if place.kind == "count" else (place.of or place.kind or "text").rpartition(".")[2]
    name = re.sub(r"\W+", "_", last).strip("_") or "value"
    name = f"{name}_" if name == LIMIT and place.kind != "count" else name
    return next(one for one in (name, *(f"{name}_{n}" for n in range(2, MOST_SLOTS + 2))) if one not in taken)


def _cuts(p: Parse, program: tree.Program, schema: Schema, origin: Origin) -> list[_Cut]:
    """Return the tokens of each literal. Raises NotTaught."""
    found: list[tuple[Place, dict[_Span, Filler]]] = []
    for place in places(program, schema):
        spans = dict(_spans(p, place)) if place.kind is not None else {}
        if spans and any(place.node == other.node for other, _ in found):
            _check_same(place, found)  # said once, and meant in both places
        elif spans:
            found.append((place, spans))
        elif not isinstance(place.node, tree.Parameter):
            _check_constant(place, origin)
    statement = program.statement
    limit = statement.limit if isinstance(statement, tree.Find | tree.Aggregate) else None
    if limit is not None and limit > 1:
        place = Place(number(limit), "count")
        found += [(place, spans)] if (spans := dict(_spans(p, place))) else []
    if len(found) > MOST_SLOTS:
        raise NotTaught("form-too-long", f"the program has more than {MOST_SLOTS} values", "teach a shorter question")
    cuts: list[_Cut] = []
    for place, spans in sorted(found, key=lambda one: len(one[1])):
        free = [span for span in spans if not any(_overlap(span, other) for _, other, _ in cuts)]
        longest = max(free, key=lambda span: span[1] - span[0], default=None)
        if longest is None or any(not _overlap(longest, other) for other in free):
            raise NotTaught("form-ambiguous", f"it is not clear which words say {_shown(place)}", _ONCE)
        cuts.append((place, longest, spans[longest]))
    return cuts


def _check_same(place: Place, found: list[tuple[Place, dict[_Span, Filler]]]) -> None:
    """Check that a value that is twice in the program has one type. Raises NotTaught."""
    if any(one.node == place.node and (one.kind, one.of) != (place.kind, place.of) for one, _ in found):
        raise NotTaught("form-ambiguous", f"{_shown(place)} stands for two things in the program", _ONCE)


def _spans(p: Parse, place: Place) -> Iterator[tuple[_Span, Filler]]:
    """Yield the tokens that can mean a literal, as later questions will be read. Raises NotTaught if unreadable."""
    found = [
        ((start, one.end), one)
        for start in range(p.end) for one in fillers(p, start, place) if same_value(one.value, place.node, place)
    ]  # fmt: skip
    key = name_key(place.node.value) if isinstance(place.node, tree.String) else ()
    said = name_key(p.text)
    if key and not found and any(said[at : at + len(key)] == key for at in range(len(said))):
        raise NotTaught("form-not-read", f"{_shown(place)} is nothing that is known there by these words alone",
                        "put it in quotes in the question")  # fmt: skip
    yield from found


def _overlap(one: _Span, other: _Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _check_constant(place: Place, origin: Origin) -> None:
    """Whether a literal that the question does not say may stay in the program. Raises NotTaught."""
    node = place.node
    hint = "say it in the question as the program has it"
    if place.kind == "name":
        raise NotTaught("form-name", f"{_shown(place)} is a name, and the question does not say it", hint)
    of_the_year = place.kind == "date" and isinstance(node, tree.Number)
    if isinstance(node, tree.DateLiteral) or of_the_year:
        raise NotTaught("form-date", f"{_shown(place)} is not what a date of the question is read as",
                        f"{hint}, or with a period such as 'last month'")  # fmt: skip
    if place.kind == "value" and not place.is_closed:
        raise NotTaught("form-value", f"{_shown(place)} is a value of the index, and the question does not say it",
                        f"{hint}, or list the values of the field in the catalog")  # fmt: skip
    if place.kind == "text" and origin not in CONFIRMED:
        raise NotTaught("form-text", f"{_shown(place)} is searched for, and the question does not say it", hint)


def _shown(place: Place) -> str:
    return print_value(place.node) if isinstance(place.node, tree.String | tree.Number | tree.DateLiteral) else "a date"


def _check_rest(p: Parse, spans: list[_Span], origin: Origin) -> None:
    """Check that the other words contain no name, number or date that the program lacks. Raises NotTaught."""
    used = {at for start, end in spans for at in range(start, end)}
    for at, token in enumerate(p.tokens):
        if at in used:
            continue
        known = any(isinstance(one.payload, CATALOG) and not _is_open(one.payload) for one in p.lexemes[at])
        named = [one for one in p.lexemes[at] if isinstance(one.payload, NameWord) or _is_open(one.payload)]
        longer = [one for one in named if one.end > at + 1 and not used & set(range(at, one.end))]
        capital = token.raw[:1].isupper() and at > 0 and token.raw != "I" and not known
        date = any(one.cost == 0 and not used & set(range(at, one.end)) for one in period(p, at))
        digits = any(c.isdecimal() for c in token.raw) and not p.lexicon.is_spoken_with(token.text)
        learned = origin not in CONFIRMED and bool(named) and not known
        if token.kind is TokenKind.QUOTED or longer or capital or date or digits or learned:
            message = f"the question says '{token.raw}', and the program has no such value"
            raise NotTaught("form-not-in-program", message,
                            "leave it out of the question, or use it in the program as it is said")  # fmt: skip


def _is_open(payload: object) -> bool:
    return isinstance(payload, ValueWord) and not payload.closed


def _words(p: Parse, names: dict[int, str], ends: dict[int, int]) -> Iterator[str]:
    at = 0
    while at < p.end:
        if at in names:
            yield f"{{{names[at]}}}"
        elif p.tokens[at].text not in MARKS:
            yield p.tokens[at].text
        at = ends.get(at, at + 1)


def _check_again(form: Form, p: Parse, program: tree.Program, schema: Schema) -> None:
    """A form answers its own question with its own program, whatever it was made of. Raises NotTaught."""
    pattern = pattern_of(form, p)
    if not pattern.has_words:
        raise NotTaught("form-only-slots", "no word of the question is left beside what it names",
                        "teach a whole question: 'tickets of Acme', not 'Acme'")  # fmt: skip
    given = {_canonical(print_program(filled(pattern.program, dict(one.values))), schema) for one in pattern.matches(p)}
    if given != {_canonical(print_program(program), schema)}:
        raise NotTaught("form-not-read", "the question cannot be read by its own form",
                        "put names and texts into quotes")  # fmt: skip


def failing(forms: Sequence[Form], schema: Schema, now: datetime) -> Iterator[tuple[Form, str]]:
    """Yield forms that do not fit, fail their test or contradict another, with the reason; reads no index."""
    like = Parse((), Lexicon(schema, IndexValues()), now, "")
    patterns: list[Pattern] = []
    for form in forms:
        try:
            errors = [one for one in check(parse(form.program), schema, form.program).diagnostics
                      if one.severity == "error"]  # fmt: skip
            if errors:
                yield form, f"its program has errors, and it is not used: {errors[0].message}"
                continue
            patterns.append(pattern_of(form, like))
        except (ValueError, KeyError) as problem:
            yield form, f"it does not fit the catalog, and is not used: {problem}"
    for pattern in patterns:
        question, expected = pattern.form.test.question, pattern.form.test.program
        p = Parse(tokenize(question), like.lexicon, now, question)
        given = _programs(pattern, p, schema)
        if given != {expected}:
            what = ", ".join(sorted(given)) or "no program"
            yield pattern.form, f"its test '{question}' gives {what}, not {expected}"
        for other in patterns:
            if other is not pattern and (_programs(other, p, schema) - {expected}):
                yield pattern.form, f"'{question}' is read differently by the form {other.form.id}: neither is used"


def _programs(pattern: Pattern, p: Parse, schema: Schema) -> set[str]:
    programs = (print_program(filled(pattern.program, dict(one.values))) for one in pattern.matches(p))
    return {check(parse(one), schema, one).text for one in programs}
