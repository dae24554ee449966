"""Values, written and bound, against plain Python over the same documents."""
