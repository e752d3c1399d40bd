"""Mails as people's programs make them. Each shape is a way of one program to answer a letter: how it quotes, which parts
it makes, how it encodes and breaks lines. What is said is the same in all."""
import base64
import email
import email.policy
import email.utils
import html
import quopri
import textwrap

SHAPES = {}


def shape(make):
    SHAPES[make.__name__] = make
    return make


class Letter:
    """A letter of ours, as its reader sees it."""

    def __init__(self, raw):
        mail = email.message_from_bytes(raw, policy=email.policy.default)
        self.id, self.subject = mail["Message-ID"], mail["Subject"]
        self.sender, self.reply_to = str(mail["From"]), str(mail["Reply-To"] or mail["From"])
        self.date, self.to = mail["Date"], str(mail["To"])
        self.references = (mail["References"] or "") + " " + self.id
        self.references = self.references.split()
        self.text = mail.get_body(("plain",)).get_content()
        self.raw = raw


def answer(letter, who, name, text, instant, shape_name, number):
    """Returns the whole mail: an answer of a person to a letter."""
    headers = {
        "From": f"{name} <{who}>",
        "To": letter.reply_to,
        "Subject": letter.subject if letter.subject.lower().startswith("re:") else f"Re: {letter.subject}",
        "Date": email.utils.format_datetime(instant),
        "Message-ID": f"<{number}.{shape_name}@mail.example.org>",
        "In-Reply-To": letter.id,
        "References": "\r\n ".join(letter.references),
        "MIME-Version": "1.0",
    }
    return assemble(headers, *SHAPES[shape_name](letter, text))


def fresh(who, name, to, subject, text, instant, number):
    """Returns a mail that answers nothing."""
    headers = {"From": f"{name} <{who}>", "To": to, "Subject": subject, "Date": email.utils.format_datetime(instant),
               "Message-ID": f"<{number}.fresh@mail.example.org>", "MIME-Version": "1.0"}
    return assemble(headers, {"Content-Type": "text/plain; charset=utf-8"}, text)


def assemble(headers, more, body):
    lines = [f"{name}: {value}" for name, value in {**headers, **more}.items()]
    return ("\r\n".join(lines) + "\r\n\r\n" + body.replace("\r\n", "\n").replace("\n", "\r\n")).encode()


def quoted(letter, mark="> "):
    return "\n".join((mark + line).rstrip() for line in letter.text.splitlines())


def wrote(letter):
    return f"On {letter.date}, {letter.sender} wrote:"


def part(kind, encoding, body):
    return f"Content-Type: {kind}\nContent-Transfer-Encoding: {encoding}\n\n{body}"


def two(plain, marked_up, boundary, encoding="quoted-printable"):
    code = {"quoted-printable": lambda text: quopri.encodestring(text.encode()).decode(),
            "base64": lambda text: base64.encodebytes(text.encode()).decode(), "8bit": lambda text: text}[encoding]
    body = "".join(f"--{boundary}\n{part(kind + '; charset=utf-8', encoding, code(text))}\n"
                   for kind, text in (("text/plain", plain), ("text/html", marked_up)))
    return {"Content-Type": f'multipart/alternative; boundary="{boundary}"'}, f"{body}--{boundary}--\n"


def marked(text):
    return "".join(f"<div>{html.escape(line) or '<br>'}</div>" for line in text.splitlines())


@shape
def mutt(letter, text):
    return ({"Content-Type": "text/plain; charset=us-ascii", "Content-Disposition": "inline", "User-Agent": "Mutt/2.2.9"},
            f"{wrote(letter)}\n{quoted(letter)}\n\n{text}\n")


@shape
def alpine(letter, text):
    return ({"Content-Type": "text/plain; format=flowed; charset=US-ASCII"}, f"{text}\n\n{wrote(letter)}\n\n{quoted(letter)}\n")


@shape
def thunderbird(letter, text):
    flowed = "\n".join(" \n".join(textwrap.wrap(line, 60)) if line else "" for line in text.splitlines())
    return ({"Content-Type": "text/plain; charset=UTF-8; format=flowed", "Content-Transfer-Encoding": "8bit",
             "User-Agent": "Mozilla Thunderbird"}, f"{flowed}\n\n{wrote(letter)}\n{quoted(letter)}\n\n-- \nbest wishes\n")


@shape
def thunderbird_html(letter, text):
    body = f'<html><head></head><body><p>{html.escape(text).replace(chr(10), "<br>")}</p><div class="moz-cite-prefix">' \
           f'{html.escape(wrote(letter))}<br></div><blockquote type="cite">{marked(letter.text)}</blockquote></body></html>'
    return ({"Content-Type": "text/html; charset=UTF-8", "Content-Transfer-Encoding": "quoted-printable"},
            quopri.encodestring(body.encode()).decode())


@shape
def web_mail(letter, text):
    plain = f"{text}\n\n{wrote(letter)}\n\n{quoted(letter)}\n"
    page = f'<div dir="ltr">{marked(text)}</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">' \
           f'{html.escape(wrote(letter))}<br></div><blockquote class="gmail_quote">{marked(letter.text)}</blockquote></div>'
    return two(plain, page, "0000000000002b1c7a05e1c0ffee")


@shape
def outlook(letter, text):
    head = f"From: {letter.sender}\nSent: {letter.date}\nTo: {letter.to}\nSubject: {letter.subject}\n"
    plain = f"{text}\n\n-----Original Message-----\n{head}\n{letter.text}\n"
    page = f'<html xmlns:o="urn:schemas-microsoft-com:office:office"><body><div class="WordSection1">{marked(text)}' \
           f'<div style="border:none;border-top:solid #E1E1E1 1.0pt"><p class="MsoNormal">' \
           f'{html.escape(head).replace(chr(10), "<br>")}</p></div>{marked(letter.text)}</div></body></html>'
    return two(plain, page, "_000_MN2PR07MB5950", "base64")


@shape
def apple(letter, text):
    plain = f"{text}\n\n> {wrote(letter)}\n> \n{quoted(letter)}\n"
    page = f'<html><body style="word-wrap: break-word;">{marked(text)}<br><div><blockquote type="cite"><div>' \
           f'{html.escape(wrote(letter))}</div><br>{marked(letter.text)}</blockquote></div></body></html>'
    return two(plain, page, "Apple-Mail=_1F0B2A6E")


@shape
def telephone(letter, text):
    return ({"Content-Type": "text/plain; charset=utf-8", "Content-Transfer-Encoding": "base64"},
            base64.encodebytes(f"{text}\n\nSent from my phone\n\n{wrote(letter)}\n\n{quoted(letter)}\n".encode()).decode())


@shape
def sylpheed(letter, text):
    body = f"{text}\n\n{wrote(letter)}\n{quoted(letter, '>')}\n"
    return ({"Content-Type": "text/plain; charset=ISO-8859-1", "Content-Transfer-Encoding": "quoted-printable",
             "X-Mailer": "Sylpheed 3.8.0beta1"}, quopri.encodestring(body.encode("latin-1", "replace")).decode())


@shape
def mailx(letter, text):
    return {"User-Agent": "Heirloom mailx 12.5", "Content-Type": "text/plain; charset=us-ascii"}, f"{text}\n"
