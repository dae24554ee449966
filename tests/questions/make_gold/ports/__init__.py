"""The ports: their terms (`terms.py`) and their tables, in two halves."""
