"""Noun phrases: the things spoken of, with what comes before the noun and what follows the whole phrase."""
