"""What a move means to whoever may make it: which card, which place, what is taken, what comes next.

No game writes this down.  The move is tried on what its player sees, as if nobody else chose anything, and
the meaning is read from the cards that it carries.  What is hidden cannot leak: it is not on that table.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from bullpen.cards import Action, Card, Place, Seat
from bullpen.game import Best, Game, Refusal, View, why_no_move
from bullpen.places import FACE_UP, TOP_ONLY
from bullpen.table import Carry, Table

Effect = Literal["takes", "joins", "chooses", "says"]
Tone = Literal["good", "bad", "plain"]
NOT_THERE = "no_such"  # how reasons begin that a text has no such card, row or stack
NEW_HEAP = "new"  # in place of the name of a heap that the move begins


class Meaning(NamedTuple):
    card: Card | None = None  # that is played, kept or laid down
    origin: str | None = None  # where it lies now
    place: str | None = None  # where it would land, or the place that is meant
    # takes: what lies there is taken away; joins: a card comes to lie there; chooses: a further choice follows;
    # says: nothing lies elsewhere afterwards.
    effect: Effect = "says"
    taken: tuple[Card, ...] = ()  # from that place, as far as they are seen
    next: tuple[str, ...] = ()  # the places of the choice that follows
    then: tuple[str, ...] = ()  # events that surely follow
    points: int | None = None  # by how much what one's cards count would change
    tone: Tone = "plain"  # whether that is good


def meaning(game: Game[Any], view: View[Any], action: Action) -> Meaning:
    """Of one of `view.legal`."""
    table, seat = view.table, view.seat
    assert seat is not None, "a spectator has no moves"
    trial = tried(game, table, seat, action)
    own = own_events(trial, seat)
    picked = game.actions.picked(action, seat, table.lying)
    carries = [carry for carry in trial.carries if carry[0] < own or own == len(trial.events)]
    place = place_meant(game, action, seat, picked, carries)
    taken = taken_from(place, carries, picked) if lies_open(table, place) else ()
    offers, following = choice_after(game, table, trial, seat)
    points = change_of_worth(game, table, trial, seat)
    return Meaning(
        card=picked[0] if picked else None,
        origin=table.called(picked[1]) if picked else None,
        place=None if place is None else name_of(table, trial, place),
        effect=effect(place, taken, offers, carries),
        taken=taken,
        next=offers,
        then=(*(event["event"] for event in trial.events[:own]), *following),
        points=points,
        tone=tone_of_offer(game, table, taken, points),
    )


def tried(game: Game[Any], table: Table, seat: Seat, action: Action) -> Table:
    """The table afterwards, if nobody else chose anything."""
    trial = table.changed()
    trial.alone = True
    for family in table.PLACES.families:
        if family.secret_in == table.phase:
            for other in range(table.seats):
                if other != seat:
                    trial.lying[family.first + other] = ()
    game.rules.act(trial, seat, action)
    return trial


def own_events(trial: Table, seat: Seat) -> int:
    """How many events there are before the first one of another seat."""
    for number, event in enumerate(trial.events):
        if event.get("seat", seat) != seat:
            return number
    return len(trial.events)


def place_meant(
    game: Game[Any],
    action: Action,
    seat: Seat,
    picked: tuple[Card, Place] | None,
    carries: Sequence[Carry],
) -> Place | None:
    """Where the picked card comes to lie first; else what is pointed at, or what is moved first."""
    moved = [carry for carry in carries if carry[2] != carry[3]]
    if picked:
        ends = [carry[3] for carry in moved if picked[0] in carry[1]]
        return ends[0] if ends and ends[0] != picked[1] else None  # some come back to the hand
    pointed_at = game.actions.touched(action, seat)
    if pointed_at is not None:
        return pointed_at
    return moved[0][2] if moved else None


def lies_open(table: Table, place: Place | None) -> bool:
    """Who draws from a pile takes nothing that one could have meant."""
    return place is not None and table.PLACES.family_of(place).sight in (FACE_UP, TOP_ONLY)


def taken_from(
    place: Place | None, carries: Sequence[Carry], picked: tuple[Card, Place] | None
) -> tuple[Card, ...]:
    own = picked[0] if picked else None
    return tuple(
        card
        for _, cards, origin, to, _, _ in carries
        if origin == place and to != place
        for card in cards
        if card != own
    )


def effect(
    place: Place | None, taken: Sequence[Card], offers: Sequence[str], carries: Sequence[Carry]
) -> Effect:
    if taken:
        return "takes"
    if offers and place is None:
        return "chooses"
    if place is not None and any(to == place for _, _, _, to, _, _ in carries):
        return "joins"
    return "chooses" if offers else "says"


def choice_after(
    game: Game[Any], table: Table, trial: Table, seat: Seat
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The places of the choice that one has then, and the events that every choice brings."""
    if trial.phase == table.phase or game.waiting_for(trial) != [seat]:
        return (), ()
    places: list[str] = []
    shared: list[str] | None = None
    for action in game.legal(trial, seat):
        touched = game.actions.touched(action, seat)
        if touched is not None and (name := trial.called(trial.lasting(touched))) not in places:
            places.append(name)
        after = tried(game, trial, seat, action)
        events = [event["event"] for event in after.events[: own_events(after, seat)]]
        shared = [event for event in shared or events if event in events]
    return tuple(places), tuple(shared or ())


def name_of(table: Table, trial: Table, place: Place) -> str:
    if place >= table.FIXED and place - table.FIXED + 1 not in table.heaps:
        return NEW_HEAP
    return trial.called(place)


def change_of_worth(game: Game[Any], before: Table, after: Table, seat: Seat) -> int | None:
    worth = getattr(game.rules, "worth", None)
    return None if worth is None else int(worth(after, seat) - worth(before, seat))


def tone_of_offer(game: Game[Any], table: Table, taken: Sequence[Card], points: int | None) -> Tone:
    """What is taken counts by what its cards show, if not now then later; where heads are good or bad themselves, by
    what all of it would change."""
    counts = points or 0
    if taken and not table.deck.has_red_heads:
        counts = table.deck.shown_on(taken)
    return tone_of(counts, game.best(table.options))


def tone_of(points: int, best: Best) -> Tone:
    """Whether so many points more are good."""
    if points == 0:
        return "plain"
    return "good" if (points > 0) == (best is max) else "bad"


# -- What cannot be played ----------------------------------------------------------------------


def unusable(game: Game[Any], view: View[Any]) -> dict[Card, Refusal]:
    """The cards that one holds and that no offer plays, and the rule against each."""
    table, seat = view.table, view.seat
    assert seat is not None
    usable = {
        picked[0]
        for action in view.legal
        if (picked := game.actions.picked(action, seat, table.lying))
    }
    refused: dict[Card, Refusal] = {}
    for card, place, action in game.actions.picks(seat, table.lying):
        if card in usable or card not in table.lying[place]:
            continue
        # A card may be played in many ways; that a stack is not there is no reason against the card, but that
        # the card fits nowhere is.
        if card not in refused or refused[card].why.startswith(NOT_THERE):
            refusal = game.why_not(table, seat, action)
            is_elsewhere = refusal.why.startswith(NOT_THERE)
            refused[card] = why_no_move(game, game.NOTATION[action]) if is_elsewhere else refusal
    return refused
