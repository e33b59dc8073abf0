"""A mini game as a tree: grown by its compiled twin, deal by deal.

Everything is counted in leads: what a seat has more than the others on average, so that with two seats one's gain
is the other's loss.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bullpen import fast
from bullpen.cards import Card, Problem
from bullpen.deals import count_deals, nth_deal, packets_of
from bullpen.deck import load_deck
from bullpen.game import Game, Options, OptionValue, Seat, View, complete_options, titled
from bullpen.games import GAMES

MOST_STATES = 5_000_000  # of a tree: some hundred megabytes, and half a minute to grow
PORTION = 256  # deals that are dealt at once
SAMPLE = 24  # deals, to tell how large a tree would be
MOST_IN_A_SAMPLE = 200_000  # states of one deal
LONGEST_DECK = 128

Policy = NDArray[np.float64]  # how likely each action is, information state after information state
Progress = Callable[[int, int], None]  # so many done, of so many


def no_progress(done: int, wanted: int) -> None:
    """Nobody watches."""


def no_mini_games(game: Game[Any]) -> Problem:
    known = [one.ID for one in GAMES.values() if one.printed]
    return Problem("exact_no_mini", game=game.ID, known=", ".join(known))


def rounded(number: float) -> str:
    """Large ones to two digits."""
    return f"{number:.2g}" if number >= 1e6 else f"{number:.0f}"


@dataclass(frozen=True)
class MiniGame:
    """A game that is small enough to be looked through."""

    game: Game[Any]
    seats: int
    options: dict[str, OptionValue]

    @property
    def title(self) -> str:
        return titled(self.game, self.options)

    @cached_property
    def table(self) -> Any:
        return self.game.set_up(self.seats, self.options, load_deck(self.game.DECK_FILES))

    @cached_property
    def packets(self) -> tuple[int, ...]:
        packets = packets_of(self.game, self.table)
        if packets is None:
            raise no_mini_games(self.game)
        return packets

    @cached_property
    def deals(self) -> int:
        return count_deals(len(self.cards), self.packets)

    @cached_property
    def cards(self) -> list[Card]:
        return self.game.to_shuffle(self.table)

    @cached_property
    def secret_phase(self) -> int:
        families = self.game.rules.places.families
        return next((one.secret_in for one in families if one.secret_in >= 0), -1)

    def decks(self, numbers: range | list[int]) -> NDArray[np.int16]:
        """The deals of these numbers."""
        decks = np.zeros((len(numbers), LONGEST_DECK), np.int16)
        for at, number in enumerate(numbers):
            decks[at, : len(self.cards)] = nth_deal(self.cards, self.packets, number)
        return decks

    def portions(self) -> Iterator[NDArray[np.int16]]:
        for first in range(0, self.deals, PORTION):
            yield self.decks(range(first, min(first + PORTION, self.deals)))


def mini_game(game: Game[Any], seats: int, options: Options) -> MiniGame:
    """A game with these options, which are completed; refuses games that have no mini games."""
    mini = MiniGame(game, seats, complete_options(game, seats, options))
    mini.packets  # noqa: B018 - it refuses
    return mini


class GrownTree:
    """All that can happen in a mini game, and what each seat knows then."""

    def __init__(self, mini: MiniGame, progress: Progress = no_progress) -> None:
        self.mini = mini
        self.twin = fast.twin(mini.game.ID)
        from bullpen.fast import game_trees

        self.fast = game_trees
        self.fresh = self.twin.to_record(mini.table)
        self.walk = game_trees.walking(self.fresh)
        self.words = np.zeros((self.twin.ACTIONS + 63) // 64, np.uint64)
        states = self._counted(progress)
        self.tree = self._grown(states, progress)
        self.states = int(self.tree.counts[game_trees.STATES]) + 1  # the deal is one, too
        self._rooms = {name: np.zeros(len(self.tree.seat)) for name in ("own", "others", "value")}
        self._levels = np.zeros(len(self.tree.seat), np.int16)

    # -- Growing ------------------------------------------------------------------------------

    def _counted(self, progress: Progress) -> int:
        """How many states there are; refuses more than there is room for, and tells how many that would be."""
        likely = self._estimated()
        if likely > 1.5 * MOST_STATES:
            raise self._too_large(likely)
        total = 0
        for at, decks in enumerate(self.mini.portions()):
            states, ended = self.fast.count_states(
                self.walk, self.fresh, decks, self.words, MOST_STATES - total
            )
            if ended == self.fast.TOO_MANY:
                raise self._too_large(max(likely, MOST_STATES + 1))
            self._check(ended)
            total += int(states)
            progress(min(at * PORTION, self.mini.deals), 2 * self.mini.deals)
        return total

    def _estimated(self) -> float:
        """From some deals, drawn at random; those that are too large themselves count as far as they were counted."""
        rng = Random(0)
        numbers = [rng.randrange(self.mini.deals) for _ in range(SAMPLE)]
        counted = 0.0
        for deck in self.mini.decks(numbers):
            states, ended = self.fast.count_states(
                self.walk, self.fresh, deck[None], self.words, MOST_IN_A_SAMPLE
            )
            if ended != self.fast.TOO_MANY:
                self._check(ended)
            counted += states
        return counted / SAMPLE * self.mini.deals

    def _too_large(self, states: float) -> Problem:
        return Problem(
            "exact_too_large",
            mini=self.mini.title,
            states=rounded(states),
            most=MOST_STATES,
            deals=rounded(self.mini.deals),
        )

    def _check(self, ended: int) -> None:
        if ended == self.fast.ANOTHER_DEAL:
            raise Problem("exact_one_deal", mini=self.mini.title)
        if ended == self.fast.TOO_DEEP:
            raise Problem("exact_too_deep", mini=self.mini.title, most=self.fast.DEEPEST)
        assert ended == self.fast.WELL, f"information states that are not alike: {ended}"

    def _grown(self, states: int, progress: Progress) -> Any:
        """Room for every state; what is not needed is given back at the end."""
        nodes, hashes = states + 1, 1 << max(10, (2 * states).bit_length())
        tree = self.fast.Tree(
            np.zeros(nodes, np.int8),
            np.zeros(nodes, np.int32),
            np.zeros(nodes, np.int32),
            np.zeros((nodes, self.mini.seats), np.float32),
            np.zeros(nodes, np.int8),
            np.zeros(nodes + 1, np.int32),
            np.zeros(4 * nodes + self.fast.MOST_ACTIONS, np.int16),
            np.zeros(hashes, np.uint64),
            np.zeros(hashes, np.int32),
            np.zeros(5, np.int64),
        )
        tree.seat[0], tree.counts[self.fast.NODES] = self.fast.DEAL, 1
        seen = np.zeros(2 * self.twin.CARDS + 8 * self.twin.SEATS + 16, np.int16)
        for at, decks in enumerate(self.mini.portions()):
            self._check(
                self.fast.grow(
                    tree, self.walk, self.fresh, decks, self.words, seen, self.mini.secret_phase
                )
            )
            progress(self.mini.deals + min(at * PORTION, self.mini.deals), 2 * self.mini.deals)
        return self._trimmed(tree)

    def _trimmed(self, tree: Any) -> Any:
        nodes, ends, infos, actions, _ = (int(count) for count in tree.counts)
        points = tree.utility[:ends].astype(np.float64)
        good = -points if self.mini.game.best(self.mini.options) is min else points
        others = (good.sum(axis=1, keepdims=True) - good) / (self.mini.seats - 1)
        return tree._replace(
            seat=tree.seat[:nodes].copy(),
            info=tree.info[:nodes].copy(),
            after=tree.after[:nodes].copy(),
            utility=(good - others).astype(np.float32),
            info_seat=tree.info_seat[:infos].copy(),
            info_first=tree.info_first[: infos + 1].copy(),
            action=tree.action[:actions].copy(),
            keys=np.zeros(1, np.uint64),
            numbers=np.zeros(1, np.int32),
        )

    # -- What it tells ------------------------------------------------------------------------

    @property
    def infos(self) -> int:
        """How many information states there are in which somebody has a choice."""
        return len(self.tree.info_seat)

    def actions(self, info: int) -> list[int]:
        first, end = self.tree.info_first[info : info + 2]
        return [int(action) for action in self.tree.action[first:end]]

    def uniform(self) -> Policy:
        """Every legal action as likely."""
        sizes = np.diff(self.tree.info_first)
        return np.repeat(1 / sizes, sizes)

    def value(self, policy: Policy, seat: Seat) -> float:
        """What a seat gets on average if all follow the policy."""
        return float(self.fast.values(self.tree, policy, seat, self._rooms["value"]))

    def best_response(self, policy: Policy, seat: Seat) -> tuple[float, Policy]:
        """What a seat gets at most if the others follow the policy, and how."""
        own, others, value = self._rooms.values()
        self.fast.reaches(self.tree, policy, seat, own, others)
        best = np.zeros_like(policy)
        found = self.fast.best_response(self.tree, policy, seat, others, self._levels, value, best)
        return float(found), best

    def spread(self) -> float:
        """The standard deviation of a lead in random play, averaged over the seats: what a head is worth here."""
        policy, variance = self.uniform(), 0.0
        for seat in range(self.mini.seats):
            mean = self.value(policy, seat)
            variance += self.fast.squares(self.tree, policy, seat, mean, self._rooms["value"])
        return float(np.sqrt(variance / self.mini.seats))

    # -- Views --------------------------------------------------------------------------------

    def views(self) -> Iterator[View[Any]]:
        """Of each information state what its seat sees, one after the other."""
        examples = np.repeat(self.fresh, self.infos)
        found, node = np.zeros(self.infos, np.bool_), 1
        for decks in self.mini.portions():
            node = self.fast.find_examples(
                self.tree, self.walk, self.fresh, decks, self.words, node, examples, found
            )
        assert found.all()
        options, deck = self.mini.options, self.mini.table.deck
        for info in range(self.infos):
            table = self.twin.from_record(examples[info : info + 1], options, deck)
            yield self.mini.game.view(table, int(self.tree.info_seat[info]))
