"""6 nimmt! Baron Oxx (BO): colours decide where a card goes, numbers only when."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.referee.script import (
    MEMORY_AID,
    Asking,
    Fault,
    Header,
    Option,
    Script,
    choose,
    choose_cards,
    deal,
    event,
    is_whole,
    key_faults,
    one_of,
    result,
    round_line,
    shuffle,
    whole,
)

SEATS = range(2, 11)
DECK = range(1, 111)  # BO-1
BARONS = (52, 104)  # BO-2
PILE_SIZE = {2: 24, 3: 24, 4: 24, 5: 20, 6: 16, 7: 12, 8: 12, 9: 8, 10: 8}  # BO-3
HAND_SIZE = 4  # BO-4
ROWS = 5
COLOURS = 6

Bulls = list[int]  # of blue, yellow, green, red, black, white


@dataclass
class Table:
    """Hands, draw piles from the top, the rows, bull piles, and what BO-17 has to know."""

    colours: list[Bulls]  # of card 1, card 2, ...
    variant: str
    hands: list[list[int]]
    draws: list[list[int]]
    rows: list[list[int]]
    bull_piles: list[list[int]]
    under_since_placed: set[int] = field(default_factory=set)

    def bulls(self, card: int) -> Bulls:
        """What a card shows."""
        return self.colours[card - 1]

    def points(self, cards: list[int]) -> int:
        """BO-1: all bulls on some cards."""
        return sum(sum(self.bulls(card)) for card in cards)

    def held(self, seat: int) -> list[int]:
        """The cards a seat still has to place."""
        return self.hands[seat] + self.draws[seat]


def options(players: int) -> dict[str, Option]:
    """The options of the game."""
    return {
        "variant": one_of("standard", "colour", "positive"),
        "games": whole(1, 1),
        "memory_aid": MEMORY_AID,
    }


def deck_faults(deck: Mapping[str, Any]) -> Iterator[Fault]:
    """BO-1 and BO-2: six numbers a card, at least one bull, one of each colour on a Baron Oxx."""
    yield from key_faults(deck, "colours")
    colours = deck.get("colours")
    if not isinstance(colours, list) or len(colours) != len(DECK):
        yield f"deck.colours as a list of {len(DECK)}", f"{colours!r}"
        return
    for card, bulls in enumerate(colours, 1):
        if not isinstance(bulls, list) or len(bulls) != COLOURS or not all(map(is_whole, bulls)):
            yield f"six whole numbers for card {card}", f"{bulls!r}"
        elif min(bulls) < 0 or sum(bulls) < 1:
            yield f"at least one bull on card {card}, no number negative", f"{bulls}"
        elif card in BARONS and bulls != [1] * COLOURS:
            yield f"one bull of each colour on card {card}", f"{bulls}"


def script(header: Header) -> Script:
    """BO-14: so many games, the scores added up; BO-13, BO-16: fewest, or most, win."""
    totals = [0] * header.players
    for number in range(1, header.options["games"] + 1):
        table = yield from play_game(header)
        points = [score(table, seat) for seat in range(header.players)]
        yield event("game_end")
        yield round_line(number, points)
        totals = [old + new for old, new in zip(totals, points, strict=True)]
    yield result(totals, max if header.options["variant"] == "positive" else min)


def play_game(header: Header) -> Asking[Table]:
    """BO-3, BO-4: piles by seat, then the rows; four cards to each hand, without an event."""
    cards = iter((yield from shuffle(DECK)))
    draws = [deal(cards, PILE_SIZE[header.players]) for _ in range(header.players)]
    rows = [deal(cards, 1) for _ in range(ROWS)]
    hands = [[draw.pop(0) for _ in range(HAND_SIZE)] for draw in draws]
    table = Table(
        header.deck["colours"], header.options["variant"], hands, draws, rows, [[] for _ in hands]
    )
    yield from turn(table)
    while not is_over(table):
        yield from refill(table)
        yield from turn(table)
    return table


def is_over(table: Table) -> bool:
    """BO-13: all cards placed; in `positive`, a player's last one (BO-16), or BO-17."""
    held = [table.held(seat) for seat in range(len(table.hands))]
    if table.variant != "positive":
        return not any(held)
    stuck = all(card in table.under_since_placed for cards in held for card in cards)
    return not all(held) or stuck


def refill(table: Table) -> Script:
    """BO-8: whose hand is empty draws four, or what is left, by seat."""
    for seat, hand in enumerate(table.hands):
        if not hand:
            hand.extend(table.draws[seat][:HAND_SIZE])
            del table.draws[seat][:HAND_SIZE]
            yield event("draw", seat=seat, count=len(hand))


def turn(table: Table) -> Script:
    """BO-5: a secret choice, then the cards in ascending order."""
    cards = yield from choose_cards(table.hands)
    for seat, card in enumerate(cards):
        table.hands[seat].remove(card)
    for card in sorted(cards):
        yield from play(table, cards.index(card), card)


def qualifying(table: Table, card: int) -> list[int]:
    """BO-6: rows (from 1) whose last card shows a colour of the card; BO-7 follows from BO-2."""
    shown = table.bulls(card)
    return [
        number
        for number, row in enumerate(table.rows, 1)
        if any(mine and theirs for mine, theirs in zip(shown, table.bulls(row[-1]), strict=True))
    ]


def play(table: Table, seat: int, card: int) -> Script:
    """One revealed card: placed, with what it takes (BO-9 to BO-12), or put under (BO-16)."""
    rows = qualifying(table, card)
    rule: str | None = None
    if not rows:
        if table.variant == "positive":
            table.draws[seat].append(card)
            table.under_since_placed.add(card)
            yield event("under", seat=seat, card=card)
            return
        rows, rule = list(range(1, ROWS + 1)), "BO-11"
    number = yield from choose(seat, "row", rows)
    row = table.rows[number - 1]
    rule = rule or rule_of_taking(table, row, card)
    if rule:
        table.bull_piles[seat].extend(row)
        yield event("take", seat=seat, cards=list(row), row=number, rule=rule)
        row.clear()
    row.append(card)
    table.under_since_placed.clear()
    yield event("place", seat=seat, card=card, row=number)


def rule_of_taking(table: Table, row: list[int], card: int) -> str | None:
    """BO-9: a sixth card, but not in `colour` (BO-15); BO-10: six bulls of one colour."""
    if len(row) == 5 and table.variant != "colour":
        return "BO-9"
    shown = [table.bulls(other) for other in [*row, card]]
    return "BO-10" if any(sum(colour) >= 6 for colour in zip(*shown, strict=True)) else None


def score(table: Table, seat: int) -> int:
    """BO-13: the bulls taken; in `positive` less those still held (BO-16)."""
    taken = table.points(table.bull_piles[seat])
    return taken - table.points(table.held(seat)) if table.variant == "positive" else taken
