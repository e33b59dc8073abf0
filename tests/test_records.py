"""Records: what is written replays for ever; what was changed, cut or broken is refused by its line."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bullpen
from bullpen.cards import Problem
from bullpen.game import Game
from bullpen.games import GAMES
from bullpen.match import Match
from bullpen.record import BadRecord, as_record, digest, record_text, replay
from bullpen.trace import choose
from tests.walks import PREFER, SEEDS, every_setup, facts, set_up, setups

FOR_EVERY_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
CORPUS = Path(__file__).parent / "records"

Record = dict[str, Any]


def played(match: Match, seed: int, decisions: int = 10**6, prefer: str = "") -> Match:
    rng, game = Random(seed), match.game
    while not match.is_over and decisions:
        seat = rng.choice(match.waiting_for)
        match.act(seat, choose(game, game.legal(match.table, seat), prefer, rng))
        decisions -= 1
    return match


@cache
def finished(name: str) -> str:
    """The record of a short game; Bullenparty's has all three kinds of shuffles."""
    game = GAMES[name]
    rounds = {o.name: 1 for o in game.OPTIONS if o.name == "rounds"}
    setup = set_up(game, 2, **rounds)
    match = bullpen.new(name, 2, seed=1, options=setup.options)
    return record_text(as_record(played(match, 1, prefer="bid 0")))


def changed(name: str, **values: Any) -> Record:
    """The data of a record with some values replaced, and a hash that fits."""
    return sealed({**json.loads(finished(name)), **values})


def sealed(record: Record) -> Record:
    return {**record, "sha256": digest(record)}


def line_where(text: str, beginning: str) -> int:
    """The line that begins so, ours counted by hand."""
    (found,) = [n for n, line in enumerate(text.split("\n"), 1) if line.startswith(beginning)]
    return found


def key_line(text: str, key: str, item: int | None = None) -> int:
    """In the form in which records are written: a line a key, a line an item of a list."""
    return line_where(text, f'"{key}": ') + (0 if item is None else item + 1)


def refusal(text: str, moves: int | None = None) -> BadRecord:
    with pytest.raises(BadRecord) as refused:
        replay(text, moves)
    assert refused.value.line == refused.value.facts["line"]
    return refused.value


# -- What is written replays --------------------------------------------------------------------------


@FOR_EVERY_GAME
def test_a_finished_match_is_read_back_as_it_was(game: Game[Any]) -> None:
    """For every number of players and every option."""
    for seats in game.SEATS:
        for seed, setup in enumerate(every_setup(game, seats)):
            match = bullpen.new(game.ID, seats, seed=seed, options=setup.options)
            text = record_text(as_record(played(match, seed)))
            read = replay(text)
            assert facts(read.table) == facts(match.table)
            assert read.events == match.events
            assert read.decisions == match.decisions
            assert read.shuffles == match.shuffles
            assert (read.scores, read.winners) == (match.scores, match.winners)
            assert record_text(as_record(read)) == text


@FOR_EVERY_GAME
@settings(max_examples=8)
@given(data=st.data())
def test_a_record_replays_to_the_table_of_every_moment(game: Game[Any], data: Any) -> None:
    """Secret choices in the order of seats, as a record lists them."""
    setup, seed = data.draw(setups(game)), data.draw(SEEDS)
    match, rng = bullpen.new(game.ID, setup.seats, seed=seed, options=setup.options), Random(seed)
    tables, events = [match.table], [len(match.events)]
    while not match.is_over and len(tables) < 150:
        seat = match.waiting_for[0]
        match.move(seat, rng.choice(match.legal(seat)))
        tables.append(match.table)
        events.append(len(match.events))
    text = record_text(as_record(match))
    for moves in {0, 1, len(tables) - 1, *data.draw(st.lists(st.integers(0, len(tables) - 1)))}:
        then = replay(text, moves)
        assert facts(then.table) == facts(tables[moves])
        assert then.events == match.events[: events[moves]]
        assert len(then.decisions) == moves


@FOR_EVERY_GAME
@settings(max_examples=8)
@given(data=st.data())
def test_an_unfinished_match_is_read_back_and_can_be_played_to_its_end(
    game: Game[Any], data: Any
) -> None:
    setup, seed = data.draw(setups(game)), data.draw(SEEDS)
    match = bullpen.new(game.ID, setup.seats, seed=seed, options=setup.options)
    played(match, seed, decisions=data.draw(st.integers(0, 60)))
    record = as_record(match)
    assert (record["winners"] is None) == (not match.is_over)
    read = replay(record_text(record))
    assert facts(read.table) == facts(match.table)
    assert read.waiting_for == match.waiting_for
    played(read, seed)
    assert replay(record_text(as_record(read))).scores == read.scores


@FOR_EVERY_GAME
def test_a_replayed_match_deals_the_records_cards_again_after_undo(game: Game[Any]) -> None:
    """Whoever steps through a record, back and forth, sees one and the same game."""
    match = bullpen.new(game.ID, 2, seed=1)
    text = record_text(as_record(played(match, 1, prefer=PREFER[game.ID][0])))
    read = replay(text, len(match.decisions))
    for _ in range(len(match.decisions)):
        read.undo()
    for made in match.decisions:
        read.act(made.seat, made.action)
    assert read.shuffles == match.shuffles
    assert facts(read.table) == facts(match.table)


def test_names_of_all_languages_are_kept() -> None:
    names = ["Łucja", 'say "moves"', "王", "🐂 \\"]
    match = played(bullpen.new("x-nimmt", 4, seed=1, names=names), 1, decisions=20)
    text = record_text(as_record(match))
    assert "Łucja" in text
    assert replay(text).names == names


def test_a_deck_of_ones_own_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("number,heads\n" + "".join(f"{card},7\n" for card in range(1, 101)))
    match = played(bullpen.new("x-nimmt", 2, seed=1, deck=[path]), 1)
    path.unlink()
    read = replay(record_text(as_record(match)))
    assert read.deck == match.deck
    assert read.deck.basis == "own"
    assert read.scores == match.scores


@FOR_EVERY_GAME
def test_a_record_has_one_line_for_each_shuffle_and_each_move(game: Game[Any]) -> None:
    text = finished(game.ID)
    record, lines = json.loads(text), text.splitlines()
    for key in ("shuffles", "moves"):
        first = key_line(text, key, 0) - 1
        for at, item in enumerate(record[key]):
            assert json.loads(lines[first + at].rstrip(",")) == item
    assert len(lines) == 2 + len(record) + sum(len(record[k]) + 1 for k in ("shuffles", "moves"))


# -- The corpus -----------------------------------------------------------------------------------------
# Records that were made once and must replay for ever.  Add one with `bullpen.save`; never change one.

OLD_RECORDS = sorted(CORPUS.glob("*.json"))


@pytest.mark.parametrize("path", OLD_RECORDS, ids=[path.stem for path in OLD_RECORDS])
def test_an_old_record_replays_to_the_scores_inside(path: Path) -> None:
    match = bullpen.load(path)
    record = json.loads(path.read_text("utf-8"))
    assert match.scores == record["scores"]
    assert match.winners == (record["winners"] or [])
    assert match.is_over == ("unfinished" not in path.stem)
    assert record_text(as_record(match)) == path.read_text("utf-8")


def test_there_is_an_old_record_of_every_game() -> None:
    assert {json.loads(path.read_text("utf-8"))["game"] for path in OLD_RECORDS} == set(GAMES)


# -- Reformatted ------------------------------------------------------------------------------------------

LAYOUTS: dict[str, Callable[[Record], str]] = {
    "as written": record_text,
    "one line": lambda record: json.dumps(record),
    "compact": lambda record: json.dumps(record, separators=(",", ":")),
    "indented": lambda record: json.dumps(record, indent=4, ensure_ascii=False),
    "sorted": lambda record: json.dumps(record, indent=1, sort_keys=True),
    "windows": lambda record: record_text(record).replace("\n", "\r\n"),
    "blank lines": lambda record: "\n\n" + record_text(record).replace("\n", "\n\n") + "\n",
}
IN_EVERY_LAYOUT = pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)


@FOR_EVERY_GAME
@IN_EVERY_LAYOUT
def test_a_reformatted_record_still_holds(game: Game[Any], layout: Callable[[Record], str]) -> None:
    record = json.loads(finished(game.ID))
    assert as_record(replay(layout(record))) == record


@FOR_EVERY_GAME
@IN_EVERY_LAYOUT
@pytest.mark.parametrize("at", [0, 1, 7, -1])
def test_a_bad_move_is_named_by_its_line_in_any_layout(
    game: Game[Any], layout: Callable[[Record], str], at: int
) -> None:
    record = json.loads(finished(game.ID))
    record["moves"][at] = {"seat": record["moves"][at]["seat"], "move": "dance"}
    text = layout(sealed(record))
    before = text[: text.index("dance")]
    error = refusal(text)
    assert error.key == "record_illegal"
    assert error.facts["move"] == "dance"
    assert error.line == before[: before.rindex("{")].count("\n") + 1


@IN_EVERY_LAYOUT
@pytest.mark.parametrize("names", [["Ann", "Bo"], ["moves", "shuffles"], ["deck", "scores"]])
def test_names_that_are_keys_do_not_confuse_the_lines(
    layout: Callable[[Record], str], names: list[str]
) -> None:
    for key, value in {"shuffles": [["here"]], "scores": ["here"], "deck": "here"}.items():
        text = layout(changed("x-nimmt", players=names, **{key: value}))
        marked = text.index('"here"')
        first = (
            text.rindex("[", 0, marked) if key == "shuffles" else text.rindex(f'"{key}"', 0, marked)
        )
        assert refusal(text).line == text.count("\n", 0, first) + 1


# -- What was changed ---------------------------------------------------------------------------------


def swap(cards: list[Any], one: int, two: int) -> list[Any]:
    cards = list(cards)
    cards[one], cards[two] = cards[two], cards[one]
    return cards


def without_last(record: Record, key: str) -> list[Any]:
    items: list[Any] = record[key][:-1]
    return items


# By what was changed: how, and the refusal's key, and the key of the record (and the item of its list)
# on whose line it is found.
Tampering = Callable[[Record], Record]
TAMPERED: dict[str, tuple[Tampering, str, str, int | None]] = {
    "a move changed": (
        lambda r: {"moves": [{**r["moves"][0], "move": "stop"}, *r["moves"][1:]]},
        "record_illegal",
        "moves",
        0,
    ),
    "a move of another seat": (
        lambda r: {"moves": [*r["moves"][:-1], {**r["moves"][-1], "seat": 7}]},
        "no_such_seat",
        "moves",
        -1,
    ),
    "a move doubled": (
        lambda r: {"moves": [*r["moves"], r["moves"][-1]]},
        "record_illegal",
        "moves",
        -1,
    ),
    "a move without a seat": (
        lambda r: {"moves": [{"move": "stop"}, *r["moves"]]},
        "record_move",
        "moves",
        0,
    ),
    "a move with more": (
        lambda r: {"moves": [{**r["moves"][0], "by": "Ann"}, *r["moves"][1:]]},
        "record_move",
        "moves",
        0,
    ),
    "a move that is a number": (
        lambda r: {"moves": [r["moves"][0], {"seat": 1, "move": 3}]},
        "record_move",
        "moves",
        1,
    ),
    "the last move gone": (
        lambda r: {"moves": without_last(r, "moves")},
        "record_differs",
        "scores",
        None,
    ),
    "a shuffle doubled": (
        lambda r: {"shuffles": [*r["shuffles"], r["shuffles"][-1]]},
        "record_shuffle_unused",
        "shuffles",
        -1,
    ),
    "the last shuffle gone": (
        lambda r: {"shuffles": without_last(r, "shuffles")},
        "record_shuffle_missing",
        "shuffles",
        None,
    ),
    "a card doubled": (
        lambda r: {"shuffles": [[*r["shuffles"][0][:-1], r["shuffles"][0][0]], *r["shuffles"][1:]]},
        "record_shuffle",
        "shuffles",
        0,
    ),
    "a card gone": (
        lambda r: {"shuffles": [*r["shuffles"][:-1], r["shuffles"][-1][1:]]},
        "record_shuffle",
        "shuffles",
        -1,
    ),
    "a shuffle that is no list": (
        lambda r: {"shuffles": [*r["shuffles"][:-1], 5]},
        "record_shuffle",
        "shuffles",
        -1,
    ),
    "other scores": (
        lambda r: {"scores": [r["scores"][0] + 1, r["scores"][1]]},
        "record_differs",
        "scores",
        None,
    ),
    "other winners": (
        lambda r: {"winners": [0, 1] if len(r["winners"]) == 1 else [0]},
        "record_differs",
        "winners",
        None,
    ),
    "no winners": (lambda r: {"winners": None}, "record_differs", "winners", None),
    "an option changed": (
        lambda r: {"options": {**r["options"], "memory_aid": "on"}},
        "bad_option",
        "options",
        None,
    ),
    "an option more": (
        lambda r: {"options": {**r["options"], "bets": True}},
        "unknown_option",
        "options",
        None,
    ),
    "an option gone": (
        lambda r: {"options": {k: v for k, v in r["options"].items() if k != "memory_aid"}},
        "record_differs",
        "options",
        None,
    ),
    "a player more": (lambda r: {"players": list("abcdefghijk")}, "bad_seats", "players", None),
    "no player": (lambda r: {"players": []}, "bad_seats", "players", None),
    "a player without a name": (lambda r: {"players": ["", "b"]}, "bad_names", "players", None),
    "another game": (lambda r: {"game": "chess"}, "unknown_game", "game", None),
    "another basis": (lambda r: {"basis": "hearsay"}, "record_type", "basis", None),
    "another format": (lambda r: {"format": "pgn"}, "record_format", "format", None),
    "another version": (lambda r: {"version": 2}, "record_version", "version", None),
    "a version that is no number": (
        lambda r: {"version": True},
        "record_version",
        "version",
        None,
    ),
    "scores with fractions": (
        lambda r: {"scores": [float(score) for score in r["scores"]]},
        "record_differs",
        "scores",
        None,
    ),
    "a name not tidied": (
        lambda r: {"players": [" Ann", "Bo"]},
        "record_differs",
        "players",
        None,
    ),
    "a name that is no text": (lambda r: {"players": [1, "Bo"]}, "bad_names", "players", None),
    "a key more": (lambda r: {"comment": "nice"}, "record_unknown", "comment", None),
}


@FOR_EVERY_GAME
@pytest.mark.parametrize("what", TAMPERED)
def test_what_was_changed_is_refused_by_its_line_even_with_a_hash_that_fits(
    game: Game[Any], what: str
) -> None:
    change, why, key, item = TAMPERED[what]
    record = json.loads(finished(game.ID))
    if what == "a move changed" and game.ID == "hornochsen":
        change = lambda r: {"moves": [{"seat": 0, "move": "play 99"}]}  # noqa: E731
    changes = change(record)
    record |= changes
    text = record_text(sealed(record))
    error = refusal(text)
    assert error.key == why
    if item is not None:
        item %= len(record[key])
    expected = 1 if key == "format" else key_line(text, key, item)
    assert error.line == expected


WRONG_FACES: list[Any] = [0, 8, -1, 1.0, "1", None, [], [1], {}, True, [0, 0, 0, 0, 0, 0]]


@FOR_EVERY_GAME
def test_a_card_with_another_face_is_refused_by_the_line_of_the_deck(game: Game[Any]) -> None:
    deck = json.loads(finished(game.ID))["deck"]
    for part, faces in deck.items():
        for wrong in WRONG_FACES:
            text = record_text(changed(game.ID, deck={**deck, part: [wrong, *faces[1:]]}))
            error = refusal(text)
            assert error.key == "deck_face"
            assert error.line == key_line(text, "deck")
            assert error.facts["card"] == 1
        for key, value in {"deck_size": {**deck, part: faces[1:]}, "deck_parts": {"x": []}}.items():
            text = record_text(changed(game.ID, deck=value))
            assert (refusal(text).key, refusal(text).line) == (key, key_line(text, "deck"))


@FOR_EVERY_GAME
def test_a_deck_of_ones_own_does_not_pass_for_the_printed_one(game: Game[Any]) -> None:
    record = json.loads(finished(game.ID))
    part = next(iter(record["deck"]))
    faces = record["deck"][part]
    at = next(at for at, face in enumerate(faces) if face != faces[at + 1])
    deck = {**record["deck"], part: swap(faces, at, at + 1)}
    for basis in ("established", "reconstruction"):
        text = record_text(changed(game.ID, basis=basis, deck=deck))
        error = refusal(text)
        assert (error.key, error.line) == ("record_basis", key_line(text, "basis"))
        text = record_text(changed(game.ID, basis=basis, deck=record["deck"]))
        assert basis == record["basis"] or refusal(text).key == "record_basis"


@FOR_EVERY_GAME
def test_whatever_is_changed_without_the_hash_is_refused(game: Game[Any]) -> None:
    """Even where the game would go on just as well."""
    record = json.loads(finished(game.ID))
    first = record["shuffles"][0]
    changes: list[Record] = [
        {"players": ["Ann", "Bo"]},
        {"basis": "own"},
        {"sha256": "0" * 64},
        {"sha256": ""},
        {"sha256": record["sha256"].upper()},
        {"sha256": None},
        {"options": {**record["options"], "memory_aid": not record["options"]["memory_aid"]}},
    ]
    if game.ID != "bullenparty":  # cards that stayed in the box, or at the bottom of the draw pile
        changes.append({"shuffles": [swap(first, -1, -2), *record["shuffles"][1:]]})
    for change in changes:
        text = record_text({**record, **change})
        error = refusal(text)
        assert (error.key, error.line) == ("record_changed", key_line(text, "sha256"))


def test_secret_choices_in_another_order_of_seats_are_refused() -> None:
    """A record lists them by seat, so that one game has one record."""
    record = json.loads(finished("x-nimmt"))
    text = record_text(sealed({**record, "moves": swap(record["moves"], 0, 1)}))
    error = refusal(text)
    assert (error.key, error.line) == ("record_differs", key_line(text, "moves"))


# -- What is missing, cut or broken -------------------------------------------------------------------


@FOR_EVERY_GAME
@IN_EVERY_LAYOUT
def test_a_missing_key_is_named(game: Game[Any], layout: Callable[[Record], str]) -> None:
    record = json.loads(finished(game.ID))
    for key in record:
        text = layout({k: v for k, v in record.items() if k != key})
        error = refusal(text)
        why = {"format": "record_format", "version": "record_version"}
        assert error.key == why.get(key, "record_incomplete")
        assert 1 <= error.line <= len(text.splitlines())
        if error.key == "record_incomplete":
            assert error.facts["missing"] == key


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ("\n\n", 3),
        ("hello", 1),
        ("{", 1),
        ("[]", 1),
        ("{}", 1),
        ("null", 1),
        ("3", 1),
        ('"bullpen-record"', 1),
        ('{"format": "bullpen-record"}', 1),
        ("{\n\n'format': 1}", 3),
        ("\x00", 1),
        ("\ufeff{}", 1),
        ("NaN", 1),
    ],
)
def test_what_is_no_record_is_refused(text: str, line: int) -> None:
    assert refusal(text).line == line


@FOR_EVERY_GAME
@settings(max_examples=60)
@given(data=st.data())
def test_a_record_cut_off_anywhere_is_refused(game: Game[Any], data: Any) -> None:
    whole = finished(game.ID)
    text = whole[: data.draw(st.integers(0, len(whole.rstrip()) - 1))]
    error = refusal(text)
    assert error.key in ("record_truncated", "record_not_json")
    assert len(text.rstrip().splitlines() or [""]) <= error.line <= text.count("\n") + 1
    assert refusal(text, moves=0).line == error.line


@FOR_EVERY_GAME
@settings(max_examples=50)
@given(data=st.data())
def test_a_few_wrong_characters_are_refused_or_mean_the_same(game: Game[Any], data: Any) -> None:
    """Insertions, deletions and replacements, with a taste for what JSON is made of."""
    text = whole = finished(game.ID)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text) - 1))
        gone = data.draw(st.integers(0, 2))
        text = (
            text[:at]
            + data.draw(st.text('0123456789-.eE"[]{},: \n\\untrfals', max_size=3))
            + text[at + gone :]
        )
    refused_or_the_same(text, json.loads(whole))


@FOR_EVERY_GAME
@settings(max_examples=40)
@given(data=st.data())
def test_a_flipped_bit_in_a_file_is_refused_or_means_the_same(
    game: Game[Any], data: Any, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("records") / "flipped.json"
    written = bytearray(finished(game.ID).encode())
    written[data.draw(st.integers(0, len(written) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    path.write_bytes(written)
    found = attempted(lambda: bullpen.load(path))
    if isinstance(found, Match):
        assert as_record(found) == json.loads(finished(game.ID))
    else:
        assert isinstance(found, BadRecord) or found.key == "record_not_text"


def refused_or_the_same(text: str, record: Record) -> None:
    found = attempted(lambda: replay(text))
    if isinstance(found, Match):
        assert as_record(found) == record
    else:
        assert isinstance(found, BadRecord)
        assert 1 <= found.line <= text.count("\n") + 1


def attempted(read: Callable[[], Match]) -> Match | Problem:
    """The match, or the refusal; anything else is a fault."""
    try:
        return read()
    except Problem as problem:
        return problem


# -- Wrong types everywhere -----------------------------------------------------------------------------

JSON_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.sampled_from([None, True, False, 0, 1, -1, 1.5, 10**30, "", "0", "A", "x-nimmt", "play 3"])
    | st.just(float("nan")),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner),
    max_leaves=4,
)


def places_in(value: Any) -> list[tuple[Any, ...]]:
    """The path of every value inside a JSON value, the outermost first."""
    found: list[tuple[Any, ...]] = [()]
    if isinstance(value, dict | list):
        inner = value.items() if isinstance(value, dict) else enumerate(value)
        found += [(key, *path) for key, child in inner for path in places_in(child)]
    return found


def replaced(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    copy = value.copy()
    copy[path[0]] = replaced(value[path[0]], path[1:], new)
    return copy


@FOR_EVERY_GAME
@settings(max_examples=60)
@given(data=st.data())
def test_any_value_replaced_by_any_other_is_refused_or_means_the_same(
    game: Game[Any], data: Any
) -> None:
    """With a hash that fits: the hash is not what keeps bad types out."""
    record = json.loads(finished(game.ID))
    key = data.draw(st.sampled_from([key for key in record if key != "sha256"]))
    path = (key, *data.draw(st.sampled_from(paths_under(game.ID, key))))
    record = sealed(replaced(record, path, data.draw(JSON_VALUES)))
    refused_or_the_same(json.dumps(record, indent=1), record)


@cache
def paths_under(name: str, key: str) -> list[tuple[Any, ...]]:
    return places_in(json.loads(finished(name))[key])


@pytest.mark.parametrize("value", [None, True, 0, 1.5, "", "x", [], {}, [[]], [{}], [None], [1, 2]])
@pytest.mark.parametrize(
    "key", ["game", "players", "options", "basis", "deck", "shuffles", "moves", "scores", "winners"]
)
def test_a_value_of_the_wrong_type_is_refused(key: str, value: Any) -> None:
    record = changed("x-nimmt", **{key: value})
    text = ",\n".join(f'"{name}": {json.dumps(found)}' for name, found in record.items())
    error = refusal("{\n" + text + "\n}")
    played_on = {"moves": "scores", "options": "shuffles"}  # none at all: a match of another length
    at = played_on[key] if key in played_on and value in ([], {}) else key
    assert error.line in (1 + [*record].index(key) + 1, 1 + [*record].index(at) + 1)


@pytest.mark.parametrize("key", ["game", "version", "players", "shuffles", "scores", "sha256"])
@pytest.mark.parametrize(
    "value",
    [
        "9" * 5000,
        "-" + "9" * 100_000,
        "1e999999",
        "NaN",
        "-Infinity",
        "[" * 900 + "]" * 900,
        "[" * 100_000 + "]" * 100_000,
        '{"a":' * 50_000 + "0" + "}" * 50_000,
        "[" * 100_000,
    ],
    ids=[
        "huge",
        "minus huge",
        "huge float",
        "nan",
        "infinity",
        "deep",
        "too deep",
        "deep objects",
        "deep and cut",
    ],
)
def test_huge_numbers_and_deep_nesting_are_refused(key: str, value: str) -> None:
    for text in (
        finished("x-nimmt"),
        record_text(changed("x-nimmt", scores=[0], players=["HERE"])),
    ):
        record = json.loads(text)
        text = record_text({**record, key: "HERE"}).replace('"HERE"', value)
        assert refusal(text).line >= 1
        text = record_text({**record, key: ["HERE"]}).replace('"HERE"', value)
        assert refusal(text).line >= 1


@pytest.mark.parametrize("key", ["version", "options", "shuffles", "moves", "scores"])
def test_nesting_just_below_what_python_can_read_is_refused(key: str) -> None:
    """What reads it goes as deep as it can, and leaves no room for what checks it."""
    text = json.dumps({**json.loads(finished("x-nimmt")), key: {"rounds": "HERE"}})
    if key == "shuffles":
        text = text.replace('{"rounds": "HERE"}', '["HERE"]')
    for depth in range(sys.getrecursionlimit() - 200, sys.getrecursionlimit()):
        refusal(text.replace('"HERE"', "[" * depth + "]" * depth))


# -- Files ------------------------------------------------------------------------------------------------


def test_a_saved_match_loads(tmp_path: Path) -> None:
    match = played(bullpen.new("six-nimmt", 3, seed=1), 1, decisions=40)
    path = tmp_path / "new folder" / "and another" / "match.json"
    bullpen.save(match, path)
    assert facts(bullpen.load(path).table) == facts(match.table)
    assert facts(bullpen.load(str(path)).table) == facts(match.table)
    assert [found.name for found in path.parent.iterdir()] == ["match.json"]


def test_a_save_that_fails_leaves_the_old_record_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = played(bullpen.new("six-nimmt", 3, seed=1), 1, decisions=40)
    path = tmp_path / "match.json"
    bullpen.save(match, path)
    old = path.read_bytes()
    write_text = Path.write_text

    def disk_full(self: Path, text: str, *args: Any, **more: Any) -> int:
        write_text(self, text[: len(text) // 2], *args, **more)
        raise OSError(28, "No space left on device")

    played(match, 2, decisions=10)
    monkeypatch.setattr(Path, "write_text", disk_full)
    with pytest.raises(OSError, match="No space"):
        bullpen.save(match, path)
    monkeypatch.undo()
    assert path.read_bytes() == old
    assert len(bullpen.load(path).decisions) == 40
    bullpen.save(match, path)
    assert len(bullpen.load(path).decisions) == 50


@pytest.mark.parametrize("name", ["\ud800", "a\udcffb"])
def test_a_name_that_no_file_can_hold_is_refused(name: str, tmp_path: Path) -> None:
    """Such names come from a record that says `\\ud800`, or from a command line that is not UTF-8."""
    text = json.dumps(changed("x-nimmt", players=[name, "Bo"]))
    found = attempted(lambda: replay(text))
    if isinstance(found, Match):
        bullpen.save(found, tmp_path / "match.json")
        assert bullpen.load(tmp_path / "match.json").names == found.names
    else:
        assert found.key == "bad_names"


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    latin = tmp_path / "latin.json"
    latin.write_bytes(b'{"format": "\xff"}')
    for path, why in {
        tmp_path / "nowhere.json": "record_unreadable",
        tmp_path: "record_unreadable",
        latin: "record_not_text",
    }.items():
        with pytest.raises(Problem) as refused:
            bullpen.load(path)
        assert refused.value.key == why
        assert refused.value.facts["file"] == path
