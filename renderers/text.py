"""A scene in words."""

from __future__ import annotations

from pbem.core.scene import Scene


def alt(scene: Scene) -> str:
    """Return one sentence."""
    return scene.summary


def describe(scene: Scene) -> str:
    """Return everything."""
    return scene.summary
