"""The constructions of whole questions: numbers, rows, values of one thing, lists."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from qlc.grammar import tree
from qlc.grammar.tree import Statement
from qlc.translator.rules.constructions import meanings as mean
from qlc.translator.rules.constructions.construction import Construction, Table
from qlc.translator.rules.constructions.costs import CLEAR, LIKELY, SAID, SHORT, USUAL, WEAK
from qlc.translator.rules.constructions.pattern import Notation
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
        "be": english.COPULAS | english.AUXILIARIES,
        "ask": words(
            "the what whats is 's a an was are were show me give tell calculate compute get our my all which please find "
            "list of"
        ),
        "which": words("which what the all our my show me list find give are is 's in on at during for"),
        "light": english.LIGHT_VERBS | english.AUXILIARIES | english.COPULAS | words("that which having"),
        "mark": words(", : - – ; ( )"),
        "grouping": english.GROUPING,
        "shares": phrases("(percentage | percent | share | proportion | fraction | part | %) of"),
        "there": phrases(
            "(are | were | was | is) there | there (are | were) | (do | did) (we | i | you) have | (have | had) we [had "
            "| got] | we (have | had) | do we get | did we get | (are | is) used | exist | have been there"
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
            "in inside live lives lie sit located stored filed under kept belong to within saved reside found be at now "
            "contained sitting"
        ),
        "been": words("been a an already yet marked as on have need still"),
    })  # fmt: skip


NUMBERS: Table[tree.Aggregate] = Table(notation, [
    Rows("count", "<ask*> {how_many} {things}", mean.count, SAID,
         "how many paid invoices are there", "how many pages does Lease.pdf have"),
    Rows("distinct values", "<ask*> {how_many} (different | distinct | unique) {category} [{where}]",
         mean.distinct, SAID, "how many different vendors"),
    Rows("distinct values of things", "<ask*> {how_many} (different | distinct | unique) {category} [<there>] "
         "(of | among | across | in | for | on) <the*> {things}", mean.distinct, SAID, "number of distinct owners of folders"),
    Rows("distinct values that things have", "<ask*> {how_many} [different | distinct | unique] {category} <be*> "
         "<the*> {things} (from | in | by | of | with | under | at | come from | go to | have | use | belong to)",
         mean.distinct, USUAL, "how many different vendors are our receipts from"),
    Rows("number of values", "<ask*> {how_many} {category} <there>", mean.number_of_values, USUAL,
         "how many vendors are there"),
    Rows("measure of things", "<ask*> {measures} <the*> {measured} [{unit}] (of | for | in | from | across | among | over) <the*> "
         "{things}", mean.measure, SAID, "average size of PDFs"),
    Rows("measure", "<ask*> {measures} <the*> {measured} [{where}]", mean.measure, SAID, "the largest amount in 2024"),
    Rows("measure of a kind", "<ask*> {measures} <the*> {kind} {measured} [{unit}] [{where}]", mean.measure, SAID,
         "average invoice amount"),
    Rows("measure of the usual number", "<ask*> {measures} [of] <the*> {things}", mean.measure_of_the_usual_number, LIKELY,
         "sum of unpaid invoices"),
    Rows("amounts by group", "<ask*> {number} <grouping> {by}", mean.total, USUAL, "revenue by week"),
    Rows("amounts of things by group", "<ask*> {number} (of | for) <the*> {things} <grouping> {by}", mean.total, SAID,
         "amount of invoices per vendor"),
    Rows("how much of it", "how much {number} [<there>] [{where}]", mean.total, USUAL, "how much tax in 2024"),
    Rows("spent", "<spending> [at | on | for | with | to] {where}", mean.spent, USUAL, "how much did we spend at Costco"),
    Rows("share", "<ask*> <shares> <the*> {things} {predicate}", mean.share, SAID,
         "what percentage of invoices are overdue"),
    Rows("share of all", "<ask*> <shares> <the*> {part}", mean.share_of_all, SAID, "share of overdue invoices"),
    Rows("rate", "<ask*> {part} (rate | rates | ratio | percentage)", mean.share_of_all, SAID, "cancellation rate"),
    Rows("things by group", "<ask*> {things} <grouping> {by}", mean.count, SHORT, "invoices by vendor"),
    Rows("distribution", "<ask*> (breakdown | distribution | split | spread | counts) of <the*> {things} "
         "(by | across | over | per | into | among | between) {by}", mean.count, SAID, "breakdown of files by type"),
    Rows("how spread", "how (are | is | were) <the*> {things} (distributed | spread | split | divided) [up | out] "
         "(by | across | over | per | into | among | between) {by}", mean.count, SAID,
         "how are the files spread across categories"),
    Rows("values", "(which | what | list | show [me]) [all] [the] [different | distinct | unique] {category} (<there> | used | in use | exist)",
         mean.values_of, WEAK, "which tags are used"),
    Rows("values where", "(which | what | list | show [me]) [all] [the] [different | distinct | unique] {category} [are] [used] {where}",
         mean.values_of, WEAK, "which tags are used in Legal"),
    Rows("all values", "(list | show [me] | what are | give me) [all] [the] [different | distinct | unique] {category}",
         mean.values_of, WEAK, "list all vendors"),
    Rows("group with the most", "<which*> [{n}] {group} <light*> [the] {extreme} [number of] <the*> {things}",
         mean.first_rows, USUAL, "which owner has the most documents"),
    Rows("group with the most of a number", "<which*> [{n}] {group} <light*> [the] {extreme} [{measure}] {number} [{where}]",
         mean.first_rows, USUAL, "which carrier has the highest average delay"),
    Rows("group with the highest share", "<which*> [{n}] {group} <light*> [the] {extreme} <shares> <the*> {part}",
         mean.first_by_share, USUAL, "which carrier has the highest share of cancelled flights"),
    Rows("top groups by things", "<which*> top [{n}] {group} by [[the] number of | count of] <the*> {things}",
         mean.first_rows, SAID, "top 5 vendors by number of invoices"),
    Rows("top groups by a number", "<which*> top [{n}] {group} by [{measure}] <the*> {number} [{where}]",
         mean.first_rows, CLEAR, "top 5 vendors by total amount"),
    Rows("most common", "<which*> [{n}] most <often> {group} [(of | for | among | in | on) <the*> {things} | {where}]",
         mean.first_rows, USUAL, "the most common type"),
    Rows("n-th most common", "<which*> {nth} most <often> {group} [(of | for | among | in | on) <the*> {things} | {where}]",
         mean.first_rows, USUAL, "the third most common type"),
    Rows("number of things by group", "<ask*> {kind} (count | counts | numbers) <grouping> {by}", mean.count, USUAL,
         "order count for each weekday"),
    Rows("measure last", "<ask*> {number} <grouping> {by} {measure}", mean.measure_last, USUAL, "downtime per shift sum"),
    Rows("top of them", "<which*> top {n} {group} [{where}]", mean.first_rows, LIKELY, "top 3 vendors"),
    Rows("how many each", "<ask*> {how_many} {things} <be*> (each | every) {group} <light*>", mean.count_each, SAID,
         "how many documents does each owner have"),
    Rows("used most", "<which*> {group} <light*> [used | seen | ordered] (most | least) [often | frequently]", mean.used_most,
         USUAL, "which tag is used most"),
    Rows("who the most", "(who | which {person}) <be*> {done} [the] {extreme} <the*> {things}", mean.most_of_people, SAID,
         "who uploaded the most PDFs"),
    Rows("groups with a number", "<which*> {group} <having*> {test} <the*> {things}", mean.groups_with, SAID,
         "customers with more than 5 orders"),
])  # fmt: skip

TAILS: Table[tree.Aggregate] = Table(notation, [
    Rows("there are", "<there>", mean.as_they_are, SAID, "how many invoices are there"),
    Rows("per group", "<mark*> <grouping> [its | their] {by}", mean.in_groups, SAID, "how many invoices per vendor"),
    Rows("calendar", "<mark*> {calendar}", mean.in_groups, SAID, "number of invoices monthly"),
    Rows("narrowed", "<mark*> {where}", mean.narrowed, SAID, "invoices per vendor in 2024"),
    Rows("having", "<mark*> <having*> {test}", mean.having, SAID, "invoices per vendor with more than 25"),
    Rows("highest first", "<mark*> <descending>", mean.falling, SAID, "invoices per vendor, most first"),
    Rows("lowest first", "<mark*> <ascending>", mean.rising, SAID, "invoices per vendor, fewest first"),
    Rows("newest first", "<mark*> <newest>", mean.latest_first, SAID, "invoices per month, newest first"),
    Rows("oldest first", "<mark*> <oldest>", mean.earliest_first, SAID, "invoices per month, oldest first"),
    Rows("top rows", "<mark*> [and] [just | only] [the] top {n}", mean.top, SAID, "invoices per vendor, top 3"),
])  # fmt: skip

VALUES: Table[Statement] = Table(notation, [
    Whole("who did", "(who | what) <be*> [last] {deed} {one}", mean.value, SAID, "who owns Lease.pdf"),
    Whole("by whom", "(who | whom) <be*> {one} {done} [by]", mean.value, SAID, "who was Lease.pdf uploaded by"),
    Whole("field of", "<ask*> [who | in] {fields} (of | for | on | in) {one} <final*> [{unit}]", mean.value, CLEAR,
          "what is the size of Lease.pdf"),
    Whole("its field", "<ask*> [who] {one} ('s | ') {fields}", mean.value, CLEAR, "Lease.pdf's owner"),
    Whole("when", "(when | on what date | on which date | on which day) <be*> {one} <be*> [last] {date}", mean.value, SAID,
          "when was Lease.pdf created"),
    Whole("when done", "(when | on what date | on which date | on which day) <be*> {one} <be*>", mean.date_of_the_deed,
          SAID, "when was Lease.pdf signed"),
    Whole("when it was", "when (is | was | are | were) {one}", mean.usual_date, CLEAR, "when is the next visit"),
    Whole("how big", "how {degree} <be*> {one} <final*> [{unit}]", mean.amount_of_a_degree, SAID, "how big is Lease.pdf"),
    Whole("how many of it", "how (many | much) {number} <be*> [there] [in | on | of | at | for] {one} <final*>",
          mean.value, SAID, "how many pages does Lease.pdf have"),
    Whole("how often", "how (often | many times) <be*> {one} <be*> {number}", mean.value, SAID,
          "how often was Lease.pdf viewed"),
    Whole("what it has", "(what | which) {fields} <be*> [the] {one} <final*>", mean.value, CLEAR,
          "what type is Lease.pdf"),
    Whole("field after its name", "{one} <mark*> {fields} [{unit}]", mean.value, LIKELY, "Lease.pdf amount?"),
    Whole("where", "(where | wheres) <be*> [i | we] [find | put] {one} <lies*>", mean.where_it_is, SAID, "where is Lease.pdf"),
    Whole("in what", "[in | under] (what | which) {above} <be*> [i | we] [find] {one} <lies*>", mean.what_holds, SAID,
          "which folder is Lease.pdf in"),
    Whole("what holds", "(what | which) {above} (contains | holds | has | houses) {one}", mean.what_holds, SAID,
          "which folder contains Lease.pdf"),
    Whole("is in what", "{one} <be*> <lies*> [in | inside] (what | which) {above}", mean.what_holds, SAID,
          "Lease.pdf is in which folder"),
    Whole("what it refers to", "(what | which | where) <be*> {one} <be*> <the*> {leading}", mean.what_it_refers_to, SAID,
          "what is Lease.pdf a copy of"),
    Whole("to whom", "(who | with whom | to whom) [all | else] <be*> {one} {people}", mean.people_of, SAID,
          "who is Lease.pdf shared with"),
    Whole("by whom it was", "who <be*> {people} [on] {one}", mean.people_of, SAID, "who commented on Lease.pdf"),
    Whole("whether", "(is | was | has | are | does | did) {one} <been*> {flag}", mean.value, SAID, "is Lease.pdf signed"),
])  # fmt: skip

MOST_TAILS = 3


@rule
def numbers(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """The numbers that are asked for from here on, with what follows them: groups, conditions, an order."""
    for one in NUMBERS.readings(p, at):
        yield from _with_tails(p, one, MOST_TAILS)


def _with_tails(p: Parse, rows: Found[tree.Aggregate], most: int) -> Iterator[Found[Statement]]:
    yield Found(rows.end, rows.value, rows.cost)
    entity = next((e.name for e in p.things if rows.value.entity == tree.Name(e.plural)), "")
    for more in TAILS.readings(p, rows.end, entity, rows.value) if most and rows.end < p.end else ():
        yield from _with_tails(p, more._replace(cost=rows.cost + more.cost), most - 1)


@rule
def values(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """The values of one thing that are asked for from here on."""
    return VALUES.readings(p, at)


FORMS = (numbers, values)
