"""Signed notes, checkpoints and cosignatures: the vectors of other programs, and everything
that is not one.
"""

from __future__ import annotations

import base64

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pbem.proof import note
from pbem.proof.note import (
    COSIGNER,
    LOG,
    BadNote,
    BadNoteKey,
    Checkpoint,
    Note,
    NoteKey,
    checkpoint_of,
    parse,
    parse_key,
    signed_by,
)

# The key and the note that Go's checksum database tests its notes with.
GO_KEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
GO_PRIVATE = base64.b64decode("AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz")[1:]
GO_TEXT = (
    "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
)
GO_LINE = (
    "— PeterNeumann "
    "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)
# A key of a witness, and one of a log whose base64 has a plus in it, that the transparency-dev tools test
# theirs with.
COSIGNER_KEY = "remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2"
PLUS_KEY = "TEST+7997405c+AQcC+FTVKf0jlTdHDY3rbevmnKxxPjigCXlVtGe6RIr6"
TREE = Checkpoint("example.org/club", 42, bytes(range(32)))
PRIVATE = Ed25519PrivateKey.from_private_bytes(b"l" * 32)
WITNESS = Ed25519PrivateKey.from_private_bytes(b"w" * 32)
WITNESS_KEY = note.key_of(WITNESS, "ann.example", COSIGNER)
SIGNED = Note(TREE.text, (note.sign(PRIVATE, "example.org/club", TREE.text),))
COSIGNED = SIGNED.with_signatures([note.cosign(WITNESS, "ann.example", TREE.text, 1_793_613_600)])


def reason_of(act) -> str:
    with pytest.raises((BadNote, BadNoteKey)) as bad:
        act()
    return bad.value.reason


def test_a_note_of_another_program_holds_and_ours_is_the_same_byte_for_byte():
    key = parse_key(GO_KEY)
    found = parse((GO_TEXT + "\n" + GO_LINE).encode())
    signed_by(found, key)
    ours = Note(
        GO_TEXT, (note.sign(Ed25519PrivateKey.from_private_bytes(GO_PRIVATE), "PeterNeumann", GO_TEXT),)
    )
    assert ours.data == found.data == (GO_TEXT + "\n" + GO_LINE).encode()
    changed = parse((GO_TEXT.replace("answer", "Answer") + "\n" + GO_LINE).encode())
    assert reason_of(lambda: signed_by(changed, key)) == "signature"


def test_keys_of_other_programs_are_read_and_written_as_they_are():
    for line, kind in ((GO_KEY, LOG), (COSIGNER_KEY, COSIGNER), (PLUS_KEY, LOG)):
        key = parse_key(line)
        assert (key.line, key.kind) == (line, kind)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "form"),
        ("PeterNeumann+c74f20a3", "form"),
        (f"{GO_KEY} ", "form"),
        (f" {GO_KEY}", "form"),
        (GO_KEY.replace("Peter", "Peter "), "form"),
        (GO_KEY.replace("c74f20a3", "C74F20A3"), "form"),
        (GO_KEY.replace("c74f20a3", "c74f20a4"), "id"),
        (GO_KEY.replace("Peter", "Pet\u200ber"), "form"),
        (GO_KEY[:-4], "form"),
        (NoteKey("ann", 0x06, b"x" * 32).line, "kind"),
        (NoteKey("ann", LOG, b"\1" + bytes(31)).line, "order"),
        (NoteKey("ann", LOG, b"\xff" * 32).line, "order"),
        ("x" * 201 + "+c74f20a3+" + "A" * 44, "form"),
    ],
)
def test_what_is_no_key_says_so(line, reason):
    assert reason_of(lambda: parse_key(line)) == reason


def test_a_checkpoint_and_its_cosignature_as_the_formats_write_them():
    lines = COSIGNED.data.decode().split("\n")
    assert lines[:4] == ["example.org/club", "42", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", ""]
    assert [line.split(" ")[:2] for line in lines[4:6]] == [["—", "example.org/club"], ["—", "ann.example"]]
    found = parse(COSIGNED.data)
    assert checkpoint_of(found) == TREE
    signed_by(found, note.key_of(PRIVATE, "example.org/club", LOG))
    assert note.cosigned_at(found, WITNESS_KEY) == 1_793_613_600
    # What is signed with the time is two lines and the whole text, as tlog-cosignature has it.
    raw = base64.b64decode(lines[5].split(" ")[2])
    message = (
        b"cosignature/v1\ntime 1793613600\nexample.org/club\n42\n"
        b"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n"
    )
    WITNESS.public_key().verify(raw[12:], message)
    assert int.from_bytes(raw[4:12], "big") == 1_793_613_600
    assert TREE.digest == "0001-0203-0405-0607"


def test_a_cosignature_for_another_time_text_or_name_is_none():
    other = Checkpoint("example.org/club", 43, bytes(range(32)))
    assert (
        reason_of(lambda: note.cosigned_at(Note(other.text, COSIGNED.signatures), WITNESS_KEY)) == "signature"
    )
    line = COSIGNED.signatures[1]
    later = Note(
        TREE.text, (note.Signature(line.name, line.id, (1_793_613_601).to_bytes(8, "big") + line.data[8:]),)
    )
    assert reason_of(lambda: note.cosigned_at(later, WITNESS_KEY)) == "signature"
    endless = Note(TREE.text, (note.cosign(WITNESS, "ann.example", TREE.text, note.MAX_COUNT),))
    assert reason_of(lambda: note.cosigned_at(endless, WITNESS_KEY)) == "signature"
    assert note.cosigned_at(COSIGNED, note.key_of(WITNESS, "ben.example", COSIGNER)) is None
    assert note.cosigned_at(SIGNED, WITNESS_KEY) is None
    # The signature of a log is no cosignature, nor the other way round, though the key is one.
    twofold = Note(TREE.text, (note.sign(WITNESS, "ann.example", TREE.text),))
    assert note.cosigned_at(twofold, WITNESS_KEY) is None
    assert reason_of(lambda: signed_by(COSIGNED, note.key_of(WITNESS, "ann.example", LOG))) == "unsigned"
    assert reason_of(lambda: signed_by(COSIGNED, WITNESS_KEY)) == "signature"


def test_a_signature_with_another_spelling_of_its_number_is_none():
    signature = SIGNED.signatures[0]
    number = int.from_bytes(signature.data[32:], "little") + 2**252 + 27742317777372353535851937790883648493
    longer = note.Signature(signature.name, signature.id, signature.data[:32] + number.to_bytes(32, "little"))
    key = note.key_of(PRIVATE, "example.org/club", LOG)
    assert reason_of(lambda: signed_by(Note(TREE.text, (longer,)), key)) == "signature"
    # One that does not hold spoils the note, though another of the same key does.
    assert reason_of(lambda: signed_by(Note(TREE.text, (signature, longer)), key)) == "signature"


def test_unknown_signatures_mean_nothing_and_are_kept():
    stranger = note.sign(Ed25519PrivateKey.from_private_bytes(b"s" * 32), "example.org/club", TREE.text)
    both = Note(TREE.text, (stranger, *SIGNED.signatures))
    signed_by(parse(both.data), note.key_of(PRIVATE, "example.org/club", LOG))
    assert parse(both.data).signatures[0] == stranger
    assert (
        reason_of(
            lambda: signed_by(Note(TREE.text, (stranger,)), note.key_of(PRIVATE, "example.org/club", LOG))
        )
        == "unsigned"
    )


def test_a_witness_that_cosigns_again_stands_there_once():
    again = COSIGNED.with_signatures([note.cosign(WITNESS, "ann.example", TREE.text, 1_793_700_000)])
    assert len(again.signatures) == 2
    assert note.cosigned_at(again, WITNESS_KEY) == 1_793_700_000


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n\n",
        b"text\n",
        b"text\n\n",
        b"text\n\nno signature\n",
        b"text\n\n" + GO_LINE.encode()[:-1],
        b"text\n\n- PeterNeumann x08go/ZJ\n",
        b"text\n\n" + GO_LINE.encode().replace(b" x08", b"  x08"),
        b"text\n\n" + GO_LINE.encode().replace(b"=", b""),
        b"text\n\n" + GO_LINE.encode().replace(b"nAM=", b"nAN="),
        "text\n\n— Peter+Neumann x08go/ZJkuA=\n".encode(),
        "text\n\n— PeterNeumann AAAAAA==\n".encode(),
        b"te\rxt\n\n" + GO_LINE.encode(),
        b"te\x00xt\n\n" + GO_LINE.encode(),
        b"te\xffxt\n\n" + GO_LINE.encode(),
        b"text\n\n" + GO_LINE.encode() * 65,
        b"x" * 65_000 + b"\n\n" + GO_LINE.encode() * 5,
    ],
)
def test_what_is_no_note_is_refused(data):
    assert reason_of(lambda: parse(data)) == "form"


@pytest.mark.parametrize(
    "text",
    [
        "example.org\n1\n",
        "\n1\nAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n",
        "example.org\n01\nAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n",
        "example.org\n-1\nAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n",
        "example.org\n9999999999999999\nAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n",
        "example.org\n1\nAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh9=\n",
        "example.org\n1\nAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHg==\n",
        "example.org\n1\nAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n\nmore\n",
        "x" * 201 + "\n1\nAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n",
    ],
)
def test_what_is_no_checkpoint_is_refused(text):
    assert reason_of(lambda: checkpoint_of(Note(text))) == "checkpoint"


def test_lines_that_a_log_adds_of_its_own_are_left_alone_and_signed_with_the_rest():
    text = TREE.text + "another line\n"
    assert checkpoint_of(Note(text)) == TREE
    own = Note(text, SIGNED.signatures)
    assert reason_of(lambda: signed_by(own, note.key_of(PRIVATE, "example.org/club", LOG))) == "signature"


def test_several_checkpoints_in_one_file():
    other = Note(Checkpoint("example.org/club", 7, bytes(32)).text, SIGNED.signatures)
    assert list(note.split_notes(note.join_notes([COSIGNED, other, SIGNED]))) == [COSIGNED, other, SIGNED]
    assert list(note.split_notes(note.join_notes([SIGNED]))) == [SIGNED]
    for broken in (
        b"",
        b"text\n",
        note.join_notes([SIGNED]) + b"\n\n",
        SIGNED.data + SIGNED.data,
        b"a\n\nb\n\nc\n",
    ):
        assert reason_of(lambda broken=broken: list(note.split_notes(broken))) == "form"
