"""The forms of ``asking_forms`` in German, as careful as those in English."""

from __future__ import annotations

from typing import Final

from pbem.core.regex import regex
from pbem.post.orders.asking_forms import DAY, Tongue, any_of, numbered, whole

__all__ = ["GERMAN", "GOES_ON"]

_NUMBERS: Final = numbered(
    "ein eine einen einer,zwei,drei,vier,fünf fuenf,sechs,sieben,acht,neun,zehn,elf,zwölf zwoelf"
) | {"vierzehn": 14}
_UNITS: Final = {"stunde": 60, "tag": DAY, "woche": 7 * DAY}
_WEEKDAYS: Final = numbered(
    "montag mo,dienstag di,mittwoch mi,donnerstag do,freitag fr,samstag sonnabend sa,sonntag so"
)
_MONTHS: Final = numbered(
    "januar jänner jan,februar feb,märz maerz mär mrz,april apr,mai,juni jun,juli jul,august aug"
    ",september sept sep,oktober okt,november nov,dezember dez"
)
_NEAR: Final = {"heute": 0, "morgen": 1, "übermorgen": 2, "uebermorgen": 2}

_BEFORE: Final = (
    r"(?:(?:hallo|hi|hey|moin|servus|guten (?:morgen|tag|abend))(?: [^\s,]+){0,2},? "
    r"|lieber? [^\s,]+(?: [^\s,]+)?, )?"
    r"(?:(?:sorry|bitte|leider|entschuldigung|entschuldige|tut mir leid|ok|okay|gut|na gut|also|danke),? )*"
)
_AFTER: Final = r"(?:,? (?:bitte|danke|vielen dank|sorry|leider))*"
_NOW: Final = r"(?: (?:hiermit|leider|jetzt|nun))?"
_GAME: Final = r"(?: (?:das|dieses|unser) spiel| (?:die|diese|unsere) partie)?"
_GIVES_UP: Final = (
    rf"(?:ich gebe?|wir geben){_NOW}{_GAME} auf",
    rf"(?:hiermit|leider) (?:gebe? ich|geben wir){_GAME} auf",
    rf"leider (?:muss ich|müssen wir){_GAME} (?:aufgeben|kapitulieren)",
    rf"(?:ich (?:muss|will|möchte|moechte)|wir (?:müssen|muessen|wollen|möchten)){_NOW}{_GAME}"
    r" (?:aufgeben|kapitulieren)",
    rf"(?:ich kapituliere|wir kapitulieren|ich ergebe mich|wir ergeben uns){_NOW}",
    rf"(?:ich gebe? mich|wir geben uns){_NOW} geschlagen",
)
_DRAW: Final = r"(?:ein(?:em)? )?(?:remis|unentschieden)"
_WHOM: Final = r"(?: (?!kein|nie|nicht)\w+)?"
_DRAWS: Final = (
    rf"(?:ich biete?|wir bieten){_WHOM} {_DRAW}(?: an)?",
    rf"(?:ich schlage|wir schlagen){_WHOM} {_DRAW} vor",
    rf"(?:ich (?:möchte|moechte|will|würde gerne?)|wir (?:möchten|moechten|wollen)){_WHOM} {_DRAW}"
    r" (?:anbieten|vorschlagen)",
    rf"(?:wie (?:wäre|wär|waere) es mit |wie wär's mit |was hältst du von )?{_DRAW}\?",
    rf"(?:wollen|sollen|können|könnten) wir (?:uns auf {_DRAW} einigen|{_DRAW} (?:machen|vereinbaren))",
    rf"(?:einigen wir uns auf|machen wir|vereinbaren wir) {_DRAW}",
    rf"lasst? uns (?:uns )?(?:auf {_DRAW} einigen|{_DRAW} (?:machen|vereinbaren))",
    r"(?:ich nehme|wir nehmen) (?:(?:das|dein|euer|sein|ihr) )?(?:remis|unentschieden)(?:-?angebot)? an",
    r"(?:ich akzeptiere|wir akzeptieren) (?:(?:das|dein|euer|sein|ihr) )?(?:remis|unentschieden)"
    r"(?:-?angebot)?",
    r"(?:ich bin|wir sind) mit (?:dem|einem) (?:remis|unentschieden) einverstanden",
    r"(?:remis|unentschieden) (?:angenommen|akzeptiert|vereinbart)",
)
_HOW_MANY: Final = rf"(\d{{1,2}}|{any_of(_NUMBERS)})"
_UNIT: Final = rf"({any_of(_UNITS)})(?:en|e|n)?"
_MORE: Final = rf"{_HOW_MANY} {_UNIT} (?:mehr|länger|laenger|extra|zusätzlich)(?: zeit)?"
_LONGER: Final = r"(?:frist)?verlängerung"
_AMOUNT: Final = (
    rf"(?:{_MORE}|noch {_HOW_MANY} {_UNIT}(?: mehr)?(?: zeit)?"
    rf"|(?:noch )?{_HOW_MANY} (?:weitere|zusätzliche)[nr]? {_UNIT}(?: zeit)?"
    rf"|{_HOW_MANY} {_UNIT} (?:aufschub|{_LONGER})|eine {_LONGER} (?:um|von) {_HOW_MANY} {_UNIT})"
)
_SOME: Final = (
    r"(?:(?:noch )?(?:etwas |ein bisschen |ein wenig )?mehr zeit|noch (?:etwas|ein bisschen|ein wenig) zeit"
    rf"|noch ein paar tage|ein paar tage (?:mehr|länger)|eine {_LONGER}|aufschub)"
)
_FOR: Final = (
    r"(?: für (?:meinen|diesen|den|unseren|meine|diese|die|unsere)(?: nächsten?)? (?:zug|runde|befehle))?"
)


def _wanting(what: str) -> tuple[str, ...]:
    """Return how somebody asks for so much time, in each order of the words."""
    middle = rf"(?: bitte| gerne?)*{_FOR} {what}{_FOR}"
    return (
        r"(?:ich (?:brauche|bräuchte|benötige|hätte|möchte)"
        r"|wir (?:brauchen|bräuchten|benötigen|hätten|möchten))"
        rf"{middle}(?: haben)?",
        rf"(?:(?:kann|könnte|darf|dürfte) ich|(?:können|könnten|dürfen) wir){middle}"
        r"(?: (?:haben|bekommen|kriegen))?",
        rf"(?:kannst|könntest|würdest) du (?:mir|uns){middle} geben",
        rf"gib (?:mir|uns){middle}",
        rf"(?:ich bitte|wir bitten|bitte) um{middle}",
    )


_PUT_OFF: Final = rf"(?:die|diese|meine|unsere) (?:frist|deadline)(?: bitte)? um {_HOW_MANY} {_UNIT}"
_TIMES: Final = (
    *_wanting(_AMOUNT),
    rf"{_MORE}{_FOR}",
    rf"(?:kannst|könntest|würdest) du (?:bitte )?{_PUT_OFF} (?:verlängern|verschieben)",
    rf"(?:kann|könnte) {_PUT_OFF} (?:verlängert|verschoben) werden",
    rf"(?:verlängere|verlänger|verschiebe?) (?:bitte )?{_PUT_OFF}",
    rf"bitte {_PUT_OFF} (?:verlängern|verschieben)",
)
_PLACE: Final = (
    r"(?:weg|fort|verreist|unterwegs|abwesend|offline|(?:im|in) urlaub|in (?:den )?ferien|im ausland"
    r"|auf (?:dienst)?reisen?|auf einer (?:dienst)?reise|im krankenhaus|nicht (?:da|hier|zu ?hause"
    r"|erreichbar|verfügbar))"
)
_AM: Final = r"(?:(?:ich bin|wir sind)(?: leider)?|leider (?:bin ich|sind wir))"
_RANGE: Final = (
    r"(?:(?:vo[nm]|ab) )?(?P<first>.{2,30}?) bis (?:zum |einschließlich )?(?P<last>.{2,30}?)",
    r"(?:vo[nm] )?(?P<day>\d{1,2})\.? ?(?:bis(?: zum)?|-|–) ?(?P<rest>\d{1,2}.{3,25}?)",
    rf"(?:für )?(?P<many>\d{{1,2}}|{any_of(_NUMBERS)}) (?P<unit>tag|woche)(?:en|e|n)? (?:lang )?"
    r"ab (?P<start>.{2,30}?)",
    rf"ab (?P<start>.{{2,30}}?) (?:für )?(?P<many>\d{{1,2}}|{any_of(_NUMBERS)}) "
    r"(?P<unit>tag|woche)(?:en|e|n)?(?: lang)?",
    r"bis (?:zum |einschließlich )?(?P<only_last>.{2,30}?)",
    r"am (?P<one>.{2,30}?)",
)
_AWAY: Final = tuple(
    form
    for span in _RANGE
    for form in (
        rf"{_AM} {_PLACE}(?: in [a-zäöüß]+)? {span}",
        rf"{_AM} {span} {_PLACE}(?: in [a-zäöüß]+)?",
        rf"{span} (?:bin ich|sind wir)(?: leider)? {_PLACE}",
        rf"(?:ich werde|wir werden) {span} {_PLACE} sein",
        rf"(?:ich habe|wir haben) {span} urlaub",
        rf"(?:ich (?:fahre|gehe)|wir (?:fahren|gehen)) {span} (?:weg|fort|in (?:den )?urlaub|in die ferien)",
    )
)
GOES_ON: Final = (
    r"(?:bis|für|in|im|auf|nicht|bin|sind|weg|fort|verreist|unterwegs|abwesend|offline|urlaub"
    rf"|{any_of(_MONTHS)})"
)
"""What follows "3." or "10.12." in the middle of a sentence."""
_JOKE: Final = (
    r"außer|ausser|es sei denn|scherz\w*|(?<!viel )spa(?:ß|ss)|quatsch|witz\w*|ignorier\w*|teste|testweise"
    r"|vielleicht|eventuell|evtl|womöglich|möglicherweise|sagt\w*|gesagt|schrieb\w*|schreibt|geschrieben|meint\w*"
)
_WHAT: Final = (
    r"(?:dem|der (?:zurücknahme|berichtigung|änderung)|(?:dem|deinem|diesem) (?:vorschlag|entscheid))"
)

GERMAN: Final = Tongue(
    resigns=whole(_GIVES_UP, _BEFORE, _AFTER),
    draws=whole(_DRAWS, _BEFORE, _AFTER),
    amounts=whole(_TIMES, _BEFORE, _AFTER),
    more_time=whole(_wanting(_SOME), _BEFORE, _AFTER),
    leave=whole(_AWAY, _BEFORE, _AFTER, "[.!]*"),
    clause=regex(
        r",\s+(?:also |und |aber )?(?=(?:kann|könnte|darf|ich|wir|bitte|kannst|könntest) )"
        r"|\s+und (?=(?:kann|könnte|darf|bitte|brauche) )"
    ),
    taken_back=regex(
        rf"\b(?:{_JOKE}|wenn|falls|sofern|wart\w+|moment mal|zitat|zitier\w*|nicht|nie|niemals|kein (?:remis"
        r"|unentschieden)|nur|aber|oder|ob|bevor|ehe|erst|lieber nicht|beinahe|sondern)\b"
    ),
    doubted=regex(rf"\b(?:{_JOKE}|doch nicht)\b"),
    polite_if=regex(
        r"\b(?:wenn|falls) (?:(?:es |das )?(?:möglich|ok|okay|in ordnung)(?: ist| wäre)?|es geht|das geht)\b"
    ),
    please="bitte",
    yes=regex(
        r"(?:ja|jawohl|j|einverstanden|genehmigt|gewährt|bestätigt|ich bestätige(?: es| das)?)\b"
        r"[.!, ]*(?:bitte|danke|gerne?)?[.!]*"
    ),
    no=regex(
        r"(?:nein|abgelehnt|ich lehne (?:es |das )?ab|ich bin dagegen"
        rf"|(?:ich bin|wir sind)(?: damit| mit {_WHAT})? nicht einverstanden"
        rf"|(?:ich stimme|wir stimmen)(?: {_WHAT})? nicht zu)\b[.!, ]*(?:danke|leider|sorry)?[.!]*"
    ),
    agreed=regex(
        rf"{_BEFORE}(?:(?:ich stimme|wir stimmen)(?: {_WHAT})? zu|(?:ich bin|wir sind)"
        rf"(?: damit| mit {_WHAT})? einverstanden|einverstanden|zugestimmt){_AFTER}[.!]*"
    ),
    only_amount=regex(rf"(?:ja,? |ok,? |genehmigt:? )?{_HOW_MANY} {_UNIT}[.!]*"),
    numbers=_NUMBERS,
    units=_UNITS,
    weekdays=_WEEKDAYS,
    months=_MONTHS,
    near=_NEAR,
    dates=(
        regex(rf"(?:de[mn] )?(?P<day>\d{{1,2}})\.? ?(?P<month>{any_of(_MONTHS)})\.?(?: (?P<year>\d{{4}}))?"),
        regex(r"(?:de[mn] )?(?P<day>\d{1,2})\. ?(?P<month>\d{1,2})\.?(?: ?(?P<year>\d{4}))?"),
    ),
    named=regex(rf"(?:({any_of(_WEEKDAYS)}),? (?:de[mn] )?)(.+)"),
)
