"""The arguments of each tool, as frozen types: a model or another program is shown their JSON Schemas."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from qlc.answers.decomposition import Operator

LONGEST_TEXT = 2_000
MOST_FILTERS = 20
MOST_DOCUMENTS = 50
Scalar: TypeAlias = str | int | float | bool


class _Arguments(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Filter(_Arguments):
    """A field, an operator, and a value: a number may have its unit ("60 days", "500 EUR"), a date is ISO or a year.
    `in` takes a list of values, or a period such as 2023 for a date."""

    field: Annotated[str, Field(min_length=1, max_length=200)]
    operator: Operator
    value: Scalar | Annotated[list[Scalar], Field(min_length=1, max_length=100)]


Where: TypeAlias = (
    Annotated[str, Field(max_length=LONGEST_TEXT)] | Annotated[list[Filter], Field(max_length=MOST_FILTERS)]
)
"""A condition of the query language, or a list of filters that hold together."""
_Text = Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT)]
_Label = Annotated[str, Field(min_length=1, max_length=200)]


class SearchText(_Arguments):
    """Passages that have the words of a text, best first."""

    query: _Text
    bucket: str = ""
    """Only passages of documents in this bucket; empty: of all."""
    where: Where = ""
    top_k: Annotated[int, Field(ge=1, le=50)] = 10
    per_document: Annotated[int, Field(ge=1, le=50)] = 3
    """At most so many passages of one document, unless only one has any."""
    context_chars: Annotated[int, Field(ge=40, le=4_000)] = 400
    """Length of a snippet, in characters."""


class SearchSemantic(SearchText):
    """Passages that mean what a text says, best first: found by vectors, and by words as well unless `by` says not."""

    by: Literal["meaning", "both"] = "both"


class AnnotationsSearch(_Arguments):
    """Labelled values of documents: those whose label has these words."""

    label: _Label
    bucket: str = ""
    where: Where = ""
    operator: Literal["=", ">", ">=", "<", "<="] | None = None
    value: Scalar | None = None
    """With `operator`: a number, which may have its unit ("50 V")."""
    top_k: Annotated[int, Field(ge=1, le=100)] = 20


class AnnotationsAggregate(_Arguments):
    """A number over a typed field of a bucket, or over the labelled values of documents. `count` counts documents."""

    measure: Literal["count", "min", "max", "avg", "sum"]
    bucket: str = ""
    field: Annotated[str, Field(max_length=200)] = ""
    label: Annotated[str, Field(max_length=200)] = ""
    where: Where = ""
    by: Annotated[str, Field(max_length=200)] = ""
    """A field whose values are groups."""


class GetDocumentMetadata(_Arguments):
    """Known values of documents, each with its page and quote. Names are ids, files or titles."""

    documents: Annotated[list[_Label], Field(min_length=1, max_length=MOST_DOCUMENTS)]


class RunQuery(_Arguments):
    """Run a program of the query language, such as `count contracts where notice < 60 days and party contains "ACME"`,
    `find invoices where date in 2024-Q1 sort total desc limit 5 show vendor, total`,
    `sum(total) of invoices by vendor`, `find documents where about "leave early" limit 5`."""

    program: Annotated[str, Field(min_length=1, max_length=10_000)]
    size: Annotated[int, Field(ge=0, le=100)] = 20
