"""What ``pbem verify GAME --log`` prints: how far a log vouches for the history of a copy, or that there are
two.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli import NO, UNDECIDED
from pbem.cli.refused import print_json

if TYPE_CHECKING:
    from pbem.proof.note import NoteKey
    from pbem.referee.proving.log_watching import LogAnswer

_MOST = 20


def verify_log(
    game: Path, where: str, log_key: str | None, witness_keys: tuple[str, ...], json_: bool
) -> int:
    """Ask a log about a copy, print what it says, and return the answer of the command."""
    from pbem.cli.witness import read_log_key, read_witness_keys
    from pbem.proof.archive import visible
    from pbem.referee.game.environment import own_environment
    from pbem.referee.proving.log_watching import ask_log

    key, witnesses = read_log_key(log_key), read_witness_keys(witness_keys)
    if Path(where).is_file():
        return _proof(game, Path(where), key, witnesses, json_)
    asked = ask_log(own_environment(), game, where, key, witnesses)
    if json_:
        print_json(_facts(asked))
        return asked.answer
    for line in _lines(asked):
        click.echo(visible(line))
    return asked.answer


def _proof(game: Path, file: Path, key: NoteKey | None, witnesses: list[NoteKey], json_: bool) -> int:
    from pbem.cli.witness import how_known
    from pbem.proof.archive import visible
    from pbem.referee.game.environment import own_environment
    from pbem.referee.proving.log_proving import check_proof
    from pbem.referee.proving.logs import time_of

    proved = check_proof(own_environment(), game, file, key, witnesses)
    head, tree = proved.head, proved.tree
    if json_:
        cosigned = [
            {"name": name, "at": time_of(at) if at is not None else ""} for name, at in proved.cosigned
        ]
        facts = {
            "answer": proved.answer,
            "game": proved.game,
            "log": tree.origin,
            "newest": head.n,
            "entry": proved.index,
        }
        print_json({**facts, "key": proved.key.line, "how": proved.how, "witnesses": cosigned})
        return proved.answer
    lines = [
        f"{'CANNOT DECIDE' if proved.answer else 'IN THE LOG'}  {proved.game}   entry {proved.index} of "
        f"{tree.origin}"
    ]
    for name, at in proved.cosigned:
        by = (
            f"was in the log by {time_of(at)}, cosigned by {name}"
            if at is not None
            else f"is in a log that {name} has not cosigned here"
        )
        lines.append(f"Everything up to {head.said} (record {head.n}) {by}.")
    if not proved.cosigned:
        lines.append(f"Everything up to {head.said} (record {head.n}) was in the log.")
    lines.append("Whether another history of this game is in it no such proof can say: ask the log.")
    lines.append(f"The key of the log ({how_known(proved.how)}): {proved.key.line}")
    for line in lines:
        click.echo(visible(line))
    return proved.answer


def _lines(asked: LogAnswer) -> Iterator[str]:
    from pbem.cli.witness import how_known
    from pbem.proof.archive import short_digest
    from pbem.referee.proving.logs import time_of

    judged, log = asked.judged, asked.tree.origin
    word = {0: "IN THE LOG", NO: "FORK", UNDECIDED: "CANNOT DECIDE"}[asked.answer]
    yield (
        f"{word}  {asked.game}   head {asked.head}   {len(judged.logged)} of "
        f"{len(judged.own)} records are in {log}"
    )
    for fork in judged.forks[:_MOST]:
        own = f"{short_digest(fork.own)} in this copy" if fork.own else "neither in this copy"
        others = ", ".join(f"{short_digest(id_)} (entry {at})" for at, id_ in fork.others[:_MOST])
        which = f" ({judged.own[fork.n - 1].said})" if fork.own else ""
        yield f"record {fork.n}{which} is there twice, and the GM signed both: {own}; in the log {others}"
    if asked.broken:
        yield f"The game itself does not hold: {asked.broken}"
    if asked.unproved:
        yield _UNPROVED[asked.unproved]
    if asked.newest is None:
        yield f"No record of this copy is in the log {log}."
    elif not asked.unproved and not any(one.head == asked.newest for one in asked.vouched):
        yield (
            f"Everything up to {asked.newest.said} (record {asked.newest.n}) is in the log {log} "
            f"now{_left(asked)}."
        )
    for one in asked.vouched:
        if one.head is not None and not asked.unproved:
            left = _left(asked) if one.head == asked.newest else ""
            by = f"was in the log {log} by {time_of(one.at)}, cosigned by {one.name}"
            yield f"Everything up to {one.head.said} (record {one.head.n}) {by}{left}."
            yield (
                f"  {one.name} cosigned the log last at {time_of(one.newest)}; what came later nobody but "
                "its keeper has seen."
            )
        else:
            when = f", and cosigned the log last at {time_of(one.newest)}" if one.newest else ""
            yield f"{one.name} has cosigned nothing of this copy{when}."
    if not judged.forks and not asked.unproved and asked.newest is not None:
        yield (
            "Another history of this game is NOT in "
            f"it.{' It goes on to record ' + str(judged.ahead) + '.' if judged.ahead else ''}"
        )
    elif judged.ahead and not judged.forks and not asked.unproved:
        yield f"The log has records of this game up to {judged.ahead}, and none of this copy's."
    yield from _notes(asked)
    yield (
        f"The log: {asked.tree.size} heads, state {asked.tree.digest}; key ({how_known(asked.how)}) "
        f"{asked.key.line}"
    )
    if asked.first:
        yield "You ask this log for the first time: from now on it cannot show you another face unnoticed."


_UNPROVED = {
    "rollback": (
        "The log shows less than it showed you before: it forgets, or an old page of it is served again. It "
        "proves nothing."
    ),
    "split": (
        "The log does not continue what it showed you before: it has two faces, and its keeper signed both. "
        "It proves nothing."
    ),
}


def _left(asked: LogAnswer) -> str:
    assert asked.newest is not None
    left = len(asked.judged.own) - asked.newest.n
    return f"; {left} newer {'record is' if left == 1 else 'records are'} not" if left else ""


def _notes(asked: LogAnswer) -> Iterator[str]:
    from pbem.proof.signing import fingerprint

    judged = asked.judged
    if judged.unsigned:
        listed = ", ".join(map(str, judged.unsigned[:_MOST]))
        yield (
            f"Record {listed} of this copy is another in the log, and is not signed by the GM: it is the "
            "copy that proves nothing there."
        )
    if judged.strangers:
        keys = sorted({fingerprint(head.key) for head in judged.strangers})
        yield (
            "Heads of a game of this name by other keys are in it too, which say nothing about this GM: "
            f"{', '.join(keys[:3])}"
        )
    if judged.renewed:
        yield (
            f"{len(judged.renewed)} heads were entered with a key that the GM had renewed by then: whoever "
            "has the old one can do that."
        )


def _facts(asked: LogAnswer) -> dict[str, object]:
    from pbem.proof.signing import fingerprint
    from pbem.referee.proving.logs import time_of

    judged = asked.judged
    return {
        "answer": asked.answer,
        "game": asked.game,
        "head": asked.head,
        "log": asked.tree.origin,
        "size": asked.tree.size,
        "state": asked.tree.root.hex(),
        "key": asked.key.line,
        "how": asked.how,
        "first": asked.first,
        "unproved": asked.unproved,
        "broken": asked.broken,
        "records": len(judged.own),
        "logged": sorted(judged.logged),
        "newest": asked.newest.n if asked.newest is not None else 0,
        "ahead": judged.ahead,
        "forks": [
            {"n": one.n, "own": one.own, "log": [{"entry": at, "id": id_} for at, id_ in one.others]}
            for one in judged.forks
        ],
        "unsigned": list(judged.unsigned),
        "others": sorted({fingerprint(head.key) for head in judged.strangers}),
        "renewed": len(judged.renewed),
        "witnesses": [
            {
                "name": one.name,
                "newest": one.head.n if one.head is not None else 0,
                "at": time_of(one.at) if one.head is not None else "",
                "last": time_of(one.newest) if one.newest else "",
            }
            for one in asked.vouched
        ],
    }
