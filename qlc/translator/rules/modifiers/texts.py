"""Names and contents: `named X`, `with review in the name`, `mentioning "sump pump"`."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import both, compare, negation, path, string
from qlc.translator.rules.lexicon.lexemes import INFLECTED, EntityWord, FieldRef, FieldWord, ValueWord
from qlc.translator.rules.nouns.names import CLOSED_CLASS, Reference, literal, named, said_as_kind, unknown_texts
from qlc.translator.rules.parse import Found, Parse, begins, needs
from qlc.translator.rules.quantities.dates import period
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import stem
from qlc.translator.rules.words.phrases import Phrases, phrases, words
from qlc.translator.rules.words.tokens import TokenKind

_IN_THE_NAME = phrases("in [the | its | their] (name | title) | in (the | their) names | in the (file name | filename)")
_NAME_TESTS: tuple[tuple[tree.ComparisonOperator, Phrases], ...] = (
    ("contains", phrases("contains | containing | contain | includes | including | has | like | something like")),
    ("starts with", phrases("starts with | starting with | begins with | beginning with | start with | begin with")),
    ("ends with", phrases("ends with | ending with | ends in | ending in | end with | end in")),
)
_BARE_TESTS: tuple[tuple[tree.ComparisonOperator, Phrases], ...] = (
    ("starts with", phrases("(starting | beginning | starts | begins | start | begin) [in | by]")),
    ("ends with", phrases("ending | ends | end")),
)
"""As people say it of a name and only of that: `with a name beginning IMG`."""
_LETTER = phrases("[the] (letter | letters | character | characters)")
_SYMBOLS = {
    "*": "asterisk", "%": "(percent | percentage) (sign | symbol)", "?": "question mark", "!": "exclamation mark",
    "_": "underscore", "-": "hyphen | dash", "#": "hash [sign | symbol] | number sign", "&": "ampersand",
    "+": "plus sign", "@": "at (sign | symbol)", ".": "dot | full stop", ",": "comma", ":": "colon", ";": "semicolon",
    "'": "apostrophe", "/": "slash | forward slash", "=": "(equals | equal) sign", "$": "dollar (sign | symbol)",
    "€": "euro (sign | symbol)", "~": "tilde", "(": "(opening | open) (bracket | parenthesis)",
    ")": "closing (bracket | parenthesis)",
}  # fmt: skip
_SYMBOL = {sign: phrases(said) for sign, said in _SYMBOLS.items()}
"""What characters are called: `whose name contains an asterisk`."""
_SIGN = words("sign signs symbol symbols character characters")
_ANYTHING = words("anything something stuff everything info information material")
_ON_A_TOPIC = {"on": _ANYTHING, "like": words("anything something stuff")}
"""What says of which topic something is, after a word that names no kind of things: `anything on parking`."""
_TESTS: tuple[tuple[tree.ComparisonOperator, Phrases], ...] = (
    ("contains", phrases("contains | containing | contain | includes | including | include | mentions | mentioning | "
                         "mention | has the (word | words | text) | with the (word | words | text) | saying | says")),
    ("starts with", phrases("starts with | starting with | begins with | beginning with | start with | begin with")),
    ("ends with", phrases("ends with | ending with | ends in | ending in | end with | end in")),
)  # fmt: skip
_SAID = words("phrase expression")
_IN_TEXT = phrases("[somewhere] in [the | its | their] (text | content | contents | body | full text)")
_SAYING = {stem(one) for one in words("mention say saying word words phrase term talk discuss refer")}
_INDEFINITE = words("something anything everything nothing someone somebody anyone anybody everyone everybody")
_MOST_WORDS = 5
_TOPIC = words("about on regarding concerning covering")


@needs(english.NAMED, _IN_THE_NAME, *(said for _, said in (*_NAME_TESTS, *_BARE_TESTS)))
def called(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`named X`, `called "notes.txt"`, `with review in the name`, `whose name starts with Inv`."""
    names = p.entity(entity).names
    if not names:
        return
    left = path(names[0].name)
    for end in p.phrases(at, english.NAMED):
        start = p.past(end, (":", "the", "is", "exactly"))
        for operator, sequence in _NAME_TESTS:
            for begin in p.phrases(start, sequence):
                for finish, text, cost in _in_a_name(p, begin):
                    yield Found(finish, compare(left, operator, string(text)), cost)
        for one in (*named(p, start, entity), *literal(p, start, entity)):
            if one.value.text:
                yield Found(one.end, compare(left, "=", string(one.value.text)), one.cost)
                yield from _or_called(p, one._replace(cost=min(one.cost, 0.3)), (one.value.text,), left, entity)
    word = p.word(at)
    if word in english.HAVING or word in ("where", "whose"):
        begin = p.past(at + 1, words("the word words text phrase term"))
        for finish, text, cost in _in_a_name(p, begin, anything_goes=True):
            for end in p.phrases(finish, _IN_THE_NAME):
                parts = [compare(left, "contains", string(part)) for part in text.split(" and ")]
                condition = both(*parts)
                if condition is not None and " or " not in text:
                    yield Found(end, condition, min(cost, 0.2) - 0.2)
                    yield from _nor_called(p, Found(end, condition, min(cost, 0.2) - 0.2), left)
    for lexeme in p.starting(p.past(at, words("whose where with the a has have")), FieldWord):
        if lexeme.payload.ref.path == (names[0].name,):
            for operator, sequence in (*_NAME_TESTS, *_BARE_TESTS):
                for begin in p.phrases(p.past(lexeme.end, ("that", "which")), sequence):
                    for finish, text, cost in _in_a_name(p, begin):
                        yield Found(finish, compare(left, operator, string(text)), min(cost, 0.5))
    for operator, sequence in _NAME_TESTS[1:]:
        for begin in p.phrases(at, sequence):
            if p.quoted(begin) is None and (period(p, begin) or p.word(begin) in english.NEXT):
                continue  # what ends in June is no name
            for finish, text, cost in _in_a_name(p, begin):
                yield Found(finish, compare(left, operator, string(text)), min(cost, 0.5) + 0.2)


def _or_called(
    p: Parse, first: Found[Reference], so_far: tuple[str, ...], left: tree.Path, entity: str
) -> Iterator[Found[Condition]]:
    """`named Decks or Old`, `called A, B or C`."""
    joint = p.past(first.end, (",",))
    joint += p.word(joint) == "or"
    for one in (*named(p, joint, entity), *literal(p, joint, entity)) if joint > first.end else ():
        if not one.value.text or one.value.text in so_far:
            continue
        texts_of = (*so_far, one.value.text)
        written = p.tokens[joint].kind is TokenKind.QUOTED or p.tokens[joint].raw[:1].isupper()
        cost = first.cost + (min(one.cost, 0.3) if written else one.cost)
        if p.word(joint - 1) == "or":
            yield Found(one.end, compare(left, "in", tree.ListValue(tuple(map(string, texts_of)))), cost)
        yield from _or_called(p, Found(one.end, one.value, cost), texts_of, left, entity)


def _in_a_name(p: Parse, at: int, *, anything_goes: bool = False) -> Iterator[tuple[int, str, float]]:
    """A part of a name: a character by what it is called, or a text."""
    symbol = _symbol(p, p.articles(at))
    yield from ((*symbol, 0.0),) if symbol is not None else texts(p, at, anything_goes=anything_goes)


def _symbol(p: Parse, at: int) -> tuple[int, str] | None:
    """A character that is named, or written before `sign`: where it ends, and what it is."""
    if at + 1 < p.end and p.tokens[at].kind is TokenKind.MARK and p.word(at + 1) in _SIGN:
        return at + 2, p.tokens[at].raw
    return next(((end, sign) for sign, said in _SYMBOL.items() for end in p.phrases(at, said)), None)


def texts(p: Parse, at: int, *, anything_goes: bool = False) -> Iterator[tuple[int, str, float]]:
    """A text to search for: in quotes, or the words up to where something else begins."""
    at = next(p.phrases(at, _LETTER), at)
    text = p.quoted(at)
    if text is not None:
        yield at + 1, text, 0.0
        return
    if p.word(at) == "." and at + 1 < p.end and p.tokens[at].end == p.tokens[at + 1].start:
        yield at + 2, p.raw(at, at + 2), 0.0  # `.eml`
    for end, cost in unknown_texts(p, at):
        if p.word(end) == "_" and p.tokens[end].start == p.tokens[end - 1].end:
            end += 1  # `IMG_`
        yield end, p.raw(at, end), max(0.0, cost - 1.0)
    if anything_goes:
        for end in range(at + 1, min(at + 6, p.end + 1)):
            yield end, p.raw(at, end), 1.0


@begins(english.MENTIONING, _ON_A_TOPIC, english.HAVING)
def mentioning(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`mentioning "sump pump"`, `about a sourdough starter`, `with "x" in the text`."""
    if not p.entity(entity).text:
        return
    for end in p.phrases(at, english.MENTIONING):
        word = p.word(end - 1)
        weak = 1.0 if word in words("with matching include includes including") else 0.3 if word == "about" else 0.2
        said = stem(word) in _SAYING or stem(p.word(at)) in _SAYING
        weak += 0.5 if any(said_as_kind(p, end, one.end) for one in p.starting(end, ValueWord)) else 0.0
        if weak >= 1.0 and _speaks_of_a_field(p, end, entity):
            continue  # `with a name of three words` is no text to look for
        for one in _phrases(p, end, 0.1 if said and weak < 0.5 else weak, 0.05 if said else 0.15):
            known = end == at + 1 and word in english.HAVING and _is_a_value(p, end, one.end, entity)
            yield Found(one.end, one.value, one.cost + (0.6 if known else 0.0))
    word = p.word(at)
    if word in english.HAVING:
        for finish, text, _ in texts(p, p.past(at + 1, words("the word words phrase either")), anything_goes=True):
            for end in p.phrases(finish, _IN_TEXT):
                yield Found(end, tree.EntityText("mentions", string(text)), 0.0)


def _speaks_of_a_field(p: Parse, at: int, entity: str) -> bool:
    """Whether a field of the thing is called so that is here, perhaps after an article."""
    said = (one for begin in {at, p.articles(at)} for one in p.starting(begin, FieldWord))
    return any(one.cost < INFLECTED and one.payload.ref.belongs_to(p.entity(entity)) for one in said)


@needs(*(said for _, said in _TESTS), words("in as"))
def in_a_field(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`whose referrer contains gemini`, `with "gemini" in the referrer`, `with facebook as referrer`."""
    begin = p.past(at, words("whose where with the a an has have having that which"))
    for lexeme, ref in p.fields(begin, p.entity(entity)):
        if not _searched(ref):
            continue
        for operator, sequence in _TESTS:
            for start in p.phrases(p.past(lexeme.end, words("that which")), sequence):
                for end, text, cost in texts(p, p.past(start, words("the a an word words phrase text"))):
                    yield Found(end, _text_test(ref, operator, text), min(cost, 0.3) + lexeme.cost)
    if p.word(at) not in english.HAVING and p.quoted(at) is None:
        return
    for finish, text, cost in texts(p, p.past(at, english.HAVING | words("the word words text phrase"))):
        link = finish + 1 if p.word(finish) in ("in", "as") else finish
        for lexeme, ref in p.fields(p.articles(link), p.entity(entity)) if link > finish else ():
            if _searched(ref):
                unsure = 0.2 if p.word(finish) == "as" else 0.0
                yield Found(lexeme.end, _text_test(ref, "contains", text), min(cost, 0.3) + lexeme.cost + unsure)


def _searched(ref: FieldRef) -> bool:
    """Whether a field holds texts of all kinds: no closed values, nothing that it refers to."""
    plain = ref.target is None and ref.field.values is None and ref.within is None
    return plain and ref.kind in (FieldKind.KEYWORD, FieldKind.TEXT)


def _text_test(ref: FieldRef, operator: tree.ComparisonOperator, text: str) -> Condition:
    said: tree.ComparisonOperator = "mentions" if ref.field.mapped.exact is None else operator
    return ref.compared(said, string(text))


def _is_a_value(p: Parse, at: int, end: int, entity: str) -> bool:
    """`containing Wool Rug`: what is known as a value is not looked for in texts first."""
    return any(one.end == end and one.payload.ref.belongs_to(p.entity(entity)) for one in p.starting(at, ValueWord))


_TOPICS = words("reason cause topic subject theme issue problem")


def _as_a_topic(p: Parse, at: int, end: int) -> float:
    """What it costs to look in texts for what a field has that says what something is about: `about typos`."""
    known = (one.payload.ref.phrases for one in p.starting(at, ValueWord) if one.end == end and one.payload.closed)
    return 1.0 if any(not _TOPICS.isdisjoint(phrase) for phrases_of in known for phrase in phrases_of) else 0.0


def said_alone(p: Parse, at: int, entity: Entity) -> Iterator[Found[Condition]]:
    """`"sump pump"`, `the phrase sump pump`: what is looked for in the texts of things, which nothing else says."""
    text = p.quoted(at) if entity.text else None
    if text is not None and not p.lexicon.named(text):
        yield Found(at + 1, tree.EntityText("mentions", tree.String(text)), 0.3)
    if entity.text and p.word(at) in _SAID and not bool(p.starting(at, FieldWord)):
        for end, said, cost in texts(p, at + 1):
            yield Found(end, tree.EntityText("mentions", tree.String(said)), 0.2 + 0.1 * cost)


def _run_of_words(p: Parse, at: int) -> Iterator[tuple[int, str, float]]:
    """`chest pain`, where one of the words is known elsewhere: all content words in a row."""
    end = at
    while end < p.end and end - at < _MOST_WORDS and p.tokens[end].kind is TokenKind.WORD:
        things = bool(p.starting(end, EntityWord))
        if p.word(end) in CLOSED_CLASS or things or p.word(end) in english.MONTHS or p.word(end).isdecimal():
            break
        end += 1
    unknown = [i for i in range(at, end) if not p.lexemes[i] and not p.lexicon.knows(p.word(i))]
    if end - at > 1 and unknown and len(unknown) < end - at:
        yield end, p.raw(at, end), 0.5


def _phrases(p: Parse, at: int, cost: float, unknown: float) -> Iterator[Found[Condition]]:
    start = p.past(at, words("the word words phrase term a an either both text :"))
    each = any(p.word(i) == "both" for i in range(at, start))
    for end, text, extra in (*texts(p, start), *_run_of_words(p, start)):
        if p.quoted(start) is None and (text[:1].isdecimal() or p.word(start) in _INDEFINITE):
            continue  # neither `about 1 MB` nor `something` is a text
        finish = end
        for ending in _IN_TEXT:
            finish = p.phrase(end, *ending) or finish
        quoted = p.quoted(start) is not None
        first: Condition = tree.EntityText("mentions", string(text))
        total = cost * (0 if quoted else 1) + max(0.0, extra) * unknown
        total += 0.0 if quoted else _as_a_topic(p, start, end)
        yield Found(finish, first, total)
        for word, join in (("or", "or"), ("and", "and"), ("but", "not")):
            if p.word(finish) != word:
                continue
            after = p.past(finish + 1, ("the", "word", "phrase", "words"))
            after = after + 1 if join == "not" else after
            if p.quoted(after) is None and join != "or" and not (each and join == "and"):
                continue


def _nor_called(p: Parse, first: Found[Condition], left: tree.Path) -> Iterator[Found[Condition]]:
    """`with "final" in the name but not "draft"`: in the name as well."""
    link = p.past(first.end, (",",))
    if p.word(link) not in ("but", "and") or p.word(link + 1) not in english.NEGATIONS | {"without"}:
        return
    for finish, text, cost in texts(p, link + 2):
        end = next(p.phrases(finish, _IN_THE_NAME), finish)
        condition = both(first.value, negation(compare(left, "contains", string(text))))
        if condition is not None and (p.quoted(link + 2) is not None or end > finish):
            yield Found(end, condition, first.cost + min(cost, 0.2))


RULES = (called, mentioning, in_a_field)
