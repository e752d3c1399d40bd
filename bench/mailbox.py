#!/usr/bin/env python3
"""Mail from a real server: how long 10,000 mails take from Dovecot, beside mbsync that only copies them.

    bench/mailbox.py TOOLS [--count N] [--binary FILE]

TOOLS is the folder with `gen_mail.py`. Three mailboxes of a Dovecot on loopback hold the same mails. mbsync copies the
first with syncs and the second without; `run --once` takes in the third: fetches, archives, reads, decides, answers into a
Maildir, files each mail away on the server. Needs root, Dovecot, Postfix and mbsync (Debian: isync).
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests" / "servers"))

from home import Home, account  # noqa: E402
from lab import PASSWORD, Lab, install  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tools", help="folder with gen_mail.py")
    parser.add_argument("--count", type=int, default=10000, help="how many mails (10000)")
    parser.add_argument("--binary", default="target/release/knightmail", help="the program (%(default)s)")
    options = parser.parse_args()
    install()
    if not shutil.which("mbsync"):
        sys.exit("mbsync is missing: apt-get install isync")
    lab = Lab(["synced", "copied"])
    try:
        measure(options, lab)
    finally:
        lab.stop()
        lab.remove()


def measure(options, lab):
    mails = lab.root / "mails"
    subprocess.run([sys.executable, os.path.join(options.tools, "gen_mail.py"), mails, str(options.count)], check=True,
                   stdout=subprocess.DEVNULL)
    lab.start()
    for name in ("synced", "copied", "knights"):
        lab.doveadm("mailbox", "status", "-u", f"{name}@example.org", "messages", "INBOX")
        inbox = lab.maildir(name) / "new"
        for path in sorted((mails / "mail" / "new").iterdir()):
            shutil.copy(path, inbox)
        subprocess.run(["chown", "-R", "nobody:nogroup", inbox], check=True)
    os.sync()
    rates = {"mbsync, synced": mbsync(lab, "synced", "yes"), "mbsync, not synced": mbsync(lab, "copied", "no")}
    home = Home(pathlib.Path(options.binary).resolve(), lab, now=None)
    for books in ("roster", "sections"):
        home.run("import", books, mails / f"{books}.csv")
    home.configure(account("imap", lab.port["imaps"], lab, "implicit", 'done = "Done"\n'), 'kind = "maildir"\npath = "mail/out"\n')
    start = time.perf_counter()
    home.run("run", "--once", timeout=900)
    rates["knightmail"] = options.count / (time.perf_counter() - start)
    received = home.audit()["mails"]["received"]
    for name, rate in rates.items():
        print(f"{name:<20} {rate:7.0f} mails/s")
    print(f"{received} mails are in the books; against mbsync with syncs {rates['knightmail'] / rates['mbsync, synced']:.2f}, "
          f"without {rates['knightmail'] / rates['mbsync, not synced']:.2f}")


def mbsync(lab, name, synced):
    """Copies a mailbox; returns mails a second."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=lab.root))
    for part in ("tmp", "new", "cur"):
        (folder / "INBOX" / part).mkdir(parents=True)
    (folder / "rc").write_text(
        f"FSync {synced}\n\nIMAPAccount a\nHost localhost\nPort {lab.port['imaps']}\nUser {name}@example.org\nPass {PASSWORD}\n"
        f"SSLType IMAPS\nCertificateFile {lab.ca}\n\nIMAPStore far\nAccount a\n\nMaildirStore near\nPath {folder}/\n"
        f"Inbox {folder}/INBOX\n\nChannel c\nFar :far:\nNear :near:\nPatterns INBOX\nSync Pull\nSyncState *\n")
    (folder / "rc").chmod(0o600)
    start = time.perf_counter()
    subprocess.run(["mbsync", "-q", "-c", folder / "rc", "c"], check=True)
    seconds = time.perf_counter() - start
    count = sum(len(list((folder / "INBOX" / part).iterdir())) for part in ("new", "cur"))
    return count / seconds


if __name__ == "__main__":
    main()
