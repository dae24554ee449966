"""Makes a client, also of data frames."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from qlc.store import clients
from qlc.store.clients import MAX_ANSWER_BYTES, Target

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch


def connect(
    target: Target | Mapping[str, Any] = ":memory:",
    *,
    read_only: bool = False,
    max_answer_bytes: int = MAX_ANSWER_BYTES,
    **options: Any,
) -> Elasticsearch:
    """The official client for a server, a folder of the embedded engine, an engine in memory, or data frames.

        client = qlc.connect("http://localhost:9200", api_key="...")
        client = qlc.connect({"orders": orders, "customers": customers})

    - `target`: a URL of Elasticsearch or OpenSearch, a client of `opensearch-py`, a path of a folder, `":memory:"`, or
      a dict from names to data frames, which are loaded into memory as by `qlc.load`. Several URLs (a list, or
      separated by commas) are nodes of one cluster: if one is down, the next is used.
    - `read_only`: open a folder for reading only. One client at a time can write to a folder, until it is closed; any
      number can read it.
    - `max_answer_bytes`: the largest response of a server, compressed and uncompressed. A larger one fails with the
      reason `too-large`.
    - `options`: those of `elasticsearch.Elasticsearch` (`api_key`, `basic_auth`, `bearer_auth`, `ca_certs`, ...). Your
      own `node_class` replaces the limit of responses.

    Raises UsageError for invalid addresses and options, without repeating them, and for frames that cannot be loaded;
    FolderLocked if another client writes to the folder; FolderError if the folder cannot be opened.
    """
    if isinstance(target, Mapping):
        from qlc.tables.loading import load

        client = clients.connect(**options)
        load(client, target)
        return client
    return clients.connect(target, read_only=read_only, max_answer_bytes=max_answer_bytes, **options)
