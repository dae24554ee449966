"""Questions about what can be asked: answered from the catalog, never from the documents."""
