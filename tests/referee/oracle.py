"""What must be true of a championship that was made up: states, standings, prizes, open questions."""

from law import places, prize_shares, text_money, text_points


class Oracle:
    """The referee's own reckoning over a `Made` championship, with the entries closed.

    `closed` says whether the preliminary round can no longer form sections.
    """

    def __init__(self, made, closed=True, taken=None, ended=False, left=()):
        self.made, self.closed = made, closed
        self.taken, self.ended = taken or {}, ended      # whom the director took; whether he ended the event before its last round
        self.left = left                           # entries that were withdrawn
        self.event = made.event
        self.last = len(self.event.rounds) - 1
        self.home_of = {}          # (entry, round) -> (table, seat)
        for table in made.tables.values():
            for seat, entry in table.seats.items():
                self.home_of[entry, table.round] = (table, seat)

    def assigned(self):
        """Every entry that counts: seated in a first-round section, or there by carried scores."""
        return sorted({entry for entry, _ in self.home_of} | set(self.made.carried))

    def score(self, entry, index):
        """Half points of an entry in a round; None where it did not get there."""
        if index in self.made.carried.get(entry, {}):
            return self.made.carried[entry][index][0]
        if (entry, index) not in self.home_of:
            return None
        table, seat = self.home_of[entry, index]
        return table.points()[seat]

    def forfeit_losses(self, entry):
        total = sum(lost for _, lost in self.made.carried.get(entry, {}).values())
        for (who, _), (table, seat) in self.home_of.items():
            if who == entry:
                total += table.forfeits()[seat]
        return total

    def weighted(self, entry):
        return sum((self.score(entry, i) or 0) * each.weight for i, each in enumerate(self.event.rounds))

    def latest(self, entry):
        """The last round in which an entry played."""
        return max(i for i in range(self.last + 1) if self.score(entry, i) is not None)

    # Rule 3.

    def qualifies(self, entry, index):
        """yes (4.5, or 4 where nobody reached 4.5), four (waits for the fill-in), no, or None while open."""
        rules = self.event.rounds[index]
        if rules.advance is None:
            return "no"
        points = self.score(entry, index)
        if points >= rules.advance:
            return "yes"
        if (entry, index) not in self.home_of:
            return "four" if points == rules.fill else "no"
        table, _ = self.home_of[entry, index]
        if not table.complete():
            return None
        if points == rules.otherwise and max(table.points().values()) < rules.advance:
            return "yes"
        return "four" if points == rules.fill else "no"

    def nobody(self, table):
        """A complete section that sends nobody on: it waits for the director (Rule 3)."""
        rules = self.event.rounds[table.round]
        if rules.advance is None or not table.complete():
            return False
        return (max(table.points().values()) < rules.otherwise
                and not any((entry, table.round + 1) in self.home_of or entry in self.taken for entry in table.seats.values()))

    def waiting_on(self, index):
        """Entries that qualified out of a round and sit in no section of the next."""
        return sorted(entry for (entry, where) in self.home_of if where == index
                      and (entry, index + 1) not in self.home_of and self.qualifies(entry, index) == "yes" and entry not in self.left)

    def round_decided(self, index):
        """Whether every section of a round is complete, and none can still form."""
        if any(not table.complete() for table in self.made.of_round(index)):
            return False
        if index == 0:
            return self.closed
        return self.settled(index - 1)

    def settled(self, index):
        """Whether the question who plays the next round is answered: all decided, nobody waits, no section without an heir."""
        if index >= self.last or self.ended:
            return True
        return (self.round_decided(index) and not self.waiting_on(index)
                and not any(self.nobody(table) for table in self.made.of_round(index)))

    def fill_open(self, index):
        """Whether the fill-in question of the next round is before the director."""
        return (index < self.last and self.round_decided(index) and bool(self.waiting_on(index))
                and not any(self.nobody(table) for table in self.made.of_round(index)))

    def fill_candidates(self, index):
        """Those on 4 who did not qualify, highest rating first, unrated last; with ratings."""
        fours = [entry for (entry, where) in self.home_of if where == index
                 and self.qualifies(entry, index) == "four" and (entry, index + 1) not in self.home_of and entry not in self.left]
        rating = lambda entry: self.made.players[self.made.owner[entry]].rating
        return sorted(fours, key=lambda e: (rating(e) is None, -(rating(e) or 0)))

    def states(self, entry):
        """The states that the rules allow an entry to be shown in."""
        if entry in self.left:
            return {"withdrawn"}
        index = self.latest(entry)
        carried = (entry, index) not in self.home_of
        running = not carried and not self.home_of[entry, index][0].complete()
        if index == self.last:
            return {"assigned"} if running else {"finished"}
        fate = self.qualifies(entry, index)
        if entry in self.taken and self.taken[entry] == index:
            fate = "yes"
        if fate == "yes":
            return {"finished"} if self.ended else {"advanced"}
        if running:
            return {"assigned"}
        if fate == "four":
            return {"eliminated"} if self.settled(index) else {"assigned", "docket"}
        table = None if carried else self.home_of[entry, index][0]
        if table is not None and self.nobody(table):
            return {"assigned", "docket"}
        return {"eliminated"}

    # Rules 4 to 6.

    def completed_all(self, entry):
        """Whether an entry has completed every round."""
        return all(self.score(entry, i) is not None
                   and ((entry, i) not in self.home_of or self.home_of[entry, i][0].complete())
                   for i in range(self.last + 1))

    def entitled(self, entry):
        return self.completed_all(entry) and self.forfeit_losses(entry) == 0

    def standings(self):
        """{entry: (place, points, weighted, forfeit losses)}."""
        entries = self.assigned()
        scores = [self.weighted(entry) for entry in entries]
        return {entry: (place, [text_points(self.score(entry, i)) for i in range(self.last + 1)],
                        text_money(score), self.forfeit_losses(entry))
                for entry, place, score in zip(entries, places(scores), scores)}

    def over(self):
        """Whether no section runs and none can still form."""
        return (all(table.complete() for table in self.made.tables.values())
                and all(self.settled(index) for index in range(self.last)) and self.closed)

    def prizes(self):
        entries = self.assigned()
        ordered = [(entry, self.weighted(entry)) for entry in entries if self.entitled(entry)]
        return prize_shares(self.event, len(entries), ordered)
