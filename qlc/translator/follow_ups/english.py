"""The closed classes of English that follow-ups are made of: nothing here speaks of a domain."""

from __future__ import annotations

from typing import Literal

from qlc.translator.rules.words.phrases import Phrases, phrases, words

Mode = Literal["", "narrow", "replace", "add", "leave out", "drop"]
"""What a follow-up does to what was asked before; empty where it does not say."""

CHANGING_LISTS = words("drop put leave take cut swap remove move order arrange throw clear add")
"""Verbs that ask for an action, or after a list for another one: `drop the weekend`, `put the newest on top`."""

# How a follow-up begins, by what it does to what was asked before.
NARROWING = phrases(
    "only | just | [only] those where | only where | with only | keep [only] | "
    "narrow [it | that | them | those] [down] to | (restrict | limit) [it | that | "
    "them | those | this] to | filter [it | them | those] (to | by | for | on | down to) | (of | from | "
    "among | within) (those | these) | of them | out of (those | these) | i (only | just) (want | need) | show "
    "[me] only | (only | just) show [me] | show only me | but only | which (are | is | ones [are]) | (are | is) "
    "any | any of which are | now (only | just) | (only | just) for"
)
ONLY = words("only just")
REPLACING = phrases(
    "(what | how) about | what of | [the] same [thing | search | question | query] [for | with] | do (the "
    "same | that) for | [the] same but [for | with] | (make | change | switch) (that | it) [to] | (change | "
    "switch) to | i (meant | mean) | (no | actually | sorry | oh) [,] "
    "i (meant | mean) | [no | oh | sorry] [,] wait [,] [i (meant | mean)] | [oops | sorry] [,] i meant | sorry | oops "
    "| or rather | no (, | ; | :) | rather | repeat [that | it] (for | with) | again (for | with) | instead [use] | "
    "now [for] | [now] try [with] | use | (it | that) should be | should be"
)
LIKENING = phrases(
    "(what | how) about | what of | [the] same [thing | search | question | query] [for | with | in] | do (the same | "
    "that) for | repeat [that | it] (for | with) | again (for | with)"
)
"""Of these what asks the same of something else."""
ADDING = phrases(
    "also [include | show | add] | [and | please] include | plus | [and] add | as well as | or | (along | "
    "together) with | including | (widen | extend | expand) [it | that | this | them] to | add in"
)
LEAVING_OUT = phrases(
    "not [counting | including | those] | (except | everything except | all except) [for] | excluding | exclude | "
    "other than | but not | besides | (apart | aside) from | and not | leave out | leaving out | minus | skip | "
    "omit | (drop | skip | hide | take out | exclude | leave out) (the ones | those that are | anything) | [try [it | "
    "that | this | them] [again]] without | no | filter out | hide | none of | ignoring | "
    "(everything | all | anything) but"
)
DROPPING = phrases(
    "forget [about] | drop | never mind | nevermind | ignore | disregard | remove | clear | lift | (regardless | "
    "irrespective | independent) of | no matter [what | which | the] | whatever | any | all | [i] do n't care "
    "about | i dont care about | does n't matter | skip | undo | take (off | away) | without [the] | get rid of | "
    "(of | in | for | with | by | from) any | (of | across | from | in | for) all | not just | lose | with no "
    "restriction on | without regard to | any kind of | try [it | that | this | them] [again] without [the] | [there "
    "is] no need (for | of) | [it | they] (need n't | do n't (have | need) to | does n't (have | need) to) (be | have)"
)
INCLUDE = words("include including add")
WITHOUT_THE = phrases("[and | but | then | ok] [try [it | that | this | them] [again]] without the")
TAKING_OFF = words("drop remove forget clear lift lose about ignore disregard be have for")
"""Verbs, and the last words of such, that take a condition away which is named by its value: `remove urgent`."""
FILTERS = words(
    "filter filters condition conditions restriction restrictions limit constraint constraints criterion criteria "
    "requirement part bit thing limitation"
)
"""Nouns for a part of what was asked for."""
CONDITIONS = FILTERS - words("limit requirement part bit thing limitation")
"""Of these the nouns that speak of nothing else."""
THE_CONDITION = phrases(
    "(that | this | the | my) [very] [last | latest | newest] [added] (filter | condition | restriction | constraint | "
    "criterion | requirement | limitation) [from before]"
)
"""After a verb that takes a condition away: the one that came last."""


THE_OPPOSITE = phrases(
    "[and | now] [the] other way (round | around) | [and | now] [the] (opposite | inverse | reverse) | vice versa | "
    "[and | now] (the ones | those) that are not | what (is | 's) the (opposite | inverse)"
)
"""After a search that asks for no order: what does not meet its last condition."""
WHICH_ARE_NOT = phrases(
    "[and] (which | who) [ones | of (them | those | these)] (are | is | were | was | do | does | did | have | has) "
    "(n't | not) | [and] (the ones | those | the others) (that | which | who) (are | do | have) (n't | not) | [and] "
    "which not"
)
HOW_MANY_ARE_NOT = phrases(
    "[and] how many [of (them | those | these)] (are | is | were | was | do | does | did | have | has) (n't | not) | "
    "[and] how many not"
)

SHOWING = phrases(
    "(show | open | display | view | see | get | give | find | fetch | load | present) [me | us] | pull | bring | "
    "(pull | bring | open) [me] up | look at | have a look at | (take | bring) me to | go to | tell me about"
)
"""Before the one thing that was spoken of."""
OPENING = words("open load")
HOW_MANY = phrases("[and] how many | [and] how much")
COMING_TO = phrases(
    "[and] how much [is (that | this | it) | are (they | those | these)] [all] | [and] (what | how much) (do | does) "
    "(they | these | those | that | all of (them | those | these)) [all] (come to | add up to | sum up to | total | "
    "amount to | make) [in (all | total) | altogether | together | combined] | [what (is | 's | was)] [the] (grand "
    "total | total sum | sum total) [of (them | those | these | that)] | what (is | 's | was) the (total | sum) [of "
    "(them | those | these | that)] | (sum | add | total) (it | them | that | those | these) up | (sum | add) up (them "
    "| those | these) | [the] (sum | sums | amounts | totals) (instead of | rather than | not) [the] (count | counts | "
    "number | numbers)"
)
"""What asks what the things found come to, all together."""
MUCH_IN_ALL = phrases(
    "[and] how much [is (that | this | it) | are (they | those | these)] [all] (in (all | total) | altogether | "
    "together | combined | overall)"
)
"""The same, of all rows where there are rows."""
SPENDING = phrases(
    "[and] (what | how much) (do | does | did) (they | these | those | that | all of (them | those | these)) [all] "
    "cost [in (all | total) | altogether | together | combined] | [and] (what | how much) (do | did | have) (we | i | "
    "they | you) (spend | spent | pay | paid) [there | (on | for) (them | those | these | that | all (that | those | "
    "these | of (it | them | those | these)))] [all] [in (all | total) | altogether | together | overall]"
)
"""The same, of money."""
ALL_TOGETHER = phrases(
    "(are | is) (they | these | those | all of them | that | it) [all] (in total | altogether | together | combined | "
    "overall | in all) | (do | did | does | are | were) (they | these | those | all of them) [all] (have | has | make "
    "| come to | sum up to | add up to) [all] (in total | altogether | together | combined | overall | in all) | "
    "[are | were] [there] (in total | altogether | together | combined | overall | in all) | [do] (they | these | "
    "those) total | (do | did) (they | these | those) [all] (add up to | come to)"
)
"""After a number that things have: of all of them."""
ON_AVERAGE = phrases(
    "(are | is | were) (they | these | those | each [of them] | it) [each] on average | (do | did | does) (they | "
    "these | those | each [of them] | it) [each] (have | has | cost | contain | take) on average | on average [(do | "
    "did | are) (they | these | those) [have]]"
)
"""After a number that things have: what it is on average."""
OF_THOSE = phrases("[of | for] [all] [of] (them | those | these | that | it)")
AVERAGED = phrases("on average | as an average | averaged")
BARE_TOTAL = phrases("[what (was | is | 's)] [the] total")
THE_TOTAL = phrases("[what (was | is | 's)] [the] total [number | count]")
"""Of money where there is some, else of how many there are."""
IN_ALL = phrases("[and] [what (is | was | 's)] [that] [all] (in (total | all) | altogether | all together | overall)")
"""The same; after a list that speaks of one number, that number of all of them."""
SHARES = phrases(
    "[and] [show | give] [me] [it | that | them | those | these] (as | in) [a | the] (share | shares | percentage | "
    "percentages | percent | per cent | proportion | proportions | fraction | %) [of (the (total | whole) | all)] | "
    "[and] [what is | what 's] [the] (share | percentage | proportion) [of (each | all | the total | them | that)]"
)
"""What asks for the part that each number is of all of them."""

# The same things once more.
COUNTING_THOSE = phrases(
    "how many [is (that | it | this) | (are | were) [that | those | these | there | they] | of (them | those | "
    "these) [are there | were there] | in total | altogether | are in there | (results | hits) [are there] | does "
    "that make | do (we | i) have | have we got | would that be | are left | remain] | "
    "count [them | those | these | that] | [just | "
    "only] the (count | number) | what (is | 's) the (count | number) | number of (them | those | these) | as a "
    "(number | count)"
)
COUNTING_ALL = phrases(
    "[and] how many [(are | were) there | (are | were) they | exist | do (we | i) have | (results | hits)] [are there] "
    "(in total | in all | altogether | overall | all in all | all together)"
)
"""After a part of a list: of the whole."""
GROUPING_THOSE = phrases(
    "(break | split | divide) [that | it | them | those | this] [down | up] by | (broken | split | divided) [down "
    "| up] by | [a] breakdown by | (group | bucket | aggregate | tabulate) [that | it | them | those | this] (by "
    "| per) | grouped by | (summarize | summarise | sum up) [them | those | that | it] by | by [each] | per | for "
    "(each | every) | each | (count | counts) [them | those] by | show (that | it | them | those | this) by | now "
    "(by | per) | how many [(is | are | were) (that | those | these | they | there | it)] (per | by | (for | in) each)"
)
TOTALS_BY = phrases("[the] (total | totals | sum | sums) (by | per | for (each | every))")
WHICH_GROUPS = phrases("[and] (which | what) | [and] (who | what | which) (are | were | is) (the | their) | by which")
ARE_THOSE = phrases("(are | were) (they | those | these | there | that | in there) | do (they | these | those) have")
OF_EACH = phrases(
    "[and] how many [are there | do (we | i) have] (of each [one | kind | of (them | those | these)] | each | (for | "
    "from | in | per) each [one | of (them | those | these)]) | [the | a] count (of | for) each | each of them counted"
)
LISTING_THOSE = phrases(
    "(show | list) [me] (them | those | these) [to me] | [let me] see them | (which | what | who) are (they | "
    "those | these) | which ones [are (they | those | these)] | [give me | show me] the list | as a list"
)
WHICH_OF_THEM = phrases(
    "[and] which [one] [of (them | those | these)] | which ones | what one | [and] who [of them] | whose | [show me "
    "| show | give me | which is | who is] the one | the ones"
)
FIRST_OR_LAST = {"first": False, "earliest": False, "soonest": False, "last": True, "latest": True}
"""How something with a date comes among others, and whether the latest comes first then."""
THE_LAST = phrases("the last (one | result | hit | item | row | of (them | those | these))")
REVERSING = phrases(
    "reverse [that | it] | [in] [the] (reverse | opposite) order | in reverse | [(sort | order | put) (that | it | "
    "this | them | those)] [the] other way (round | around) "
    "| (flip | reverse) the (order | sort | sorting) | reverse order | reversed"
)
SORTING_THOSE = phrases(
    "(sort | order | rank | arrange) [them | it | that | those | these | this] [by] | (sorted | ordered | ranked "
    "| arranged) [by] | by | with the | put the | (show | list) the | in order of"
)
WITHOUT_LIMIT = phrases(
    "(show | list) [me] (all [of them | of those] | everything) | all of (them | those) | everything | no limit | "
    "without [the | a] limit | [show me] the (whole | full | complete | entire) list | (drop | forget | remove) "
    "the limit | not just the top"
)
WITHOUT_ORDER = phrases(
    "unsorted | (drop | forget | remove | ignore | never mind) the (sorting | order | sort) | without sorting | "
    "in any order"
)
LIMITING = words("just only show the give me list first top limit to it them that those cut keep at most us just")
LIMITED = words("only results hits of them those these please items max ones rows result")
BELOW_TOO = words("include including and also with plus search as well in their its the all recursively too")
TAILS: dict[Mode, Phrases] = {
    "": phrases("once more | one more time"),
    "narrow": phrases("only | alone | exclusively"),
    "replace": phrases("instead | rather | instead please"),
    "add": phrases("too | as well | also | in addition"),
}  # fmt: skip
CLOSING = words("please then again thanks thank you now though pls ok okay ? ! . , ; : though - … actually cheers")

SORTING_LEADS = phrases(
    "(sort | order | rank | arrange | put) (them | it | those | that | these) | sort | (list | show [me]) (them | "
    "those | these) | [list | show [me] | put | with] the"
)
"""Before an order that is given without `by`."""

# A period beside the one that was asked for: before and after the word for its unit.
EARLIER = (words("previous preceding prior"), words("before earlier prior"))
LATER = (words("following subsequent"), words("after later"))
THEM = words("them those these they ones")
POINTING_BACK = words("that this it then one")

# What words of no catalog mean as parts of what was asked for.
GENERIC_FIELDS = {
    "date": words("date dates time times year years month months day days period when week weeks timeframe range"),
    "person": words("person people who somebody someone"),
    "place": words("place where location places"),
    "number": words("number numbers amount price cost value"),
    "text": words("text word words phrase wording"),
}  # fmt: skip

# Pronouns. What comes before a verb of sorting or showing is recognised by its phrase, and is none here.
PERSON = words("he she him")
SEVERAL = words("them they those these")
WHOSE = {"its": "thing", "his": "person", "her": "person", "their": "any", "hers": "person"}
DEMONSTRATIVES = words("that this")
ONE = words("one")
ONES = words("ones")
RESULTS = words("results result list hits matches answers")
ORDINAL_NOUNS = words("one result hit item row entry match")
AFTER_THING = words("is was were are has have had does did do 's ? ! . , in on by at to")
"""What may come after `that` or `the second` when a thing is meant by it."""
NOT_AFTER = words("sort order rank group break split count show list arrange of filter narrow reverse")

# Topics.
RETURNING = phrases(
    "(as for | about those | once more the | again (the | for the)) | [and | now | ok | let 's | lets | i want to "
    "| can we] [go | get | switch] back to | (going | coming) back to | [now | ok] take me back to | return to | "
    "show [me] [again] | repeat | re - run | rerun | run [again] | redo | once more"
)
RETURNING_SURELY = phrases(
    "[and | now | ok | let 's | lets | i want to | can we] [go | get | switch] back to | (going | coming) back to "
    "| [now | ok] take me back to | return to"
)
SEARCHES = words("search searches question query questions queries list result results request one answer thing topic")
PREVIOUS = words("previous last earlier preceding prior before")
BACK = phrases(
    "[go] back [please] | undo [that | it] | [the] previous search | never mind that | [go] (back | back one | "
    "one step back) | back one step | (as | like) before"
)
BACK_TO_THE_LIST = phrases(
    "[and | now | ok] [go | get | take me] back to (the | that | my) [whole | full] (list | results) | (the | that) "
    "list again | show [me] (the | that) list again | return to (the | that | my) (list | results)"
)

ABOUT_SEARCHES = words("you query search filter filters condition conditions result results")
"""What a question speaks of that is about a search, and not about what is stored."""
EITHER_JOINTS = words(": , ; - and but . then")
