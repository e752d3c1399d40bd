"""The slow style: a championship is played through the years by mails, payments, commands and a pass a week."""

import random
from datetime import date, datetime, timedelta, timezone

import compare
from home import Home
from law import FORFEITS, Event, Table
from letters import letters_owed
from make import Made, people, play
from oracle import Oracle

CENTRAL = timezone(timedelta(hours=-6))


class Season:
    """One championship: what was planned, what was sent, what the books show."""

    def __init__(self, binary, seed):
        self.rng = random.Random(seed * 7919)
        self.home = Home(binary, now="2019-01-01T12:00:00-06:00")
        self.home.trust()
        self.players = people(self.rng, self.rng.choice([14, 17, 20]), silent=0.1)
        self.made = Made(seed, Event(), self.players, {})
        self.report = compare.Report(f"season {seed}")
        self.plans = {}                    # section -> {(white, black): (day, result, how, who reports)}
        self.reported = set()
        self.today = date(2019, 1, 7)
        self.ruled = []                    # what the director decided: (day, kind, choice)
        self.report.same("import roster", 0, self.home.load("roster", [p.row() for p in self.players.values()]).code)
        self.taken = {}                    # entry -> the round out of which the director took it
        self.filling = set()               # candidates of fill-ins
        self.ended = False
        self.gone, self.left = None, set()
        self.leaver, self.leaves = None, date(2020, 3, 2) + timedelta(days=self.rng.randrange(200))
        if seed % 2 == 0:                  # one who withdraws by mail, while preliminaries run
            self.leaver = self.rng.choice([m for m, p in self.players.items() if p.email])
        self.books = 0                     # the size of the books when they were last looked at

    # What players and the director do.

    def write(self, member, subject, text, day):
        """A mail of a player, on a day; a player without an address writes nothing."""
        player = self.players[member]
        if not player.email:
            return False
        at = datetime(day.year, day.month, day.day, self.rng.randrange(8, 20), self.rng.randrange(60), tzinfo=CENTRAL)
        self.home.mail(f"{player.name} <{player.email}>", subject, text, at, dkim=True)
        return True

    def enter(self):
        """Entries by mail through the spring, fees a week later."""
        plan = []
        for member in self.players:
            for _ in range(self.rng.choice([1, 1, 2, 2, 3])):
                plan.append((date(2019, 1, 8) + timedelta(days=self.rng.randrange(150)), member))
        self.entering = sorted(plan)
        self.owing = []

    def week(self):
        """A week of mails, then Monday's pass."""
        monday = self.today
        for day, member in [e for e in self.entering if e[0] < monday]:
            self.entering.remove((day, member))
            if not self.write(member, "Golden Knights entry", f"Please enter me in the 2019 Golden Knights, 1 entry, ID {member}.\n", day):
                self.home.call("direct", "entry", "GK2019", member, "--postmark", day, now=self.now())
            self.owing.append((day + timedelta(days=8), member))
        for code, plan in self.plans.items():
            for pair, (day, result, how, who) in plan.items():
                if day < monday and (code, pair) not in self.reported:
                    self.tell(code, pair, day, result, how, who)
                    self.reported.add((code, pair))
        if self.leaver and self.leaves < monday:
            self.write(self.leaver, "Withdrawal", "I withdraw from the 2019 Golden Knights, for my health.\n", self.leaves)
            self.gone, self.leaver = self.leaver, None
        once = self.home.call("run", "--once", now=self.now())
        self.report.same(f"{monday} run --once", (0, ""), (once.code, once.said() if once.code else ""))
        due = [e for e in self.owing if e[0] < monday]
        if due:
            rows = [["GK2019", member, "25.00", day.isoformat(), f"check {day} {number}"] for number, (day, member) in enumerate(due)]
            self.owing = [e for e in self.owing if e not in due]
            paid = self.home.load("payments", rows, name=f"pay-{monday}.csv", now=self.now())
            self.report.same(f"{monday} payments", (0, ""), (paid.code, paid.said() if paid.code else ""))
        size = self.home.books_size()
        if size != self.books:
            self.new_sections()
            self.decide()
        self.books = self.home.books_size()
        self.today = self.next_monday()

    def next_monday(self):
        """The next Monday on which something is due, at most five weeks on: nothing happens in the weeks between."""
        days = [day for day, _ in self.entering] + [day for day, _ in self.owing]
        days += [plan[0] for code, each in self.plans.items() for pair, plan in each.items() if (code, pair) not in self.reported]
        soon = self.today + timedelta(days=7)
        if days and min(days) > soon:
            return soon + timedelta(days=min(28, (min(days) - soon).days // 7 * 7))
        return soon if days else soon + timedelta(days=21)

    def now(self):
        return datetime(self.today.year, self.today.month, self.today.day, 12, tzinfo=CENTRAL).isoformat()

    def tell(self, code, pair, day, result, how, who):
        """A result becomes known: by one player, by both, or by the director."""
        white, black = pair
        table = self.made.tables[code]
        owner = self.made.owner
        loser = white if result == "0-1" else black
        winner = black if result == "0-1" else white
        form = f"Game: {code} {white}-{black}\nResult: {result}\nHow: {how}\n"
        writers = {"both": [winner, loser], "loser": [loser], "winner": [winner]}.get(who, [])
        sent = [self.write(owner[table.seats[seat]], f"{code} result", form, day) for seat in writers]
        if not any(sent):
            done = self.home.call("direct", "result", code, f"{white}-{black}", result, how, "--reason", "as reported by letter", now=self.now())
            self.report.same(f"direct result {code} {white}-{black} {result} {how}", (0, ""), (done.code, done.said() if done.code else ""))

    def new_sections(self):
        """Reads sections that the program formed, checks them, and plans their games."""
        codes = {l["section"] for l in self.home.json("letters") if l["notice"] in ("assignment", "filled-in") and l["section"]} - set(self.made.tables)
        for code in sorted(codes):
            shown = self.home.call("crosstable", code, "--json").one()
            if not shown:
                continue
            names = [each.name for each in self.made.event.rounds]
            index = names.index(shown["round"])
            seats = {s["seat"]: s["entry"] for s in shown["seats"]}
            oracle = self.oracle()
            for seat in shown["seats"]:
                self.made.owner[seat["entry"]] = seat["player"]
            if index:
                allowed = set(oracle.waiting_on(index - 1)) | set(self.taken) | self.filling
                self.report.same(f"{code}: seated though not qualified", [], sorted(set(seats.values()) - allowed))
            people_in = [self.made.owner[e] for e in seats.values()]
            self.report.same(f"{code}: one entry a person", len(people_in), len(set(people_in)))
            style = self.rng.choice(["plain", "plain", "drawish", "flat", "quitters"])
            games = play(self.rng, seats, style)
            table_pairs = {(g["white"], g["black"]) for g in shown["games"]}
            self.report.same(f"{code} colours", table_pairs, {(w, b) for w, b, _, _ in games})
            self.made.tables[code] = Table(code, index, seats, games)
            self.made.starts[code] = date.fromisoformat(shown.get("start", self.today.isoformat()))
            plan = {}
            for white, black, result, how in games:
                day = self.made.starts[code] + timedelta(days=self.rng.randrange(60, 640))
                forfeit = how in ("time-forfeit", "silence-forfeit", "withdrawal", "administrative", "double-forfeit", "adjudication", "played")
                plan[white, black] = (day, result, how, "director" if forfeit else self.rng.choice(["both", "both", "loser", "winner"]))
            self.plans[code] = plan

    def decide(self):
        """The director looks at the docket and decides every item as recommended, else by the first choice."""
        for item in self.home.json("docket"):
            if "choices" not in item:
                continue
            self.judge(item)
            choice = item["recommended"] or item["choices"][0]
            done = self.home.call("rule", item["item"], choice, "--reason", "decided at the weekly round", now=self.now())
            if choice in self.made.owner and item["kind"] == "nobody-advances":
                self.taken[choice] = self.oracle().latest(choice)
            self.ended = self.ended or choice == "end"
            if item["kind"] in ("withdrawal", "forfeits-spread"):
                self.take_over()
            self.ruled.append((self.today.isoformat(), item["kind"], choice))
            self.report.same(f"rule {item['item']} ({item['kind']}) {choice}", (0, ""), (done.code, done.said() if done.code else ""))

    def take_over(self):
        """Reads the games that a ruling ended before their planned day: a withdrawal, or forfeits that spread."""
        for code, table in self.made.tables.items():
            for shown in self.home.call("crosstable", code, "--json").one()["games"]:
                pair = shown["white"], shown["black"]
                if shown["result"] and (code, pair) not in self.reported:
                    self.report.true(f"{code} {pair}: {shown['how']} by a ruling that speaks of forfeits", shown["how"] in FORFEITS)
                    self.reported.add((code, pair))
                    table.games = [(w, b, shown["result"], shown["how"]) if (w, b) == pair else (w, b, r, h) for w, b, r, h in table.games]
        mine = [e for e, m in self.made.owner.items() if m == self.gone]
        self.left = {e for e in mine if (self.home.call("show", "entry", e, "--json").one() or {}).get("state") == "withdrawn"}

    def judge(self, item):
        """Whether an item of this kind may be there at all."""
        oracle = self.oracle()
        if "fill" in item["kind"]:
            rounds = [i for i in range(oracle.last) if oracle.round_decided(i)]
            self.report.true(f"{self.today} {item['kind']} though no round is decided", rounds, item["about"])
            text = str(item)
            for index in rounds:
                mine = [e for e in oracle.fill_candidates(index) if e in text]
                rating = {e: self.players[self.made.owner[e]].rating or 0 for e in mine}
                shown = [rating[e] for e in sorted(mine, key=text.rfind)]
                self.report.same(f"{self.today} ratings of the candidates of {item['item']}, in their order", sorted(shown, reverse=True), shown)
                self.filling |= set(mine)

    def oracle(self):
        """The reckoning over what is decided and reported by now."""
        made = Made(self.made.seed, self.made.event, self.players, self.made.owner)
        for code, table in self.made.tables.items():
            games = [(w, b, r if (code, (w, b)) in self.reported else None, h if (code, (w, b)) in self.reported else None)
                     for w, b, r, h in table.games]
            made.tables[code] = Table(code, table.round, table.seats, games)
        return Oracle(made, self.today > date(2019, 12, 31), self.taken, self.ended, self.left)

    def finished(self):
        """Everything played, nothing open."""
        shown = self.home.call("prizes", "GK2019", "--json", now=self.now()).one() or {}
        return shown.get("final") is True

    def compare(self):
        """All tables and letters at the end."""
        self.home.now = self.now()
        oracle = self.oracle()
        docket = self.home.json("docket")
        compare.docket_shape(self.report, docket)
        compare.standings(self.report, self.home, oracle)
        compare.entries(self.report, self.home, oracle, self.rng)
        compare.prizes(self.report, self.home, oracle, docket)
        compare.audit(self.report, self.home)
        compare.letter_shape(self.report, self.home.json("letters"))
        letters_owed(self.report, self.home, oracle)


def season(binary, seed, keep=False):
    """Plays a season to its end, at most to 2029; gives the report."""
    play_through = Season(binary, seed)
    try:
        play_through.enter()
        quiet = 0
        while play_through.today < date(2029, 1, 1) and quiet < 3:
            play_through.week()
            if play_through.today.year > 2020 and not play_through.owing:
                quiet = quiet + 1 if play_through.finished() else 0
        play_through.report.true(f"the championship is not over by {play_through.today}", play_through.finished(),
                                 [(i["kind"], i["about"]) for i in play_through.home.json("docket")][:5])
        play_through.compare()
        play_through.report.name += (f": {len(play_through.made.tables)} sections, {len(play_through.oracle().assigned())} entries, "
                                     f"over {play_through.today}, rulings {sorted({(k, c) for _, k, c in play_through.ruled})}")
    finally:
        if keep:
            print(f"kept {play_through.home.dir}")
        else:
            play_through.home.drop()
    return play_through.report
