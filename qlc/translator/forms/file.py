"""The file of forms beside a catalog: YAML that people read and review."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Annotated, Any, get_args

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from qlc.base.errors import ConfigurationError, UsageError, reason_of
from qlc.mapping.yaml_source import YamlSource
from qlc.translator.forms.form import SLOT, Form, Origin, id_of
from qlc.translator.forms.places import Kind

MOST_FORMS = 5_000
LARGEST_FILE = 2_000_000
HEAD = "# Questions that were taught, with {slots}. 'qlc forms test' checks them, 'qlc forms drop ID' removes one.\n"


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    forms: Annotated[tuple[Form, ...], Field(max_length=MOST_FORMS)] = ()


class Forms:
    """The forms of one catalog, kept in `path`; without a path only as long as the process lives. Safe under threads.

    `learn`: also programs of a language model may be taught, which nobody has looked at. Raises ConfigurationError for
    a file that is wrong.
    """

    def __init__(self, path: str | Path | None = None, *, learn: bool = False) -> None:
        self.path = Path(path) if path is not None else None
        self.learn = learn
        self._lock = threading.Lock()
        self._forms: tuple[Form, ...] = ()
        if self.path is not None and self.path.exists():
            self._forms = read_forms(_text_of(self.path), self.path.name)

    def __iter__(self) -> Any:
        return iter(self._forms)

    def __len__(self) -> int:
        return len(self._forms)

    @property
    def all(self) -> tuple[Form, ...]:
        return self._forms

    def add(self, form: Form) -> None:
        """Keep a form; one of the same question and program is replaced. Raises UsageError where there are too many."""
        with self._lock:
            others = tuple(one for one in self._forms if one.id != form.id)
            if len(others) >= MOST_FORMS:
                raise UsageError(f"there are {MOST_FORMS:,} forms already: drop some with 'qlc forms drop'")
            self._keep((*others, form))

    def drop(self, id: str) -> Form:
        """Raises UsageError where there is none of that id."""
        with self._lock:
            dropped = next((one for one in self._forms if one.id == id), None)
            if dropped is None:
                raise UsageError(f"no form has the id '{id}'; 'qlc forms list' shows them")
            self._keep(tuple(one for one in self._forms if one is not dropped))
            return dropped

    def _keep(self, forms: tuple[Form, ...]) -> None:
        """The file first: what cannot be written is not kept."""
        if self.path is not None:
            beside = self.path.with_name(f".{self.path.name}.{os.getpid()}")
            try:
                beside.write_text(HEAD + written(forms), "utf-8")
                os.replace(beside, self.path)
            except OSError as problem:
                raise UsageError(f"{self.path} cannot be written: {reason_of(problem)}") from None
        self._forms = forms


def beside(catalog: Path) -> Path:
    """Return the default file of a catalog's forms: `shop.yaml` -> `shop.forms.yaml` in the same folder."""
    return catalog.with_name(f"{catalog.stem}.forms.yaml")


def written(forms: tuple[Form, ...]) -> str:
    return yaml.safe_dump({"forms": list(map(record, forms))}, sort_keys=False, allow_unicode=True, width=100)


def record(form: Form) -> dict[str, Any]:
    """A form as the file has it."""
    return form.model_dump(exclude_defaults=True)


def read_forms(text: str, name: str = "forms") -> tuple[Form, ...]:
    """The forms in a YAML text. Raises ConfigurationError with each finding and its line."""
    source = YamlSource(text)
    wrong = [(one.span, one.message) for one in source.diagnostics]
    forms: tuple[Form, ...] = ()
    if not wrong and source.data is not None:
        try:
            forms = _File.model_validate(source.data).forms
        except ValidationError as error:
            wrong = [
                (source.span(tuple(one["loc"][:3])), f"{'.'.join(map(str, one['loc'])) or 'the file'}: {_said(one)}")
                for one in error.errors(include_url=False)[:20]
            ]
    for at, form in enumerate(forms):
        if form.id != (right := id_of(form.question, form.program)):
            message = f"the id is not that of question and program, which is '{right}': teach the question again"
            wrong.append((source.span(("forms", at, "id")), message))
        elif form.id in {one.id for one in forms[:at]}:
            wrong.append((source.span(("forms", at, "id")), f"the form '{form.id}' is there twice: remove one"))
        if set(SLOT.findall(form.question)) != form.slots.keys():
            message = "the slots of the question are not those below 'slots'"
            wrong.append((source.span(("forms", at, "question")), message))
    if wrong:
        lines = [f"line {text.count(chr(10), 0, span.start) + 1}: {message}" for span, message in wrong]
        raise ConfigurationError("\n".join([f"{name} has errors:", *lines]))
    return forms


def _said(error: Any) -> str:
    if error["type"] == "extra_forbidden":
        return "there is no such key"
    if error["type"] == "missing":
        return "this key is missing"
    if error["type"] == "model_type":
        return "keys are expected here, each with ':' and its value"
    if error["type"] == "literal_error":
        known = get_args(Origin) if error["loc"][-1] == "origin" else get_args(Kind)
        return f"write one of {', '.join(known)}"
    return str(error["msg"])


def _text_of(path: Path) -> str:
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise ConfigurationError(f"{path} is larger than {LARGEST_FILE:,} bytes: drop forms, or use several files")
        return path.read_text("utf-8")
    except OSError as problem:
        raise ConfigurationError(f"{path} cannot be read: {reason_of(problem)}") from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"{path} is not UTF-8 text") from None
