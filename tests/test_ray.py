"""A tournament on a real Ray of two nodes, one of which is killed while it plays."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bullpen.arena import ray_workers
from bullpen.arena.tournament import play
from bullpen.cards import Problem
from tests.patience import until

pytest.importorskip("ray")

# Ray starts and ends processes of its own; how tidily is not what is tested here.
pytestmark = [
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.xdist_group("ray"),
]

TABLE = ["careful", "uniform", "uniform"]
DEALS = 24


@pytest.fixture
def cluster() -> Iterator[Any]:
    ray_workers.checked_ray()
    from ray.cluster_utils import Cluster

    store = {"object_store_memory": ray_workers.OBJECT_STORE}
    soon = {
        "health_check_initial_delay_ms": 0,
        "health_check_period_ms": 300,
        "health_check_timeout_ms": 5000,
        "health_check_failure_threshold": 10,
    }  # a dead node is missed after seconds, not after half a minute; one that is only late is not
    head = {"num_cpus": 1, "include_dashboard": False, "_system_config": soon, **store}
    running: Any = until(lambda: begun(Cluster, head))
    try:
        yield running
    finally:
        running.shutdown()


def begun(cluster: Any, head: dict[str, Any]) -> Any:
    """Ray gives its own start half a minute; on a busy machine it may need longer, and then there is no cluster."""
    try:
        return cluster(initialize_head=True, head_node_args=head)
    except Exception as error:
        if "timed out during startup" not in str(error):
            raise
        return None


NOTING = """
import sys
import time
from pathlib import Path

ray = sys.modules.get("ray")

folder = Path("{folder}")

def choose(game, view, rng):
    if ray and ray.is_initialized():
        (folder / ray.get_runtime_context().get_node_id()).touch()
        while len(list(folder.iterdir())) < 2:  # no game ends before both nodes have work
            time.sleep(0.01)
        time.sleep(0.002)
    return rng.choice(view.legal)
"""


def test_a_node_that_dies_changes_nothing(cluster: Any, tmp_path: Path) -> None:
    """The bot notes on which node it is asked: one is killed when both have work in hand."""
    second = cluster.add_node(num_cpus=1, object_store_memory=ray_workers.OBJECT_STORE)
    cluster.wait_for_nodes()
    bot, nodes = tmp_path / "noting.py", tmp_path / "nodes"
    bot.write_text(NOTING.format(folder=nodes))
    nodes.mkdir()
    killed_after: list[int] = []

    def kill_one(games: int) -> None:
        if not killed_after and len(list(nodes.iterdir())) == 2:
            cluster.remove_node(second, allow_graceful=False)
            killed_after.append(games)

    settings: Any = {"table": [str(bot), "careful", "uniform"], "deals": DEALS, "seed": 5}
    here, there = tmp_path / "here.jsonl", tmp_path / "there.jsonl"
    on_ray = play("x-nimmt", **settings, ray=cluster.address, out=there, progress=kill_one)
    assert killed_after[0] < on_ray.games // 2
    assert on_ray.is_finished
    on_this_machine = play("x-nimmt", **settings, jobs=2, out=here)
    assert there.read_bytes() == here.read_bytes()
    assert on_ray.as_json() == on_this_machine.as_json()


@pytest.mark.parametrize(
    "address", ["nonsense://nowhere", "127.0.0.1:1", "ray://127.0.0.1:1", "127.0.0.1:99999"]
)
def test_a_cluster_that_is_not_there_is_told(address: str) -> None:
    with pytest.raises(Problem) as refused:
        play("x-nimmt", table=TABLE, deals=1, ray=address)
    assert refused.value.key == "tournament_ray_address"


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    with pytest.raises(Problem) as refused:
        play("x-nimmt", table=TABLE, deals=1, ray="local")
    assert refused.value.key == "tournament_ray_missing"
    assert os.environ["RAY_USAGE_STATS_ENABLED"] == "0"
