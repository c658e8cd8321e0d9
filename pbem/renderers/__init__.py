"""The renderers; their modules lie in the top-level ``renderers/`` folder."""

from pbem.resources import folder

__path__ = [str(folder("renderers"))]
