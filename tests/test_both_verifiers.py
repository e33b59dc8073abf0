"""The two verifiers, written apart from each other in Python and in TypeScript, agree on every deal."""

from __future__ import annotations

import json
import subprocess
from random import Random
from typing import Any

import pytest

import bullpen
from bullpen.cards import Card
from bullpen.fair import (
    Fairness,
    OldFairness,
    commitment,
    counted,
    findings,
    share_commitment,
    shuffled,
)
from bullpen.game import Game, card_name
from bullpen.games import GAMES
from scripts import web
from tests import soaking

DEALS, DEALS_OF_A_SOAK = 1_000, 100_000
LETTERS = 'aż🐂é "\\\0\n'


@pytest.fixture(scope="session")
def verifier(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command that deals as the page in the browser does."""
    node, folder = web.ready_node(), tmp_path_factory.mktemp("page")
    made = web.run([node, *web.tool("rolldown"), "src/lib/fair.ts", "-d", str(folder)], node)
    assert made.returncode == 0, made.stdout
    (folder / "package.json").write_text('{"type": "module"}')
    return [node, str(web.WEB / "tests" / "deals.mjs"), str(folder / "fair.js")]


def written(game: Game[Any], cards: list[Card]) -> list[int | str]:
    """As records write them: by number, or by name where a card has one."""
    return [card_name(game, card) if card in game.CARD_NAMES else card for card in cards]


def a_deal(rng: Random) -> dict[str, Any]:
    game = rng.choice(list(GAMES))
    match = bullpen.new(game, rng.choice(GAMES[game].SEATS), seed=rng.getrandbits(32))
    cards = written(match.game, rng.choice(match.shuffles))
    rng.shuffle(cards)
    drawn = [rng.choice([None, rng.randbytes(32)]) for _ in range(rng.randrange(11))]
    fair: Fairness | OldFairness = agreed(rng, drawn) if rng.random() < 0.6 else contributed(rng)
    if rng.random() < 0.2:
        fair = fair._replace(commitment=rng.randbytes(32).hex())
    return {"fair": fair, "number": rng.randrange(50), "cards": cards, "drawn": drawn}


def agreed(rng: Random, drawn: list[bytes | None]) -> Fairness:
    """Now and then with a share that was not opened, and now and then with one that does not fit."""
    table, secret = rng.choice(["q3v7k2m9x4tz8w6n", "x"]), rng.randbytes(32)
    promised = [
        None if share is None else share_commitment(table, seat, share)
        for seat, share in enumerate(drawn)
    ]
    opened = [share if rng.random() < 0.8 else None for share in drawn]
    shares, unopened = counted(promised, opened)
    shares = [share and (share if rng.random() < 0.9 else rng.randbytes(32)) for share in shares]
    return Fairness(table, commitment(secret), secret, promised, shares, unopened)


def contributed(rng: Random) -> OldFairness:
    secret = rng.randbytes(32)
    texts = ["".join(rng.choices(LETTERS, k=rng.randrange(20))) for _ in range(rng.randrange(6))]
    return OldFairness(commitment(secret), secret, texts)


def line_of(deal: dict[str, Any]) -> str:
    drawn = [share and share.hex() for share in deal["drawn"]]
    return json.dumps({**deal, "fair": {"table": "x", **deal["fair"].as_json()}, "drawn": drawn})


def expected(deal: dict[str, Any]) -> dict[str, Any]:
    fair = deal["fair"]
    found = findings(fair, [])
    assert found
    table, seats = getattr(fair, "table", "x"), len(getattr(fair, "shares", []))
    return {
        "commitment": found.secret_fits,
        "shares": [found.share_fits.get(seat) for seat in range(seats)],
        "shuffles": [],
        "committed": [
            share and share_commitment(table, seat, share)
            for seat, share in enumerate(deal["drawn"])
        ],
        "cards": shuffled(deal["cards"], fair, deal["number"]),
    }


def agree(verifier: list[str], deals: list[dict[str, Any]]) -> None:
    lines = "".join(f"{line_of(deal)}\n" for deal in deals)
    told = subprocess.run(
        verifier, input=lines, stdout=subprocess.PIPE, text=True, check=True
    ).stdout
    for deal, line in zip(deals, told.splitlines(), strict=True):
        assert json.loads(line) == expected(deal)


def test_the_page_in_the_browser_deals_as_the_server_does(verifier: list[str]) -> None:
    rng = Random(1)
    agree(verifier, [a_deal(rng) for _ in range(DEALS)])


def test_another_secret_would_be_another_deal(verifier: list[str]) -> None:
    deal = a_deal(Random(2))
    forged = {**deal, "fair": deal["fair"]._replace(secret=bytes(32))}
    lines = f"{line_of(deal)}\n{line_of(forged)}\n"
    told = subprocess.run(
        verifier, input=lines, stdout=subprocess.PIPE, text=True, check=True
    ).stdout
    true, false = map(json.loads, told.splitlines())
    assert true != false
    assert sorted(map(str, true["cards"])) == sorted(map(str, false["cards"]))


@pytest.mark.soak
def test_the_page_deals_as_the_server_does_100_000_times(verifier: list[str]) -> None:
    for part in soaking.counted(DEALS_OF_A_SOAK, "deals by both verifiers", by=DEALS):
        rng = Random(f"soak {part}")
        agree(verifier, [a_deal(rng) for _ in range(DEALS)])
