"""Whether a catalog fits the mapping it speaks of: `qlc.mapping.check` says in which order it is checked."""
