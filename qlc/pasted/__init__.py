"""Elasticsearch requests that people paste: recognised, checked, run within the caller's access, explained."""
