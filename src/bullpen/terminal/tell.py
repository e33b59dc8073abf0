"""What has happened, in sentences; the points after every round, and the result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from shlex import quote

from rich.text import Text

from bullpen.game import Event, Seat, is_mini, titled
from bullpen.match import Match
from bullpen.places import TOP_ONLY
from bullpen.terminal.program import program
from bullpen.terminal.screen import Screen, blank, rule, show, tell, typed_words_marked, write

BULLET = " · "
NAME_WIDTH = 18  # in a table of points
ROUND_ENDS = ("round_end", "game_end")


def opening(screen: Screen, match: Match) -> None:
    """Which game this is, how it is won, and how sure its cards are."""
    page = screen.voice.rules(match.game)
    title = titled(match.game, match.options) if is_mini(match.options) else page.title
    rule(screen, f"{title} · {screen.voice.say('terminal.seats', count=match.seats)}")
    write(screen, page.goal)
    write(screen, screen.voice.deck_note(match.game, match.deck), style="dim")


def events(screen: Screen, match: Match, begin: int, seat: Seat | None) -> None:
    """All that has happened from this event on, as this seat sees it."""
    narrate(
        screen, match, begin, lambda event: match.game.seen_by(event, seat, match.options), seat
    )


def everything(screen: Screen, match: Match, begin: int) -> None:
    """The same with nothing hidden, as when a game is gone through later."""
    narrate(screen, match, begin, lambda event: event)


def narrate(
    screen: Screen,
    match: Match,
    begin: int,
    as_seen: Callable[[Event], Event],
    you: Seat | None = None,
) -> None:
    rounds = count_rounds(match.events[:begin])
    for event in match.events[begin:]:
        seen = with_public_top(match, event, as_seen(event))
        sentence = screen.voice.event(match.game, seen, match.names, you)
        write(screen, sentence, bullet=BULLET)
        if event["event"] in ROUND_ENDS:
            rounds += 1
            if rounds <= len(match.rounds):
                round_points(screen, match, rounds)


def with_public_top(match: Match, event: Event, seen: Event) -> Event:
    """Where all see the top card alone, what lay under it is hidden, but the top lay open before all."""
    heap = match.game.rules.places.heap
    hides = heap is not None and heap.sight == TOP_ONLY
    if not hides or not event.get("cards") or seen["cards"] is not None:
        return seen
    return {"event": f"{event['event']}_by_top", "seat": event["seat"], "top": event["cards"][-1]}


def count_rounds(events: Sequence[Event]) -> int:
    return sum(1 for event in events if event["event"] in ROUND_ENDS)


# -- Points -----------------------------------------------------------------------------------


def round_points(screen: Screen, match: Match, number: int) -> None:
    """The points of a finished round, and all points up to it."""
    finished = match.rounds[:number]
    totals = [sum(points[seat] for points in finished) for seat in range(match.seats)]
    say = screen.voice.say
    show(screen, [Text(say("terminal.round_points", number=number), "bold")])
    columns = [say("terminal.column_round"), say("terminal.column_total")]
    show(screen, points_table(match.names, columns, [finished[-1], totals]))
    write(screen, screen.voice.best(match.game, match.options), style="dim")


def points_table(
    names: Sequence[str], columns: Sequence[str], points: Sequence[Sequence[int]]
) -> list[Text]:
    """A line a seat: `Anna   12   30`."""
    names = [name if len(name) <= NAME_WIDTH else name[: NAME_WIDTH - 1] + "…" for name in names]
    width = max(map(len, names))
    lines = [Text("  " + " " * width + "".join(f"  {column:>6}" for column in columns), "dim")]
    for seat, name in enumerate(names):
        numbers = [
            f"  {own[seat]:>{max(6, len(column))}}"
            for column, own in zip(columns, points, strict=True)
        ]
        lines.append(Text("  " + name.ljust(width) + "".join(numbers)))
    return lines


def result(screen: Screen, match: Match, you: Seat | None) -> None:
    """The final points, who has won, and by which count."""
    voice = screen.voice
    blank(screen)
    rule(screen, voice.say("terminal.game_over"))
    show(screen, points_table(match.names, [voice.say("terminal.column_total")], [match.scores]))
    sentence = voice.result(
        match.game, match.options, match.scores, match.winners, match.names, you
    )
    screen.console.print(typed_words_marked(screen, sentence), style="bold")


def command(screen: Screen, key: str, words: str, file: Path) -> None:
    """What to type in the shell; not wrapped, so that it can be copied."""
    tell(screen, key, program=program())
    typed = f"  {program()} {words} {quote(str(file))}"
    screen.console.print(typed, soft_wrap=True, style="cyan")


def left(screen: Screen, file: Path) -> None:
    """How to go on with a game that is not finished."""
    command(screen, "left_saved", "resume", file)


def finished(screen: Screen, file: Path) -> None:
    """How to look at a finished game again."""
    command(screen, "record_kept", "replay", file)
    command(screen, "review_offered", "review", file)
