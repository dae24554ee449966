"""Follow-ups: changes of the earlier program, and words that point back to its answer."""
