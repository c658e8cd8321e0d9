"""How people put their orders off, take them back or correct them in words beside them: expressions and
nothing else.

English, German and French, as in ``knitting``. A word alone is hardly ever enough: "draft" is, "not" is none.
What follows is decided in
``holding``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from pbem.core.regex import regex


def _any(text: str, **parts: str) -> re.Pattern[str]:
    """Return an expression of the lines of a text, in which ``<name>`` stands for one of the parts."""
    forms = [line.strip() for line in text.strip().split("\n") if line.strip()]
    whole = "|".join(f"(?:{form})" for form in forms)
    for name, part in parts.items():
        whole = whole.replace(f"<{name}>", f"(?:{part})")
    return regex(whole, re.IGNORECASE)


POSTPONED: Final = _any(
    r"""
    \b<not>(?: \w+)? <do> (?:<these>|yet|anything)\b
    \b<not> <do>(?: *[.!,;)]| *$)
    \bnot (?:yet )?(?:be )?(?:final|binding|official|for real|counted|my (?:real|final|last) (?:orders?|word))\b
    \b(?:is|are)n'?t (?:yet )?(?:final|binding|official|my (?:real|final) )\b
    \b(?:not|isn'?t|aren'?t) (?:quite )?(?:sure|certain|decided)(?: yet)? (?:about|of) (?:these|this|my orders?|the orders?)\b
    \b(?:a|my|the|as|first|rough|only|just|still|quick|this|these|is|are) (?:\w+ )?drafts?\b
    (?:^|[:,;(] *)drafts?\b
    \bdraft (?:only|orders|moves|for|of my|version)\b
    \b(?:just|only|merely|this is|these are) (?:a |some )?(?:first |rough |quick |little )?<trial>\b
    \bwhat (?:would|will|does|might)? ?happens? if i <did>\b
    \b(?:these|this|they|it|them|orders|moves)\b[^.!?]{0,25}\b(?:provisional|tentative|preliminary)(?:ly)?\b
    \b(?:provisional|tentative|preliminary) (?:orders|moves|set|plan)\b
    \b(?:i|we) (?:may|might|could|will probably|shall probably) (?:still |yet )?(?:change|revise|rethink|reconsider|amend|replace)\b
    \bwait (?:with (?:these|this|them|it|my orders) )?(?:until|till|before|for) (?:i|you hear|my|we)\b
    \bhold (?:off|them|these|it|this) (?:until|till|before|for) (?:i|you hear|my|we)\b
    \b(?:until|unless|before) i (?:confirm|have confirmed|tell you|say so|write again|decide|have decided|send the (?:final|real))\b
    \b(?:final|real|proper|definitive) (?:ones|orders|version|moves) (?:will )?(?:follow|come|later|tomorrow|to follow|next)\b
    \b<ignore> (?:this|these|them|it|the (?:above|below|following|rest)|these \w+)\b(?! (?:if|where))
    \b(?:nur|bloß|bloss|erst|noch) (?:mal )?(?:ein|eine|einen|zum|im) (?:erster |grober )?<versuch>\b
    \bentwurf\b
    \bnoch nicht <werten>\b
    \b(?:zählt|zählen|gilt|gelten)(?: <diese>)?(?: aber)? (?:noch )?nicht\b
    \b<diese>(?: bitte)?(?: noch)? nicht <werten>\b
    \bwas (?:wäre|würde|passiert|geschieht|geschähe)[^.!?]{0,30} wenn ich\b
    \b(?:vorläufig|unverbindlich|vorbehaltlich|unter vorbehalt)\w{0,3}\b
    \b(?:ändere|ändern|überlege|überleg)\b[^.!?]{0,30}\b(?:vielleicht|eventuell|vllt|evtl|noch (?:mal|einmal|etwas))\b
    \b(?:warte|wartet|warten sie)\b[^.!?]{0,20}\b(?:bis ich|damit|mit (?:<diese>|der auswertung))\b
    \b(?:endgültigen?|richtigen|eigentlichen) (?:befehle |züge )?(?:folgen|kommen|schicke ich|sende ich)\b
    \b(?:ignorier\w{0,3}|vergiss|vergesst|streich\w{0,3}) (?:bitte )?<diese>\b
    \bbrouillon\b
    \b(?:juste|seulement|simple|simplement|qu['’]un|uniquement) (?:un |une |pour )?<essai>\b
    \bne (?:les?|la|l['’])? ?(?:pas )?<compte>(?: pas| rien)\b
    \bpas encore (?:définitifs?|valables?|final|finaux|validés?|valider|comptés?|compter|sûr)\b
    \bprovisoires?\b
    \bque (?:se passerait-il|se passe-t-il|ferait|donnerait)[^.!?]{0,30}\bsi j['’e]
    \bqu['’]est-ce qui (?:se passerait|arriverait)[^.!?]{0,10}\bsi j['’e]
    \battend(?:s|ez)\b[^.!?]{0,30}\b(?:avant de|que je|ma confirmation)\b
    \bje (?:peux|pourrais|vais peut-être|changerai peut-être)\b[^.!?]{0,20}\b(?:changer|modifier|d['’]avis)\b
    \b(?:oublie[zrs]?|ignore[zrs]?|annule[zrs]?) (?:ceci|cela|ça|ces ordres|ce qui)\b
    """,
    **{
        "not": r"do not|don'?t|dont|never|not to",
        "do": (
            r"count|use|process|execute|run|resolve|submit|lock|accept|enter|play"
            r"|carry out|treat|book|adjudicate"
        ),
        "these": r"it|this|these|them|those|that|(?:the|my|these|this|all)(?: \w+)? (?:orders?|moves?|letter|mail|file|draft|above|below)|"
        r"the (?:above|below)",
        "trial": (
            r"test|testing|sketch|trial|rehearsal|dry[- ]run|experiment|thought experiment|ideas?"
            r"|suggestions?|proposal"
        ),
        "did": r"sen[dt]|did|do|ordered|order|submit(?:ted)?|play(?:ed)?|gave|give|wrote|moved|attacked",
        "ignore": r"ignore|disregard|scrap|discard|cancel|withdraw|take back",
        "versuch": r"entwurf|test|testen|versuch|vorschlag|probe|skizze",
        "werten": r"werten|zählen|zaehlen|gültig|gueltig|endgültig|final|ausführen|auswerten|verwenden|nehmen|benutzen|einreichen|"
        r"abschicken|fest",
        "diese": r"das|dies|diese[nrs]?|sie|es|die (?:befehle|züge)|meine (?:befehle|züge)",
        "essai": r"test|essai|essayer|tester|ébauche|idée|proposition",
        "compte": r"compte[zr]?|comptes|utilise[zrs]?|prene?[zd]s?|valide[zrs]?|traite[zrs]?|exécute[zrs]?",
    },
)
"""About the orders: not now, not for certain, not at all."""

RETURNED: Final = _any(
    r"""
    \b(?:scratch|strike) that\b
    \bon (?:second|further|reflection) ?(?:thoughts?)?\b
    \bchange(?:d)? (?:of plan|my mind|of mind)\b
    \b(?:correction|erratum|errata|korrektur|berichtigung)\b
    \b(?:ignore|disregard|forget) (?:the (?:above|orders?|moves?|attacks?|shots?|first|last|line)|my orders)\b
    \b(?:ignore|disregard|forget) (?:what i (?:said|wrote)|all that|that)\b
    \bdoch (?:lieber|nicht)\b
    \blieber doch\b
    \b(?:vertippt|tippfehler|verschrieben)\b
    \b(?:finalement non|réflexion faite|faute de frappe|je me suis trompée?)\b
    \b(?:typo|misspelt|mistyped)\b
    \bmake (?:that|it) (?!so|stop|rain|work|count|home|out|there|in time|easy|hard|clear|up|to|a|an|the)\w
    \bi meant? (?:to (?:write|say|type|order)|that)\b
    """
)
"""Below the orders: what stands above is not what is meant."""

_INSTEAD: Final = r"""
    \bi mean(?:t)?\b
    \bshould(?: have)? (?:be|been|read|say|go|<deed>)\b
    \b(?:instead|rather|except|correction|typo|wrong|mistake|mistaken|swap|replace|change|cancel|drop|skip|omit|forget|without|not)\b
    \bleave out\b
    \b(?:oops|whoops|ups|sorry|pardon)\b[^.!?]{0,40}\b(?:to|at|(?:<deed>)s?|by|nach|auf|vers)\b
    \bich mein(?:e|te)\b
    \bsoll(?:te|en)?\b
    \b(?:statt|anstatt|stattdessen|sondern|korrektur|falsch|fehler|lieber|doch|streiche?|vergiss|außer|ohne|nicht)\b
    \bje (?:voulais|veux) dire\b
    \b(?:plutôt|au lieu|à la place|erreur|sauf|sans|pas)\b
    \bdevrait\b
"""


def instead(deeds: Sequence[str]) -> re.Pattern[str]:
    """Return how people say, with somebody or a place of the orders in the same sentence, that something else
    is meant of it.

    ``deeds`` are what one may be told to do in their game: ``attack``.
    """
    return _any(_INSTEAD, deed="|".join(map(re.escape, deeds)) or "(?!)")


DEED: Final = r"goes|go|stays?|should|shall|must|instead|soll\w*|bleibt|geht|nach|va|vont|reste|devrait"
"""What somebody is told to do, right behind his name, in any game."""
LEFT_OUT: Final = r"not|instead of|without|except|drop|skip|cancel|statt|nicht|pas|au lieu de|sans"
"""Right before the name of somebody who is not to do it."""
