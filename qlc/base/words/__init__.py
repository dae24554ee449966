"""Words and names as people write them: singular and plural, one form for like spellings, the nearest one, lists."""
