"""The pictures of a page are where the page says they are, wherever it was written."""

from __future__ import annotations

import re
from pathlib import Path

from house import pbem


def pictures(page: Path) -> list[str]:
    return re.findall(r'<img[^>]* src="([^"]+)"', page.read_text("utf-8"))


def test_a_page_shows_its_pictures(tmp_path: Path) -> None:
    assert pbem("demo", "--out", "shown", cwd=tmp_path, home=tmp_path / "home").returncode == 0
    page = tmp_path / "shown" / "last-turn.html"
    found = pictures(page)
    assert len(found) >= 2
    assert all((page.parent / path).is_file() for path in found)
    (tmp_path / "post").mkdir()
    for place in ("turn.html", "post/turn.html", "shown/game/reports/turn.html"):
        ran = pbem("report", "shown/game", "--slot", "9", "--format", "html", "-o", place, cwd=tmp_path, home=tmp_path / "home")
        assert ran.returncode == 0, ran.stderr
        found = pictures(tmp_path / place)
        assert len(found) >= 2
        assert all(((tmp_path / place).parent / path).is_file() for path in found), found
    archive = next((tmp_path / "shown").glob("*.zip")).relative_to(tmp_path)
    assert pbem("report", str(archive), "--format", "html", "-o", "bare.html", cwd=tmp_path, home=tmp_path / "home").returncode == 0
    assert pictures(tmp_path / "bare.html") == []
