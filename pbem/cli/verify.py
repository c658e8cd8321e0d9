"""The verb verify: one game, two copies of it, a player's own letters, a forum's thread, one die, or every
game of a folder.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import to_builtins

from pbem.cli import NO, UNDECIDED, params
from pbem.cli.refused import print_json

if TYPE_CHECKING:
    from pbem.fleet.door import Means
    from pbem.proof.luck import SideLuck
    from pbem.proof.verify import Verdict


@click.command("verify")
@click.argument("game", type=params.PATH, required=False)
@click.argument("pages", type=params.PATH, nargs=-1, metavar="")
@click.option("--die", metavar="LABEL", help="Show the arithmetic of one die.")
@click.option("--slot", type=int, metavar="N", help="The slot of that die.")
@click.option("--with", "other", type=params.PATH, metavar="OTHER", help="Another copy: is it one history?")
@click.option(
    "--mine",
    "outbox",
    type=params.PATH,
    metavar="OUTBOX",
    help="A folder of what you sent and got: is it in the locks?",
)
@click.option(
    "--thread",
    type=params.PATH,
    multiple=True,
    metavar="PAGE...",
    help="Saved pages of a forum: do they tell this game?",
)
@click.option(
    "--log", "log", metavar="DIR|URL|PROOF", help="A log of heads: is this history in it, and no other?"
)
@click.option("--log-key", metavar="KEY", help="With --log: its public key, or a file that holds it.")
@click.option(
    "--witness-key",
    multiple=True,
    metavar="KEY",
    help="With --log: the key of a witness who has to have cosigned it.",
)
@click.option(
    "--tsa-cert",
    type=params.PATH,
    metavar="FILE",
    help="Whose time stamps you believe (PEM), if not whom this machine does.",
)
@click.option(
    "--all",
    "every",
    type=params.PATH,
    metavar="DIR",
    help="Every archive and game folder below DIR, on all cores.",
)
@click.option("--luck", "only_luck", is_flag=True, help="Only the luck of each side.")
@click.option("--no-replay", is_flag=True, help="Do not play the rules again.")
@click.option("--jobs", type=click.IntRange(1), metavar="N", help="With --all: so many at once.")
@params.fleet
@params.as_json
@click.pass_context
def verify_(
    ctx: click.Context,
    game: Path | None,
    pages: tuple[Path, ...],
    die: str | None,
    slot: int | None,
    other: Path | None,
    outbox: Path | None,
    thread: tuple[Path, ...],
    log: str | None,
    log_key: str | None,
    witness_key: tuple[str, ...],
    tsa_cert: Path | None,
    every: Path | None,
    only_luck: bool,
    no_replay: bool,
    jobs: int | None,
    workers: int | None,
    scheduler: str | None,
    tls: Path | None,
    parts: Path | None,
    json_: bool,
) -> None:
    """Check the proof of a game; the rules are played again.

    \b
    Example:
      pbem verify toll.zip
      pbem verify toll.zip --die t1.east.melee/fight/hob/1 --slot 1
      pbem verify toll.zip --mine my-letters
      pbem verify toll.zip --thread page-1.html page-2.html
      pbem verify toll.zip --log https://example.org/club
      pbem verify --all games
      pbem verify --all archives --scheduler tls://hall:8786 --tls keys --parts audit
    """
    given = {
        "--die": die,
        "--with": other,
        "--mine": outbox,
        "--thread": thread or None,
        "--log": log,
        "--all": every,
    }
    chosen = [name for name, value in given.items() if value is not None]
    if pages and not thread:
        raise click.UsageError(
            f"one game at a time: '{pages[0]}' is one more; pages of a thread stand behind --thread"
        )
    if len(chosen) > 1:
        raise click.UsageError(f"one at a time: {' or '.join(chosen)}")
    if log is None and (log_key or witness_key):
        raise click.UsageError("--log-key and --witness-key go with --log")
    if (game is None) == (every is None):
        raise click.UsageError("name a game, or a folder of games with --all")
    if every is not None:
        from pbem.cli.fleet import means

        ctx.exit(_all(every, not no_replay, means(workers, scheduler, tls, parts, jobs), json_))
    if (jobs, workers, scheduler, tls, parts) != (None,) * 5:
        raise click.UsageError("--jobs, --workers, --scheduler, --tls and --parts go with --all")
    assert game is not None
    if die is not None:
        if slot is None:
            raise click.UsageError("--die needs --slot")
        from pbem.cli.proof import show_roll

        show_roll(game, slot, die, json_)
    elif other is not None:
        ctx.exit(_with(game, other, json_))
    elif outbox is not None:
        ctx.exit(_mine(game, outbox, json_))
    elif log is not None:
        from pbem.cli.verify_log import verify_log

        ctx.exit(verify_log(game, log, log_key, witness_key, json_))
    elif thread:
        ctx.exit(_thread(game, (*thread, *pages), json_))
    else:
        from pbem.referee.game.environment import own_environment
        from pbem.referee.proving.verify import verify

        verdict = verify(game, with_rules=not (no_replay or only_luck), engine=own_environment().engine())
        _luck(verdict, json_) if only_luck else _told(game, verdict, tsa_cert, json_, replayed=not no_replay)
        ctx.exit((NO if verdict.failures else 0) if only_luck else verdict.exit_code)


def _told(game: Path, verdict: Verdict, tsa_cert: Path | None, json_: bool, *, replayed: bool) -> None:
    from pbem.proof.archive import visible
    from pbem.proof.verdict_words import luck_lines, signed_lines, unproven
    from pbem.referee.game.environment import own_environment
    from pbem.referee.mail.notices import beside
    from pbem.referee.proving.bot_check import bot_lines, has_bots
    from pbem.referee.proving.stamps import look
    from pbem.referee.proving.verify import own_rules
    from pbem.referee.turn.seen_heads import look_verified

    env = own_environment()
    noticed, own = beside(env, game, verdict), own_rules(game, verdict)
    bots = bot_lines(game, env.engine()) if replayed and has_bots(verdict.relied) else ()
    stamps, unseen = look(game, tsa_cert)
    look_verified(env, game, verdict)
    if json_:
        print_json(
            {
                "verdict": verdict.verdict,
                "slots": verdict.slots,
                "sum": verdict.sum,
                "acts": [to_builtins(act) for act in verdict.acts],
                "signatures": verdict.signatures,
                "dice": verdict.dice,
                "failures": [to_builtins(one) for one in verdict.failures],
                "warnings": [
                    {"code": one.code, "where": one.where, "message": one.message} for one in verdict.warnings
                ],
                "trust": [{"slot": line.slot, "foreknowledge": line.foreknowledge} for line in verdict.trust],
                "undecided": list(verdict.undecided),
                "not_proven": list(unproven(verdict)),
                "luck": [_luck_json(side) for side in verdict.luck],
                "engines": [
                    {**to_builtins(one.engine), "first": one.first, "last": one.last}
                    for one in verdict.engines
                ],
                "replayed_by": dict(env.engine()) if replayed else None,
                "own_rules": list(own),
                "bots": list(bots),
                "notices": list(noticed),
                "signed": [
                    {
                        "seat": one.seat,
                        "n": one.n,
                        "head": one.record.id if one.record is not None else "",
                        "unsigned": one.unsigned,
                    }
                    for one in verdict.signed
                ],
                "stamps": [
                    {"path": one.path, "slot": one.slot, "at": one.at, "name": one.name, "why": one.why}
                    for one in stamps
                ],
            }
        )
        return
    for line in verdict.lines:
        click.echo(line)
    for line in signed_lines(verdict.signed):
        click.echo(f"     {line}")
    for stamp in stamps:
        click.echo(visible(f"     {stamp.said}" if stamp.holds else f"W    {stamp.path}: {stamp.why}"))
    for line in (*own, *bots, *noticed, *([unseen] if unseen else [])):
        click.echo(visible(f"!    {line}"))
    if left := unproven(verdict):
        click.echo("Not proven:")
        for line in left:
            click.echo(f"  {line}")
    for line in luck_lines(verdict.luck):
        click.echo(line)


def _luck(verdict: Verdict, json_: bool) -> None:
    from pbem.proof.verdict_words import luck_lines

    if json_:
        print_json([_luck_json(side) for side in verdict.luck])
        return
    if verdict.failures:
        click.echo("The proof of this game does not hold, or something is missing: see pbem verify GAME.")
    for line in luck_lines(verdict.luck):
        click.echo(line)


def _luck_json(side: SideLuck) -> dict[str, object]:
    return {
        "side": side.side,
        "seats": list(side.seats),
        "sizes": [
            {
                "sides": size.sides,
                "dice": size.dice,
                "mean": float(size.mean),
                "expected_mean": float(size.expected),
                "low": size.low,
                "high": size.high,
                "expected_tenth": float(size.tenth),
            }
            for size in side.sizes
        ],
        "chance": side.chance,
        "corrected": side.corrected,
    }


def _with(game: Path, other: Path, json_: bool) -> int:
    from pbem.referee.proving.verify import compare

    found = compare(game, other)
    if json_:
        print_json(
            {
                "same": found.same,
                "word": found.word,
                "why": found.why,
                "heads": list(found.heads),
                "shared": found.shared,
            }
        )
    else:
        why = f"{found.why}; " if found.why else ""
        click.echo(
            f"{found.word}: {why}{found.shared} records in common; heads {found.heads[0]} and "
            f"{found.heads[1]}"
        )
    return found.answer


def _mine(game: Path, outbox: Path, json_: bool) -> int:
    from pbem.proof.archive import visible
    from pbem.proof.own_mail import MISSING
    from pbem.referee.proving.verify import mine

    found = mine(game, outbox)
    words = {0: "ALL THERE", NO: "NOT ALL THERE", UNDECIDED: "NOTHING OF THIS GAME"}
    if json_:
        letters = [
            {
                "file": one.path,
                "kind": one.kind,
                "seat": one.seat,
                "slot": one.slot,
                "answer": one.answer,
                "said": one.said,
            }
            for one in found.found
        ]
        print_json(
            {
                "game": found.game,
                "answer": found.answer,
                "broken": found.broken,
                "letters": letters,
                "others": list(found.others),
            }
        )
        return found.answer
    missing = sum(one.answer == MISSING for one in found.found)
    click.echo(
        f"{words[found.answer]}  {found.game}   head {found.head}   "
        f"{len(found.found)} letters, {missing} missing"
    )
    if found.broken:
        click.echo(visible(f"The game itself does not hold: {found.broken}"))
    width = max((len(one.path) for one in found.found), default=0)
    for one in found.found:
        mark = "!" if one.answer == MISSING else " "
        slot = f"slot {one.slot}" if one.slot else "-"
        click.echo(visible(f"{mark} {one.path.ljust(width)}  {one.kind:<7}  {slot:<8}  {one.said}"))
    if found.others:
        more = " …" if len(found.others) > 20 else ""
        click.echo(visible(f"Not letters of this program: {', '.join(found.others[:20])}{more}"))
    return found.answer


def _thread(game: Path, pages: tuple[Path, ...], json_: bool) -> int:
    from pbem.cli.forum_read import files
    from pbem.proof.archive import short_digest, visible
    from pbem.referee.forum.thread_verify import AHEAD, OTHER, SAME, verify_thread

    found = verify_thread(game, files(pages))
    if json_:
        first = found.told.index(found.first) if found.first is not None else None
        print_json({**to_builtins(found), "answer": found.answer, "first": first})
        return found.answer
    words = {0: "ONE STORY", NO: "ANOTHER STORY", UNDECIDED: "CANNOT DECIDE"}
    count = len({one.slot for one in found.told})
    click.echo(
        f"{words[found.answer]}  {found.game}   head {found.head}   {count} "
        f"{'turn' if count == 1 else 'turns'} told"
    )
    if found.broken:
        click.echo(visible(f"The game itself does not hold: {found.broken}"))
    if found.first is not None:
        other = found.first
        click.echo(
            visible(
                f"The first that tells another story: {other.post} by {other.author[:60] or 'nobody'}, slot "
                f"{other.slot}."
            )
        )
        click.echo(f"  the post:  {other.head}")
        click.echo(f"  this copy: {other.ledger or 'has no result of this slot'}")
    if not found.told:
        click.echo(
            "No post tells a head of this game in its author's own words."
            + (" Quoted ones do not count." if found.quoted else "")
        )
    said = {SAME: "same", OTHER: "OTHER", AHEAD: "not in this copy yet"}
    for one in found.told:
        notes = f"  ({'; '.join(one.notes)})" if one.notes else ""
        mark = "!" if one.answer == OTHER else " "
        post = f"slot {one.slot:<4} {one.post} by {one.author[:60] or 'nobody'}"
        click.echo(visible(f"{mark} {post}  {short_digest(one.head)}  {said[one.answer]}{notes}"))
    if found.missing:
        click.echo(
            "Not told in these pages: slots "
            f"{', '.join(map(str, found.missing[:40]))}{' …' if len(found.missing) > 40 else ''}"
        )
    if found.others:
        click.echo(visible(f"Other games in this thread: {', '.join(found.others[:20])}"))
    for problem in found.problems:
        click.echo(visible(problem), err=True)
    return found.answer


def _all(folder: Path, with_rules: bool, means: Means, json_: bool) -> int:
    from pbem.fleet.audits import verify_all
    from pbem.proof.archive import visible
    from pbem.referee.game.refusal import refuse
    from pbem.referee.proving.verify_folder import games, worst

    if not folder.is_dir():
        raise refuse("game.missing", answer=UNDECIDED, file=str(folder), path=str(folder))
    count = len(games(folder))
    hidden = json_ or not sys.stderr.isatty()
    found = []
    with click.progressbar(
        length=count, label="Verifying", show_pos=True, file=sys.stderr, hidden=hidden
    ) as bar:
        for one in verify_all(folder, with_rules=with_rules, means=means):
            found.append(one)
            bar.update(1)
    found.sort(key=lambda one: one.path)
    answer = worst(found)
    if json_:
        print_json(
            {
                "answer": answer,
                "games": [
                    {
                        "path": one.path,
                        "verdict": one.verdict,
                        "answer": one.answer,
                        "game": one.game,
                        "slots": one.slots,
                        "signatures": one.signatures,
                        "dice": one.dice,
                        "why": one.why,
                    }
                    for one in found
                ],
            }
        )
        return answer
    width = max((len(one.path) for one in found), default=0)
    for one in found:
        word = {"pass": "PASS", "fail": "FAIL", "undecided": "CANNOT DECIDE", "fault": "FAULT"}[one.verdict]
        click.echo(
            visible(
                f"{word:<13}  {one.path.ljust(width)}  {one.slots} slots, {one.dice} dice  {one.why}".rstrip()
            )
        )
    counted = [f"{n} {said}" for said, n in _counts([one.verdict for one in found]) if n]
    noun = "game" if len(found) == 1 else "games"
    click.echo(f"{len(found)} {noun}: {', '.join(counted)}" if found else f"There is no game below {folder}.")
    return answer


def _counts(verdicts: list[str]) -> list[tuple[str, int]]:
    said = {"pass": "hold", "fail": "do not hold", "undecided": "cannot be decided", "fault": "broke pbem"}
    return [(said[verdict], verdicts.count(verdict)) for verdict in said]
