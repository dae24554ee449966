"""Whether a reading is sure: one decision over named features, for questions and for follow-ups alike.

A sure reading is answered by the rules alone, also where there is a language model. What is not sure is asked of the
model first; without one it is answered all the same, unless something that was said found no place in the program:
then it is offered as a choice.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from qlc.grammar import parse as parsed
from qlc.grammar import print_statement, tree
from qlc.outcome import answer_key, has_answer
from qlc.translator.protocol import AskBack, Need, Step, Try
from qlc.translator.rules.accounting import misses_the_one, taken_for_names, unaccounted
from qlc.translator.rules.build import both, name_of, parts
from qlc.translator.rules.calls import unmet
from qlc.translator.rules.lexicon.lexemes import FieldWord, ListWord, ValueWord
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.said import Said

SURE = 0.5
"""Highest cost of a sure reading. Of 703 right readings of the dev halves 556 cost no more; of nine wrong ones two."""


@dataclass(frozen=True, slots=True)
class Confidence:
    """Doubts about a reading.

    `cost`: by the rules. `unaccounted`: words without a part of the program. `unmet`: parts that words require and the
    program lacks. `taken`: plain words that became a part of a name. `bare`: the program has no condition. `idle`: what
    it leaves out is not in the index, so that something else may be meant.
    """

    cost: float = 0.0
    unaccounted: tuple[str, ...] = ()
    unmet: tuple[str, ...] = ()
    taken: tuple[str, ...] = ()
    bare: bool = False
    idle: bool = False

    @property
    def sure(self) -> bool:
        return self.cost <= SURE and not (self.unaccounted or self.unmet or self.taken or self.idle)

    @property
    def answerable(self) -> bool:
        """Return whether the reading may be the answer if no other translator has one.

        It may not if it lacks required parts, is bare and ignores words, or is a guess that leaves out nothing.
        """
        return not (self.unmet or (self.bare and self.unaccounted) or (self.idle and self.cost > SURE))

    @property
    def against(self) -> Mapping[str, Any]:
        """Return the doubts that apply, for the report."""
        return {name: value for name, value in asdict(self).items() if value}


def confidence(p: Parse, program: str, cost: float, before: str = "") -> Confidence:
    """How sure it is that a program answers the words of a question; `before` is the program that it changes."""
    said = Said(parsed(program).statement, p.schema)
    dropped = unaccounted(p, said)
    if before and dropped:
        earlier = Said(parsed(before).statement, p.schema)  # what is taken out of it was said of it
        of_both = {*unaccounted(p, earlier)}
        dropped = tuple(at for at in dropped if p.lexemes[at] and at in of_both)
    words = tuple(p.tokens[at].raw for at in dropped)
    taken = tuple(p.tokens[at].raw for at in taken_for_names(p, said))
    bare = not said.has_condition and not before
    missing = unmet(p, said) if not before else ("one",) if misses_the_one(p, said) else ()
    return Confidence(round(cost, 3), words, missing, taken, bare)


def without_exclusions(p: Parse, program: str) -> str | None:
    """The program without the values that it leaves out by a guess; None where it leaves out none.

    Closed values and words for a field say what they are of. Whose name a name is, or the beginning of one, is a guess.
    """
    statement = parsed(program).statement
    if isinstance(statement, tree.Get):
        return None
    conditions = parts(statement.where)
    kept = [one for one in conditions if not _leaves_out_a_guess(p, one)]
    return print_statement(replace(statement, where=both(*kept))) if len(kept) < len(conditions) else None


def _leaves_out_a_guess(p: Parse, condition: tree.Condition) -> bool:
    if not isinstance(condition, tree.Comparison) or condition.operator not in ("!=", "not in"):
        return False
    if not isinstance(condition.left, tree.Path) or not isinstance(condition.right, tree.String | tree.ListValue):
        return False
    name = name_of(condition.left)
    payloads = [one.payload for row in p.lexemes for one in row]
    return not any(
        isinstance(one, FieldWord | ListWord | ValueWord) and _field_of(one) == name
        and (not isinstance(one, ValueWord) or (one.closed and one.whole))
        for one in payloads
    )


def _field_of(word: FieldWord | ListWord | ValueWord) -> str:
    return word.name if isinstance(word, ListWord) else word.ref.path[0]


DID_YOU_MEAN = "Did you mean this?"


def doubted(program: str, doubts: Confidence, steps: list[Step]) -> AskBack:
    """A reading that leaves out what was said: it is offered, not answered."""
    steps.append(Step("rules", "offered as a choice", doubts.against))
    words = " and ".join(f"'{one}'" for one in doubts.unaccounted[:3])
    return AskBack(
        f"I found no use for {words}. {DID_YOU_MEAN}" if words else DID_YOU_MEAN, ((program, program),), sure=False
    )


def tried(p: Parse, doubts: Confidence, program: str) -> Generator[Need, Any, Confidence]:
    """Return the doubts after a trial run, with `idle` set if leaving something out changes nothing."""
    whole = without_exclusions(p, program)
    if whole is None:
        return doubts
    with_them, without_them = (yield Try(whole)), (yield Try(program))
    return replace(doubts, idle=has_answer(without_them) and answer_key(with_them) == answer_key(without_them))
