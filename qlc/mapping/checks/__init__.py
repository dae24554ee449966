"""Checks of a catalog against its mapping; `qlc.mapping.check` runs them in order."""
