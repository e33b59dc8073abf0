"""The six games, each by the name of its module; `x_nimmt.rules` is that module."""

from bullpen.games import GAMES

hornochsen = GAMES["hornochsen"]
eleven_nimmt = GAMES["eleven-nimmt"]
x_nimmt = GAMES["x-nimmt"]
baron_oxx = GAMES["baron-oxx"]
bullenparty = GAMES["bullenparty"]
six_nimmt = GAMES["six-nimmt"]
