"""Deck files: what the printed cards show, and files of one's own, checked line by line."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bullpen
from bullpen.cards import Problem
from bullpen.deck import BadDeck, Deck, DeckFile, deck_from_json, load_deck
from bullpen.game import Game
from bullpen.games import GAMES

FOR_EVERY_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
FILES = {
    f"{game.ID}-{form.path.stem}": (game, form)
    for game in GAMES.values()
    for form in game.DECK_FILES
}
FOR_EVERY_FILE = pytest.mark.parametrize(("game", "form"), FILES.values(), ids=FILES)


def text_of(form: DeckFile) -> str:
    return form.path.read_text("utf-8")


def loaded(game: Game[Any], path: Path, text: str) -> Deck:
    path.write_text(text, "utf-8")
    return load_deck(game.DECK_FILES, [path])


def refusal(game: Game[Any], path: Path, text: str) -> BadDeck:
    with pytest.raises(BadDeck) as refused:
        loaded(game, path, text)
    assert refused.value.facts["file"] in (path, str(path))
    return refused.value


# -- Our decks ----------------------------------------------------------------------------------------


def test_every_deck_file_belongs_to_a_game() -> None:
    folders = Path(bullpen.__file__).parent / "games"
    assert set(folders.glob("*/*.csv")) == {form.path for _, form in FILES.values()}


def test_hornochsen_has_81_green_and_87_red_heads() -> None:
    """HO-1."""
    heads = load_deck(GAMES["hornochsen"].DECK_FILES).heads[1:]
    assert len(heads) == 98
    assert sum(h for h in heads if h > 0) == 81
    assert sum(h for h in heads if h < 0) == -87


@pytest.mark.parametrize("name", ["six-nimmt", "x-nimmt"])
def test_heads_follow_the_well_known_pattern(name: str) -> None:
    """5 for a 5 at the end, 10 for a 0, 11 for two equal digits: 2, 3 and 5 heads; 55 has seven."""
    heads = load_deck(GAMES[name].DECK_FILES).heads
    for card, shown in enumerate(heads[1:], start=1):
        pattern = 5 * (card % 11 == 0) + 3 * (card % 10 == 0) + 2 * (card % 10 == 5)
        assert shown == (pattern or 1)
    assert len(heads) == 1 + {"six-nimmt": 104, "x-nimmt": 100}[name]


def test_six_nimmt_has_171_heads() -> None:
    heads = load_deck(GAMES["six-nimmt"].DECK_FILES).heads
    assert sum(heads) == 171
    assert Counter(heads[1:]) == {1: 76, 2: 9, 3: 10, 5: 8, 7: 1}


def test_both_barons_show_one_bull_of_each_colour() -> None:
    """BO-2."""
    colours = load_deck(GAMES["baron-oxx"].DECK_FILES).colours
    assert len(colours) == 1 + 110
    assert [card for card, bulls in enumerate(colours) if set(bulls) == {1}] == [52, 104]
    assert all(sum(bulls) for bulls in colours[1:])


def test_the_bull_cards_lie_with_the_fewest_heads_on_top() -> None:
    """BP-2, BP-6."""
    deck = load_deck(GAMES["bullenparty"].DECK_FILES)
    assert len(deck.bulls) == 10
    assert list(deck.bulls) == sorted(deck.bulls)
    assert set(deck.bulls) == {4, 5, 6, 7}
    assert len(deck.heads) == 1 + 100
    assert set(deck.heads[1:]) <= set(range(1, 8))


@FOR_EVERY_GAME
def test_a_deck_says_how_sure_it_is(game: Game[Any], tmp_path: Path) -> None:
    sure = {"hornochsen": "established", "x-nimmt": "established", "six-nimmt": "established"}
    assert load_deck(game.DECK_FILES).basis == sure.get(game.ID, "reconstruction")
    form = game.DECK_FILES[0]
    assert loaded(game, tmp_path / "own.csv", text_of(form)).basis == "own"


@FOR_EVERY_GAME
def test_a_deck_is_the_same_after_a_way_through_json(game: Game[Any]) -> None:
    deck = load_deck(game.DECK_FILES)
    assert deck_from_json(game.DECK_FILES, deck.as_json(), deck.basis) == deck


# -- Decks of one's own -------------------------------------------------------------------------------


@FOR_EVERY_FILE
@pytest.mark.parametrize(
    "layout",
    [
        lambda text: text,
        lambda text: text.rstrip(),
        lambda text: "\ufeff" + text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace(",", " , "),
        lambda text: text.replace("\n", "\n\n"),
        lambda text: "\n".join([text.split()[0], *reversed(text.split()[1:])]),
    ],
    ids=["ours", "no last line end", "mark", "windows", "spaces", "blank lines", "backwards"],
)
def test_our_own_file_in_another_layout_is_the_same_deck(
    game: Game[Any], form: DeckFile, layout: Any, tmp_path: Path
) -> None:
    deck = loaded(game, tmp_path / "own.csv", layout(text_of(form)))
    assert deck.as_json() == load_deck(game.DECK_FILES).as_json()


def test_each_of_the_two_files_of_bullenparty_may_be_replaced(tmp_path: Path) -> None:
    game = GAMES["bullenparty"]
    numbers, bulls = tmp_path / "n.csv", tmp_path / "b.csv"
    numbers.write_text("number,heads\n" + "".join(f"{card},3\n" for card in range(1, 101)))
    bulls.write_text(
        "order,heads\n" + "".join(f"{card},{8 - (card + 3) // 4}\n" for card in range(1, 11))
    )
    ours = load_deck(game.DECK_FILES)
    one, other = load_deck(game.DECK_FILES, [numbers]), load_deck(game.DECK_FILES, [bulls])
    assert (set(one.heads[1:]), one.bulls) == ({3}, ours.bulls)
    assert (other.heads, other.bulls) == (ours.heads, (5, 5, 6, 6, 6, 6, 7, 7, 7, 7))
    both = load_deck(game.DECK_FILES, [bulls, str(numbers)])
    assert (both.heads, both.bulls) == (one.heads, other.bulls)


# -- Refusals -------------------------------------------------------------------------------------------


@FOR_EVERY_FILE
@pytest.mark.parametrize("line", [2, 7, 11])
@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda row: row + ",1", "deck_columns"),
        (lambda row: row.rpartition(",")[0], "deck_columns"),
        (lambda row: "x" + row, "deck_row"),
        (lambda row: row + "x", "deck_row"),
        (lambda row: row.rpartition(",")[0] + ",", "deck_row"),
        (lambda row: row.rpartition(",")[0] + ",99", "deck_row"),
        (lambda row: row.rpartition(",")[0] + ",-1", "deck_row"),
        (lambda row: "0," + row.partition(",")[2], "deck_number"),
        (lambda row: "999," + row.partition(",")[2], "deck_number"),
    ],
    ids=[
        "a column more",
        "a column less",
        "no number",
        "no heads",
        "empty",
        "99",
        "-1",
        "0",
        "999",
    ],
)
def test_a_wrong_line_is_named_with_its_rule(
    game: Game[Any], form: DeckFile, line: int, change: Any, why: str, tmp_path: Path
) -> None:
    lines = text_of(form).splitlines()
    lines[line - 1] = change(lines[line - 1])
    error = refusal(game, tmp_path / "own.csv", "\n".join(lines))
    assert error.key == why
    assert error.facts["line"] == line
    assert error.facts["rule"] == form.rule


@FOR_EVERY_FILE
def test_blank_lines_count(game: Game[Any], form: DeckFile, tmp_path: Path) -> None:
    lines = text_of(form).splitlines()
    text = "\n".join([lines[0], "", "  ", lines[1], "oops", *lines[3:]])
    assert refusal(game, tmp_path / "own.csv", text).facts["line"] == 5


@FOR_EVERY_FILE
def test_a_card_twice_or_missing_is_named(game: Game[Any], form: DeckFile, tmp_path: Path) -> None:
    lines = text_of(form).splitlines()
    error = refusal(game, tmp_path / "own.csv", "\n".join([*lines, lines[3]]))
    assert error.key == "deck_twice"
    assert (error.facts["number"], error.facts["first"]) == (3, 4)
    assert error.facts["line"] == len(lines) + 1
    error = refusal(game, tmp_path / "own.csv", "\n".join([*lines[:5], *lines[6:]]))
    assert error.key == "deck_missing"
    assert (error.facts["number"], error.facts["cards"]) == (5, form.cards)


@FOR_EVERY_GAME
@pytest.mark.parametrize("text", ["", "\n", "a,b", "1,1", "heads,number", "number;heads"])
def test_a_file_of_another_form_is_refused_with_the_forms_there_are(
    game: Game[Any], text: str, tmp_path: Path
) -> None:
    error = refusal(game, tmp_path / "own.csv", text)
    assert error.key == "deck_header"
    for form in game.DECK_FILES:
        assert ",".join(form.columns) in error.facts["expected"]


def test_a_baron_must_show_one_bull_of_each_colour(tmp_path: Path) -> None:
    """BO-2; and no other card may show none at all."""
    game, form = FILES["baron-oxx-deck"]
    for card, face in (
        (52, "1,1,1,1,1,2"),
        (104, "6,0,0,0,0,0"),
        (5, "0,0,0,0,0,0"),
        (7, "2,-1,0,0,0,0"),
    ):
        lines = text_of(form).splitlines()
        lines[card] = f"{card},{face}"
        error = refusal(game, tmp_path / "own.csv", "\n".join(lines))
        assert (error.key, error.facts["line"]) == ("deck_row", card + 1)


def test_a_green_card_of_hornochsen_shows_at_most_two_heads(tmp_path: Path) -> None:
    """HO-1; a red one two, three, five or seven."""
    game, form = FILES["hornochsen-deck"]
    for face in ("green,3", "green,0", "green,-2", "red,1", "red,4", "blue,1", "Red,2", "red,"):
        lines = text_of(form).splitlines()
        lines[1] = f"1,{face}"
        assert refusal(game, tmp_path / "own.csv", "\n".join(lines)).facts["line"] == 2


@FOR_EVERY_GAME
def test_files_that_cannot_be_read_are_refused(game: Game[Any], tmp_path: Path) -> None:
    latin = tmp_path / "latin.csv"
    latin.write_bytes(b"number,heads\n1,\xff")
    for path, why in {
        tmp_path / "nowhere.csv": "deck_unreadable",
        tmp_path: "deck_unreadable",
        latin: "deck_not_text",
    }.items():
        with pytest.raises(BadDeck) as refused:
            bullpen.new(game.ID, 2, deck=[path])
        assert refused.value.key == why
        assert refused.value.facts["file"] == path


@FOR_EVERY_FILE
@settings(max_examples=60)
@given(data=st.data())
def test_a_file_with_a_few_wrong_characters_is_refused_or_a_whole_deck(
    game: Game[Any], form: DeckFile, data: Any, tmp_path_factory: pytest.TempPathFactory
) -> None:
    text = text_of(form)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        new = data.draw(st.text("0123456789,-_. \n\x0b\u2028٣²x\x00\ufeff", max_size=3))
        text = text[:at] + new + text[at + data.draw(st.integers(0, 3)) :]
    try:
        deck = loaded(game, tmp_path_factory.mktemp("decks") / "own.csv", text)
    except Problem:
        return
    assert deck_from_json(game.DECK_FILES, deck.as_json(), "own") == deck


@FOR_EVERY_GAME
@settings(max_examples=30)
@given(
    shown=st.recursive(
        st.sampled_from([None, True, False, -2, -1, 0, 1, 2, 8, 9, "", "1", "x"]),
        lambda inner: (
            st.lists(inner, max_size=7)
            | st.dictionaries(st.sampled_from(["heads", "bulls", "colours"]), inner)
        ),
        max_leaves=10,
    )
)
def test_whatever_a_record_says_of_a_deck_is_checked(game: Game[Any], shown: Any) -> None:
    with pytest.raises(BadDeck):
        deck_from_json(game.DECK_FILES, shown)
    deck = load_deck(game.DECK_FILES).as_json()
    part = next(iter(deck))
    if type(shown) is not int:
        with pytest.raises(BadDeck) as refused:
            deck_from_json(game.DECK_FILES, {**deck, part: [*deck[part][:-1], shown]})
        assert refused.value.facts["card"] == len(deck[part])
