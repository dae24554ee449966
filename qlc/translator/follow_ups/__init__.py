"""What is said after an earlier answer: refinements of its program, and words for what it spoke of."""
