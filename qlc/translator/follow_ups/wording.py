"""Ways to say a follow-up that come to the same as a plainer one, in whose words it is read.

Closed English alone: verbs in two parts (`take the year away`), what is said beside a request (`fine.`), what keeps
something as it is (`same order`). What is in quotes is left as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import walked
from qlc.translator.follow_ups import english
from qlc.translator.follow_ups.editing import slot_of
from qlc.translator.follow_ups.history import Base, is_answered
from qlc.translator.programs import conditions_of, statement_of
from qlc.translator.protocol import CannotSay, Question, Step, Translated, Translating, Translation, Turn
from qlc.translator.rules.build import parts
from qlc.translator.rules.words import english as plain
from qlc.translator.rules.words.morphology import stem, stems
from qlc.translator.rules.words.tokens import TokenKind, name_key, tokenize

_LEADING = r"(?P<lead>(?:(?:please|now|and|ok|okay|then|so|well|but|could you|can you|would you|hmm?)[\s,]+)*)"
_END = r"(?:[\s,]+(?:please|then|now|again|too|instead))*[\s.!?]*"
_ASIDES = (
    r"(?:fine|all ?right|right|cool|nice|great|perfect|sure|good|very good|got it|i see|understood|thanks|thank you|"
    r"thx|cheers|ok|okay|yes|yeah|yep|aha|oh|ah|wow|interesting|hm+|no (?:problem|worries)|fair enough|whatever|"
    r"in words)"
)
_ASIDE = re.compile(rf"{_ASIDES}(?:[\s,]+{_ASIDES})*(?:\s+(?:then|so))?\s*[.!,;:–—-]+\s+(?=\S)", re.IGNORECASE)

_BESIDE = re.compile(
    r"(?:(?:and|oh|ok|okay|so|hm+)[\s,]+)*(?:by the way|btw|incidentally|out of curiosity|just (?:out of curiosity|"
    r"wondering|curious)|(?:one|just one) more (?:thing|question)|another (?:thing|question)|(?:a )?quick question|"
    r"before (?:that|i forget)|while (?:you're|you are|we're|we are|i'm|i am) (?:at it|on it))\s*[,;:.–—-]*\s+(?=\w)",
    re.IGNORECASE,
)
"""What is said in front of a question that has little to do with those before it."""


def plainly(text: str, last: Turn, base: Base | None, of_one: bool) -> str:
    """A follow-up in plainer words; the text itself where it needs none. `of_one`: one thing was spoken of last."""
    while (aside := _ASIDE.match(text)) is not None:
        text = text[aside.end() :]
    text = _BESIDE.sub("", text, count=1) if _BESIDE.match(text) else text
    agreed = _agreed(text, last)
    if agreed is not None:
        return agreed
    if any(mark in text for mark in '"“”') or (base is None and not is_answered(last)):
        return text
    one_number = last.outcome.get("kind") in ("count", "value")
    for pattern, plainer in (*_SIMPLY, *(_LIKE_IT if of_one else ()), *(_LAST_ANSWER if one_number else ())):
        text = pattern.sub(plainer, text)
    for pattern, say in _SAID:
        found = pattern.fullmatch(text.strip())
        if found is None:
            continue
        said = found.expand(say) if isinstance(say, str) else say(found, base)
        if said is not None:
            return f"{found['lead']}{said}"
    return text


def in_own_words(said: Translation, text: str) -> Translation:
    """What was not understood, without words that only the plainer text has."""
    if not isinstance(said, CannotSay) or not said.words:
        return said
    return replace(said, words=tuple(word for word in said.words if word.casefold() in text.casefold()))


# --- what was offered ------------------------------------------------------------------------------------------------

_AGREEING = re.compile(
    r"(?:(?:yes|yeah|yep|ok|okay|sure|well|then)[\s,]+)*(?:please do(?: (?:so|that|it))?|do (?:so|that|it)|yes|yep|"
    r"yeah|sure|please)(?:[\s,]+(?:please|then|now))*[\s.!]*",
    re.IGNORECASE,
)


def _agreed(text: str, last: Turn) -> str | None:
    """`please do`, after an explanation that offers a change: what it says to say."""
    offered = last.outcome.get("suggestions") if last.outcome.get("kind") == "explain" else None
    if not offered or len(offered) != 1 or _AGREEING.fullmatch(text.strip()) is None:
        return None
    return str(offered[0])


# --- in other words --------------------------------------------------------------------------------------------------


def _compiled(*pairs: tuple[str, str]) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern, re.IGNORECASE), plainer) for pattern, plainer in pairs)


_SAME_ORDER = (
    r"(?<=\w)[\s,;]+(?:(?:and|but) )?(?:(?:in|with|keep|keeping) )?(?:the )?same (?:order|sorting|sort order)"
    r"(?: as before)?(?=[\s.!?]*$)"
)
_LAST_ANSWER = _compiled(
    (r"\b(?:that|this) last (?:one|answer|result|question|number|count|figure|total)\b", "that"),
)  # fmt: skip
"""What is the last one where there is no list: the last answer."""
_JUST_A_QUESTION = (
    r"^((?:(?:ok|so|and|then|no|please)[\s,]+)*)just ((?:tell|show|give|list|count|find|get|let)\b(?: me(?: know)?)? "
    r"(?:how many|how much|who|which|what|when|where)\b(?=\s+\w))"
)
_WHAT_LIES_BELOW = (
    r"\b(?:what(?:ever|'s| is)?(?: is)?|everything|anything) (?:that is |that's )?(?:in|inside|under) "
    r"(?=(?:the |its |their |all )?(?:the )?sub)"
)
_LOOK_BELOW = (
    r"^((?:(?:and|now|then|ok|please|also)[\s,]+)*)(?:look|search|check) (?:in|inside|into|through) "
    r"(?=(?:the |its |all )?sub)"
)
_SHOWS_UP = r"\b(which [\w ]+?) (?:shows? up|appears?|occurs?|comes? up|is seen) (?:the )?most(?: often)?\b"
_BY_ORDER = r"^((?:(?:and|now|then|ok|no)[\s,]+)*)by ([a-z ]+?),? (?=(?!most|fewest|least|highest|lowest)\w+ first\b)"
_HOW_MANY_THERE = r"\bhow many (are|is|were) (?!in\b|left\b|out\b|now\b)(\w+) (?:in )?there\b"
_PUT_IN_ORDER = (
    r"^((?:(?:and|now|then|ok|please|also|can you|could you)[\s,]+)*)(?:put|get|bring) (?:them|those|these|it|that)"
    r"(?: all)? in(?:to)? (?:the )?order (?:of|by) (?:their |the )?"
)
_SIMPLY = _compiled(
    (_LOOK_BELOW, r"\1include "),
    (_HOW_MANY_THERE, r"how many of them \1 \2"),
    (_SHOWS_UP, r"\1 is the most common"),
    (r"^((?:(?:ok|please|now|just)[\s,]+)*)(?:take me|bring me|go|get|jump) to (?=its\b)", r"\1what is "),
    (r"^(?:(?:oh|ah|hmm?|er|um|uh|mm)[\s,]+)+(?=\w)", ""),
    (r"(?<=\w, )soonest\b", "earliest"),  # alone it does not say which date is meant
    (r"\b(\w+est) (?:on top|at the top)\b", r"\1 first"),
    (r"\bhow much is (it|that|this) for\b", r"how much is \1"),
    (_BY_ORDER, r"\1sort by \2, "),
    (r"^(.*\w) (instead|rather),? (\w+ first)(?=[\s.!?]*$)", r"\1, \3 \2"),
    (_PUT_IN_ORDER, r"\1sort them by "),
    (_WHAT_LIES_BELOW, ""),
    (_SAME_ORDER, ""),
    (r"(?<=\w)\s+at all(?=[\s.!?]*$)", ""),
    (_JUST_A_QUESTION, r"\1\2"),
)
"""What comes to the same, and what stays as it is and needs no saying."""

_THE_SAME = r" (?:the |exactly the )?same (?!one\b|thing\b)((?:(?!\bas\b)[\w ])+?)(?=[\s.!?]*$)"
_LIKE_IT = _compiled(
    (r"\b(in|by|from)" + _THE_SAME, r"\1 the same \2 as it"),
    (r"\b(?:with|under|at|for|of|on|has|have|having)" + _THE_SAME, r"with the same \1 as it"),
)
"""`others with the same vendor`, after one thing: as that one."""

_Say = str | Callable[[re.Match[str], Base | None], str | None]
"""What is said in plainer words, or what makes them; None where they are to be left as they are."""


def _such_ones(found: re.Match[str], base: Base | None) -> str | None:
    """`drop the drafts`, after a list that asks for none: all but these."""
    what = found["what"]
    condition = what.split()[-1].casefold() in english.FILTERS.union(*english.GENERIC_FIELDS.values())
    return None if base is None or condition or is_asked_for(what, base) else f"leave out the {what}"


def _of_the_person(found: re.Match[str], base: Base | None) -> str | None:
    """`list hers`, after how many she has: those."""
    return "list them" if base is not None and isinstance(base.statement, tree.Aggregate) else None


def _taken_out(found: re.Match[str], base: Base | None) -> str | None:
    """`take the year away`, `leave the drafts out`: a condition goes, or those that meet one."""
    what = found["what"]
    nouns = english.FILTERS.union(*english.GENERIC_FIELDS.values())
    is_a_condition = what.split()[-1].casefold() in nouns or (base is not None and is_asked_for(what, base))
    goes = is_a_condition or (found["way"].casefold() in ("away", "off") and not what.endswith("s"))
    return f"drop {what}" if goes else f"leave out {what}"


def _other_bound(found: re.Match[str], base: Base | None) -> str | None:
    """`raise that to 7000`, `lower the amount to 200`."""
    return f"change {found['what']} to {found['to']}" if found["what"] else f"make it {found['to']}"


def _how_many(found: re.Match[str], base: Base | None) -> str | None:
    """`how many does that leave?`, `how many does it match in total?`"""
    return "how many are there in total" if found["whole"] else "how many are there"


def _any_of_those(found: re.Match[str], base: Base | None) -> str | None:
    """`anything overdue among them?`, `any overdue ones?`"""
    return f"are any of them {found['rest']}" if base is not None and (found["ones"] or found["those"]) else None


def _in_groups(found: re.Match[str], base: Base | None) -> str | None:
    """`break the receipts down by vendor`: those that were asked for, or all of them."""
    what = found["what"]
    if base is None:
        return f"{what} by {found['by']}"
    things = {stem(word) for word in (base.entity.name, base.entity.plural, *base.entity.words)}
    own = stem(what.casefold().removeprefix("the ")) in things or is_asked_for(what, base)
    return f"break them down by {found['by']}" if own else f"{what} by {found['by']}"


_DELETE = rf"(?:delete|erase|kill) (?P<what>(?:the |that |this )[\w' -]+? (?:{'|'.join(sorted(english.CONDITIONS))}))"
_DROP_SUCH = r"(?:drop|lose|ditch|hide|discard) (?:all |any )?(?:the |those )(?P<what>[\w' -]+s)"
_HERS = r"(?:show|list|give)(?: me)? (?:hers|his|theirs)"
_TAKE = r"(?:take|strip|cross) (?P<what>(?:the |that |this |all )?[\w' -]+?) (?P<way>away|off|out)"
_LEAVE = r"(?:leave|filter|throw|kick|cut|keep|drop) (?P<what>(?:the |that |this |all )?[\w' -]+?) (?P<way>out|aside)"
_DROP = (
    r"(?:drop|skip|hide|ignore|exclude|omit|lose|forget|cut|discard|disregard|leave out|filter out|take out|throw out)"
)
_ALL_SUCH = (
    _DROP + r" (?:everything|anything|all(?: of)? (?:the |those |that)(?:ones )?|what(?:ever)?(?: is|'s)|"
    r"all(?=\s+\w+ing\b|\s+(?:from|before|after|over|under|above|below|older|newer|with|without|that|in|by|of)\b))"
    r"(?! (?:but|except|else|and|then|i|you)\b)(?: (?:that|which)(?: is|'s| are))? ?(?:(?:are|is) )?(?P<rest>\w.*?)"
)
_ONLY_SUCH = (
    r"(?:" + _DROP + r"|remove|clear) (?:everything|all|anything)(?: else)? "
    r"(?:but|except(?: for)?|apart from|other than) (?P<rest>\w.*?)"
)
_RAISE = (
    r"(?:raise|lower|increase|decrease|reduce|bring|push|bump|set) "
    r"(?:it|that|this|(?P<what>the [\w ]+?))(?: up| down| back)? to (?P<to>[$€£]?\d.*?)"
)
_HOW_MANY_IN_IT = (
    r"how many(?: (?:results|hits|matches|of them))? (?:do|does|did|would|will) (?:it|that|this|the query|the "
    r"request) (?:leave|make|match|find|return|give|hit|come to)(?: (?:us|me))?"
    r"(?P<whole> in (?:total|all)| altogether| overall)?"
)
_ANY_OF_THOSE = (
    r"(?:(?:is|are) )?(?:there )?any(?:thing|one|body)? (?P<rest>[\w' -]+?)(?P<ones> ones?)?"
    r"(?P<those> (?:(?:among|amongst|of|in|within|from) (?:them|those|these)|in (?:there|here|it|that)))?"
)
_BREAK = r"(?:break|split|divide|group)(?: up| down)? (?P<what>the [\w' -]+?)(?: down| up)? by (?P<by>.+?)"
_SAID: tuple[tuple[re.Pattern[str], _Say], ...] = tuple(
    (re.compile(_LEADING + pattern + _END, re.IGNORECASE), say)
    for pattern, say in (
        (_DELETE, r"drop \g<what>"), (_DROP_SUCH, _such_ones), (_HERS, _of_the_person),
        (_TAKE, _taken_out), (_LEAVE, _taken_out),
        (_ALL_SUCH, r"leave out the ones \g<rest>"), (_ONLY_SUCH, r"only \g<rest>"),
        (_RAISE, _other_bound), (_HOW_MANY_IN_IT, _how_many), (_ANY_OF_THOSE, _any_of_those), (_BREAK, _in_groups),
    )
)  # fmt: skip


# --- two steps in one message ---------------------------------------------------------------------------------------

_DROPPING = r"(?:drop|forget|ignore|disregard|remove|clear|lift|lose|skip|undo|get rid of|take (?:off|away)|leave out)"
_EDIT_AND_REQUEST = re.compile(
    r"(?P<edit>(?:(?:please|now|ok|okay|and|so|no|then|well|actually)[\s,]+)*"
    rf"{_DROPPING}(?: about)? (?!that\b|it\b|this\b|everything\b|all\b)[^,;.?!:]+?)"
    r"(?:\s*[,;.:–—-]\s+(?:and |then |and then |but |instead )?|\s+(?:and|then|and then|but) )"
    r"(?P<request>(?:please |just |only |now |instead )*(?:show|list|give|find|get|display|count|tell|let me see|how "
    r"(?:many|much)|which|what|who|where|when|i (?:want|need))\b.*\w.*)",
    re.IGNORECASE | re.DOTALL,
)


def edit_and_request(text: str) -> tuple[str, str] | None:
    """The two parts of such a message. None for others."""
    found = _EDIT_AND_REQUEST.fullmatch(text.strip())
    if found is None or any(mark in found["edit"] for mark in '"“”'):
        return None
    return found["edit"], found["request"]


_TWO_EDITS = re.compile(
    rf"(?P<lead>(?:(?:please|now|ok|okay|and|so|no|then|well|actually)[\s,]+)*{_DROPPING}(?: about)?) "
    r"(?P<one>(?:the|that|both the) [\w' -]+?)(?:,? and|,| as well as)(?: also)? (?P<other>the [\w' -]+?)[\s.!]*",
    re.IGNORECASE,
)


def two_edits(text: str) -> tuple[str, str] | None:
    """`drop the date and the risk`: one after the other."""
    found = _TWO_EDITS.fullmatch(text.strip())
    if found is None:
        return None
    one = re.sub(r"^both ", "", found["one"], flags=re.IGNORECASE)
    return f"{found['lead']} {one}", f"{found['lead']} {found['other']}"


# --- another word for what was not understood ------------------------------------------------------------------------

def retold(text: str, last: Turn) -> str | None:
    """The last question with what is said now in the place of what was unknown in it; None where that is not clear."""
    unknown = _unknown(last)
    said = _correction(text)
    if said is None and text.strip(" ?.!").casefold() in map(str.casefold, _offered(last)):
        said = text.strip(" ?.!")  # one of the names that were offered
    if not unknown or not said:
        return None
    words = r"\W+".join(re.escape(word) for word in unknown)
    found = list(re.finditer(rf"(?<!\w)[\"']?{words}[\"']?(?!\w)", last.text, re.IGNORECASE))
    if len(found) != 1:
        return None
    return last.text[: found[0].start()] + said + last.text[found[0].end() :]


_GOING_ON = re.compile(r"(?:(?:and|now|so|then|ok|okay|but)[\s,]+)+(?=\w)", re.IGNORECASE)
_THEN = re.compile(r"[\s,]+then(?=\s*(?:[?.!,]|$))", re.IGNORECASE)


def by_itself(text: str) -> str:
    """A question that comes after another one, as if it were the first: `and now list documents without tags then`."""
    return _THEN.sub("", text[found.end() :] if (found := _GOING_ON.match(text)) is not None else text)


def exchanged(text: str, base: Base | None) -> str | None:
    """What is asked for in the place of what was: `Initech instead of Globex`, `swap Globex for Initech`, `change the
    vendor to Initech`. None where the search before has nothing of the kind."""
    if base is None:
        return None
    said = text.strip(" .!?")
    for pattern in _EXCHANGES:
        found = pattern.fullmatch(said)
        if found is not None and is_asked_for(found["old"], base):
            return found["new"]
    return None


_EXCHANGES = tuple(
    re.compile(rf"(?:(?:please|now|and|ok|then|can you|could you|no)[\s,]+)*{pattern}", re.IGNORECASE)
    for pattern in (
        r"(?:use |take |show (?:me )?)?(?P<new>.+?) (?:instead|in place|rather than) (?:of )?(?P<old>.+)",
        r"(?:swap|exchange|replace|switch) (?P<old>.+?) (?:for|by|with|to) (?P<new>.+)",
        r"change (?P<old>.+?) (?:to|into) (?P<new>.+)",
    )
)


_POLITELY = r"(?:(?:please|now|and|ok|then|can you|could you|no|sorry|oops|wait|actually)[\s,]+)*"
_TAKEN_FOR = re.compile(
    rf"{_POLITELY}(?:remove|drop|clear|lift|lose|delete|forget(?: about)?|ignore|disregard|undo|take (?:off|away)|"
    rf"get rid of) (?:the |that |this )?(?P<old>.+?)(?P<noun>(?: (?:{'|'.join(sorted(english.FILTERS))}))?)[\s,;.:–—-]+"
    rf"{_POLITELY}(?:i (?:really |actually )?(?:meant|mean|wanted|want)(?: to say)?|it should (?:be|have been)|"
    r"make (?:it|that)|(?:and )?(?:use|take|try))[\s,:]+(?P<new>.+)",
    re.IGNORECASE,
)


def taken_for(text: str, base: Base | None) -> tuple[str, str] | None:
    """What is to be left out of the search before, and what was meant: `remove the draft condition, I meant urgent`.
    None where nothing is said so, or the search asks for nothing of the kind."""
    found = _TAKEN_FOR.fullmatch(text.strip(" .!?")) if base is not None else None
    return (found["old"], found["new"]) if found and base and is_asked_for(found["old"], base) else None


def another_meant(
    old: str, new: str, question: Question, base: Base, translate: Callable[[Question, list[Step]], Translating],
    steps: list[Step],
) -> Translating:  # fmt: skip
    """Another value in the place of one; where it is of another field, the one is left out and the other added.

    Whichever it is, nothing else of the search may change.
    """
    without = yield from translate(replace(question, text=f"drop the {old} filter"), steps)
    if not isinstance(without, Translated):
        return CannotSay()
    kept = _conditions(without.program)
    gone = set(parts(base.statement.where)) - kept
    other = yield from translate(replace(question, text=f"what about {new}"), steps)
    if isinstance(other, Translated) and kept <= _conditions(other.program) and not gone & _conditions(other.program):
        return other
    for lead in ("only", "what about"):
        further = after_turn(question, question.history[-1].text, f"{lead} {new}", without.program)
        added = yield from translate(further, steps)
        if isinstance(added, Translated) and kept < _conditions(added.program):
            return replace(added, notes=(*without.notes, *added.notes))
    return CannotSay()


def after_turn(question: Question, words: str, text: str, program: str) -> Question:
    """A text after a search that was made of words on the way."""
    turn = replace(question.history[-1], text=words, program=program, outcome={"kind": "hits", "query": program})
    return replace(question, text=text, history=(*question.history, turn))


def _conditions(program: str) -> set[tree.Condition]:
    return set(conditions_of(statement_of(program)))


def is_asked_for(old: str, base: Base) -> bool:
    """Whether a text is a value of the search before, or the name of a field that has a condition in it."""
    words = name_key(re.sub(r"^(?:the|that|this|all)\s+", "", old.strip("\"' "), flags=re.IGNORECASE))
    known: set[tuple[str, ...]] = set()
    for one in parts(base.statement.where):
        slot = slot_of(one, base.entity)
        field = base.entity.fields.get(slot[-1]) if slot else None
        names = (field.name.replace("_", " "), *field.words) if field is not None else ()
        known |= {stems(name_key(name)) for name in names}
        values = (str(each.value) for each in walked(one) if isinstance(each, tree.String | tree.Number))
        known |= {stems(name_key(value)) for value in values}
    return stems(words) in known


def _unknown(last: Turn) -> Sequence[str]:
    """The words of a turn that found no use, or the name that nothing has."""
    outcome = last.outcome
    match outcome.get("kind"):
        case "declined" | "passages":
            return [str(word) for word in outcome.get("words") or ()]
        case "not_found":
            return str(outcome.get("what") or "").split()
        case _:
            return ()


def _offered(last: Turn) -> list[str]:
    """The names that come near to one that nothing has."""
    outcome = last.outcome
    return [str(one) for one in outcome.get("suggestions") or ()] if outcome.get("kind") == "not_found" else []


def _correction(text: str) -> str | None:
    """What comes after `sorry, I meant`."""
    tokens = tokenize(text)
    said, at = [token.text for token in tokens], 0
    while at < len(tokens) and (tokens[at].text in plain.POLITE or tokens[at].kind is TokenKind.MARK):
        at += 1
    lengths = [(start, english.CORRECTING.longest(said, start)) for start in range(at + 1)]
    end = max((start + length for start, length in lengths if length), default=0)
    while end and end < len(tokens) and tokens[end].kind is TokenKind.MARK and tokens[end].raw in ",:;":
        end += 1
    if not end or end >= len(tokens):
        return None
    return text[tokens[end].start :].strip().rstrip("?.! ")
