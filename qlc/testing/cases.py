"""The format of a file of cases: what is asked, of which data, and what is expected."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Self

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from qlc.errors import UsageError

EXPECTED = ("program", "answer", "outcome", "rows", "value", "total", "snapshot")


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Case(_Part):
    """`question` is words, a program or a pasted request; `run` is a program. `after` are earlier messages of a
    conversation. The others say what is expected; all of them must hold."""

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
        if not any(getattr(self, name) not in ("", None, False) for name in EXPECTED):
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
    """Raises UsageError for a file that holds something else."""
    try:
        return CaseFile.model_validate(yaml.load(path.read_text("utf-8"), _Texts))
    except yaml.YAMLError as problem:
        raise UsageError(f"'{path.name}' is not YAML: {problem}") from None
    except ValidationError as problem:
        found = [f"{'.'.join(map(str, one['loc'])) or 'file'}: {one['msg']}" for one in problem.errors()]
        raise UsageError(f"'{path.name}' is not a file of cases: " + "; ".join(found)) from None


class _Texts(yaml.SafeLoader):
    """Dates stay the texts that they are in documents and programs."""


_Texts.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
