"""Compares what the program shows of an adopted championship with the referee's own reckoning."""

from law import hundredths, text_money, text_points


class Report:
    """Differences, with what was looked at."""

    def __init__(self, name):
        self.name, self.looked, self.found = name, 0, []

    def same(self, what, mine, theirs):
        """Notes a difference."""
        self.looked += 1
        if mine != theirs:
            self.found.append(f"{what}: the rules give {mine!r}, the program {theirs!r}")
            return False
        return True

    def true(self, what, holds, detail=""):
        self.looked += 1
        if not holds:
            self.found.append(f"{what}{': ' + str(detail) if detail != '' else ''}")
        return bool(holds)

    def within(self, what, allowed, value):
        self.looked += 1
        if value not in allowed:
            self.found.append(f"{what}: the rules allow {sorted(map(str, allowed))}, the program has {value!r}")


def keys(report, what, thing, wanted):
    """The exact JSON shape: every key that the contract names is there."""
    missing = [key for key in wanted if not isinstance(thing, dict) or key not in thing]
    report.true(f"{what} lacks keys of the contract", not missing, missing)
    return not missing


def crosstables(report, home, made):
    """Every section: seats, points, ranks, forfeit losses, games."""
    for code, table in made.tables.items():
        shown = home.call("crosstable", code, "--json").one()
        if not keys(report, f"crosstable {code}", shown, ["section", "event", "round", "state", "seats", "games"]):
            continue
        points, ranks, lost = table.points(), table.ranks(), table.forfeits()
        report.same(f"{code} section", code, shown["section"])
        report.same(f"{code} event", made.event.id, shown["event"])
        report.same(f"{code} round", made.event.rounds[table.round].name, shown["round"])
        report.same(f"{code} state", "complete" if table.complete() else "running", shown["state"])
        report.same(f"{code} seats", sorted(table.seats), [seat["seat"] for seat in shown["seats"]])
        for seat in shown["seats"]:
            if not keys(report, f"{code} seat", seat, ["seat", "entry", "player", "name", "rating", "points", "rank", "forfeit_losses"]):
                break
            number = seat["seat"]
            entry = table.seats.get(number)
            player = made.players[made.owner[entry]]
            report.same(f"{code} seat {number}", (entry, player.id, player.name, player.rating),
                        (seat["entry"], seat["player"], seat["name"], seat["rating"]))
            report.same(f"{code} seat {number} points", text_points(points[number]), seat["points"])
            report.same(f"{code} seat {number} rank", ranks[number], seat["rank"])
            report.same(f"{code} seat {number} forfeit losses", lost[number], seat["forfeit_losses"])
        mine = {(w, b): (r, h, "confirmed" if r else "running") for w, b, r, h in table.games}
        theirs = {(g["white"], g["black"]): (g["result"], g["how"], g["state"]) for g in shown["games"]}
        report.same(f"{code} games", mine, theirs)


def entries(report, home, oracle, rng):
    """The state, player and sections of some entries; all states are in the standings."""
    every = oracle.assigned()
    for entry in sorted(rng.sample(every, min(8, len(every)))):
        shown = home.call("show", "entry", entry, "--json").one()
        if keys(report, f"show entry {entry}", shown, ["state", "player", "event", "postmark", "sections"]):
            report.same(f"{entry} player", oracle.made.owner[entry], shown["player"])
            report.within(f"{entry} {context(oracle, entry)}", oracle.states(entry), shown["state"])
            sections = [table.code for table in oracle.made.tables.values() if entry in table.seats.values()]
            report.same(f"{entry} sections", sorted(sections), sorted(shown["sections"]))


def context(oracle, entry):
    """A word on where an entry stands, for the reports."""
    index = oracle.latest(entry)
    scores = [text_points(oracle.score(entry, i)) for i in range(oracle.last + 1)]
    return (f"({'/'.join(s or '-' for s in scores)}, next round {'settled' if oracle.settled(index) else 'open'}"
            f"{', fill-in open' if oracle.fill_open(index) else ''})")


def standings(report, home, oracle):
    """`standings --json`, a line an entry."""
    lines = home.json("standings", oracle.event.id)
    wanted = ["place", "entry", "player", "name", "points", "weighted", "forfeit_losses", "prize_eligible", "state"]
    if not lines or not keys(report, "standings", lines[0], wanted):
        return
    mine = oracle.standings()
    report.same("standings entries", sorted(mine), sorted(line["entry"] for line in lines))
    report.same("standings order", sorted(line["place"] for line in lines), [line["place"] for line in lines])
    over = oracle.over()
    for line in lines:
        entry = line["entry"]
        if entry not in mine:
            continue
        report.same(f"standings {entry}", mine[entry],
                    (line["place"], line["points"], line["weighted"], line["forfeit_losses"]))
        report.within(f"standings {entry} state {context(oracle, entry)}", oracle.states(entry), line["state"])
        if over or oracle.forfeit_losses(entry) or oracle.states(entry) == {"eliminated"}:
            report.same(f"standings {entry} prize_eligible", oracle.entitled(entry), line["prize_eligible"])


def prizes(report, home, oracle, docket):
    """`prizes --json`: amounts, shares, what is left over, and final only when it may be."""
    shown = home.call("prizes", oracle.event.id, "--json").one()
    if not keys(report, "prizes", shown, ["entries_assigned", "fund", "places", "undistributed", "final"]):
        return
    fund, shares, left = oracle.prizes()
    report.same("prizes entries_assigned", len(oracle.assigned()), shown["entries_assigned"])
    report.same("prizes fund", text_money(fund), shown["fund"])
    amounts = sum(hundredths(place["amount"]) for place in shown["places"])
    report.same("prizes undistributed is fund less amounts", text_money(hundredths(shown["fund"]) - amounts), shown["undistributed"])
    if not oracle.over():
        report.same("prizes final while the event is not over", False, shown["final"])
        return
    theirs = {}
    for place in shown["places"]:
        if keys(report, "prizes place", place, ["place", "entry", "player", "amount", "tied_with"]):
            theirs[place["entry"]] = (place["place"], place["amount"], sorted(place["tied_with"]))
            report.same(f"prizes player of {place['entry']}", oracle.made.owner.get(place["entry"]), place["player"])
    mine = {entry: (place, text_money(amount), tied) for entry, (place, amount, tied) in shares.items()}
    report.same("prizes places", {e: v for e, v in mine.items() if v[1] != "0.00"},
                {e: v for e, v in theirs.items() if v[1] != "0.00"})
    report.same("prizes undistributed", text_money(left), shown["undistributed"])
    report.same("prizes final", not docket, shown["final"])


def audit(report, home):
    """The accounts add up."""
    answer = home.call("audit", "--json")
    shown = answer.one()
    if keys(report, "audit", shown, ["mails", "letters", "ok", "problems"]):
        report.same("audit", (0, True, []), (answer.code, shown["ok"], shown["problems"]))
        keys(report, "audit mails", shown["mails"], ["received", "acted", "held", "ignored", "duplicate"])
        keys(report, "audit letters", shown["letters"], ["owed", "sent", "waiting", "failed", "printed"])


def docket_shape(report, items):
    """Every docket item has the contract's shape, and its recommendation is one of its choices."""
    for item in items:
        if keys(report, f"docket item {item.get('item')}", item,
                ["item", "kind", "rule", "about", "since", "choices", "recommended", "evidence"]):
            report.true(f"docket item {item['item']} has choices", len(item["choices"]) > 0, item)
            if item["recommended"] is not None:
                report.within(f"docket item {item['item']} recommends", set(item["choices"]), item["recommended"])


def letter_shape(report, letters):
    """Every letter has the contract's shape."""
    for letter in letters:
        keys(report, f"letter {letter.get('letter')}", letter,
             ["letter", "notice", "to", "section", "state", "message_id", "queued", "sent", "attempts", "file", "player"])
        report.within(f"letter {letter.get('letter')} state", {"waiting", "sent", "failed", "bounced", "printed"}, letter.get("state"))
