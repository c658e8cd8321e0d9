"""Standing instructions in a written state: keys there have no hyphens, and every instruction comes back as
it was said.
"""

from __future__ import annotations

from skirmish import RULES, battle

from pbem.proof.canonical import decode, encode
from pbem.rulesets.siege.state.saved import read, write
from pbem.rulesets.siege.state.state import Instructions
from pbem.rulesets.siege.things import standing_instructions


def test_every_key_is_written_and_read_back() -> None:
    everyone = dict.fromkeys(standing_instructions.KEYS, "ask")
    said = Instructions("east", "sha512:0", everyone, ({"unit": "hob", "advance-who": "strongest"},))
    state = battle({"hob": ("east", "spearman", "0505")}, standing={"east": said})
    data = encode(write(RULES, state))
    assert b'"advance_who":"ask"' in data
    assert read(RULES, state.field, decode(data)).standing == {"east": said}
