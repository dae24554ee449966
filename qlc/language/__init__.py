"""What a text says in numbers, dates, units and comparisons, each with its place; stems, singular and plural."""
