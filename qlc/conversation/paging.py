"""Reading on in lists: what a message asks for, which list it means, and where its next page begins. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from qlc.conversation import english
from qlc.conversation.context import Context, Task
from qlc.conversation.history import LAST_TURN, Exchange, Execution, History, Part, Pending
from qlc.conversation.matching import described, named, stems
from qlc.grammar import print_program, tree
from qlc.grammar.tree import walked
from qlc.outcome import Clarify, Declined, Exhausted, Option
from qlc.translator.programs import parsed, statement_of
from qlc.translator.rules.words import english as plain
from qlc.translator.rules.words.phrases import Phrases
from qlc.translator.rules.words.tokens import Token, TokenKind, tokenize

MOST_AT_ONCE = 1_000
"""Hits of the longest page that words can ask for."""

MOST_JUMPED = 10_000
"""Hits of a pasted request up to which a page is jumped to: they are read over."""

MOST_LISTS = 5
"""Lists that are offered where several are open: the newest."""

LONGEST_NAME = 5
"""Words by which a list is named, at most: "more of the NDAs from last year"."""


Way = Literal["on", "back", "all", "page"]


@dataclass(frozen=True, slots=True)
class More:
    """A request for a page. `size` hits (None: as before), the `page` of this number; `of` are words of the list.
    `after`: what is after all that was asked for, shown or not."""

    way: Way
    size: int | None = None
    page: int = 0
    of: tuple[str, ...] = ()
    after: bool = False


@dataclass(frozen=True, slots=True)
class Shown:
    """A list, as far as it was shown: its newest page, and where all pages were."""

    turn: Exchange
    part: Part
    at: Execution
    pages: tuple[Execution, ...] = ()

    @property
    def is_open(self) -> bool:
        return self.at.cursor is not None or self.is_full_slice

    @property
    def is_full_slice(self) -> bool:
        """Whether a list that the question cut ("the 10 newest") is as long as it was cut: there may be more after."""
        limit = _limit(self.part.program) if not self.part.request else None
        return limit is not None and self.at.cursor is None and self.at.total - self.at.base >= limit


# --- words -----------------------------------------------------------------------------------------------------------


def read_more(text: str) -> More | None:
    """Read a message as a request for a page; None for other messages."""
    tokens = [token for token in tokenize(text) if token.kind is not TokenKind.MARK or token.text in ":,;-"]
    topic, tokens = _topic(tokens)
    words = [token.text for token in tokens if token.kind is not TokenKind.MARK]
    words, size = _without_page_size(words)
    found = _amount(words)
    if found is None:
        only_size = size is not None and all(word in english.SHOWING | english.THOSE for word in words)
        return More("on", size, of=topic) if only_size else None
    more, rest = found
    has_of = bool(rest) and rest[0] in english.OF_A_LIST
    rest = rest[has_of:]
    while rest and (rest[-1] in plain.POLITE or rest[-1] in english.LISTS):
        rest = rest[:-1]
    rest = [word for word in rest if word not in plain.ARTICLES | english.THOSE | english.PAGE_WORDS]
    if len(rest) > LONGEST_NAME or any(word in _NEVER_A_NAME for word in rest):
        return None
    if rest and more.way == "all" and not has_of:
        return None
    of = topic or tuple(stem for word in rest for stem in stems(word))
    if topic and rest:
        return None
    return replace(more, size=size or more.size, of=of)


def read_page_size(text: str) -> tuple[str, int | None]:
    """Split a question into the part without its page size ("5 at a time") and the hits of a page; None without a
    size."""
    tokens = [token for token in tokenize(text) if token.kind is not TokenKind.MARK]
    while len(tokens) > 1 and tokens[-1].text in plain.POLITE:
        tokens.pop()
    for at in range(len(tokens)):
        length = _page_size_at([token.text for token in tokens], at)
        if length and (at == 0 or at + length == len(tokens)):
            size = _number(tokens[at].text)
            rest = text[: tokens[at].start] if at else text[tokens[at + length - 1].end :]
            rest = re.sub(r"(?:\s|[,;:(-])*(?:\b(?:and|in|with|at)\b\s*(?:batches\s+of|pages\s+of)?)?\s*$", "", rest)
            return (rest.lstrip(" ,;:.)"), size) if rest.strip() else (text, None)
    return text, None


_NEVER_A_NAME = plain.CALENDAR.keys() | plain.MONTHS.keys() | plain.WEEKDAYS.keys() | english.ASKS | {"than", "to"}
"""After "next" and "more" these make a period or a comparison, or begin a question."""


def _topic(tokens: list[Token]) -> tuple[tuple[str, ...], list[Token]]:
    """Split a message into the list that it names first and the rest: "back to the NDAs: next 10"."""
    breaks = [at for at, token in enumerate(tokens) if token.kind is TokenKind.MARK and token.text in ":,;"]
    if not breaks or not 1 <= breaks[0] <= LONGEST_NAME + 4:
        return (), tokens
    words = [token.text for token in tokens[: breaks[0]]]
    while words and words[0] in plain.POLITE | {"go", "and"}:
        words = words[1:]
    length = english.GOING_BACK.longest(words, 0)
    name = [word for word in words[length:] if word not in plain.ARTICLES | english.THOSE | english.LISTS]
    if (not length and tokens[breaks[0]].text != ":") or not name:
        return (), tokens
    return tuple(stem for word in name for stem in stems(word)), tokens[breaks[0] + 1 :]


_WAYS: tuple[tuple[Way, Phrases], ...] = (
    ("back", english.READING_BACK), ("all", english.THE_REST), ("on", english.READING_ON),
)  # fmt: skip


def _amount(words: Sequence[str]) -> tuple[More, list[str]] | None:
    """Return the part of the list that is asked for, and the words after it."""
    place = next((at for at, word in enumerate(words[:-1]) if word == "page" and words[at + 1].isdecimal()), None)
    if place is not None and all(word in english.SHOWING | english.GOING_TO for word in words[:place]):
        return More("page", page=int(words[place + 1])), list(words[place + 2 :])  # "go back to page 2"
    for start in range(len(words)):
        for way, table in _WAYS:
            length = table.longest(words, start)
            if length:
                size, after = _count(words, start + length)
                return More(way, size), list(words[after:])
        further = _after_those(words, start)
        if further is not None:
            return further, []
        number = _number(words[start])
        following = words[start + 1] if start + 1 < len(words) else ""
        if number is not None and following in ("more", *english.ONE_MORE):
            return More("on", number), list(words[start + 2 :])
        if words[start] in english.ONE_MORE and _number(following) is not None:
            return More("on", _number(following)), list(words[start + 2 :])
        if words[start] not in english.SHOWING:
            return None
    return None


def _after_those(words: Sequence[str], at: int) -> More | None:
    """Read `the 20 after those`, `the ones that follow`; the place is before the number."""
    size, after = _count(words, at + 1) if words[at] == "the" else _count(words, at)
    after += after < len(words) and words[after] in english.PAGE_WORDS
    if after == at or (size is None and words[at] != "the"):
        return None
    length = english.AFTER_THOSE.longest(words, after)
    return More("on", size, after=size is not None) if length and after + length == len(words) else None


def _count(words: Sequence[str], at: int) -> tuple[int | None, int]:
    number = _number(words[at]) if at < len(words) else None
    return (None, at) if number is None else (number, at + 1)


def _number(word: str) -> int | None:
    number = int(word) if word.isdecimal() and len(word) <= 6 else plain.NUMBERS.get(word)
    if word == "one" or not number:
        return 1 if word == "one" else None
    return min(number, MOST_AT_ONCE)


def _without_page_size(words: list[str]) -> tuple[list[str], int | None]:
    for at in range(len(words)):
        length = _page_size_at(words, at)
        if length:
            return words[:at] + words[at + length :], _number(words[at])
    return words, None


def _page_size_at(words: Sequence[str], at: int) -> int:
    """Return the number of words from `at` on that give a page size: `5 results per page`; 0 without one."""
    if _number(words[at]) is None or (at and words[at - 1] in _COMPARING):
        return 0
    after = at + 1
    while after < len(words) and words[after] in english.PAGE_WORDS | {"of", "them"} and after - at <= 2:
        if english.PER_PAGE.longest(words, after):
            break
        after += 1
    length = english.PER_PAGE.longest(words, after)
    return after + length - at if length else 0


_COMPARING = frozenset(one[-1] for table in (plain.MORE, plain.LESS, plain.AT_LEAST, plain.AT_MOST) for one in table)
"""Last words of comparisons. A number after one is not the size of a page: "more than 5 a page"."""


# --- lists -----------------------------------------------------------------------------------------------------------


def shown_lists(history: History) -> list[Shown]:
    """Return the lists of a conversation, the one shown last first, without lists that a later one replaced."""
    found: dict[int, Shown] = {}
    replaced: set[int] = set()
    for turn, part in history.parts():
        at = part.execution
        if at is None:
            continue
        if at.follows is not None:
            replaced.add(at.follows)
        one = found.get(at.list)
        found[at.list] = Shown(turn, part, at) if one is None else replace(one, pages=(*one.pages, at))
    return [one for number, one in found.items() if number not in replaced]


def paged(request: More, words: str, history: History, size: int) -> Context | None:
    """Return the context of a request for a page; None if the request names something that was not a list here."""
    lists = shown_lists(history)
    placed = by_place(request.of, lists)
    if placed is not None:
        return page_of([placed], request, size)
    if request.of:
        # A list is named by its question's words, and by what its program asks for.
        things = [described([one.part.words, one.part.program, _entity(one)]) for one in lists]
        lists = [lists[at] for at in named(request.of, things)]
        if not lists:
            return None
    if not lists:
        message = "There is no list to continue. Ask for a list first."
        return Context(origin="nothing", reply=Declined(message=message).model_dump(mode="json"))
    latest = lists[0]
    is_first_page = latest.at.first == 0 and request.size is None and not request.of
    if request.way == "back" and is_first_page and _was_before(latest, history, words):
        return None
    still_open = [one for one in lists if one.is_open]
    if not latest.is_open and request.size and _has_a_length(latest.part.program):
        return None  # "and the next 30?", after what expires in the next 90 days
    is_last = latest.turn.number == history.turns[-1].number
    if request.way in ("back", "page") or (is_last and (latest.at.paged or _was_gone_back_to(latest, still_open))):
        return page_of([latest], request, size)
    if len(still_open) < 2:
        return page_of(still_open or lists[:1], request, size)
    return _which(still_open[:MOST_LISTS], request, words)


def by_place(of: Sequence[str], lists: Sequence[Shown]) -> Shown | None:
    """Return the list that `the second` or `the other` names: among those of one message, else of all, in order of
    beginning.

    The other is the one that was not shown last, if there are two.
    """
    if len(of) != 1 or len(lists) < 2:
        return None
    together = [one for one in lists if _began_in(one.at.list) == _began_in(lists[0].at.list)]
    among = together if len(together) > 1 else lists
    if of[0] == "other":
        return among[1] if len(among) == 2 else None
    ordered = sorted(among, key=lambda one: one.at.list)
    place = len(ordered) if of[0] == "last" else plain.ORDINALS.get(of[0], 0)
    return ordered[place - 1] if 0 < place <= len(ordered) else None


def _has_a_length(program: str) -> bool:
    """Whether a program asks for so many days, weeks and so on."""
    statement = statement_of(program)
    periods = (one for one in walked(statement) if isinstance(one, tree.RelativePeriod)) if statement else ()
    return any(one.count is not None for one in periods)


def _was_before(shown: Shown, history: History, words: str) -> bool:
    """Whether `go back` can mean the search before this one, or this one after later messages."""
    if any(token.text in english.PAGE_WORDS for token in tokenize(words)):
        return False
    searches = [turn.number for turn in history.turns if any(part.program for part in turn.parts)]
    return len(searches) > 1 or shown.turn.number != history.turns[-1].number


def _was_gone_back_to(shown: Shown, others: Sequence[Shown]) -> bool:
    """Whether a list took the place of one that is older than others: it was gone back to over them."""
    return (
        shown.at.follows is not None
        and any(_began_in(one.at.list) > _began_in(shown.at.follows) for one in others if one is not shown)
    )


def _began_in(list_: int) -> int:
    """Return the turn in which a list began."""
    return list_ % LAST_TURN


def page_of(lists: Sequence[Shown], request: More, size: int) -> Context:
    """Return the tasks for pages of these lists; the outcome that a list has ended if there are none."""
    tasks = [_page(one, request, size) for one in lists]
    found = tuple(task for task in tasks if isinstance(task, Task))
    if found:
        return Context(origin="more", tasks=found, paged=True)
    ended = next(one for one in tasks if isinstance(one, Exhausted))
    return Context(origin="more", reply=ended.model_dump(mode="json"), paged=True)


def _page(shown: Shown, request: More, size: int) -> Task | Exhausted:
    at, part = shown.at, shown.part
    asked = request.size or at.size or size
    task = Task(words=part.words, program=part.program, request=part.request, want=part.want,
                choices=part.choices, now=at.now, list=at.list, base=at.base)  # fmt: skip
    match request.way:
        case "back":
            before = next((page for page in shown.pages if page.read == at.first), None)
            if before is not None and request.size is None and before.base == at.base:
                update = {"size": before.shown, "cursor": before.start, "skip": before.skipped, "first": before.first}
                return task.model_copy(update=update)
            return _back(shown, task, min(request.size or (before or at).size, at.first))
        case "page":
            first = (request.page - 1) * asked
            if part.request and first + asked > MOST_JUMPED:
                return _ended(shown, f"Only the first {MOST_JUMPED:,} can be jumped to. Say 'show more' to read on.")
            if request.page < 1 or first >= at.total or at.base:
                return _ended(shown, f"There is no page {request.page}: the list has {at.total:,} in all.")
            return task.model_copy(update={"size": asked, "skip": first, "first": first})
        case "all":
            asked = max(1, min(at.total - at.read, MOST_AT_ONCE))
        case _:
            pass
    limit = _limit(part.program) if not part.request else None
    if request.after and request.size == limit is not None and not at.first and at.cursor is not None:
        further = _shifted(part.program, limit, limit)  # "the 20 largest", "the 20 after those"
        if further is not None:
            update = {"program": further, "size": limit, "first": limit, "base": at.base + limit}
            return task.model_copy(update=update)
    if at.cursor is not None:
        return task.model_copy(update={"cursor": at.cursor, "size": asked, "first": at.read})
    wanted = MOST_AT_ONCE if request.way == "all" else request.size
    further = _shifted(part.program, limit, wanted or limit) if limit is not None and shown.is_full_slice else None
    if further is None:
        counted = str(part.outcome.get("message", "")).split(". ")[0].rstrip(".")  # `47 documents`
        return _ended(shown, f"That was all: {counted or 'nothing is left'}.")
    update = {"program": further, "size": _limit(further), "first": at.read, "base": at.read}
    return task.model_copy(update=update)


def _back(shown: Shown, task: Task, size: int) -> Task | Exhausted:
    at = shown.at
    if at.first == 0 or size == 0 or task.request:
        return _ended(shown, "That was the beginning of the list.")
    first = at.first - size
    if first >= at.base:
        return task.model_copy(update={"size": size, "skip": first - at.base, "first": first})
    # It lies before the part that the program asks for.
    before = _shifted(shown.part.program, first - at.base, size)
    if before is None:
        return _ended(shown, "That was the beginning of the list.")
    return task.model_copy(update={"program": before, "size": size, "first": first, "base": first})


def _ended(shown: Shown, message: str) -> Exhausted:
    return Exhausted(query=shown.part.program, message=message, entity=_entity(shown), total=shown.at.total)


def _entity(shown: Shown) -> str:
    return str(shown.part.outcome.get("entity", ""))


def _which(lists: Sequence[Shown], request: More, words: str) -> Context:
    options = tuple(
        Option(id=str(one.at.list), label=f"{one.part.words} ({_progress(one.at)})", name=one.part.words)
        for one in lists
    )
    message = "Several lists continue. Which do you mean?"
    pending = Pending(what="list", message=message, options=options, words=words, size=request.size,
                      all=request.way == "all")  # fmt: skip
    reply = Clarify(message=message, what="list", options=list(options), token="list")
    return Context(origin="more", reply=reply.model_dump(mode="json"), pending=pending)


def _progress(at: Execution) -> str:
    return f"{at.read:,} of {at.total:,} shown" if at.cursor is not None else f"the first {at.read:,} shown"


# --- programs --------------------------------------------------------------------------------------------------------


def _limit(program: str) -> int | None:
    statement = statement_of(program)
    return statement.limit if isinstance(statement, tree.Find | tree.Aggregate) else None


def _shifted(program: str, by: int, size: int) -> str | None:
    """Move a program's part of its list: `limit size`, and `offset` increased by `by`; None for a program without a
    limit."""
    known = parsed(program)
    statement = known.statement if known is not None else None
    if known is None or not isinstance(statement, tree.Find | tree.Aggregate):
        return None
    if statement.limit is None or statement.ties:
        return None
    offset = (statement.offset or 0) + by
    if offset < 0:
        return None
    return print_program(replace(known, statement=replace(statement, limit=size, offset=offset or None)))
