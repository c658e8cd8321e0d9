"""All mistakes at once: whatever else is wrong in a file, each line is told its own mistake, and none that
only comes of another line.
"""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st
from moments_of_games import when_open

from pbem.proof.orderfile import write
from pbem.referee.turn.check import check

GAME = when_open("alder-ford", 3)
SEAT = "west"
TOP, SHOOT, MOVE, AGAIN, FIGHT, STANDING = "", "shoot", "move", "shoot-again", "fight", "standing"

WRONG: Sequence[tuple[str, str, str, str]] = (
    # section, line, whom it is about, code
    # no YAML that is read here; a plain file is mended, so that it comes to be no sentence there
    (MOVE, "- &a tudur to 0707", "tudur", "orders.sentence / yaml.anchor"),
    (MOVE, "- !!str tudur to 0707", "tudur", "orders.sentence / yaml.tag"),
    (MOVE, "- *gimli", "", "orders.sentence / yaml.alias"),
    (FIGHT, "- tüdur attacks hereric", "tudur", "yaml.foreign"),
    (TOP, "answers: [open", "", "yaml.bracket"),
    # no form of an order file
    (TOP, "marvels: many", "", "schema.unknown-key"),
    (MOVE, "- [cynan to 0806]", "cynan", "schema.type"),
    (MOVE, "- {who: cynan, do: fly}", "cynan", "orders.deed"),
    (MOVE, "- {who: cynan, do: move, to: 0806, quickly: yes}", "cynan", "schema.unknown-key"),
    (TOP, "stop-after: supper", "", "orders.stop-after"),
    (TOP, "turn: t9", "", "orders.turn"),
    (TOP, "luck: short", "", "luck.too-short"),
    (TOP, "luck: any words", "", "luck.printed"),
    # nothing that the language says
    (MOVE, "- cynan flies to 0806", "cynan", "orders.sentence"),
    (MOVE, "- hacon goes north", "hacon", "orders.sentence"),
    (MOVE, "- gerolf to 111", "gerolf", "orders.which"),
    (MOVE, "- heilyn attacks hereric", "heilyn", "orders.section"),
    (FIGHT, "- heilyn at hereric", "heilyn", "orders.section"),
    (MOVE, "- klaas from 0101 to 0605", "klaas", "orders.from"),
    (FIGHT, "- klaas attacks hereric with his bare hands", "klaas", "orders.sentence"),
    (MOVE, "- stop", "", "orders.stop"),
    (MOVE, "- to to 0707", "tofi", "orders.reserved"),
    (MOVE, "- klaas mounts bayard", "klaas", "orders.not-in-force"),
    # nobody and nothing that is there
    (MOVE, "- gandalf to 0707", "", "name.unknown"),
    (MOVE, "- maredudd to 9901", "maredudd", "orders.off-map"),
    (MOVE, "- maredudd to 0905@top", "maredudd", "orders.storey"),
    (MOVE, "- wynstan to 0706", "", "orders.not-your-side"),
    (FIGHT, "- maredudd attacks meurig", "maredudd", "orders.own-target"),
    (FIGHT, "- maredudd attacks gollum", "maredudd", "name.unknown"),
    (AGAIN, "- edwold at 0908", "edwold", "orders.hex-target"),
    # nothing that is legal
    (MOVE, "- tofi to 0203", "tofi", "movement.too-far"),
    (MOVE, "- einion to 1610", "einion", "movement.no-way"),
    (SHOOT, "- iorwerth at wynstan", "iorwerth", "sequence.no-missile"),
    (SHOOT, "- gerolf at wynstan", "gerolf", "line_of_fire.figure"),
    (FIGHT, "- einion attacks siward", "einion", "melee.not-adjacent"),
    (FIGHT, "- tofi, edwold attack colin", "tofi edwold", "melee.not-adjacent"),
    (MOVE, "- meurig to 0708 facing n", "meurig", "movement.facing"),
    # no instruction
    (STANDING, "    advance: no", "", "orders.standing-value"),
    (STANDING, "    retreat: to 9999", "", "orders.off-map"),
    (STANDING, "    panik: away", "", "schema.unknown-key"),
)
GOOD = {"iorwerth": "- iorwerth to 0808", "meurig": "- meurig to 0708", "hacon": "- hacon to 0705"}


def laid_out(chosen: Sequence[int]) -> tuple[list[str], dict[int, int]]:
    """Return a file with some wrong lines, good ones among them, and the line on which each
    wrong one stands.
    """
    lines, places = [f"seat: {SEAT}"], {}
    busy = {name for number in chosen for name in WRONG[number][2].split()}
    for section in (TOP, SHOOT, MOVE, AGAIN, FIGHT, STANDING):
        here = [number for number in chosen if WRONG[number][0] == section]
        good = [line for name, line in GOOD.items() if name not in busy] if section == MOVE else []
        if section and (here or good):
            lines += [f"{section}:", *(["  everyone:"] if section == STANDING else [])]
        for number in here:
            lines.append(WRONG[number][1])
            places[number] = len(lines)
            lines += good[:1]
            good = good[1:]
        lines += good
    return lines, places


@st.composite
def choices(draw: st.DrawFn) -> list[int]:
    """Return some wrong lines, in any order, no two about one figure and no two under one top key."""
    order = draw(st.permutations(range(len(WRONG))))
    chosen: list[int] = []
    taken: set[str] = set()
    for number in order[: draw(st.integers(1, len(WRONG)))]:
        section, line, names, _ = WRONG[number]
        about = set(names.split()) or ({line.partition(":")[0]} if section in (TOP, STANDING) else set())
        if not about & taken:
            taken |= about
            chosen.append(number)
    return chosen


def told(lines: Sequence[str], header: bool) -> dict[int, list[str]]:
    """Return the codes of the problems of each line; ``header``: of the same file as it is signed, which
    nobody mends.
    """
    data = ("\n".join(lines) + "\n").encode()
    above = 0
    if header:
        slot = GAME.ledger.open_slot
        data = write(game=GAME.id, slot=slot, seat=SEAT, head=GAME.ledger.next_id, salt="00" * 16, yaml=data)
        above = data.partition(b"\n---\n")[0].count(b"\n") + 2
    found: dict[int, list[str]] = {}
    for problem in check(GAME, "o.yaml", data, SEAT).problems:
        found.setdefault(problem.line - above, []).append(problem.code)
    return found


@settings(max_examples=25, deadline=None, derandomize=True)
@given(choices(), st.booleans())
def test_each_line_is_told_its_own_mistake_whatever_is_wrong_beside_it(
    chosen: list[int], header: bool
) -> None:
    if header:  # the words of a header are its own, and are judged with it
        chosen = [number for number in chosen if not WRONG[number][1].startswith("luck")]
    lines, places = laid_out(chosen)
    found = told(lines, header)
    wanted = {line: WRONG[number][3].split(" / ")[-1 if header else 0] for number, line in places.items()}
    assert wanted == {line: codes[0] for line, codes in found.items()}, "\n".join(lines)


def test_each_mistake_is_one() -> None:
    for number, (_, _, _, code) in enumerate(WRONG):
        lines, places = laid_out([number])
        assert told(lines, header=False) == {places[number]: [code.split(" / ")[0]]}, "\n".join(lines)
