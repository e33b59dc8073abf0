"""Datasets: games of bots, decision by decision, with the hands that were hidden as labels.

`load(folder).batches(4096, ["observation", "holders"])` gives arrays to learn from.

A folder holds the games themselves (`games.jsonl`, as a tournament keeps them: plan, shuffles, moves), parts in
Parquet made from them, and a card (`README.md`).  All follows from the plan, so making one can stop anywhere and go on.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from bullpen import __version__, fast
from bullpen.cards import Problem
from bullpen.envs import missing

try:
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq
    from numpy.typing import NDArray

    from bullpen.envs.chance import Chance
    from bullpen.envs.engines import can_be_compiled
    from bullpen.envs.layouts import Layout, kind_of
    from bullpen.envs.playing import Play, Setting
    from bullpen.envs.twin_play import TwinPlay, play_of
except ModuleNotFoundError as error:
    raise missing(error, "dataset") from None

from bullpen.arena.games_file import read_lines
from bullpen.arena.plan import Plan
from bullpen.arena.tournament import Progress, Tournament, run
from bullpen.arena.workers import Workers
from bullpen.envs.layouts import layout_of
from bullpen.game import Game, Seat

GAMES_A_PART = 250
FORMAT, VERSION = "bullpen-dataset", 1
GAMES_FILE, CARD_FILE = "games.jsonl", "README.md"
LICENCE = "CC0-1.0"
COLUMNS = {
    "game": "number of the game, from 1",
    "deal": "number of the deal, from 1: games of one deal have the same shuffles",
    "step": "number of the decision in its game, from 0",
    "seat": "who decides",
    "bot": "the bot in that seat",
    "observation": "what the seat knows with a perfect memory, by places (docs/environments.md)",
    "legal": "the numbers of the legal actions, ascending",
    "action": "the number of the action that was chosen",
    "holders": "the label: by card, who truly holds it: 0 nobody, 1 the seat itself, 2 the next one clockwise, …",
    "points": "how the game ended: points by seat, clockwise from the one who decides",
    "won": "its share of the win",
}


def make(
    plan: Plan,
    deals: int,
    workers: Workers,
    folder: Path,
    progress: Progress | None = None,
    written: Callable[[int], None] | None = None,
) -> Tournament:
    """Plays what is not played yet and writes what is not written yet; a folder of other settings is refused."""
    checked_folder(folder)
    played = run(plan, deals, workers, folder / GAMES_FILE, progress)
    if played.is_finished:
        write_parts(folder, played.games, written)
    return played


def checked_folder(folder: Path) -> None:
    """Nothing of anybody else's is written into."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        is_foreign = any(folder.iterdir()) and not (folder / GAMES_FILE).is_file()
    except OSError as error:
        raise Problem("dataset_folder", file=folder, reason=error.strerror) from None
    if is_foreign:
        raise Problem("dataset_foreign", file=folder)


# -- Writing ------------------------------------------------------------------------------------------


def write_parts(folder: Path, games: int, written: Callable[[int], None] | None = None) -> None:
    """In files of so many games; one that stands there and was made of the same games is left."""
    plan, lines = read_lines(folder / GAMES_FILE)
    setting, rows = setting_of(plan), 0
    for first in range(0, games, GAMES_A_PART):
        some = lines[first : min(first + GAMES_A_PART, games)]
        path = folder / f"part-{first // GAMES_A_PART:05d}.parquet"
        made_of = hashlib.sha256(b"\n".join(some)).hexdigest()
        if origin_of(path) != {"made_of": made_of, "version": str(VERSION)}:
            write_part(path, setting, some, made_of)
        rows += pq.read_metadata(path).num_rows
        if written:
            written(first + len(some))
    (folder / CARD_FILE).write_text(card(plan, setting.layout, games, rows), "utf-8")


def origin_of(path: Path) -> dict[str, str] | None:
    """What a part says of itself; None where there is none, or a damaged one."""
    try:
        metadata = pq.read_schema(path).metadata or {}
    except (OSError, pa.ArrowInvalid):
        return None
    own = {b"bullpen.made_of": "made_of", b"bullpen.version": "version"}
    return {name: metadata[key].decode() for key, name in own.items() if key in metadata}


def write_part(path: Path, setting: Setting, lines: Sequence[bytes], made_of: str) -> None:
    table = table_of(setting, lines)
    about = {"bullpen.made_of": made_of, "bullpen.version": str(VERSION)}
    unfinished = path.with_suffix(".unfinished")
    try:
        pq.write_table(table.replace_schema_metadata(about), unfinished, compression="zstd")
        unfinished.replace(path)  # whole or not at all
    except OSError as error:
        raise Problem("dataset_write", file=path, reason=error.strerror or error) from None


def setting_of(plan: Plan) -> Setting:
    rules: Game[Any] = plan.rules
    form = layout_of(rules, plan.seats, plan.options)
    engine: Any = "compiled" if can_be_compiled(plan.game) else "plain"
    return Setting(
        rules,
        plan.seats,
        plan.options,
        plan.deck,
        form,
        memory="perfect",
        form="places",
        history="none",
        reward="final",
        relative="none",
        sign=1,
        engine=engine,
    )


def table_of(setting: Setting, lines: Sequence[bytes]) -> pa.Table:
    """All decisions of these games."""
    found: dict[str, list[Any]] = {name: [] for name in COLUMNS}
    for line in lines:
        add_game(setting, json.loads(line), found)
    form = setting.layout
    points = np.array(found["points"], np.int32)
    return pa.table(
        {
            "game": pa.array(found["game"], pa.int64()),
            "deal": pa.array(found["deal"], pa.int64()),
            "step": pa.array(found["step"], pa.int32()),
            "seat": pa.array(found["seat"], pa.int8()),
            "bot": pa.array(found["bot"], pa.string()).dictionary_encode(),
            "observation": fixed_lists(np.array(found["observation"], np.int16), form.length),
            "legal": pa.array(found["legal"], pa.list_(pa.int16())),
            "action": pa.array(found["action"], pa.int32()),
            "holders": fixed_lists(np.array(found["holders"], np.int8), form.cards),
            "points": fixed_lists(points, setting.players),
            "won": pa.array(found["won"], pa.float32()),
        }
    )


def fixed_lists(values: NDArray[Any], length: int) -> pa.Array:
    return pa.FixedSizeListArray.from_arrays(pa.array(values.reshape(-1)), length)


def add_game(setting: Setting, line: dict[str, Any], found: dict[str, list[Any]]) -> None:
    """The game is played again from its shuffles and moves; before each decision is written what there was."""
    rules, seats = setting.rules, setting.players
    names = {name: card for card, name in rules.CARD_NAMES.items()}
    actions = {name: action for action, name in rules.NOTATION.items()}
    chance = Chance(0)
    chance.expect([[names.get(card, card) for card in cards] for cards in line["shuffles"]])
    play = play_of(setting, chance)
    for step, move in enumerate(line["moves"]):
        who, spelled = move.split(" ", 1)
        seat, action = int(who), actions[spelled]
        seen, mask = play.shown(seat)
        found["step"].append(step)
        found["seat"].append(seat)
        found["bot"].append(line["bots"][seat])
        found["observation"].append(seen)
        found["legal"].append(mask.nonzero()[0])
        found["action"].append(action)
        found["holders"].append(holders(play, seat))
        found["points"].append([line["scores"][(seat + far) % seats] for far in range(seats)])
        winners = line["winners"]
        found["won"].append(1 / len(winners) if seat in winners else 0.0)
        play.act(seat, action)
    count = len(line["moves"])
    found["game"] += [line["number"]] * count
    found["deal"] += [line["deal"]] * count
    assert play.scores == line["scores"], "a game that is played again ends as it did"


def holders(play: Play, seat: Seat) -> NDArray[np.int8]:
    """By card: 0 for nobody, else one more than how far clockwise its holder sits.  A card that was chosen in secret
    counts as held until it is shown."""
    kind, seats = kind_of(play.rules.ID), play.wished.players
    of_seat = {
        place + other: 1 + (other - seat) % seats
        for place in (kind.by_seat["hand"], *([kind.secret[1]] if is_secret(play) else []))
        for other in range(seats)
    }
    found = np.zeros(kind.cards, np.int8)
    if isinstance(play, TwinPlay):
        places = np.zeros(kind.cards + 1, np.int16)
        fast.twin(play.rules.ID).places(play.record[0], places)
        at = np.zeros(int(max(places.max(), *of_seat)) + 1, np.int8)
        at[list(of_seat)] = list(of_seat.values())
        return at[places[1:]]
    for place, holder in of_seat.items():
        for card in play.table.lying[place]:
            found[card - 1] = holder
    return found


def is_secret(play: Play) -> bool:
    """Whether choices lie face down just now."""
    phase = play.record["phase"][0] if isinstance(play, TwinPlay) else play.table.phase
    return int(phase) == kind_of(play.rules.ID).secret[0]


# -- The card -----------------------------------------------------------------------------------------


def card(plan: Plan, form: Layout, games: int, rows: int) -> str:
    """What this is, how it was made, and what stands where."""
    header = json.dumps(plan.as_json() | {"deck": "…"}, ensure_ascii=False, indent=1)
    columns = "\n".join(f"| `{name}` | {meaning} |" for name, meaning in COLUMNS.items())
    places = ", ".join(f"{code} {name}" for code, name in enumerate(form.places))
    numbers = ", ".join(f"{form.at(name)} {name}" for name in form.numbers)
    bots = ", ".join(f"`{bot}`" for bot in plan.bots)
    return f"""---
license: {LICENCE.lower()}
tags: [card-games, imperfect-information, belief-modelling]
---
# {plan.rules.TITLE} with {plan.seats} players: {rows:,} decisions

{games:,} games of {bots}, decision by decision, with the hands that were hidden as labels for models of belief.
Made by `bullpen dataset make` (Bullpen {__version__}, {FORMAT} {VERSION}); licence: {LICENCE}.

- `{GAMES_FILE}`: the games themselves, with plan, shuffles and moves; `bullpen verify {GAMES_FILE}` checks them by the rules.
- `part-*.parquet`: {GAMES_A_PART} games each, made from them. Load them with `bullpen.envs.dataset.load(folder)`, or any reader of Parquet.

All chance follows from seed {plan.seed}: the same command makes the same games. Games of one deal share their shuffles, so keep a deal
together when you split into training and test.

| column | what it is |
|---|---|
{columns}

Cards in `observation` and `holders` stand in the order 1 to {form.cards}. Codes of places: {places}.
Numbers at: {numbers}.

```json
{header}
```
"""


# -- Loading ------------------------------------------------------------------------------------------


class Dataset:
    """The parts of a folder, in order."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.parts = sorted(self.folder.glob("part-*.parquet"))
        if not self.parts:
            raise Problem("dataset_empty", file=self.folder)
        self.plan, _ = read_lines(self.folder / GAMES_FILE)
        self.layout = layout_of(self.plan.rules, self.plan.seats, self.plan.options)

    def __len__(self) -> int:
        """Decisions."""
        return sum(pq.read_metadata(part).num_rows for part in self.parts)

    def batches(
        self, size: int, columns: Sequence[str] | None = None
    ) -> Iterator[dict[str, NDArray[Any]]]:
        """So many decisions at a time (at the end of a part fewer), as arrays by column."""
        unknown = sorted(set(columns or ()) - set(COLUMNS))
        if unknown:
            raise Problem("dataset_column", column=unknown[0], known=", ".join(COLUMNS))
        for part in self.parts:
            for batch in pq.ParquetFile(part).iter_batches(size, columns=columns):
                yield {name: as_array(batch[name]) for name in batch.schema.names}

    def deals(self) -> NDArray[np.int64]:
        """By decision the number of its deal: what to split by."""
        return np.concatenate([rows["deal"] for rows in self.batches(1 << 16, ["deal"])])


def load(folder: str | Path) -> Dataset:
    return Dataset(folder)


def as_array(column: Any) -> NDArray[Any]:
    if pa.types.is_fixed_size_list(column.type):
        values: NDArray[Any] = column.flatten().to_numpy(zero_copy_only=False)
        return values.reshape(len(column), column.type.list_size)
    found: NDArray[Any] = column.to_numpy(zero_copy_only=False)
    return found
