"""Random programs: valid ones, pieces of them joined anew, mutations of their tokens, and texts of any kind."""

import random
import re
from collections.abc import Callable, Sequence

TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|`[^`]*`|--[^\n]*|\$?[A-Za-z_@][A-Za-z0-9_]*|\d[\w.:+-]*|[<>!]=|\s+|.', re.DOTALL)

WORDS = [
    "find", "count", "get", "let", "where", "sort", "limit", "offset", "show", "of", "by", "having", "top", "asc",
    "desc", "and", "or", "not", "in", "has", "all", "any", "contains", "starts", "ends", "with", "like", "matches",
    "mentions", "about", "missing", "exists", "under", "within", "between", "true", "false", "null", "now", "today",
    "yesterday", "tomorrow", "this", "last", "next", "week", "month", "year", "days", "30", "documents", "folders",
    "entries", "document", "folder", "person", "root", "size", "folder", "type", "owner", "created", "tags", "name",
    "app", "id", "year(", "month(", "sum(", "avg(", "share(", "percentile(", "distinct(", "(", ")", "[", "]", ",",
    ".", "=", "!=", "<", "<=", ">", ">=", "-", "*", "$x", "$me", "2024", "2024-Q2", "2024-03-05", "2024-W10",
    "2024-02-30", "5", "5.5", "1e6", "-3", "1e400", "0", "MB", "KiB", "minutes", "%", "km", '"W2"', '"x"', '""',
    '"*"', "weekday(", "hour_of_day(", "step(", "bins(", "day(", "median(", "min(", "max(", "count", "shares",
    "comments", "attributes", "who", "role", '"Tax Documents"',
]  # fmt: skip

ODD = ["\x00", "\ufeff", "\u202e", "\U0001f600", "é", "e\u0301", "ß", "İ", "\ud800", "\\", "\\u00", "\"", "'", "`", "{",
       ";", "\t", "\r\n", "\n\n", "--", "/*", "\u00a0", "\u2028", "’", "“", "日本", "9" * 400, "a" * 3000]  # fmt: skip


class Programs:
    """Draws programs; the same seed draws the same ones."""

    def __init__(self, seeds: Sequence[str], random_: random.Random) -> None:
        self.seeds = list(seeds)
        self.random = random_
        self.conditions = _conditions(self.seeds)
        self.tokens = sorted({token for seed in self.seeds for token in TOKEN.findall(seed) if token.strip()})

    def draw(self) -> str:
        kind = self.random.random()
        if kind < 0.10:
            return self.random.choice(self.seeds)
        if kind < 0.45:
            return self.joined()
        if kind < 0.90:
            return self.mutated(self.random.choice(self.seeds))
        return self.noise()

    def joined(self) -> str:
        """A statement over an entity with conditions that other programs put to the same entity."""
        entity = self.random.choice(list(self.conditions))
        parts = [self.random.choice(self.conditions[entity]) for _ in range(self.random.randint(1, 3))]
        where = self.random.choice([" and ", " or "]).join(
            f"not ({part})" if self.random.random() < 0.2 else f"({part})" for part in parts
        )
        head = self.random.choice(["find", "find", "count", "sum(size) of", "count, distinct(type) of"])
        tail = self.random.choice(["", "", " sort created desc", " limit 3", " sort size limit 5 offset 2"])
        if head != "find":
            groups = ["", "", " by type", " by year(created)", " by folder limit 3", " by owner top 2"]
            tail = self.random.choice(groups)
        return f"{head} {entity} where {where}{tail}"

    def mutated(self, program: str) -> str:
        tokens = TOKEN.findall(program)
        for _ in range(self.random.choice([1, 1, 1, 2, 2, 3, 5])):
            if not tokens:
                break
            tokens = self.random.choice(MUTATIONS)(self, tokens)
        return "".join(tokens)

    def noise(self) -> str:
        how = self.random.random()
        if how < 0.4:
            return " ".join(self.random.choices(WORDS, k=self.random.randint(0, 25)))
        if how < 0.6:
            return " ".join(self.random.choices(self.tokens, k=self.random.randint(1, 20)))
        if how < 0.7:
            return self.deep()
        ends = self.random.choices([128, 0x3000], k=60)
        letters = [chr(self.random.randrange(end)) for end in ends]
        return "".join(self.random.sample([*letters, *ODD], k=self.random.randint(0, 60)))

    def deep(self) -> str:
        """Brackets in brackets, and long chains."""
        n = self.random.choice([10] * 6 + [100] * 6 + [1000] * 2 + [5000])
        return self.random.choice([
            "find documents where " + "(" * n + "size > 1" + ")" * n,
            "find documents where " + "not " * n + "size > 1",
            "find documents where " + " and ".join(["size > 1"] * n),
            "find documents where " + " or ".join(f"size = {i}" for i in range(n)),
            "find documents where folder" + ".folder" * n + ' = "x"',
            "find documents where id in [" + ", ".join(f'"{i}"' for i in range(n)) + "]",
            "find documents where " + "folder in (find folders where " * min(n, 300) + "id exists" + ")" * min(n, 300),
            "get " + ", ".join(['document("Dock Permit.pdf").size'] * n),
        ])  # fmt: skip


Tokens = list[str]


def _delete(self: Programs, tokens: Tokens) -> Tokens:
    at = self.random.randrange(len(tokens))
    return tokens[:at] + tokens[at + self.random.choice([1, 1, 1, 3]) :]


def _double(self: Programs, tokens: Tokens) -> Tokens:
    at = self.random.randrange(len(tokens))
    return [*tokens[: at + 1], *tokens[at:]]


def _swap(self: Programs, tokens: Tokens) -> Tokens:
    one, other = (self.random.randrange(len(tokens)) for _ in range(2))
    tokens[one], tokens[other] = tokens[other], tokens[one]
    return tokens


def _replace(self: Programs, tokens: Tokens) -> Tokens:
    at = self.random.randrange(len(tokens))
    tokens[at] = self.random.choice([*self.random.choices(WORDS, k=3), *self.random.choices(self.tokens, k=3)])
    return tokens


def _alike(self: Programs, tokens: Tokens) -> Tokens:
    """A token in place of one of the same kind, which often still compiles."""
    places = [at for at, token in enumerate(tokens) if token.strip()]
    at = self.random.choice(places or [0])
    same = [token for token in self.tokens if _kind(token) == _kind(tokens[at])]
    tokens[at] = self.random.choice(same or tokens)
    return tokens


def _insert(self: Programs, tokens: Tokens) -> Tokens:
    at = self.random.randrange(len(tokens) + 1)
    return [*tokens[:at], self.random.choice([" ", ""]), self.random.choice(WORDS), " ", *tokens[at:]]


def _splice(self: Programs, tokens: Tokens) -> Tokens:
    other = TOKEN.findall(self.random.choice(self.seeds))
    return tokens[: self.random.randrange(len(tokens) + 1)] + other[self.random.randrange(len(other)) :]


def _odd(self: Programs, tokens: Tokens) -> Tokens:
    at = self.random.randrange(len(tokens))
    token, odd = tokens[at], self.random.choice(ODD)
    cut = self.random.randrange(len(token) + 1)
    tokens[at] = token[:cut] + odd + token[cut:]
    return tokens


def _negate(self: Programs, tokens: Tokens) -> Tokens:
    at = [n for n, token in enumerate(tokens) if token in ("where", "and", "or", "(")]
    place = self.random.choice(at or [0])
    return [*tokens[: place + 1], " not ", *tokens[place + 1 :]]


def _case(self: Programs, tokens: Tokens) -> Tokens:
    at = self.random.randrange(len(tokens))
    tokens[at] = self.random.choice([str.upper, str.title, str.swapcase])(tokens[at])
    return tokens


def _cut(self: Programs, tokens: Tokens) -> Tokens:
    return tokens[: self.random.randrange(len(tokens) + 1)]


MUTATIONS: tuple[Callable[[Programs, Tokens], Tokens], ...] = (
    _delete, _double, _swap, _replace, _alike, _alike, _alike, _alike, _insert, _splice, _odd, _negate, _negate, _case,
    _cut,
)  # fmt: skip


def _kind(token: str) -> str:
    if not token:
        return ""
    if token[0] in "\"`$":
        return token[0]
    if token[0].isdigit():
        return "date" if "-" in token else "number"
    return "word" if token[0].isalpha() else token


def _conditions(seeds: Sequence[str]) -> dict[str, list[str]]:
    """The conditions of simple programs, by the entity that they are put to."""
    found: dict[str, list[str]] = {}
    simple = re.compile(r"^(?:find|count) (\w+) where (.*?)(?: sort .*| limit .*| show .*| by .*)?$", re.DOTALL)
    for seed in seeds:
        match = simple.match(seed.strip())
        if match and "--" not in seed and match[2].count("(") == match[2].count(")"):
            found.setdefault(match[1], []).append(match[2])
    return {entity: conditions for entity, conditions in found.items() if len(conditions) > 5}
