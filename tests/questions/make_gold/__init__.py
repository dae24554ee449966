"""Questions and their right answers: tables of (text, predicate) and what computes the gold files from them."""
