"""What a game's script says to whoever runs it: the words that all six games share.

A script is a generator that plays one game at a table of its own. It yields a step wherever the
trace must have a line: a shuffle and a decision are answered with what the line says, any other
line (an event, a round, the result) is told complete.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Shuffle:
    """The game asks for a shuffle of exactly these cards."""

    cards: list[Any]


@dataclass(frozen=True)
class Decide:
    """A seat decides; `legal` is every move it may make."""

    seat: int
    legal: list[str]


@dataclass(frozen=True)
class Tell:
    """A line that follows from the rules alone."""

    line: dict[str, Any]


Step = Shuffle | Decide | Tell
Asking = Generator[Step, Any, T]  # a part of a script that ends with a T
Script = Generator[Step, Any, None]
Fault = tuple[str, str]  # what was expected of a deck, and what was found


@dataclass(frozen=True)
class Header:
    """The first line of a trace, checked."""

    players: int
    options: Mapping[str, Any]
    deck: Mapping[str, Any]


@dataclass(frozen=True)
class Option:
    """The default of an option, which values it allows, and that in words."""

    default: Any
    allows: Callable[[Any], bool]
    words: str


class Game(Protocol):
    """A game is a module with these names."""

    SEATS: range

    def options(self, players: int) -> dict[str, Option]: ...
    def deck_faults(self, deck: Mapping[str, Any]) -> Iterator[Fault]: ...
    def script(self, header: Header) -> Script: ...


# -- Steps ----------------------------------------------------------------------------------------


def shuffle(cards: Iterable[T]) -> Asking[list[T]]:
    """Ask for a shuffle of exactly these cards."""
    shuffled: list[T] = yield Shuffle(list(cards))
    return shuffled


def decide(seat: int, legal: Iterable[str]) -> Asking[str]:
    """Ask a seat for one of these moves, even if there is only one."""
    move: str = yield Decide(seat, list(legal))
    return move


def choose(seat: int, word: str, numbers: Iterable[int]) -> Asking[int]:
    """A choice that the game makes itself where there is one possibility: `word 3`."""
    numbers = list(numbers)
    if len(numbers) == 1:
        return numbers[0]
    move = yield from decide(seat, [f"{word} {number}" for number in numbers])
    return last_number(move)


def choose_cards(hands: Sequence[Sequence[int]]) -> Asking[list[int]]:
    """A secret choice of a hand card by every seat, by seat, and the `reveal` of the cards."""
    cards = []
    for seat, hand in enumerate(hands):
        move = yield from decide(seat, [f"play {card}" for card in hand])
        cards.append(last_number(move))
    yield event("reveal", cards=list(cards))
    return cards


def last_number(move: str) -> int:
    """The number a move ends with: 43 of `play 43`, 31 of `pile 49 on 31`."""
    return int(move.rsplit(maxsplit=1)[-1])


def event(name: str, **fields: Any) -> Tell:
    """An event line: its name and exactly these fields."""
    return Tell({"event": name, **fields})


def round_line(number: int, points: Sequence[int]) -> Tell:
    """The points of one round alone, after its last event."""
    return Tell({"round": number, "scores": list(points)})


def result(scores: Sequence[int], best: Callable[[Sequence[int]], int]) -> Tell:
    """The last line; `best` is `min` or `max`, and tied players share the win."""
    winners = [seat for seat, score in enumerate(scores) if score == best(scores)]
    return Tell({"scores": list(scores), "winners": winners})


# -- Cards ----------------------------------------------------------------------------------------


def deal(shuffled: Iterator[int], count: int) -> list[int]:
    """The next `count` cards of a shuffle."""
    return [next(shuffled) for _ in range(count)]


def nearest_lower(ends: Sequence[int], card: int) -> int | None:
    """Index of the highest of `ends` below the card, None if the card is lower than all."""
    lower = [end for end in ends if end < card]
    return ends.index(max(lower)) if lower else None


def total(heads: Sequence[int], cards: Iterable[int]) -> int:
    """The heads on some cards; `heads` is a trace's list, its first entry for card 1."""
    return sum(heads[card - 1] for card in cards)


# -- Headers --------------------------------------------------------------------------------------


def is_whole(value: Any) -> bool:
    """A JSON number without fraction; true and false are none."""
    return type(value) is int


def whole(default: int | None, low: int, high: int | None = None) -> Option:
    """A whole number from `low` to `high`."""
    words = f"a whole number from {low}" + ("" if high is None else f" to {high}")
    return Option(
        default,
        lambda value: is_whole(value) and low <= value and (high is None or value <= high),
        words,
    )


def one_of(*words: str) -> Option:
    """One of these words; the first is the default."""
    return Option(words[0], lambda value: value in words, "one of " + ", ".join(words))


MEMORY_AID = Option(False, lambda value: isinstance(value, bool), "true or false")


def key_faults(deck: Mapping[str, Any], *keys: str) -> Iterator[Fault]:
    """A deck has exactly these keys."""
    if set(deck) != set(keys):
        yield f"a deck with exactly the keys {', '.join(keys)}", ", ".join(deck) or "none"


def heads_faults(
    deck: Mapping[str, Any], count: int, allows: Callable[[int], bool], words: str
) -> Iterator[Fault]:
    """`heads` lists one allowed number a card."""
    heads = deck.get("heads")
    if not isinstance(heads, list) or len(heads) != count:
        yield f"deck.heads as a list of {count}", f"{heads!r}"
        return
    for card, number in enumerate(heads, 1):
        if not is_whole(number) or not allows(number):
            yield f"{words} on card {card}", f"{number!r}"
