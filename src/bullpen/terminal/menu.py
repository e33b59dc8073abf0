"""`bullpen` alone: a menu for those who know none of the games."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bullpen.bots.levels import LEVELS
from bullpen.cards import Problem
from bullpen.game import Game, read_options
from bullpen.games import GAMES
from bullpen.languages import LANGUAGES, own_name
from bullpen.terminal import explain, store
from bullpen.terminal.names import game_meant
from bullpen.terminal.people import USUAL_BOT, Wishes, usual_seats, wished
from bullpen.terminal.play import play_new, play_on
from bullpen.terminal.screen import Screen, blank, rule, tell, typed, write
from bullpen.text import voice


class Back(Exception):
    """Somebody wants to go back to the menu."""


def menu(screen: Screen) -> None:
    """Until somebody wants to leave."""
    while True:
        unfinished = unfinished_game()
        show_menu(screen, unfinished)
        answer = typed(screen.voice.say("terminal.menu.prompt")).lower()
        if answer in words(screen, "quit"):
            tell(screen, "menu.goodbye")
            return
        try:
            screen = chosen(screen, answer, unfinished)
        except Back:
            continue
        except Problem as problem:
            if problem.key.startswith("input_ended"):
                raise
            write(screen, screen.voice.problem(problem), style="bold red")


def unfinished_game() -> Path | None:
    try:
        return store.latest_unfinished()
    except Problem:
        return None


def show_menu(screen: Screen, unfinished: Path | None) -> None:
    say = screen.voice.say
    blank(screen)
    rule(screen, say("terminal.menu.title"))
    tell(screen, "menu.welcome")
    blank(screen)
    width = max(len(game.TITLE) for game in GAMES.values())
    for number, game in enumerate(GAMES.values(), start=1):
        page = screen.voice.rules(game)
        line(screen, str(number), f"{page.title:<{width}}  {page.players}")
    blank(screen)
    if unfinished is not None:
        key = say("terminal.menu.continue_key")
        line(screen, key, say("terminal.menu.continue", file=unfinished.stem))
    others = ", ".join(own_name(one) for one in LANGUAGES if one != screen.voice.language)
    for key in ("rules", "language", "quit"):
        line(screen, say(f"terminal.menu.{key}_key"), say(f"terminal.menu.{key}", languages=others))


def line(screen: Screen, key: str, sentence: str) -> None:
    write(screen, sentence, bullet=f" {key}  ")


def chosen(screen: Screen, answer: str, unfinished: Path | None) -> Screen:
    """Do what was chosen; the screen may speak another language afterwards."""
    if answer in words(screen, "continue") and unfinished is not None:
        play_on(screen, store.continued(unfinished))
    elif answer in words(screen, "read_rules"):
        read_rules(screen)
    elif answer in words(screen, "language"):
        return in_another_language(screen)
    elif answer == "" or answer in words(screen, "help"):
        number, game = list(enumerate(GAMES.values(), start=1))[len(GAMES) // 2 - 1]
        tell(screen, "menu.help", number=number, title=screen.voice.rules(game).title)
    else:
        game = game_at(answer)
        wishes = ask_wishes(screen, game)
        play_new(screen, wishes, store.new_path(game.ID))
    return screen


def words(screen: Screen, name: str) -> list[str]:
    return screen.voice.say(f"terminal.words.{name}").split()


def game_at(answer: str) -> Game[Any]:
    """By its number in the menu, or by its name."""
    by_number = {str(number): game for number, game in enumerate(GAMES.values(), start=1)}
    try:
        return by_number.get(answer) or game_meant(answer)
    except Problem as problem:
        if problem.key != "unknown_game":  # then it says which one may be meant
            raise
        raise Problem("not_in_menu", typed=answer, last=len(GAMES)) from None


def read_rules(screen: Screen) -> None:
    answer = answer_to(screen, "which_rules", last=len(GAMES))
    explain.rules_page(screen, game_at(answer))
    typed(screen.voice.say("terminal.menu.press_enter"))


def in_another_language(screen: Screen) -> Screen:
    """The next one; who goes on meets them all."""
    at = LANGUAGES.index(screen.voice.language)
    return Screen(screen.console, voice(LANGUAGES[(at + 1) % len(LANGUAGES)]))


# -- A new game -------------------------------------------------------------------------------


def ask_wishes(screen: Screen, game: Game[Any]) -> Wishes:
    """Some short questions; Enter takes what stands in brackets."""
    blank(screen)
    rule(screen, game.TITLE)
    write(screen, screen.voice.rules(game).goal)
    tell(screen, "menu.how_to_answer")
    seats = ask_number(screen, "players", game.SEATS, usual_seats(game, None))
    bots = ask_number(screen, "bots", range(seats + 1), seats - 1)
    kind = ask_one_of(screen, "bot", list(LEVELS), USUAL_BOT) if bots else USUAL_BOT
    names: list[str] = []
    for person in range(1, seats - bots + 1):
        names.append(ask_name(screen, person, seats - bots, names))
    options = ask_options(screen, game, seats)
    return wished(
        screen.voice, game, seats=seats, bots=bots, bot=[kind], names=names, options=options
    )


def ask_options(screen: Screen, game: Game[Any], seats: int) -> list[str]:
    """As they are typed behind --option; `?` explains those that there are."""
    if not game.OPTIONS:
        return []
    shown = [f"`{name}`: {text}" for name, text in screen.voice.rules(game).options]
    first = game.OPTIONS[0]
    example = f"{first.name}={json.dumps(first.default(seats))}"
    while True:
        answer = answer_to(screen, "options", example=example, known=" ".join(shown))
        words = answer.split()
        try:
            read_options(game, seats, words)
        except Problem as problem:
            write(screen, screen.voice.problem(problem), style="bold red")
        else:
            return words


def ask_number(screen: Screen, key: str, allowed: Sequence[int], usual: int) -> int:
    facts = {"least": allowed[0], "most": allowed[-1]}
    while True:
        answer = answer_to(screen, key, usual=usual, **facts)
        if answer == "":
            return usual
        if answer.isdecimal() and len(answer) < 5 and int(answer) in allowed:
            return int(answer)
        tell(screen, "menu.not_in_range", **facts)


def ask_one_of(screen: Screen, key: str, allowed: Sequence[str], usual: str) -> str:
    while True:
        answer = answer_to(screen, key, usual=usual, known=", ".join(allowed)).lower()
        fitting = [one for one in allowed if answer and one.startswith(answer)]
        if answer == "" or len(fitting) == 1:
            return fitting[0] if fitting else usual
        tell(screen, "menu.not_one_of", known=", ".join(allowed))


def ask_name(screen: Screen, person: int, people: int, given: Sequence[str]) -> str:
    usual = screen.voice.say(f"terminal.names.{'you' if people == 1 else 'person'}", number=person)
    while (name := answer_to(screen, "name", usual=usual) or usual) in given:
        tell(screen, "menu.name_given", name=name)
    return name


def answer_to(screen: Screen, key: str, **facts: object) -> str:
    """The answer to a question; `?` explains it, and it is asked again."""
    while True:
        answer = typed(screen.voice.say(f"terminal.menu.ask_{key}", **facts))
        if answer.lower() in words(screen, "back"):
            raise Back
        if answer not in words(screen, "help"):
            return answer
        tell(screen, f"menu.help_{key}", **facts)
