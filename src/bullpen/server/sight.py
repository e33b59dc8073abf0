"""What one seat is shown, as JSON: made from `game.view` and `game.seen_by`, never from the table itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from bullpen.cards import UNSEEN, Card, Lying
from bullpen.game import Event, Game, Options, Seat, View
from bullpen.server.facts import facts_of, phase_of
from bullpen.server.play import Play
from bullpen.server.steps import Flight, flights
from bullpen.text import Voice

Json = dict[str, Any]

STEP_SECONDS = 0.5  # that a client gets to animate a step, before anybody's clock runs
LONGEST_PAUSE = 12.0


class Happened(NamedTuple):
    """Something that everybody is told, each in their own way."""

    event: Event
    flights: list[Flight]


def happened(game: Game[Any], before: Any, events: Sequence[Event]) -> list[Happened]:
    return [
        Happened(event, flying)
        for event, flying in zip(events, flights(game, before, events), strict=True)
    ]


def pause_for(steps: Sequence[Happened]) -> float:
    return min(LONGEST_PAUSE, STEP_SECONDS * len(steps))


# -- Cards ------------------------------------------------------------------------------------


def cards_shown(cards: tuple[Card, ...]) -> list[Card] | int:
    """How many, where all lie face down: nothing more can be said of them."""
    return list(cards) if any(cards) or not cards else len(cards)


def places_shown(places: Mapping[str, int], lying: Lying) -> Json:
    return {name: cards_shown(lying[place]) for name, place in places.items()}


def remembered_shown(places: Mapping[str, int], view: View[Any]) -> Json:
    """Only what a perfect memory knows beyond what lies open."""
    return {
        name: list(view.remembered[place])
        for name, place in places.items()
        if view.remembered[place] != view.table.lying[place]
        and any(card != UNSEEN for card in view.remembered[place])
    }


# -- The view ---------------------------------------------------------------------------------


# By language and game: what is offered at all its tables alike, unless it names people.
OFFERS: dict[tuple[str, str], dict[int, Json]] = {}


ALIKE: Seat = -1  # a reader like most others


class Telling:
    """The steps and labels of one table in one language; each is made once."""

    def __init__(self, game: Game[Any], voice: Voice, names: Sequence[str]) -> None:
        self.game, self.voice, self.names = game, voice, names
        shared = OFFERS.setdefault((voice.language, game.ID), {})
        self._labels = {} if voice.moves_name_people(game) else shared
        self._told: Sequence[Happened] = ()
        # By step: whom it is told in other words, and what each of them is told; the others share what
        # stands under `ALIKE`.
        self._touched: list[set[Seat | str | None]] = []
        self._steps: list[dict[Seat | None, Json]] = []

    def offers(self, actions: Sequence[int]) -> list[Json]:
        return [self._labels.get(action) or self._label(action) for action in actions]

    def _label(self, action: int) -> Json:
        move = self.game.NOTATION[action]
        label = self.voice.move(self.game, move, self.names)
        self._labels[action] = offer = {"action": action, "move": move, "label": label}
        return offer

    def steps(self, told: Sequence[Happened], seat: Seat | None, options: Options) -> list[Json]:
        """A step is the same for all whom the event does not touch and who see it alike."""
        if told is not self._told:
            self._told, self._steps = told, [{} for _ in told]
            self._touched = [touched(one) for one in told]
        steps, seen_by = [], self.game.seen_by
        for one, mine, made in zip(told, self._touched, self._steps, strict=True):
            event = one.event
            is_deal = event["event"] == "deal"
            seen = event if is_deal else seen_by(event, seat, options)
            # Where cards are turned up, everybody's own is told first.
            own = seen is not event or seat in mine or event["event"] == "reveal"
            reader = seat if own and not is_deal else ALIKE
            if (step := made.get(reader)) is None:
                step = made[reader] = self._worded(one, seen, seat)
            steps.append(step)
        return steps

    def _worded(self, one: Happened, seen: Event, seat: Seat | None) -> Json:
        if seen["event"] == "deal":
            return {"event": seen, "text": self.voice.say("server.deal"), "moves": []}
        return {
            "event": seen,
            "text": self.voice.event(self.game, seen, self.names, seat),
            "moves": [flight.as_json(seat) for flight in one.flights],
        }


def touched(one: Happened) -> set[Seat | str | None]:
    event = one.event
    return {event.get("seat"), event.get("from"), *[flight.seen_by for flight in one.flights]}


class Sight:
    """A table at one moment, in one language.  What everybody is told alike is made once, from what a
    spectator sees; the rest by `to`, for one seat."""

    def __init__(
        self, play: Play, told: Sequence[Happened], telling: Telling, clock: float | None
    ) -> None:
        self.play, self.told, self.telling = play, told, telling
        game, table, waiting = play.game, play.view(None).table, play.waiting
        self.to_all: Json = {
            "type": "view",
            "turn": play.turn,
            "steps": [],
            "phase": phase_of(game, table),
            "actor": waiting[0] if waiting and not play.is_secret else None,
            "places": places_shown(play.places, table.lying),
            "remembered": None,
            "facts": facts_of(game, table),
            "waiting": waiting,
            "chosen": sorted(play.choices),
            "decision": None,
            "scores": game.scores(table),
            "rounds": game.rounds(table),
            "pace": {"pause": pause_for(told), "seconds": clock},
            "can_undo": False,
        }

    def to(self, seat: Seat | None, undo_seat: Seat | None = None) -> Json:
        """The view of docs/wire.md."""
        play = self.play
        message = self.to_all.copy()
        message["steps"] = self.telling.steps(self.told, seat, play.options)
        if play.options["memory_aid"]:
            message["remembered"] = remembered_shown(play.places, play.view(seat))
        if seat is not None:
            message["places"] = message["places"] | self._seen_alone(seat)
            message["decision"] = decision_shown(play, seat, self.telling)
            message["can_undo"] = seat == undo_seat
        return message

    def _seen_alone(self, seat: Seat) -> Json:
        """The places that this seat sees otherwise than a spectator."""
        play = self.play
        lying, to_all = play.view(seat).table.lying, play.view(None).table.lying
        return {
            name: cards_shown(lying[place])
            for name, place in play.places.items()
            if lying[place] is not to_all[place] and lying[place] != to_all[place]
        }


def decision_shown(play: Play, seat: Seat, telling: Telling) -> Json | None:
    if not (offers := play.offers(seat)):
        return None
    return {
        "number": play.numbers[seat],
        "choice": play.choice(seat),
        "moves": telling.offers(offers),
    }
