"""Requests by their path and method, as Elasticsearch's REST layer takes them."""
