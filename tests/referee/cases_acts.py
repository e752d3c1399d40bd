"""Credits, prizes with shared places and left-over cents, and acts of the director (Rules 4 to 8, 10)."""

from datetime import date

from cases import case
from cases_rounds import NOBODY_NINE, ONE, THREE, TWO, Preliminaries
from compare import audit, docket_shape


def credit(home, member):
    """The credit of a member."""
    return (home.call("show", "player", member, "--json").one() or {}).get("credit")


def state(home, entry):
    return (home.call("show", "entry", entry, "--json").one() or {}).get("state")


@case
def credit_pays_later_fees(stage, report):
    """A gift certificate of 7.00 leaves 18.00 to pay for the next entry; four of them pay it and leave 3.00."""
    people = {(index, seat): f"6500000{seat}" for index in range(1, 5) for seat in range(1, 8)}
    del people[1, 6]
    played = Preliminaries(stage, report, [TWO, ONE, THREE, TWO], people=people, day=date(2019, 6, 3))
    home = played.home
    played.finish()
    played.run()
    four, one = "65000007", played.owner[played.entries[1, 6]]
    report.same("credit after four eliminated entries", "28.00", credit(home, four))
    report.same("credit after one", "7.00", credit(home, one))
    for member in (four, one):
        done = home.call("direct", "entry", "GK2019", member, "--postmark", "2019-06-20", now="2019-06-21T12:00:00-05:00")
        report.same("direct entry", (0, ""), (done.code, done.said() if done.code else ""))
    rich = (home.call("show", "player", four, "--json").one() or {}).get("entries", [""])[-1]
    poor = (home.call("show", "player", one, "--json").one() or {}).get("entries", [""])[-1]
    report.same("an entry paid by credit alone", ("waiting", "3.00"), (state(home, rich), credit(home, four)))
    report.same("an entry that credit does not pay waits for the rest", "awaiting-payment", state(home, poor))
    paid = home.load("payments", [["GK2019", one, "18.00", "2019-06-25", "check 9"]], now="2019-06-26T12:00:00-05:00")
    report.same("import payments", 0, paid.code)
    report.same("25.00 less 7.00 is 18.00", ("waiting", "0.00"), (state(home, poor), credit(home, one)))
    audit(report, home)


@case
def title_passed_over(stage, report):
    """The first by points has a forfeit loss: passed over for money, the title is put to the director, prizes are not final till then."""
    home = stage.home(now="2027-03-01T12:00:00-06:00")
    roster, entries, scores = [], [], []
    for number, (final, lost) in enumerate([("6", 1), ("3.5", 0), ("3.5", 0), ("3.5", 0), ("2.5", 0), ("1", 0), ("1", 0)], 1):
        member, entry = f"6600000{number}", f"GK2019-00{number}"
        roster.append([member, f"Player {number}", f"p{member}@example.org", "US", "OH", 1500, "2018-12-01", "2039-12-31"])
        entries.append(["GK2019", member, "2019-02-02", "yes", entry])
        scores += [[entry, "preliminary", "5", lost], [entry, "semifinal", "5", 0], [entry, "final", final, 0]]
    stage.done(home, "roster", roster)
    stage.done(home, "entries", entries, header="event,member_id,postmark,paid,entry", now="2019-12-01T12:00:00-06:00")
    stage.done(home, "scores", scores)
    home.call("run", "--once", now="2027-03-08T12:00:00-06:00")
    shown = home.call("prizes", "GK2019", "--json").one()
    # 7 entries: 28.00, 17.50, 10.50, 3.50 each; three share places 1 to 3: 56.00 / 3 = 18.66, 2 cents left over;
    # six are entitled, so places 7 to 10 stay, 4 x 3.50.
    report.same("fund", "80.50", shown["fund"])
    report.same("places", [("GK2019-002", 1, "18.66"), ("GK2019-003", 1, "18.66"), ("GK2019-004", 1, "18.66"), ("GK2019-005", 4, "3.50"),
                           ("GK2019-006", 5, "3.50"), ("GK2019-007", 5, "3.50")],
                sorted((p["entry"], p["place"], p["amount"]) for p in shown["places"]))
    report.same("undistributed: 0.02 and four prizes", "14.02", shown["undistributed"])
    items = [i for i in home.json("docket") if "5" in str(i["rule"])]
    report.same("one item of Rule 5 about the title", 1, len(items))
    report.same("final while the title is open", False, shown["final"])
    docket_shape(report, items)
    if items:
        choice = items[0]["recommended"] or items[0]["choices"][0]
        report.same("rule", 0, home.call("rule", items[0]["item"], choice, "--reason", "so it is").code)
        report.same("final after it is decided", True, home.call("prizes", "GK2019", "--json").one()["final"])


@case
def withdrawal(stage, report):
    """A withdrawal: the remaining games are proposed as forfeits, finished ones stand, the entry is out."""
    played = Preliminaries(stage, report, [TWO], day=date(2020, 6, 1), late=10)
    home = played.home
    member = played.owner[played.entries[1, 7]]
    before = home.call("crosstable", "19N01", "--json").one()
    done = home.call("direct", "withdraw", member, "--reason", "health")
    if not report.same("direct withdraw", (0, ""), (done.code, done.said() if done.code else "")):
        return
    played.run(1)
    items = home.json("docket")
    docket_shape(report, items)
    for item in items:
        home.call("rule", item["item"], item["recommended"] or item["choices"][0], "--reason", "as proposed")
    after = home.call("crosstable", "19N01", "--json").one()
    stood = {(g["white"], g["black"]): (g["result"], g["how"]) for g in before["games"] if g["result"]}
    report.same("finished games stand", stood, {(g["white"], g["black"]): (g["result"], g["how"]) for g in after["games"] if (g["white"], g["black"]) in stood})
    mine = [g for g in after["games"] if 7 in (g["white"], g["black"]) and (g["white"], g["black"]) not in stood]
    report.same("the rest are forfeits by withdrawal", {"withdrawal"} if mine else set(), {g["how"] for g in mine})
    report.same("forfeit losses", len(mine), after["seats"][6]["forfeit_losses"])
    report.same("state", "withdrawn", state(home, played.entries[1, 7]))
    audit(report, home)


@case
def death(stage, report):
    """A death: opponents are told, games are adjudicated by the director, none is a forfeit."""
    played = Preliminaries(stage, report, [TWO], day=date(2020, 6, 1), late=10)
    home = played.home
    member = played.owner[played.entries[1, 2]]
    done = home.call("direct", "died", member)
    if not report.same("direct died", (0, ""), (done.code, done.said() if done.code else "")):
        return
    played.run(1)
    items = home.json("docket")
    docket_shape(report, items)
    shown = home.call("crosstable", "19N01", "--json").one()
    report.same("no forfeit losses by death", 0, shown["seats"][1]["forfeit_losses"])
    open_games = [g for g in shown["games"] if 2 in (g["white"], g["black"]) and g["result"] is None]
    report.true("games of the dead without a result and without a docket item", items or not open_games)
    letters = [l for l in home.json("letters") if l["player"] == member and l["queued"][:10] >= "2020-06-02"]
    report.same("letters to the dead", [], [l["notice"] for l in letters])
    audit(report, home)


@case
def overrule_changes_who_advances(stage, report):
    """A ruling after the section is complete changes points, and with them who goes on; the record is added to."""
    played = Preliminaries(stage, report, [ONE, TWO], day=date(2020, 6, 1))
    home = played.home
    played.finish()
    report.same("states", ["advanced", "assigned", "assigned", "eliminated"], played.states(1)[:4])
    shown = home.call("crosstable", "19N01", "--json").one()
    game = next(g for g in shown["games"] if 2 in (g["white"], g["black"]) and 1 not in (g["white"], g["black"])
                and g["result"] != ("1-0" if g["white"] == 2 else "0-1"))
    result = "1-0" if game["white"] == 2 else "0-1"
    done = home.call("direct", "result", "19N01", f"{game['white']}-{game['black']}", result, "adjudication", "--reason", "appeal upheld")
    report.same("direct result", (0, ""), (done.code, done.said() if done.code else ""))
    points = home.call("crosstable", "19N01", "--json").one()["seats"][1]["points"]
    report.true("seat 2 has 4.5 or more now", float(points) >= 4.5, points)
    report.same("seat 2 goes on", "advanced", played.states(1)[1])
    audit(report, home)


@case
def not_closed_yet(stage, report):
    """While entries are open nothing is settled: no fill-in, those on 4 wait, prizes are not final."""
    played = Preliminaries(stage, report, [TWO, ONE, NOBODY_NINE], day=date(2019, 10, 7))
    played.finish()
    played.run()
    report.same("no fill-in before 31 December", [], [i["kind"] for i in played.questions(["fill", "left"])])
    report.same("those on 4 wait", ["assigned"] * 3, [played.states(1)[2], *played.states(2)[1:3]])
    report.same("prizes are not final", False, played.home.call("prizes", "GK2019", "--json").one()["final"])
    played.day = date(2020, 1, 6)
    played.run(0)
    played.run(7)
    report.same("the fill-in comes when entries are closed", 1, len(played.questions(["fill"])))


@case
def taken_by_the_director(stage, report):
    """The director may take anybody: a 3 out of a complete section goes on, and an act can be taken back while nothing followed."""
    played = Preliminaries(stage, report, [TWO, THREE], day=date(2020, 6, 1))
    home = played.home
    played.finish(["19N01"])
    entry = played.entries[1, 4]
    before = state(home, entry), credit(home, played.owner[entry])
    report.same("a 3 is out, with his certificate", ("eliminated", "7.00"), before)
    done = home.call("direct", "take", entry, "--reason", "his opponent's engine was found")
    if report.same("direct take", (0, ""), (done.code, done.said() if done.code else "")):
        report.same("taken", "advanced", state(home, entry))
        report.same("one who goes on has no gift certificate", "0.00", credit(home, played.owner[entry]))
    audit(report, home)


@case
def kept_apart(stage, report):
    """Two who asked not to meet sit in different sections."""
    home = stage.home()
    roster = [[f"6700000{i}", f"Player {i}", f"p6700000{i}@example.org", "US", "OH", 2000 - i, "2018-12-01", "2039-12-31"] for i in range(1, 9)]
    stage.done(home, "roster", roster)
    done = home.call("direct", "apart", "67000002", "67000005")
    report.same("direct apart", (0, ""), (done.code, done.said() if done.code else ""))
    stage.done(home, "entries", [["GK2019", row[0], f"2019-01-0{i}", "yes"] for i, row in enumerate(roster, 1)], now="2019-01-12T12:00:00-06:00")
    home.call("run", "--once", now="2019-01-14T12:00:00-06:00")
    shown = home.call("crosstable", "19N01", "--json").one() or {"seats": []}
    mine = {seat["player"] for seat in shown["seats"]}
    report.same("the section: the later of the two waits", {row[0] for row in roster} - {"67000005"}, mine)


@case
def substitute(stage, report):
    """A substitute takes the seat; finished games stand with it, both entries count as assigned."""
    played = Preliminaries(stage, report, [TWO], day=date(2019, 6, 3), late=11)
    home = played.home
    stage.done(home, "roster", [["68000001", "New Comer", "p68000001@example.org", "US", "OH", 1600, "2018-12-01", "2039-12-31"]], name="new.csv")
    stage.done(home, "entries", [["GK2019", "68000001", "2019-05-20", "yes", "GK2019-050"]], header="event,member_id,postmark,paid,entry")
    before = home.call("crosstable", "19N01", "--json").one()
    done = home.call("direct", "substitute", "19N01", 7, "GK2019-050", "--reason", "moved to the sea")
    if not report.same("direct substitute", (0, ""), (done.code, done.said() if done.code else "")):
        return
    after = home.call("crosstable", "19N01", "--json").one()
    report.same("the seat", ("GK2019-050", "68000001"), (after["seats"][6]["entry"], after["seats"][6]["player"]))
    report.same("points stand with the seat", before["seats"][6]["points"], after["seats"][6]["points"])
    report.same("games", before["games"], after["games"])
    prizes = home.call("prizes", "GK2019", "--json").one()
    report.same("both count as assigned", 8, prizes["entries_assigned"])
    report.same("the substitute's state", "assigned", state(home, "GK2019-050"))
    audit(report, home)


@case
def taken_back(stage, report):
    """A ruling is taken back while nothing has followed from it; the record is added to, never edited."""
    played = Preliminaries(stage, report, [TWO], day=date(2020, 6, 1), late=4)
    home = played.home
    code, white, black, result, _, _ = played.last[0]
    before = home.call("crosstable", "19N01", "--json").one()
    home.call("direct", "result", code, f"{white}-{black}", result, "adjudication", "--reason", "too early")
    books = home.journal()
    number = books.count(b"\n")
    done = home.call("direct", "undo", number, "--reason", "the wrong game")
    report.same("direct undo", (0, ""), (done.code, done.said() if done.code else ""))
    report.same("the table is as it was", before, home.call("crosstable", "19N01", "--json").one())
    report.true("the record was edited", home.journal().startswith(books))
    audit(report, home)
