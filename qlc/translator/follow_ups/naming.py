"""Ids of what was shown before, said by their names: people know no ids."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from qlc.translator.protocol import AskBack, CannotSay, Explained, Translated, Translation, Turn


def with_names(said: Translation, history: Sequence[Turn]) -> Translation:
    """What a translation tells, with names in the place of ids."""
    match said:
        case Translated() | CannotSay() if said.notes:
            return replace(said, notes=tuple(_named(note, history) for note in said.notes))
        case Explained():
            told = said.outcome
            changed = {"message": _named(told.message, history)}
            return Explained(told.model_copy(update=changed))
        case AskBack():
            options = tuple((program, _named(words, history) if words != program else words)
                            for program, words in said.options)  # fmt: skip
            return replace(said, options=options)
        case _:
            return said


def _named(text: str, history: Sequence[Turn]) -> str:
    if "'" not in text:
        return text
    for id, name in _names(history):
        quoted = f"'{id}'"
        if quoted in text:
            text = text.replace(quoted, f"'{name}'")
    return text


def _names(history: Sequence[Turn]) -> Iterator[tuple[str, str]]:
    """The ids that were shown, with their names, the latest first."""
    for turn in reversed(history):
        for one in turn.outcome.get("hits") or ():
            if one.get("name"):
                yield str(one["id"]), str(one["name"])
            yield from _references(one.get("values"))
        yield from _references(turn.outcome.get("value"))
        for row in turn.outcome.get("rows") or ():
            yield from _references(row.get("key"))


def _references(value: Any) -> Iterator[tuple[str, str]]:
    match value:
        case {"id": id, "name": str(name)} if name:
            yield str(id), name
        case Mapping():
            for one in value.values():
                yield from _references(one)
        case [*several]:
            for one in several:
                yield from _references(one)
