"""The cache forgets in time, within its size, on writes, and never tells one access what another saw."""

import threading

from qlc.resolver.names import Candidate, Found, NameCache
from qlc.resolver.names.cache import CacheKey, TooManyNames
from qlc.resolver.names.lexicon import Lexicon


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def key(
    text: str = "x", *, index: str = "i", version: str = "1", entity: str = "folder", access: str = "a"
) -> CacheKey:
    return CacheKey(frozenset({index}), version, entity, access, text)


def found(text: str = "x", candidates: int = 1) -> Found:
    return Found("folder", text, "exact", tuple(Candidate(str(n), text, "", text) for n in range(candidates)))


def keep(cache: NameCache, at: CacheKey, value: Found) -> None:
    cache.keep_result(at, value, cache.generation)


def test_a_result_is_kept_for_its_time() -> None:
    clock = Clock()
    cache = NameCache(60, clock=clock)
    keep(cache, key(), found())
    clock.now = 59.9
    assert cache.result(key()) == found()
    clock.now = 60
    assert cache.result(key()) is None


def test_every_part_of_the_key_counts() -> None:
    cache = NameCache()
    keep(cache, key(), found())
    for other in (key("y"), key(index="j"), key(version="2"), key(entity="document"), key(access="b")):
        assert cache.result(other) is None


def test_the_least_recently_used_go_first() -> None:
    cache = NameCache(candidates=6)
    for text in "abc":  # each weighs two
        keep(cache, key(text), found(text))
    assert cache.result(key("a"))
    keep(cache, key("d"), found("d"))
    assert [text for text in "abcd" if cache.result(key(text))] == ["a", "c", "d"]


def test_what_is_too_big_alone_is_not_kept() -> None:
    cache = NameCache(candidates=3, names=3)
    keep(cache, key("a"), found("a"))
    keep(cache, key("b"), found("b", candidates=5))
    assert cache.result(key("b")) is None
    assert cache.result(key("a"))
    cache.keep_lexicon(key(), Lexicon("abcdef"), cache.generation)
    assert cache.lexicon(key()) is None


def test_what_was_read_before_a_write_is_not_kept_after_it() -> None:
    cache = NameCache()
    before = cache.generation
    keep(cache, key("y"), found())
    cache.clear()
    assert cache.result(key("y")) is None
    cache.keep_result(key(), found(), before)
    cache.keep_lexicon(key(), TooManyNames(), before)
    assert cache.result(key()) is None
    assert cache.lexicon(key()) is None


def test_threads_may_share_it() -> None:
    cache = NameCache(candidates=50)
    problems: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for step in range(300):
                text = str((number * 7 + step) % 40)
                keep(cache, key(text), found(text))
                kept = cache.result(key(text))
                assert kept is None or kept.text == text
                if step % 50 == 0:
                    cache.clear()
        except BaseException as problem:  # noqa: BLE001  (handed to the main thread)
            problems.append(problem)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []


def test_lexicons_read_in_one_round_are_one() -> None:
    cache = NameCache(60)
    generation = cache.generation
    first, second = Lexicon(["a", "b"]), Lexicon(["a", "b"])
    assert cache.keep_lexicon(key(), first, generation) is first
    assert cache.keep_lexicon(key(), second, generation) is first
    cache.clear()
    assert cache.keep_lexicon(key(), second, generation) is second
    assert cache.lexicon(key()) is None
