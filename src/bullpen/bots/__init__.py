"""Players that need no people: a bot is one function; see docs/adding-a-bot.md."""

from __future__ import annotations

from random import Random
from typing import Any, Protocol

from bullpen.bots import careful, uniform
from bullpen.game import Action, BadOption, Game, View


class Bot(Protocol):
    """Chooses one of `view.legal`.  It knows what its view holds and nothing else, and draws its chance
    from `rng` alone, so that the same view and the same `rng` give the same choice."""

    def __call__(self, game: Game[Any], view: View[Any], rng: Random) -> Action: ...


BOTS: dict[str, Bot] = {
    "uniform": uniform.choose,
    "careful": careful.choose,
}


def bot_called(name: str) -> Bot:
    if name not in BOTS:
        raise BadOption("unknown_bot", bot=name, known=", ".join(BOTS))
    return BOTS[name]
