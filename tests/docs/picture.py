"""The picture of a terminal in README.md, made of what its first session prints: `python -m tests.docs.picture`."""

import io
import shlex
import subprocess
import sys
from pathlib import Path

from tests.docs.pages import ROOT, Command, blocks, commands

PICTURE = ROOT / "docs" / "terminal.svg"
WIDTH = 104
FORMAT = """<svg viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg" role="img">
<title>qlc in a terminal</title>
<style>.{unique_id}-matrix {{ font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
font-size: {char_height}px; line-height: {line_height}px; white-space: pre; }} {styles}</style>
<defs><clipPath id="{unique_id}-clip-terminal"><rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/>
</clipPath>{lines}</defs>{chrome}<g transform="translate({terminal_x}, {terminal_y})"
clip-path="url(#{unique_id}-clip-terminal)">{backgrounds}<g class="{unique_id}-matrix">{matrix}</g></g></svg>
"""
"""The template of rich without its fonts, which come from elsewhere."""


def session() -> list[Command]:
    """Return the commands of the first block of README.md with their output there, which a test checks."""
    (block, *_) = blocks("README.md", "console")
    return [one for one in commands("README.md") if f"$ {one.line}\n" in block]


def svg(shown: list[Command]) -> str:
    from rich.console import Console
    from rich.terminal_theme import DIMMED_MONOKAI
    from rich.text import Text

    console = Console(record=True, width=WIDTH, file=io.StringIO())
    for number, (line, printed) in enumerate(shown):
        console.print(Text.assemble("" if not number else "\n", ("$ ", "bold green"), (line, "bold")))
        console.print(Text(printed), highlight=False)
    return console.export_svg(title="", code_format=FORMAT, theme=DIMMED_MONOKAI, unique_id="qlc")


def main() -> None:
    """Run the commands and draw their output."""
    ran = []
    for one in session():
        command = [str(Path(sys.executable).with_name("qlc")), *shlex.split(one.line)[1:]]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        ran.append(Command(one.line, ended.stdout.rstrip("\n")))
    PICTURE.write_text(svg(ran), encoding="utf-8")


if __name__ == "__main__":
    main()
