"""SQL and pipe languages, parsed far enough to write an equivalent program; unsure ones get no fix."""

from __future__ import annotations

import re

from qlc.base.diagnostics import Diagnostic
from qlc.grammar.fixes import outside_strings, repaired, replace
from qlc.grammar.openings import STATEMENTS
from qlc.grammar.stop import Stop

_SELECT = re.compile(r"select\s+(?P<columns>.+?)\s+from\s+(?P<entity>\w+)\b(?P<rest>.*?);?\s*", re.I | re.S)
_MEASURE = re.compile(r"(sum|avg|min|max|median)\s*\(\s*([\w.]+)\s*\)", re.I)
_DISTINCT = re.compile(r"count\s*\(\s*distinct\s+([\w.]+)\s*\)", re.I)
_COUNT = re.compile(r"count\s*\(\s*[*1]\s*\)", re.I)
_PIPE = re.compile(r"\s*(?:from\s+)?(\w+)\s*\|", re.I)
_PIPED_WORDS = {"take": "limit", "head": "limit", "order by": "sort", "keep": "show", "project": "show",
                "filter": "where"}  # fmt: skip


def select(stop: Stop) -> Diagnostic | None:
    if stop.before or stop.word != "select":
        return None
    match = _SELECT.fullmatch(stop.source[stop.token.start :])
    text = None
    if match:
        statement = _statement(match["columns"], match["entity"], match["rest"])
        if statement is not None:
            text = repaired(stop.source, replace(stop.token.start, len(stop.source), statement))
    return stop.problem("other-language", "this is SQL; here a query begins with what it returns", STATEMENTS, text)


def _statement(columns: str, entity: str, rest: str) -> str | None:
    """Rewrite a SELECT. None if the columns are not fields, or groups and measures, that one program can answer."""
    rest = _like_patterns(rest)
    # A table's short name: `from documents d`, `from documents as d`.
    rest = re.sub(r"^\s+as\s+\w+(?=\s|$)", "", rest, flags=re.I)
    parts = [re.sub(r"\s+as\s+\w+$", "", part.strip(), flags=re.I) for part in re.split(r",(?![^(]*\))", columns)]
    measures = [found for part in parts if (found := _measure(part)) is not None]
    fields = [part for part in parts if _measure(part) is None]
    if not measures:
        shown = "" if fields == ["*"] else f" show {', '.join(fields)}"
        are_names = all(field == "*" or re.fullmatch(r"[\w.]+", field) for field in fields)
        return f"find {entity}{rest}{shown}" if are_names else None
    grouped = re.search(r"\bgroup\s+by\s+([\w.,\s]+?)(?=\s+(?:having|order|limit)\b|$)", rest, re.I)
    groups = [name.strip() for name in grouped[1].split(",")] if grouped else []
    # The columns beside the measures must be the groups, since rows show exactly those.
    if sorted(fields) != sorted(groups):
        return None
    head = "count" if measures == ["count"] else f"{', '.join(measures)} of"
    return f"{head} {entity}{rest}"


def _measure(column: str) -> str | None:
    """Read a column of SQL as a measure: `count(*)` -> `count`. `count(field)` has no equivalent."""
    if _COUNT.fullmatch(column):
        return "count"
    if found := _DISTINCT.fullmatch(column):
        return f"distinct({found[1]})"
    found = _MEASURE.fullmatch(column)
    return f"{found[1].lower()}({found[2]})" if found else None


def _like_patterns(rest: str) -> str:
    """Translate the wildcards of LIKE: `%` -> `*`, `_` -> `?`."""

    def written(match: re.Match[str]) -> str:
        wild = str.maketrans({"%": "*", "_": "?", "*": r"\*", "?": r"\?"})
        return f"{match[1]}{match[2].translate(wild)}"

    return re.sub(r"(\bi?like\s+)('[^'\n]*'|\"[^\"\n]*\")", written, rest, flags=re.I)


def pipes(stop: Stop) -> Diagnostic | None:
    """Rewrite a pipe: `from documents | where size > 5 | take 10` -> `find documents where size > 5 limit 10`."""
    source = stop.source
    if stop.before or _PIPE.match(source) is None:
        return None
    counted = re.search(r"\|\s*(?:count|stats\s+count\s*\(\s*\*?\s*\))\s*$", source, re.I)
    text = source[: counted.start()] if counted else source
    for match in reversed(outside_strings(text, r"\|\s*(\w+(?:\s+by\b)?)?")):
        word = " ".join((match[1] or "").split()).lower()
        text = f"{text[: match.start()]}{_PIPED_WORDS.get(word, word)}{text[match.end() :]}"
    text = re.sub(r"^\s*(?:from\s+)?", "count " if counted else "find ", text, count=1, flags=re.I)
    program = repaired(source, replace(0, len(source), text))
    message = "this is a pipe language; here a query begins with what it returns"
    return stop.problem("other-language", message, STATEMENTS, program)
