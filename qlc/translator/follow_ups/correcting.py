"""Another word for what was not understood or not found: `sorry, I meant Norway`, after `flights to Narnia`.

The earlier question is said again with it, and read anew, as if it had been said so from the beginning.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.walk import walked
from qlc.translator.follow_ups import english
from qlc.translator.follow_ups.editing import slot_of
from qlc.translator.follow_ups.history import Base
from qlc.translator.programs import conditions_of, statement_of
from qlc.translator.protocol import CannotSay, Question, Step, Translated, Translating, Turn
from qlc.translator.rules.build import parts
from qlc.translator.rules.words import english as plain
from qlc.translator.rules.words.morphology import stems
from qlc.translator.rules.words.tokens import TokenKind, name_key, tokenize


def retold(text: str, last: Turn) -> str | None:
    """The last question with what is said now in the place of what was unknown in it; None where that is not clear."""
    unknown = _unknown(last)
    said = _correction(text)
    if said is None and text.strip(" ?.!").casefold() in map(str.casefold, _offered(last)):
        said = text.strip(" ?.!")  # one of the names that were offered
    if not unknown or not said:
        return None
    words = r"\W+".join(re.escape(word) for word in unknown)
    found = list(re.finditer(rf"(?<!\w)[\"']?{words}[\"']?(?!\w)", last.text, re.IGNORECASE))
    if len(found) != 1:
        return None
    return last.text[: found[0].start()] + said + last.text[found[0].end() :]


_GOING_ON = re.compile(r"(?:(?:and|now|so|then|ok|okay|but)[\s,]+)+(?=\w)", re.IGNORECASE)
_THEN = re.compile(r"[\s,]+then(?=\s*(?:[?.!,]|$))", re.IGNORECASE)


def by_itself(text: str) -> str:
    """A question that comes after another one, as if it were the first: `and now list documents without tags then`."""
    return _THEN.sub("", text[found.end() :] if (found := _GOING_ON.match(text)) is not None else text)


def exchanged(text: str, base: Base | None) -> str | None:
    """What is asked for in the place of what was: `Initech instead of Globex`, `swap Globex for Initech`, `change the
    vendor to Initech`. None where the search before has nothing of the kind."""
    if base is None:
        return None
    said = text.strip(" .!?")
    for pattern in _EXCHANGES:
        found = pattern.fullmatch(said)
        if found is not None and is_asked_for(found["old"], base):
            return found["new"]
    return None


_EXCHANGES = tuple(
    re.compile(rf"(?:(?:please|now|and|ok|then|can you|could you|no)[\s,]+)*{pattern}", re.IGNORECASE)
    for pattern in (
        r"(?:use |take |show (?:me )?)?(?P<new>.+?) (?:instead|in place|rather than) (?:of )?(?P<old>.+)",
        r"(?:swap|exchange|replace|switch) (?P<old>.+?) (?:for|by|with|to) (?P<new>.+)",
        r"change (?P<old>.+?) (?:to|into) (?P<new>.+)",
    )
)


_POLITELY = r"(?:(?:please|now|and|ok|then|can you|could you|no|sorry|oops|wait|actually)[\s,]+)*"
_TAKEN_FOR = re.compile(
    rf"{_POLITELY}(?:remove|drop|clear|lift|lose|delete|forget(?: about)?|ignore|disregard|undo|take (?:off|away)|"
    rf"get rid of) (?:the |that |this )?(?P<old>.+?)(?P<noun>(?: (?:{'|'.join(sorted(english.FILTERS))}))?)[\s,;.:–—-]+"
    rf"{_POLITELY}(?:i (?:really |actually )?(?:meant|mean|wanted|want)(?: to say)?|it should (?:be|have been)|"
    r"make (?:it|that)|(?:and )?(?:use|take|try))[\s,:]+(?P<new>.+)",
    re.IGNORECASE,
)


def taken_for(text: str, base: Base | None) -> tuple[str, str] | None:
    """What is to be left out of the search before, and what was meant: `remove the draft condition, I meant urgent`.
    None where nothing is said so, or the search asks for nothing of the kind."""
    found = _TAKEN_FOR.fullmatch(text.strip(" .!?")) if base is not None else None
    return (found["old"], found["new"]) if found and base and is_asked_for(found["old"], base) else None


def another_meant(
    old: str, new: str, question: Question, base: Base, translate: Callable[[Question, list[Step]], Translating],
    steps: list[Step],
) -> Translating:  # fmt: skip
    """Another value in the place of one; where it is of another field, the one is left out and the other added.

    Whichever it is, nothing else of the search may change.
    """
    without = yield from translate(replace(question, text=f"drop the {old} filter"), steps)
    if not isinstance(without, Translated):
        return CannotSay()
    kept = _conditions(without.program)
    gone = set(parts(base.statement.where)) - kept
    other = yield from translate(replace(question, text=f"what about {new}"), steps)
    if isinstance(other, Translated) and kept <= _conditions(other.program) and not gone & _conditions(other.program):
        return other
    for lead in ("only", "what about"):
        further = after_turn(question, question.history[-1].text, f"{lead} {new}", without.program)
        added = yield from translate(further, steps)
        if isinstance(added, Translated) and kept < _conditions(added.program):
            return replace(added, notes=(*without.notes, *added.notes))
    return CannotSay()


def after_turn(question: Question, words: str, text: str, program: str) -> Question:
    """A text after a search that was made of words on the way."""
    turn = replace(question.history[-1], text=words, program=program, outcome={"kind": "hits", "query": program})
    return replace(question, text=text, history=(*question.history, turn))


def _conditions(program: str) -> set[tree.Condition]:
    return set(conditions_of(statement_of(program)))


def is_asked_for(old: str, base: Base) -> bool:
    """Whether a text is a value of the search before, or the name of a field that has a condition in it."""
    words = name_key(re.sub(r"^(?:the|that|this|all)\s+", "", old.strip("\"' "), flags=re.IGNORECASE))
    known: set[tuple[str, ...]] = set()
    for one in parts(base.statement.where):
        slot = slot_of(one, base.entity)
        field = base.entity.fields.get(slot[-1]) if slot else None
        names = (field.name.replace("_", " "), *field.words) if field is not None else ()
        known |= {stems(name_key(name)) for name in names}
        values = (str(each.value) for each in walked(one) if isinstance(each, tree.String | tree.Number))
        known |= {stems(name_key(value)) for value in values}
    return stems(words) in known


def _unknown(last: Turn) -> Sequence[str]:
    """The words of a turn that found no use, or the name that nothing has."""
    outcome = last.outcome
    match outcome.get("kind"):
        case "declined":
            return [str(word) for word in outcome.get("words") or ()]
        case "not_found":
            return str(outcome.get("what") or "").split()
        case _:
            return ()


def _offered(last: Turn) -> list[str]:
    """The names that come near to one that nothing has."""
    outcome = last.outcome
    return [str(one) for one in outcome.get("suggestions") or ()] if outcome.get("kind") == "not_found" else []


def _correction(text: str) -> str | None:
    """What comes after `sorry, I meant`."""
    tokens = tokenize(text)
    said, at = [token.text for token in tokens], 0
    while at < len(tokens) and (tokens[at].text in plain.POLITE or tokens[at].kind is TokenKind.MARK):
        at += 1
    lengths = [(start, english.CORRECTING.longest(said, start)) for start in range(at + 1)]
    end = max((start + length for start, length in lengths if length), default=0)
    while end and end < len(tokens) and tokens[end].kind is TokenKind.MARK and tokens[end].raw in ",:;":
        end += 1
    if not end or end >= len(tokens):
        return None
    return text[tokens[end].start :].strip().rstrip("?.! ")
