"""The closed classes of English that follow-ups are made of: nothing here speaks of a domain."""

from __future__ import annotations

from typing import Literal

from qlc.translator.rules.words.phrases import Phrases, phrases, words

Mode = Literal["", "narrow", "replace", "add", "leave out", "drop"]
"""How a follow-up changes the earlier question; empty if the words do not tell."""

# How a follow-up begins and ends, by what it does to what was asked before.
LEADS: dict[Mode, Phrases] = {
    "narrow": phrases(
        "only | just | [only] those where | only where | with only | keep [only] | narrow [it | that | them | those] "
        "[down] to | (restrict | limit) [it | that | them | those | this] to | filter [it | them | those] (to | by | "
        "for | on | down to) | (of | from | among | within) (those | these) | of them | out of (those | these) | i "
        "(only | just) (want | need) | show [me] only | (only | just) show [me] | show only me | but only | which (are "
        "| is | ones [are]) | (are | is) any | any of which are | now (only | just) | (only | just) for"
    ),
    "replace": phrases(
        "(what | how) about | what of | [the] same [thing | search | question | query] [for | with] | do (the same | "
        "that) for | [the] same but [for | with] | (make | change | switch) (that | it) [to] | i (meant | mean) | "
        "(no | actually | sorry | oh) [,] i (meant | mean) | [no | oh | sorry] [,] wait [,] [i (meant | mean)] | "
        "sorry | oops [,] [i meant] | or rather | no (, | ; | :) | rather | repeat [that | it] (for | with) | again "
        "(for | with) | instead [use] | now [for] | [now] try [with] | use | (it | that) should be | should be"
    ),
    "add": phrases(
        "also [include | show | add] | [and | please] include | plus | [and] add | as well as | or | (along | "
        "together) with | including | (widen | extend | expand) [it | that | this | them] to | add in"
    ),
    "leave out": phrases(
        "not [counting | including | those] | (except | everything except | all except) [for] | excluding | exclude | "
        "other than | but not | besides | (apart | aside) from | and not | leave out | leaving out | minus | skip | "
        "omit | (drop | skip | hide | take out | exclude | leave out) (the ones | those that are | anything) | without "
        "| no | filter out | hide | none of | ignoring | (everything | all | anything) but"
    ),
    "drop": phrases(
        "forget [about] | drop | never mind | ignore | disregard | remove | clear | lift | (regardless | "
        "irrespective | independent) of | no matter [what | which | the] | whatever | any | all | [i] do n't care "
        "about | skip | undo | take (off | away) | without [the] | get rid of | (of | in | for | with | by | from) "
        "any | (of | across | from | in | for) all | not just | lose | any kind of"
    ),
}
TAILS: dict[Mode, Phrases] = {
    "narrow": phrases("only | alone | exclusively"),
    "replace": phrases("instead | rather | i (mean | meant)"),
    "add": phrases("too | as well | also | in addition"),
}
ASIDES = words("fine right alright cool nice great perfect good understood thanks cheers interesting hmm hm ah oh yes")
"""Words before a follow-up that say nothing: `great, only the signed ones`."""
CLOSING = words("please then again thanks thank you now though pls ok okay ? ! . , ; : - … actually cheers")
ONLY = words("only just")
INCLUDE = words("include including add")
ANY_THINGS = words("anything something any")  # before a number, things that have it: `anything over 300`
CHANGING_LISTS = words("drop put leave take cut swap remove move order arrange throw clear add")
"""Verbs that ask for an action, or after a list for another one: `drop the weekend`, `put the newest on top`."""
TAKING_OFF = words("drop remove forget clear lift lose about ignore disregard for")
"""Verbs, and the last words of such, that take a condition away which is named by its value: `remove urgent`."""
CONDITIONS = words("filter filters condition conditions restriction restrictions")
FILTERS = CONDITIONS | words("limit requirement part bit thing")
"""Nouns for a part of what was asked for; `CONDITIONS` speak of nothing else."""
THE_CONDITION = phrases("(that | this | the | my) [last] (filter | condition | restriction)")
SORTING_LEADS = phrases(
    "(sort | order | rank | arrange | put) [them | it | those | that | these] | (list | show [me]) (them | those | "
    "these) | [list | show [me] | with] the"
)
"""Before an order that is given without `by`."""
GENERIC_FIELDS = {
    "date": words("date dates time year years month months day days period when week weeks"),
    "person": words("person people who somebody someone"),
    "place": words("place where location"),
    "number": words("number amount price cost value"),
    "text": words("text word words phrase wording"),
}
"""Words for a kind of field that any catalog may have: `any date`, `another person`."""

# What points back. What comes before a verb of sorting or showing is recognised by its phrase, and is none here.
PERSON = words("he she him")
SEVERAL = words("them they those these")
THEM = SEVERAL | {"ones"}
WHOSE = {"its": "thing", "his": "person", "her": "person", "their": "any"}
DEMONSTRATIVES = words("that this")
ONE = words("one")
ONES = words("ones")
FURTHER_ONES = ("the ones ", "those ")  # after `and`, the beginning of a description of further documents
OTHERS = words("other others else")
RESULTS = words("results result list hits matches answers")
ORDINAL_NOUNS = words("one result hit item row entry match")
AFTER_THING = words("is was were are has have had does did do 's ? ! . , in on by at to")
"""Words that may follow `that` or `the second` if it points to a document."""
NOT_AFTER = words("sort order rank group break split arrange filter narrow reverse")
THE_LAST = phrases("the last (one | result | hit | item | row | of (them | those | these))")

# Earlier searches.
RETURNING_SURELY = phrases("[go | get | switch] back to | (going | coming) back to | take me back to | return to")
RETURNING = RETURNING_SURELY + phrases("as for | show [me] [again] | repeat | rerun | run [again] | once more")
BACK = phrases("[go] back [one | one step] | undo [that | it] | [the] previous search | never mind that")
THE_LIST = phrases("(the | that | my) [whole | full] (list | results)")
SEARCHES = words("search searches question query queries list request topic")
PREVIOUS = words("previous last earlier preceding prior before")
JOINTS = words(": , ; - and but . then")
