"""A second reading of the rules: a referee that checks traces and shares no code with the games."""

from __future__ import annotations

from tests.referee.stream import GAMES, Problem, check, play

__all__ = ["GAMES", "Problem", "check", "play"]
