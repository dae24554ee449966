"""Explains why a question has no exact answer, and offers others: words not understood, values of no document."""

from __future__ import annotations

import re

from qlc.base.words.sentences import listed
from qlc.corpus.schema import singular
from qlc.corpus.unread import read_condition, unread_condition
from qlc.grammar.printer import print_string
from qlc.outcome import Citation, Clarify, Declined, NotInCorpus, Option, Outcome, Passages

from .accounting import asks_two_things, counts_documents
from .cells import cells_of_fields, found_documents, several, shown, with_doubts
from .conditions import Open, declared_fields
from .linking import is_asking
from .passages import nearest_passages
from .planning import Plan
from .reviewing import respelled, words_that_none_has
from .routing import route_of
from .searching import CHECK, Searches
from .sentences import is_name
from .terms import RELATIONAL, restricts_otherwise, said_otherwise, stems
from .vocabulary import MEASURED, phrases

MOST_FIELDS = 8
"""Fields that are named where a question was not understood."""


def without_answer(plan: Plan, searches: Searches) -> Outcome:
    """Return what there is for a question that no field surely answers: a question back, that no document has its
    words, or the nearest passages."""
    if plan.unused and (question := which_field(plan.linked.text, plan.unused[0])) is not None:
        return question
    if (asked_back := points_only(plan)) is not None:
        return asked_back
    if (lacking := without_field(plan, searches)) is not None:
        return lacking
    absent = words_that_none_has(plan, searches)
    if (asked_back := respelled(plan, absent, searches)) is not None:
        return asked_back
    names = [one.raw for one in absent if is_name(one, plan.linked)]
    if names and not _names_a_file(plan, searches):
        return not_in_corpus(names, searches)
    why, suggestions = why_not(plan, searches)
    words = [one.raw for one in plan.topic] + [one.text for one in plan.unused]
    none_has = _none_has([one.raw for one in absent], searches) if absent else ""
    if not (found := nearest_passages(plan, searches)):
        if absent and len(absent) == len(plan.topic):
            return not_in_corpus([one.raw for one in absent], searches)
        return Declined(message=f"{why} {none_has}".strip(), words=words, suggestions=suggestions)
    told = [*filter(None, ("" if _is_open(plan) else why, none_has, _nearest(plan, found)))]
    return Passages(message=" ".join(told), passages=found, words=words, suggestions=suggestions)


def _names_a_file(plan: Plan, searches: Searches) -> bool:
    """Whether a name in the question is that of a file: then its passages are shown, though no document has another."""
    route = route_of(plan.linked, searches)
    return any(one.raw in route.words and is_name(one, plan.linked) for one in plan.linked.terms)


_LACKING = re.compile(
    r"\b(?:without|lack(?:s|ing)?|(?:ha(?:ve|s)|with) no"
    r"|(?:do|does|did)(?: not|n['’]t) (?:have|state|give|tell|mention|name|say))(?: an?| any| the| its| their)?\s+",
    re.IGNORECASE,
)
"""Words before a field that documents do not have: `leases without a deposit`."""


def without_field(plan: Plan, searches: Searches) -> Declined | None:
    """Name the documents in which a field was not read, if the question asks for those without it; else None.

    `which leases have no deposit` -> `I read no deposit in 1 of 4 leases: leases/unit_12.md.`
    """
    linked = plan.linked
    said = _LACKING.search(linked.text) if plan.linked.intent == "list" or plan.linked.measure == "count" else None
    meant = [one for one in linked.fields if said and one.bucket == plan.bucket and one.begin == said.end()]
    if said is None or not meant:
        return None
    field, done = meant[0], {*range(*said.span()), *meant[0].used}
    has_more = plan.unused or any(one.begin not in done for one in plan.topic)
    if has_more or any(one.field == field.name for one in plan.conditions):
        return None
    others = [*(one.text for one in plan.conditions), *plan.named]
    where = " and ".join([*others, f"{field.name} missing"])
    whole = " where ".join(filter(None, (f"count {plan.bucket}", " and ".join(others))))
    mentioned = f"count {plan.bucket} where {where} and mentions {print_string(field.called)}"
    every, saying = searches.counts([(whole, "how many there are"), (mentioned, f"those that say {field.called}")])
    total, hits = searches.hits(CHECK, f"find {plan.bucket} where {where} limit 100", f"those without {field.called}")
    files = [one.files[0] for one in searches.documents([hit.id for hit in hits[:_MOST_NAMED]])]
    more = [f"{total - len(files):,} more"] if total > len(files) else []
    having = f"{saying:,} of them {'has' if saying == 1 else 'have'}" if saying else "None of them has"
    text = f"I read no {field.called} in {total:,} of {several(every, plan.bucket)}: {listed([*files, *more])}."
    text += f" {having} '{field.called}' in the text; other words may say it."
    text = text if total else f"I read {field.called} in each of {several(every, plan.bucket)}."
    return Declined(message=text, query=f"find {plan.bucket} where {where}")


def _is_open(plan: Plan) -> bool:
    """Return whether a question asks for what a text says, and not for fields of a kind of documents."""
    asks = is_asking(plan.linked.text) or not plan.linked.bucket_words
    return asks and plan.linked.intent in ("qa", "summarize") and bool(plan.left)


def _nearest(plan: Plan, found: list[Citation]) -> str:
    """Return for which words of a question passages are shown, as a sentence."""
    said = {one for cited in found for one in stems(f"{cited.file} {cited.quote}", plan.linked.language)}
    words = [repr(one.raw) for one in plan.linked.terms if one.stem in said]
    these = f"have {listed(words)}" if words else "are near to it by meaning"
    return f"These passages {these}; they may not answer it."


_POINTS = re.compile(r"\b(?:it|its|they|them|their|he|she|his|her|that one|this one|(?:this|that) document)\b", re.I)
_EXPLETIVE = re.compile(r"\bit\b.*\b(?:to|that|if|when|takes?)\b", re.IGNORECASE)
"""`it` that points to nothing: `how long does it take to replace the seal`."""
_NAMED_BEFORE = re.compile(r"\b(?:the|an?|our|each|every|any|these|those)\s+\w+", re.IGNORECASE)
_OF_WHAT = re.compile(r"\b(?:of|for|in|about|with|is|are|was|does|did)\s+$", re.IGNORECASE)
"""Words after which a pronoun has no noun before it: `the price of it`."""
_MOST_NAMED = 10
"""Files that are named of those without a field."""
_FEW = 3
"""Words beside which a pronoun is all that says what is meant."""


def points_only(plan: Plan) -> Clarify | None:
    """Return a clarification if a pronoun alone refers to the documents: `is it a paid service, and how much?`; else
    None."""
    linked = plan.linked
    said = _POINTS.search(linked.text)
    is_named = plan.conditions or linked.bucket_words or any(is_name(one, linked) for one in linked.terms)
    if said is None or is_named or len(linked.terms) > _FEW or _EXPLETIVE.search(linked.text):
        return None
    before = linked.text[: said.start()]
    if _NAMED_BEFORE.search(before) and not _OF_WHAT.search(before):
        return None  # `how did the workshop fare with what it has?`
    message = f"I do not know what '{said[0]}' refers to. Ask the whole question: which document or thing is meant?"
    return Clarify(what="reference", message=message)


def not_in_corpus(words: list[str], searches: Searches) -> NotInCorpus:
    """Return that no document has some words."""
    return NotInCorpus(message=_none_has(words, searches), words=words, documents=read_documents(searches)[0])


def _none_has(words: list[str], searches: Searches) -> str:
    counted, read = read_documents(searches)
    sought = listed([repr(word) for word in words[:5]], "or")
    those = f"The only document{read} does not have" if counted == 1 else f"None of the {counted:,} documents{read} has"
    return f"{those} {sought}."


def read_documents(searches: Searches) -> tuple[int, str]:
    """Return the number of documents that have text, and the words for it if some files could not be read."""
    condition = unread_condition(searches.schema)
    read, unread = searches.counts(
        (f"count documents{f' where {one}' if one else ''}", "how many documents there are, and how many are not read")
        for one in (read_condition(searches.schema), condition)
    )
    return read, " that I read" if condition and unread else ""


def why_not(plan: Plan, searches: Searches) -> tuple[str, list[str]]:
    """Return why a question is not answered exactly, as sentences, and what can be asked instead."""
    why = refusal(plan, searches)
    told = f"{why or _no_field_answers(plan, searches)}{'' if plan.left else _known(plan, searches)}"
    suggestions = [shown(plan)] if plan.asked and not plan.left and _is_of_bucket(plan) else []
    if plan.linked.intent in ("list", "compute") and plan.topic and not restricts_otherwise(plan.linked.rest):
        mentions = [f"mentions {print_string(one.raw)}" for one in plan.topic[:5] if one.stem not in RELATIONAL]
        having = {one: searches.count(f"count {plan.bucket} where {one}", "how many have a word") for one in mentions}
        mentions = [one for one in mentions if having[one]]
        meant = f"{plan.bucket} where {' and '.join(filter(None, (plan.where, *mentions)))}"
        if mentions and (counted := searches.count(f"count {meant}", "how many have the words")):
            have = "has" if counted == 1 else "have"
            said = listed([one[9:] for one in mentions], "and")
            told = f"{told} {counted:,} of the {plan.bucket} {have} {said} in the text."
            suggestions.append(f"find {meant}")
    return told, suggestions


def refusal(plan: Plan, searches: Searches) -> str:
    """Return the reason why fields cannot answer a plan exactly, as a sentence; empty if they may."""
    if plan.left:
        stand = "stands" if len(plan.left) == 1 else "stand"
        return f"I do not know which field or name {listed([repr(one) for one in plan.left[:5]])} {stand} for."
    if not (plan.is_typed or plan.linked.buckets or plan.asked or plan.shown):
        kinds = [name.replace("_", " ") for name in [*searches.schema.file.buckets][:MOST_FIELDS]]
        return f"I do not see which documents are meant{': name ' if kinds else ''}{listed(kinds, 'or')}."
    if more := says_more(plan):
        return more
    if nowhere := known_nowhere(plan, searches):
        return nowhere
    bucket = plan.bucket.replace("_", " ")
    return f"Only some of the {bucket} have this name." if _names_a_part(plan, searches) else ""


def known_nowhere(plan: Plan, searches: Searches) -> str:
    """Return a sentence if no document tells a field that a condition compares: then nothing follows from it. Empty if
    some do."""
    known = searches.coverage(plan.bucket, list(dict.fromkeys(one.field for one in plan.conditions)))
    nowhere = [(name, whole) for name, (count, whole) in known.items() if whole and not count]
    return " ".join(
        f"'{name.replace('_', ' ')}' is known in none of the {several(whole, plan.bucket)}." for name, whole in nowhere
    )


def _names_a_part(plan: Plan, searches: Searches) -> bool:
    """Whether the question names the bucket by a word that only some of its documents have: `slips`, in the bucket
    `jobs`."""
    bucket = searches.schema.file.buckets.get(plan.bucket)
    if bucket is None or plan.where or not (plan.linked.intent == "list" or plan.linked.measure == "count"):
        return False
    own = stems(f"{plan.bucket} {bucket.singular or singular(plan.bucket)}".replace("_", " "), plan.linked.language)
    said = [one for one in plan.linked.terms if one.begin in plan.linked.bucket_words and one.stem not in own]
    having = " or ".join(f"mentions {print_string(one.raw)}" for one in said)
    whole, some = searches.counts([
        (f"count {plan.bucket}", "how many there are"),
        (f"count {plan.bucket} where ({having})", "how many of them are called so"),
    ]) if said else (0, 0)  # fmt: skip
    return 0 < some < whole


def says_more(plan: Plan) -> str:
    """Return a sentence about the first part of the question that the conditions do not express; empty if there is
    none.

    Such parts are a negation, an alternative of two fields, a second question, a field without a value.
    """
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


_DONE = {"sum": "added up", "avg": "averaged", "count": "counted", "min": "compared", "max": "compared"}


def _no_field_answers(plan: Plan, searches: Searches) -> str:
    """Return the sentence for a question that is understood, but that no field answers."""
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
    if not telling and (doubts := _doubts(plan, meant, searches)):
        return doubts
    if not telling:
        none = f"I read no value of '{asked[0]}' in {several(meant, plan.bucket)}; the text may still tell it."
        none += f" {searches.unread(plan.bucket)}"
        return none.strip() if meant else "No document meets it."
    return f"'{asked[0]}' is known in {telling:,} of {several(meant, plan.bucket)}, but it may not be what you ask for."


_FEW = 3
"""Most documents whose doubtful values are told one by one."""


def _doubts(plan: Plan, meant: int, searches: Searches) -> str:
    """Return why the field that is asked for has no value in the few documents that are meant."""
    if not 0 < meant <= _FEW:
        return ""
    name = plan.asked[0].name
    _, documents = found_documents(plan, searches)
    return " ".join(with_doubts(cells_of_fields([name], plan, documents, searches), [name], documents)[1])


def _is_of_bucket(plan: Plan) -> bool:
    """Return whether the question names the bucket, or has conditions or names that only its documents have."""
    return plan.is_typed or plan.bucket in plan.linked.buckets


def _known(plan: Plan, searches: Searches) -> str:
    """Return a sentence that lists the fields of the bucket; empty if the question may be about another one."""
    if not _is_of_bucket(plan):
        return ""
    known = [phrases(name, part)[0] for name, part in declared_fields(plan.bucket, searches.schema).items()]
    return f" Of {plan.bucket.replace('_', ' ')} I know {listed(known[:MOST_FIELDS])}." if known else ""


def which_field(text: str, one: Open, query: str = "") -> Clarify | None:
    """Ask which of several fields an amount belongs to. Each choice is the question with the field's name added."""
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
