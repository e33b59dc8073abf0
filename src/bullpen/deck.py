"""What the cards show: the decks of the games, and the files that say it.

A user who owns the printed game can hand in a deck file of the same form as ours; it is checked when
it is loaded, and the error names the line and the rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from bullpen.cards import Problem, mask


class BadDeck(Problem):
    """A deck file, or the deck in a record, that does not hold what the rulebook allows."""


Face = int | tuple[int, ...]  # heads (red ones below zero), or bulls of each colour
Basis = Literal["established", "reconstruction", "own"]


@dataclass(frozen=True, slots=True)
class Deck:
    """What the cards of a game show, and how sure that is.  Entry 0 of `heads` and `colours` is unused."""

    basis: Basis
    heads: tuple[int, ...] = ()
    bulls: tuple[int, ...] = ()  # heads on the bull cards, fewest first
    colours: tuple[tuple[int, ...], ...] = ()
    colour_sets: tuple[int, ...] = ()  # by card: the colours that it shows, as a mask

    @property
    def has_red_heads(self) -> bool:
        """Green heads are good, red ones count below zero."""
        return min(self.heads, default=0) < 0

    def shown_on(self, cards: Iterable[int]) -> int:
        """Heads, or bulls of whatever colour; a card without a number shows none, nor does one that lies face down."""
        if self.colours:
            return sum([sum(self.colours[card]) for card in cards])
        heads = self.heads
        return sum([heads[card] for card in cards if card < len(heads)])

    def heads_on_bull(self, name: str) -> int | None:
        """Of a card without a number, by its name: `bull3` is the third of the bull cards, others have none."""
        number = name.removeprefix("bull")
        return self.bulls[int(number) - 1] if number != name else None

    def as_json(self) -> dict[str, Any]:
        """As traces and records carry it: lists that begin with card 1."""
        shown: dict[str, Any] = {}
        if self.heads:
            shown["heads"] = list(self.heads[1:])
        if self.bulls:
            shown["bulls"] = list(self.bulls)
        if self.colours:
            shown["colours"] = [list(bulls) for bulls in self.colours[1:]]
        return shown


@dataclass(frozen=True, slots=True)
class DeckFile:
    """The form of one deck file: its columns, how many cards, and what they may show."""

    path: Path  # in the game's folder
    rule: str  # the rule that says which cards there are
    shows: Literal["heads", "bulls", "colours"]
    columns: tuple[str, ...]  # the first one numbers the cards
    cards: int
    basis: Basis
    face: Callable[[Mapping[str, str]], Face]  # a row of the file as what the card shows
    allowed: Callable[[int, Face], bool]
    allowed_text: str  # what `allowed` asks for, in the file's own words


def load_deck(forms: Sequence[DeckFile], own_files: str | Path | Sequence[str | Path] = ()) -> Deck:
    """The deck of a game, with the user's own files in place of ours where given."""
    own = {}
    for path in [own_files] if isinstance(own_files, str | Path) else own_files:
        lines = _own_lines(Path(path))
        form = _form_of(forms, Path(path), lines)
        own[form.path] = _read(form, lines, str(path))
    faces: dict[str, Sequence[Face]] = {}
    for form in forms:
        faces[form.shows] = own.get(form.path) or _read(
            form, form.path.read_text("utf-8").splitlines(), form.path.name
        )
    return _deck("own" if own else weakest_basis(forms), faces)


def weakest_basis(forms: Sequence[DeckFile]) -> Basis:
    return "reconstruction" if any(f.basis == "reconstruction" for f in forms) else "established"


def deck_from_json(forms: Sequence[DeckFile], shown: Any, basis: Basis = "own") -> Deck:
    """The deck written in a record, checked like a deck file."""
    if not isinstance(shown, dict) or set(shown) != {form.shows for form in forms}:
        raise BadDeck("deck_parts", parts=", ".join(form.shows for form in forms))
    faces: dict[str, Sequence[Face]] = {}
    for form in forms:
        listed = shown[form.shows]
        if not isinstance(listed, list) or len(listed) != form.cards:
            raise BadDeck("deck_size", part=form.shows, cards=form.cards, rule=form.rule)
        given = [tuple(face) if isinstance(face, list) else face for face in listed]
        for number, face in enumerate(given, start=1):
            numbers = face if isinstance(face, tuple) else (face,)
            if not all(type(n) is int for n in numbers) or not form.allowed(number, face):
                raise BadDeck(
                    "deck_face", card=number, shows=face, allowed=form.allowed_text, rule=form.rule
                )
        faces[form.shows] = given
    return _deck(basis, faces)


def _deck(basis: Basis, faces: Mapping[str, Sequence[Any]]) -> Deck:
    colours = ((), *faces["colours"]) if "colours" in faces else ()
    return Deck(
        basis,
        heads=(0, *faces["heads"]) if "heads" in faces else (),
        bulls=tuple(sorted(faces.get("bulls", ()))),
        colours=colours,
        colour_sets=tuple(
            mask(colour for colour, bulls in enumerate(shown) if bulls) for shown in colours
        ),
    )


def _own_lines(path: Path) -> list[str]:
    try:
        return path.read_text("utf-8-sig").splitlines()
    except OSError as error:
        raise BadDeck("deck_unreadable", file=path, reason=error.strerror) from None
    except UnicodeDecodeError:
        raise BadDeck("deck_not_text", file=path) from None


def _form_of(forms: Sequence[DeckFile], path: Path, lines: list[str]) -> DeckFile:
    header = tuple(word.strip() for word in lines[0].split(",")) if lines else ()
    for form in forms:
        if header == form.columns:
            return form
    expected = " / ".join(",".join(form.columns) for form in forms)
    raise BadDeck("deck_header", file=path, header=",".join(header), expected=expected)


def _read(form: DeckFile, lines: Sequence[str], source: str) -> list[Face]:
    """Every number exactly once, and only faces that the rulebook allows."""
    found: dict[int, Face] = {}
    first_line: dict[int, int] = {}
    for at, line in enumerate(lines[1:], start=2):
        if not line.strip():
            continue
        where: dict[str, Any] = {"file": source, "line": at, "rule": form.rule}
        words = [word.strip() for word in line.split(",")]
        if len(words) != len(form.columns):
            raise BadDeck("deck_columns", columns=",".join(form.columns), **where)
        row = dict(zip(form.columns, words, strict=True))
        try:
            number, face = int(words[0]), form.face(row)
        except (ValueError, KeyError):
            raise BadDeck(
                "deck_row", row=line.strip(), allowed=form.allowed_text, **where
            ) from None
        if not 1 <= number <= form.cards:
            raise BadDeck("deck_number", number=number, cards=form.cards, **where)
        if number in found:
            raise BadDeck("deck_twice", number=number, first=first_line[number], **where)
        if not form.allowed(number, face):
            raise BadDeck("deck_row", row=line.strip(), allowed=form.allowed_text, **where)
        found[number], first_line[number] = face, at
    missing = [number for number in range(1, form.cards + 1) if number not in found]
    if missing:
        raise BadDeck(
            "deck_missing", file=source, number=missing[0], cards=form.cards, rule=form.rule
        )
    return [found[number] for number in range(1, form.cards + 1)]


def heads_file(path: Path, rule: str, cards: int, basis: Basis, heads: Sequence[int]) -> DeckFile:
    """The commonest form: `number,heads`."""
    return DeckFile(
        path,
        rule,
        "heads",
        ("number", "heads"),
        cards,
        basis,
        face=lambda row: int(row["heads"]),
        allowed=lambda _, face: face in heads,
        allowed_text="heads " + ", ".join(map(str, heads)),
    )
