"""The rules for reading: every scene shows what it says, by the rules of the game."""

import httpx
import pytest

from bullpen.about import Scene
from bullpen.games import GAMES, about
from bullpen.languages import LANGUAGES
from bullpen.server.rulebook import position, suggested, tried
from bullpen.server.wire.server_messages import SERVER_MESSAGE
from tests.server.running import Served, checked

ALL = [(game, scene) for game in GAMES for scene in about(GAMES[game]).scenes]
NAMES = [scene.rule for _, scene in ALL]


@pytest.mark.parametrize(("game", "scene"), ALL, ids=NAMES)
def test_a_scene_shows_its_rule(game: str, scene: Scene) -> None:
    actions = suggested(game, scene)
    seen: list[str] = []
    for made in range(1, len(actions) + 1):
        _, told = tried(game, scene, actions[:made])
        seen += [one.event["event"] for one in told if one.event and one.event.get("seat", 0) == 0]
    assert scene.event in seen
    if scene.event == "take" and game == "baron-oxx":
        rules = [
            one.event.get("rule") for one in told if one.event and one.event["event"] == "take"
        ]
        assert scene.rule in rules


@pytest.mark.parametrize(("game", "scene"), ALL, ids=NAMES)
def test_whatever_a_reader_tries_the_others_stay_as_they_were(game: str, scene: Scene) -> None:
    """The position is the same however often it was tried."""
    before = position(game, scene)
    table, numbers = before.table, before.numbers[:]
    for action in before.offers(0):
        tried(game, scene, [action])
    assert position(game, scene).table is table
    assert position(game, scene).numbers == numbers


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_can_be_read_and_tried(server: Served, game: str, language: str) -> None:
    with httpx.Client(base_url=f"{server.url}/api/rules", params={"lang": language}) as http:
        page = checked(http.get(f"/{game}"))
        ids = [rule["id"] for section in page["sections"] for rule in section["rules"]]
        assert len(ids) == len(set(ids)) > 8
        assert len(page["lessons"]) > 5
        for scene in page["scenes"]:
            assert scene["rule"] in ids
            welcome = checked(http.get(f"/{game}/{scene['rule']}"))
            SERVER_MESSAGE.validate_python(welcome)
            for made in range(1, len(scene["moves"]) + 1):
                offered = [one["action"] for one in welcome["view"]["decision"]["moves"]]
                assert scene["moves"][made - 1] in offered
                welcome = checked(
                    http.get(f"/{game}/{scene['rule']}", params={"move": scene["moves"][:made]})
                )
                SERVER_MESSAGE.validate_python(welcome)
                assert welcome["view"]["steps"]


def test_a_scene_hides_what_its_reader_may_not_see(server: Served) -> None:
    welcome = checked(httpx.get(f"{server.url}/api/rules/six-nimmt/SN-4"))
    places = welcome["view"]["places"]
    assert isinstance(places["hand 0"], list)
    assert isinstance(places["hand 1"], int)


def test_a_move_that_the_rules_forbid_is_refused_with_the_reason(server: Served) -> None:
    address = f"{server.url}/api/rules/six-nimmt/SN-4"
    answer = httpx.get(address, params={"move": 105, "lang": "en"})
    assert answer.status_code == 422
    assert "SN-" in answer.json()["message"]


def test_a_rule_without_a_scene_is_not_found(server: Served) -> None:
    answer = httpx.get(f"{server.url}/api/rules/six-nimmt/SN-99")
    assert answer.status_code == 404
    assert answer.json()["key"] == "no_such_page"


def test_a_replay_can_be_seen_through_the_eyes_of_a_seat(server: Served) -> None:
    import asyncio

    from tests.server.running import people, play_together, started_table

    short = {"rounds": 1, "deck": "tactical"}
    table, tokens = started_table(server.url, "six-nimmt", people(2), options=short)
    asyncio.run(play_together(server.url, table, tokens))
    address = f"{server.url}/api/tables/{table}/replay"
    everything = checked(httpx.get(address))["turns"]
    seen = checked(httpx.get(address, params={"seat": 1}))["turns"]
    assert len(everything) == len(seen)
    assert everything[0]["places"]["hand 0"]
    assert seen[0]["places"]["hand 0"] == 10
    assert seen[0]["places"]["hand 1"] == everything[0]["places"]["hand 1"]
    assert httpx.get(address, params={"seat": 7}).status_code == 422
