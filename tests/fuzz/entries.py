"""Damages the inputs of callers: cursors, tokens, words, histories and lines of files.

`python -m tests.fuzz.entries cursors --count 10000 --seed 1` tries as many as one likes: every input leads to an
outcome, in time. Programs, engine requests and server answers have modules of their own beside this one; catalogs,
mappings and pasted requests are changed in `tests/mapping/mangling.py` and `tests/pasted/mangling.py`.
"""

import json
import logging
import sys
import tempfile
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, field
from functools import cache
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

from qlc.conversation import Conversation, HistoryError
from qlc.outcome import OUTCOME, Clarify, Failed, Hits, Outcome
from qlc.pipeline.compiler import Compiler
from qlc.translator.entry import Asker
from tests.conversation.damage import MESSAGES, TALKS, damaged
from tests.fuzz.changing import changed_text
from tests.fuzz.running import options
from tests.fuzz.target import NOW, small_store

DEADLINE = 10.0
SLOW = 2.0
"""Seconds of processor time that one input may take."""
LISTS = (
    "find documents where size > 0", 'find documents where about "tax"',
    "find folders where name exists sort name",
)
SIGNS = ("\x00", "\ud800", "\u202e", "'", '"', "(", ")", "[", "]", ",", " and ", " or ", " not ", "\n", "é", "😀",
         "1e999", "-1", "%")  # fmt: skip


@dataclass
class Found:
    """Counts of outcomes by kind, and the unexpected ones."""

    kinds: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)
    slowest: float = 0.0

    def outcome(self, one: Outcome, asked: str = "") -> None:
        """`asked`: what it is the outcome of, where the outcome does not say it."""
        OUTCOME.validate_json(one.model_dump_json())
        self.kinds[one.kind] += 1
        if isinstance(one, Failed) and one.reason not in ("expired", "timeout"):
            self.findings.append(f"{one.reason}: {one.query} {one.message} {asked}")


@cache
def store() -> Compiler:
    return small_store()


# --- cursors and tokens ----------------------------------------------------------------------------------------------


@cache
def _pages() -> tuple[tuple[str, str], ...]:
    pages = ((one, store().run(one, size=3, now=NOW)) for one in LISTS)
    return tuple((one, page.cursor) for one, page in pages if isinstance(page, Hits) and page.cursor)


def cursors(random: Random, found: Found) -> None:
    """The cursor of a page, damaged as a text or in one of its parts; now and then that of another list."""
    source, cursor = random.choice(_pages())
    if random.random() < 0.4:
        given: Any = changed_text(cursor, random, SIGNS)
    else:
        parts = damaged(json.loads(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))), random)
        text = json.dumps(parts).encode("utf-8", "surrogatepass")
        given = urlsafe_b64encode(text).decode().rstrip("=")
    source = source if random.random() < 0.9 else random.choice(LISTS)
    found.outcome(store().run(source, cursor=given, size=3, now=NOW, deadline=DEADLINE))


NAMED = ('find documents where folder = "Travel"', 'find documents where owner = "Mara"', 'get document("W2").size')


def tokens(random: Random, found: Found) -> None:
    """Answers to a question back: tokens and ids of others, damaged, or none at all."""
    source = random.choice(NAMED)
    asked = store().run(source, now=NOW)
    token, ids = "W10", ["x"]
    if isinstance(asked, Clarify):
        token, ids = asked.token, [str(option.id) for option in asked.options]
    choices = {}
    for _ in range(random.randint(1, 3)):
        given = token if random.random() < 0.5 else changed_text(token, random, SIGNS)
        choices[given] = changed_text(random.choice(ids), random, SIGNS)
    found.outcome(store().run(source, choices=choices, now=NOW, deadline=DEADLINE))


# --- words and conversations -----------------------------------------------------------------------------------------


ODD_WORDS = (
    ".", "..", "5.", ".5", "1.2.3", "1,,0", "١٢", "４", "²", "½", "Ⅷ", "-", "--5", "+3", "%", "$", "$.", "days",
    "MB", "k", "1k", "5e9", "1e999", "0x1F", "inf", "nan", "'", '"', '""', "(", ")", "[]", "*", "?", "\\", "∞",
    "2024-02-30", "0000", "99/99/9999", "-1", "0", "31st", "0th", "1000000th", "first", "last", "not", "or", "and",
    "by", "than", "between", "except", "half", "dozen", "a", "the", "of", "null", "9" * 400, "\0", "\ud800",
    "\u202e",
)  # fmt: skip


def words(random: Random, found: Found) -> None:
    """Messages as people write them, damaged, joined or repeated."""
    text = random.choice(MESSAGES)
    if random.random() < 0.3:
        text = f"{text} {random.choice(('and', 'or', ',', 'but not', ''))} {random.choice(MESSAGES)}"
    if random.random() < 0.5:
        said = text.split()
        for _ in range(random.choice((1, 1, 2, 4))):
            said.insert(random.randrange(len(said) + 1), random.choice(ODD_WORDS))
        text = " ".join(said)
    else:
        text = changed_text(text, random, SIGNS)
    text *= random.choice((1, 1, 1, 1, 3, 30))
    found.outcome(Asker(store()).ask(text, now=NOW, deadline=DEADLINE), repr(text))


@cache
def _histories() -> tuple[Any, ...]:
    found = []
    for texts in TALKS:
        talk = Conversation(Asker(store()), now=NOW)
        found += [json.loads(json.dumps(talk.turn(text).history)) for text in texts]
    return tuple(found)


def histories(random: Random, found: Found) -> None:
    """The history of a conversation, damaged, and one message more."""
    history = damaged(random.choice(_histories()), random)
    try:
        talk = Conversation(Asker(store()), history, now=NOW, deadline=DEADLINE)
    except HistoryError:
        found.kinds["refused"] += 1
        return
    message = random.choice(MESSAGES)
    for one in talk.turn(message).outcomes:
        found.outcome(one, f"{message!r} after {history}")


# --- files -----------------------------------------------------------------------------------------------------------

_LINE = {"id": "a1", "name": "Lease", "size": 17, "tags": ["a", "b"], "made": "2026-03-01", "who": {"name": "Ann"}}


def lines(random: Random, found: Found) -> None:
    """A file of NDJSON whose lines are damaged as bytes: each is loaded or listed, and no other is lost."""
    from qlc.cli.main import main

    whole = [json.dumps({**_LINE, "id": f"a{number}"}).encode() for number in range(20)]
    hurt = set(random.sample(range(20), 3))
    content = [_hurt(one, random) if number in hurt else one for number, one in enumerate(whole)]
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(StringIO()) as told, redirect_stderr(StringIO()):
        file = Path(folder, "things.ndjson")
        file.write_bytes(b"\n".join(content))
        main(["index", str(file), "--data", str(Path(folder, "data")), "--id", "id", "--json"])
        report = json.loads(told.getvalue())
    found.kinds["loaded"] += report["loaded"]
    if report["loaded"] < 17:
        found.findings.append(f"{report} of {content!r}")


def _hurt(line: bytes, random: Random) -> bytes:
    made = bytearray(line)
    for _ in range(random.choice((1, 2, 6))):
        byte = random.choice((random.randrange(256), 0, 0xFF, 0xC3, ord('"'), ord("}")))
        made[random.randrange(len(made))] = 32 if byte == 10 else byte
    return bytes(made)


ENTRIES: dict[str, Callable[[Random, Found], None]] = {
    "cursors": cursors, "tokens": tokens, "words": words, "histories": histories, "lines": lines,
}  # fmt: skip


def fuzz(entry: str, count: int, seed: int) -> Found:
    """So many inputs at one entry point; the same seed draws the same."""
    found, random = Found(), Random(seed)
    with suppress(Exception):
        ENTRIES[entry](Random(seed), Found())  # what is made once is not counted
    for number in range(count):
        started = time.thread_time()
        try:
            ENTRIES[entry](random, found)
        except Exception as problem:  # noqa: BLE001 - it is what is looked for
            found.findings.append(f"{type(problem).__name__}: {problem} (input {number})")
        took = time.thread_time() - started
        found.slowest = max(found.slowest, took)
        if took > SLOW:
            found.findings.append(f"took {took:.1f} s")
    return found


def main() -> int:
    parser = options(".entries", __doc__, 10_000)
    parser.add_argument("entry", choices=ENTRIES)
    given = parser.parse_args()
    logging.getLogger("qlc").setLevel(logging.CRITICAL)
    found = fuzz(given.entry, given.count, given.seed)
    print(f"{given.count:,} {given.entry}, seed {given.seed}: {dict(found.kinds)}, slowest {found.slowest:.2f} s")
    for one, times in Counter(found.findings).most_common(20):
        print(f"{times:,} times: {one}")
    return 1 if found.findings else 0


if __name__ == "__main__":
    sys.exit(main())
