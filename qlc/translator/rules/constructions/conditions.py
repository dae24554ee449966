"""The constructions of conditions: what is said of things after (or without) their noun.

Each row is read with the entity that is spoken of, and means a condition on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial

from qlc.grammar.tree import Condition
from qlc.translator.rules.constructions import condition_meanings as mean
from qlc.translator.rules.constructions import texts
from qlc.translator.rules.constructions.condition_slots import CONDITION_SLOTS
from qlc.translator.rules.constructions.construction import CLEAR, LIKELY, SAID, USUAL, Construction, Notation, Table
from qlc.translator.rules.parse import Found, Parse
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import phrases, words

Row = Construction[Condition]
_ABSENT = partial(mean.presence, absent=True)


@cache
def notation() -> Notation:
    """The slots of conditions, and the word lists that their patterns name."""
    return Notation(CONDITION_SLOTS, {
        "the": english.ARTICLES,
        "an": english.ARTICLES - words("all every each this these those"),
        "be": english.COPULAS | english.AUXILIARIES,
        "who": english.RELATIVE_PRONOUNS,
        "not": english.NEGATIONS,
        "lead": words(
            "any in with of by from for on at under as via to using the a an is are be w having has have whose where "
            "their its kind type into against carrying carry located based living during that which was were out both "
            "either"
        ),
        "link": words(
            "is are was were of = : be been being equal as set marked to the a an at with equals has have had value "
            "it 's named called by from for also falls fall lies"
        ),
        "dated": words("is are was were be been being on at in the a of : as falls fall"),
        "measuring": words(
            "holding hold holds with of has have having that costing worth totaling totalling containing for is are "
            "it contain weighing weigh lasting lasts lasted taking at cost costs priced took takes which run ran "
            "spanning covering measuring travelling traveling going spent"
        ),
        "having": english.HAVING - words("including include includes showing show shows"),
        "lacking": english.LACKING,
        "blank": words("unknown unspecified unrecorded unset undefined blank empty missing"),
        "known": words("set given known specified recorded entered stated noted assigned"),
        "noted": words("set given known specified recorded entered stated noted assigned attached listed"),
        "so_far": words("at all yet whatsoever on them"),
        "flagged": english.ARTICLES
        | words("with under has have had having marked as flagged are is on for whose where"),
        "except": english.EXCEPT,
        "gone": phrases(
            "(has | have | had) [already] (passed | gone by) | [is | are | was | were | lies] [already] (past | "
            "over) | [is | are | lies] in the past"
        ),
        "ahead": phrases(
            "(is | are) [still] (ahead | to come) | [is | are | lies] in the future | (has | have) not [yet] passed"
        ),
        "named": english.NAMED,
        "mentioning": english.MENTIONING,
        "in_the_text": phrases("[somewhere] in [the | its | their] (text | content | contents | body | full text)"),
        "in_the_name": phrases(
            "in [the | its | their] (name | title) | in (the | their) names | in the (file name | filename)"
        ),
        "times": words("times items points pieces"),
        "soft": english.SOFTENERS | english.ANYWHERE,
    })  # fmt: skip


CONDITIONS: Table[Condition] = Table(notation, [
    # values
    Row("value", mean.as_said, SAID, "{stated}", reads="overdue invoices from Costco", leaves="zebra"),
    Row("field and values", mean.values, SAID, "<lead?> [last] {described} <link?> {values}",
        reads="owned by Grace Kim or Tom Baker", leaves="owned by"),
    Row("field and values, at once", mean.values, SAID, "{described} {values}", reads="type Invoice", leaves="type"),
    Row("field and not values", mean.not_values, SAID, "<lead?> {described} <be*> <not> {values}",
        reads="whose type is not Invoice", leaves="whose type is Invoice"),
    Row("without values", mean.not_values, SAID, "<lacking> {stated}", reads="without invoices", leaves="without"),
    Row("neither of values", mean.not_values, SAID, "[with | has | have | having] neither {stated}",
        reads="with neither invoices nor receipts", leaves="with invoices"),
    Row("any but", mean.not_values, SAID, "<lead?> (any | every | all) {described} (<except> | but) {values}",
        reads="by any vendor except Staples", leaves="by any vendor"),
    # numbers
    Row("number and bound", mean.number_bound, SAID, "<lead?> {number} <link?> {amount} <times*>",
        reads="whose size is over 3 MB", leaves="whose size is known"),
    Row("bound and number", mean.number_bound, SAID, "<measuring?> {amount} <an*> [different | distinct] {number}",
        reads="with more than 50 pages", leaves="with pages"),
    Row("bound, number, or more", mean.number_bound, SAID, "<measuring?> {amount} {number} {or_more}",
        reads="50 pages or more", leaves="50 pages"),
    Row("bound of what is counted", mean.number_bound, USUAL, "<measuring?> {amount} {counted}",
        reads="more than 5 documents", leaves="documents"),
    Row("bound with a unit", mean.bound_by_unit, SAID, "<measuring?> {amount}", reads="over 3 MB", leaves="over 3"),
    Row("bound alone", mean.usual_bound, SAID, "<measuring?> {amount}", reads="above 500", leaves="500 documents"),
    Row("comparative", mean.comparative, SAID, "<who*> <be*> {comparative} than {amount}",
        reads="bigger than 2 MB", leaves="bigger"),
    # dates
    Row("date and period", mean.dated, SAID, "<lead?> {date} <dated?> {period}",
        reads="created in May", leaves="created"),
    Row("dates and their period", mean.both_dated, SAID,
        "<lead?> {date} (and | or) [then] <be*> {date.other} <dated?> {period}",
        reads="created and modified in May", leaves="created in May"),
    Row("date and its hours or weekdays", mean.as_said, SAID, "<lead?> {date} {recurring}",
        reads="created on Sundays", leaves="created in May"),
    Row("hours or weekdays", mean.as_said, USUAL, "{recurring}", reads="on Sundays", leaves="in May"),
    Row("period", mean.usual_date, SAID, "{period}", reads="in May", leaves="may"),
    Row("year", mean.as_said, SAID, "{year}", reads="built before 2000", leaves="before May"),
    Row("date is past", mean.gone, CLEAR, "<lead?> {date} <gone>",
        reads="whose follow-up date has passed", leaves="whose due date is in May"),
    Row("past its date", mean.gone, CLEAR, "[already | well] (past | beyond | over) (its | their | the) {date}",
        reads="past its due date", leaves="past May"),
    Row("done", mean.happened, LIKELY, "{done}", reads="that have departed", leaves="viewed in May"),
    # flags and conditions of the catalog
    Row("condition", mean.as_said, CLEAR, "<flagged?> {condition}", reads="overdue", leaves="not due"),
    Row("flag", mean.flag, USUAL, "<flagged?> {flag}", reads="signed", leaves="the flag"),
    Row("flag of a part", mean.as_said, USUAL, "<who*> [whose | where] <an*> {part_flag}",
        reads="whose deposit is not paid", leaves="whose deposit is not there"),
    Row("no flag", partial(mean.flag, so=False), USUAL, "(<lacking> | <having> no) <an*> {flag}",
        reads="without cancelled", leaves="without pages"),
    Row("opposite", mean.as_said, SAID, "{opposite}", reads="unsigned", leaves="signed"),
    Row("with", mean.presence, SAID, "<having> <an*> {described} <noted*> <so_far*>",
        reads="with a description", leaves="with a description of"),
    Row("with known", mean.presence, SAID, "<having> <an*> (known | recorded) {described}",
        reads="with a known owner", leaves="with an owner"),
    Row("without", _ABSENT, SAID, "<lacking> <an*> {described} <noted*> <so_far*>",
        reads="without a category", leaves="without"),
    Row("with no", _ABSENT, SAID, "<having> (no | not any) <blank*> {described} <noted*> <so_far*>",
        reads="that have no category", leaves="with a category"),
    Row("with what is counted", mean.count_present, USUAL, "<having> <an*> {counted} <so_far*>",
        reads="that have subfolders", leaves="that have one"),
    Row("with none of it", partial(mean.count_present, absent=True), USUAL,
        "(<lacking> | <having> (no | not any)) <an*> {counted} <so_far*>",
        reads="without subfolders", leaves="without one"),
    Row("unknown", _ABSENT, USUAL, "<lead?> {described} <be*> <blank>",
        reads="whose owner is unknown", leaves="whose owner is Ann"),
    Row("blank before", _ABSENT, SAID, "<having> <an*> <blank> {described}",
        reads="with unknown owner", leaves="with owner"),
    Row("not known", _ABSENT, USUAL, "<lead?> {described} <be*> <not> <known>",
        reads="whose owner is not known", leaves="whose owner is not Ann"),
    Row("known", mean.presence, USUAL, "<lead?> {described} <be*> <known>",
        reads="whose owner is known", leaves="whose owner is Ann"),
    Row("by someone", mean.presence, SAID, "<an*> {doing} (someone | somebody | anyone | anybody | something)",
        reads="owned by someone", leaves="owned by"),
    Row("by nobody", _ABSENT, SAID, "<an*> {doing} (nobody | no one | noone)",
        reads="owned by nobody", leaves="owned by Ann"),
    Row("with elements", mean.list_present, LIKELY, "<having> <an*> {list} <so_far*>",
        reads="with comments", leaves="with pages"),
    Row("without elements", partial(mean.list_present, absent=True), LIKELY, "<lacking> <an*> {list} <so_far*>",
        reads="without comments", leaves="without pages"),
    Row("with no elements", partial(mean.list_present, absent=True), LIKELY, "<having> (no | not any) {list} <so_far*>",
        reads="with no comments", leaves="with comments"),
    Row("to anyone", mean.list_present, SAID, "{list} [with] (anyone | anybody | someone | somebody | others | people)",
        reads="shared with anyone", leaves="shared with Ann"),
    Row("to nobody", partial(mean.list_present, absent=True), SAID, "{list} [with] (nobody | no one | noone)",
        reads="shared with nobody", leaves="shared with Ann"),
    # texts
    Row("named", texts.named_so, SAID, "<named> [: | is | exactly] {called}",
        reads="called Budget or Plan", leaves="called in"),
    Row("mentioning", texts.mentions, SAID,
        "<mentioning> {lead} {text} [(or | and) {lead.other} {text.other}] [<in_the_text>]",
        reads='mentioning "sump pump"', leaves="about 1 MB"),
    Row("in the name", texts.compared, SAID, "<having> {lead} {any_text} <in_the_name>",
        reads="with review in the name", leaves="with review in Legal"),
    Row("in a field", texts.compared, SAID, "<having> {lead} {any_text} in <an*> {searched}",
        reads='with "sump" in the description', leaves='with "sump"'),
    Row("field and text", texts.compared, SAID, "<lead?> {searched} {text_test} {lead} {text}",
        reads="whose name starts with Inv", leaves="whose name is Inv"),
    Row("beginning or end of the name", texts.begins_or_ends, USUAL, "{text_test} {lead} {text}",
        reads="starting with Inv", leaves="ending in June"),
    # people
    Row("who does it", mean.acted, SAID, "<who*> <be*> {agent} <be*> [last | first] {act} [last]",
        reads="that Omar owns", leaves="that Omar"),
    Row("who does not", mean.not_acted, SAID, "<who*> <be*> {agent} <be*> <not> {act}",
        reads="that Omar has not edited", leaves="that Omar owns"),
    Row("who did it when", mean.acted_when, SAID, "<who*> <be*> {agent} <be*> {act} {period}",
        reads="Wei created since March", leaves="Wei created"),
    Row("done by when", mean.done_when, SAID, "[last] {doing} {values} {period}",
        reads="edited by Ann last week", leaves="edited by Ann"),
    Row("by", mean.as_said, SAID, "by {maker}", reads="PDFs by Hannah", leaves="by month"),
])  # fmt: skip


def said_of(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """Every condition on an entity that a row reads here."""
    return CONDITIONS.readings(p, at, entity)
