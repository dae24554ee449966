"""The parser's results for many programs, stored in `frozen.json.xz`: the tree with its spans, or the diagnostic.

`python -m tests.grammar.frozen` makes the file anew, from the programs of this repository and generated ones. Do that
when the language is changed on purpose, and look first at what `--changed` prints: the programs that differ.
"""

import argparse
import ast
import dataclasses
import hashlib
import json
import lzma
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from qlc.grammar import SyntaxProblem, parse, tree

ROOT = Path(__file__).parents[2]
FILE = Path(__file__).with_name("frozen.json.xz")
SEED = 33
GENERATED = {"fuzz": 13_600, "differential": 5_002, "trees": 3_100}
"""Programs by generator: mutated ones and noise, those that have answers, random trees."""

_LONGEST = 4_000
"""Characters of a text of the repository: longer ones are tests of limits, which build them."""
_BEGINS = re.compile(
    r"\s*(?:find|count|get|let|where|sum|avg|min|max|median|percentile|distinct|share|select|show)\b", re.IGNORECASE
)
_QUESTION = re.compile(r"[A-Za-z][\w'’ ,.-]{9,80}\?")
_QUESTIONS = 300
"""Questions in words: everything that people type goes to the parser first."""


_ADDED = {"ties", "total", "empty", "counted", "top_per"}
"""Attributes of the tree that are newer than the file: left out where a program does not use them."""


class Said(NamedTuple):
    """The parser's result for a text. `digest` is a hash of all of it; the other fields are for people."""

    digest: str
    accepted: bool
    shown: str


def said(text: str) -> Said:
    try:
        program = parse(text)
    except SyntaxProblem as problem:
        found = problem.diagnostic
        shown = repr((found.code, found.message, tuple(found.span), found.hint, found.suggestions, found.fixed))
        return Said(_digest(shown), False, shown)
    shown = "".join(_parts(program))
    return Said(_digest(shown), True, shown)


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()


def _parts(value: Any) -> Iterator[str]:
    """A node as text: its kind, its span, all that it is made of, comments and other spans too."""
    if isinstance(value, tree.Node):
        yield f"{type(value).__name__}@{value.span.start}-{value.span.end}("
        for one in dataclasses.fields(value):
            added = one.name in _ADDED and getattr(value, one.name) == one.default
            if not added and one.name not in ("span", "clauses"):  # where clauses begin says `format_source`
                yield f"{one.name}="
                yield from _parts(getattr(value, one.name))
        yield ")"
    elif isinstance(value, tuple):
        yield "["
        for item in value:
            yield from _parts(item)
            yield ","
        yield "]"
    else:
        yield f"{value!r} "


# --- the programs ----------------------------------------------------------------------------------------------------


def of_the_repository() -> list[str]:
    """Every text in a file that is a program, that begins like one, or that a test of errors has; and some questions.
    Held sets are left out: nobody looks into them."""
    texts: set[str] = set()
    for path in sorted(ROOT.glob("**/*")):
        place = path.relative_to(ROOT)
        if not place.parts or place.parts[0] not in ("tests", "docs", "benchmarks", "examples", "README.md", "qlc"):
            continue
        if path.is_file() and "held" not in path.name and "__pycache__" not in place.parts:
            texts |= {text for text in _texts(path) if 0 < len(text) <= _LONGEST}
    chosen = {text for text in texts if _BEGINS.match(text) or said(text).accepted}
    chosen |= set(_written_wrong())
    questions = sorted(text for text in texts if _QUESTION.fullmatch(text) and text not in chosen)
    chosen |= set(random.Random(SEED).sample(questions, min(_QUESTIONS, len(questions))))
    return sorted(chosen)


def _written_wrong() -> Iterator[str]:
    for line in (ROOT / "tests/docs/wrong.jsonl").read_text(encoding="utf-8").splitlines():
        yield json.loads(line)["written"]


def _texts(path: Path) -> Iterator[str]:
    """The strings of a Python file, the strings in JSON and YAML, the examples of a page."""
    if path.suffix == ".py":
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value
    elif path.suffix == ".md":
        page = path.read_text(encoding="utf-8")
        yield from re.findall(r"(?<!`)`([^`\n]+)`(?!`)", page)
        for block in re.findall(r"^```\w*\n(.*?)^```", page, re.DOTALL | re.MULTILINE):
            yield block
            yield from block.splitlines()
            yield from re.split(r"\n\s*\n", block)
            yield from re.findall(r"'([^'\n]+)'", block)
    elif path.suffix in (".json", ".jsonl"):
        lines = path.read_text(encoding="utf-8")
        for line in lines.splitlines() if path.suffix == ".jsonl" else [lines]:
            if line.strip():
                yield from _strings(json.loads(line))
    elif path.suffix in (".yaml", ".yml"):
        import yaml

        for document in yaml.load_all(path.read_text(encoding="utf-8"), yaml.CBaseLoader):
            yield from _strings(document)


def _strings(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for key, value in data.items():
            yield str(key)
            yield from _strings(value)
    elif isinstance(data, list):
        for item in data:
            yield from _strings(item)


def generated(kind: str, count: int) -> Iterator[str]:
    """Programs that are drawn: `fuzz` mutates and joins those of the reference, half of them are none."""
    if kind == "fuzz":
        from tests.fuzz.programs import Programs
        from tests.fuzz.target import seeds

        drawing = Programs(seeds(), random.Random(SEED))
        yield from (drawing.draw() for _ in range(count))
    elif kind == "differential":
        from collections import Counter

        from tests.differential.drawing import Drawing

        worlds, planned, chance = Drawing(), Counter(), random.Random(SEED)
        for _ in range(count):
            program, cells = worlds.program(planned, chance)
            planned.update(cells)
            yield program.text
    else:
        yield from _random_trees(count)


def _random_trees(count: int) -> list[str]:
    from hypothesis import HealthCheck, Phase, given, seed, settings

    from qlc.grammar import print_program
    from tests.grammar.strategies import programs

    texts: list[str] = []

    @seed(SEED)
    @settings(max_examples=count, phases=[Phase.generate], database=None, deadline=None, derandomize=False,
              suppress_health_check=list(HealthCheck))  # fmt: skip
    @given(programs())
    def drawn(program: tree.Program) -> None:
        texts.append(print_program(program))

    drawn()
    return texts


# --- the file --------------------------------------------------------------------------------------------------------


def frozen() -> dict[str, list[tuple[str, str]]]:
    """Texts with digests, by where they come from."""
    kept: dict[str, list[tuple[str, str]]] = json.loads(lzma.decompress(FILE.read_bytes()))
    return kept


def made() -> dict[str, list[tuple[str, str]]]:
    sources = {"repository": of_the_repository()}
    for kind, count in GENERATED.items():
        sources[kind] = list(dict.fromkeys(text for text in generated(kind, count) if len(text) <= _LONGEST))
    return {kind: [(text, said(text).digest) for text in texts] for kind, texts in sources.items()}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.grammar.frozen", description=__doc__)
    parser.add_argument("--changed", action="store_true", help="write nothing: print the programs that differ")
    if parser.parse_args().changed:
        differing = [text for kept in frozen().values() for text, digest in kept if said(text).digest != digest]
        for text in differing:
            print(f"{text!r}\n    {said(text).shown}")
        return 1 if differing else 0
    found = made()
    data = json.dumps(found, ensure_ascii=True, separators=(",", ":")).encode("ascii")
    FILE.write_bytes(lzma.compress(data, preset=9 | lzma.PRESET_EXTREME))
    for kind, programs in found.items():
        accepted = sum(said(text).accepted for text, _ in programs)
        print(f"{kind}: {len(programs):,} texts, {accepted:,} are programs")
    print(f"{FILE.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
