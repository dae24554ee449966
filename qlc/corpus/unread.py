"""Unreadable files of a corpus, which answers about all documents must mention."""

from __future__ import annotations

from qlc.base.words.sentences import listed
from qlc.grammar.printer import print_string
from qlc.outcome import Hits, Outcome

from .schema import GENERIC, CorpusSchema

MOST_NAMED = 5
_EMPTY = "empty"
"""The reason of files without content."""


def unread_condition(schema: CorpusSchema) -> str:
    """Return the condition for files without text; empty if the schema uses the names that it needs."""
    declared = {name for one in schema.whole.file.buckets.values() for name in one.fields}
    if "reason" not in declared:
        return f'(reason exists and reason != "{_EMPTY}")'
    return "state in [no_text, failed]" if "state" not in declared else ""


def read_condition(schema: CorpusSchema) -> str:
    """Return the condition for documents that have text; empty if the schema uses the names that it needs."""
    condition = unread_condition(schema)
    return "not reason exists" if condition.startswith("(reason") else f"not ({condition})" if condition else ""


def unread_program(schema: CorpusSchema, bucket: str = "") -> str:
    """Return the program for files without text, in a bucket or in none; empty if none can be made."""
    condition = unread_condition(schema)
    if condition and bucket in schema.file.buckets:
        condition += f" and bucket in [{print_string(bucket)}, {print_string(GENERIC)}]"
    return f"find documents where {condition} sort file limit {MOST_NAMED} show file" if condition else ""


def unread_sentence(outcome: Outcome) -> str:
    """Return the sentence about the files that `unread_program` found; empty if there are none.

    `2 files could not be read, and may belong to this: a.pdf and b.pdf.`
    """
    if not isinstance(outcome, Hits) or not outcome.hits:
        return ""
    files = [str(one) for hit in outcome.hits for one in hit.values.get("file") or ()][:MOST_NAMED]
    total = outcome.matching or outcome.total
    named = listed([*files, *([f"{total - len(files):,} more"] if total > len(files) else [])])
    return f"{total:,} {'file' if total == 1 else 'files'} could not be read, and may belong to this: {named}."
