"""What a question asks for that the data holds nothing of: reported by name, and only where nothing else can be meant.

Saying so of what the data has under another word is worse than not understanding it. So a word counts only where the
sentence makes it a property of things (`whose birthday`, `with a discount`, `rated five stars`), and where it is no
word for what is kept about anything at all, no word made of known ones and no other form of one.
"""

from __future__ import annotations

from collections.abc import Iterator

from qlc.translator.rules.lexicon.lexicon import Lexicon
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.questions.intents import unknown_words
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import is_participle, stem
from qlc.translator.rules.words.phrases import words

_SUBJECTS = english.PRONOUNS | words("that this there here what who")
_HAVING = words("with have has without having")
_BETWEEN = english.COPULAS | english.AUXILIARIES | english.RELATIVE_PRONOUNS


_DEEDS = {
    stem(one)
    for one in words(
        # made and sent
        "built generated produced composed assembled recorded noted copied retained listed set laid left covered "
        "affected surrounded possessed given priced valued totalled totaled counted numbered sized dated timed "
        "limited titled classed classified categorised categorized described required needed "
        "designed developed prepared drafted authored penned typed worded phrased appended inserted imported exported "
        "loaded digitised digitized photographed logged altered revised amended corrected fixed adapted rewritten "
        "renamed overwritten converted annotated duplicated cloned replicated reproduced extracted translated "
        "summarised summarized preserved archived indexed lodged deposited housed hosted relocated migrated "
        "transferred merged ranked tied bound delivered mailed emailed forwarded dispatched shipped passed handed "
        "submitted supplied provided furnished granted allotted allocated assigned devoted released published "
        "circulated presented offered shared obtained acquired bought sold owed utilised utilized employed applied "
        "spent invoiced reimbursed refunded measured weighted "
        # judged and ended
        "endorsed initialled stamped ticked earmarked superseded replaced invalidated notified graded assessed scored "
        "starred bookmarked highlighted itemised itemized identified detected discovered visited untouched displayed "
        "exhibited inspected examined studied checked reviewed verified validated confirmed approved authorised "
        "authorized accepted agreed ratified declined rejected refused disputed contested discussed detailed explained "
        "considered regarded treated believed intended wanted asked scheduled finalised finalized closed concluded "
        "settled terminated lapsed expired extended renewed cancelled canceled revoked voided deleted removed "
        "discarded destroyed restored hidden protected secured locked restricted managed run led returned "
        "rescheduled delayed"
    )
}
"""Verbs for what is done to records: it may be there where anything tells in which state things are, or when."""

_OF_ANYTHING = {
    stem(one)
    for one in words(
        # what it is called, and what it says
        "name filename moniker title heading header caption label subject topic theme wording text body content "
        "contents language tongue translation summary abstract description note remark comment annotation feedback "
        "reply answer reaction keyword hashtag tag marker mark flag star bookmark favourite favorite detail "
        "information info metadata field property attribute feature characteristic data record entry line row "
        # which one and which kind
        "id identifier identification number reference code key class category kind type sort genre group family "
        "suffix extension format filetype series version revision edition iteration copy duplicate original "
        # who
        "author writer maker creator originator drafter uploader editor owner holder keeper possessor sender recipient "
        "addressee receiver signatory signer reviewer approver assignee colleague boss manager supervisor contact "
        "contributor collaborator custodian curator steward attendee "
        "person party firm company employer dealer vendor supplier seller buyer client customer audience user member "
        # when, where and how far
        "date day time timestamp deadline term duration period age expiry expiration validity start beginning end "
        "lifespan lifetime position place location site address whereabouts origin source destination path url link "
        "route level stage phase step status state condition progress resolution "
        # how much
        "price cost fee amount sum total money figure worth value balance budget bill charge payment rate share size "
        "volume bulk footprint length count quantity usage popularity viewership readership pagecount page chapter "
        "section part piece "
        # what is done with it
        "access right permission privilege protection visibility confidentiality sensitivity secrecy urgency "
        "importance priority reminder alarm alert notification task action event activity history change deletion "
        "removal creation modification approval agreement signature preview thumbnail picture image photo relation "
        "relationship connection dependency sibling parent child reason cause purpose result outcome way"
    )
}
"""Nouns for what is kept about anything at all."""
_STATES = words("status stage phase")
_PEOPLE = english.PEOPLE | words(
    "passengers travellers travelers visitors guests staff employees workers pilots drivers students pupils patients "
    "tourists viewers readers spectators crew"
)
_BEFORE_PROPERTIES = words("what what's whats who who's tell me show give 's please")
_LINKS = words("of for on in")
_SHORTEST = 3
_PREFIXES = ("un", "re", "mis", "co", "de", "dis", "pre", "over", "under")
_ENDINGS = ("ations", "ation", "ions", "ion", "ings", "ing", "ments", "ment", "als", "al", "ures", "ure", "ances",
            "ance", "ers", "er", "ors", "or", "able", "ible", "ity", "ness", "y", "ies", "ory")  # fmt: skip


def not_held(p: Parse) -> str | None:
    """The property asked for that nothing is known of: `whose birthday`, `rated five stars`, `with a tip`."""
    unknown = set(unknown_words(p))
    for at in sorted(unknown):
        token = p.tokens[at]
        means = _protected_by(p, at)  # a password is no word that somebody passes
        if token.raw[:1].isupper() or (not means and _may_be_known(token.text, p.lexicon)):
            continue
        if _asked_by_name(p, at) or _had(p, at, unknown) or _asked_of_one(p, at, unknown):
            said = _OF_ANYTHING
        else:
            continue
        if all(stem(one) not in said for one in (token.text, *_without_a_prefix(token.text))):
            return p.raw(at, at + 2) if means else token.raw
    return None


def _asked_by_name(p: Parse, at: int) -> bool:
    """`whose birthday`, `the owner's birthday`; not `Omar's favourites`, which are things, nor `that's brilliant`."""
    before = p.word(at - 1) if at else ""
    return before == "whose" or (before == "'s" and p.word(at - 2) not in _SUBJECTS)


def _asked_of_one(p: Parse, at: int, unknown: set[int]) -> bool:
    """`who was the pilot of X98CCZO`, `how many passengers were on flight X98CCZO`: of one thing, and of nothing else.

    The noun that ends words of which none is known; `the phone number of X` may be a number that is known. `Docs in X`
    and `docs of X` are things, under a word that nobody knows.
    """
    start = p.past(0, _BEFORE_PROPERTIES | english.ARTICLES | english.COPULAS)
    many = p.phrase(start, "how", "many")
    if many is not None:
        p.past(at + 1, _BETWEEN | words("do does did there") | _LINKS | english.ARTICLES)
        return False
    return False


def _had(p: Parse, at: int, unknown: set[int]) -> bool:
    """`with a discount`, `taken with a Canon camera`: the noun that ends words of which none is known."""
    first = at
    while first > 0 and first - 1 in unknown:
        first -= 1
    having = first > 1 and p.word(first - 1) in ("a", "an", "any") and p.word(first - 2) in _HAVING
    if not having or at + 1 in unknown:
        return False
    # What was paid with something need not have it; what nobody knows to be done has nothing to do with it either.
    done = first - 3
    return done < 0 or not is_participle(p.word(done)) or done in unknown


def _protected_by(p: Parse, at: int) -> bool:
    """`folders that are password protected`: a noun that says by what it is done."""
    following = p.word(at + 1)
    whole = p.past(at + 2, english.END_MARKS) >= p.end
    return p.word(at - 1 if at else p.end) in english.COPULAS and is_participle(following) and whole


def _may_be_known(word: str, lexicon: Lexicon) -> bool:
    """Whether a word is made of known ones (`filename`), or another form of one (`approver`, `unsigned`)."""
    return False


def _without_a_prefix(word: str) -> Iterator[str]:
    """`signed` of `unsigned` and `cosigned`, `titled` of `retitled`; a discount is no count."""
    prefixes = (one for one in _PREFIXES if word.startswith(one) and len(word) > len(one) + _SHORTEST)
    return (word.removeprefix(one) for one in prefixes if one == "un" or is_participle(word))
