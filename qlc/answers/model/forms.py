"""The input of each stage's tool, given by a language model, as pydantic models; the tools publish their JSON
Schemas."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from qlc.answers.decomposition import Constraint, EntityRef, Format, Intent
from qlc.answers.tools import TOOLS
from qlc.base.json_schema import without_titles
from qlc.models.exchange import Tool

_Short = Annotated[str, Field(max_length=500)]


class _Form(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Routed(_Form):
    intent: Intent = Field(description="What is to be done")
    buckets: tuple[_Short, ...] = Field(max_length=3, description="Buckets that can answer, best first; none: any")


class Joined(_Form):
    field: _Short = Field(description="Of the bucket of the plan")
    bucket: _Short = Field(description="The other bucket")
    its_field: _Short = Field(description="Of the other bucket, with the same values as field")
    constraints: tuple[Constraint, ...] = Field((), max_length=10, description="On fields of the other bucket")
    negated: bool = Field(False, description="true: its value is none of them")
    raw_text: _Short = Field(description="The exact part of the question that says it")


class Planned(_Form):
    question: _Short = Field("", description="The question in full, where it goes on from what was said before")
    intent: Intent
    bucket: _Short = Field(description="The one bucket that the conditions are on; empty where none fits")
    entities: tuple[EntityRef, ...] = Field(
        (), max_length=20, description="Names in the question; role: a field of type name or text, or 'document'"
    )
    constraints: tuple[Constraint, ...] = Field(
        (), max_length=20,
        description="Conditions on fields, all hold. value: with its unit or currency, a list of them, or \"\" for no "
        "value; raw_text: the exact part of the question",
    )  # fmt: skip
    either: tuple[Annotated[tuple[Annotated[int, Field(ge=0)], ...], Field(max_length=20)], ...] = Field(
        (), max_length=5,
        description="Where one of several constraints is enough: their numbers, from 0, such as [[0, 2]]",
    )  # fmt: skip
    joined: tuple[Joined, ...] = Field(
        (), max_length=3, description="Conditions on documents of another bucket that have the same value of a field"
    )
    fields: tuple[_Short, ...] = Field((), max_length=20, description="Fields whose values are asked for")
    measure: Literal["min", "max", "avg", "sum", "count", ""] = Field("", description="Of intent compute")
    limit: int = Field(0, ge=0, le=100, description="Of min and max, where documents are asked for: how many")
    group_by: tuple[_Short, ...] = Field(
        (), max_length=2, description="Of compute: fields for whose values a number each is asked, year(f) of a date"
    )
    computed_text: Annotated[str, Field(max_length=60)] = Field(
        "", description="The exact part of the question that says measure, limit or group_by: 'the two dearest'"
    )
    topic_terms: tuple[_Short, ...] = Field(
        (), max_length=20, description="What the question says that no field can: words to search the text for"
    )
    format: Format = "natural_language"


class Cited(_Form):
    passage: _Short = Field(description="id of the passage")
    quote: Annotated[str, Field(max_length=1_500)] = Field(description="Copied from it letter by letter; short")


class Said(_Form):
    text: Annotated[str, Field(max_length=600)] = Field(description="One plain sentence")
    citations: tuple[Cited, ...] = Field((), max_length=40)
    calculation: Annotated[str, Field(max_length=1_000)] = Field(
        "", description="Of a computed number: + - * / ** ( ), sum, avg, min, max, count, abs of numbers and ISO dates "
        "of the quotes, or count of texts in them, e.g. avg(4, 5), count('Ann Lee', 'Bo Orr'), "
        "2025-03-01 - 2025-01-15 (days), (9583 / 8101 - 1) * 100, 365 * 412 / 3150",
    )  # fmt: skip


class Valued(_Form):
    value: Any = Field(description="A number, an ISO date, true, false or a text")
    unit: _Short = ""
    claim: int = Field(0, ge=0, description="Number of the claim that says it, from 0")
    row: _Short = Field("", description="Of a table: the thing it is a value of")
    column: _Short = Field("", description="Of a table: what it is")


class Written(_Form):
    status: Literal["answer", "not_in_evidence", "search"] = Field(
        description="answer: claims say it; not_in_evidence: the documents do not say it, no claims; search: look for "
        "what stands in search"
    )  # fmt: skip
    claims: tuple[Said, ...] = Field((), max_length=60)
    values: tuple[Valued, ...] = Field((), max_length=200, description="The values that were asked for")
    search: tuple[_Short, ...] = Field((), max_length=3, description="Of status search: what to look for")


class Judged(_Form):
    holds: bool
    why: _Short = Field("", description="What is wrong, in a few words")


def _tool(name: str, description: str, form: type[BaseModel]) -> Tool:
    return Tool(name, description, without_titles(form.model_json_schema()))  # they only cost tokens


ROUTE = _tool("route", "Choose what is to be done, and the buckets.", Routed)
PLAN = _tool("plan", "Give the question taken apart. What is wrong comes back once.", Planned)
WRITE = _tool("write_answer", "Give the answer. What does not stand in its quotes comes back once.", Written)
JUDGE = _tool("judge", "Say whether the answer is right.", Judged)
SEARCHING = tuple(_tool(one.name, one.description, one.arguments) for one in TOOLS.values())
