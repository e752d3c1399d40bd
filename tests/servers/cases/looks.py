"""Looking into a mailbox: what other programs, other servers and the years do to it."""
import datetime
import shutil
import smtplib
import time

from home import SECRET, Home, account, expect, later, stop, wait_until
from lab import OldServer
from proxy import Proxy
from shapes import fresh

NOON = datetime.datetime(2019, 1, 8, 12, tzinfo=datetime.timezone.utc)


def _question(number, name="ann"):
    return fresh(f"{name}@example.org", "Ann Adams", "knights@example.org", f"A question {number}",
                 "When does my section begin?", NOON, number)


def _post(lab, number, name="ann"):
    """Mails a question to the tournament, as a person does."""
    to, raw = "knights@example.org", _question(number, name)
    with smtplib.SMTP("127.0.0.1", lab.port["mx"]) as server:
        server.sendmail(f"{name}@example.org", [to], raw)
    lab.settle()


def _answers(lab, number, name="ann"):
    """Returns the answers to a question. The daemon lives in the present and may have more to say."""
    return [raw for raw in lab.mailbox(name) if f"<{number}.fresh@".encode() in raw]


def _received(home):
    return home.audit()["mails"]


def seen_elsewhere(binary, lab):
    """A mail that another program has opened or flagged is found all the same; nothing changes before it is in the books"""
    home = Home(binary, lab)
    home.on_servers()
    home.people()
    for number in (1, 2, 3):
        _post(lab, number)
    lab.doveadm("flags", "add", "-u", "knights@example.org", "\\Seen", "mailbox", "INBOX", "1")
    lab.doveadm("flags", "add", "-u", "knights@example.org", "\\Flagged \\Answered", "mailbox", "INBOX", "2")
    home.run("check")
    seen = lab.doveadm("search", "-u", "knights@example.org", "mailbox", "INBOX", "seen").split("\n")
    expect(len([line for line in seen if line]) == 1, "check changes nothing")
    home.pass_once()
    expect(_received(home)["received"] == 3, "three mails")
    home.at(later(home.now, 60))
    home.pass_once()
    expect(_received(home)["received"] == 3, "and none of them again")


def a_new_uidvalidity(binary, lab):
    """The server numbers its mails anew: what was dealt with is known again by its digest"""
    home = Home(binary, lab)
    home.on_servers()
    home.people()
    for number in (1, 2, 3):
        _post(lab, number)
    home.pass_once()
    before = home.letters()
    lab.stop_dovecot()
    for path in lab.maildir("knights").glob("dovecot*"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    time.sleep(1.1)
    lab.start_dovecot()
    _post(lab, 4)
    home.at(later(home.now, 60))
    home.pass_once()
    mails = _received(home)
    expect(mails["acted"] == 4, f"four questions were answered: {mails}")
    expect(len(home.letters()) == len(before) + 1, "and none of them twice")


def folders(binary, lab):
    """Several folders, one with a name beyond ASCII, and the one for suspected spam"""
    home = Home(binary, lab)
    home.on_servers(mailbox='folders = ["INBOX", "Züge"]\nspam = "Junk"\ndone = "Erledigt ✓"\n')
    home.people()
    for number, folder in ((1, "INBOX"), (2, "Züge"), (3, "Junk"), (4, "Junk")):
        name = "ann" if number < 4 else "sink"
        _post(lab, number, name=name)
        if folder != "INBOX":
            lab.doveadm("mailbox", "create", "-u", "knights@example.org", folder) if folder == "Züge" else None
            lab.doveadm("move", "-u", "knights@example.org", folder, "mailbox", "INBOX", "all")
    home.pass_once()
    lab.settle()
    expect(len(lab.mailbox("ann")) == 3, f"Ann's three are answered: {len(lab.mailbox('ann'))}")
    expect(not lab.mailbox("sink"), "a stranger in the spam is not")
    junk = lab.doveadm("search", "-u", "knights@example.org", "mailbox", "Junk", "all").split("\n")
    expect(len([line for line in junk if line]) == 1, "and his mail lies where it lay")
    home.at(later(home.now, 60))
    home.pass_once()
    expect(len(home.letters()) == 3, "nothing is done twice")


def a_server_that_offers_little(binary, lab):
    """Neither MOVE nor UIDPLUS nor IDLE are offered, so none is used: mails are copied and marked"""
    lab.stop_dovecot()
    lab.write_dovecot(capability="IMAP4rev1 LITERAL+ ID")
    lab.start_dovecot()
    home = Home(binary, lab)
    home.on_servers(mailbox='done = "Done"\n')
    home.people()
    for number in (1, 2):
        _post(lab, number)
    home.pass_once()
    expect(_received(home)["acted"] == 2, "both are answered")
    for folder, words in (("Done", "both lie in the folder for it"), ("INBOX", "both are only marked as deleted in the inbox")):
        listed = lab.doveadm("search", "-u", "knights@example.org", "mailbox", folder, "all").split("\n")
        expect(len([line for line in listed if line]) == 2, words)
    home.at(later(home.now, 60))
    home.pass_once()
    expect(_received(home)["received"] == 2, "and neither is taken again")


def an_old_server(binary, lab):
    """imap4d: a mailbox in one file, without MOVE, UIDPLUS and keywords, and deaf in IDLE"""
    old = OldServer(lab)
    old.start()
    try:
        home = Home(binary, lab)
        inbox = (f'kind = "imap"\nhost = "127.0.0.1"\nport = {old.port}\ntls = "off"\nuser = "{OldServer.USER}"\n'
                 f'secret = "{SECRET}"\ndone = "Done"\n')
        home.configure(inbox, account("smtp", lab.port["smtps"], lab, "implicit"), poll=2)
        home.people()
        home.run("check")
        for number in (1, 2, 3):
            old.receive(_question(number))
        home.pass_once()
        expect(_received(home)["acted"] == 3, f"three are answered: {_received(home)}")
        home.at(later(home.now, 60))
        home.pass_once()
        expect(_received(home)["received"] == 3, f"and none again: {_received(home)}")
        process = home.daemon()
        try:
            wait_until(lambda: "at work" in home.log(), f"the daemon starts: {home.log()}")
            old.receive(_question(4))
            wait_until(lambda: _answers(lab, 4), "an answer all the same", 30)
            expect(stop(process) == 0, "it stops cleanly")
        finally:
            if process.poll() is None:
                process.kill()
    finally:
        old.stop()
    home.audit()


def one_mail_that_cannot_be_had(binary, lab):
    """A mail that the server cannot read hides none behind it"""
    home = Home(binary, lab)
    home.on_servers(mailbox='done = "Done"\n')
    home.people()
    for number in (1, 2, 3):
        _post(lab, number)
    files = sorted((lab.maildir("knights") / "new").iterdir()) or sorted((lab.maildir("knights") / "cur").iterdir())
    broken = files[1]
    broken.chmod(0)
    home.pass_once(code=1)
    expect(_received(home)["acted"] == 2, "the others are answered")
    path = next(p for p in lab.maildir("knights").rglob(broken.name.split(":")[0] + "*"))
    path.chmod(0o600)
    home.at(later(home.now, 60))
    home.pass_once()
    expect(_received(home)["acted"] == 3, "and this one when it can be had")


def idle_wakes_the_daemon(binary, lab):
    """The daemon answers at once where the server says that mail has come, and still where the line has gone deaf"""
    for deaf in (False, True):
        home = Home(binary, lab)
        # A deaf line: what the server says after it has accepted IDLE gets nowhere.
        proxy = Proxy(lab.port["imaps"], (lambda n: ("in", 6000, "swallow")) if deaf else None)
        home.on_servers(imap=proxy.port, mailbox='done = "Done"\n', poll=3 if deaf else 600)
        home.people()
        process = home.daemon()
        try:
            wait_until(lambda: "at work" in home.log(), f"the daemon starts: {home.log()}")
            time.sleep(2)
            _post(lab, f"idle-{deaf}")
            wait_until(lambda: _answers(lab, f"idle-{deaf}"), f"an answer (deaf: {deaf})", 30)
            expect(stop(process) == 0, "it stops cleanly")
        finally:
            if process.poll() is None:
                process.kill()
            proxy.close()
        home.at(None)
        home.audit()
