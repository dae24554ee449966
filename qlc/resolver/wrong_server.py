"""Sentences for an address that is not a search server, or cannot be reached."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from qlc.base.errors import RequestFailed

_ALIKE = {"took", "_shards", "hits", "count", "cluster_name", "tagline", "error", "mappings", "items", "acknowledged"}
"""Keys in responses of Elasticsearch, its old releases and its forks."""

_CONNECTIONS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile("WRONG_VERSION_NUMBER|wrong version number|RECORD_LAYER_FAILURE|UNEXPECTED_MESSAGE"),
     "The search server does not speak TLS: change the scheme of its address."),
    (re.compile("CERTIFICATE_VERIFY_FAILED|certificate verify failed"),
     "The certificate of the search server is not trusted: name the file of its authority."),
    (re.compile(r"BadStatusLine|\\x15\\x03|Expected HTTP/|RemoteDisconnected|Server disconnected|reset by peer"),
     "The search server gave no answer. Try again in a moment, or change the scheme of its address if it speaks TLS."),
    (re.compile("refused|Connect call failed", re.IGNORECASE),
     "The search server cannot be reached: nothing listens at its address. Check it, or try again in a moment."),
    (re.compile("Name or service not known|getaddrinfo|NameResolution|nodename nor servname|No address associated"),
     "The search server cannot be reached: the name of its host is not known. Check the address."),
)  # fmt: skip
"""Sentences by the error text of the transport, for end users, so without names of protocols."""


def unreachable_sentence(detail: str) -> str:
    """Return why no connection was made, by the error text of the transport; empty if it is unspecific."""
    return next((sentence for pattern, sentence in _CONNECTIONS if pattern.search(detail)), "")


def not_a_search_server(problem: Any, root: Any = None) -> RequestFailed:
    """Return the failure for a response that is not a search server's. `root` is the server's response at its root, if
    it was requested."""
    if root is None and problem.errors:
        root = problem.errors[0]  # the node that looked for what answers has asked for it
    sentence = _what_answers(problem.meta.headers, problem.body, root)
    return RequestFailed("garbled", "what answers there is neither Elasticsearch nor OpenSearch", sentence=sentence)


def _what_answers(headers: Mapping[str, str], body: Any, root: Any) -> str:
    for one in (root, body):
        version = one.get("version") if isinstance(one, Mapping) else None
        if isinstance(version, Mapping) and str(version.get("distribution", "")).lower() == "opensearch":
            return _OPENSEARCH
    if "x-opensearch-version" in headers:
        return _OPENSEARCH
    if _is_alike(body) or _is_alike(root):
        return f"The search server at this address is of a kind, or so old, that qlc does not support it. {_CHECK}"
    if "html" in headers.get("content-type", "") or _is_page(root):
        return f"A web site answers at this address, and no search server. {_CHECK}"
    return f"Another kind of server answers at this address, and no search server. {_CHECK}"


def _is_page(root: Any) -> bool:
    return isinstance(root, str) and root[:500].lstrip().lower().startswith(("<!doctype html", "<html"))


def _is_alike(body: Any) -> bool:
    """Whether a response has keys of Elasticsearch's: at its top, or below the name of an index."""
    if not isinstance(body, Mapping):
        return False
    return any(_ALIKE & one.keys() for one in (body, *body.values()) if isinstance(one, Mapping))


_CHECK = "Check the address."
_OPENSEARCH = "The server at this address is OpenSearch: make its client with 'qlc.connect', which speaks to it too."


def is_stranger(problem: Exception) -> bool:
    from elasticsearch import UnsupportedProductError

    return isinstance(problem, UnsupportedProductError)


ROOT = {"method": "GET", "target": "/", "headers": {"accept": "application/json"}}


def stranger_at(client: Any, problem: Any) -> RequestFailed:
    """Request the server's root unless that was done, then return the failure of `stranger`."""
    if problem.errors:
        return not_a_search_server(problem)
    root = None
    with suppress(Exception):
        root = client.transport.perform_request(**ROOT).body
    return not_a_search_server(problem, root)


async def stranger_at_async(client: Any, problem: Any) -> RequestFailed:
    if problem.errors:
        return not_a_search_server(problem)
    root = None
    with suppress(Exception):
        root = (await client.transport.perform_request(**ROOT)).body
    return not_a_search_server(problem, root)
