"""What mail programs, lists, scanners and lawyers print in a letter, in the languages they speak: words and
nothing else.

All in small letters. How they are found is decided in ``heads``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.strip().split("\n"))


VERBS: Final = "|".join(
    _lines(r"""
wrote
writes
has written
said
says
schrieb
schreibt
hat geschrieben
a écrit
a ecrit
a \S{1,3}crit
écrit
écrivait
schreef
schrijft
ha scritto
scrive
scriveva
escribió
escribio
escribi\S{1,3}
escribe
escreveu
escreve
skrev
skriver
kirjoitti
napisał(?:\(a\)|a)?
pisze
napsala?
napísala?
írta
a scris
yazdı
şunları yazdı
έγραψε
написала?
пишет
написав
писал
写道
寫道
のメール
님이 작성
đã viết
va escriure
ha escrit
viết
escribiu
kirjutas
rašė
parašė
rakstīja
(?:je )?napisao(?:[/(]?la\)?)?
(?:je )?napisala?
написао
напиша
пише
напісаў
написал\(а\)
писал\(а\)
skrifaði
scríobh
ysgrifennodd
skribis
menulis
yazıb
yazmış
idatzi du
shkroi
shkruajti
skreiv
schreift
نوشت
نوشته است
كتب
כתב(?:ה)?
(?:ने )?लिखा
(?:ने )?लिहिले
さんは書きました
さんが書きました
が書きました
寫到
쓴 내용
სწერდა
დაწერა
գրեց
เขียน(?:ว่า)?
""")
)
"""What stands before the colon of "On … Bob wrote:", as one expression."""

ROLES: Final[Mapping[str, tuple[str, ...]]] = {
    role: tuple(words.split("/"))
    for role, words in {
        "from": "from/von/de/van/da/od/fra/från/lähettäjä/от/від/kimden/feladó/από/מאת/من/差出人/发件人/寄件者/寄件人/"
        "보낸 사람/보낸사람/gönderen/de la/šalje/จาก/dari/từ/saatja/kellelt/nuo/siuntėjas/no/sūtītājs/пошиљалац/шаље/"
        "pošiljatelj/pošiljalac/"
        "подател/од/remitent/remetente/remitente/expéditeur/absender/mittente/avsändare/avsender/afsender/afzender/"
        "nadawca/odesílatel/"
        "odosielateľ/expeditor/отправитель/відправник/від кого/от "
        "кого/αποστολέας/प्रेषक/से/از/فرستنده/المرسل/שולח/kimdən/кімнен/"
        "送信者/发信人/發件人/發送者/发送者/nga/frá/nork/pengirim/daripada/người gửi/ผู้ส่ง",
        "sent": "sent/date/gesendet/datum/envoyé/envoyé le/verzonden/inviato/data/enviado/enviada em/enviado el/"
        "fecha/wysłano/skickat/"
        "sendt/дата/отправлено/lähetetty/dato/gönderildi/gönderme "
        "tarihi/elküldve/odesláno/送信日時/发送时间/日期/寄件日期/보낸 날짜/날짜/"
        "trimis/poslano/надіслано/στάλθηκε/נשלח/تم الإرسال/ส่ง/dikirim/đã "
        "gửi/send time/sent time/sent on/sent at/"
        "date sent/send date/"
        "saadetud/saatmise aeg/kuupäev/išsiųsta/siųsta/nosūtīts/nosūtīšanas laiks/datums/изпратено/изпратен/"
        "изпратени/послато/послано/"
        "датум/испратено/enviat/enviado em/enviada/enviado a las/sendt den/fecha de "
        "envío/odoslané/odoslaná/dátum/"
        "päiväys/päivämäärä/"
        "ημερομηνία/ημ/σταλθηκε/तारीख/दिनांक/भेजा गया/प्रेषित/تاریخ/ارسال/ارسال شده/زمان/التاريخ/تاريخ "
        "الإرسال/תאריך/"
        "תאריך שליחה/tarih/göndərilib/tarix/"
        "күні/жіберілді/发送日期/发件时间/发信时间/時間/时间/日時/傳送日期/發送時間/日付/작성일/보낸시간/보낸 시간/sendt dato/dërguar/"
        "dagsetning/"
        "tanggal/tarikh/ngày/ngày gửi/วันที่/kuupäev/data wysłania/data de envio",
        "to": "to/an/à/aan/a/para/do/till/til/кому/vastaanottaja/kime/címzett/komu/προς/אל/إلى/宛先/收件人/收件者/받는 사람/받는사람/către/"
        "prima/ถึง/kepada/đến/kellele/saaja/kam/gavėjas/saņēmējs/до/за/za/прима/прималац/primatelj/primalac/per a/"
        "destinatari/destinatario/"
        "destinatário/destinataire/empfänger/mottagare/modtager/mottaker/ontvanger/odbiorca/příjemce/príjemca/"
        "destinatar/получатель/"
        "одержувач/παραλήπτης/प्रति/को/به/گیرنده/المستلم/נמען/alıcı/kimə/кімге/收信人/për/nori/penerima/người "
        "nhận/ผู้รับ/pentru",
        "cc": "cc/kopie/copie/kopia/kopi/копия/bcc/koopia/kopija/копие/копија/còpia/cópia/copia/cc'd/抄送/副本/密送/참조/"
        "प्रतिलिपि/رونوشت/نسخة/עותק/"
        "tembusan/salinan/สำเนา/másolat/másolatot kap/kópia/ccn/cci/bilgi",
        "subject": "subject/betreff/objet/onderwerp/oggetto/asunto/assunto/temat/ämne/emne/тема/aihe/konu/tárgy/předmět/predmet/"
        "件名/主题/主旨/제목/θέμα/נושא/الموضوع/thema/betr/subiect/zadeva/เรื่อง/subjek/chủ "
        "đề/teema/pealkiri/tēma/temats/tema/"
        "относно/заглавие/наслов/naslov/assumpte/विषय/موضوع/mövzu/тақырып/主題/标题/標題/subjekti/efni/gaia/perihal/"
        "tiêu đề/предмет/mavzu",
        "reply": "reply-to/antwort an/répondre à/organization/priority/importance/wichtigkeit/attachments/anlagen/"
        "mailing list/message-id/"
        "回复/回覆/附件/답장/返信先/responder a/odpowiedz do/ответить",
    }.items()
}
"""The fields of a header as it is printed above a letter that is answered, by what they mean."""

FORWARDED: Final = _lines("""
forwarded
weitergeleitet
transféré
transmis
réexpédié
doorgestuurd
inoltrato
reenviado
encaminhada
reencaminhada
vidarebefordrat
videresendt
przesłana
пересылаемое
fwd
""")
"""Between dashes above a letter that is passed on."""

TITLES: Final = _lines("""
forwarded message
weitergeleitete nachricht
message transféré
previous messages
previous replies
previous mail
quoted message
""")
"""Alone on a line, whatever signs stand round them, above a letter that is passed on or answered."""

RULED: Final = _lines("""
original
reply
replied
quote
quoted
""")
"""Alone between dashes above a letter that is answered, and nowhere else."""

LETTERS: Final = _lines("""
message
messaggio
mensaje
mensagem
missatge
nachricht
mail
courriel
bericht
besked
meddelelse
meddelande
melding
viesti
wiadomo
správa
zpráva
sporočilo
poruka
üzenet
mesaj
laišk
vēstule
сообщени
повідомленн
письмо
съобщение
μήνυμα
邮件
郵件
メッセージ
メール
메시지
메일
הודעה
رسالة
tin nhắn
ข้อความ
correo
""")
"""Words for a letter in many languages: between dashes they stand above one that is answered."""

BEGIN_FORWARD: Final = _lines("""
begin forwarded message
anfang der weitergeleiteten
début du message transféré
début du message réexpédié
début du message transmis
begin doorgestuurd bericht
inizio messaggio inoltrato
inicio del mensaje reenviado
início da mensagem reencaminhada
vidarebefordrat brev
start på videresendt
start of forwarded message
weitergeleitete nachricht:
forwarded message:
""")

ORIGINAL: Final = _lines("""
original message
originalmessage
original appointment
original e-mail
original email
original mail
original-mail
original-nachricht
originalnachricht
ursprüngliche mail
ursprüngliche nachricht
urspr. mitteilung
urspr. nachricht
vorherige nachricht
message d'origine
message d’origine
message original
mail original
courriel d'origine
oorspronkelijk bericht
mensaje original
messaggio originale
mensagem original
ursprungligt meddelande
oprindelig meddelelse
opprinnelig melding
alkuperäinen viesti
oryginalna wiadomość
původní zpráva
исходное сообщение
eredeti üzenet
previous message
reply message
reply separator
""")
"""Between dashes above a letter that is answered."""

FOOTERS: Final = _lines("""
you received this message because you are subscribed
you are receiving this because
to unsubscribe
to stop receiving emails
to view this discussion
sie erhalten diese nachricht, weil
vous recevez ce message, car
vous recevez ce message car
um diese diskussion
um sich von dieser gruppe
pour afficher cette discussion
unsubscribe:
list archives:
this email has been checked for viruses
this e-mail has been checked for viruses
virus-free.
diese e-mail wurde von avast
virenfrei.
l'absence de virus dans ce courrier
cet email a fait l'objet d'une analyse
garanti sans virus
sans virus.
this e-mail and any
this email and any
this message and any
this message (including
this e-mail (including
this communication
this transmission
the information contained in this
the information in this e
important: the contents of this email
confidentiality notice
confidential:
disclaimer
e-mail disclaimer
diese e-mail enthält vertraul
diese email enthält vertraul
diese nachricht enthält vertraul
diese e-mail kann
der inhalt dieser e
rechtsformhinweis
sitz der gesellschaft
geschäftsführer:
registergericht
registered office
ce message et toutes les pièces
ce message et ses pièces
ce courriel et
ce message est confidentiel
les informations contenues
aviso legal
este mensaje y
este correo electrónico
ai sensi del
le informazioni contenute
dit bericht kan
de informatie verzonden
please consider the environment
bitte denken sie an die umwelt
bitte prüfen sie, ob diese
pensez à l'environnement
yahoo! groups links
posted by:
reply via web post
[non-text portions of this message
visit your group
view this message on the web
do you yahoo!?
get your free
""")
"""How what lists, scanners and lawyers put below a letter begins; nothing behind it is its writer's."""

DEVICES: Final = _lines("""
sent from my
sent from mobile
sent from outlook
sent from yahoo
sent from mail for
sent from proton
sent from samsung
sent from gmail
sent from tutanota
sent from fastmail
sent from aol
sent from blackberry
sent from iphone
sent from ipad
sent from a
sent from the
sent via
sent using
sent with
sent by
sent on my
send from my
this message was sent from my
get outlook for
get bluemail for
typed on
excuse my brevity
please excuse my brevity
please excuse typos
--sent from
[image:
von meinem
von meiner
vom iphone gesendet
gesendet von
gesendet mit
gesendet über
gesendet aus
diese nachricht wurde von mein
diese nachricht wurde mit
holen sie sich outlook
outlook für
unterwegs gesendet
mobil gesendet
von unterwegs
mit freundlichem daumen
bitte verzeihen sie
envoyé de mon
envoyé de ma
envoyé depuis
envoyé à partir
envoyé avec
télécharger outlook
obtenir outlook
provenance :
ce message a été envoyé
tapé sur
veuillez excuser ma brièveté
verstuurd vanaf
verzonden vanaf
verzonden met
enviado desde
enviado do
enviado con
enviado de
enviado a partir
obtener outlook
inviato da
inviato con
inviato dal
scarica outlook
skickat från
sendt fra
wysłane z
отправлено
lähetetty
""")
"""How telephones sign with their own names."""
