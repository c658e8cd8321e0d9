"""Signing an order file on the player's side: header, value under R8, SSHSIG, and the ssh-keygen line that
does the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from pbem.core.problem import Problem
from pbem.proof.archive import orders_namespace
from pbem.proof.dice_protocol import normal_words
from pbem.proof.orderfile import OrderFile, parse, write
from pbem.proof.signing import fingerprint, public_of, sign
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import Game
from pbem.referee.game.intake import takes_values, words_problem
from pbem.referee.game.refusal import Refused, refuse
from pbem.referee.game.sealing import value_of
from pbem.referee.turn.beacon import unsaid
from pbem.referee.turn.check import Checked, check
from pbem.referee.turn.completing import may_roll, nobody_signed
from pbem.referee.turn.giving import PLAIN, Giving, Wish, give

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


class Signed(Struct, frozen=True):
    """A signed order file: bytes, signature, whether it is final, how ssh-keygen signs the same, and the
    value that leaves with it.
    """

    checked: Checked
    data: bytes
    signature: str
    final: bool
    namespace: str
    giving: Giving | None = None

    def command(self, file: str, key: str) -> str:
        """Return the line that makes the same signature with OpenSSH."""
        return f"ssh-keygen -Y sign -f {key} -n {self.namespace} {file}"


def sign_orders(
    env: Environment,
    game: Game,
    name: str,
    data: bytes,
    private: Ed25519PrivateKey,
    *,
    seat: str | None = None,
    draft: bool = False,
    meant: bool = False,
    wish: Wish = PLAIN,
) -> Signed:
    """Return an order file with its header and signature; Refused where it has problems, or the value must
    not leave (R8).

    In a slot that takes values it carries the seat's own one and is final, unless ``draft``. A file with a
    header is signed as it is. One that orders nobody is signed only where it says so, or as a draft.
    ``meant``: as it is, as of a game that is played again.
    ``wish`` is what the player says of the value that leaves.
    """
    announced = game.announced()
    checked = check(game, name, data, seat)
    if not checked.ok:
        raise Refused(located=(*checked.problems, *checked.doubts))
    party = game.ledger.seats[checked.seat]
    if party.key != public_of(private):
        raise refuse(
            "sign.other-key", file=name, fingerprint=fingerprint(public_of(private)), seat=party.name
        )
    if not (draft or meant) and (problem := nobody_signed(game, checked.seat, checked.orders)) is not None:
        raise Refused([problem], file=name)
    slot = int(announced["slot"])
    if wish.slot not in (None, slot):
        raise refuse("sign.not-open", slot=int(wish.slot or 0), open=slot)
    if checked.header is None:
        data, giving = _written(
            env, game, checked, slot, wish, early=takes_values(game, announced) and not draft
        )
    else:
        giving = _may_sign(env, game, checked.header, slot, wish)
    header = parse(data)
    namespace = orders_namespace(game.id, slot, party.name, header.head)
    return Signed(checked, data, sign(private, namespace, data), header.has_value, namespace, giving)


def _may_sign(env: Environment, game: Game, header: OrderFile, slot: int, wish: Wish) -> Giving | None:
    if header.slot != slot:
        raise refuse("sign.not-open", slot=header.slot, open=slot)
    if header.head != game.ledger.next_id:
        raise refuse("proof.other-history", head=header.head[:16], this=game.ledger.next_id[:16])
    return give(env, game, header.seat, slot, header.head, wish) if header.x is not None else None


def _written(
    env: Environment, game: Game, checked: Checked, slot: int, wish: Wish, *, early: bool
) -> tuple[bytes, Giving | None]:
    value = luck = giving = None
    seat = checked.seat
    if early and seat in game.ledger.known:
        value = value_of(env, game, seat, slot)
        giving = give(env, game, seat, slot, game.ledger.next_id, wish)
    elif early and checked.luck is not None:
        wrong = words_problem(game, seat, checked.luck)
        if wrong is not None:
            raise Refused([wrong])
        luck = normal_words(checked.luck)
    elif early and may_roll(game):
        raise Refused(
            [Problem("sign.words", {"seat": seat}, help="a line such as luck: seven drunken herons")]
        )
    yaml = checked.data.replace(b"\r\n", b"\n")
    data = write(
        game=game.id,
        slot=slot,
        seat=seat,
        head=game.ledger.next_id,
        salt=env.entropy(16).hex(),
        yaml=yaml,
        value=value,
        luck=luck,
        seen=unsaid(game, env.keyring.seen(game.id)),
    )
    return data, giving
