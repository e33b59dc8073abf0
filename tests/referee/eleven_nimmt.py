"""11 nimmt! (EN): stacks within ten steps, taken stacks, bull cards for several cards a turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tests.referee.script import (
    MEMORY_AID,
    Asking,
    Fault,
    Header,
    Option,
    Script,
    choose,
    deal,
    decide,
    event,
    heads_faults,
    key_faults,
    last_number,
    result,
    round_line,
    shuffle,
    total,
    whole,
)

SEATS = range(2, 8)
DECK = range(1, 101)  # EN-1
BULLS = 10  # EN-2
HAND_SIZE = 10  # EN-3
REACH = 10  # EN-6


@dataclass
class Table:
    """The hands, the stacks from bottom to top, the draw pile from the top, bull cards a seat."""

    hands: list[list[int]]
    stacks: list[list[int]]
    draw: list[int]
    bulls: list[int]


def options(players: int) -> dict[str, Option]:
    """The options of the game; EN-17: as many rounds as players."""
    return {
        "first_seat": whole(0, 0, players - 1),
        "rounds": whole(players, 1),
        "memory_aid": MEMORY_AID,
    }


def deck_faults(deck: Mapping[str, Any]) -> Iterator[Fault]:
    """EN-1."""
    yield from key_faults(deck, "heads")
    yield from heads_faults(deck, len(DECK), lambda heads: heads >= 1, "at least one head")


def script(header: Header) -> Script:
    """A game of `rounds` rounds; fewest minus points win (EN-19)."""
    totals = [0] * header.players
    starter = header.options["first_seat"]
    for number in range(1, header.options["rounds"] + 1):
        table = yield from play_round(header.players, starter)
        points = [total(header.deck["heads"], hand) for hand in table.hands]  # EN-16
        yield event("round_end")
        yield round_line(number, points)
        totals = [old + new for old, new in zip(totals, points, strict=True)]
        starter = next_starter(totals, starter)
    yield result(totals, min)


def next_starter(totals: list[int], starter: int) -> int:
    """EN-18: most in total so far; among equals the first clockwise from the last starter."""
    clockwise = [(starter + step) % len(totals) for step in range(len(totals))]
    return max(clockwise, key=lambda seat: totals[seat])  # max keeps the first of equals


def play_round(players: int, starter: int) -> Asking[Table]:
    """Turns until a hand is empty (EN-16) or a turn begins without a stack (EN-13)."""
    cards = iter((yield from shuffle(DECK)))
    hands = [deal(cards, HAND_SIZE) for _ in range(players)]
    table = Table(hands, [deal(cards, 1)], list(cards), [0] * players)
    seat = starter
    while table.stacks and all(table.hands):
        yield from turn(table, seat)
        seat = (seat + 1) % players
    return table


def steps(card: int, top: int) -> int:
    """EN-5 and EN-7: how far above the top a card is; after 100 comes 1."""
    return (card - top) % 100


def fits(card: int, top: int) -> bool:
    """EN-5 to EN-7: 1 to 10 steps."""
    return 1 <= steps(card, top) <= REACH


def turn(table: Table, seat: int) -> Script:
    """EN-4: play onto a stack or take one, named by the top card when the turn begins."""
    hand = table.hands[seat]
    tops = {stack[-1]: stack for stack in table.stacks}
    plays = [f"play {card} on {top}" for card in hand for top in tops if fits(card, top)]
    move = yield from decide(seat, plays + [f"take {top}" for top in tops])
    if move.startswith("take"):
        yield from take(table, seat, tops[last_number(move)])
        return
    served: list[int] = []  # the names of the stacks served in this turn; only the last is open
    while move != "end":
        card, top = int(move.split()[1]), last_number(move)
        hand.remove(card)
        tops[top].append(card)
        if top not in served:
            served.append(top)
        yield event("place", seat=seat, card=card, onto=top)
        further = further_plays(hand, list(tops), served, card, table.bulls[seat])
        if not further:
            return
        move = yield from decide(seat, [*further, "end"])


def further_plays(
    hand: list[int], tops: list[int], served: list[int], last: int, bulls: int
) -> list[str]:
    """EN-8, EN-14: with a bull card, upwards on the open stack; with k, on up to k stacks."""

    def allowed(card: int, top: int) -> bool:
        if not fits(card, top):
            return False
        if top == served[-1]:
            return bulls >= 1 and steps(card, top) > steps(last, top)
        return top not in served and len(served) < bulls

    return [f"play {card} on {top}" for card in hand for top in tops if allowed(card, top)]


def take(table: Table, seat: int, stack: list[int]) -> Script:
    """EN-9 to EN-12: the stack goes to the hand, then the bull card, then two new stacks."""
    table.stacks.remove(stack)
    table.hands[seat].extend(stack)
    yield event("take", seat=seat, cards=list(stack))
    if len(stack) >= 3:  # EN-11
        yield from get_bull(table, seat)
    for _ in range(min(2, len(table.draw))):
        card = table.draw.pop(0)
        table.stacks.append([card])
        yield event("open", card=card)


def get_bull(table: Table, seat: int) -> Script:
    """EN-11 from the supply; EN-12 from one of the others who have the most."""
    source: str | int = "supply"
    if sum(table.bulls) == BULLS:
        most = max(table.bulls)
        richest = [s for s, bulls in enumerate(table.bulls) if bulls == most and s != seat]
        if not richest:
            return
        source = yield from choose(seat, "bull from", richest)
        table.bulls[source] -= 1
    table.bulls[seat] += 1
    yield event("bull", seat=seat, **{"from": source})
