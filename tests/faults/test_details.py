"""The log has no credentials and a bounded length. Also: how ranked searches and waits are sent."""

import contextvars
import threading

import pytest

from qlc.base.waiting import within
from qlc.compiler.request import SearchRequest
from qlc.resolver.driver import calls
from qlc.resolver.failures import LONGEST_DETAIL, detail_of, failure_of_error
from tests.tables import rows


@pytest.mark.parametrize(("told", "kept"), rows(__file__, "test_credentials_are_hidden"))
def test_credentials_are_hidden(told: str, kept: str) -> None:
    assert detail_of(told) == kept
    assert kept in failure_of_error(400, {"type": "x", "reason": told}).detail


def test_a_page_of_html_is_cut() -> None:
    assert len(failure_of_error(502, "<html>" + "x" * 1_000_000).detail) == LONGEST_DETAIL


def test_what_each_shard_says_is_logged_once() -> None:
    shards = [{"shard": n, "reason": {"type": "query_shard_exception", "reason": f"[things][{n}] no [x]"}}
              for n in range(3)]  # fmt: skip
    error = {"type": "search_phase_execution_exception", "reason": "all shards failed", "failed_shards": shards}
    assert failure_of_error(400, error).detail == (
        "400 search_phase_execution_exception: all shards failed; query_shard_exception: [things][0] no [x]"
    )


def test_a_server_that_runs_no_scripts_is_named_in_a_sentence() -> None:
    """As Elasticsearch says it without Painless, and with `script.allowed_types: none`."""
    for reason in ("script_lang not supported [painless]", "cannot execute [inline] scripts"):
        failed = failure_of_error(400, {"type": "illegal_argument_exception", "reason": reason})
        assert failed.sentence.startswith("The search server runs no scripts")


def test_ranked_searches_count_words_over_all_shards() -> None:
    ranked, plain = SearchRequest("i", {}, "", ranked=True), SearchRequest("i", {}, "")
    (call,) = calls([ranked])
    assert call.params == {"search_type": "dfs_query_then_fetch"}
    (call,) = calls([plain])
    assert not call.params
    (call,) = calls([plain, ranked])
    assert call.body[::2] == [{"index": "i"}, {"index": "i", "search_type": "dfs_query_then_fetch"}]


def test_waiting_gives_what_the_work_gives() -> None:
    of_the_caller = contextvars.ContextVar("of_the_caller", default="none")
    of_the_caller.set("mine")
    assert within(10, of_the_caller.get) == "mine"
    with pytest.raises(ZeroDivisionError):
        within(10, lambda: 1 // 0)


def test_waiting_ends_in_time_and_goes_on_after() -> None:
    held = threading.Event()
    for _ in range(3):
        with pytest.raises(TimeoutError):
            within(0.05, lambda: held.wait(30))
    assert [within(10, lambda number=number: number) for number in range(50)] == list(range(50))  # type: ignore[misc]
    held.set()


def test_threads_are_used_again() -> None:
    names = {within(10, lambda: threading.current_thread().ident) for _ in range(20)}
    assert len(names) < 5
