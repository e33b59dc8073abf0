"""What one seat is shown, as JSON: made from `game.view`, `game.seen_alone` and `game.seen_by`, never from the table itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Literal, NamedTuple

from bullpen.cards import UNSEEN, Lying
from bullpen.game import Event, Game, Options, Part, Seat, View
from bullpen.offers import Meaning, meaning, unusable
from bullpen.server.flights import Flight, flights
from bullpen.server.play import Play
from bullpen.text import Voice

Json = dict[str, Any]
# Whoever draws a table wants to know what each offer means; to try them all costs more than the rest of a view,
# so only those get it who ask.
Detail = Literal["plain", "explained"]

STEP_SECONDS = 0.5  # that a client gets to animate a step, before anybody's clock runs
LONGEST_PAUSE = 12.0


class Happened(NamedTuple):
    """Something that everybody is told, each in their own way."""

    event: Event | None  # None: cards are carried, and what happens to them is told later
    flights: list[Flight]
    # By seat: how the points came about that were counted just now.
    tally: list[list[Part]] | None = None


DEAL, TIME_UP = "deal", "time_up"  # events that the server tells, and not the rules


def happened(play: Play, before: Any, events: Sequence[Event]) -> list[Happened]:
    """What the last change of a game told; `before` is the table as it was before it."""
    flying = flights(play.game, play.table, events)
    happenings = [Happened(event, flown) for event, flown in zip_longest(events, flying)]
    if happenings and has_counted(play, before):
        happenings[-1] = happenings[-1]._replace(tally=play.game.tally(play.table))
    return happenings


def overdue(play: Play) -> list[Happened]:
    """For whom a bot has made the last decision, because their time was up."""
    late, last = [], play.moment - 1
    for made in reversed(play.made):
        if made.moment != last:
            break
        if made.by == "clock":
            late.append(made.seat)
    return [Happened({"event": TIME_UP, "seat": seat}, []) for seat in sorted(late)]


def has_counted(play: Play, before: Any) -> bool:
    """Whether a round or the game has just ended."""
    rounds = play.game.rounds
    return play.is_over or len(rounds(play.table)) > len(rounds(before))


def pause_for(steps: Sequence[Happened]) -> float:
    return min(LONGEST_PAUSE, STEP_SECONDS * len(steps))


# -- Cards ------------------------------------------------------------------------------------


def places_shown(places: Mapping[str, int], lying: Lying) -> Json:
    """Where all lie face down, how many: nothing more can be said of them."""
    shown: Json = {}
    for name, place in places.items():
        cards = lying[place]
        shown[name] = list(cards) if any(cards) or not cards else len(cards)
    return shown


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
        self._happenings: Sequence[Happened] = ()
        self._alike: list[Json] = []  # the steps as most are told them
        # By seat: which of them it is told in other words, and which it also sees otherwise.
        self._reworded: dict[Seat | str | None, list[int]] = {}
        self._own: dict[Seat | None, list[int]] = {}
        self._to_each: list[int] = []  # which everybody sees otherwise
        self._reveals: dict[int, Callable[[Seat | None], str]] = {}  # which everybody is told so

    def offers(self, actions: Sequence[int]) -> list[Json]:
        return [self._labels.get(action) or self._label(action) for action in actions]

    def _label(self, action: int) -> Json:
        move = self.game.NOTATION[action]
        label = self.voice.move(self.game, move, self.names)
        self._labels[action] = offer = {"action": action, "move": move, "label": label}
        return offer

    def steps(
        self, happenings: Sequence[Happened], seat: Seat | None, options: Options
    ) -> list[Json]:
        if happenings is not self._happenings:
            self._begin(happenings)
        steps = self._alike.copy()
        for at, words_to in self._reveals.items():
            steps[at] = {**steps[at], "text": words_to(seat)}
        for at in self._reworded.get(seat, ()):
            step = steps[at]
            steps[at] = {**step, "text": self.sentence(step["event"], seat)}
        for at in (*self._to_each, *self._own.get(seat, ())):
            event = happenings[at].event
            seen = event and self.game.seen_by(event, seat, options)
            steps[at] = self.worded(happenings[at], seen, seat)
        return steps

    def _begin(self, happenings: Sequence[Happened]) -> None:
        """What most are told is made once; whom a step touches is told it in other words, and who sees more of it
        sees it otherwise."""
        self._happenings, self._alike, self._reworded, self._own = happenings, [], {}, {}
        self._to_each, self._reveals = [], {}
        for at, one in enumerate(happenings):
            event = one.event or {}
            name = event.get("event")
            seers = [seat for flight in one.flights for seat in flight.seen_by or ()]
            if name in self.game.own_side or (name == "reveal" and seers):
                self._to_each.append(at)
                self._alike.append({})
            elif name == "reveal":  # everybody's own card is told first
                self._reveals[at] = self.voice.reveal(self.game, event, self.names)
                self._alike.append(self._step(one, event, "", ALIKE))
            else:
                self._alike.append(self.worded(one, one.event, ALIKE))
                for seat in set(seers):
                    self._own.setdefault(seat, []).append(at)
                for touched in (event.get("seat"), event.get("from")):
                    if touched is not None and touched not in seers:
                        self._reworded.setdefault(touched, []).append(at)

    def worded(self, one: Happened, seen: Event | None, seat: Seat | None) -> Json:
        return self._step(one, seen, "" if seen is None else self.sentence(seen, seat), seat)

    def _step(self, one: Happened, seen: Event | None, text: str, seat: Seat | None) -> Json:
        return {
            "event": seen,
            "text": text,
            "moves": [flight.as_json(seat) for flight in one.flights],
            "tally": None if one.tally is None else tally_shown(self.game, one.tally, self.voice),
        }

    def sentence(self, seen: Event, seat: Seat | None) -> str:
        if seen["event"] == DEAL:
            return self.voice.say("server.deal")
        if seen["event"] == TIME_UP:
            late = seen["seat"]
            key = "server.time_up_you" if late == seat else "server.time_up"
            return self.voice.say(key, name=self.names[late])
        return self.voice.event(self.game, seen, self.names, seat)


def tally_shown(game: Game[Any], tally: Sequence[Sequence[Part]], voice: Voice) -> list[list[Json]]:
    return [
        [
            {
                "name": part.name,
                "text": voice.part(game, part.name),
                "cards": list(part.cards),
                "points": part.points,
                "tone": part.tone,
            }
            for part in parts
        ]
        for parts in tally
    ]


class Sight:
    """A table at one moment, in one language.  What everybody is told alike is made once, from what a
    spectator sees; the rest by `to`, for one seat."""

    def __init__(
        self, play: Play, happenings: Sequence[Happened], telling: Telling, clock: float | None
    ) -> None:
        self.play, self.happenings, self.telling = play, happenings, telling
        game, table, waiting = play.game, play.view(None).table, play.waiting
        self.to_all: Json = {
            "type": "view",
            "turn": play.turn,
            "steps": [],
            "phase": game.phase_name(table),
            "actor": waiting[0] if waiting and not play.is_secret else None,
            "places": places_shown(play.places, table.lying),
            "remembered": None,
            "facts": game.facts(table),
            "waiting": waiting,
            "chosen": sorted(play.choices),
            "decision": None,
            "scores": game.scores(table),
            "rounds": game.rounds(table),
            "pace": {"pause": pause_for(happenings), "seconds": clock},
            "can_undo": False,
        }

    def to(
        self, seat: Seat | None, undo_seat: Seat | None = None, detail: Detail = "plain"
    ) -> Json:
        """The view of docs/wire.md."""
        play = self.play
        message = self.to_all.copy()
        message["steps"] = self.telling.steps(self.happenings, seat, play.options)
        if play.options["memory_aid"]:
            message["remembered"] = remembered_shown(play.places, play.view(seat))
        if seat is not None:
            message["places"] = message["places"] | self._seen_alone(seat)
            message["decision"] = decision_shown(play, seat, self.telling, detail)
            message["can_undo"] = seat == undo_seat
        return message

    def _seen_alone(self, seat: Seat) -> Json:
        """The places that this seat sees otherwise than a spectator."""
        table = self.play.table
        return {
            table.called(place): list(cards)
            for place, cards in self.play.game.seen_alone(table, seat)
        }


def decision_shown(play: Play, seat: Seat, telling: Telling, detail: Detail) -> Json | None:
    if not (actions := play.offers(seat)):
        return None
    offers = telling.offers(actions)
    decision = {"number": play.numbers[seat], "choice": play.choice(seat), "moves": offers}
    if detail == "plain":
        return decision
    game, view = play.game, play.choosing_view(seat)
    return {
        **decision,
        "moves": [
            offer | meaning_shown(meaning(game, view, action))
            for offer, action in zip(offers, actions, strict=True)
        ],
        "unusable": [
            {"card": card, "why": telling.voice.why(refusal)}
            for card, refusal in unusable(game, view).items()
        ],
    }


def meaning_shown(meant: Meaning) -> Json:
    return meant._asdict() | {
        name: list(getattr(meant, name)) for name in ("taken", "next", "then")
    }
