"""Searches: sorting, the documents to return, and what is printed of each."""
