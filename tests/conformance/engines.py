"""The engines that answer the requests."""

from elasticsearch import Elasticsearch

from qlc.store.clients import connect


def embedded_client() -> Elasticsearch:
    """A client of an empty embedded engine in memory."""
    return connect()
