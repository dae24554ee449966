"""Finds the programs in a file: `.qlc`, the cases of `*.qlc.yaml`, `query:` in other YAML, strings in Python."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import yaml

from qlc.translator.recognise import STATEMENT, looks_like_program, typo_of

CASES = ".qlc.yaml"
PROGRAM_KEYS = ("run", "program", "answer")
PROGRAM_METHODS = frozenset(("run", "run_async", "prepare", "search", "diagnose"))
"""Methods of a compiler that take a program."""
QUESTION_CALLS = frozenset(("compile_and_run", "compile_and_run_async", "turn", "turn_async"))
"""Calls that take a program or words."""
_LITERAL = re.compile(r"[rRuU]?(\"\"\"|'''|\"|')")
_LINE_END = re.compile(r"\r\n|\r|\n")


class Embedded(NamedTuple):
    """A program in a file: where it begins, its text, and the quotes around it."""

    start: int
    text: str
    quote: str = ""
    is_certain: bool = True
    """Whether mistakes are shown: `find the newest invoices` may be a question in words."""

    def fitted(self, text: str) -> str | None:
        """Return a text as it can stand between the quotes: `"W2"` in "..." -> `'W2'`; None if it cannot."""
        if not self.quote:
            return text
        mark = self.quote[0]
        other = "'" if mark == '"' else '"'
        if "\\" in text or (len(self.quote) == 1 and "\n" in text) or (mark in text and other in text):
            return None
        return text.replace(mark, other)


def programs_in(name: str, source: str) -> list[Embedded]:
    """Return the programs of a file; texts with escapes, and f-strings, are left out."""
    if name.endswith((".py", ".pyi")):
        return list(_in_python(source))
    if name.endswith((".yaml", ".yml")):
        return list(_in_yaml(source, are_cases=name.endswith(CASES)))
    return [Embedded(0, source)] if source.strip() else []


def pairs(node: Any) -> Iterator[tuple[Any, Any]]:
    """Return the keys and values of a mapping in YAML; none of any other node."""
    yield from node.value if isinstance(node, yaml.MappingNode) else ()


def _in_yaml(source: str, *, are_cases: bool) -> Iterator[Embedded]:
    try:
        root = yaml.compose(source, yaml.SafeLoader)
    except yaml.YAMLError:
        return
    if are_cases:
        cases = next((value for key, value in pairs(root) if key.value == "cases"), None)
        found = [value for case in getattr(cases, "value", ()) for key, value in pairs(case)
                 if key.value in PROGRAM_KEYS]  # fmt: skip
    else:
        found = [value for key, value in _all_pairs(root) if key.value == "query"]
    for one in found:
        start = one.start_mark.index + (one.style is not None)
        # A text with escapes, or of several lines, has other offsets in the file than in itself.
        if isinstance(one.value, str) and one.value and source.startswith(one.value, start):
            program = Embedded(start, one.value, one.style or "")
            yield from [program] if are_cases else _perhaps(*program[:3])


def _all_pairs(node: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the keys and values of all mappings below a node, each mapping once: aliases (`*base`) are not followed."""
    waiting, seen = [node], set[int]()
    while waiting:
        one = waiting.pop()
        if id(one) not in seen:
            seen.add(id(one))
            yield from pairs(one)
            waiting += one.value if isinstance(one, yaml.SequenceNode) else [value for _, value in pairs(one)]


def _in_python(source: str) -> Iterator[Embedded]:
    """Return the programs that a module gives to qlc: `compiler.run("count documents")`; none if it does not parse."""
    try:
        module = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return
    nodes = list(ast.walk(module))
    imported = {(alias.asname or alias.name).partition(".")[0]: getattr(node, "module", None) or alias.name
                for node in nodes if isinstance(node, ast.Import | ast.ImportFrom) for alias in node.names}  # fmt: skip
    if not any(module.partition(".")[0] == "qlc" for module in imported.values()):
        return
    starts = [0, *(end.end() for end in _LINE_END.finditer(source))]
    for node in nodes:
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", None) or getattr(node.func, "id", None)
        of = getattr(getattr(node.func, "value", None), "id", None)
        # `re.search("find")` and `subprocess.run("find")` are calls of modules, not of a compiler.
        is_method = name in PROGRAM_METHODS and isinstance(node.func, ast.Attribute) and of not in imported
        if not (is_method or name in QUESTION_CALLS):
            continue
        given = node.args[:1] or [one.value for one in node.keywords if one.arg == "source"]
        for text in given:
            if isinstance(text, ast.Constant) and isinstance(text.value, str):
                line = starts[text.lineno - 1]
                start = line + len(source[line:].encode()[: text.col_offset].decode())
                yield from _literal(source, start, text.value)


def _literal(source: str, start: int, value: str) -> Iterator[Embedded]:
    opening = _LITERAL.match(source, start)
    if opening and source.startswith(value + opening[1], opening.end()):
        yield from _perhaps(opening.end(), value, opening[1])


def _perhaps(start: int, text: str, quote: str) -> Iterator[Embedded]:
    """Return a text that may be a program, and mark whether it can be nothing else."""
    is_certain = looks_like_program(text) or typo_of(text) is not None
    if is_certain or STATEMENT.match(text):
        yield Embedded(start, text, quote, is_certain)
