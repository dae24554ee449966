"""Outcomes: the results of queries as one tagged union of data. They are rendered at the edge (text, table, JSON)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, TypeAdapter, model_validator

from qlc.base.diagnostics import NO_SPAN, Diagnostic, Span
from qlc.base.texts import whole_data
from qlc.outcome.frames import AsFrames
from qlc.outcome.html import AsHtml


class _Frozen(BaseModel):
    """Base of all models. Unpaired surrogates become U+FFFD, so that every outcome can be written down."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    @model_validator(mode="before")
    @classmethod
    def _whole(cls, given: Any) -> Any:
        return whole_data(given)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Copy as pydantic does, without validating the update."""
        return super().model_copy(update=whole_data(dict(update or {})), deep=deep)


class Note(_Frozen):
    """A diagnostic in an outcome. `span` are character offsets into the source (None: no place)."""

    code: str
    severity: Literal["error", "warning"]
    message: str
    hint: str = ""
    span: tuple[int, int] | None = None
    suggestions: list[str] = []
    fixed: str | None = Field(None, validation_alias=AliasChoices("fixed", "mended"))

    @property
    def mended(self) -> str | None:
        """Alias of `fixed`, for one version."""
        return self.fixed

    def diagnostic(self) -> Diagnostic:
        """The diagnostic that it notes, to be printed with its place."""
        span = Span(*self.span) if self.span is not None else NO_SPAN
        return Diagnostic(self.code, self.message, span, self.hint, tuple(self.suggestions), self.severity, self.fixed)


class Spent(_Frozen):
    """The cost of an answer from documents: programs that ran, requests to the index, and calls of a language model
    with their tokens and US dollars (None: no price is known)."""

    searches: int = 0
    requests: int = 0
    calls: int = 0
    tokens: int = 0
    cost: float | None = 0.0


class Asked(_Frozen):
    """The question of an answer from documents: its words, the choices after a clarification, the time and the time
    zone that it uses, the version of qlc, and the language model that took part (empty: none)."""

    question: str
    now: str
    timezone: str | None = None
    choices: dict[str, str] = {}
    version: str = ""
    model: str = ""


class Stats(_Frozen):
    """`round_trips` are requests that had to follow one another; `further` those that read buckets, sets or names to
    the end or opened a point in time. `searches` are all that were sent, those of a translation and of trials too; the
    requests of an answer to words count those as well. `took_ms` is the whole time, `stages` the milliseconds of each
    stage. `spent` and `asked` are there for answers from documents."""

    round_trips: int = 0
    further: int = 0
    searches: int = 0
    took_ms: float = 0.0
    stages: dict[str, float] = {}
    spent: Spent | None = None
    asked: Asked | None = None


class Named(_Frozen):
    """The meaning of a name in the query. `path` is the place of a thing, None if it has none; for a container it ends
    with its own name."""

    entity: str
    id: str
    name: str
    path: str | None = None


class _Outcome(_Frozen, AsFrames, AsHtml):
    """Base of all outcomes."""

    query: str = ""
    message: str = ""
    notes: list[str] = []
    diagnostics: list[Note] = []
    stats: Stats = Field(default_factory=Stats)  # pydantic would copy a default, which takes longer
    fields: list[str] = []
    names: list[Named] = []


class Passage(_Frozen):
    """The best part of a document for the words or the meaning that were asked for.

    `marks` are begin and end, in characters of `text`, of the words that it has of the question. `values` are its shown
    fields by their names.
    """

    id: str
    entity: str
    text: str
    marks: list[tuple[int, int]] = []
    values: dict[str, Any] = {}


class Hit(_Frozen):
    """`values` are the shown fields by their names; references as `{id, name}`, dates ISO, sizes in stored units."""

    id: str
    name: str | None = None
    score: float | None = None
    values: dict[str, Any] = {}
    passage: Passage | None = None


class Hits(_Outcome):
    """`ids` and `hits` are the page, `total` counts the whole answer. `cursor` reads on; None: nothing is left.
    `matching` counts all that match, if the query's own `limit` left some out.

    `has_more` says whether there is another page. `columns` are the names of the shown fields, also of those that no
    hit of the page has, `labels` what people read in place of a name, and `units` their stored units; `unit_columns`
    names the column that holds the unit of each amount, where it differs from hit to hit (a currency). Where nothing
    was found, `suggestions` are programs with similar values that are stored, and in a conversation messages that find
    something.
    """

    kind: Literal["hits"] = "hits"
    entity: str = ""
    ids: list[str] = []
    total: int = 0
    matching: int | None = None
    hits: list[Hit] = []
    cursor: str | None = None
    has_more: bool = False
    columns: list[str] = []
    labels: dict[str, str] = {}
    units: dict[str, str] = {}
    unit_columns: dict[str, str] = {}
    suggestions: list[str] = []


class Count(_Outcome):
    """`value` is the number. In a conversation `suggestions` are messages that find something if it is 0."""

    kind: Literal["count"] = "count"
    value: int = 0
    suggestions: list[str] = []


class RowOut(_Frozen):
    """`key` and `value` are plain with one group or measure, objects by name with several."""

    key: Any
    value: Any


class AggregateOut(_Outcome):
    """`labels` are what people read in place of the names of groups and measures, `units` the stored units of measures,
    by their names. Where the unit of amounts is in another field (a currency), `row_units` has that of each row, or
    `mixed` if its amounts have several. `unfinished` has the key of a group's last period, if it was not over at the
    time of the question: `{"month": "2026-11"}`."""

    kind: Literal["aggregate"] = "aggregate"
    groups: list[str] = []
    measures: list[str] = []
    rows: list[RowOut] = []
    labels: dict[str, str] = {}
    units: dict[str, str] = {}
    row_units: list[dict[str, str]] = []
    unfinished: dict[str, str] = {}


class ValueOut(_Outcome):
    """`value` is an object by name where several things were asked for.

    `units` are the stored units, by name; under the empty name where one thing was asked for. `labels` are what people
    read in place of the names.
    """

    kind: Literal["value"] = "value"
    value: Any = None
    labels: dict[str, str] = {}
    units: dict[str, str] = {}


class Option(_Frozen):
    """One thing that a name can mean. `choice` is what to pass back in `choices` under the token."""

    id: str
    label: str
    name: str | None = None
    entity: str | None = None
    details: dict[str, Any] = {}


class Clarify(_Outcome):
    """Several things fit. Run again with `choices={token: id}`; the token says which name was asked about.

    If many things fit, `options` are the likeliest and `total` counts all; any other one can be chosen by its id.
    `what` is `overload` if too many documents of a corpus match: each option narrows them down.
    """

    kind: Literal["clarify"] = "clarify"
    what: str = ""
    options: list[Option] = []
    token: str = ""
    total: int | None = None


class NotFound(_Outcome):
    """`reason`: no-such-name, other-kind, no-such-id, no-value, nothing-found, top-level or deleted."""

    kind: Literal["not_found"] = "not_found"
    what: str = ""
    reason: str = ""
    suggestions: list[str] = []


class Unsupported(_Outcome):
    """The query is understood, but has no exact answer here."""

    kind: Literal["unsupported"] = "unsupported"
    what: str = ""
    suggestions: list[str] = []


class Refuse(_Outcome):
    """Words that ask for an action, or for something that no search answers.

    `intent`: move, delete, create, share, other. `verb`, `object` and `target` are what was to be done to what, and
    where to, as far as they were said. `query` finds the object where it is stored here.
    """

    kind: Literal["refuse"] = "refuse"
    intent: str = "other"
    verb: str = ""
    object: str = ""
    target: str = ""


class Declined(_Outcome):
    """Words that were not understood, or not reliably. `words` are those that were not used. `rows` are documents of a
    corpus that are sure to belong to a list of which others are not."""

    kind: Literal["declined"] = "declined"
    words: list[str] = []
    suggestions: list[str] = []
    rows: list[AnswerRow] = []


class Exhausted(_Outcome):
    """More of a list was asked for, and all of it was shown. `total` counts its hits, `has_more` is always False."""

    kind: Literal["exhausted"] = "exhausted"
    entity: str = ""
    total: int = 0
    cursor: None = None
    has_more: Literal[False] = False


class Explain(_Outcome):
    """An answer about a query, in `message` and `notes`: nothing was listed or counted for its own sake.

    `about` says what was asked about: query, filters, kind (of things), empty, few (why not more), pasted, or help
    (what can be asked). `query` is the one it is about; `suggestions` are texts that can be asked next, and `queries`
    programs that find something.
    """

    kind: Literal["explain"] = "explain"
    about: str = ""
    suggestions: list[str] = []
    queries: list[str] = []


class RejectedQuery(_Outcome):
    """A pasted Elasticsearch request that is not run. `diagnostics` have the places in it.

    `reason`: syntax, unknown_field, wrong_type, script, other_index, confidential, too_large, not_allowed or
    not_accepted; `detail` is the part that it is about.
    """

    kind: Literal["rejected_query"] = "rejected_query"
    reason: str = ""
    detail: str = ""


class Invalid(_Outcome):
    """The program has errors; see `diagnostics`."""

    kind: Literal["invalid"] = "invalid"


class Failed(_Outcome):
    """Elasticsearch did not answer, or something went wrong. `id` is in the log."""

    kind: Literal["failed"] = "failed"
    reason: str = ""
    id: str = ""
    retryable: bool = False


class Citation(_Frozen):
    """A quote that is on a page of a file, word for word. `page` counts from 1; None where a file has no pages or the
    value was given by a person. `quote` is empty for such a value."""

    document: str
    file: str
    page: int | None = None
    quote: str = ""


class Claim(_Frozen):
    """One sentence of an answer, with where it says so. `quoted`: it is a sentence of the document itself."""

    text: str
    citations: list[Citation] = []
    quoted: bool = False


class Cell(_Frozen):
    """A value with its unit (of money: the code of the currency) and where it was read."""

    value: Any
    unit: str = ""
    citations: list[Citation] = []


class AnswerRow(_Frozen):
    """A document in the table of an answer, or a group, which has neither `document` nor `file`. `cells` are by column;
    an unknown value is left out."""

    document: str = ""
    name: str
    file: str = ""
    cells: dict[str, Cell] = {}


class AnswerStep(_Frozen):
    """One search of an answer: the program, how many matched, how many were kept, and why it was made."""

    tool: str
    program: str
    matches: int = 0
    kept: int = 0
    took_ms: float = 0.0
    why: str = ""


class Answer(_Outcome):
    """An answer from the documents of a corpus. `message` is the text of it; every claim is cited.

    `values` are what was asked for. `rows` with `columns` are a table. `computed` says that the values were computed
    from those of the rows, by the program in `query`. `covered` are the files that it is based on.
    """

    kind: Literal["answer"] = "answer"
    claims: list[Claim] = []
    values: list[Cell] = []
    columns: list[str] = []
    rows: list[AnswerRow] = []
    computed: bool = False
    covered: list[str] = []
    steps: list[AnswerStep] = []


class NotInCorpus(_Outcome):
    """The documents do not say it. `words` are those that no document has; `steps` are the searches."""

    kind: Literal["not_in_corpus"] = "not_in_corpus"
    words: list[str] = []
    documents: int = 0
    steps: list[AnswerStep] = []
    suggestions: list[str] = []


class Passages(_Outcome):
    """Search results: the passages of a corpus that are nearest to a question, best first. None is said to answer it.

    `words` are those of the question that no condition stands for, `suggestions` what can be asked instead; `steps` are
    the searches.
    """

    kind: Literal["passages"] = "passages"
    passages: list[Citation] = []
    words: list[str] = []
    suggestions: list[str] = []
    steps: list[AnswerStep] = []


class Several(_Outcome):
    """The answers to several questions of one text, in their order; `message` has the message of each. A language
    model may have put those at the positions `narrated` into one text, `narrative`."""

    kind: Literal["several"] = "several"
    outcomes: list[Outcome] = []
    narrative: str = ""
    narrated: list[int] = []


Outcome = Annotated[
    Hits
    | Count
    | AggregateOut
    | ValueOut
    | Clarify
    | NotFound
    | Unsupported
    | Refuse
    | Declined
    | Exhausted
    | Explain
    | RejectedQuery
    | Invalid
    | Failed
    | Answer
    | NotInCorpus
    | Passages
    | Several,
    Field(discriminator="kind"),
]


def is_empty(outcome: Outcome) -> bool:
    """Whether a list or a count is empty."""
    match outcome:
        case Hits():
            return outcome.total == 0
        case Count():
            return outcome.value == 0
        case _:
            return False


def has_answer(outcome: Outcome) -> bool:
    """Whether an outcome has content; a clarification counts."""
    match outcome:
        case Hits() | Count():
            return not is_empty(outcome)
        case AggregateOut():
            values = (one.value.values() if isinstance(one.value, dict) else (one.value,) for one in outcome.rows)
            return any(value is not None for row in values for value in row)
        case ValueOut():
            return outcome.value is not None
        case _:
            return isinstance(outcome, Clarify)


def answer_key(outcome: Outcome) -> Hashable:
    """Return a key that is equal for two outcomes with the same answer."""
    match outcome:
        case Hits():
            return outcome.kind, outcome.total, tuple(outcome.ids)
        case Clarify():
            return outcome.kind, tuple(option.id for option in outcome.options)
        case Count() | ValueOut():
            return outcome.kind, repr(outcome.value)
        case AggregateOut():
            return outcome.kind, repr(outcome.rows)
        case _:
            return outcome.kind


OUTCOME: TypeAdapter[Outcome] = TypeAdapter(Outcome)
"""Reads an outcome back from JSON."""
