"""Who advances, who waits, who is out and when; fill-ins, and sections without an heir (Rules 3 and 4)."""

from datetime import date, timedelta

from cases import case
from cases_figures import games_for
from home import noon
from make import Player

# Crosstables by half points, 42 in each: two reach 4.5 and one 4; one 4.5 and two 4; nobody 4.5 and three 4; nobody 4.
TWO, ONE, NOBODY_NINE, NOBODY = [10, 9, 8, 6, 5, 3, 1], [12, 8, 8, 6, 4, 4, 0], [8, 8, 8, 6, 6, 4, 2], [7, 7, 7, 7, 6, 5, 3]
THREE = [11, 10, 9, 6, 4, 2, 0]


class Preliminaries:
    """Preliminary sections with given scores; the last game of each comes by the director's word, so that it is news."""

    def __init__(self, stage, report, sections, ratings=None, people=None, day=date(2021, 3, 1), late=1):
        self.report, self.sections = report, sections
        self.home = stage.home(now=noon(day))
        self.day = day
        self.owner, self.entries, self.last = {}, {}, []
        roster, seats, results = {}, [], []
        number = 0
        for index, points in enumerate(sections, 1):
            code = f"19N{index:02}"
            for seat in range(1, 8):
                number += 1
                entry = f"GK2019-{number:03}"
                member = (people or {}).get((index, seat), f"6{number:07}")
                rating = (ratings or {}).get((index, seat), 2400 - 10 * number)
                roster.setdefault(member, Player(member, f"Player {member[-3:]}", f"p{member}@example.org", rating))
                self.owner[entry], self.entries[index, seat] = member, entry
                seats.append([code, "preliminary", seat, member, entry, "2019-03-01"])
            games = games_for(points)
            rows = []
            for low, high, mine in games:
                white, black = (low, high) if (high - low) % 2 else (high, low)
                got = mine if white == low else 2 - mine
                rows.append([code, white + 1, black + 1, {2: "1-0", 1: "1/2-1/2", 0: "0-1"}[got], {1: "agreement"}.get(got, "resignation"), "2020-05-05"])
            results += rows[:len(rows) - late]
            self.last += rows[len(rows) - late:]
        stage.done(self.home, "roster", [p.row() for p in roster.values()])
        stage.done(self.home, "sections", seats)
        stage.done(self.home, "results", results)

    def finish(self, only=None):
        """The last games, by the director."""
        for code, white, black, result, how, _ in self.last:
            if only is None or code in only:
                done = self.home.call("direct", "result", code, f"{white}-{black}", result, how, "--reason", "told by telephone")
                self.report.same(f"direct result {code}", (0, ""), (done.code, done.said() if done.code else ""))

    def run(self, days=7):
        """A pass on a Monday some weeks on."""
        self.day += timedelta(days=days)
        self.home.now = noon(self.day)
        once = self.home.call("run", "--once")
        self.report.same(f"run --once of {self.day}", (0, ""), (once.code, once.said() if once.code else ""))

    def states(self, index):
        """The states of a section, by seat."""
        return [self.home.call("show", "entry", self.entries[index, seat], "--json").one()["state"] for seat in range(1, 8)]

    def notices(self, index, seat):
        """The notices a member has had, sorted, without the assignment and receipts of results."""
        member = self.owner[self.entries[index, seat]]
        ignored = ("assignment", "result-receipt", "result-reported", "ruling", "section-complete", "statement")
        return sorted(l["notice"] for l in self.home.json("letters") if l["player"] == member and l["notice"] not in ignored)

    def questions(self, words):
        """Docket items of Rules 2 and 3 that contain one of the words in their kind."""
        return [i for i in self.home.json("docket") if any(word in i["kind"] for word in words)]


def order_in(text, entries):
    """The given entries in the order in which they first stand in a text."""
    return [e for _, e in sorted((text.find(e), e) for e in entries if e in text)]


@case
def advance_as_soon_as_certain(stage, report):
    """Who has 4.5 goes on while games of the section still run; nobody else is decided yet."""
    played = Preliminaries(stage, report, [TWO], late=21)
    waiting, played.last = played.last[18:], played.last[:18]
    played.finish()
    report.true("three games run on", waiting)
    played.run()
    points = [s["points"] for s in played.home.call("crosstable", "19N01", "--json").one()["seats"]]
    expected = ["advanced" if float(p) >= 4.5 else "assigned" for p in points]
    report.same(f"states at {points}", expected, played.states(1))
    for seat, state in enumerate(expected, 1):
        report.same(f"seat {seat} with {points[seat - 1]} has had", ["advancement"] if state == "advanced" else [], [n for n in played.notices(1, seat) if n in ("advancement", "not-advancing", "gift-certificate")])


@case
def fill_in(stage, report):
    """Six qualify for a semifinal of seven: the fill-in is proposed with those on 4 by rating; the fours wait, then the letters go."""
    ratings = {(1, 3): 1700, (2, 2): 1900, (2, 3): None}
    played = Preliminaries(stage, report, [TWO, ONE, NOBODY_NINE], ratings)
    played.finish(["19N01", "19N02"])
    played.run()
    report.same("no fill-in is proposed while a section runs", [], [i["kind"] for i in played.questions(["fill"])])
    report.same("states of a complete section with a four", ["advanced", "advanced", "assigned", "eliminated", "eliminated", "eliminated", "eliminated"], played.states(1))
    played.finish(["19N03"])
    played.run()
    report.same("states where nobody reached 4.5", ["advanced"] * 3, played.states(3)[:3])
    items = played.questions(["fill"])
    if not report.true("no fill-in is proposed though every section is decided", len(items) == 1, [(i["kind"], i["rule"]) for i in played.home.json("docket")]):
        return
    item = items[0]
    report.true("the fill-in names Rule 3", "3" in str(item["rule"]), item["rule"])
    mine = [played.entries[2, 2], played.entries[1, 3], played.entries[2, 3]]
    text = str(item["evidence"]) if any(e in str(item["evidence"]) for e in mine) else str(item)
    report.same("candidates in order, unrated last", mine, order_in(text, mine))
    report.true("candidates are shown with ratings and rating dates", "1900" in text and "1700" in text and "2018" in text, text[:400])
    report.same("those on 4 wait", ["assigned"] * 3, [played.states(1)[2], *played.states(2)[1:3]])
    report.same("those with 3.5 or less are out", ["eliminated"] * 4, played.states(3)[3:])
    for seat in (2, 3):
        report.same(f"19N02 seat {seat} has had no letter of farewell", [], [n for n in played.notices(2, seat) if n in ("not-advancing", "gift-certificate")])
    choice = next((c for c in [item["recommended"], *item["choices"]] if c and (mine[0] in c or "fill" in c or "accept" in c or "highest" in c)), item["recommended"] or item["choices"][0])
    done = played.home.call("rule", item["item"], choice, "--reason", "the highest rating")
    report.same(f"rule {choice}", (0, ""), (done.code, done.said() if done.code else ""))
    played.run()
    played.run()
    shown = played.home.call("crosstable", "19Ns01", "--json").one() or {"seats": []}
    wanted = sorted([played.entries[1, 1], played.entries[1, 2], played.entries[2, 1], *(played.entries[3, s] for s in (1, 2, 3)), mine[0]])
    report.same("the semifinal that follows", wanted, sorted(s["entry"] for s in shown["seats"]))
    report.same("the fill-in's letter", 1, played.notices(2, 2).count("filled-in"))
    report.same("states of the others on 4", ["eliminated"] * 2, [played.states(1)[2], played.states(2)[2]])
    for index, seat in [(1, 3), (2, 3), (1, 7), (3, 5)]:
        report.same(f"gift certificates to section {index} seat {seat}", 1, played.notices(index, seat).count("gift-certificate"))
        credit = played.home.call("show", "player", played.owner[played.entries[index, seat]], "--json").one()["credit"]
        report.same(f"credit of section {index} seat {seat}", "7.00", credit)
    report.same("no certificate for the fill-in", 0, played.notices(2, 2).count("gift-certificate"))


@case
def fill_in_tie(stage, report):
    """Two on 4 with the same rating for one seat: shown as a tie, left to the director."""
    played = Preliminaries(stage, report, [TWO, ONE, NOBODY_NINE], {(2, 2): 1800, (2, 3): 1800, (1, 3): 1500})
    played.finish()
    played.run()
    items = played.questions(["fill"])
    if report.true("no fill-in is proposed", len(items) == 1, [(i["kind"], i["rule"]) for i in played.home.json("docket")]):
        report.true("the tie in rating is shown", "tie" in str(items[0]).lower() or "equal" in str(items[0]).lower() or "same rating" in str(items[0]).lower(), str(items[0])[:600])
        tied = [c for c in items[0]["choices"] if played.entries[2, 2] in c or played.entries[2, 3] in c]
        report.true("a tie at the cut is decided by the program's recommendation", items[0]["recommended"] is None or not tied or items[0]["recommended"] not in tied,
                    (items[0]["choices"], items[0]["recommended"]))


@case
def fill_in_person_already_there(stage, report):
    """A candidate whose person already sits in the section is shown as such and skipped."""
    played = Preliminaries(stage, report, [TWO, ONE, NOBODY_NINE], {(2, 2): 2300, (2, 3): 1800, (1, 3): 1500}, people={(1, 1): "61111111", (2, 2): "61111111"})
    played.finish()
    played.run()
    items = played.questions(["fill"])
    if report.true("no fill-in is proposed", len(items) == 1, [(i["kind"], i["rule"]) for i in played.home.json("docket")]):
        item = items[0]
        recommended = str(item["recommended"])
        report.true("a second entry of the same person is recommended", played.entries[2, 2] not in recommended, item)
        report.true("the skipped candidate is shown", played.entries[2, 2] in str(item), str(item)[:600])


@case
def nobody_has_four(stage, report):
    """Nobody on 4 either: a docket item; the 3.5s and those below are not out while it is open."""
    played = Preliminaries(stage, report, [NOBODY, THREE])
    played.finish()
    played.run()
    items = [i for i in played.home.json("docket") if "19N01" in str(i) and "3" in str(i["rule"])]
    report.true("no item about a section where nobody reached 4", items, [(i["kind"], i["rule"], i["about"]) for i in played.home.json("docket")])
    report.same("states while it is open", ["assigned"] * 7, played.states(1))
    report.same("no fill-in is proposed before that is decided", [], [i["kind"] for i in played.questions(["fill"]) if i not in items])
    report.same("no letter of farewell meanwhile", [], [n for seat in range(1, 8) for n in played.notices(1, seat) if n in ("not-advancing", "gift-certificate")])


@case
def exactly_full(stage, report):
    """Seven qualify: the semifinal forms by itself, nothing is proposed, those on 4 are out."""
    played = Preliminaries(stage, report, [THREE, THREE, ONE])
    played.finish()
    played.run()
    played.run()
    shown = played.home.call("crosstable", "19Ns01", "--json").one() or {"seats": []}
    wanted = sorted([*(played.entries[i, s] for i in (1, 2) for s in (1, 2, 3)), played.entries[3, 1]])
    report.same("the semifinal", wanted, sorted(s["entry"] for s in shown["seats"]))
    report.same("no fill-in is proposed", [], [i["kind"] for i in played.questions(["fill"])])
    report.same("states of those on 4", ["eliminated"] * 2, played.states(3)[1:3])
    ratings = [s["rating"] for s in shown["seats"]]
    report.same("seats by falling rating", sorted(ratings, reverse=True), ratings)


@case
def nobody_to_fill_with(stage, report):
    """Six qualify and nobody is on 4: a docket item with ready choices, never a silent wait."""
    played = Preliminaries(stage, report, [THREE, THREE])
    played.finish()
    played.run()
    played.run()
    items = [i for i in played.home.json("docket") if "2" in str(i["rule"]) or "3" in str(i["rule"])]
    if report.true("six wait for a semifinal of seven and no item asks about it", items, played.home.json("docket")):
        report.true("playing short is no choice", any("short" in c for c in items[0]["choices"]), items[0]["choices"])
        choice = next((c for c in items[0]["choices"] if "short" in c), items[0]["choices"][0])
        done = played.home.call("rule", items[0]["item"], choice, "--reason", "six play")
        report.same("rule short", (0, ""), (done.code, done.said() if done.code else ""))
        played.run()
        played.run()
        shown = played.home.call("crosstable", "19Ns01", "--json").one() or {"seats": [], "games": []}
        report.same("a semifinal of six", 6, len(shown["seats"]))
        whites = [sum(g["white"] == seat for g in shown["games"]) for seat in range(1, 7)]
        report.same("fifteen games by the table of six", (15, [3, 3, 3, 2, 2, 2]), (len(shown["games"]), whites))
        report.same("those with less are out", ["eliminated"] * 4, played.states(1)[3:])
