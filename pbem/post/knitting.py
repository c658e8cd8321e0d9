"""Words that join and greet, and take nothing back: "and then please", "mit freundlichen Grüßen".

Orders before and after such words are read as one.
"""

from __future__ import annotations

from typing import Final

_TEXT: Final = """
a also and are at below best bests bye cheers continued day dear enclosed end everybody everyone fight fights fighting
finally first follow following follows for from good great greetings guten hallo hello here hereby hey hi his i is it
jim just kind last ll luck many me melee message mine missile move movement moves my next note now of ok okay on order
orders our out part phase please regards remaining rest schönen second section sections see send setup shoot shooting
shots side sincerely so some standing submit submitting tag take tell thank thanks that the them then these they this
three to turn two und viel we well with words yes you your yours abend am anbei auch außerdem beste bitte dann danke das
dazu den der des die dir ein erst es folgen folgende folgenden folgt freundliche freundlichen für ganz gruß grüße grüßen
guter hier ich ihr ihre kampf lg lieber liebe mein meine meinen mfg mit morgen nächste nächsten noch nun phase runde
schluss schöne sind tag und unten vg viele vielen von weiter zu zuerst zug zum züge à ainsi amicalement après aussi avec
bien bonjour bonne bonsoir ci cordialement de dessous du enfin ensuite est et joints la le les merci mes moi mon
mouvement mouvements ordre ordres partie phase pour puis salut salutations sont suite suivants suivantes tir tirs tour
tous tout vous voici voilà
"""
WORDS: Final = frozenset(_TEXT.split())
