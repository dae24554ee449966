"""Conversations in Redis. Needs the package redis: `pip install 'qlc-search[redis]'`.

What survives a crash of the server is a matter of its own settings (`appendonly yes`, `appendfsync always`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from qlc.conversation.stores.protocol import ConversationBusy, Saved, StoreUnavailable, driver

T = TypeVar("T")

PREFIX = "qlc:conversation:"
ATTEMPTS = 2
WRITE = """
if tonumber(redis.call('HGET', KEYS[1], 'revision') or '0') ~= tonumber(ARGV[1]) - 1 then return 0 end
redis.call('HSET', KEYS[1], 'revision', ARGV[1], 'data', ARGV[2])
redis.call('ZADD', KEYS[2], redis.call('INCR', KEYS[3]), ARGV[3])
return 1
"""
"""One script, because a write is to be refused where another one came before. It also counts the writes: by that number
the conversations are listed."""


class RedisStore:
    """`url` is `redis://host:port/database`, `rediss://` with TLS, `unix://path`. `prefix` begins every key.

    Raises StoreUnavailable, UsageError without the package redis.
    """

    def __init__(self, url: str, *, prefix: str = PREFIX) -> None:
        self._redis = driver("redis", "redis")
        self._prefix = prefix
        self._listed, self._counter = f"{prefix}:listed", f"{prefix}:writes"
        # a lost connection is opened again; what was written by then is found out in `write`
        again = self._redis.retry.Retry(self._redis.backoff.NoBackoff(), ATTEMPTS - 1)
        given = {"decode_responses": True, "encoding_errors": "replace", "retry": again}
        self._client: Any = self._done(lambda: self._redis.Redis.from_url(url, **given))
        self._write = self._client.register_script(WRITE)
        self._done(self._client.ping)

    def _done(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except (self._redis.RedisError, ValueError) as problem:
            message = re.sub(r"^Error -?\d+ ", "", str(problem).partition("\n")[0]) or type(problem).__name__
            raise StoreUnavailable(f"conversations cannot be stored in Redis: {message}") from None

    def read(self, id: str) -> Saved | None:
        revision, data = self._done(lambda: self._client.hmget(self._prefix + id, "revision", "data"))
        return None if data is None else Saved(int(revision) if str(revision).isdecimal() else 0, data)

    def write(self, id: str, data: str, revision: int) -> None:
        keys = [self._prefix + id, self._listed, self._counter]
        written = self._done(lambda: self._write(keys=keys, args=[revision, data, id]))
        # Where the connection was lost after a write, the client's second attempt finds it done.
        if not written and self.read(id) != Saved(revision, data):
            raise ConversationBusy.elsewhere(id)

    def delete(self, id: str) -> None:
        def both() -> None:
            with self._client.pipeline() as pipeline:
                pipeline.delete(self._prefix + id).zrem(self._listed, id).execute()

        self._done(both)

    def ids(self) -> Sequence[str]:
        return list(self._done(lambda: self._client.zrevrange(self._listed, 0, -1)))

    def close(self) -> None:
        self._client.close()
