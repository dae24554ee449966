"""What a model answered, read with care: nothing about the input of a tool is certain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from qlc.translator.model.exchange import ModelReply
from qlc.translator.model.prompt import EXPLAINED, FIND_FIELDS, INTENTS, MOST_INSTEAD, REASONS, TOOLS

LONGEST_PROGRAM = 20_000
LONGEST_SENTENCE = 300
MOST_OPTIONS = 5

_NAMES = ", ".join(tool.name for tool in TOOLS)


@dataclass(frozen=True, slots=True)
class Submitted:
    program: str


@dataclass(frozen=True, slots=True)
class Asked:
    question: str
    options: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Declined:
    """`reason`: action (with `intent`), not_held, not_sayable or unclear (with `what`).

    `instead` are questions that can be asked.
    """

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
    """Nothing that can be worked with: `problem` tells the model why."""

    problem: str


Answer = Submitted | Asked | Declined | Explains | Finds | Unusable


def read_answer(reply: ModelReply) -> Answer:
    """The first use of a tool."""
    if reply.stop == "max_tokens":
        return Unusable("the answer was cut off because it was too long; use one tool, and write a shorter program")
    if not reply.uses:
        return Unusable(f"there was no use of a tool; answer with one of {_NAMES}")
    use = reply.uses[0]
    given = use.input if isinstance(use.input, Mapping) else {}
    match use.name:
        case "submit_query":
            program = given.get("program")
            if not _is_program(program):
                return Unusable('submit_query takes {"program": "..."} with one program as a text')
            return Submitted(str(program).strip())
        case "ask_user":
            return _asked(given)
        case "decline":
            return _declined(given)
        case "explain_query":
            return _explains(given)
        case FIND_FIELDS.name:
            words = given.get("words")
            return Finds(_sentence(words)) if isinstance(words, str) else Unusable("find_fields takes words")
        case _:
            return Unusable(f"there is no tool {use.name[:40]!r}; the tools are {_NAMES}")


def _is_program(program: Any) -> bool:
    return isinstance(program, str) and 0 < len(program.strip()) <= LONGEST_PROGRAM


def _asked(given: Mapping[str, Any]) -> Answer:
    question, options = given.get("question"), given.get("options")
    found = []
    for one in options if isinstance(options, list) else ():
        program = one.get("program") if isinstance(one, Mapping) else None
        label = one.get("label") if isinstance(one, Mapping) else None
        if not _is_program(program) or not isinstance(label, str) or not label.strip():
            return Unusable("each option of ask_user takes a program and a label")
        found.append((str(program).strip(), _sentence(label)))
    if not isinstance(question, str) or not question.strip() or not 2 <= len(found) <= MOST_OPTIONS:
        return Unusable("ask_user takes a question and two to five options")
    return Asked(_sentence(question), tuple(found))


def _declined(given: Mapping[str, Any]) -> Answer:
    reason, intent, what = given.get("reason"), given.get("intent"), given.get("what")
    if reason not in REASONS:
        return Unusable("decline takes a reason: action, not_held, not_sayable or unclear")
    asked = given.get("instead")
    instead = [one for one in asked if isinstance(one, str) and one.strip()] if isinstance(asked, list) else []
    return Declined(
        str(reason),
        intent if intent in INTENTS else "other",
        _sentence(what) if isinstance(what, str) else "",
        tuple(map(_sentence, instead[:MOST_INSTEAD])),
    )


def _explains(given: Mapping[str, Any]) -> Answer:
    about, turn = given.get("about"), given.get("turn")
    if about not in EXPLAINED:
        return Unusable(f"explain_query takes about: {', '.join(EXPLAINED)}")
    return Explains(str(about), turn if isinstance(turn, int) else None)


def _sentence(text: str) -> str:
    """One line of what can be printed."""
    line = " ".join(text.split())
    return "".join(one for one in line if one.isprintable())[:LONGEST_SENTENCE]
