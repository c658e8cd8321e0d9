"""What was found out about a line is kept, and of a letter that wants to fill the memory nothing."""

from __future__ import annotations

from pbem.post.lines.line_answers import by_line


def test_a_line_is_asked_about_once_and_a_long_one_each_time() -> None:
    asked: list[str] = []

    @by_line
    def loud(sign: str, line: str) -> str:
        asked.append(line)
        return line.upper() + sign

    assert [loud("!", "move"), loud("!", "move"), loud("?", "move")] == ["MOVE!", "MOVE!", "MOVE?"]
    assert asked == ["move", "move"]
    long = "x" * 401
    assert loud("!", long) == loud("!", long) == long.upper() + "!"
    assert asked[2:] == [long, long]
    for number in range(5_000):
        loud("!", str(number))
    assert loud("!", "move") == "MOVE!"
    assert asked[-1] == "move", "it remembers so many lines and no more"
