"""Nothing hidden leaves the server: what a seat may not see does not change a byte of what it is sent.

Two worlds that one seat cannot tell apart are played side by side; every frame that the server would send to
this seat must be the same in both.  Twenty leaks are planted to see that the comparison finds them.
"""

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bullpen.cards import Problem
from bullpen.fair import SCHEME
from bullpen.game import Seat, complete_options
from bullpen.games import GAMES
from bullpen.languages import LANGUAGES
from bullpen.server import messages
from bullpen.server.budget import bucket
from bullpen.server.connection import Connection, encoded
from bullpen.server.header import Header, SeatTaken
from bullpen.server.metrics import Metrics
from bullpen.server.play import Play, new_play
from bullpen.server.room import Room
from bullpen.server.sight import happened
from bullpen.server.store import PLAYING
from tests.soaking import counted

Leak = Callable[[Play, Seat | None, dict[str, Any]], Any]


class Nowhere:
    """A transport that remembers."""

    def __init__(self) -> None:
        self.written = b""

    def write(self, data: bytes) -> None:
        self.written += data

    def abort(self) -> None: ...

    def close(self) -> None: ...

    def is_closing(self) -> bool:
        return False

    def get_write_buffer_size(self) -> int:
        return 0

    def get_extra_info(self, name: str) -> None: ...


def new_room(game: str, seats: int, memory_aid: bool) -> Room:
    rules = GAMES[game]
    header = Header(
        game=game,
        options=complete_options(rules, seats, {"memory_aid": memory_aid}),
        seats=[SeatTaken(kind="person", name=f"P{seat}") for seat in range(seats)],
        state=PLAYING,
        secret="00" * 32,
        commitment="11" * 32,
    )
    room = Room("a" * 16, header, None, Metrics())  # type: ignore[arg-type]
    room.play = new_play(rules, seats, header.options, room.deck)
    return room


def frames(room: Room, seat: Seat | None, leak: Leak | None) -> list[bytes]:
    """All that this seat could be sent now: views, a welcome, a refusal."""
    sent = []
    for language in LANGUAGES:
        view = messages.view(room, seat, language, "explained")
        if leak:
            assert room.play is not None
            view["leak"] = leak(room.play, seat, view)
        sent.append(encoded(view))
        if not leak:
            sent.append(encoded(messages.welcome(room, seat, language)))
            sent.append(refusal(room, seat, language))
    return sent


def refusal(room: Room, seat: Seat | None, language: str) -> bytes:
    """To a move that is none."""
    if seat is None:
        return b""
    assert room.play is not None
    try:
        room.play.copy().move(seat, room.play.numbers[seat], 10**6, "person")
    except Problem as problem:
        connection = Connection(Nowhere(), seat, language, bucket(20, 10.0))
        return encoded(room.refusal(connection, 1, problem))
    raise AssertionError("there is no such action")


def shuffle_both(one: Room, other: Room, rng: Random) -> None:
    for room in (one, other):
        play, room.last_steps = room.play, list(room.last_steps)
        assert play is not None
    first, second = one.play, other.play
    assert first is not None
    assert second is not None
    while cards := first.game.to_shuffle(first.table):
        rng.shuffle(cards)
        for room in (one, other):
            assert room.play is not None
            before = room.play.table
            room.last_steps += happened(room.play, before, room.play.shuffle(cards))


def seen(room: Room, seat: Seat | None) -> Any:
    """What the rules say that this seat sees; the frames may depend on nothing else."""
    assert room.play is not None
    game, view = room.game, room.game.view(room.play.table, seat)
    events = [
        event if event["event"] == "deal" else game.seen_by(event, seat, room.options)
        for event, *_ in room.last_steps
        if event is not None
    ]
    return view, events, sorted(room.play.choices), room.play.numbers


class Worlds:
    """The real table, and one that a seat cannot tell from it."""

    def __init__(self, game: str, seats: int, seat: Seat | None, seed: int, aid: bool) -> None:
        self.rng, self.seat = Random(seed), seat
        self.real, self.imagined = new_room(game, seats, aid), new_room(game, seats, aid)
        self.compared = self.differed = 0
        self.passed: list[Any] = [
            None,
            None,
        ]  # in each world: what lay open before the last shuffle
        shuffle_both(self.real, self.imagined, self.rng)

    def imagine(self) -> None:
        """At the start of a decision: the hidden cards lie elsewhere."""
        real, imagined = self.real.play, self.imagined.play
        assert real is not None
        assert imagined is not None
        assert not real.choices
        real.before = None  # the imagined table has another past
        view = real.game.view(real.table, self.seat)
        self.imagined.play = real.copy()
        self.imagined.play.go_on_with(real.game.imagine(view, self.rng))
        self.imagined.play.base = self.imagined.play.table
        self.imagined.last_steps = self.real.last_steps
        self.passed[1] = self.passed[0]

    def compare(self, leak: Leak | None) -> None:
        if seen(self.real, self.seat) != seen(self.imagined, self.seat):
            return
        if self.passed[0] != self.passed[1]:
            return
        self.compared += 1
        assert self.real.play is not None
        assert self.imagined.play is not None
        self.differed += self.real.play.table != self.imagined.play.table
        assert frames(self.real, self.seat, leak) == frames(self.imagined, self.seat, leak)

    def play(self, turns: int, leak: Leak | None) -> None:
        for _ in range(turns):
            real = self.real.play
            assert real is not None
            if real.is_over:
                return
            self.imagine()
            self.compare(leak)
            waiting = real.waiting
            self.rng.shuffle(waiting)
            for seat in waiting:
                self.decide(seat)
                self.compare(leak)

    def decide(self, seat: Seat) -> None:
        """The same where it is possible in both worlds, as it always is for the own seat."""
        assert self.real.play is not None
        assert self.imagined.play is not None
        wanted = self.rng.choice(self.real.play.offers(seat))
        for world, room in enumerate((self.real, self.imagined)):
            play = room.play
            assert play is not None
            offers = play.offers(seat)
            if not offers:
                continue
            action = wanted if wanted in offers else self.rng.choice(offers)
            before = play.table
            events = play.move(seat, play.numbers[seat], action, "person")
            if not play.choices:
                room.last_steps = happened(play, before, events)
                self.passed[world] = room.game.view(play.table, self.seat)
                while cards := room.game.to_shuffle(play.table):
                    self.rng.shuffle(cards)
                    before = play.table
                    room.last_steps += happened(play, before, play.shuffle(cards))


def explore(
    game: str, seed: int, *, leak: Leak | None = None, aid: bool = False, turns: int = 12
) -> Worlds:
    async def played() -> Worlds:
        rng = Random(seed)
        seats = rng.choice([n for n in GAMES[game].SEATS if n <= 5])
        seat = rng.choice([None, *range(seats)])
        worlds = Worlds(game, seats, seat, seed, aid)
        worlds.play(turns, leak)
        return worlds

    return asyncio.run(played())


def explore_many(game: str, seeds: int, *, leak: Leak | None = None, turns: int = 12) -> None:
    for seed in range(seeds):
        explore(game, seed, leak=leak, turns=turns)


@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 2**32), aid=st.booleans())
@settings(max_examples=12)
def test_what_is_hidden_changes_no_byte(game: str, seed: int, aid: bool) -> None:
    explore(game, seed, aid=aid)


@pytest.mark.parametrize("game", GAMES)
def test_the_two_worlds_do_differ(game: str) -> None:
    worlds = [explore(game, seed) for seed in range(10)]
    assert sum(one.differed for one in worlds) > 20


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
def test_what_is_hidden_changes_no_byte_in_many_games(game: str) -> None:
    for seed in counted(1000, f"games of {game}, byte by byte"):
        explore(game, seed, aid=seed % 2 == 0, turns=200)


# -- Planted leaks ------------------------------------------------------------------------------


def others_hands(play: Play) -> list[Any]:
    places = play.game.places(play.table)
    return [play.table.lying[at] for name, at in sorted(places.items()) if name.startswith("hand")]


def all_hands(play: Play) -> list[int]:
    return [card for hand in others_hands(play) for card in hand]


LEAKS: dict[str, Leak] = {
    "whole table": lambda play, seat, view: [list(cards) for cards in play.table.lying],
    "hands": lambda play, seat, view: others_hands(play),
    "sum of the hands": lambda play, seat, view: sum(all_hands(play)),
    "lowest card of a hand": lambda play, seat, view: [min(hand) for hand in others_hands(play)],
    "highest card of a hand": lambda play, seat, view: [max(hand) for hand in others_hands(play)],
    "odd or even": lambda play, seat, view: [sum(hand) % 2 for hand in others_hands(play)],
    "a hash of the table": lambda play, seat, view: hash(tuple(play.table.lying)),
    "text as long as a card": lambda play, seat, view: "x" * max(all_hands(play)),
    "as many entries as low cards": lambda play, seat, view: [
        0 for card in all_hands(play) if card < 50
    ],
    "the box": lambda play, seat, view: list(play.table.lying[0]),
    "first card of the box": lambda play, seat, view: play.table.lying[0][:1],
    "last card of the box": lambda play, seat, view: play.table.lying[0][-1:],
    "low cards in the box": lambda play, seat, view: len(set(play.table.lying[0]) & set(range(40))),
    "heads in the hands": lambda play, seat, view: [
        sum(play.deck.heads[card] for card in hand) for hand in others_hands(play)
    ],
    "legal moves of the others": lambda play, seat, view: [
        play.offers(other) for other in range(play.seats) if other != seat
    ],
    "another seat's view": lambda play, seat, view: str(
        play.game.view(play.table, 0 if seat else 1).table.lying
    ),
    "choices": lambda play, seat, view: [sorted(play.choices.values()), all_hands(play)[:1]],
    "order of the keys": lambda play, seat, view: {str(c): 0 for c in all_hands(play)[:5]},
    "as a decimal": lambda play, seat, view: max(all_hands(play)) / 1000,
    "one bit of one card": lambda play, seat, view: [card & 1 for card in all_hands(play)],
}


def test_twenty_leaks_are_planted() -> None:
    assert len(LEAKS) == 20


@pytest.mark.parametrize("name", LEAKS)
def test_a_planted_leak_is_found(name: str) -> None:
    with pytest.raises(AssertionError):
        explore_many("six-nimmt", 30, leak=LEAKS[name])


@pytest.mark.parametrize("game", GAMES)
def test_a_leak_is_found_in_every_game(game: str) -> None:
    with pytest.raises(AssertionError):
        explore_many(game, 30, leak=LEAKS["hands"])


def test_a_leak_in_what_flies_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from bullpen.server import flights

    def open_to_all(self: flights.Flight, viewer: Seat | None) -> dict[str, Any]:
        return {"cards": self.cards, "from": self.origin, "to": self.to}

    monkeypatch.setattr(flights.Flight, "as_json", open_to_all)
    with pytest.raises(AssertionError):
        explore_many("bullenparty", 300, turns=40)


def test_the_secret_and_the_shares_of_the_deal_stay_hidden_until_the_end() -> None:
    async def told() -> bytes:
        room = new_room("six-nimmt", 3, memory_aid=False)
        room.header.secret, room.header.scheme = "5ec2e7" * 10, SCHEME
        for seat in room.header.seats[:2]:
            seat.commitment, seat.share = "c0" * 32, "5a4e" * 16
        shuffle_both(room, new_room("six-nimmt", 3, memory_aid=False), Random(1))
        return b"".join(encoded(messages.welcome(room, seat, "en")) for seat in (None, 0, 1, 2))

    frames = asyncio.run(told())
    assert b"5ec2e7" not in frames
    assert b"5a4e" not in frames
    assert b"c0c0" in frames
