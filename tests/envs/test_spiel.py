"""The games in OpenSpiel: its own checks, and ours on what a player may know."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest

import bullpen
from bullpen import fast
from bullpen.cards import Problem
from bullpen.envs.observing import layout
from bullpen.envs.spiel import spiel_name, state_from_view
from bullpen.envs.spiel.positions import position_from_text
from bullpen.envs.spiel.registered import bounds_of
from bullpen.envs.spiel.settings import setting_from
from bullpen.fast import playouts
from bullpen.games import GAMES
from bullpen.text import voice

FOR_EVERY_GAME = pytest.mark.parametrize("game", GAMES)
# The shortest form of each game, for what takes long.
SHORT = {"eleven-nimmt": "rounds=1", "x-nimmt": "rounds=1", "six-nimmt": "rounds=1"}
# Options away from what is usual, with another number of players.
UNUSUAL = {
    "hornochsen": "players=3,first_seat=2",
    "eleven-nimmt": "players=5,rounds=1,first_seat=4,memory_aid=True",
    "x-nimmt": "players=4,rounds=1,x_choice=free",
    "baron-oxx": "players=3,variant=positive",
    "bullenparty": "players=3,memory_aid=True",
    "six-nimmt": "players=5,rounds=2,deck=tactical,utility=points",
}


def loaded(game: str, *words: str) -> Any:
    return pyspiel.load_game(f"{spiel_name(game)}({','.join(filter(None, words))})")


def random_states(game: Any, seed: int) -> Iterator[Any]:
    """The states of a random game at which a player decides."""
    rng, state = Random(seed), game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, weights)[0])
        else:
            yield state
            state.apply_action(rng.choice(state.legal_actions()))


def finished(game: Any, seed: int) -> Any:
    *_, state = random_states(game, seed)  # it goes on to the end after the last decision
    assert state.is_terminal()
    return state


# -- What OpenSpiel checks itself -------------------------------------------------------------


@FOR_EVERY_GAME
def test_random_simulations_pass_the_checks_of_open_spiel(game: str) -> None:
    short = loaded(game, SHORT.get(game, ""))
    pyspiel.random_sim_test(short, num_sims=1, serialize=True, verbose=False)


@FOR_EVERY_GAME
def test_other_options_and_more_players_pass_the_checks_too(game: str) -> None:
    """Its check of copies written down needs a random source of its own kind where chance is sampled."""
    unusual = loaded(game, UNUSUAL[game], "chance=sampled")
    assert unusual.num_players() > 2
    pyspiel.random_sim_test(unusual, num_sims=1, serialize=False, verbose=False)


@FOR_EVERY_GAME
@pytest.mark.parametrize("dynamics", ["sequential", "simultaneous"])
def test_python_is_told_what_c_plus_plus_would_tell_it(game: str, dynamics: str) -> None:
    """Some answers are given past OpenSpiel, which would ask several times for each."""
    table = loaded(game, SHORT.get(game, ""), "players=3", f"dynamics={dynamics}")
    state, rng = table.new_initial_state(), Random(3)
    for step in count():
        assert state.is_chance_node() == pyspiel.State.is_chance_node(state)
        for whose in ((), (0,), (1,), (2,), (state.current_player(),)):
            assert state.legal_actions(*whose) == pyspiel.State.legal_actions(state, *whose)
        if step % 17 == 0:
            told = pyspiel.State.observation_tensor(state, 1)
            assert state.observation_tensor(1) == told
        if state.is_terminal():
            break
        if state.is_simultaneous_node():
            choices = [state.legal_actions(seat) or [0] for seat in range(3)]
            state.apply_actions([rng.choice(legal) for legal in choices])
        else:
            state.apply_action(rng.choice(state.legal_actions()))


def test_what_nobody_sees_is_refused_as_before() -> None:
    state = next(random_states(loaded("six-nimmt"), 1))
    for whose in (-1, 2):
        with pytest.raises(pyspiel.SpielError):
            state.observation_tensor(whose)
    assert state.observation_tensor() == state.observation_tensor(state.current_player())


def test_a_list_of_legal_actions_belongs_to_who_asked_for_it() -> None:
    state = next(random_states(loaded("six-nimmt"), 1))
    legal = state.legal_actions()
    state.legal_actions().clear()
    assert legal == state.legal_actions() != []


@FOR_EVERY_GAME
def test_the_playthrough_tool_tells_the_whole_game(game: str) -> None:
    from open_spiel.python.algorithms import generate_playthrough

    name = f"{spiel_name(game)}(players=2,{SHORT.get(game, '')},chance=sampled,seed=4)"
    name = name.replace(",,", ",")
    told = generate_playthrough.playthrough(name, action_sequence=None, seed=5)
    assert "InformationStateString(0)" in told
    assert "Returns()" in told
    assert "# Apply action" in told


def test_every_game_is_registered_and_loads_without_a_word() -> None:
    names = pyspiel.registered_names()
    for game, rules in GAMES.items():
        assert spiel_name(game) in names
        usual = pyspiel.load_game(spiel_name(game))
        assert usual.num_players() == rules.SEATS[0]
        assert usual.get_type().long_name == rules.TITLE
        for players in rules.SEATS:
            assert loaded(game, f"players={players}").num_players() == players


# -- What a player may know -------------------------------------------------------------------


@FOR_EVERY_GAME
def test_what_a_player_is_told_does_not_depend_on_hidden_cards(game: str) -> None:
    """At every tenth decision: other hidden cards, the same strings, tensors and legal actions."""
    rng, differed = Random(1), 0
    for number, state in enumerate(random_states(loaded(game, SHORT.get(game, "")), 2)):
        if number % 10:
            continue
        player = state.current_player()
        other = state.resample_from_infostate(player, rng.random)
        differed += str(other) != str(state)
        assert other.current_player() == player
        assert other.legal_actions() == state.legal_actions()
        assert other.history() == []  # the true one would tell what is hidden
        for told in ("information_state_string", "observation_string"):
            assert getattr(other, told)(player) == getattr(state, told)(player)
        for told in ("information_state_tensor", "observation_tensor"):
            assert getattr(other, told)(player) == getattr(state, told)(player)
    assert differed


def test_a_card_chosen_in_secret_is_hidden_from_those_who_choose_later() -> None:
    game = loaded("x-nimmt", "players=3")
    state = next(random_states(game, 1))
    first, second = (state.child(action) for action in state.legal_actions()[:2])
    assert first.current_player() == second.current_player() == 1
    for player in (1, 2):
        assert first.information_state_string(player) == second.information_state_string(player)
        assert first.information_state_tensor(player) == second.information_state_tensor(player)
    assert first.information_state_string(0) != second.information_state_string(0)


def test_an_information_state_remembers_what_an_observation_forgets() -> None:
    """In 6 nimmt! the taken cards are closed; a good memory knows them, and who laid which card."""
    for state in random_states(loaded("six-nimmt", "rounds=1"), 3):
        taken = [place for place in state.position.table.lying[25:27] if place]
        if taken:
            break
    player = state.current_player()
    assert "\ntake " in state.information_state_string(player)
    assert "\ntake " not in state.observation_string(player)
    told = pyspiel.IIGObservationType(perfect_recall=True)
    observer = state.get_game().make_py_observer(told)
    observer.set_from(state, player)
    assert observer.dict["played"].sum() == len(state.position.plays)
    assert observer.dict["when"].max() == np.float32(len(state.position.plays) / 104)
    tensor = np.array(state.information_state_tensor(player), np.float32)
    assert np.array_equal(observer.tensor, tensor)  # its parts stand in one order in both


def test_observers_tell_public_and_private_parts() -> None:
    from open_spiel.python.observation import make_observation

    game = loaded("six-nimmt", "players=3")
    state = next(random_states(game, 1))
    none, single = pyspiel.PrivateInfoType.NONE, pyspiel.PrivateInfoType.SINGLE_PLAYER
    public = make_observation(game, pyspiel.IIGObservationType(True, False, none))
    private = make_observation(game, pyspiel.IIGObservationType(False, False, single))
    hand = " ".join(map(str, state.position.table.lying[5]))
    assert hand not in public.string_from(state, 0)
    assert "row 1:" in public.string_from(state, 0)
    assert private.string_from(state, 0).split() == f"seat 0 hand 0: {hand}".split()


def test_an_observer_of_all_players_sees_every_card() -> None:
    from open_spiel.python.observation import make_observation

    game = loaded("six-nimmt", "players=3")
    state = next(random_states(game, 1))
    everyone = pyspiel.PrivateInfoType.ALL_PLAYERS
    whole = make_observation(game, pyspiel.IIGObservationType(True, False, everyone))
    hidden = make_observation(game, pyspiel.IIGObservationType(False, False, everyone))
    whole.set_from(state, 1)
    form = layout("six-nimmt", 3)
    planes = whole.dict["seen"][: form.cards * (len(form.places) - 1)].reshape(form.cards, -1)
    for seat in range(3):
        hand = state.position.table.lying[5 + seat]
        assert (np.flatnonzero(planes[:, form.code(f"hand {seat}") - 1]) + 1).tolist() == list(hand)
        for observer in (whole, hidden):
            assert " ".join(map(str, hand)) in observer.string_from(state, 1)


# -- At once ----------------------------------------------------------------------------------


@FOR_EVERY_GAME
def test_at_once_passes_the_checks_too(game: str) -> None:
    at_once = loaded(game, "players=3", SHORT.get(game, ""), "dynamics=simultaneous")
    assert at_once.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    pyspiel.random_sim_test(at_once, num_sims=1, serialize=True, verbose=False)


def test_a_choice_at_once_ends_where_the_same_one_in_turn_does() -> None:
    in_turn = next(random_states(loaded("bullenparty", "players=3"), 1))
    at_once = loaded("bullenparty", "players=3", "dynamics=simultaneous").new_initial_state()
    for action in in_turn.history():
        at_once.apply_action(action)
    assert at_once.current_player() == pyspiel.PlayerId.SIMULTANEOUS
    bids = [at_once.legal_actions(seat)[-1] for seat in range(3)]
    at_once.apply_actions(bids)
    for bid in bids:
        in_turn.apply_action(bid)
    assert str(at_once) == str(in_turn)


# -- Chance -----------------------------------------------------------------------------------


@FOR_EVERY_GAME
def test_only_the_cards_that_matter_are_dealt_one_by_one(game: str) -> None:
    """The order of the others makes no difference, and that of the last one that is dealt does."""
    setting, rng = setting_from(game, {"players": 3}), Random(5)
    rules = setting.rules
    table = rules.set_up(3, setting.options, setting.deck)
    while cards := rules.to_shuffle(table):
        rng.shuffle(cards)
        dealt, rest = cards[: setting.matter(table)], cards[setting.matter(table) :]
        rng.shuffle(rest)
        whole, _ = rules.deal(table, setting.whole_shuffle(table, dealt))
        other, _ = rules.deal(table, [*dealt, *rest])
        assert whole.lying == other.lying
        table = whole


def test_dealing_is_explicit_and_every_card_as_likely() -> None:
    state = loaded("x-nimmt", "players=2").new_initial_state()
    assert state.chance_outcomes() == [(card, 0.01) for card in range(1, 101)]
    assert state.action_to_string(pyspiel.PlayerId.CHANCE, 43) == "deal 43"
    state.apply_action(43)
    assert 43 not in [card for card, _ in state.chance_outcomes()]
    for card in range(1, 19):
        state.apply_action(card)
    assert state.current_player() == 0
    assert state.legal_actions() == list(range(3, 11))


def test_sampled_chance_is_one_node_and_can_be_repeated() -> None:
    def first_tables() -> list[str]:
        game = loaded("x-nimmt", "chance=sampled", "seed=7")
        states = [game.new_initial_state() for _ in range(2)]
        for state in states:
            assert state.chance_outcomes() == [(0, 1.0)]
            state.apply_action(0)
        return [str(state) for state in states]

    assert first_tables() == first_tables()
    assert first_tables()[0] != first_tables()[1]
    sampled, explicit = (loaded("x-nimmt", f"chance={kind}") for kind in ("sampled", "explicit"))
    assert sampled.get_type().chance_mode != explicit.get_type().chance_mode


# -- Results ----------------------------------------------------------------------------------


@FOR_EVERY_GAME
def test_utilities_follow_from_the_points(game: str) -> None:
    by_kind = {
        kind: finished(loaded(game, "players=3", SHORT.get(game, ""), f"utility={kind}"), 6)
        for kind in ("points", "lead", "win")
    }
    position = by_kind["points"].position
    rules, points = position.setting.rules, position.setting.rules.scores(position.table)
    sign = -1 if rules.best(position.setting.options) is min else 1
    assert by_kind["points"].returns() == [sign * own for own in points]
    leads = by_kind["lead"].returns()
    assert sum(leads) == pytest.approx(0)
    assert leads[0] == pytest.approx(sign * (points[0] - (points[1] + points[2]) / 2))
    wins = by_kind["win"].returns()
    winners = rules.winners(position.table)
    assert wins[winners[0]] == pytest.approx(1 / len(winners) - 1 / 3)
    assert sum(wins) == pytest.approx(0)


@FOR_EVERY_GAME
def test_thousands_of_random_games_stay_within_the_bounds(game: str) -> None:
    """Against the compiled twin, with the fewest and with the most players."""
    twin = fast.twin(game)
    for seats in (GAMES[game].SEATS[0], GAMES[game].SEATS[-1]):
        setting = setting_from(game, {"players": seats})
        bounds = bounds_of(setting)
        fresh = twin.to_record(setting.rules.set_up(seats, setting.options, setting.deck))
        points = np.zeros((1000, twin.SEATS), np.int32)
        lengths, tally = np.zeros(1000, np.int64), np.zeros(len(twin.TALLY), np.int64)
        playouts.play_games(np.repeat(fresh, 2), 1, points, lengths, tally)
        assert bounds.least <= points[:, :seats].min()
        assert points[:, :seats].max() <= bounds.most
        assert lengths.max() <= bounds.decisions


def test_utilities_are_bounded_by_what_the_game_says() -> None:
    game = loaded("six-nimmt", "players=2", "rounds=1")
    assert (game.min_utility(), game.max_utility()) == (-171.0, 171.0)  # all heads of the deck
    wins = loaded("six-nimmt", "players=4", "utility=win")
    assert (wins.min_utility(), wins.max_utility()) == (-0.25, 0.75)
    assert loaded("hornochsen", "utility=points").utility_sum() is None


# -- Copies, parameters, bots -----------------------------------------------------------------


@FOR_EVERY_GAME
def test_a_state_written_down_reads_back(game: str) -> None:
    spiel = loaded(game, SHORT.get(game, ""))
    state = next(state for number, state in enumerate(random_states(spiel, 8)) if number == 12)
    text = pyspiel.serialize_game_and_state(spiel, state)
    _, read = pyspiel.deserialize_game_and_state(text)
    assert str(read) == str(state)
    assert read.history() == state.history()
    assert read.information_state_string(0) == state.information_state_string(0)
    assert pickle.loads(pickle.dumps(state.position)) == state.position
    assert position_from_text(state.position.__reduce__()[1][0]) == state.position


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("players=9", "2 to 4"),
        ("utility=glory", "lead | win | points"),
        ("chance=none", "explicit | sampled"),
        ("dynamics=slow", "sequential | simultaneous"),
        ("x_choice=never", "strict | free"),
    ],
)
def test_a_bad_parameter_is_refused_with_a_sentence(words: str, said: str) -> None:
    with pytest.raises(Problem) as found:
        loaded("x-nimmt", words)
    assert said in voice("en").problem(found.value)
    assert voice("pl").problem(found.value)


def test_zero_stands_for_what_is_usual_where_open_spiel_has_no_word_for_it() -> None:
    assert loaded("six-nimmt").setting.options["rounds"] is None
    assert loaded("eleven-nimmt", "players=5").setting.options["rounds"] == 5
    assert loaded("eleven-nimmt", "players=5,rounds=2").setting.options["rounds"] == 2


@FOR_EVERY_GAME
def test_the_search_of_open_spiel_plays_every_game(game: str) -> None:
    from open_spiel.python.algorithms import ismcts

    from bullpen.envs.spiel.searching import CompiledPlayouts

    spiel = loaded(game, SHORT.get(game, ""))
    state = next(state for number, state in enumerate(random_states(spiel, 9)) if number == 4)
    bot = ismcts.ISMCTSBot(
        spiel, CompiledPlayouts(1), 10.0, 30, random_state=np.random.RandomState(1)
    )
    policy = dict(bot.run_search(state))
    assert sorted(policy) == state.legal_actions()
    assert sum(policy.values()) == pytest.approx(1)


def test_the_search_finds_the_one_card_that_takes_nothing() -> None:
    """6 nimmt!, the last two cards: 50 fits behind 49; 1 is too low and takes a row."""
    from bullpen.envs.spiel.searching import CompiledPlayouts, choose_by_ismcts
    from tests.tables import table

    rules = GAMES["six-nimmt"]
    drawn = table(
        rules,
        """
        row 1: 7 8 9 49
        row 2: 20 30 55
        row 3: 66 77 88
        row 4: 90 95 99
        hand 0: 1 50
        hand 1: 103 104
        """,
        seats=2,
        options={"rounds": 1},
    )
    chosen = choose_by_ismcts(
        rules, rules.view(drawn, 0), Random(1), ms=150, uct_c=10.0, evaluator=CompiledPlayouts(1)
    )
    assert rules.NOTATION[chosen] == "play 50"


def test_a_view_of_another_table_is_refused() -> None:
    match = bullpen.new("x-nimmt", seats=3, seed=1)
    with pytest.raises(Problem) as found:
        state_from_view(loaded("x-nimmt", "players=2"), match.view(0), Random(1))
    assert "2 players" in voice("en").problem(found.value)


@pytest.mark.parametrize("package", ["pyspiel", "numpy"])
def test_without_its_package_importing_says_what_to_install(package: str) -> None:
    code = f"""
import sys
sys.modules[{package!r}] = None
try:
    import bullpen.envs.spiel
except ValueError as problem:
    print(problem)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.startswith(f"This needs the package {package}")
    assert "bullpen-games[openspiel]" in ran.stdout
