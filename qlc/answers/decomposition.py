"""The parts of a question to a corpus, as data: the first stage of an answer. `qlc decompose` prints it as JSON."""

from __future__ import annotations

import re
from typing import Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict

Intent: TypeAlias = Literal["qa", "list", "summarize", "compare", "compute"]
Operator: TypeAlias = Literal["=", "!=", ">", ">=", "<", "<=", "in", "contains"]
Measure: TypeAlias = Literal["min", "max", "avg", "sum", "count", ""]
Format: TypeAlias = Literal["natural_language", "table", "list"]

HOW_MANY = re.compile(
    r"\b(?:how many|number of|count)\s+"
    r"((?:(?!(?:of|in|on|by|with|from|for|were|was|are|is|do|does|did|have|has)\b)\w\S*\s*)+)",
    re.IGNORECASE,
)
"""Finds the phrase that is counted: `how many leases` -> `leases`."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class EntityRef(_Frozen):
    """A name in the question. `role` is `document`, or the name of a field."""

    name: str
    role: str = ""


class Constraint(_Frozen):
    """A condition that the documents must meet. `raw_text` is the part of the question that states it."""

    field: str
    operator: Operator
    value: Any
    raw_text: str


class Subquery(_Frozen):
    """A program that answers a part of the question."""

    purpose: str
    query: str


class OutputPreferences(_Frozen):
    format: Format = "natural_language"
    needs_citations: bool = True


class Decomposition(_Frozen):
    """A question, taken apart. Buckets are those of `corpus.yaml`; topic terms are words that no field explains."""

    intent: Intent
    primary_buckets: tuple[str, ...] = ()
    entities: tuple[EntityRef, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    topic_terms: tuple[str, ...] = ()
    subqueries: tuple[Subquery, ...] = ()
    output_preferences: OutputPreferences = OutputPreferences()
