"""A plain game and its compiled twin, played side by side."""

from collections import Counter
from dataclasses import fields
from random import Random
from typing import Any

import numba
import numpy as np

from bullpen import fast
from bullpen.deck import Deck
from bullpen.fast.compiling import compiled
from bullpen.fast.dispatch import (
    apply,
    deal,
    imagine,
    is_over,
    legal,
    places,
    random_legal,
    scores,
    to_shuffle,
    wants_shuffle,
)
from bullpen.fast.words import count_bits, seeded
from bullpen.game import Event, Options
from bullpen.games import GAMES

LONGEST_DECK = 128
COMPARED_APART = {"lying", "points", "actor", "heaps"}  # fields of a table


class Difference(AssertionError):
    """The twin did something else than the plain rules."""


def check(holds: object, what: str) -> None:
    if not holds:
        raise Difference(what)


def lockstep(game_id: str, seats: int, options: Options, deck: Deck, seed: int) -> int:
    """Play one random game in both, compare after every decision; returns the number of decisions."""
    game, twin, rng = GAMES[game_id], fast.twin(game_id), Random(seed)
    table = game.set_up(seats, options, deck)
    states = twin.to_record(table)
    counted: Counter[str] = Counter()
    decisions = 0
    while True:
        if cards := game.to_shuffle(table):
            rng.shuffle(cards)
            table, events = game.deal(table, cards)
            deal_in_twin(twin, states, cards)
            counted.update(facts("", events))
        elif waiting := game.waiting_for(table):
            seat = waiting[0]
            check(states[0]["actor"] == seat, f"actor {states[0]['actor']}, not {seat}")
            legal = game.legal(table, seat)
            check(twin_legal(twin, states) == sorted(legal), "legal actions differ")
            check_random_legal(twin, states, legal, rng)
            action = rng.choice(legal)
            table, events = game.apply(table, seat, action)
            twin.apply(states[0], action)
            counted.update(facts(game.NOTATION[action], events))
            decisions += 1
        else:
            break
        compare(game, twin, table, states)
    check(states[0]["phase"] == twin.OVER, "the twin is not over")
    tally = dict(zip(twin.TALLY, map(int, states[0]["tally"]), strict=True))
    check(tally == {fact: counted[fact] for fact in twin.TALLY}, f"tally {tally}, not {counted}")
    return decisions


# -- Many games, quickly ----------------------------------------------------------------------


def script(game: Any, table: Any, rng: Random) -> tuple[Any, ...]:
    """A random plain game: kinds, starts, numbers, places and points of its steps, as arrays."""
    kinds: list[int] = []
    starts: list[int] = []
    numbers: list[
        int
    ] = []  # of a step: the shuffled cards, or the seat, the action and all legal ones
    lying: list[bytearray] = []
    points: list[list[int]] = []
    cards = max(game.CARDS) + 1
    while True:
        starts.append(len(numbers))
        if shuffled := game.to_shuffle(table):
            rng.shuffle(shuffled)
            table, _ = game.deal(table, shuffled)
            kinds.append(SHUFFLED)
            numbers += shuffled
        elif waiting := game.waiting_for(table):
            legal = game.legal(table, waiting[0])
            action = legal[int(rng.random() * len(legal))]
            table, _ = game.apply(table, waiting[0], action)
            kinds.append(DECIDED)
            numbers += [waiting[0], action, *legal]
        else:
            break
        where = bytearray(cards)
        for place, there in enumerate(table.lying):
            for card in there:
                where[card] = place
        lying.append(where)
        points.append(game.scores(table))
    return (
        np.array(kinds, np.int8),
        np.array(starts, np.int64),
        np.array(numbers, np.int32),
        np.frombuffer(b"".join(lying), np.uint8).reshape(-1, cards),
        np.array(points, np.int32),
    )


SHUFFLED, DECIDED = 0, 1
FAULTS = ("", "shuffle", "actor", "legal actions", "places", "points", "end", "random action")


@numba.njit
def follow(state, words, kinds, starts, numbers, lying, points):  # type: ignore[no-untyped-def]
    """The twin follows a script: the step of the first difference and the kind of fault, or (-1, 0)."""
    deck, where = np.zeros(LONGEST_DECK, np.int16), np.zeros(lying.shape[1], np.uint8)
    counted, rng = np.zeros(16, np.int32), np.ones(1, np.uint64)
    for step in range(kinds.size):
        given = numbers[starts[step] : starts[step + 1]]
        if kinds[step] == SHUFFLED:
            if not wants_shuffle(state) or to_shuffle(state, deck)[0] != given.size:
                return step, 1
            deck[: given.size] = given
            deal(state, deck)
        else:
            if wants_shuffle(state) or is_over(state) or state.actor != given[0]:
                return step, 2
            legal(state, words)
            found = 0
            for word in words:
                found += count_bits(word)  # type: ignore[call-arg]
            for action in given[2:]:
                if not (words[action >> 6] >> np.uint64(action & 63)) & np.uint64(1):
                    return step, 3
            if found != given.size - 2:
                return step, 3
            if not (given[2:] == random_legal(state, rng)).any():
                return step, 7
            apply(state, given[1])
        places(state, where)
        for card in range(1, where.size):
            if where[card] != lying[step, card]:
                return step, 4
        scores(state, counted)
        for seat in range(points.shape[1]):
            if counted[seat] != points[step, seat]:
                return step, 5
    return (-1, 0) if is_over(state) else (kinds.size, 6)


def follow_games(
    game_id: str, seats: int, options: Options, deck: Deck, seeds: range
) -> tuple[int, int]:
    """Games in lockstep, compared step by step in compiled code; returns games and decisions."""
    game, twin = GAMES[game_id], fast.twin(game_id)
    words, decisions = np.zeros((twin.ACTIONS + 63) // 64, np.uint64), 0
    for seed in seeds:
        table = game.set_up(seats, options, deck)
        steps = script(game, table, Random(seed))
        states = twin.to_record(table)
        step, fault = follow(states[0], words, *steps)
        check(
            fault == 0,
            f"{game_id}, {seats} seats, {options}, seed {seed}: {FAULTS[fault]} at {step}",
        )
        decisions += int((steps[0] == DECIDED).sum())
    return len(seeds), decisions


# -- The rest of `lockstep` -------------------------------------------------------------------


def deal_in_twin(twin: Any, states: Any, cards: list[int]) -> None:
    check(twin.wants_shuffle(states[0]), "the twin wants no shuffle")
    wanted = np.zeros(LONGEST_DECK, np.int16)
    count, dealt = twin.to_shuffle(states[0], wanted)
    check(sorted(wanted[:count]) == sorted(cards), "the twin wants other cards shuffled")
    check(dealt <= count, "more dealt than shuffled")
    deck = np.zeros(LONGEST_DECK, np.int16)
    deck[: len(cards)] = cards
    twin.deal(states[0], deck)


def twin_legal(twin: Any, states: Any) -> list[int]:
    words = np.full((twin.ACTIONS + 63) // 64, 2**64 - 1, np.uint64)
    twin.legal(states[0], words)
    bits = np.unpackbits(words.view(np.uint8), bitorder="little")
    return [int(action) for action in np.flatnonzero(bits)]


def check_random_legal(twin: Any, states: Any, legal: list[int], rng: Random) -> None:
    source = np.array([rng.getrandbits(64) | 1], np.uint64)
    check(int(twin.random_legal(states[0], source)) in legal, "a random action is not legal")


SUMS = ("row_heads", "row_set", "x_heads")  # what a twin adds up as it goes, to look it up quickly


def compare(game: Any, twin: Any, table: Any, states: Any) -> None:
    """Every card's place, whatever else the table knows, and the scores; and the way back and forth."""
    points = np.zeros(twin.SEATS, np.int32)
    twin.scores(states[0], points)
    check(list(points[: table.seats]) == game.scores(table), "scores differ")
    copied = twin.from_record(states, table.options, table.deck)
    check_same(game, twin, table, copied)
    again = twin.to_record(table)
    again["tally"] = states["tally"]
    for name in SUMS:
        if name in twin.STATE.names and table.phase != game.rules.DEALING:
            check(
                bool((again[name] == states[name]).all()),
                f"{name}: {states[name]}, not {again[name]}",
            )
    check_same(game, twin, table, twin.from_record(again, table.options, table.deck))


def check_same(game: Any, twin: Any, table: Any, copied: Any) -> None:
    # A twin does not keep the numbers of heaps, only their order.
    places = list(game.places(table).values())
    check(list(game.places(copied).values()) == places, f"places {game.places(copied)}")
    for name, place in game.places(table).items():
        mine, theirs = table.lying[place], copied.lying[place]
        if name.rstrip("0123456789 ") in twin.SETS:
            mine, theirs = tuple(sorted(mine)), tuple(sorted(theirs))
        check(mine == theirs, f"{name}: {theirs}, not {mine}")
    for field in fields(table):
        if field.compare and field.name not in COMPARED_APART:
            mine, theirs = getattr(table, field.name), getattr(copied, field.name)
            check(mine == theirs, f"{field.name}: {theirs}, not {mine}")
    check(game.waiting_for(copied) == game.waiting_for(table), "another seat is waited for")
    check(game.scores(copied) == game.scores(table), "scores of the copy differ")
    check(len(game.rounds(copied)) == len(game.rounds(table)), "rounds of the copy differ")


def facts(move: str, events: list[Event]) -> list[str]:
    """What a report counts, read off the move and the events: the names of the twins' TALLY."""
    told = Counter(event["event"] for event in events)
    word = move.partition(" ")[0]
    found = [word + "_chosen"] if word else []
    found += [f"{name}_events" for name in told.elements()]
    found += [f"take_{e['rule']}" for e in events if e["event"] == "take" and "rule" in e]
    found += [f"bull_from_{kind(e['from'])}" for e in events if "from" in e]
    return found


def kind(giver: object) -> str:
    return "supply" if giver == "supply" else "player"


@compiled
def imagine_all(states: Any, viewer: int, seed: int) -> None:
    """Turn every record into a table that this seat cannot tell from the one in it."""
    rng = np.empty(1, np.uint64)
    for index in range(states.size):
        seeded(rng, seed + index)
        imagine(states[index], viewer, rng)
