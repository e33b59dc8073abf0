"""This version beside an earlier one: decisions per processor second through PettingZoo, Gymnasium, OpenSpiel and the vector.

    python -m benchmarks.stepping [REVISION] [--seconds S] [--turns N] [--game GAME]

Both take turns in processes of their own, so that a busy machine slows both alike.  The usual revision is the last
one in which single games stepped on the plain rules alone.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from benchmarks.beside import GAMES, ROOT, git

BEFORE = "b16933d"

# Runs in either version: only what both have.  Each kind plays one game before it is measured: compiled code is
# loaded then.
MEASURED = r"""
import json, sys, time
from random import Random
import pyspiel
import bullpen.envs.spiel
from bullpen.envs.gym import EverySeat
from bullpen.envs.petting import aec_env, parallel_env
from bullpen.envs.vector import vector_env

game, seconds, clock, rng = sys.argv[1], float(sys.argv[2]), time.process_time, Random(1)


def any_of(mask):
    legal = mask.nonzero()[0]
    return int(legal[int(rng.random() * len(legal))])


def aec(seed):
    env, decisions = kept["aec"], 0
    env.reset(seed=seed)
    for agent in env.agent_iter():
        seen, _, over, _, _ = env.last()
        env.step(None if over else any_of(seen["action_mask"]))
        decisions += not over
    return decisions


def at_once(seed):
    env, decisions = kept["parallel"], 0
    observed, _ = env.reset(seed=seed)
    while env.agents:
        actions = {agent: any_of(seen["action_mask"]) for agent, seen in observed.items()}
        decisions += sum(action != env.pass_action for action in actions.values())
        observed = env.step(actions)[0]
    return decisions


def gymnasium(seed):
    env, decisions, over = kept["gym"], 0, False
    _, info = env.reset(seed=seed)
    while not over:
        _, _, over, _, info = env.step(any_of(info["action_mask"]))
        decisions += 1
    return decisions


def spiel(chance, tensors):
    def play(seed):
        state, decisions = kept[chance].new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(rng.random() * len(outcomes))][0])
                continue
            if tensors:
                state.observation_tensor(state.current_player())
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
            decisions += 1
        return decisions

    return play


def vector(seed):
    envs = kept["vector"]
    for _ in range(10):
        envs.step(envs.sample())
    return 10 * envs.num_envs


name = "bullpen_" + game.replace("-", "_")
kept = {
    "aec": aec_env(game, 4),
    "parallel": parallel_env(game, 4),
    "gym": EverySeat(game, 4),
    "sampled": pyspiel.load_game(f"{name}(players=4,chance=sampled,seed=1)"),
    "explicit": pyspiel.load_game(f"{name}(players=4)"),
    "vector": vector_env(game, 1024, 4, jobs=1),
}
kept["vector"].reset(seed=1)
kinds = {
    "AEC": aec,
    "parallel": at_once,
    "Gymnasium": gymnasium,
    "OpenSpiel, sampled": spiel("sampled", False),
    "OpenSpiel, explicit": spiel("explicit", False),
    "OpenSpiel, tensors": spiel("sampled", True),
    "vector": vector,
}
rates = {}
for kind, play in kinds.items():
    play(0)
    decisions, seed, start = 0, 1, clock()
    while clock() - start < seconds:
        decisions += play(seed)
        seed += 1
    rates[kind] = decisions / (clock() - start)
print(json.dumps(rates))
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stepping", description=__doc__)
    parser.add_argument("revision", nargs="?", default=BEFORE)
    parser.add_argument("--seconds", type=float, default=0.5, help="for each measurement")
    parser.add_argument("--turns", type=int, default=3, help="of each version")
    parser.add_argument("--game", action="append", choices=GAMES)
    wished = parser.parse_args()
    for line in lines(wished.revision, wished.seconds, wished.turns, wished.game or GAMES):
        print(line, flush=True)


def lines(revision: str, seconds: float, turns: int, games: Sequence[str]) -> Iterator[str]:
    yield f"### Stepping: decisions per processor second, four seats, random moves, and times those of {revision}"
    yield ""
    with tempfile.TemporaryDirectory() as folder:
        before = Path(folder) / "before"
        git("worktree", "add", "--detach", str(before), revision)
        try:
            for at, game in enumerate(games):
                rates = compared(game, before, seconds, turns)
                if not at:
                    yield f"| game | {' | '.join(rates)} |"
                    yield f"|---|{'---:|' * len(rates)}"
                cells = [f"{now:,.0f} ({now / then:.1f} x)" for now, then in rates.values()]
                yield f"| {game} | {' | '.join(cells)} |"
        finally:
            git("worktree", "remove", "--force", str(before))


def compared(game: str, before: Path, seconds: float, turns: int) -> dict[str, tuple[float, float]]:
    """By kind: the medians now and before."""
    found: dict[Path, list[dict[str, float]]] = {ROOT: [], before: []}
    for _ in range(turns):
        for tree, rates in found.items():
            rates.append(measured(game, tree, seconds))
    now, then = found[ROOT], found[before]
    return {
        kind: (median(one[kind] for one in now), median(one[kind] for one in then))
        for kind in now[0]
    }


def measured(game: str, tree: Path, seconds: float) -> dict[str, float]:
    ran = subprocess.run(
        [sys.executable, "-c", MEASURED, game, str(seconds)],
        env={**os.environ, "PYTHONPATH": str(tree / "src")},
        cwd=tree,
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode:
        raise SystemExit(f"{tree}: {ran.stderr[-2000:]}")
    rates: dict[str, float] = json.loads(ran.stdout)
    return rates


if __name__ == "__main__":
    main()
