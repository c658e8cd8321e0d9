"""Whose words a line holds: the reply styles of mail programs, line by line.

In a case each line begins with a letter: O its writer's own, Q quoted, F forwarded, B below our mark, S below
a signature, R below a long rule, P what a program put below, H below what looks like the head of a letter;
then a bar and the line itself.
"""

from __future__ import annotations

import time

import pytest
from siege_words import KEYS

from pbem.post.lines.message import Line
from pbem.post.quotes import quoting
from pbem.post.quotes.quoting import ABOVE, BELOW, FOOTER, FORWARD, HEADED, OWN, QUOTE, RULED, SIGNATURE
from pbem.post.write import writing
from pbem.store import library

LETTERS = {
    "O": OWN,
    "Q": QUOTE,
    "F": FORWARD,
    "B": BELOW,
    "S": SIGNATURE,
    "R": RULED,
    "P": FOOTER,
    "H": HEADED,
}

CASES = {
    "nothing but own words": """
O|side: west
O|move:
O|- odo to 0712
""",
    "gmail, english, above": """
O|move:
O|- odo to 0712
O|
Q|On Thu, Nov 19, 2026 at 9:12 PM Ada Marsh <umpire@ford.example> wrote:
O|
Q|> side: east
Q|> move:
""",
    "gmail, the announcement broken in two": """
O|yes
O|
Q|On Thu, Nov 19, 2026 at 9:12 PM Ada Marsh <
Q|umpire@ford.example> wrote:
O|
Q|> side: east
""",
    "gmail, broken in three, nothing marked below": """
O|yes
Q|On Thursday, November 19, 2026 at 9:12 in the evening, a certain
Q|Ada Marsh of the Alder Ford
Q|<umpire@ford.example> wrote:
Q|side: east
Q|move:
""",
    "below the quotation": """
Q|On 19/11/2026 21:12, Ada Marsh wrote:
Q|> side: east
O|
O|side: west
""",
    "german, thunderbird": """
O|ja
Q|Am 19.11.26 um 21:12 schrieb Ada Marsh:
Q|> side: east
""",
    "german, name behind the verb, address in brackets, broken": """
O|ja
Q|Am Do., 19. Nov. 2026 um 21:12 Uhr schrieb Ada Marsh
Q|<umpire@ford.example>:
O|
Q|> side: east
""",
    "french, gmail": """
O|oui
Q|Le jeu. 19 nov. 2026 à 21:12, Ada Marsh <umpire@ford.example> a écrit :
O|
Q|> side: east
""",
    "french, with a space that does not break, unmarked": """
O|oui
Q|Le 19/11/2026 à 21:12, Ada Marsh a écrit\u00a0:
Q|side: east
""",
    "dutch, spanish, italian, portuguese, swedish, polish": """
O|-
Q|Op do 19 nov. 2026 om 21:12 schreef Ada Marsh <umpire@ford.example>:
Q|> 1
Q|El jue, 19 nov 2026 a las 21:12, Ada Marsh (<umpire@ford.example>) escribió:
Q|> 2
Q|Il giorno gio 19 nov 2026 alle ore 21:12 Ada Marsh <umpire@ford.example> ha scritto:
Q|> 3
Q|Em qui., 19 de nov. de 2026 às 21:12, Ada Marsh <umpire@ford.example> escreveu:
Q|> 4
Q|Den tors 19 nov. 2026 kl 21:12 skrev Ada Marsh <umpire@ford.example>:
Q|> 5
Q|czw., 19 lis 2026 o 21:12 Ada Marsh <umpire@ford.example> napisał(a):
Q|> 6
""",
    "a language that nobody thought of, with an address": """
O|-
Q|joulukuun 19. 2026 kello 21:12 Ada Marsh <umpire@ford.example>:
Q|side: east
""",
    "japanese and chinese": """
O|-
Q|2026年11月19日(木) 21:12 Ada Marsh <umpire@ford.example>:
Q|> 1
Q|在 2026年11月19日，21:12，Ada Marsh <umpire@ford.example> 写道：
Q|> 2
""",
    "a name and nothing else": """
O|yes
O|
Q|Ada Marsh wrote:
Q|
Q|side: east
""",
    "the words begin on the line of the announcement": """
O|- odo to 0713
O|
Q|  On Thu, 19 Nov 2026 at 21:12, Ada Marsh<umpire@ford.example> wrote:   Hello,
Q|
Q|side: east
""",
    "a broken order right above the announcement": """
O|- meurig, iorwerth, tudur, cynan, maredudd, heilyn attack hereric, dunn
O|at least 3:1
O|- klaas, hacon, tofi, edwold, gerolf, einion attack wynstan, ceol, cola
O|on the left
Q|Am 19.11.26 um 21:12 schrieb Ada Marsh:
Q|> side: east
""",
    "somebody's own sentence with wrote in it": """
O|On Monday I wrote that odo holds, as Ada wrote:
O|he does not. So:
O|side: west
""",
    "own sentences with a colon, german": """
O|Am Montag schrieb ich noch, dass alles gut ist. Das stimmt nicht:
O|side: west
""",
    "an order file is full of colons": """
O|note: as ada wrote:
O|standing:
O|  everyone:
O|    wound: weakest
O|message: Bob wrote:
O|# On 19/11/2026 21:12, Ada Marsh wrote:
O|- odo to 0712
""",
    "outlook, english": """
O|yes
O|
R|________________________________
Q|From: Ada Marsh <umpire@ford.example>
Q|Sent: Thursday, November 19, 2026 9:12 PM
Q|To: Bob <bob@example.org>
Q|Subject: turn 4
Q|
Q|side: east
""".replace("R|", "Q|"),
    "outlook, english, no rule": """
O|yes
O|
Q|From: Ada Marsh <umpire@ford.example>
Q|Sent: Thursday, November 19, 2026 9:12 PM
Q|
Q|side: east
""",
    "outlook, german, bold": """
O|ja
O|
Q|*Von:* Ada Marsh <umpire@ford.example>
Q|*Gesendet:* Donnerstag, 19. November 2026 21:12
Q|*An:* Bob
Q|*Betreff:* Zug 4
Q|side: east
""",
    "outlook, french, with spaces before colons": """
O|oui
O|
Q|De : Ada Marsh <umpire@ford.example>
Q|Envoyé : jeudi 19 novembre 2026 21:12
Q|À : Bob
Q|Objet : tour 4
Q|side: east
""",
    "gmx: the date comes first": """
O|ja
O|
Q|Gesendet: Donnerstag, 19. November 2026 um 21:12 Uhr
Q|Von: "Ada Marsh" <umpire@ford.example>
Q|An: bob@example.org
Q|Betreff: Zug 4
Q|
Q|side: east
""",
    "a header with an empty line behind each of its lines": """
O|yes
O|
Q|From: Ada Marsh <umpire@ford.example>
Q|
Q|Sent: Thursday, November 19, 2026 9:12 PM
Q|
Q|side: east
""",
    "a header in a language that nobody thought of": """
O|-
O|
Q|Kas: Ada Marsh <umpire@ford.example>
Q|Kuna: 19.11.2026 21:12
Q|Kelle: Bob
Q|Pealkiri: 4
Q|side: east
""",
    "a header in one line": """
O|yes
Q|From: Ada Marsh Sent: Thursday, November 19, 2026 9:12 PM To: Bob Subject: turn 4
Q|side: east
""",
    "original message, english": """
O|yes
O|
Q|-----Original Message-----
Q|From: Ada Marsh
Q|side: east
""",
    "original message, german": """
O|ja
Q|-----Ursprüngliche Nachricht-----
Q|side: east
""",
    "original message, french": """
O|oui
Q|-----Message d'origine-----
Q|side: east
""",
    "original message, glued to its header": """
O|yes
Q|-------- Original message --------From: Ada Marsh <umpire@ford.example> Date: 19/11/2026  21:12
Q|side: east
""",
    "original message, dashes that are no hyphens": """
O|yes
Q|‐‐‐‐‐‐‐ Original Message ‐‐‐‐‐‐‐
Q|On Thursday, Ada Marsh wrote:
Q|side: east
""",
    "zoho": """
O|yes
Q|---- On Thu, 19 Nov 2026 21:12:03 +0100 Ada Marsh <umpire@ford.example> wrote ---
Q|side: east
""",
    "outlook express, answered below": """
Q|----- Original Message -----\x20
Q|From: "Ada Marsh" <umpire@ford.example>
Q|To: "Bob" <bob@example.org>
Q|Subject: turn 4
O|
O|
Q|> side: east
O|
O|side: west
""",
    "outlook express, answered above: nothing below is his": """
O|side: west
O|
Q|----- Original Message -----\x20
Q|From: "Ada Marsh" <umpire@ford.example>
Q|Subject: turn 4
Q|
Q|> move:
Q|
Q|side: east
""",
    "names between arrows": """
O|yes
O|
Q|>>> Ada Marsh <umpire@ford.example> 11/19/2026 9:12 PM >>>
Q|Hello,
Q|side: east
""",
    "a header without colons": """
O|yes
O|
H|Ada Marsh <umpire@ford.example>
H|19.11.2026 21:12
H|
Q|To
Q|Bob Miller/West/Example
Q|cc
Q|
Q|Subject
Q|turn 4
Q|
Q|side: east
""",
    "headers of the far east": """
O|-
Q|보낸 사람: Ada Marsh <umpire@ford.example>
Q|보낸 날짜: 2026년 11월 19일 목요일 오후 9:12
Q|side: east
""",
    "a name and a colon above a quotation": """
O|- odo to 0712
O|
Q|* Ada Marsh:
Q|> Hello
""",
    "a heading above a quotation is a heading": """
O|move:
Q|> - odo to 0712
O|standing:
O|  everyone:
Q|> x
""",
    "a date and an address, and no colon": """
O|yes
Q|2026/11/19 Ada Marsh <umpire@ford.example>
Q|side: east
""",
    "a name and a date in brackets": """
O|yes
Q|[Ada Marsh, 19.11.2026 21:12]
Q|side: east
""",
    "an announcement with a mark, and words without": """
O|yes
Q|> On Nov 19, 2026, at 9:12 PM, Ada Marsh <umpire@ford.example> wrote:
Q|
Q|side: east
""",
    "hungarian, over two lines, with a bracket": """
Q|Ada Marsh <umpire@ford.example> ezt írta (időpont:
Q|2026. nov. 19., Cs, 21:12):
O|
Q|> side: east
O|side: west
""",
    "a name that begins like a day, on the second line": """
Q|------- Original Message -------
Q|On Thursday, November 19th, 2026 at 21:12, Ada
Q|Marsh <umpire@ford.example> wrote:
O|
Q|> side: east
O|
O|side: west
""",
    "the verb alone on the second line": """
Q|19 November 2026 at 21:12, "Ada Marsh" <umpire@ford.example>
Q|wrote:
O|
Q|> side: east
O|side: west
""",
    "dashes, a name, a verb, dashes": """
O|yes
Q|-------- Ada Marsh schrieb --------
Q|side: east
""",
    "tags of a forum": """
O|I see.
Q|[quote="Ada"]
Q|side: east
Q|[quote=Bob]
Q|side: west
Q|[/quote]
Q|move:
Q|[/quote]
O|Really?
Q|[quote]Where?[/quote]
O|Here.
Q|<blockquote>
Q|move:
""",
    "forwarded, gmail": """
O|see below
O|
F|---------- Forwarded message ---------
F|From: Ada Marsh <umpire@ford.example>
F|
F|side: east
""",
    "forwarded, apple, german": """
O|siehe unten
O|
F|> Anfang der weitergeleiteten Nachricht:
F|>
F|> side: east
""".replace("F|>", "Q|>"),
    "forwarded, apple, french, unmarked": """
F|Début du message transféré :
F|
F|side: east
""",
    "forwarded, thunderbird, german": """
F|-------- Weitergeleitete Nachricht --------
F|Betreff: Zug 4
F|side: east
""",
    "marks of all kinds": """
Q|> one
Q|>two
Q|>> three
Q|> > four
Q|  > five
Q|&gt; six
Q|» seven
Q|AB> eight
Q|| nine
Q|: ten
Q|} eleven
O|twelve
""",
    "own lines that only look like marks": """
O|standing:
O|  everyone: {wound: weakest,
O|    retreat: away
O|  }
O|:-)
O|note: a > b
""",
    "from, made safe on its way": """
O|side: west
O|
O|>From here on I am away.
""",
    "from, quoted": """
Q|> one
Q|>From two
Q|> three
""",
    "our own bars": """
O|side: west
Q|| side: east
Q|| move:
Q|> | - odo to 0713
""",
    "a rest of a quoted line, broken by a program": """
Q|> Add a line of your own, any eight letters will do, for instance this
Q|luck: any words
Q|> and send it again.
""",
    "a rest of a quoted line, at its end": """
Q|> Add a line of your own, any eight letters will do, for instance this
Q|luck: any words
O|
O|side: west
""",
    "orders right below a long quoted line": """
Q|> Please send the orders of the whole turn, and do not forget the luck.
O|side: west
O|move:
O|- odo to 0712
""",
    "orders right below a short quoted line": """
Q|> Please send them.
O|luck: seven drunken herons
""",
    "a signature": """
O|side: west
S|--\x20
S|Bob Miller
S|move:
""",
    "a signature without its space": """
O|side: west
S|--
S|Bob
""",
    "a signature above a quotation": """
O|side: west
S|--\x20
S|Bob
S|
Q|On Thu, Nov 19, 2026 at 9:12 PM Ada Marsh <umpire@ford.example> wrote:
Q|> side: east
""",
    "three dashes are no signature": """
O|#pd1-orders/1
O|---
O|side: west
""",
    "telephones": """
O|side: west
P|Sent from my iPhone
O|
P|Von meinem iPhone gesendet
P|Envoyé de mon iPhone
P|Get Outlook for iOS
P|Diese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.
P|Verstuurd vanaf mijn iPad
""",
    "a rule and a list below it": """
O|side: west
R|_______________________________________________
R|Siege mailing list
R|Siege@lists.example
""",
    "google groups": """
O|side: west
P|You received this message because you are subscribed to the Google Groups "siege" group.
P|To unsubscribe, send a mail to siege+unsubscribe@googlegroups.com.
""",
    "lawyers": """
O|side: west
O|
P|This e-mail and any attachments are confidential.
P|side: east
""",
    "virus": """
O|side: west
P|Diese E-Mail wurde von Avast-Antivirussoftware auf Viren geprüft.
P|www.avast.com
""",
    "our mark": f"""
O|side: west
B|{ABOVE}
B|side: east
""",
    "our mark, quoted": f"""
O|side: west
Q|On Thu, Nov 19, 2026 at 9:12 PM Ada Marsh <umpire@ford.example> wrote:
O|
B|> {ABOVE}
B|> It is your move.
B|side: east
""",
    "our mark in German, quoted, broken over two lines": """
O|side: west
Q|Am Donnerstag, 19. November 2026 schrieb Ada Marsh <umpire@ford.example>:
O|
B|> pbem: bitte über dieser
B|> Zeile schreiben
B|> Du bist am Zug.
B|side: east
""",
    "our mark, quoted, and an answer below": f"""
Q|On Thu, Nov 19, 2026 at 9:12 PM Ada Marsh <umpire@ford.example> wrote:
Q|> {ABOVE}
Q|>
Q|> It is your move.
O|
O|side: west
""",
    "our mark, quoted alone": f"""
B|> {ABOVE}
B|
B|side: east
""",
    "our mark, deeper, in capitals, broken over two lines": """
O|side: west
B|> > PBEM: Please write
B|> > above this line
B|side: east
""",
    "our mark, broken over three lines, with a rest that is not marked": """
O|side: west
B|> pbem: please
B|write above
B|> this line
B|side: east
""",
    "our mark in the middle of a line": f"""
O|side: west
B|Ada: *{ABOVE}* Hello Bob
B|side: east
""",
    "our mark with other spaces": """
O|side: west
B|>\u00a0pbem:\u00a0please write  above this\u00a0line
B|side: east
""",
    "alibaba mail, no blank behind the colon": """
O|Tomorrow.
O|
O|------------------------------------------------------------------
Q|From:Ada Marsh <umpire@ford.example>
Q|Send Time:2026 Nov. 16 (Mon.) 07:41
Q|To:Bob <bob@play.example>
Q|Subject:turn 1
Q|
Q|side: east
""",
    "alibaba mail in Chinese": """
O|Tomorrow.
O|------------------------------------------------------------------
Q|发件人：Ada Marsh <umpire@ford.example>
Q|发送时间：2026年11月16日(星期一) 07:41
Q|收件人：Bob <bob@play.example>
Q|主　题：turn 1
Q|
Q|side: east
""",
    "wecom and feishu, in Chinese": """
O|好的
Q|------------------ 原始邮件 ------------------
Q|发件人: "Ada Marsh"<umpire@ford.example>;
Q|side: east
""",
    "s-nail marks by tabs, even empty lines": """
Q|Ada Marsh <umpire@ford.example> wrote:
Q|
Q|\tHello,
Q|\t
Q|\tside: east
Q|\tAda
O|side: west
O|move:
""",
    "s-nail puts a letter in": """
O|Look.
Q|-------- Original Message --------
Q|\tFrom ada@x Fri Nov 20 07:41:55 2026
Q|\tFrom: Ada Marsh <umpire@ford.example>
Q|\tSubject: turn 2
Q|
Q|\tside: east
Q|\t
Q|\tAda
O|side: west
""",
    "a tab in front of some lines is no mark": """
Q|Ada Marsh <umpire@ford.example> wrote:
Q|
Q|\tHello,
Q|
Q|\tas promised
Q|side: east
""",
    "netease with nothing written above": """
O|
Q|---- Replied Message ----
Q|| From | Ada<umpire@ford.example> |
Q|| Date | 11/16/2026 07:41 |
Q|| To | bob@play.example |
Q|| Subject | turn 1 |
Q|
Q|side: east
""",
    "qq says original and no more": """
O|Tomorrow.
Q|------------------ Original ------------------
Q|side: east
""",
    "you wrote": """
O|Tomorrow.
O|
Q|On Nov 16, 2026 you wrote:
Q|
Q|side: east
""",
    "Sie schrieben": """
O|Morgen.
Q|Am Montag, 16. November 2026, 07:41:55 schrieben Sie:
Q|
Q|side: east
""",
    "outlook in Bulgarian, names only": """
O|Tomorrow.
Q|От: Ada Marsh
Q|Изпратено: понеделник, 16 ноември 2026 г. 07:41
Q|До: Bob
Q|Относно: turn 1
Q|
Q|side: east
""",
    "outlook in Estonian, names only": """
O|Tomorrow.
Q|Saatja: Ada Marsh
Q|Saadetud: esmaspäev, 16. november 2026 07:41
Q|Saaja: Bob
Q|Teema: turn 1
Q|side: east
""",
    "outlook in Lithuanian, names only": """
O|Tomorrow.
Q|Nuo: Ada Marsh
Q|Išsiųsta: 2026 m. lapkričio 16 d. 07:41
Q|Kam: Bob
Q|Tema: turn 1
Q|side: east
""",
    "outlook in Hindi, names only": """
O|Tomorrow.
Q|प्रेषक: Ada Marsh
Q|भेजा गया: सोमवार, 16 नवंबर 2026 07:41
Q|प्रति: Bob
Q|विषय: turn 1
Q|side: east
""",
    "outlook in Persian, names only": """
O|Tomorrow.
Q|از: Ada Marsh
Q|ارسال شده: دوشنبه, ۲۵ آبان ۱۴۰۵ ۰۷:۴۱
Q|به: Bob
Q|موضوع: turn 1
Q|side: east
""",
    "zimbra of free.fr announces with a dash": """
O|side: west
O|move:
O|- tudur to 0509
O|
Q|- Le 2026-11-16 23:25, Ada a écrit :
Q|> Bonjour
""",
    "zimbra of free.fr, and what follows has no marks": """
O|- tudur to 0509
Q|- On 2026-11-16 23:25, Ada Marsh wrote:
Q|- hacon to 0801
""",
    "a head in a language that nobody here knows": """
O|Tomorrow.
H|Kopal: Ada Marsh
H|Wenn: 16 brumo 2026, 07:41
H|Zu wem: Bob
H|
H|side: east
""",
    "an announcement in a language that nobody here knows": """
O|Tomorrow.
H|16 brumo 2026 Ada Marsh blorpit:
H|
H|side: east
""",
    "an announcement that goes on for a line": """
O|Tomorrow.
H|16 brumo 2026 Ada Marsh
H|blorpit:
H|
H|side: east
""",
    "an announcement in a language that nobody here knows, above marks": """
Q|16 brumo 2026 Ada Marsh blorpit:
Q|> side: east
O|
O|side: west
O|move:
""",
    "a date and an address without a colon": """
O|Tomorrow.
O|
H|16 brumo 2026 07:41 Ada Marsh umpire@ford.example
H|
H|side: east
""",
    "a rule with words that nobody here knows": """
O|Tomorrow.
H|-------- Blorpita posto --------
H|
H|side: east
""",
    "a line above that begins a known head says more": """
O|Look, Ada:
O|
Q|From: Ada Marsh <umpire@ford.example>
Q|Sent: Thursday
Q|side: east
""",
    "who I am above my orders is no head of a letter": """
O|Player: Bob Miller
O|Email: bob@play.example
O|Turn 3, due 20.11.2026 18:00
O|
O|side: west
""",
    "what I say about days and addresses is no head of a letter": """
O|I am back on Sunday, 22 November 2026, at 18:00.
O|My new address is bob@play.example, since 12.11.2026.
O|My orders for 22.11.2026 18:00:
O|
O|side: west
""",
    "titles of my own above my orders are no head of a letter": """
O|==== WEST ====
O|side: west
O|---- Movement ----
O|move:
O|- odo to 0712
O|----- Überfall -----
O|fight:
""",
    "orders with dates and addresses in them are no head of a letter": """
O|# 16 brumo 2026 07:41 Ada Marsh blorpit:
O|side: west
O|standing:
O|  cynan:
O|    retreat: toward 2012
O|note: I wrote to ada@ford.example on 16.11.2026 07:41
O|message: On 16.11.2026 at 07:41 we take the ford:
""",
    "a letter that mentions a line is no mark": """
O|please write above this line, it says
O|side: west
""",
}


def split(case: str) -> tuple[list[str], list[str]]:
    lines = case.strip("\n").split("\n")
    return [line[2:] for line in lines], [LETTERS[line[0]] for line in lines]


def kinds(texts: list[str], forwarded: bool = False) -> list[str]:
    return quoting.kinds(KEYS, [Line(text, number) for number, text in enumerate(texts, 1)], forwarded)


@pytest.mark.parametrize("name", CASES)
def test_whose_lines_are(name):
    texts, wanted = split(CASES[name])
    got = kinds(texts)
    assert [(kind, text) for kind, text in zip(got, texts, strict=True)] == [
        (kind, text) for kind, text in zip(wanted, texts, strict=True)
    ]


@pytest.mark.parametrize("name", CASES)
def test_line_ends_and_spaces_in_front_change_nothing(name):
    """Carriage returns may have stayed at the ends."""
    texts, wanted = split(CASES[name])
    assert kinds([f"{text}\r" for text in texts]) == wanted


def test_a_header_below_a_subject_of_a_forwarded_letter_begins_what_was_forwarded():
    texts = ["look:", "", "From: Ada <umpire@ford.example>", "Sent: Thursday", "", "side: east"]
    assert kinds(texts)[2:] == [QUOTE] * 4
    assert kinds(texts, forwarded=True)[2:] == [FORWARD] * 4


def test_lines_that_html_shows_as_quoted_are_quoted():
    lines = [Line("side: west", 1), Line("side: east", 2, quoted=1), Line("x", 3)]
    assert quoting.kinds(KEYS, lines) == [OWN, QUOTE, OWN]


def test_an_announcement_above_a_quotation_of_html_is_quoted_and_what_follows_is_not():
    lines = [Line("On Thursday, Ada wrote:", 1), Line("side: east", 2, quoted=1), Line("side: west", 3)]
    assert quoting.kinds(KEYS, lines) == [QUOTE, QUOTE, OWN]


def test_the_mark_is_the_one_that_our_letters_carry():
    assert writing.ABOVE == quoting.ABOVE
    assert set(quoting.ABOVE_IN) == set(library.languages())


HUGE = {
    "marks": [">" * 25_000] * 3,
    "many quoted lines": ["> x"] * 25_000,
    "on on on": ["On " * 8_000],
    "on, line after line": ["On Monday"] * 5_000,
    "one long line": ["x" * 50_000],
    "one long line of words": ["wrote " * 10_000],
    "headers without end": ["From: a"] * 5_000,
    "empty lines": [""] * 25_000,
    "rests without end": ["> " + "y" * 70, *["x" * 70] * 12_500],
    "rules": ["_" * 30] * 5_000,
    "halves of the mark": ["pbem: please write"] * 5_000,
    "originals": ["----- Original Message -----", "> x"] * 2_500,
    "dashes": ["-" * 25_000],
    "colons": [": " * 12_500, "a:" * 12_500],
    "spaces": [" " * 50_000 + "x"],
}


@pytest.mark.parametrize("name", HUGE)
def test_the_time_grows_with_the_text_and_nothing_else(name):
    lines = HUGE[name]
    # a busy machine is no fault; what grows with the square of these takes minutes
    begun = time.process_time()
    assert len(kinds(lines)) == len(lines)
    assert time.process_time() - begun < 8
