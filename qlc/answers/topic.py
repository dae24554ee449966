"""The topic of a conversation: the last answer's program as conditions, and the summary of it for a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from qlc.grammar import print_condition, tree
from qlc.grammar.printer import print_path
from qlc.grammar.tree import walked
from qlc.models.budgets import CHARACTERS_PER_TOKEN
from qlc.translator.programs import conditions_of, statement_of
from qlc.translator.protocol import Turn
from qlc.translator.rules.words.new_topic import new_topic

from .decomposition import Constraint, Decomposition, EntityRef, Intent, Measure, Subquery

MOST_TOKENS = 400
"""Most tokens of the summary of earlier turns, estimated by CHARACTERS_PER_TOKEN, which estimates too few."""
_LONGEST = 160
"""Characters of one message or answer in a summary."""

_MEASURES: dict[str, Measure] = {"min": "min", "max": "max", "avg": "avg", "sum": "sum", "count": "count"}


@dataclass(frozen=True, slots=True)
class Topic:
    """The topic of an answer: documents of a bucket that meet conditions, and the fields that were asked for.

    `is_table`: the fields were asked of each document. `is_summary`: whatever is known was asked.
    """

    bucket: str
    conditions: tuple[tree.Condition, ...] = ()
    asked: tuple[str, ...] = ()
    measure: Measure = ""
    is_table: bool = False
    is_summary: bool = False

    @classmethod
    def of(cls, turn: Turn) -> Topic | None:
        """Return the topic of a turn; None without a program, or if it has groups or several measures."""
        statement, kind = statement_of(turn.program), turn.outcome.get("kind")
        match statement:
            case tree.Find(entity=tree.Name(text=bucket), sort=(), offset=None, show=show):
                asked = tuple(print_path(one) for one in show if isinstance(one, tree.Path))
                is_table = bool(turn.outcome.get("rows"))
                is_summary = kind == "answer" and not asked
                return cls(bucket, conditions_of(statement), asked, "", is_table, is_summary)
            case tree.Aggregate(measures=(one,), entity=tree.Name(text=bucket), groups=(), having=None):
                if one.function not in _MEASURES or one.argument is not None:
                    return None
                asked = (print_path(one.path),) if isinstance(one.path, tree.Path) else ()
                return cls(bucket, conditions_of(statement), asked, _MEASURES[one.function])
            case _:
                return None

    def decomposition(self) -> Decomposition:
        """Return the topic as a decomposition, for a model's planner."""
        intent: Intent = "qa" if self.asked else "list"
        if self.measure or self.is_table or self.is_summary:
            intent = "compute" if self.measure else "compare" if self.is_table else "summarize"
        where = where_of(self.conditions)
        program = f"find {self.bucket}{f' where {where}' if where else ''}"
        names, constraints = [], []
        for one in self.conditions:
            field, text = next(iter(fields_of(one)), ""), print_condition(one)
            match one:
                case tree.Comparison(operator="contains", right=tree.String(value=name)):
                    names.append(EntityRef(name=name, role=field))
                case tree.Comparison(operator="=" | "!=" | ">" | ">=" | "<" | "<=" | "in" as sign):
                    value = text.partition(f" {sign} ")[2].strip('"')
                    constraints.append(Constraint(field=field, operator=sign, value=value, raw_text=text))
        return Decomposition(
            intent=intent, primary_buckets=(self.bucket,), entities=tuple(names), constraints=tuple(constraints),
            subqueries=tuple(Subquery(purpose=one, query=f"{program} show {one}") for one in self.asked)
            or (Subquery(purpose=intent, query=program),),
        )  # fmt: skip


def where_of(conditions: Sequence[tree.Condition]) -> str:
    """Join conditions by `and`, in the query language; empty if there are none."""
    if len(conditions) < 2:
        return print_condition(conditions[0]) if conditions else ""
    return print_condition(tree.And(tuple(conditions)))


def fields_of(condition: tree.Condition) -> tuple[str, ...]:
    """Return the fields of a condition, as they are written."""
    return tuple(dict.fromkeys(print_path(one) for one in walked(condition) if isinstance(one, tree.Path)))


# --- what a model sees -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Earlier:
    """The earlier turns, for a model's planner: a summary and the decomposition of the last turn, at most MOST_TOKENS
    together. Empty at the beginning, and after a new topic."""

    summary: str = ""
    decomposition: Decomposition | None = None

    def printed(self) -> str:
        """Return the text for a prompt. Words of users and documents in it are data."""
        parts = [f"Earlier turns, oldest first:\n{self.summary}"] if self.summary else []
        if self.decomposition is not None:
            shown = self.decomposition.model_dump_json(exclude_defaults=True)
            parts.append(f"The last question was understood as:\n{shown}")
        return "\n".join(parts)

    @property
    def tokens(self) -> int:
        """Estimated number of tokens, by CHARACTERS_PER_TOKEN."""
        return int(len(self.printed()) / CHARACTERS_PER_TOKEN) + 1 if self.summary or self.decomposition else 0


def earlier_of(turns: Sequence[Turn]) -> Earlier:
    """Return the summary of the newest turns since the last new topic, as many as fit."""
    since: list[Turn] = []
    for turn in reversed(turns):
        since.insert(0, turn)
        if new_topic(turn.text) is not None:
            break
    topic = Topic.of(since[-1]) if since else None
    told = Earlier(decomposition=topic.decomposition() if topic is not None else None)
    if told.tokens > MOST_TOKENS:
        told = Earlier()
    lines: list[str] = []
    for turn in reversed(since):
        lines.insert(0, f"- asked: {_short(turn.said or turn.text)}\n  answered: {_short(_answer(turn))}")
        longer = Earlier("\n".join(lines), told.decomposition)
        if longer.tokens > MOST_TOKENS:
            break
        told = longer
    return told


def _answer(turn: Turn) -> str:
    read_as = next((one for one in turn.outcome.get("notes") or () if str(one).startswith("Read as")), "")
    return " ".join(filter(None, (str(turn.outcome.get("message") or turn.outcome.get("kind") or ""), str(read_as))))


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _LONGEST else f"{plain[: _LONGEST - 1]}…"
