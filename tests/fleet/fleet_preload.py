"""What a worker of the tests loads first: the kinds of tests."""

import fleet_kinds

from pbem.fleet import kinds

kinds.KINDS.update(fleet_kinds.KINDS)
