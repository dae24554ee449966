"""Modules that every part of qlc uses, and that need no other part: errors, limits, texts, units, options."""
