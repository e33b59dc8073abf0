"""What people read, in both languages: nothing missing, nothing left over, and good grammar."""

import ast
import json
import re
import string
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace as with_other
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

import bullpen
from bullpen.cards import Problem
from bullpen.deck import Deck, deck_from_json, load_deck
from bullpen.game import Event, Game, IllegalMove, complete_options, read_options, refuse
from bullpen.games import GAMES
from bullpen.languages import LANGUAGES, LOCALE, own_name
from bullpen.match import Match
from bullpen.record import as_record, load, record_text, replay
from bullpen.text import Voice, completed, own_sentences, voice
from tests.games import baron_oxx, bullenparty, eleven_nimmt, hornochsen, x_nimmt

SOURCES = Path(bullpen.__file__).parent
RULES = Path(__file__).parent.parent / "docs" / "games"
NAMES = ["Anna", "Bob", "Celina", "Dan", "Ewa", "Filip", "Greta", "Hubert", "Iga", "Jan"]

en, pl = voice("en"), voice("pl")
each_language = pytest.mark.parametrize("language", LANGUAGES)
each_voice = pytest.mark.parametrize("spoken", [voice(one) for one in LANGUAGES], ids=LANGUAGES)
each_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


# -- The sentences themselves -----------------------------------------------------------------


def sentences(of: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Every sentence with its dotted key."""
    if isinstance(of, str):
        yield key, of
    elif isinstance(of, list):
        for at, item in enumerate(of):
            yield from sentences(item, f"{key}.{at}")
    else:
        for word, item in of.items():
            yield from sentences(item, f"{key}.{word}" if key else word)


def spoken_sentences(of: Mapping[str, Any]) -> dict[str, str]:
    """All but the nouns, and of the browser's plurals one form: a language has its own forms of them."""
    found = sentences({k: v for k, v in of.items() if k not in ("language", "nouns", "browser")})
    browser = {
        game: {key: said if isinstance(said, str) else said["other"] for key, said in words.items()}
        for game, words in of["browser"].items()
    }
    return dict(found) | dict(sentences(browser, "browser"))


def facts_of(sentence: str) -> list[tuple[str, str]]:
    parts = string.Formatter().parse(sentence)
    return [(name, spec or "") for _, name, spec, _ in parts if name is not None]


def own(language: str) -> dict[str, str]:
    """What the files of a language say, without what it borrows."""
    return spoken_sentences(own_sentences(language))


@each_language
def test_no_language_lacks_a_sentence(language: str) -> None:
    lacking = sorted(set(own("en")) - set(own(language)))
    assert lacking == [], f"{len(lacking)} sentences are said in English"


@each_language
def test_no_language_lacks_a_noun_or_a_fact_of_itself(language: str) -> None:
    english, other = own_sentences("en"), own_sentences(language)
    for part in ("language", "nouns"):
        assert set(english[part]) <= set(other[part])


@each_language
def test_no_language_says_what_english_does_not(language: str) -> None:
    assert sorted(set(own(language)) - set(own("en"))) == []


@each_voice
def test_no_sentence_stands_in_two_files(spoken: Voice) -> None:
    files = sorted((SOURCES / "locale").glob(f"{spoken.language}.*toml"))
    keys = [key for file in files for key, _ in sentences(tomllib.loads(file.read_text("utf-8")))]
    assert len(files) >= 2
    assert [key for key, times in Counter(keys).items() if times > 1] == []


@each_language
def test_a_sentence_has_the_same_facts_in_every_language(language: str) -> None:
    other = own(language)
    wrong = {
        key: other[key]
        for key, sentence in own("en").items()
        if key in other
        and {name for name, _ in facts_of(sentence)} != {name for name, _ in facts_of(other[key])}
    }
    assert wrong == {}


def test_a_language_is_there_where_its_file_is() -> None:
    files = {path.stem for path in LOCALE.glob("*.toml")}
    assert set(LANGUAGES) == {name for name in files if "." not in name}
    assert LANGUAGES[0] == "en"
    assert {"en", "pl"} <= set(LANGUAGES)
    assert [own_name(language) for language in ("en", "pl")] == ["English", "Polski"]


def test_nothing_else_lists_the_languages() -> None:
    """Nor asks for one by its name: what it does differently stands in its file."""
    named = re.compile(rf"""["']({"|".join(LANGUAGES[1:])})["']""")
    asking = [path for path in SOURCES.rglob("*.py") if named.search(path.read_text("utf-8"))]
    assert asking == []


# -- What a language lacks --------------------------------------------------------------------


def with_gaps() -> Voice:
    """Polish without some sentences, a noun and all words of a game."""
    polish = own_sentences("pl")
    del polish["scores"]["line"], polish["refused"]["new_game"], polish["nouns"]["bull"]
    del polish["events"]["x-nimmt"], polish["rules"]["x-nimmt"]
    return Voice("pl", completed(polish, en.sentences))


def test_what_a_language_lacks_is_said_in_english() -> None:
    patchy = with_gaps()
    assert patchy.say("refused.new_game") == en.say("refused.new_game")
    assert patchy.rules(x_nimmt) == with_other(en.rules(x_nimmt), deck=pl.rules(x_nimmt).deck)
    assert patchy.say("refused.wait") == pl.say("refused.wait")


def test_an_english_sentence_in_another_language_keeps_english_numbers_and_lists() -> None:
    patchy = with_gaps()
    assert patchy.score_line("Anna", 2) == "Anna: 2 points"
    taken = {"event": "collect", "seat": 0, "cards": [10, 20, 33], "row": 2}
    assert patchy.event(x_nimmt, taken, NAMES) == "Anna collects row 2: 10, 20 and 33."


def test_a_sentence_whose_noun_is_missing_takes_the_english_noun() -> None:
    assert with_gaps().say("means.bulls", count=3) == "3 bulls"


def test_numbers_are_written_as_a_language_does() -> None:
    assert (en.decimal(1.25, 1), pl.decimal(-1.26, 1)) == ("1.2", "-1,3")


@each_voice
def test_no_sentence_is_empty_or_untidy(spoken: Voice) -> None:
    for key, sentence in spoken_sentences(spoken.sentences).items():
        assert sentence, key
        if not key.startswith("terminal."):  # which lays out whole screens
            assert sentence == " ".join(sentence.split()), key


@each_voice
def test_every_noun_in_a_sentence_has_the_forms_of_its_language(spoken: Voice) -> None:
    forms = set(spoken.sentences["language"]["forms"])
    nouns = spoken.sentences["nouns"]
    for key, sentence in spoken_sentences(spoken.sentences).items():
        for _, noun in facts_of(sentence):
            assert not noun or set(nouns[noun]) == forms, key


@each_voice
def test_the_name_of_a_player_never_follows_a_polish_preposition(spoken: Voice) -> None:
    """Names stay in the nominative: „traci ją Bob”, not „od Bob”."""
    if spoken.language == "pl":
        for key, sentence in spoken_sentences(spoken.sentences).items():
            if key.startswith("rules."):
                continue
            assert not re.search(r"\b(?:od|do|z|dla|przez|na|o|u) \{(?:name|giver)", sentence), key


# -- Keys without a sentence ------------------------------------------------------------------

PROBLEMS = {
    "Problem": 0,
    "BadDeck": 0,
    "BadOption": 0,
    "BadRecord": 0,
    "Refused": 1,
    "StaleDecision": 0,
    "refuse": 1,
}


# What `Voice.problem` and `Voice.refusal` add to the facts.
ADDED_FACTS = {"game": "title", "rule": "allowed"}
OWN_LAYERS = ("cards", "deck", "game", "match", "record", "text")


def constants(node: ast.AST) -> set[str]:
    """The words that an expression can have as its value: a text, or one of two texts."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return {node.value}
    if isinstance(node, ast.IfExp):
        return constants(node.body) | constants(node.orelse)
    return set()


class Raised(NamedTuple):
    where: str
    facts: frozenset[str] | None  # None: not all of them can be read from the source


@cache
def raised_keys(kind: str) -> dict[str, Raised]:
    """Every key that the sources give to `Problem`, or to `refuse`."""
    found: dict[str, Raised] = {}
    for path in sorted(SOURCES.rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        for function in [
            n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)
        ]:
            assigned = {
                target.id: constants(node.value)
                for node in ast.walk(function)
                if isinstance(node, ast.Assign)
                for target in node.targets
                if isinstance(target, ast.Name)
            }
            for call in [n for n in ast.walk(function) if isinstance(n, ast.Call)]:
                name = call.func.id if isinstance(call.func, ast.Name) else ""
                if name not in PROBLEMS or (name == "refuse") != (kind == "refusals"):
                    continue
                given = call.args[PROBLEMS[name]]
                keys = assigned.get(given.id) if isinstance(given, ast.Name) else constants(given)
                where = f"{path.relative_to(SOURCES)}:{call.lineno}"
                if not keys:
                    # A problem that is passed on, or a refusal out of FORMS.
                    assert ast.unparse(given) in ("problem.key", "why"), where
                facts = {keyword.arg for keyword in call.keywords}
                known = None if None in facts else frozenset(map(str, facts))
                found |= dict.fromkeys(keys or (), Raised(where, known))
    return found


def refusal_keys() -> set[str]:
    forms = {why for game in GAMES.values() for _, why in game.FORMS.values()}
    return set(raised_keys("refusals")) | forms


def test_the_search_finds_the_keys_that_the_sources_use() -> None:
    assert {"unknown_game", "deck_row", "record_truncated", "record_not_json"} <= set(
        raised_keys("problems")
    )
    assert {
        "not_a_move",
        "row_already_taken",
        "choose_a_row_to_take",
        "no_such_card",
    } <= refusal_keys()


@each_voice
def test_every_problem_has_a_sentence(spoken: Voice) -> None:
    for key, raised in raised_keys("problems").items():
        assert key in spoken.sentences["problems"], raised.where


@each_voice
def test_every_refusal_has_a_sentence(spoken: Voice) -> None:
    for key in refusal_keys():
        assert key in spoken.sentences["refusals"]


@pytest.mark.parametrize("kind", ["problems", "refusals"])
def test_a_sentence_asks_for_no_fact_that_is_not_given(kind: str) -> None:
    for key, raised in raised_keys(kind).items():
        if raised.facts is not None:
            given = raised.facts | {ADDED_FACTS.get(fact, "") for fact in raised.facts}
            asked = {name for name, _ in facts_of(en.sentences[kind][key])}
            assert asked <= given, raised.where


def test_no_refusal_is_worded_that_nobody_uses() -> None:
    assert set(en.sentences["refusals"]) == refusal_keys()


@each_voice
@each_game
def test_every_event_and_every_form_of_move_has_a_sentence(spoken: Voice, game: Game[Any]) -> None:
    told, moves = spoken.sentences["events"][game.ID], spoken.sentences["moves"][game.ID]
    for event, facts in game.EVENTS.items():
        assert event in told
        if "seat" in facts or event == "reveal":
            assert event in told["you"]
    for move in game.NOTATION.values():
        assert spoken.move(game, move)
    assert {re.sub(r"(?<![\w+])\d+", "N", form) for form in game.FORMS} == set(moves) - {"bid 0"}


@each_voice
@each_game
def test_what_a_deck_file_may_show_is_said(spoken: Voice, game: Game[Any]) -> None:
    for form in game.DECK_FILES:
        assert form.rule in spoken.sentences["allowed"]


def test_an_unknown_language_is_a_problem_that_names_the_known_ones() -> None:
    with pytest.raises(Problem) as caught:
        voice("tlh")
    known = ", ".join(LANGUAGES)
    assert en.problem(caught.value) == f"There is no language “tlh” here; there are {known}."


def test_a_language_is_loaded_once() -> None:
    assert voice("pl") is pl


# -- Plurals and lists ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("points", "english", "polish"),
    [
        (0, "0 points", "0 punktów"),
        (1, "1 point", "1 punkt"),
        (2, "2 points", "2 punkty"),
        (4, "4 points", "4 punkty"),
        (5, "5 points", "5 punktów"),
        (11, "11 points", "11 punktów"),
        (12, "12 points", "12 punktów"),
        (14, "14 points", "14 punktów"),
        (21, "21 points", "21 punktów"),
        (22, "22 points", "22 punkty"),
        (25, "25 points", "25 punktów"),
        (101, "101 points", "101 punktów"),
        (104, "104 points", "104 punkty"),
        (112, "112 points", "112 punktów"),
        (-1, "−1 point", "−1 punkt"),
        (-3, "−3 points", "−3 punkty"),
    ],
)
def test_a_number_has_its_noun_in_the_right_form(points: int, english: str, polish: str) -> None:
    assert en.score_line("Anna", points) == f"Anna: {english}"
    assert pl.score_line("Anna", points) == f"Anna: {polish}"


@pytest.mark.parametrize(
    ("cards", "english", "polish"),
    [
        ([10], "10", "10"),
        ([10, 20], "10 and 20", "10 i 20"),
        ([10, 20, 33], "10, 20 and 33", "10, 20 i 33"),
    ],
)
def test_cards_are_listed_naturally(cards: list[int], english: str, polish: str) -> None:
    taken = {"event": "collect", "seat": 0, "cards": cards, "row": 2}
    assert en.event(x_nimmt, taken, NAMES) == f"Anna collects row 2: {english}."
    assert pl.event(x_nimmt, taken, NAMES) == f"Anna zbiera rząd 2: {polish}."


def test_a_name_is_inserted_as_it_is() -> None:
    placed = {"event": "place", "seat": 0, "card": 43, "row": 2}
    assert en.event(x_nimmt, placed, ["{Bobby} tables"]) == "{Bobby} tables adds 43 to row 2."


# -- Events -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "event", "english", "polish"),
    [
        (
            x_nimmt,
            {"event": "place", "seat": 0, "card": 43, "row": 2},
            "You add 43 to row 2.",
            "Dokładasz 43 do rzędu 2.",
        ),
        (
            x_nimmt,
            {"event": "reveal", "cards": [43, 12, 7]},
            "You play 43, Celina 7, Bob 12.",
            "Ty zagrywasz 43, Celina 7, Bob 12.",
        ),
        (
            hornochsen,
            {"event": "take", "seat": 0, "cards": [1, 2, 3, 4, 5], "specials": ["x2", "+5"]},
            "You take a row: 1, 2, 3, 4 and 5, with x2 and +5.",
            "Zabierasz rząd: 1, 2, 3, 4 i 5, a z nim x2 i +5.",
        ),
        (
            bullenparty,
            {"event": "take", "seat": 0, "row": 2, "cards": [9, 8, 7, 6, 5], "bulls": [5]},
            "You take row 2: 9, 8, 7, 6 and 5, with a bull card of 5 heads.",
            "Zabierasz rząd 2: 9, 8, 7, 6 i 5 oraz kartę byka z 5 głowami.",
        ),
        (
            eleven_nimmt,
            {"event": "bull", "seat": 0, "from": 1},
            "You take a bull card from Bob.",
            "Zyskujesz kartę byka, traci ją Bob.",
        ),
        (
            eleven_nimmt,
            {"event": "bull", "seat": 1, "from": 0},
            "Bob takes a bull card from you.",
            "Bob zabiera ci kartę byka.",
        ),
        (
            baron_oxx,
            {"event": "take", "seat": 0, "cards": [4, 85], "row": 2, "rule": "BO-11"},
            "No row fits (BO-11): you take 4 and 85 from row 2.",
            "Żaden rząd nie pasuje (BO-11): zabierasz 4 i 85 z rzędu 2.",
        ),
        (
            baron_oxx,
            {"event": "draw", "seat": 0, "count": 1},
            "You draw 1 card.",
            "Dobierasz 1 kartę.",
        ),
    ],
)
def test_what_happens_to_the_reader_is_told_in_the_second_person(
    game: Game[Any], event: Event, english: str, polish: str
) -> None:
    assert en.event(game, event, NAMES, you=0) == english
    assert pl.event(game, event, NAMES, you=0) == polish


@pytest.mark.parametrize(
    ("game", "event", "english", "polish"),
    [
        (
            x_nimmt,
            {"event": "place", "seat": 0, "card": 43, "row": 2},
            "Anna adds 43 to row 2.",
            "Anna dokłada 43 do rzędu 2.",
        ),
        (
            x_nimmt,
            {"event": "reveal", "cards": [43, 12, 7]},
            "Celina plays 7, Bob 12, Anna 43.",
            "Celina zagrywa 7, Bob 12, Anna 43.",
        ),
        (
            baron_oxx,
            {"event": "take", "seat": 1, "cards": [62, 43], "row": 2, "rule": "BO-10"},
            "Six bulls of one colour (BO-10): Bob takes 62 and 43 from row 2.",
            "Sześć byków jednego koloru (BO-10): Bob zabiera 62 i 43 z rzędu 2.",
        ),
        (
            eleven_nimmt,
            {"event": "bull", "seat": 0, "from": "supply"},
            "Anna gets a bull card from the supply.",
            "Anna dostaje kartę byka z puli.",
        ),
    ],
)
def test_what_happens_to_others_is_told_with_their_names(
    game: Game[Any], event: Event, english: str, polish: str
) -> None:
    for you in (None, 3):
        assert en.event(game, event, NAMES, you) == english
        assert pl.event(game, event, NAMES, you) == polish


def test_the_reader_comes_first_among_the_revealed_cards() -> None:
    revealed = {"event": "reveal", "cards": [43, 12, 7]}
    assert en.event(x_nimmt, revealed, NAMES, you=1) == "You play 12, Celina 7, Anna 43."


def test_only_those_who_bid_are_named() -> None:
    revealed = {"event": "reveal", "bids": [None, 0, 36]}
    assert en.event(bullenparty, revealed, NAMES, you=0) == "Bob bids 0, Celina 36."
    assert pl.event(bullenparty, revealed, NAMES, you=2) == "Oferty: ty 36, Bob 0."
    alone = {"event": "reveal", "bids": [None, 0, None]}
    assert en.event(bullenparty, alone, NAMES, you=1) == "You bid 0."
    assert pl.event(bullenparty, alone, NAMES) == "Oferta: Bob 0."


def test_what_is_hidden_is_not_spoken_of() -> None:
    taken = {"event": "take", "seat": 1, "cards": None}
    assert en.event(eleven_nimmt, taken, NAMES, you=0) == "Bob takes a stack."
    assert pl.event(eleven_nimmt, taken, NAMES) == "Bob zabiera stosik."
    drawn = {"event": "draw", "seat": 1, "card": None}
    assert en.event(bullenparty, drawn, NAMES, you=0) == "Bob draws a card."
    assert pl.event(bullenparty, drawn, NAMES, you=0) == "Bob dobiera kartę."


def test_what_is_not_there_is_not_spoken_of() -> None:
    taken: Event = {"event": "take", "seat": 1, "row": 2, "cards": [9, 8], "bulls": []}
    assert en.event(bullenparty, taken, NAMES) == "Bob takes row 2: 9 and 8."
    new_pile = {"event": "pile", "seat": 0, "card": 49, "onto": None}
    assert pl.event(bullenparty, new_pile, NAMES, you=0) == "Zaczynasz nowy stosik kartą 49."


VARIANTS: dict[str, list[dict[str, Any]]] = {"baron-oxx": [{}, {"variant": "positive"}]}


def random_matches(game: Game[Any]) -> Iterator[Match]:
    """Matches to play: each number of seats, each variant; every one dealt the same way each time."""
    for seats in game.SEATS:
        for options in VARIANTS.get(game.ID, [{}]):
            yield bullpen.new(
                game.ID, seats, seed=seats, options=options, names=NAMES[: game.SEATS[-1]][:seats]
            )


def play_on(match: Match, rng: Random, prefer: str = "bid 0") -> list[Event]:
    seat = rng.choice(match.waiting_for)
    legal = match.legal(seat)
    if prefer in legal and rng.random() < 0.9:
        return match.move(seat, prefer)
    return match.move(seat, rng.choice(legal))


@each_game
def test_every_event_of_whole_games_is_told_to_everyone_in_every_language(game: Game[Any]) -> None:
    told = set()
    for match in random_matches(game):
        rng = Random(match.seats)
        events = list(match.events)
        while not match.is_over:
            events += play_on(match, rng)
        for event in events:
            told.add(event["event"])
            for spoken in map(voice, LANGUAGES):
                for you in (None, *range(match.seats)):
                    seen = game.seen_by(event, you, match.options)
                    for reader in (you, None):
                        sentence = spoken.event(game, seen, match.names, reader)
                        assert not re.search(r"[{}]|null|None|\[|\]", sentence)
                        assert sentence.endswith(".")
    assert told == set(game.EVENTS)


# -- Moves ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "move", "english", "polish"),
    [
        ("x-nimmt", "play 43", "Play the 43", "Zagraj 43"),
        ("x-nimmt", "row 2", "Take row 2", "Zbierz rząd 2"),
        ("six-nimmt", "row 2", "Take row 2", "Zabierz rząd 2"),
        ("baron-oxx", "row 2", "Choose row 2", "Wybierz rząd 2"),
        ("bullenparty", "bid 0", "Bid your zero card", "Licytuj kartą zero"),
        ("bullenparty", "pile 49 on 31", "Lay the 49 on the 31", "Połóż 49 na 31"),
        (
            "bullenparty",
            "pile 49 new",
            "Start a new pile with the 49",
            "Zacznij nowy stosik kartą 49",
        ),
        (
            "eleven-nimmt",
            "bull from 2",
            "Take a bull card from Celina",
            "Weź kartę byka, którą ma Celina",
        ),
        (
            "hornochsen",
            "x2 on 35",
            "Put your x2 on the row ending in 35",
            "Połóż x2 w rzędzie kończącym się na 35",
        ),
        ("hornochsen", "stop", "End your turn", "Zakończ turę"),
    ],
)
def test_a_move_is_told_in_a_few_words(game: str, move: str, english: str, polish: str) -> None:
    assert en.move(GAMES[game], move, NAMES) == english
    assert pl.move(GAMES[game], move, NAMES) == polish


def test_a_player_without_a_name_is_called_by_the_seat() -> None:
    assert en.move(eleven_nimmt, "bull from 2") == "Take a bull card from seat 2"


# -- Refusals ---------------------------------------------------------------------------------


@each_game
def test_real_refusals_say_what_was_tried_why_and_what_is_allowed(game: Game[Any]) -> None:
    """Asks for all kinds of actions in whole games; what comes back must be one tidy line."""
    met: Counter[str] = Counter()
    for match in random_matches(game):
        rng = Random(match.seats)
        while True:
            for seat, action in forbidden_actions(match, rng):
                refusal = game.why_not(match.table, seat, action)
                met[refusal.why] += 1
                if met[refusal.why] < 100:
                    move = game.NOTATION.get(action, str(action))
                    check_refusal(game, match, IllegalMove(seat, move, refusal, match.legal(seat)))
            if match.is_over:
                break
            play_on(match, rng)
    module = game.ID.replace("-", "_")
    own = {why for why, raised in raised_keys("refusals").items() if module in raised.where}
    # A match is always dealt; and random bidding always leaves something to draw.
    assert own - set(met) <= {"not_dealt", "no_zero_when_nothing_to_draw"}


def forbidden_actions(match: Match, rng: Random) -> Iterator[tuple[int, int]]:
    """For someone who has to choose, and for anyone: actions that are not legal."""
    actions = list(match.game.NOTATION)
    for seat in {*match.waiting_for[:1], rng.randrange(match.seats)}:
        legal = set(match.game.legal(match.table, seat))
        tried = {0, 99999, *rng.sample(actions, 20)}  # 99999 is no action at all
        if len(legal) < 5:  # a choice of a row or of a collected card: try them all
            tried.update(actions[:300])
        yield from ((seat, action) for action in tried - legal)


@each_voice
@each_game
def test_a_text_that_is_no_move_is_refused_with_the_forms_of_moves(
    spoken: Voice, game: Game[Any]
) -> None:
    match = bullpen.new(game.ID, 2, seed=1, names=["Anna", "Bob"])
    for text in ("dance", *(re.sub(r"(?<![\w+])\d+", "999", form) for form in game.FORMS)):
        with pytest.raises(IllegalMove) as caught:
            match.move(match.waiting_for[0], text)
        check_refusal(game, match, caught.value)
        if text == "dance":
            assert all(form in spoken.refusal(game, caught.value, NAMES) for form in game.FORMS)


def check_refusal(game: Game[Any], match: Match, illegal: IllegalMove) -> None:
    for spoken in map(voice, LANGUAGES):
        line = spoken.refusal(game, illegal, match.names)
        assert illegal.move in line
        assert f"({illegal.refusal.rule})" in line
        assert not re.search(r"[{}\n]|null|None", line)
        assert all(move in line for move in illegal.legal[:12])
        assert ("…" in line) == (len(illegal.legal) > 12)
        assert illegal.legal or match.is_over or len(line) < 300


def test_a_refusal_names_the_rule_and_the_legal_moves() -> None:
    match = bullpen.new("x-nimmt", 2, seed=7, names=["Anna", "Bob"])
    missing = next(card for card in range(1, 101) if f"play {card}" not in match.legal(0))
    with pytest.raises(IllegalMove) as caught:
        match.move(0, f"play {missing}")
    legal = ", ".join(match.legal(0))
    assert en.refusal(match.game, caught.value, match.names) == (
        f"“play {missing}” is not possible: the {missing} is not in your hand (XN-3). "
        f"Possible now: {legal}."
    )
    assert pl.refusal(match.game, caught.value, match.names) == (
        f"Ruch „play {missing}” jest niemożliwy: nie masz na ręce karty {missing} (XN-3). "
        f"Możesz teraz: {legal}."
    )


def test_a_refusal_shows_twelve_moves_at_most() -> None:
    moves = [f"play {card}" for card in range(1, 14)]
    illegal = IllegalMove(0, "play 99", refuse("HO-6", "card_not_in_hand", card=99), moves)
    line = en.refusal(hornochsen, illegal, NAMES)
    assert line.endswith("play 11, play 12, …")
    assert "play 13" not in line


def test_a_refusal_out_of_turn_says_who_is_to_choose() -> None:
    match = bullpen.new("hornochsen", 2, seed=7, names=["Anna", "Bob"])
    with pytest.raises(IllegalMove) as caught:
        match.move(1, "stop")
    assert en.refusal(match.game, caught.value, match.names) == (
        "“stop” is not possible: it is not your turn (HO-6). Now Anna is choosing."
    )
    assert pl.refusal(match.game, caught.value, match.names).endswith("Teraz wybiera Anna.")


def test_a_refusal_after_the_end_says_that_the_game_is_over() -> None:
    illegal = IllegalMove(0, "stop", refuse("HO-15", "game_over"), [])
    assert en.refusal(hornochsen, illegal, NAMES) == (
        "“stop” is not possible: the game is over (HO-15). Start a new one to play on."
    )


def test_what_a_user_types_is_quoted_on_one_short_line() -> None:
    illegal = IllegalMove(0, "\x1b[2J\n" + "x" * 500, refuse("HO-6", "not_a_move"), ["stop"])
    line = en.refusal(hornochsen, illegal, NAMES)
    assert line.isprintable()
    assert len(line) < 300


# -- Problems ---------------------------------------------------------------------------------


def bad_decks(folder: Path) -> dict[str, Any]:
    """By key: something to do that meets the problem."""

    def own(content: str | bytes, game: Any = x_nimmt) -> Any:
        path = folder / "cards.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return load_deck(game.DECK_FILES, [path])

    forms = x_nimmt.DECK_FILES
    return {
        "deck_unreadable": lambda: load_deck(forms, [folder / "nowhere.csv"]),
        "deck_not_text": lambda: own(b"\xff\xfe\xff"),
        "deck_header": lambda: own("card,heads\n"),
        "deck_columns": lambda: own("number,heads\n1,2,3\n"),
        "deck_row": lambda: own("number,heads\n1,4\n"),
        "deck_number": lambda: own("number,heads\n101,1\n"),
        "deck_twice": lambda: own("number,heads\n1,1\n1,1\n"),
        "deck_missing": lambda: own("number,heads\n1,1\n"),
        "deck_parts": lambda: deck_from_json(forms, {}),
        "deck_size": lambda: deck_from_json(forms, {"heads": [1]}),
        "deck_face": lambda: deck_from_json(forms, {"heads": [4] * 100}),
    }


def bad_options() -> dict[str, Any]:
    return {
        "unknown_game": lambda: bullpen.new("chess", 2),
        "unknown_language": lambda: voice("xx"),
        "unknown_rule": lambda: en.rule("XN-99"),
        "bad_seats": lambda: bullpen.new("x-nimmt", 7),
        "seats_type": lambda: bullpen.new("x-nimmt", "2"),  # type: ignore[arg-type]
        "seed_type": lambda: bullpen.new("x-nimmt", 2, seed="a"),  # type: ignore[arg-type]
        "no_such_place": lambda: bullpen.new("x-nimmt", 2).view(0).cards("row 9"),
        "no_hand_here": lambda: bullpen.new("x-nimmt", 2).view(None).hand,
        "bad_names": lambda: bullpen.new("x-nimmt", 2, names=["Anna"]),
        "no_such_seat": lambda: bullpen.new("x-nimmt", 2).legal(2),
        "unknown_option": lambda: complete_options(x_nimmt, 2, {"speed": 3}),
        "bad_option": lambda: complete_options(x_nimmt, 2, {"rounds": None}),
        "size_cards": lambda: complete_options(x_nimmt, 4, {"hand": 3, "cards": 7}),
        "size_limit": lambda: complete_options(GAMES["six-nimmt"], 2, {"hand": 3, "rounds": None}),
        "size_tactical": lambda: complete_options(
            GAMES["six-nimmt"], 2, {"deck": "tactical", "cards": 50}
        ),
        "size_ring": lambda: complete_options(
            GAMES["hornochsen"], 2, {"hand": 3, "rows": 2, "full_at": 3}
        ),
        "option_form": lambda: read_options(x_nimmt, 2, ["rounds"]),
        "nothing_to_undo": lambda: bullpen.new("x-nimmt", 2).undo(),
        "move_not_text": lambda: bullpen.new("x-nimmt", 2).move(0, 43),
        "action_not_a_number": lambda: bullpen.new("x-nimmt", 2).act(0, 2.5),  # type: ignore[arg-type]
    }


def changed(**entries: Any) -> str:
    """A record of two moves, with some entries changed (and the checksum not)."""
    match = bullpen.new("x-nimmt", 2, seed=7, names=["Anna", "Bob"])
    for seat in (0, 1):
        match.move(seat, match.legal(seat)[0])
    return record_text({**as_record(match), **entries})


def bad_records(folder: Path) -> dict[str, Any]:
    whole = changed()
    no_text = folder / "no-text.json"
    no_text.write_bytes(b"\xff\xfe")
    lacking = {key: value for key, value in json.loads(whole).items() if key != "deck"}
    shuffles = json.loads(whole)["shuffles"]
    return {
        "record_unreadable": lambda: load(folder / "nowhere.json"),
        "record_not_text": lambda: load(no_text),
        "record_truncated": lambda: replay(whole[:-200]),
        "record_not_json": lambda: replay("{x" + whole),
        "record_none": lambda: replay("# A page of something else\n"),
        "record_format": lambda: replay(changed(format="chess")),
        "record_version": lambda: replay(changed(version=99)),
        "record_incomplete": lambda: replay(record_text(lacking)),
        "record_unknown": lambda: replay(changed(colour="red")),
        "record_type": lambda: replay(changed(moves={})),
        "record_move": lambda: replay(changed(moves=["play 3"])),
        "record_illegal": lambda: replay(changed(moves=[{"seat": 0, "move": "row 1"}])),
        "record_shuffle": lambda: replay(changed(shuffles=[[1, 2, 3]])),
        "record_shuffle_missing": lambda: replay(changed(shuffles=[])),
        "record_shuffle_unused": lambda: replay(changed(shuffles=shuffles * 2)),
        "record_differs": lambda: replay(changed(scores=[3, 4])),
        "record_changed": lambda: replay(changed(sha256="")),
        "record_basis": lambda: replay(changed(deck={"heads": [1] * 100})),
    }


def test_every_problem_can_be_met_and_is_told_in_one_line(tmp_path: Path) -> None:
    met = bad_decks(tmp_path) | bad_options() | bad_records(tmp_path)
    raised = raised_keys("problems").items()
    assert {key for key, (where, _) in raised if where.startswith(OWN_LAYERS)} <= set(met)
    for key, meet in met.items():
        with pytest.raises(Problem) as caught:
            meet()
        assert caught.value.key == key
        for spoken in map(voice, LANGUAGES):
            line = spoken.problem(caught.value)
            assert line.isprintable(), line
            assert not re.search(r"[{}]|None", line) or key == "record_move", line
            assert len(line) < 250, line
            for fact in ("rule", "line"):
                assert str(caught.value.facts.get(fact, "")) in line


def test_a_problem_in_a_deck_file_names_the_line_the_rule_and_what_is_allowed(
    tmp_path: Path,
) -> None:
    own = tmp_path / "cards.csv"
    own.write_text("number,heads\n1,1\n2,4\n")
    with pytest.raises(Problem) as caught:
        load_deck(x_nimmt.DECK_FILES, [own])
    english, polish = en.problem(caught.value), pl.problem(caught.value)
    assert english.endswith(
        ", line 3: “2,4” is not possible; allowed: 1, 2, 3, 5 or 7 heads (XN-1)."
    )
    assert polish.endswith(
        ", wiersz 3: wpis „2,4” jest niedozwolony; dozwolone: 1, 2, 3, 5 lub 7 głów (XN-1)."
    )


def test_a_problem_in_a_record_names_the_line_whatever_the_problem_is() -> None:
    with pytest.raises(Problem) as caught:
        replay(changed(players=["Anna", "Bob", "", "", "", "", ""]))
    assert re.match(r"Line \d+: X nimmt! is for 2 to 4 players, not 7\.", en.problem(caught.value))
    assert re.match(r"Wiersz \d+: w X nimmt! gra od 2 do 4 osób", pl.problem(caught.value))


def test_a_problem_begins_with_a_capital_letter() -> None:
    assert en.problem(Problem("no_such_seat", seat=5, last=1)) == (
        "There is no seat 5; the seats are 0 to 1."
    )


def test_an_illegal_move_is_told_as_a_problem_too() -> None:
    illegal = IllegalMove(1, "stop", refuse("HO-6", "not_your_turn", actor=0), [])
    assert en.problem(illegal) == (
        "“stop” is not possible: it is not your turn (HO-6). Now seat 0 is choosing."
    )


def test_what_a_file_holds_is_quoted_without_commands_to_the_terminal() -> None:
    line = en.problem(Problem("unknown_game", game="\x1b[31m" + "x" * 999, known="x-nimmt"))
    assert line.isprintable()
    assert len(line) < 200


# -- Points -----------------------------------------------------------------------------------


def test_scores_end_with_what_is_best() -> None:
    assert en.scores(x_nimmt, [12, 1], ["Anna", "Bob"]) == [
        "Anna: 12 points",
        "Bob: 1 point",
        "The lowest score wins.",
    ]
    assert pl.scores(baron_oxx, [3], ["Anna"], {"variant": "positive"}) == [
        "Anna: 3 punkty",
        "Wygrywa najwyższy wynik.",
    ]


@each_game
def test_most_or_fewest_is_best_as_the_game_itself_counts(game: Game[Any]) -> None:
    for match in random_matches(game):
        rng = Random(match.seats)
        while not match.is_over:
            play_on(match, rng)
        best = game.best(match.options)
        assert {match.scores[seat] for seat in match.winners} == {best(match.scores)}


def test_the_result_says_who_has_won() -> None:
    assert en.result(x_nimmt, {}, [12, 20], [0], ["Anna", "Bob"]) == (
        "Anna wins with 12 points, the fewest of all."
    )
    assert pl.result(hornochsen, {}, [1, 22], [1], ["Anna", "Bob"]) == (
        "Wygrywa Bob z najwyższym wynikiem: 22 punkty."
    )


def test_the_result_speaks_to_a_reader_who_has_won() -> None:
    assert en.result(hornochsen, {}, [1, 0], [0], ["Anna", "Bob"], you=0) == (
        "You win with 1 point, the most of all."
    )
    assert pl.result(x_nimmt, {}, [5, 8], [0], ["Anna", "Bob"], you=0) == (
        "Wygrywasz z najniższym wynikiem: 5 punktów."
    )
    assert en.result(x_nimmt, {}, [5, 8], [0], ["Anna", "Bob"], you=1).startswith("Anna wins")


def test_a_win_can_be_shared() -> None:
    names, scores = ["Anna", "Bob", "Celina"], [12, 12, 12]
    assert en.result(x_nimmt, {}, scores, [0, 1], names) == (
        "Anna and Bob share the win with 12 points each, the fewest of all."
    )
    assert pl.result(x_nimmt, {}, scores, [0, 1, 2], names) == (
        "Anna, Bob i Celina dzielą się zwycięstwem z najniższym wynikiem: 12 punktów."
    )
    assert en.result(x_nimmt, {}, scores, [0, 1], names, you=1).startswith("You and Anna share")
    assert pl.result(x_nimmt, {}, scores, [0, 1, 2], names, you=1) == (
        "Ty, Anna i Celina dzielicie się zwycięstwem z najniższym wynikiem: 12 punktów."
    )


# -- Cards and rules --------------------------------------------------------------------------


@each_voice
def test_the_deck_note_says_how_sure_the_cards_are(spoken: Voice) -> None:
    notes = {spoken.deck_note(x_nimmt, Deck(b)) for b in ("established", "reconstruction", "own")}
    assert len(notes) == 3
    assert all("X nimmt!" in note for note in notes)
    assert "--deck" in spoken.deck_note(baron_oxx, load_deck(baron_oxx.DECK_FILES))


@each_voice
@each_game
def test_the_rules_page_has_every_rule_of_the_exact_rules_once(
    spoken: Voice, game: Game[Any]
) -> None:
    exact = re.findall(r"\*\*([A-Z]{2}-\d+)\*\*", (RULES / f"{game.ID}.md").read_text("utf-8"))
    page = spoken.rules(game)
    told = [rule for _, rules in page.sections for rule, _, _ in rules]
    assert sorted(told) == sorted(exact)
    assert all(spoken.rule(rule) == (s, t) for _, rs in page.sections for rule, s, t in rs)


@each_voice
@each_game
def test_the_rules_page_is_complete(spoken: Voice, game: Game[Any]) -> None:
    page = spoken.rules(game)
    assert page.title == game.TITLE
    assert f"{game.SEATS[0]}-{game.SEATS[-1]} " in page.players.replace("–", "-")
    assert page.goal
    assert page.seen
    assert page.deck == spoken.deck_note(game, load_deck(game.DECK_FILES))
    assert [name for name, _ in page.options] == [option.name for option in game.OPTIONS]
    examples = (RULES / f"{game.ID}.md").read_text("utf-8").partition("## Worked examples")[2]
    assert len(page.examples) == len(re.findall(r"^\d+\. ", examples, re.MULTILINE))


@each_voice
@each_game
def test_the_rules_page_shows_how_to_type_every_form_of_move(
    spoken: Voice, game: Game[Any]
) -> None:
    for form in game.FORMS:
        assert f"`{form}`" in spoken.rules(game).how_to_type


@each_voice
def test_every_move_quoted_in_the_rules_is_one(spoken: Voice) -> None:
    for game in GAMES.values():
        texts = [sentence for _, sentence in sentences(spoken.sentences["rules"][game.ID])]
        for quoted in re.findall(r"`([a-z+][\w+]* [\w ]+)`", " ".join(texts)):
            assert quoted in game.NOTATION.values(), quoted
