"""`bullpen backup`, `bullpen restore`, `bullpen inspect`: looking after the store of a server."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from bullpen.cards import Problem
from bullpen.terminal.records import BAD, named
from bullpen.text import Voice, quoted

if TYPE_CHECKING:  # needs packages that playing does not
    from bullpen.server.store import Damage
    from bullpen.server.store.backup import Copied


def backup(voice: Voice, url: str, file: str) -> int:
    from bullpen.server.store.backup import back_up

    path = named(file)
    copied = back_up(url, path)
    print(voice.say("store.backed_up", file=path, tables=copied.tables, events=copied.events))
    return tell_damage(voice, copied)


def restore(voice: Voice, file: str, url: str) -> int:
    from bullpen.server.store.backup import restore

    copied = restore(named(file), url)
    print(voice.say("store.restored", tables=copied.tables, events=copied.events))
    return tell_damage(voice, copied)


def inspect(voice: Voice, url: str, export: str | None) -> int:
    """Check every chain; save what holds of the damaged ones."""
    from bullpen.server.store.backup import inspected

    folder = None if export is None else named(export)
    if folder and folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Problem("export_exists", file=folder)
    try:
        copied = inspected(url)
    except Problem as problem:
        if problem.key != "store_damaged":
            raise
        raise Problem("store_unreadable", **problem.facts) from None  # `inspect` is no advice here
    key = "unsound" if copied.damaged else "sound"
    facts = {"tables": copied.tables, "events": copied.events, "damaged": len(copied.damaged)}
    if copied.damaged or not copied.faults:
        print(voice.say(f"store.{key}", **facts))
    code = tell_damage(voice, copied)
    for damage in copied.damaged if folder else ():
        assert folder
        path = saved(folder, damage)
        print(voice.say("store.exported", table=damage.table, file=path))
    return code


def tell_damage(voice: Voice, copied: Copied) -> int:
    for damage in copied.damaged:
        facts = {"table": damage.table, "seq": damage.seq, "good": len(damage.good)}
        print(voice.say("store.damaged", **facts), file=sys.stderr)
    if copied.faults:
        print(voice.say("store.pages", faults=quoted(copied.faults)), file=sys.stderr)
    return BAD if copied.damaged or copied.faults else 0


def saved(folder: Path, damage: Damage) -> Path:
    """The good beginning of a table as JSON: its header, and an event a line."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{quote(damage.table, safe='')}.json"
    events = ",\n".join(json.dumps(event._asdict()) for event in damage.good)
    facts = {"table": damage.table, "damaged_from": damage.seq, "header": damage.header}
    text = json.dumps(facts)[:-1] + f', "events": [\n{events}\n]}}\n'
    path.write_text(text, "utf-8")
    return path
