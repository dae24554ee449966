"""The connection to Elasticsearch or to the embedded engine: clients, and what bounds their replies."""

from qlc.base.lazy import submodules

__getattr__ = submodules(__name__, ("clients", "wire"))
