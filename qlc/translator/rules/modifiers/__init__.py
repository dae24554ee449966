"""Modifiers: phrases before and after a noun, each read as a condition on its entity."""

from qlc.translator.rules.modifiers.sequences import RULES, modifiers

__all__ = ["RULES", "modifiers"]
