"""What a letter is once its bytes are taken apart: who, what about, which texts, which files; and what was
found in it.

Plain values and nothing else. ``mime`` makes a ``Message`` of bytes, ``finding`` makes a ``Found`` of a
message.
"""

from __future__ import annotations

from msgspec import Struct, field

from pbem.core.problem import Problem

PLAIN, HTML, FILE = "plain", "html", "file"
"""Where a text stood: in the letter as plain text, in the letter as HTML alone, in a file
that came with it.
"""
ORDERS, RECORD, NOTHING = "orders", "record", "nothing"
"""What was found: an order file; a signed ``join``, ``go`` or ``consent``; nothing that asks for anything."""


class Line(Struct, frozen=True):
    """One line of a text as its writer sees it, without its end. ``number`` counts from 1 in its text.

    ``quoted`` tells how deep it stands in somebody else's words by the markup around it (HTML); the ``>`` of
    plain text are still in ``text``. ``box`` says in which box of code of a post it stands, counted from 1;
    0: in none.
    """

    text: str
    number: int
    quoted: int = 0
    box: int = 0


class Text(Struct, frozen=True):
    """A readable text. ``name`` is empty for the letter's own, else the file it stood in, such as
    ``orders.zip/west.yaml``.

    ``flowed``: its lines were put together again (RFC 3676), and the same text as it travelled follows as a
    text of its own.
    ``assumed`` says what had to be assumed to read it, such as its character set; nothing where it said so
    itself. ``cut``: it ends where a letter that came whole does not end.
    """

    kind: str
    lines: tuple[Line, ...]
    name: str = ""
    flowed: bool = False
    assumed: tuple[Problem, ...] = ()
    cut: bool = False


class File(Struct, frozen=True):
    """A file that came with a letter: its name made harmless, its bytes as its sender attached them, its text
    if it is one.
    """

    name: str
    data: bytes
    text: Text | None = None


class Message(Struct, frozen=True):
    """One letter. Addresses are bare and in small letters; ``sender`` is empty unless there is exactly one.

    ``automatic`` says why nobody may answer it (RFC 3834): a bounce, an absence note, our own mail; empty for
    a person's letter.
    ``texts`` are the letter's own, in the order in which they are to be tried; ``files`` what came with it.
    ``refused`` says what could not be read and why. ``date`` is what the sender claims, and decides nothing.
    """

    id: str = ""
    sender: str = ""
    sender_name: str = ""
    reply_to: str = ""
    to: tuple[str, ...] = ()
    subject: str = ""
    date: str = ""
    in_reply_to: str = ""
    references: tuple[str, ...] = ()
    list_id: str = ""
    automatic: str = ""
    texts: tuple[Text, ...] = ()
    files: tuple[File, ...] = ()
    refused: tuple[Problem, ...] = ()


class Origin(Struct, frozen=True):
    """Where one line of what was found stood: the line as its writer sees it, its number, and for each
    character its column from 0.

    ``columns`` has one entry more than the line that was found has characters: the place of its end.
    """

    number: int
    text: str
    columns: tuple[int, ...]


class Repair(Struct, frozen=True):
    """A change that was certain: its code in the catalogue (``repair.smart-quote``), in which line, what
    stood there and what is read.
    """

    code: str
    number: int
    was: str = ""
    now: str = ""


class Answered(Struct, frozen=True):
    """A letter of ours that one answers: its kind (``turn``), the game, the number of the slot after which it
    was written, the seat.
    """

    kind: str
    game: str
    slot: int
    seat: str


class Found(Struct, frozen=True):
    """What a letter asks for. ``data`` goes to the referee, byte for byte; ``signature`` is the armored one,
    where there is one.

    ``where`` is the name of the text it stood in (empty: the letter's own). ``lines`` has an origin for each
    line of ``data``.
    ``own`` are the writer's own words without quotes, signature and orders, shortened: a "yes, I play" stands
    there; ``words`` are the same whole, in their lines. ``codes`` are the words that look like the code of a
    seat, wherever they stood. ``problems`` say why there is nothing, or what is doubtful. ``held`` says why
    orders may be a draft at most until their writer sends them again: he doubts or corrects them in words
    beside them, or their end did not arrive. ``answers`` are the letters of ours that it answers.
    """

    kind: str
    data: bytes = b""
    signature: bytes | None = None
    where: str = ""
    lines: tuple[Origin, ...] = ()
    repairs: tuple[Repair, ...] = ()
    own: str = ""
    codes: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = field(default=())
    words: str = ""
    held: tuple[Problem, ...] = ()
    answers: tuple[Answered, ...] = ()
