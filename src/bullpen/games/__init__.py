"""The six games, by their ids."""

from typing import Any

from bullpen.game import BadOption, Game
from bullpen.games import baron_oxx, bullenparty, eleven_nimmt, hornochsen, six_nimmt, x_nimmt

GAMES: dict[str, Game[Any]] = {
    "hornochsen": hornochsen,
    "eleven-nimmt": eleven_nimmt,
    "x-nimmt": x_nimmt,
    "baron-oxx": baron_oxx,
    "bullenparty": bullenparty,
    "six-nimmt": six_nimmt,
}


def game_called(name: str) -> Game[Any]:
    if name not in GAMES:
        raise BadOption("unknown_game", game=name, known=", ".join(GAMES))
    return GAMES[name]
