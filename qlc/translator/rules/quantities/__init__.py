"""Numbers, dates, periods and times of day in words, and how they are compared."""
