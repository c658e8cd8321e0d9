"""What a game counts from its beginning on."""

from pbem.rulesets.siege.state.forms import Count, Id, Place
from pbem.text.codec import Value


class Log(Value, frozen=True):
    """Counters that names of dice and of new units need."""

    unit_seq: Count = 0
    lit: tuple[Place, ...] = ()
    assaults: Count = 0
    initiative: Id = ""
    """Of a siege in which it is thrown for, the side that has the initiative on this day."""
