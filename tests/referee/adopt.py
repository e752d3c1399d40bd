"""The fast style: a whole championship is adopted by import, then everything shown of it is compared."""

import random
from datetime import date

import compare
from home import Home, noon
from law import Table
from make import carried, championship, describe, pairs, result_rows, score_rows, section_rows
from oracle import Oracle

AFTER = "2027-03-01T12:00:00-06:00"       # a day when every entry deadline and closing date lies behind
MONDAYS = ["2027-03-08T12:00:00-06:00", "2027-03-15T12:00:00-05:00"]  # after the jobs of a Monday


def adopt(binary, seed, keep=False):
    """Plays one seed; gives the report."""
    made = carried(seed) if seed % 3 == 0 else championship(seed)
    rng = random.Random(seed * 31 + 1)
    report = compare.Report(describe(made))
    home = Home(binary, now=AFTER)
    try:
        report.same("init exit code", 0, home.born.code)
        roster = home.load("roster", [player.row() for player in made.players.values()])
        report.same("import roster", (0, ""), (roster.code, roster.said() if roster.code else ""))
        if made.carried:
            rows = [[made.event.id, made.owner[entry], "2019-01-15", "yes", entry] for entry in made.carried]
            entered = home.load("entries", rows, header="event,member_id,postmark,paid,entry", now="2019-12-31T12:00:00-06:00")
            report.same("import entries", (0, ""), (entered.code, entered.said() if entered.code else ""))
            scores = home.load("scores", score_rows(made))
            report.same("import scores", (0, ""), (scores.code, scores.said() if scores.code else ""))
        sections = home.load("sections", section_rows(made))
        report.same("import sections", (0, ""), (sections.code, sections.said() if sections.code else ""))
        rows = result_rows(made)
        halves = [rows] if rng.random() < 0.5 else [rows[::2], rows[1::2]]
        for number, part in enumerate(halves):
            loaded = home.load("results", part, name=f"results{number}.csv")
            report.same("import results", (0, ""), (loaded.code, loaded.said() if loaded.code else ""))
        books = home.journal()
        for name in ["roster.csv", "sections.csv", "results0.csv"] + (["entries.csv", "scores.csv"] if made.carried else []):
            again = home.call("import", name.removesuffix(".csv").rstrip("0"), home.root / name)
            report.same(f"{name} again", 0, again.code)
        report.true("the same files again changed the books", home.journal() == books)
        if rng.random() < 0.5:
            contradict(report, home, made, rows, rng)
        for home.now in MONDAYS:
            once = home.call("run", "--once")
            report.same("run --once", (0, ""), (once.code, once.said() if once.code else ""))
            formed(report, home, made)
        look(report, home, made)
        past = [l for l in home.json("letters") if l["notice"] in ("assignment", "result-receipt", "result-reported") and l["section"] not in made.formed]
        report.same("letters about the past", [], [(l["notice"], l["player"]) for l in past][:3])
        if Oracle(made).over():
            report.same("a later day changes nothing in the states", state_list(home, made),
                        (home.call("run", "--once", now=noon(date(2027, 6, 7))), state_list(home, made))[1])
    finally:
        if keep:
            print(f"kept {home.dir}")
        else:
            home.drop()
    return report


def formed(report, home, made):
    """Sections that the program itself formed out of those who had qualified: checked, and taken into the reckoning."""
    before = Oracle(made)
    for index in range(1, before.last + 1):
        for number in range(1, 40):
            code = f"{made.event.rounds[index].code}{number:02}"
            if code in made.tables:
                continue
            answer = home.call("crosstable", code, "--json")
            if answer.code:
                break
            seats = {seat["seat"]: seat["entry"] for seat in answer.one()["seats"]}
            report.same(f"{code}: seated though not waiting", [], sorted(set(seats.values()) - set(before.waiting_on(index - 1))))
            owners = [made.owner[entry] for entry in seats.values()]
            report.same(f"{code}: one entry a person", len(owners), len(set(owners)))
            report.same(f"{code}: a full section", 7, len(seats))
            ratings = [(made.players[m].rating is None, -(made.players[m].rating or 0)) for m in owners]
            report.same(f"{code}: seats by falling rating, unrated last", sorted(ratings), ratings)
            made.tables[code] = Table(code, index, seats, [(w, b, None, None) for w, b in pairs(7)])
            made.formed.append(code)


def state_list(home, made):
    """Entry states out of the standings."""
    return sorted((line.get("entry"), line.get("state")) for line in home.json("standings", made.event.id))


def contradict(report, home, made, rows, rng):
    """One row against the books: refused with the row named, and the good rows with it are not taken."""
    if not rows:
        return
    books = home.journal()
    row = list(rng.choice(rows))
    row[3:5] = ["0-1", "resignation"] if row[3] == "1-0" else ["1-0", "resignation"]
    answer = home.load("results", [row], name="against.csv")
    report.same("a contradiction to the books, exit code", 1, answer.code)
    report.true("a contradiction names file and line", "against.csv:2" in answer.err, answer.said())
    report.true("a contradiction changed the books", home.journal() == books)


def look(report, home, made):
    """All comparisons."""
    oracle = Oracle(made)
    docket = home.json("docket")
    compare.docket_shape(report, docket)
    compare.crosstables(report, home, made)
    compare.entries(report, home, oracle, random.Random(made.seed))
    compare.standings(report, home, oracle)
    compare.prizes(report, home, oracle, docket)
    compare.audit(report, home)
    questions(report, docket, oracle)


def questions(report, docket, oracle):
    """The docket: fill-ins, sections without an heir, forfeits that spread."""
    made = oracle.made
    by_rule = {}
    for item in docket:
        by_rule.setdefault(str(item["rule"]).replace("Rule ", ""), []).append(item)
    for index in range(oracle.last):
        if oracle.fill_open(index):
            items = [item for item in by_rule.get("3", []) + by_rule.get("2", [])]
            report.true(f"round {index + 1} is decided, {oracle.waiting_on(index)} wait, and no item asks about it", items,
                        [(i["kind"], i["rule"]) for i in docket])
    for table in made.tables.values():
        if oracle.nobody(table):
            items = [i for i in by_rule.get("3", []) if table.code in str(i)]
            report.true(f"nobody of {table.code} goes on, and no item of Rule 3 asks about it", items,
                        [(i["kind"], i["rule"]) for i in docket])
        for seat, opponents in table.forfeited_to().items():
            if len(opponents) >= 2 and table.running_of(seat):
                items = [i for i in by_rule.get("11", []) if table.code in str(i) and
                         (table.seats[seat] in str(i) or made.owner[table.seats[seat]] in str(i))]
                report.true(f"{table.code} seat {seat} forfeited to {len(opponents)}, and no item of Rule 11 asks about the rest",
                            items, [(i["kind"], i["about"]) for i in docket][:4])
