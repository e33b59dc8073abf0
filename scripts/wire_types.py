"""Writes web/src/lib/wire.ts, the messages of a table's socket as TypeScript, from their schema."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from bullpen.server.wire.schema import wire_schema

TYPES = Path(__file__).resolve().parent.parent / "web" / "src" / "lib" / "wire.ts"
PLAIN = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}
HEADER = "// Made by `make wire` from the server's schema (/api/wire.json): docs/wire.md says what it means.\n"


def written() -> str:
    schema, seen = wire_schema(), dict[str, str]()
    for side in ("client", "server"):
        for name, shape in schema[side]["$defs"].items():
            # A few messages of both sides share a name: the client's is asked, the server's is told.
            title = f"{name}Asked" if side == "client" else name
            seen[title] = interface(title, shape, "Asked" if side == "client" else "")
    unions = [
        union("ClientMessage", schema["client"], "Asked"),
        union("ServerMessage", schema["server"]),
    ]
    return "\n".join([HEADER, *seen.values(), *unions])


def interface(name: str, shape: dict[str, Any], suffix: str) -> str:
    needed = shape.get("required", [])
    fields = [
        f"  {field}{'' if field in needed else '?'}: {type_of(of, suffix)};"
        for field, of in shape["properties"].items()
    ]
    said = shape.get("description", "").replace("\n", " ")
    comment = f"/** {said} */\n" if said else ""
    return f"{comment}export interface {name} {{\n" + "\n".join(fields) + "\n}\n"


def union(name: str, shape: dict[str, Any], suffix: str = "") -> str:
    """One name a line, as prettier has it where they are too many for one."""
    names = [f"\n  | {type_of(part, suffix)}" for part in shape["oneOf"]]
    return f"export type {name} ={''.join(names)};\n"


def type_of(shape: dict[str, Any], suffix: str) -> str:
    match shape:
        case {"$ref": ref}:
            return str(ref).rpartition("/")[2] + suffix
        case {"const": value}:
            return literal(value)
        case {"enum": values}:
            return " | ".join(literal(value) for value in values)
        case {"anyOf": parts}:
            return " | ".join(type_of(part, suffix) for part in parts)
        case {"type": "array", "items": items}:
            inner = type_of(items, suffix)
            return f"({inner})[]" if " " in inner else f"{inner}[]"
        case {"type": "object", "additionalProperties": dict(of)}:
            return f"Record<string, {type_of(of, suffix)}>"
        case {"type": "object"}:
            return "Record<string, unknown>"
    return PLAIN[shape["type"]]


def literal(value: Any) -> str:
    return f"'{value}'" if isinstance(value, str) else str(value)


if __name__ == "__main__":
    TYPES.write_text(written(), encoding="utf-8")
    print(f"wrote {TYPES.name}", file=sys.stderr)
