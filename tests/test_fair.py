"""Promise 20: deals that follow from a secret and the players' contributions, and can be checked."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections import Counter
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullpen.cli import main
from bullpen.deck import load_deck
from bullpen.fair import (
    Fairness,
    FairShuffler,
    below,
    commitment,
    fairness,
    findings,
    new_secret,
    shuffled,
)
from bullpen.games import GAMES
from bullpen.match import Match
from bullpen.record import BadRecord, as_record, digest, load, record_text, replay

SECRET = bytes(range(32))
CONTRIBUTIONS = ["Anna's dice: 4 2 6", "ż 🐂"]
PAGE = (Path(__file__).parent.parent / "docs" / "fair.md").read_text("utf-8")

every_game = pytest.mark.parametrize("name", GAMES)


def played(name: str, seats: int = 2, secret: bytes = SECRET) -> Match:
    """A game as a server would deal it, played to its end."""
    game, rng = GAMES[name], Random(1)
    contributions = (CONTRIBUTIONS * seats)[:seats]
    shuffler = FairShuffler(secret, contributions, game.CARD_NAMES)
    match = Match(game, seats, {}, load_deck(game.DECK_FILES), [], shuffler)
    while not match.is_over:
        for seat in match.waiting_for:
            match.act(seat, rng.choice(game.legal(match.table, seat)))
    match.fair = Fairness(commitment(secret), secret, contributions).as_json()
    return match


# -- The page -----------------------------------------------------------------------------------


def by_the_page(
    cards: list[int | str], secret: bytes, contributions: list[str], number: int
) -> list[int | str]:
    """Written again from docs/fair.md, without a look at fair.py."""
    joined = len(contributions).to_bytes(4, "big")
    for text in contributions:
        data = text.encode("utf-8")
        joined += len(data).to_bytes(4, "big") + data
    prefix = b"bullpen-fair-1" + hashlib.sha256(joined).digest() + number.to_bytes(8, "big")
    stream: list[int] = []
    block = 0

    def word() -> int:
        nonlocal block
        if not stream:
            data = hmac.new(secret, prefix + block.to_bytes(8, "big"), hashlib.sha256).digest()
            stream.extend(int.from_bytes(data[i : i + 4], "big") for i in range(0, 32, 4))
            block += 1
        return stream.pop(0)

    numbers = sorted(card for card in cards if isinstance(card, int))
    names = sorted(card for card in cards if isinstance(card, str))
    order: list[int | str] = [*numbers, *names]
    for i in reversed(range(1, len(order))):
        limit = 2**32 - 2**32 % (i + 1)
        w = word()
        while w >= limit:
            w = word()
        j = w % (i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def vectors() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)[-1])
    return found


def test_the_page_has_three_examples_that_hold() -> None:
    assert len(vectors()) == 3
    for example in vectors():
        secret = bytes.fromhex(example["secret"])
        asked = example["cards"], secret, example["contributions"], example["shuffle"]
        assert commitment(secret) == example["commitment"]
        assert shuffled(*asked) == by_the_page(*asked) == example["shuffled"]


@given(
    st.lists(st.integers(0, 200), unique=True, max_size=110),
    st.lists(st.sampled_from(["A", "B", "x2", "+5", "bull1", "bull10"]), unique=True),
    st.binary(min_size=32, max_size=32),
    st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=20), max_size=5),
    st.integers(0, 2**64 - 1),
)
def test_a_second_reading_of_the_page_agrees(
    numbers: list[int], names: list[str], secret: bytes, contributions: list[str], number: int
) -> None:
    cards: list[int | str] = [*names, *numbers]
    dealt = shuffled(cards, secret, contributions, number)
    assert dealt == by_the_page(cards, secret, contributions, number)
    assert sorted(map(str, dealt)) == sorted(map(str, cards))
    assert shuffled(cards[::-1], secret, contributions, number) == dealt


def test_words_that_would_favour_some_numbers_are_left_out() -> None:
    assert below(3, iter([2**32 - 1, 2**32 - 2])) == (2**32 - 2) % 3
    assert below(2**31, iter([2**32 - 1])) == 2**31 - 1


@pytest.mark.parametrize(
    "other",
    [
        (SECRET, ["Anna", "Bob"], 1),
        (SECRET, ["Ann", "aBob"], 0),
        (SECRET, ["AnnaBob", ""], 0),
        (SECRET, ["Bob", "Anna"], 0),
        (SECRET, ["Anna", "Bob", ""], 0),
        (SECRET[::-1], ["Anna", "Bob"], 0),
    ],
)
def test_whatever_goes_in_changes_the_deal(other: tuple[bytes, list[str], int]) -> None:
    cards = list(range(1, 101))
    assert shuffled(cards, *other) != shuffled(cards, SECRET, ["Anna", "Bob"], 0)


# -- Every order is as likely -------------------------------------------------------------------


def chi_square(deals: int, cards: int) -> float:
    """How far the places in which cards were dealt are from even, in deviations above what is expected.

    Each card is in each place once a deal, so a table of cards by places has (cards - 1)² degrees of
    freedom.  The cube root of such a number is nearly normal (Wilson and Hilferty)."""
    found: Counter[tuple[int, int]] = Counter()
    secret = new_secret()
    for number in range(deals):
        found.update(enumerate(shuffled(range(cards), secret, ["a", "b"], number)))
    even = deals / cards
    counts = (found[place, card] for place in range(cards) for card in range(cards))
    statistic = sum((count - even) ** 2 / even for count in counts)
    # With n cards the statistic is (n - 1) / n times as large as for independent cells.
    freedom = (cards - 1) ** 2
    scaled: float = (statistic * (cards - 1) / cards / freedom) ** (1 / 3)
    return (scaled - (1 - 2 / (9 * freedom))) / sqrt(2 / (9 * freedom))


LIMIT = 4.9  # a normal number is above this once in two millions


@pytest.mark.parametrize("cards", [5, 24])
def test_every_card_is_as_likely_in_every_place(cards: int) -> None:
    assert chi_square(4_000, cards) < LIMIT


@pytest.mark.soak
@pytest.mark.parametrize("cards", [5, 24, 104])
def test_every_card_is_as_likely_in_every_place_over_100_000_deals(cards: int) -> None:
    assert chi_square(100_000, cards) < LIMIT


def test_a_shuffle_that_is_not_fair_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The frequent mistake: exchanging with any card instead of one that is not settled yet."""
    import bullpen.fair

    def careless(limit: int, numbers: Any) -> int:
        return int(next(numbers)) % (limit + 1) % limit

    monkeypatch.setattr(bullpen.fair, "below", careless)
    assert chi_square(4_000, 24) > LIMIT


# -- Records ------------------------------------------------------------------------------------


@every_game
def test_the_record_of_a_served_game_shows_that_its_deals_were_fair(name: str) -> None:
    text = record_text(as_record(played(name, GAMES[name].SEATS[-1])))
    match = replay(text)
    assert record_text(as_record(match)) == text
    assert match.fair
    found = findings(fairness(match.fair), as_record(match)["shuffles"])
    assert found
    assert found.is_fair
    assert len(found.shuffle_fits) == len(match.shuffles)


def test_an_old_record_of_a_served_game_still_shows_it() -> None:
    (path,) = (Path(__file__).parent / "records").glob("*-served-fair.json")
    match = load(path)
    assert match.fair
    found = findings(fairness(match.fair), as_record(match)["shuffles"])
    assert found
    assert found.is_fair


def test_a_deal_that_was_taken_back_comes_again() -> None:
    match = played("x-nimmt")
    shuffles = [list(cards) for cards in match.shuffles]
    while len(match.shuffles) > 1:
        match.undo()
    assert isinstance(match.shuffler, FairShuffler)
    match.shuffler.number = len(match.shuffles)
    while not match.is_over:
        for seat in match.waiting_for:
            match.act(seat, match.game.legal(match.table, seat)[0])
    assert match.shuffles[:2] == shuffles[:2]


def verified(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], record: dict[str, Any], *words: str
) -> tuple[int, str]:
    path = tmp_path / "served.json"
    path.write_text(record_text({**record, "sha256": digest(record)}), "utf-8")
    code = main(["verify", str(path), "--lang", "en", *words])
    said = capsys.readouterr()
    return code, (said.out + said.err).replace(f"{path}: ", "")


def test_verify_says_that_a_deal_was_fair(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said = verified(tmp_path, capsys, as_record(played("bullenparty")))
    assert code == 0
    assert "the deal was fair" in said


def test_verify_names_the_shuffle_that_does_not_follow(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A server that deals the second round as it likes."""
    honest = as_record(played("x-nimmt"))
    match = replay(record_text(honest))
    other = Match(match.game, 2, {}, match.deck, [], FairShuffler(SECRET, CONTRIBUTIONS, {}))
    assert isinstance(other.shuffler, FairShuffler)
    other.shuffler.secret = SECRET[::-1]
    while not other.is_over:
        for seat in other.waiting_for:
            other.act(seat, other.game.legal(other.table, seat)[0])
    other.fair = match.fair
    code, said = verified(tmp_path, capsys, as_record(other))
    assert code == 2
    assert "NOT FAIR: shuffle 2 does not follow" in said
    assert "shuffle 1 follows" in said


def test_verify_notices_a_secret_that_was_not_the_one_published(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = played("six-nimmt")
    match.fair = Fairness(commitment(SECRET[::-1]), SECRET, CONTRIBUTIONS).as_json()
    code, said = verified(tmp_path, capsys, as_record(match))
    assert code == 2
    assert "NOT FAIR: the secret does not fit" in said


def test_verify_notices_contributions_that_were_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = played("six-nimmt")
    match.fair = Fairness(commitment(SECRET), SECRET, ["mine", "yours"]).as_json()
    code, said = verified(tmp_path, capsys, as_record(match))
    assert (code, "NOT FAIR: shuffle 1" in said) == (2, True)


def test_a_secret_that_is_not_revealed_yet_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = played("six-nimmt")
    match.fair = Fairness(commitment(SECRET), None, CONTRIBUTIONS).as_json()
    code, said = verified(tmp_path, capsys, as_record(match))
    assert (code, "not revealed yet" in said) == (0, True)


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        [],
        {},
        {"scheme": "other"},
        {"secret": "xyz"},
        {"secret": "00"},
        {"commitment": 5},
        {"contributions": [1]},
        {"contributions": ["\ud800"]},
        {"more": 1},
    ],
)
def test_an_entry_of_another_form_is_refused_by_its_line(wrong: Any) -> None:
    record = as_record(played("hornochsen"))
    whole = record["fair"]
    record["fair"] = {**whole, **wrong} if isinstance(wrong, dict) and wrong else wrong
    text = record_text(record)
    with pytest.raises(BadRecord) as refused:
        replay(text)
    assert refused.value.key == "record_fair"
    assert text.splitlines()[refused.value.line - 1].startswith('"fair"')
