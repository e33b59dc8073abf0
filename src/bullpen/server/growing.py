"""What only grows while a game is played, tried on copies: they share what is settled.

A copy costs the same however long the game is.  One copy at a time is settled, and the others are dropped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")
Key = TypeVar("Key")


class Grown(Generic[T]):
    """A list that grows, or shrinks, at its end."""

    __slots__ = ("_fresh", "_kept", "_settled")

    def __init__(self) -> None:
        self._settled: list[T] = []  # shared by all copies
        self._kept = 0  # so many of them are ours
        self._fresh: list[T] = []

    def copy(self) -> Grown[T]:
        copied: Grown[T] = Grown.__new__(Grown)
        copied._settled, copied._kept, copied._fresh = self._settled, self._kept, self._fresh[:]
        return copied

    def append(self, item: T) -> None:
        self._fresh.append(item)

    def extend(self, items: Iterable[T]) -> None:
        self._fresh.extend(items)

    def pop(self) -> T:
        if self._fresh:
            return self._fresh.pop()
        self._kept -= 1
        return self._settled[self._kept]

    def settle(self) -> None:
        del self._settled[self._kept :]
        self._settled += self._fresh
        self._kept, self._fresh = len(self._settled), []

    def __len__(self) -> int:
        return self._kept + len(self._fresh)

    def __reversed__(self) -> Iterator[T]:
        yield from reversed(self._fresh)
        yield from (self._settled[at] for at in range(self._kept - 1, -1, -1))

    def __iter__(self) -> Iterator[T]:
        yield from self._settled[: self._kept]
        yield from self._fresh


class Known(Generic[Key, T]):
    """A dictionary to which is only added."""

    __slots__ = ("_fresh", "_settled")

    def __init__(self) -> None:
        self._settled: dict[Key, T] = {}
        self._fresh: dict[Key, T] = {}

    def copy(self) -> Known[Key, T]:
        copied: Known[Key, T] = Known.__new__(Known)
        copied._settled, copied._fresh = self._settled, self._fresh.copy()
        return copied

    def put(self, key: Key, value: T) -> None:
        self._fresh[key] = value

    def get(self, key: Key) -> T | None:
        return self._fresh.get(key, self._settled.get(key))

    def settle(self) -> None:
        self._settled.update(self._fresh)
        self._fresh = {}
