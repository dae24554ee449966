"""The connection to Elasticsearch, OpenSearch or the embedded engine: clients, and what bounds their replies."""

from typing import TYPE_CHECKING

from qlc.base.lazy import submodules

if TYPE_CHECKING:
    from qlc.store import clients as clients
    from qlc.store import opensearch as opensearch
    from qlc.store import wire as wire
else:  # a type checker would take it that every name is there
    __getattr__ = submodules(__name__, ("clients", "opensearch", "wire"))
