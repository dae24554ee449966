"""Converts errors of the client and of the server to `RequestFailed`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from qlc.base.errors import RequestFailed
from qlc.resolver.wrong_server import not_a_search_server, unreachable_sentence

RETRYABLE_STATUS = frozenset({429, 502, 503, 504})

TRANSIENT_TYPES: Mapping[str, str] = {
    **dict.fromkeys(
        # a queue or the memory is full; memory that is never free again is sorted out by `durability`
        ("es_rejected_execution_exception", "circuit_breaking_exception"), "overloaded",
    ),
    **dict.fromkeys(
        (
            # a node is gone, or stops: the next attempt goes to another copy
            "node_disconnected_exception", "node_not_connected_exception", "node_closed_exception",
            "connect_transport_exception", "send_request_transport_exception", "receive_timeout_transport_exception",
            "no_such_remote_cluster_exception", "no_seed_node_left_exception",
            # a shard moves, starts or has no copy at the moment
            "no_shard_available_action_exception", "unavailable_shards_exception", "already_closed_exception",
            "illegal_index_shard_state_exception", "index_shard_closed_exception", "index_shard_not_started_exception",
            "index_shard_not_recovering_exception", "shard_not_found_exception", "shard_not_in_primary_mode_exception",
            # the cluster has no master, or is not up yet
            "master_not_discovered_exception", "not_master_exception", "process_cluster_event_timeout_exception",
        ),
        "unavailable",
    ),
}  # fmt: skip
"""Transient errors, whatever their status. The status of a search is that of its first cause, which is 500 for most
errors without a status of their own."""

_REASONS = {401: "unauthorized", 403: "forbidden", 404: "no-index", 408: "timeout", 413: "too-large", 429: "overloaded"}

_TOO_LARGE_TYPES = frozenset({"too_many_clauses", "too_many_nested_clauses", "too_many_buckets_exception"})
_REFUSING_TYPES = frozenset({"query_shard_exception", "illegal_argument_exception", "number_format_exception"})
"""Errors of a shard that come again however often it is asked: its index lacks a field, or has it with another type."""
_TOO_LARGE_WORDS = ("Result window is too large", "has exceeded the allowed maximum")


def failure_of(problem: Exception) -> RequestFailed:
    """Convert an error of the client."""
    from elastic_transport import ConnectionError as Unreachable
    from elastic_transport import ConnectionTimeout, SerializationError
    from elasticsearch import ApiError, UnsupportedProductError

    from qlc.store.wire import AnswerTooLarge

    if isinstance(problem, UnsupportedProductError) or (isinstance(problem, ApiError) and problem.meta.status < 400):
        return not_a_search_server(problem)  # Elasticsearch never redirects
    if isinstance(problem, ApiError):
        error = _error_in(problem.body)
        failed = failure_of_error(problem.meta.status, error)
        failed.pause = _seconds(problem.meta.headers.get("retry-after"))
        if problem.meta.status == 500 and failed.reason == "unavailable" and failed.pause is not None:
            failed.reason, failed.retryable = "overloaded", True  # a server that names a time expects to answer then
        return failed
    if isinstance(problem, ConnectionTimeout):
        return RequestFailed("timeout", "no answer in time")
    if isinstance(problem, AnswerTooLarge):
        return RequestFailed("too-large", detail_of(problem))
    if isinstance(problem, SerializationError):
        return RequestFailed("garbled", "the answer cannot be read", retryable=True)
    if isinstance(problem, Unreachable):
        cause = "" if problem.message in str(problem) else f" caused by: {type(problem).__name__}({problem.message})"
        detail = detail_of(f"{problem}{cause}")
        return RequestFailed("unreachable", detail, retryable=True, sentence=unreachable_sentence(detail))
    return RequestFailed("garbled", detail_of(problem), retryable=True)


def _error_in(body: Any) -> Any:
    """Return the error in a response: Elasticsearch has `error`, proxies `message` or a page of HTML."""
    if not isinstance(body, Mapping):
        return _TAGS.sub(" ", str(body or "")).strip()
    return body.get("error") or next((body[name] for name in ("message", "Message", "detail") if body.get(name)), None)


_TAGS = re.compile(r"<(style|script|head)\b.*?</\1>|<[^>]*>|\s+", re.DOTALL | re.IGNORECASE)
LONGEST_DETAIL = 2000
_CREDENTIALS = re.compile(r"(?i)\b(ApiKey|Basic|Bearer)(\s+)[\w+/=.~-]{6,}|(?<=://)[^/@\s]+@")


def detail_of(said: object) -> str:
    """Return the error text for the log, shortened, with credentials hidden."""
    hidden = _CREDENTIALS.sub(lambda one: f"{one[1]}{one[2]}<hidden>" if one[1] else "<hidden>@", str(said))
    return hidden[:LONGEST_DETAIL]


def _seconds(after: str | None) -> float | None:
    """Parse a `Retry-After` header, a number of seconds or a date, to seconds."""
    if not after:
        return None
    if after.isascii() and after.isdecimal():
        return float(after)
    try:
        until = parsedate_to_datetime(after)
    except ValueError:
        return None
    return max(0.0, (until.astimezone(UTC) - datetime.now(UTC)).total_seconds())


_OVERLOADED = re.compile(r"overload|too[ _]many[ _]requests|rejected[ _]execution", re.IGNORECASE)
"""Words in errors of servers or proxies that are overloaded."""


def failure_of_error(status: int, error: Any) -> RequestFailed:
    """Convert an error in a response of Elasticsearch."""
    causes = list(_causes(error))
    types = [str(cause.get("type")) for cause in causes]
    said = [f"{cause.get('type')}: {cause['reason']}" for cause in causes if isinstance(cause.get("reason"), str)]
    kind = types[0] if types else ""
    each: dict[str, str] = {}
    for one in said:
        each.setdefault(_NUMBERS.sub("", one), one)  # of several shards, whose numbers differ
    detail = "; ".join(each.values()) or (error if not causes else "")
    reason = _REASONS.get(status) or ("unavailable" if status >= 500 else "rejected")
    retryable = status in RETRYABLE_STATUS
    passing = [TRANSIENT_TYPES[kind] for kind in types if kind in TRANSIENT_TYPES]
    if passing and not retryable:
        reason, retryable = passing[0], True
    elif status == 500 and not retryable and _OVERLOADED.search(" ".join([*types, str(detail)])):
        reason, retryable = "overloaded", True
    if "media_type_header_exception" in types:
        reason, retryable = "client-version", False
    elif "task_cancelled_exception" in types:
        reason, retryable = "timeout", False
    elif "search_context_missing_exception" in types:
        reason, retryable = "expired", False
    elif _TOO_LARGE_TYPES & set(types) or any(word in one for word in _TOO_LARGE_WORDS for one in said):
        reason, retryable = "too-large", False
    elif any(cause.get("durability") == "PERMANENT" for cause in causes):
        # The memory that the search would need is never free: the server's own words for too large.
        reason, retryable = "too-large", False
    parts = (status, "" if str(detail).startswith(kind) else kind, detail)
    text = " ".join(str(part) for part in parts if part)
    sentence = next((one for pattern, one in _SENTENCES if pattern.search(text)), "")
    return RequestFailed(reason, detail_of(text), retryable=retryable, sentence=sentence)


_NUMBERS = re.compile(r"\d+")
_SENTENCES = tuple((re.compile(pattern), sentence) for pattern, sentence in {
    r"script_lang not supported|cannot execute (?:\[?inline\]? )?scripts":
        "The search server runs no scripts, and a calculation with several fields needs one. Compare each field with a "
        "value, or show the fields and calculate with the answer.",
    "index_closed_exception":
        "A part of what should be searched is closed on the search server, so nothing was searched. It can be opened "
        "there, or left out of the catalog.",
    "_source is disabled":
        "The stored documents are not kept there, so none can be shown. Counts and sums can be asked.",
}.items())  # fmt: skip
"""Sentences for refusals, by the error text of the server."""


def partial_failure(what: str, failure: Any) -> RequestFailed:
    """Return the failure for a response that some shards did not contribute to. `failure` is the error of one of
    them."""
    cause = failure_of_error(0, failure)
    if cause.reason in ("expired", "too-large"):
        return cause
    if _REFUSING_TYPES & {str(one.get("type")) for one in _causes(failure)}:
        return RequestFailed("rejected", detail_of(f"{what}: {failure}"), sentence=cause.sentence)
    return RequestFailed("partial", detail_of(f"{what}: {failure}"), retryable=True)


def _causes(error: Any) -> Iterator[Mapping[str, Any]]:
    """Yield an error and its causes, the outermost first."""
    if not isinstance(error, Mapping):
        return
    yield error
    for name in ("root_cause", "failed_shards", "caused_by", "reason"):
        inner = error.get(name)
        for one in inner if isinstance(inner, list) else [inner]:
            yield from _causes(one)
