"""The rules of the championship, worked out anew from their text.

Nothing here comes from the program: points are counted in half points, money in cents, and every
figure is a plain integer. The numbers are those of the 2019 Golden Knights; other events bring their
own through `Event`.
"""

from dataclasses import dataclass, field
from datetime import date, timedelta
from fractions import Fraction

FORFEITS = {"time-forfeit", "silence-forfeit", "withdrawal", "administrative", "double-forfeit"}
DRAWS = ["agreement", "stalemate", "repetition", "fifty-moves", "material", "adjudication", "played"]
WINS = ["mate", "resignation", "adjudication", "played"]


@dataclass
class Round:
    """One round: points in half points, the weight of a half point in hundredths."""

    name: str
    code: str
    size: int = 7
    weight: int = 0
    advance: int | None = None
    otherwise: int | None = None
    fill: int | None = None


@dataclass
class Event:
    """What an event is made of."""

    id: str = "GK2019"
    rounds: list = field(default_factory=lambda: [
        Round("preliminary", "19N", 7, 50, 9, 8, 8),
        Round("semifinal", "19Ns", 7, 110, 9, 8, 8),
        Round("final", "19Nf", 7, 225),
    ])
    prizes: list = field(default_factory=lambda: [80000, 50000, 30000] + [10000] * 7)
    scaled_to: int = 200
    gift: int = 700


def text_points(halves):
    """Half points as the tables print them: 9 is 4.5, 8 is 4."""
    if halves is None:
        return None
    return f"{halves // 2}.5" if halves % 2 else str(halves // 2)


def text_money(cents):
    """Hundredths with two places."""
    return f"{cents // 100}.{cents % 100:02}"


def berger_white(low, high, size):
    """Whether the lower of two seats has White (Rule 2)."""
    if size % 2:
        return (high - low) % 2 == 1
    if high == size:
        return low <= size // 2
    return (low + high) % 2 == 1


def half_points(result):
    """The half points of White and Black."""
    return {"1-0": (2, 0), "0-1": (0, 2), "1/2-1/2": (1, 1), "0-0": (0, 0)}[result]


def forfeit_loss(result, how):
    """Whether White, and whether Black, lost this game by a forfeit."""
    if how not in FORFEITS:
        return (False, False)
    return {"1-0": (False, True), "0-1": (True, False), "0-0": (True, True)}.get(result, (False, False))


def places(scores):
    """Shared places, 1, 2, 3, 3, 5: a list as long as `scores`, higher is better."""
    return [1 + sum(other > score for other in scores) for score in scores]


class Table:
    """The crosstable of a section: `seats` maps seat to entry, `games` holds (white, black, result or None, how)."""

    def __init__(self, code, round_index, seats, games):
        self.code, self.round, self.seats, self.games = code, round_index, seats, games

    def complete(self):
        return all(game[2] is not None for game in self.games)

    def points(self):
        total = dict.fromkeys(self.seats, 0)
        for white, black, result, _ in self.games:
            if result is not None:
                mine, yours = half_points(result)
                total[white] += mine
                total[black] += yours
        return total

    def forfeits(self):
        total = dict.fromkeys(self.seats, 0)
        for white, black, result, how in self.games:
            if result is not None:
                mine, yours = forfeit_loss(result, how)
                total[white] += mine
                total[black] += yours
        return total

    def ranks(self):
        points = self.points()
        return dict(zip(points, places(list(points.values()))))

    def forfeited_to(self):
        """For each seat the opponents it forfeited to (Rule 11)."""
        lost = {seat: set() for seat in self.seats}
        for white, black, result, how in self.games:
            if result is not None:
                mine, yours = forfeit_loss(result, how)
                if mine:
                    lost[white].add(black)
                if yours:
                    lost[black].add(white)
        return lost

    def running_of(self, seat):
        return [g for g in self.games if g[2] is None and seat in g[:2]]


def prize_shares(event, assigned, ordered):
    """Rules 5 and 6. `ordered` holds (entry, weighted) of those entitled.

    Gives the fund, {entry: (place, amount, tied)} of those who get money, and what is left over.
    """
    amounts = [amount * assigned // event.scaled_to for amount in event.prizes]
    fund = sum(amounts)
    shares, paid = {}, 0
    by_score = {}
    for entry, score in ordered:
        by_score.setdefault(score, []).append(entry)
    place = 1
    for score in sorted(by_score, reverse=True):
        tied = by_score[score]
        pot = sum(amounts[place - 1:place - 1 + len(tied)])
        each = pot // len(tied)
        if place <= len(amounts):
            for entry in tied:
                shares[entry] = (place, each, sorted(set(tied) - {entry}))
                paid += each
        place += len(tied)
    return fund, shares, fund - paid


DEADLINES_2019 = [(1, date(2019, 12, 31)), (2, date(2019, 9, 30)), (4, date(2019, 8, 31)),
                  (7, date(2019, 7, 31)), (10, date(2019, 6, 30))]


def deadline(number, table=DEADLINES_2019):
    """By when the n-th entry of a person is postmarked; None for one too many (Rules 8 and 9)."""
    for up_to, by in table:
        if number <= up_to:
            return by
    return None


def entry_fates(postmarks, table=DEADLINES_2019):
    """What becomes of a person's entries, given in order of arrival: accepted, docket, refused, carried-forward."""
    fates = [None] * len(postmarks)
    closing = table[0][1]
    order = sorted(range(len(postmarks)), key=lambda i: (postmarks[i], i))
    for number, index in enumerate(order, 1):
        by = deadline(number, table)
        if postmarks[index] > closing:
            fates[index] = "carried-forward"
        elif by is None:
            fates[index] = "refused"
        elif postmarks[index] > by:
            fates[index] = "docket"
        else:
            fates[index] = "accepted"
    return fates


NEW_RULES = date(2021, 10, 1)


def complaint_from(sent, act):
    """The first day on which a complaint made on `act` about a move sent on `sent` is admissible (Rule 10)."""
    return sent + timedelta(days=28 if act >= NEW_RULES else 20)


def repeat_from(sent, act, transit=0):
    """The first day on which a repeat is in order."""
    return sent + timedelta(days=14 if act >= NEW_RULES else transit + 10)


def decode(weighted, weights=(50, 110, 225), least=8):
    """The round scores, in half points, that give a printed total: every solution with `least` in rounds 1 and 2."""
    found = []
    for one in range(least, 13):
        for two in range(least, 13):
            rest = weighted - one * weights[0] - two * weights[1]
            if rest >= 0 and rest % weights[2] == 0 and rest // weights[2] <= 12:
                found.append((one, two, rest // weights[2]))
    return found


def hundredths(text):
    """A printed decimal as hundredths."""
    value = Fraction(text) * 100
    assert value.denominator == 1, text
    return int(value)
