"""A person decides: they see the table, are asked, and type a move or a command."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from rich.text import Text

from bullpen.cards import Problem
from bullpen.game import IllegalMove, Refusal, Seat, titled
from bullpen.terminal import explain, tell
from bullpen.terminal.boards import drawn_table, drawn_within, question_for
from bullpen.terminal.boards.questions import Question
from bullpen.terminal.moves import in_notation, meant, menu, offered
from bullpen.terminal.people import Sitting
from bullpen.terminal.saving import keep_or_warn, save_on_demand
from bullpen.terminal.screen import Screen, blank, clear, rule, show, typed, write
from bullpen.terminal.screen import tell as say
from bullpen.terminal.sight import Sight, sight_of

# What follows from an answer: the table and the question again, only the question, only a new answer;
# or it is settled.
Answered = Literal["look", "ask", "answer", "decided", "left"]


@dataclass(frozen=True)
class Turn:
    """What one person is asked, and the screen on which they are asked it."""

    screen: Screen
    sitting: Sitting
    sight: Sight
    question: Question
    legal: list[str]

    @property
    def seat(self) -> Seat:
        assert self.sight.seat is not None
        return self.sight.seat

    @property
    def example(self) -> str:
        """A move, as it can be typed."""
        return self.own_words(self.legal[0])

    def own_words(self, move: str) -> str:
        return self.screen.voice.typed(move)


def decide(screen: Screen, sitting: Sitting, seat: Seat) -> Literal["decided", "left"]:
    """Ask until there is a decision, or until the person leaves or takes something back."""
    match = sitting.match
    hand_over(screen, sitting, seat)
    if (undoer := sitting.taken_back.pop(seat, None)) is not None:
        say(screen, "undone_by", name=match.names[undoer])
    blank(screen)
    tell.events(screen, match, sitting.events_shown.get(seat, 0), seat)
    sitting.events_shown[seat] = len(match.events)
    sight = sight_of(match, seat, screen)
    turn = Turn(screen, sitting, sight, question_for(sight), match.legal(seat))
    answered: Answered = "look"
    while answered not in ("decided", "left"):
        if answered == "look":
            look(turn)
        if answered != "answer":
            ask(turn)
        answered = answer(turn)
    return "left" if answered == "left" else "decided"


def hand_over(screen: Screen, sitting: Sitting, seat: Seat) -> None:
    """With several people at one keyboard, nobody sees what is not meant for them."""
    if len(sitting.people) < 2 or sitting.looking == seat:
        return
    if sitting.looking is not None:
        clear(screen)
    blank(screen)
    name = sitting.match.names[seat]
    say(screen, "pass_keyboard", name=name)
    typed(screen.voice.say("terminal.press_enter", name=name))
    clear(screen)
    sitting.looking = seat


def look(turn: Turn) -> None:
    blank(turn.screen)
    rule(turn.screen, title(turn))
    show(turn.screen, drawing(turn))
    blank(turn.screen)


def drawing(turn: Turn) -> list[Text]:
    """The table, on a real screen short enough to be seen together with the question."""
    console = turn.screen.console
    if not console.is_terminal:
        return drawn_table(turn.sight)
    with console.capture() as prompt:
        ask(turn)
    around = 3  # the title above, the blank line below, and the line being typed
    return drawn_within(turn.sight, console.height - prompt.get().count("\n") - around)


def title(turn: Turn) -> str:
    """`X nimmt! · round 1 of 2 · Anna`"""
    sight, match = turn.sight, turn.sitting.match
    parts = [titled(match.game, match.options)]
    of = match.options.get("rounds", match.options.get("games"))
    if isinstance(of, int) and of > 1:
        parts.append(sight.words("round_of", number=sight.rounds + 1, of=of))
    elif of is None and "rounds" in match.options:
        parts.append(sight.words("round", number=sight.rounds + 1))
    if len(turn.sitting.people) > 1:
        parts.append(match.names[turn.seat])
    return " · ".join(parts)


def ask(turn: Turn) -> None:
    screen = turn.screen
    explain.ask(screen, turn.sight, turn.question)
    show(screen, offered(turn.sight, turn.legal))
    key = "type_number" if menu(turn.legal) else "type_move"
    write(screen, screen.voice.say(f"terminal.{key}", example=turn.example), style="dim")


def answer(turn: Turn) -> Answered:
    text = typed(f"{turn.sight.names[turn.seat]}> " if len(turn.sitting.people) > 1 else "> ")
    if not text:
        return "ask"
    word, _, rest = text.partition(" ")
    command = command_called(turn.screen, word)
    return COMMANDS[command](turn, rest) if command else move(turn, text)


def command_called(screen: Screen, word: str) -> str | None:
    for name in COMMANDS:
        if word.lower() in screen.voice.say(f"terminal.words.{name}").split():
            return name
    return None


# -- Moves ------------------------------------------------------------------------------------


def move(turn: Turn, text: str) -> Answered:
    """A move is made; one that is not allowed is explained, and nothing is lost."""
    typed_words, text = text, in_notation(turn.screen.voice, text, turn.legal)
    moves = meant(text, turn.legal)
    if len(moves) > 1:
        shown = " / ".join(f"`{turn.own_words(one)}`" for one in moves[:4])
        say(turn.screen, "not_clear", typed=typed_words, moves=shown)
        return "ask"
    if not moves and text.isdecimal() and not menu(turn.legal):
        say(turn.screen, "no_numbers", typed=typed_words, example=turn.example)
        return "answer"
    try:
        turn.sitting.match.move(turn.seat, moves[0] if moves else text)
    except IllegalMove as illegal:
        blank(turn.screen)
        own = in_own_words(turn, illegal)
        refused = turn.screen.voice.refusal(turn.sight.game, own, turn.sight.names)
        write(turn.screen, refused, style="bold red")
        return "ask"
    keep_or_warn(turn.screen, turn.sitting)
    return "decided"


def in_own_words(turn: Turn, illegal: IllegalMove) -> IllegalMove:
    """The same refusal, with moves as this person would type them."""
    rule_id, why, facts = illegal.refusal
    forms = [turn.own_words(form) for form in turn.sight.game.FORMS]
    refusal = Refusal(rule_id, why, {"forms": forms, **facts})
    legal = [turn.own_words(one) for one in illegal.legal]
    return IllegalMove(illegal.seat, turn.own_words(illegal.move), refusal, legal)


# -- Commands ---------------------------------------------------------------------------------


def give_help(turn: Turn, _: str) -> Answered:
    explain.help_now(turn.screen, turn.sight, turn.question, turn.example)
    blank(turn.screen)
    return "ask"


def show_rules(turn: Turn, _: str) -> Answered:
    explain.rules_page(turn.screen, turn.sight.game)
    return "look"


def explain_rule(turn: Turn, rule_id: str) -> Answered:
    """`rule XN-4`; in a game, `rule 4` is enough."""
    if not rule_id:
        say(turn.screen, "which_rule", rule=turn.question.rules[0])
        return "answer"
    try:
        explain.one_rule(turn.screen, explain.rule_meant(turn.sight.game, rule_id))
    except Problem as problem:
        write(turn.screen, turn.screen.voice.problem(problem))
    blank(turn.screen)
    return "ask"


def give_hint(turn: Turn, _: str) -> Answered:
    """What the coach would play, knowing what this person may know."""
    from bullpen.terminal.coach import hint_now

    try:
        hint_now(turn.screen, turn.sitting.match, turn.seat)
    except Problem as problem:
        write(turn.screen, turn.screen.voice.problem(problem))
    return "ask"


def see_table(_turn: Turn, _: str) -> Answered:
    return "look"


def undo(turn: Turn, _: str) -> Answered:
    """Back to the last decision of a person; what bots did after it is undone too."""
    sitting, match = turn.sitting, turn.sitting.match
    people = sitting.people
    if not any(made.seat in people for made in match.decisions):
        say(turn.screen, "nothing_to_undo")
        return "ask"
    undone = match.undo()
    while undone.seat not in people:
        undone = match.undo()
    for seat, shown in sitting.events_shown.items():
        sitting.events_shown[seat] = min(shown, len(match.events))
    keep_or_warn(turn.screen, sitting)
    if undone.seat != turn.seat:
        sitting.taken_back[undone.seat] = turn.seat
    else:
        taken_back = match.game.NOTATION[undone.action]
        say(turn.screen, "undone", move=turn.own_words(taken_back))
    return "decided"


def save(turn: Turn, file: str) -> Answered:
    save_on_demand(turn.screen, turn.sitting, file)
    return "ask"


def leave(turn: Turn, anyway: str) -> Answered:
    """A game that could not be saved is not thrown away by one word."""
    sitting = turn.sitting
    if sitting.not_saved_because and not anyway:
        say(turn.screen, "leave_unsaved", reason=sitting.not_saved_because)
        return "ask"
    if not sitting.not_saved_because:
        tell.left(turn.screen, sitting.path)
    return "left"


COMMANDS: dict[str, Callable[[Turn, str], Answered]] = {
    "help": give_help,
    "rules": show_rules,
    "rule": explain_rule,
    "hint": give_hint,
    "table": see_table,
    "undo": undo,
    "save": save,
    "quit": leave,
}
