"""The constraints and names of a language model's plan, checked against the question, the fields and the documents."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from qlc.answers.conditions import Condition, can_be, compared
from qlc.answers.decomposition import Constraint, EntityRef
from qlc.answers.naming import Name
from qlc.answers.searching import Searches, label_of
from qlc.answers.terms import restricts_otherwise
from qlc.base.words.sentences import listed
from qlc.base.words.spelling import nearest
from qlc.corpus.schema import FieldPart
from qlc.grammar.printer import print_string
from qlc.language.comparisons import Comparison, Operator, comparisons, in_currency, period_comparisons
from qlc.language.quantities import Style, named_currency, quantities
from qlc.language.units import convert
from qlc.outcome import Invalid

from .forms import Joined
from .prompts import all_fields

_MOST_VALUES = 200
"""Values of a field among which near ones are looked for."""
_MOST_SHOWN = 8
"""Values of a field that are shown where none is near."""
_PERIOD = re.compile(
    r"\d{4}(?:-\d\d|-[qw]\d{1,2})?|(?:this|last|next) (?:year|month|week|quarter)|today|yesterday|tomorrow",
    re.IGNORECASE,
)


@dataclass
class Within:
    """Checks a model's plan against the question and the fields of a bucket. `near` collects values and fields that
    resemble unknown ones; `limits` are notes on what a condition on another bucket leaves out."""

    question: str
    bucket: str
    fields: Mapping[str, FieldPart]
    searches: Searches
    near: dict[str, list[str]] = field(default_factory=dict)
    limits: list[str] = field(default_factory=list)

    def says(self, part: str) -> bool:
        """Whether a text is a part of the question. Other texts are neither quoted nor searched for."""
        said, asked = (" ".join(text.casefold().split()) for text in (part, self.question))
        return bool(said) and said in asked

    def condition(self, one: Constraint) -> Condition | Name | str:
        """Return the condition of a constraint, after compiling it, or an error."""
        if not self.says(one.raw_text):
            return f"raw_text {one.raw_text[:80]!r} is not a part of the question"
        part = self.fields.get(one.field)
        if part is None:
            self.near[one.field[:60]] = nearest(one.field, self.fields)
            return f"{self.bucket} have no field '{one.field[:60]}'"
        rows, _, inner = one.field.rpartition(".")
        if one.value is None or one.value == [] or (isinstance(one.value, str) and not one.value.strip()):
            if one.operator not in ("=", "!="):
                return "an empty value goes with = (no value is known) or != (any value)"
            exists = f"{rows}[{inner} exists]" if rows else f"{one.field} exists"
            text = exists if one.operator == "!=" else f"not {exists}" if rows else f"{one.field} missing"
            return Condition(rows or one.field, text, one.raw_text, one)
        if isinstance(one.value, list) and part.type != "choice":
            return self._one_of(one)
        if part.type in ("name", "text"):
            if one.operator not in ("=", "!=", "in", "contains"):
                return f"a field of type {part.type} has no {one.operator}"
            if one.operator == "!=" and not rows:
                text = f"{one.field} exists and not {one.field} contains {print_string(str(one.value))}"
                return Condition(one.field, f"({text})", one.raw_text, one)
            return self.name(EntityRef(name=str(one.value), role=one.field))
        made = _typed(one.model_copy(update={"field": inner}), part)
        if made is None:
            self.near[one.field] = list(part.values)[:40]
            unit = f" in {part.unit}" if part.unit else ""
            return f"{str(one.value)[:80]!r} is not a value of a field of type {part.type}{unit}"
        if rows:
            made = replace(made, field=rows, text=f"{rows}[{made.text}]", constraint=one)
        if (otherwise := _raw_text_mismatch(one)) is not None:
            return otherwise
        wrong = self._invalid(made.text)
        return wrong if wrong is not None else made

    def _invalid(self, text: str) -> str | None:
        """Return what the compiler says against a condition; None if it compiles."""
        program = f"count {self.bucket} where {text}"
        found = self.searches.run("check", program, "whether the condition can be checked")
        if not isinstance(found, Invalid):
            return None
        return "; ".join(f"{note.message} ({note.hint})" for note in found.diagnostics[:2])

    def _one_of(self, one: Constraint) -> Condition | str:
        """Return the condition that one of several values holds, or none of them; or an error."""
        if one.operator not in ("=", "in", "contains", "!="):
            return f"{one.operator} takes one value, no list"
        is_none = one.operator == "!="
        texts = []
        for value in one.value:
            made = self.condition(one.model_copy(update={"value": value, "operator": "!=" if is_none else "="}))
            if isinstance(made, str):
                return made
            texts.append(made.condition() if isinstance(made, Name) else made.text)
        text = f"({(' and ' if is_none else ' or ').join(texts)})"
        return Condition(one.field.partition(".")[0], text, one.raw_text, one)

    def joined(self, one: Joined) -> Condition | str:
        """Return the condition that a field has one of the values that documents of another bucket have, or an error.

        `premises in (find inspections where result = "failed").site`. Values that only the other bucket has, and
        documents there that do not tell a field, go into `limits`.
        """
        if not self.says(one.raw_text):
            return f"raw_text {one.raw_text[:80]!r} is not a part of the question"
        bucket = self.searches.schema.file.buckets.get(one.bucket)
        if bucket is None:
            return f"there is no bucket '{one.bucket[:60]}'"
        inner = Within(self.question, one.bucket, all_fields(bucket), self.searches, self.near)
        for within, name in ((self, one.field), (inner, one.its_field)):
            if within.fields.get(name) is None or "." in name or within.fields[name].type in ("text", "rows"):
                self.near[name[:60]] = nearest(name, within.fields)
                return f"{within.bucket} have no field '{name[:60]}' with names, choices, dates or numbers"
        texts = []
        for constraint in one.constraints:
            made = inner.condition(constraint)
            if isinstance(made, str):
                return made or f"no value of {constraint.field[:60]} is known in {one.bucket}"
            texts.append(made.condition() if isinstance(made, Name) else made.text)
        where = " where " + " and ".join(texts) if texts else ""
        text = f"{one.field} in (find {one.bucket}{where}).{one.its_field}"
        text = f"({one.field} exists and not {text})" if one.negated else text
        if (wrong := self._invalid(text)) is not None:
            return wrong
        self.limits += self._left_out(one, " and ".join([*texts, f"{one.its_field} exists"]))
        return Condition(one.field, text, one.raw_text)

    def _left_out(self, one: Joined, where: str) -> Iterator[str]:
        """Yield notes on values that no document here has, and on documents of the other bucket that miss a field."""
        asked = (f"{one.bucket} where {where}", one.its_field), (f"{self.bucket} where {one.field} exists", one.field)
        found = self.searches.together(
            [("near", f"count {of} by {name} limit {_MOST_VALUES}", f"values of {name}") for of, name in asked]
        )
        theirs, ours = ({label_of(row.key) for row in getattr(rows, "rows", ())} for rows in found)
        if len(ours) < _MOST_VALUES and (alone := sorted(theirs - ours)):
            values = listed([f"'{value}'" for value in alone[:_MOST_SHOWN]])
            more = f" and {len(alone) - _MOST_SHOWN} more" if len(alone) > _MOST_SHOWN else ""
            yield f"{one.bucket} have {one.its_field} {values}{more}, which none of the {self.bucket} has."
        fields = list(dict.fromkeys([one.its_field, *(each.field for each in one.constraints)]))
        for name, (known, whole) in self.searches.coverage(one.bucket, fields).items():
            if known < whole:
                yield f"{name.replace('_', ' ')} is known for {known} of {whole} {one.bucket}."

    def name(self, one: EntityRef) -> Name | str:
        """Return a name that documents of the bucket have, or an error; the error is empty if no document has the
        field.

        Values that the caller may not see do not count.
        """
        part = self.fields.get(one.role)
        if part is not None and part.type not in ("name", "text"):
            return f"'{one.role}' has no names: it is of type {part.type}"
        begin = max(self.question.casefold().find(one.name.casefold()), 0)
        name = Name(one.name, frozenset({begin}), (), (), frozenset())
        rows, _, inner = one.role.rpartition(".") if part is not None else ("", "", "")
        among = (one.role,) if part is not None else ("title", "file")
        said = print_string(one.name)
        tried = [replace(name, fields=among, values=(one.name,))]
        if rows:
            tried = [replace(name, fields=(rows,), made=f"{rows}[{inner} contains {said}]", in_rows=True)]
        elif part is None:  # the words of a title, in any order
            words = " and ".join(f"(title contains {text} or file contains {text})"
                                 for text in map(print_string, one.name.split()))  # fmt: skip
            tried.append(replace(name, made=f"({words})"))
        elif part.type == "name":
            tried.append(replace(name, fields=(one.role, "title", "file"), values=(one.name,)))
        if not rows and any(letter.isupper() or letter.isdigit() for letter in one.name):
            tried.append(replace(name, made=f"mentions {said}"))
        for attempt in tried:
            program = f"find {self.bucket} where {attempt.condition()} limit 100"
            total, hits = self.searches.hits("check", program, f"who has {said}")
            if total:
                return replace(attempt, documents=frozenset(hit.id for hit in hits))
        values = [] if rows else list(self._values(among[0]))
        self.near[one.name[:60]] = nearest(one.name, values) or values[:_MOST_SHOWN]
        return f"no {among[0]} has it" if values or rows else ""

    def _values(self, field: str) -> Iterator[str]:
        if field == "title":
            _, hits = self.searches.hits("near", f"find {self.bucket} limit 100 show title", "titles that are near")
            yield from (str(hit.values.get("title")) for hit in hits)
            return
        program = f"count {self.bucket} by {field} limit {_MOST_VALUES}"
        rows: Any = self.searches.run("near", program, f"values of {field}")
        yield from (label for row in getattr(rows, "rows", ()) if (label := label_of(row.key)))


def _raw_text_mismatch(one: Constraint) -> str | None:
    """Return an error if `raw_text` has another amount than the constraint, or compares in the other direction; else
    None."""
    said = [bound for bound in comparisons(one.raw_text) if bound.quantity.kind in ("measure", "money")]
    given = [bound for bound in comparisons(str(one.value)) if bound.quantity.kind != "date"]
    if len(said) != 1 or len(given) != 1 or restricts_otherwise(one.raw_text):
        return None
    asked, amount = said[0].quantity, given[0].quantity
    unit = amount.unit or asked.unit
    number = amount.number if unit == asked.unit else convert(amount.number, unit, asked.unit)
    if number is not None and number != asked.number:
        return f"raw_text says {one.raw_text!r}, and the value is {str(one.value)[:40]!r}"
    sides = {sign[:1] for sign in (said[0].operator, one.operator)} & {"<", ">"}
    return f"raw_text says {one.raw_text!r}, and the operator is {one.operator}" if len(sides) == 2 else None


def _typed(one: Constraint, part: FieldPart) -> Condition | None:
    """A condition on a choice, a truth, a date or an amount; None for a value of another kind."""
    name, said = one.field, str(one.value).strip()
    if part.type == "boolean":
        is_true = {"true": True, "yes": True, "false": False, "no": False}.get(said.lower())
        if is_true is None or one.operator not in ("=", "!=", "in", "contains"):
            return None
        return Condition(name, name if is_true == (one.operator != "!=") else f"not {name}", one.raw_text, one)
    if part.type == "choice":
        listed = one.value if isinstance(one.value, list) else [one.value]
        chosen = [_choice(str(value), part) for value in listed]
        if any(value is None for value in chosen) or one.operator not in ("=", "!=", "in", "contains"):
            return None
        values = ", ".join(print_string(str(value)) for value in chosen)
        text = f"{name} {'not in' if one.operator == '!=' else 'in'} [{values}]"
        if len(chosen) == 1:
            text = f"{name} {'!=' if one.operator == '!=' else '='} {values}"
        return Condition(name, text, one.raw_text, one)
    operator = operator_of(one)
    if part.type == "date" and (times := _times(said, operator)):
        signs = ["in" if sign == "=" and not period.isalpha() else sign for sign, period in times]
        text = " and ".join(f"{name} {sign} {period}" for sign, (_, period) in zip(signs, times, strict=True))
        return Condition(name, f"{name} exists and not ({text})" if operator == "!=" else text, one.raw_text, one)
    found = [in_currency(amount, said) for amount in quantities(said, Style())]
    if part.type == "money" and not found and operator in ("=", "!=") and (currency := named_currency(said)):
        return Condition(name, f"{name}_currency {operator} {print_string(currency[0])}", one.raw_text, one)
    if len(found) != 1 or re.search(r"[^\W\d_]", said[: found[0].start] + said[found[0].end :]):
        return None  # letters beside the number are a unit that qlc does not know: `5 furlongs` is not 5
    bound = Comparison(operator, found[0], one.raw_text, 0, 0)
    if not can_be(bound, part) and not (found[0].kind == "number" and part.type in ("number", "duration", "money")):
        return None
    return Condition(name, compared(name, part, bound)[0], one.raw_text, one)


def operator_of(one: Constraint) -> Operator:
    """Return the comparison of a constraint; `in` and `contains` are `=`."""
    return "=" if one.operator == "in" or one.operator == "contains" else one.operator


def _times(said: str, operator: Operator) -> list[tuple[Operator, str]]:
    """Return a time as comparisons of the query language: `Q1 2024`, `March 2024`; `H1 2024` has two ends."""
    sign: Operator = "=" if operator == "!=" else operator
    if _PERIOD.fullmatch(said):
        return [(sign, said.upper() if said[:1].isdigit() else said.lower())]
    spoken = {"=": "", ">=": "since ", "<=": "up to ", ">": "after ", "<": "before "}[sign] + said
    found = [one for one in period_comparisons(spoken) if one.text == spoken]
    return [(one.operator, one.period) for one in found]


def _choice(said: str, part: FieldPart) -> str | None:
    for value, others in part.values.items():
        if said.casefold() in (one.casefold() for one in (value, *others)):
            return value
    return None
