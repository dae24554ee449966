"""The table of syntax errors in docs/diagnostics.md, made from the first line of each code in wrong.jsonl.

    python -m tests.docs.syntax_table     writes it into the page
"""

from pathlib import Path

from qlc.grammar import SyntaxProblem, parse

from .wrong import CODES, SYNTAX, Wrong

PAGE = Path(__file__).parents[2] / "docs" / "diagnostics.md"
HEADING = "## Reading the text\n"
INTRODUCTION = """
A text gets the first of these errors that applies. The message is that of the example.

| code | message | wrong | fixed |
|---|---|---|---|
"""
LONGEST = 100


def table() -> str:
    """The section, heading included: a row for the first example of each code."""
    first = {code: next(one for one in SYNTAX if one.code == code) for code in CODES}
    return HEADING + INTRODUCTION + "\n".join(row(example) for example in first.values()) + "\n"


def row(example: Wrong) -> str:
    cells = (f"`{example.code}`", prose(message(example)), code(example.written), code(example.right))
    return f"| {' | '.join(cells)} |"


def message(example: Wrong) -> str:
    try:
        parse(example.written)
    except SyntaxProblem as problem:
        return problem.diagnostic.message
    raise AssertionError(f"{example.written!r} is a program")


def code(text: str) -> str:
    """A code span: cut where it is very long, line breaks shown, with as many back-quotes as it needs."""
    shown = escaped(text if len(text) <= LONGEST else f"{text[:LONGEST]}…").replace("\n", "⏎")
    return f"`` {shown} ``" if "`" in shown else f"`{shown}`"


def prose(text: str) -> str:
    return escaped(text).replace("`", "\\`")


def escaped(text: str) -> str:
    return text.replace("|", "\\|")


def main() -> None:
    before, _, _ = PAGE.read_text("utf-8").partition(HEADING)
    PAGE.write_text(before + table(), encoding="utf-8")


if __name__ == "__main__":
    main()
