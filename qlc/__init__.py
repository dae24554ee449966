"""qlc: a small typed query language between people and Elasticsearch."""

__version__ = "0.1.0"
