"""Games whose outcome may not change any more: bots played them once, and what they wrote is kept.

``python tests/golden/golden_games.py`` plays those of open revisions anew and writes ``golden.zip``; what is there
of a closed one is left as it is. ``golden_games.py close VERSION`` closes the newest revision of every ruleset that
comes along, with its tables, in ``closed.json``: from that version of pbem on. A game is
its scenario and map as they were then, options, order files, answers, and two digests: of every state in which
somebody ordered with the die rolls before it, and of the last state. Dice come from a seed, without signatures.
"""

from __future__ import annotations

import hashlib
import json
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from pbem.bots.bot import Bot, find
from pbem.bots.chance import Chance, SeedDice
from pbem.bots.game import game
from pbem.core.dice import Dice
from pbem.core.ruleset import Ruleset
from pbem.referee.game.refusal import Refused
from pbem.referee.game.replay import TABLES, Ground, first_state, lay_ground
from pbem.referee.game.scenario import find_scenario, judge
from pbem.rulesets import BUILT_IN, package_of, revisions
from pbem.store.library import shipped_tables

HERE = Path(__file__).parent
GAMES = HERE / "golden.zip"
CLOSED = HERE / "closed.json"
Json = dict[str, Any]
ANYTHING = (
    "abbey-road",
    "alder-ford",
    "windle-hill",
    "millers-ladders",
    "wheels",
    "six-days",
    "nineteen-days",
)
BEGINNINGS = (
    *((scenario, "random", "plain") for scenario in ANYTHING),
    *(
        (scenario, "sergeant", "plain")
        for scenario in ("embers", "oil-and-oxen", "windle-hill", "millers-ladders")
    ),
    *((scenario, "random", "otherwise") for scenario in ("abbey-road", "alder-ford")),
    *((scenario, "sergeant", "otherwise") for scenario in ("windle-hill", "millers-ladders")),
)
"""(scenario, bot, options): ``otherwise`` is the last value of each option that goes with the others."""


class Watched(Struct):
    """Dice of a seed that note in a digest what is rolled, and states that somebody looked at."""

    dice: Dice
    digest: Any = field(default_factory=hashlib.sha256)

    def values(self, label: str, sides: int, count: int) -> tuple[int, ...]:
        """Return the values of a roll."""
        found = self.dice.values(label, sides, count)
        self.digest.update(f"{label} {sides} {found}\n".encode())
        return found

    def sees(self, rules: Ruleset[Any], state: Any) -> None:
        """Note a state."""
        self.digest.update(plain(rules, state))


def plain(rules: Ruleset[Any], state: Any) -> bytes:
    return json.dumps(rules.interface.state_to_plain(rules, state), sort_keys=True).encode()


def writing(bot: Bot, kept: Json) -> Bot:
    """Return a bot of which is kept what it wrote."""

    def orders(rules: Ruleset[Any], state: Any, seat: str, chance: Chance) -> Json:
        kept["orders"].append({"seat": seat, "data": bot.orders(rules, state, seat, chance)})
        return dict(kept["orders"][-1]["data"])

    def answer(rules: Ruleset[Any], state: Any, question: Any, chance: Chance) -> str:
        kept["answers"].append(bot.answer(rules, state, question, chance))
        return str(kept["answers"][-1])

    return Bot(bot.name, bot.said, orders, answer)


def reading(kept: Mapping[str, Any], watched: Watched) -> Bot:
    """Return a bot that writes again what was kept, and has looked at every state."""
    said, answers = iter(kept["orders"]), iter(kept["answers"])

    def orders(rules: Ruleset[Any], state: Any, seat: str, chance: Chance) -> Json:
        watched.sees(rules, state)
        entry = next(said)
        assert entry["seat"] == seat, f"orders of {entry['seat']} are kept where {seat} is asked"
        return dict(entry["data"])

    return Bot("kept", "", orders, lambda rules, state, question, chance: str(next(answers)))


def ground_of(kept: Mapping[str, Any]) -> Ground:
    """Return rules and field of a kept game: its own scenario and map, and the tables of its revision."""
    laid = lay_ground(kept["ruleset"], {name: text.encode() for name, text in kept["files"].items()})
    assert isinstance(laid, Ground), laid
    return laid


def again(kept: Mapping[str, Any]) -> list[str]:
    """Play a kept game; return its two digests."""
    ground = ground_of(kept)
    sides = {side: side for side in ground.scenario["sides"]}
    watched = Watched(SeedDice(kept["seed"]))
    bot = reading(kept, watched)
    done = game(ground.rules, first_state(ground, sides), dict.fromkeys(sides, bot), watched, kept["seed"])
    return [watched.digest.hexdigest(), hashlib.sha256(plain(ground.rules, done.state)).hexdigest()]


def played(scenario: str, options: Mapping[str, str], seed: str, bot_name: str) -> Json:
    """Return a new game of a bot against itself, as it is kept."""
    found = find_scenario(scenario)
    ruleset, ground, _ = judge(found, options)
    files = {name: data.decode() for name, data in found.files.items() if not name.startswith(TABLES)}
    kept: Json = {"ruleset": ruleset, "seed": seed, "files": files, "orders": [], "answers": []}
    sides = {side: side for side in ground.scenario["sides"]}
    bot = writing(find(bot_name, ground.rules.id), kept)
    game(ground.rules, first_state(ground, sides), dict.fromkeys(sides, bot), SeedDice(seed), seed)
    return {**kept, "digests": again(kept)}


def otherwise(scenario: str) -> dict[str, str]:
    """Return the last value of every option that may be set beside the others."""
    found = find_scenario(scenario)
    rules = judge(found)[1].rules
    chosen: dict[str, str] = {}
    for name, option in sorted(rules.options.items()):
        try:
            judge(found, {**chosen, name: option.values[-1]})
        except Refused:
            continue
        chosen[name] = option.values[-1]
    return chosen


def read() -> dict[str, Json]:
    """Return the kept games, by their names."""
    if not GAMES.exists():
        return {}
    with zipfile.ZipFile(GAMES) as packed:
        return {name.removesuffix(".json"): json.loads(packed.read(name)) for name in packed.namelist()}


def closed() -> dict[str, dict[str, Json]]:
    """Return the closed revisions: id -> revision -> its version, its tables and the games played by it."""
    found: dict[str, dict[str, Json]] = json.loads(CLOSED.read_text("utf-8")) if CLOSED.exists() else {}
    return found


def is_closed(ruleset: Mapping[str, Any]) -> bool:
    """Tell whether the revision of a game is closed."""
    return str(ruleset["revision"]) in closed().get(ruleset["id"], {})


def write() -> None:
    """Play the games of open revisions anew, and keep them."""
    kept = {name: one for name, one in read().items() if is_closed(one["ruleset"])}
    for scenario, bot, kind in BEGINNINGS:
        name = f"{scenario}-{bot}-{kind}"
        if name not in kept:
            kept[name] = played(scenario, otherwise(scenario) if kind == "otherwise" else {}, name, bot)
            print(name, len(kept[name]["orders"]), "order files", len(kept[name]["answers"]), "answers")
    with zipfile.ZipFile(GAMES, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, one in sorted(kept.items()):
            entry = zipfile.ZipInfo(f"{name}.json")
            entry.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(entry, json.dumps(one, ensure_ascii=False, separators=(",", ":")))


def close(version: str) -> None:
    """Close the newest revisions."""
    known = closed()
    for id_ in BUILT_IN:
        tables = {
            name: hashlib.sha256(data).hexdigest() for name, data in shipped_tables(package_of(id_)).items()
        }
        newest = str(max(revisions(id_)))
        known.setdefault(id_, {}).setdefault(
            newest, {"since": version, "tables": dict(sorted(tables.items()))}
        )
    CLOSED.write_text(json.dumps(known, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] == ["close"]:
        close(sys.argv[2])
    else:
        write()
