"""Whether people can be paired off where only some may meet: a largest matching of a graph (Edmonds)."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence, Set


def completes(people: Sequence[str], may_meet: Mapping[str, Set[str]]) -> bool:
    """Tell whether everybody of an even number of people finds an opponent; ``may_meet`` is symmetric."""
    return not len(people) % 2 and 2 * len(largest(people, may_meet)) == len(people)


def largest(people: Sequence[str], may_meet: Mapping[str, Set[str]]) -> list[tuple[str, str]]:
    """Return as many pairs of people who may meet as there can be, nobody twice."""
    place = {who: n for n, who in enumerate(people)}
    near = [sorted(place[other] for other in may_meet[who] if other in place) for who in people]
    mate: list[int | None] = [None] * len(people)
    for one, others in enumerate(near):
        if mate[one] is None:
            free = next((other for other in others if mate[other] is None), None)
            if free is not None:
                mate[one], mate[free] = free, one
    for one in range(len(people)):
        if mate[one] is None:
            _augment(one, near, mate)
    return [(people[a], people[b]) for a, b in enumerate(mate) if b is not None and a < b]


def _augment(root: int, near: Sequence[Sequence[int]], mate: list[int | None]) -> None:
    """Find a way from somebody free to somebody else who is free, blossoms shrunk, and swap along it."""
    count = len(near)
    parent: list[int | None] = [None] * count
    base = list(range(count))
    seen = [n == root for n in range(count)]
    waiting = deque([root])

    def up(one: int) -> int:
        """Return the place two steps nearer to the root."""
        partner = mate[one]
        assert partner is not None
        above = parent[partner]
        assert above is not None
        return above

    def meeting(a: int, b: int) -> int:
        """Return where the ways of two to the root come together."""
        mine = {base[a]}
        while base[a] != base[root]:
            a = up(base[a])
            mine.add(base[a])
        while base[b] not in mine:
            b = up(base[b])
        return base[b]

    def shrink(one: int, child: int, to: int, ring: set[int]) -> None:
        while base[one] != to:
            partner = mate[one]
            assert partner is not None
            ring.update((base[one], base[partner]))
            parent[one] = child
            child, one = partner, up(one)

    while waiting:
        one = waiting.popleft()
        for other in near[one]:
            partner = mate[other]
            if base[one] == base[other] or mate[one] == other:
                continue
            if other == root or (partner is not None and parent[partner] is not None):
                to, ring = meeting(one, other), set[int]()
                shrink(one, other, to, ring)
                shrink(other, one, to, ring)
                for n in range(count):
                    if base[n] in ring:
                        base[n] = to
                        if not seen[n]:
                            seen[n] = True
                            waiting.append(n)
            elif parent[other] is None:
                parent[other] = one
                if partner is None:
                    _swap(other, parent, mate)
                    return
                seen[partner] = True
                waiting.append(partner)


def _swap(end: int, parent: Sequence[int | None], mate: list[int | None]) -> None:
    at: int | None = end
    while at is not None:
        above = parent[at]
        assert above is not None
        after = mate[above]
        mate[at], mate[above] = above, at
        at = after
