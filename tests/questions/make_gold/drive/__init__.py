"""The document store: its terms (`terms.py`) and its tables, in two halves."""
