"""Values read from pages by rules: numbers with units, money, dates, durations, labels and tables."""
