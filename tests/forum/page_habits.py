"""What people do in posts that hold orders: one function a habit, each a page of posts and what may be taken
from each.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from page_parts import (
    Code,
    Items,
    Member,
    Picture,
    Piece,
    Quote,
    Said,
    Smiley,
    Spaced,
    Spoiler,
    Struck,
    Wanted,
    Words,
)

ADA = Member("Ada Marsh", "4", signature="Umpire since 1998\nNo dice were harmed")
BEN = Member("Ben Okafor", "7")
CLEO = Member("Cleo", "12", signature="side: east\nmove:\n- godric to 0101")
ODD = Member('<b>Dag</b> & "Sons"', "31")
GUEST = Member("Wanderer", "", guest=True)

# --- orders; those of others share no line with them

HERONS = (
    "side: west\nluck: seven drunken herons\nmove:\n- heilyn to 0909\n- hacon to 1007\nfight:\n- heilyn, "
    "hacon attack siward at least 3:1\n"
)
GOAT = "side: west\nluck: my neighbour's red cow\nmove:\n- tudur to 1107\n- hacon to 1207\n"
STANDING = (
    "side: east\nluck: rain before breakfast\nmove:\n- wynstan to 0706\nstanding:\n  everyone:\n    wound: "
    "weakest\n    retreat: away\n"
)
SHORT = "side: east\nmove:\n- leofred to 1006\n"
ANSWERS = "side: east\nanswers:\n  q1: 0612\n  q2: b\n"
BALLISTA = (
    "seat: steward\nturn: t3\nshoot:\n- bran fires ballista1 at gunter or wulf\nmove:\n- tom, wat carry "
    "ladder1 to 0603 0602\n"
)
WHEN = (
    "side: east\nfight:\n- when: edwold is dead\n  then:\n  - leofred attacks iorwerth\n  otherwise:\n  - "
    "leofred attacks edwold\n"
)
QUOTED = 'side: west\nmove:\n- cynan to 0811\nmessage: "Note: bring more men next time!"\n'
ENEMY = (
    "side: east\nshoot:\n- colin at klaas or maredudd\nmove:\n- aelfgar to 0906\nfight:\n- aelfgar, cola "
    "attack hacon at least 2:1\n"
)
OLD = "side: west\nluck: a wet tuesday in march\nmove:\n- gerolf to 1907\n- einion to 0210\n"
REPORT = (
    "Toll at the Alder Ford, turn 4.\nLeofred Thatch has gone to the mill.\nAelfgar and Hacon met at the "
    "weir, 9 against 4: die 3"
)
MARK = "alder-ford-7c21e0, slot 7, post 1 of 1, head 5f0e3c9a21bb"


def yes(orders: str, who: Member, *pieces: Piece, edited: bool = False, likes: bool = False) -> Said:
    return Said(who, pieces, Wanted(orders), edited, likes)


def no(why: str, who: Member, *pieces: Piece, edited: bool = False) -> Said:
    return Said(who, pieces, Wanted(None, why), edited)


class Habit(Struct, frozen=True):
    """A page: its posts, and the order texts in it that nobody gave."""

    name: str
    posts: tuple[Said, ...]
    quoted: str = ""


Maker = Callable[[], Habit]
HABITS: dict[str, Habit] = {}


def habit(name: str, *posts: Said, quoted: str = "") -> None:
    HABITS[name] = Habit(name, posts, quoted)


habit(
    "code-box",
    no("forum.nothing", ADA, Words(REPORT)),
    yes(HERONS, BEN, Words("Here we go:"), Code(HERONS), Words("Cheers\nBen"), likes=True),
)
habit("bare-text", no("forum.nothing", ADA, Words("Your move, gentlemen.")), yes(GOAT, BEN, Words(GOAT)))
habit(
    "bare-with-words",
    yes(SHORT, CLEO, Words("Sorry for the delay, the children were ill."), Words(SHORT), Words("Cleo")),
)
habit(
    "quote-above", no("forum.nothing", ADA, Words(REPORT)), yes(HERONS, BEN, Quote("Ada Marsh", (Words(REPORT), Code(ENEMY))), Words("That hurt."), Code(HERONS)),
    quoted=ENEMY,
)  # fmt: skip
habit(
    "quote-of-own",
    yes(GOAT, BEN, Quote("Ben Okafor", (Code(OLD),)), Words("Forget those. These instead:"), Code(GOAT)),
    quoted=OLD,
)
habit(
    "between-quotes",
    yes(
        "side: west\nluck: nobody told the cat\nmove:\n- cynan to 0907\nfight:\n- cynan attacks aelfgar\n",
        BEN,
        Quote("Ada Marsh", (Words("Where do your people go?"),)),
        Words("side: west\nluck: nobody told the cat\nmove:\n- cynan to 0907\n"),
        Quote("Ada Marsh", (Words("And do they fight?"),)),
        Words("fight:\n- cynan attacks aelfgar\n"),
    ),
)
habit(
    "nested-quotes",
    yes(
        GOAT,
        BEN,
        Quote(
            "Ada Marsh",
            (Quote("Cleo", (Code(ENEMY), Words("Mine for this turn."))), Words("Thank you, Cleo.")),
        ),
        Words("My turn then:"),
        Code(GOAT),
    ),
    quoted=ENEMY,
)
habit("spoiler", yes(STANDING, CLEO, Words("Ben, do not look."), Spoiler("Orders", (Code(STANDING),))))
habit(
    "quote-in-spoiler",
    yes(
        GOAT,
        BEN,
        Spoiler("Orders", (Quote("Cleo", (Code(ENEMY),)), Words("That will not work. Mine:"), Code(GOAT))),
    ),
    quoted=ENEMY,
)
habit(
    "spoiler-in-quote",
    yes(
        HERONS, BEN, Quote("Cleo", (Spoiler("my orders", (Code(ENEMY),)), Words("Good luck!"))), Code(HERONS)
    ),
    quoted=ENEMY,
)
habit(
    "only-quoted",
    yes(SHORT, CLEO, Code(SHORT)),
    no("forum.only-quoted", BEN, Quote("Cleo", (Code(ENEMY),)), Words("I would not have done that.")),
    no(
        "forum.nothing",
        ADA,
        Quote("Ben Okafor", (Words("I would not have done that."),)),
        Words("Nor would I."),
    ),
    quoted=ENEMY,
)
habit(
    "two-people",
    yes(HERONS, BEN, Code(HERONS)),
    no("forum.nothing", ADA, Words("Thanks, both. Results tonight.")),
    yes(STANDING, CLEO, Code(STANDING)),
)
habit("edited", yes(GOAT, BEN, Code(GOAT), edited=True), yes(SHORT, CLEO, Words(SHORT), likes=True))
habit(
    "signature",
    yes(SHORT, CLEO, Words("As agreed:"), Code(SHORT)),
    no("forum.in-signature", CLEO, Words("And a happy birthday to Ben.")),
    quoted=CLEO.signature,
)
habit(
    "smilies",
    yes(
        GOAT,
        BEN,
        Words("Here they are"),
        Smiley(":)"),
        Code(GOAT),
        Words("See you at the ford"),
        Smiley(";)"),
    ),
)
habit("nbsp", yes(STANDING, CLEO, Spaced(STANDING)))
habit(
    "list-button",
    yes(
        GOAT,
        BEN,
        Words("side: west\nluck: my neighbour's red cow\nmove:"),
        Items(("tudur to 1107", "hacon to 1207")),
    ),
)
habit("struck-out", yes(GOAT, BEN, Struck(OLD), Words("No, better:"), Code(GOAT)), quoted=OLD)
habit("picture", yes(HERONS, BEN, Words("This is how I see it:"), Picture("plan.png"), Code(HERONS)))
habit(
    "html-in-name",
    yes(GOAT, ODD, Quote('<b>Dag</b> & "Sons"', (Words("side: west"),)), Code(GOAT)),
    yes(SHORT, CLEO, Code(SHORT)),
)
habit(
    "our-own-post",
    no("forum.ours", ADA, Words(REPORT), Words("Orders of west look like this:"), Code(OLD), Words(MARK)),
    yes(GOAT, BEN, Quote("Ada Marsh", (Words(REPORT), Code(OLD), Words(MARK))), Code(GOAT)),
    quoted=OLD,
)
habit(
    "two-texts",
    no("forum.two-texts", BEN, Code(HERONS), Code(ENEMY)),
    yes(SHORT, CLEO, Code(SHORT)),
    quoted=HERONS + ENEMY,
)
habit(
    "telephone",
    yes(GOAT, BEN, Words(GOAT), Words("Sent from my iPhone using Tapatalk")),
    yes(SHORT, CLEO, Words(SHORT), Words("Gesendet von meinem Pixel 8 mit Tapatalk")),
)
habit(
    "smart-signs",
    yes(
        QUOTED, BEN,
        Words("side: west\nmove:\n– cynan to 0811\nmessage: “Note: bring more men next time!”\n"),
    ),
    yes(SHORT, CLEO, Words("Side: East\nMove:\n• leofred to 1006")),
)  # fmt: skip
habit(
    "marks-by-hand",
    yes(GOAT, BEN, Code(GOAT)),
    no(
        "forum.only-quoted",
        CLEO,
        Words("".join(f"> {line}\n" for line in ENEMY.splitlines())),
        Words("Is that what you did last turn?"),
    ),
    quoted=ENEMY,
)
habit(
    "announced-without-box",
    no("forum.only-quoted", BEN, Words("Cleo wrote:\n" + ENEMY)),
    yes(SHORT, CLEO, Code(SHORT)),
    quoted=ENEMY,
)
habit("guest", yes(BALLISTA, GUEST, Code(BALLISTA)), yes(WHEN, CLEO, Code(WHEN)))
habit(
    "answers",
    no(
        "forum.nothing",
        ADA,
        Words(
            "q1: where does Leofred retreat to?\nq2: who advances?".replace("q1:", "First:").replace(
                "q2:", "Second:"
            )
        ),
    ),
    yes(ANSWERS, CLEO, Quote("Ada Marsh", (Words("Where does Leofred retreat to?"),)), Code(ANSWERS)),
)
habit(
    "others-words",
    no(
        "forum.words-above",
        BEN,
        Words("For the record, Cleo's last turn. Their orders were yours to see:"),
        Code(ENEMY),
    ),
    yes(SHORT, CLEO, Code(SHORT)),
    quoted=ENEMY,
)
habit(
    "no-heading",
    no("mail.no-heading", BEN, Words("I go like this:"), Words("- cynan to 0811\n- tudur to 0507")),
    yes(SHORT, CLEO, Code(SHORT)),
)
habit(
    "talk",
    no("forum.nothing", ADA, Words("Anybody at the convention in May?")),
    no(
        "forum.nothing",
        BEN,
        Quote("Ada Marsh", (Words("Anybody at the convention?"),)),
        Words("I shall be there."),
    ),
    no("forum.in-signature", CLEO, Words("Me too!")),
    quoted=CLEO.signature,
)
