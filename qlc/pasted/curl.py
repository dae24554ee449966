"""Parses a `curl` command as a shell would: method, address and body, with the place of each character in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from qlc.base.diagnostics import Span


@dataclass(frozen=True, slots=True)
class Quoted:
    """A text without its quotes. `places[n]` is the place of character n in the source, followed by that of the end."""

    text: str
    places: Sequence[int]

    def span(self, span: Span) -> Span:
        """Map a part of the text to its span in the source."""
        last = len(self.places) - 1
        start, end = min(span.start, last), min(span.end, last)
        found = self.places[start]
        return Span(found, max(found, self.places[end - 1] if end > start else found) + 1)


@dataclass(slots=True)
class Command:
    """A curl command. `end` is its end in the source; `file` the file that the body is in."""

    end: int
    method: str = ""
    address: Quoted | None = None
    bodies: list[Quoted] = field(default_factory=list)
    file: str = ""
    as_get: bool = False
    credentials: bool = False


_BODY = ("-d", "--data", "--data-raw", "--data-binary", "--data-ascii", "--json", "--data-urlencode")
_VALUED = ("-H", "--header", "-A", "--user-agent", "-o", "--output", "-m", "--max-time", "--connect-timeout", "-e",
           "--referer", "--cacert", "--cert", "-E", "--key", "-b", "--cookie", "-w", "--write-out", "-x", "--proxy",
           "--retry", "--compressed-ssh", "-c", "--cookie-jar", "-T", "--upload-file")  # fmt: skip
_LOOKS = re.compile(r"\bcurl(?:\.exe)?\s+(?=-|[\"']?https?://|[\"']?[\w.\-]+(?::[0-9]+)?/|\\\n|\$)")


def find_curl(text: str) -> Span | None:
    """Find the start of a curl command: the word, followed by an option or an address."""
    found = _LOOKS.search(text)
    return None if found is None else Span(found.start(), found.end())


def read_curl(text: str, at: int) -> Command:
    """Read the command whose options begin at `at`."""
    words, end = _words(text, at)
    command = Command(end)
    pending = ""
    for word in words:
        argument = word.text
        if pending:
            _take(command, pending, word)
            pending = ""
        elif argument.startswith("--"):
            name, is_set, _ = argument.partition("=")
            if is_set:
                _take(command, name, _from(word, len(name) + 1))
            elif name in _BODY or name in _VALUED or name in ("--request", "--url", "--user"):
                pending = name
            elif name == "--get":
                command.as_get = True
        elif argument.startswith("-") and len(argument) > 1:
            pending = _short(command, word)
        elif command.address is None:
            command.address = word
    return command


def _short(command: Command, word: Quoted) -> str:
    """Read joined short options; the last one can have a value: `-sXGET`, `-d'{}'`."""
    for at, letter in enumerate(word.text[1:], 1):
        name = f"-{letter}"
        if letter == "G":
            command.as_get = True
        elif letter == "I":
            command.method = command.method or "HEAD"
        elif name in _BODY or name in _VALUED or letter in "Xu":
            if at + 1 == len(word.text):
                return name
            _take(command, name, _from(word, at + 1))
            return ""
    return ""


def _take(command: Command, name: str, value: Quoted) -> None:
    if name in ("-X", "--request"):
        command.method = value.text.upper()
    elif name == "--url":
        command.address = value
    elif name in ("-u", "--user"):
        command.credentials = True
    elif name in ("-H", "--header"):
        command.credentials = command.credentials or value.text.lower().startswith(("authorization", "cookie"))
    elif name in ("-T", "--upload-file"):
        command.method, command.file = command.method or "PUT", value.text
    elif name in _BODY:
        if value.text.startswith("@") and len(value.text) > 1 and not value.text.startswith("@-"):
            command.file = value.text[1:]
        elif not value.text.startswith("@-"):
            command.bodies.append(value)


def _from(word: Quoted, start: int) -> Quoted:
    return Quoted(word.text[start:], word.places[start:])


_CONTINUED = re.compile(r"[\\^`]\r?\n")
_PARAMETER = re.compile(r"[\w.]+=")
"""A parameter after `&` in an address without quotes."""
_HERE = re.compile(r"<<-?\s*(['\"]?)(\w+)\1[^\n]*\n")


def _words(text: str, at: int) -> tuple[list[Quoted], int]:
    """Split the words of a command up to the end of its line, including continued lines."""
    words: list[Quoted] = []
    while at < len(text):
        if text[at] in " \t":
            at += 1
        elif (joined := _CONTINUED.match(text, at)) is not None:
            at = joined.end()
        elif text[at] in "\r\n;|&" or text.startswith("```", at):
            break
        elif (here := _HERE.match(text, at)) is not None:
            ends = re.compile(rf"^\s*{here[2]}\s*$", re.MULTILINE).search(text, here.end())
            end = ends.start() if ends else len(text)
            words += [Quoted("-d", range(at, at + 3)), Quoted(text[here.end() : end], range(here.end(), end + 1))]
            at = ends.end() if ends else len(text)
        else:
            characters = list(_characters(text, at))
            at = characters.pop()[1]
            places = [place for _, place in characters]
            words.append(Quoted("".join(one for one, _ in characters), (*places, at)))
    return words, at


_QUOTES: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "'": ("'", {}),
    '"': ('"', {'"': '"', "\\": "\\", "$": "$", "`": "`", "\n": ""}),
    "$'": ("'", {"'": "'", "\\": "\\", '"': '"', "n": "\n", "t": "\t", "r": "\r"}),
}
"""The closing mark of each kind of quotes, and its backslash escapes."""


def _characters(text: str, at: int) -> Iterator[tuple[str, int]]:
    """Yield the characters of one word without quotes and backslashes, each with its place; then the end of the
    word."""
    end, escapes = "", _QUOTES["'"][1]
    while at < len(text):
        one, following = text[at], text[at + 1 : at + 2]
        if end:
            if one == end:
                end = ""
            elif one == "\\" and following in escapes:
                at += 1
                if escapes[following]:
                    yield escapes[following], at
            else:
                yield one, at
        elif one + following == "$'":
            (end, escapes), at = _QUOTES["$'"], at + 1
        elif one in _QUOTES:
            end, escapes = _QUOTES[one]
        elif one in " \t\r\n;|&" and not (one == "&" and _PARAMETER.match(text, at + 1, at + 40)):
            break
        elif one == "\\" and following:
            at += 1
            if following != "\n":
                yield following, at
        else:
            yield one, at
        at += 1
    yield "", at
