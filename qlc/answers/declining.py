"""No answer: what was not understood, what no document has, and what can be asked instead."""

from __future__ import annotations

from qlc.grammar.printer import print_string
from qlc.outcome import Clarify, Declined, NotInCorpus, Option
from qlc.words.sentences import listed

from .planning import Plan
from .searching import Searches
from .terms import RELATIONAL, restricts_otherwise
from .vocabulary import phrases

MOST_FIELDS = 8
"""Fields that are named where a question was not understood."""


def not_in_corpus(words: list[str], searches: Searches) -> NotInCorpus:
    counted = searches.count("count documents", "how many documents there are")
    sought = listed([repr(word) for word in words[:5]], "or")
    none = f"None of the {counted:,} documents has {sought}. " if words else ""
    less = ", at least not in these words" if words else ""
    return NotInCorpus(
        message=f"{none}I found nothing in them that tells this{less}.",
        words=words,
        documents=counted,
    )


def declined(plan: Plan, searches: Searches) -> Declined | Clarify:
    """What was not understood, and what can be asked instead."""
    if plan.unused and (question := _which_of(plan)) is not None:
        return question
    words = [one.raw for one in plan.topic] + [one.text for one in plan.unused]
    told = _not_understood(words, plan, searches)
    suggestions = list[str]()
    if plan.linked.intent in ("list", "compute") and plan.topic and not restricts_otherwise(plan.linked.rest):
        mentions = [f"mentions {print_string(one.raw)}" for one in plan.topic[:5] if one.stem not in RELATIONAL]
        having = {one: searches.count(f"count {plan.bucket} where {one}", "how many have a word") for one in mentions}
        mentions = [one for one in mentions if having[one]]
        meant = f"{plan.bucket} where {' and '.join(filter(None, (plan.where, *mentions)))}"
        if mentions and (counted := searches.count(f"count {meant}", "how many have the words")):
            have = "has" if counted == 1 else "have"
            told += (
                f" {counted:,} of the {plan.bucket} {have} {listed([one[9:] for one in mentions], 'and')} in the text."
            )
            suggestions.append(f"find {meant}")
    message = f"I am not sure enough to answer this from the documents.{told}"
    return Declined(message=message, words=words, suggestions=suggestions)


def _not_understood(words: list[str], plan: Plan, searches: Searches) -> str:
    """The words that no field and no name explains; where there are none, what can be asked for."""
    if words:
        stand = "stands" if len(words) == 1 else "stand"
        return f" I do not know which field or name {listed([repr(word) for word in words[:5]])} {stand} for."
    bucket = searches.schema.file.buckets.get(plan.bucket)
    known = [phrases(name, part)[0] for name, part in bucket.fields.items() if not part.sensitive] if bucket else []
    return f" Of {plan.bucket.replace('_', ' ')} I know {listed(known[:MOST_FIELDS])}." if known else ""


def _which_of(plan: Plan) -> Clarify | None:
    """An amount that several fields can have: which one is meant? Each choice is a question that works."""
    one = plan.unused[0]
    if len(one.fields) < 2:
        return None
    names = [name.replace("_", " ") for name in one.fields]
    said = {name: plan.linked.text.replace(one.text, f"with {name} {one.text}", 1) for name in names}
    options = [
        Option(id=field, label=name, details={"question": question})
        for field, (name, question) in zip(one.fields, said.items(), strict=True)
    ]
    return Clarify(
        what="field", message=f"'{one.text}': is {listed(names, 'or')} meant?", options=options, token="field",
    )  # fmt: skip
