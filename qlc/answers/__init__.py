"""Answers from the documents of a corpus, with citations that are checked in code."""
