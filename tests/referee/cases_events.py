"""The other events that are shipped: another size, double rounds, no weights, prizes by section points; all by data."""

import random
import tomllib

from cases import case
from law import Table, hundredths, text_points
from make import pairs, people, play

SHIPPED = ["electronic-knights-2019", "class-quads", "absolute-2020", "palciauskas-2019"]


def expected_games(size, double):
    """White and Black of every game of a section of this size."""
    return sorted(pairs(size, double))


@case
def shipped_events(stage, report):
    """Each shipped event: init, check, a section adopted and played to its end, standings and prizes by its own data."""
    for name in SHIPPED:
        home = stage.home(name, now="2019-02-01T12:00:00-06:00")
        if home.born.code:
            continue
        files = list((home.dir / "events").glob("*.toml"))
        if not report.same(f"{name}: its file is in the home, alone", [f"{name}.toml"], [f.name for f in files]):
            continue
        data = tomllib.loads(files[0].read_text())
        report.same(f"{name}: check", 0, home.call("check").code)
        rounds = data["round"]
        first, last = rounds[0], rounds[-1]
        size, double = first["size"], first["games_per_pair"] == 2
        facts = {"electronic-knights-2019": (3, 7, 1), "class-quads": (1, 4, 2), "absolute-2020": (1, 13, 1), "palciauskas-2019": (1, 7, 1)}[name]
        report.same(f"{name}: rounds, size, games a pair", facts, (len(rounds), size, first["games_per_pair"]))
        if len(rounds) > 1:
            report.same(f"{name}: advance, otherwise, fill", ("4.5", "4", "4"), (first["advance"], first["otherwise"], first["fill"]))
            report.same(f"{name}: weights", ["1.0", "2.2", "4.5"], [each["weight"] for each in rounds])
            continue
        report.same(f"{name}: engines", name == "absolute-2020", data["engines"])
        one_round(stage, report, home, data, name, size, double)


def one_round(stage, report, home, data, name, size, double):
    """Two sections of an event of one round, played to the end."""
    rng = random.Random(name)
    players = people(rng, size * 2, silent=0, ties=False)
    for player in players.values():
        player.rating = player.rating or 1000
    stage.done(home, "roster", [p.row() for p in players.values()])
    code = data["round"][0]["code"]
    start = "2020-02-01"
    rows, results, tables = [], [], {}
    members = list(players)
    for number in (1, 2):
        section = f"{code}{number:02}"
        mine = sorted(members[(number - 1) * size:number * size], key=lambda m: -players[m].rating)
        seats = {seat: f"{data['id']}-{(number - 1) * size + seat:03}" for seat in range(1, size + 1)}
        games = play(rng, seats, "drawish", double=double)
        tables[section] = (Table(section, 0, seats, games), dict(zip(seats.values(), mine)))
        rows += [[section, data["round"][0]["name"], seat, mine[seat - 1], seats[seat], start] for seat in seats]
        results += [[section, w, b, r, h, "2020-12-12"] for w, b, r, h in games]
    now = "2023-03-01T12:00:00-06:00"
    home.now = now
    stage.done(home, "sections", rows)
    for section, (table, _) in tables.items():
        shown = home.call("crosstable", section, "--json").one() or {"games": []}
        report.same(f"{name} {section}: colours", expected_games(size, double), sorted((g["white"], g["black"]) for g in shown["games"]))
    stage.done(home, "results", results)
    home.call("run", "--once", now="2023-03-06T12:00:00-06:00")
    home.now = "2023-03-07T12:00:00-06:00"
    by_entry = {}
    for section, (table, owners) in tables.items():
        shown = home.call("crosstable", section, "--json").one()
        points, ranks, lost = table.points(), table.ranks(), table.forfeits()
        report.same(f"{name} {section}", ("complete", [(s, text_points(points[s]), ranks[s], lost[s]) for s in table.seats]),
                    (shown["state"], [(s["seat"], s["points"], s["rank"], s["forfeit_losses"]) for s in shown["seats"]]))
        for seat, entry in table.seats.items():
            by_entry[entry] = (section, points[seat], lost[seat], ranks[seat])
    lines = home.json("standings", data["id"])
    report.same(f"{name} standings", sorted(by_entry), sorted(line.get("entry") for line in lines))
    for line in lines:
        if line.get("entry") in by_entry:
            section, points, lost, _ = by_entry[line["entry"]]
            report.same(f"{name} standings of {line['entry']}", ([text_points(points)], lost, "finished"), (line["points"], line["forfeit_losses"], line["state"]))
    prizes = home.call("prizes", data["id"], "--json").one() or {}
    if prizes and data.get("prizes", {}).get("places"):
        paid = sum(hundredths(place["amount"]) for place in prizes["places"])
        report.same(f"{name} undistributed is fund less amounts", hundredths(prizes["fund"]) - paid, hundredths(prizes["undistributed"]))
    report.same(f"{name} audit", 0, home.call("audit").code)


@case
def even_sections(stage, report):
    """A section that starts with six or four uses the Berger table of its size."""
    for size in (4, 6):
        home = stage.home(now="2020-02-01T12:00:00-06:00")
        players = people(random.Random(size), size, silent=0)
        stage.done(home, "roster", [p.row() for p in players.values()])
        stage.done(home, "sections", [["19N01", "preliminary", seat, member, f"GK2019-00{seat}", "2020-01-15"] for seat, member in enumerate(players, 1)])
        shown = home.call("crosstable", "19N01", "--json").one() or {"games": []}
        report.same(f"colours of {size}", expected_games(size, False), sorted((g["white"], g["black"]) for g in shown["games"]))
