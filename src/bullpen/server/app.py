"""The application: what there is, what starts and stops with it, and how faults are answered."""

from __future__ import annotations

import asyncio
import logging
from http import HTTPStatus
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.exceptions import HTTPException
from starlette.routing import WebSocketRoute

from bullpen import __version__, fast
from bullpen.cards import Problem
from bullpen.server import nearby, pages, puzzles, rulebook
from bullpen.server.archive import Archive
from bullpen.server.budget import Held, Hits
from bullpen.server.clubs import Clubs
from bullpen.server.daily import Daily
from bullpen.server.guard import LONGEST_BODY, App, Guard, Receive, Scope, Send
from bullpen.server.house import House
from bullpen.server.languages import language_of
from bullpen.server.message_handler import MessageHandler
from bullpen.server.metrics import Metrics
from bullpen.server.over_days import OverDays
from bullpen.server.passkeys import Passkeys
from bullpen.server.players import Players
from bullpen.server.pushes import Pushes
from bullpen.server.quality import Quality
from bullpen.server.quick import Quick
from bullpen.server.ratings import Ratings
from bullpen.server.refused import Refused
from bullpen.server.reports import Reports
from bullpen.server.retention import Retention
from bullpen.server.reviews import Reviews
from bullpen.server.routes import all_routes
from bullpen.server.settings import Settings
from bullpen.server.sockets import Sockets
from bullpen.server.steward import Steward
from bullpen.server.store import ALL, Share, Store, StoreUnavailable
from bullpen.server.thinking.pool import WORKER, Pool
from bullpen.server.tournaments import Tournaments
from bullpen.server.transport import Crowd
from bullpen.server.warming import Warming
from bullpen.server.watching import Complaints, Watched, watch_loop
from bullpen.server.words import REFUSED
from bullpen.text import voice

log = logging.getLogger("bullpen.app")

SWEEP_SECONDS = 1.0
WEB = Path(__file__).parent / "web"  # built by scripts/web.py


class Server:
    """All parts of a running server."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        worker: tuple[str, ...] = WORKER,
        most_connections: int = 1000,
        share: Share = ALL,
    ) -> None:
        self.settings, self.store = settings, store
        REFUSED.use(settings.refused_words)
        self.metrics = Metrics()
        self.hits = Hits(self.metrics)
        self.crowd = Crowd(settings, self.hits, most_connections)
        self.bots = Pool(settings.thinkers, settings.memory, worker)
        self.coach = Pool(settings.coaches, settings.memory, worker)
        # Whatever takes long has processes of its own: nobody's hint waits for it.
        self.reviewers = Pool(settings.reviewers, settings.memory, worker)
        self.writers = Pool(1, settings.memory, worker)
        self.judges = Pool(1, settings.memory, worker)
        self.warming = Warming(self.reviewers)
        self.steward = Steward(settings, store, self.bots, self.warming, self.metrics)
        self.house = House(settings, store, self.steward, self.metrics, self.hits, share)
        self.players = Players(settings, store, self.house, self.hits)
        self.passkeys = Passkeys(store, self.players)
        self.ratings = Ratings(store)
        self.quality = Quality(settings, store, self.judges, self.metrics)
        self.reports = Reports(settings, store, self.hits)
        self.quick = Quick(settings, self.house, self.players, self.hits)
        self.daily = Daily(store, self.house)
        self.pushes = Pushes(settings, store, self.metrics)
        self.clubs = Clubs(settings, store, self.hits)
        self.tournaments = Tournaments(store, self.house, self.clubs)
        self.handler = MessageHandler(settings, self.coach, self.writers)
        self.sockets = Sockets(settings, self.house, self.handler, self.metrics, self.hits)
        work = Held("work", settings.work_per_address, self.hits)
        self.reviews = Reviews(self.reviewers, work)
        self.archive = Archive(self.writers, work)
        self.work: list[asyncio.Task[None]] = []
        self.complaints = Complaints(self.metrics)

    async def start(self) -> None:
        logging.getLogger("bullpen").addHandler(self.complaints)
        self.work = [
            asyncio.create_task(watch_loop(self.metrics)),
            asyncio.create_task(self.house.restore()),
            asyncio.create_task(self.house.hand_over()),
            asyncio.create_task(self.sweep()),
            asyncio.create_task(Retention(self.settings, self.store).run()),
            asyncio.create_task(OverDays(self.house).run()),
            asyncio.create_task(self.pushes.run()),
            asyncio.create_task(self.players.run()),
            asyncio.create_task(self.ratings.run()),
            asyncio.create_task(self.tournaments.run()),
            asyncio.create_task(self.quality.run()),
            asyncio.create_task(self.warm_up()),
        ]

    async def sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            for name in ("bots", "coach", "reviewers", "writers", "judges"):
                self.metrics.thinking.labels(name).set(getattr(self, name).busy())
            try:
                self.sockets.cut_off_stalled()
                self.crowd.cut_off_stalled(asyncio.get_running_loop().time())
                await self.house.sweep()
            except Problem as problem:
                log.warning("sweep", extra={"reason": problem.key})
            except Exception:  # once is no reason never to sweep again
                log.exception("sweep")

    async def warm_up(self) -> None:
        """The stronger bots are compiled the first time; nobody waits.  Without it, each when it is first wanted."""
        missing = fast.missing_package()
        if missing:
            log.error("no stronger bots and no coach", extra={"missing": missing})
        await self.bots.start()
        if self.settings.warm and not missing:
            await self.warming.all()

    async def stop(self) -> None:
        """Moves that are being stored are answered; everybody else is told to come back."""
        for task in self.work:
            task.cancel()
        await asyncio.gather(*self.work, return_exceptions=True)
        await self.pushes.close()
        await self.house.starting.close()
        await self.steward.close()
        await self.warming.close()
        self.store.wait_no_longer()
        await asyncio.gather(*(room.settled() for room in self.house.rooms.values()))
        self.sockets.say_goodbye()
        pools = self.bots, self.coach, self.reviewers, self.writers, self.judges
        await asyncio.gather(*(pool.close() for pool in pools))
        self.archive.close()
        await self.store.close()
        logging.getLogger("bullpen").removeHandler(self.complaints)


def make_app(server: Server) -> App:
    """All of it as one ASGI application."""
    app = FastAPI(
        title="Bullpen",
        version=__version__,
        description="Tables for bull-head card games; the messages of a table's socket: docs/wire.md.",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
    )
    app.state.server = server
    # As they are: by `include_router` each would be made anew, twice, which takes longer than all else here.
    app.router.routes += [
        WebSocketRoute("/api/tables/{table}/socket", AsgiSocket(server.sockets.serve)),
        *all_routes(),
        *rulebook.router().routes,
        *puzzles.router().routes,
        *nearby.router(server.settings).routes,
    ]
    operation(app, server)
    pages.add(app, WEB)
    faults(app)
    return Watched(Guard(app, server.settings, server.hits), server.metrics)


class AsgiSocket:
    """An ASGI application that Starlette does not wrap into its own kind of socket."""

    def __init__(self, serve: App) -> None:
        self.serve = serve

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.serve(scope, receive, send)


def operation(app: FastAPI, server: Server) -> None:
    @app.get("/healthz", summary="Whether the server and its store work")
    async def healthz() -> Response:
        try:
            await server.store.probe()
        except Problem as problem:
            return JSONResponse({"status": "failing", "key": problem.key}, 503)
        return JSONResponse({"status": "ok", "tables": len(server.house.rooms)})

    @app.get("/metrics", summary="For Prometheus", response_class=PlainTextResponse)
    async def metrics() -> Response:
        return Response(server.metrics.text(), media_type="text/plain; version=0.0.4")

    @app.get("/openapi.json", include_in_schema=False)
    async def openapi() -> JSONResponse:
        return JSONResponse(app.openapi())

    @app.get("/api", include_in_schema=False)
    async def api(request: Request) -> HTMLResponse:
        return HTMLResponse(pages.api_page(app.openapi(), language_of(request.scope)))


# -- Faults -------------------------------------------------------------------------------------


def fault(status: int) -> Problem:
    """What Starlette found wrong by itself."""
    if status == HTTPStatus.NOT_FOUND:
        return Problem("no_such_page")
    if status == HTTPStatus.METHOD_NOT_ALLOWED:
        return Problem("method_not_allowed")
    if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        return Problem("body_too_long", most=LONGEST_BODY)
    return Problem("bad_body")


def faults(app: FastAPI) -> None:
    """Every fault is answered in one form, in the reader's language."""

    def answer(request: Request, status: int, problem: Problem) -> JSONResponse:
        message = voice(language_of(request.scope)).problem(problem)
        headers = {"retry-after": "60"} if status == HTTPStatus.TOO_MANY_REQUESTS else None
        return JSONResponse({"key": problem.key, "message": message}, status, headers=headers)

    @app.exception_handler(Refused)
    async def refused(request: Request, problem: Refused) -> JSONResponse:
        return answer(request, problem.status, problem)

    @app.exception_handler(StoreUnavailable)
    async def unavailable(request: Request, problem: StoreUnavailable) -> JSONResponse:
        log.error("store unavailable", extra={"reason": problem.key})
        key = "not_stored" if problem.stored == "nothing" else "perhaps_stored"
        return answer(request, 503, Problem(key))

    @app.exception_handler(Problem)
    async def problem(request: Request, problem: Problem) -> JSONResponse:
        if problem.key == "store_damaged":
            log.error("store damaged", extra={"reason": problem.facts["reason"]})
            return answer(request, 503, Problem("not_stored"))
        return answer(request, 422, problem)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        if isinstance(known := first.get("ctx", {}).get("error"), Problem):
            return answer(request, 422, known)  # one of ours, with a sentence of its own
        if first["type"] == "extra_forbidden" and first["loc"][-1] == "contribution":
            return answer(request, 422, Problem("contribution_gone"))
        where = ".".join(str(part) for part in first["loc"])
        return answer(request, 422, Problem("bad_request", where=where, why=first["msg"]))

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> Response:
        response = answer(request, error.status_code, fault(error.status_code))
        response.headers.update(error.headers or {})
        return response
