"""The classes that OpenSpiel knows: the game, its states, its observers."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pyspiel

from bullpen.about import Bounds
from bullpen.cards import Problem
from bullpen.envs.spiel.observers import Observer, planes_of
from bullpen.envs.spiel.positions import (
    CHANCE,
    SIMULTANEOUS,
    TERMINAL,
    Position,
    position_from_text,
)
from bullpen.envs.spiel.settings import Parameters, Setting, setting_from, specification
from bullpen.envs.spiel.twin_positions import AnyPosition, quickest
from bullpen.game import Action, Game, Seat, View, card_name, titled
from bullpen.games import GAMES, game_called, package

SEED_BITS = 53


def spiel_name(game: str) -> str:
    """`x-nimmt` is `bullpen_x_nimmt` there."""
    return f"bullpen_{game_called(game).ID.replace('-', '_')}"


def game_type(setting: Setting) -> Any:
    game, kinds = setting.rules, pyspiel.GameType
    is_zero_sum = setting.utility != "points"
    return kinds(
        short_name=spiel_name(game.ID),
        long_name=titled(game, setting.options),
        dynamics=kinds.Dynamics.SIMULTANEOUS
        if setting.is_simultaneous
        else kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.SAMPLED_STOCHASTIC
        if setting.is_sampled
        else kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if is_zero_sum else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=game.SEATS[-1],
        min_num_players=game.SEATS[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=specification(game),
    )


def game_info(setting: Setting, bounds: Bounds) -> Any:
    least, most = utility_bounds(setting, bounds)
    return pyspiel.GameInfo(
        num_distinct_actions=max(setting.rules.NOTATION) + 1,
        max_chance_outcomes=1 if setting.is_sampled else chance_outcomes(setting),
        num_players=setting.seats,
        min_utility=least,
        max_utility=most,
        utility_sum=None if setting.utility == "points" else 0.0,
        max_game_length=bounds.decisions,
    )


def highest_card(setting: Setting) -> int:
    return setting.layout.cards


def chance_outcomes(setting: Setting) -> int:
    return setting.whole_deals(fresh_table(setting)) or highest_card(setting) + 1


def fresh_table(setting: Setting) -> Any:
    return setting.rules.set_up(setting.seats, setting.options, setting.deck)


def utility_bounds(setting: Setting, bounds: Bounds) -> tuple[float, float]:
    if setting.utility == "win":
        return -1 / setting.seats, 1 - 1 / setting.seats
    if setting.utility == "lead":
        return float(bounds.least - bounds.most), float(bounds.most - bounds.least)
    if setting.rules.best(setting.options) is min:
        return float(-bounds.most), float(-bounds.least)
    return float(bounds.least), float(bounds.most)


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """One of our games, as OpenSpiel loads it."""

    game: str

    def __init__(self, parameters: Parameters | None = None) -> None:
        self.setting = setting_from(self.game, parameters or {})
        self.bounds = bounds_of(self.setting)
        info = game_info(self.setting, self.bounds)
        super().__init__(game_type(self.setting), info, dict(parameters or {}))
        self.start = quickest(Position(self.setting, fresh_table(self.setting)))

    def new_initial_state(self) -> SpielState:
        return SpielState(self, self.start)

    def max_chance_nodes_in_history(self) -> int:
        if self.setting.is_sampled or self.setting.whole_deals(fresh_table(self.setting)):
            return self.bounds.shuffles
        return self.bounds.shuffles * highest_card(self.setting)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:  # noqa: ARG002
        wished = iig_obs_type if isinstance(iig_obs_type, pyspiel.IIGObservationType) else None
        return Observer(self.setting, wished)


def bounds_of(setting: Setting) -> Bounds:
    facts: Any = package(setting.rules.ID)
    found: Bounds = facts.bounds(setting.seats, setting.options, setting.deck)
    return found


def class_for(game: str) -> type[SpielGame]:
    """A class each: OpenSpiel keeps what makes a game until after Python has ended, which only a class
    survives."""
    return type(game.title().replace("-", ""), (SpielGame,), {"game": game, "__module__": __name__})


# Of those whose folder says how long they can get.
CLASSES = {game: class_for(game) for game in GAMES if hasattr(package(game), "bounds")}
globals().update({kind.__name__: kind for kind in CLASSES.values()})  # pickles find them by name


def register_all() -> None:
    known = set(pyspiel.registered_names())
    for kind in CLASSES.values():
        if spiel_name(kind.game) not in known:
            pyspiel.register_game(game_type(setting_from(kind.game, {})), kind)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A state is a position; OpenSpiel copies and writes down whatever else were an attribute."""

    def __init__(self, game: SpielGame, position: AnyPosition) -> None:
        super().__init__(game)
        self.position = position

    def current_player(self) -> Seat:
        return self.position.player

    def is_terminal(self) -> bool:
        return self.position.player == TERMINAL

    # OpenSpiel would ask once more for the player, five times for the actions, and copy a tensor from list to list:
    # Python is answered here, while C++ goes its own way to the same answers.

    def is_chance_node(self) -> bool:
        return self.position.player == CHANCE

    def legal_actions(self, *player: Seat) -> list[Action]:
        position = self.position
        if position.player < 0 or (player and player[0] != position.player):
            return super().legal_actions(*player)  # type: ignore[no-any-return]
        return position.legal.copy()

    def observation_tensor(self, *player: Seat) -> list[float]:
        position = self.position
        if not player or not 0 <= player[0] < position.setting.seats:
            return super().observation_tensor(*player)  # type: ignore[no-any-return]
        tensor: list[float] = planes_of(position, player[0], "shown").tolist()
        return tensor

    def _legal_actions(self, player: Seat) -> list[Action]:
        if self.position.player == SIMULTANEOUS:
            return self.position.legal_for(player)
        return self.position.legal

    def chance_outcomes(self) -> list[tuple[Action, float]]:
        return self.position.chance_outcomes()

    def _apply_action(self, action: Action) -> None:
        self.position = self.position.after(action)

    def _apply_actions(self, actions: list[Action]) -> None:
        self.position = self.position.after_all(actions)

    def _action_to_string(self, player: Seat, action: Action) -> str:
        game: Game[Any] = self.position.setting.rules
        if player != CHANCE:
            return game.NOTATION[action]
        if self.position.setting.is_sampled:
            return "shuffle"
        if self.position.setting.whole_deals(self.position.table):
            return f"deal number {action}"
        return f"deal {card_name(game, action)}"

    def returns(self) -> list[float]:
        return self.position.returns()

    def resample_from_infostate(self, player: Seat, sampler: Callable[[], float]) -> SpielState:
        """A state that this player cannot tell from this one.  It has no history: the true one would
        tell what is hidden."""
        rng = Random(int(sampler() * 2**SEED_BITS))
        return SpielState(self.get_game(), self.position.imagined(player, rng))

    def __str__(self) -> str:
        return str(self.position)

    def __reduce__(self) -> tuple[Any, ...]:
        return read_state, (written_state(self),)

    def __deepcopy__(self, memo: object) -> SpielState:
        return self.clone()  # type: ignore[no-any-return]


# -- States written down ----------------------------------------------------------------------


def written_state(state: SpielState) -> str:
    """A state and its game as text.  OpenSpiel's own `serialize_game_and_state` does the same where chance is
    explicit; where it is sampled, OpenSpiel 2.0.2 asks for the state of a random source that games written in
    Python cannot name.  Here the shuffles themselves are kept."""
    position = state.position
    made_of = position.__reduce__()[1][0]
    history = [(int(step.player), int(step.action)) for step in state.full_history()]
    return json.dumps([position.setting.rules.ID, position.setting.parameters, history, made_of])


def read_state(text: str) -> SpielState:
    """What `written_state` wrote, with its history; a resampled state has none."""
    game_id, parameters, history, made_of = json.loads(text)
    game = pyspiel.load_game(spiel_name(game_id), parameters)
    position = position_from_text(made_of)
    if not history:
        return SpielState(game, quickest(replace(position, setting=game.setting)))
    state = game.new_initial_state()
    game.setting.deals.expect(position.shuffles)
    at = 0
    while at < len(history):
        if state.is_simultaneous_node():
            together = history[at : at + game.num_players()]
            state.apply_actions([action for _, action in together])
            at += len(together)
        else:
            state.apply_action(history[at][1])
            at += 1
    return state  # type: ignore[no-any-return]


def state_from_view(game: SpielGame, view: View[Any], rng: Random) -> SpielState:
    """A state for an agent of OpenSpiel that plays one of our games as a bot: what the view does not
    show is imagined, and what happened before is only known as far as it can be seen."""
    setting = game.setting
    if view.seat is None or view.table.seats != setting.seats:
        raise Problem("spiel_view", seats=setting.seats)
    return SpielState(game, quickest(Position(setting, setting.rules.imagine(view, rng))))
