"""Merges keep segments few, and leave large ones alone while only small ones come."""

from qlc_engine.merge_policy import run_to_merge


def grown(sizes: list[int], new: list[int], *, searched: bool = True) -> tuple[list[int], int]:
    """The sizes after each new segment and its merges, and how many documents were written by merges."""
    written = 0
    for size in new:
        sizes = [*sizes, size]
        run = run_to_merge([(each, each) for each in sizes], searched=searched)
        while run is not None:
            first, last = run
            merged = sum(sizes[first:last])
            written += merged
            sizes = [*sizes[:first], merged, *sizes[last:]]
            run = run_to_merge([(each, each) for each in sizes], searched=searched)
    return sizes, written


def test_single_writes_do_not_rewrite_a_large_segment() -> None:
    sizes, written = grown([1_000_000], [1] * 2_000)
    assert sizes[0] == 1_000_000
    assert len(sizes) < 30
    assert written < 1_000_000


def test_a_load_is_merged_a_few_times_over() -> None:
    sizes, written = grown([], [500] * 2_000)
    assert sum(sizes) == 1_000_000
    assert len(sizes) < 30
    assert max(sizes) <= 500_000
    assert written < 5 * 1_000_000


def test_segments_of_mostly_deleted_documents_are_written_anew() -> None:
    assert run_to_merge([(100_000, 90_000), (100_000, 40_000)], searched=True) == (1, 2)
    assert run_to_merge([(100, 1), (100, 100)], searched=True) is None


def test_a_load_without_a_refresh_is_merged_once_into_segments_of_bounded_size() -> None:
    sizes, written = grown([], [26_000] * 200, searched=False)
    assert max(sizes) <= 550_000
    assert sum(size < 500_000 for size in sizes) <= 38
    assert written <= sum(sizes)
    assert run_to_merge([(26_000, 26_000)] * 38, searched=False) is None
    assert run_to_merge([(26_000, 26_000)] * 39, searched=False) == (0, 20)


def test_a_large_load_that_is_searched_at_its_end_has_few_segments() -> None:
    loaded, _ = grown([], [26_000] * 34, searched=False)
    sizes, written = grown([100_000, *loaded], [16_000])
    assert sizes == [516_000, 484_000]
    assert written <= sum(sizes)


def test_what_is_no_larger_than_those_after_it_is_merged_with_them() -> None:
    assert run_to_merge([(90_000, 90_000), *[(40_000, 40_000)] * 3], searched=True) == (0, 4)
    assert run_to_merge([(200_000, 200_000), *[(40_000, 40_000)] * 3], searched=True) == (1, 4)


def test_no_small_rest_is_left_of_a_run() -> None:
    run = [(26_000, 26_000)] * 20
    assert run_to_merge(run, searched=True) == (0, 20)
    assert run_to_merge([*run, *[(26_000, 26_000)] * 3], searched=True) == (0, 20)


def test_neighbours_of_large_segments_are_merged_among_themselves() -> None:
    small = [(900, 900)] * 8
    assert run_to_merge([(300_000, 300_000), *small, (300_000, 300_000)], searched=True) == (1, 9)
    assert run_to_merge([(300_000, 300_000), *small[:7], (300_000, 300_000), (900, 900)], searched=True) is None


def test_what_a_load_leaves_is_merged_when_searches_come() -> None:
    left = [(100_000, 100_000), (494_000, 494_000), *[(26_000, 26_000)] * 15, (16_000, 16_000)]
    assert run_to_merge(left, searched=False) is None
    assert run_to_merge(left, searched=True) == (2, 18)
