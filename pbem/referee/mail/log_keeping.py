"""Running a log of heads: making it, entering heads of games, taking cosignatures of witnesses in.

A log only grows. What is new is written first, then signed and kept in the user's own data folder, then
shown; so a program that is killed between any two steps leaves a log that holds, and one that is set back
from a copy is not gone on with.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.regex import regex
from pbem.post.offices.office import FILE
from pbem.proof.heads import BadHead, Head, OwnHead, make_head, own_heads, peek, read_head
from pbem.proof.history import Ledger
from pbem.proof.merkle import root
from pbem.proof.note import (
    COSIGNER,
    LOG,
    BadNote,
    BadNoteKey,
    Checkpoint,
    Note,
    NoteKey,
    checkpoint_of,
    cosigned_at,
    join_notes,
    key_of,
    parse,
    parse_key,
    sign,
    signed_by,
    split_notes,
)
from pbem.proof.signing import BadKey, PublicKey, load_private, new_private, private_to_openssh, public_of
from pbem.proof.tiles import MAX_SIZE, BadLog, grow, read_edge, tile_reader
from pbem.referee.game.environment import Environment
from pbem.referee.game.game import Game, open_game
from pbem.referee.game.refusal import UNDECIDED, Refused, in_use, refuse
from pbem.referee.mail.office import settings
from pbem.referee.proving.logs import Cosigned, State, entries_of, logbook, reading, state_of
from pbem.store import disk
from pbem.store.logbook import LogNotes
from pbem.store.logdir import CHECKPOINT, COSIGNED, KEY, MAX_COSIGNED, LogFolder

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

ORIGIN: Final = regex(r"[a-z0-9][a-z0-9.-]{0,100}(/[A-Za-z0-9][A-Za-z0-9._-]{0,60}){0,4}")
HEADS: Final = b"pbem-head/1\n"


class NewLog(Struct, frozen=True):
    """A log that was made: its name and the line of its public key."""

    origin: str
    key: str


def new_log(env: Environment, where: Path, origin: str) -> NewLog:
    """Make an empty log in a new folder; its key stays in the user's own data folder.

    Refused where either is there already.
    """
    if not ORIGIN.fullmatch(origin):
        raise refuse("witness.origin", origin=origin[:100])
    files = LogFolder(where)
    if where.is_dir() and any(not path.name.startswith(".") and path.name != KEY for path in where.iterdir()):
        raise refuse("witness.exists", file=str(where), path=str(where))
    notes = logbook(env).log(origin)
    if (kept := notes.read("signed")) is not None and checkpoint_of(parse(kept)).size:
        raise refuse("witness.same-name", origin=origin, path=str(notes.folder))
    private = _private(notes)
    if private is None:
        private = new_private()
        notes.write("key", private_to_openssh(private))
    key = key_of(private, origin, LOG)
    notes.write("public", f"{key.line}\n".encode())
    disk.make_folder(where)
    files.put({KEY: f"{key.line}\n".encode()})
    _publish(files, notes, private, Checkpoint(origin, 0, read_edge(files.get, 0).root))
    return NewLog(origin, key.line)


def _private(notes: LogNotes) -> Ed25519PrivateKey | None:
    data = notes.read("key")
    if data is None:
        return None
    try:
        return load_private(data)
    except BadKey:
        raise refuse("keys.unreadable", answer=UNDECIDED, path=str(notes.folder / "key")) from None


def _publish(files: LogFolder, notes: LogNotes, private: Ed25519PrivateKey, tree: Checkpoint) -> Note:
    """Sign a tree whose files are written already, keep that it was signed, and show it."""
    note = Note(tree.text, (sign(private, tree.origin, tree.text),))
    notes.write("signed", note.data)
    files.put({CHECKPOINT: note.data})
    return note


class _Own(Struct, frozen=True):
    """A log of this user, held alone, as it was last signed."""

    state: State
    files: LogFolder
    notes: LogNotes
    private: Ed25519PrivateKey
    key: NoteKey


@contextmanager
def _own(env: Environment, where: Path) -> Iterator[_Own]:
    """Hold a log of this user alone; Refused where its key is not here, or the folder is not the newest of
    it.
    """
    files = LogFolder(where)
    if files.get(CHECKPOINT) is None:
        raise refuse("witness.no-log", answer=UNDECIDED, file=str(where), path=str(where))
    try:
        with files.exclusive():
            yield _opened(env, files)
    except disk.Busy as busy:
        raise in_use(busy, where) from None


def _opened(env: Environment, files: LogFolder) -> _Own:
    state = state_of(files)
    notes = logbook(env).log(state.origin)
    private = _private(notes)
    if private is None:
        raise refuse(
            "witness.no-key",
            answer=UNDECIDED,
            file=files.name,
            origin=state.origin,
            path=str(notes.folder / "key"),
        )

    key = key_of(private, state.origin, LOG)
    try:
        signed_by(state.note, key)
        kept = notes.read("signed")
        signed = state.note if kept is None else parse(kept)
        tree = checkpoint_of(signed)
    except BadNote:
        raise refuse(
            "witness.other-key", answer=UNDECIDED, file=files.name, origin=state.origin, key=key.line
        ) from None

    if tree.size > state.tree.size:
        # Killed after the signature and before the log showed it: all of its files are there. In an older
        # copy they are not.
        with suppress(BadLog):
            if read_edge(files.get, tree.size).root == tree.root:
                files.put({CHECKPOINT: signed.data})
                return _Own(replace(state, note=signed, tree=tree), files, notes, private, key)
        raise refuse(
            "witness.older", answer=UNDECIDED, file=files.name, size=state.tree.size, signed=tree.size
        )

    with reading(files):
        if root(tree.size, tile_reader(files.get, state.tree.size)) != tree.root:
            raise refuse("witness.another", answer=UNDECIDED, file=files.name, size=tree.size)
    return _Own(state, files, notes, private, key)


class Entered(Struct, frozen=True):
    """What became of one game: how many heads of it are new in the log, and up to which record it is logged
    now.
    """

    game: str
    new: int
    newest: int


class Grown(Struct, frozen=True):
    """A log after heads were entered: its checkpoint, what came of each game, and what could not be entered,
    in the order of the games.
    """

    tree: Checkpoint
    entered: tuple[Entered, ...]
    refused: tuple[Refused, ...] = ()


def add(env: Environment, where: Path, sources: Iterable[Path]) -> Grown:
    """Enter the heads of games into a log: of a game folder, an archive, an office, or a file of heads that
    another umpire has signed.

    What is in the log already is not entered again. A game is refused, and the others are not, where it
    cannot be opened, where its heads cannot be signed here, or where the log has another head for one of its
    records, signed by the same key; an environment that insists enters that one as well. Refused where the
    log itself cannot be written to.
    """
    groups = [group for source in sources for group in _groups(source)]
    with _own(env, where) as own:
        return _add(env, own, groups)


def add_games(env: Environment, where: Path, games: Iterable[Game]) -> Grown:
    """Enter the heads of some opened games into a log."""
    with _own(env, where) as own:
        return _add(env, own, [_Group(game.id, game.ledger) for game in games])


_Known = dict[int, list[bytes]]
"""The entries of one game that a log has, by the number of the record."""


class _Group(Struct, frozen=True):
    """Heads of one game that are to be in the log: its records, to be signed here, or entries that somebody
    else has signed.
    """

    game: str
    ledger: Ledger | None = None
    entries: tuple[Head, ...] = ()

    @property
    def newest(self) -> int:
        """Return the number of its last record."""
        return (
            max((head.n for head in self.entries), default=0)
            if self.ledger is None
            else len(self.ledger.records)
        )

    def is_in(self, known: _Known) -> bool:
        """Tell whether its last record is in a log: then all are, for it names the one before, and they go in
        together.
        """
        if self.ledger is None or not self.ledger.records:
            return False
        last, keys = self.ledger.records[-1], self.ledger.gm_keys
        return any(
            (head := peek(entry)) is not None and head.id == last.id and head.key in keys
            for entry in known.get(self.newest, ())
        )

    def missing(self, env: Environment, known: _Known) -> list[bytes]:
        """Return the entries that are not in a log; Refused where it has another history of the game, unless
        the environment insists.
        """
        if self.is_in(known):
            return []
        own = [] if self.ledger is None else [one for one in own_heads(self.ledger) if one.signed]
        wanted = (
            [(one.n, one.id, one.key) for one in own]
            if own
            else [(head.n, head.id, head.key) for head in self.entries]
        )
        new: set[int] = set()
        for n, id_, key in wanted:
            there = {
                head.id for entry in known.get(n, ()) if (head := peek(entry)) is not None and head.key == key
            }
            if there and id_ not in there and not env.insists:
                raise refuse("witness.fork", game=self.game, n=n)
            new |= set() if id_ in there else {n}
        if self.ledger is None:
            return [head.data for head in self.entries if head.n in new]
        return signed_heads(env, self.game, [one for one in own if one.n in new])


def signed_heads(env: Environment, game: str, own: Sequence[OwnHead]) -> list[bytes]:
    """Return some records of a game as entries of a log; Refused (cannot decide) where the umpire's key for
    one is not here.
    """
    privates: dict[PublicKey, Ed25519PrivateKey] = {}
    for data in env.keyring.keys(game):
        with suppress(BadKey):
            private = load_private(data)
            privates[public_of(private)] = private
    made = []
    for one in own:
        if one.key is None or one.key not in privates:
            raise refuse(
                "witness.no-gm-key", answer=UNDECIDED, game=game, path=str(env.keyring.key_file(game))
            )
        made.append(make_head(privates[one.key], game, one.n, one.id))
    return made


def heads_file(env: Environment, where: Path) -> bytes:
    """Return the heads of a game, signed, for whoever runs a log."""
    game = open_game(where)
    return b"".join(signed_heads(env, game.id, [one for one in own_heads(game.ledger) if one.signed]))


def _groups(source: Path) -> Iterator[_Group | Refused]:
    if (source / FILE).is_file():
        office = settings(source)
        for folder in sorted(
            folder for folder in source.iterdir() if (folder / "ledger").is_dir() and not folder.is_symlink()
        ):
            group = _group(folder)
            if isinstance(group, Refused) or office.game(group.game, folder.name).witness:
                yield group
    elif source.is_file() and _begins(source) == HEADS:
        yield from _read_heads(source)
    else:
        yield _group(source)


def _begins(source: Path) -> bytes:
    with source.open("rb") as file:
        return file.read(len(HEADS))


def _group(where: Path) -> _Group | Refused:
    try:
        game = open_game(where)
    except Refused as refusal:
        return refusal
    return _Group(game.id, game.ledger)


def _read_heads(source: Path) -> Iterator[_Group]:
    """Yield the heads in a file of heads, by game; Refused where one of them is none, or nobody signed it."""
    parts = source.read_bytes().split(HEADS)[1:]
    games: dict[str, list[Head]] = {}
    for number, part in enumerate(parts, 1):
        try:
            head = read_head(HEADS + part)
        except BadHead as bad:
            raise refuse("witness.bad-head", file=str(source), number=number, why=str(bad)) from None
        games.setdefault(head.game, []).append(head)
    yield from (_Group(game, entries=tuple(heads)) for game, heads in sorted(games.items()))


def _add(env: Environment, own: _Own, groups: Sequence[_Group | Refused]) -> Grown:
    known = _known(entries_of(own.state), {group.game for group in groups if isinstance(group, _Group)})
    new: list[bytes] = []
    entered: list[Entered] = []
    refused: list[Refused] = []
    for group in groups:
        try:
            if isinstance(group, Refused):
                raise group
            made = group.missing(env, known.setdefault(group.game, {}))
        except Refused as refusal:
            refused.append(refusal)
            continue
        new += made
        entered.append(Entered(group.game, len(made), group.newest))
        for head in filter(None, map(peek, made)):
            known[group.game].setdefault(head.n, []).append(head.data)
    tree = _grow(own, new) if new else own.state.tree
    return Grown(tree, tuple(entered), tuple(refused))


def _known(entries: Iterable[bytes], games: set[str]) -> dict[str, _Known]:
    """Return which heads of some games a log has; it only took in what was signed."""
    begins = {HEADS + f"game {game}".encode(): game for game in games}
    found: dict[str, _Known] = {}
    for entry in entries:
        first, _, rest = entry[len(HEADS) :].partition(b"\n")
        game = begins.get(entry[: len(HEADS)] + first)
        number = rest.partition(b"\n")[0].removeprefix(b"n ")
        if game is not None and number.isdigit() and len(number) < 6:
            found.setdefault(game, {}).setdefault(int(number), []).append(entry)
    return found


def _grow(own: _Own, new: Sequence[bytes]) -> Checkpoint:
    before = own.state.tree
    if before.size + len(new) > MAX_SIZE:
        raise refuse("witness.full", size=before.size, limit=MAX_SIZE)
    with reading(own.files):
        edge = read_edge(own.files.get, before.size)
        if edge.root != before.root:
            raise BadLog("root", CHECKPOINT)
    edge, files = grow(edge, new)
    own.files.put(files)
    tree = Checkpoint(before.origin, edge.size, edge.root)
    _publish(own.files, own.notes, own.private, tree)
    for path in files:
        if ".p/" not in path:
            own.files.remove_partial(path)
    return tree


def take(env: Environment, where: Path, data: bytes, named: Sequence[NoteKey] = ()) -> list[Cosigned]:
    """Take a checkpoint in that a witness has cosigned, and return whose cosignatures are new in the log.

    Refused where it is none of this log, or of no witness whose key is known here: ``named`` are those that
    are from now on.
    """
    with _own(env, where) as own:
        text = b"\n".join(line.rstrip() for line in data.strip().splitlines()) + b"\n"
        try:
            note = parse(text)
            tree = checkpoint_of(note)
            signed_by(note, own.key)
        except BadNote:
            raise refuse("witness.no-cosignature", origin=own.state.origin) from None
        with reading(own.files):
            if (
                tree.size > own.state.tree.size
                or root(tree.size, tile_reader(own.files.get, own.state.tree.size)) != tree.root
            ):
                raise refuse("witness.no-cosignature", origin=own.state.origin)
        known = _witnesses(own.notes, named)
        found = _cosignatures(note, tree, known)
        if not found:
            names = (
                ", ".join(dict.fromkeys(one.name for one in note.signatures if not one.is_of(own.key)))
                or "nobody"
            )
            help_ = "with --witness-key and the key that he was told when he signed"
            raise refuse("witness.unknown-witness", names=names[:200], help=help_)
        keys = [key for key in known if key.name in {one.name for one in found}]
        theirs = [one for one in note.signatures if any(one.is_of(key) for key in keys)]
        _keep(
            own,
            Note(note.text, tuple(one for one in note.signatures if one.is_of(own.key))).with_signatures(
                theirs
            ),
        )
        return found


def _witnesses(notes: LogNotes, named: Sequence[NoteKey]) -> list[NoteKey]:
    """Return the witnesses that this log knows, those that are named now among them from now on."""
    lines = list(dict.fromkeys([*notes.lines("witnesses"), *(key.line for key in named)]))
    if named:
        notes.write("witnesses", "".join(f"{line}\n" for line in lines).encode())
    known = []
    for line in lines:
        with suppress(BadNoteKey):
            known.append(parse_key(line))
    return [key for key in known if key.kind == COSIGNER]


def _cosignatures(note: Note, tree: Checkpoint, known: Iterable[NoteKey]) -> list[Cosigned]:
    found = []
    for key in known:
        try:
            at = cosigned_at(note, key)
        except BadNote:
            raise refuse("witness.bad-cosignature", name=key.name) from None
        if at is not None:
            found.append(Cosigned(key.name, at, tree.size, tree.root))
    return found


def _keep(own: _Own, note: Note) -> None:
    """Put a cosigned checkpoint to those that there are, and under the newest one if it is that; the oldest
    go where there are too many.
    """
    data = own.files.get(COSIGNED)
    try:
        notes = list(split_notes(data)) if data else []
    except BadNote:
        notes = []
    notes = [*(one for one in notes if one != note), note]
    while len(join_notes(notes)) > MAX_COSIGNED:
        notes = notes[1:]
    files = {COSIGNED: join_notes(notes)}
    if note.text == own.state.note.text:
        files[CHECKPOINT] = own.state.note.with_signatures(note.signatures).data
    own.files.put(files)
