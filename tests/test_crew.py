"""The threads of a batch."""

from __future__ import annotations

import gc
import threading
import time

import pytest

from bullpen.fast.crew import Crew
from tests.patience import PATIENCE


@pytest.mark.parametrize("jobs", [1, 2, 3, 5])
@pytest.mark.parametrize("count", [0, 1, 9, 10, 1000])
def test_every_item_is_done_once_whoever_does_it(jobs: int, count: int) -> None:
    crew, done, lock = Crew(jobs, smallest_share=10), [0] * count, threading.Lock()

    def work(first: int, last: int) -> None:
        with lock:
            for item in range(first, last):
                done[item] += 1

    for _ in range(50):
        crew.share(work, count)
    assert done == [50] * count


def test_what_fails_in_another_thread_fails_for_the_caller_and_the_crew_works_on() -> None:
    crew, caller = Crew(2, smallest_share=1), threading.get_ident()

    def fail_elsewhere(_first: int, _last: int) -> None:
        if threading.get_ident() != caller:
            raise ArithmeticError

    with pytest.raises(ArithmeticError):
        crew.share(fail_elsewhere, 100)
    done: list[int] = []
    crew.share(lambda first, last: done.extend(range(first, last)), 100)
    assert sorted(done) == list(range(100))


def test_when_the_caller_fails_the_others_are_waited_for() -> None:
    crew, caller, done = Crew(2, smallest_share=1), threading.get_ident(), []

    def fail_here(first: int, last: int) -> None:
        if threading.get_ident() == caller:
            raise ArithmeticError
        time.sleep(0.05)
        done.append((first, last))

    with pytest.raises(ArithmeticError):
        crew.share(fail_here, 100)
    assert len(done) == 1
    done.clear()
    crew.share(lambda first, last: done.append((first, last)), 100)
    assert len(done) == 2


def test_a_slow_crew_leaves_more_to_the_caller() -> None:
    crew, caller, own = Crew(2, smallest_share=1), threading.get_ident(), [0]

    def work(first: int, last: int) -> None:
        if threading.get_ident() != caller:
            time.sleep(0.002)
        else:
            own[0] = last - first

    for _ in range(20):
        crew.share(work, 1000)
    assert own[0] > 520


def test_the_threads_go_when_their_crew_goes() -> None:
    others = set(threading.enumerate())  # some of them may be about to go, too
    crew = Crew(3, smallest_share=1)
    crew.share(lambda _first, _last: None, 100)
    threads = set(threading.enumerate()) - others
    assert len(threads) == 2
    del crew
    gc.collect()
    for thread in threads:
        thread.join(PATIENCE)
    assert not any(thread.is_alive() for thread in threads)
