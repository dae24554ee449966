"""Tests of questions and programs as files `*.qlc.yaml`, collected by pytest. See docs/testing.md."""

PROPERTY = "qlc_verdict"
"""Under which a report has the verdict of a case."""
