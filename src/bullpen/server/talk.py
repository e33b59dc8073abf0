"""What a socket may say at its table, one function a message."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

from pydantic import ValidationError

from bullpen.cards import Problem
from bullpen.game import Seat
from bullpen.server import messages
from bullpen.server.connection import Connection
from bullpen.server.room import Entry, Room
from bullpen.server.settings import Settings
from bullpen.server.starting import commit_to
from bullpen.server.thinking.pool import NoAnswer, Pool
from bullpen.server.wire import asked
from bullpen.text import quoted, voice

log = logging.getLogger("bullpen.talk")

CHAT_SHOWN = 50  # lines that a newcomer is shown


class Talk:
    def __init__(self, settings: Settings, coach: Pool) -> None:
        self.settings, self.coach = settings, coach
        self.hinting: set[tuple[str, Seat | None]] = set()  # one hint at a time for each seat
        self.hints: set[asyncio.Task[None]] = set()
        self.answering: set[asyncio.Task[None]] = set()
        self.answers: dict[type, Callable[[Room, Connection, Any], Awaitable[None]]] = {
            asked.Chat: self.chat,
            asked.Commit: self.commit,
            asked.Open: self.open,
            asked.Undo: self.undo,
            asked.UndoAnswer: self.undo_answer,
            asked.Hint: self.hint,
            asked.Look: self.look,
            asked.Language: self.language,
            asked.Ping: self.ping,
        }

    def hear(self, room: Room, connection: Connection, text: str | None) -> None:
        """Answers every message, whatever it is: moves at once, all else in its order."""
        if text is None:
            connection.send(messages.error("message_not_text", connection.language))
            return
        try:
            message = asked.CLIENT_MESSAGE.validate_json(text)
        except ValidationError as error:
            connection.send(not_understood(error, connection.language))
            return
        if isinstance(message, asked.Move):
            self.move(room, connection, message)
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

    def move(self, room: Room, connection: Connection, message: asked.Move) -> None:
        seat, decision = connection.seat, message.decision
        if seat is None or room.play is None:
            problem = Problem("only_players" if seat is None else "not_started")
            connection.send(room.refusal(connection, decision, problem))
            return
        by = room.header.seats[seat].kind
        room.submit(Entry(seat, decision, message.action, by, connection))

    async def look(self, room: Room, connection: Connection, _: asked.Look) -> None:
        if room.play is None:
            connection.send({"type": "lobby", "lobby": messages.lobby(room)})
        else:
            connection.send(messages.view(room, connection.seat, connection.language))

    async def language(self, room: Room, connection: Connection, wish: asked.Language) -> None:
        connection.language = wish.language
        await self.look(room, connection, asked.Look(type="look"))

    async def ping(self, _room: Room, connection: Connection, _: asked.Ping) -> None:
        connection.send({"type": "pong"})

    # -- The deal -----------------------------------------------------------------------------

    async def commit(self, room: Room, connection: Connection, wish: asked.Commit) -> None:
        await commit_to(room, wish.commitment, lambda: sitting(room, connection))

    async def open(self, room: Room, connection: Connection, wish: asked.Open) -> None:
        seat = sitting(room, connection)
        room.open_share(seat, wish.share)
        told = {"type": "opened", "seats": [seat]}
        if room.opening is None:  # dealt already: nobody else waits for it
            connection.send(told)
        else:
            room.broadcast(told)

    # -- Taking back --------------------------------------------------------------------------

    async def undo(self, room: Room, connection: Connection, _: asked.Undo) -> None:
        room.ask_to_undo(seated(connection))

    async def undo_answer(
        self, room: Room, connection: Connection, answer: asked.UndoAnswer
    ) -> None:
        if answer.agree:
            room.agree_to_undo(seated(connection))
        else:
            room.decline_undo(seated(connection))

    # -- Talking ------------------------------------------------------------------------------

    async def chat(self, room: Room, connection: Connection, said: asked.Chat) -> None:
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
        name = room.header.seats[seat].name
        stored = await room.store.say(room.id, seat, name, kept_chat(text, said.phrase))
        line = chat_from(stored.seat, stored.name, stored.text, stored.time)
        room.chat = [*room.chat, line][-CHAT_SHOWN:]
        for other in room.here.everyone():
            other.send(messages.chat_line(line, other.language))

    # -- The coach ----------------------------------------------------------------------------

    async def hint(self, room: Room, connection: Connection, wish: asked.Hint) -> None:
        seat = seated(connection)
        if not room.header.coach:
            raise Problem("no_coach")
        play = room.play
        if play is None or wish.decision != play.numbers[seat] or seat not in play.waiting:
            raise Problem("hint_not_now")
        if (room.id, seat) in self.hinting:
            raise Problem("hint_thinking")
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


# -- Chat as it is kept -------------------------------------------------------------------------

PHRASE_MARK = "\x01"  # a phrase is kept by its name; nobody can type this
OLD_MARK = "\x00"  # of the first version; PostgreSQL takes none


def kept_chat(text: str, phrase: str | None) -> str:
    return text if phrase is None else PHRASE_MARK + phrase


def chat_from(seat: Seat | None, name: str, text: str, time: float) -> dict[str, Any]:
    is_phrase = text.startswith((PHRASE_MARK, OLD_MARK))
    return {
        "type": "chat",
        "seat": seat,
        "name": name,
        "text": "" if is_phrase else text,
        "phrase": text[1:] if is_phrase else None,
        "at": datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }
