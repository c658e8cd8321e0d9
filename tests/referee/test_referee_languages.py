"""Letters in the language of their reader."""

from __future__ import annotations

from pathlib import Path

import pseudo_language
import pytest
from office_table import OfficeTable

from pbem.text.words import in_force


def test_who_reads_another_language_gets_his_letters_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pseudo_language.speak(monkeypatch)
    office = OfficeTable(tmp_path)
    toml = office.root / "pbem.toml"
    toml.write_text(toml.read_text().replace('name = "North"', 'name = "North"\nlanguage = "xx"'))
    office.started(keyed=(), umpire=True)
    office.round()
    assert in_force() == "en"
    his, other = office.queued("turn-")
    assert other.to.endswith("sam@example.net>") and pseudo_language.OPEN not in other.message.as_string()
    assert his.subject.startswith("[tug-0a1b2c] ⟦")
    page = his.message.get_body(("html",))
    assert page is not None and '<html lang="xx">' in page.get_content()
    assert not [line for line in pseudo_language.outside(his.text) if "report" in line]
