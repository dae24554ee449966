"""The dev half: answers may be looked at."""
