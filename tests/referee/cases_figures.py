"""The published figures of real championships, from data/: standings, shared places, prizes."""

import csv
from pathlib import Path

from cases import case
from law import Event, decode, hundredths, places, prize_shares, text_money, text_points

DATA = Path(__file__).parent / "data"


def rows_of(name):
    with (DATA / name).open(newline="") as handle:
        return list(csv.DictReader(handle))


def halves(text):
    return int(float(text) * 2)


def members(codes):
    """A member number for each person's code, and roster rows."""
    numbers = {code: f"5{number:07}" for number, code in enumerate(sorted(set(codes), key=lambda c: (len(c), c)), 1)}
    roster = [[member, f"Player {code}", f"p{member}@example.org", "US", "OH", 1500, "2018-12-01", "2039-12-31"] for code, member in numbers.items()]
    return numbers, roster


def games_for(points):
    """Games among seven seats with these half points (decisive and drawn), by search; None where it cannot be."""
    size = len(points)
    pairs = [(i, j) for i in range(size) for j in range(i + 1, size)]
    need = list(points)
    found = []

    def place(index):
        if index == len(pairs):
            return not any(need)
        i, j = pairs[index]
        if j == size - 1 or j == i + 1:
            for seat in range(i, size):
                if need[seat] > 2 * (size - 1 - (i if seat != i else j - 1)):
                    return False
        order = [2, 1, 0] if need[i] >= need[j] else [0, 1, 2]
        for mine in order:
            if mine <= need[i] and 2 - mine <= need[j]:
                if j == size - 1 and need[i] != mine:
                    continue
                need[i] -= mine
                need[j] -= 2 - mine
                found.append((i, j, mine))
                if place(index + 1):
                    return True
                found.pop()
                need[i] += mine
                need[j] += 2 - mine
        return False

    return found if place(0) else None


def split(rows):
    """Deals a complete list over final sections of seven that sum to 21 points, nobody twice in one; with their games."""
    count = len(rows) // 7
    groups = [[] for _ in range(count)]

    def deal(index):
        if index == len(rows):
            return all(games_for(sorted((halves(r["final"]) for r in g), reverse=True)) for g in groups)
        row = rows[index]
        for number in sorted(range(count), key=lambda n: sum(halves(r["final"]) for r in groups[n])):
            group = groups[number]
            if len(group) == 7 or any(r["player"] == row["player"] for r in group):
                continue
            group.append(row)
            total, left = sum(halves(r["final"]) for r in group), 7 - len(group)
            if total <= 42 and (left or total == 42) and deal(index + 1):
                return True
            group.pop()
            if not group:
                break
        return False

    return groups if deal(0) else None


def check_tables(stage, report, rows, entries_assigned, with_finals):
    """Adopts a list by carried scores, with the final sections rebuilt or carried too, and compares standings and prizes."""
    numbers, roster = members(row["player"] for row in rows)
    home = stage.home(now="2027-03-01T12:00:00-06:00")
    stage.done(home, "roster", roster)
    ids = [f"GK2019-{index:03}" for index in range(1, len(rows) + 1)]
    entry = {id(row): ids[index] for index, row in enumerate(rows)}
    scores = [[entry[id(row)], name, row[short], 0] for row in rows for name, short in (("preliminary", "prelim"), ("semifinal", "semi"), ("final", "final"))
              if short != "final" or not with_finals]
    owner = {entry[id(row)]: numbers[row["player"]] for row in rows}
    stage.done(home, "entries", [["GK2019", owner[e], "2019-01-15", "yes", e] for e in ids], header="event,member_id,postmark,paid,entry", now="2019-12-31T12:00:00-06:00")
    stage.done(home, "scores", scores)
    if with_finals:
        groups = split(rows)
        seats, games = [], []
        for number, group in enumerate(groups, 1):
            group.sort(key=lambda row: -halves(row["final"]))
            for seat, row in enumerate(group, 1):
                seats.append([f"19Nf{number:02}", "final", seat, owner[entry[id(row)]], entry[id(row)], "2023-02-01"])
            for low, high, mine in games_for([halves(row["final"]) for row in group]):
                white, black = (low, high) if (high - low) % 2 else (high, low)
                got = mine if white == low else 2 - mine
                games.append([f"19Nf{number:02}", white + 1, black + 1, {2: "1-0", 1: "1/2-1/2", 0: "0-1"}[got], "played", "2024-05-05"])
        stage.done(home, "sections", seats)
        stage.done(home, "results", games)
    if entries_assigned != len(rows):
        answer = home.call("direct", "entries-assigned", "GK2019", entries_assigned, "--reason", "the preliminaries are lost")
        report.same("direct entries-assigned", (0, ""), (answer.code, answer.said() if answer.code else ""))
    weighted = [halves(r["prelim"]) * 50 + halves(r["semi"]) * 110 + halves(r["final"]) * 225 for r in rows]
    for row, mine in zip(rows, weighted):
        report.same("the printed total", row["weighted"], text_money(mine))
    shown = {line["entry"]: line for line in home.json("standings", "GK2019") if "entry" in line}
    for row, place, mine in zip(rows, places(weighted), weighted):
        line = shown.get(entry[id(row)], {})
        report.same(f"standings of {entry[id(row)]}", (place, text_money(mine), [text_points(halves(row[k])) for k in ("prelim", "semi", "final")], 0, True, "finished"),
                    tuple(line.get(k) for k in ("place", "weighted", "points", "forfeit_losses", "prize_eligible", "state")))
    fund, shares, left = prize_shares(Event(), entries_assigned, [(e, w) for e, w in zip(ids, weighted)])
    paid = home.call("prizes", "GK2019", "--json").one() or {}
    report.same("prizes", (entries_assigned, text_money(fund), text_money(left)), tuple(paid.get(k) for k in ("entries_assigned", "fund", "undistributed")))
    theirs = {p["entry"]: (p["place"], p["amount"], sorted(p["tied_with"])) for p in paid.get("places", []) if p["amount"] != "0.00"}
    report.same("prize places", {e: (p, text_money(a), t) for e, (p, a, t) in shares.items()}, theirs)
    report.same("prizes final", True, paid.get("final"))
    audit = home.call("audit")
    report.same("audit", 0, audit.code)
    return theirs


@case
def figures_2005(stage, report):
    """2005: 28 rows, four final sections; places 3 and 4 tie at 38.35; 35.80 printed above 36.75."""
    rows = rows_of("gk2005.csv")
    report.same("sum of the finals", 168, sum(halves(row["final"]) for row in rows))
    for entries, finals in ((200, True), (141, False)):
        theirs = check_tables(stage, report, rows, entries, finals)
        third = text_money((30000 + 10000) * entries // 200 // 2)
        report.same(f"places 3 and 4 with {entries} entries", [(3, third)] * 2, [v[:2] for v in theirs.values() if v[0] == 3])


@case
def figures_2012(stage, report):
    """2012: 14 rows, two final sections; the row printed 24.20 must be 24.50."""
    rows = rows_of("gk2012.csv")
    for row in rows:
        if row["prelim"] == "?":
            report.same("24.20 has a solution", [], decode(2420))
            report.true("24.50 is 4.5, 5.0, 2.0", (9, 10, 4) in decode(2450), decode(2450))
            row.update(weighted="24.50", prelim="4.5", semi="5.0")
    check_tables(stage, report, rows, 187, True)


@case
def figures_2004(stage, report):
    """2004: the first twenty of a longer list, carried scores only; the champion was a fill-in with 4."""
    check_tables(stage, report, rows_of("gk2004-first20.csv"), 233, False)


@case
def single_figures(stage, report):
    """Single rows of other years: 46.20, 42.85 and 40.10, 42.35; the 2015 winner got 484.00 with 121 entries."""
    rows = [dict(row, player=f"S{number}") for number, row in enumerate(rows_of("single-figures.csv"), 1)]
    theirs = check_tables(stage, report, rows, 121, False)
    report.same("first prize with 121 entries", "484.00", next((v[1] for v in theirs.values() if v[0] == 1), None))
    for row in rows:
        report.true(f"{row['weighted']} decodes", (halves(row["prelim"]), halves(row["semi"]), halves(row["final"])) in decode(hundredths(row["weighted"])))
