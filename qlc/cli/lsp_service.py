"""Answers what an editor asks of programs."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import yaml

from qlc.base.diagnostics import Diagnostic
from qlc.base.errors import QlcError
from qlc.cli.lsp_programs import CASES, pairs
from qlc.cli.target import catalog_path
from qlc.grammar import SyntaxProblem, format_source
from qlc.pipeline.compiler import Compiler

log = logging.getLogger("qlc.lsp")

MOST_VALUES = 10
"""Values of a field that a hover lists."""
_NAME = re.compile(r"(?:[^\W\d]|@)[\w.]*")


def definition_in(catalog: str, name: str) -> int | None:
    """Return the offset of the key in a catalog that declares a field, a list, a condition or an entity."""
    try:
        root = yaml.compose(catalog, yaml.SafeLoader)
    except yaml.YAMLError:
        return None
    last = name.rpartition(".")[2]
    found: int | None = None
    for key, value in pairs(root):
        if key.value not in ("entities", "fields", "lists"):
            continue
        for own, described in pairs(value):
            if own.value == last:
                return int(own.start_mark.index)
            parts = {part.value: inner for part, inner in pairs(described)}
            for inner, _ in (*pairs(parts.get("fields")), *pairs(parts.get("conditions"))):
                if found is None and inner.value == last:
                    found = inner.start_mark.index
    return found


@dataclass(slots=True)
class Service:
    """Answers questions about one program by offsets; the protocol is elsewhere."""

    compiler: Compiler

    def diagnostics(self, program: str) -> tuple[Diagnostic, ...]:
        return self.compiler.diagnose(program).diagnostics

    def fixes(self, program: str, found: Diagnostic) -> list[tuple[str, int, int, str]]:
        """Return the repairs of a mistake: title, start, end and new text, the surest first."""
        fixes = [] if found.fixed is None else [("Fix every certain mistake", 0, len(program), found.fixed)]
        start, end = found.span
        if 0 <= start < end:
            quote = program[start] if program[start] in "\"'" else ""
            fixes += [(f"Write {one}", start, end, f"{quote}{one}{quote}") for one in found.suggestions]
        return fixes

    def declared(self, name: str) -> str:
        """Return the name that the catalog declares: of an entity the singular, `documents` -> `document`."""
        plurals = {one.plural: entity for entity, one in self.compiler.schema.entities.items()}
        return plurals.get(name, name)

    def hover(self, program: str, at: int) -> str:
        """Return type, description and values of the name at an offset: by what completion says of it."""
        word = name_at(program, at)
        if word is None:
            return ""
        start, name = word
        known = [one for one in self.compiler.complete(program[: start + len(name)]) if name.endswith(one.text)]
        if not known:
            return ""
        found = known[0]
        lines = [f"**{found.text}** ({found.kind})", found.detail]
        if found.kind == "field":
            given = self.compiler.complete(f"{program[: start + len(name)]} = ")
            values = [one.text for one in given if one.kind == "value"]
            lines.append(", ".join(values[:MOST_VALUES]) + (", ..." if len(values) > MOST_VALUES else ""))
        return "\n\n".join(filter(None, lines))


def name_at(program: str, at: int) -> tuple[int, str] | None:
    """Return the start and the text of the dotted name at an offset."""
    return next(((one.start(), one[0]) for one in _NAME.finditer(program) if one.start() <= at <= one.end()), None)


class Compilers:
    """Finds the compiler of a file: `*.qlc.yaml` names its own catalog and data, all others use that of the options."""

    def __init__(self, usual: Callable[[], Compiler], catalog: Path | None) -> None:
        self._usual, self._usual_catalog = usual, catalog
        self._compiler: Compiler | None = None
        self._of_files: dict[Path, Compiler] = {}

    def forget(self, path: Path) -> None:
        """A file was saved: its cases may name other data. A catalog is part of all."""
        if path.name.endswith(CASES):
            self._of_files.pop(path, None)
        elif path.suffix in (".yaml", ".yml"):
            self._of_files.clear()
            self._compiler = None

    def of(self, path: Path) -> Compiler:
        """Raises QlcError."""
        if path.name.endswith(CASES):
            if path not in self._of_files:
                from qlc.testing.cases import read_cases
                from qlc.testing.judging import World

                self._of_files[path] = World.of(read_cases(path), path.parent).asker.compiler
            return self._of_files[path]
        if self._compiler is None:
            self._compiler = self._usual()
        return self._compiler

    def catalog(self, path: Path) -> Path | None:
        """Return the file of the catalog, where definitions are."""
        if path.name.endswith(CASES):
            from qlc.testing.cases import read_cases

            name = read_cases(path).catalog
            beside = path.parent / name
            return beside if name and beside.is_file() else catalog_path(name or None)
        return self._usual_catalog


def formatted(program: str) -> str | None:
    """Return a program in canonical form; None if it has a syntax error."""
    try:
        return format_source(program).rstrip("\n")
    except SyntaxProblem:
        return None


def problem_of(error: QlcError) -> str:
    """Return the sentence for a file whose catalog or data cannot be used."""
    return str(error).partition("\n")[0]
