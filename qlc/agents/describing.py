"""Describes what can be asked, in steps that fit into a small context: the catalog, an entity, the values of a
field."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field

from qlc.grammar.printer import print_string
from qlc.mapping.schema import Entity, Schema
from qlc.outcome import AggregateOut, Outcome
from qlc.outcome.reply import position_of, text_of
from qlc.pipeline.compiler import Compiler
from qlc.translator.model.described import catalog_text, examples_text, fields_text, measures_text
from qlc.translator.model.fields import Fields

PAGE: Final = 8_000
"""Most characters of one step, some 2,000 tokens."""
MOST_VALUES: Final = 50
_LONGEST_NAME: Final = 200
"""Most characters of an unknown name in a message."""
_LANGUAGE = "# The language"

TOOLS: Final[Mapping[str, str]] = {
    "ask": "Answer a question in plain English over the index: lists, counts, sums, groups. What is not surely "
    "understood is declined or asked about, never guessed. `outcome.query` is the program that ran.",
    "run": "Run a program, checked before it runs. For what `ask` declines, or to be exact.",
    "check": "Check a program without running it: diagnostics, and a corrected program where there is one.",
    "describe": "What can be asked, in steps: 'catalog' (kinds of things and names of fields), 'THING' (its fields, "
    "their types and values), 'THING.FIELD' (values that occur, the most frequent first), 'language'.",
}
CORPUS_TOOLS: Final[Mapping[str, str]] = {
    "answer": "Answer a question from the files. Each sentence and value has document, file, page and quote. What is "
    "not surely understood gets `passages`: search results, none of which is said to be the answer.",
    "search": "Passages about a text, best first, with file and page.",
}
"""Descriptions of the tools for agents."""


class Description(BaseModel):
    """A part of the catalog, of the language, or of a field's values."""

    model_config = ConfigDict(extra="forbid")

    text: str = ""
    values: list[dict[str, Any]] = Field([], description="each with the number of things that have it")
    total: int | None = None
    truncated: bool = False
    cursor: str | None = Field(None, description="pass it back with the same `about` to read on")
    next: str = ""


def plain_text(made: Description) -> str:
    """Return the description as text. It comes from the catalog, so it is not fenced as data."""
    if not made.text:
        return text_of(made)
    more = f"cursor: {made.cursor}" if made.truncated else ""
    return "\n".join(filter(None, (made.text, more, made.next)))


class Unknown(Exception):
    """Raised for an unknown name, with the message as its text."""


def describe(
    about: str, starts_with: str, cursor: str | None, compiler: Compiler, options: dict[str, Any]
) -> Description | Outcome:
    """Return a page of a description; the failed Outcome if the values of a field could not be read.

    Raises Unknown; ConfigurationError and RequestFailed if the mapping cannot be read.
    """
    begin = position_of(cursor) or 0
    about = about.strip()
    if about == "language":
        return _text(language(), begin)
    if about in ("", "catalog"):
        return _text(catalog(compiler.schema), begin, "describe('THING') has its fields with types and values.")
    name, dot, field = about.partition(".")
    entity = _entity(name, compiler.schema)
    if not dot:
        return _text(_fields_of(entity, compiler.schema), begin,
                     f"describe('{entity.name}.FIELD') has the values of a field.")  # fmt: skip
    where = f" where {field} starts with {print_string(starts_with)}" if starts_with else ""
    outcome = compiler.run(f"count {entity.plural} by {field}{where}", **options)
    return _values(outcome, begin) if isinstance(outcome, AggregateOut) else outcome


@lru_cache(maxsize=1)
def language() -> str:
    """Return the reference of the query language that language models get."""
    text = files("qlc.translator.model").joinpath("reference.md").read_text(encoding="utf-8")
    return text[text.index(_LANGUAGE) :]


def catalog(schema: Schema) -> str:
    """Return the entities, their conditions, and the names of their fields, without sensitive ones."""
    fields = Fields(schema)
    text = catalog_text(fields)
    if not fields.are_many:
        named: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
        for one in fields.offered:
            named[one.entities].append(one.name)
        lines = (f"Fields of {', '.join(schema.entities[name].plural for name in entities)}: {', '.join(names)}"
                 for entities, names in named.items())  # fmt: skip
        text = "\n".join([text.partition("\nFields of ")[0], *lines])
    examples = examples_text(schema)
    return f"{text}\n\nExamples:\n{examples}" if examples else text


def _entity(name: str, schema: Schema) -> Entity:
    said = name.strip().casefold()
    for one in schema.entities.values():
        if said in (one.name.casefold(), one.plural.casefold(), *(word.casefold() for word in one.words)):
            return one
    raise Unknown(f"There is no '{name.strip()[:_LONGEST_NAME]}'. There are {', '.join(schema.entities)}.")


def _fields_of(entity: Entity, schema: Schema) -> str:
    fields = fields_text((one for one in Fields(schema).offered if entity.name in one.entities), schema)
    return "\n".join([*fields, *measures_text([entity])])


def _text(whole: str, begin: int, next_step: str = "") -> Description:
    """Return a page of a text, from a character to the end of a line."""
    page = whole[begin : begin + PAGE]
    end = len(whole)
    if begin + len(page) < end:
        page = page[: page.rfind("\n") + 1] or page
        end = begin + len(page)
    more = end < len(whole)
    return Description(text=page, values=[], truncated=more, cursor=str(end) if more else None, next=next_step)


def _values(outcome: AggregateOut, begin: int) -> Description:
    rows = outcome.rows[begin : begin + MOST_VALUES]
    end = begin + len(rows)
    more = end < len(outcome.rows)
    return Description(
        values=[{"value": one.key, "count": one.value} for one in rows],
        total=len(outcome.rows),
        truncated=more,
        cursor=str(end) if more else None,
        next="starts_with narrows them." if more else "",
    )
