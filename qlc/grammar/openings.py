"""Diagnostics for text around a query: sentences, code fences, other words for `find` and `count`."""

from __future__ import annotations

import re

from qlc.base.diagnostics import Diagnostic, Span
from qlc.grammar.fixes import LONGEST, Edit, edited, repaired, replace
from qlc.grammar.stop import Fix, Stop

_POLITE = r"(?:please\s+|can\s+you\s+|could\s+you\s+|i\s+want\s+(?:to\s+see\s+)?|i\s+need\s+)*"
_ALL = r"(?:(?:all|every|each|any|the|of|our)\s+)*"
_FIND = r"(?:find|show|list|give|get|fetch|display|retrieve|return|search(?:\s+for)?|look\s+for|which|what)"
_COUNT = r"(?:how\s+many|(?:what\s+is\s+)?the\s+number\s+of|number\s+of|count)"
_OPENING = re.compile(
    rf"\s*{_POLITE}(?:(?P<find>{_FIND}\s+(?:me\s+|us\s+)?)|(?P<count>{_COUNT}\s+)){_ALL}(?=[a-z_])", re.IGNORECASE
)
_ARE = re.compile(r"(\w+)\s+(?:that\s+|which\s+)?(?:are|have|were|do\s+we\s+have)\s+", re.IGNORECASE)
_FENCED = re.compile(r"```[ \t]*\w*[ \t]*\n?(.*?)```", re.DOTALL)
_STATEMENT = r"(?:find|count|get|let|sum|avg|min|max|median|percentile|distinct|share)\b"
_LABELLED = re.compile(rf"\s*[\w ]{{1,20}}:\s*(?={_STATEMENT})", re.IGNORECASE)
_IN_QUOTES = re.compile(rf"\s*([\"'`])(\s*{_STATEMENT}.*)\1\s*", re.IGNORECASE | re.DOTALL)

_REQUEST = re.compile(
    r"\s*((?:get|post|put|head|delete)\s+(?:/|\S*_(?:search|count|msearch|doc|bulk)\b))", re.IGNORECASE
)
STATEMENTS = "write 'find ENTITIES where ...', 'count ENTITIES' or 'avg(FIELD) of ENTITIES by FIELD'"


def wrapped(source: str, fix: Fix) -> Diagnostic | None:
    """Unwrap one query in a chat model's reply: from a code fence, a label, quotes, or before a full stop."""
    if len(source) > LONGEST:
        return None
    fences, quoted, label = _FENCED.findall(source), _IN_QUOTES.fullmatch(source), _LABELLED.match(source)
    inside: tuple[str, Span, str] | None = None
    if len(fences) == 1:
        place = source.index("```")
        inside = "without code fences", Span(place, place + 3), fences[0].strip()
    elif quoted:
        inside = "without quotes around it", Span(*quoted.span(1)), quoted[2].strip()
    elif label:
        inside = "without a label", Span(*label.span()), source[label.end() :]
    if inside is not None:
        how, span, query = inside
        return Diagnostic("code-fence", f"a query is written {how}", span, "write the query alone", fixed=fix(query))
    if request := _REQUEST.match(source):
        message = "this is a request to a server, and queries are written in words"
        return Diagnostic("other-language", message, Span(*request.span(1)), STATEMENTS)
    end = source.rstrip()
    if end[-1:] in (".", "?", "!") and len(end) > 1 and (text := repaired(end, replace(len(end) - 1, len(end), ""))):
        span = Span(len(end) - 1, len(end))
        return Diagnostic("filler-word", f"a query ends without '{end[-1]}'", span, "leave it out", fixed=text)
    return None


def opening(stop: Stop) -> Diagnostic | None:
    """Rewrite an opening: `show me all documents` -> `find documents`, `how many X` -> `count X`."""
    match = _OPENING.match(stop.source)
    if match is None or stop.token.start > match.end() + 40:
        return None
    word = "find" if match["find"] else "count"
    written = match[0].strip()
    edits = [replace(0, match.end(), f"{word} ")]
    are = _ARE.match(stop.source, match.end())
    if are is not None:
        edits.append(replace(are.end(1), are.end(), " where "))
    if are is None and (written.lower() == word or (written.lower() == "get" and not stop.source.count("where"))):
        return None
    text = further(stop, *edits)
    if text is None and (stop.token.start > match.end() or written.split()[0].lower() in ("get", "count", "find")):
        return None
    span = Span(match.end() - len(match[0].lstrip()), match.start() + len(match[0].rstrip()))
    if are is not None and written.lower() == word:
        written, word, span = are[0][len(are[1]) :].strip(), "where", Span(are.end(1) + 1, are.end() - 1)
    message = f"'{written}' is not a word of the language here"
    return stop.problem("other-word", message, f"write '{word}'", text, span=span)


def lone_value(stop: Stop) -> Diagnostic | None:
    """Complete a value without a statement: `the size of document("x")` -> `get document("x").size`."""
    asked = re.match(r"\s*(?:what\s+is|what's)\s+the\s+([\w.]+)\s+of\s+(.*\S)\s*$", stop.source, re.I | re.S)
    written = f"get {asked[2].rstrip('?')}.{asked[1]}" if asked else ""
    text = repaired(stop.source, replace(0, len(stop.source), written)) if written else None
    if text is not None:
        return stop.problem("missing-find", "a query begins with what is asked for", f"write '{text}'", text)
    if stop.before or stop.token.kind != "NAME" or not re.match(r"\s*\w+\s*\(\s*[\"'$]", stop.source):
        return None
    for word in ("get", "find"):
        text = repaired(stop.source, replace(stop.token.start, stop.token.start, f"{word} "))
        if text is not None:
            message = "a query begins with what is asked for"
            return stop.problem("missing-find", message, f"write '{word}' before it", text)
    return None


def further(stop: Stop, *edits: Edit) -> str | None:
    """Apply the edits, then fix what is still wrong with the text."""
    text = edited(stop.source, *edits)
    return None if text == stop.source else stop.fix(text)
