"""`python -m benchmarks.ablation OUT.jsonl [SET...]`: which function of the rules of English is needed by which answer.

Every stored question is asked once while Python notes which functions of `qlc/translator/rules` and
`qlc/translator/follow_ups` found something: yielded, or returned what is not empty. Then each of these functions is
switched off, one after the other: it yields nothing, or returns the empty value of its annotation. A sample of the
conversations that it was active in is asked again, and what breaks is counted: right answers that are lost, and
answers that become wrong, which shows a guard. A line of OUT is one function; a run that was cut goes on where it
ended. `--table OUT.jsonl` prints what was found by module.

A function that no right answer needs, and that keeps nothing from becoming wrong, can go.
"""

from __future__ import annotations

import ast
import inspect
import json
import logging
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

import qlc
from benchmarks.question_sets import Case, cases
from qlc.evaluation.scoring import Verdict

ROOT = Path(qlc.__file__).parent / "translator"
FOLDERS = ("rules", "follow_ups")
MOST_RIGHT, MOST_OTHER = 24, 8
"""Conversations that are asked again for each function: with right answers, and without."""
OFTEN = 150
"""Conversations with right answers, from which on a function is asked for as if it had none of them."""


@dataclass(frozen=True)
class Function:
    """A function of the rules, by its file and name."""

    name: str
    function: FunctionType
    lines: int

    @property
    def code(self) -> CodeType:
        return self.function.__code__


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["--table"]:
        table(Path(arguments[1]))
        return 0
    out, chosen = Path(arguments[0]), arguments[1:]
    logging.disable()  # that a function which is switched off is missed by others
    keep_outcomes()
    stored = list(cases(chosen))
    functions = list(all_functions())
    before, active = noted(stored, functions)
    known = {json.loads(line)["function"] for line in out.open(encoding="utf-8")} if out.exists() else set()
    with out.open("a", encoding="utf-8") as file:
        for one in sorted(functions, key=lambda one: len(active[one.name])):
            if one.name not in known:
                file.write(json.dumps(without(one, stored, before, active[one.name])) + "\n")
                file.flush()
    return 0


def keep_outcomes() -> None:
    """Run each program once: what the rules are made to say again is answered from memory."""
    run = qlc.Compiler.run
    kept: dict[str, Any] = {}

    def remembered(self: qlc.Compiler, source: str, **options: Any) -> Any:
        key = repr((id(self), source, sorted((k, repr(v)) for k, v in options.items() if k != "deadline")))
        if key not in kept:
            kept[key] = run(self, source, **options)
        return kept[key]

    qlc.Compiler.run = remembered  # type: ignore[method-assign,assignment]


# --- the functions ---------------------------------------------------------------------------------------------------


def all_functions() -> Iterator[Function]:
    """Every function and method of the rules that is written by itself."""
    for path in sorted(one for folder in FOLDERS for one in (ROOT / folder).rglob("*.py")):
        place = path.relative_to(ROOT).as_posix()
        name = place.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        module = import_module(f"qlc.translator.{name}")
        for name, length, function in _functions_in(path, module):
            yield Function(f"{place}:{name}", function, length)


def _functions_in(path: Path, module: Any) -> Iterator[tuple[str, int, FunctionType]]:
    for node in ast.parse(path.read_text("utf-8")).body:
        inner = node.body if isinstance(node, ast.ClassDef) else [node]
        owner = getattr(module, node.name) if isinstance(node, ast.ClassDef) else module
        for one in inner:
            if not isinstance(one, ast.FunctionDef) or one.name.startswith("__"):
                continue
            function = inspect.unwrap(_bare(vars(owner)[one.name]))
            if isinstance(function, FunctionType) and not function.__code__.co_freevars:
                name = one.name if inner is not getattr(node, "body", None) else f"{node.name}.{one.name}"  # type: ignore[attr-defined]
                first = min([one.lineno, *(mark.lineno for mark in one.decorator_list)])
                yield name, (one.end_lineno or one.lineno) - first + 1, function


def _bare(given: Any) -> Any:
    """The function of a property, a static method or a class method."""
    for name in ("fget", "func", "__func__"):
        given = getattr(given, name, None) or given
    return given


def noted(stored: list[Case], functions: list[Function]) -> tuple[list[list[Verdict]], dict[str, list[int]]]:
    """The verdicts of all questions, and the questions that each function was active in."""
    names = {one.code: one.name for one in functions}
    active: dict[str, list[int]] = defaultdict(list)
    seen: set[CodeType] = set()

    def note(frame: FrameType, event: str, value: Any) -> None:
        if event == "return" and frame.f_code in names and frame.f_code not in seen and _is_something(value):
            seen.add(frame.f_code)

    found = []
    for number, case in enumerate(stored):
        seen.clear()
        sys.setprofile(note)
        try:
            found.append(case.verdicts())
        finally:
            sys.setprofile(None)
        for code in seen:
            active[names[code]].append(number)
    return found, active


def _is_something(value: Any) -> bool:
    try:
        return bool(value)
    except Exception:  # noqa: BLE001  what cannot be asked whether it is empty is something
        return True


# --- without a function ----------------------------------------------------------------------------------------------


def without(one: Function, stored: list[Case], before: list[list[Verdict]], active: list[int]) -> dict[str, Any]:
    """What breaks where a function finds nothing."""
    chance = random.Random(one.name)
    right = [at for at in active if Verdict.RIGHT in before[at]]
    other = [at for at in active if Verdict.RIGHT not in before[at]]
    most = min(len(right), MOST_RIGHT if len(right) <= OFTEN else MOST_OTHER)  # what is so often needed stays anyway
    asked = [*chance.sample(right, most), *chance.sample(other, min(MOST_OTHER, len(other)))]
    lost: list[str] = []
    wrong: list[str] = []
    failed = 0
    code = one.code
    one.function.__code__ = idle(one.function)
    try:
        for at in asked:
            try:
                after = stored[at].verdicts()
            except Exception:  # noqa: BLE001  others need what it returns
                failed += 1
                after = [Verdict.DECLINED] * len(before[at])
            for turn, (was, now) in enumerate(zip(before[at], after, strict=True)):
                name = f"{stored[at].id}#{turn}"
                lost += [name] if was is Verdict.RIGHT is not now else []
                wrong += [name] if was is not Verdict.WRONG is now else []
    finally:
        one.function.__code__ = code
    found = {"function": one.name, "lines": one.lines, "right": len(right), "other": len(other)}
    return {**found, "asked": len(asked), "lost": lost, "wrong": wrong, "failed": failed}


def idle(function: FunctionType) -> CodeType:
    """The code of a function with the same parameters that finds nothing."""
    parameters = inspect.signature(function).parameters.values()
    head = ast.unparse(ast.parse(f"def f{_bare_signature(parameters)}: pass")).removesuffix("pass")
    made: dict[str, Any] = {}
    exec(f"{head}{_nothing(function)}", made)  # of names alone
    code: CodeType = made["f"].__code__
    return code


def _bare_signature(parameters: Any) -> str:
    plain = [one.replace(annotation=inspect.Parameter.empty, default=inspect.Parameter.empty) for one in parameters]
    return str(inspect.Signature(plain, __validate_parameters__=False))  # type: ignore[call-arg]


def _nothing(function: FunctionType) -> str:
    """The statement that returns nothing, by the annotations of a function."""
    wanted = str(function.__annotations__.get("return", "None"))
    if inspect.isgeneratorfunction(function) and wanted.startswith(("Iterator", "Iterable")):
        return "return iter(())"
    names = [name for name, kind in function.__annotations__.items() if str(kind) == wanted and name != "return"]
    if inspect.isgeneratorfunction(function):
        return "return None\n    yield"
    if names:
        return f"return {names[0]}"
    for beginning, value in _EMPTY.items():
        if wanted.startswith(beginning) and "None" not in wanted:
            return f"return {value}"
    return "return None"


_EMPTY = {
    "bool": "False", "int": "0", "float": "0.0", "str": "''", "list": "[]", "tuple": "()", "dict": "{}",
    "set": "set()", "frozenset": "frozenset()", "Iterator": "iter(())", "Iterable": "()", "Sequence": "()",
    "Mapping": "{}", "Collection": "()",
}  # fmt: skip


# --- the table -------------------------------------------------------------------------------------------------------


def table(path: Path) -> None:
    """Print the modules with their lines, and the right answers that need a function of them."""
    found = [json.loads(line) for line in path.open(encoding="utf-8")]
    modules: dict[str, Counter[str]] = defaultdict(Counter)
    for one in found:
        module = modules[one["function"].partition(":")[0]]
        needed = bool(one["lost"] or one["wrong"])
        module.update(lines=one["lines"], functions=1, idle=not needed, idle_lines=0 if needed else one["lines"])
        module.update(lost=len(one["lost"]), wrong=len(one["wrong"]))
    print("| module | functions | lines | not needed | lines of these | right answers lost | wrong instead |")
    print("|---|---|---|---|---|---|---|")
    for name, sums in sorted(modules.items(), key=lambda pair: -pair[1]["lines"]):
        cells = (sums[key] for key in ("functions", "lines", "idle", "idle_lines", "lost", "wrong"))
        print(f"| {name} | {' | '.join(map(str, cells))} |")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
