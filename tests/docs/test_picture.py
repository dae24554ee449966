"""The picture in README.md shows what the session below it prints."""

import re
from html import unescape

from tests.docs.pages import text
from tests.docs.picture import WIDTH, session, svg


def words_of(picture: str) -> list[str]:
    """The words of a picture, line by line from the top."""
    found = re.findall(r"<text[^>]*>(.*?)</text>", picture, re.DOTALL)
    return unescape(" ".join(found)).replace("\xa0", " ").split()


def test_the_picture_is_current() -> None:
    """If not: python -m tests.docs.picture"""
    assert words_of(text("docs/terminal.svg")) == words_of(svg(session()))


def test_it_is_on_the_first_screen_and_loads_nothing() -> None:
    assert "](docs/terminal.svg)" in "\n".join(text("README.md").splitlines()[:12])
    assert "url(http" not in text("docs/terminal.svg")
    assert all(len(line) <= WIDTH for one in session() for line in one.printed.splitlines())
