"""The constructions of whole questions: numbers, rows, values of one thing, lists."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial

from qlc.grammar import tree
from qlc.grammar.tree import Statement
from qlc.translator.rules.build import COUNT
from qlc.translator.rules.constructions import meanings as mean
from qlc.translator.rules.constructions import value_meanings as of_one
from qlc.translator.rules.constructions.construction import (
    CLEAR,
    LIKELY,
    SAID,
    SHORT,
    USUAL,
    WEAK,
    Construction,
    Notation,
    Table,
)
from qlc.translator.rules.constructions.slots import SLOTS
from qlc.translator.rules.parse import Found, Parse, rule
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import phrases, words

Rows = Construction[tree.Aggregate]
Whole = Construction[Statement]


@cache
def notation() -> Notation:
    """The slots, and the word lists that patterns name in angle brackets."""
    return Notation(SLOTS, {
        "the": english.ARTICLES,
        "be": english.COPULAS | (english.AUXILIARIES - english.MODALS),
        "ask": words(
            "the what whats is 's a an was are were show me give tell calculate compute get our my all which please "
            "find list of"
        ),
        "which": words("which what the all our my show me list find give are is 's in on at during for"),
        "light": english.LIGHT_VERBS | english.AUXILIARIES | english.COPULAS | words("that which having"),
        "mark": words(", : - – ; ( )"),
        "grouping": english.GROUPING,
        "shares": phrases("(percentage | percent | share | proportion | fraction | part | %) of"),
        "there": phrases(
            "(are | were | was | is) there | there (are | were) | (do | did) (we | i | you) have | (have | had) we "
            "[had | got] | we (have | had) | do we get | did we get | (are | is) used | exist | have been there"
        ),
        "spending": phrases(
            "how much [money] (did | do | have | had | has) (we | i) [already] "
            "(spend | spent | pay | paid | make | made | earn | earned) | how much (was | is | were) (spent | paid) | "
            "what (did | do) (we | i) (spend | pay)"
        ),
        "descending": english.DESCENDING,
        "ascending": english.ASCENDING,
        "newest": english.NEWEST_FIRST,
        "oldest": english.OLDEST_FIRST,
        "having": words("with having that which have has where the count is of are there only just those"),
        "often": words("common commonly frequent frequently used popular often"),
        "final": frozenset(english.MOTION) | words(
            "have has in of carry belong to from under on got at with for by cost costs take takes last lasts is was "
            "contain contains get gets say says contain hold read"
        ),
        "lies": words(
            "in inside live lives lie sit located stored filed under kept belong to within saved reside found be at "
            "now contained sitting end ended up go went"
        ),
        "been": words("been a an already yet marked as on have need still"),
    })  # fmt: skip


NUMBERS: Table[tree.Aggregate] = Table(notation, [
    Rows("count", mean.count, SAID, "<ask*> {how_many} {things}",
        reads="how many paid invoices are there", leaves="how many pages does Lease.pdf have"),
    Rows("distinct values", mean.distinct, SAID,
        "<ask*> {how_many} (different | distinct | unique) {category} [{where}]",
        reads="how many different vendors", leaves="how many invoices"),
    Rows("distinct values of things", mean.distinct, SAID,
        "<ask*> {how_many} ((different | distinct | unique) {category} [<there>] (of | among | across | in | for | "
        "on) | {category} (have | has | had | with)) <the*> {things}",
        reads="number of distinct owners of folders", leaves="how many invoices of Costco"),
    Rows("distinct values that things have", mean.distinct, USUAL,
        "<ask*> {how_many} [different | distinct | unique] {category} <be*> <the*> {things} (from | in | by | of | "
        "with | under | at | come from | go to | have | use | belong to)",
        reads="how many different vendors are our receipts from", leaves="how many invoices are overdue"),
    Rows("number of values", mean.number_of_values, USUAL, "<ask*> {how_many} {category} [<there>]",
        reads="how many vendors", leaves="how many invoices are there"),
    Rows("measure of things", mean.measure, SAID,
        "<ask*> {measures} <the*> {measured} [{unit}] (of | for | in | from | across | among | over) <the*> {things}",
        reads="average size of PDFs", leaves="size of PDFs"),
    Rows("measure", mean.measure, SAID, "<ask*> {measures} <the*> {measured} [{where}]",
        reads="the largest amount in 2024", leaves="amount in 2024"),
    Rows("measure of a kind", mean.measure, SAID, "<ask*> {measures} <the*> {kind} {measured} [{unit}] [{where}]",
        reads="average invoice amount", leaves="invoice amount"),
    Rows("measure of the usual number", mean.measure_of_the_usual_number, LIKELY,
        "<ask*> {measures} [of] <the*> {things}",
        reads="sum of unpaid invoices", leaves="unpaid invoices"),
    Rows("amounts by group", mean.total, USUAL, "<ask*> {number} <grouping> {by}",
        reads="amount by month", leaves="pages by month"),
    Rows("amounts of things by group", mean.total, SAID, "<ask*> {number} (of | for) <the*> {things} <grouping> {by}",
        reads="amount of invoices per vendor", leaves="amount of invoices"),
    Rows("how much of it", mean.total, USUAL, "how much {number} [<there>] [{where}]",
        reads="how much amount in 2024", leaves="how much is overdue"),
    Rows("spent", mean.spent, USUAL, "<spending> [at | on | for | with | to] {where}",
        reads="how much did we spend at Costco", leaves="how much is Costco"),
    Rows("share", mean.share, SAID, "<ask*> <shares> <the*> {things} {predicate}",
        reads="what percentage of invoices are overdue", leaves="percentage of overdue invoices"),
    Rows("share of all", mean.share_of_all, SAID, "<ask*> <shares> <the*> {part}",
        reads="share of overdue invoices", leaves="share of invoices"),
    Rows("rate", mean.share_of_all, SAID, "<ask*> {part} (rate | rates | ratio | percentage)",
        reads="cancellation rate", leaves="overdue invoices"),
    Rows("things by group", mean.count, SHORT, "<ask*> {things} <grouping> {by}",
        reads="invoices by vendor", leaves="invoices over 100"),
    Rows("distribution", mean.count, SAID,
        "<ask*> (breakdown | distribution | split | spread | counts) of <the*> {things} (by | across | over | per | "
        "into | among | between) {by}",
        reads="breakdown of files by type", leaves="breakdown of files"),
    Rows("how spread", mean.count, SAID,
        "how (are | is | were) <the*> {things} (distributed | spread | split | divided) [up | out] (by | across | "
        "over | per | into | among | between) {by}",
        reads="how are the files spread across categories", leaves="how are the files"),
    Rows("values", mean.values_of, WEAK,
        "(which | what | list | show [me]) [all] [the] [different | distinct | unique] {category} (<there> | used | "
        "in use | exist)",
        reads="which tags are used", leaves="which tags"),
    Rows("values where", mean.values_of, WEAK,
        "(which | what | list | show [me]) [all] [the] [different | distinct | unique] {category} [are] [used] "
        "{where}",
        reads="which tags are used in Legal", leaves="which invoices are used in Legal"),
    Rows("all values", mean.values_of, WEAK,
        "(list | show [me] | what are | give me) [all] [the] [different | distinct | unique] {category}",
        reads="list all vendors", leaves="list all invoices"),
    Rows("group with the most", mean.first_rows, USUAL,
        "<which*> [{n}] {group} [{where}] <light*> [the] {extreme} [number of] <the*> {things}",
        reads="which owner has the most documents", leaves="which document has the most pages"),
    Rows("group with the most of a number", mean.first_rows, USUAL,
        "<which*> [{n}] {group} <light*> [the] {extreme} [{measure}] {number} [{where}]",
        reads="which carrier has the highest average delay", leaves="which owner has the most documents"),
    Rows("group with the highest share", mean.first_by_share, USUAL,
        "<which*> [{n}] {group} <light*> [the] {extreme} <shares> <the*> {part}",
        reads="which carrier has the highest share of cancelled flights", leaves="which type has the highest amount"),
    Rows("top groups by things", mean.first_rows, SAID,
        "<which*> top [{n}] {group} by [[the] number of | count of] <the*> {things}",
        reads="top 5 vendors by number of invoices", leaves="top 5 invoices by amount"),
    Rows("top groups by a number", mean.first_rows, CLEAR,
        "<which*> top [{n}] {group} by [{measure}] <the*> {number} [{where}]",
        reads="top 5 vendors by total amount", leaves="top 5 vendors by name"),
    Rows("most common", mean.first_rows, USUAL,
        "<which*> [{n}] most <often> {group} [(of | for | among | in | on) <the*> {things} | {where}]",
        reads="the most common type", leaves="the most recent type"),
    Rows("n-th most common", mean.first_rows, USUAL,
        "<which*> {nth} most <often> {group} [(of | for | among | in | on) <the*> {things} | {where}]",
        reads="the third most common type", leaves="the third type"),
    Rows("number of things by group", mean.count, USUAL, "<ask*> {kind} (count | counts | numbers) <grouping> {by}",
        reads="invoices count by month", leaves="invoice count"),
    Rows("total after", mean.total_after, USUAL, "<ask*> {kind} total [{where}]",
        reads="invoices total in 2024", leaves="invoices in 2024"),
    Rows("top of them", mean.first_rows, LIKELY, "<which*> top {n} {group} [{where}]",
        reads="top 3 vendors", leaves="top 3 invoices"),
    Rows("how many each", mean.count_each, SAID, "<ask*> {how_many} {things} <be*> (each | every) {group} <light*>",
        reads="how many documents does each owner have", leaves="how many documents does Ann have"),
    Rows("used most", mean.used_most, USUAL,
        "<which*> {group} <light*> [used | seen | ordered] (most | least) [often | frequently]",
        reads="which tag is used most", leaves="which tag is used"),
    Rows("who the most", mean.most_of_people, SAID,
        "(who | which {person}) <be*> {done} [the] {extreme} <the*> {things}",
        reads="who uploaded the most PDFs", leaves="who uploaded the PDFs"),
    Rows("groups with a number", mean.groups_with, SAID, "<which*> {group} <having*> {test} <the*> {things}",
        reads="vendors with more than 5 invoices", leaves="invoices with more than 5 pages"),
])  # fmt: skip
TAILS: Table[tree.Aggregate] = Table(notation, [
    Rows("there are", mean.as_they_are, SAID, "<there>",
        reads="how many invoices are there", leaves="invoices by vendor"),
    Rows("per group", mean.in_groups, SAID, "<mark*> <grouping> [its | their] {by}",
        reads="how many invoices per vendor", leaves="how many invoices per"),
    Rows("calendar", mean.in_groups, SAID, "<mark*> {calendar}",
        reads="how many invoices monthly", leaves="how many invoices slowly"),
    Rows("narrowed", mean.narrowed, SAID, "<mark*> {where}",
        reads="invoices by vendor in 2024", leaves="invoices by vendor alone"),
    Rows("having", mean.having, SAID, "<mark*> <having*> {test}",
        reads="invoices by vendor with more than 25", leaves="invoices by vendor with luck"),
    Rows("highest first", partial(mean.in_order, falling=True), SAID, "<mark*> <descending>",
        reads="invoices by vendor, highest first", leaves="invoices by vendor, high"),
    Rows("lowest first", partial(mean.in_order, falling=False), SAID, "<mark*> <ascending>",
        reads="invoices by vendor, lowest first", leaves="invoices by vendor, low"),
    Rows("newest first", partial(mean.in_time, falling=True), SAID, "<mark*> <newest>",
        reads="invoices by month, newest first", leaves="invoices by vendor, newest first"),
    Rows("oldest first", partial(mean.in_time, falling=False), SAID, "<mark*> <oldest>",
        reads="invoices by month, oldest first", leaves="invoices by vendor, oldest first"),
    Rows("top rows", mean.top, SAID, "<mark*> [and] [just | only] [the] top {n}",
        reads="invoices by vendor, top 3", leaves="invoices by vendor, top"),
])  # fmt: skip
VALUES: Table[Statement] = Table(notation, [
    Whole("who did", of_one.value, SAID, "(who | what) <be*> [last] {deed} {one}",
        reads="who owns Lease.pdf", leaves="who owns the most documents"),
    Whole("by whom", of_one.value, SAID, "(who | whom) <be*> {one} {done} [by]",
        reads="who was Lease.pdf uploaded by", leaves="who is Lease.pdf"),
    Whole("field of", of_one.value, CLEAR,
        "<ask*> [who | in] <be*> <the*> {fields} (of | for | on) {one} <final*> [{unit}]",
        reads="what is the size of Lease.pdf", leaves="the size of documents"),
    Whole("its field", of_one.value, CLEAR, "<ask*> [who] {one} ('s | ') {fields}",
        reads="Lease.pdf's owner", leaves="Lease.pdf"),
    Whole("when", of_one.value, SAID,
        "(when | on what date | on which date | on which day) <be*> {one} <be*> [last] {date}",
        reads="when was Lease.pdf created", leaves="when was Lease.pdf"),
    Whole("when done", of_one.date_of_the_deed, SAID,
        "(when | on what date | on which date | on which day) <be*> {one} <be*>",
        reads="when was Lease.pdf uploaded", leaves="when was Lease.pdf over"),
    Whole("when it was", of_one.usual_date, CLEAR, "when (is | was | are | were) {one}",
        reads="when was Lease.pdf", leaves="when"),
    Whole("how big", of_one.amount_of_a_degree, SAID, "how {degree} <be*> {one} <final*> [{unit}]",
        reads="how big is Lease.pdf", leaves="how many is Lease.pdf"),
    Whole("how many of it", of_one.value, SAID,
        "how (many | much) {number} <be*> [there] [in | on | of | at | for] {one} <final*>",
        reads="how many pages does Lease.pdf have", leaves="how many pages"),
    Whole("how often", of_one.value, SAID, "how (often | many times) <be*> {one} <be*> {number}",
        reads="how often was Lease.pdf viewed", leaves="how often is it"),
    Whole("what it has", of_one.value, CLEAR,
        "[on | in | to | at | from | of | under] (what | which) {fields} <be*> [the] {one} <final*>",
        reads="what type is Lease.pdf", leaves="what is Lease.pdf"),
    Whole("field after its name", of_one.value_beside, LIKELY, "{one} <mark*> {fields} [{unit}]",
        reads="Lease.pdf amount?", leaves="Lease.pdf"),
    Whole("where", of_one.where_it_is, SAID, "(where | wheres) <be*> [i | we] [find | put] {one} <lies*>",
        reads="where is Lease.pdf", leaves="where is the money from"),
    Whole("in what", of_one.referred, SAID, "[in | under] (what | which) {above} <be*> [i | we] [find] {one} <lies*>",
        reads="which folder is Lease.pdf in", leaves="which folder"),
    Whole("what holds", of_one.referred, SAID,
        "(what | which) {above} (contains | holds | has | houses) {one} [in it | inside]",
        reads="which folder contains Lease.pdf", leaves="which folder contains"),
    Whole("is in what", of_one.referred, SAID, "{one} <mark*> <be*> <lies*> [in | inside] (what | which) {above}",
        reads="Lease.pdf is in which folder", leaves="Lease.pdf is in Legal"),
    Whole("what it refers to", of_one.referred, SAID, "(what | which | where) <be*> {one} <be*> <the*> {leading}",
        reads="what is Lease.pdf a copy of", leaves="what is Lease.pdf"),
    Whole("to whom", of_one.people_of, SAID, "(who | with whom | to whom) [all | else] <be*> {one} {people}",
        reads="who is Lease.pdf shared with", leaves="who is Lease.pdf"),
    Whole("by whom it was", of_one.people_of, SAID, "who <be*> {people} [on] {one}",
        reads="who commented on Lease.pdf", leaves="who commented"),
    Whole("whether", of_one.value, SAID, "(is | was | has | are | does | did) {one} <been*> {flag}",
        reads="is Lease.pdf signed", leaves="is Lease.pdf there"),
])  # fmt: skip
MOST_TAILS = 3


@rule
def numbers(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """The numbers that are asked for from here on, with what follows them: groups, conditions, an order."""
    for one in NUMBERS.readings(p, at):
        yield from _with_tails(p, one, MOST_TAILS)


def _with_tails(p: Parse, rows: Found[tree.Aggregate], most: int) -> Iterator[Found[Statement]]:
    if rows.value.measures == (COUNT,) and (p.word(rows.end),) in english.MEASURES:
        return  # `vendors by receipts total` is no number of receipts
    yield Found(rows.end, rows.value, rows.cost)
    entity = next((e.name for e in p.things if rows.value.entity == tree.Name(e.plural)), "")
    for more in TAILS.readings(p, rows.end, entity, rows.value) if most and rows.end < p.end else ():
        yield from _with_tails(p, more._replace(cost=rows.cost + more.cost), most - 1)


@rule
def values(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """The values of one thing that are asked for from here on."""
    return VALUES.readings(p, at)


FORMS = (numbers, values)
