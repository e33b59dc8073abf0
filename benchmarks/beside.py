"""This version beside an earlier one: how quick the plain rules, the views of the server and the twins are.

    python -m benchmarks.beside [REVISION] [--twins] [--seconds S] [--turns N]

Both take turns in processes of their own, so that a busy machine slows both alike; told is the ratio of the
medians.  The usual revision is the last one before places and carries were declared.  With --twins compiled code is compared
alone: whole random games, and playouts by habit from the first decision and from the middle of a deal.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parent.parent
BEFORE = "45ccc52"
GAMES = ("hornochsen", "eleven-nimmt", "x-nimmt", "baron-oxx", "bullenparty", "six-nimmt")
LEAST = {"apply": 0.75, "legal": 0.95, "view": 0.95, "server": 0.95, "twin": 0.97}
LEAST_OF_TWINS = {"games": 0.97, "first playouts": 0.97, "playouts in the middle": 0.97}

# Runs in either version: only what both have.  CPU seconds, so that waiting does not count.
MEASURED = r"""
import json, sys, time
from random import Random
from bullpen.deck import load_deck
from bullpen.game import complete_options
from bullpen.games import GAMES

game_id, seconds = sys.argv[1], float(sys.argv[2])
game, seats, clock = GAMES[game_id], 4, time.process_time
options, deck = complete_options(game, seats, {}), load_deck(game.DECK_FILES)


def positions(rng, most):
    found, table = [], game.set_up(seats, options, deck)
    while len(found) < most:
        cards = game.to_shuffle(table)
        waiting = game.waiting_for(table)
        if cards:
            rng.shuffle(cards)
            table = game.deal(table, cards)[0]
        elif waiting:
            seat = rng.choice(waiting)
            action = rng.choice(game.legal(table, seat))
            found.append((table, seat, action))
            table = game.apply(table, seat, action)[0]
        else:
            table = game.set_up(seats, options, deck)
    return found


def rate(work, over):
    done, start = 0, clock()
    while clock() - start < seconds:
        for one in over:
            work(*one)
        done += len(over)
    return done / (clock() - start)


def fresh(work):
    # On tables that nobody has asked anything yet: some versions keep what they have worked out.
    done, spent, rng = 0, 0.0, Random(1)
    while spent < seconds:
        found = [(copied(table), seat, action) for table, seat, action in positions(rng, 500)]
        start = clock()
        for one in found:
            work(*one)
        spent += clock() - start
        done += len(found)
    return done / spent


def copied(table):
    return table.changed() if hasattr(table, "changed") else game_copy(table)


game_copy = getattr(game, "copy", None)
rates = {
    "apply": fresh(lambda table, seat, action: game.apply(table, seat, action)),
    "legal": fresh(lambda table, seat, action: game.legal(table, seat)),
    "view": fresh(lambda table, seat, action: game.view(table, seat)),
}

from bullpen.server.play import new_play
from bullpen.server.sight import Sight, Telling, happened
from bullpen.text import voice
import inspect

telling = Telling(game, voice("en"), ["Anna", "Berta", "Carl", "Dora"])
takes_play = "play" in inspect.signature(happened).parameters
views, start, rng = 0, clock(), Random(2)
while clock() - start < 2 * seconds:
    play, told = new_play(game, seats, options, deck), []
    while not play.is_over:
        before = play.table
        if cards := game.to_shuffle(before):
            rng.shuffle(cards)
            events = play.shuffle(cards)
        else:
            seat = rng.choice(play.waiting)
            events = play.move(seat, play.numbers[seat], rng.choice(play.offers(seat)), "person")
        if events:
            told = happened(play if takes_play else game, before, events)
            sight = Sight(play, told, telling, None)
            for seat in range(seats):
                sight.to(seat)
                views += 1
rates["server"] = views / (clock() - start)

from bullpen import fast

batch = fast.batch(game_id, seats, 4096, seed=1, jobs=1)
batch.step(batch.sample())
done, start = 0, clock()
while clock() - start < seconds:
    batch.step(batch.sample())
    done += 4096
rates["twin"] = done / (clock() - start)
print(json.dumps(rates))
"""

# The same for compiled code.  The best of many short runs: what else the machine does slows some of them.
TWINS_MEASURED = r"""
import json, sys, time
from random import Random
import numpy as np
import bullpen
from bullpen.arena.simulation import play, prepare
from bullpen.bots import bot_called
from bullpen.bots.evaluation import Evaluator
from bullpen.deck import load_deck
from bullpen.game import complete_options
from bullpen.games import GAMES

game_id, seconds = sys.argv[1], float(sys.argv[2])
game, clock = GAMES[game_id], time.process_time
seats = 3 if game_id == "bullenparty" else 4


def best_rate(work):
    work(), work()
    best, begun = 0.0, clock()
    while clock() - begun < seconds:
        start = clock()
        best = max(best, work() / (clock() - start))
    return best


twin, fresh = prepare(game, seats, complete_options(game, seats, {}), load_deck(game.DECK_FILES))
rates = {"games": best_rate(lambda: int(play(twin, fresh, 1000, 1)[1].sum()))}
match, careful, rng = bullpen.new(game_id, seats, seed=1), bot_called("careful"), Random(1)
for name, moves in (("first playouts", 0), ("playouts in the middle", 4 * seats)):
    for _ in range(moves):
        seat = match.waiting_for[0]
        match.act(seat, careful(match.game, match.view(seat), rng))
    view = match.view(match.waiting_for[0])
    evaluator, candidates = Evaluator(match.game, view, 1), np.array(view.legal)


    def playouts():
        found = evaluator.play_out(candidates, 50)
        return getattr(found, "leads", found).size  # it was the leads alone

    rates[name] = best_rate(playouts)
print(json.dumps(rates))
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.beside", description=__doc__)
    parser.add_argument("revision", nargs="?", default=BEFORE)
    parser.add_argument("--seconds", type=float, default=0.5, help="for each measurement")
    parser.add_argument("--turns", type=int, default=3, help="of each version")
    parser.add_argument("--game", action="append", choices=GAMES)
    parser.add_argument("--twins", action="store_true", help="compiled code alone")
    wished = parser.parse_args()
    for line in lines(wished):
        print(line, flush=True)


def lines(wished: argparse.Namespace) -> Iterator[str]:
    revision, least = wished.revision, LEAST_OF_TWINS if wished.twins else LEAST
    code = TWINS_MEASURED if wished.twins else MEASURED
    yield ""
    yield f"### Beside {revision}: this version's speed, that version's is 1"
    yield ""
    yield f"| game | {' | '.join(f'{name} (≥ {floor})' for name, floor in least.items())} |"
    yield f"|---|{'---|' * len(least)}"
    with tempfile.TemporaryDirectory() as folder:
        before = Path(folder) / "before"
        git("worktree", "add", "--detach", str(before), revision)
        try:
            for game in wished.game or GAMES:
                rates = compared(code, game, before, wished.seconds, wished.turns)
                yield f"| {game} | {' | '.join(told(*rates[name]) for name in least)} |"
        finally:
            git("worktree", "remove", "--force", str(before))


def told(now: float, then: float) -> str:
    return f"{now / then:.2f} ({then:,.0f} to {now:,.0f})"


def compared(
    code: str, game: str, before: Path, seconds: float, turns: int
) -> dict[str, tuple[float, float]]:
    """Each rate of this version and of that one."""
    rates: dict[Path, list[dict[str, float]]] = {before: [], ROOT: []}
    for _ in range(turns):
        for tree, found in rates.items():
            found.append(measured(code, game, tree, seconds))
    return {
        name: (median(one[name] for one in rates[ROOT]), median(one[name] for one in rates[before]))
        for name in rates[ROOT][0]
    }


def measured(code: str, game: str, tree: Path, seconds: float) -> dict[str, float]:
    ours = {**os.environ, "PYTHONPATH": str(tree / "src")}
    ran = subprocess.run(
        [sys.executable, "-c", code, game, str(seconds)],
        env=ours,
        cwd=tree,
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode:
        raise SystemExit(f"{tree}: {ran.stderr[-2000:]}")
    rates: dict[str, float] = json.loads(ran.stdout)
    return rates


def git(*words: str) -> None:
    subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True)


if __name__ == "__main__":
    main()
