"""The languages that the program speaks: one is there if its file is, locale/<language>.toml.

Nothing else lists them.  What a language needs besides sentences, such as its own name, stands in that file, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

LOCALE = Path(__file__).parent / "locale"
ENGLISH = "en"  # says what another language lacks


def found_languages() -> tuple[str, ...]:
    files = (path.name.removesuffix(".toml") for path in LOCALE.glob("*.toml"))
    others = sorted(name for name in files if "." not in name and name != ENGLISH)
    return (ENGLISH, *others)


LANGUAGES = found_languages()


@cache
def own_facts(language: str) -> Mapping[str, Any]:
    """What a language says of itself, read without loading all that it says."""
    import tomllib

    text = (LOCALE / f"{language}.toml").read_text("utf-8")
    facts: Mapping[str, Any] = tomllib.loads(text).get("language", {})
    return facts


def own_name(language: str) -> str:
    """As its speakers call it: `Polski`."""
    return str(own_facts(language).get("name", language))


def spoken(tag: str) -> str | None:
    """The language of `pl`, `pl-PL` or `pl_PL.UTF-8`, if it is one of ours."""
    language = tag.strip().lower().replace("-", "_").partition("_")[0].partition(".")[0]
    return language if language in LANGUAGES else None


def first_spoken(tags: Iterable[str]) -> str:
    """The first of these that is one of ours; else English."""
    return next((language for tag in tags if (language := spoken(tag))), ENGLISH)


def language_of_terminal(environment: Mapping[str, str]) -> str:
    """As the locale says; as elsewhere, `LANGUAGE` may name several, best first, but says nothing in the locale `C`."""
    named = (environment.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    locale = next((value for value in named if value), "")
    if locale.partition(".")[0] in ("C", "POSIX"):
        return ENGLISH
    return first_spoken([*environment.get("LANGUAGE", "").split(":"), locale])
