"""Reads the pages of the documentation and their code blocks."""

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]


class Command(NamedTuple):
    """A line of a session (`$ qlc ...`) and what is printed below it."""

    line: str
    printed: str


def text(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def blocks(name: str, kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", text(name), re.DOTALL | re.MULTILINE)


def commands(name: str) -> list[Command]:
    found = []
    for block in blocks(name, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, _, printed = part.partition("\n")
            found.append(Command(line, printed.rstrip("\n")))
    return found


def table(name: str, heading: str) -> list[list[str]]:
    """The cells of the first table after a line that begins so, without its head."""
    _, _, rest = text(name).partition(heading)
    rows = []
    for line in rest.splitlines():
        if line.startswith("|"):
            rows.append([cell.strip() for cell in line.strip("|").split("|")])
        elif rows:
            break
    return rows[2:]
