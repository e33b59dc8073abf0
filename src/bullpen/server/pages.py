"""Pages: the built client where there is one, and plain ones where there is none.  No script of ours is inline."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.responses import FileResponse, HTMLResponse, Response

from bullpen.languages import LANGUAGES
from bullpen.server.guard import Receive, Scope, Send
from bullpen.server.languages import language_of
from bullpen.text import Voice, voice

STYLE = "body{font-family:sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}td,th{text-align:left;padding:.2rem 1rem .2rem 0}"
LONGEST_PATH = 200  # of a file of the client
KINDS = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
}
OFFLINE, MANIFEST = "offline.html", "bullpen.webmanifest"
SPOKEN = {"cache-control": "no-cache", "vary": "accept-language"}  # in the reader's language


def add(app: FastAPI, web: Path) -> None:
    """After all other addresses: whatever is none of them may be one of the client's."""
    not_found = app.router.default

    async def page(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] in ("GET", "HEAD"):
            path = scope["path"].lstrip("/")
            if answer := answer_to(path, web, scope):
                await answer(scope, receive, send)
                return
        await not_found(scope, receive, send)

    app.router.default = page

    @app.get("/style.css", include_in_schema=False)
    async def style() -> Response:
        return Response(STYLE, media_type="text/css")


def answer_to(path: str, web: Path, scope: Scope) -> Response | None:
    """A file of the client; other addresses without a dot are for the client itself to read."""
    if path == OFFLINE:
        return HTMLResponse(offline_page(language_of(scope)), headers=SPOKEN)
    if path == MANIFEST and is_file(path, web):
        app = manifest(web / path, voice(language_of(scope)))
        return Response(app, media_type=KINDS[".webmanifest"], headers=SPOKEN)
    if is_file(path, web):
        return file_of(web / path, path, scope)
    if path.startswith("api/") or "." in path.rpartition("/")[2]:
        return None
    if is_file("index.html", web):
        return file_of(web / "index.html", "index.html", scope)
    return HTMLResponse(plain_page(voice(language_of(scope))))


def is_file(path: str, web: Path) -> bool:
    """One of the client's, of a kind that it has; nothing beside its folder, however it is written."""
    if "\0" in path or "\\" in path or ".." in path.split("/") or Path(path).suffix not in KINDS:
        return False
    return path[:1] != "/" and len(path.encode()) < LONGEST_PATH and (web / path).is_file()


def file_of(path: Path, name: str, scope: Scope) -> Response:
    """As it is, or packed where it was packed when it was built and the browser can unpack it."""
    # Files with a hash in their name never change; the page that names them must be asked for anew.
    forever = "public, max-age=31536000, immutable" if name.startswith("assets/") else "no-cache"
    headers, kind = {"cache-control": forever}, KINDS[path.suffix]
    packed = path.with_name(path.name + ".gz")
    if packed.is_file():
        headers["vary"] = "accept-encoding"
        if b"gzip" in dict(scope["headers"]).get(b"accept-encoding", b""):
            headers["content-encoding"] = "gzip"
            return FileResponse(packed, media_type=kind, headers=headers)
    return FileResponse(path, media_type=kind, headers=headers)


def offline_page(language: str) -> str:
    """What a browser keeps for when the server is gone; it may have been asked to speak another language since, so
    the page has all of them, the reader's first."""
    others = [one for one in LANGUAGES if one != language]
    sections = "".join(offline_words(voice(one)) for one in (language, *others))
    title = escape(voice(language).say("server.pages.offline_title"))
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="theme-color" content="#0e3b2e"><link rel="icon" href="/icon.svg" type="image/svg+xml">'
        f'<link rel="stylesheet" href="/offline.css"><title>Bullpen: {title}</title></head>'
        f'<body><main><img src="/icon.svg" alt="" width="112" height="112">{sections}</main></body></html>'
    )


def offline_words(speaker: Voice) -> str:
    title, text, again = (
        escape(speaker.say(f"server.pages.offline_{part}")) for part in ("title", "text", "again")
    )
    return (
        f'<section lang="{speaker.language}"><h1>{title}</h1><p>{text}</p>'
        f'<p><a href="/">{again}</a></p></section>'
    )


def manifest(file: Path, speaker: Voice) -> str:
    """What a device shows of the installed page, in the reader's language."""
    facts = json.loads(file.read_text("utf-8"))
    description = speaker.say("server.pages.description")
    return json.dumps({**facts, "lang": speaker.language, "description": description})


def plain_page(speaker: Voice) -> str:
    say = speaker.say
    links = [
        ("/api", say("server.pages.api")),
        ("/openapi.json", "OpenAPI"),
        ("/api/wire.json", say("server.pages.wire")),
        ("/api/games", say("server.pages.games")),
        ("/healthz", say("server.pages.health")),
    ]
    items = "".join(f'<li><a href="{link}">{escape(text)}</a></li>' for link, text in links)
    return whole(
        speaker, "Bullpen", f"<p>{escape(say('server.pages.no_client'))}</p><ul>{items}</ul>"
    )


def api_page(described: dict[str, Any], language: str) -> str:
    """What /openapi.json says, for reading."""
    rows = [
        f"<tr><td><code>{method.upper()} {escape(path)}</code></td><td>{escape(facts['summary'])}</td></tr>"
        for path, methods in described["paths"].items()
        for method, facts in methods.items()
    ]
    speaker = voice(language)
    note = f'<p>{escape(speaker.say("server.pages.openapi"))} <a href="/openapi.json">/openapi.json</a></p>'
    return whole(speaker, "Bullpen: HTTP", f"{note}<table>{''.join(rows)}</table>")


def whole(speaker: Voice, title: str, body: str) -> str:
    return (
        f'<!doctype html><html lang="{speaker.language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f'<title>{escape(title)}</title><link rel="stylesheet" href="/style.css"></head>'
        f"<body><h1>{escape(title)}</h1>{body}</body></html>"
    )
