"""The schema as data, for a page that edits queries: kinds of things, their fields, and each condition of a program."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel

from qlc.base.beside import beside
from qlc.compiler.completion import open_conditions, open_measures
from qlc.grammar import SyntaxProblem, parse, print_condition, print_path, print_statement, print_value, tree
from qlc.grammar.printer import print_area
from qlc.mapping.schema import Schema
from qlc.translator.model.fields import Fields
from qlc.translator.model.sensitivity import open_examples

from .bodies import BodyRoute
from .problems import Problem, model_json
from .schemas import CheckRequest
from .service import service_of

routes = APIRouter(prefix="/v1", tags=["catalog"], route_class=BodyRoute)

MOST_FIELDS = 2_000
"""Fields that are listed of a larger mapping."""


class MeasureInfo(BaseModel):
    """A measure that the catalog defines by a calculation."""

    name: str
    calculation: str
    words: list[str] = []
    description: str = ""
    unit: str = ""


class Kind(BaseModel):
    """A kind of thing. `conditions` are its named conditions, `measures` its named measures, each with what it stands
    for."""

    name: str
    plural: str
    words: list[str] = []
    description: str = ""
    conditions: dict[str, str] = {}
    measures: list[MeasureInfo] = []
    is_counted: bool = True


class FieldInfo(BaseModel):
    """A field as programs write it. `label` is what people read in place of the name, if that is another one; `kinds`
    are the names of what has it; `values` all that it can be; `calculation` what it is calculated from."""

    name: str
    label: str = ""
    type: str
    kinds: list[str]
    words: list[str] = []
    description: str = ""
    unit: str = ""
    calculation: str = ""
    refers_to: str | None = None
    values: list[str] | None = None
    is_list: bool = False


class Catalog(BaseModel):
    description: str = ""
    kinds: list[Kind]
    fields: list[FieldInfo]
    examples: list[str] = []
    truncated: bool = False


class Row(BaseModel):
    """A condition: its text, and its parts where it compares a field with a value."""

    text: str
    field: str | None = None
    operator: str | None = None
    value: str | None = None


class Outline(BaseModel):
    """A program is `head`, `where` with its rows joined by `and`, and `tail`."""

    head: str
    rows: list[Row]
    tail: str


@routes.get("/catalog", response_model=Catalog, operation_id="getCatalog")
async def catalog(request: Request) -> Any:
    """Kinds of things and their fields; sensitive fields are not among them."""
    service = service_of(request)

    async def read() -> Catalog:
        compiler = (await service.backend.asker()).compiler
        await compiler.load()
        return await beside(described, compiler.schema)

    return await service.answer(request, read(), model_json)


@routes.post("/outline", response_model=Outline, operation_id="outline")
async def outline(given: CheckRequest, request: Request) -> Any:
    """The conditions of a program one by one, for a form that edits them."""
    return await service_of(request).answer(request, beside(outlined, given.program), model_json)


def described(schema: Schema) -> Catalog:
    kinds = [
        Kind(
            name=one.name, plural=one.plural, words=list(one.words), description=one.description or "",
            conditions=dict(open_conditions(one, schema)),
            measures=[MeasureInfo(name=each.name, calculation=each.text, words=list(each.words),
                                  description=each.description, unit=each.unit or "") for each in open_measures(one)],
            is_counted=not one.virtual,
        )
        for one in schema.entities.values()
    ]  # fmt: skip
    offered = Fields(schema).offered
    fields = [
        FieldInfo(
            name=one.name, label=one.field.label, kinds=list(one.entities),
            type="reference" if one.field.reference else str(one.field.kind),
            words=list(one.field.words), description=one.field.description or "", unit=one.field.shown_unit or "",
            calculation=one.field.calculation,
            refers_to=one.field.reference.entity if one.field.reference else None,
            values=list(one.field.values.display) if one.field.values is not None else None,
            is_list=bool(one.field.many),
        )
        for one in offered[:MOST_FIELDS]
    ]  # fmt: skip
    return Catalog(
        description=schema.description or "", kinds=kinds, fields=fields,
        examples=[one.words for one in open_examples(schema)], truncated=len(offered) > MOST_FIELDS,
    )  # fmt: skip


def outlined(program: str) -> Outline:
    """Split a program into its conditions. Raises Problem after a syntax error, or if the program has other parts, as
    `let`."""
    try:
        whole = parse(program)
    except SyntaxProblem as problem:
        raise Problem(422, "syntax", f"The program cannot be read: {problem}") from None
    statement = whole.statement
    is_of_rows = isinstance(statement, tree.Aggregate) and statement.counted
    if not isinstance(statement, tree.Find | tree.Aggregate) or is_of_rows or whole.lets or whole.comments:
        raise Problem(422, "no-rows",
                      "Only a search without 'let' and comments has conditions that can be edited one by one.")
    plain = replace(statement, where=None)
    bare = (
        replace(plain, sort=(), limit=None, offset=None, ties=False, top_per=None, show=(), every=False)
        if isinstance(plain, tree.Find)
        else replace(plain, groups=(), having=None, sort=(), limit=None, offset=None)
    )  # fmt: skip
    head = print_statement(bare)
    where = statement.where
    items = where.items if isinstance(where, tree.And) else () if where is None else (where,)
    return Outline(head=head, rows=[_row(one) for one in items], tail=print_statement(plain)[len(head) :].strip())


def _row(condition: tree.Condition) -> Row:
    text = f"({print_condition(condition)})" if isinstance(condition, tree.Or) else print_condition(condition)
    match condition:
        case tree.Comparison(left=tree.Path() as path, operator=operator, right=value, within=None):
            return Row(text=text, field=print_path(path), operator=operator, value=print_value(value))
        case tree.Presence(left=path, missing=missing):
            return Row(text=text, field=print_path(path), operator="missing" if missing else "exists", value="")
        case tree.Bare(path=path):
            return Row(text=text, field=print_path(path), operator="=", value="true")
        case tree.Spatial(left=path, relation=relation, area=area):
            return Row(text=text, field=print_path(path), operator=relation, value=print_area(area))
        case tree.Overlaps(left=path, low=low) if not isinstance(low, tree.String):
            ends = text.removeprefix(f"{print_path(path)} overlaps ")
            return Row(text=text, field=print_path(path), operator="overlaps", value=ends)
        case _:
            return Row(text=text)
