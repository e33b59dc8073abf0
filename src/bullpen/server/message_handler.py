"""What a socket may say at its table, one function a message."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable
from typing import Any

from pydantic import ValidationError

from bullpen import fast
from bullpen.cards import Problem
from bullpen.game import Action, Seat
from bullpen.games import has_part
from bullpen.server import chat, messages
from bullpen.server.chat import day_and_time
from bullpen.server.connection import Connection
from bullpen.server.room import Entry, Room
from bullpen.server.settings import Settings
from bullpen.server.starting import commit_to
from bullpen.server.story import story
from bullpen.server.thinking.pool import NoAnswer, Pool
from bullpen.server.wire import client_messages as client
from bullpen.server.words import REFUSED, Words
from bullpen.text import quoted, voice

log = logging.getLogger("bullpen.message_handler")

STORY_SECONDS = 60.0  # that one may take
# A move as nearly all clients write it, with numbers that the wire allows: read without looking at the other kinds.
PLAIN_MOVE = re.compile(
    r'\{"type":"move","decision":(0|[1-9][0-9]{0,5}),"action":(0|[1-9][0-9]{0,5})\}'
)


class MessageHandler:
    def __init__(self, settings: Settings, coach: Pool, writers: Pool) -> None:
        self.settings, self.coach, self.writers = settings, coach, writers
        self.hinting: set[tuple[str, Seat | None]] = set()  # one hint at a time for each seat
        self.hints: set[asyncio.Task[None]] = set()
        self.answering: set[asyncio.Task[None]] = set()
        self.answers: dict[type, Callable[[Room, Connection, Any], Awaitable[None]]] = {
            client.Chat: self.chat,
            client.Commit: self.commit,
            client.Open: self.open,
            client.Undo: self.undo,
            client.UndoAnswer: self.undo_answer,
            client.Hint: self.hint,
            client.Look: self.look,
            client.Language: self.language,
            client.Story: self.story,
            client.Ping: self.ping,
        }

    def handle(self, room: Room, connection: Connection, text: str | None) -> None:
        """Answers every message, whatever it is: moves at once, all else in its order."""
        if text is None:
            connection.send(messages.error("message_not_text", connection.language))
            return
        if plain := PLAIN_MOVE.fullmatch(text):
            self.move(room, connection, int(plain[1]), int(plain[2]))
            return
        try:
            message = client.CLIENT_MESSAGE.validate_json(text)
        except ValidationError as error:
            connection.send(not_understood(error, connection.language))
            return
        if isinstance(message, client.Move):
            self.move(room, connection, message.decision, message.action)
            return
        connection.unanswered.append(message)
        if len(connection.unanswered) == 1:
            task = asyncio.create_task(self._answer(room, connection))
            self.answering.add(task)
            task.add_done_callback(self.answering.discard)

    async def _answer(self, room: Room, connection: Connection) -> None:
        waiting = connection.unanswered
        while waiting:
            if not room.still_sits(connection):  # by now the seat may be another's
                waiting.clear()
                return
            try:
                await self.answers[type(waiting[0])](room, connection, waiting[0])
            except Problem as problem:
                speaker = voice(connection.language)
                answer = {"type": "error", "key": problem.key, "message": speaker.problem(problem)}
                connection.send(answer)
            except Exception:  # whatever is wrong with one message, the next one is answered
                log.exception("message", extra={"table": room.id})
            waiting.popleft()

    # -- Playing ------------------------------------------------------------------------------

    def move(self, room: Room, connection: Connection, decision: int, action: Action) -> None:
        seat = connection.seat
        if seat is None or room.play is None:
            problem = Problem("only_players" if seat is None else "not_started")
            connection.send(room.refusal(connection, decision, problem))
            return
        by = room.header.seats[seat].kind
        room.submit(Entry(seat, decision, action, by, connection))

    async def look(self, room: Room, connection: Connection, _: client.Look) -> None:
        if room.play is None:
            connection.send({"type": "lobby", "lobby": messages.lobby(room)})
        else:
            connection.send(
                messages.view(room, connection.seat, connection.language, connection.detail)
            )

    async def language(self, room: Room, connection: Connection, wish: client.Language) -> None:
        connection.language = wish.language
        await self.look(room, connection, client.Look(type="look"))

    async def story(self, room: Room, connection: Connection, _: client.Story) -> None:
        seat, language = connection.seat, connection.language
        lines: list[dict[str, Any]] = []
        if room.play is not None:
            # What the game goes on with meanwhile is told by its own view.
            facts = {**room.written_out(), "seat": seat, "language": language}
            try:
                made = await self.writers.ask_persistently("story", STORY_SECONDS, **facts)
                lines = made["lines"]
            except NoAnswer:
                raise Problem("not_made") from None
        connection.send(story(room, seat, language, lines))

    async def ping(self, _room: Room, connection: Connection, _: client.Ping) -> None:
        connection.send({"type": "pong"})

    # -- The deal -----------------------------------------------------------------------------

    async def commit(self, room: Room, connection: Connection, wish: client.Commit) -> None:
        await commit_to(room, wish.commitment, lambda: sitting(room, connection))

    async def open(self, room: Room, connection: Connection, wish: client.Open) -> None:
        seat = sitting(room, connection)
        room.open_share(seat, wish.share)
        opened = {"type": "opened", "seats": [seat]}
        if room.opening is None:  # dealt already: nobody else waits for it
            connection.send(opened)
        else:
            room.broadcast(opened)

    # -- Taking back --------------------------------------------------------------------------

    async def undo(self, room: Room, connection: Connection, _: client.Undo) -> None:
        room.ask_to_undo(seated(connection))

    async def undo_answer(
        self, room: Room, connection: Connection, answer: client.UndoAnswer
    ) -> None:
        if answer.agree:
            room.agree_to_undo(seated(connection))
        else:
            room.decline_undo(seated(connection))

    # -- Talking ------------------------------------------------------------------------------

    async def chat(self, room: Room, connection: Connection, said: client.Chat) -> None:
        seat = seated(connection)
        if room.header.seats[seat].muted:
            raise Problem("muted")
        text = " ".join((said.text or "").split())
        if said.phrase is not None and said.phrase not in messages.PHRASES:
            raise Problem("no_such_phrase", phrase=said.phrase, known=", ".join(messages.PHRASES))
        if (said.phrase is None) == (said.text is None) or not (said.phrase or text):
            raise Problem("chat_empty")
        if not text.isprintable():
            raise Problem("chat_unprintable")
        if room.header.talk == "off":
            raise Problem("chat_off")
        if said.phrase is None:
            await self._may_be_said(room, seat, text)
        if not room.still_sits(connection):  # it was asked what this one may say
            return
        name = room.header.seats[seat].name
        stored = await room.store.say(room.id, seat, name, chat.stored_text(text, said.phrase))
        line = chat.message(stored)
        room.chat = [*room.chat, line][-chat.LINES_SHOWN :]
        for other in room.here.everyone():
            other.send(messages.chat_line(line, other.language))

    async def _may_be_said(self, room: Room, seat: Seat, text: str) -> None:
        """In one's own words; phrases are always decent."""
        if room.header.talk == "phrases":
            raise Problem("chat_phrases")
        if REFUSED.words.refuses(text):
            raise Problem("chat_refused")
        if Words(room.header.refused).refuses(text):
            raise Problem("chat_refused_here")
        device = room.header.seats[seat].device
        bounds = await room.store.decency.bounds(device) if device else None
        if bounds and bounds.silenced_until:
            raise Problem("silenced", until=day_and_time(bounds.silenced_until))

    # -- The coach ----------------------------------------------------------------------------

    async def hint(self, room: Room, connection: Connection, wish: client.Hint) -> None:
        seat = seated(connection)
        if not room.header.coach:
            raise Problem("no_coach")
        play = room.play
        if play is None or wish.decision != play.numbers[seat] or seat not in play.waiting:
            raise Problem("hint_not_now")
        if (room.id, seat) in self.hinting:
            raise Problem("hint_thinking")
        if (package := fast.missing_package()) and has_part(room.game.ID, "twin"):
            raise Problem("fast_missing", package=package)
        self.hinting.add((room.id, seat))
        task = asyncio.create_task(self._hint(room, connection, seat, wish.decision))
        self.hints.add(task)
        task.add_done_callback(self.hints.discard)

    async def _hint(self, room: Room, connection: Connection, seat: Seat, decision: int) -> None:
        """Not waited for: the socket goes on listening while the coach thinks."""
        play, language = room.play, connection.language
        assert play is not None
        view = play.game.view(play.table, seat)
        facts = {"game": play.game.ID, "view": view, "names": room.header.names}
        try:
            answer = await self.coach.ask(
                "hint", self.settings.coach_seconds, language=language, **facts
            )
        except NoAnswer:
            connection.send(messages.error("coach_silent", language))
            return
        finally:
            self.hinting.discard((room.id, seat))
        connection.send({"type": "hint", "decision": decision, **answer})


def not_understood(error: ValidationError, language: str) -> dict[str, Any]:
    """Behind the kind of a message stands the field that does not fit."""
    match error.errors(include_input=False, include_url=False)[0]:
        case {"loc": (_, field, *_)}:
            return messages.error("message_field", language, field=quoted(field))
        case {"ctx": {"tag": "contribute"}}:
            return messages.error("contribution_gone", language)
    return messages.error("message_unknown", language)


def seated(connection: Connection) -> Seat:
    if connection.seat is None:
        raise Problem("only_players")
    return connection.seat


def sitting(room: Room, connection: Connection) -> Seat:
    """The seat of this socket, if it is still its own."""
    seat = seated(connection)
    if not room.still_sits(connection):
        raise Problem("only_players")
    return seat
