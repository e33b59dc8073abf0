"""Decision quality: what a finished game says of its people's decisions, found out in the background, once."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from pathlib import Path
from random import Random
from signal import SIGKILL
from typing import Any

import pytest

import bullpen
from bullpen.coach.candidates import ranked_candidates
from bullpen.game import complete_options
from bullpen.games import GAMES
from bullpen.server.header import Header, Part, SeatTaken
from bullpen.server.play import Made
from bullpen.server.quality import shown
from bullpen.server.store.quality import Sums
from bullpen.server.thinking import quality as decisions
from tests.patience import until
from tests.server.running import Json, checked, served
from tests.server.test_ratings import GAME, Visitor, play_alone

ON = {"BULLPEN_QUALITY_SHARE": "1"}
OPTIONS = {"rounds": 1}
# Judged at once, and not as carefully as usual: whatever else this machine has to do.
JUDGE = "import sys; from bullpen.server.thinking import quality, worker; quality.PLAYOUTS = 100; quality.step_back = lambda: None; worker.main()"
RUN = f"""
import sys
from bullpen.server.serving import run
from bullpen.server.settings import *
run(Settings(**from_environment()), (sys.executable, "-c", {JUDGE!r}))"""
BEST, WORST = "best".ljust(32, "0"), "worst".ljust(32, "0")


def judged(header: Header, made: list[Made], shuffles: Any) -> dict[str, list[float]]:
    """As a thinking process does it, here and now."""
    asked = {"table": "a" * 16, "header": header.model_dump(), "made": made, "shuffles": shuffles}
    found: dict[str, list[float]] = decisions.quality(asked)["found"]
    return found


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer playouts, and not at the lowest priority for all tests that come."""
    monkeypatch.setattr(decisions, "PLAYOUTS", 400)
    monkeypatch.setattr(decisions, "step_back", lambda: None)


def people(*devices: str | None) -> Header:
    options = complete_options(GAMES[GAME], len(devices), OPTIONS)
    seats = [
        SeatTaken(kind="person", name=f"P{number}", device=one)
        for number, one in enumerate(devices)
    ]
    return Header(game=GAME, options=options, seats=seats, state="finished")


def a_match(by: Mapping[int, str] | None = None) -> tuple[list[Made], list[list[int]]]:
    """Seat 0 plays what the coach thinks best, by other playouts than those that judge it; seat 1 the worst."""
    match = bullpen.new(GAME, seats=3, seed=4, options=OPTIONS)
    rng = Random(1)
    while not match.is_over:
        seat = match.waiting_for[0]
        view = match.view(seat)
        action = rng.choice(view.legal)
        if seat < 2 and len(view.legal) > 1:
            ranked = ranked_candidates(match.game, view, 2000, seed=99)
            move = ranked[0 if seat == 0 else -1].move
            action = next(one for one in view.legal if match.game.NOTATION[one] == move)
        match.act(seat, action)
    made = [
        Made(one.moment, one.seat, one.action, (by or {}).get(number, "person"))
        for number, one in enumerate(match.decisions)
    ]
    return made, match.shuffles


@pytest.mark.usefixtures("quick")
def test_who_plays_the_coachs_best_gives_nearly_nothing_away_and_who_plays_the_worst_much_more() -> (
    None
):
    found = judged(people(BEST, WORST, None), *a_match())
    assert set(found) == {BEST, WORST}  # the third is nobody's any more
    best, worst = (one[1] / one[0] for one in (found[BEST], found[WORST]))
    assert best < 0.2
    assert worst > best + 1
    assert all(one[0] >= 8 for one in found.values())


@pytest.mark.usefixtures("quick")
def test_only_what_a_person_decided_counts_and_for_whoever_had_the_seat_then() -> None:
    made, shuffles = a_match()
    own = [number for number, one in enumerate(made) if one.seat == 1]
    stood_in = dict.fromkeys(own[:2], "stand_in")
    header = people(None, WORST, None)
    header.seats[1].earlier = [Part(kind="person", name="Early", decisions=5, device=BEST)]
    found = judged(
        header,
        [one._replace(by=stood_in.get(number, "person")) for number, one in enumerate(made)],
        shuffles,
    )
    whole = judged(people(None, WORST, None), made, shuffles)
    assert found[BEST][0] == 3  # of five, without two that a bot decided
    assert found[BEST][0] + found[WORST][0] == whole[WORST][0] - 2


def test_the_interval_is_wide_while_little_is_known_and_holds_the_truth() -> None:
    few, many = (shown(GAME, sums([[0.0] * 9] * games)) for games in (1, 100))
    assert few.points == many.points == 0
    assert few.give_or_take > 50 * many.give_or_take > 0
    rng, held = Random(8), 0
    for _ in range(200):
        # Each game has a luck of its own that goes through all its decisions.
        games = [
            [luck * rng.expovariate(1) for _ in range(10)]
            for luck in (rng.expovariate(1) for _ in range(60))
        ]
        one = shown(GAME, sums(games))
        held += abs(one.points - 1.0) <= one.give_or_take
    assert held >= 180


def sums(games: list[list[float]]) -> Sums:
    lost = [sum(one) for one in games]
    return Sums(
        len(games),
        sum(map(len, games)),
        sum(lost),
        sum(x * x for one in games for x in one),
        sum(x * x for x in lost),
        sum(x * len(one) for x, one in zip(lost, games, strict=True)),
        sum(len(one) ** 2 for one in games),
    )


# -- At a running server ------------------------------------------------------------------------


def quality_of(one: Visitor) -> Json:
    until(lambda: one.get("/quality").json())
    (found,) = one.get("/quality").json()
    assert found["game"] == GAME
    quality: Json = found["quality"]
    return quality


def test_after_a_game_its_player_is_told_how_well_they_decided_and_it_is_gone_with_them(
    tmp_path: Path,
) -> None:
    with served(tmp_path, RUN, **ON) as server, Visitor(server) as anna, Visitor(server) as looker:
        table = play_alone(server, anna, options=OPTIONS)
        found = quality_of(anna)
        assert 5 <= found["decisions"] <= 20
        assert (found["games"], found["points"] >= 0) == (1, True)
        assert found["give_or_take"] > 0
        anna.rating_of(table)
        (own,) = anna.get("/ratings").json()
        assert own["quality"] == found
        (row,) = looker.board()["places"]
        assert row["quality"] == found
        assert looker.get("/quality").json() == []
        (told,) = anna.get("/me/export").json()["judged_games"]
        assert (told["table_id"], told["decisions"]) == (table, found["decisions"])
        checked(anna.delete("/me"))
        assert anna.get("/quality").json() == []
        with sqlite3.connect(tmp_path / "tables.db") as db:
            for name in ("judging", "judged", "quality"):
                assert db.execute(f"SELECT COUNT(*) FROM {name}").fetchone() == (0,)
        db.close()
        assert "Traceback" not in server.log.read_text()


def test_a_killed_server_judges_what_waits_when_it_is_back_and_once(tmp_path: Path) -> None:
    with served(tmp_path, RUN) as server, Visitor(server) as anna:
        server.settings["BULLPEN_QUALITY_SHARE"] = "0.00001"  # it rests for hours after the first
        server.end()
        server.start()
        play_alone(server, anna, options=OPTIONS)
        quality_of(anna)
        play_alone(server, anna, options=OPTIONS)
        server.end(SIGKILL)
        server.settings |= ON
        server.start()
        until(lambda: quality_of(anna)["games"] == 2)
        with sqlite3.connect(tmp_path / "tables.db") as db:
            rows = db.execute("SELECT decisions FROM judged").fetchall()
            assert db.execute("SELECT COUNT(*) FROM judging").fetchone() == (0,)
        db.close()
        assert len(rows) == 2
        assert quality_of(anna)["decisions"] == sum(one for (one,) in rows)


@pytest.mark.parametrize("wish", [{"coach": True}, {"practice": 7}])
def test_with_hints_or_at_a_practice_table_nothing_waits_to_be_judged(
    tmp_path: Path, wish: dict[str, Any]
) -> None:
    with served(tmp_path, RUN, BULLPEN_QUALITY_SHARE="0.00001") as server, Visitor(server) as anna:
        play_alone(server, anna, options=OPTIONS, **wish)
        with sqlite3.connect(tmp_path / "tables.db") as db:
            assert db.execute("SELECT COUNT(*) FROM result").fetchone()[0] > 0
            for name in ("judging", "judged"):
                assert db.execute(f"SELECT COUNT(*) FROM {name}").fetchone() == (0,)
        db.close()


def test_switched_off_nothing_is_judged_and_nothing_piles_up(tmp_path: Path) -> None:
    with served(tmp_path, RUN, BULLPEN_QUALITY_SHARE="0") as server, Visitor(server) as anna:
        play_alone(server, anna, options=OPTIONS)
        with sqlite3.connect(tmp_path / "tables.db") as db:
            until(lambda: db.execute("SELECT COUNT(*) FROM judging").fetchone() == (0,))
        db.close()
        assert anna.get("/quality").json() == []
