"""Noun phrases: the things spoken of, with what stands before the noun and what follows the whole phrase."""
