"""A loopback in place of a language model: it answers from a script, through the real client."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from qlc.answers.model import Reader
from qlc.models.anthropic_model import AnthropicModel
from tests.model.messages_api import Said, Server, serving, uses

Scripted = Callable[..., tuple[Reader, Server]]


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Scripted]:
    """A reader whose model says what is given, one answer after the other, the last one again and again."""
    monkeypatch.delenv("QLC_FORBID_MODEL", raising=False)
    with ExitStack() as opened:

        def make(*script: Said, **options: Any) -> tuple[Reader, Server]:
            server = opened.enter_context(serving(*script))
            model = AnthropicModel("claude-haiku-4-5", api_key="sk-test", base_url=server.url)
            opened.callback(model.close)
            return Reader(model, **options), server

        yield make


def routes(*buckets: str, intent: str = "qa") -> Said:
    return uses("route", {"intent": intent, "buckets": list(buckets)})


def plans(bucket: str = "", intent: str = "qa", **more: Any) -> Said:
    return uses("plan", {"intent": intent, "bucket": bucket, **more})


def judges(holds: bool, why: str = "") -> Said:
    return uses("judge", {"holds": holds, "why": why})


def writes(*claims: tuple[str, list[tuple[str, str]]], status: str = "answer", **more: Any) -> Said:
    """Claims as their text, and their citations as passage and quote."""
    made = [
        {"text": text, "citations": [{"passage": passage, "quote": quote} for passage, quote in citations]}
        for text, citations in claims
    ]
    return uses("write_answer", {"status": status, "claims": made, **more})
