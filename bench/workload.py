#!/usr/bin/env python3
"""A tournament's mail through the real binary: every mail one outcome, none lost, and how fast.

    bench/workload.py TOOLS [--count N] [--mails OUT] [--binary FILE] [--examples N] [--no-peer]

TOOLS is the folder with `gen_mail.py`, which makes the mail and says what each is (`expected.jsonl`), and `peer.py`, the
daemon that anybody would write in Python (it needs the package `chess`). OUT is a workload made before; without it one
of N mails is made. All work is done in a temporary folder beside OUT, or in the current one.

What is compared, by the kind of mail that the workload says it is:
    entry result question                               the intent, and that something was done
    move                                                the intent, and that this very move was played
    withdraw leave time-complaint                       the intent, a docket item and a receipt
    illegal unknown-game not-to-move wrong-number       nothing was played, and the sender was told
    duplicate bounce auto-reply list                    the class or outcome, and that nobody was answered
    other                                               nothing was entered into the books
Then the books: `audit`, every letter sent, and a second pass that finds nothing to do. Exit code 1 if anything is wrong.
"""
import argparse
import collections
import glob
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

REFUSED = ("illegal", "unknown-game", "not-to-move", "wrong-number")
FOR_DIRECTOR = ("withdraw", "leave", "time-complaint")
ENTERED = ("entry-received", "result-reported", "result-confirmed", "result-disputed", "section-formed", "move-played",
           "draw-offered")
SYNCS = ("fsync", "fdatasync", "syncfs", "sync_file_range", "msync")


def main():
    options = read_options()
    mails = options.mails and os.path.abspath(options.mails)
    work = tempfile.mkdtemp(prefix="workload-", dir=mails and os.path.dirname(mails))
    try:
        if mails is None:
            mails = os.path.join(work, "mails")
            generator = os.path.join(options.tools, "gen_mail.py")
            print(run([sys.executable, generator, mails, str(options.count)]).strip())
        wrong = measure(options, mails, work)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    sys.exit(1 if wrong else 0)


def read_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tools", help="folder with gen_mail.py and peer.py")
    parser.add_argument("--count", type=int, default=10000, help="how many mails to make (10000)")
    parser.add_argument("--mails", metavar="OUT", help="a workload made before by gen_mail.py")
    parser.add_argument("--binary", default="target/release/knightmail", help="the program (%(default)s)")
    parser.add_argument("--examples", type=int, default=3, help="disagreements shown of each kind (3)")
    parser.add_argument("--no-peer", action="store_true", help="leave the Python peer out")
    return parser.parse_args()


def measure(options, mails, work):
    binary = os.path.abspath(options.binary)
    home = make_home(binary, mails, os.path.join(work, "home"))
    os.sync()
    print("plain sync rate of this disk now: %.0f a second" % sync_rate(work))
    seconds, cpu = timed([binary, "--home", home, "run", "--once"])
    with open(os.path.join(mails, "expected.jsonl"), encoding="utf-8") as file:
        expected = {line["file"]: line for line in map(json.loads, file)}
    count = len(expected)
    print("knightmail: %d mails in %.2f s = %.0f mails/s, %.0f us of CPU a mail" % (
        count, seconds, count / seconds, cpu * 1e6 / count))
    wrong = check(options, binary, home, expected)
    if shutil.which("strace"):
        count_syncs(binary, make_home(binary, mails, os.path.join(work, "traced")), count)
    if not options.no_peer:
        peer(options, mails, count / seconds)
    return wrong


def make_home(binary, mails, home):
    run([binary, "init", home])
    for books in ("roster", "sections"):
        run([binary, "--home", home, "import", books, os.path.join(mails, books + ".csv")])
    inbox = os.path.join(home, "mail", "in", "new")
    for name in os.listdir(os.path.join(mails, "mail", "new")):
        shutil.copy(os.path.join(mails, "mail", "new", name), inbox)
    return home


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit("%s\nexit code %d\n%s" % (" ".join(command), done.returncode, done.stderr))
    return done.stdout


def timed(command):
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    run(command)
    seconds, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def sync_rate(folder):
    """Appends of 200 bytes, each synced by itself, a second."""
    path, count, start = os.path.join(folder, "sync-rate"), 0, time.perf_counter()
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    while time.perf_counter() - start < 1:
        os.write(file, b"x" * 200)
        os.fdatasync(file)
        count += 1
    os.close(file)
    os.remove(path)
    return count / (time.perf_counter() - start)


def count_syncs(binary, home, mails):
    trace = home + ".strace"
    run(["strace", "-f", "-qq", "-o", trace, "-e", "trace=" + ",".join(SYNCS), binary, "--home", home, "run", "--once"])
    with open(trace) as file:
        syncs = collections.Counter(re.findall(r"\b(%s)\(" % "|".join(SYNCS), file.read()))
    total = sum(syncs.values())
    print("syncs: %d for %d mails and their letters = one for %.1f mails (%s)" % (
        total, mails, mails / total, ", ".join("%s %d" % pair for pair in sorted(syncs.items()))))


def peer(options, mails, ours):
    command = [sys.executable, os.path.join(options.tools, "peer.py"), mails, "--durable"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return print("peer: not run (%s)" % (done.stderr.strip().splitlines() or ["?"])[-1])
    print(done.stdout.strip())
    theirs = float(re.search(r"= (\d+) mails/s", done.stdout)[1])
    print("knightmail is %.1f times as fast" % (ours / theirs))


# ------------------------------------------------------------------------------------------- what became of them

def check(options, binary, home, expected):
    """Prints a table of agreement; returns how much is wrong."""
    agreed, missed = collections.Counter(), collections.defaultdict(list)
    seen = collections.Counter()
    events = event_ids(home)
    for transaction in journal(home):
        mail = isinstance(transaction["cause"], dict) and transaction["cause"].get("mail")
        if not mail:
            continue
        seen[mail["arrival"]] += 1
        truth = expected.get(mail["arrival"])
        why = "no mail of this name was sent" if truth is None else disagreement(truth, mail, transaction, events)
        kind = truth["outcome"] if truth else "?"
        if why:
            missed[kind].append("%s (%s, %s): %s" % (mail["arrival"], truth and truth["kind"], truth and truth["style"], why))
        else:
            agreed[kind] += 1
    for name, truth in expected.items():
        if seen[name] != 1:
            missed[truth["outcome"]].append("%s: %d outcomes" % (name, seen[name]))
    for kind in sorted(set(agreed) | set(missed)):
        print("  %-15s %6d as expected, %d not" % (kind, agreed[kind], len(missed[kind])))
        print("".join("      %s\n" % line for line in missed[kind][:options.examples]), end="")
    return sum(map(len, missed.values())) + check_books(binary, home, len(expected))


def check_books(binary, home, count):
    """The accounts, and that nothing is left to do."""
    audit = json.loads(run([binary, "--home", home, "audit", "--json"]))
    letters = audit["letters"]
    print("audit:", json.dumps(audit))
    before = len(list(journal(home)))
    run([binary, "--home", home, "run", "--once"])
    lies = len(glob.glob(os.path.join(home, "mail", "out", "new", "*")))
    problems = [words for words, wrong in (
        ("the audit has problems", not audit["ok"]),
        ("the audit counts %d mails" % audit["mails"]["received"], audit["mails"]["received"] != count),
        ("letters wait or failed", letters["owed"] != letters["sent"] + letters["printed"]),
        ("%d letters lie in the Maildir" % lies, lies != letters["sent"]),
        ("mails were left unseen", os.listdir(os.path.join(home, "mail", "in", "new"))),
        ("a second pass found something to do", len(list(journal(home))) != before),
    ) if wrong]
    print("".join("  WRONG: %s\n" % words for words in problems), end="")
    return len(problems)


def journal(home):
    for path in sorted(glob.glob(os.path.join(home, "store", "journal", "*.jsonl"))):
        with open(path, encoding="utf-8") as file:
            yield from map(json.loads, file)


def event_ids(home):
    """The tournaments' ids by the names of their files."""
    ids = {}
    for path in glob.glob(os.path.join(home, "events", "*.toml")):
        with open(path, encoding="utf-8") as file:
            found = re.search(r'^id\s*=\s*"(.+?)"', file.read(), re.M)
        ids[os.path.splitext(os.path.basename(path))[0]] = found and found[1]
    return ids


def disagreement(truth, mail, transaction, events):
    """Says why a mail did not come to what it should; None where it did."""
    want, outcome = truth["outcome"], mail["outcome"]
    reading = mail.get("reading") or {}
    done = [event if isinstance(event, str) else next(iter(event)) for event in transaction.get("events", [])]
    entered = [name for name in done if name in ENTERED]
    told = "%s, %s: %s" % (outcome, reading.get("class"), "; ".join(reading.get("reasons", [])))
    letters = [letter["notice"] for letter in transaction.get("letters", [])]
    if want in REFUSED:
        ok = not entered and (outcome == "held" or {"move-rejected", "receipt", "question", "not-understood"} & set(letters))
        return None if ok else "played, or not answered: " + told
    if want == "other":
        return "entered as %s: %s" % (entered, told) if entered else None
    if want in ("duplicate", "bounce", "auto-reply", "list"):
        ok = want in (outcome, reading.get("class")) and not entered and not transaction.get("letters")
        return None if ok else "not a %s, or answered: %s" % (want, told)
    if outcome != "acted":
        return "not acted on: " + told
    if want == "move":
        played = [(m["number"], m["side"], m["uci"]) for m in made(transaction, "move-played") if m.get("mail")]
        sent = [(m["number"], m["side"], m["uci"]) for m in truth["intents"] if m["kind"] == "move"]
        if played != sent:
            return "sent %s, played %s: %s" % (sent, played, told)
    if want in FOR_DIRECTOR and not ("item-opened" in done and "receipt" in letters):
        return "no docket item or no receipt: " + told
    wanted = [plain(intent, events) for intent in truth["intents"]]
    found = [plain(intent, events) for intent in reading.get("intents", [])]
    return None if wanted == found else "wanted %s, found %s: %s" % (wanted, found, told)


def made(transaction, name):
    """The events of a name."""
    return [event[name] for event in transaction.get("events", []) if isinstance(event, dict) and name in event]


def plain(intent, events):
    """The fields of an intent that must agree."""
    kind = intent["kind"]
    if kind == "entry":
        return kind, events.get(intent["event"], intent["event"]), intent["count"], intent["member_id"], intent["postmark"]
    if kind in ("result", "resign"):
        return "result", intent["section"], intent["white"], intent["black"], intent.get("result")
    if kind == "move":
        return tuple(intent.get(key) for key in ("kind", "section", "white", "black", "number", "side", "san", "uci"))
    if kind == "time-complaint":
        return tuple(intent.get(key) for key in ("kind", "section", "white", "black", "sent", "repeated"))
    return tuple(intent.get(key) for key in ("kind", "section", "scope", "from", "to"))


if __name__ == "__main__":
    main()
