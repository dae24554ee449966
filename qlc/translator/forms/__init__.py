"""Taught forms: a question that was understood once, with slots in place of what it names."""
