"""The connection to Elasticsearch, OpenSearch or the embedded engine: clients, and what bounds their replies."""

from qlc.base.lazy import submodules

__getattr__ = submodules(__name__, ("clients", "opensearch", "wire"))
