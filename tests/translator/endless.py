"""Texts of every construct of English that the rules know, as long as is wanted: of about so many words, or longer."""

from collections.abc import Callable, Sequence
from itertools import cycle, islice

NAMES = ("Legal", "Tax", "Archive", "Meals", "Travel", "Leases", "Personal", "Business", "Finance", "Donors")


def _of(parts: Sequence[str], between: str, before: str = "") -> Callable[[int], str]:
    """A beginning, and as many parts as make up the words; the parts in turn."""
    each = max(1, sum(len(part.split()) + len(between.split()) for part in parts) // len(parts))

    def text(words: int) -> str:
        return before + between.join(islice(cycle(parts), max(1, (words - len(before.split())) // each)))

    return text


ENDLESS: dict[str, Callable[[int], str]] = {
    "names": _of(NAMES, ", ", "documents in "),
    "and": _of(["documents in Tax"], " and "),
    "and of names": _of(NAMES, " and ", "documents in "),
    "or of names": _of(NAMES, " or ", "documents in "),
    "or of things": _of(["receipts", "contracts", "folders", "W2s"], " or ", "find "),
    "relative clauses": _of(["that are in folders"], " ", "documents "),
    "who clauses": _of(["who created documents"], " ", "people "),
    "genitives": _of(["Dana's", "owner's"], " ", "show "),
    "of the": _of(["of the folder"], " ", "the owner "),
    "prepositions": _of(["in Tax", "by Dana", "from 2024", "with Acme"], " ", "documents "),
    "adjectives": _of(["signed", "overdue", "large", "old"], " ", "show the "),
    "negations": _of(["not in Tax but"], " ", "documents "),
    "without": _of(["without a size"], " and ", "documents "),
    "quoted names": _of(['"file 1.pdf"', '"file 2.pdf"'], ", ", "documents named "),
    "quotes that stay open": _of(['"a'], " ", "documents named "),
    "single quotes": _of(["'a"], " ", "documents named "),
    "dates": _of(["2024-01-15", "March 3rd 2023", "last year"], " or ", "documents from "),
    "periods": _of(["between 2020 and 2021"], " and ", "documents created "),
    "amounts": _of(["5 dollars", "10 MB"], " or ", "receipts over "),
    "comparisons": _of(["larger than 5 MB"], " and ", "documents "),
    "groups": _of(["by owner", "per year"], " ", "documents "),
    "measures": _of(["the average size", "the total pages"], " and ", "show "),
    "superlatives": _of(["the largest", "the newest"], " ", "show "),
    "orders": _of(["sorted by size"], " then ", "documents "),
    "numbers": _of(["1", "22", "333"], ", "),
    "numbers without spaces": lambda words: "1," * words,
    "questions": _of(["how many receipts?"], " "),
    "joined questions": _of(["how many receipts are there"], " and "),
    "asking words": _of(["where", "who", "which"], " "),
    "polite": _of(["please", "could you"], " ", ""),
    "marks": lambda words: "., ;:!? " * words,
    "brackets": lambda words: "(" * words + "documents" + ")" * words,
    "openings": lambda words: '{"a": ' * words,
    "comments": lambda words: "{//" * words,
    "one word": lambda words: "documents" + "x" * words,
    "unknown words": _of(["flurb", "grotz", "wibbled"], " ", "documents that "),
    "misspelt words": _of(["docuemnts", "recepits", "flders"], " "),
    "spaces": lambda words: "how many" + " " * words + "receipts",
    "only spaces": lambda words: " " * words,
    "emoji": lambda words: "documents " + "\U0001f600 " * words,
    "new lines": _of(["documents in Tax"], "\n"),
    "half characters": lambda words: "documents in " + "\ud800" * words,
    "pasted": lambda words: "From: Dana\n" + "It was a dark and stormy night. " * (words // 7) + "\nhow many receipts?",
    "mixed": _of(["documents where size > 5 MB and the owner"], " ", "find "),
    "words of programs": _of(["where", "and", "sort", "limit"], " ", "find documents "),
    "requests": _of(["GET /x/_search"], "\n"),
    "changes": _of(["drop the date", "show me the receipts"], ", "),
    "pronouns": _of(["those of them that he has"], " ", "only "),
    "pages": _of(["5 more", "per page"], " "),
    "topics": _of(["Tax: who owns it?"], " "),
}  # fmt: skip
"""Makers of long messages, by the part that they repeat."""
