"""Entries: who may play, deadlines by number, postmarks, fees, and how sections are formed (Rules 1, 2, 8, 9)."""

import random
from datetime import date, datetime, timedelta, timezone

from cases import case
from home import noon
from law import berger_white, deadline, entry_fates
from make import people

FATE_STATES = {"accepted": {"waiting", "assigned"}, "docket": {"docket"}, "refused": {"refused"},
               "carried-forward": {"carried-forward"}}


def entries_of(home, member):
    """A person's entries, in the order of their numbers, with states."""
    player = home.call("show", "player", member, "--json").one() or {}
    return [(entry, home.call("show", "entry", entry, "--json").one()) for entry in player.get("entries", [])]


def compare_fates(report, home, member, postmarks, what):
    """The fate of each entry, where they were handed in in this order."""
    fates = entry_fates(postmarks)
    shown = entries_of(home, member)
    if "refused" in fates and len(shown) < len(postmarks):    # an eleventh need not leave an entry behind
        gone = fates.index("refused")
        postmarks, fates = postmarks[:gone] + postmarks[gone + 1:], fates[:gone] + fates[gone + 1:]
    if not report.same(f"{what} {member}: entries kept", len(postmarks), len(shown)):
        return
    left = [(str(day), fate) for day, fate in zip(postmarks, fates)]
    for entry, thing in shown:
        match = next((pair for pair in left if pair[0] == thing["postmark"]), None)
        if match is None:
            report.true(f"{what} {entry}: postmark {thing['postmark']} was never handed in", False)
            continue
        left.remove(match)
        report.within(f"{what} {entry}, postmark {match[0]} among {[str(d) for d in postmarks]}", FATE_STATES[match[1]], thing["state"])


@case
def deadlines_by_number(stage, report):
    """A person's k-th entry by postmark has the deadline for k; an eleventh is refused; after the end it is carried forward."""
    rng = random.Random(8)
    home = stage.home()
    players = people(rng, 14, silent=0)
    stage.done(home, "roster", [p.row() for p in players.values()])
    for member in players:
        days = sorted(date(2019, 1, 1) + timedelta(days=rng.choice([rng.randrange(365), 180, 181, 211, 242, 243, 272, 273, 364, 365]))
                      for _ in range(rng.choice([1, 2, 3, 4, 6, 8, 11])))
        for day in days:
            answer = home.call("direct", "entry", "GK2019", member, "--postmark", day, "--paid", now=noon(day))
            report.true(f"direct entry exit code {answer.code}", answer.code in (0, 1), answer.said())
        compare_fates(report, home, member, days, "direct entry")


@case
def deadlines_in_one_file(stage, report):
    """The same by one file, rows in any order: k is counted by postmark."""
    rng = random.Random(9)
    home = stage.home(now="2019-12-31T12:00:00-06:00")
    players = people(rng, 12, silent=0)
    stage.done(home, "roster", [p.row() for p in players.values()])
    rows, handed = [], {}
    for member in players:
        days = [date(2019, 1, 1) + timedelta(days=rng.randrange(364)) for _ in range(rng.choice([1, 2, 3, 5]))]
        handed[member] = days
        rows += [["GK2019", member, day, "yes"] for day in days]
    stage.done(home, "entries", rows)
    for member, days in handed.items():
        compare_fates(report, home, member, days, "import entries")


@case
def deadlines_last_days(stage, report):
    """On the very day is in time, on the day after it is not, for each number."""
    home = stage.home(now="2019-12-31T12:00:00-06:00")
    players = people(random.Random(3), 10, silent=0)
    stage.done(home, "roster", [p.row() for p in players.values()])
    members = iter(players)
    for number in (1, 2, 4, 7, 10):
        for late in (0, 1):
            member = next(members)
            early = date(2019, 1, 5)
            days = [early] * (number - 1) + [deadline(number) + timedelta(days=late)]
            stage.done(home, "entries", [["GK2019", member, day, "yes"] for day in days], name=f"e{number}{late}.csv")
            compare_fates(report, home, member, days, f"number {number}, {late} late")


@case
def entries_by_mail(stage, report):
    """Entries by mail: the postmark is the sender's own day, believed within a day of the server's stamp."""
    home = stage.home()
    home.trust()
    players = people(random.Random(4), 6, silent=0)
    stage.done(home, "roster", [p.row() for p in players.values()])
    members = list(players)
    eastern, tokyo = timezone(timedelta(hours=-5)), timezone(timedelta(hours=9))
    mails = [
        (members[0], datetime(2019, 9, 30, 23, 50, tzinfo=eastern), None, "2019-09-30"),
        (members[1], datetime(2019, 5, 2, 3, 0, tzinfo=tokyo), None, "2019-05-02"),
        (members[2], datetime(2019, 3, 1, 12, 0, tzinfo=eastern), datetime(2019, 7, 1, 12, 0, tzinfo=eastern), "2019-07-01"),
    ]
    for member, sent, received, _ in mails:
        player = players[member]
        home.mail(f"{player.name} <{player.email}>", "Entry", f"Please enter me in the 2019 Golden Knights, 1 entry, ID {member}.\n",
                  sent, received=received or sent, dkim=True)
    once = home.call("run", "--once", now="2019-10-01T12:00:00-05:00")
    report.same("run --once", (0, ""), (once.code, once.said() if once.code else ""))
    for member, _, received, postmark in mails:
        shown = entries_of(home, member)
        report.same(f"entries of {member}", 1, len(shown))
        for entry, thing in shown:
            report.same(f"{entry} postmark", postmark, thing["postmark"])
            report.same(f"{entry} state", "awaiting-payment", thing["state"])
    letters = [l["notice"] for l in home.json("letters") if l["player"] in members[:3]]
    report.same("receipts", ["entry-received"] * 3, [n for n in letters if n == "entry-received"])
    asked = [item for item in home.json("docket") if members[2] in str(item)]
    report.true("a date that the server's stamp contradicts is not told to the director", asked, home.json("docket"))
    paid = home.load("payments", [["GK2019", members[0], "25.00", "2019-10-02", "check 17"]], now="2019-10-02T12:00:00-05:00")
    report.same("import payments", 0, paid.code)
    report.same("paid entry waits", "waiting", entries_of(home, members[0])[0][1]["state"])


@case
def several_entries_in_one_mail(stage, report):
    """Three entries asked for too late for the third: those in time are taken, the rest goes to the docket, the receipt says which."""
    home = stage.home()
    home.trust()
    players = people(random.Random(5), 3, silent=0)
    stage.done(home, "roster", [p.row() for p in players.values()])
    member, player = next(iter(players.items()))
    sent = datetime(2019, 9, 15, 10, 0, tzinfo=timezone(timedelta(hours=-5)))
    home.mail(f"{player.name} <{player.email}>", "Golden Knights 2019", f"Please enter me in the 2019 Golden Knights, 3 entries, ID {member}, check enclosed 75.00\n", sent, dkim=True)
    home.call("run", "--once", now="2019-09-15T12:00:00-05:00")
    states = [thing["state"] for _, thing in entries_of(home, member)]
    report.same("states of three entries of 15 September", ["awaiting-payment", "awaiting-payment", "docket"], states)
    items = [item for item in home.json("docket") if member in str(item) or "GK2019-003" in str(item)]
    report.true("no docket item about the late third entry", items)
    for item in items[:1]:
        report.true("choices of a late entry: accept, carry forward, refund", len(item["choices"]) >= 3, item["choices"])


@case
def who_may_play(stage, report):
    """Residence: refused abroad, unless a military address; unknown goes to the docket; Guam is not in it."""
    home = stage.home()
    places = {"30000001": ("US", "OH", {"awaiting-payment"}), "30000002": ("CA", "ON", {"awaiting-payment"}),
              "30000003": ("DE", "", {"refused"}), "30000004": ("DE", "AE", {"awaiting-payment"}),
              "30000005": ("", "", {"docket"}), "30000006": ("US", "GU", {"refused"}), "30000007": ("GU", "", {"refused"}),
              "30000008": ("PA", "", {"awaiting-payment"}), "30000009": ("CO", "", {"refused"}), "30000010": ("US", "HI", {"awaiting-payment"}),
              "30000011": ("GL", "", {"awaiting-payment"}), "30000012": ("US", "AP", {"awaiting-payment"}),
              "30000013": ("BM", "", {"awaiting-payment"}), "30000014": ("PM", "", {"awaiting-payment"}),
              "30000015": ("US", "MP", {"refused"}), "30000016": ("PR", "", {"awaiting-payment"}), "30000017": ("TT", "", {"awaiting-payment"}),
              "30000018": ("NI", "", {"awaiting-payment"}), "30000019": ("BR", "", {"refused"}), "30000020": ("US", "", {"awaiting-payment"})}
    stage.done(home, "roster", [[m, f"Ann Test{i}", f"p{m}@example.org", c, s, 1500, "2018-12-01", "2030-12-31"]
                                for i, (m, (c, s, _)) in enumerate(places.items())])
    for member, (country, state, allowed) in places.items():
        home.call("direct", "entry", "GK2019", member, "--postmark", "2019-02-01", now="2019-02-02T12:00:00-06:00")
        shown = entries_of(home, member)
        if allowed == {"refused"} and shown and shown[0][1]["state"] == "docket":
            report.same(f"{country or 'no country'} {state}", "refused (put before the director)", "docket")
            continue
        report.same(f"{country or 'no country'} {state}", allowed, {thing["state"] for _, thing in shown})


def read_section(report, home, code, players, owner):
    """A section the program formed: seats by rating, unrated last, one entry a person, colours of the table."""
    shown = home.call("crosstable", code, "--json").one()
    seats = sorted(shown["seats"], key=lambda s: s["seat"])
    rated = [(players[s["player"]].rating is None, -(players[s["player"]].rating or 0)) for s in seats]
    report.same(f"{code} seats by falling rating, unrated last", sorted(rated), rated)
    report.same(f"{code} one entry a person", len(seats), len({s["player"] for s in seats}))
    size = len(seats)
    for game in shown["games"]:
        low, high = sorted((game["white"], game["black"]))
        report.same(f"{code} {low} and {high}: the lower has White", berger_white(low, high, size), game["white"] == low)
    report.same(f"{code} games", size * (size - 1) // 2, len(shown["games"]))
    return [s["entry"] for s in seats]


@case
def forming_sections(stage, report):
    """Sections of seven in order of postmark, one entry a person in each, dealt by rating, ties in rating by earlier entry."""
    for seed in (1, 2, 3):
        rng = random.Random(seed)
        home = stage.home()
        players = people(rng, rng.choice([14, 23, 30]), silent=0)
        stage.done(home, "roster", [p.row() for p in players.values()])
        rows = []
        for member in players:
            for _ in range(rng.choice([1, 1, 1, 2, 3])):
                rows.append(["GK2019", member, date(2019, 1, 1) + timedelta(days=rng.randrange(60)), "yes"])
        rows.sort(key=lambda row: row[2])
        stage.done(home, "entries", rows, now="2019-03-03T12:00:00-06:00")
        once = home.call("run", "--once", now="2019-03-04T12:00:00-06:00")
        report.same("run --once", 0, once.code)
        where, waiting = {}, []
        for member in players:
            for entry, thing in entries_of(home, member):
                if thing["sections"]:
                    where.setdefault(thing["sections"][0], []).append((thing["postmark"], entry))
                else:
                    waiting.append((thing["postmark"], entry, member))
        total = len(rows)
        report.true(f"seed {seed}: {len(waiting)} of {total} wait though seven could play", len(waiting) < 7 or len({m for _, _, m in waiting}) < 7,
                    [m for _, _, m in waiting])
        seated = []
        for code in sorted(where):
            seated += [(e, code) for e in read_section(report, home, code, players, None)]
            report.same(f"{code} size", 7, len(where[code]))
        late = max((p for each in where.values() for p, _ in each), default="")
        early = [w for w in waiting if w[0] < late]
        passed = [w for w in early if all(w[2] in members_of(home, code) for code in where)]
        report.same(f"seed {seed}: passed over though earlier and free of constraints", [], [w for w in early if w not in passed])
        levels(report, seed, home, where)


def members_of(home, code):
    """The members in a section."""
    return {seat["player"] for seat in home.call("crosstable", code, "--json").one()["seats"]}


def levels(report, seed, home, where):
    """Sections formed on one day have strong and weak: each has somebody of the upper and of the lower third."""
    ratings = {code: [s["rating"] or 0 for s in home.call("crosstable", code, "--json").one()["seats"]] for code in where}
    every = sorted(rating for each in ratings.values() for rating in each)
    low, high = every[len(every) // 3], every[-len(every) // 3]
    for code, each in ratings.items() if len(where) > 1 else []:
        report.true(f"seed {seed}: {code} has no strong or no weak player", min(each) <= low and max(each) >= high, each)


@case
def late_entries_decided(stage, report):
    """An entry too late for its number: accepted, carried forward or refunded by the director's word."""
    home = stage.home(now="2019-10-10T12:00:00-05:00")
    players = people(random.Random(6), 3, silent=0)
    stage.done(home, "roster", [p.row() for p in players.values()])
    wanted = {"accept": {"waiting", "assigned"}, "carry": {"carried-forward"}, "refund": {"refused"}}
    for member, (word, states) in zip(players, wanted.items()):
        stage.done(home, "entries", [["GK2019", member, "2019-09-01", "yes"], ["GK2019", member, "2019-10-05", "yes"]], name=f"{word}.csv")
        late = entries_of(home, member)[-1][0]
        items = [i for i in home.json("docket") if late in str(i)]
        if report.same(f"items about {late}", 1, len(items)):
            choice = next((c for c in items[0]["choices"] if word in c), None)
            if report.true(f"a late entry: no choice to {word}", choice, items[0]["choices"]):
                done = home.call("rule", items[0]["item"], choice, "--reason", "as he asked")
                report.same(f"rule {choice}", (0, ""), (done.code, done.said() if done.code else ""))
                report.within(f"{late} after {choice}", states, entries_of(home, member)[-1][1]["state"])
    report.same("audit", 0, home.call("audit").code)
