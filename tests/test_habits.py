"""Habits: what a playout does at a glance."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from benchmarks import fitting, nets
from benchmarks.single import advance
from bullpen import fast
from bullpen.bots.likelihood import others_may_hold
from bullpen.fast.compiling import compiled
from bullpen.fast.dispatch import NO_SHORT_WAY, habit_of
from bullpen.fast.fitted import weights_beside
from bullpen.fast.nets import UNITS, judged, nets_beside
from bullpen.fast.playouts import LONGEST_DECK
from bullpen.fast.words import cards_of, words_of
from bullpen.game import Options
from bullpen.games import GAMES
from bullpen.games.baron_oxx import facts
from bullpen.games.hornochsen.rules import LAST_NUMBER, NUMBERS, PLAY, PLUS5, PLUS5_POINTS, X2
from bullpen.match import Match, new


@pytest.mark.parametrize(
    "name", [name for name in GAMES if hasattr(habit_of(fast.twin(name)), "favourite")]
)
def test_a_short_way_to_the_best_looking_move_leads_where_a_look_at_all_does(name: str) -> None:
    twin, moves = fast.twin(name), 0
    habit = habit_of(twin)
    for seats in GAMES[name].SEATS:
        states = np.repeat(twin.to_record(new(name, seats, seed=seats).table), 2)
        rest = np.zeros(8 + 2 * LONGEST_DECK, np.uint8)
        rest[:8] = seats
        words = np.zeros(-(-twin.ACTIONS // 64), np.uint64)
        for number in range(400):
            words[:] = 0
            twin.legal(states[0], words)
            legal = [64 * at + bit for at in range(words.size) for bit in bits_of(words[at])]
            against = [habit.drawback(states[0], action) for action in legal]
            found = habit.favourite(states[0])
            assert found != NO_SHORT_WAY
            assert against[legal.index(found)] == pytest.approx(min(against), abs=1e-9)
            moves += len(legal) > 1
            # By habit and at random: so it comes to sensible positions and to odd ones.
            action = found if number % 4 else legal[number % len(legal)]
            advance(states, rest, action)
    assert moves > 500


@pytest.mark.parametrize(
    "name", [name for name in GAMES if hasattr(habit_of(fast.twin(name)), "weigh_all")]
)
def test_moves_weighed_together_are_all_moves_in_order_with_the_drawback_of_each(name: str) -> None:
    twin, moves = fast.twin(name), 0
    habit = habit_of(twin)
    actions, drawbacks = np.zeros(1024, np.int64), np.zeros(1024)
    for seats in GAMES[name].SEATS:
        states = np.repeat(twin.to_record(new(name, seats, seed=seats).table), 2)
        rest = np.zeros(8 + 2 * LONGEST_DECK, np.uint8)
        rest[:8] = seats
        words = np.zeros(-(-twin.ACTIONS // 64), np.uint64)
        for number in range(400):
            words[:] = 0
            twin.legal(states[0], words)
            legal = [64 * at + bit for at in range(words.size) for bit in bits_of(words[at])]
            against = [habit.drawback(states[0], action) for action in legal]
            count = habit.weigh_all(states[0], actions, drawbacks)
            assert actions[:count].tolist() == legal
            assert drawbacks[:count].tolist() == against  # to the last bit
            moves += len(legal) > 1
            best = legal[against.index(min(against))]
            advance(states, rest, best if number % 4 else legal[number % len(legal)])
    assert moves > 500


@pytest.mark.parametrize(
    "name", [name for name in GAMES if hasattr(habit_of(fast.twin(name)), "best_of_some")]
)
def test_several_looks_together_find_what_they_find_one_by_one(name: str) -> None:
    twin, rng, again = fast.twin(name), np.ones(1, np.uint64), np.ones(1, np.uint64)
    habit = habit_of(twin)
    for seats in GAMES[name].SEATS:
        states = np.repeat(twin.to_record(new(name, seats, seed=seats).table), 2)
        rest = np.zeros(8 + 2 * LONGEST_DECK, np.uint8)
        rest[:8] = seats
        for looks in 100 * (2, 5, 16):
            drawn = [twin.random_legal(states[0], again) for _ in range(looks)]
            found = habit.best_of_some(states[0], looks, rng)
            assert found == min(drawn, key=lambda action: habit.drawback(states[0], action))
            assert rng == again
            advance(states, rest, found)


def bits_of(word: np.uint64) -> tuple[int, ...]:
    return cards_of((word, 0))


def agrees(name: str, state: Any) -> bool:
    """What a record keeps beside its cards, to find it quickly, against the cards themselves."""
    if name == "hornochsen":
        on_table = cards_of((state["rows"], 0))
        piles = [cards_of((pile, 0)) for pile in state["pile"]]
        heads = [sum(heads_on_row(state, slot) for slot in pile) for pile in piles]
        doublings = [sum(x2_on_row(state, slot) for slot in pile) for pile in piles]
        return (
            all(state["row_heads"][slot] == heads_on_row(state, slot) for slot in on_table)
            and state["pile_heads"].tolist() == heads
            and state["doublings"].tolist() == doublings
        )
    if name == "bullenparty":
        lengths = enumerate(state["row_length"].tolist())
        highest = dict(zip(state["pile_of"].tolist(), range(len(state["pile_of"])), strict=True))
        return all(
            tuple(state["row_set"][row].tolist()) == words_of(state["row"][row][:length].tolist())
            for row, length in lengths
        ) and all(
            state["pile_top"][pile] == highest[pile] for pile in range(1, int(state["piles"]) + 1)
        )
    slots, closed = cards_of((state["stacks"], 0)), cards_of((state["closed"], 0))
    tops = {slot: int(state["top"][slot]) for slot in slots}
    return (
        all(state["slot_of"][top] == slot for slot, top in tops.items())
        and set(closed) <= set(slots)
        and tuple(state["laid"].tolist()) == words_of(tops[slot] for slot in closed)
        and tuple(state["tops"].tolist())
        == words_of(tops[slot] for slot in slots if slot not in closed)
    )


def heads_on_row(state: Any, slot: int) -> int:
    cards = [card for card in int(state["row"][slot]).to_bytes(8) if card]
    return sum(
        int(state["heads"][card]) if card <= LAST_NUMBER else PLUS5_POINTS * (card >= PLUS5)
        for card in cards
    )


def x2_on_row(state: Any, slot: int) -> int:
    return sum(X2 <= card < PLUS5 for card in int(state["row"][slot]).to_bytes(8))


@pytest.mark.parametrize("name", ["hornochsen", "bullenparty", "eleven-nimmt"])
def test_what_a_record_keeps_to_be_quick_agrees_with_its_cards(name: str) -> None:
    twin = fast.twin(name)
    for seats in GAMES[name].SEATS:
        match = new(name, seats, seed=seats)
        states = np.repeat(twin.to_record(match.table), 2)
        rest = np.zeros(8 + 2 * LONGEST_DECK, np.uint8)
        rest[:8] = seats
        action = match.view(match.waiting_for[0]).legal[0]
        for _ in range(400):
            action = advance(states, rest, action)
            assert agrees(name, states[0])
            back = twin.from_record(states[:1], match.options, match.table.deck)
            assert agrees(name, twin.to_record(back)[0])


def test_hornochsen_knows_which_cards_could_follow_in_a_row() -> None:
    """HO-8, HO-9: as the rules say once the card lies there."""
    twin, weighed, round_the_ring = fast.twin("hornochsen"), 0, 0
    for seats in GAMES["hornochsen"].SEATS:
        match = new("hornochsen", seats, seed=seats)
        states = np.repeat(twin.to_record(match.table), 2)
        rest = np.zeros(8 + 2 * LONGEST_DECK, np.uint8)
        rest[:8] = seats
        action = match.view(match.waiting_for[0]).legal[0]
        for _ in range(150):
            action = advance(states, rest, action)
            for card in numbers_in_hand(states[0]):
                then, end = states[:1].copy(), twin.row_for(states[0], card)
                twin.apply(then[0], PLAY + card)
                ends = cards_of(then[0]["ends"])
                if card not in ends:  # it has finished its row
                    continue
                found = cards_of(habit_of(twin).reach(states[0], card, end))
                others = [other for other in NUMBERS if other not in ends]
                follow = [other for other in others if twin.row_for(then[0], other) == card]
                assert [other for other in others if other in found] == follow
                weighed += 1
                round_the_ring += any(other < card for other in follow)
    assert weighed > 1000
    assert round_the_ring > 100


def numbers_in_hand(state: Any) -> list[int]:
    return [card for card in cards_of(state["hand"][state["actor"]]) if card <= LAST_NUMBER]


# -- Weights that were fitted ------------------------------------------------------------------


FITTED = [name for name in GAMES if hasattr(habit_of(fast.twin(name)), "slots")]


def walk(name: str, seats: int, options: Options, decisions: int) -> Iterator[tuple[Match, Any]]:
    """A game at random, and at every decision the record of its table."""
    match, rng = new(name, seats, seed=seats, options=options), Random(seats)
    for _ in range(decisions):
        if match.is_over:
            return
        seat = rng.choice(match.waiting_for)
        state = fast.twin(name).to_record(match.table)[0]
        state["actor"] = seat
        yield match, state
        match.act(seat, rng.choice(match.view(seat).legal))


@pytest.mark.parametrize("name", FITTED)
def test_every_look_at_a_move_has_a_weight_of_its_own_number_of_players(name: str) -> None:
    habit = habit_of(fast.twin(name))
    assert habit.WEIGHTS.shape == (habit.SIZE,)
    assert np.isfinite(habit.WEIGHTS).all()
    sets_of_tables = set()
    for seats in GAMES[name].SEATS:
        for match, state in walk(name, seats, {}, 150):
            for action in match.view(int(state["actor"])).legal:
                slots = habit.slots(state, action)
                if slots is None:
                    continue
                used = {slot // habit.ONE_SET for slot in slots}
                assert len(used) == 1
                sets_of_tables |= used
                assert len(set(slots)) == len(slots)
                assert habit.drawback(state, action) == pytest.approx(
                    sum(habit.WEIGHTS[slot] for slot in slots)
                )
    assert sets_of_tables == set(range(habit.SIZE // habit.ONE_SET))


@pytest.mark.parametrize(
    "options", [{"deck": "tactical"}, {"hand": 3, "rows": 2, "cards": 20}], ids=["tactical", "mini"]
)
def test_in_6_nimmt_the_tables_serve_every_deck_and_every_hand(options: Options) -> None:
    habit, looked_at = habit_of(fast.twin("six-nimmt")), 0
    for match, state in walk("six-nimmt", 2, options, 200):
        for action in match.view(int(state["actor"])).legal:
            slots = habit.slots(state, action)
            if slots is not None:
                assert 0 <= min(slots) <= max(slots) < habit.SIZE
                looked_at += 1
    assert looked_at > 5


def test_in_a_mini_game_with_shorter_rows_which_nothing_was_fitted_to_the_rule_of_thumb_decides() -> (
    None
):
    habit, looked_at = habit_of(fast.twin("six-nimmt")), 0
    for match, state in walk("six-nimmt", 2, {"hand": 3, "rows": 2, "full_at": 3, "cards": 20}, 50):
        for action in match.view(int(state["actor"])).legal:
            assert habit.slots(state, action) is None
            assert habit.drawback(state, action) == habit.rule_of_thumb(state, action)
            looked_at += 1
    assert looked_at > 5


@pytest.mark.parametrize("name", list(GAMES))
def test_a_habit_looks_at_nothing_that_its_seat_does_not_see(name: str) -> None:
    """HO, EN, XN, BO, BP, SN: what a player sees.  Two tables that a seat cannot tell apart look the same to it."""
    game, habit, different, face_down = GAMES[name], habit_of(fast.twin(name)), 0, 0
    for match, state in walk(name, 3, {}, 120):
        seat = int(state["actor"])
        view, laid = (
            match.view(seat),
            int(state["laid_by"]) if "laid_by" in state.dtype.names else 0,
        )
        records = [
            fast.twin(name).to_record(game.imagine(view, Random(chance))) for chance in (1, 2)
        ]
        for record in records:
            record["actor"] = seat
        different += records[0].tobytes() != records[1].tobytes()
        face_down += laid != 0
        for looks_at in {habit.drawback, getattr(habit, "rule_of_thumb", habit.drawback)}:
            for action in view.legal:
                looks = [looks_at(record[0], action) for record in records]
                assert looks[0] == pytest.approx(looks[1])
    assert different > 20
    assert face_down > 20 or "laid_by" not in fast.twin(name).STATE.names


def test_weights_are_found_that_explain_what_was_found() -> None:
    rng, true = np.random.default_rng(1), np.array([0.0, 2.0, 5.0, 0.0, 1.0, -1.0])
    slots = np.stack([rng.integers(0, 3, 6000), rng.integers(3, 6, 6000)], axis=1)
    decision = np.repeat(np.arange(2000), 3)
    worth = true[slots].sum(axis=1)
    worse = worth - np.repeat(worth.reshape(2000, 3).mean(axis=1), 3)
    moves = fitting.Moves(slots, worse, rng.random(6000), decision)
    weights = fitting.fitted(moves, 6)
    assert np.diff(weights[:3]) == pytest.approx(np.diff(true[:3]), abs=0.1)
    assert np.diff(weights[3:]) == pytest.approx(np.diff(true[3:]), abs=0.1)
    assert fitting.loss(moves, weights[slots].sum(axis=1)) < 0.01
    assert fitting.loss(moves, moves.looks) > 1


def test_the_weights_of_a_game_say_how_they_were_made(tmp_path: Path) -> None:
    file = tmp_path / "habit.json"
    fitting.write(file, {"game": "six-nimmt", "seats": [2]}, np.arange(30) / 7)
    assert weights_beside(str(tmp_path / "habit.py")) == pytest.approx(np.arange(30) / 7, abs=1e-3)
    for name in FITTED:
        shipped = json.loads(
            Path(habit_of(fast.twin(name)).__file__).with_name("habit.json").read_text()
        )
        assert shipped["made by"]["game"] == name
        assert shipped["made by"].keys() == {
            "command",
            "game",
            "seats",
            "positions",
            "tables",
            "seed",
        }


# -- Nets ----------------------------------------------------------------------------------------

WITH_NETS = [name for name in GAMES if hasattr(habit_of(fast.twin(name)), "look_at_moves")]


def against(net: Any, facts: Any) -> Any:
    """What a net makes of facts, in plain words."""
    return np.maximum(facts @ net[:-2] + net[-2], 0) @ net[-1]


@compiled
def judged_by(net: Any, facts: Any) -> Any:
    return judged(facts, net)  # type: ignore[call-arg]


def test_a_net_judges_in_compiled_code_as_it_does_in_plain_words() -> None:
    rng = np.random.default_rng(3)
    net = rng.normal(size=(13, UNITS)).astype(np.float32)
    for _ in range(50):
        facts = rng.normal(size=11) * (rng.random(11) < 0.5)
        assert judged_by(net, facts) == pytest.approx(against(net, facts), rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("name", WITH_NETS)
def test_a_net_has_a_line_for_every_fact_and_decides_in_every_standard_game(name: str) -> None:
    habit, decided = habit_of(fast.twin(name)), dict.fromkeys(habit_of(fast.twin(name)).KNOWN, 0)
    shipped = nets_beside(habit.__file__, habit.KNOWN)
    for kind, known in habit.KNOWN.items():
        assert shipped[kind].shape == (known + 2, UNITS)
        assert np.isfinite(shipped[kind]).all()
    facts, moves = np.zeros(habit.ROOM_SHAPE), np.zeros(habit.MOST_MOVES, np.int64)
    for seats in GAMES[name].SEATS:
        for match, state in walk(name, seats, {}, 150):
            legal = match.view(int(state["actor"])).legal
            count = habit.look_at_moves(state, facts, moves)
            assert sorted(moves[:count]) == sorted(legal)
            kind = habit.kind_of(state)
            looks = against(shipped[kind], facts[:count, : habit.KNOWN[kind]])
            assert np.abs(facts[:count, : habit.KNOWN[kind]]).max() < 20
            for move, look in zip(moves[:count].tolist(), looks, strict=True):
                assert habit.drawback(state, move) == pytest.approx(look, abs=1e-3)
            assert looks[moves[:count].tolist().index(habit.favourite(state))] < looks.min() + 1e-3
            decided[kind] += count > 1
    assert min(decided.values()) > 200


@pytest.mark.parametrize("variant", ["colour", "positive"])
def test_in_baron_oxx_nothing_was_fitted_to_the_variants_so_the_rule_of_thumb_decides(
    variant: str,
) -> None:
    """BO-15, BO-16."""
    habit, looked_at = habit_of(fast.twin("baron-oxx")), 0
    for match, state in walk("baron-oxx", 4, {"variant": variant}, 80):
        assert habit.favourite(state) == NO_SHORT_WAY
        for action in match.view(int(state["actor"])).legal:
            assert habit.drawback(state, action) == habit.rule_of_thumb(state, action)
            looked_at += 1
    assert looked_at > 100


def test_in_baron_oxx_who_has_to_take_a_row_takes_one_with_few_bulls() -> None:
    """BO-11."""
    habit, taken, mean, count = habit_of(fast.twin("baron-oxx")), 0.0, 0.0, 0
    for seats in GAMES["baron-oxx"].SEATS:
        for _, state in walk("baron-oxx", seats, {}, 400):
            if state["phase"] != habit.LAYING and state["fitting"] == 0:
                bulls = {row: habit.bulls_in(state, row) for row in range(1, 6)}
                taken += bulls[habit.favourite(state) - habit.CHOOSE_ROW]
                mean += sum(bulls.values()) / 5
                count += 1
    assert count > 5
    assert taken < 0.7 * mean


def test_what_the_nets_of_baron_oxx_look_at_is_so_by_the_plain_rules() -> None:
    """BO-6, BO-9 to BO-11."""
    habit, looked_at = habit_of(fast.twin("baron-oxx")), Counter[str]()
    rules: Any = GAMES["baron-oxx"].rules
    out, moves = np.zeros(habit.ROOM_SHAPE), np.zeros(habit.MOST_MOVES, np.int64)
    for seats in GAMES["baron-oxx"].SEATS:
        for match, state in walk("baron-oxx", seats, {}, 150):
            table, seat = match.table, int(state["actor"])
            bulls = [rules.bulls_on(table.deck, table.lying[rules.ROW + row]) for row in rules.ROWS]
            hand = table.lying[rules.HAND + seat]
            for at in range(habit.look_at_moves(state, out, moves)):
                if habit.kind_of(state) == "cards":
                    card = moves[at] - rules.PLAY
                    rows = rules.fitting_rows(table, card)
                    assert out[at, facts.NUMBER] * 110 == pytest.approx(card)
                    assert out[at, facts.BULLS] * 6 == pytest.approx(sum(table.deck.colours[card]))
                    assert out[at, facts.FITTING_ROWS] * 5 == pytest.approx(len(rows))
                    assert out[at, facts.IN_HAND] * 4 == len(hand)
                    assert out[at, facts.FITS_NOWHERE] == (not rows)
                    if not rows:
                        cheapest = out[at, [facts.CHEAPEST, facts.NEXT_CHEAPEST]]
                        assert cheapest * 10 == pytest.approx(sorted(bulls)[:2])
                        lower = chance_of_a_lower_card(match, seat, card) * (seats - 1)
                        assert out[at, facts.BEFORE] == pytest.approx(lower)
                        looked_at["fits nowhere"] += 1
                else:
                    row, ((laid,), to_come) = moves[at] - rules.CHOOSE_ROW, laid_cards(table, seat)
                    after, events = match.game.apply(table, seat, int(moves[at]))
                    taken = [e for e in events if e["event"] == "take" and e["seat"] == seat]
                    paid = rules.bulls_on(table.deck, taken[0]["cards"]) if taken else 0
                    assert out[at, facts.PAID] * 10 == pytest.approx(paid)
                    assert out[at, facts.IS_TAKEN] == bool(taken)
                    assert out[at, facts.IS_MISFIT] == (not rules.fitting_rows(table, laid))
                    assert out[at, facts.TO_COME] * 3 == pytest.approx(len(to_come))
                    assert out[at, facts.OWN] * 3 == pytest.approx(len(hand))
                    if not to_come and after.phase != rules.OVER:
                        then = after.lying[rules.ROW + row]
                        assert out[at, facts.CARDS_THEN] * 5 == pytest.approx(len(then))
                        in_all = rules.bulls_on(table.deck, then)
                        assert out[at, facts.BULLS_THEN] * 10 == pytest.approx(in_all)
                        looked_at["row as it is then"] += 1
                    looked_at["taken" if taken else "free"] += 1
    assert (
        min(looked_at[what] for what in ("fits nowhere", "row as it is then", "taken", "free")) > 50
    )


def chance_of_a_lower_card(match: Match, seat: int, card: int) -> float:
    view, rules = match.view(seat), match.game.rules
    hands = [rules.HAND + other for other in range(match.seats) if other != seat]
    unseen = others_may_hold(view.remembered, rules.CARDS, hands)
    return sum(other < card for other in unseen) / len(unseen)


def laid_cards(table: Any, seat: int) -> tuple[tuple[int, ...], list[int]]:
    """One's own, and those that are placed after it."""
    rules: Any = GAMES["baron-oxx"].rules
    own = table.lying[rules.LAID + seat]
    others = [table.lying[rules.LAID + other] for other in range(table.seats) if other != seat]
    return own, [card for cards in others for card in cards]


def test_the_nets_of_baron_oxx_lie_beside_the_facts_that_they_were_fitted_to() -> None:
    """Whoever changes a fact fits the nets anew, and writes here what comes out."""
    habit, sums = habit_of(fast.twin("baron-oxx")), Counter[str]()
    out, moves = np.zeros(habit.ROOM_SHAPE), np.zeros(habit.MOST_MOVES, np.int64)
    for seats in GAMES["baron-oxx"].SEATS:
        for _, state in walk("baron-oxx", seats, {}, 150):
            count, kind = habit.look_at_moves(state, out, moves), habit.kind_of(state)
            known = habit.KNOWN[kind]
            sums[kind] += (out[:count, :known] * np.arange(1, known + 1)).sum()
    assert sums == pytest.approx({"cards": 722225.905, "rows": 408391.611})


def test_a_net_is_found_that_explains_what_was_found() -> None:
    rng = np.random.default_rng(1)
    facts = rng.random((20_000, 4, 3)).astype(np.float32)
    is_move = np.arange(4) < rng.integers(2, 5, 20_000)[:, None]
    leads = (-np.abs(facts[:, :, 0] - 0.5) * 8 + facts[:, :, 1]).astype(np.float32)  # no line fits
    known = nets.Decisions(facts, np.where(is_move, leads, 0).astype(np.float32), is_move)
    net = nets.fitted([known.of(slice(0, 9000)), known.of(slice(9000, 18_000))], seed=1)
    test = known.of(slice(18_000, None))
    assert nets.loss(test, net) < 0.1
    assert nets.loss(test, rng.normal(size=net.shape).astype(np.float32)) > 0.5


def test_nets_are_written_as_they_are_read_and_say_how_they_were_made(tmp_path: Path) -> None:
    net = (np.arange(3 * UNITS).reshape(3, UNITS) / 7).astype(np.float32)
    nets.write(tmp_path / "habit.json", {"game": "baron-oxx"}, {"cards": net})
    read = nets_beside(str(tmp_path / "habit.py"), {"cards": 1})
    assert read.keys() == {"cards"}
    assert read["cards"] == pytest.approx(net, abs=1e-3)
    with pytest.raises(ValueError, match=r"'cards' .* knows other facts: fit it anew"):
        nets_beside(str(tmp_path / "habit.py"), {"cards": 2})
    for name in WITH_NETS:
        file = Path(habit_of(fast.twin(name)).__file__).with_name("habit.json")
        made_by = json.loads(file.read_text())["made by"]
        assert made_by["game"] == name
        assert made_by.keys() == {"command", "game", "seats", "positions", "tables", "seed"}
