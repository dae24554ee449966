"""Raw requests over a small awkward corpus: the embedded engine answers as a real Elasticsearch does.

`corpus/` holds one file for each index (settings, mapping, documents), `cases/` the requests by topic and `answers/`
what Elasticsearch answered. The tests compare the embedded engine with the recorded answers, and, where a real server
is there, that server with the recorded answers too. See `cases.py` for the form of the files and
`python -m tests.conformance --help` for recording and for a report of differences.
"""
