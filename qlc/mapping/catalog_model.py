"""The catalog file as data: what may be in it, in which short forms, and what each key is for.

The descriptions of the keys are what the JSON Schema shows in an editor, so they are written for whoever knows the
index, not for programmers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal

from pydantic import (
    AfterValidator,
    AliasChoices,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    WithJsonSchema,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError

from qlc.base.errors import OptionError
from qlc.base.options import zone_of


def _as_text(value: Any) -> Any:
    """Convert a value that YAML reads as a number or a switch back to text, for values of keywords."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int | float) else value


def _as_list(value: Any) -> Any:
    return value if isinstance(value, list | tuple) or value is None else [value]


def _as_spellings(value: Any) -> Any:
    """Accept `[a, b]` for stored values without other spellings."""
    if isinstance(value, list | tuple):
        return {_as_text(item): [] for item in _scalars(value)}
    if isinstance(value, dict):
        return {_as_text(stored): [] if other is None else _as_list(other) for stored, other in value.items()}
    return value


def _as_constants(value: Any) -> Any:
    """Accept `[root]` or `root` for a constant whose stored value is its name."""
    if isinstance(value, dict):
        return value
    return {name: name for name in _scalars(_as_list(value))} if isinstance(value, str | list | tuple) else value


def _scalars(values: Sequence[Any]) -> Sequence[Any]:
    if any(isinstance(one, list | tuple | dict) for one in values):
        raise PydanticCustomError("catalog_texts", "a list of texts: [one, two]")
    return values


_SCALAR = {"type": ["string", "number", "boolean"]}
_SCALARS = {"anyOf": [_SCALAR, {"type": "array", "items": _SCALAR}]}
_STRINGS = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
_TEXT_MAP = {"type": "object", "additionalProperties": _SCALAR}

Scalar = Annotated[str, BeforeValidator(_as_text), WithJsonSchema(_SCALAR)]
Texts = Annotated[tuple[Scalar, ...], BeforeValidator(_as_list), WithJsonSchema(_SCALARS)]
Names = Annotated[tuple[str, ...], BeforeValidator(_as_list), WithJsonSchema(_STRINGS)]
_STORED_WITH_SPELLINGS = {"type": "object", "additionalProperties": {"anyOf": [*_SCALARS["anyOf"], {"type": "null"}]}}
_SPELLINGS = {"anyOf": [{"type": "array", "items": _SCALAR}, _STORED_WITH_SPELLINGS]}
Spellings = Annotated[dict[str, Texts], BeforeValidator(_as_spellings), WithJsonSchema(_SPELLINGS)]
Constants = Annotated[
    dict[str, Scalar], BeforeValidator(_as_constants), WithJsonSchema({"anyOf": [*_STRINGS["anyOf"], _TEXT_MAP]})
]

LooseMatch = Literal["folded", "extension", "words", "near"]
Version = Annotated[Literal[1], BeforeValidator(lambda value: 1 if value == "1" else value)]
def _zone(value: str) -> str:
    try:
        zone_of(value)
    except OptionError as wrong:
        raise PydanticCustomError("catalog_zone", "{hint}", {"hint": wrong.hint.removeprefix("use ")}) from None
    return value


Zone = Annotated[str, AfterValidator(_zone)]
LONGEST_LABEL = 100
"""Most characters of a label, which is the header of a column."""


def _label(value: str) -> str:
    if len(value) > LONGEST_LABEL:
        raise PydanticCustomError("catalog_label", "a text of at most {most} characters", {"most": LONGEST_LABEL})
    return " ".join(value.split())


Label = Annotated[str, AfterValidator(_label)]
Weekday = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


def said(description: str, default: Any = ..., **more: Any) -> Any:
    """Declare a key of the catalog by its description and its default; without a default it is required."""
    return Field(default, description=description, **more)


class Part(BaseModel):
    """A mapping of the catalog. A plain text in its place is the value of the key `short`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    short: ClassVar[str] = ""

    @classmethod
    def written_keys(cls) -> list[str]:
        """Return the keys as a file writes them."""
        named = ((name, one.validation_alias) for name, one in cls.model_fields.items())
        return [alias if isinstance(alias, str) else name for name, alias in named]

    @model_validator(mode="before")
    @classmethod
    def _from_short_form(cls, value: Any) -> Any:
        if cls.short and isinstance(value, str):
            return {cls.short: value}
        return value

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        described = handler.resolve_ref_schema(handler(schema))
        if not cls.short:
            return described
        description = described.pop("description", "")
        return {"description": description, "anyOf": [{"type": "string"}, described]}


def _lonely(key: str, message: str) -> PydanticCustomError:
    """Return the error for a key that requires another one."""
    return PydanticCustomError("catalog_together", message, {"key": key})


class FieldPart(Part):
    """A field: its path in the mapping, alone or with what the mapping cannot tell."""

    short = "path"

    path: str = said("Where the mapping has it, with dots: commonAttributes.sizeInBytes")
    label: Label = said("What people read in place of the name, in tables and sentences; left out: the label of the "
                        "mapping's 'meta'", "")
    words: Names = said("What else users call it; case, spaces, hyphens and underscores do not count", ())
    description: str = said("One sentence for people and for the language model", "")
    unit: str | None = said("The unit that the numbers are stored in: bytes, minutes, km, percent, EUR", None)
    unit_field: str | None = said("The name of the field that holds each amount's unit: a currency", None)
    base_units: bool = said("With unit_field: every amount is stored in the base unit of what it measures (V, m, kg), "
                            "so that an amount in another unit is converted", False)
    values: Spellings | None = said("All values there are, as stored: a list, or each with its other spellings", None)
    aliases: Spellings = said("What else users call some values of a field without 'values': Los Angeles: [LA]", {})
    groups: dict[str, Texts] = said("Names for several of the values at once", {})
    list: bool | None = said("Whether one document can have several values; left out: not known", None)
    adds_up: bool = said("false: the numbers have no sum that means anything: years, rates, coordinates", True)
    case: Literal["exact", "ignore"] | None = said(
        "exact: texts that differ by upper and lower case only are different, Co and CO; ignore: they are the same, "
        "also for an id, pg7 and PG7; left out: exact for ids, else ignore", None
    )
    whole_days: bool = said("A date without a time, such as a due date, compared by calendar day", False)
    sensitive: bool = said("Neither queried, shown nor suggested unless the caller may see it", False)
    refers_to: str | None = said("The entity (singular) whose id the field holds", None)
    name_at: str | None = said("The path of the name that is stored beside the id", None)
    constants: Constants = said("Names of stored values that are not ids: root", {})
    under: str | None = said("The path of the ids of everything above, for 'under' in one step", None)

    @model_validator(mode="after")
    def _belongs_together(self) -> FieldPart:
        if self.refers_to is None:
            for key in ("name_at", "constants", "under"):
                if getattr(self, key):
                    raise _lonely(key, "'{key}' is for a reference, and 'refers_to' is missing")
        if self.base_units and self.unit_field is None:
            raise _lonely("base_units", "'base_units' is for a field with a 'unit_field', and that is missing")
        if self.aliases and (self.values is not None or self.refers_to is not None):
            raise _lonely("aliases", "'aliases' is for a field without 'values' and without 'refers_to'")
        if self.groups and self.values is None:
            raise _lonely("groups", "'groups' names some of the 'values', and 'values' is missing")
        return self


class ListPart(Part):
    """A list of elements with fields of their own; nested in the mapping, so that conditions meet in one element."""

    short = "path"

    path: str = said("Where the mapping has the list: sharing.permissions")
    fields: dict[str, FieldPart] = said("The fields of one element; their paths begin at the element. Left out: all "
                                        "that are mapped", {})
    key: str | None = said("Of a key/value list: the element's field that holds the key", None)
    value: str | None = said("Of a key/value list: the element's field that holds the value", None)
    similar: tuple[Names, ...] | None = said(
        "Of a key/value list: keys that mean the same, in lists; with this key, also "
        'empty, keys are found by their words: list["panel width"]',
        None,
    )
    words: Names = said("What else users call the list", ())
    description: str = said("One sentence for people and for the language model", "")
    sensitive: bool = said("As of a field, for the whole list", False)

    @model_validator(mode="after")
    def _key_and_value(self) -> ListPart:
        if (self.key is None) != (self.value is None):
            missing = "key" if self.key is None else "value"
            raise _lonely(missing, "a key/value list has 'key' and 'value', and '{key}' is missing")
        return self


class SourcePart(Part):
    """A pair of fields with ids and names of an entity without documents."""

    key: str = said("The path of the id")
    name: str = said("The path of the name")
    entity: str | None = said("The entity (singular) whose documents have the pair; left out: all", None)


class ConditionPart(Part):
    """A named condition: its text, alone or with what else it is called."""

    short = "means"

    means: str = said("The condition in the query language: due < today")
    words: Names = said("What else questions in words call it: not settled", ())


class ComputedPart(Part):
    """A field or a measure that no document stores: its calculation, alone or with what it is called."""

    short = "is"

    calculation: str | None = said("A field, calculated from other fields of one document: (revenue - cost) / revenue",
                                   None, validation_alias="is")
    measure: str | None = said("A measure of several documents: sum(quantity * unit_price)", None)
    label: Label = said("What people read in place of the name, in tables and sentences", "")
    words: Names = said("What else users call it; case, spaces, hyphens and underscores do not count", ())
    description: str = said("One sentence for people and for the language model", "")
    unit: str | None = said("The unit of its numbers; left out: that of the calculation. %: a part, 0.25 or 25%", None)
    adds_up: bool = said("Of a field, false: the numbers have no sum that means anything, as of rates", True)

    @model_validator(mode="after")
    def _field_or_measure(self) -> ComputedPart:
        if (self.calculation is None) == (self.measure is None):
            given = "'is' makes it a field and 'measure' a measure, and it has "
            raise _lonely("is", given + ("neither" if self.measure is None else "both"))
        return self

    @property
    def text(self) -> str:
        """The calculation of the field or the measure."""
        return self.calculation or self.measure or ""

    @property
    def key(self) -> str:
        """The key that has the calculation."""
        return "measure" if self.calculation is None else "is"


class Shared(Part):
    """Settings that entities share: under `defaults` for all of them, under an entity for that one."""

    id: str | None = said("The name of the field that identifies a document; left out: its _id", None)
    id_pattern: str | None = said("A regular expression of what ids look like, for the whole id", None)
    names: Names | None = said("The names of the fields that names are looked up in", None)
    normalized_name: str | None = said("The path of a keyword with a normalizer that folds case and accents, for large "
                                       "indices", None)
    path: str | None = said("The name of the field with the readable path", None)
    path_separator: str | None = said("What separates the parts of a path: / if left out", None)
    parent: str | None = said("The name of the reference to the container of an entry", None)
    text: Names | None = said("The names of the text fields that 'about' and 'mentions' search", None)
    vector: str | None = said("The name of the vector field for 'about'", None)
    passages: str | None = said("The entity that has the parts of its text, and the field by which they belong to it: "
                                "passage.document. 'about' ranks by the best of them", None)
    show: Names | None = said("The names of the fields shown for a hit", None)
    tell_apart: Names | None = said("The names of the fields that tell entries of one name apart when the user is "
                                      "asked", None)
    sort: str | None = said("The order where a question has none: created desc, name", None)
    date: str | None = said("The name of the date meant where a question names none: in 2024", None)
    number: str | None = said("The name of the number meant where a question names none: over 500", None)
    conditions: dict[str, ConditionPart] = said("Named conditions, each written in the query language", {})
    computed: dict[str, ComputedPart] = said("Fields and measures that are calculated, each by its name", {})
    access: str | None = said("A condition that every search carries, with $parameters from the caller's context", None)
    match_steps: tuple[LooseMatch, ...] | None = said(
        "How loosely names are looked up, after the exact name: all of them if left out", None,
        validation_alias=AliasChoices("match_steps", "rungs"),
    )
    open_paths: bool | None = said("false: what the catalog leaves out cannot be asked for by its mapping path", None)


class EntityPart(Shared):
    """A kind of thing that people ask for. Its key is the singular."""

    plural: str | None = said("Left out: the singular and an s", None)
    words: Names = said("What else users call it, in singular and plural", ())
    description: str = said("One sentence for people and for the language model", "")
    index: str | None = said("The index, alias or pattern; left out: the catalog's", None)
    where: dict[str, Texts] = said("The stored values that make a document one of these, by path", {})
    fields: dict[str, FieldPart] = said("Fields of this entity alone", {})
    lists: dict[str, ListPart] = said("Lists of this entity alone", {})
    virtual: bool = said("It has no documents of its own: pairs of id and name in the references that point at it",
                         False)
    sources: tuple[SourcePart, ...] = said("The pairs of id and name; left out: every reference to it that has a "
                                           "name_at", ())


class BoundsPart(Part):
    """Limits of cost: a question beyond a bound is refused, never cut."""

    set_size: int = said("Ids or values taken from a query inside a query", 100_000, gt=0)
    names: int = said("Names read to look one up loosely", 100_000, gt=0)
    rows: int = said("Rows of an answer", 100_000, gt=0)
    depth: int = said("Levels of a hierarchy without stored ancestors", 50, gt=0)
    pairs: int = said("Values that two fields share, where one is compared with the other", 10_000, gt=0)
    ranges: int = said("Days or hours in a condition on weekdays, hours or months, and dates of a set", 10_000, gt=0)
    scripts: int = said("Documents for which something is calculated in one search", 10_000_000, gt=0)


class ExamplePart(Part):
    """A question in words and the query that answers it, for the language model."""

    words: str = said("The question as users ask it", min_length=1)
    query: str = said("The query that answers it", min_length=1)


class CatalogFile(Part):
    """The catalog of a deployment: what people call the things in an index, and what its mapping cannot tell."""

    version: Version = said("The version of this format: 1")
    index: str = said("The index, alias or pattern that the entities are in")
    description: str = said("What the index holds", "")
    entities: dict[str, EntityPart] = said("The kinds of things, by their singular", min_length=1)
    fields: dict[str, FieldPart] = said("Fields of all entities of the index, by short name", {})
    lists: dict[str, ListPart] = said("Lists of all entities of the index, by short name", {})
    defaults: Shared = said("What all entities of the index have unless they say otherwise", Shared())
    examples: tuple[ExamplePart, ...] = said("Questions in words and their queries: six to ten of different kinds "
                                             "teach a model most", ())
    bounds: BoundsPart = said("Where exact answers would cost too much", BoundsPart())
    week_start: Weekday = said("The first day of the week", "monday")
    timezone: Zone = said("The time zone of dates in access rules, whatever the caller's: Europe/Berlin, +02:00", "UTC")
