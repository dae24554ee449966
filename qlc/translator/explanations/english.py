"""How people ask about a query that was run: closed classes of English, nothing of a domain."""

from __future__ import annotations

from qlc.translator.rules.words.phrases import phrases, words

WHY = phrases("why | how come | for what reason | what ('s | is) the reason | whats the reason")
NOTHING = words("nothing none empty zero nobody noone 0 nil missing nowhere")
NO = words("no not n't any")
RESULTS = words(
    "result results hit hits match matches answer answers anything document entry rows row found find finding items "
    "item output data"
)
FEW = words("few little fewer less small short")
MANY = words("many much more long lots large big")
ONLY = words("only just solely exclusively merely not")
QUERIES = words("query queries search searches question program request filter statement")
FILTERS = words(
    "filter filters condition conditions criteria criterion restriction restrictions constraint constraints "
    "parameters parameter"
)
SHOWING = phrases(
    "[can you | could you | please] (show [me] | describe | explain [me]) | [let me | can i | could i] see | print | "
    "display | give me | what (is | 's | was | were) | whats | tell me | repeat | i want to see | say | in words"
)
EXPLAINING = phrases("[please | can you | could you] explain [to me] | describe | what does")
POINTING = words(
    "that this it those these your the my you last latest previous earlier answer result results query queries "
    "search searches question list just mean means meant was a in words plain english again to me please used ran "
    "run asked exact actual current underlying full program statement here there now out again of for did do "
    "language syntax written qlc"
)
"""Words of a request to explain that name nothing else: `what was your last query?`."""
DID = phrases(
    "what (did | have) you (search | searched | look | looked) [for | at] | what did you (do | ask | run | "
    "understand | query | count | just do | look up) | what did you (take that for | make of that) | how did you "
    "(find | get) (that | this | those | them | there) | how did you come to that | how did you (search | count | "
    "calculate | compute) [that | them] | what (were | are) you searching [for] | what exactly did you (search | "
    "look) for | what was searched | how (is | was) that computed | what did (this | "
    "that | it | the (query | request)) (search | look | ask) for | what does (that | "
    "this) mean | how (was | were) (this | these | those) found | how did you get (that | this) (number | result) | "
    "what query was (that | this) | what did (your | the | my) [last | previous | latest] (query | search | question) "
    "(do | search | look | ask | find) [for] | how (are | is | were | was) (it | that | this | they | those | these) "
    "(sorted | ordered | ranked | grouped) | what (is | 's) the query behind (that | this | it | those)"
)
FILTERED = phrases(
    "what did you filter (by | on | for) | how did you filter | what (is | are) (it | they | that) (filtered by | "
    "restricted to) | how (is | are) (that | those) filtered"
)
APPLIED = words(
    "use used using apply applied take took taken assume assumed mean meant pick picked choose chose chosen look "
    "looked filter filtered compare compared go went search searched check checked consider considered sort sorted "
    "order ordered group grouped active set"
)  # fmt: skip
ASKED_WHICH = words("which what")
CLOSING = words("? ! . , please then now though exactly just actually so ok okay hm hmm again here there")
WHY_IS = phrases(
    "(why | how come) (is | are | was | were | does | did | do | isn't | wasn't) [n't | not] [i | we] [see | find]"
    " | (why | how come) (can | could) [n't | not] i (see | find) | (why | how come)"
)
NOT = words("n't not isn't wasn't doesn't")
NOT_THERE = words("not n't missing absent excluded")
IN_THE_LIST = words(
    "in on there here the this that your my list lists result results listed shown included found among them those "
    "these part of it showing show shows appear appears come up displayed output answer one left out from"
)
THIS_ONE = words("this that it one the last document file thing")
"""Words for something that was shown just before: `that one`."""
TO_BLAME = words(
    "blame problem wrong removes remove removed kills excludes exclude everything nothing empty fault culprit"
)
TO_CHANGE = phrases(
    "what (can | could | should | would | do) i [have to | need to] (drop | change | leave out | relax | do)"
)
SOMETHING = words("something more any some")

# Questions that the filters answer which were used, as far as they are on what is spoken of.
USED_WHICH = phrases(
    "(did | does) (that | this | it) (cover | include | span | look at) | did you | do you mean | (is | was) (that | "
    "this | it) | (are | were) (those | these | they) | counts as | you (used | meant | took | picked | chose)"
)
"""After `which`, and the word for what was used."""
WHETHER = words("did do does is are was were have has")
WHAT_WAS_DONE = words("you that this it they those these")
INCLUDED = words("include included includes including cover covers count counted covered searched search look looked")
BELOW = words("below beneath underneath deeper inside levels level recursive recursively")
ASKING_WHAT = phrases("what (is | 's | are | was | were) | whats | what counts as | when (is | 's | was | does | did)")
UNITS = words(
    "range timeframe span day days date dates period week weeks month months year years quarter quarters today "
    "yesterday"
)
OF_A_PERIOD = UNITS | words(
    "last this next past previous current the that tomorrow time start starts begin begins end ends mean means exactly "
    "for you here now those these"
)
"""Words of a question that asks only for the days of a period: `when does last week start?`."""
NOTHING_AT_ALL = NOTHING | RESULTS | words("no there here at all really and")
"""`nothing?`, `no results?`: said of an empty answer, it asks why."""
WHETHER_ALL = phrases(
    "(is | are | was | were) (that | this | it | those | these | they) (all | everything | it | [the] whole list) "
    "[of (them | it | those)] | (is | are) there (nothing | none) [else | more] | (is | was) that it | (did | do) (you "
    "| i) (show | see | list | get) [me] (all | everything) [of them]"
)
TAKING_AWAY = words("clear drop remove forget reset delete ignore undo lift without change")
"""Verbs that change filters, so that the message asks for no explanation: `clear the filters`."""
