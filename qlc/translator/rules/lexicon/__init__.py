"""Lexicon: words -> entities, fields, values and names of a catalog and its index."""
