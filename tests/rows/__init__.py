"""Groups and measures against plain Python over the same documents."""
