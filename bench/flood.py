#!/usr/bin/env python3
"""A mail bomb through the real binary: many mails of one address, and what they cost.

    bench/flood.py [--binary FILE] [COUNT …]

For each COUNT (5000 10000 20000) a new home takes in that many mails of one unknown address, each with another text.
Printed are seconds, processor time, the peak of memory, the letters and docket items
that came of it, and how long the journal's lines are. Exit code 1 if more came of it than may.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

ANSWERS = 100  # to one address in a day, as shipped


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("counts", nargs="*", type=int, default=[5000, 10000, 20000])
    parser.add_argument("--binary", default="target/release/knightmail", help="the program (%(default)s)")
    options = parser.parse_args()
    wrong = [count for count in sorted(options.counts) if not measure(os.path.abspath(options.binary), count)]
    sys.exit(1 if wrong else 0)


def measure(binary, count):
    with tempfile.TemporaryDirectory() as folder:
        home = os.path.join(folder, "home")
        run([binary, "init", home])
        fill(os.path.join(home, "mail", "in", "new"), count)
        os.sync()
        start = time.perf_counter()
        cpu, peak = run_measured([binary, "--home", home, "run", "--once"])
        seconds = time.perf_counter() - start
        letters = lines([binary, "--home", home, "letters", "--json"])
        to_bomb = sum(letter["to"] == "bomb@example.net" for letter in letters)
        docket = lines([binary, "--home", home, "docket", "--json"])
        floods = [item for item in docket if item["kind"] == "flood"]
        journal = sum(len(line) for line in open_journal(home))
        print("flood: %d mails in %.2f s, %.0f us of CPU a mail, peak memory %d MB; %d answers, %d docket items, "
              "%.0f bytes of journal a mail" % (count, seconds, cpu * 1e6 / count, peak // 1024, to_bomb, len(docket),
                                                journal / count), flush=True)
        return to_bomb <= ANSWERS and len(floods) == 1


def fill(folder, count):
    stamp = int(time.time()) - 60
    for n in range(count):
        word = "".join(chr(97 + n // 26 ** place % 26) for place in range(5))
        mail = ("From: Bomb <bomb@example.net>\r\nTo: knights@example.org\r\nSubject: mail %d\r\n"
                "Message-ID: <b%d@example.net>\r\nDate: %s\r\n\r\nHow do I enter? %s\r\n" % (
                    n, n, time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(stamp)), word))
        with open(os.path.join(folder, "%d.M%06dP1.mx" % (stamp, n)), "w", newline="") as file:
            file.write(mail)


def open_journal(home):
    folder = os.path.join(home, "store", "journal")
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as file:
            yield from file


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit("%s\nexit code %d\n%s" % (" ".join(command), done.returncode, done.stderr))
    return done.stdout


def run_measured(command):
    """Processor time in seconds and peak memory in kilobytes of a child."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, usage = os.wait4(process.pid, 0)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def lines(command):
    return [json.loads(line) for line in run(command).splitlines()]


if __name__ == "__main__":
    main()
