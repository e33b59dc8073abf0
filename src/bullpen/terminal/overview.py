"""The six games at a glance: players, options, and how sure their cards are."""

from __future__ import annotations

from typing import Any

from rich.text import Text

from bullpen.deck import load_deck
from bullpen.game import Game, Option
from bullpen.games import GAMES
from bullpen.terminal.people import usual_seats
from bullpen.terminal.program import program
from bullpen.terminal.screen import Screen, blank, paged, show, tell, write


def all_games(screen: Screen) -> None:
    with paged(screen):
        for game in GAMES.values():
            one_game(screen, game)
            blank(screen)
        tell(screen, "overview.more", program=program())


def one_game(screen: Screen, game: Game[Any]) -> None:
    voice = screen.voice
    page = voice.rules(game)
    name = Text.assemble((game.ID, "bold cyan"), "  ", (page.title, "bold"))
    show(screen, [name])
    write(screen, page.players, bullet="  ", style="dim")
    write(screen, page.goal, bullet="  ")
    for option in game.OPTIONS:
        write(screen, option_line(screen, game, option), bullet="  ")
    if sizes := game.sizes(game.SEATS[0]):
        tell_sizes = voice.say("terminal.overview.sizes", sizes=", ".join(sizes))
        write(screen, tell_sizes, bullet="  ")
    write(screen, voice.deck_note(game, load_deck(game.DECK_FILES)), bullet="  ", style="dim")


def option_line(screen: Screen, game: Game[Any], option: Option) -> str:
    """`rounds=2 (1, 2, 3, …)`; some defaults and allowed values depend on the number of players."""
    seats = usual_seats(game, None)
    defaults = {option.default(count) for count in game.SEATS}
    default = option.default(seats) if len(defaults) == 1 else None
    key = "option" if len(defaults) == 1 else "option_by_players"
    return screen.voice.say(
        f"terminal.overview.{key}",
        name=option.name,
        default=default,
        allowed=option.kind.described(game.SEATS[-1]),
    )


def list_of_games(screen: Screen) -> None:
    """`x-nimmt  X nimmt!  2-4 players, …`"""
    width = max(map(len, GAMES))
    for game in GAMES.values():
        page = screen.voice.rules(game)
        write(screen, f"{page.title}: {page.players}", bullet=f"{game.ID:<{width}}  ")
