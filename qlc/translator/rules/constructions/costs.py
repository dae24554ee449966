"""Costs of constructions, by name. They add up, and the cheapest reading counts (see `Parse`)."""

SAID = 0.0
"""In so many words; nothing else can be meant."""
CLEAR = 0.05
USUAL = 0.1
"""One word is left to what people usually mean."""
SHORT = 0.15
"""A note rather than a sentence: `invoices by vendor`."""
LIKELY = 0.2
"""The number or the things are not named."""
WEAK = 0.4
"""Another construction would rather say this."""
