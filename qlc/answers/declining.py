"""No answer: what was not understood, what no document has, and what can be asked instead."""

from __future__ import annotations

import re

from qlc.base.words.sentences import listed
from qlc.corpus.unread import unread_condition
from qlc.grammar.printer import print_string
from qlc.outcome import Clarify, Declined, NotInCorpus, Option

from .accounting import asks_two_things, counts_documents
from .cells import several, shown
from .conditions import Open, declared_fields
from .coverage import is_as_many, names_a_part, topic_restricts_nothing
from .planning import Plan
from .searching import Searches
from .terms import RELATIONAL, restricts_otherwise, said_otherwise
from .vocabulary import HALF_NAMED, MEASURED, phrases

MOST_FIELDS = 8
"""Fields that are named where a question was not understood."""


def not_in_corpus(words: list[str], searches: Searches, listed_kind: str = "") -> NotInCorpus:
    """That no document has the words; `listed_kind` is what was to be listed, where it was."""
    counted, read = read_documents(searches)
    sought = listed([repr(word) for word in words[:5]], "or")
    those = f"The only document{read} does not have" if counted == 1 else f"None of the {counted:,} documents{read} has"
    none = f"{those} {sought}. " if words else ""
    less = ", at least not in these words" if words else ""
    holders = ("it" if counted == 1 else "them") if words else "the documents"
    message = f"{none}I found nothing in {holders} that says this{less}."
    if listed_kind and words:
        kind = listed_kind.replace("_", " ")
        message = f"{none}So no {kind} are found. Ask for all {kind}, or in other words."
    return NotInCorpus(
        message=message,
        words=words,
        documents=counted,
    )


def read_documents(searches: Searches) -> tuple[int, str]:
    """Return how many documents were read, and the words for it if others were not: nothing is known of those."""
    condition = unread_condition(searches.schema)
    whole, unread = searches.counts(
        (f"count documents{f' where {one}' if one else ''}", "how many documents there are, and how many are not read")
        for one in ("", condition)
    )
    return (whole - unread, " that I read") if condition and unread else (whole, "")


def declined(plan: Plan, searches: Searches) -> Declined | Clarify:
    """What was not understood, and what can be asked instead."""
    if plan.unused and (question := which_field(plan.linked.text, plan.unused[0])) is not None:
        return question
    words = [one.raw for one in plan.topic] + [one.text for one in plan.unused]
    why = _unexplained(words) or refusal(plan, searches)
    told = f"{why or _untold(plan, searches)}{'' if words else _known(plan, searches)}"
    suggestions = [shown(plan)] if plan.asked and not words and _is_of_bucket(plan) else []
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
    return Declined(message=told, words=words, suggestions=suggestions)


def refusal(plan: Plan, searches: Searches) -> str:
    """Why fields cannot answer a plan exactly, as a sentence; empty where they may."""
    left = _unexplained([*(one.raw for one in plan.topic), *(one.text for one in plan.unused)])
    if plan.unused:
        return left
    if plan.is_unclear:
        used = {one.begin for one in plan.topic}
        meant = [one.called for one in plan.linked.fields
                 if one.bucket == plan.bucket and one.score >= HALF_NAMED and one.used & used]  # fmt: skip
        words = listed([repr(one.raw) for one in plan.topic])
        return f"I am not sure that {listed([repr(one) for one in meant], 'or')} is meant by {words}."
    if not (plan.is_typed or plan.linked.buckets or plan.asked or plan.shown):
        kinds = [name.replace("_", " ") for name in [*searches.schema.file.buckets][:MOST_FIELDS]]
        return left or f"I do not see which documents are meant{': name ' if kinds else ''}{listed(kinds, 'or')}."
    if more := says_more(plan):
        return more
    if not topic_restricts_nothing(plan, searches):
        return left
    if names_a_part(plan, searches):
        return f"Only some of the {plan.bucket.replace('_', ' ')} have this name."
    if not is_as_many(plan, searches):
        return f"There are not {plan.expected} such {plan.bucket.replace('_', ' ')}."
    return ""


def says_more(plan: Plan) -> str:
    """What the question says and the conditions do not, as a sentence: a negation, an alternative of two fields, a
    group, a field of a list that is no condition; empty where they say all of it."""
    if (said := said_otherwise(plan.rest)) or (said := re.search(r"\b(?:or|either)\b", plan.rest, re.IGNORECASE)):
        return f"I cannot turn '{said[0]}' into a condition."
    is_count = plan.linked.measure == "count"
    if asks_two_things(plan.linked):
        return "This asks two things at once: ask how many there are in a question of its own."
    if is_count and not counts_documents(plan.linked):
        return f"I can count {plan.bucket.replace('_', ' ')}, not what is in them."
    if plan.asked and (is_count or (plan.linked.intent == "list" and not plan.are_joined)):
        name = phrases(plan.asked[0].name, plan.asked[0].part)[0]
        bucket = plan.bucket.replace("_", " ")
        return f"'{name}' needs a value: give one, or ask for the {bucket} with their {name}."
    return ""


def _unexplained(words: list[str]) -> str:
    """The words that no field and no name explains, as a sentence."""
    stand = "stands" if len(words) == 1 else "stand"
    return f"I do not know which field or name {listed([repr(one) for one in words[:5]])} {stand} for." if words else ""


_DONE = {"sum": "added up", "avg": "averaged", "count": "counted", "difference": "compared", "ratio": "compared",
         "min": "compared", "max": "compared"}  # fmt: skip


def _untold(plan: Plan, searches: Searches) -> str:
    """What lacks where a question is understood, and no field tells the answer."""
    asked = [one.called for one in plan.asked]
    done = _DONE.get(plan.linked.measure, "")
    if len(asked) > 1 and done:
        return f"Ask for one of {listed(asked)} at a time."
    if not asked:
        if plan.linked.intent in ("compare", "summarize"):
            return f"I do not see which documents to {plan.linked.intent}."
        return f"I do not know what is to be {done}." if done else "I do not know which field is asked for."
    if done and plan.linked.measure != "count" and plan.asked[0].part.type not in MEASURED:
        return f"'{asked[0]}' is not a number, so it cannot be {done}."
    name, own = plan.asked[0].name, [plan.where] if plan.where else []
    meant, telling = searches.counts(
        (f"count {plan.bucket}{f' where {where}' if where else ''}", f"how many tell {name}")
        for where in (plan.where, " and ".join([*own, f"{name} exists"]))
    )
    if not telling:
        none = f"None of {several(meant, plan.bucket)} states '{asked[0]}'. {searches.unread(plan.bucket)}"
        return none.strip() if meant else "No document meets it."
    return f"'{asked[0]}' is known in {telling:,} of {several(meant, plan.bucket)}, but it may not be what you ask for."


def _is_of_bucket(plan: Plan) -> bool:
    """Whether the question says of which bucket it is, by its name or by what only documents of it have."""
    return plan.is_typed or plan.bucket in plan.linked.buckets


def _known(plan: Plan, searches: Searches) -> str:
    """What can be asked of the documents that are meant."""
    if not _is_of_bucket(plan):
        return ""
    known = [phrases(name, part)[0] for name, part in declared_fields(plan.bucket, searches.schema).items()]
    return f" Of {plan.bucket.replace('_', ' ')} I know {listed(known[:MOST_FIELDS])}." if known else ""


def which_field(text: str, one: Open, query: str = "") -> Clarify | None:
    """An amount that several fields can have: which one is meant? Each choice is the text with the field in it."""
    if len(one.fields) < 2:
        return None
    names = {field: field.replace("_", " ") for field in one.fields}
    options = [
        Option(id=field, label=name, details={"question": text.replace(one.text, f"with {name} {one.text}", 1)})
        for field, name in names.items()
    ]
    return Clarify(
        what="field", message=f"'{one.text}': is {listed([*names.values()], 'or')} meant?", options=options,
        token="field", query=query,
    )  # fmt: skip
