"""The terminal game, played by typing into a real pseudo-terminal."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pexpect
import pytest
from rich.console import Console

import bullpen
from bullpen.cards import UNSEEN
from bullpen.game import OptionValue
from bullpen.games import GAMES
from bullpen.games.bullenparty.board import heads_in_row
from bullpen.games.bullenparty.rules import BULL_SUPPLY, ROW, rows
from bullpen.games.eleven_nimmt.rules import BULLS, OVER, STACK
from bullpen.languages import LANGUAGES
from bullpen.match import Match
from bullpen.phrases import phrases
from bullpen.terminal import tell
from bullpen.terminal.boards import drawn_table, drawn_within, question_for
from bullpen.terminal.explain import ask, help_now
from bullpen.terminal.moves import groups, meant, offered
from bullpen.terminal.screen import Screen
from bullpen.terminal.sight import open_sight, sight_of
from bullpen.text import voice
from tests.tables import table
from tests.terminal_session import PROMPT, REMATCH, Session, at_first_prompt

# Short games: one person, one bot, one round where the game has rounds.
SHORT = {
    "hornochsen": [],
    "eleven-nimmt": ["--option", "rounds=1"],
    "x-nimmt": ["--option", "rounds=1"],
    "baron-oxx": [],
    "bullenparty": [],
    "six-nimmt": ["--option", "rounds=1"],
}
X_NIMMT = ["play", "x-nimmt", "--players", "2", "--seed", "7", "--option", "rounds=1"]


MORE = "(enough|wystarczy) -- $"


def saved_games(home: Path) -> list[Path]:
    return sorted((home / "data" / "bullpen" / "games").glob("*.json"))


def play_to_the_end(session: Session) -> None:
    """Type the first offered move until the game is over."""
    while True:
        session.child.sendline(session.offered())
        if session.wait_for(REMATCH, PROMPT) == 0:
            return


def read_on(session: Session, until: Any) -> str:
    """A long text, screenful by screenful, and what follows it."""
    said = ""
    while session.wait_for(MORE, until) == 0:
        said += session.said
        session.child.sendline("")
    return said + session.said


# -- Whole games ------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_can_be_played_by_typing_what_the_prompt_offers(
    game: str, language: str, tmp_path: Path
) -> None:
    words = ["play", game, "--players", "2", "--seed", "3", "--bot", "uniform", *SHORT[game]]
    session = at_first_prompt(tmp_path, [*words, "--lang", language])
    play_to_the_end(session)
    said = session.said
    assert voice(language).say("terminal.game_over") in said
    assert "bullpen replay" in said
    session.child.sendline("n")
    assert session.end() == 0
    (record,) = saved_games(tmp_path)
    assert json.loads(record.read_text("utf-8"))["winners"] is not None


def test_points_are_told_after_every_round_and_the_result_at_the_end(tmp_path: Path) -> None:
    session = at_first_prompt(tmp_path, ["play", "x-nimmt", "--players", "2", "--seed", "1"])
    heard = session.said
    while True:
        session.child.sendline(session.offered())
        over = session.wait_for(REMATCH, PROMPT) == 0
        heard += session.said
        if over:
            break
    assert "Points after round 1" in heard
    assert "Points after round 2" in heard
    assert "The lowest score wins." in heard
    assert "wins with" in heard or "You win with" in heard or "share the win" in heard


def test_a_rematch_is_dealt_anew_and_kept_beside_the_first_game(tmp_path: Path) -> None:
    session = at_first_prompt(tmp_path, X_NIMMT)
    play_to_the_end(session)
    session.type("perhaps", REMATCH)
    session.type("y")
    assert "round is over" not in session.said
    session.type("quit", until="bullpen resume")
    assert session.end() == 0
    assert len(saved_games(tmp_path)) == 2


def test_bots_play_a_game_among_themselves_when_nobody_else_plays(tmp_path: Path) -> None:
    session = Session(tmp_path, "play", "six-nimmt", "--players", "3", "--bots", "3", "--seed", "1")
    assert session.end() == 0
    assert "The game is over" in session.said


# -- What is drawn ----------------------------------------------------------------------------


def test_the_table_shows_rows_players_hand_and_where_the_cards_come_from(tmp_path: Path) -> None:
    session = at_first_prompt(tmp_path, ["play", "bullenparty", "--players", "3", "--seed", "7"])
    for words in (
        "row 1",
        "draw pile 54",
        "bull cards left 10, the next has 4 heads",
        "Player (you)",
        "Bruno",
        "zero card",
        "Your hand",
        "reconstruct",
    ):
        assert words in session.said


def test_heads_are_told_by_number_and_sign_not_by_colour_alone(tmp_path: Path) -> None:
    coloured = at_first_prompt(tmp_path, ["play", "hornochsen", "--players", "2", "--seed", "1"])
    assert "\x1b[" in coloured.raw
    assert " +1 " in coloured.said
    plain = at_first_prompt(
        tmp_path, ["play", "hornochsen", "--players", "2", "--seed", "1"], extra={"NO_COLOR": "1"}
    )
    assert "48;" not in plain.raw  # no background colours
    assert " +1]" in plain.said
    assert " -" in plain.said


def test_every_line_fits_a_narrow_terminal(tmp_path: Path) -> None:
    session = at_first_prompt(
        tmp_path, ["play", "baron-oxx", "--players", "4", "--seed", "2"], size=(60, 40)
    )
    for line in session.said.splitlines():
        if not line.startswith("The game is saved"):
            assert len(line) <= 40, line


def test_a_terminal_without_unicode_gets_plain_letters(tmp_path: Path) -> None:
    ascii_only = {"PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    session = at_first_prompt(
        tmp_path, ["play", "x-nimmt", "--lang", "pl", "--seed", "1"], extra=ascii_only
    )
    assert session.said.isascii()
    assert "Rzedy" in session.said
    assert "*1" in session.said  # one head


def test_a_terminal_too_small_for_a_table_is_refused_in_one_line(tmp_path: Path) -> None:
    session = Session(tmp_path, "play", "x-nimmt", size=(5, 20))
    assert session.end() == 2
    told = " ".join(session.said.split())
    assert told.startswith("This terminal is too small (20×5); make it at least")


def test_memory_aid_shows_what_was_seen_and_without_it_nothing_of_it_is_shown(
    tmp_path: Path,
) -> None:
    for aid in ("on", "off"):
        session = at_first_prompt(
            tmp_path, ["play", "six-nimmt", "--players", "2", "--option", f"memory_aid={aid}"]
        )
        while "Bella takes row" not in session.said and "You take row" not in session.said:
            session.type(session.offered())
        assert ("taken:" in session.said) == (aid == "on")


TABLES = [
    ("hornochsen", 2, {}),
    ("hornochsen", 6, {"memory_aid": True}),
    ("eleven-nimmt", 7, {"memory_aid": True}),
    ("eleven-nimmt", 2, {"rounds": 1}),
    ("x-nimmt", 4, {"memory_aid": True}),
    ("x-nimmt", 2, {"x_choice": "free"}),
    ("baron-oxx", 3, {}),
    ("baron-oxx", 2, {"variant": "colour"}),
    ("baron-oxx", 4, {"variant": "positive", "memory_aid": True, "games": 2}),
    ("bullenparty", 5, {"memory_aid": True}),
    ("bullenparty", 2, {}),
    ("six-nimmt", 10, {"rounds": 1, "memory_aid": True}),
    ("six-nimmt", 3, {"deck": "tactical"}),
]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game", "seats", "options"), TABLES)
def test_every_table_of_a_random_game_can_be_drawn_asked_about_and_helped_with(
    game: str, seats: int, options: dict[str, OptionValue], language: str
) -> None:
    width = 80 if language == "en" else 40  # words of other languages are longer: a narrow screen
    screen = Screen(Console(file=StringIO(), width=width), voice(language))
    match, rng = bullpen.new(game, seats, seed=1, options=options), Random(1)
    helped = set()
    while not match.is_over:
        seat = rng.choice(match.waiting_for)
        sight = sight_of(match, seat, screen)
        question, legal = question_for(sight), match.legal(seat)
        if question.key not in helped:
            help_now(screen, sight, question, legal[0])
            helped.add(question.key)
        if rng.random() < 0.1:  # drawing takes longer than playing
            ask(screen, sight, question)
            lines = drawn_table(sight) + drawn_table(sight_of(match, None, screen))
            lines += drawn_table(open_sight(match, screen)) + offered(sight, legal)
            assert max(line.cell_len for line in lines) <= width
        match.move(seat, rng.choice(legal))
    for viewer in (0, None):
        assert drawn_table(sight_of(match, viewer, screen))


def test_a_view_without_memory_aid_draws_no_card_that_the_view_hides() -> None:
    """The person plays from the view alone: another hand in the same place draws the same table."""
    screen = Screen(Console(file=StringIO(), width=80), voice("en"))
    match, rng = bullpen.new("x-nimmt", 3, seed=5), Random(5)
    while not match.is_over:
        seat = match.waiting_for[0]
        imagined = match.game.imagine(match.view(seat), rng)
        seen, match.table = match.table, imagined
        other = [line.plain for line in drawn_table(sight_of(match, seat, screen))]
        match.table = seen
        assert other == [line.plain for line in drawn_table(sight_of(match, seat, screen))]
        match.move(seat, match.legal(seat)[-1])


@pytest.mark.parametrize("size", [(24, 80), (20, 40)])
@pytest.mark.parametrize(
    ("game", "players", "first_row"),
    [
        ("bullenparty", 3, "row 1 "),
        ("x-nimmt", 4, "row 3"),
        ("six-nimmt", 4, "row 1 "),
        ("eleven-nimmt", 4, "stack "),
    ],
)
def test_what_one_decides_about_stays_on_the_screen_above_the_question(
    game: str, players: int, first_row: str, size: tuple[int, int], tmp_path: Path
) -> None:
    words = ["play", game, "--players", str(players), "--seed", "7"]
    session = at_first_prompt(tmp_path, words, size=size)
    for _ in range(6):
        assert first_row in session.shown
        assert "Your hand" in session.shown
        session.type(session.offered())


def test_of_a_tall_table_the_players_are_drawn_in_brief_and_then_first() -> None:
    screen = Screen(Console(file=StringIO(), width=80), voice("en"))
    match, rng = bullpen.new("bullenparty", 4, seed=3), Random(3)
    while len(match.decisions) < 150 and not match.is_over:
        seat = match.waiting_for[0]
        match.move(seat, rng.choice(match.legal(seat)))
    sight = sight_of(match, 0, screen)
    full = [line.plain for line in drawn_within(sight, 999)]
    assert full == [line.plain for line in drawn_table(sight)]
    brief = [line.plain for line in drawn_within(sight, len(full) - 1)]
    assert len(brief) < len(full)
    assert brief[0] == "Rows to be taken"
    shortest = [line.plain for line in drawn_within(sight, 5)]
    assert sorted(shortest) == sorted(brief)
    assert shortest[0] == "Players"


def drawn(match: Match, seat: int, screen: Screen) -> str:
    return "\n".join(line.plain for line in drawn_table(sight_of(match, seat, screen)))


def test_a_hand_is_counted_with_the_card_that_lies_face_down() -> None:
    screen = Screen(Console(file=StringIO(), width=80), voice("en"))
    match = bullpen.new("six-nimmt", 3, seed=1)
    match.move(1, match.legal(1)[0])
    assert drawn(match, 0, screen).count("hand 9 + 1 laid") == 1


def test_a_row_with_a_bull_card_tells_its_heads_apart() -> None:
    screen = Screen(Console(file=StringIO(), width=80), voice("en"))
    match = bullpen.new("bullenparty", 3, seed=1)
    (row, *_), (bull, *supply) = rows(match.table), match.table.lying[BULL_SUPPLY]
    before = heads_in_row(sight_of(match, 0, screen), match.table.lying[ROW + row])
    match.table.lying[ROW + row] += (bull,)
    match.table.lying[BULL_SUPPLY] = tuple(supply)
    after = heads_in_row(sight_of(match, 0, screen), match.table.lying[ROW + row])
    assert after == before.replace(" head", " + 4 head").removesuffix("s") + "s"


def test_a_stack_played_on_in_this_turn_says_from_where_it_still_counts() -> None:
    """11 nimmt!: the old name holds until the turn ends; when the game is over there are none."""
    screen = Screen(Console(file=StringIO(), width=80), voice("en"))
    match = bullpen.new("eleven-nimmt", 2, seed=1)
    table = match.table
    table.lying[STACK:] = [(34, 38), (60,)]
    table.served, table.heaps = ((0, 34),), (1, 2)
    table.lying[BULLS] = (UNSEEN, UNSEEN)
    assert "this turn still counts from 34: 39–44 fit on it" in drawn(match, 0, screen)
    assert "61–70 fit on it" in drawn(match, 0, screen)
    table.phase = OVER
    assert "stack 38" in drawn(match, 0, screen)


def test_a_taken_stack_is_named_by_its_top_card_and_by_nothing_that_lay_under_it() -> None:
    screen = Screen(Console(file=StringIO(), width=80), voice("en"))
    match = bullpen.new("eleven-nimmt", 2, seed=1)
    match.table.lying[STACK:] = [(33, 34)]
    begin = len(match.events)
    match.move(0, "take 34")
    with screen.console.capture() as told:
        tell.events(screen, match, begin, 1)
    assert "takes the stack with 34 on top." in told.get()
    assert "33" not in told.get()


# -- Moves and commands -----------------------------------------------------------------------


def test_an_illegal_move_is_explained_by_its_rule_and_nothing_is_lost(tmp_path: Path) -> None:
    session = at_first_prompt(tmp_path, X_NIMMT)
    before = json.loads(saved_games(tmp_path)[0].read_text("utf-8"))
    said = " ".join(session.type("play 99").split())
    assert "the 99 is not in your hand (XN-3)" in said
    assert "Possible now: play" in said
    assert json.loads(saved_games(tmp_path)[0].read_text("utf-8")) == before
    assert "XN-3" in session.type("sing a song")
    assert session.type("") != ""  # an empty line asks again


def test_a_move_can_be_shortened_and_given_by_number_as_long_as_it_is_clear() -> None:
    legal = ["play 3", "play 18", "play 40", "row 2"]
    assert meant("PLAY  18", legal) == ["play 18"]
    assert meant("18", legal) == ["play 18"]
    assert meant("1", legal) == ["play 3"]
    assert meant("p 40", legal) == ["play 40"]
    assert meant("r", legal) == ["row 2"]
    assert meant("99", legal) == []
    assert meant("", legal) == []
    on_stacks = ["play 36 on 31", "play 36 on 28", "take 36"]
    assert meant("36 28", on_stacks) == ["play 36 on 28"]
    assert meant("t", on_stacks) == ["take 36"]
    assert meant("36", on_stacks) == on_stacks


def test_a_number_that_is_a_card_and_a_place_in_the_list_is_asked_about() -> None:
    assert meant("2", ["play 2", "play 7"]) == ["play 2", "play 7"]
    assert meant("1", ["play 1", "play 7"]) == ["play 1"]
    many = [f"play {card}" for card in range(20, 40)]
    assert meant("3", many) == []  # a long list has no numbers


def test_where_moves_have_no_numbers_a_number_is_answered_by_saying_so(tmp_path: Path) -> None:
    session = at_first_prompt(tmp_path, ["play", "hornochsen", "--players", "3", "--seed", "7"])
    assert "Too many moves for numbers" in session.said
    said = session.type("3")
    assert "too many moves now for numbers" in " ".join(said.split())
    assert "play N:" not in said  # the list is not repeated


def offers_shown(drawing: str, width: int, language: str = "en") -> list[str]:
    """Seat 0's offers at a table of 6 nimmt!, line by line."""
    screen = Screen(Console(file=StringIO(), width=width), voice(language))
    match = bullpen.new("six-nimmt", 2, seed=1)
    match.table = table(match.game, drawing)
    lines = offered(sight_of(match, 0, screen), match.legal(0))
    return [" ".join(line.plain.split()) for line in lines]


FOUR_ROWS = """
    row 1: 12 13 14 15 16
    row 2: 30
    row 3: 44 55
    row 4: 90
    hand 0: 3 17 31 60
    hand 1: 1 2 4 5
"""


def test_behind_a_move_stands_where_it_leads_and_what_it_takes() -> None:
    assert offers_shown(FOUR_ROWS, 80) == [
        "1 play 3 choose: row 1, 2, 3, 4 2 play 17 takes row 1: 6 heads",
        "3 play 31 → row 2 4 play 60 → row 3",
    ]
    assert offers_shown(FOUR_ROWS, 80, "pl") == [
        "1 zagraj 3 wybór: rząd 1, 2, 3, 4 2 zagraj 17 zabiera rząd 1: 6 głów",
        "3 zagraj 31 → rząd 2 4 zagraj 60 → rząd 3",
    ]


def test_on_a_narrow_screen_the_moves_stand_alone() -> None:
    assert offers_shown(FOUR_ROWS, 40) == ["1 play 3 2 play 17 3 play 31", "4 play 60"]


@pytest.mark.parametrize("game", ["baron-oxx", "bullenparty", "hornochsen", "six-nimmt", "x-nimmt"])
def test_what_a_move_means_says_nothing_of_what_one_does_not_see(game: str) -> None:
    """Another table that looks the same to this player has the same words behind the same moves."""
    match, rng = bullpen.new(game, 3, seed=4), Random(4)
    while not match.is_over and len(match.decisions) < 60:
        seat = match.waiting_for[0]
        view = match.view(seat)
        said = phrases(voice("en"), match.game, view)
        other = match.game.view(match.game.imagine(view, rng), seat)
        assert phrases(voice("en"), match.game, other) == said
        match.move(seat, rng.choice(match.legal(seat)))


def test_many_moves_are_grouped_by_kind() -> None:
    legal = ["play 3", "play 7", "x2 on 5", "x2 on 9", "pile 4 new", "pile 6 new", "stop"]
    assert groups(legal) == {
        "play N": ["3", "7"],
        "x2 on N": ["5", "9"],
        "pile N new": ["4", "6"],
        "stop": [],
    }


def test_a_question_mark_explains_what_is_asked_and_how_to_answer(tmp_path: Path) -> None:
    session = at_first_prompt(tmp_path, X_NIMMT)
    said = " ".join(session.type("?").split())
    for words in (
        "XN-3",
        "XN-7",
        "row 2",
        "undo",
        "rule 4",
        "bull heads",
        "Which card do you play?",
    ):
        assert words in said


def test_one_rule_and_all_rules_can_be_read_during_the_game(tmp_path: Path) -> None:
    session = at_first_prompt(tmp_path, X_NIMMT)
    assert "Ascending" in session.type("rule XN-4")
    assert "XN-7" in session.type("rule 7")
    assert "“XN-99”" in session.type("rule 99")
    session.child.sendline("rules")
    said = read_on(session, PROMPT)
    assert "XN-1" in said
    assert "Your hand" in said  # and the table again
    assert "Your hand" in session.type("table")
    session.type("rules", MORE)
    assert "Examples" not in session.type("q")
    assert "Which rule?" in session.type("rule")


def test_undo_takes_back_the_last_decision_with_all_that_followed(tmp_path: Path) -> None:
    session = at_first_prompt(tmp_path, X_NIMMT)
    assert "nothing to take back" in session.type("undo")
    hand = session.said.split("Which card")[-1].split("Number or move")[0]
    session.type("play 79")
    moves = json.loads(saved_games(tmp_path)[0].read_text("utf-8"))["moves"]
    assert {"seat": 0, "move": "play 79"} in moves
    said = session.type("undo")
    assert "Taken back: play 79." in said
    assert hand in said  # the same cards are offered again
    moves = json.loads(saved_games(tmp_path)[0].read_text("utf-8"))["moves"]
    assert {"seat": 0, "move": "play 79"} not in moves


def test_save_says_where_and_writes_no_file_over_another(tmp_path: Path) -> None:
    session = at_first_prompt(tmp_path, X_NIMMT)
    assert "x-nimmt-" in "".join(session.type("save").split())
    copy = tmp_path / "copy.json"
    session.type(f"save {copy}")
    assert json.loads(copy.read_text("utf-8"))["game"] == "x-nimmt"
    assert "already" in session.type(f"save {copy}")
    assert "cannot be saved" in session.type("save /proc/game.json")
    assert "no folder" in session.type(f"save {tmp_path / 'mistyped' / 'game.json'}")
    assert not (tmp_path / "mistyped").exists()


def test_a_game_that_cannot_be_saved_goes_on_after_one_warning(tmp_path: Path) -> None:
    session = at_first_prompt(tmp_path, [*X_NIMMT, "--save", "/proc/game.json"])
    assert " ".join(session.said.split()).count("cannot be saved") == 1
    assert "cannot be saved" not in session.type(session.offered())
    assert "would be lost" in session.type("quit")
    session.child.sendline("quit anyway")
    assert session.end() == 0


def test_a_game_that_could_not_be_saved_is_kept_where_save_puts_it(tmp_path: Path) -> None:
    session = at_first_prompt(tmp_path, [*X_NIMMT, "--save", "/proc/game.json"])
    session.type(f"save {tmp_path / 'mine.json'}")
    session.type("play 79")
    session.child.sendline("quit")
    assert session.end() == 0
    assert "play 79" in (tmp_path / "mine.json").read_text("utf-8")


# -- Leaving and coming back ------------------------------------------------------------------


def test_ctrl_c_loses_nothing_and_resume_goes_on_with_the_same_game(tmp_path: Path) -> None:
    session = at_first_prompt(tmp_path, [*X_NIMMT, "--name", "Anna", "--bots", "1"])
    session.type("play 79")
    table = session.said.split("Rows")[-1]
    session.child.sendintr()
    assert session.end() == 130
    assert "bullpen resume" in session.said
    assert "Traceback" not in session.said
    resumed = at_first_prompt(tmp_path, ["resume"])
    assert resumed.said.split("Rows")[-1] == table
    assert "You play 79" in resumed.said
    play_to_the_end(resumed)
    assert "The game is over" in resumed.said


def test_a_closed_terminal_leaves_the_game_saved(tmp_path: Path) -> None:
    session = at_first_prompt(tmp_path, X_NIMMT)
    session.type("play 79")
    session.child.close(force=True)  # the window is gone
    resumed = at_first_prompt(tmp_path, ["resume"])
    assert "You play 79" in resumed.said


def test_the_end_of_input_is_told_in_one_line_and_leaves_the_game_saved(tmp_path: Path) -> None:
    session = at_first_prompt(tmp_path, [*X_NIMMT, "--save", str(tmp_path / "mine.json")])
    session.child.sendeof()
    assert session.end() == 2
    assert "the game stops here; it is saved" in " ".join(session.said.split())
    resumed = at_first_prompt(tmp_path, ["resume", str(tmp_path / "mine.json"), "--lang", "pl"])
    assert "Twoja ręka" in resumed.said


def test_a_game_goes_on_in_the_language_in_which_it_was_played(tmp_path: Path) -> None:
    session = at_first_prompt(tmp_path, [*X_NIMMT, "--lang", "pl"])
    session.child.close(force=True)
    assert "Twoja ręka" in at_first_prompt(tmp_path, ["resume"]).said
    assert "Your hand" in at_first_prompt(tmp_path, ["resume", "--lang", "en"]).said


def test_a_record_alone_is_resumed_with_bots_on_the_other_seats(tmp_path: Path) -> None:
    words = [
        "play",
        "x-nimmt",
        "--players",
        "3",
        "--bots",
        "1",
        "--save",
        str(tmp_path / "two.json"),
    ]
    session = Session(tmp_path, *words)
    session.wait_for("press Enter: $")
    session.child.close(force=True)
    (tmp_path / "two.json.seats").unlink()
    resumed = at_first_prompt(tmp_path, ["resume", str(tmp_path / "two.json")])
    resumed.type(resumed.offered())
    assert "press Enter" not in resumed.said


# -- Several people ---------------------------------------------------------------------------


def two_people(home: Path, game: str) -> Session:
    people = ["--players", "3", "--bots", "1", "--name", "Anna", "--name", "Bob"]
    session = Session(home, "play", game, *people, "--seed", "7", extra={"NO_COLOR": "1"})
    session.wait_for("Anna, press Enter: $")
    return session


def hand_shown(session: Session) -> str:
    return session.said.split("Your hand\n")[1].split("\n\n")[0]


@pytest.mark.parametrize("game", ["x-nimmt", "hornochsen"])
def test_with_two_people_the_hand_of_the_other_is_never_on_the_screen(
    game: str, tmp_path: Path
) -> None:
    session = two_people(tmp_path, game)
    session.type("")
    hand_of_anna = hand_shown(session)
    assert hand_of_anna in session.shown
    session.child.sendline(session.offered())
    while session.wait_for("Bob, press Enter: $", PROMPT) == 1:  # a turn can have several moves
        session.child.sendline(session.offered())
    assert "Pass the keyboard to Bob" in session.shown
    assert hand_of_anna not in session.shown
    assert "Your hand" not in session.shown
    session.type("")
    assert hand_shown(session) != hand_of_anna
    assert hand_of_anna not in session.shown
    assert "\x1b[3J" in session.raw  # nor by scrolling back


def test_undo_by_one_person_hands_the_keyboard_to_whom_it_concerns(tmp_path: Path) -> None:
    session = two_people(tmp_path, "x-nimmt")
    session.type("")
    session.type("play 79", until="Bob, press Enter: $")
    session.type("")
    session.type("undo", until="Anna, press Enter: $")
    said = session.type("")
    assert "Bob took a move back: it is your decision again." in said
    assert "79" in said  # it is in her hand again
    session.type("play 79", until="Bob, press Enter: $")
    assert "took a move back" not in session.type("")


# -- The menu ---------------------------------------------------------------------------------


def test_the_menu_leads_a_newcomer_into_a_game_and_back(tmp_path: Path) -> None:
    session = Session(tmp_path)
    session.wait_for("letter\\): $")
    for title in ("Hornochsen!", "11 nimmt!", "X nimmt!", "Baron Oxx", "Bullenparty", "6 nimmt!"):
        assert title in session.said
    assert "need not know the rules" in " ".join(session.type("?", "letter\\): $").split())
    session.type("9", "letter\\): $")
    assert "a number from 1 to 6" in " ".join(session.said.split())
    session.type("3", r"\[4\] $")
    session.type("7", r"\[4\] $")
    assert "from 2 to 4" in session.said
    assert "people and bots together" in session.type("?", r"\[4\] $")
    session.type("2", r"\[1\] $")
    session.type("", r"\[medium\] $")
    session.type("easy", r"\[Player\] $")
    session.type("Anna", r"usual\] $")
    assert "name=value" in session.type("?", r"usual\] $")
    assert "rounds" in session.said
    assert "can be" in " ".join(session.type("rounds=no", r"usual\] $").split())
    session.type("rounds=1")
    assert "Anna (you)" in session.said
    session.type("quit", "letter\\): $")
    assert "continue the game you left" in session.said
    session.type("c")
    assert "Anna (you)" in session.said
    session.type("quit", "letter\\): $")
    session.child.sendline("q")
    assert session.end() == 0


def test_the_menu_speaks_every_language_and_reads_out_the_rules(tmp_path: Path) -> None:
    session = Session(tmp_path)
    session.wait_for("letter\\): $")
    session.type("l", "Buchstabe\\): $")
    session.type("s", "litera\\): $")
    session.type("z", "do 6\\) $")
    assert "Wpisz numer gry" in session.type("?", "do 6\\) $")
    session.child.sendline("3")
    assert "XN-7" in read_on(session, "do menu. $")
    session.type("", "litera\\): $")
    session.type("1", r"\[4\] $")
    session.type("wróć", "litera\\): $")
    session.child.sendintr()
    assert session.end() == 130
    assert "Traceback" not in session.said


def test_what_is_no_answer_to_play_again_is_explained(tmp_path: Path) -> None:
    session = at_first_prompt(tmp_path, X_NIMMT)
    play_to_the_end(session)
    assert "review" in session.said
    assert "to play again" in " ".join(session.type("?", REMATCH).split())
    session.child.sendline("n")
    assert session.end() == 0


def test_the_prompt_names_the_hint(tmp_path: Path) -> None:
    session = at_first_prompt(tmp_path, X_NIMMT)
    assert "Also: ? help, hint, undo, quit." in " ".join(session.said.split())


def test_moves_can_be_typed_in_the_words_of_ones_language(tmp_path: Path) -> None:
    session = at_first_prompt(tmp_path, [*X_NIMMT, "--lang", "pl"])
    word, number = session.offered().split()
    assert word == "zagraj"
    refused = session.type("zagraj 999")
    assert "„zagraj 999”" in refused
    assert "play" not in refused
    session.child.sendline(f"{word} {number}")
    session.wait_for(PROMPT)
    (record,) = saved_games(tmp_path)
    assert {"seat": 0, "move": f"play {number}"} in json.loads(record.read_text("utf-8"))["moves"]


# -- Going through a game again ---------------------------------------------------------------


def test_a_record_is_gone_through_step_by_step(tmp_path: Path) -> None:
    played = at_first_prompt(tmp_path, X_NIMMT)
    play_to_the_end(played)
    (record,) = saved_games(tmp_path)
    session = Session(tmp_path, "replay", str(record))
    session.wait_for("quit: $")
    assert "Decision 0 of" in session.said
    step_1 = session.type("", "quit: $")
    assert "Decision 1 of" in step_1
    assert "Player: play 2" in step_1
    session.type("n", "quit: $")
    assert session.type("p", "quit: $").split("Decision")[1] == step_1.split("Decision")[1]
    assert "Decision 5 of" in session.type("5", "quit: $")
    assert "only the steps" in session.type("999", "quit: $")
    assert "Enter or n goes on" in session.type("what", "quit: $")
    session.type("2", "quit: $")
    said = session.type("e", "quit: $")
    assert "The game is over" in said
    assert "Enter next" not in said.split("The game is over")[1]
    assert "nothing lies beyond" in session.type("", "quit: $")
    session.child.sendline("q")
    assert session.end() == 0


def test_the_rules_page_fits_a_narrow_terminal(tmp_path: Path) -> None:
    session = Session(tmp_path, "rules", "bullenparty", "--lang", "pl", size=(24, 40))
    said = read_on(session, pexpect.EOF)
    assert "BP-21" in said
    assert max(len(line) for line in said.splitlines()) <= 40
