"""The two verifiers, written apart from each other in Python and in TypeScript, agree on every deal."""

from __future__ import annotations

import json
import subprocess
from random import Random
from typing import Any

import pytest

import bullpen
from bullpen.cards import Card
from bullpen.fair import commitment, shuffled
from bullpen.game import Game, card_name
from bullpen.games import GAMES
from scripts import web
from tests.soaking import counted

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
    return {
        "secret": rng.randbytes(32).hex(),
        "contributions": [
            "".join(rng.choices(LETTERS, k=rng.randrange(20))) for _ in range(rng.randrange(6))
        ],
        "number": rng.randrange(50),
        "cards": cards,
    }


def agree(verifier: list[str], deals: list[dict[str, Any]]) -> None:
    lines = "".join(f"{json.dumps(deal)}\n" for deal in deals)
    told = subprocess.run(
        verifier, input=lines, stdout=subprocess.PIPE, text=True, check=True
    ).stdout
    for deal, line in zip(deals, told.splitlines(), strict=True):
        secret = bytes.fromhex(deal["secret"])
        dealt = shuffled(deal["cards"], secret, deal["contributions"], deal["number"])
        assert json.loads(line) == {"commitment": commitment(secret), "cards": dealt}


def test_the_page_in_the_browser_deals_as_the_server_does(verifier: list[str]) -> None:
    rng = Random(1)
    agree(verifier, [a_deal(rng) for _ in range(DEALS)])


def test_another_secret_would_be_another_deal(verifier: list[str]) -> None:
    deal = a_deal(Random(2))
    forged = {**deal, "secret": "00" * 32}
    lines = f"{json.dumps(deal)}\n{json.dumps(forged)}\n"
    told = subprocess.run(
        verifier, input=lines, stdout=subprocess.PIPE, text=True, check=True
    ).stdout
    true, false = map(json.loads, told.splitlines())
    assert true != false
    assert sorted(map(str, true["cards"])) == sorted(map(str, false["cards"]))


@pytest.mark.soak
def test_the_page_deals_as_the_server_does_100_000_times(verifier: list[str]) -> None:
    for part in counted(DEALS_OF_A_SOAK, "deals by both verifiers", by=DEALS):
        rng = Random(f"soak {part}")
        agree(verifier, [a_deal(rng) for _ in range(DEALS)])
