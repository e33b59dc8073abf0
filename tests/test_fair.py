"""Promise 20: deals that follow from a secret and the players' shares, and can be checked."""

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
    OldFairness,
    below,
    commitment,
    counted,
    fairness,
    findings,
    new_secret,
    replacement,
    share_commitment,
    shuffled,
)
from bullpen.games import GAMES
from bullpen.match import Match
from bullpen.record import BadRecord, as_record, digest, load, record_text, replay

SECRET = bytes(range(32))
TABLE = "q3v7k2m9x4tz8w6n"
SHARES = [bytes([seat]) * 32 for seat in range(10)]
CONTRIBUTIONS = ["Anna's dice: 4 2 6", "ż 🐂"]
OLD_RECORD = Path(__file__).parent / "records" / "bullenparty-3-served-fair.json"
PAGE = (Path(__file__).parent.parent / "docs" / "fair.md").read_text("utf-8")

every_game = pytest.mark.parametrize("name", GAMES)


def agreed(
    shares: list[bytes | None], unopened: tuple[int, ...] = (), secret: bytes = SECRET
) -> Fairness:
    """What a server and players with these shares arrive at, if some of them are not opened."""
    commitments = [
        None if share is None else share_commitment(TABLE, seat, share)
        for seat, share in enumerate(shares)
    ]
    opened = [None if seat in unopened else share for seat, share in enumerate(shares)]
    return Fairness(TABLE, commitment(secret), secret, commitments, *counted(commitments, opened))


def played(name: str, seats: int = 2, fair: Fairness | OldFairness | None = None) -> Match:
    """A game as a server would deal it, played to its end; of three players one does not open the share."""
    game, rng = GAMES[name], Random(1)
    fair = fair or agreed([*SHARES[:seats]], unopened=(2,) if seats > 2 else ())
    shuffler = FairShuffler(fair, game.CARD_NAMES)
    match = Match(game, seats, {}, load_deck(game.DECK_FILES), [], shuffler)
    while not match.is_over:
        for seat in match.waiting_for:
            match.act(seat, rng.choice(game.legal(match.table, seat)))
    match.fair = fair.as_json()
    return match


# -- The page -----------------------------------------------------------------------------------


def sized(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def unhex(text: str | None) -> bytes:
    return bytes.fromhex(text or "")


def key_by_the_page(fair: dict[str, Any]) -> bytes:
    message = b"bullpen-fair-2" + unhex(fair["commitment"]) + sized(fair["table"].encode())
    message += len(fair["commitments"]).to_bytes(4, "big")
    for text in [*fair["commitments"], *fair["shares"]]:
        message += sized(unhex(text))
    return hmac.new(unhex(fair["secret"]), message, hashlib.sha256).digest()


def old_key_by_the_page(fair: dict[str, Any]) -> tuple[bytes, bytes]:
    joined = len(fair["contributions"]).to_bytes(4, "big")
    joined += b"".join(sized(text.encode("utf-8")) for text in fair["contributions"])
    return unhex(fair["secret"]), b"bullpen-fair-1" + hashlib.sha256(joined).digest()


def by_the_page(cards: list[int | str], fair: dict[str, Any], number: int) -> list[int | str]:
    """Written again from docs/fair.md, without a look at fair.py."""
    is_old = "contributions" in fair
    secret, prefix = old_key_by_the_page(fair) if is_old else (key_by_the_page(fair), b"")
    prefix += number.to_bytes(8, "big")
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


def vectors() -> list[list[dict[str, Any]]]:
    """The examples of both schemes, the newer one first."""
    return [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]


def test_the_page_has_three_examples_of_each_scheme_that_hold() -> None:
    assert [len(examples) for examples in vectors()] == [3, 3]
    for scheme, examples in zip(("bullpen-fair-2", "bullpen-fair-1"), vectors(), strict=True):
        for example in examples:
            told = ("shuffle", "cards", "shuffled")
            number, cards, dealt = (example.pop(name) for name in told)
            entry = {"scheme": scheme, **example}
            fair = fairness(entry, len(example.get("commitments", [])))
            assert shuffled(cards, fair, number) == by_the_page(cards, example, number) == dealt
            found = findings(fair, [])
            assert found
            assert found.is_fair


def test_the_steps_of_the_first_example_hold() -> None:
    example = vectors()[0][0]
    share, (promised, _) = unhex(example["shares"][0]), example["commitments"]
    told = b"bullpen-fair-2/share" + sized(example["table"].encode()) + bytes(4) + share
    assert hashlib.sha256(told).hexdigest() == promised
    key = key_by_the_page(example)
    block = hmac.new(key, bytes(16), hashlib.sha256).digest()
    words = [block[at : at + 4] for at in range(0, 16, 4)]
    numbers = [int.from_bytes(w, "big") % k for w, k in zip(words, (5, 4, 3, 2), strict=True)]
    steps = " ".join(PAGE.split("## Three examples")[1].split("```json")[0].split())
    assert f"`{promised}`; seat 1 has none. `key` is `{key.hex()}`" in steps
    *early, last = [f"`{word.hex()}`" for word in words]
    assert f"the first words are {', '.join(early)} and {last}" in steps
    assert "they give {}, {}, {} and {}.".format(*numbers) in steps


def test_a_share_that_was_not_opened_counts_as_the_page_says() -> None:
    example = vectors()[0][1]
    (seat,) = example["unopened"]
    told = b"bullpen-fair-2/unopened" + unhex(example["commitments"][seat])
    assert hashlib.sha256(told).hexdigest() == example["shares"][seat]


some_cards = st.builds(
    lambda numbers, names: [*names, *numbers],
    st.lists(st.integers(0, 200), unique=True, max_size=110),
    st.lists(st.sampled_from(["A", "B", "x2", "+5", "bull1", "bull10"]), unique=True),
)
bytes32 = st.binary(min_size=32, max_size=32)
some_fair = st.builds(
    lambda shares, unopened, secret: agreed(
        shares, tuple(seat for seat in unopened if seat < len(shares)), secret
    ),
    st.lists(st.none() | bytes32, max_size=10),
    st.sets(st.integers(0, 9)),
    bytes32,
)
some_old_fair = st.builds(
    lambda secret, texts: OldFairness(commitment(secret), secret, texts),
    bytes32,
    st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=20), max_size=5),
)


@given(some_cards, some_fair | some_old_fair, st.integers(0, 2**64 - 1))
def test_a_second_reading_of_the_page_agrees(
    cards: list[int | str], fair: Fairness | OldFairness, number: int
) -> None:
    dealt = shuffled(cards, fair, number)
    assert dealt == by_the_page(cards, fair.as_json(), number)
    assert sorted(map(str, dealt)) == sorted(map(str, cards))
    assert shuffled(cards[::-1], fair, number) == dealt


@given(some_fair)
def test_what_server_and_players_arrive_at_holds_and_comes_back_from_a_record(
    fair: Fairness,
) -> None:
    assert fairness(json.loads(json.dumps(fair.as_json())), len(fair.shares)) == fair
    found = findings(fair, [])
    assert found
    assert found.is_fair


def test_words_that_would_favour_some_numbers_are_left_out() -> None:
    assert below(3, iter([2**32 - 1, 2**32 - 2])) == (2**32 - 2) % 3
    assert below(2**31, iter([2**32 - 1])) == 2**31 - 1


ANNA_AND_BOB = agreed([SHARES[0], SHARES[1], None])


@pytest.mark.parametrize(
    "other",
    [
        (ANNA_AND_BOB, 1),
        (agreed([SHARES[1], SHARES[0], None]), 0),
        (agreed([SHARES[0], None, SHARES[1]]), 0),
        (agreed([SHARES[0], SHARES[1]]), 0),
        (agreed([SHARES[0], None, None]), 0),
        (agreed([SHARES[0], SHARES[1], None], unopened=(1,)), 0),
        (agreed([SHARES[0], SHARES[1], None], secret=SECRET[::-1]), 0),
        (ANNA_AND_BOB._replace(table="another"), 0),
        (ANNA_AND_BOB._replace(commitments=["00" * 32, *ANNA_AND_BOB.commitments[1:]]), 0),
        (ANNA_AND_BOB._replace(commitment="00" * 32), 0),
    ],
)
def test_whatever_goes_in_changes_the_deal(other: tuple[Fairness, int]) -> None:
    cards = list(range(1, 101))
    assert shuffled(cards, *other) != shuffled(cards, ANNA_AND_BOB, 0)


def test_a_commitment_is_worth_nothing_at_another_seat_or_table() -> None:
    mine = share_commitment(TABLE, 1, SHARES[0])
    assert mine != share_commitment(TABLE, 2, SHARES[0])
    assert mine != share_commitment("another", 1, SHARES[0])
    copied = agreed([None, SHARES[0], SHARES[0]])._replace(commitments=[None, mine, mine])
    found = findings(copied, [])
    assert found
    assert found.share_fits == {1: True, 2: False}


# -- Every order is as likely -------------------------------------------------------------------


def chi_square(deals: int, cards: int) -> float:
    """How far the places in which cards were dealt are from even, in deviations above what is expected.

    Each card is in each place once a deal, so a table of cards by places has (cards - 1)² degrees of
    freedom.  The cube root of such a number is nearly normal (Wilson and Hilferty)."""
    found: Counter[tuple[int, int]] = Counter()
    fair = agreed([new_secret(), new_secret()], secret=new_secret())
    for number in range(deals):
        found.update(enumerate(shuffled(range(cards), fair, number)))
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
    found = findings(fairness(match.fair, len(match.names)), as_record(match)["shuffles"])
    assert found
    assert found.is_fair
    assert len(found.shuffle_fits) == len(match.shuffles)


def test_an_old_record_of_a_served_game_still_shows_it() -> None:
    match = load(OLD_RECORD)
    assert match.fair
    found = findings(fairness(match.fair, len(match.names)), as_record(match)["shuffles"])
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
    assert "2 opened" in said
    assert "not opened" not in said


def test_verify_says_who_has_not_opened_a_share(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = played("six-nimmt", 3)
    match.names[2] = "Cleo"
    code, said = verified(tmp_path, capsys, as_record(match))
    assert code == 0
    assert "the deal was fair" in said
    assert "the share of Cleo was not opened" in said


@pytest.mark.parametrize("shares", [[None, None], [SHARES[0], SHARES[1]]])
def test_verify_does_not_call_a_deal_fair_in_which_no_player_shared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], shares: list[bytes | None]
) -> None:
    match = played("six-nimmt", 2, agreed(shares, unopened=(0, 1)))
    code, said = verified(tmp_path, capsys, as_record(match))
    assert (code, "the deal was fair" in said) == (0, False)
    assert "no player opened a share" in said


def test_verify_tells_an_old_record_as_what_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(OLD_RECORD), "--lang", "en"]) == 0
    said = capsys.readouterr().out
    assert "could have chosen the deal" in said
    assert "the deal was fair" not in said


def test_verify_notices_a_share_that_was_chosen_afterwards(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The attack of the older scheme: who knows all the rest tries shares until the deal suits."""
    committed = agreed([SHARES[0], SHARES[1]])
    chosen = committed._replace(shares=[SHARES[0], b"suits" * 6 + b"me"])
    match = played("six-nimmt", 2, chosen)
    code, said = verified(tmp_path, capsys, as_record(match))
    assert code == 2
    assert f"NOT FAIR: the share of {match.names[1]} does not fit" in said
    assert "shuffle 1 follows" in said


def test_verify_notices_a_replacement_that_does_not_follow_the_rule(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    honest = agreed([SHARES[0], SHARES[1]], unopened=(1,))
    assert honest.shares[1] == replacement(honest.commitments[1] or "")
    match = played("six-nimmt", 2, honest._replace(shares=[SHARES[0], SHARES[2]]))
    code, said = verified(tmp_path, capsys, as_record(match))
    assert code == 2
    assert f"NOT FAIR: the share of {match.names[1]} was not opened" in said


def test_verify_names_the_shuffle_that_does_not_follow(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A server that deals the second round as it likes."""
    honest = as_record(played("x-nimmt"))
    match = replay(record_text(honest))
    shuffler = FairShuffler(agreed([*SHARES[:2]]), {})
    other = Match(match.game, 2, {}, match.deck, [], shuffler)
    shuffler.fair = agreed([*SHARES[:2]], secret=SECRET[::-1])
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
    match.fair = agreed([*SHARES[:2]])._replace(commitment="ab" * 32).as_json()
    code, said = verified(tmp_path, capsys, as_record(match))
    assert code == 2
    assert "NOT FAIR: the secret does not fit" in said


def test_verify_notices_contributions_of_the_older_scheme_that_were_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fair = OldFairness(commitment(SECRET), SECRET, CONTRIBUTIONS)
    match = played("six-nimmt", 2, fair)
    match.fair = fair._replace(contributions=["mine", "yours"]).as_json()
    code, said = verified(tmp_path, capsys, as_record(match))
    assert (code, "NOT FAIR: shuffle 1" in said) == (2, True)


def test_a_secret_that_is_not_revealed_yet_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = played("six-nimmt")
    match.fair = agreed([*SHARES[:2]])._replace(secret=None).as_json()
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
        {"commitment": "AB" * 32},
        {"table": ""},
        {"table": 7},
        {"commitments": None},
        {"commitments": ["00" * 32]},
        {"commitments": ["00" * 32, "xyz"]},
        {"commitments": {"00" * 32: 1, "01" * 32: 1}},
        {"commitments": [None, None]},
        {"shares": [None, "00" * 32]},
        {"shares": ["00" * 32, "00" * 31]},
        {"shares": [1, 2]},
        {"unopened": [2]},
        {"unopened": [1, 0]},
        {"unopened": [True]},
        {"unopened": [[]]},
        {"unopened": 1},
        {"more": 1},
    ],
)
def test_an_entry_of_another_form_is_refused_by_its_line(wrong: Any) -> None:
    refuses(as_record(played("hornochsen")), wrong)


@pytest.mark.parametrize(
    "wrong",
    [
        {"scheme": "bullpen-fair-2"},
        {"secret": "00"},
        {"commitment": 5},
        {"contributions": [1]},
        {"contributions": ["\ud800"]},
        {"contributions": "ab"},
        {"more": 1},
    ],
)
def test_an_entry_of_the_older_scheme_has_its_own_form(wrong: Any) -> None:
    fair = OldFairness(commitment(SECRET), SECRET, CONTRIBUTIONS)
    refuses(as_record(played("hornochsen", 2, fair)), wrong)


def refuses(record: dict[str, Any], wrong: Any) -> None:
    whole = record["fair"]
    record["fair"] = {**whole, **wrong} if isinstance(wrong, dict) and wrong else wrong
    text = record_text(record)
    with pytest.raises(BadRecord) as refused:
        replay(text)
    assert refused.value.key == "record_fair"
    assert text.splitlines()[refused.value.line - 1].startswith('"fair"')
