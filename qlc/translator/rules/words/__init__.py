"""English, and a question cut into words: nothing here knows a catalog or an index."""
