"""Long measurements can be ended and taken up again, and measure what they say."""

from __future__ import annotations

from copy import deepcopy
from itertools import islice
from pathlib import Path
from random import Random
from statistics import fmean

import numpy as np
import pytest

import bullpen
from benchmarks import among_careful, exploits, real_tables
from benchmarks.kept import Kept
from bullpen import fast
from bullpen.bots import bot_called, judgement
from bullpen.bots.effort import Playouts
from bullpen.bots.evaluation import Evaluator
from bullpen.cards import mask
from bullpen.fast.words import mask_of, words_of_mask
from bullpen.game import Action
from bullpen.games import GAMES, about
from bullpen.games.baron_oxx.reading import rows_of
from bullpen.games.baron_oxx.rules import DRAW, HAND, LAYING
from bullpen.games.six_nimmt.rules import PLAY
from bullpen.match import Match
from tests.tables import table

six_nimmt = GAMES["six-nimmt"]


def never() -> float:
    raise AssertionError("measured a second time")


def test_what_was_measured_is_not_measured_again(tmp_path: Path) -> None:
    file = tmp_path / "kept.jsonl"
    assert Kept(file).result_of({"deal": 1}, lambda: 2.5) == 2.5
    again = Kept(file)
    assert again.result_of({"deal": 1}, never) == 2.5
    assert again.result_of({"deal": 2}, lambda: 3.5) == 3.5
    assert Kept(file).result_of({"deal": 2}, never) == 3.5


def test_a_line_that_was_cut_off_is_measured_again_and_spoils_nothing(tmp_path: Path) -> None:
    file = tmp_path / "kept.jsonl"
    Kept(file).result_of({"deal": 1}, lambda: 1)
    with file.open("a") as kept:
        kept.write('{"deal": 2, "res')
    assert Kept(file).result_of({"deal": 2}, lambda: 2) == 2
    assert Kept(file).found == {'{"deal": 1}': 1, '{"deal": 2}': 2}


def test_without_a_file_nothing_is_kept_but_in_memory() -> None:
    kept = Kept(None)
    assert kept.result_of({"deal": 1}, lambda: 1) == 1
    assert kept.result_of({"deal": 1}, never) == 1


ONE_CARD_AHEAD = """
    row 1: 11 22 33 44 50
    row 2: 60
    row 3: 80
    row 4: 95
    hand 0: 52 96
    hand 1: 51 97
"""


def leads_against(answer: int) -> dict[int, float]:
    """What 52 and 96 lead to if the other one lays this card."""
    t, twin = table(six_nimmt, ONE_CARD_AHEAD, options={"rounds": 1}), fast.twin("six-nimmt")
    own, totals = [52, 96], np.zeros(2)
    exploits.answer_each(
        np.repeat(twin.to_record(t), 2),
        0,
        np.array([PLAY + card for card in own]),
        PLAY + answer,
        5,
        np.zeros(-(-twin.ACTIONS // 64), np.uint64),
        1,
        totals,
    )
    return dict(zip(own, (totals / exploits.AFTER).tolist(), strict=True))


def test_who_knows_what_the_other_one_lays_knows_what_to_answer() -> None:
    """The 51 takes the dear row before the 52 comes; before the 97 it is the 52 that takes it."""
    after_51, after_97 = leads_against(51), leads_against(97)
    assert after_51[52] == after_51[96] > 20
    assert after_97[96] > 20
    assert after_97[52] < -20


def test_the_reader_plays_a_game_to_its_end() -> None:
    careful = bot_called("careful")
    reader = exploits.reader("careful", Kept(None))
    lead = exploits.one_deal(reader, careful, 1, 0)
    assert lead == exploits.one_deal(reader, careful, 1, 0)  # the same deal, the same chance


def test_the_stubborn_always_lay_the_same() -> None:
    match = bullpen.new("six-nimmt", 2, seed=1, options={"rounds": 1})
    view = match.view(match.waiting_for[0])
    assert exploits.lowest(match.game, view, Random(1)) == min(view.legal)
    assert exploits.highest(match.game, view, Random(1)) == max(view.legal)


def test_on_the_real_table_a_move_brings_what_it_brings_where_all_others_do_what_is_usual() -> None:
    """In the last turn only the others choose after it, so careful bots come to the same, but for chance among equals."""
    compared = 0
    for match in islice(real_tables.decisions("baron-oxx", 4, 4), 400):
        lying = match.table.lying
        if lying[HAND + real_tables.SEAT] or lying[DRAW + real_tables.SEAT]:
            continue
        legal = match.view(real_tables.SEAT).legal
        ahead, share = real_tables.on_the_real_table(match, 1)
        by_hand = [fmean(lead_by_hand(match, row, luck) for luck in range(20)) for row in legal]
        assert list(ahead) == pytest.approx(by_hand, abs=1.5)
        assert ((share >= 0) & (share <= 1)).all()
        compared += 1
    assert compared > 3


def lead_by_hand(match: Match, action: Action, luck: int) -> float:
    careful, rng, played = bot_called("careful"), Random(luck), deepcopy(match)
    played.act(real_tables.SEAT, action)
    while not played.is_over:
        seat = played.waiting_for[0]
        played.act(seat, careful(played.game, played.view(seat), rng))
    own, *others = played.scores
    return fmean(others) - own


# -- One among careful players ----------------------------------------------------------------------


def test_the_one_among_careful_players_chooses_what_expert_chooses() -> None:
    careful, phases = bot_called("careful"), set[int]()
    match, rng = bullpen.new("baron-oxx", 4, seed=3), Random(3)
    while not match.is_over:
        seat = match.waiting_for[0]
        view = match.view(seat)
        if len(view.legal) > 1 and len(match.table.past_turns) % 3 == 1:
            chosen = judgement.choose(match.game, view, Random(5), Playouts(3000))
            assert choice_among_careful(match, 3000, Random(5).getrandbits(62)) == chosen
            phases.add(match.table.phase)
        match.act(seat, careful(match.game, view, rng))
    assert len(phases) == 2  # cards and rows


def choice_among_careful(match: Match, playouts: int, seed: int) -> Action:
    turns = match.table.past_turns
    memory = among_careful.Memory(
        rows_of(turns),
        np.array([words_of_mask(turn.seen) for turn in turns], np.uint64),
        np.array([turn.held for turn in turns], np.int64),
        np.array([turn.laid for turn in turns], np.int64),
    )
    state = fast.twin("baron-oxx").to_record(match.table)
    position = Evaluator(match.game, match.view(match.waiting_for[0]), 0).position
    one = among_careful.One(position, memory, playouts, about(match.game).by_thumb)
    chosen: Action = among_careful.choose(state[0], one, len(turns), seed)
    return chosen


def test_the_one_among_careful_players_remembers_what_a_table_remembers() -> None:
    careful, memory = bot_called("careful"), among_careful.no_memory(4)
    match, rng = bullpen.new("baron-oxx", 4, seed=6), Random(6)
    while not match.is_over:
        seat, table = match.waiting_for[0], match.table
        if table.phase == LAYING and seat == 0:
            state = fast.twin("baron-oxx").to_record(table)[0]
            among_careful.remember(state, memory, len(table.past_turns))
        match.act(seat, careful(match.game, match.view(seat), rng))
    turns = match.table.past_turns
    assert len(turns) == len(memory.held)
    rows = rows_of(turns)
    assert (memory.rows[:, :, : rows.shape[2]] == rows).all()
    assert (memory.seen == [words_of_mask(turn.seen) for turn in turns]).all()
    assert (memory.held == [turn.held for turn in turns]).all()


def test_the_one_among_careful_players_remembers_every_turn_of_its_game() -> None:
    match = bullpen.new("baron-oxx", 4, seed=1)
    fresh = fast.twin("baron-oxx").to_record(match.game.set_up(4, match.options, match.deck))
    memory, points = among_careful.no_memory(4), np.zeros((1, 4, 4), np.int32)
    position = Evaluator(match.game, match.view(0), 0).position
    among_careful.play_deals(among_careful.One(position, memory, 20, 0.5), fresh, 7, points)
    assert (memory.held == np.tile([[4], [3], [2], [1]], (6, 4))).all()
    assert len(set(memory.laid.ravel())) == 24 * 4
    seen = [mask_of(words) for words in memory.seen]
    for before, after, laid in zip(seen, seen[1:], memory.laid, strict=False):
        assert after == before | mask(laid.tolist())


def test_what_the_one_among_careful_players_has_won_is_told_of_all_its_seats() -> None:
    points = np.array([[[3, 9, 9], [5, 5, 8], [1, 2, 6]]], np.int32)
    lead, share = among_careful.outcomes(points)
    assert lead == pytest.approx([fmean([6, 1.5, -4.5])])
    assert share == pytest.approx([fmean([1, 0.5, 0])])


def test_the_one_among_careful_players_wins_more_than_its_share() -> None:
    points = among_careful.played(4, 12, 100, 1)
    assert (points == among_careful.played(4, 12, 100, 1)).all()
    lead, share = among_careful.outcomes(points)
    assert lead.mean() > 0
    assert share.mean() > 0.25
