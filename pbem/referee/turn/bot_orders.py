"""The orders of a bot in a seat of a game by mail: worked out from what its side knows and from values that
were fixed before it thought.

Nobody steers them. What a bot leaves to chance, and the words that it types for the dice, follow from the
umpire's value for the slot, which he fixed before the game began and which nobody else knows before the
result, and from the seed of the slot before, which he could not know then. Both stand in the ledger
afterwards, so whoever has the archive can let the bot think again (``proving.bot_check``). That a bot wrote a
file stands in the record that fixes it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from pbem.core.play import Choice, Question
from pbem.core.regex import regex
from pbem.core.ruleset import Ruleset
from pbem.proof.history import Ledger
from pbem.proof.relied import relied
from pbem.referee.game.game import Game
from pbem.referee.game.refusal import refuse
from pbem.store.received import Provenance
from pbem.text.similar import did_you_mean
from pbem.text.written import written

if TYPE_CHECKING:
    from pbem.bots.bot import Bot
    from pbem.bots.chance import Chance

_NOTE: Final = regex(r"the bot ([a-z0-9][a-z0-9-]{0,27})")


def bot_for(game: Game, seat: str, name: str) -> Bot:
    """Return the bot of that name, to play a seat; Refused where there is none that knows the rules of the
    game, or the seat has a key, which no bot signs with.
    """
    from pbem.bots.bot import UnknownBot, find  # most games have none

    try:
        bot = find(name, game.ground.rules.id)
    except UnknownBot as unknown:
        help_ = did_you_mean(name, unknown.known) or "there are " + ", ".join(unknown.known)
        raise refuse("play.bot", bot=name, help=help_) from None
    if game.ledger.seats[seat].key is not None:
        raise refuse("bot.has-key", seat=seat)
    return bot


def written_by(name: str) -> Provenance:
    """Return how the files of a bot came in: the record that fixes them says so."""
    return Provenance(relied=f"the bot {name}")


def joins(name: str) -> str:
    """Return the words with which a bot joins: a join goes into the dice, so there is nothing in it to
    choose.
    """
    return f"the bot {name} plays this seat"


def bot_in(relied: str) -> str:
    """Return the bot that wrote a file, by what a record says was relied on for it; empty where none did."""
    found = _NOTE.fullmatch(relied)
    return found[1] if found else ""


def bots_at(ledger: Ledger, slot: int) -> dict[str, str]:
    """Return the seats whose files of a slot were written by bots, each with the name of its bot."""
    return {one.seat: name for one in relied(ledger, slot) if (name := bot_in(one.said))}


class BotSeat:
    """A bot, by the ``name`` it is known by, in a seat for one slot; ``seed`` is that of the slot before,
    ``value`` the umpire's for this one.
    """

    def __init__(self, bot: Bot, name: str, game: str, seat: str, slot: int, seed: bytes, value: str) -> None:
        self.bot, self.seat = bot, seat
        self._drawn = f"pbem bot\n{game}\n{seat}\n{name}\n{slot}\n{seed.hex()}\n{value}"

    @property
    def luck(self) -> str:
        """Return its words for the dice of the slot."""
        from pbem.bots.chance import Chance, words_from

        return words_from(Chance(f"{self._drawn}\nluck"))

    def file(self, rules: Ruleset[Any], known: Any, questions: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Return its order file without words, given the state as its side knows it and what it is asked."""
        from pbem.bots.chance import Chance

        return thought(self.bot, rules, known, self.seat, questions, Chance(self._drawn))

    def text(
        self, rules: Ruleset[Any], known: Any, questions: Sequence[Mapping[str, Any]], *, luck: bool
    ) -> bytes:
        """Return its order file as it is handed in."""
        words = {"luck": self.luck} if luck else {}
        return written({"seat": self.seat, **words, **self.file(rules, known, questions)}).encode()


def thought(
    bot: Bot,
    rules: Ruleset[Any],
    known: Any,
    seat: str,
    questions: Sequence[Mapping[str, Any]],
    chance: Chance,
) -> dict[str, Any]:
    """Return what a bot hands in: its answers where it is asked something, else its orders."""
    if questions:
        return {
            "answers": {
                asked["id"]: bot.answer(rules, known, as_question(asked), chance) for asked in questions
            }
        }
    return bot.orders(rules, known, seat, chance)


def as_question(asked: Mapping[str, Any]) -> Question:
    """Return a question of the ledger as the rules ask it."""
    choices = tuple(
        Choice(choice["id"], choice["value"], choice.get("said", "")) for choice in asked["choices"]
    )
    said = {
        key: str(asked.get(key, ""))
        for key in ("id", "seat", "kind", "about", "unit", "rule", "default", "why")
    }
    return Question(choices=choices, min=int(asked.get("min", 0)), max=int(asked.get("max", 0)), **said)
