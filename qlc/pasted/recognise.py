"""Recognizes pasted requests of Elasticsearch in a text, and what to do with them. Other texts are left to the
caller."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal

from qlc.base.diagnostics import NO_SPAN, Span
from qlc.grammar import SyntaxProblem, parse
from qlc.pasted.curl import Quoted, find_curl, read_curl
from qlc.pasted.json_tree import Unreadable, read_json

Want = Literal["run", "explain", "fix"]

BODY_KEYS = frozenset(
    ["query", "size", "from", "sort", "_source", "fields", "docvalue_fields", "stored_fields", "aggs",
     "aggregations", "post_filter", "highlight", "min_score", "track_total_hits", "track_scores", "timeout",
     "explain", "profile", "version", "seq_no_primary_term", "suggest", "rescore", "script_fields",
     "runtime_mappings", "search_after", "pit", "slice", "collapse", "knn", "retriever", "rank", "indices_boost",
     "terminate_after", "ext", "stats", "script", "doc", "doc_as_upsert", "upsert", "source", "dest"]
)  # fmt: skip
"""Keys at the top of a body; one of these distinguishes a request from other JSON."""

QUERY_KEYS = frozenset(
    ["bool", "term", "terms", "match", "match_all", "match_none", "match_phrase", "match_phrase_prefix",
     "match_bool_prefix", "multi_match", "query_string", "simple_query_string", "range", "exists", "prefix",
     "wildcard", "regexp", "fuzzy", "ids", "nested", "constant_score", "dis_max", "boosting", "function_score",
     "script_score", "geo_distance", "geo_bounding_box", "geo_shape", "geo_polygon", "more_like_this", "percolate",
     "has_child", "has_parent", "parent_id", "knn", "terms_set", "wrapper", "pinned", "distance_feature",
     "rank_feature", "intervals", "span_term", "span_near", "span_or", "filtered"]
)  # fmt: skip
"""Kinds of queries; people paste a query without its body."""


@dataclass(frozen=True, slots=True)
class Pasted:
    """A request in a text. `method`, `path` (with its parameters) and `body` are empty or None if missing.

    - `words`: the text about it; `question`: a separate question in the text.
    - `file`: the file with the body; `credentials`: the command contains some.
    - `several`: the place where another request begins.
    - `unbraced`: the brackets around the body were missing.
    - `cut`: the text is longer than `LONGEST`; the rest was ignored.
    """

    text: str
    want: Want
    words: str
    method: str = ""
    path: str = ""
    path_span: Span = NO_SPAN
    body: Quoted | None = None
    file: str = ""
    credentials: bool = False
    several: Span | None = None
    unbraced: bool = False
    cut: bool = False
    question: str = ""

    @property
    def alone(self) -> Pasted:
        """Return the request without the question beside it."""
        return replace(self, question="")

    @property
    def counts(self) -> bool:
        """Whether the words ask for a number: `how many does this find?`"""
        return _COUNTS.search(self.words) is not None


LONGEST = 200_000
"""Most characters of a text that are read."""
MOST_BRACKETS = 8
"""Most opening brackets that are tried as the start of a body."""

_METHODS = "GET|POST|PUT|DELETE|HEAD|PATCH"
_LINE = re.compile(rf"(?<![\w/])({_METHODS})[ \t]+(?:https?://[^\s/'\"{{}}]+|kbn:)?(/?[^\s{{}}'\"`]*)")
_ENDPOINT_LINE = re.compile(
    rf"(?<![\w/])({_METHODS})[ \t]+(?:https?://[^\s/'\"{{}}]+)?(/?(?:[\w.,*<>%+\-:]+/)*_[a-z_]+[^\s{{}}'\"`]*)",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"(?:[^/?#]*://|//)?[^/?#]*([^?#]*(?:\?[^#]+)?)")
"""Scheme, server, and the request after them. The server is ignored, since it is not called."""
_ENDPOINT = re.compile(r"(?:^|/)_[a-z]")
_OPENS = re.compile(
    r"""\{(?:\s|//[^\n]{0,1000}\n|\#[^\n]{0,1000}\n)*"""
    r"""(?:(?:"{3}|["'“”„‘’«`])?[\w.@*\-]+(?:"{3}|["'“”‘’»`])?\s*(?::|=>|=|\{)|\})"""
)
"""A bracket, a name, and what can follow a name."""
_UNBRACED = re.compile(
    r"""(?:(?<!\S)["'“”‘](?:query|aggs|aggregations|size|from|sort|_source)["'”“’]|"""
    r"""(?:^|(?<=\n)|(?<=:\s))[ \t]*(?:query|aggs|aggregations))\s*:"""
)
_ASKS = re.compile(r"""(?:query|aggs|aggregations)["'”“’]?\s*:\s*\{""")
_KEY = re.compile(r"""[{,\s]["'“”„‘’«`]?([\w.\-]+)["'“”‘’»`]?\s*(?::|=>|=|\{|\[)""")
_CALLED = re.compile(r"""\bindex\s*[=:]\s*["']([^"'\s]+)["']""")
"""The index in a call of a client: `es.search(index="things", body={...})`."""
_OBJECT = re.compile(r"""["'“”„‘’«`]?(\w+)["'“”‘’»`]?\s*(?::|=>|=)?\s*\{""")
_FENCE = re.compile(r"```[\w-]*")
_BEFORE_QUOTE = '"“„«'
_BEFORE_VALUE = ("{", "[", ",", ":", "=", "(", ">")
"""The text before single quotes."""


def recognise(text: str) -> Pasted | None:
    """Return the request in a text; None for words and for programs of the query language."""
    if len(text) > LONGEST:
        head = recognise(text[:LONGEST])
        return None if head is None else replace(head, cut=True)
    if not ("{" in text or _ENDPOINT_LINE.search(text) or _LINE.search(text) or "curl" in text):
        return None
    found = _curl(text) or _with_line(text) or _bare(text)
    if found is None:
        return None
    try:
        parse(text)
    except (SyntaxProblem, RecursionError):
        return _with_question(found)
    return None


_SENTENCE = re.compile(r"[?!](?=\s|$)|[.;](?=\s)|^(?:and|also|then|plus)\b", re.IGNORECASE)
_SAYS_NOTHING = re.compile(
    r"\b(?:how|many|much|what|who|which|where|when|show|list|find|give|tell|get|count|me|us|the|all|of|are|is|do|does|we|i|"
    r"you|there|have|has|in|total|and|also|then|plus|please|thanks|thank|hi|hello|hey|can|could|would|"
    r"quer(?:y|ies)|requests?|search(?:es)?|json|elasticsearch|it|this|that|these|those|run|execute|explain|fix|"
    r"match(?:es|ed|ing)?|hits?|results?|returns?|returned|found|finds|work(?:s|ing)?|wrong|with|for|to|a|an|my|"
    r"not|run(?:s|ning)?|just|only|first|same|next|out|from)\b|[^\w]|\d", re.IGNORECASE
)  # fmt: skip
"""Words that do not ask for stored data, or describe a request."""


def _with_question(pasted: Pasted) -> Pasted:
    """Separate a question in a sentence of its own from the request."""
    words = re.sub(r"^(?:and|also|then|plus)\b[\s,]*", "", pasted.words, flags=re.IGNORECASE)
    asks = _SENTENCE.search(pasted.words) is not None and _SAYS_NOTHING.sub("", words) != ""
    if not asks or _OF_REQUESTS.search(words) is not None:
        return pasted
    return replace(pasted, want="run", words="", question=words)


# --- the three forms -------------------------------------------------------------------------------------------------


def _curl(text: str) -> Pasted | None:
    at = find_curl(text)
    if at is None:
        return None
    command = read_curl(text, at.end)
    path, span = "", at
    if command.address is not None:
        parts = _ADDRESS.match(command.address.text)
        assert parts is not None
        path, cut = parts[1], parts.start(1) if parts[1] else 0
        span = command.address.span(Span(cut, len(command.address.text)))
    body = next((one for one in command.bodies if one.text.strip()), None)
    end = command.end
    if body is not None and "{" in body.text and not body.text.rstrip().endswith("}"):
        # A quote inside the body ended it for the shell; what was meant reaches to the last bracket.
        start = text.find("{", at.end)
        last = max(text.rfind("}") + 1, start + 1)
        body, end = Quoted(text[start:last], range(start, last + 1)), max(end, last)
    method = command.method or ("POST" if body is not None and not command.as_get else "GET")
    words = _words_around(text, at.start, end)
    several = next((one.span(Span(0, 1)) for one in command.bodies[1:] if one.text.strip()), None)
    return Pasted(text, _want(words), words, method, path, span, body, command.file, command.credentials, several)


def _with_line(text: str) -> Pasted | None:
    """Recognize `GET /index/_search` with or without a body after it."""
    for found in (*_LINE.finditer(text), *_ENDPOINT_LINE.finditer(text)):
        opening = _body_start(text, found.end())
        path = found[2]
        sure = _ENDPOINT.search(path.partition("?")[0]) is not None
        writes = found[1] in ("PUT", "DELETE", "POST", "PATCH") and path.startswith("/") and len(path) > 1
        if not (sure or writes or (opening >= 0 and path)):
            continue
        pasted = Pasted(text, "run", "", found[1].upper(), path, Span(found.start(2), found.end(2)))
        if opening < 0:
            words = _words_around(text, found.start(), found.end())
            return replace(pasted, words=words, want=_want(words))
        return _with_body(pasted, found.start(), opening)
    return None


def _body_start(text: str, at: int) -> int:
    """Return the start of a body right after a request line; -1 if there is none."""
    after = re.compile(r"(?:\s|//[^\n]*\n|#[^\n]*\n|['`])*").match(text, at)
    assert after is not None
    return after.end() if text[after.end() : after.end() + 1] == "{" else -1


_GOES_ON = re.compile(r"\.\w")


def _bare(text: str) -> Pasted | None:
    """Recognize a body alone, with words around it."""
    after = 0
    for found in islice(_OPENS.finditer(text), MOST_BRACKETS):
        start = found.start()
        if start < after:
            continue  # nested inside another one, so not a request by itself
        if text[start - 1 : start] in _BEFORE_QUOTE and start > 0:
            return None  # in quotes it is a name or a value
        pasted = _with_body(Pasted(text, "run", ""), start, start)
        body = pasted.body
        assert body is not None
        after = start + len(body.text)
        if _GOES_ON.match(text, after) or _is_a_name(text, start, after):
            return None  # a part of a name: `{"a": 1}.json`; a name in brackets, not a body
        whole = not pasted.words and body.text.rstrip().endswith("}") and body.text.strip() != "{}"
        if whole or _known(body.text):
            called = _CALLED.search(text[:start]) or _CALLED.search(text, start + len(body.text))
            if called is not None and re.search(r"\b(?:search|count)\s*\(", text[:start]):
                kind = "_count" if re.search(r"\bcount\s*\(", text[:start]) else "_search"
                pasted = replace(pasted, method="POST", path=f"/{called[1]}/{kind}",
                                 path_span=Span(called.start(1), called.end(1)), want=_want(""), words="")
            unbraced = _unbraced(text)
            return unbraced if unbraced is not None and unbraced.path_span.start < start else pasted
    return _unbraced(text)


_BEFORE_NAMES = re.compile(
    r"\b(?:in|inside|within|under|called|named|titled|tagged)(?:\s+(?:the|a|an|my|our)\s+\w+)?\s*$", re.IGNORECASE
)
"""Words before a name: `in`, `in the folder`, `called`."""
_OF_REQUESTS = re.compile(
    r"\b(?:quer(?:y|ies)|requests?|search(?:es)?|json|dsl|body|bodies|elasticsearch|kibana|syntax|this|that|these|it|"
    r"following|run|execute|explain|translate|convert|rewrite|fix|correct|mend|repair|mean(?:s|ing)?)\b",
    re.IGNORECASE,
)
"""Words about a request rather than about stored data."""


def _is_a_name(text: str, start: int, end: int) -> bool:
    """Whether brackets at the end of a line of words are a name: `documents in {drafts}`."""
    before = text[:start]
    in_the_line = "\n" not in text.strip() and not text[end:].strip(" ?.!")
    return in_the_line and _BEFORE_NAMES.search(before) is not None and not _OF_REQUESTS.search(before)


def _unbraced(text: str) -> Pasted | None:
    """Recognize `"query": {...}` without the brackets around it."""
    found = _UNBRACED.search(text)
    if found is None or not _ASKS.search(text, found.start()):
        return None
    start = found.end() - len(found[0].lstrip())
    before = text[:start]
    if before.count("{") > before.count("}"):
        return None
    end = _position_after(text, start, "{" + text[start:])
    body = Quoted("{" + text[start:end], (start, *range(start, end + 1)))
    words = _words_around(text, start, end)
    return Pasted(text, _want(words), words, path_span=Span(start, start), body=body, unbraced=True)


def _with_body(pasted: Pasted, from_: int, start: int) -> Pasted:
    text = pasted.text
    end = _end_of_body(text, start)
    words = _words_around(text, from_, end)
    after = _OPENS.match(text, _skip(text, end))
    line = _LINE.match(text, _skip(text, end))
    several = Span(after.start(), after.start() + 1) if after is not None else None
    if line is not None and several is None:
        several = Span(line.start(), line.end())
    return replace(pasted, want=_want(words), words=words, body=Quoted(text[start:end], range(start, end + 1)),
                   several=several)


def _skip(text: str, at: int) -> int:
    while at < len(text) and (text[at].isspace() or text[at] in ",;`"):
        at += 1
    return at


def _end_of_body(text: str, start: int) -> int:
    """Return the end of a body: after the closing bracket and superfluous ones; if it is not closed, after the last
    bracket."""
    depth, at, quote = 0, start, ""
    while at < len(text):
        one = text[at]
        if quote:
            if one == "\\" and len(quote) == 1:
                at += 1
            elif text.startswith(quote, at):
                at += len(quote) - 1
                quote = ""
            elif one == "\n" and len(quote) == 1:
                quote = ""  # a text does not go on over lines: the quote was none
        elif text.startswith('"""', at):
            quote = '"""'
            at += 2
        elif one == '"' or (one == "'" and text[:at].rstrip().endswith(_BEFORE_VALUE)):
            quote = one
        elif one in "{[":
            depth += 1
        elif one in "}]":
            depth -= 1
            if depth == 0:
                more = re.compile(r"(?:\s*[}\]])+").match(text, at + 1)
                return more.end() if more is not None else at + 1
        at += 1
    return _position_after(text, start, text[start:])


def _position_after(text: str, start: int, body: str) -> int:
    """Return the end of a body with missing brackets: the end of the text if all of it parses, else after the last
    bracket."""
    try:
        rest = body[read_json(body).end :]
    except Unreadable:
        return _last_bracket(text, start)
    return len(text) - len(rest) if not rest.strip("`\r\n\t ") else _last_bracket(text, start)


def _last_bracket(text: str, start: int) -> int:
    last = max(text.rfind("}"), text.rfind("]"))
    return last + 1 if last > start else len(text.rstrip())


def _known(body: str) -> bool:
    """Whether a body is a request's: by its top keys, or by a query close to the top."""
    keys = [found[1] for found in _KEY.finditer(body[:2000])]
    if keys[:1] and keys[0] in BODY_KEYS | QUERY_KEYS:
        return True
    return bool({"query", "aggs", "aggregations"} & set(keys[:8])) or any(
        found[1] in QUERY_KEYS for found in _OBJECT.finditer(body[:200])
    )


def _words_around(text: str, start: int, end: int) -> str:
    around = _FENCE.sub(" ", f"{text[:start]} \n {text[end:]}")
    return " ".join(around.strip(" \t\r\n`'\":;,.").split())


# --- what is wanted --------------------------------------------------------------------------------------------------

_EXPLAIN = re.compile(
    r"\b(?:explain|explanation|describe|description|what(?:'s|s| is| does| do| would| will| are)|mean(?:s|ing)?|"
    r"understand|translate|convert|rewrite|re-write|in (?:plain )?(?:words|english)|how (?:does|would|do|is|can|to)|"
    r"say (?:this|that|it)|express|query language|walk me through|tell me|summari[sz]e|read (?:this|that) to me|"
    r"without running|(?:do not|don'?t|dont) (?:run|execute)|why|check|valid(?:ate)?|is (?:this|that|it))\b",
    re.IGNORECASE,
)
_FIX = re.compile(r"\b(?:fix|fixed|repair|correct|mend|clean up|make (?:this|it|that) work)\b", re.IGNORECASE)
_RUN = re.compile(r"\b(?:run|execute|try|send|fire|search|go|do (?:this|it)|results?)\b", re.IGNORECASE)
_NOT_RUN = re.compile(r"\b(?:without (?:running|executing)|(?:do not|don'?t|dont) (?:run|execute))\b", re.IGNORECASE)


def _want(words: str) -> Want:
    if _NOT_RUN.search(words):
        return "explain"
    if _FIX.search(words):
        return "fix" if _RUN.search(words) or not _EXPLAIN.search(words) else "explain"
    first = _RUN.search(words)  # `run this and tell me what it finds` asks to run it
    asks_to_run = first is not None and _BEFORE_RUN.fullmatch(words, 0, first.start())
    return "explain" if _EXPLAIN.search(words) and not asks_to_run else "run"


_COUNTS = re.compile(
    r"\b(?:how many|count (?:the|these|those|them|what|it)|number of (?:hits|results|matches))\b", re.IGNORECASE
)
_BEFORE_RUN = re.compile(r"(?:\W|can|could|would|please|pls|just|ok|now|and|you|i|want|to)*", re.IGNORECASE)
