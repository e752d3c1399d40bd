"""A mail system of our own on loopback: Dovecot holds the mailboxes, Postfix carries the mail, a small CA signs for both.

All of it lives in one folder and on free ports, is started here, and is stopped again by its pids. Nothing of the
machine's own configuration is read or written, and nothing can leave: mail for any other place is an error.

Addresses at example.org reach a mailbox, but for these, which do what a bad day does:
    nobody@      550 at RCPT                            busy@     451 at RCPT
    closing@     421 at RCPT, and the server hangs up   gone@     taken, then refused behind the gate: a real DSN (5.1.1)
    full@        taken, then over quota: a real DSN (5.2.2)
and at the next system, example.net:
    refused@     550 there: a real DSN                  asleep@   451 there: a DSN for the delay, then one that gives up
    grey@        450 for the first seconds (greylisting), then taken
"""
import http.server
import json
import os
import pathlib
import shutil
import signal
import socket
import socketserver
import subprocess
import tempfile
import threading
import time
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
PACKAGES = ("dovecot-imapd", "dovecot-pop3d", "dovecot-lmtpd", "postfix", "mailutils-imap4d")
PASSWORD = "pawn-takes-pawn"
GREY_SECONDS = 2


class Unavailable(Exception):
    """This machine cannot run the servers."""


def install():
    """Installs what is missing, without starting a service of the system."""
    if os.geteuid() != 0:
        raise Unavailable("Postfix needs root")
    if not shutil.which("apt-get") or not shutil.which("dpkg-query"):
        raise Unavailable("the packages come from Debian")
    state = lambda name: subprocess.run(["dpkg-query", "-W", "-f", "${db:Status-Abbrev}", name],
                                        capture_output=True, text=True).stdout
    missing = [name for name in PACKAGES if not state(name).startswith("ii")]
    if not missing:
        return
    others = [name for name in ("exim4-daemon-light", "exim4-daemon-heavy", "opensmtpd", "msmtp-mta") if state(name).startswith("ii")]
    if others and "postfix" in missing:
        raise Unavailable(f"{others[0]} is installed here, and Postfix would take its place")
    policy = pathlib.Path("/usr/sbin/policy-rc.d")
    ours = not policy.exists()
    if ours:
        policy.write_text("#!/bin/sh\nexit 101\n")
        policy.chmod(0o755)
    try:
        quiet = dict(stdout=subprocess.DEVNULL, check=True, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})
        subprocess.run(["apt-get", "update", "-qq"], **quiet)
        subprocess.run(["apt-get", "-o", "DPkg::Lock::Timeout=300", "install", "-y", "-qq", "--no-install-recommends",
                        "--no-remove", *missing], **quiet)
    except subprocess.CalledProcessError as error:
        raise Unavailable(f"{' '.join(missing)} cannot be installed") from error
    finally:
        if ours:
            policy.unlink()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for_port(port, seconds=20):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError(f"nothing listens on port {port}")


def wait_for_silence(port, seconds=10):
    """Waits until nobody listens any more: the children of a killed server live on for a moment."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            return
        time.sleep(0.05)
    raise RuntimeError(f"somebody still listens on port {port}")


def is_alive(pid):
    """A zombie is dead: whoever adopted it may be slow to bury it."""
    try:
        status = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return status.rsplit(")", 1)[1].split()[0] not in "ZX"


def children(pid):
    """Returns the processes that one has begun."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            if int(path.read_text().rsplit(")", 1)[1].split()[1]) == pid:
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


def end(pid, how=signal.SIGTERM, seconds=5):
    try:
        os.kill(pid, how)
    except ProcessLookupError:
        return
    until = time.monotonic() + seconds
    while is_alive(pid):
        if time.monotonic() > until:
            os.kill(pid, signal.SIGKILL)
            until += seconds
        time.sleep(0.02)


class Lab:
    """The mail system."""

    def __init__(self, people):
        self.people = list(people)
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="kml-", dir="/tmp"))
        self.root.chmod(0o755)
        names = ("imap", "imaps", "pop3", "pop3s", "lmtp", "mx", "submission", "smtps", "next", "policy", "oauth")
        self.port = {name: free_port() for name in names}
        self.ca = self.root / "ca" / "ca.crt"
        self._make_certificates()
        self._configure_dovecot()
        self._configure_postfix()
        self._helpers = []

    # -- both

    def start(self):
        self.provider = Provider(self.port["oauth"])
        self._helpers = [greylisting(self.port["policy"]), self.provider.server]
        self.start_dovecot()
        self.start_postfix()

    def stop(self):
        for stop in (self.stop_postfix, self.stop_dovecot):
            stop()
        for helper in self._helpers:
            helper.shutdown()
            helper.server_close()

    def remove(self):
        shutil.rmtree(self.root, ignore_errors=True)

    def _make_certificates(self):
        folder = self.root / "ca"
        folder.mkdir()

        def openssl(*words):
            subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True, cwd=folder)

        def key(name):
            openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", f"{name}.key")

        key("ca")
        openssl("req", "-x509", "-new", "-key", "ca.key", "-days", "30", "-subj", "/CN=An authority for tests", "-out", "ca.crt",
                "-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign,cRLSign")
        for name, names, days in (("good", "DNS:localhost,DNS:mail.example.org,IP:127.0.0.1", 30),
                                  ("othername", "DNS:elsewhere.example.net", 30)):
            key(name)
            (folder / "ext").write_text(f"subjectAltName={names}\nextendedKeyUsage=serverAuth\nbasicConstraints=CA:FALSE\n")
            openssl("req", "-new", "-key", f"{name}.key", "-subj", f"/CN={name}", "-out", "csr")
            openssl("x509", "-req", "-in", "csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-days", days,
                    "-extfile", "ext", "-out", f"{name}.crt")
        key("stranger")
        openssl("req", "-x509", "-new", "-key", "stranger.key", "-days", "30", "-subj", "/CN=localhost", "-out", "stranger.crt",
                "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1")
        for path in folder.glob("*.key"):
            path.chmod(0o644)

    # -- Dovecot

    def _configure_dovecot(self):
        home = self.root / "dovecot"
        for name in ("run", "mail"):
            (home / name).mkdir(parents=True)
        shutil.chown(home / "mail", "nobody", "nogroup")
        lines = []
        for name in self.people + ["knights", "full"]:
            rule = "userdb_quota_rule=*:storage=8K" if name == "full" else ""
            lines.append(f"{name}@example.org:{{PLAIN}}{PASSWORD}::::::{rule}")
        (home / "users").write_text("\n".join(lines) + "\n")
        (home / "oauth.conf").write_text(f"introspection_url = http://127.0.0.1:{self.port['oauth']}/introspect\n"
                                         "introspection_mode = post\nclient_id = lab\nclient_secret = lab\n"
                                         "username_attribute = username\nactive_attribute = active\nactive_value = true\n")
        self.write_dovecot()

    def write_dovecot(self, certificate="good", capability=None):
        """Writes the configuration. `capability`: what is advertised, instead of all that is there."""
        home, ca, port = self.root / "dovecot", self.root / "ca", self.port
        text = (HERE / "dovecot.conf").read_text()
        words = dict(home=home, ca=ca, certificate=certificate,
                     capability=f"imap_capability = {capability}" if capability else "",
                     **{f"port_{name}": number for name, number in port.items()})
        for name, value in words.items():
            text = text.replace(f"@{name}@", str(value))
        (home / "dovecot.conf").write_text(text)

    @property
    def dovecot_pid(self):
        try:
            return int((self.root / "dovecot/run/master.pid").read_text())
        except (OSError, ValueError):
            return None

    def start_dovecot(self):
        home = self.root / "dovecot"
        with open(home / "start.out", "wb") as out:
            subprocess.run(["dovecot", "-c", home / "dovecot.conf"], stdin=subprocess.DEVNULL, stdout=out, stderr=out, check=True)
        for name in ("imap", "imaps", "lmtp"):
            wait_for_port(self.port[name])

    def stop_dovecot(self, how=signal.SIGTERM):
        pid = self.dovecot_pid
        if pid:
            # Those who serve a session live on when their master is killed.
            serving = children(pid) if how == signal.SIGKILL else []
            end(pid, how)
            for child in serving:
                end(child, how)
            (self.root / "dovecot/run/master.pid").unlink(missing_ok=True)
            for name in ("imap", "imaps", "lmtp", "pop3"):
                wait_for_silence(self.port[name])

    def doveadm(self, *words):
        return subprocess.run(["doveadm", "-c", self.root / "dovecot/dovecot.conf", *words], check=True, capture_output=True,
                              text=True).stdout

    def maildir(self, name):
        return self.root / "dovecot/mail" / f"{name}@example.org"

    def mailbox(self, name):
        """Returns the mails of a person, as bytes, in the order in which they came."""
        files = [path for part in ("new", "cur") for path in (self.maildir(name) / part).glob("*")]
        order = lambda path: (path.name.split(".")[0], path.name)
        return [path.read_bytes() for path in sorted(files, key=order)]

    # -- Postfix

    def _configure_postfix(self):
        home = self.root / "postfix"
        for name in ("etc", "spool", "data"):
            (home / name).mkdir(parents=True)
        shutil.chown(home / "data", "postfix")
        system = pathlib.Path("/etc/postfix")
        for name in ("postfix-files", "post-install", "postfix-script"):
            if (system / name).exists():
                shutil.copy(system / name, home / "etc" / name)
        (home / "etc/dynamicmaps.cf").write_text("")
        for name in ("main.cf", "master.cf"):
            text = (HERE / f"postfix-{name}").read_text()
            words = dict(home=home, root=self.root, ca=self.root / "ca", **{f"port_{n}": p for n, p in self.port.items()})
            for word, value in words.items():
                text = text.replace(f"@{word}@", str(value))
            (home / "etc" / name).write_text(text)
        known = self.people + ["knights", "full", "gone", "busy", "closing", "postmaster"]
        (home / "etc/mailboxes").write_text("".join(f"{name}@example.org x\n" for name in known))
        (home / "etc/gate").write_text("busy@example.org 451 4.3.0 busy, try again later\n"
                                       "closing@example.org 421 4.3.2 closing for the night\n")
        (home / "etc/next-gate").write_text("refused@example.net 550 5.1.1 no such player here\n"
                                            "asleep@example.net 451 4.2.0 mailbox asleep\n")
        checked = subprocess.run(["postfix", "-c", home / "etc", "check"], capture_output=True, text=True)
        if checked.returncode:
            raise RuntimeError(checked.stderr)

    @property
    def postfix_pid(self):
        try:
            return int((self.root / "postfix/spool/pid/master.pid").read_text())
        except (OSError, ValueError):
            return None

    def start_postfix(self):
        home = self.root / "postfix"
        daemons = subprocess.run(["postconf", "-c", home / "etc", "-h", "daemon_directory"], check=True, capture_output=True,
                                 text=True).stdout.strip()
        with open(home / "start.out", "wb") as out:
            subprocess.run([f"{daemons}/master", "-c", home / "etc", "-w"], stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                           check=True)
        for name in ("mx", "submission", "smtps", "next"):
            wait_for_port(self.port[name])

    def stop_postfix(self, how=signal.SIGTERM):
        pid = self.postfix_pid
        if pid and is_alive(pid):
            end(pid, how)

    def queue(self):
        """Returns how many mails Postfix has not delivered yet."""
        listed = subprocess.run(["postqueue", "-c", self.root / "postfix/etc", "-j"], capture_output=True, text=True).stdout
        return len(listed.splitlines())

    def settle(self, seconds=20):
        """Waits until nothing is on its way, but for what waits for a later attempt."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            listed = subprocess.run(["postqueue", "-c", self.root / "postfix/etc", "-j"], capture_output=True, text=True).stdout
            if not any('"queue_name": "deferred"' not in line for line in listed.splitlines()):
                return
            time.sleep(0.05)
        raise RuntimeError("Postfix does not get its mail away")

    def logs(self):
        """Returns the last lines of both logs, for a failure's report."""
        texts = []
        for path in (self.root / "dovecot/log", self.root / "postfix/log"):
            if path.exists():
                texts.append(f"-- {path.name} of {path.parent.name}\n" + "\n".join(path.read_text(errors="replace").splitlines()[-25:]))
        return "\n".join(texts)


class OldServer:
    """GNU Mailutils' imap4d: a mailbox in one file, no MOVE, no UIDPLUS, no keywords, IDLE taken and never answered.

    It knows the users of the system alone; so that none is made, it sees a list of its own in place of the system's.
    """

    USER = "knights"

    def __init__(self, lab):
        self.root = lab.root / "old"
        self.port = free_port()
        spool, home = self.root / "spool", self.root / "home"
        for folder in (self.root, spool, home):
            folder.mkdir()
        spool.chmod(0o1777)
        os.chown(home, 7654, 65534)
        code = subprocess.run(["openssl", "passwd", "-6", PASSWORD], capture_output=True, text=True, check=True).stdout.strip()
        system = pathlib.Path("/etc")
        (self.root / "passwd").write_text((system / "passwd").read_text() + f"{self.USER}:x:7654:65534::{home}:/bin/sh\n")
        (self.root / "shadow").write_text((system / "shadow").read_text() + f"{self.USER}:{code}:19000:0:99999:7:::\n")
        (self.root / "shadow").chmod(0o600)
        self.file = spool / self.USER
        self.file.touch()
        os.chown(self.file, 7654, 65534)
        (self.root / "conf").write_text(
            f"mode daemon;\nforeground yes;\nlogin-disabled no;\ncreate-home-dir no;\npidfile {self.root}/pid;\n"
            f"mailbox {{ mail-spool {spool}; mailbox-type mbox; }};\nlogging {{ syslog no; }};\n"
            f"server 127.0.0.1:{self.port} {{ single-process no; }};\n")

    def start(self):
        mounts = " && ".join(f"mount --bind {self.root}/{name} /etc/{name}" for name in ("passwd", "shadow"))
        serve = f"{mounts} && exec imap4d --no-config --config-file={self.root}/conf"
        log = open(self.root / "log", "wb")
        self.process = subprocess.Popen(["unshare", "-m", "sh", "-c", serve], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        wait_for_port(self.port, 5)

    def stop(self):
        end(self.process.pid)
        self.process.wait()

    def receive(self, raw):
        with open(self.file, "ab") as file:
            file.write(b"From somebody@example.org Tue Jan  8 12:00:00 2019\n" + raw.replace(b"\r\n", b"\n") + b"\n\n")


def greylisting(port):
    """A policy server for Postfix: a recipient is put off for the first seconds."""
    seen = {}

    class Handler(socketserver.StreamRequestHandler):
        def handle(self):
            asked = {}
            for line in self.rfile:
                line = line.decode(errors="replace").strip()
                if line:
                    name, _, value = line.partition("=")
                    asked[name] = value
                    continue
                first = seen.setdefault((asked.get("sender"), asked.get("recipient")), time.monotonic())
                young = asked.get("recipient", "").startswith("grey@") and time.monotonic() - first < GREY_SECONDS
                action = "450 4.2.0 greylisted, come back" if young else "dunno"
                self.wfile.write(f"action={action}\n\n".encode())
                asked = {}

    return serve(port, Handler)


class Provider:
    """An OAuth2 provider: it gives access tokens for refresh tokens (RFC 6749), and tells Dovecot whose a token is
    (RFC 7662). An access token is good until `forget` is called."""

    def __init__(self, port):
        self.users, self.refresh, self.given = {}, {}, 0
        self.url = f"http://127.0.0.1:{port}"
        provider = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
                form = {name: values[0] for name, values in urllib.parse.parse_qs(body).items()}
                status, answer = provider.answer(self.path, form)
                data = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_):
                pass

        self.server = serve(port, Handler)

    def answer(self, path, form):
        if path == "/introspect":
            user = self.users.get(form.get("token", ""))
            return 200, {"active": True, "username": user} if user else {"active": False}
        user = self.refresh.get(form.get("refresh_token", ""))
        if form.get("grant_type") != "refresh_token" or user is None:
            return 400, {"error": "invalid_grant"}
        self.given += 1
        token = f"access-token-number-{self.given}"
        self.users[token] = user
        return 200, {"access_token": token, "token_type": "Bearer", "expires_in": 3600}

    def forget(self):
        self.users.clear()


def serve(port, handler):
    class Server(socketserver.ThreadingTCPServer):
        allow_reuse_address = True
        daemon_threads = True

    server = Server(("127.0.0.1", port), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server
