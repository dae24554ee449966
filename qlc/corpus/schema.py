"""`corpus.yaml`: the buckets of a corpus and the fields of their documents, as their author declares them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator, model_validator
from pydantic_core import PydanticCustomError

from qlc.base.diagnostics import Diagnostic
from qlc.base.words.spelling import did_you_mean, nearest, normal_form
from qlc.grammar.tree import RESERVED as WORDS
from qlc.language.nouns import singular_of
from qlc.language.units import SPELLINGS, unit_of
from qlc.mapping.catalog_model import Names, Spellings
from qlc.mapping.errors import CatalogError
from qlc.mapping.yaml_source import YamlSource, yaml_text

from .values.fields import FieldType, Wanted

GENERIC = "generic"
"""The bucket of files that no other bucket takes."""
NAME_PATTERN = r"^[a-z][a-z0-9_]{0,63}$"

Name = Annotated[str, Field(pattern=NAME_PATTERN)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


_OF_SERIES: Mapping[str, Any] = {
    "year": {"type": "number", "description": "the year in which the period ends"},
    "period": {"type": "name", "description": "the head of the column"},
    "months": {"type": "number", "description": "its length: 12 for a year, 3 for a quarter, 0 for a day"},
}
"""The fields of the rows of a field by period, beside its amount."""


class FieldPart(_Part):
    """A field of a bucket's documents."""

    type: FieldType = Field(description="The type of its values")
    unit: str = Field("", description="The unit that its numbers are stored in; documents may use another one")
    description: str = Field("", description="One sentence; its words help to find values, too")
    words: Names = Field((), description="What else users call it")
    labels: Names = Field((), description="What documents call it: 'Effective Date', 'dated as of'")
    patterns: Names = Field((), description="Texts with {value} in the place of the value")
    values: Spellings = Field(default_factory=dict, description="Of a choice: its values, each with other spellings")
    list: bool = Field(False, description="Whether a document can have several")
    heading: bool = Field(False, description="Whether the first heading is its value where no label leads to one")
    sensitive: bool = Field(False, description="Shown only to callers whose context permits it")
    fields: dict[Name, FieldPart] = Field(default_factory=dict, description="Of rows: the fields of each row")
    by: Literal["", "period"] = Field("", description="Of an amount that statements tell of several periods: period")

    @model_validator(mode="before")
    @classmethod
    def _short(cls, value: Any) -> Any:
        return {"type": value} if isinstance(value, str) else value

    @model_validator(mode="before")
    @classmethod
    def _series(cls, value: Any) -> Any:
        """Make rows of a field by period: a period and an amount each."""
        if not isinstance(value, Mapping) or value.get("by") != "period" or value.get("type") == "rows":
            return value
        if value.get("type") not in ("money", "number"):
            message = "only a field of type money or number can be 'by: period'"
            raise PydanticCustomError("corpus_by", "{told}", {"key": "by", "told": message})
        amount = {key: one for key, one in value.items() if key in ("type", "unit", "sensitive")}
        rest = {key: one for key, one in value.items() if key not in ("type", "unit", "list")}
        return {**rest, "type": "rows", "fields": {**_OF_SERIES, "value": amount}}

    @model_validator(mode="after")
    def _together(self) -> FieldPart:
        if self.unit and unit_of(self.unit) is None:
            message = "'{unit}' is not a unit that qlc knows; docs/corpus.md lists them"
            raise PydanticCustomError("corpus_unit", message, {"key": "unit", "unit": self.unit})
        if (self.type == "choice") != bool(self.values):
            raise PydanticCustomError("corpus_values", "only a choice has 'values', and it needs them", {"key": "type"})
        if (self.type == "rows") != bool(self.fields):
            raise PydanticCustomError("corpus_rows", "only rows have 'fields', and they need them", {"key": "type"})
        if any("{value}" not in pattern for pattern in self.patterns):
            raise PydanticCustomError("corpus_pattern", "a pattern needs {value} for the value", {"key": "patterns"})
        return self

    @property
    def is_confidential(self) -> bool:
        return self.sensitive or any(one.sensitive for one in self.fields.values())

    def wanted(self, name: str, keeper: str = "") -> Wanted:
        """Return the field as the extraction uses it."""
        return Wanted(
            name,
            self.type,
            unit_of(self.unit) or "",
            (*self.labels, *self.words),
            self.description,
            dict(self.values),
            self.patterns,
            tuple(one.wanted(inner) for inner, one in self.fields.items()),
            is_series=self.by == "period",
            is_list=self.list,
            from_heading=self.heading,
            keeper=keeper,
        )


def _as_name(value: Any) -> Any:
    """Join several words to one name: `data sheet` -> `data_sheet`."""
    return re.sub(r"[ -]+", "_", value.strip().lower()) if isinstance(value, str) else value


class BucketPart(_Part):
    """A kind of documents."""

    description: str = Field("", description="One sentence: what is in it")
    singular: Annotated[Name, BeforeValidator(_as_name)] | None = Field(
        None, description="The name of one document; left out, the bucket's without its s"
    )
    words: Names = Field((), description="What else users call its documents, in singular and plural")
    files: Names = Field((), description="Paths of its files below what is added: 'contracts/**'; left out, NAME/**")
    fields: dict[Name, FieldPart] = Field(default_factory=dict, description="The typed fields of its documents")

    @field_validator("fields")
    @classmethod
    def _not_of_all_documents(cls, fields: dict[str, FieldPart]) -> dict[str, FieldPart]:
        for name in OF_ALL_DOCUMENTS & fields.keys():
            told = f"every document has '{name}' already; choose another name, with '{name}' among its 'words'"
            raise PydanticCustomError("corpus_field", "{told}", {"key": name, "told": told})
        return fields


def singular(bucket: str) -> str:
    """Return the default name of one document of a bucket."""
    known = singular_of(bucket)
    if known is not None:
        return known if known != bucket else f"{bucket}_document"
    return bucket[:-1] if bucket.endswith("s") and not bucket.endswith("ss") else f"{bucket}_document"


RESERVED = WORDS | {"document", "documents", "passage", "passages", "section", "sections", "excerpt", "excerpts",
                    "paragraph", "paragraphs"}  # fmt: skip
"""Words of the query language, and names of documents and their parts."""
_NOT_SINGULAR = RESERVED | {"title", "text", "head", "unhyphenated", "page", "page_to", "ordinal", "file", "bucket"}
"""Names that one document cannot have, since passages have fields of these names."""
OF_ALL_DOCUMENTS = frozenset({"file", "bucket", "annotations", "document"})
"""Fields that every answer needs, whatever the bucket."""


class CorpusFile(_Part):
    """The whole file."""

    version: Annotated[Literal[1], BeforeValidator(lambda value: 1 if value == "1" else value)]
    name: str = Field("corpus", description="What people call it")
    description: str = Field("", description="One sentence: what it holds")
    language: str = Field("english", description="Of the texts: their words are stemmed by its rules")
    buckets: dict[Name, BucketPart] = Field(default_factory=dict, description="The kinds of documents")

    @field_validator("buckets")
    @classmethod
    def _distinct(cls, buckets: dict[str, BucketPart]) -> dict[str, BucketPart]:
        taken = {"document", "documents", "passage", "passages"}
        for name, bucket in buckets.items():
            one = bucket.singular or singular(name)
            if names := taken & {name, one}:
                told = f"'{min(names)}' is the name of something else already; choose another, or another 'singular'"
                raise PydanticCustomError("corpus_bucket", "{told}", {"key": name, "told": told})
            taken |= {name, one}
        owner = {normal_form(one): name for name, bucket in buckets.items()
                 for one in (name, bucket.singular or singular(name))}  # fmt: skip
        for name, bucket in buckets.items():
            _check_words(bucket.words, name, owner, name)
            fields = {normal_form(inner): inner for inner in bucket.fields}
            for inner, field in bucket.fields.items():
                _check_words(field.words, inner, fields, name)
        return buckets


def _check_words(words: Iterable[str], name: str, owner: dict[str, str], key: str) -> None:
    """Check that a word belongs to one bucket, and to one field of a bucket. Raises PydanticCustomError."""
    for word in words:
        other = owner.setdefault(normal_form(word), name)
        if other != name:
            told = f"the word '{word}' stands for '{other}' already; remove it from 'words' of '{name}', or from there"
            raise PydanticCustomError("corpus_word", "{told}", {"key": key, "told": told})


class CorpusSchema:
    """The buckets of a corpus. `text` is its YAML, `whole` the schema that this one is a part of."""

    def __init__(self, file: CorpusFile, text: str, whole: CorpusSchema | None = None) -> None:
        self.file = file
        self.text = text
        self.whole = whole or self

    def limited(self, buckets: Mapping[str, BucketPart]) -> CorpusSchema:
        """Return this schema with only these buckets. Values stay at the paths of the whole schema."""
        return CorpusSchema(self.file.model_copy(update={"buckets": dict(buckets)}), self.text, self.whole)

    def fields(self, bucket: str) -> Mapping[str, FieldPart]:
        """Return the fields of a bucket; empty if there is no such bucket."""
        part = self.file.buckets.get(bucket)
        return part.fields if part is not None else {}

    def bucket_of(self, path: PurePosixPath) -> str:
        """Return the bucket of a file by its path below the added folder: the first whose pattern matches."""
        for name, bucket in self.file.buckets.items():
            for pattern in bucket.files or (f"{name}/**",):
                if fnmatchcase(str(path), pattern.replace("**/", "*").replace("**", "*")):
                    return name
        return folder_bucket(path.parts[0]) if not self.file.buckets and len(path.parts) > 1 else GENERIC

    def with_buckets(self, names: Iterable[str]) -> CorpusSchema:
        """Return this schema with folders as buckets. A folder with an ambiguous name gets none."""
        buckets: dict[str, BucketPart] = {}
        taken: set[str] = set()
        for name in sorted(set(names) - {GENERIC}):
            if (forms := bucket_forms(name)) and not taken & forms:
                taken |= forms
                buckets[name] = BucketPart()  # type: ignore[call-arg]
        return CorpusSchema(self.file.model_copy(update={"buckets": buckets}), self.text)

    @cached_property
    def wanted(self) -> Mapping[str, tuple[Wanted, ...]]:
        """Return the fields to extract, by bucket."""
        return {
            name: tuple(
                field.wanted(inner, f"{self.file.name} {self.file.description}")
                for inner, field in bucket.fields.items()
            )
            for name, bucket in self.file.buckets.items()
        }


def for_model(schema: CorpusSchema) -> dict[str, tuple[Wanted, ...]]:
    """Return the fields that a language model is asked for, by bucket, without confidential ones."""
    shown = {
        name: tuple(one for one in schema.wanted[name] if not bucket.fields[one.name].is_confidential)
        for name, bucket in schema.file.buckets.items()
    }
    return {name: asked for name, asked in shown.items() if asked}


def bucket_forms(name: str, one: str | None = None) -> set[str]:
    """Return the forms of a bucket's name by which readers distinguish it; empty if there can be no such bucket.

    `data_sheets` -> datasheets, datasheet; `last` -> nothing
    """
    one = one or singular(name)
    return set() if name in RESERVED or one in _NOT_SINGULAR else {normal_form(name), normal_form(one)}


def folder_bucket(folder: str) -> str:
    """Return the bucket of a folder without a `corpus.yaml`: its name as a name of the query language."""
    name = re.sub(r"[^a-z0-9]+", "_", folder.lower()).strip("_")[:64]
    return name if re.match(NAME_PATTERN, name) and bucket_forms(name) else GENERIC


def load_schema(path: Path) -> CorpusSchema:
    """Load a schema. Raises CatalogError with every finding."""
    return read_schema(yaml_text(path, "corpus-file"), path.name)


def read_schema(text: str, name: str = "corpus.yaml") -> CorpusSchema:
    """Read the schema in a YAML text. Raises CatalogError with every finding."""
    source = YamlSource(text)
    findings = list(source.diagnostics)
    try:
        if findings:
            raise CatalogError(sorted(findings, key=lambda one: one.span), source.text, name)
        return CorpusSchema(CorpusFile.model_validate(source.data), text)
    except ValidationError as error:
        found = [_finding(one, source) for one in error.errors(include_url=False)]
        raise CatalogError(sorted(found, key=lambda one: one.span), source.text, name) from None


def _finding(error: Any, source: YamlSource) -> Diagnostic:
    location = tuple(step for step in error["loc"] if step != "[key]")
    key = str(location[-1]) if location else "the file"
    if error["type"] == "extra_forbidden":
        known = [*{*FieldPart.model_fields, *BucketPart.model_fields, *CorpusFile.model_fields}]
        close = tuple(nearest(key, known))
        return Diagnostic(
            "corpus-key", f"there is no key '{key}' here", source.span(location, key=True), did_you_mean(close), close
        )
    if error["type"] == "missing":
        return Diagnostic("corpus-missing", f"the key '{key}' is missing", source.span(location[:-1], key=True))
    context = error.get("ctx") or {}
    if context.get("pattern") == NAME_PATTERN:
        named = re.sub(r"[^a-z0-9]+", "_", str(error["input"]).lower()).strip("_")
        message = f"'{key}': a name has lower-case letters, digits and '_', and begins with a letter"
        hint = f"write '{named}'" if re.match(NAME_PATTERN, named) else ""
        return Diagnostic("corpus-value", message, source.span(location), hint)
    if "key" in context and error["type"].startswith("corpus_"):
        code, span = error["type"].replace("_", "-"), source.span((*location, context["key"]))
        close = tuple(nearest(context["unit"], SPELLINGS)) if "unit" in context else ()
        return Diagnostic(code, error["msg"], span, did_you_mean(close), close)
    is_part = error["type"] in ("model_type", "dict_type")
    told = "it must be a mapping: keys, each with ':' and its value" if is_part else error["msg"].lower()
    return Diagnostic("corpus-value", f"'{key}': {told}", source.span(location))
