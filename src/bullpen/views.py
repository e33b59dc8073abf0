"""What a seat sees of a table, and tables that it could be: from the declared places, for every game."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Generic, NamedTuple, TypeVar

from bullpen.actions import Actions
from bullpen.cards import FACE_DOWN as DOWN
from bullpen.cards import UNSEEN, Action, Card, Lying, Place, Problem, Seat, mask
from bullpen.places import (
    ACTING,
    ALL,
    BOX,
    CHOSEN,
    CLOSED,
    DRAWN,
    FACE_UP,
    HAND,
    HELD,
    NOBODY,
    PILE,
    SHUFFLED,
    TOP_ONLY,
    TURNED_DOWN,
    Places,
)
from bullpen.table import TURNED_UP, Carry, Event, Options, Table

Held = TypeVar("Held", bound=Table)


@dataclass(slots=True)  # not frozen: to write its fields costs a sixth of a view then
class View(Generic[Held]):
    """All that one seat may know: what a bot is given, what the server sends."""

    seat: Seat | None  # None: a spectator
    table: Held  # what lies open now; the other cards are UNSEEN
    remembered: Lying  # where the cards lie, as far as a perfect memory knows
    legal: list[Action]

    # Of what lies open now; for `remembered`, and for whatever must be quick, there are the numbers of the places.

    def cards(self, place: str) -> tuple[Card, ...]:
        """The cards in a place, by its name: `view.cards("row 2")`, `view.cards("hand")` of the own seat."""
        places = self.table.named_places()
        own = f"{place} {self.seat}"
        if place not in places and own not in places:
            raise Problem("no_such_place", place=place, known=", ".join(places))
        return self.table.lying[places[place if place in places else own]]

    @property
    def hand(self) -> tuple[Card, ...]:
        """The own cards, in the order of their numbers."""
        held = next((one for one in self.table.PLACES.families if one.sight is HELD), None)
        if self.seat is None or held is None:
            raise Problem("no_hand_here")
        return self.table.lying[held.first + self.seat]

    @property
    def rows(self) -> dict[str, tuple[Card, ...]]:
        """The rows, or the stacks of a game that has those, by their names and in their order."""
        places = self.table.PLACES
        family = next((one for one in places.families if one.kind in ("number", "heap")), None)
        if family is None:
            return {}
        is_heap = family.kind == "heap"
        end = len(self.table.lying) if is_heap else family.first + 1 + family.room
        return {
            name: self.table.lying[place]
            for name, place in self.table.named_places().items()
            if family.first + (not is_heap) <= place < end
        }


# -- What is shown ----------------------------------------------------------------------------


def view(table: Held, seat: Seat | None, legal: list[Action]) -> View[Held]:
    """A card that lies chosen face down still counts as lying where it came from: otherwise choosing a
    card that all have seen would tell which one it is."""
    shown_table, remembered, places = table.changed(), table.lying[:], table.PLACES
    shown, seen = shown_table.lying, table.seen
    for how, place, source in places.shadings(table.seats, table.phase, seat):
        cards = remembered[place]
        if not cards:
            continue
        if how == HAND:  # without their order: those seen before, lowest first, then the others
            shown[place] = DOWN[len(shown[place])]
            if mask_of(cards) & seen:
                recalled = [card for card in cards if seen >> card & 1]
                remembered[place] = (*sorted(recalled), *DOWN[len(cards) - len(recalled)])
            else:
                remembered[place] = DOWN[len(cards)]
        elif how in (PILE, BOX):
            remembered[place] = known = as_seen(cards, seen)
            shown[place] = known if how == BOX else DOWN[len(cards)]
        elif how == CLOSED:
            shown[place], remembered[place] = DOWN[len(shown[place])], DOWN[len(cards)]
        elif how == TURNED_DOWN:
            shown[place] = DOWN[len(cards)]
        elif how == CHOSEN or table.actor != seat:
            shown[place] = DOWN[len(cards)]
            remembered[source] += cards
            remembered[place] = ()
    if places.shows_tops:
        show_tops(shown, places)
    return View(seat, shown_table, remembered, legal)


def seen_alone(table: Table, seat: Seat) -> list[tuple[Place, tuple[Card, ...]]]:
    """Where this seat sees cards that a spectator does not see, and which."""
    lying = table.lying
    always, acting = table.PLACES.own(table.seats, table.phase, seat)
    seen = [(place, lying[place]) for place in always if lying[place]]
    if acting and table.actor == seat:
        seen += [(place, lying[place]) for place in acting if lying[place]]
    return seen


def show_tops(shown: Lying, places: Places) -> None:
    shown[places.fixed :] = [cards[-1:] for cards in shown[places.fixed :]]


def as_seen(cards: tuple[Card, ...], seen: int) -> tuple[Card, ...]:
    """Those seen before, each where it lies."""
    every = mask_of(cards)
    known = every & seen
    if known == every:
        return cards
    if not known:
        return DOWN[len(cards)]
    return tuple([card if seen >> card & 1 else UNSEEN for card in cards])


# Hands and piles are looked at again and again before they change.
mask_of = lru_cache(maxsize=4096)(mask)


class OwnSide(NamedTuple):
    """What an event tells its own seat alone; where `recalled`, all have seen it once, and the memory
    aid tells it to all."""

    fact: str
    recalled: bool = False


def seen_by(event: Event, hidden: OwnSide, seat: Seat | None, options: Options) -> Event:
    """What is hidden from a seat is null."""
    if event["seat"] == seat or (hidden.recalled and options["memory_aid"]):
        return event
    return {**event, hidden.fact: None}


# -- What could be ----------------------------------------------------------------------------


def imagine(
    view: View[Held],
    cards: Iterable[Card],
    legal: Callable[[Held, Seat], list[Action]],
    actions: Actions,
    rng: Random,
) -> Held:
    """The unseen cards at random; what lies chosen face down is a card that its seat could choose."""
    table = view.table.changed()
    places, remembered = table.PLACES, view.remembered
    in_sight = {card for lie in remembered for card in lie}
    unseen = [card for card in cards if card not in in_sight]
    rng.shuffle(unseen)
    alike = places.alike
    table.lying = [
        tuple([card or unseen.pop() for card in lie]) if place not in alike else lie
        for place, lie in enumerate(remembered)
    ]
    for how, place, source in places.shadings(table.seats, table.phase, view.seat):
        if how == DRAWN and is_chosen(view, place):
            table.choose(rng.choice(table.lying[source]), source, place)
    for family in places.families:
        if family.sight is SHUFFLED:
            pile = table.lying[family.first]
            table.lying[family.first] = tuple(rng.sample(pile, len(pile)))
    for how, place, source in places.shadings(table.seats, table.phase, view.seat):
        if how == CHOSEN and is_chosen(view, place):
            owner = place - places.family_of(place).first
            lying = table.lying
            picked = [actions.picked(action, owner, lying) for action in legal(table, owner)]
            card, _ = rng.choice([pick for pick in picked if pick is not None])
            table.choose(card, source, place)
    for place in places.ascending(table.seats):
        table.lying[place] = tuple(sorted(table.lying[place]))
    return table


def before_choices(view: View[Held]) -> View[Held]:
    """The same knowledge with the others' secret choices still to come.

    Whoever thinks starts here: a card that lies face down was chosen by its player, so it is imagined by
    letting that player choose, as it would be if the player had not been asked yet."""
    places = view.table.PLACES
    shadings = places.shadings(view.table.seats, view.table.phase, view.seat)
    chosen = [(place, source) for how, place, source in shadings if how == CHOSEN]
    chosen = [(place, source) for place, source in chosen if is_chosen(view, place)]
    if not chosen:
        return view
    table = view.table.changed()
    for place, source in chosen:
        table.lying[place] = ()
        table.lying[source] += (UNSEEN,)
    return replace(view, table=table)


def is_chosen(view: View[Held], place: Place) -> bool:
    """Whether a card lies there that this seat does not see."""
    return view.table.lying[place] == (UNSEEN,) and not view.remembered[place]


# -- Who sees what is carried -----------------------------------------------------------------


def audience(table: Table, place: Place, phase: int, actor: Seat) -> Seat:
    """Who sees the cards in a place: ALL, NOBODY, or one seat."""
    family = table.PLACES.family_of(place)
    if phase == TURNED_UP or phase in family.opened:
        return ALL
    if family.secret_in == phase or family.sight is HELD:
        return place - family.first
    if family.sight is ACTING:
        return actor
    return ALL if family.sight in (FACE_UP, TOP_ONLY) else NOBODY


def only_open_cards_moved(table: Table) -> bool:
    """Whether all that was carried in the last change lay open to all before."""
    for _, _, origin, _, phase, _ in table.carries:
        family = table.PLACES.family_of(origin)
        if phase == TURNED_UP or family.sight is not FACE_UP or family.secret_in == phase:
            return False
    return True


class Shown(NamedTuple):
    """The cards of a carry as some see them, and as the others do: cards, or how many."""

    cards: list[Card] | int
    seen_by: frozenset[Seat] | None = None  # None: by all
    to_others: list[Card] | int = 0


def shown_to(table: Table, carry: Carry) -> Shown:
    """Whoever sees the cards at their origin or at their end sees them on the way."""
    _, cards, origin, to, phase, actor = carry
    end = table.PLACES.family_of(to)
    if phase == TURNED_UP or (end.sight is FACE_UP and end.secret_in != phase):  # mostly
        return Shown(list(cards)) if any(cards) else Shown(len(cards))
    is_heap = table.PLACES.family_of(origin).sight is TOP_ONLY  # of which all see the top alone
    before = NOBODY if is_heap else audience(table, origin, phase, actor)
    who = {before, audience(table, to, phase, actor)}
    if not any(cards):
        return Shown(len(cards))
    if ALL in who:
        return Shown(list(cards))
    seats = frozenset(who - {NOBODY})
    to_others: list[Card] | int = list(cards[-1:]) if is_heap else len(cards)
    return Shown(list(cards), seats, to_others) if seats else Shown(to_others)
