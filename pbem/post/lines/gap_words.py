"""Words between the parts of somebody's orders, and whether the parts may still be read as one.

Words that join and greet take nothing back: "and then please", "mit freundlichen Grüßen". Others may: "or
rather", "last turn I had". Where they may, nothing is read; a person has to say what he means.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final

from pbem.core.regex import regex

_TEXT: Final = """
a also and are at below best bests bye cheers continued day dear enclosed end everybody everyone
finally first follow following follows for from good great greetings guten hallo hello here hereby hey hi i is it jim
just kind ll luck many me message mine move movement moves my next note now of ok okay on order orders our
out part phase please regards remaining rest schönen second section sections see send setup side
sincerely so some standing submit submitting tag take tell thank thanks that the then these this three to turn two und
viel we well with words yes you your abend am anbei auch außerdem beste bitte dann danke das dazu den der des die dir
ein erst es folgen folgende folgenden folgt freundliche freundlichen für ganz gruß grüße grüßen guter hier ich ihr ihre
lg lieber liebe mein meine meinen mfg mit morgen nächste nächsten noch nun phase runde schluss schöne sind tag und
unten vg viele vielen von weiter zu zuerst zug zum züge à ainsi amicalement après aussi avec bien bonjour bonne bonsoir
ci cordialement de dessous du enfin ensuite est et joints la le les merci mes moi mon mouvement mouvements ordre ordres
partie phase pour puis salut salutations sont suite suivants suivantes tour tous tout vous voici voilà
"""
_TURNING: Final = """
or either else instead rather otherwise alternatively alternative unless except not no none never don dont doesn cannot
cancel forget ignore scrap skip drop delete undo revoke wrong mistake error correction corrected correct actually last
previous previously earlier old older before yesterday ago was were did had been wrote said says sent quote quoted
quoting copy copied paste pasted original forwarded his her hers their theirs enemy enemys opponent opponents foe option
options plan maybe perhaps might would could should example instance suppose wait if when until whether draft sample
template remember asked ask asks from report yours used use replace replaced replaces oder sonst statt stattdessen
anstatt außer ausser nicht kein keine keinen nie falls wenn ob vergiss ignoriere streiche falsch fehler korrektur
eigentlich letzte letzten letzter vorige vorigen früher alt alte alten vorher gestern war waren hatte schrieb sagte
zitat kopie kopiert sein seine seinen ihrer deren gegner feind feindes vielleicht würde könnte sollte beispiel entwurf
warte bis gegners ou sinon plutôt plutot autrement sauf pas non jamais oublie ignore annule faux erreur correction
dernier dernière précédent précédente avant hier ancien était étaient avait écrit dit citation copie leur leurs ennemi
adversaire peut exemple si quand attends attendez brouillon
"""

WORDS: Final = frozenset(_TEXT.split())
"""Words that join and greet, in any game."""
_TURNS: Final = frozenset(_TURNING.split())
"""Words that may take back, put off or ascribe to others what stands before or after them."""
_WORD: Final = regex(r"[^\W\d_]+")
_ALIVE: Final = regex(
    r"\b(?:(?:if|when|provided|as long as) [\w ]{1,30}?(?:is|are)(?: still)? (?:alive|standing|able|there"
    r"|around|possible)|"
    r"(?:falls|wenn|solange) [\w ]{1,30}? (?:noch )?(?:lebt|leben|steht|stehen|kann|können)|"
    r"(?:s[ei]|si) ?['’]?[\w ]{1,30}? encore en vie)\b",
    re.IGNORECASE,
)
"""Orders of the dead are left out anyway."""
_STRANGE: Final = regex(r"[?@|]|://|\d{4}|\d[:.]\d")
_MOST_LINES: Final = 3
_MOST: Final = 160


def joins(lines: Sequence[str], names: Collection[str], joining: Collection[str], addressed: bool) -> int:
    """Return which of the lines between two parts might change what they mean; -1 where they may be read as
    one.

    ``joining`` are ``WORDS`` and those of a game that take as little back. ``addressed``: the second part
    says again whose or for which turn it is, or repeats a section, as somebody else's orders would.
    """
    many = len(lines) > _MOST_LINES or sum(map(len, lines)) > _MOST
    for number, line in enumerate(lines):
        if _says_nothing(line, names, joining):
            continue
        bare = _ALIVE.sub(" ", line[:400])
        if addressed or many or _names_somebody(bare, joining) or _takes_back(bare):
            return number
    return -1


def _words(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(text)}


def _says_nothing(line: str, names: Collection[str], joining: Collection[str]) -> bool:
    """Tell whether a line only joins, greets and signs."""
    return len(line) <= 200 and "?" not in line and not _words(line[:400]).difference(joining, names)


def _names_somebody(text: str, joining: Collection[str]) -> bool:
    """Tell whether a line with a colon at its end may name somebody whose orders follow."""
    if not text.rstrip().endswith(":"):
        return False
    return any(word[:1].isupper() and word.lower() not in joining for word in _WORD.findall(text))


def _takes_back(text: str) -> bool:
    """Tell whether words may take something back, put it off or ascribe it to others."""
    return bool(_words(text) & _TURNS) or _STRANGE.search(text) is not None
