"""The closed classes of English that follow-ups are made of: nothing here speaks of a domain."""

from __future__ import annotations

from qlc.translator.rules.phrases import phrases, words

# How a follow-up begins, by what it does to what was asked before.
NARROWING = phrases(
    "only | just | keep | keep only | narrow it down to | narrow that down to | narrow them down to | narrow down to "
    "| narrow to | narrow it to | restrict to | restrict it to | restrict that to | restrict them to | limit it to | "
    "limit that to | limit them to | filter to | filter by | filter for | filter on | filter it by | filter them by "
    "| filter those by | filter it to | filter them to | filter down to | of those | of these | of them | from those "
    "| from these | among those | among these | out of those | out of these | within those | i only want | i only "
    "need | i just want | i just need | show only | show me only | only show | only show me | just show | just show "
    "me | but only | which are | which ones are | which ones | which is | are any | is any | any of which are | now "
    "only | now just | only for | just for"
)
REPLACING = phrases(
    "what about | how about | what of | same for | the same for | same thing for | the same thing for | same with | "
    "the same with | same in | the same in | same search for | same question for | the same question for | same "
    "query for | do the same for | do that for | same but | the same but | same but for | same but with | make that "
    "| make it | change that to | change it to | change to | switch to | switch that to | i meant | i mean | no i "
    "meant | no , i meant | no i mean | sorry i meant | sorry , i meant | sorry | oops | oops i meant | or rather | "
    "no , | no ; | no : | rather | repeat for | repeat that for | repeat with | repeat it for | again for | again "
    "with | instead | instead use | now for | now in | use | try | now try | try with | should be | it should be | "
    "that should be"
)
ADDING = phrases(
    "also | also include | also show | also add | include | and include | please include | plus | add | and add | as "
    "well as | or | along with | together with | including | widen to | extend to | extend it to | expand to | add "
    "in"
)
LEAVING_OUT = phrases(
    "not | except | except for | excluding | exclude | other than | but not | besides | apart from | aside from | "
    "and not | not counting | leave out | leaving out | minus | not including | skip | omit | without | no | filter "
    "out | hide | none of | not those | ignoring | everything except | everything but | all except | all but | "
    "anything but"
)
DROPPING = phrases(
    "forget | forget about | drop | never mind | nevermind | ignore | disregard | remove | clear | lift | regardless "
    "of | irrespective of | no matter | no matter what | no matter which | no matter the | whatever | any | all | i "
    "do n't care about | do n't care about | i dont care about | does n't matter | skip | undo | take off | take "
    "away | without | get rid of | of any | of all | from any | in any | for any | with any | by any | across all | "
    "not just | lose | without the | with no restriction on | without regard to | independent of | from all | in all "
    "| for all | any kind of"
)
FILTERS = words(
    "filter filters condition conditions restriction restrictions limit constraint constraints criterion criteria "
    "requirement part bit thing limitation"
)
"""Nouns for a part of what was asked for."""


# The same things once more.
COUNTING_THOSE = phrases(
    "how many is that | how many is it | how many are that | how many are those | how many are these | how many are "
    "there | how many are they | how many were there | how many were those | how many of those are there | how many "
    "of them are there | how many of them | how many of those | how many | how many in total | how many altogether | "
    "count | count them | count those | count these | count that | the count | the number | what is the count | what "
    "'s the count | what is the number | number of them | number of those | how many is this | how many are in there "
    "| how many results | how many results are there | how many hits | how many does that make | how many do we have "
    "| how many do i have | how many have we got | just the number | just the count | only the number | only the "
    "count | as a number | as a count | how many were they | how many would that be"
)
GROUPING_THOSE = phrases(
    "break that down by | break it down by | break them down by | break those down by | break this down by | break "
    "down by | broken down by | breakdown by | a breakdown by | split that by | split it by | split them by | split "
    "those by | split by | group that by | group it by | group them by | group those by | group by | grouped by | "
    "group per | by | per | for each | for every | each | split up by | break that up by | split that up by | divide "
    "by | divided by | summarize by | summarise by | summarize them by | by each | sum up by | count by | count them "
    "by | count those by | counts by | show that by | show it by | show them by | show this by | now by | now per | "
    "how many per | how many by | how many for each | how many in each | bucket by | bucket them by | aggregate by | "
    "tabulate by | broken up by"
)
LISTING_THOSE = phrases(
    "show them | list them | show those | list those | show me those | show me them | which are they | which ones | "
    "which are those | which ones are they | which ones are those | what are they | show them to me | let me see "
    "them | see them | give me the list | the list | show me the list | list these | show these | who are they | "
    "which are these | show me these | as a list"
)
REVERSING = phrases(
    "reverse | reverse order | reverse the order | in reverse | in reverse order | the other way round | the other "
    "way around | other way round | other way around | flip the order | reversed | reverse that | reverse it | in "
    "the opposite order | opposite order | the reverse order | reverse the sort | reverse the sorting"
)
SORTING_THOSE = phrases(
    "sort | sort by | sort them | sort it | sort that | sort those | sort them by | sort it by | sort that by | sort "
    "those by | order | order by | order them | order them by | order it by | order that by | order those by | rank "
    "by | rank them by | rank those by | sorted by | ordered by | sorted | ordered | by | arrange by | arrange them "
    "by | with the | put the | show the | list the | in order of | sort this by | sort these by"
)
WITHOUT_LIMIT = phrases(
    "all of them | show all | show me all | show all of them | show me all of them | list all | list all of them | "
    "all of those | no limit | without the limit | without limit | without a limit | the whole list | the full list "
    "| everything | show everything | show me everything | the complete list | drop the limit | forget the limit | "
    "remove the limit | not just the top"
)
WITHOUT_ORDER = phrases(
    "unsorted | drop the sorting | forget the sorting | remove the sorting | forget the order | drop the order | "
    "drop the sort | without sorting | never mind the order | ignore the order | in any order"
)
LIMITING = words("just only show the give me list first top limit to it them that those cut keep at most us just")
LIMITED = words("only results hits of them those these please items max ones rows result")
BELOW_TOO = words("include including and also with plus search as well in their its the all recursively too")
TAILS = {
    "narrow": phrases("only | alone | exclusively"),
    "replace": phrases("instead | rather | instead please"),
    "add": phrases("too | as well | also | in addition"),
}  # fmt: skip
CLOSING = words("please then again thanks thank you now though pls ok okay ? ! . , ; : though - … actually cheers")

SORTING_LEADS = phrases(
    "sort | sort them | sort it | sort that | sort those | sort these | order them | order it | order those | rank "
    "them | arrange them | put them | list them | show them | show those | list those | show me those | show me them"
)
"""Before an order that is told without `by`."""

# What words of no catalog mean as parts of what was asked for.
GENERIC_FIELDS = {
    "date": words("date dates time times year years month months day days period when week weeks timeframe range"),
    "person": words("person people who somebody someone"),
    "place": words("place where location places"),
    "number": words("number numbers amount price cost value"),
    "text": words("text word words phrase wording"),
}  # fmt: skip

# Pronouns. What stands before a verb of sorting or showing is told by its phrase, and is none here.
PERSON = words("he she him")
SEVERAL = words("them they those these")
WHOSE = {"its": "thing", "his": "person", "her": "person", "their": "any", "hers": "person"}
DEMONSTRATIVES = words("that this")
ONE = words("one")
ONES = words("ones")
RESULTS = words("results result list hits matches answers")
ORDINAL_NOUNS = words("one result hit item row entry match")
AFTER_THING = words("is was were are has have had does did do 's ? ! . , in on by at to")
"""What may stand behind `that` or `the second` when a thing is meant by it."""
NOT_AFTER = words("sort order rank group break split count show list arrange of filter narrow reverse")

# Topics.
RETURNING = phrases(
    "back to | go back to | return to | going back to | let 's go back to | lets go back to | again the | once more "
    "the | about those | again for the | as for | coming back to | get back to | take me back to | and back to | now "
    "back to | ok back to | i want to go back to | can we go back to | switch back to | show me again | show again | "
    "repeat | rerun | re - run | run again | run | redo | once more | show | show me"
)
RETURNING_SURELY = phrases(
    "back to | go back to | return to | going back to | let 's go back to | lets go back to | coming back to | get "
    "back to | take me back to | now back to | switch back to | can we go back to | i want to go back to"
)
SEARCHES = words("search searches question query questions queries list result results request one answer thing topic")
PREVIOUS = words("previous last earlier preceding prior before")
BACK = phrases(
    "back | go back | back please | undo | undo that | undo it | previous search | the previous search | never mind "
    "that | go back one | one step back | back one step | as before | like before"
)
EITHER_JOINTS = words(": , ; - and but . then")
