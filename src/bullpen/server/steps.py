"""Which cards fly where when something happens: what a client animates, so that it needs no rules.

One small function a game, from the table before and the events in their order.  A flight that not everybody
may see has the cards as its own seat sees them and as the others do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from bullpen.cards import Card, without
from bullpen.game import Event, Game, Seat
from bullpen.games import baron_oxx, bullenparty, eleven_nimmt, hornochsen, six_nimmt, x_nimmt

Shown = list[Card] | int  # cards, or how many face-down ones


class Flight(NamedTuple):
    cards: Shown
    origin: str
    to: str
    seen_by: Seat | None = None  # None: by all
    to_others: Shown = 0

    def as_json(self, viewer: Seat | None) -> dict[str, Any]:
        open_to_viewer = self.seen_by is None or self.seen_by == viewer
        cards = self.cards if open_to_viewer else self.to_others
        return {"cards": cards, "from": self.origin, "to": self.to}


Flights = Iterator[list[Flight]]  # one list an event


def flights(game: Game[Any], before: Any, events: Sequence[Event]) -> list[list[Flight]]:
    return list(MAKERS[game.ID](before, events))


def turned_up(cards: Sequence[Card | None], place: str) -> list[Flight]:
    return [
        Flight([card], f"{place} {seat}", f"{place} {seat}")
        for seat, card in enumerate(cards)
        if card is not None
    ]


def piles_from(before: Any, place: int) -> list[list[Card]]:
    return [list(pile) for pile in before.lying[place : place + before.seats]]


def opened(piles: Sequence[Sequence[Card]], place: str) -> list[Flight]:
    """What is counted lies open, so that everybody can see how the points came about."""
    return [
        Flight(list(pile), f"{place} {seat}", f"{place} {seat}")
        for seat, pile in enumerate(piles)
        if pile
    ]


def six_nimmt_flights(before: Any, events: Sequence[Event]) -> Flights:
    taken = piles_from(before, six_nimmt.TAKEN)
    for event in events:
        match event:
            case {"event": "reveal", "cards": cards}:
                yield turned_up(cards, "laid")
            case {"event": "place", "seat": seat, "card": card, "row": row}:
                yield [Flight([card], f"laid {seat}", f"row {row}")]
            case {"event": "take", "seat": seat, "cards": cards, "row": row}:
                taken[seat] += cards
                yield [Flight(cards, f"row {row}", f"taken {seat}")]
            case {"event": "round_end"}:
                yield opened(taken, "taken")
            case _:
                yield []


def x_nimmt_flights(before: Any, events: Sequence[Event]) -> Flights:
    collected = list(before.lying[x_nimmt.COLLECTED])
    x_piles = piles_from(before, x_nimmt.X_PILE)
    for event in events:
        match event:
            case {"event": "reveal", "cards": cards}:
                yield turned_up(cards, "laid")
            case {"event": "place", "seat": seat, "card": card, "row": row}:
                yield [Flight([card], f"laid {seat}", f"row {row}")]
            case {"event": "collect", "cards": cards, "row": row}:
                collected = list(cards)
                yield [Flight(cards, f"row {row}", "collected")]
            case {"event": "x_flush", "seat": seat, "cards": cards}:
                x_piles[seat] += cards
                yield [Flight(cards, f"x row {seat}", f"x pile {seat}")]
            case {"event": "round_end"}:
                yield opened(x_piles, "x pile")
            case {"event": "keep", "seat": seat, "card": card}:
                rest = [other for other in collected if other != card]
                to_hand = [Flight(rest, "collected", f"hand {seat}")] if rest else []
                yield [Flight([card], "collected", f"x row {seat}"), *to_hand]
            case _:
                yield []


def baron_oxx_flights(before: Any, events: Sequence[Event]) -> Flights:
    taken = piles_from(before, baron_oxx.BULL_PILE)
    for event in events:
        match event:
            case {"event": "reveal", "cards": cards}:
                yield turned_up(cards, "laid")
            case {"event": "place", "seat": seat, "card": card, "row": row}:
                yield [Flight([card], f"laid {seat}", f"row {row}")]
            case {"event": "take", "seat": seat, "cards": cards, "row": row}:
                taken[seat] += cards
                yield [Flight(cards, f"row {row}", f"bull pile {seat}")]
            case {"event": "game_end"}:
                yield opened(taken, "bull pile")
            case {"event": "under", "seat": seat, "card": card}:
                yield [Flight([card], f"laid {seat}", f"draw {seat}")]
            case {"event": "draw", "seat": seat, "count": count}:
                yield [Flight(count, f"draw {seat}", f"hand {seat}")]
            case _:
                yield []


def hornochsen_flights(before: Any, events: Sequence[Event]) -> Flights:
    rows = [list(row) for row in before.lying[hornochsen.ROW :]]

    def ending_in(end: Card) -> int:
        return next(at for at, row in enumerate(rows) if hornochsen.end_value(tuple(row)) == end)

    for event in events:
        match event:
            case {"event": "place", "seat": seat, "card": card, "onto": onto}:
                at = ending_in(onto)
                rows[at].append(card)
                yield [Flight([card], f"hand {seat}", f"row {at + 1}")]
            case {"event": "special", "seat": seat, "special": special, "onto": onto}:
                at = ending_in(onto)
                card = (hornochsen.X2 if special == "x2" else hornochsen.PLUS5) + seat
                rows[at].append(card)
                yield [Flight([card], f"hand {seat}", f"row {at + 1}")]
            case {"event": "take", "seat": seat, "cards": cards}:
                at = ending_in(cards[-1])
                yield [Flight(rows.pop(at), f"row {at + 1}", f"pile {seat}")]
            case _:
                yield []


def eleven_nimmt_flights(before: Any, events: Sequence[Event]) -> Flights:
    stacks = [list(stack) for stack in before.lying[eleven_nimmt.STACK :]]
    names = {name: slot for slot, name in before.served}
    hands = before.lying[eleven_nimmt.HAND : eleven_nimmt.HAND + before.seats]
    for event in events:
        match event:
            case {"event": "place", "seat": seat, "card": card, "onto": onto}:
                hands[seat] = without(hands[seat], card)
                tops = [stack[-1] for stack in stacks]
                slot = names[onto] if onto in names else tops.index(onto)
                stacks[slot].append(card)
                yield [Flight([card], f"hand {seat}", f"stack {slot + 1}")]
            case {"event": "take", "seat": seat, "cards": cards}:
                slot = stacks.index(cards)
                stacks.pop(slot)
                hands[seat] = tuple(sorted((*hands[seat], *cards)))
                name, hand = f"stack {slot + 1}", f"hand {seat}"
                yield [Flight(cards, name, hand, seen_by=seat, to_others=cards[-1:])]
            case {"event": "open", "card": card}:
                stacks.append([card])
                yield [Flight([card], "draw", f"stack {len(stacks)}")]
            case {"event": "bull", "seat": seat, "from": giver}:
                origin = "supply" if giver == "supply" else f"bulls {giver}"
                yield [Flight(1, origin, f"bulls {seat}")]
            case {"event": "round_end"}:  # what is left is counted
                yield opened(hands, "hand")
            case _:
                yield []


def bullenparty_flights(before: Any, events: Sequence[Event]) -> Flights:
    zeros = before.zeros
    bulls_in_row = {
        row: [card for card in before.lying[bullenparty.ROW + row] if card in bullenparty.BULLS]
        for row in bullenparty.rows(before)
    }
    supply = list(before.lying[bullenparty.BULL_SUPPLY])
    owners = list(before.owners)
    tops = [pile[-1] for pile in before.lying[bullenparty.PILE :]]
    for event in events:
        match event:
            case {"event": "lay_row", "row": row, "cards": cards}:
                bulls_in_row[row] = []
                yield [Flight(cards, "draw", f"row {row}")]
            case {"event": "reveal", "bids": bids}:
                shown = [zeros[seat] if bid == 0 else bid for seat, bid in enumerate(bids)]
                yield turned_up(shown, "bid")
            case {"event": "take", "seat": seat, "row": row, "cards": cards}:
                bulls = bulls_in_row.get(row, [])
                won = [Flight(bulls, f"row {row}", f"bulls {seat}")] if bulls else []
                bid = Flight(1, f"bid {seat}", "discard")
                yield [bid, Flight(cards, f"row {row}", f"hand {seat}"), *won]
            case {"event": "draw", "seat": seat, "card": card}:
                yield [Flight([card], "draw", "drawn", seen_by=seat, to_others=1)]
            case {"event": "extend", "seat": seat, "row": row, "card": card}:
                zero = Flight([zeros[seat]], f"bid {seat}", f"hand {seat}")
                yield [Flight([card], "drawn", f"row {row}"), zero]
            case {"event": "bull", "row": row}:
                bull = supply.pop(0)
                bulls_in_row.setdefault(row, []).append(bull)
                yield [Flight([bull], "bull supply", f"row {row}")]
            case {"event": "pile", "seat": seat, "card": card, "onto": None}:
                owners.append(seat)
                tops.append(card)
                yield [Flight([card], f"hand {seat}", f"pile {len(owners)} of {seat}")]
            case {"event": "pile", "seat": seat, "card": card, "onto": onto}:
                at = next(
                    at
                    for at, (owner, top) in enumerate(zip(owners, tops, strict=True))
                    if owner == seat and top == onto
                )
                tops[at] = card
                yield [Flight([card], f"hand {seat}", f"pile {at + 1} of {seat}")]
            case _:
                yield []


MAKERS: dict[str, Callable[[Any, Sequence[Event]], Flights]] = {
    "hornochsen": hornochsen_flights,
    "eleven-nimmt": eleven_nimmt_flights,
    "x-nimmt": x_nimmt_flights,
    "baron-oxx": baron_oxx_flights,
    "bullenparty": bullenparty_flights,
    "six-nimmt": six_nimmt_flights,
}
