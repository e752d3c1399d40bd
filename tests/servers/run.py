#!/usr/bin/env python3
"""Knightmail on real servers: Dovecot and Postfix on loopback, with everything that goes wrong there.

    python3 tests/servers/run.py target/debug/knightmail [CASE ...] [--list] [--keep]

Starts the servers on free ports in a folder of their own, runs the cases, stops the servers by their pids. Needs root and
Debian's packages, which it installs where they are missing; elsewhere it says so and ends with 0. The README beside this
file tells what the cases are. `--keep` leaves the folder of a failure.
"""
import argparse
import pathlib
import subprocess
import sys
import time
import traceback

import cases
from home import NAMES, Wrong
from lab import Lab, Unavailable, install


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("cases", nargs="*", help="which cases (all)")
    parser.add_argument("--list", action="store_true", help="name the cases")
    parser.add_argument("--keep", action="store_true", help="leave the folder, with its logs, where a case failed")
    options = parser.parse_args()
    known = cases.all_cases()
    if options.list:
        for name, case in known.items():
            print(f"{name:<28} {case.__doc__.splitlines()[0]}")
        return 0
    unknown = [name for name in options.cases if name not in known]
    if unknown:
        parser.error(f"there is no case {unknown[0]}; --list names them")
    try:
        install()
        try_out()
    except Unavailable as why:
        print(f"skipped: no mail servers here: {why}")
        return 0
    chosen = {name: known[name] for name in options.cases or known}
    return run(options.binary.resolve(), chosen, options.keep)


def try_out():
    """Starts the servers once: where a machine does not let them run, it is no fault of the program."""
    lab = None
    try:
        lab = Lab([])
        lab.start()
    except (OSError, RuntimeError, subprocess.SubprocessError) as error:
        raise Unavailable(f"they do not start ({error})") from error
    finally:
        if lab:
            lab.stop()
            lab.remove()


def run(binary, chosen, keep):
    begun, failed = time.monotonic(), []
    for name, case in chosen.items():
        # A lab of its own: no case finds the mail of another.
        lab = Lab([*NAMES, "director", "sink", *getattr(case, "people", ())])
        start = time.monotonic()
        try:
            lab.start()
            case(binary, lab)
            print(f"ok      {name:<28} {time.monotonic() - start:5.1f} s", flush=True)
        except Exception as error:
            failed.append(name)
            what = str(error) if isinstance(error, Wrong) else traceback.format_exc()
            print(f"FAILED  {name}: {what}\n{lab.logs()}", flush=True)
        finally:
            lab.stop()
            if keep and name in failed:
                print(f"        kept: {lab.root}")
            else:
                lab.remove()
    print(f"{len(chosen) - len(failed)} of {len(chosen)} cases, {time.monotonic() - begun:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
