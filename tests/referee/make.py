"""Makes up championships from a seed: people, sections, games, and a director who does odd things."""

import random
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import combinations

from law import DRAWS, WINS, Event, Table, berger_white, text_points

FIRST = "Ann Bob Cy Di Ed Flo Gus Hal Ida Jon Kay Lou Mae Ned Opal Pat Quin Rae Sam Tess Uma Vic Wes Xena Yan Zoe".split()
LAST = ("Ames Birch Cole Dunn Eaves Frost Grant Hale Innes Judd Kerr Lane Moss North Ortiz Pike Quill Reed Stone Tate "
        "Upton Vance Wood Yates Zane").split()


@dataclass
class Player:
    """A member: what the roster says."""

    id: str
    name: str
    email: str
    rating: int | None
    state: str = "OH"
    expires: date = date(2039, 12, 31)

    def row(self):
        return [self.id, self.name, self.email, "US", self.state, self.rating or "",
                "2018-12-01" if self.rating else "", self.expires.isoformat()]


@dataclass
class Made:
    """A championship as it stands: `owner` maps entry to member, `tables` the sections by code."""

    seed: int
    event: Event
    players: dict
    owner: dict
    tables: dict = field(default_factory=dict)
    starts: dict = field(default_factory=dict)
    carried: dict = field(default_factory=dict)       # entry -> {round: (half points, forfeit losses)}
    stage: str = "over"
    formed: list = field(default_factory=list)        # sections that the program formed itself
    odd: list = field(default_factory=list)           # what the director did against the letter of the rules

    def of_round(self, index):
        return [table for table in self.tables.values() if table.round == index]


def people(rng, count, ties=True, silent=0.1):
    """Members with ratings (often equal), some unrated, some without email."""
    made = {}
    for number in range(count):
        name = f"{FIRST[number % len(FIRST)]} {LAST[(number // len(FIRST) + number * 7) % len(LAST)]}"
        rating = rng.randrange(900, 2500)
        if ties and rng.random() < 0.4:
            rating = rating // 100 * 100
        if rng.random() < 0.12:
            rating = None
        member = f"{20000001 + number}"
        address = "" if rng.random() < silent else f"p{member}@example.org"
        made[member] = Player(member, name, address, rating)
    return made


def pairs(size, double=False):
    """White and Black seats of a section of this size."""
    found = []
    for low, high in combinations(range(1, size + 1), 2):
        white = (low, high) if berger_white(low, high, size) else (high, low)
        found.append(white)
        if double:
            found.append(white[::-1])
    return found


def play(rng, seats, style, running=0.0, double=False):
    """Games of a section in a style: plain, drawish, flat (nobody above 4), quitters, chaos."""
    size = len(seats)
    strength = {seat: rng.gauss(0, 1) for seat in seats}
    quitters = set()
    if style in ("quitters", "chaos"):
        quitters = set(rng.sample(sorted(seats), rng.randint(1, 2)))
    games = []
    for white, black in pairs(size, double):
        if rng.random() < running:
            games.append((white, black, None, None))
            continue
        gone = [seat for seat in (white, black) if seat in quitters and rng.random() < 0.8]
        if len(gone) == 2:
            games.append((white, black, "0-0", "double-forfeit"))
        elif gone:
            how = rng.choice(["time-forfeit", "silence-forfeit", "withdrawal", "administrative"])
            games.append((white, black, "0-1" if gone[0] == white else "1-0", how))
        elif style == "chaos" and rng.random() < 0.1:
            games.append((white, black, rng.choice(["1-0", "0-1", "1/2-1/2"]), rng.choice(["death", "adjudication"])))
        elif style == "flat" or (style == "drawish" and rng.random() < 0.6):
            if style == "flat" and rng.random() < 0.25:
                games.append((white, black, rng.choice(["1-0", "0-1"]), rng.choice(WINS)))
            else:
                games.append((white, black, "1/2-1/2", rng.choice(DRAWS)))
        else:
            edge = strength[white] - strength[black] + rng.gauss(0.1, 0.7)
            if abs(edge) < 0.25:
                games.append((white, black, "1/2-1/2", rng.choice(DRAWS)))
            else:
                games.append((white, black, "1-0" if edge > 0 else "0-1", rng.choice(WINS)))
    return games


def seat_out(rng, owner, entries, size):
    """Splits entries into sections of `size`, never two of one person in one; leaves the rest."""
    for _ in range(60):
        rng.shuffle(entries)
        groups, rest = [], list(entries)
        while len(rest) >= size:
            group, seen = [], set()
            for entry in rest:
                if owner[entry] not in seen:
                    group.append(entry)
                    seen.add(owner[entry])
                    if len(group) == size:
                        break
            if len(group) < size:
                break
            groups.append(group)
            rest = [entry for entry in rest if entry not in group]
        if len(rest) < size:
            return groups, rest
    return groups, rest


def championship(seed):
    """A whole championship as a director once ran it, to be adopted by import."""
    rng = random.Random(seed)
    event = Event()
    sections = rng.choice([1, 2, 3, 4, 6, 8, 11, 13])
    wanted = sections * 7
    players = people(rng, max(8, int(wanted * rng.uniform(0.5, 1.0))))
    owner, count = {}, dict.fromkeys(players, 0)
    for number in range(1, wanted + 1):
        limit = 10 if rng.random() < 0.2 else 3
        member = rng.choice([m for m in players if count[m] < min(limit, sections)] or [m for m in players if count[m] < sections])
        count[member] += 1
        owner[f"{event.id}-{number:03}"] = member
    made = Made(seed, event, players, owner)
    made.stage = rng.choice(["over"] * 5 + ["preliminary", "preliminary-done", "semifinal", "semifinal-done", "final"])
    stage = made.stage.split("-")[0]
    groups, left = seat_out(rng, owner, list(owner), 7)
    if len(left) >= 5 and len({owner[e] for e in left}) == len(left):
        groups.append(left)
        made.odd.append("short preliminary")
    else:
        for entry in left:
            del owner[entry]
    for index, each in enumerate(event.rounds):
        last = stage == each.name or (stage == "over" and index == 2)
        for number, group in enumerate(groups, 1):
            code = f"{each.code}{number:02}"
            rated = sorted(group, key=lambda e: (-(players[owner[e]].rating or 0), e))
            seats = dict(enumerate(rated, 1))
            style = rng.choice(["plain", "plain", "plain", "drawish", "flat", "quitters", "chaos"])
            running = rng.choice([0, 0.2, 0.5]) if stage == each.name and "-done" not in made.stage else 0
            made.tables[code] = Table(code, index, seats, play(rng, seats, style, running))
            made.starts[code] = date(2019 + 2 * index, 2, 1) + timedelta(days=rng.randrange(200))
        if last or index == 2:
            break
        groups = next_groups(rng, made, index)
        if not groups:
            made.stage = f"{each.name}-done"
            break
    return made


def carried(seed):
    """A championship whose early crosstables are lost: scores are carried, the last round (or two) is played."""
    rng = random.Random(seed)
    event = Event()
    first = rng.choice([1, 2, 2, 2])                       # the first round whose crosstables are there
    finals = rng.choice([1, 1, 2, 3, 4])
    players = people(rng, max(9, int(finals * 7 * rng.uniform(0.6, 1.0))))
    made = Made(seed, event, players, {})
    made.stage = f"carried up to round {first}"
    members = list(players)
    number = 0

    def newcomer(taken):
        """A new entry of somebody who does not sit there yet."""
        nonlocal number
        number += 1
        entry = f"{event.id}-{number:03}"
        made.owner[entry] = rng.choice([m for m in members if m not in taken])
        return entry

    groups = []
    for _ in range(finals if first == 2 else finals * 2):
        group = []
        while len(group) < 7:
            entry = newcomer({made.owner[e] for e in group})
            group.append(entry)
            points = rng.choice([8, 9, 9, 10, 10, 11, 12])
            made.carried[entry] = {0: (points, rng.choice([0, 0, 0, 1]) if points <= 10 else 0)}
            if first == 2:
                made.carried[entry][1] = (rng.choice([8, 9, 9, 10, 10, 11, 12]), 0)
        groups.append(group)
    for _ in range(rng.randrange(12)):                      # those who did not get far
        entry = newcomer(set())
        points = rng.randrange(8)
        made.carried[entry] = {0: (points, rng.choice([0, 0, 1, (12 - points) // 2]))}
    for index in range(first, 3):
        for position, group in enumerate(groups, 1):
            code = f"{event.rounds[index].code}{position:02}"
            seats = dict(enumerate(sorted(group, key=lambda e: (-(players[made.owner[e]].rating or 0), e)), 1))
            made.tables[code] = Table(code, index, seats, play(rng, seats, rng.choice(["plain", "drawish", "drawish", "flat", "quitters"])))
            made.starts[code] = date(2019 + 2 * index, 2, 1) + timedelta(days=rng.randrange(200))
        if index < 2:
            groups = next_groups(rng, made, index)
    return made


def next_groups(rng, made, index):
    """Those who go on, as this director seated them: all who qualified, some who scored 4, at times a 3 1/2."""
    qualified, fours, lower = [], [], []
    for table in made.of_round(index):
        points = table.points()
        top = [seat for seat in points if points[seat] >= 9]
        for seat, entry in table.seats.items():
            if points[seat] >= 9 or (not top and points[seat] == 8):
                qualified.append(entry)
            elif points[seat] == 8:
                fours.append(entry)
            elif points[seat] == 7:
                lower.append(entry)
    groups, left = seat_out(rng, made.owner, list(qualified), 7)
    groups = [list(group) for group in groups]
    if left and len({made.owner[e] for e in left}) == len(left):
        short = list(left)
        fill = rng.random() < 0.7
        fours.sort(key=lambda e: -(made.players[made.owner[e]].rating or 0))
        for entry in fours if fill else []:
            if len(short) < 7 and made.owner[entry] not in {made.owner[e] for e in short}:
                short.append(entry)
        if rng.random() < 0.3 and lower and len(short) < 7 and made.owner[lower[0]] not in {made.owner[e] for e in short}:
            short.append(lower[0])
            made.odd.append(f"{lower[0]} taken with 3.5")
        if len(short) >= 4:
            groups.append(short)
            if len(short) < 7:
                made.odd.append("short section")
    return groups


def section_rows(made, with_entry=True):
    """The rows of sections.csv."""
    rows = []
    for code, table in made.tables.items():
        for seat, entry in table.seats.items():
            rows.append([code, made.event.rounds[table.round].name, seat, made.owner[entry],
                         entry if with_entry else "", made.starts[code].isoformat()])
    return rows


def result_rows(made, codes=None):
    """The rows of results.csv."""
    rows = []
    for code, table in made.tables.items():
        if codes is not None and code not in codes:
            continue
        for number, (white, black, result, how) in enumerate(table.games):
            if result is not None:
                day = made.starts[code] + timedelta(days=30 + 17 * number)
                rows.append([code, white, black, result, how, day.isoformat()])
    return rows


def score_rows(made):
    """The rows of scores.csv."""
    return [[entry, made.event.rounds[index].name, text_points(points), losses]
            for entry, rounds in made.carried.items() for index, (points, losses) in rounds.items()]


def describe(made):
    """One line about a championship, for reports."""
    rounds = "+".join(str(len(made.of_round(i))) for i in range(len(made.event.rounds)))
    return f"seed {made.seed}: {made.stage}, {rounds} sections, {len(made.owner)} entries{', ' + ', '.join(made.odd) if made.odd else ''}"
