"""Protocol of translators: words -> a program of the query language, or the reason why there is none.

A translator is a generator: it yields its needs (read the index, run a program, call a model) and is sent the results.
It knows no client and no event loop, so one translator serves the synchronous and the asynchronous API.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from qlc.mapping.schema import Schema
from qlc.outcome import Explain

if TYPE_CHECKING:
    from qlc.models.budgets import Ledger
from dataclasses import replace


class TooMuchToRead(Exception):
    """A text has so many readings that no translator goes through them all: the same words again and again."""


@dataclass(frozen=True, slots=True)
class Turn:
    """An earlier question of the conversation: its words, the program that answered it, and the outcome as JSON.

    `choices` are the answers to clarifications that its run was given. They hold for later programs that have the same
    names, where these are not said anew. `number` is the place in the conversation, from 1. `said` is the message
    itself where it only made a choice, and `text` the question that it answers by that. `of_this_message`: another
    sentence of the message that is asked now.
    """

    text: str
    program: str = ""
    outcome: Mapping[str, Any] = field(default_factory=dict)
    choices: Mapping[str, str] = field(default_factory=dict)
    number: int = 0
    said: str = ""
    of_this_message: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """Input of a translator. `context`: values of the access rules; `history`: the turns before, oldest first.

    A new `reading` discards what was read from the index. `deadline` is an instant of `time.monotonic`. `params` are
    the names of the `$parameters` that have a value. `ledger` sums the costs of the questions of one turn; None: there
    is only one. `message` is the whole message of which the text is a part, or empty. `parse` is an earlier
    translator's `qlc.translator.rules.parse.Parse` of the same words.
    """

    text: str
    schema: Schema
    now: datetime
    timezone: tzinfo
    context: Mapping[str, Any] = field(default_factory=dict)
    history: tuple[Turn, ...] = ()
    reading: Hashable = None
    deadline: float = math.inf
    params: frozenset[str] = frozenset()
    ledger: Ledger | None = None
    message: str = ""
    parse: Any = None


@dataclass(frozen=True, slots=True)
class Fact:
    """The answer to one of several questions, where it is a number, a value or a single fact.

    `words` are those of the question, `query` is the program that answered them, `answer` the sentence, `value` the
    value as JSON, with its stored `units` by name (under the empty name where it is one).
    """

    words: str
    query: str
    answer: str
    value: Any
    units: Mapping[str, str] = field(default_factory=dict)

    def leaves(self) -> Iterator[tuple[str, Any, str | None]]:
        """Each single value with its name (empty where there is one) and its unit. A reference is its name."""
        if isinstance(self.value, Mapping) and not ({"id", "name"} & set(self.value)):
            for name, value in self.value.items():
                yield from self._leaves(name, value)
        else:
            yield from self._leaves("", self.value)

    def _leaves(self, name: str, value: Any) -> Iterator[tuple[str, Any, str | None]]:
        if isinstance(value, list) and value:
            for one in value:
                yield from self._leaves(name, one)
        elif isinstance(value, Mapping):
            yield name, value.get("name") or str(value.get("id")), None
        else:
            yield name, value, self.units.get(name)


@dataclass(frozen=True, slots=True)
class ReadVocabulary:
    """The names and values of the index, within the access of the context: answered with `IndexValues`."""


@dataclass(frozen=True, slots=True)
class FindValues:
    """Need to look up texts in fields with too many values to read; answered with field, text and entity."""

    texts: tuple[str, ...]
    partly: frozenset[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Diagnose:
    """Check a program without running it: answered with a `Diagnosis`."""

    program: str


@dataclass(frozen=True, slots=True)
class Try:
    """Run a program as the question's own would be run: answered with its `Outcome`.

    `choices` are those of an earlier turn that hold for it.
    """

    program: str
    choices: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CallModel:
    """One call of a language model: answered with its reply, or with why there is none (qlc.translator.model.Call)."""

    request: Any


Need = ReadVocabulary | FindValues | Diagnose | Try | CallModel


@dataclass(frozen=True, slots=True)
class Step:
    """One line of how a translation came about: who said what."""

    by: str
    what: str
    detail: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Translated:
    """A program. `notes` are sentences for the user: what was repaired or assumed.

    `follows` is the number of the earlier turn whose program this one changes, and takes the place of. Not `sure`:
    good enough to be answered, and another translator may know better; so it is for all that follow.
    """

    program: str
    notes: tuple[str, ...] = ()
    follows: int | None = None
    sure: bool = True


@dataclass(frozen=True, slots=True)
class AskBack:
    """The question can mean several things: pairs of a program and the words for it. Without options it points at one
    thing and does not say which."""

    question: str
    options: tuple[tuple[str, str], ...]
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Refusal:
    """The words ask for an action, or for nothing that a search answers: move, delete, create, share, other.

    Not `sure`: it only seems so, because nothing is known of the words. `notes` are sentences for the user, here and
    below. `verb`, `object` and `target` are what was to be done to what, and where to, as far as they were said;
    `program` finds the object.
    """

    intent: str
    message: str
    sure: bool = True
    notes: tuple[str, ...] = ()
    verb: str = ""
    object: str = ""
    target: str = ""
    program: str = ""


@dataclass(frozen=True, slots=True)
class NotHeld:
    """The words ask for something that the data does not hold."""

    what: str
    suggestions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Explained:
    """The words ask about an earlier query, or about what can be asked, and this is the answer."""

    outcome: Explain


@dataclass(frozen=True, slots=True)
class CannotSay:
    """Not understood, or not surely. `words` are those that found no use; `notes` are sentences for the user.

    `suggestions` are questions near it that would be answered. `part` is what was understood as a question by itself,
    with what comes after it; `known` are the words that stand for something, as they were written. `cannot_be` is a
    sentence about what was said and cannot be answered: a day that no month has, too much at once. It `failed` where
    the translator came to no judgement: no connection, no budget left, no answer that can be used. It is `sure` where
    no other translator could know more.
    """

    words: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    part: tuple[str, str] | None = None
    known: tuple[str, ...] = ()
    cannot_be: str = ""
    failed: bool = False
    sure: bool = False


@dataclass(frozen=True, slots=True)
class Narrated:
    """One text over several facts, those at the places `covered`. `notes` are sentences for the user. Not `by_model`:
    it is their sentences, one after the other."""

    text: str
    notes: tuple[str, ...] = ()
    by_model: bool = True
    covered: tuple[int, ...] = ()


Translation = Translated | AskBack | Refusal | NotHeld | Explained | CannotSay
Translating = Generator[Need, Any, Translation]


class Translator(Protocol):
    """Anything that turns words into programs."""

    def translate(self, question: Question, steps: list[Step]) -> Translating:
        """Yields needs, is sent their results, and returns a translation. What it did is added to `steps`."""
        ...


Narrating = Generator[Need, Any, "Narrated | None"]


@runtime_checkable
class Narrator(Protocol):
    """A translator that can also put several answers into one text."""

    def narrate(self, facts: Sequence[Fact], question: Question, steps: list[Step]) -> Narrating:
        """As `Translator.translate`: yields needs, and returns the text; None where it must not or need not be made.

        `question` has the schema, the clock, the deadline and the ledger of the turn.
        """
        ...


def is_sure(said: Translation) -> bool:
    """Whether no other translator need be asked: what one knows nothing of, the next may know."""
    return not isinstance(said, NotHeld) and getattr(said, "sure", True)


def best_of(said: Sequence[Translation]) -> Translation:
    """Choose a result if no translator was sure: a guess that is kept, else the last known reason, else unknown."""
    for place, one in enumerate(said):
        later = [other for other in said[place + 1 :] if isinstance(other, CannotSay)]
        if len(later) == len(said) - place - 1 and _is_kept(one, later):
            return _noted(one, later)
    known = [place for place, one in enumerate(said) if isinstance(one, NotHeld | Refusal)]
    if known:
        return _noted(said[known[-1]], [one for one in said[known[-1] + 1 :] if isinstance(one, CannotSay)])
    return _unknown([one for one in said if isinstance(one, CannotSay)])


def _is_kept(one: Translation, later: Sequence[CannotSay]) -> bool:
    """Whether a guess is good enough: a question back is even for others who do not know; a program, where those who
    were asked about it came to no judgement."""
    return isinstance(one, AskBack) or (isinstance(one, Translated) and all(other.failed for other in later))


def _noted(one: Translation, later: Sequence[CannotSay]) -> Translation:
    notes = tuple(note for other in later for note in other.notes)
    return replace(one, notes=(*one.notes, *notes)) if isinstance(one, Translated | NotHeld | Refusal) else one


def _unknown(said: Sequence[CannotSay]) -> CannotSay:
    first = said[0] if said else CannotSay()
    most_helpful = next((one for one in said if one.suggestions or one.part or one.known), first)
    notes = tuple(note for one in said for note in one.notes)
    cannot_be = next((one.cannot_be for one in reversed(said) if one.cannot_be), "")  # the last one knows most
    return replace(most_helpful, words=first.words, notes=notes, cannot_be=cannot_be)
