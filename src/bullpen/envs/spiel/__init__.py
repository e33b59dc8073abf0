"""The six games in OpenSpiel: importing this registers them.

>>> import bullpen.envs.spiel
>>> import pyspiel
>>> game = pyspiel.load_game("bullpen_x_nimmt(players=4,rounds=1)")
>>> game.num_players(), game.get_type().long_name
(4, 'X nimmt!')

Needs the extra `openspiel`.  What the games are like there stands in docs/openspiel.md.
"""

from __future__ import annotations

from bullpen.envs import missing

try:
    from bullpen.envs.spiel.registered import (
        SpielGame,
        read_state,
        register_all,
        spiel_name,
        state_from_view,
        written_state,
    )
except ModuleNotFoundError as error:
    raise missing(error, "openspiel") from None

register_all()

__all__ = ["SpielGame", "read_state", "spiel_name", "state_from_view", "written_state"]
