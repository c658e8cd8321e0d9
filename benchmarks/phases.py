"""Resolving a phase with all figures ordered, dice by HMAC and all: no library does anything of it, so it is
measured in time alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from msgspec.structs import replace

from benchmarks import battle, peers
from benchmarks.measure import POWER, Growth, Result, Work, calls, least
from pbem.core.play import PhaseResult, resolve_phase
from pbem.proof.dice_protocol import SeededDice
from pbem.rulesets.siege.state.state import Battle

FIGURES = 40
SIZES = (10, 40, 160, 320)
PHASES = {
    "first_missile": "shooting",
    "movement": "movement",
    "second_archery": "second archery",
    "melee": "melee",
    "defensive_fire": "defensive fire",
    "offensive_fire": "offensive fire",
}
"""Phases in which figures do something, of Siege and The Anarchy -> their names."""
AIM = 2.0


def works(figures: int, ruleset: str = "cry_havoc") -> dict[str, Work]:
    """Return for each of four phases the work of resolving it; each begins with what the one before it came
    to.
    """
    laid, state = battle.battle(figures, ruleset)
    rules, seed = laid.rules, SeededDice(sha256(b"benchmark").digest())
    phases = [phase.id for phase in rules.sequence.phases if phase.id in PHASES]
    orders = battle.orders(figures, again="second_archery" in phases)
    files = {"east": (battle.read_orders(laid, state, orders),)}
    found: dict[str, Work] = {}
    for phase in phases:
        begun = replace(state, at=replace(state.at, phase=phase))

        def work(phase: str = phase, begun: Battle = begun) -> PhaseResult[Battle]:
            fresh = replace(begun)  # knows nothing yet of who stands where
            return resolve_phase(
                lambda play: rules.steps[phase](rules, play, files),
                fresh,
                str(begun.at),
                rules.interface.apply,
                seed,
            )

        result = work()
        if result.question is not None or not result.events:
            raise AssertionError(f"{phase}: nothing happened, or a question is open")
        found[phase] = work
        state = result.state
    return found


def results(seconds: float) -> Iterator[Result]:
    """Yield a benchmark for each phase, and the sum."""
    found = works(FIGURES)
    times = least(*found.values(), seconds=seconds / len(found))
    for phase, time in zip(found, times, strict=True):
        yield Result(
            f"phase {PHASES[phase]}", f"resolve {PHASES[phase]}, {FIGURES} figures", "", time, None, AIM
        )
    yield Result("phases", f"the four phases, {FIGURES} figures", "", sum(times), None, None)
    for phase, work in found.items():
        yield calls("phase calls", f"function calls: {PHASES[phase]}", work)
    dearest = max(zip(times, found.values(), strict=True), key=lambda pair: pair[0])[1]
    if beside := peers.beside("diplomacy", dearest):
        yield Result("phase peer", "the dearest phase", "one of diplomacy, 32 units", *beside, 1)


def growth(seconds: float) -> Growth:
    """Return how the sum of the phases grows with the number of figures."""
    times = [sum(least(*found.values(), seconds=seconds / len(found))) for found in map(works, SIZES)]
    return Growth("phases", "figures", SIZES, times, POWER)
