"""Files of questions, right answers and given answers, with one JSON object per line. Errors name the line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qlc.base.errors import UsageError

Line = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, or a conversation of several. `number` is its line in the file."""

    id: str
    texts: tuple[str, ...]
    conversation: bool
    category: str = ""
    number: int = 0


@dataclass(frozen=True, slots=True)
class Expected:
    """The right answers to the turns of a question. `number` is its line in the file."""

    golds: tuple[Line, ...]
    category: str = ""
    number: int = 0


def read_questions(path: Path) -> list[Asked]:
    """Read the questions. Raises UsageError, which names the line."""
    found: dict[str, Asked] = {}
    for number, line in lines(path):
        one = Asked(_id(path, number, line), _texts(path, number, line), "turns" in line, _category(line), number)
        if one.id in found:
            raise wrong(path, number, f"the id '{one.id}' is already in line {found[one.id].number}")
        found[one.id] = one
    if not found:
        raise UsageError(f"'{path}' has no questions")
    return list(found.values())


def read_gold(path: Path, questions: Sequence[Asked]) -> dict[str, Expected]:
    """Return the right answers by question id. Raises UsageError, which names the line or the question.

    Answers written as programs have the kind `program`; `by_programs` evaluates them.
    """
    found: dict[str, Expected] = {}
    for number, line in lines(path):
        turns = line.get("turns", [line])
        golds = [_gold(turn) for turn in turns] if isinstance(turns, list) else []
        whole = tuple(gold for gold in golds if gold is not None)
        if not golds or len(whole) < len(golds):
            raise wrong(path, number, "its question, or each turn, needs a 'program', or a 'gold' with a 'kind'")
        id = _id(path, number, line)
        if id in found:
            raise wrong(path, number, f"the id '{id}' is there already")
        found[id] = Expected(whole, _category(line), number)
    for one in questions:
        if one.id not in found:
            raise UsageError(f"'{path}' has no answer to the question '{one.id}'")
        given = len(found[one.id].golds)
        if given != len(one.texts):
            raise UsageError(f"'{path}' has {given} answers to the {len(one.texts)} turns of '{one.id}'")
    return found


def _gold(turn: Any) -> Line | None:
    """Return the `gold` or `program`, with the programs and golds in `also` as alternatives; None if one is invalid."""
    if not isinstance(turn, dict) or ("gold" in turn) == ("program" in turn):
        return None
    also = turn.get("also", [])
    if not isinstance(also, list) or isinstance(turn.get("gold"), str):
        return None
    first, *others = map(_written, [turn.get("gold", turn.get("program")), *also])
    given = [one for one in others if one is not None]
    if first is None or len(given) < len(others):
        return None
    return {**first, "also_accept": [*first.get("also_accept", ()), *given]} if given else first


def _written(gold: Any) -> Line | None:
    """Return a gold as written; a text is a program."""
    if isinstance(gold, str):
        return {"kind": "program", "program": gold}
    return gold if isinstance(gold, dict) and isinstance(gold.get("kind"), str) else None


def read_answers(path: Path, questions: Sequence[Asked]) -> tuple[dict[str, list[Line]], bool]:
    """Return the outcomes by question id, and whether the last line is truncated.

    Raises UsageError for any other invalid line, and for answers to other questions.
    """
    by_id = {one.id: one for one in questions}
    found: dict[str, list[Line]] = {}
    raw = path.read_bytes()
    whole, _, rest = raw.rpartition(b"\n")
    is_cut = bool(rest.strip()) and not _is_json(rest)
    for number, line in lines(path, whole if is_cut else raw):
        id = _id(path, number, line)
        outcomes = line.get("outcomes", [line.get("outcome")])
        if not isinstance(outcomes, list) or not all(isinstance(one, dict) and "kind" in one for one in outcomes):
            raise wrong(path, number, "it has no 'outcome' or 'outcomes'")
        if id in by_id and len(outcomes) != len(by_id[id].texts):
            raise wrong(path, number, f"it answers {len(outcomes)} turns, and '{id}' has {len(by_id[id].texts)}")
        found[id] = outcomes
    return found, bool(rest)


def answer_line(one: Asked, outcomes: Sequence[Line]) -> str:
    """The line of an answer, with its line end."""
    answer: Line = {"outcomes": list(outcomes)} if one.conversation else {"outcome": outcomes[0]}
    return json.dumps({"id": one.id, **answer}, ensure_ascii=False) + "\n"


def lines(path: Path, raw: bytes | None = None) -> Iterator[tuple[int, Line]]:
    for number, text in enumerate((path.read_bytes() if raw is None else raw).split(b"\n"), 1):
        if not text.strip():
            continue
        try:
            line = json.loads(text.decode("utf-8-sig" if number == 1 else "utf-8"))
        except UnicodeDecodeError:
            raise wrong(path, number, "it is not UTF-8") from None
        except (ValueError, RecursionError) as problem:
            raise wrong(path, number, f"it is not JSON: {problem}") from None
        if not isinstance(line, dict):
            raise wrong(path, number, "it is not a JSON object")
        yield number, line


def _is_json(raw: bytes) -> bool:
    try:
        json.loads(raw)
    except (ValueError, RecursionError):
        return False
    return True


def _id(path: Path, number: int, line: Line) -> str:
    id = line.get("id")
    if isinstance(id, int) and not isinstance(id, bool):
        return str(id)
    if not isinstance(id, str) or not id:
        raise wrong(path, number, "it has no 'id'")
    return id


def _texts(path: Path, number: int, line: Line) -> tuple[str, ...]:
    if ("text" in line) == ("turns" in line):
        raise wrong(path, number, "it needs either 'text' or 'turns'")
    turns = line.get("turns", [line])
    if not isinstance(turns, list) or not turns:
        raise wrong(path, number, "its 'turns' are not a list of questions")
    texts = [turn.get("text") if isinstance(turn, dict) else None for turn in turns]
    if not all(isinstance(text, str) for text in texts):
        raise wrong(path, number, "a question has no 'text'")
    return tuple(map(str, texts))


def _category(line: Line) -> str:
    category = line.get("category")
    return category if isinstance(category, str) else ""


def wrong(path: Path, number: int, what: str) -> UsageError:
    return UsageError(f"line {number} of '{path}' cannot be used: {what}")
