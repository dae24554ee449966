"""Tests of questions and programs as files `*.qlc.yaml`, collected by pytest. See docs/testing.md."""

PROPERTY = "qlc_verdict"
"""The name of the property with a case's verdict in a report."""
