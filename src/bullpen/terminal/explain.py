"""Help: what can be typed now, single rules, and whole rules pages."""

from __future__ import annotations

from typing import Any

from rich.text import Text

from bullpen.game import Game
from bullpen.games import about
from bullpen.sizes import LEAST
from bullpen.terminal.boards.questions import Question
from bullpen.terminal.program import program
from bullpen.terminal.screen import Screen, blank, paged, rule, show, tell, write
from bullpen.terminal.sight import Sight


def ask(screen: Screen, sight: Sight, question: Question) -> None:
    """The question that a person has to answer now."""
    sentence = screen.voice.question(sight.game, question.key, question.facts)
    write(screen, sentence, style="bold")


def help_now(screen: Screen, sight: Sight, question: Question, example: str) -> None:
    """All that a newcomer needs for this decision."""
    with paged(screen):
        page = screen.voice.rules(sight.game)
        rule(screen, screen.voice.say("terminal.help_title", title=page.title))
        write(screen, page.goal)
        blank(screen)
        ask(screen, sight, question)
        for rule_id in question.rules:
            one_rule(screen, rule_id)
        blank(screen)
        write(screen, page.how_to_type)
        tell(screen, "help_signs." + signs(sight))
        blank(screen)
        tell(screen, "help_commands", example=example, program=program())


def signs(sight: Sight) -> str:
    """Which kind of cards this game has to explain."""
    if sight.deck.colours:
        return "colours"
    return "green_and_red" if sight.deck.has_red_heads else "heads"


def rule_meant(game: Game[Any], typed: str) -> str:
    """`XN-4`, `xn-4`, or just `4`."""
    return f"{game.PREFIX}-{typed}" if typed.isdecimal() else typed.upper()


def one_rule(screen: Screen, rule_id: str) -> None:
    short, text = screen.voice.rule(rule_id)
    write(screen, f"{rule_id}  {short}. {text}", bullet=" · ")


def rules_page(screen: Screen, game: Game[Any]) -> None:
    """All rules of a game, with their ids, its options and its examples."""
    with paged(screen):
        write_rules(screen, game)


def write_rules(screen: Screen, game: Game[Any]) -> None:
    page = screen.voice.rules(game)
    rule(screen, page.title)
    write(screen, players_and_age(screen, game), style="dim")
    blank(screen)
    write(screen, page.goal)
    for heading, rules in page.sections:
        subheading(screen, heading)
        for rule_id, short, text in rules:
            write(screen, short, style="bold", bullet=f"{rule_id}  ")
            write(screen, text, bullet="  ")
    for key, text in (("rules_seen", page.seen), ("rules_typing", page.how_to_type)):
        subheading(screen, screen.voice.say(f"terminal.{key}"))
        write(screen, text, bullet="  ")
    subheading(screen, screen.voice.say("terminal.rules_options"))
    for name, text in page.options:
        show(screen, [Text(name, "bold cyan")])
        write(screen, text, bullet="  ")
    if game.printed:
        write_sizes(screen, game)
    if page.examples:
        subheading(screen, screen.voice.say("terminal.rules_examples"))
        for number, text in enumerate(page.examples, start=1):
            write(screen, text, bullet=f"{number}. ")
    subheading(screen, screen.voice.say("terminal.rules_cards"))
    write(screen, page.deck, bullet="  ")


def write_sizes(screen: Screen, game: Game[Any]) -> None:
    """What a mini game can make smaller."""
    say = screen.voice.say
    subheading(screen, say("terminal.rules_mini"))
    write(screen, say("terminal.mini.about", title=game.TITLE), bullet="  ")
    for name in game.sizes(game.SEATS[0]):
        printed = {game.sizes(seats)[name] for seats in game.SEATS}
        key = "size" if len(printed) == 1 else "size_by_players"
        allowed = say(f"terminal.mini.{key}", least=LEAST[name], printed=max(printed))
        show(screen, [Text(name, "bold cyan")])
        write(screen, f"{say(f'terminal.mini.{name}')} ({allowed})", bullet="  ")


def players_and_age(screen: Screen, game: Game[Any]) -> str:
    players, age = screen.voice.rules(game).players, about(game).age
    return (
        players if age is None else f"{players}, {screen.voice.say('terminal.rules_age', age=age)}"
    )


def subheading(screen: Screen, words: str) -> None:
    blank(screen)
    show(screen, [Text(words, "bold underline" if screen.is_coloured else "bold")])
