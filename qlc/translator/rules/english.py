"""The closed classes of English that the rules know: nothing here speaks of a domain."""

from __future__ import annotations

from qlc.translator.rules.phrases import phrases, words

# Words that carry no condition of their own. Everything else in a question has to be used by a rule.
ARTICLES = words("the a an all any every each some those these our your whatever of actual that this its their his her")
BEFORE_NAMES = ARTICLES | {"my"}
"""A name is the same whoever says that it is theirs; what else somebody calls their own depends on who asks."""
POLITE = words(
    "please pls plz thanks thank thx you hi hey hello ok okay so well just kindly now then also "
    "again actually maybe quickly um cheers asap there much everyone folks ta hmm yo"
)
SOFTENERS = words(
    "still currently already ever only really directly right immediately straight sitting "
    "stored located saved kept living lives live sits sit placed filed contained found lying lie "
    "resides present available existing listed residing specifically whatsoever please together "
    "respectively yet came come comes happened going put made done dated exist exists at "
    "altogether total overall left"
)

# What a question begins with: finite sequences, longest first; each is only a way to ask for a list.
ASKING = phrases(
    "good morning | good afternoon | could you | can you | would you | will you | can u | could u | would u | could "
    "i | can i | can we | may i | i want | i need | i  would like | i 'd like | id like | i would love | i am looking "
    "for | i 'm looking for | im  looking  for | we need | we want | looking for | trying to find | i "
    "am trying to find | i 'm  trying to find | help me | let me | do you have | do we have | do i have "
    "| have we got | have you  got | are there | is there | were there | was there | give me | get me | "
    "show me | show us | give  us | tell us | get us | find us | tell me | find me | list me | fetch "
    "me | bring me | pull up | bring up | look up | search for | look for | to see | to find | to have "
    "| to get | to know | to  view | to list | see | view | find | show | list | get | give | display | "
    "fetch | retrieve | search | pull | return | open | locate | bring | need | want | wanna | gimme | "
    "lookup | select | enumerate | present | name the | print out | i have | we have | what are | what is | what "
    "were | which are | which is | who are | what about | how about | out | was "
    "any | was | were any | is any | are any | has any | have any | tell me about | group"
)
RELATIVE_PRONOUNS = words("that which who whom")
COPULAS = words("is are was were be been being 's 're get got gets")
AUXILIARIES = words("has have had having do does did 've can could will would may might must should 'd 'll")
MODALS = words("can could will would may might must should 'd 'll")
HAVING = words(
    "has have had having with carry carries carrying bearing bear bears contain contains "
    "containing include includes including got holding hold holds show shows showing use uses "
    "using w featuring whose"
)
LACKING = words("without lacking lack lacks missing no sans")
NEGATIONS = words("not n't never 't no non")
CONTAINMENT = words("in inside within into at on from to of")
BELOW = words("under below beneath underneath throughout")
ANYWHERE = words("anywhere somewhere everywhere recursively deep deeply")
PREPOSITIONS = words(
    "in inside within from at on of for by with to via through as under using against towards into around w"
)
AND = words("and & plus but also yet")
OR = words("or nor")
EXCEPT = phrases(
    "except | except for | excluding | other than | but not | besides | apart from | aside from | and not "
    "| not counting | leaving out | minus | not including | ignoring"
)
OTHER = words("other another else remaining rest")
POSSESSIVES = words("'s '")
PRONOUNS = words("it them they him she he her one ones")

# Comparisons of a number or a date with a bound.
AT_LEAST = phrases(
    "at least | no less than | not less than | no fewer than | minimum | minimum of | a minimum of | min "
    "| from | > = | ≥ | not under | not below | starting at | starting from"
)
AT_MOST = phrases(
    "at most | no more than | not more than | up to | maximum | maximum of | a maximum of | max | < = | ≤ "
    "| not over | not above | not exceeding | no larger than | no greater than | no longer than"
)
MORE = phrases(
    "more than | over | above | greater than | higher than | exceeding | exceeds | exceed | > | in excess "
    "of | upwards of | beyond | larger than | bigger than | past | topping"
)
LESS = phrases("less than | under | below | fewer than | lower than | smaller than | < | beneath")
EXACTLY = phrases("exactly | equal to | equals | equal | of exactly | precisely | = | just")
OR_MORE = phrases(
    "or more | and up | and above | or over | or above | plus | + | or higher | or greater | or larger | "
    "and over | or longer | and more | or bigger | upwards"
)
OR_LESS = phrases(
    "or less | or fewer | or below | or under | and below | or lower | or smaller | and under | or shorter"
)

# Adjectives of degree: (dimension, direction). The dimension names a unit (qlc.grammar.units), "date", "money", or
# "number" for those that go with a named field only.
MORE_ADJECTIVES = {
    "bigger": "size", "larger": "size", "heavier": "weight", "newer": "date", "later": "date", "younger": "date",
    "longer": "time", "farther": "length", "further": "length", "higher": "number", "greater": "number",
    "slower": "time", "pricier": "money", "costlier": "money", "warmer": "temperature",
    "hotter": "temperature", "taller": "height", "deeper": "depth", "wider": "width",
}  # fmt: skip
LESS_ADJECTIVES = {
    "smaller": "size", "lighter": "weight", "tinier": "size", "older": "date", "earlier": "date", "shorter": "time",
    "nearer": "length", "closer": "length", "lower": "number", "fewer": "number", "quicker": "time", "faster": "time",
    "cheaper": "money", "colder": "temperature", "cooler": "temperature", "narrower": "width",
}  # fmt: skip
SUPERLATIVES = {
    "biggest": ("size", True), "largest": ("size", True), "heaviest": ("weight", True), "hugest": ("size", True),
    "smallest": ("size", False), "tiniest": ("size", False), "lightest": ("weight", False),
    "newest": ("date", True), "latest": ("date", True), "recent": ("date", True), "youngest": ("date", True),
    "oldest": ("date", False), "earliest": ("date", False),
    "longest": ("time", True), "slowest": ("time", True), "shortest": ("time", False), "quickest": ("time", False),
    "fastest": ("time", False), "farthest": ("length", True), "furthest": ("length", True),
    "nearest": ("length", False), "closest": ("length", False),
    "highest": ("number", True), "greatest": ("number", True), "top": ("number", True), "maximum": ("number", True),
    "max": ("number", True), "lowest": ("number", False), "least": ("number", False), "minimum": ("number", False),
    "min": ("number", False), "fewest": ("number", False), "most": ("number", True),
    "hottest": ("temperature", True), "warmest": ("temperature", True), "coldest": ("temperature", False),
    "coolest": ("temperature", False), "tallest": ("height", True), "deepest": ("depth", True),
    "widest": ("width", True), "narrowest": ("width", False),
    "priciest": ("money", True), "costliest": ("money", True), "cheapest": ("money", False),
}  # fmt: skip
MOST_ADJECTIVES = {"recent": "date", "recently": "date", "expensive": "money", "costly": "money", "valuable": "money"}
LIGHT_VERBS = words(
    "has have had with contains contain holds hold is are got on appears that gets get in occurs did do we were was "
    "saw carries carry pays pay offers offer sells sell makes make serves serve handles handle handled "
    "produces produce "
    "brings bring takes take uses use sees see generates generate shows show reports report"
)
"""What stands between a group and `the most`, and says no more than that it has it."""
SUMMED = words("revenue revenues sales turnover income proceeds takings earnings")
"""Amounts that are added up where no measure is named."""
NOUNS_OF_DEGREE = {
    "time": words("duration length time"), "size": words("size bytes"), "length": words("distance length"),
    "money": words("price cost fare fee money"), "weight": words("weight mass"), "age": words("age"),
    "temperature": words("temperature temp"), "height": words("height"), "depth": words("depth"),
    "width": words("width"),
}  # fmt: skip
"""The plain nouns of what adjectives of degree speak of."""
DEGREES = {
    "big": "size",
    "large": "size",
    "heavy": "weight",
    "long": "time",
    "old": "date",
    "far": "length",
    "recent": "date",
    "expensive": "money",
    "much": "money",
    "new": "date",
    "tall": "height",
    "hot": "temperature",
    "warm": "temperature",
    "cold": "temperature",
    "deep": "depth",
    "wide": "width",
}
ORDINALS = {
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
    "eighth": 8,
    "ninth": 9,
    "tenth": 10,
    "1st": 1,
    "2nd": 2,
    "3rd": 3,
    "4th": 4,
    "5th": 5,
    "last": -1,
}

END_MARKS = words("? ! . , ; : ) - – …")

# Sorting.
SORTING = phrases(
    "sorted by | sort by | ordered by | order by | in order of | by order of | ranked by | arranged by | "
    "sort them by | order them by | sorting by | sorted on | sort on | rank by | rank them by | sorted | "
    "in the order of"
)
DESCENDING = phrases(
    "descending | desc | in descending order | highest first | largest first | biggest first | most first "
    "| high to low | from high to low | z to a | reverse | decreasing | from highest to lowest | highest "
    "to lowest | largest to smallest | in reverse order | reversed | most expensive first | longest first "
    "| greatest first"
)
ASCENDING = phrases(
    "ascending | asc | in ascending order | lowest first | smallest first | least first | low to high | "
    "from low to high | a to z | increasing | from lowest to highest | lowest to highest | smallest to "
    "largest | cheapest first | shortest first | fewest first"
)
NEWEST_FIRST = phrases(
    "newest first | latest first | most recent first | recent first | newest to oldest | newest on top | "
    "newest at the top"
)
OLDEST_FIRST = phrases(
    "oldest first | earliest first | oldest to newest | chronologically | in chronological order | oldest at the top"
)
ALPHABETICALLY = phrases("alphabetically | in alphabetical order | alphabetical order")

# Aggregates.
COUNTING = phrases(
    "how many | number of | count of | count | total number of | tally of | the number of | the total "
    "number of | amount of | the amount of | count up | quantity of | total no . of | no . of | total no "
    "of | no of | nr of | # of | total count of"
)
GROUPING = phrases(
    "each | every | per | by | for each | grouped by | group by | broken down by | split by | in each | "
    "for every | by  each | for all | on each | according to | breakdown by | across | within each | at "
    "each | of each | from each | to each | grouping by | bucketed by | with each"
)
MEASURES = {
    ("total",): "sum", ("sum", "of"): "sum", ("sum",): "sum", ("combined",): "sum", ("overall",): "sum",
    ("total", "of"): "sum", ("summed",): "sum", ("cumulative",): "sum", ("aggregate",): "sum",
    ("average",): "avg", ("avg",): "avg", ("mean",): "avg", ("average", "of"): "avg", ("typical",): "median",
    ("median",): "median", ("median", "of"): "median",
    ("minimum",): "min", ("min",): "min", ("smallest",): "min", ("lowest",): "min", ("least",): "min",
    ("shortest",): "min", ("earliest",): "min", ("cheapest",): "min",
    ("maximum",): "max", ("max",): "max", ("largest",): "max", ("highest",): "max", ("biggest",): "max",
    ("longest",): "max", ("latest",): "max", ("greatest",): "max", ("top",): "max",
}  # fmt: skip
DISTINCT = phrases("different | distinct | unique")
CALENDAR = {"year": "year", "years": "year", "yearly": "year", "annually": "year", "annual": "year",
            "quarter": "quarter", "quarters": "quarter", "quarterly": "quarter", "month": "month", "months": "month",
            "monthly": "month", "week": "week", "weeks": "week", "weekly": "week", "day": "day", "days": "day",
            "daily": "day", "date": "day", "hour": "hour", "hourly": "hour", "weekday": "weekday",
            "weekdays": "weekday"}  # fmt: skip
CYCLIC = {
    ("day", "of", "the", "week"): "weekday",
    ("day", "of", "week"): "weekday",
    ("days", "of", "the", "week"): "weekday",
    ("hour", "of", "the", "day"): "hour_of_day",
    ("hour", "of", "day"): "hour_of_day",
    ("time", "of", "day"): "hour_of_day",
}

# Text.
NAMED = phrases(
    "named | called | titled | with the name | with name | by the name of | whose name is | by the name | "
    "entitled | known as | with the title | name | that goes by"
)
MENTIONING = phrases(
    "mention | mentions | mentioning | mentioned | say | says | saying | talk about | talks about | "
    "talking about | refer to | refers to | referring to | about | discuss | discusses | discussing | "
    "contain | contains | containing | include | includes | including | reading about | read about | with "
    "the words | with the phrase | with the word | with the text | containing the words | containing the "
    "phrase | containing the word | contain the words | contain the phrase | contain the word | contains "
    "the phrase | contains the word | contains the words | that read | with text | regarding | concerning "
    "| have the phrase | have the words | on the subject of | with the term | containing the term | "
    "containing text | matching | with | use the phrase | have the word | includes the phrase | include "
    "the phrase | including the phrase | mention the phrase | mentions the phrase | mentioning the phrase "
    "| dealing with | deal with | containing the text | where the text says"
)

NUMBERS = {"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
           "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
           "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
           "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "dozen": 12}  # fmt: skip
SCALES = {"hundred": 100, "thousand": 1000, "k": 1000, "grand": 1000, "million": 10**6, "m": 10**6, "mio": 10**6,
          "billion": 10**9, "bn": 10**9}  # fmt: skip
CURRENCY_MARKS = frozenset("$€£¥₹")

MONTHS = {"january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8,
          "september": 9, "october": 10, "november": 11, "december": 12, "jan": 1, "feb": 2, "mar": 3, "apr": 4,
          "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9, "oct": 10, "nov": 11, "dec": 12}  # fmt: skip
WEEKDAYS = {
    "monday": 0, "tuesday": 1, "wednesday": 2, "thursday": 3, "friday": 4, "saturday": 5, "sunday": 6,
            "mondays": 0, "tuesdays": 1, "wednesdays": 2, "thursdays": 3, "fridays": 4, "saturdays": 5, "sundays": 6,
            "mon": 0, "tue": 1, "tues": 1, "wed": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4, "sat": 5, "sun": 6,
}  # fmt: skip
WEEKDAY_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
CALENDAR_UNITS = {"minute": "minute", "hour": "hour", "day": "day", "week": "week", "month": "month",
                  "quarter": "quarter", "year": "year"}  # fmt: skip
THIS = frozenset(["this", "current", "the current"])
LAST = words("last previous past preceding prior")
NEXT = words("next coming upcoming following")

# Conversations: reading on in a list that was shown.
READING_ON = phrases(
    "keep going | go on | go ahead | carry on | continue | proceed | keep them coming | and next | and then | "
    "what else | what 's next | what is next | whats next | anything else | any others | any other | are there "
    "more | are there any more | is there more | is there any more | are there others | more | some more | a few "
    "more | any more | even more | a bit more | the next | next | the following | following | another page | the "
    "others | others | onwards | further"
)
READING_BACK = phrases(
    "previous | the previous | prev | preceding | the preceding | go back | back | page back | back a page | go "
    "back a page | go back one page | one page back | the page before"
)
THE_REST = phrases(
    "the rest | rest | all the rest | the remaining | remaining | the remaining ones | the remainder | everything "
    "else | all others | all the others | all of them | them all | all of those | all of it | all remaining | "
    "every one of them"
)
ONE_MORE = words("another further additional extra")
PAGE_WORDS = words(
    "page pages batch result results hit hits item items entry entries row rows match matches line lines one ones"
)
PER_PAGE = phrases(
    "per page | a page | each page | every page | on a page | to a page | on each page | at a time | at once | "
    "each time | per batch | a time"
)
OF_A_LIST = words("of from in for on among")
THOSE = words("those these them that it this they")
LISTS = words("list results search query question answer answers")
GOING_BACK = phrases("back to | go back to | going back to | return to | returning to | for | about | on | with | in")
GONE_BACK = words("back again earlier before previous return returning same")
"""What is said with these was said before."""

SHOWING = words(
    "show give list see get display load fetch bring print view read tell open let have want need make it us me i "
    "we like would could can you to go do just only then now please and ok okay so up out more"
)

# Conversations: what is to be done with a request that was pasted before.
MEND_IT = phrases(
    "fix and run | fix and run it | fix it and run it | fix it and run | fix it | fix that | fix | mend it | mend "
    "and run | mend and run it | repair it | correct it | correct it and run it | yes fix it | fix the query | "
    "fix the request"
)
RUN_IT = phrases("run it | run that | run this | run it anyway | just run it | execute it | run the query | run")
EXPLAIN_IT = phrases(
    "explain it | explain that | explain this | explain the query | explain the request | what does it do | what "
    "does that do | what does this do | what does it mean | explain | translate it | translate that | say it in "
    "words | in words"
)

# Conversations: answering a question back.
NEVER_MIND = phrases(
    "never mind that | never mind | nevermind | nvm | forget it | forget that | forget about it | forget about "
    "that | cancel that | cancel | none of them | none of these | none of those | none | neither | neither of "
    "them | neither one | skip it | skip that | skip | drop it | drop that | leave it | no thanks | no thank you "
    "| something else | scrap that | stop | let it be | don 't bother | not important | it does not matter | "
    "doesn 't matter"
)
INSTEAD = words("instead rather but just and so then")
ALL_OF_THEM = phrases(
    "all of them | all of these | all of those | all | all together | them all | these all | both of them | both "
    "of these | both | both of those | every one | every one of them | each of them | each | everything | in all "
    "of them | in both | in both of them | the lot | any and all"
)
AROUND_ALL = words("please i want meant mean yes thanks just show me")
OF_A_CHOICE = words(
    "as the a an one ones option options choice number no nr # that this it is its was i i'm im am mean meant want "
    "wanted would like take use pick choose select go with for please pls thanks thank you in from of by at on "
    "under inside to within where whose which has have having called named me give show let 's s d and or only "
    "just probably maybe think guess yes yeah yep ok okay sure actually should be my"
)
"""What surrounds an answer and says nothing of which option is meant."""

PUZZLED = words("what huh sorry pardon which eh hm hmm err um excuse me")
"""Who says no more than this has not understood the question."""

NOT_THAT = words("not n't except excluding")
"""What says that all but the named are meant."""

OF_RELATIONS = words(
    "owned owns own belongs belonging belong created made uploaded added written located lies lying stored dated "
    "owner creator path"
)
"""Between an answer's words: what it says of an option shows in the option itself."""

ASKS = words(
    "how what when why who whom where count many much do does did are is was were list find search compare sort "
    "average total sum"
)
"""What a new question begins with, and an answer does not."""

# For relations between two ends: what a preposition says about which of two fields is meant.
DIRECTION_CUES = {
    "to": ("to", "dest", "destination", "target", "arrival", "recipient", "receiver", "arriving", "end"),
    "into": ("to", "dest", "destination", "target", "arrival"),
    "out": ("from", "origin", "source", "departure", "start", "departing"),
    "from": ("from", "origin", "source", "departure", "sender", "start", "departing"),
    "for": ("for", "recipient", "beneficiary"),
    "via": ("via", "through", "channel"),
    "by": ("by",),
    "with": ("with",),
}  # fmt: skip

MOTION = {
    **dict.fromkeys(words("leaving leave leaves left departing departed departs depart"), "from"),
    **dict.fromkeys(words("originating originated coming came come comes starting start starts started"), "from"),
    **dict.fromkeys(words("arriving arrived arrives arrive landing landed reaching reached going go goes went"), "to"),
    **dict.fromkeys(words("heading headed bound destined travelling traveling ending end ends ended"), "to"),
}
"""Verbs of motion, and which end of the way stands behind them where no preposition says so."""

COMMON_WORDS = (
    ARTICLES | PREPOSITIONS | PRONOUNS | AND | OR | COPULAS | AUXILIARIES | words("us me no so ok hi if non my")
)
"""Words of the language that codes of two letters look like."""

SYNONYMS = {("out", "of"): ("from",), ("into",): ("to",), ("towards",): ("to",), ("toward",): ("to",)}
"""Prepositions that say what another one says."""

CURRENCIES = {
    "$": "USD", "dollar": "USD", "dollars": "USD", "usd": "USD", "bucks": "USD", "€": "EUR", "euro": "EUR",
    "euros": "EUR", "eur": "EUR", "£": "GBP", "pound": "GBP", "pounds": "GBP", "gbp": "GBP", "quid": "GBP",
    "¥": "JPY", "yen": "JPY", "jpy": "JPY", "₹": "INR", "rupee": "INR", "rupees": "INR", "inr": "INR",
    "franc": "CHF", "francs": "CHF", "chf": "CHF", "cad": "CAD", "aud": "AUD", "yuan": "CNY", "cny": "CNY",
}  # fmt: skip
"""Marks and words of an amount of money, with the ISO code of the currency."""
