"""The format of a file of cases: the question, the data, and the expectation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Self

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from qlc.base.errors import UsageError

EXPECTED = ("program", "answer", "outcome", "rows", "value", "total", "snapshot")


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Case(_Part):
    """`question` is words, a program or a pasted request; `run` is a program. `after` are earlier messages of a
    conversation. The other keys are expectations, which must all hold."""

    question: str = ""
    run: str = ""
    after: list[str] = []
    name: str = ""
    program: str = ""
    answer: str = ""
    outcome: str = ""
    rows: list[Any] | dict[str, Any] | None = None
    value: Any = None
    total: int | None = None
    snapshot: bool = False

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if bool(self.question) == bool(self.run):
            raise ValueError("a case has either a 'question' or a program to 'run'")
        if self.run and self.after:
            raise ValueError("'after' is for a question: a program does not depend on what was said before")
        if all(getattr(self, name) == type(self).model_fields[name].default for name in EXPECTED):
            raise ValueError(f"a case expects something: {', '.join(EXPECTED)}")
        return self

    @property
    def title(self) -> str:
        return self.name or self.question or self.run


class CaseFile(_Part):
    """`data` is a folder of the embedded engine or a URL. Without it the documents are loaded into memory: `documents`
    are a file of JSON lines, or the documents themselves, and `mapping` is their index body. `index` is needed without
    a catalog. The others are options of a run."""

    cases: list[Case]
    catalog: str = ""
    index: str = ""
    data: str = ""
    mapping: str | dict[str, Any] = ""
    documents: str | list[dict[str, Any]] = []
    id: str = "id"
    now: str = ""
    timezone: str = ""
    context: dict[str, Any] = {}
    params: dict[str, Any] = {}

    @model_validator(mode="after")
    def _has_data(self) -> Self:
        if bool(self.data) == bool(self.mapping or self.documents):
            raise ValueError("say where the documents are: 'data', or 'mapping' and 'documents'")
        if not self.catalog and not self.index:
            raise ValueError("name a 'catalog', or an 'index'")
        return self

    def options(self) -> dict[str, Any]:
        given = {name: getattr(self, name) for name in ("now", "timezone", "context", "params")}
        return {name: value for name, value in given.items() if value}


def read_cases(path: Path) -> CaseFile:
    """Read a file of cases. Raises UsageError for a file with other content."""
    try:
        text = path.read_text("utf-8")
        given = yaml.load(text, _Texts)
        if not isinstance(given, dict):
            raise UsageError(f"'{path.name}' is not a file of cases: it has no keys, such as 'cases'")
        file = CaseFile.model_validate(given)
    except UnicodeDecodeError as problem:
        raise UsageError(f"'{path.name}' is not UTF-8: {problem.reason} at byte {problem.start:,}") from None
    except yaml.YAMLError as problem:
        raise UsageError(f"'{path.name}' is not YAML: {problem}") from None
    except ValidationError as problem:
        root = yaml.compose(text, _Texts)
        found = "; ".join(_sentence(one, root) for one in problem.errors())
        raise UsageError(f"'{path.name}' is not a file of cases: {found}") from None
    check_distinct(path.name, "cases", "name", _with_lines(text, "cases", [one.name for one in file.cases]))
    if isinstance(file.documents, list):
        ids = [one.get(file.id) for one in file.documents]
        check_distinct(path.name, "documents", file.id, _with_lines(text, "documents", ids))
    return file


def check_distinct(file: str, what: str, key: str, found: Iterable[tuple[int, Any]]) -> None:
    """Check that ids are distinct: an index keeps only the last document of an id, which would silently change counts.
    `found` are lines and ids. Raises UsageError."""
    lines: dict[str, int] = {}
    for line, value in found:
        if value in (None, ""):
            continue
        if (first := lines.get(str(value))) is not None:
            raise UsageError(
                f"'{file}' has two {what} with the {key} '{value}', in line {first} and in line {line}: change one"
            )
        lines[str(value)] = line


def _with_lines(text: str, key: str, values: list[Any]) -> Iterator[tuple[int, Any]]:
    """Return the values for items of a list, each with the line in which its item begins."""
    root = yaml.compose(text, _Texts)
    pairs = root.value if isinstance(root, yaml.MappingNode) else []
    items: list[Any] = next((held.value for name, held in pairs if name.value == key), [])
    marks = [item.start_mark.line + 1 for item in items]
    return zip(marks or [1] * len(values), values, strict=True)


def _sentence(error: Mapping[str, Any], root: Any) -> str:
    """Return a sentence for a validation error, with its place in the file."""
    place = _place(error["loc"], root)
    where = f"{place}: " if place else ""
    if error["type"] != "extra_forbidden":
        return where + str(error["msg"]).removeprefix("Value error, ")
    known = (Case if len(error["loc"]) > 1 else CaseFile).model_fields
    close = get_close_matches(str(error["loc"][-1]), known, 1)
    return f"{where}there is no such key" + (f"; did you mean '{close[0]}'?" if close else "")


def _place(loc: Iterable[str | int], node: Any) -> str:
    """Return a place in a file by its keys, and in a list by its line: `("cases", 0, "total")` -> `total in line 7`."""
    keys: list[str] = []
    line = 0
    for part in loc:
        if isinstance(part, int) and isinstance(node, yaml.SequenceNode):
            node = node.value[part]
            keys, line = [], node.start_mark.line + 1
        elif not re.search(r"\W", str(part)):  # pydantic's own branches are called `list[...]`
            keys.append(str(part))
            held = node.value if isinstance(node, yaml.MappingNode) else []
            for key, value in (pair for pair in held if pair[0].value == part):
                node, line = value, line and key.start_mark.line + 1
    return " in ".join(filter(None, (".".join(keys), f"line {line}" if line else "")))


class _Texts(yaml.SafeLoader):
    """A loader that keeps dates as texts, as in documents and programs."""


_Texts.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
