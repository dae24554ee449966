"""The fashion shop: its terms (`terms.py`) and its tables, in two halves."""
