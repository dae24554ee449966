"""English words for reading on, for choosing, and for pasted requests. No word belongs to a domain."""

from __future__ import annotations

from qlc.translator.rules.words.phrases import phrases, words

# Reading on in a list that was shown.
READING_ON = phrases(
    "keep going | (go | carry) on | go ahead | continue | proceed | keep them coming | and (next | then) | what "
    "(else | 's next | is next) | whats next | any (others | other) | anything else | (are | is) there [any] "
    "(more | others) | [some | a few | any | even | a bit] more | [the] (next | following | others) | another "
    "page | onwards | further | [the] next one"
)
READING_BACK = phrases(
    "[the] (previous | preceding) | prev | [go | page] back [a page | one page] | one page back | the page before"
)
AFTER_THOSE = phrases(
    "after (that | this | it | those | these | them) | (that | which) (come | follow) [after (those | these | them)]"
)
"""After `the ones` or `the 20`: those that come next in the list."""
THE_REST = phrases(
    "[all] [the] rest | [all | the] remaining [ones] | the remainder | everything else | all [the] others | all "
    "of (them | those | it) | them all | every one of them"
)
ONE_MORE = words("another further additional extra")
PAGE_WORDS = words(
    "page pages batch result results hit hits item items entry entries row rows match matches line lines one ones"
)
PER_PAGE = phrases("per (page | batch) | [on] (a | each | every) page | to a page | [at] a time | at once | each time")
OF_A_LIST = words("of from in for on among")
THOSE = words("those these them that it this they")
LISTS = words("list results search query question answer answers")
GOING_BACK = phrases("[go | going] back to | return to | returning to | for | about | on | with | in")
GONE_BACK = words("back again earlier before previous return returning same")
"""Words that return to an earlier subject."""

GOING_TO = words("back skip jump turn move forward straight ahead over switch")
"""Before `page 4`, how it is gone to."""
SHOWING = words(
    "show give list see get display load fetch bring print view read tell open let have want need make it us me i "
    "we like would could can you to go do just only then now please and ok okay so up out more"
)

# What is to be done with a request that was pasted before.
FIX_IT = phrases(
    "[yes] (fix | mend | repair | correct) (it | that) [and run [it]] | (fix | mend) [and run [it]] | (fix | "
    "repair | correct) the (query | request)"
)
WITH_A_SIZE = phrases(
    "[but] [with] [a] (size | limit) [of] | [but] [show | give me | list] [only | just] [the] [first | top]"
)
"""Between `run it` and the number of hits that are wanted."""
RUN_IT = phrases("[just] (run | execute) (it | that | this) [anyway] | run [the query]")
EXPLAIN_IT = phrases(
    "(explain | translate) (it | that | this) [(into | to | in) [your | the | my | qlc | plain] [own | query] "
    "(language | words | english)] | (explain | translate) [the (query | request)] | what does (it | that | this | "
    "the (query | request)) (do | mean | ask for | look for | search [for]) | say it in words | in words | how do i "
    "say (it | that | this) in [your | the] [own | query] (language | words)"
)
ABOUT_IT = phrases(
    "why [(that | this | these | those)] | what did (you | it | that) (do | run | search [for] | look for | ask [for]) "
    "| (show | print | display | repeat) [me] (the | your | my) [last] (query | request) | (which | what) filters "
    "[(did you use | were used | are there | are active)] | what was (that | it)"
)
"""Questions about the last query. If it is a pasted request that no program expresses, they ask for its explanation."""

# Answering a question back.
NEVER_MIND = phrases(
    "never mind [that] | nevermind | nvm | forget [about] (it | that) | cancel [that] | (none | neither) [of "
    "(them | these | those)] | neither one | (skip | drop) (it | that) | skip | leave it | no (thanks | thank "
    "you) | something else | scrap that | stop | let it be | don 't bother | not important | (it does not | doesn "
    "'t) matter | start (over | again | anew | afresh) | reset | [a] new (search | topic | question)"
)
CLEARING = phrases("(clear | remove | drop | forget) (everything | [all] [the] filters | all [of it])")
"""Takes a search back where nothing more is said of it: `drop everything before 2024` leaves out some of it."""
ANOTHER_ONE = phrases(
    "[and | ok | no] (what | how) about | and [in | from | now] | [no | ok] [now] (try | use | take | do) | (i | no i "
    "| sorry i | actually i) (meant | mean) | actually | rather | [the] same (for | in | with | from) | now [for | in]"
)
"""Before another of the things that were asked about."""
THE_OTHER = words("other")
AROUND_ANOTHER = words("instead then please too rather now though")
INSTEAD = words("instead rather but just and so then")
EVERYTHING = words("all everything")
ALL_OF_THEM = phrases(
    "(all | both | each | every one) [of (them | these | those)] | all together | (them | these) all | everything "
    "| in (all | both) [of them] | the lot | any and all"
)
YES = words("yes yeah yep yup ok okay sure please right correct exactly it is that one of course")
"""Words that accept the only option."""
AROUND_ALL = words("please i want meant mean yes thanks just show me")
OF_A_CHOICE = words(
    "as the a an one ones option options choice number no nr # that this it is its was i i'm im am mean meant want "
    "wanted would like take use pick choose select go with for please pls thanks thank you in from of by at on "
    "under inside to within where whose which has have having called named me give show let 's s d and or only "
    "just probably maybe think guess yes yeah yep ok okay sure actually should be my "
    "hm hmm um uh er oh ah well"
)
"""Words around an answer that do not tell one option from another."""

PUZZLED = words("what huh sorry pardon which eh hm hmm err um excuse me")
"""Words of a message that has not understood the question."""

ASIDES = phrases(
    "(thanks | thank you | cheers | many thanks) [a lot | so much | very much] | ok | okay | alright | all right | "
    "sure | fine | great | cool | nice | perfect | yes | yeah | yep | well | so | oh | ah | aha | hm | hmm | um | uh | "
    "lol | hello | hi | hey | i see | got it | understood | good question | right | (wait | hold on | hang on) [a | "
    "one | just a] [second | sec | moment | minute | bit] | [just | give me] (a | one) (second | sec | moment | "
    "minute) | let me (think | see | check | look) | [i] (do n't | dont | do not) know [that | it] | dunno | [i (am | "
    "'m) | im] not sure | [i have] no idea | sorry | please"
)
"""Remarks beside a clarification that neither answer it nor ask for anything."""

WHY = phrases(
    "why | what for | how come | for what reason | what (is | 's) (that | this | it) for | what (is | 's) the (reason "
    "| point) | what do you (need | want) (that | this | it) for | (does | is) (it | that | this) (matter | necessary "
    "| needed | important | relevant) | (do | must) i [have to] (choose | answer | say | decide)"
)
ABOUT_ASKING = words(
    "why do you did would are were is does it that this the to me i us we ask asking asked want wanted need needed "
    "know have must should choose choosing pick select say tell answer decide matter matters important relevant "
    "necessary question questions which one ones so now all these them those there many for of about first again "
    "keep care at really even on earth"
)
"""After why, what speaks of the question itself and of nothing that is stored."""

NOT_THAT = words("not n't except excluding")
"""Words that exclude the named options, and mean the others."""

OF_RELATIONS = words(
    "owned owns own belongs belonging belong created made uploaded added written located lies lying stored dated "
    "owner creator path"
)
"""Between an answer's words: what it says of an option shows in the option itself."""

ASKS = words(
    "how what when why who whom where count many much do does did are is was were list find search compare sort "
    "average total sum"
)
"""First words of a new question; an answer does not begin with them."""
