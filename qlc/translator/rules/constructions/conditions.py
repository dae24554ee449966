"""The constructions of conditions: what is said of things after (or without) their noun.

Each row is read with the entity that is spoken of, and means a condition on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from qlc.grammar.tree import Condition
from qlc.translator.rules.constructions import condition_meanings as mean
from qlc.translator.rules.constructions.condition_slots import CONDITION_SLOTS
from qlc.translator.rules.constructions.construction import Construction, Table
from qlc.translator.rules.constructions.costs import CLEAR, LIKELY, SAID, USUAL
from qlc.translator.rules.constructions.pattern import Notation
from qlc.translator.rules.parse import Found, Parse
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import phrases, words

Row = Construction[Condition]


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
            "their its kind type into against carrying carry located based living during that which was were out both either"
        ),
        "link": words(
            "is are was were of = : be been being equal as set marked to the a an at with equals has have had value it "
            "'s named called by from for also falls fall lies"
        ),
        "measuring": words(
            "holding hold holds with of has have having that costing worth totaling totalling containing for is are it "
            "contain weighing weigh lasting lasts lasted taking at cost costs priced took takes which run ran spanning "
            "covering measuring travelling traveling going spent"
        ),
        "having": english.HAVING - words("including include includes showing show shows"),
        "lacking": english.LACKING,
        "blank": words("unknown unspecified unrecorded unset undefined blank empty missing"),
        "known": words("set given known specified recorded entered stated noted assigned"),
        "noted": words("set given known specified recorded entered stated noted assigned attached listed"),
        "so_far": words("at all yet whatsoever on them"),
        "flagged": english.ARTICLES | words("with under has have had having marked as flagged are is on for whose where"),
        "except": english.EXCEPT,
        "gone": phrases(
            "(has | have | had) [already] (passed | gone by) | [is | are | was | were | lies] [already] [already] (past | "
            "over) | [is | are | lies] in the past"
        ),
        "ahead": phrases(
            "(is | are) [still] (ahead | to come) | [is | are | lies] in the future | (has | have) not [yet] passed"
        ),
        "times": words("times items points pieces"),
        "soft": english.SOFTENERS | english.ANYWHERE,
    })  # fmt: skip


CONDITIONS: Table[Condition] = Table(notation, [
    # values
    Row("value", "{stated}", mean.as_said, SAID, "overdue invoices from Costco", "paid"),
    Row("field and values", "<lead?> [last] {described} <link?> {values}", mean.values, SAID, "owned by Ann or Bob"),
    Row("field and values, at once", "{described} {values}", mean.values, SAID, "type Invoice"),
    Row("field and not values", "<lead?> {described} <be*> <not> {values}", mean.not_values, SAID, "whose type is not Invoice"),
    Row("without values", "<lacking> {stated}", mean.not_values, SAID, "without milk or eggs"),
    Row("any but", "<lead?> (any | every | all) {described} (<except> | but) {values}", mean.not_values, SAID,
        "by any vendor except Staples"),
    # numbers
    Row("number and bound", "<lead?> {number} <link?> {amount} <times*>", mean.number_bound, SAID, "whose size is over 3 MB"),
    Row("bound and number", "<measuring?> {amount} <an*> [different | distinct] {number}", mean.number_bound, SAID,
        "with more than 50 pages"),
    Row("bound, number, or more", "<measuring?> {amount} {number} {or_more}", mean.number_bound, SAID, "50 pages or more"),
    Row("bound of what is counted", "<measuring?> {amount} {counted}", mean.number_bound, USUAL, "more than 5 documents"),
    Row("bound with a unit", "<measuring?> {amount}", mean.bound_by_unit, SAID, "over 3 MB"),
    Row("bound in its unit", "<measuring?> {amount} {in_units} [wide | long | tall | high | away | old]", mean.number_bound, SAID,
        "over 500 kg"),
    Row("bound alone", "<measuring?> {amount}", mean.usual_bound, SAID, "above 500"),
    Row("comparative", "<who*> <be*> {comparative} than {amount}", mean.comparative, SAID, "bigger than 2 MB"),
    Row("comparative to another", "<who*> <be*> {comparative} than {other}", mean.comparative_to_another, USUAL,
        "larger than X.pdf"),
    # dates
    Row("date and period", "<lead?> {date} <link?> {period}", mean.dated, SAID, "created in May"),
    Row("date and its hours or weekdays", "<lead?> {date} {recurring}", mean.recurring, SAID, "created on Sundays"),
    Row("period", "{period}", mean.usual_date, SAID, "in May"),
    Row("hours or weekdays", "{recurring}", mean.usual_recurring, USUAL, "on Sundays"),
    Row("date and another thing", "<lead?> {date} {than_another}", mean.than_another, SAID, "created after X.pdf"),
    Row("than another thing", "<who*> <be*> [came | come] {than_another}", mean.than_another, USUAL, "newer than X.pdf"),
    Row("date is past", "<lead?> {date} <gone>", mean.gone, CLEAR, "whose follow-up date has passed"),
    Row("past its date", "[already | well] (past | beyond | over) (its | their | the) {date}", mean.gone, CLEAR,
        "past its due date"),
    Row("date is ahead", "<lead?> {date} <ahead>", mean.ahead, CLEAR, "due in the future"),
    Row("done", "{done}", mean.happened, LIKELY, "that have departed"),
    # flags and conditions of the catalog
    Row("condition", "<flagged?> {condition}", mean.as_said, CLEAR, "overdue"),
    Row("flag", "<flagged?> {flag}", mean.flag, USUAL, "signed"),
    Row("flag of a part", "<who*> [whose | where] <an*> {part_flag}", mean.as_said, USUAL, "whose deposit is not paid"),
    Row("no flag", "(<lacking> | <having> no) <an*> {flag}", mean.no_flag, USUAL, "without balcony"),
    Row("opposite", "{opposite}", mean.as_said, SAID, "unsigned"),
    Row("flag is so", "<lead?> {flag} <link?> {yes}", mean.flag_is, SAID, "whose signed is yes"),
    # presence
    Row("with", "<having> <an*> {described} <noted*> <so_far*>", mean.present, SAID, "with a description"),
    Row("with known", "<having> <an*> (known | recorded) {described}", mean.present, SAID, "with a known owner"),
    Row("without", "<lacking> <an*> {described} <noted*> <so_far*>", mean.missing, SAID, "without a category"),
    Row("with no", "<having> (no | not any) <blank*> {described} <noted*> <so_far*>", mean.missing, SAID, "that have no category"),
    Row("unknown", "<lead?> {described} <be*> <blank>", mean.missing, USUAL, "whose owner is unknown"),
    Row("blank before", "<having> <an*> <blank> {described}", mean.missing, SAID, "with unknown owner"),
    Row("not known", "<lead?> {described} <be*> <not> <known>", mean.missing, USUAL, "whose date is not set"),
    Row("known", "<lead?> {described} <be*> <known>", mean.present, USUAL, "whose date is set"),
    Row("by someone", "<an*> {doing} (someone | somebody | anyone | anybody | something)", mean.present, SAID, "approved by someone"),
    Row("by nobody", "<an*> {doing} (nobody | no one | noone)", mean.missing, SAID, "approved by nobody"),
    Row("with elements", "<having> <an*> {list} <so_far*>", mean.list_present, LIKELY, "with comments"),
    Row("without elements", "<lacking> <an*> {list} <so_far*>", mean.list_missing, LIKELY, "without comments"),
    Row("with no elements", "<having> (no | not any) {list} <so_far*>", mean.list_missing, LIKELY, "with no comments"),
    Row("to anyone", "{list} [with] (anyone | anybody | someone | somebody | others | people)", mean.list_present, SAID,
        "shared with anyone"),
    Row("to nobody", "{list} [with] (nobody | no one | noone)", mean.list_missing, SAID, "shared with nobody"),
    # people
    Row("who does it", "<who*> <be*> {agent} <be*> [last | first] {act} [last]", mean.acted, SAID, "that Omar owns"),
    Row("who does not", "<who*> <be*> {agent} <be*> <not> {act}", mean.not_acted, SAID, "that Omar has not edited"),
    Row("who did it when", "<who*> <be*> {agent} <be*> {act} {period}", mean.acted_when, SAID, "Wei created since March"),
    Row("done by when", "[last] {doing} {values} {period}", mean.done_when, SAID, "edited by Ann last week"),
    Row("by", "by {maker}", mean.made_by, SAID, "PDFs by Hannah"),
    Row("active value", "<who*> <be*> {buyer}", mean.as_said, CLEAR, "that Omar bought"),
])  # fmt: skip


def said_of(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """Every condition on an entity that a row reads here."""
    return CONDITIONS.readings(p, at, entity)



RULES = (said_of,)
