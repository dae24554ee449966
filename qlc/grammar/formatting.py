"""Canonical text over several lines, broken at clauses, `and` and `or` where one line would be too wide.

Each line keeps its place in the source, so that `format_source` can put the comments back.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from qlc.grammar import tree
from qlc.grammar.parsing import parse
from qlc.grammar.printer import (
    comparison_head,
    print_condition,
    print_let,
    print_program,
    print_statement,
    print_value,
    separator,
    statement_clauses,
    statement_head,
)

INDENT = "  "


class Line(NamedTuple):
    depth: int
    text: str
    start: int
    """Offset into the source of the line's beginning; -1 if it is not known."""

    def __str__(self) -> str:
        return INDENT * self.depth + self.text


def laid_out(program: tree.Program, width: int) -> str:
    one_line = print_program(program)
    if not program.lets and len(one_line) <= width:
        return one_line
    return "\n".join(map(str, _Layout(width, ()).program(program)))


def format_source(source: str, width: int = 100) -> str:
    """The canonical text of a program with its comments, one more line break at the end. Raises SyntaxProblem."""
    program = parse(source)
    layout = _Layout(width, tuple(comment.span.start for comment in program.comments))
    lines = _with_comments(layout.program(program), program.comments)
    return "".join(f"{line}\n" for line in lines)


@dataclass(frozen=True, slots=True)
class _Layout:
    width: int
    comments: tuple[int, ...]

    def program(self, program: tree.Program) -> list[Line]:
        lines: list[Line] = []
        for let in program.lets:
            lines += self._let(let)
        if lines:
            end = separator(statement_head(program.statement)).rstrip()
            lines[-1] = lines[-1]._replace(text=lines[-1].text + end)
        return lines + self._statement(program.statement, 0)

    def _let(self, let: tree.Let) -> list[Line]:
        flat = Line(0, print_let(let), let.span.start)
        if not isinstance(let.value, tree.Subquery):
            return [flat]
        head = flat.text[: flat.text.index("= (") + 3]
        inside = self._statement(let.value.statement, 1)
        return self._fit(flat, [Line(0, head, let.span.start), *inside, Line(0, ")", -1)])

    def _statement(self, statement: tree.Statement, depth: int) -> list[Line]:
        start = statement.span.start
        broken = [Line(depth, statement_head(statement), start)]
        starts = {} if isinstance(statement, tree.Get) else dict(statement.clauses)
        for name, text in statement_clauses(statement):
            place = starts.get(name, -1)
            condition = getattr(statement, name) if name in ("where", "having") else None
            if condition is None:
                broken.append(Line(depth, text, place))
            else:
                first, *rest = self._condition(condition, depth, f"{name} ", "")
                broken += [first._replace(start=place), *rest]
        return self._fit(Line(depth, print_statement(statement), start), broken)

    def _condition(self, condition: tree.Condition, depth: int, before: str, after: str, hang: int = 1) -> list[Line]:
        """Format a condition, with `before` on its first line and `after` on its last; `hang` indents further."""
        flat = Line(depth, f"{before}{print_condition(condition)}{after}", condition.span.start)
        match condition:
            case tree.And() | tree.Or():
                word = "and " if isinstance(condition, tree.And) else "or "
                broken = []
                last = len(condition.items) - 1
                for place, item in enumerate(condition.items):
                    prefix, deeper = (before, 0) if place == 0 else (word, hang)
                    looser = isinstance(condition, tree.And) and isinstance(item, tree.Or)
                    one = self._bracketed if looser else self._condition
                    broken += one(item, depth + deeper, prefix, after if place == last else "")
                return self._fit(flat, broken)
            case tree.Not(item=item):
                one = self._bracketed if isinstance(item, tree.And | tree.Or) else self._condition
                first, *rest = one(item, depth, f"{before}not ", after)
                return [first._replace(start=flat.start), *rest]
            case tree.Comparison(right=tree.Subquery() | tree.Member(base=tree.Subquery()) as value):
                query = value if isinstance(value, tree.Subquery) else value.base
                assert isinstance(query, tree.Subquery)
                member = print_value(value)[len(print_value(query)) :]
                head = Line(depth, f"{before}{comparison_head(condition)} (", flat.start)
                inside = self._statement(query.statement, depth + 1)
                return self._fit(flat, [head, *inside, Line(depth, f"){member}{after}", -1)])
            case _:
                return [flat]

    def _bracketed(self, condition: tree.Condition, depth: int, before: str, after: str) -> list[Line]:
        flat = Line(depth, f"{before}({print_condition(condition)}){after}", condition.span.start)
        inside = self._condition(condition, depth + 1, "", "", hang=0)
        return self._fit(flat, [Line(depth, f"{before}(", flat.start), *inside, Line(depth, f"){after}", -1)])

    def _fit(self, flat: Line, broken: list[Line]) -> list[Line]:
        """Return one line if it fits and no comment lies between the joined parts, else the broken lines."""
        last = max(line.start for line in broken)
        divided = any(flat.start < comment < last for comment in self.comments)
        return broken if divided or len(str(flat)) > self.width else [flat]


def _with_comments(lines: list[Line], comments: Iterable[tree.Comment]) -> list[str]:
    """Insert the comments. One on a line of its own goes above the line that followed it, another one after its line.

    If several would end one line, all but the last go above it.
    """
    above: dict[int, list[str]] = {}
    after: dict[int, str] = {}
    for comment in comments:
        place = comment.span.start
        if comment.alone:
            above.setdefault(_first_line(lines, place), []).append(comment.text)
            continue
        started = [(line.start, number) for number, line in enumerate(lines) if 0 <= line.start <= place]
        start, number = max(started, default=(0, 0))
        if number in after:
            above.setdefault(_first_line(lines, start), []).append(after[number])
        after[number] = comment.text
    text: list[str] = []
    for number, line in enumerate(lines):
        text += [INDENT * line.depth + comment for comment in above.get(number, ())]
        text.append(f"{line} {after[number]}" if number in after else str(line))
    return text + above.get(len(lines), [])


def _first_line(lines: list[Line], place: int) -> int:
    """Return the first line that starts at or after `place`. A bracket's line starts where its content does."""
    following = [(line.start, number) for number, line in enumerate(lines) if line.start >= place]
    return min(following, default=(0, len(lines)))[1]
