"""The referee: plays made-up championships against the program and compares with its own reckoning.

    python3 tests/referee/run.py BINARY --seeds 30
"""

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.dont_write_bytecode = True

import adopt  # noqa: E402
import cases  # noqa: E402
import seasons  # noqa: E402


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", help="the program: target/debug/knightmail")
    parser.add_argument("--seeds", type=int, default=30, help="adopted championships (default 30)")
    parser.add_argument("--first", type=int, default=1, help="the first seed (default 1)")
    parser.add_argument("--slow", type=int, default=0, help="championships played by mails through the years (default 0)")
    parser.add_argument("--case", action="append", help="only the cases whose name contains this; may be repeated")
    parser.add_argument("--no-cases", action="store_true", help="leave the cases out")
    parser.add_argument("--show", type=int, default=12, help="differences shown of each championship (default 12)")
    parser.add_argument("--keep", action="store_true", help="keep the homes and say where they are")
    return parser.parse_args()


def known():
    """Pieces of text of differences that are known and open, from known.txt."""
    path = Path(__file__).parent / "known.txt"
    lines = path.read_text().splitlines() if path.exists() else []
    return [line.split("\t")[0] for line in lines if line.strip() and not line.startswith("#")]


def main():
    options = arguments()
    started, looked, open_ones, fresh = time.time(), 0, 0, 0
    accepted = known()
    jobs = []
    if not options.no_cases:
        jobs += [lambda name=name: cases.play(options.binary, name, options.keep) for name in cases.names(options.case)]
    if not options.case or options.slow:
        jobs += [lambda seed=seed: adopt.adopt(options.binary, seed, options.keep)
                 for seed in range(options.first, options.first + options.seeds)]
        jobs += [lambda seed=seed: seasons.season(options.binary, seed, options.keep)
                 for seed in range(options.first, options.first + options.slow)]
    for job in jobs:
        report = job()
        looked += report.looked
        new = [line for line in report.found if not any(piece in line for piece in accepted)]
        open_ones += len(report.found) - len(new)
        fresh += len(new)
        if new:
            print(f"{report.name}: {len(new)} of {report.looked} differ")
            for line in new[:options.show]:
                print(f"    {line}")
    print(f"{len(jobs)} championships and cases, {looked} comparisons, {fresh} differ, "
          f"{open_ones} known, {time.time() - started:.0f} s")
    return 1 if fresh else 0


if __name__ == "__main__":
    sys.exit(main())
