"""What people read: events, moves, refusals, problems, results and rules, in their own language.

The sentences stand in locale/<language>*.toml and in each game's words.<language>.toml, and name their facts in braces.  `{heads:head}` prints a
number with its noun in the right form ("5 heads"); a list is joined as the language does it ("10, 20
and 33").  Names of players are inserted as they are, so a sentence keeps them in the nominative.  What a language lacks is said in English.

>>> voice("en").say("scores.line", name="Anna", points=12)
'Anna: 12 points'
"""

from __future__ import annotations

import gettext
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from bullpen.cards import Problem
from bullpen.deck import Deck, weakest_basis
from bullpen.game import STANDALONE_NUMBER, Event, Game, IllegalMove, Options, Refusal, Seat
from bullpen.games import GAMES, folder_of
from bullpen.languages import ENGLISH, LANGUAGES, LOCALE

MOVES_SHOWN = 12  # in a refusal
QUOTED_LENGTH = 100  # of what a file or a user wrote
WHOLE = ("file", "folder", "saved", "program", "known", "db")  # facts that are never cut short


@cache
def voice(language: str) -> Voice:
    if language not in LANGUAGES:
        raise Problem("unknown_language", language=language, known=", ".join(LANGUAGES))
    if language == ENGLISH:
        return Voice(language, own_sentences(language))
    return Voice(language, completed(own_sentences(language), voice(ENGLISH).sentences))


def own_sentences(language: str) -> dict[str, Any]:
    """All that the files of a language say, and nothing else."""
    import tomllib

    sentences: dict[str, Any] = {}
    for path in sorted(LOCALE.glob(f"{language}.*toml")):
        merge(sentences, tomllib.loads(path.read_text("utf-8")))
    for game in GAMES.values():
        words = folder_of(game) / f"words.{language}.toml"
        if words.exists():  # a game of another package may not speak this language
            merge(sentences, words_in_place(game.ID, tomllib.loads(words.read_text("utf-8"))))
    return sentences


# Where the words of a game stand among all the others; what is not here belongs to all games.
OF_A_GAME = {
    "rules": ("rules",),
    "moves": ("moves",),
    "events": ("events",),
    "lessons": ("lessons",),
    "parts": ("parts",),
    "browser": ("browser",),
    "places": ("places",),
    "ask": ("terminal", "ask"),
    "simulate": ("simulate", "of"),
}


def words_in_place(game: str, words: Mapping[str, Any]) -> dict[str, Any]:
    placed: dict[str, Any] = {}
    for part, said in words.items():
        if part in OF_A_GAME:
            said = {game: said}
        for name in reversed(OF_A_GAME.get(part, (part,))):
            said = {name: said}
        merge(placed, said)
    return placed


def merge(into: dict[str, Any], added: Mapping[str, Any]) -> None:
    for key, value in added.items():
        if isinstance(value, dict):
            merge(into.setdefault(key, {}), value)
        else:
            into[key] = value


# -- What a language lacks --------------------------------------------------------------------

PLURAL_FORMS = frozenset(("zero", "one", "two", "few", "many", "other"))


class Borrowed(str):
    """An English sentence in another language: its numbers and lists stay English with it."""

    __slots__ = ()


def is_plural(value: Any) -> bool:
    """Forms of one noun, of which a language has its own, and not a table of sentences."""
    return isinstance(value, dict) and bool(value) and PLURAL_FORMS.issuperset(value)


def completed(own: Mapping[str, Any], english: Mapping[str, Any]) -> dict[str, Any]:
    """A language's own sentences, and the English ones where it has none."""
    whole = dict(own)
    for key, said in english.items():
        if key not in own:
            whole[key] = borrowed(said)
        elif isinstance(said, dict) and isinstance(own[key], dict) and not is_plural(said):
            whole[key] = completed(own[key], said)
    return whole


def borrowed(said: Any) -> Any:
    if isinstance(said, dict):
        return {key: borrowed(item) for key, item in said.items()}
    if isinstance(said, list):
        return [borrowed(item) for item in said]
    return Borrowed(said) if isinstance(said, str) else said


# -- Words ------------------------------------------------------------------------------------


PLAIN = frozenset((str, int))  # facts that every language writes alike
# The words, the fact behind them and its noun; and whether there is a noun at all.
Parsed = tuple[list[tuple[str, str | None, str]], bool]


def parsed_from(sentence: str) -> Parsed:
    parts = [
        (words, fact, noun or "") for words, fact, noun, _ in string.Formatter().parse(sentence)
    ]
    return parts, any(noun for _, _, noun in parts)


class Wording:
    """Fills the facts into a sentence, by the rules of a language."""

    def __init__(self, sentences: Mapping[str, Any]) -> None:
        self.nouns: Mapping[str, Mapping[str, str]] = sentences["nouns"]
        self.last_link: str = sentences["lists"]["and"]
        self.decimal_sign: str = sentences["language"]["decimal"]
        self.forms: Sequence[str] = sentences["language"]["forms"]
        self._which_form = gettext.c2py(sentences["language"]["plural"])
        self._parsed: dict[str, Parsed] = {}

    def filled(self, sentence: str, facts: Mapping[str, Any]) -> str:
        """A sentence is taken apart once; a server says it thousands of times."""
        if type(sentence) is Borrowed:
            return voice(ENGLISH).filled(str(sentence), facts)
        if (parsed := self._parsed.get(sentence)) is None:
            parsed = self._parsed[sentence] = parsed_from(sentence)
        parts, has_nouns = parsed
        if not has_nouns and PLAIN.issuperset(map(type, facts.values())):
            return sentence.format_map(facts)
        return "".join(
            [
                words if fact is None else words + self.format_field(facts[fact], spec)
                for words, fact, spec in parts
            ]
        )

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, (list, tuple)):
            return self.joined([self.format_field(item, format_spec) for item in value])
        if format_spec:
            return f"{value} {self.noun(format_spec, value)}".replace("-", "−", int(value < 0))
        if value is None or isinstance(value, bool):
            return {None: "null", True: "true", False: "false"}[value]  # as it would be typed
        return str(value)

    def noun(self, name: str, number: int) -> str:
        forms = self.nouns[name]
        return forms.get(self.forms[self._which_form(abs(number))]) or forms["other"]

    def decimal(self, number: float, places: int) -> str:
        return f"{number:.{places}f}".replace(".", self.decimal_sign)

    def joined(self, items: Sequence[str]) -> str:
        *first, last = items or [""]
        return f"{', '.join(first)} {self.last_link} {last}" if first else last


def printable(value: Any) -> str:
    """On one line, and without commands to the terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in str(value))


def quoted(value: Any) -> Any:
    """What a file or a user wrote, cut short where it is long."""
    if value is None or isinstance(value, int):
        return value
    text = ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
    shown = printable(text)
    return shown if len(shown) <= QUOTED_LENGTH else shown[: QUOTED_LENGTH - 1] + "…"


def capitalised(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


# -- The voice --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RulesPage:
    """The rules of a game, told for players."""

    title: str
    players: str
    goal: str
    seen: str
    how_to_type: str
    sections: tuple[tuple[str, tuple[tuple[str, str, str], ...]], ...]  # heading; id, name, text
    options: tuple[tuple[str, str], ...]
    examples: tuple[str, ...]
    deck: str  # how sure it is what the cards show


class Voice:
    """All that the program says in one language."""

    def __init__(self, language: str, sentences: Mapping[str, Any]) -> None:
        self.language, self.sentences = language, sentences
        self._wording = Wording(sentences)
        self.filled, self.decimal = self._wording.filled, self._wording.decimal
        self._found: dict[str, Any] = {}  # by dotted key

    def say(self, key: str, /, **facts: Any) -> str:
        """The sentence with this dotted key, `terminal.your_turn`."""
        return self.filled(self._at(key), facts)

    def _at(self, key: str) -> Any:
        found: Any = self._found.get(key)
        if found is None:
            found = self.sentences
            for word in key.split("."):
                found = found[word]
            self._found[key] = found
        return found

    def _name(self, names: Sequence[str], seat: Seat) -> str:
        return names[seat] if 0 <= seat < len(names) else self.say("names.seat", seat=seat)

    # -- What happens -------------------------------------------------------------------------

    def event(
        self, game: Game[Any], event: Event, names: Sequence[str], you: Seat | None = None
    ) -> str:
        """What has happened, in one sentence; in the second person if it happened to `you`."""
        if event["event"] == "reveal":
            return self.reveal(game, event, names)(you)
        facts = event.copy()
        key = facts.pop("event")
        seat = facts.get("seat")
        if seat is not None:
            facts["name"] = self._name(names, seat)
        if "rule" in facts:
            facts["reason"], _ = self.rule(facts["rule"])
        if "from" in facts:  # a seat, or the supply
            giver = facts.pop("from")
            facts["giver"] = self._name(names, giver) if isinstance(giver, int) else None
            key += "_from_you" if giver == you else ""
        values = facts.values()
        if None in values or [] in values:  # what is hidden or not there is not spoken of
            for fact, value in facts.items():
                if value is None or value == []:
                    key += f"_without_{fact}"
        whose = "" if seat is None or seat != you else "you."
        return self.filled(self._at(f"events.{game.ID}.{whose}{key}"), facts)

    def reveal(
        self, game: Game[Any], event: Event, names: Sequence[str]
    ) -> Callable[[Seat | None], str]:
        """Who chose which card, to be told to each: the reader first, then the others from the lowest card on, as
        they are placed."""
        (chosen,) = (value for fact, value in event.items() if fact != "event")
        laid = sorted([(card, seat) for seat, card in enumerate(chosen) if card is not None])
        cards = {seat: card for card, seat in laid}
        spoken = [(seat, f"{self._name(names, seat)} {card}") for card, seat in laid]

        def to(you: Seat | None) -> str:
            first, whose = spoken[0][0], ""
            if you is not None and you in cards:
                first, whose = you, "you."
            others = ", ".join([words for seat, words in spoken if seat != first])
            key = "reveal" if others else "reveal_without_others"
            facts = {"name": self._name(names, first), "card": cards[first], "others": others}
            return self.filled(self._at(f"events.{game.ID}.{whose}{key}"), facts)

        return to

    # -- Moves --------------------------------------------------------------------------------

    def move(self, game: Game[Any], move: str, names: Sequence[str] = ()) -> str:
        """What a move means, in a few words for a menu."""
        forms = self._at(f"moves.{game.ID}")
        form = move if move in forms else STANDALONE_NUMBER.sub("N", move)
        numbers = [int(number) for number in STANDALONE_NUMBER.findall(move)]
        first, last = (numbers[0], numbers[-1]) if numbers else (0, 0)
        return self.say(
            f"moves.{game.ID}.{form}", first=first, last=last, name=self._name(names, last)
        )

    def typed(self, move: str) -> str:
        """As somebody who speaks this language would type it: `zagraj 36` for `play 36`."""
        return " ".join((self.words_for(word) or [word])[0] for word in move.split(" "))

    def words_for(self, word: str) -> list[str]:
        """What can be typed for a word of the moves; the first one is shown."""
        words: str = self.sentences["terminal"]["typed"].get(word, "")
        return words.split()

    def question(self, game: Game[Any], key: str, facts: Mapping[str, Any]) -> str:
        """What a person is asked; a game that has no words for it just asks."""
        asked = self.sentences["terminal"]["ask"].get(game.ID, {}).get(key)
        return self.say("terminal.ask_any") if asked is None else self.filled(asked, facts)

    def moves_name_people(self, game: Game[Any]) -> bool:
        return any("{name}" in words for words in self._at(f"moves.{game.ID}").values())

    def refusal(self, game: Game[Any], illegal: IllegalMove, names: Sequence[str]) -> str:
        """What was tried, why it is not allowed, and what is allowed instead."""
        rule, why, facts = illegal.refusal
        facts = {"forms": list(game.FORMS), **facts}
        if "actor" in facts:
            facts["actor"] = self._name(names, facts["actor"])
        return self.say(
            "refused.move",
            move=quoted(illegal.move),
            why=self.say(f"refusals.{why}", **facts),
            rule=rule,
            instead=self._instead(illegal, facts),
        )

    def why(self, refusal: Refusal) -> str:
        """Why something is not allowed, without what is allowed instead."""
        facts = {"forms": [], **refusal.facts}
        return f"{capitalised(self.say(f'refusals.{refusal.why}', **facts))} ({refusal.rule})."

    def _instead(self, illegal: IllegalMove, facts: Mapping[str, Any]) -> str:
        if legal := illegal.legal:
            key = "allowed" if len(legal) <= MOVES_SHOWN else "allowed_and_more"
            return self.say(f"refused.{key}", moves=", ".join(legal[:MOVES_SHOWN]))
        if "actor" in facts:
            return self.say("refused.wait_for", name=facts["actor"])
        over = illegal.refusal.why == "game_over"
        return self.say("refused.new_game" if over else "refused.wait")

    # -- Bad input ----------------------------------------------------------------------------

    def problem(self, problem: Problem) -> str:
        """What is wrong, where and by which rule, and what would be right: in one line."""
        if isinstance(problem, IllegalMove):
            return self.refusal(_game_of_rule(problem.refusal.rule), problem, ())
        facts = {
            fact: printable(value) if fact in WHOLE else quoted(value)
            for fact, value in problem.facts.items()
        }
        if facts.get("game") in self.sentences["rules"]:
            facts["title"] = self._at(f"rules.{facts['game']}.title")
        if facts.get("rule") in self.sentences["allowed"]:
            facts["allowed"] = self._at(f"allowed.{facts['rule']}")
        worded = self._at(f"problems.{problem.key}")
        sentence = self.filled(worded, facts)
        where = "_".join(
            fact for fact in ("file", "line") if fact in facts and f"{{{fact}}}" not in worded
        )
        if not where:
            return sentence if worded.startswith("{file}") else capitalised(sentence)
        return self.say(f"problem_in.{where}", **{**facts, "problem": sentence})

    # -- Points -------------------------------------------------------------------------------

    def score_line(self, name: str, points: int) -> str:
        return self.say("scores.line", name=name, points=points)

    def best(self, game: Game[Any], options: Options) -> str:
        """Whether one wants many points or few."""
        return self.say("scores.most" if game.best(options) is max else "scores.fewest")

    def scores(
        self,
        game: Game[Any],
        scores: Sequence[int],
        names: Sequence[str],
        options: Options | None = None,
    ) -> list[str]:
        """A line a seat, and a last one that says what is best."""
        lines = [self.score_line(name, own) for name, own in zip(names, scores, strict=True)]
        return [*lines, self.best(game, options or {})]

    def result(
        self,
        game: Game[Any],
        options: Options,
        scores: Sequence[int],
        winners: Sequence[Seat],
        names: Sequence[str],
        you: Seat | None = None,
    ) -> str:
        """Who has won, or who shares the win."""
        best = "most" if game.best(options) is max else "fewest"
        key = "win" if len(winners) == 1 else "share"
        best_names = [self._name(names, seat) for seat in winners if seat != you]
        if you in winners:
            key = f"you_{key}"
            best_names.insert(0, self.say("result.you"))
        facts = {"best": self.say(f"result.{best}"), "points": scores[winners[0]]}
        return self.say(f"result.{key}", names=best_names, **facts)

    def place(self, game: Game[Any], family: str, mark: str | None) -> str:
        """What a place is called, with what tells it from others of its family; a game that has no words for it
        says its name."""
        words = self.sentences.get("places", {}).get(game.ID, {}).get(family.replace(" ", "_"))
        if words is None:
            return family if mark is None else f"{family} {mark}"
        return self.filled(words, {"mark": mark or ""}).rstrip()

    def part(self, game: Game[Any], name: str) -> str:
        """A part of what points are made of; a game that has no words for it says its name."""
        words = self.sentences.get("parts", {}).get(game.ID, {})
        return str(words.get(name, name))

    # -- Cards and rules ----------------------------------------------------------------------

    def deck_note(self, game: Game[Any], deck: Deck) -> str:
        """How sure it is that the cards show what the printed ones do."""
        return self.say(f"decks.{deck.basis}", title=game.TITLE)

    def rule(self, rule_id: str) -> tuple[str, str]:
        """A rule's short name and its text."""
        for page in self.sentences["rules"].values():
            if rule_id in page["text"]:
                return page["short"][rule_id], page["text"][rule_id]
        raise Problem("unknown_rule", rule=rule_id)

    def rules(self, game: Game[Any]) -> RulesPage:
        page = self._at(f"rules.{game.ID}")
        sections = tuple(
            (section["heading"], tuple((rule, *self.rule(rule)) for rule in section["rules"]))
            for section in page["section"]
        )
        basis = weakest_basis(game.DECK_FILES)
        return RulesPage(
            **{name: page[name] for name in ("title", "players", "goal", "seen", "how_to_type")},
            sections=sections,
            options=tuple(page["options"].items()),
            examples=tuple(page.get("examples", {}).values()),
            deck=self.say(f"decks.{basis}", title=game.TITLE),
        )


def _game_of_rule(rule: str) -> Game[Any]:
    return next(game for game in GAMES.values() if rule.startswith(f"{game.PREFIX}-"))
