"""Is the checker blind?  Histories with one planted fault each; and one of each kind without."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from tests.faults.checker import Counts, Trouble, check, sorted_out
from tests.faults.conduct import Calendar, Waits, answers, ends, statistics, waits_of_moves
from tests.faults.history import History, Json, read
from tests.faults.report import BEGIN, Report, troubles_as_text, write

# A game of two: each holds two cards, both lay one in each of two turns, and it is over.
HANDS: list[dict[int, list[int]]] = [{0: [1, 2], 1: [3, 4]}, {0: [2], 1: [4]}, {0: [], 1: []}]
ROWS: list[list[int]] = [[], [1, 3], [1, 3, 2, 4]]
RESULT: Json = {"scores": [3, 7], "rounds": [], "winners": [0], "played_for": [0, 0]}
FAIR: Json = {"commitment": "c0", "secret": "5ec2e7", "contributions": ["a", "b"]}


def places(turn: int, reader: int | None) -> Json:
    hands = HANDS[turn]
    shown = {
        f"hand {seat}": cards if seat == reader or not cards else len(cards)
        for seat, cards in hands.items()
    }
    return {**shown, "row 1": ROWS[turn]}


def phase(turn: int) -> str:
    return "over" if turn == 2 else "laying"


def view(turn: int, reader: int | None, decision: Json | None = None) -> Json:
    scores = RESULT["scores"] if turn == 2 else [0, 0]
    facts: Json = {"facts": {}, "scores": scores, "rounds": [], "actor": None, "steps": []}
    asked: Json = {"decision": decision, "chosen": [], "waiting": [], "can_undo": False}
    return {"turn": turn, "phase": phase(turn), "places": places(turn, reader), **facts, **asked}


def asks(turn: int, seat: int) -> Json | None:
    if turn == 2:
        return None
    moves = [[card, f"play {card}"] for card in HANDS[turn][seat]]
    return {"number": 1 + 2 * turn, "choice": None, "moves": moves}


class Story:
    """Lines of a history, one after the other."""

    def __init__(self) -> None:
        self.lines: list[Json] = []

    def add(self, what: str, **facts: Any) -> Json:
        line = {"t": float(len(self.lines)), "what": what, "line": len(self.lines), **facts}
        self.lines.append(line)
        return line

    def found(self) -> list[str]:
        return [trouble.what for trouble in self.troubles()]

    def troubles(self) -> list[Trouble]:
        for number, line in enumerate(self.lines):
            line["line"] = number
        return check(sorted_out("table", self.lines), Counts())

    def first(self, what: str, **facts: Any) -> Json:
        return next(
            line
            for line in self.lines
            if line["what"] == what
            and all(line.get(name) == value for name, value in facts.items())
        )

    def insert(self, after: Json, what: str, **facts: Any) -> Json:
        line = {"t": after["t"] + 0.5, "what": what, **facts}
        self.lines.insert(self.lines.index(after) + 1, line)
        return line


def a_game() -> Story:
    story = Story()
    seats = [{"seat": seat, "kind": "program", "name": "", "device": ""} for seat in (0, 1)]
    story.add("table", game="toy", seats=seats)
    for socket, seat in enumerate((0, 1, None)):
        story.add("connected", socket=socket, seat=seat, begun=0.0)
    number = 0
    for turn in range(3):
        for socket, seat in enumerate((0, 1, None)):
            decision = None if seat is None else asks(turn, seat)
            story.add("view", socket=socket, seat=seat, view=view(turn, seat, decision))
        for seat in (0, 1) if turn < 2 else ():
            number += 1
            card, decision_number = HANDS[turn][seat][0], 1 + 2 * turn
            said = {"decision": decision_number, "action": card, "turn": turn}
            story.add("invoke", move=number, socket=seat, seat=seat, **said)
            story.add("ok", move=number, seat=seat, key="")
    for socket, seat in enumerate((0, 1, None)):
        story.add("result", socket=socket, seat=seat, frame={**RESULT, "fair": FAIR})
    collected(story)
    return story


def collected(story: Story) -> None:
    moves = [{"seat": s, "move": f"play {c}"} for turn in (0, 1) for s, c in played(turn)]
    story.add("record", record={"moves": moves, "scores": [3, 7], "winners": [0]})
    story.add("deal", fair=FAIR)
    for seat in (0, 1):
        turns = [
            {
                "phase": phase(turn),
                "places": places(turn, seat),
                "facts": {},
                "scores": view(turn, seat)["scores"],
                "rounds": [],
                "steps": [],
                "decisions": [[s, c, f"play {c}", "program"] for s, c in played(turn - 1)],
            }
            for turn in range(3)
        ]
        story.add("replay", seat=seat, turns=turns, result=RESULT)
    story.add("record", record=copy.deepcopy(story.first("record")["record"]))


def played(turn: int) -> list[tuple[int, int]]:
    return [(seat, HANDS[turn][seat][0]) for seat in (0, 1)] if turn >= 0 else []


def stands_instead(story: Story, seat: int, action: int, by: str = "program") -> None:
    """In the first turn, by all replays; the record says so, too."""
    for line in story.lines:
        if line["what"] == "replay":
            line["turns"][1]["decisions"][seat] = [seat, action, f"play {action}", by]
        if line["what"] == "record":
            line["record"]["moves"][seat]["move"] = f"play {action}"


# -- Nothing is found where nothing is wrong ----------------------------------------------------


def test_a_good_history_is_good() -> None:
    counts = Counts()
    assert check(sorted_out("table", a_game().lines), counts) == []
    assert (counts.moves_ok, counts.moves_refused, counts.moves_unknown) == (4, 0, 0)
    assert counts.faces > 10
    assert counts.frames == 12


def test_a_move_whose_answer_was_lost_may_stand_or_not() -> None:
    story = a_game()
    story.first("ok", move=1)["what"] = "unknown"
    assert story.found() == []
    stands_instead(story, 0, 2, by="stand_in")
    assert story.found() == []


def test_whoever_says_what_a_bot_has_just_decided_for_them_may_be_told_that_it_stands() -> None:
    story = a_game()
    (_, action), _ = played(0)
    stands_instead(story, 0, action, by="stand_in")
    assert story.found() == []


def test_a_choice_may_be_changed() -> None:
    story = a_game()
    answer = story.first("ok", move=1)
    said = {"decision": 2, "action": 2, "turn": 0}
    changed = story.insert(answer, "invoke", move=9, socket=0, seat=0, **said)
    story.insert(changed, "ok", move=9, seat=0, key="")
    stands_instead(story, 0, 2)
    assert story.found() == []


def taken_back() -> Story:
    """Seat 0 lays the 1 openly, takes that back (turns 1 and 2), and then all goes as in `a_game`: turns 2, 3 and 4
    of the wire are 0, 1 and 2 of the replay."""
    story, later = a_game(), a_game().lines
    first = next(at for at, line in enumerate(later) if line["what"] == "invoke")
    story.lines = story.lines[:first]
    said = {"decision": 1, "action": 1, "turn": 0}
    story.add("invoke", move=90, socket=0, seat=0, **said)
    story.add("ok", move=90, seat=0, key="")
    for socket, seat in enumerate((0, 1, None)):
        laid = places(0, seat) | {"row 1": [1], "hand 0": [2] if seat == 0 else 1}
        story.add(
            "view", socket=socket, seat=seat, view={**view(0, seat), "turn": 1, "places": laid}
        )
    story.add("say", kind="undo", socket=0, seat=0)
    for socket, seat in enumerate((0, 1, None)):
        done = {"seat": 0, "state": "done", "waiting": []}
        story.add("undo", socket=socket, seat=seat, frame=done)
        story.add("view", socket=socket, seat=seat, view={**view(0, seat), "turn": 2})
    for line in later[first:]:
        if line["what"] == "invoke":
            line["turn"] += 2
            line["decision"] += 10
        if "view" in line:
            line["view"]["turn"] += 2
        story.lines.append({**line, "t": float(len(story.lines))})
    return story


def test_what_is_taken_back_need_not_stand() -> None:
    assert taken_back().found() == []


def test_what_is_taken_back_is_found_in_its_turn_even_where_nobody_heard_of_it() -> None:
    story = taken_back()
    story.lines = [line for line in story.lines if line["what"] != "undo"]
    assert story.found() == []


def test_a_take_back_that_nobody_asked_for_is_found() -> None:
    story = taken_back()
    story.lines = [line for line in story.lines if line["what"] != "say"]
    assert story.found() == ["a decision is taken back unasked"]


def test_a_card_shown_in_a_turn_that_was_taken_back_is_found() -> None:
    story = taken_back()
    shown = [line for line in story.lines if line["what"] == "view" and line["view"]["turn"] == 1]
    shown[0]["view"]["places"]["hand 1"] = [3, 4]
    assert story.found() == ["a card is seen too early"]


# -- Planted faults -----------------------------------------------------------------------------


def test_a_lost_move_is_found() -> None:
    story = a_game()
    stands_instead(story, 0, 2, by="stand_in")
    assert story.found() == ["an acknowledged move is lost"]
    (trouble,) = story.troubles()
    assert (trouble.table, trouble.seat, trouble.decision) == ("table", 0, 1)


def test_a_lost_change_is_found() -> None:
    story = a_game()
    answer = story.first("ok", move=1)
    said = {"decision": 2, "action": 2, "turn": 0}
    changed = story.insert(answer, "invoke", move=9, socket=0, seat=0, **said)
    story.insert(changed, "ok", move=9, seat=0, key="")
    assert story.found() == ["an acknowledged move is lost"]


def test_an_invented_move_is_found() -> None:
    story = a_game()
    stands_instead(story, 1, 4)
    assert "a move is invented" in story.found()


def test_a_move_by_nobody_is_found() -> None:
    story = a_game()
    story.lines = [line for line in story.lines if line.get("move") != 1]
    assert story.found() == ["a move is invented"]


def test_a_doubled_move_is_found() -> None:
    """What was said once, for the first turn, stands in the second turn as well."""
    story = a_game()
    story.lines = [line for line in story.lines if line.get("move") != 3]
    for line in story.lines:
        if line["what"] == "replay":
            line["turns"][2]["decisions"][0] = [0, 1, "play 1", "program"]
        if line["what"] == "record":
            line["record"]["moves"][2]["move"] = "play 1"
    assert story.found() == ["a move is invented"]


def test_a_refused_move_that_stands_is_found() -> None:
    story = a_game()
    story.first("ok", move=1)["what"] = "refused"
    assert story.found() == ["a refused move stands"]


def test_two_answers_to_one_decision_are_found() -> None:
    story = a_game()
    answer = story.first("ok", move=1)
    said = {"decision": 1, "action": 2, "turn": 0}
    other = story.insert(answer, "invoke", move=9, socket=0, seat=0, **said)
    story.insert(other, "ok", move=9, seat=0, key="")
    assert "two answers to one decision" in story.found()


def test_a_move_accepted_after_the_end_is_found() -> None:
    story = a_game()
    said = {"decision": 5, "action": 4, "turn": 2}
    story.add("invoke", move=9, socket=0, seat=0, **said)
    story.add("ok", move=9, seat=0, key="")
    assert story.found() == ["an acknowledged move is lost"]


@pytest.mark.parametrize("where", ["told", "record", "replay"])
def test_a_changed_result_is_found(where: str) -> None:
    story = a_game()
    other = {**RESULT, "scores": [3, 8]}
    if where == "told":
        story.first("result", socket=1)["frame"] = {**other, "fair": FAIR}
    elif where == "replay":
        story.first("replay", seat=1)["result"] = other
    else:
        [line for line in story.lines if line["what"] == "record"][-1]["record"]["scores"] = [3, 8]
    assert set(story.found()) == {"a result changes"}


def test_a_changed_record_is_found() -> None:
    story = a_game()
    [line for line in story.lines if line["what"] == "record"][-1]["record"]["moves"].pop()
    assert story.found() == ["a record changes"]


def test_a_game_that_goes_on_after_its_end_is_found() -> None:
    story = a_game()
    told = story.first("result", socket=0)
    story.insert(told, "view", socket=0, seat=0, view={**view(1, 0), "turn": 3})
    assert "a game goes on after its end" in story.found()


@pytest.mark.parametrize("seat", [0, None])
def test_a_card_seen_too_early_is_found(seat: int | None) -> None:
    story = a_game()
    seen = story.first("view", seat=seat)
    seen["view"]["places"]["hand 1"] = [3, 4]
    assert "a card is seen too early" in story.found()


def test_a_secret_choice_shown_before_the_reveal_is_found() -> None:
    story = a_game()
    seen = copy.deepcopy(story.first("view", seat=0))
    seen["view"]["chosen"] = [1]
    seen["view"]["places"]["laid 1"] = [3]
    story.lines.insert(story.lines.index(story.first("ok", move=2)), seen)
    assert "a card is seen too early" in story.found()


def test_a_step_that_tells_too_much_is_found() -> None:
    story = a_game()
    told = [line for line in story.lines if line["what"] == "view" and line["seat"] == 0][1]
    told["view"]["steps"] = [{"event": {"event": "draw", "card": 4}, "moves": []}]
    assert story.found() == ["steps are not those of the replay"]


def test_a_turn_that_goes_back_is_found() -> None:
    story = a_game()
    end = story.first("result", socket=0)
    story.insert(end, "view", socket=1, seat=1, view=view(1, 1))
    assert "a turn goes back" in story.found()


def test_a_turn_that_goes_back_on_a_new_socket_is_found() -> None:
    story = a_game()
    end = story.first("result", socket=2)
    opened = story.insert(end, "connected", socket=7, seat=1, begun=end["t"] + 0.1)
    frame = {"result": None, "fair": {"secret": None}}
    story.insert(opened, "welcome", socket=7, seat=1, view=view(0, 1), frame=frame)
    assert "a turn goes back" in story.found()


def test_two_views_of_one_turn_that_differ_are_found() -> None:
    story = a_game()
    seen = copy.deepcopy(story.first("view", seat=0))
    seen["view"]["places"]["row 1"] = [1]
    story.lines.insert(story.lines.index(story.first("ok", move=1)), seen)
    assert "two views of one turn differ" in story.found()


@pytest.mark.parametrize("how", ["told as such", "hidden in another message"])
def test_a_secret_told_too_early_is_found(how: str) -> None:
    story = a_game()
    frame: Json = {"result": None, "fair": FAIR} if how == "told as such" else {"note": "x5ec2e7x"}
    what = "welcome" if "fair" in frame else "chat"
    story.insert(story.first("ok", move=1), what, socket=0, seat=0, frame=frame)
    assert story.found() == ["a secret is told too early"]


# -- What concerns all tables -------------------------------------------------------------------


def run_lines(*lines: Json) -> list[Json]:
    return [{"line": number, **line} for number, line in enumerate(lines)]


def test_a_table_may_be_elsewhere_only_where_somebody_could_not_reach_its_server() -> None:
    elsewhere = http(30, 33, status=503) | {"key": "table_elsewhere"}
    quiet = run_lines(elsewhere)
    assert [one.what for one in answers(quiet, Calendar(quiet))] == ["a server error"]
    moved = run_lines(*fault("process", 5, 15), elsewhere)
    assert list(answers(moved, Calendar(moved))) == []


def fault(group: str, begin: float, end: float) -> list[Json]:
    facts = {"kind": "x", "group": group}
    over = {"what": "recovered", "ready": True, "seconds": 0.0}
    return [{"t": begin, "what": "fault", **facts}, {"t": end, **over, **facts}]


def http(begun: float, t: float, **facts: Any) -> Json:
    return {"t": t, "what": "http", "asked": "GET /", "begun": begun, "key": None, **facts}


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ([http(1, 1, status=200)], []),
        ([http(1, 1, status=500)], ["a server error"]),
        ([http(1, 1, status=503)], ["a server error"]),
        ([*fault("store", 0, 2), http(1, 1, status=503)], []),
        ([*fault("store", 0, 2), http(1, 1, status=500)], ["a server error"]),
        ([*fault("nuisance", 0, 2), http(1, 1, status=503)], ["a server error"]),
        ([*fault("nuisance", 0, 2), http(1, 1, lost="TimeoutError")], ["nobody gets in"]),
        ([*fault("process", 0, 2), http(1, 1, lost="TimeoutError")], []),
    ],
)
def test_answers_that_must_not_be_are_found(lines: list[Json], found: list[str]) -> None:
    numbered = run_lines(*lines)
    assert [one.what for one in answers(numbered, Calendar(numbered))] == found


@pytest.mark.parametrize(("waited", "found"), [(4.0, []), (6.0, ["a neighbour waits"])])
def test_a_neighbour_who_waits_is_found(waited: float, found: list[str]) -> None:
    story = a_game()
    answer = story.first("ok", move=1)
    answer["t"] = story.first("invoke", move=1)["t"] + waited
    waits = Waits(Calendar(run_lines({"t": 99.0, "what": "x"}, *fault("nuisance", 0.0, 90.0))))
    waits_of_moves(sorted_out("table", story.lines), waits)
    assert [one.what for one in waits.troubles] == found
    assert waits.longest["x"] == waited


def test_whoever_waits_for_a_frozen_server_is_no_neighbour() -> None:
    story = a_game()
    story.first("ok", move=1)["t"] += 20
    waits = Waits(Calendar(run_lines({"t": 99.0, "what": "x"}, *fault("process", 3.0, 30.0))))
    waits_of_moves(sorted_out("table", story.lines), waits)
    assert waits.troubles == []


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ({"what": "stopped", "server": "s", "code": 0}, []),
        ({"what": "stopped", "server": "s", "code": None}, ["a server does not stop in order"]),
        ({"what": "survivors", "server": "s", "pids": [7]}, ["a process outlives its server"]),
        (
            {"what": "memory", "server": "s", "megabytes": 9000.0},
            ["a server needs too much memory"],
        ),
        ({"what": "did not end", "table": "t", "why": ""}, ["a table does not come to its end"]),
    ],
)
def test_bad_ends_are_found(line: Json, found: list[str]) -> None:
    assert [one.what for one in ends(run_lines({"t": 1.0, **line}))] == found


@pytest.mark.parametrize(("wins", "found"), [(1, []), (0, ["statistics are not the results told"])])
def test_statistics_are_compared_with_what_was_told(wins: int, found: list[str]) -> None:
    story = a_game()
    story.first("table")["seats"][0]["device"] = "d1"
    said = [{"game": "toy", "name": "", "games": 1, "wins": wins, "least": 3, "most": 3}]
    lines = run_lines({"t": 1.0, "what": "statistics", "device": "d1", "said": said})
    table = sorted_out("table", story.lines)
    assert [one.what for one in statistics([table], lines)] == found


# -- Writing and reading ------------------------------------------------------------------------


def test_a_history_is_read_as_it_was_written_and_a_view_is_kept_once(tmp_path: Path) -> None:
    history = History(tmp_path)
    shown = {**view(0, 0), "type": "view", "pace": {}}
    history.note_frame("table", 1, 0, shown)
    history.note_frame("table", 2, 0, shown)
    undo = {"type": "undo", "seat": 1, "state": "done", "waiting": []}
    history.note_frame("table", 2, 0, undo)
    history.flush()
    first, second, third = read(tmp_path, "table")
    assert first["view"] == second["view"] == view(0, 0)
    assert (first["socket"], second["socket"], second["same"]) == (1, 2, 0)
    assert (third["seat"], third["frame"]["seat"]) == (0, 1)


def test_trouble_is_told_with_the_lines_around_it(tmp_path: Path) -> None:
    history = History(tmp_path)
    for number in range(10):
        history.note("table", "step", number=number)
    history.flush()
    told = troubles_as_text(tmp_path, [Trouble("it is gone", "all", "table", 1, 7, (5,))])
    assert "it is gone: table table, seat 1, decision 7" in told
    assert "'number': 2" in told
    assert "'number': 8" in told
    assert "'number': 1}" not in told


def test_the_report_goes_into_its_place_again_and_again(tmp_path: Path) -> None:
    page = tmp_path / "promises.md"
    page.write_text("# Promises\n")
    for seed in (1, 2):
        write(page, [Report("sqlite", seed, 60), Report("postgresql", seed, 60)])
    text = page.read_text()
    assert text.startswith("# Promises\n")
    assert text.count(BEGIN) == 1
    assert "| seed, seconds | 2, 60 | 2, 60 |" in text
