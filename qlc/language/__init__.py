"""Reads numbers, dates, units and comparisons in a text, with their places; stems, singular and plural of words."""
