"""Limits that a server draws by itself: not injected, met."""

import json
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import qlc
from qlc.outcome import Failed, Outcome
from qlc.pipeline.compiler import Compiler
from tests.faults import world
from tests.faults.conftest import ON_EACH, Bench

pytestmark = ON_EACH


def failed(outcome: Outcome) -> Failed:
    assert isinstance(outcome, Failed), outcome
    return outcome


@contextmanager
def limited(bench: Bench, **settings: Any) -> Iterator[None]:
    """Settings of the index for a while."""
    bench.direct.indices.put_settings(index=world.INDEX, settings=settings)
    try:
        yield
    finally:
        bench.direct.indices.put_settings(index=world.INDEX, settings=dict.fromkeys(settings))


def test_a_page_that_waited_too_long(bench: Bench) -> None:
    """An index without an id is paged in a point in time; when that is gone, the next page cannot be right."""
    client = qlc.connect(bench.proxy.url)
    compiler = Compiler(client, index=world.INDEX)
    first = compiler.run('find entries where kind = "box" sort name', size=5)
    assert first.kind == "hits"
    assert len(first.ids) == 5
    client.close_point_in_time(id=point_in_time(first.cursor or ""))
    ended = failed(compiler.run('find entries where kind = "box" sort name', size=5, cursor=first.cursor))
    assert (ended.reason, ended.retryable) == ("expired", False)
    assert ended.message == "This page has expired. Ask for the first page again."
    client.close()


def point_in_time(cursor: str) -> str:
    return str(json.loads(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))[-1])


def test_the_result_window(bench: Bench, compiler: Compiler) -> None:
    with limited(bench, max_result_window=20):
        ended = failed(compiler.run("find things where size > 10 sort size", size=50))
    assert (ended.reason, ended.retryable) == ("too-large", False)
    assert len(getattr(compiler.run("find things where size > 10 sort size", size=50), "ids", ())) == 50
