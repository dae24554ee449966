"""The bodies of requests, and responses other than outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator
from pydantic_core import PydanticCustomError

from qlc.conversation.reply import Reply
from qlc.outcome import AggregateOut, Note, Outcome
from qlc.outcome.chart import NARROWEST, WIDEST, WIDTH

Text = Annotated[str, Field(max_length=500_000)]


Zone = Annotated[str | None, Field(description="An IANA name, or an offset. The default is UTC.")]


class _Given(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class RunRequest(_Given):
    """Options of a run. The context for access rules is not among them: it follows from the credentials."""

    choices: dict[str, str] = Field({}, description="Answers to clarifying questions: token to id of an option.")
    params: dict[str, Any] = Field({}, description="Values of $parameters.")
    size: int = Field(10, ge=0, description="Hits per page.")
    cursor: str | None = Field(None, description="Where to continue, from the page before.")
    timezone: Zone = None
    as_of: str | None = Field(None, description="The time that relative dates refer to, ISO 8601. The default is now.")
    deadline: float | None = Field(None, gt=0, description="Seconds for the whole answer.")


class AskRequest(RunRequest):
    text: Text = Field(description="Words, a program, or an Elasticsearch request that was pasted.")
    read_as: Literal["auto", "program", "words"] = "auto"


class ExportRequest(AskRequest):
    all_columns: bool = Field(False, description="A list has every field that the caller may see.")
    for_spreadsheets: bool = Field(True, description="Keep spreadsheets from reading cells of the CSV as formulas.")


class ProgramRequest(RunRequest):
    program: Text = Field(description="A program of the query language.")
    all_columns: bool = Field(False, description="Hits show every field that the caller may see.")


class PastedRequest(RunRequest):
    text: Text = Field(description="A text with an Elasticsearch request in it.")
    want: Literal["run", "explain", "fix"] | None = Field(None, description="Default: what the words around it say.")


class ChartRequest(_Given):
    """Rows of groups, as an answer has them."""

    outcome: AggregateOut
    total: int | None = Field(None, ge=0, description="Number of all rows, if these are the first ones.")
    width: int = Field(WIDTH, ge=NARROWEST, le=WIDEST, description="Pixels.")

    @field_validator("outcome", mode="before")
    @classmethod
    def _with_rows_of_lists(cls, given: Any) -> Any:
        """Take rows of one measure that are written as lists, which need less room: `["2025-01", "paid", 12]`."""
        rows, groups = (given.get(name) for name in ("rows", "groups")) if isinstance(given, dict) else (None, None)
        if not (isinstance(rows, list) and isinstance(groups, list) and rows and isinstance(rows[0], list)):
            return given
        if not all(isinstance(one, list) and len(one) == len(groups) + 1 for one in rows):
            return given
        keys = [one[0] if len(groups) == 1 else dict(zip(map(str, groups), one, strict=False)) for one in rows]
        return {**given, "rows": [{"key": key, "value": one[-1]} for key, one in zip(keys, rows, strict=True)]}

    @model_validator(mode="after")
    def _rows_fit(self) -> ChartRequest:
        found = self.outcome
        fit = all(_has(row.key, found.groups) and _has(row.value, found.measures) for row in found.rows)
        if not fit or len(found.row_units) not in (0, len(found.rows)):
            raise PydanticCustomError("chart_rows", "rows with a key for each group and a value for each measure")
        return self


def _has(given: Any, names: Sequence[str]) -> bool:
    """Whether a row has a part for each name: the part itself for one name, an object for several."""
    return len(names) == 1 or (isinstance(given, dict) and set(names) <= given.keys())


class CheckRequest(_Given):
    program: Text
    params: dict[str, Any] = {}
    timezone: Zone = None


class CompleteRequest(_Given):
    program: Text = Field(description="The text so far.")
    cursor: int | None = Field(None, ge=0, description="A character offset. The default is the end of the text.")


class TurnRequest(_Given):
    text: Text = Field(description="The message.")
    size: int = Field(10, ge=0, description="Hits per page.")
    timezone: Zone = None
    deadline: float | None = Field(None, gt=0, description="Seconds for the whole answer.")


class Checked(BaseModel):
    """The diagnostics of a program. `text` is its canonical form, empty after a syntax error."""

    text: str
    failed: bool
    diagnostics: list[Note]


class Candidate(BaseModel):
    """`text` replaces the program from `start` to the cursor."""

    text: str
    start: int
    kind: str
    detail: str = ""


class Completed(BaseModel):
    candidates: list[Candidate]


class Created(BaseModel):
    id: str


class ConversationList(BaseModel):
    ids: list[str]


class History(BaseModel):
    """A conversation so far. `turns` are as the Python API keeps them."""

    model_config = ConfigDict(extra="allow")

    version: int
    turns: list[dict[str, Any]] = []


class Turn(BaseModel):
    """The answer to a message: `qlc.conversation.Reply` as data."""

    number: int
    text: str
    origin: str
    outcomes: list[Outcome]
    narrative: str = ""
    narrated: list[int] = []
    notes: list[str] = []
    has_more: bool = False
    cursor: str | None = None

    @classmethod
    def of(cls, reply: Reply) -> Turn:
        return cls.model_validate(reply, from_attributes=True)


class Health(BaseModel):
    status: Literal["ok", "unavailable"]
    version: str
    detail: str = ""
