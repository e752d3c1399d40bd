"""A home of the program under test, driven from outside: files, mails, commands and their JSON."""

import csv
import json
import shutil
import subprocess
import tempfile
from datetime import datetime, timezone
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path


class Answer:
    """What a command said: exit code, standard output and standard error."""

    def __init__(self, arguments, done):
        self.arguments, self.code, self.out, self.err = arguments, done.returncode, done.stdout, done.stderr

    def lines(self):
        """The JSON objects of standard output, one a line."""
        return [json.loads(line) for line in self.out.splitlines() if line.strip()]

    def one(self):
        """The only JSON object; None where nothing was printed."""
        found = self.lines()
        return found[0] if found else None

    def said(self):
        """What it said, short enough for a report."""
        return (self.err or self.out).strip().replace("\n", " | ")[:300]


class Home:
    """A fresh home in the temporary folder; `now` is the pretended time of the following commands."""

    def __init__(self, binary, event=None, now="2019-01-01T12:00:00-06:00"):
        self.binary = str(Path(binary).resolve())
        self.root = Path(tempfile.mkdtemp(prefix="referee-"))
        self.dir = self.root / "home"
        self.now = now
        self.mails = 0
        arguments = ["init", str(self.dir)] + (["--event", event] if event else [])
        done = subprocess.run([self.binary, "--now", now, *arguments], capture_output=True, text=True)
        self.born = Answer(arguments, done)

    def drop(self):
        """Takes the home away."""
        shutil.rmtree(self.root, ignore_errors=True)

    def call(self, *arguments, now=None):
        """Runs a command on the home."""
        line = [self.binary, "--home", str(self.dir), "--now", now or self.now, *map(str, arguments)]
        try:
            done = subprocess.run(line, capture_output=True, text=True, timeout=120, errors="replace")
        except subprocess.TimeoutExpired:
            done = subprocess.CompletedProcess(line, 124, "", "the command did not end within two minutes")
        return Answer(arguments, done)

    def json(self, *arguments, now=None):
        """Runs a reading command with --json; a list of objects."""
        answer = self.call(*arguments, "--json", now=now)
        try:
            return answer.lines()
        except ValueError:
            return [{"unreadable": answer.out[:200] + answer.err[:200]}]

    def file(self, name, header, rows):
        """Writes a CSV file beside the home."""
        path = self.root / name
        with path.open("w", newline="") as handle:
            writer = csv.writer(handle, lineterminator="\n")
            writer.writerow(header.split(","))
            writer.writerows(rows)
        return path

    def load(self, kind, rows, header=None, name=None, now=None, more=()):
        """Imports rows of a kind."""
        path = self.file(name or f"{kind}.csv", header or HEADERS[kind], rows)
        return self.call("import", kind, path, *more, now=now)

    def configure(self, file, old, new):
        """Replaces one piece of a configuration file; it must be there once at least."""
        path = self.dir / file
        text = path.read_text()
        assert old in text, f"{file} has no {old!r}"
        path.write_text(text.replace(old, new, 1))

    def mail(self, sender, subject, text, at, to="knights@example.org", **headers):
        """Drops a mail into mail/in/new, sent and received at the instant `at` (a datetime with a zone).

        Mail of a known address with an aligned DKIM verdict of the trusted server: `dkim=True`.
        """
        self.mails += 1
        message = EmailMessage()
        proof = headers.pop("dkim", False)
        stamp = headers.pop("received", at)
        message["Received"] = (f"from mail.example.org by mx.example.org with ESMTPS id r{self.mails};"
                               f" {format_datetime(stamp)}")
        if proof:
            domain = sender.rsplit("@", 1)[1].rstrip(">")
            message["Authentication-Results"] = f"mx.example.org; dkim=pass header.d={domain}"
        message["From"], message["To"], message["Subject"] = sender, to, subject
        message["Date"] = format_datetime(at)
        message["Message-ID"] = f"<m{self.mails}.{int(at.timestamp())}@players.example.org>"
        for name, value in headers.items():
            message[name.replace("_", "-")] = value
        message.set_content(text)
        path = self.dir / "mail/in/new" / f"{int(at.timestamp())}.m{self.mails}.example"
        path.write_bytes(bytes(message))
        return path

    def trust(self):
        """Makes the home believe the Authentication-Results of mx.example.org."""
        self.configure("knightmail.toml", '# authserv_id = "mx.example.org"', 'authserv_id = "mx.example.org"')

    def journal(self):
        """The bytes of the books, to see whether anything changed."""
        return b"".join(path.read_bytes() for path in sorted((self.dir / "store/journal").rglob("*"))
                        if path.is_file())

    def books_size(self):
        """The size of the books, to see cheaply whether anything happened."""
        return sum(path.stat().st_size for path in (self.dir / "store/journal").rglob("*") if path.is_file())


HEADERS = {
    "roster": "member_id,name,email,country,state,rating,rating_date,expires",
    "entries": "event,member_id,postmark,paid",
    "payments": "event,member_id,amount,received,reference",
    "ratings": "member_id,rating,rating_date",
    "sections": "section,round,seat,member_id,entry,start",
    "results": "section,white_seat,black_seat,result,how,date",
    "scores": "entry,round,points,forfeit_losses",
}


def instant(text):
    """An RFC 3339 text as a datetime."""
    return datetime.fromisoformat(text)


def noon(day):
    """Noon UTC of a date, as RFC 3339."""
    return datetime(day.year, day.month, day.day, 18, tzinfo=timezone.utc).isoformat().replace("+00:00", "Z")
