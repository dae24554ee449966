"""The conversation itself: the earlier search that a text goes back to, plainer words, notes beside an answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from qlc.grammar import print_program, tree
from qlc.translator.follow_ups import english
from qlc.translator.follow_ups.history import Base, Earlier, is_answered, latest, remembered
from qlc.translator.in_words import condition_in_words
from qlc.translator.programs import conditions_of
from qlc.translator.protocol import AskBack, CannotSay, Explained, Question, Translated, Translation, Turn
from qlc.translator.rules.build import COUNT, parts
from qlc.translator.rules.lexicon.lexemes import EntityWord
from qlc.translator.rules.nouns.noun_phrases import noun_phrase
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.quantities.numbers import ordinal
from qlc.translator.rules.questions.unknown import FUNCTION_WORDS
from qlc.translator.rules.words import english as plain
from qlc.translator.rules.words.phrases import stem, words
from qlc.translator.rules.words.tokens import TokenKind, tokenize


@dataclass(frozen=True, slots=True)
class Returned:
    """The turn that is gone back to, where the rest of the text begins, and whether it was `described`."""

    turn: int
    rest: int
    described: bool = False


def returned(p: Parse, earlier: Sequence[Earlier]) -> Returned | None:
    """Return the earlier search that a text goes back to (`back to the invoices`); None if it is not clear."""
    searches = [number for number, one in enumerate(earlier) if one.is_a_search]
    begin = p.past(0, plain.POLITE)
    # After a message that was not understood, what comes before that is meant.
    at = -2 if earlier and is_answered(earlier[-1].turn) else -1
    if any(end >= p.end for end in p.phrases(begin, english.BACK)) and len(searches) >= -at:
        return Returned(searches[at], p.end)
    for end in (last for first in (begin, *p.phrases(begin, english.RETURNING))
                for last in p.phrases(first, english.THE_LIST)):
        lists = [number for number in searches if len(earlier[number].ids) > 1]
        rest = _rest(p, end)
        if rest is not None and lists and (end > begin + 2 or "again" in {token.text for token in p.tokens}):
            return Returned(lists[-1], rest)
    for start, sure in _openings(p) if searches else ():
        found = _by_place(p, start, searches)
        if found is None and (sure or any(token.text == "again" for token in p.tokens)):
            found = _by_description(p, start, earlier, searches)
        if found is not None:
            return found
    return None


def _openings(p: Parse) -> Iterator[tuple[int, bool]]:
    begin = p.past(0, plain.POLITE | plain.AND | {",", "then"})
    for at in dict.fromkeys((begin, 0)):
        sure = set(p.phrases(at, english.RETURNING_SURELY))
        for end in p.phrases(at, english.RETURNING):
            yield p.past(end, plain.ARTICLES | {"my", "our"}), end in sure
    yield p.past(begin, plain.ARTICLES | {"my", "our"}), False


def _by_place(p: Parse, at: int, searches: Sequence[int]) -> Returned | None:
    """`my first search`, `the previous question`, `the second list`."""
    found = ordinal(p, at)
    place, end = (-1, at + 1) if p.word(at) in english.PREVIOUS else (found.value - 1, found.end) if found else (0, at)
    rest = _rest(p, end + 1) if end > at and p.word(end) in english.SEARCHES else None
    if rest is None or not -len(searches) <= place < len(searches):
        return None
    if place == -1 and p.word(at) in ("previous", "earlier", "preceding", "prior") and len(searches) > 1:
        place = -2
    return Returned(searches[place], rest)


def _rest(p: Parse, at: int) -> int | None:
    """Return where the question after `back to ...` begins: after a joint such as `but`, or at the end."""
    after = p.past(at, plain.POLITE | english.CLOSING | {"again", "before"})
    if after >= p.end or after > p.past(at, {"again", "please", "before"}) or p.word(after) in english.JOINTS:
        return p.past(after, english.JOINTS)
    return None


def _by_description(p: Parse, at: int, earlier: Sequence[Earlier], searches: Sequence[int]) -> Returned | None:
    """The last turn that was about what is described."""
    best: tuple[int, Returned] | None = None
    for end in (end for end in range(p.end, at, -1) if end == p.end or p.word(end) in english.JOINTS | {"again"}):
        said = {stem(t.text) for t in p.tokens[at:end] if t.kind is not TokenKind.MARK
                and t.text not in FUNCTION_WORDS | english.SEARCHES | english.PREVIOUS}  # fmt: skip
        phrases = (one.value.where for one in noun_phrase(p, at) if one.end >= end and one.value.where is not None)
        conditions = frozenset(parts(next(phrases, None)))
        nouns = (one for one in p.starting(at, EntityWord) if one.end == end and p.plural(end))
        kind = next((one.payload.entity for one in nouns), None)
        about = [number for number in reversed(searches) if _is_about(earlier[number], said, conditions)]
        if kind is not None:  # "back to the flights": whatever was asked of them
            about = [number for number in reversed(searches) if earlier[number].turn.outcome.get("entity") == kind
                     and isinstance(earlier[number].statement, tree.Find)] or about  # fmt: skip
        if about and (best is None or end < best[0]):
            lists = [number for number in about if isinstance(earlier[number].statement, tree.Find)]
            turn = about[0]
            if kind is not None or conditions:  # the list that things were left at, after a number or the largest
                turn = next((number for number in lists if len(earlier[number].ids) > 1), (lists or about)[0])
            best = (end, Returned(turn, p.past(end, english.JOINTS | {"again"}), described=True))
    return best[1] if best is not None else None


def _is_about(one: Earlier, said: set[str], conditions: frozenset[tree.Condition]) -> bool:
    if conditions and conditions <= frozenset(conditions_of(one.statement)):
        return True
    return bool(said) and said <= {stem(token.text) for token in tokenize(one.turn.text)}


def program_of(one: Earlier, back: Returned) -> str:
    """The program that is gone back to; of things that were only counted, a list of them, which tells their number."""
    assert one.program is not None
    statement = one.program.statement
    counted = isinstance(statement, tree.Aggregate) and not statement.groups and statement.measures == (COUNT,)
    if back.described and counted and isinstance(statement, tree.Aggregate) and statement.where is not None:
        return print_program(replace(one.program, statement=tree.Find(statement.entity, statement.where)))
    return print_program(one.program)


_END = r"(?:[\s,]+(?:please|then|now|again|too|instead))*[\s.!?]*"
_ASIDE = re.compile(
    rf"(?:ok, in words|{'|'.join(sorted(english.ASIDES))})(?:\s+(?:then|so))?\s*[.!,;:–—-]+\s+(?=\S)", re.IGNORECASE
)
_DROP = r"(?:drop|skip|hide|ignore|exclude|omit|lose|cut|discard|leave out|filter out|take out|throw out)"
_PLAINER = tuple((re.compile(pattern + _END, re.IGNORECASE), said) for pattern, said in (
    ((rf"{_DROP} (?:everything|anything|all|what(?:ever)? is)(?! (?:but|except|else)\b)(?: (?:that|which) (?:is|are))? "
     r"(?P<rest>\w.*?)"), r"leave out the ones \g<rest>"),
    (rf"{_DROP} (?:everything|all|anything)(?: else)? (?:but|except(?: for)?) (?P<rest>\w.*?)", r"only \g<rest>"),
    (r"(?:raise|lower|increase|decrease|reduce|set) (?:it|that|this|the [\w ]+?) to (?P<to>[$€£]?\d.*?)",
     r"make it \g<to>"),
    (r"(?:(?:is|are) )?(?:there )?any(?:thing|one)? (?P<rest>[\w' -]+?) (?:among|of|in|from) (?:them|those|these)",
     r"are any of them \g<rest>"),
    (r"(?:ok[, ]+)?just (?P<rest>(?:tell|show|give) me (?:how|who|what|which|when|where)\b.*?)", r"\g<rest>"),
    (r"(?:break|split|group) the (?P<these>\w+) (?:down|up)? ?by (?P<by>.+?)", r"break them down by \g<by>"),
    (r"(?:drop|lose|hide) (?:all )?the (?P<others>[\w' -]+s)", r"leave out the \g<others>"),
    (r"(?:delete|erase) (?P<what>(?:the|that|this) [\w' -]+? (?:filter|condition|restriction))", r"drop \g<what>"),
    (r"take (?P<what>the [\w' -]+?) (?:away|off|out)", r"drop \g<what>"),
))  # fmt: skip
"""Edits that are said around their content."""


def in_plain_words(text: str, base: Base | None, last: Turn) -> str:
    """Return a follow-up without asides (`great, only ...`), its edit first; for `please do`, what was offered."""
    offered = last.outcome.get("suggestions") if last.outcome.get("kind") == "explain" else None
    agreeing = {token.text for token in tokenize(text)} <= words("yes yep please do so that it sure ok okay then . !")
    if offered and len(offered) == 1 and agreeing:
        return str(offered[0])
    while (aside := _ASIDE.match(text)) is not None:
        text = text[aside.end() :]
    for pattern, said in _PLAINER if base is not None and '"' not in text else ():
        found = pattern.fullmatch(text.strip())
        if found is not None and base is not None:
            these, others = (stem((found.groupdict().get(one) or "").casefold()) for one in ("these", "others"))
            own = {stem(word) for word in (base.entity.name, base.entity.plural)}
            asked = {stem(token.text) for one in base.conditions for token in tokenize(condition_in_words(one))}
            if these in own | {""} and others not in asked | own:
                return found.expand(said)
    return text


NOT_IN_THIS_MESSAGE = "This goes on with the sentence before it, which was not understood. Say both in one sentence."
NOT_SEARCHED = "Nothing was searched for: the message before this one"
BEFORE_IT = "To continue with the question before it, say 'back to my last search'."


def as_if_first(text: str) -> str:
    """A question that comes after another one, as if it were the first: `and now list documents without tags then`."""
    said = [word for word in text.split() if word]
    while said and said[0].strip(",").casefold() in ("and", "now", "so", "then", "ok", "okay", "but"):
        said.pop(0)
    return " ".join(said).removesuffix(" then?").removesuffix(" then") if said else text


def unheard(question: Question) -> tuple[str, ...]:
    """Return a note that the message before was not understood, and how to go on with the search before it."""
    if is_answered(question.history[-1]):
        return ()
    if question.history[-1].of_this_message:
        return (NOT_IN_THIS_MESSAGE,)
    failed = question.history[-1].outcome.get("kind") == "failed"
    why = "failed. Say it again first." if failed else "was not understood. Rephrase it first."
    searched = any(turn.program and is_answered(turn) for turn in question.history)
    return (" ".join((NOT_SEARCHED, why, *((BEFORE_IT,) if searched else ()))),)


def which_of_several(question: Question) -> tuple[str, ...]:
    """Return a note for `it` after several results, or `the last` after a part of a list: how to say which one."""
    shown = latest(remembered(question.history))
    if shown is None or shown.kind != "hits" or len(shown.ids) < 2:
        return ()
    total, last = int(shown.turn.outcome.get("total") or 0), len(shown.ids)
    if not shown.complete and "the last" in question.text.casefold():
        shown_last = f"The list has {total:,}, and {last:,} are shown. Say 'number {last}' for the last one shown, "
        return (shown_last + "or 'the rest' to see the list to its end.",)
    if {token.text for token in tokenize(question.text)} & words("it its that this"):
        return (f"{total:,} were found. Say which one is meant, such as 'the second one'.",)
    return ()


def speaks_of_earlier(text: str) -> bool:
    """Whether a text says that it is about an earlier search, and not about the last message."""
    said = {token.text for token in tokenize(text)}
    return bool(said & (english.PREVIOUS | {"first"}) and said & english.SEARCHES)


def with_names(said: Translation, history: Sequence[Turn]) -> Translation:
    """Return a translation whose notes, messages and options show names where they had ids."""
    match said:
        case Translated() | CannotSay() if said.notes:
            return replace(said, notes=tuple(_named(note, history) for note in said.notes))
        case Explained():
            outcome = said.outcome
            return Explained(outcome.model_copy(update={"message": _named(outcome.message, history)}))
        case AskBack():
            options = tuple((program, _named(words, history) if words != program else words)
                            for program, words in said.options)  # fmt: skip
            return replace(said, options=options)
        case _:
            return said


def _named(text: str, history: Sequence[Turn]) -> str:
    for id, name in _names(history) if "'" in text else ():
        text = text.replace(f"'{id}'", f"'{name}'")
    return text


def _names(history: Sequence[Turn]) -> Iterator[tuple[str, str]]:
    """The ids that were shown, with their names, the latest first."""
    for turn in reversed(history):
        hits = [one for one in turn.outcome.get("hits") or () if one.get("name")]
        yield from ((str(one["id"]), str(one["name"])) for one in hits)
        yield from _references([turn.outcome.get("value"), *(one.get("values") for one in hits),
                                *(row.get("key") for row in turn.outcome.get("rows") or ())])  # fmt: skip


def _references(value: Any) -> Iterator[tuple[str, str]]:
    match value:
        case {"id": id, "name": str(name)} if name:
            yield str(id), name
        case Mapping():
            yield from (pair for one in value.values() for pair in _references(one))
        case [*several]:
            yield from (pair for one in several for pair in _references(one))
