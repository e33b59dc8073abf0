"""What was agreed at a table and may still be changed, until it starts: on a header as it is at that moment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bullpen.game import Game, OptionValue, complete_options, is_mini, titled
from bullpen.server import seating
from bullpen.server.header import Header, SeatTaken
from bullpen.server.refused import Refused
from bullpen.server.requests import TableChange, most_of

PLAIN = ("clock", "listed", "coach", "latecomers")  # what changes nothing else


def change(header: Header, wish: TableChange) -> list[str]:
    """What has become otherwise, by name: `seats`, `clock`, `options.rounds`."""
    seating.only_before_the_start(header)
    if header.club is not None and wish.listed:
        raise Refused(422, "club_not_listed")
    seats_before, options_before = len(header.seats), header.options
    header.options = options_for(header, wish)
    set_seats(header, wish.seats or seats_before)
    changed = ["seats"] if len(header.seats) != seats_before else []
    changed += [
        f"options.{name}" for name, value in header.options.items() if value != options_before[name]
    ]
    for name in PLAIN:
        wanted = getattr(wish, name)
        is_wished = wanted is not None or (name == "clock" and name in wish.model_fields_set)
        if is_wished and wanted != getattr(header, name):
            setattr(header, name, wanted)
            changed.append(name)
    return changed


def options_for(header: Header, wish: TableChange) -> dict[str, OptionValue]:
    """What was as usual is as usual for so many players; what they cannot have is as usual, too."""
    before, now = len(header.seats), wish.seats or len(header.seats)
    kept = {
        option.name: header.options[option.name]
        for option in header.rules.OPTIONS
        if header.options[option.name] != option.default(before)
        and option.kind.allows(header.options[option.name], now)
    }
    return served_options(header.rules, now, {**kept, **wish.options})


def served_options(
    game: Game[Any], seats: int, wished: Mapping[str, OptionValue]
) -> dict[str, OptionValue]:
    """Complete, and such that the game ends one day."""
    options = complete_options(game, seats, wished)
    if is_mini(options):  # for study; at a table it would pass for the game
        raise Refused(422, "mini_not_served", game=titled(game, options))
    for name, value in options.items():
        if type(value) is int and value > most_of(name):
            raise Refused(422, "option_too_large", option=name, most=most_of(name))
    return options


def set_seats(header: Header, wanted: int) -> None:
    """At the end: nobody who sits gets another number, by which their token and their share in the deal go."""
    while len(header.seats) < wanted:
        if header.practice is not None:
            raise Refused(422, "practice_alone")
        header.seats.append(SeatTaken())
    while len(header.seats) > wanted:
        last = header.seats[-1]
        if last.kept_for:
            raise Refused(409, "seat_kept", name=last.kept_for.name)
        if last.kind not in ("open", "bot"):
            raise Refused(409, "last_seat_taken", name=last.name)
        header.seats.pop()
