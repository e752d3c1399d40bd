"""Time complaints under the dated rule sets, membership reminders, and forfeits that spread (Rules 1, 10, 11)."""

from datetime import date, datetime, timedelta, timezone

from cases import case
from home import noon
from law import complaint_from, repeat_from

CENTRAL = timezone(timedelta(hours=-6))
SEATS = [f"7000000{i}" for i in range(1, 8)]
NAMES = ["Ann Ames", "Bob Birch", "Cy Cole", "Di Dunn", "Ed Eaves", "Flo Frost", "Gus Grant"]


def section(stage, now, expires="2035-12-31", start=None):
    """A home with a running section 19N01 of seven who have addresses."""
    home = stage.home(now=now)
    home.trust()
    stage.done(home, "roster", [[m, n, f"p{m}@example.org", "US", "OH", 2000 - 50 * i, "2018-12-01", expires[i] if isinstance(expires, list) else expires]
                                for i, (m, n) in enumerate(zip(SEATS, NAMES))])
    stage.done(home, "sections", [["19N01", "preliminary", i, m, f"GK2019-00{i}", start or now[:10]] for i, m in enumerate(SEATS, 1)])
    return home


def write(home, seat, subject, text, day):
    """A player's mail on a day."""
    name, member = NAMES[seat - 1], SEATS[seat - 1]
    home.mail(f"{name} <p{member}@example.org>", subject, text, datetime(day.year, day.month, day.day, 10, 15, tzinfo=CENTRAL), dkim=True)


# Sent, repeated, complained: admissible or not is for the law to say.
COMPLAINTS = [
    (date(2019, 11, 24), None, date(2019, 12, 5)),
    (date(2019, 11, 24), date(2019, 12, 4), date(2019, 12, 13)),
    (date(2019, 11, 24), date(2019, 12, 4), date(2019, 12, 14)),
    (date(2019, 11, 24), None, date(2019, 12, 20)),
    (date(2021, 9, 10), date(2021, 9, 20), date(2021, 9, 29)),
    (date(2021, 9, 10), date(2021, 9, 20), date(2021, 9, 30)),
    (date(2021, 9, 10), date(2021, 9, 20), date(2021, 10, 1)),
    (date(2021, 9, 10), date(2021, 9, 24), date(2021, 10, 8)),
    (date(2021, 11, 24), date(2021, 12, 8), date(2021, 12, 21)),
    (date(2021, 11, 24), date(2021, 12, 8), date(2021, 12, 22)),
    (date(2021, 11, 24), None, date(2021, 12, 5)),
]


def spoken(day):
    """A day as a player writes it, and as our letters may write it."""
    return f"{day.day} {day.strftime('%B')} {day.year}"


@case
def time_complaints(stage, report):
    """Premature complaints get a polite answer with the earliest day; admissible ones go to the director."""
    for number, (sent, repeated, act) in enumerate(COMPLAINTS):
        home = section(stage, noon(sent - timedelta(days=40)))
        repeat = f", repeat sent {spoken(repeated)}" if repeated else ""
        write(home, 1, "19N01 time complaint", f"Section 19N01: no answer from Mr Birch (seat 2) to my move since {spoken(sent)}{repeat}. Time complaint.\n", act)
        home.now = noon(act)
        mail = next((home.dir / "mail/in/new").iterdir())
        read = home.call("read", mail, "--json").one() or {}
        intents = [i for i in read.get("intents", []) if i["kind"] == "time-complaint"]
        report.same(f"complaint {number}: what was read", [{"sent": str(sent), "repeated": str(repeated) if repeated else None}],
                    [{k: i.get(k) for k in ("sent", "repeated")} for i in intents])
        once = home.call("run", "--once")
        report.same("run --once", 0, once.code)
        first = complaint_from(sent, act)
        admissible = repeated is not None and act >= first
        letters = [l for l in home.json("letters") if l["notice"] in ("complaint-premature", "time-complaint-received")]
        items = [i for i in home.json("docket") if "10" in str(i["rule"])]
        what = f"sent {sent}, repeated {repeated}, complaint {act}"
        if admissible:
            report.true(f"{what}: admissible, and the director is not asked", len(items) >= 1, [l["notice"] for l in letters])
            report.true(f"{what}: admissible, yet called premature", not any(l["notice"] == "complaint-premature" for l in letters))
            report.true(f"{what}: no receipt for the complainer", any(l["notice"] == "time-complaint-received" and l["player"] == SEATS[0] for l in letters), letters)
            if items:
                report.true("no recommendation or evidence", items[0]["evidence"], items[0])
        else:
            premature = [l for l in letters if l["notice"] == "complaint-premature"]
            report.same(f"{what}: premature letters go to", [SEATS[0]], [l["player"] for l in premature])
            to_others = [(l["notice"], l["player"]) for l in home.json("letters") if l["player"] not in (SEATS[0], None)]
            report.same(f"{what}: nobody else is written to", [], to_others)
            if premature:
                text = home.call("show", "letter", premature[0]["letter"]).out.replace("=\n", "").replace("\n", " ")
                earliest = max(first, act) if act < first else first
                if act < first:
                    report.true(f"{what}: the letter does not give the earliest day {spoken(earliest)}", spoken(earliest) in text, text[text.find("Dear"):][:900])
                if repeated is None:
                    report.true(f"{what}: the letter does not speak of the repeat", "repeat" in text.lower())
                    report.true("the repeat is possible from", repeat_from(sent, act) <= first)


@case
def membership(stage, report):
    """Reminders 60, 30 and 7 days before the membership lapses, to those who play; on the day a notice and a docket item."""
    lapse = date(2019, 8, 31)
    home = section(stage, "2019-06-01T12:00:00-05:00", expires=[str(lapse), "2035-12-31", str(lapse), "2035-12-31", str(lapse), "2035-12-31", "2035-12-31"], start="2019-02-01")
    others = [[f"7100000{i}", f"Idle Person{i}", f"p7100000{i}@example.org", "US", "OH", 1500, "2018-12-01", str(lapse)] for i in (1, 2)]
    stage.done(home, "roster", others, name="others.csv")
    for low, high in [(3, i) for i in (1, 2, 4, 5, 6, 7)]:          # seat 3 has finished all its games
        white, black = (low, high) if ((high - low) % 2 == 1) == (low < high) else (high, low)
        home.call("direct", "result", "19N01", f"{white}-{black}", "1/2-1/2", "agreement", "--reason", "told")
    renewed = False
    day = date(2019, 6, 20)
    while day < date(2019, 9, 8):
        if day == date(2019, 8, 10) and not renewed:
            renewed = True
            stage.done(home, "roster", [[SEATS[4], NAMES[4], f"p{SEATS[4]}@example.org", "US", "OH", 1800, "2018-12-01", "2022-08-31"]], name="renewed.csv", now=noon(day))
        home.call("run", "--once", now=noon(day))
        day += timedelta(days=1)
    letters = [l for l in home.json("letters") if "membership" in l["notice"]]
    got = lambda seat: sorted(l["queued"][:10] for l in letters if l["player"] == SEATS[seat - 1])
    before = [str(lapse - timedelta(days=n)) for n in (60, 30, 7)]
    report.same("reminders to one who plays", before, [d for d in got(1) if d < str(lapse)])
    report.true("a notice on the day of the lapse", len([d for d in got(1) if str(lapse) <= d <= "2019-09-01"]) == 1, got(1))
    report.same("reminders to one who renewed", before[:2], got(5))
    report.same("reminders to one whose games are over", [], got(3))
    report.same("reminders to members who do not play", [], [l["to"] for l in letters if l["player"] not in SEATS])
    items = [i for i in home.json("docket") if SEATS[0] in str(i)]
    report.same("docket items about the lapse", 1, len(items))
    if items:
        report.true("the lapse is a matter of Rule 1", "1" in str(items[0]["rule"]), items[0])
    states = [g["result"] for g in home.call("crosstable", "19N01", "--json").one()["games"] if g["white"] in (1,) and g["black"] != 3]
    report.same("no automatic forfeit", {None}, set(states))


@case
def forfeits_spread(stage, report):
    """Forfeits to two opponents in one section put the other games there before the director; to one do not."""
    home = section(stage, "2020-06-01T12:00:00-05:00")
    home.call("direct", "result", "19N01", "1-2", "0-1", "time-forfeit", "--reason", "silent")
    home.call("run", "--once", now="2020-06-02T12:00:00-05:00")
    report.same("after one forfeit", [], [i["kind"] for i in home.json("docket") if "11" in str(i["rule"])])
    home.call("direct", "result", "19N01", "1-4", "0-1", "silence-forfeit", "--reason", "silent", now="2020-06-03T12:00:00-05:00")
    home.call("direct", "result", "19N01", "3-6", "0-1", "adjudication", "--reason", "lost", now="2020-06-03T12:00:00-05:00")
    home.call("direct", "result", "19N01", "3-4", "0-1", "adjudication", "--reason", "lost", now="2020-06-03T12:00:00-05:00")
    home.call("run", "--once", now="2020-06-04T12:00:00-05:00")
    items = [i for i in home.json("docket") if "11" in str(i["rule"])]
    report.same("items of Rule 11 after two forfeits (adjudications are none)", 1, len(items))
    if not items:
        return
    report.true("the item names section and entry or player", "19N01" in str(items[0]) and ("GK2019-001" in str(items[0]) or SEATS[0] in str(items[0])), items[0])
    choice = next((c for c in items[0]["choices"] if "forfeit" in c), items[0]["choices"][0])
    done = home.call("rule", items[0]["item"], choice, "--reason", "he is gone", now="2020-06-05T12:00:00-05:00")
    report.same(f"rule {choice}", (0, ""), (done.code, done.said() if done.code else ""))
    shown = home.call("crosstable", "19N01", "--json").one()
    mine = [g for g in shown["games"] if 1 in (g["white"], g["black"])]
    report.same("all games of the forfeiter are decided", 6, sum(g["result"] is not None for g in mine))
    report.same("his points and forfeit losses", ("0", 6), (shown["seats"][0]["points"], shown["seats"][0]["forfeit_losses"]))
    home.call("run", "--once", now="2020-06-06T12:00:00-05:00")
    told = {l["player"] for l in home.json("letters") if l["notice"] in ("forfeit", "ruling")}
    report.true("the forfeiter and the opponents are told", {SEATS[0], SEATS[2], SEATS[4], SEATS[5], SEATS[6]} <= told, sorted(told))
    home.call("run", "--once", now="2020-06-15T12:00:00-05:00")
    report.same("the item comes back", [], [i["kind"] for i in home.json("docket") if "11" in str(i["rule"])])


def game(home, white, black):
    """A game as the crosstable shows it."""
    shown = home.call("crosstable", "19N01", "--json").one()
    return next((g["result"], g["how"], g["state"]) for g in shown["games"] if (g["white"], g["black"]) == (white, black))


@case
def reports(stage, report):
    """Two like reports confirm, a loss stands at once, a lone report stands after 14 days, a contradiction leaves neither."""
    home = section(stage, "2020-06-01T12:00:00-05:00")
    form = "Game: 19N01 {}\nResult: {}\nHow: {}\n"
    start = date(2020, 6, 10)
    mails = [(1, "1-2", "1-0", "resignation"), (2, "1-2", "1-0", "resignation"),        # both say the same
             (4, "1-4", "1-0", "mate"),                                                 # the loser's word
             (1, "1-6", "1-0", "mate"),                                                 # the winner's word alone
             (2, "2-3", "1-0", "mate"), (3, "2-3", "1/2-1/2", "agreement"),             # against each other
             (5, "5-6", "1/2-1/2", "agreement")]                                        # half of a draw
    for seat, pair, result, how in mails:
        write(home, seat, "19N01 result", form.format(pair, result, how), start)
        home.call("run", "--once", now=noon(start))
    report.same("both say the same", ("1-0", "resignation", "confirmed"), game(home, 1, 2))
    report.same("a loss stands at once", ("1-0", "mate", "confirmed"), game(home, 1, 4))
    report.same("a win reported alone", ("1-0", "mate", "reported"), game(home, 1, 6))
    report.same("half of a draw", ("1/2-1/2", "agreement", "reported"), game(home, 5, 6))
    result, _, state = game(home, 2, 3)
    report.same("a contradiction: neither stands", (None, "disputed"), (result, state))
    items = [i for i in home.json("docket") if (i["about"].get("white"), i["about"].get("black")) == (2, 3)]
    report.same("a contradiction is one docket item", 1, len(items))
    told = sorted(l["player"] for l in home.json("letters") if l["notice"] == "result-disputed")
    report.same("both are told of the contradiction", [SEATS[1], SEATS[2]], told)
    home.call("run", "--once", now=noon(start + timedelta(days=13)))
    report.same("on day 13", "reported", game(home, 1, 6)[2])
    home.call("run", "--once", now=noon(start + timedelta(days=15)))
    report.same("after 14 days without an objection", ["confirmed", "confirmed"], [game(home, 1, 6)[2], game(home, 5, 6)[2]])
    if items:
        choice = next((c for c in items[0]["choices"] if "1/2" in c), items[0]["choices"][0])
        report.same(f"rule {choice}", 0, home.call("rule", items[0]["item"], choice, "--reason", "the record of moves").code)
        report.same("the ruling stands", "ruled", game(home, 2, 3)[2])
    report.same("audit", 0, home.call("audit").code)


@case
def complaint_during_leave(stage, report):
    """An opponent on leave has no clock running: a complaint that counts those days is premature."""
    home = section(stage, "2019-11-01T12:00:00-06:00")
    done = home.call("direct", "leave", SEATS[1], "2019-12-01", "2019-12-20", "--reason", "in hospital")
    report.same("direct leave", (0, ""), (done.code, done.said() if done.code else ""))
    act = date(2019, 12, 14)
    write(home, 1, "19N01 time complaint", "Section 19N01: no answer from Mr Birch (seat 2) to my move since 24 November 2019, repeat sent 4 December 2019. Time complaint.\n", act)
    home.call("run", "--once", now=noon(act))
    notices = [l["notice"] for l in home.json("letters") if l["player"] == SEATS[0] and "complaint" in l["notice"]]
    report.same("the complainer hears", ["complaint-premature"], notices)
