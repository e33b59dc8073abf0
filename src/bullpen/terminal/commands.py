"""The commands and their words, as Typer reads them.

Numbers are read here and not by Typer, so that a wrong one is answered in the language of the person.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from bullpen.cards import Problem
from bullpen.game import BadOption
from bullpen.games import GAMES

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": []},  # the help pages stand in locale/
)

GameName = Annotated[str, typer.Argument(metavar="GAME")]
Number = Annotated[str | None, typer.Option()]
MOST_DIGITS = 18  # of a number: what a machine can count with
MOST_PLAYOUTS = 1_000_000  # of the coach for a decision: what fits into the memory
Words = Annotated[list[str] | None, typer.Option()]


# -- Playing ----------------------------------------------------------------------------------


@app.command()
def play(
    ctx: typer.Context,
    game: GameName,
    players: Number = None,
    bots: Number = None,
    bot: Words = None,
    name: Words = None,
    option: Words = None,
    deck: Words = None,
    seed: Number = None,
    save: Annotated[str | None, typer.Option()] = None,
) -> None:
    from bullpen.terminal import store
    from bullpen.terminal.names import game_meant
    from bullpen.terminal.people import wished
    from bullpen.terminal.play import play_new
    from bullpen.terminal.screen import check_size, open_screen
    from bullpen.text import voice

    speaker = voice(ctx.obj.language)
    wishes = wished(
        speaker,
        game_meant(game),
        seats=None if players is None else seats_wished(players),
        bots=number("--bots", bots),
        bot=bot or (),
        names=name or (),
        options=option or (),
        decks=own_decks(deck),
        seed=number("--seed", seed),
    )
    path = store.new_path(wishes.game.ID) if save is None else store.own_path(save)
    screen = open_screen(speaker)
    check_size(screen)
    play_new(screen, wishes, path)


@app.command()
def resume(
    ctx: typer.Context, file: Annotated[str | None, typer.Argument(metavar="FILE")] = None
) -> int:
    from bullpen.terminal import store
    from bullpen.terminal.complaint import complain
    from bullpen.terminal.play import play_on
    from bullpen.terminal.records import named
    from bullpen.terminal.screen import check_size, open_screen
    from bullpen.text import voice

    sitting = store.continued(store.latest_unfinished() if file is None else named(file))
    language = ctx.obj.language if ctx.obj.is_wished else sitting.language or ctx.obj.language
    screen = open_screen(voice(language))
    check_size(screen)
    try:
        play_on(screen, sitting)
    except Problem as problem:  # said in the language of the game
        return complain(problem, language)
    return 0


@app.command()
def replay(ctx: typer.Context, file: Annotated[str, typer.Argument(metavar="FILE")]) -> None:
    from bullpen.terminal.records import named
    from bullpen.terminal.replay import replay
    from bullpen.terminal.screen import open_screen
    from bullpen.text import voice

    replay(open_screen(voice(ctx.obj.language)), named(file))


# -- Reading ----------------------------------------------------------------------------------


@app.command()
def rules(
    ctx: typer.Context,
    game: Annotated[str | None, typer.Argument(metavar="GAME")] = None,
    rule: Annotated[str | None, typer.Argument(metavar="RULE")] = None,
) -> None:
    from bullpen.terminal.explain import one_rule, rule_meant, rules_page
    from bullpen.terminal.names import game_meant
    from bullpen.terminal.overview import list_of_games
    from bullpen.terminal.screen import open_screen
    from bullpen.text import voice

    screen = open_screen(voice(ctx.obj.language))
    if game is None:
        list_of_games(screen)
    elif rule is not None:
        one_rule(screen, rule_meant(game_meant(game), rule))
    else:
        rules_page(screen, game_meant(game))


@app.command()
def games(ctx: typer.Context) -> None:
    from bullpen.terminal.overview import all_games
    from bullpen.terminal.screen import open_screen
    from bullpen.text import voice

    all_games(open_screen(voice(ctx.obj.language)))


# -- For other programs -----------------------------------------------------------------------


@app.command()
def trace(
    game: GameName,
    players: Annotated[str, typer.Option()],
    seed: Annotated[str, typer.Option()],
    games: Number = None,
    option: Words = None,
    deck: Words = None,
    prefer: Annotated[str, typer.Option()] = "",
) -> None:
    """See docs/rules/README.md."""
    from bullpen.deck import load_deck
    from bullpen.game import read_options
    from bullpen.terminal.names import game_meant
    from bullpen.trace import trace

    rules = game_meant(game)
    seats, first = seats_wished(players), required_number("--seed", seed)
    count = 1 if games is None else required_number("--games", games, least=1)
    options = read_options(rules, seats, option or ())
    cards = load_deck(rules.DECK_FILES, own_decks(deck))
    if prefer and not any(move.startswith(prefer) for move in rules.NOTATION.values()):
        raise BadOption("trace_prefer", prefer=prefer, known=", ".join(first_words(rules.NOTATION)))
    for chosen in range(first, first + count):
        for line in trace(rules, seats, options, cards, chosen, prefer):
            sys.stdout.write(line + "\n")


def first_words(notation: Mapping[int, str]) -> list[str]:
    """With what the moves of a game begin."""
    return sorted({move.partition(" ")[0] for move in notation.values()})


@app.command()
def verify(
    ctx: typer.Context,
    files: Annotated[list[str], typer.Argument(metavar="FILE")],
    published: Annotated[str | None, typer.Option()] = None,
) -> int:
    from bullpen.terminal import records
    from bullpen.text import voice

    known = None if published is None else records.published_by(published)
    return records.verify(voice(ctx.obj.language), files, known)


@app.command()
def simulate(
    ctx: typer.Context,
    game: GameName,
    players: Number = None,
    games: Number = None,
    seed: Number = None,
    jobs: Number = None,
    option: Words = None,
    deck: Words = None,
    json: Annotated[bool, typer.Option("--json")] = False,
    plot: Annotated[str | None, typer.Option()] = None,
) -> None:
    from bullpen import fast
    from bullpen.deck import load_deck
    from bullpen.game import read_options
    from bullpen.terminal.names import game_meant
    from bullpen.terminal.screen import open_screen
    from bullpen.text import voice

    rules = game_meant(game)
    seats = min(4, rules.SEATS[-1]) if players is None else seats_wished(players)
    options = read_options(rules, seats, option or ())
    cards = load_deck(rules.DECK_FILES, own_decks(deck))
    count = 100_000 if games is None else required_number("--games", games, least=1)
    first = 0 if seed is None else required_number("--seed", seed)
    threads = None if jobs is None else required_number("--jobs", jobs, least=1)
    fast.twin(rules.ID)  # says what is missing, before anything else needs it
    from bullpen.terminal.simulate import checked_plot, run, tell_json, tell_plots, tell_tables

    picture = None if plot is None else checked_plot(plot)
    screen = open_screen(voice(ctx.obj.language))
    report = run(
        screen,
        rules,
        seats,
        options,
        cards,
        count,
        first,
        threads,
        tell_json if json else tell_tables,
    )
    if picture and report.games:
        tell_plots(screen, report, picture)


@app.command()
def tournament(
    ctx: typer.Context,
    game: GameName,
    table: Annotated[str | None, typer.Option()] = None,
    bots: Annotated[str | None, typer.Option()] = None,
    players: Number = None,
    deals: Number = None,
    seed: Number = None,
    option: Words = None,
    deck: Words = None,
    jobs: Number = None,
    ray: Annotated[str | None, typer.Option()] = None,
    out: Annotated[str | None, typer.Option()] = None,
    json: Annotated[bool, typer.Option("--json")] = False,
    report: Annotated[str | None, typer.Option()] = None,
) -> int:
    from bullpen.arena.plan import new_plan
    from bullpen.arena.report_page import checked_report
    from bullpen.arena.tournament import USUAL_DEALS, USUAL_SEATS, chosen_workers, lineups_of
    from bullpen.deck import load_deck
    from bullpen.game import read_options
    from bullpen.terminal.names import game_meant
    from bullpen.terminal.records import named, new_file
    from bullpen.terminal.screen import open_screen
    from bullpen.terminal.tournament import Wishes, bots_named, checked_seats, hold, usual_file
    from bullpen.text import voice

    rules = game_meant(game)
    sitting = None if table is None else bots_named(table)
    wished = None if players is None else seats_wished(players)
    checked_seats(sitting, wished)
    usual = min(USUAL_SEATS, rules.SEATS[-1])
    seats = len(sitting) if sitting else usual if wished is None else wished
    options = read_options(rules, seats, option or ())
    lineups = lineups_of(sitting, None if bots is None else bots_named(bots), seats)
    first = 0 if seed is None else required_number("--seed", seed)
    plan = new_plan(rules, lineups, options, load_deck(rules.DECK_FILES, own_decks(deck)), first)
    wishes = Wishes(
        plan,
        USUAL_DEALS if deals is None else required_number("--deals", deals, least=1),
        chosen_workers(None if jobs is None else required_number("--jobs", jobs, least=1), ray),
        usual_file(plan) if out is None else new_file(out),
        None if report is None else checked_report(named(report)),
        json,
    )
    return hold(open_screen(voice(ctx.obj.language)), wishes)


@app.command()
def benchmark(
    ctx: typer.Context,
    bot: Annotated[str, typer.Argument(metavar="BOT")],
    game: Words = None,
    players: Words = None,
    quick: Annotated[bool, typer.Option("--quick")] = False,
    deals: Number = None,
    jobs: Number = None,
    card: Annotated[str | None, typer.Option()] = None,
    check: Annotated[str | None, typer.Option()] = None,
    json: Annotated[bool, typer.Option("--json")] = False,
) -> int:
    from bullpen.arena.family import Benchmark, cells, suite
    from bullpen.arena.family_card import checked_card
    from bullpen.arena.tournament import chosen_workers
    from bullpen.terminal.benchmark import Wishes, hold, tell_check, usual_card
    from bullpen.terminal.names import game_meant
    from bullpen.terminal.records import named, new_file
    from bullpen.terminal.screen import open_screen
    from bullpen.text import voice

    seats = [seats_wished(number) for number in players or ()]
    if quick and not seats:
        seats = list(suite().quick_players)
    tables = cells(bot, [game_meant(one).ID for one in game or ()], seats)
    if not tables:
        raise Problem("benchmark_nothing", bot=bot)
    usual = suite().quick_deals if quick else suite().deals
    count = usual if deals is None else required_number("--deals", deals, least=1)
    is_whole = not game and not seats and count == suite().deals
    if check is not None:
        of = usual_card(bot, is_whole=is_whole) if card is None else named(card)
        return tell_check(open_screen(voice(ctx.obj.language)), bot, of, named(check))
    wishes = Wishes(
        Benchmark(bot, tables, count),
        chosen_workers(None if jobs is None else required_number("--jobs", jobs, least=1), None),
        checked_card(usual_card(bot, is_whole=is_whole) if card is None else new_file(card)),
        json,
    )
    return hold(open_screen(voice(ctx.obj.language)), wishes)


@app.command()
def exploit(
    ctx: typer.Context,
    bot: Annotated[str | None, typer.Argument(metavar="BOT")] = None,
    game: Annotated[str | None, typer.Option()] = None,
    players: Number = None,
    option: Words = None,
    samples: Number = None,
    seed: Number = None,
    solve: Annotated[bool, typer.Option("--solve")] = False,
    steps: Number = None,
    out: Annotated[str | None, typer.Option()] = None,
    json: Annotated[bool, typer.Option("--json")] = False,
) -> int:
    from bullpen import fast
    from bullpen.game import read_options
    from bullpen.terminal.names import game_meant
    from bullpen.terminal.records import new_file
    from bullpen.terminal.screen import open_screen
    from bullpen.text import voice

    rules = None if game is None else game_meant(game)
    if package := fast.missing_package():
        raise Problem("fast_missing", package=package)
    if solve == (bot is not None) or (solve and rules is None):
        raise Problem("exploit_what")
    if rules is None and (option or players):
        raise Problem("exploit_game")
    from bullpen.exact.equilibria import MOST_STEPS, USUAL_SHARE
    from bullpen.exact.policies import USUAL_SAMPLES
    from bullpen.exact.trees import mini_game
    from bullpen.terminal import exploit

    screen = open_screen(voice(ctx.obj.language))
    if rules is not None and (option or solve):
        seats = 2 if players is None else seats_wished(players)
        minis = [mini_game(rules, seats, read_options(rules, seats, option or ()))]
    else:
        minis = exploit.ladder(rules)
    if solve:
        most = MOST_STEPS if steps is None else required_number("--steps", steps, least=1)
        file = None if out is None else new_file(out)
        wished = exploit.Wished(USUAL_SHARE, most, file)
        return exploit.solved(screen, minis[0], wished, as_json=json)
    question = exploit.Question(
        bot or "",
        USUAL_SAMPLES if samples is None else required_number("--samples", samples, least=2),
        0 if seed is None else required_number("--seed", seed),
    )
    return exploit.exploit(screen, question, minis, as_json=json)


@app.command()
def puzzles(
    ctx: typer.Context,
    what: Annotated[str, typer.Argument(metavar="play|make|check")],
    game: Annotated[str | None, typer.Argument(metavar="GAME")] = None,
    count: Number = None,
    jobs: Number = None,
    seed: Number = None,
    out: Annotated[str | None, typer.Option()] = None,
    file: Annotated[str | None, typer.Option()] = None,
) -> int:
    from bullpen.terminal import puzzles as terminal
    from bullpen.terminal.names import game_meant
    from bullpen.terminal.records import named, new_file
    from bullpen.terminal.screen import open_screen
    from bullpen.text import voice

    screen = open_screen(voice(ctx.obj.language))
    chosen = [*GAMES.values()] if game is None else [game_meant(game)]
    number = None if count is None else required_number("--count", count, least=1)
    first = 0 if seed is None else required_number("--seed", seed)
    source = None if file is None else named(file)
    if what == "check":
        return terminal.check(screen, chosen, source, number, first)
    if what not in ("play", "make"):
        raise BadOption("puzzles_what", what=what)
    if game is None:
        raise BadOption("puzzles_game", known=", ".join(GAMES))
    if what == "play":
        return terminal.play(screen, chosen[0], source, number, first)
    processes = 1 if jobs is None else required_number("--jobs", jobs, least=1)
    target = terminal.usual_file(chosen[0]) if out is None else new_file(out)
    return terminal.make_more(screen, chosen[0], target, number or terminal.USUAL, processes)


@app.command()
def dataset(
    ctx: typer.Context,
    what: Annotated[str, typer.Argument(metavar="make")],
    game: GameName,
    table: Annotated[str | None, typer.Option()] = None,
    bots: Annotated[str | None, typer.Option()] = None,
    players: Number = None,
    deals: Number = None,
    seed: Number = None,
    option: Words = None,
    deck: Words = None,
    jobs: Number = None,
    ray: Annotated[str | None, typer.Option()] = None,
    out: Annotated[str | None, typer.Option()] = None,
) -> int:
    from bullpen.arena.plan import new_plan
    from bullpen.arena.tournament import USUAL_DEALS, USUAL_SEATS, chosen_workers, lineups_of
    from bullpen.deck import load_deck
    from bullpen.game import read_options
    from bullpen.terminal import dataset as terminal
    from bullpen.terminal.names import game_meant
    from bullpen.terminal.records import new_file
    from bullpen.terminal.screen import open_screen
    from bullpen.terminal.tournament import bots_named, checked_seats
    from bullpen.text import voice

    if what != "make":
        raise BadOption("dataset_what", what=what)
    if out is None:
        raise BadOption("dataset_out")
    rules = game_meant(game)
    sitting = None if table is None else bots_named(table)
    wished = None if players is None else seats_wished(players)
    checked_seats(sitting, wished)
    usual = min(USUAL_SEATS, rules.SEATS[-1])
    seats = len(sitting) if sitting else usual if wished is None else wished
    options = read_options(rules, seats, option or ())
    lineups = lineups_of(sitting, None if bots is None else bots_named(bots), seats)
    first = 0 if seed is None else required_number("--seed", seed)
    plan = new_plan(rules, lineups, options, load_deck(rules.DECK_FILES, own_decks(deck)), first)
    wishes = terminal.Wishes(
        plan,
        USUAL_DEALS if deals is None else required_number("--deals", deals, least=1),
        chosen_workers(None if jobs is None else required_number("--jobs", jobs, least=1), ray),
        new_file(out),
    )
    return terminal.make(open_screen(voice(ctx.obj.language)), wishes)


def with_usual_ray(words: list[str]) -> list[str]:
    """`--ray` may stand without an address; Typer has no such flags."""
    return [
        "--ray=local"
        if word == "--ray" and (words[at + 1 : at + 2] == [] or words[at + 1].startswith("-"))
        else word
        for at, word in enumerate(words)
    ]


# -- A server ---------------------------------------------------------------------------------

Setting = Annotated[str | None, typer.Option()]


@app.command()
def serve(
    ctx: typer.Context,
    host: Setting = None,
    port: Number = None,
    db: Setting = None,
    origin: Words = None,
    proxy: Setting = None,
    workers: Number = None,
    thinkers: Number = None,
    coaches: Number = None,
    reviewers: Number = None,
    refused_words: Setting = None,
    quality_share: Setting = None,
    sleep_seconds: Setting = None,
    bot_seconds: Setting = None,
    coach_seconds: Setting = None,
    memory: Number = None,
    warm: Setting = None,
    banned: Setting = None,
    tables_per_address: Number = None,
    tables_per_player: Number = None,
    codes_per_minute: Number = None,
    quick_per_minute: Number = None,
    clubs_per_minute: Number = None,
    clubs_per_player: Number = None,
    sockets_per_address: Number = None,
    connections_per_address: Number = None,
    requests_per_minute: Number = None,
    work_per_address: Number = None,
    connections: Number = None,
    head_seconds: Setting = None,
    body_seconds: Setting = None,
    messages: Number = None,
    messages_seconds: Setting = None,
    open_seconds: Setting = None,
    lobby_minutes: Setting = None,
    away_seconds: Setting = None,
    alone_seconds: Setting = None,
    alone_days: Setting = None,
    abandon_days: Setting = None,
    keep_days: Setting = None,
    push_contact: Setting = None,
    push_local: Setting = None,
    log: Setting = None,
    home: Annotated[bool, typer.Option("--home")] = False,
) -> int:
    wished = {
        name: value for name, value in locals().items() if name not in ("ctx", "origin", "home")
    }
    from bullpen.terminal.serve import serve
    from bullpen.text import voice

    wished = {**wished, "origin": ",".join(origin) if origin else None}
    return serve(voice(ctx.obj.language), wished, at_home=home)


# -- The store of a server --------------------------------------------------------------------

StoreUrl = Annotated[str, typer.Option("--db")]


def store_meant(named: str) -> str:
    from bullpen.server.store import url_of

    return url_of(named)


@app.command()
def backup(
    ctx: typer.Context, db: StoreUrl, file: Annotated[str, typer.Argument(metavar="FILE")]
) -> int:
    from bullpen.terminal.store_commands import backup
    from bullpen.text import voice

    return backup(voice(ctx.obj.language), store_meant(db), file)


@app.command()
def restore(
    ctx: typer.Context, db: StoreUrl, file: Annotated[str, typer.Argument(metavar="FILE")]
) -> int:
    from bullpen.terminal.store_commands import restore
    from bullpen.text import voice

    return restore(voice(ctx.obj.language), file, store_meant(db))


@app.command()
def inspect(
    ctx: typer.Context, db: StoreUrl, export: Annotated[str | None, typer.Option()] = None
) -> int:
    from bullpen.terminal.store_commands import inspect
    from bullpen.text import voice

    return inspect(voice(ctx.obj.language), store_meant(db), export)


@app.command()
def prune(
    ctx: typer.Context,
    db: StoreUrl,
    older_than: Annotated[str, typer.Option()],
    abandon_after: Annotated[str | None, typer.Option()] = None,
    delete: Annotated[bool, typer.Option("--delete")] = False,
    yes: Annotated[bool, typer.Option("--yes")] = False,
) -> int:
    from bullpen.terminal.pruning import Wish, days, prune
    from bullpen.text import voice

    abandoned = None if abandon_after is None else days("--abandon-after", abandon_after)
    wish = Wish(days("--older-than", older_than), abandoned, "delete" if delete else "blank")
    return prune(voice(ctx.obj.language), store_meant(db), wish, "do" if yes else "tell")


@app.command()
def people(
    ctx: typer.Context,
    db: StoreUrl,
    what: Annotated[str, typer.Argument(metavar="find|show|rename|silence|delete|reports|close")],
    who: Annotated[str | None, typer.Argument(metavar="WHO")] = None,
    name: Annotated[str | None, typer.Argument(metavar="NAME")] = None,
    hours: Annotated[str | None, typer.Option()] = None,
    yes: Annotated[bool, typer.Option("--yes")] = False,
) -> int:
    from bullpen.terminal import players
    from bullpen.text import voice

    long = None if hours is None else players.hours(hours)
    wish = players.Wish(what, who, name, long, yes)
    return players.people(voice(ctx.obj.language), store_meant(db), wish)


# -- The coach --------------------------------------------------------------------------------


@app.command()
def hint(
    ctx: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE")],
    seat: Number = None,
    playouts: Number = None,
    seed: Number = None,
    json: Annotated[bool, typer.Option("--json")] = False,
) -> None:
    from bullpen.coach.candidates import USUAL_PLAYOUTS
    from bullpen.terminal.coach import hint_for_file
    from bullpen.terminal.records import named
    from bullpen.terminal.screen import open_screen
    from bullpen.text import voice

    hint_for_file(
        open_screen(voice(ctx.obj.language)),
        named(file),
        number("--seat", seat),
        playouts_wished(playouts, USUAL_PLAYOUTS),
        number("--seed", seed) or 0,
        as_json=json,
    )


@app.command()
def review(
    ctx: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE")],
    seat: Number = None,
    playouts: Number = None,
    seed: Number = None,
    jobs: Number = None,
    json: Annotated[bool, typer.Option("--json")] = False,
    html: Annotated[str | None, typer.Option()] = None,
) -> None:
    from bullpen.coach.candidates import USUAL_PLAYOUTS
    from bullpen.terminal.coach_review import checked_page, review_file
    from bullpen.terminal.records import named
    from bullpen.terminal.screen import open_screen
    from bullpen.text import voice

    review_file(
        open_screen(voice(ctx.obj.language)),
        named(file),
        number("--seat", seat),
        playouts_wished(playouts, USUAL_PLAYOUTS),
        number("--seed", seed) or 0,
        None if jobs is None else required_number("--jobs", jobs, least=1),
        None if html is None else checked_page(html),
        as_json=json,
    )


def playouts_wished(text: str | None, usual: int) -> int:
    if text is None:
        return usual
    wished = required_number("--playouts", text, least=1)
    if wished > MOST_PLAYOUTS:
        raise BadOption("number_too_big", flag="--playouts", value=wished, most=MOST_PLAYOUTS)
    return wished


# -- What was typed wrongly -------------------------------------------------------------------


def own_decks(files: list[str] | None) -> list[str]:
    if files and "" in files:
        raise Problem("file_name_missing")
    return files or []


def number(flag: str, text: str | None) -> int | None:
    return None if text is None else required_number(flag, text)


def seats_wished(text: str) -> int:
    """Any number: which ones are possible is for the game to say."""
    return required_number("--players", text, least=-(10**MOST_DIGITS))


def required_number(flag: str, text: str, least: int = 0) -> int:
    if not re.fullmatch(r"[+-]?[0-9]+", text.strip()):
        raise BadOption("not_a_number", flag=flag, value=text)
    if len(text.strip().lstrip("+-")) > MOST_DIGITS:
        raise BadOption("number_too_large", flag=flag, digits=MOST_DIGITS)
    value = int(text)
    if value < least:
        raise BadOption("number_too_small", flag=flag, value=value, least=least)
    return value


def usage_problem(error: Any, command: str) -> Problem:
    """What Typer found wrong, as one of our own problems."""
    kind, flag = type(error).__name__, getattr(error, "option_name", None)
    if kind == "MissingParameter":
        missing = error.param.metavar or error.param.opts[0]
        if missing == "GAME":
            return Problem("missing_game", command=command, known=", ".join(GAMES))
        return Problem("missing_word", command=command, missing=missing)
    if kind == "NoSuchOption":
        return Problem("unknown_flag_of", command=command, flag=flag, known=flags_of(command))
    if kind == "BadOptionUsage":
        return Problem("flag_needs_value", flag=flag)
    if extra := re.search(r"extra argument\S* \((.*)\)", error.message):
        return Problem("extra_words", command=command, extra=extra[1])
    return Problem("bad_usage", command=command, reason=error.format_message())


def flags_of(command: str) -> str:
    """`--players, --bots, …`"""
    known = typer.main.get_command(app)
    parameters = known.commands[command].params  # type: ignore[attr-defined]
    return ", ".join(
        [opt for one in parameters for opt in one.opts if opt.startswith("--")] + ["--lang"]
    )
