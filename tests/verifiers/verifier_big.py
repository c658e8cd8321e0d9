"""A long game for measuring: 8 seats, 300 dice a slot."""

from __future__ import annotations

import hashlib

from proof_simulator import Referee, player

from pbem.proof import archive as names
from pbem.proof import records
from pbem.proof.archive import MemoryArchive
from pbem.proof.canonical import encode

SEATS = tuple(f"seat{number}" for number in range(1, 9))


def big_game(slots: int = 60, rolls: int = 300) -> MemoryArchive:
    """Return the pack of a game in which eight seats order in every slot, with three receipts a slot."""
    game = Referee([player(name) for name in SEATS], chains=SEATS)
    game.at = lambda: "2026-02-01T00:00:00Z"  # type: ignore[method-assign]
    game.open("t1.melee", SEATS)
    for number in range(1, slots + 1):
        for seat in SEATS:
            data = game.order(seat, x=True)
            if seat in SEATS[:3]:
                sha512 = hashlib.sha512(data).hexdigest()
                paper = records.receipt(
                    game=game.game, at=game.at(), seat=seat, slot=number, sha512=sha512, file="final"
                )
                game.put(
                    names.receipt_path(number, seat, sha512),
                    encode(paper),
                    "gm",
                    names.gm_namespace(game.game),
                )
        game.lock()
        following = (f"t{number + 1}.melee", SEATS) if number < slots else None
        game.result(
            [(f"t{number}.melee/fight/u{roll}/1", 10, 1) for roll in range(rolls)], following=following
        )
    return game.pack()
