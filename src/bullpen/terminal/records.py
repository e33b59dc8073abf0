"""Records from files, and whether they hold."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from bullpen import days, record
from bullpen.cards import Problem
from bullpen.game import titled
from bullpen.match import Match
from bullpen.text import Voice

if TYPE_CHECKING:
    from bullpen.fair import Fairness

BAD = 2  # exit code


def loaded(path: Path) -> Match:
    """The match of a record; a problem with it names the file."""
    if is_folder(path):
        raise Problem("record_is_folder", file=path)
    try:
        game = game_of_tournament(path)
        match = record.load(path) if game is None else record.replay(game)
    except Problem as problem:
        problem.facts.setdefault("file", path)
        raise
    match.names = [printable(name) for name in match.names]
    return match


def game_of_tournament(path: Path) -> str | None:
    """The record of one game in the file of a tournament, `FILE:17`; None for any other file."""
    from bullpen.arena import games_file

    file, _, number = str(path).rpartition(":")
    if file and number.isdecimal() and games_file.is_games_file(Path(file)):
        return games_file.record_of(Path(file), int(number[:18]))
    if games_file.is_games_file(path):
        games = len(games_file.read_lines(path)[1])
        raise Problem("tournament_which_game", file=path, games=games)
    return None


def verified_games(path: Path) -> int:
    """How many games stand in the file of a tournament, if each of them holds; 0 for any other file."""
    from bullpen.arena import games_file

    games = 0
    if games_file.is_games_file(path):
        for text in games_file.records_in(path):
            games += 1
            try:
                record.replay(text)
            except Problem as problem:
                problem.facts.update(file=f"{path}:{games}")
                problem.facts.pop("line", None)  # it would be one of the record, not of this file
                raise
    return games


def named(file: str) -> Path:
    """The path that somebody typed; nothing at all would be the folder where one is."""
    if not file:
        raise Problem("file_name_missing")
    return Path(file)


def new_file(file: str) -> Path:
    """A place for something new.  A folder that is not there was mistyped rather than wished for."""
    path = named(file)
    try:
        if not path.parent.is_dir():
            raise Problem("no_folder", file=file, folder=path.parent)
    except OSError:  # where we may not even look; trying to write will say why not
        pass
    return path


def is_folder(path: Path) -> bool:
    """Where we may not even look there is none: trying to read will say why not."""
    try:
        return path.is_dir()
    except OSError:
        return False


def printable(name: str) -> str:
    """A name without commands to the terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in name)


def published_by(text: str) -> days.Published:
    """`2026-11-17=HASH`, as a server has said it beforehand."""
    from bullpen.fair import HASH

    day, _, commitment = text.partition("=")
    known = days.day_called(day)
    if known is None or not HASH.fullmatch(commitment.lower()):
        raise Problem("published_form", text=printable(text))
    return days.Published(known, commitment.lower())


def verify(voice: Voice, files: Sequence[str], published: days.Published | None = None) -> int:
    """Replay every record and say of each whether it holds."""
    code = 0
    for file in files:
        try:
            if all_games := verified_games(named(file)):
                print(voice.say("terminal.verify.tournament", file=file, games=all_games))
                continue
            match = loaded(named(file))
        except Problem as problem:
            print(voice.problem(problem), file=sys.stderr)
            code = BAD
            continue
        facts = {"title": titled(match.game, match.options), "moves": len(match.decisions)}
        key = "finished" if match.is_over else "unfinished"
        print(voice.say(f"terminal.verify.{key}", file=file, **facts))
        code = max(code, verify_deal(voice, file, match, published))
    return code


def verify_deal(
    voice: Voice, file: str, match: Match, published: days.Published | None = None
) -> int:
    """Of a served game: whether its shuffles are those that the server was bound to."""
    from bullpen.fair import Fairness, fairness, findings

    if match.fair is None:
        return 0
    fair = fairness(match.fair, len(match.names))
    found = findings(fair, record.as_record(match)["shuffles"])
    if found is None:
        print(voice.say("fair.sealed", file=file))
        return 0
    unopened = fair.unopened if isinstance(fair, Fairness) else []
    day = days.day_of(fair.table) if isinstance(fair, Fairness) else None
    if found.is_fair and isinstance(fair, Fairness) and day is not None:
        return verify_day(voice, file, match, fair, day, published)
    if found.is_fair:
        players = len(found.share_fits) - len(unopened)
        key = "holds" if players else "holds_without_shares"
        facts = {"shuffles": len(match.shuffles), "players": players}
        key = key if isinstance(fair, Fairness) else "holds_old"
        print(voice.say(f"fair.{key}", file=file, **facts))
        for seat in unopened:
            print(voice.say("fair.unopened", file=file, name=match.names[seat]))
        return 0
    if not found.secret_fits:
        said_before = printable(fair.commitment)
        print(voice.say("fair.secret_differs", file=file, commitment=said_before), file=sys.stderr)
    for seat in (seat for seat, fits in found.share_fits.items() if not fits):
        key = "replacement_differs" if seat in unopened else "share_differs"
        print(voice.say(f"fair.{key}", file=file, name=match.names[seat]), file=sys.stderr)
    for number, fits in enumerate(found.shuffle_fits, start=1):
        key = "shuffle_holds" if fits else "shuffle_differs"
        print(voice.say(f"fair.{key}", file=file, number=number), file=sys.stderr)
    return BAD


def verify_day(
    voice: Voice,
    file: str,
    match: Match,
    fair: Fairness,
    day: date,
    published: days.Published | None,
) -> int:
    """Of a deal of the day, whose shuffles follow from its secret: whether that one was fixed beforehand."""
    assert fair.secret is not None
    facts = {"day": str(day), "shuffles": len(match.shuffles)}
    if fair.table != days.deal_of(day, match.game.ID):
        said = voice.say("fair.other_deal", file=file, deal=fair.table, game=match.game.ID)
        print(said, file=sys.stderr)
        return BAD
    if published is None:
        facts["commitment"] = fair.commitment
        print(voice.say("fair.day_holds", file=file, **facts))
        return 0
    facts |= {"commitment": published.commitment, "since": str(published.day)}
    if days.fits(day, fair.secret, published):
        print(voice.say("fair.day_fixed", file=file, **facts))
        return 0
    print(voice.say("fair.day_differs", file=file, **facts), file=sys.stderr)
    return BAD
