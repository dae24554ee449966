"""How people ask about a query that was run: closed classes of English, nothing of a domain."""

from __future__ import annotations

from qlc.translator.rules.phrases import phrases, words

WHY = phrases("why | how come | for what reason | what 's the reason | what is the reason | whats the reason")
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
    "show | show me | see | let me see | print | display | give me | what is | what 's | whats | what was | what "
    "were | tell me | can i see | could i see | can you show me | could you show me | repeat | describe | explain | "
    "explain me | can you explain | could you explain | please explain | i want to see | say | in words"
)
EXPLAINING = phrases(
    "explain | please explain | can you explain | could you explain | explain to me | describe | what does"
)
POINTING = words(
    "that this it those these your the my you last latest previous earlier answer result results query queries "
    "search searches question list just mean means meant was a in words plain english again to me please used ran "
    "run asked exact actual current underlying full program statement here there now out again of for did do"
)
"""What a request to explain speaks of, and nothing else."""
DID = phrases(
    "what did you search | what did you search for | what did you look for | what did you look at | what did you do "
    "| what did you ask | what did you run | what did you understand | what did you take that for | what did you "
    "make of that | how did you find that | how did you find those | how did you find them | how did you get that | "
    "how did you get this | how did you get those | how did you get there | how did you come to that | how did you "
    "search | what have you searched for | what have you searched | what were you searching for | what did you query "
    "| what did you count | how did you count | how did you count that | how did you count them | what exactly did "
    "you search for | what exactly did you look for | what are you searching | what was searched | how was that "
    "computed | how is that computed | how did you calculate that | how did you compute that | what did you just do "
    "| what did that search for | what does that mean | what does this mean | how was this found | how were these "
    "found | how were those found"
)
FILTERED = phrases(
    "what did you filter by | what did you filter on | what did you filter for | how did you filter | what is it "
    "filtered by | what are they filtered by | how is that filtered | how are those filtered | what is that "
    "restricted to"
)
APPLIED = words(
    "use used using apply applied take took taken assume assumed mean meant pick picked choose chose chosen look "
    "looked filter filtered compare compared go went search searched check checked consider considered sort sorted "
    "order ordered group grouped active set"
)  # fmt: skip
ASKED_WHICH = words("which what")
CLOSING = words("? ! . , please then now though exactly just actually so ok okay hm hmm again here there")
