"""What the people of the corpus write: orders of the players, and the turn mails of the umpire that they
answer.

Orders of players and orders that stand in turn mails share no line, so that a score can tell whose were
taken.
"""

from __future__ import annotations

from html import escape
from typing import Final

from msgspec import Struct

UMPIRE: Final = "Ada Marsh <umpire@ford.example>"
GAME: Final = "alder-ford-7c21e0"

# --- orders of players

HERONS: Final = """\
side: west
luck: seven drunken herons
move:
- heilyn to 0909
- hacon to 1007
- iorwerth to 0509
fight:
- heilyn, hacon attack siward at least 3:1
"""
BISHOP: Final = """\
# One line was wrong in my first mail: gerolf cannot get that far.
side: west
luck: the bishop lost his goat
move:
- tudur to 0507
- cynan to 0406
- gerolf to 0909
shoot-again:
- gerolf at leofred or nearest
"""
STANDING: Final = """\
side: east
luck: rain before breakfast
move:
- wynstan to 0706
- godric to 1006
standing:
  everyone:
    wound: weakest
    retreat: away
    advance: if-safe
"""
WHEN: Final = """\
side: east
fight:
- when: edwold is dead
  then:
  - leofred attacks iorwerth
  otherwise:
  - leofred attacks edwold
- wynstan attacks einion
message: Good shooting, but the ford is ours.
"""
LUCK: Final = "luck: seven drunken herons\n"
LONG: Final = """\
side: west
luck: half a mile of string
move:
- meurig to 0708
fight:
- meurig, iorwerth, tudur, cynan, maredudd, heilyn attack hereric, dunn at least 3:1
- klaas, hacon, tofi, edwold, gerolf, einion attack wynstan, ceol, cola at least 2:1
"""
TALK: Final = """\
side: west
move:
- hacon to 0806
message: We hold the ford until the rain stops, and then we shall see who has the drier boots of us two.
"""
GERMAN: Final = """\
side: west
luck: drei müde Störche
move:
- tudur to 1206
- hacon to 1205
message: Schöne Grüße von der anderen Seite, die Brücke bleibt oben.
"""
FRENCH: Final = """\
side: east
luck: le curé a perdu sa chèvre
move:
- ceol to 1006
- eadwig to 0806
message: À bientôt devant le gué.
"""
BALLISTA: Final = """\
seat: steward
turn: t3
shoot:
- bran fires ballista1 at gunter or wulf
- alric at hob across ne
move:
- tom, wat carry ladder1 to 0603 0602
- piers works bridge
"""
RAM: Final = """\
game: alder-ford-7c21e0
side: company
turn: t5
move:
- ram1 forward 1
- tower1 forward 2
- odo climbs ladder1 and over
fight:
- ram1 strikes 0404
- rafe topples ladder1
"""
SIEGE: Final = """\
side: baron
luck: a bucket of hot pitch
day:
- trebuchet1, mangonel1, mangonel2 bombard 0909
- trebuchet2, mangonel3 bombard 1909
standing:
  everyone:
    repeat: last
    engines-lose: mangonel3, mangonel2, mangonel1
"""
REPAIR: Final = """\
side: baron
luck: two ravens on the keep
day:
- repair mangonel1, mangonel2
- trebuchet1, trebuchet2 bombard 0909
"""
ANSWERS: Final = """\
side: east
answers:
  q1: 0612
  q2: b
"""
SETUP: Final = """\
# Behind the trees.
side: west
luck: three left boots
setup:
- cynan at 0605
- einion at 0606 facing ne
- hacon at 0607
"""
SHORT: Final = """\
side: east
move:
- odo to 0713
"""
GOAT: Final = """\
side: west
luck: my neighbour's red cow
move:
- tudur to 1107
- hacon to 1207
"""
CAT: Final = """\
side: west
luck: nobody told the cat
move:
- cynan to 0907
- hacon to 0806
fight:
- cynan attacks aelfgar
"""
STOP: Final = """\
side: east
shoot:
- colin at tudur or cynan
stop-after: shoot
note: Please tell me what came of it before I move.
"""
SPACED: Final = """\
side: east

shoot:
- colin at tudur

move:
- leofred to 1006
- godric to 0909

fight:
- leofred, colin attack tudur at least 3:1
"""
FIGURES: Final = """\
side: west
luck: geese over the weir
fight:
- cynan, heilyn attack cola at least 7:1
standing:
  everyone:
    retreat: cover
    advance: never
  cynan:
    retreat: toward 0505
    advance: into
"""
RESIGN: Final = """\
side: east
move:
- resign
message: Well played.
"""
COMMENTS: Final = """\
side: west
luck: two pints and a pie
move:
- iorwerth to 0207    # out of the bows
# cynan stays where he is
- tudur to 0208
fight:
- iorwerth, tudur attack wynstan at least 4:1
"""
LONGFORM: Final = """\
side: east
move:
- {who: odo, do: move, to: [0712]}
- hugh turns ne
fight:
- {who: [hob, odo], do: attack, at: [gunter]}
"""
SEAT: Final = """\
game: alder-ford-7c21e0
seat: west
turn: t4.west
luck: salt herring and small beer
move:
- josse to 0308
- tofi to 1508
"""
ONLYSTANDING: Final = """\
side: east
standing:
  everyone:
    wound: strongest
    retreat: to 0612 0613
"""
QUOTES: Final = """\
side: west
luck: the smith sings flat
move:
- odo to 0811
message: "Note: bring more men next time!"
"""
RIDERS: Final = """\
side: east
move:
- hugh mounts bayard
- sir-guy by 1108 1109 1110 facing s
- giles hitches ox1 to wagon1
- tom leads rouncey to 0712
shoot-again:
- emma at hugh across ne with fire
"""
PLAYERS: Final = (
    HERONS, BISHOP, STANDING, WHEN, LUCK, LONG, TALK, GERMAN, FRENCH, BALLISTA, RAM, SIEGE, REPAIR, ANSWERS, SETUP, SHORT, GOAT, CAT,
    STOP, SPACED, FIGURES, RESIGN, COMMENTS, LONGFORM, SEAT, ONLYSTANDING, QUOTES, RIDERS,
)  # fmt: skip
"""Every order text above; a test reads each as the engine does."""


# --- turn mails


class Turn(Struct, frozen=True):
    """A mail of the umpire that a player answers: its words, and the order text in it."""

    subject: str
    id: str
    text: str
    orders: str

    @property
    def html(self) -> str:
        """Return it as our own letters have it in HTML, without a style sheet."""
        made = []
        for block in self.text.rstrip("\n").split("\n\n"):
            lines = "<br>\n".join(escape(line, quote=False) for line in block.split("\n"))
            made.append(f"<p>{lines}</p>")
        return "\n".join(made)


_EAST: Final = """\
side: east
shoot:
- colin at klaas or maredudd
move:
- leofred to 0707
- aelfgar to 0906
fight:
- aelfgar, cola attack hacon at least 2:1
"""
_WEST: Final = """\
side: west
luck: a wet tuesday in march
move:
- gerolf to 1907
- einion to 0210
fight:
- maredudd, klaas attack dunn at least 6:1
"""


def _barred(orders: str) -> str:
    return "".join(f"| {line}\n" for line in orders.splitlines())


REPORT: Final = Turn(
    "[alder-ford-7c21e0] Slot 7: your turn, west",
    "<slot0007.west.4f1c@ford.example>",
    f"""\
pbem: please write above this line

Toll at the Alder Ford, slot 7: your turn, west.
Your orders are due on Sunday, 22 November 2026, 18:00 (in 2 days).

East's orders as they were used:
{_barred(_EAST)}
- Leofred Thatch moves to 0707 (0807 0707), 4 of 5 points
- Aelfgar Oakhand and Cola attack Hacon (9 against 4, odds 2:1): die 3

If you send nothing more, your people hold where they are.
""",
    _EAST,
)
"""As our own turn mails are: the marker on top, orders behind bars."""
BARE: Final = Turn(
    "Alder Ford, turn 4: your move",
    "<CAKx7-Alder4@ford.example>",
    f"""\
Hello,

the east has moved. These were their orders:

{_EAST}
And these were yours of last turn, to copy from:

{_WEST}
Please answer before Sunday evening.

Ada
""",
    _EAST + _WEST,
)
"""As an umpire writes by hand: nothing marks the orders in it."""
SHEET: Final = Turn(
    "[alder-ford-7c21e0] Slot 9: order sheet for t5.west",
    "<slot0009.west.b07d@ford.example>",
    """\
Toll at the Alder Ford, slot 9: order sheet.
Take away the # in front of what you want.

game: alder-ford-7c21e0
seat: west
turn: t5.west
shoot:
# - edwold at leofred or nearest
- tofi at cola
move:
# - edwold to 0803
- meurig to 0604
luck: any words, at least 8 letters
""",
    "turn: t5.west\nshoot:\n- tofi at cola\nmove:\n- meurig to 0604\nluck: any words, at least 8 letters\n",
)
"""An order sheet in the body, filled in already in places."""
TURNS: Final = (REPORT, BARE, SHEET)
