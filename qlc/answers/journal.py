"""The replies of a language model for an answer that was broken off, so that the same requests are not sent again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pydantic import TypeAdapter, ValidationError

from qlc.models.exchange import ModelReply, ModelRequest

Kept = dict[str, tuple[dict[str, Any], float]]
"""Replies as JSON and the seconds that they took, by the hash of their requests."""

_REPLY = TypeAdapter(ModelReply)


def _nothing(kept: Kept) -> None: ...


@dataclass
class Journal:
    """`kept` are replies of the same answer from before, `keep` is called with all that there are after each one.

    A reply counts for exactly the same request to the same model: where documents, access or the schema are others by
    now, the request is another one, and the model is asked.
    """

    kept: Kept = field(default_factory=dict)
    keep: Callable[[Kept], None] = _nothing
    _said: Kept = field(default_factory=dict)

    def reply(self, model: str, request: ModelRequest) -> tuple[ModelReply, float | None] | None:
        """Return the earlier reply to the same request, and the seconds that it took; None without one.

        The seconds are None if this answer has counted them already.
        """
        key = _hash(model, request)
        is_paid = key in self._said
        if not is_paid and key not in self.kept:
            return None
        said, seconds = self._said.setdefault(key, self.kept.get(key, ({}, 0.0)))
        try:
            return _REPLY.validate_python(said), None if is_paid else seconds
        except ValidationError:  # written by another version
            return None

    def add(self, model: str, request: ModelRequest, reply: ModelReply, seconds: float) -> None:
        self._said[_hash(model, request)] = _REPLY.dump_python(reply, mode="json"), seconds
        self.keep({**self.kept, **self._said})


def _hash(model: str, request: ModelRequest) -> str:
    text = json.dumps([model, request.body()], sort_keys=True)
    return hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=16).hexdigest()
