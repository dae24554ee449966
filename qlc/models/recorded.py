"""Replies of a language model in a file: recorded once with a key, replayed by everybody without one.

A line of the file: {"qlc_replies": 1, "model": ..., "request": HASH, "said": HASH, "reply": {...}, "seconds": 1.9}
`request` is of the whole request, `said` of its messages alone, so that replies outlive a change of the instructions.
Prompts and keys are not stored; a program in a reply has words of its question.
"""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from qlc.base.errors import UsageError
from qlc.models.budgets import PRICES, Budget, Usage
from qlc.models.exchange import Model, ModelFailed, ModelReply, ModelRequest

VERSION = 1
MOST_BYTES = 256 * 1024 * 1024
_REPLY = TypeAdapter(ModelReply)


@dataclass(frozen=True, slots=True)
class Spent:
    """Calls of a model with their tokens and seconds."""

    calls: int = 0
    usage: Usage = field(default_factory=Usage)
    seconds: float = 0.0
    other_prompts: int = 0

    def sentence(self, model: str) -> str:
        """Return one line: "12 calls of claude-x: 40,000 tokens in (30,000 cached), 900 out, $0.03, 1.8 s a call"."""
        cached = self.usage.read
        tokens = self.usage.input + self.usage.written + cached
        price = Budget(prices=PRICES).price(model)
        cost = f", ${price.of(self.usage):.2f} at list prices" if price is not None else ""
        old = f"; {self.other_prompts:,} of them were recorded with other instructions" if self.other_prompts else ""
        each = self.seconds / max(self.calls, 1)
        return (f"{self.calls:,} calls of {model}: {tokens:,} tokens in ({cached:,} cached), {self.usage.output:,} out"
                f"{cost}, {each:.1f} s a call{old}.")  # fmt: skip


class RecordedModel:
    """A model whose replies are in a file. With a `model`, requests that have no reply there are sent to it and their
    replies are added, so that an interrupted run goes on without asking twice; without one they fail.

    The nth time that a request is made it gets the nth reply to it. Safe under threads.
    """

    def __init__(self, path: str | Path, model: Model | None = None) -> None:
        self._path, self._model = Path(path), model
        self._lock = threading.Lock()
        self._whole: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
        self._said: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
        self._times: Counter[str] = Counter()
        self.spent = Spent()
        names = [self._kept(line) for line in self._lines()]
        if model is None and not names:
            raise UsageError(f"'{path}' has no replies of a model: record some with --record {path}")
        self.name = model.name if model is not None else names[-1]

    def _lines(self) -> list[dict[str, Any]]:
        """Return the lines of the file. Raises UsageError for one that holds no replies; a cut last line is none."""
        if not self._path.is_file():
            return []
        if self._path.stat().st_size > MOST_BYTES:
            raise UsageError(f"'{self._path}' is larger than {MOST_BYTES:,} bytes")
        found: list[dict[str, Any]] = []
        lines = self._path.read_text("utf-8").splitlines()
        for number, line in enumerate(lines, 1):
            try:
                one = json.loads(line)
                if one["qlc_replies"] != VERSION:
                    raise UsageError(f"'{self._path}' was written by another version of qlc")
                _REPLY.validate_python(one["reply"])
                found.append({name: one[name] for name in ("model", "request", "said", "reply", "seconds")})
            except (ValueError, KeyError, TypeError, ValidationError):
                if number < len(lines):
                    raise UsageError(f"line {number} of '{self._path}' is not a recorded reply") from None
        return found

    def _kept(self, line: dict[str, Any]) -> str:
        self._whole[line["request"]].append(line)
        self._said[line["said"]].append(line)
        return str(line["model"])

    def reply(self, request: ModelRequest, deadline: float) -> ModelReply:
        known, keys = self._known(request)
        if known is not None:
            return known
        began = time.monotonic()
        assert self._model is not None
        return self._added(self._model.reply(request, deadline), keys, time.monotonic() - began)

    async def reply_async(self, request: ModelRequest, deadline: float) -> ModelReply:
        known, keys = self._known(request)
        if known is not None:
            return known
        began = time.monotonic()
        assert self._model is not None
        return self._added(await self._model.reply_async(request, deadline), keys, time.monotonic() - began)

    def _known(self, request: ModelRequest) -> tuple[ModelReply | None, tuple[str, str]]:
        """Return the reply of the file and the keys of the request. Raises ModelFailed if nothing can reply."""
        keys = _hash(request.body()), _hash(request.body()["messages"])
        with self._lock:
            at = self._times[keys[0]]
            self._times[keys[0]] += 1
            replies = self._whole.get(keys[0]) or (self._said.get(keys[1]) if self._model is None else None) or []
            if at < len(replies) or (replies and self._model is None):
                one = replies[min(at, len(replies) - 1)]
                reply = _REPLY.validate_python(one["reply"])
                self._count(reply, float(one["seconds"]), one["request"] != keys[0])
                return reply, keys
        if self._model is None:
            raise ModelFailed("unrecorded", f"'{self._path}' has no reply to this request")
        return None, keys

    def _added(self, reply: ModelReply, keys: tuple[str, str], seconds: float) -> ModelReply:
        data = _REPLY.dump_python(reply, mode="json")
        line = {"qlc_replies": VERSION, "model": self.name, "request": keys[0], "said": keys[1], "reply": data,
                "seconds": round(seconds, 3)}  # fmt: skip
        with self._lock:
            self._kept(line)
            self._count(reply, seconds, False)
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
        return reply

    def _count(self, reply: ModelReply, seconds: float, is_other: bool) -> None:
        was = self.spent
        self.spent = Spent(was.calls + 1, was.usage + reply.usage, was.seconds + seconds, was.other_prompts + is_other)


def _hash(data: Any) -> str:
    text = json.dumps(data, sort_keys=True)
    return hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=16).hexdigest()
