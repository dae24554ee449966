"""Queries: what matches in a segment, and with which score."""
