"""A home of Knightmail whose mailbox and transport are the servers of `lab.py`, and the program as anybody calls it."""
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time

from lab import PASSWORD

NAMES = {"ann": "Ann Adams", "ben": "Ben Berg", "clara": "Clara Cole", "david": "David Dorn", "edith": "Edith Eck",
         "frank": "Frank Fey", "gina": "Gina Gray"}
ROSTER = "member_id,name,email,country,state,rating,rating_date,expires\n"
SECRET = "account"


class Wrong(Exception):
    """What was expected did not come about."""


def expect(holds, what):
    if not holds:
        raise Wrong(what)


class Home:
    """A folder, and the time that is told to the program: None is the real one."""

    def __init__(self, binary, lab, now="2019-01-02T15:00:00Z"):
        self.binary, self.lab, self.now = str(binary), lab, now
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="home-", dir=lab.root))
        self.dir = self.folder / "home"
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "RUST_LOG": "info"}
        self.run("init", self.dir, bare=True)
        secrets = self.dir / "secrets"
        secrets.mkdir(mode=0o700, exist_ok=True)
        self.secret(SECRET, PASSWORD)

    def secret(self, name, text):
        path = self.dir / "secrets" / name
        path.write_text(text + "\n")
        path.chmod(0o600)

    # -- the program

    def command(self, *words, bare=False):
        given = [] if bare else ["--home", str(self.dir)]
        if self.now and not bare:
            given += ["--now", self.now]
        return [self.binary, *given, *map(str, words)]

    def run(self, *words, code=0, bare=False, stdin=None, timeout=120):
        done = subprocess.run(self.command(*words, bare=bare), input=stdin, capture_output=True, env=self.environment,
                              timeout=timeout)
        if code is not None and done.returncode != code:
            raise Wrong(f"`{' '.join(map(str, words))}` ended with {done.returncode}, not {code}:\n"
                        f"{done.stderr.decode(errors='replace')}{done.stdout.decode(errors='replace')}")
        return done

    def pass_once(self, code=0):
        return self.run("run", "--once", code=code)

    def json(self, *words):
        lines = self.run(*words, "--json").stdout.decode().splitlines()
        return [json.loads(line) for line in lines]

    def letters(self, **wanted):
        letters = self.json("letters")
        return [letter for letter in letters if all(letter.get(key) == value for key, value in wanted.items())]

    def audit(self):
        audit = self.json("audit")[0]
        expect(audit["ok"], f"audit: {audit['problems']}")
        return audit

    def at(self, instant):
        self.now = instant

    def daemon(self):
        """Starts the daemon, under the real time."""
        log = open(self.folder / "daemon.log", "ab")
        now, self.now = self.now, None
        process = subprocess.Popen(self.command("run"), stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self.environment)
        self.now = now
        return process

    def log(self):
        path = self.folder / "daemon.log"
        return path.read_text(errors="replace") if path.exists() else ""

    # -- the configuration

    def configure(self, mailbox, transport, poll=1):
        """Writes where mail comes in and goes out; each is a table as text."""
        path = self.dir / "knightmail.toml"
        text = path.read_text()
        text = replace_table(text, "mailbox", mailbox)
        text = replace_table(text, "transport", transport)
        text = re.sub(r"poll_seconds = \d+", f"poll_seconds = {poll}", text)
        path.write_text(text)

    def on_servers(self, imap=None, smtp=None, tls="implicit", more="", poll=1, **keys):
        """The usual: IMAP and SMTP with a password. The ports may be those of a proxy."""
        port = self.lab.port
        self.configure(
            account("imap", imap or port["imaps" if tls == "implicit" else "imap"], self.lab, tls, keys.get("mailbox", "") + more),
            account("smtp", smtp or port["smtps" if tls == "implicit" else "submission"], self.lab, tls, keys.get("transport", "")),
            poll,
        )

    # -- the books

    def people(self, emails=None):
        """Lists seven players and enters each once."""
        emails = emails or {}
        rows = [f"1200000{n},{name},{emails.get(short, short + '@example.org')},US,OH,{1810 - 10 * n},2019-01-01,2029-01-01"
                for n, (short, name) in enumerate(NAMES.items(), 1)]
        self.import_csv("roster", ROSTER + "\n".join(rows) + "\n")
        rows = [f"GK2019,1200000{n},2019-01-02,yes" for n in range(1, len(NAMES) + 1)]
        self.import_csv("entries", "event,member_id,postmark,paid\n" + "\n".join(rows) + "\n")

    def import_csv(self, kind, text):
        path = self.folder / f"{kind}.csv"
        path.write_text(text)
        self.run("import", kind, path)

    def form_section(self):
        """Lets a section of the seven form and its letters go out."""
        self.people()
        self.at("2019-01-02T15:00:00Z")
        self.pass_once()
        self.at("2019-01-07T16:00:00Z")
        self.pass_once()
        return self.json("crosstable", "19N01")[0]

    def games(self):
        """Returns the games of the section by name of White and Black."""
        table = self.json("crosstable", "19N01")[0]
        seat = {row["seat"]: row["name"].split()[0].lower() for row in table["seats"]}
        return {(seat[game["white"]], seat[game["black"]]): game for game in table["games"]}


def account(kind, port, lab, tls, more=""):
    return (f'kind = "{kind}"\nhost = "localhost"\nport = {port}\ntls = "{tls}"\nca = "{lab.ca}"\n'
            f'user = "knights@example.org"\nsecret = "{SECRET}"\n{more}')


def replace_table(text, name, body):
    return re.sub(rf"(?ms)^\[{name}\]\n.*?(?=^\[|\Z|^#[^\n]*\n\[)", f"[{name}]\n{body}\n", text, count=1)


def later(instant, minutes):
    """Returns an instant some minutes later."""
    import datetime
    read = datetime.datetime.fromisoformat(instant.replace("Z", "+00:00")) + datetime.timedelta(minutes=minutes)
    return read.strftime("%Y-%m-%dT%H:%M:%SZ")


def wait_until(holds, what, seconds=20):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if holds():
            return
        time.sleep(0.1)
    raise Wrong(f"not within {seconds} seconds: {what}")


def stop(process, seconds=20):
    process.send_signal(signal.SIGTERM)
    return process.wait(seconds)
