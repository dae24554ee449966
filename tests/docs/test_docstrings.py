"""Counts the docstrings that a reader has to read twice, under a ceiling that only falls."""

import ast
import re
import subprocess
from collections.abc import Iterator

from tests.docs.pages import ROOT

CEILING = 4
"""How many riddles there may be. Lower it when the count falls; never raise it."""

_CLAUSE = r"(?:what|which|whichever|whatever|that|those|who|whom|whose|whoever|where|wherever|nobody|none|nothing|no)"
BEGINNINGS = re.compile(
    rf"(?:{_CLAUSE}|(?:of|with|from|by|to|in|for|at|after|before|without|on|as|under|beside|beyond) {_CLAUSE}"
    r"|of (?:the|a|an|all|several|two|one|each|some))\b",
    re.IGNORECASE,
)
"""First words of a sentence without a verb, or with a clause as its subject: `What is no alternative is ...`."""

CLAUSES = re.compile(
    r"\b(?:that which|those of which|of which|nobody|what (?:is|are) (?:said|no|not|of|there|in|left|to)|what"
    r" (?:one|it|they)|(?:is|are) no (?!longer)[a-z]+)\b|\bnot\b.{0,30}\bnothing\b|\bno\b.{0,25} that .{0,25}\bnot\b",
    re.IGNORECASE,
)
"""Riddles and double negatives inside of a first sentence."""

Documented = ast.Assign | ast.AnnAssign | None
"""Nodes before a docstring: an assignment, or None for the head of a module, class or function."""

READ_AS_CODE = re.compile(r"`[^`]*`")


def is_riddle(docstring: str) -> bool:
    """Return whether the first sentence starts with a clause, or hides its subject in one."""
    first = re.split(r"(?<=[.:;])\s", READ_AS_CODE.sub("``", docstring.strip()), maxsplit=1)[0]
    return bool(BEGINNINGS.match(first) or CLAUSES.search(first))


def docstrings(source: str) -> Iterator[tuple[int, str]]:
    """Yield the docstrings of modules, classes, functions, constants and fields, each with its line."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        for before, one in zip([None, *node.body], node.body, strict=False):
            match one:
                case ast.Expr(value=ast.Constant(value=str(text))) if isinstance(before, Documented):
                    yield one.lineno, text


def riddles() -> list[tuple[str, str]]:
    """Return the riddles of the code and its tests: `path:line` and first line of each."""
    listed = subprocess.run(
        ["git", "ls-files", "qlc/*.py", "qlc_engine/*.py", "tests/*.py"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.split()
    return [
        (f"{path}:{line}", docstring.strip().partition("\n")[0])
        for path in listed if (ROOT / path).exists()
        for line, docstring in docstrings((ROOT / path).read_text("utf-8")) if is_riddle(docstring)
    ]


def added_lines() -> str:
    """Return the lines that the last commit and the working tree added, empty without a history."""
    changes = subprocess.run(
        ["git", "diff", "--unified=0", "HEAD~1", "--", "*.py"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout
    return "\n".join(line for line in changes.splitlines() if line.startswith("+"))


def test_docstrings_are_read_once() -> None:
    found = riddles()
    added = added_lines()
    new = [f"{place} {line}" for place, line in found if line in added]
    message = f"{len(found)} docstrings are riddles, at most {CEILING} may be: begin with a verb and a thing."
    assert len(found) <= CEILING, "\n".join([message, "New:", *new])
