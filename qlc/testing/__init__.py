"""Tests of questions and programs as files `*.qlc.yaml`, collected by pytest. See docs/testing.md."""
