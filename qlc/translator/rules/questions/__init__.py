"""Whole questions, one module for each form: lists, counts, measures, rankings, single values."""
