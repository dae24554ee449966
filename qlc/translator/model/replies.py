"""Types of model replies. The input of the model's tool must fit the schema that was sent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from qlc.models.exchange import ModelReply, Tool
from qlc.models.tool_input import WrongUse, used_tool
from qlc.translator.model.accounting import Because

LONGEST_SENTENCE = 300


@dataclass(frozen=True, slots=True)
class Submitted:
    program: str
    because: tuple[Because, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    question: str
    options: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Declined:
    """A declined question: the reason (`not_held`, `unclear`), an intent or object, and questions `instead`."""

    reason: str
    intent: str = "other"
    what: str = ""
    instead: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Explains:
    """`about` is one of EXPLAINED; `turn` is the number of an earlier turn, None the last."""

    about: str
    turn: int | None = None


@dataclass(frozen=True, slots=True)
class Finds:
    """Words for fields that are to be described as well."""

    words: str


@dataclass(frozen=True, slots=True)
class Unusable:
    """A reply that cannot be used; `problem` tells the model why."""

    problem: str


Answer = Submitted | Asked | Declined | Explains | Finds | Unusable


def read_answer(reply: ModelReply, tools: Sequence[Tool]) -> Answer:
    """Return what the model answered with the tools that it was sent."""
    try:
        use = used_tool(reply, tools)
    except WrongUse as wrong:
        return Unusable(str(wrong))
    given = use.input
    match use.name:
        case "submit_query":
            because = (Because(_sentence(one["said"]), _sentence(one["means"])) for one in given.get("because", ()))
            return Submitted(given["program"].strip(), tuple(because))
        case "ask_user":
            options = tuple((one["program"].strip(), _sentence(one["label"])) for one in given["options"])
            return Asked(_sentence(given["question"]), options)
        case "decline":
            what, instead = _sentence(given.get("what", "")), map(_sentence, given.get("instead", ()))
            return Declined(given["reason"], given.get("intent", "other"), what, tuple(filter(None, instead)))
        case "explain_query":
            return Explains(given["about"], given.get("turn"))
        case _:
            return Finds(_sentence(given["words"]))


def _sentence(text: str) -> str:
    """One line of what can be printed."""
    line = " ".join(text.split())
    return "".join(one for one in line if one.isprintable())[:LONGEST_SENTENCE]
