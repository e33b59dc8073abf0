"""A position of a game in OpenSpiel: the table, the shuffle under way, and what all have seen happen.

Positions never change, so copying a state costs next to nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from random import Random
from typing import Any

from bullpen.cards import Card, Lying
from bullpen.deals import nth_deal, packets_of
from bullpen.envs.history import laid_in
from bullpen.envs.spiel.settings import Setting, setting_from
from bullpen.game import Action, Event, Game, Seat, View, drawn, seats_with

CHANCE, SIMULTANEOUS, TERMINAL = -1, -2, -4  # as OpenSpiel numbers them
SHUFFLE = 0  # the one outcome of sampled chance
TOLD_ELSEWHERE = ("seats", "options", "deck", "heaps", "lying")  # fields of a table


@dataclass(frozen=True)
class Position:
    setting: Setting
    table: Any
    dealt: tuple[Card, ...] = ()  # of the shuffle under way
    log: str = ""  # the events as a spectator saw them, and the end of every round
    plays: tuple[tuple[Seat, Card], ...] = ()  # of this round: who laid which card, in their order
    shuffles: tuple[tuple[Card, ...], ...] = ()  # of sampled chance

    def __deepcopy__(self, memo: object) -> Position:
        return self

    # -- Who is to move -----------------------------------------------------------------------

    @cached_property
    def player(self) -> Seat:
        """Seats that choose in secret do so in the order of their numbers, or at once."""
        waiting = self.waiting
        if waiting:
            at_once = self.setting.is_simultaneous and len(waiting) > 1
            return SIMULTANEOUS if at_once else waiting[0]
        return CHANCE if self.setting.rules.to_shuffle(self.table) else TERMINAL

    @cached_property
    def waiting(self) -> list[Seat]:
        return self.setting.rules.waiting_for(self.table)

    @cached_property
    def legal(self) -> list[Action]:
        return self.legal_for(self.player)

    def legal_for(self, seat: Seat) -> list[Action]:
        return sorted(self.setting.rules.legal(self.table, seat))

    def chance_outcomes(self) -> list[tuple[Action, float]]:
        if self.setting.is_sampled:
            return [(SHUFFLE, 1.0)]
        if deals := self.setting.whole_deals(self.table):
            return [(deal, 1 / deals) for deal in range(deals)]
        left = [
            card for card in self.setting.rules.to_shuffle(self.table) if card not in self.dealt
        ]
        return [(card, 1 / len(left)) for card in sorted(left)]

    # -- Playing on ---------------------------------------------------------------------------

    def after(self, action: Action) -> Position:
        if self.player == CHANCE:
            return self.after_chance(action)
        return self.after_choice(self.player, action)

    def after_all(self, actions: Sequence[Action]) -> Position:
        """By seat; of those who have nothing to choose the actions mean nothing."""
        position = self
        for seat in self.waiting:
            position = position.after_choice(seat, actions[seat])
        return position

    def after_choice(self, seat: Seat, action: Action) -> Position:
        table, events = self.setting.rules.apply(self.table, seat, action)
        return replace(
            self,
            table=table,
            dealt=(),
            log=self.log + self.logged(events),
            plays=self.plays + laid_in(self.setting.rules, table),
        )

    def after_chance(self, outcome: Action) -> Position:
        if self.setting.is_sampled:
            return self.after_sampled()
        if not self.setting.whole_deals(self.table):
            return self.after_card(outcome)
        rules = self.setting.rules
        packets = packets_of(rules, self.table) or ()
        return self.after_shuffle(nth_deal(rules.to_shuffle(self.table), packets, outcome))

    def after_card(self, card: Card) -> Position:
        dealt = (*self.dealt, card)
        if len(dealt) < self.setting.matter(self.table):
            return replace(self, dealt=dealt)
        return self.after_shuffle(self.setting.whole_shuffle(self.table, dealt))

    def after_sampled(self) -> Position:
        return self.after_given(self.setting.deals.shuffled(self.setting.rules, self.table))

    def after_given(self, cards: Sequence[Card]) -> Position:
        """A shuffle of sampled chance, which is remembered."""
        after = self.after_shuffle(cards)
        return replace(after, shuffles=(*self.shuffles, tuple(cards)))

    def after_shuffle(self, cards: Sequence[Card]) -> Position:
        """The round before is over then; how it ended belongs to what one remembers."""
        rules, log, plays = self.setting.rules, self.log, self.plays
        if rules.rounds(self.table):
            end, plays = rules.view(self.table, None), ()
            log += f"{one_line(rules, end.table, end.remembered)}\n"
        table, events = rules.deal(self.table, cards)
        return replace(self, table=table, dealt=(), log=log + self.logged(events), plays=plays)

    def logged(self, events: Sequence[Event]) -> str:
        seen_by, options = self.setting.rules.seen_by, self.setting.options
        return "".join(
            " ".join(map(str, seen_by(event, None, options).values())) + "\n" for event in events
        )

    # -- What a seat knows --------------------------------------------------------------------

    def view(self, seat: Seat | None) -> View[Any]:
        return self.setting.rules.view(self.table, seat)

    def known_to(self, seat: Seat) -> str:
        """All that a seat could know: what it saw happen, and what a perfect memory makes of it."""
        if seat not in self._known:  # a search asks for it again and again
            view = self.view(seat)
            described = self.described(view, view.remembered, ())
            self._known[seat] = f"seat {seat}\n{self.log}{described}"
        return self._known[seat]

    @cached_property
    def _known(self) -> dict[Seat, str]:
        return {}

    def shown_to(self, seat: Seat | None) -> str:
        """What a seat sees now, or a spectator."""
        view = self.view(seat)
        who = "spectator" if seat is None else f"seat {seat}"
        return f"{who}\n{self.described(view, view.table.lying, view.table.MEMORY)}"

    def held_by_all(self) -> str:
        """What each seat hides from the others."""
        return "\n".join(self.held_by(seat) for seat in range(self.setting.seats))

    def held_by(self, seat: Seat) -> str:
        """What no other seat sees: the hand, and what was chosen from it in secret."""
        rules, table = self.setting.rules, self.table
        whole, others = self.view(seat).table.lying, self.view(None).table.lying
        own = [
            cards if place < len(others) and cards != others[place] else ()
            for place, cards in enumerate(whole)
        ]
        return f"seat {seat}\n{drawn(rules, table, own)}"

    def described(self, view: View[Any], lying: Lying, left_out: Sequence[str]) -> str:
        facts = " ".join(
            f"{name}={value}"
            for name, value in facts_of(view.table).items()
            if name not in left_out
        )
        return f"{facts}\n{drawn(self.setting.rules, view.table, lying)}"

    def imagined(self, seat: Seat, rng: Random) -> Position:
        """Another position that this seat cannot tell from this one."""
        table = self.setting.rules.imagine(self.view(seat), rng)
        return replace(self, table=table, shuffles=())

    # -- How it ends --------------------------------------------------------------------------

    def returns(self) -> list[float]:
        """By seat; nothing before the end."""
        if self.player != TERMINAL:
            return [0.0] * self.setting.seats
        return utilities(self.setting, self.setting.rules.scores(self.table))

    # -- As text ------------------------------------------------------------------------------

    def __str__(self) -> str:
        rules, table = self.setting.rules, self.table
        facts = " ".join(f"{name}={value}" for name, value in facts_of(table).items())
        dealt = f"\ndealt: {' '.join(map(str, self.dealt))}" if self.dealt else ""
        return f"{facts}\n{drawn(rules, table, table.lying)}{dealt}"

    def __reduce__(self) -> tuple[Any, ...]:
        """A text, so that equal positions are equal when they are written down."""
        table = {"lying": self.table.lying, **facts_of(self.table)}
        if heaps := getattr(self.table, "heaps", ()):
            table["heaps"] = heaps
        setting = (self.setting.rules.ID, self.setting.parameters)
        rest = (self.dealt, self.log, self.plays, self.shuffles)
        return position_from_text, (repr((*setting, table, *rest)),)


def utilities(setting: Setting, points: Sequence[int]) -> list[float]:
    """What a result is worth to each seat: the more, the better."""
    best, seats = setting.rules.best(setting.options), setting.seats
    if setting.utility == "win":
        winners = seats_with(best, points)
        return [(seat in winners) / len(winners) - 1 / seats for seat in range(seats)]
    good = [float(-own if best is min else own) for own in points]
    if setting.utility == "points":
        return good
    return [own - (sum(good) - own) / (seats - 1) for own in good]


def position_from_text(text: str) -> Position:
    game, parameters, fields_of_table, *rest = ast.literal_eval(text)
    setting = setting_from(game, parameters)
    table = setting.rules.set_up(setting.seats, setting.options, setting.deck)
    for name, value in fields_of_table.items():
        setattr(table, name, value)
    return Position(setting, table, *rest)


def facts_of(table: Any) -> dict[str, Any]:
    """What a table holds besides the cards and what never changes."""
    names = (one.name for one in fields(table) if one.compare)
    return {
        name: int(table.phase) if name == "phase" else getattr(table, name)
        for name in names
        if name not in TOLD_ELSEWHERE
    }


def one_line(rules: Game[Any], table: Any, lying: Lying) -> str:
    return "; ".join(" ".join(line.split()) for line in drawn(rules, table, lying).splitlines())
