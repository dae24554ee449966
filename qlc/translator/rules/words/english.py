"""The closed classes of English that the rules know: nothing here speaks of a domain."""

from __future__ import annotations

from qlc.grammar.tree import GroupFunction, MeasureFunction
from qlc.language import dates, numbers
from qlc.translator.rules.words.phrases import by_phrase, by_word, phrases, words

# Words that carry no condition of their own. Everything else in a question has to be used by a rule.
DEMONSTRATIVES = words("this that these those")
ARTICLES = words("the a an all any every each some those these our your whatever of actual that this its their his her")
BEFORE_NAMES = ARTICLES | {"my"}
"""A name is the same whoever says that it is theirs; what else somebody calls their own depends on who asks."""
POLITE = words(
    "please pls plz thanks thank thx you hi hey hello ok okay so well just kindly now then also "
    "again actually maybe quickly um cheers asap there much everyone folks ta hmm yo"
)
SOFTENERS = words(
    "still currently now already ever only really directly right immediately straight sitting stored located saved "
    "kept living lives live sits sit placed filed contained found lying lie resides present available existing "
    "listed residing specifically whatsoever please together respectively yet came come comes happened going put "
    "made done dated exist exists at altogether total overall left dropped tucked hidden hiding parked stashed "
    "gathered work works working loose loosely"
)
AT_PRESENT = words("now currently presently moment still")
KEPT = words(
    "filed stored saved kept placed put tucked hidden parked stashed gathered contained sitting residing listed"
)
"""Words for lying somewhere, which have no date of their own."""
TO_GROUP = words(
    "group split divide separate segment bucket break partition classify categorise categorize breakdown grouped "
    "splitting dividing separating grouping divided separated segmented bucketed partitioned categorised categorized"
)
"""Verbs for making groups."""

# What a question begins with: finite sequences, longest first; each is only a way to ask for a list.
ASKING = phrases(
    "good (morning | afternoon) | (could | can | would | will) (you | u) | (could | can | may) i | can we | i (want "
    "| need | would like | 'd like | would love | have) | id like | [i am | i 'm | im | we are | we 're] (looking "
    "for | trying to find | after) | we (need | want | have) | help me | let me | do (you | we | i) have | do you "
    "know | are you able to | any chance [that] (you | i | we) (can | could) | is there (a | any) way to | how (do | "
    "can | could) (i | we) (see | find | get | list | view) | have (we | you) got | (are | is | were | was) there | "
    "(give | show | tell | get | find) (me | us) | (list | fetch | bring | pull) me | (pull | bring | look) up | "
    "(search | look) for | to (see | find | have | get | know | view | list) | see | view | find | show | list | get "
    "| give | display | fetch | retrieve | search | pull | return | open | locate | bring | need | want | wanna | "
    "gimme | lookup | select | enumerate | present | name the | print out | (what | which) (are | is | 's) | what "
    "were | who are | (what | how) about | out | (was | were | is | are | has | have) any | was | tell me about | "
    "(send | forward | remind) (me | us) | (send | forward) over | explain | (work | figure) out | (run | do | make "
    "| start) a (search | query) for | (make | create | compile | prepare | generate | write | build | draw up | put "
    "together | send [me | us | over]) [me | us] (a | the) [full | complete | short] list of | (has | have | did) "
    "(anyone | anybody | someone | somebody) (made | make | created | create) (a | any) | i [am | 'm] (search | "
    "searching) [for] | check | whats | (do | did) you know | [do you] remember"
) + phrases(f"({' | '.join(sorted(TO_GROUP))}) [up | down | out]")
ASKING_WORDS = words("who what where when how which")  # before `'s` they ask, and are not the name of anything
RELATIVE_PRONOUNS = words("that which who whom")
COPULAS = words("is are was were be been being 's 're get got gets")
PREDICATING = words("is are was were has have had do does did")
"""Verbs that begin a predicate, or a question whose subject follows."""
MODALS = words("can could will would may might must should 'd 'll")
AUXILIARIES = MODALS | words("has have had having do does did 've")
HAVING = words(
    "has have had having with carry carries carrying bearing bear bears contain contains containing include includes "
    "including got holding hold holds show shows showing use uses using w featuring whose"
)
LACKING = words("without lacking lack lacks missing no sans")
DENYING = words("no n false none never unknown n/a forbidden prohibited banned disallowed excluded unavailable denied")
"""Values of a field that say there is none of it."""
NEGATIONS = words("not n't never 't no non")
CONTAINMENT = words("in inside within into at on from to of")
BELOW = words("under below beneath underneath throughout")
ANYWHERE = words("anywhere somewhere everywhere recursively deep deeply")
PREPOSITIONS = words(
    "in inside within from at on of for by with to via through as under using against towards into around w"
)
AND = words("and & plus but also yet although though")
OR = words("or nor")
EXCEPT = phrases(
    "except [for] | excluding | other than | but not | besides | (apart | aside) from | and not | not (counting | "
    "including) | leaving out | minus | ignoring"
)
VERSUS = words("vs versus")
OTHER = words("other another else remaining rest")
POSSESSIVES = words("'s '")
TITLES = words("dr mr mrs ms miss prof professor sir madam captain capt rev")
PRONOUNS = words("it them they him she he her one ones")

# Comparisons of a number or a date with a bound.
AT_LEAST = phrases(
    "at least | (no | not) less than | no fewer than | [a] minimum [of] | min | from | > = | ≥ | not (under | "
    "below) | starting (at | from)"
)
AT_MOST = phrases(
    "at most | (no | not) more than | up to | [a] maximum [of] | max | < = | ≤ | not (over | above | exceeding) | "
    "no (larger | greater | longer) than"
)
MORE = phrases(
    "(more | greater | higher | larger | bigger) than | over | above | exceeding | exceeds | exceed | > | in "
    "excess of | upwards of | beyond | past | topping"
)
LESS = phrases("less than | under | below | fewer than | lower than | smaller than | < | beneath")
EXACTLY = phrases("exactly | equal to | equals | equal | of exactly | precisely | = | just | only")
OR_MORE = phrases(
    "or (more | over | above | higher | greater | larger | longer | bigger) | and (up | above | over | more) | "
    "plus | + | upwards"
)
OR_LESS = phrases("or (less | fewer | below | under | lower | smaller | shorter) | and (below | under)")

# Adjectives of degree: (dimension, direction). The dimension names a unit (qlc.base.units), "date" (of those that
# speak of age "birth" and "making", which are other dates where there are such), "money",
# "taking" for the time that something takes, or "number" for those that go with a named field only.
MORE_ADJECTIVES = by_word({
    "size": "bigger larger", "weight": "heavier", "making": "newer", "date": "later", "birth": "younger",
    "time": "longer", "length": "farther further", "number": "higher greater", "speed": "faster quicker",
    "money": "pricier costlier", "temperature": "warmer hotter", "height": "taller", "depth": "deeper",
    "width": "wider",
})  # fmt: skip
LESS_ADJECTIVES = by_word({
    "size": "smaller tinier", "weight": "lighter", "birth": "older", "date": "earlier", "time": "shorter",
    "length": "nearer closer", "number": "lower fewer", "speed": "slower", "money": "cheaper",
    "temperature": "colder cooler", "width": "narrower",
})  # fmt: skip
SUPERLATIVES = by_word({
    ("size", True): "biggest largest hugest", ("size", False): "smallest tiniest", ("weight", True): "heaviest",
    ("weight", False): "lightest", ("making", True): "newest", ("date", True): "latest recent",
    ("date", False): "earliest", ("birth", True): "youngest", ("birth", False): "oldest", ("time", True): "longest",
    ("time", False): "shortest", ("speed", False): "slowest", ("speed", True): "quickest fastest",
    ("length", True): "farthest furthest", ("length", False): "nearest closest",
    ("number", True): "highest greatest top maximum max most", ("number", False): "lowest least minimum min fewest",
    ("temperature", True): "hottest warmest", ("temperature", False): "coldest coolest", ("height", True): "tallest",
    ("depth", True): "deepest", ("width", True): "widest", ("width", False): "narrowest",
    ("money", True): "dearest priciest costliest", ("money", False): "cheapest",
})  # fmt: skip
MOST_ADJECTIVES = {"recent": "date", "recently": "date", "expensive": "money", "costly": "money", "valuable": "worth"}
LIGHT_VERBS = words(
    "has have had made with contains contain holds hold is are got on appears that gets get in up occurs did do we "
    "were was saw carries carry pays pay offers offer sells sell makes make serves serve handles handle handled "
    "produces produce brings bring takes take uses use sees see generates generate shows show reports report sends "
    "send sent issues issue issued"
)
"""Verbs between a group and `the most` that add no meaning: `which carrier has the most flights`."""
SPENDING = words("pay pays paid paying spend spends spent spending cost costs earn earns earned owe owes owed")
"""Verbs whose most is an amount of money, and no number of times."""
OF_EACH = words("price fare rate wage salary")
"""Last words of amounts of one thing or person, which are compared rather than added up."""
SUMMED = words("revenue revenues sales turnover income proceeds takings earnings costs expenses spending expenditure")
"""Amounts that are added up where no measure is named."""
BESIDES = words(
    "fee fees tax taxes vat tip tips discount discounts deposit deposits shipping surcharge surcharges charge charges "
    "limit overdraft commission rebate penalty refund"
)
"""Amounts of money that come beside another one: they are not what something costs or comes to."""
NOUNS_OF_DEGREE = {
    "time": words("duration length time"), "size": words("size bytes capacity"),
    "length": words("distance length long far"), "speed": words("speed velocity pace knots mph"),
    "money": words("price cost fare fee money"),
    "worth": words("value valued worth valuation"), "weight": words("weight mass"), "age": words("age"),
    "temperature": words("temperature temp"), "height": words("height tall altitude"),
    "depth": words("depth deep draft draught"), "width": words("width wide breadth"),
}  # fmt: skip
"""The plain nouns of what adjectives of degree speak of."""
OF_DATES = frozenset(["date", "birth", "making"])  # the dimensions that are dates
DURATIONS = words("duration length long lasts lasted lasting took")
OF_A_DURATION = words(
    "flight travel travelling traveling transit journey trip running run playing total elapsed processing response "
    "reading execution cooking preparation driving"
)
"""Words before `time` that make it a duration: `flight time`."""
RANKS = words("rank ranking ranked ranks position place placing standing seed grade priority tier")
"""Words for numbers whose highest rank may be the smallest."""
DEGREES = by_word({
    "size": "big large", "weight": "heavy", "time": "long", "birth": "old", "length": "far", "date": "recent",
    "money": "expensive much", "making": "new", "height": "tall high", "temperature": "hot warm cold",
    "depth": "deep", "width": "wide", "speed": "fast",
})  # fmt: skip
ORDINALS = {**numbers.ORDINALS, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "5th": 5, "last": -1}
END_MARKS = words("? ! . , ; : ) - – …")

# Sorting.
SORTING = phrases(
    "(sorted | sort | sorting | ordered | order | ranked | rank | arranged) by | (in | by | in the) order of | "
    "(sort | order | rank) them by | (sorted | sort) on | sorted"
)
DESCENDING = phrases(
    "[in] (descending | decreasing | reverse) [order] | desc | (highest | largest | biggest | most | longest | "
    "greatest | most expensive | most common | most frequent) [ones] first | [from] high to low | z to a | [from] "
    "(highest to lowest | largest to smallest) | reversed"
)
ASCENDING = phrases(
    "[in] (ascending | increasing) [order] | asc | (lowest | smallest | least | cheapest | shortest | fewest | least "
    "common | rarest) [ones] first | [from] low to high | a to z | [from] (lowest to highest | smallest to largest)"
)
NEWEST_FIRST = phrases("([most] recent | newest | latest) [ones] first | newest to oldest | newest (on | at the) top")
OLDEST_FIRST = phrases(
    "(oldest | earliest) [ones] first | oldest to newest | chronologically | in chronological order | oldest at the top"
)
ALPHABETICALLY = phrases("alphabetically | in alphabetical order | alphabetical order")

# Aggregates.
COUNTING = phrases(
    "how many | [the] [total] (number | amount | count | tally | quantity) of | count [up] | [total] (no . | no | "
    "nr | #) of"
)
GROUPING = phrases(
    "[for | in | on | within | at | of | from | to | with | by] each | [for] every | per | by | for all | "
    f"according to | across | (down | up | broken down | (split | {' | '.join(sorted(TO_GROUP))}) [up | out | down]) "
    "(by | into | per | according to)"
)
MEASURES: dict[tuple[str, ...], MeasureFunction] = by_phrase({
    "sum": "total | sum of | sum | combined | overall | sum up | add up | total of | summed | cumulative | aggregate",
    "avg": "average | avg | mean | average of", "median": "typical | median | median of",
    "min": "minimum | min | smallest | lowest | least | shortest | earliest | cheapest",
    "max": "maximum | max | largest | highest | biggest | longest | latest | greatest | top",
})  # fmt: skip
DISTINCT = phrases("different | distinct | unique")
CALENDAR: dict[str, GroupFunction] = by_word({
    "year": "year years yearly annually annual", "quarter": "quarter quarters quarterly",
    "month": "month months monthly", "week": "week weeks weekly", "day": "day days daily date",
    "hour": "hour hourly", "weekday": "weekday weekdays",
})  # fmt: skip
CYCLIC: dict[tuple[str, ...], GroupFunction] = by_phrase({
    "weekday": "day of the week | day of week | days of the week",
    "hour_of_day": "hour of the day | hour of day | time of day",
    "day_of_month": "day of the month | day of month", "month_of_year": "month of the year | month of year",
})  # fmt: skip

# Text.
NAMED = phrases(
    "named | called | titled | entitled | known as | with [the] (name | title) | by the name [of] | whose name is "
    "| name | [that | which] (goes | go | going) by [the name [of]]"
)
MENTIONING = phrases(
    "(mention | mentions | mentioning) [the (phrase | word | words)] | mentioned | say | says | saying | (talk | "
    "talks | talking) about | (refer | refers | referring) to | about | discuss | discusses | discussing | "
    "(contain | contains | containing | include | includes | including) [the (phrase | word | words | text | "
    "term)] | (have | use) the (phrase | word | words) | (reading | read) about | with [the (words | phrase | "
    "word | text | term)] | that read | (with | containing) text | regarding | concerning | on the subject of | "
    "matching | (dealing | deal) with | where the text says"
)
NUMBERS = {**numbers.CARDINALS, "dozen": 12}
SCALES = numbers.SCALES
CURRENCY_MARKS = frozenset("$€£¥₹")
MONTHS = dates.MONTHS["en"]
WEEKDAYS = dates.WEEKDAYS | {f"{day}s": at for day, at in dates.WEEKDAYS.items() if day.endswith("day")}
WEEKDAY_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
CALENDAR_UNITS = {"minute": "minute", "hour": "hour", "day": "day", "week": "week", "month": "month",
                  "quarter": "quarter", "year": "year"}  # fmt: skip
THIS = frozenset(["this", "current", "the current"])
LAST = words("last previous past preceding prior")
NEXT = words("next coming upcoming following")

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
PHRASAL = {
    ("took", "off"): "departed", ("take", "off"): "depart", ("takes", "off"): "departs", ("taking", "off"): "departing",
    ("no", "longer"): "not", ("not", "anymore"): "not",
    ("compared", "to"): "versus", ("compared", "with"): "versus",
    ("set", "off"): "departed", ("set", "out"): "departed", ("touched", "down"): "landed", ("touch", "down"): "land",
}  # fmt: skip
"""Verbs of two words, and the one that says the same."""
LASTLY = {("run", "out"): "end", ("runs", "out"): "ends", ("ran", "out"): "ended", ("running", "out"): "ending"}
"""The same, where the catalog has no other verb for the deed."""
MOTION = {
    **dict.fromkeys(words("leaving leave leaves left departing departed departs depart"), "from"),
    **dict.fromkeys(words("originating originated coming came come comes starting start starts started"), "from"),
    **dict.fromkeys(words("arriving arrived arrives arrive landing landed reaching reached going go goes went"), "to"),
    **dict.fromkeys(words("heading headed bound destined travelling traveling ending end ends ended"), "to"),
}
"""Verbs of motion, and which end of the way comes after them where no preposition says so."""
KINDS = words("kind type role category class sort position occupation profession")
AHEAD = words("scheduled planned expected booked estimated promised arranged intended reserved rented paid needed")
"""Participles of what may lie ahead."""
PLACES = words("country city town state province region area district zone continent place location county land")
PARTICLES = words("out off in up down away over back")  # second words of verbs: `run out`, `called off`
COMMON_WORDS = (
    ARTICLES | PREPOSITIONS | PRONOUNS | AND | OR | COPULAS | AUXILIARIES
    | words("us me no so ok hi if non my whole entire")
)
"""Words of the language that codes of two letters look like."""
SYNONYMS = {("out", "of"): ("from",), ("into",): ("to",), ("towards",): ("to",), ("toward",): ("to",)}
"""Prepositions that say what another one says."""
VERBS_OF_AMOUNTS = {"earn": words("wage salary income earnings compensation")}
"""Verbs for what somebody gets, and the nouns of fields that say how much."""
UNITS_IN_WORDS = by_phrase({
    "km/h": "kilometers per hour | kilometres per hour | km per hour | km an hour",
    "mph": "miles per hour | miles an hour", "m/s": "meters per second | metres per second",
    "nmi": "nautical miles | nautical mile", "m2": "square meters | square metres | sq m",
    "sqft": "square feet | sq ft", "km2": "square kilometers | square kilometres | square km",
    "m3": "cubic meters | cubic metres", "t": "metric tons", "kWh": "kilowatt hours",
})  # fmt: skip
CURRENCIES = by_word({
    "USD": "$ dollar dollars usd bucks", "EUR": "€ euro euros eur", "GBP": "£ pound pounds gbp quid",
    "JPY": "¥ yen jpy", "INR": "₹ rupee rupees inr", "CHF": "franc francs chf", "CAD": "cad", "AUD": "aud",
    "CNY": "yuan cny",
})  # fmt: skip
CURRENCIES |= {f"k{code.lower()}": code for code in CURRENCIES.values()}
"""Marks and words of an amount of money, with the ISO code of the currency; `kEUR` are thousands of them."""
HUNDREDTHS = words("cent cents pence")  # last words of fields whose amounts are in the smallest coins: `price_cents`
