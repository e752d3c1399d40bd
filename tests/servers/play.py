"""A section of seven that is played by mail, through whatever servers a home has: each player reads his letters in his own
mailbox and answers them with his own mail program."""
import datetime
import random
import smtplib

from home import NAMES, expect, later
from shapes import SHAPES, Letter, answer

# Games to their ends: the plies, then how it ends: `mate`, `resigns` (whose turn it is), or `draw` (offered with the last
# move and taken).
SCRIPTS = [
    ("e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#", "mate"),
    ("f3 e5 g4 Qh4#", "mate"),
    ("d4 d5 c4 e6 Nc3 Nf6 Bg5", "draw"),
    ("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6", "resigns"),
    ("e4 e5 Nf3 d6 Bc4 Bg4 Nc3 g6 Nxe5 Bxd1 Bxf7+ Ke7 Nd5#", "mate"),
    ("Nf3 Nf6 g3 g6 Bg2 Bg7 O-O O-O", "resigns"),
    ("c4 e5 Nc3 Nf6 Nf3 Nc6", "draw"),
]
FULL = {name.split()[0].lower(): name for name in NAMES.values()}


class Game:
    def __init__(self, white, black, script):
        self.players = (white, black)
        self.plies, self.ending = script[0].split(), script[1]
        self.played = 0
        self.over = False

    @property
    def mover(self):
        return self.players[self.played % 2]

    @property
    def is_ending(self):
        return self.played == len(self.plies)

    @property
    def result(self):
        if self.ending == "draw":
            return "1/2-1/2"
        last_by_white = len(self.plies) % 2 == 1
        return "1-0" if last_by_white else "0-1"

    def words(self):
        """Returns what the mover writes."""
        if self.is_ending:
            return "I resign. Thank you for the game." if self.ending == "resigns" else "I accept the draw. Well played!"
        number, mark = self.played // 2 + 1, "." if self.played % 2 == 0 else "..."
        text = f"{number}{mark}{self.plies[self.played]}"
        if self.played == 0:
            text = f"Section 19N01, {FULL[self.players[0]]} - {FULL[self.players[1]]}: {text}"
        if self.ending == "draw" and self.played == len(self.plies) - 1:
            text += "\nI offer a draw."
        return text


class Play:
    """All games of the section."""

    def __init__(self, home, seed=1, longest=20):
        """`longest`: the plies of the longest game."""
        self.home, self.lab = home, home.lab
        scripts = [script for script in SCRIPTS if len(script[0].split()) <= longest]
        pairs = sorted(home.games())
        self.games = [Game(white, black, scripts[n % len(scripts)]) for n, (white, black) in enumerate(pairs)]
        self.chance = random.Random(seed)
        self.sent = 0
        self.instant = home.now

    @property
    def is_over(self):
        return all(game.over for game in self.games)

    def inbox(self, name):
        """Returns a player's letters by Message-ID, and fails on one that came twice where that may not be."""
        letters = [Letter(raw) for raw in self.lab.mailbox(name)]
        return {letter.id.strip("<>"): letter for letter in letters}

    def letter_to(self, game, name, inbox, ledger):
        """Returns the letter that a player answers: the last about this game, else that of the section."""
        member = next(f"1200000{n}" for n, short in enumerate(NAMES, 1) if short == name)
        mine = [row for row in ledger if row["player"] == member and row["message_id"] in inbox]
        wanted = "/".join(game.players)
        about = [row for row in mine if row["notice"] == "move" and self.players_of(row) == wanted]
        start = [row for row in mine if row["notice"] == "assignment"]
        chosen = (about or start)
        expect(chosen, f"{name} has no letter about {wanted}")
        return inbox[chosen[-1]["message_id"]]

    def players_of(self, row):
        return self.seats_to_names.get(row["game"], "")

    def round(self):
        """Every game goes on by a ply: all mails leave, through the door of the outer world."""
        table = self.home.json("crosstable", "19N01")[0]
        seat = {row["name"].split()[0].lower(): row["seat"] for row in table["seats"]}
        ledger = self.home.letters()
        self.seats_to_names = {}
        for game in self.games:
            white, black = (seat[name] for name in game.players)
            self.seats_to_names[f"19N01 {white}-{black}"] = "/".join(game.players)
        inboxes = {name: self.inbox(name) for name in NAMES}
        when = datetime.datetime.fromisoformat(self.instant.replace("Z", "+00:00"))
        mails = []
        for game in self.games:
            if game.over:
                continue
            name = game.mover
            letter = self.letter_to(game, name, inboxes[name], ledger)
            shape = self.chance.choice(sorted(SHAPES))
            self.sent += 1
            mails.append((name, answer(letter, f"{name}@example.org", FULL[name], game.words(), when, shape, self.sent), letter))
            if game.is_ending or (game.played == len(game.plies) - 1 and game.ending == "mate"):
                game.over = True
            game.played += 1
        self.chance.shuffle(mails)
        self.post(mails)
        return len(mails)

    def post(self, mails):
        with smtplib.SMTP("127.0.0.1", self.lab.port["mx"]) as server:
            for name, raw, letter in mails:
                server.sendmail(f"{name}@example.org", [letter.reply_to.split("<")[-1].rstrip(">")], raw)
        self.lab.settle()

    def go_on(self, hours=8):
        self.instant = later(self.instant, 60 * hours)
        self.home.at(self.instant)

    def check_table(self):
        """The crosstable says what was played."""
        table = self.home.games()
        for game in self.games:
            row = table[game.players]
            expect(row["result"] == game.result, f"{game.players}: {row['result']} and not {game.result} ({row})")

    def check_letters(self, twice_allowed=()):
        """Every letter came to whom it was for, once."""
        waiting = [row for row in self.home.letters() if row["state"] != "sent"]
        expect(not waiting, f"letters that are not sent: {waiting[:3]}")
        count = {}
        for name in [*NAMES, "director"]:
            for raw in self.lab.mailbox(name):
                key = (name, Letter(raw).id.strip("<>"))
                count[key] = count.get(key, 0) + 1
        ledger = {(row["to"].split("@")[0], row["message_id"]) for row in self.home.letters()}
        lost = ledger - set(count)
        expect(not lost, f"letters that never came: {sorted(lost)[:3]}")
        twice = {key for key, times in count.items() if times > 1} - set(twice_allowed)
        expect(not twice, f"letters that came twice: {sorted(twice)[:3]}")
        strange = {key for key in count if key not in ledger}
        expect(not strange, f"letters that nobody wrote: {sorted(strange)[:3]}")
