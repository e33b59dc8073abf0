"""Messages from a client.  Whatever does not fit one of these is answered with `error`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from bullpen.server.languages import LanguageCode

LONGEST_CHAT = 200  # characters
SHA256 = "^[0-9a-f]{64}$"  # a hash, or 32 other bytes, in hexadecimal
HIGHEST_NUMBER = 1_000_000  # of a decision or an action: far above any that exists


class FromClient(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Move(FromClient):
    """Answer the decision with this number by one of the actions that were offered."""

    type: Literal["move"]
    decision: Annotated[int, Field(ge=0, le=HIGHEST_NUMBER)]
    action: Annotated[int, Field(ge=0, le=HIGHEST_NUMBER)]


class Chat(FromClient):
    """Say something: free text, or a ready-made phrase that everyone reads in their own language."""

    type: Literal["chat"]
    text: Annotated[str, Field(max_length=LONGEST_CHAT)] | None = None
    phrase: Annotated[str, Field(max_length=40)] | None = None


class Commit(FromClient):
    """The hash of one's share in the deal; the last one before the start stands."""

    type: Literal["commit"]
    commitment: Annotated[str, Field(pattern=SHA256)]


class Open(FromClient):
    """The share that one has committed to, once `open_shares` asks for it."""

    type: Literal["open"]
    share: Annotated[str, Field(pattern=SHA256)]


class Undo(FromClient):
    """Ask the others to let one take back the last decision."""

    type: Literal["undo"]


class UndoAnswer(FromClient):
    type: Literal["undo_answer"]
    agree: bool


class Hint(FromClient):
    """Ask the coach about the decision that one has to make."""

    type: Literal["hint"]
    decision: Annotated[int, Field(ge=0, le=HIGHEST_NUMBER)]


class Look(FromClient):
    """Send the present view again."""

    type: Literal["look"]


class Language(FromClient):
    type: Literal["language"]
    language: LanguageCode


class Story(FromClient):
    """Repeat everything said in words so far: after a change of the language."""

    type: Literal["story"]


class Ping(FromClient):
    type: Literal["ping"]


ClientMessage = Annotated[
    Move | Chat | Commit | Open | Undo | UndoAnswer | Hint | Look | Language | Story | Ping,
    Field(discriminator="type"),
]
CLIENT_MESSAGE: TypeAdapter[Any] = TypeAdapter(ClientMessage)
