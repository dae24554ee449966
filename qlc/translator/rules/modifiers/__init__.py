"""Modifiers: phrases before and after a noun, each read as a condition on its entity."""
