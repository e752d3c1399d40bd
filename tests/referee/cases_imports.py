"""Imports: a bad row is named and nothing is taken, the same again changes nothing, against the books is refused; exit codes and shapes."""

from cases import case
from compare import audit, docket_shape, keys, letter_shape

PEOPLE = [[f"4000000{i}", f"{name} Test", f"p4000000{i}@example.org", "US", "OH", rating, "2018-12-01" if rating else "", "2030-12-31"]
          for i, (name, rating) in enumerate([("Ann", 2100), ("Bob", 2000), ("Cy", 1900), ("Di", 1800), ("Ed", 1700), ("Flo", 1600), ("Gus", "")], 1)]
SEATS = [["19N01", "preliminary", i, f"4000000{i}", f"GK2019-00{i}", "2019-02-01"] for i in range(1, 8)]
GAMES = [["19N01", 1, 2, "1-0", "mate", "2019-05-01"], ["19N01", 4, 3, "1/2-1/2", "agreement", "2019-05-02"],
         ["19N01", 5, 6, "0-0", "double-forfeit", "2019-05-03"], ["19N01", 7, 1, "0-1", "silence-forfeit", "2019-05-04"]]


def adopted(stage):
    """A home with one running section of seven."""
    home = stage.home(now="2019-06-01T12:00:00-05:00")
    stage.done(home, "roster", PEOPLE)
    stage.done(home, "sections", SEATS)
    stage.done(home, "results", GAMES)
    return home


def refused(report, home, what, answer, line, word=None):
    """The import was refused, with file, line and, where given, the column named."""
    report.true(f"{what}: exit code {answer.code}", answer.code in (1, 2), answer.said())
    report.true(f"{what}: file and line are not named", f"{answer.arguments[2].name}:{line}" in answer.err, answer.said())
    if word:
        report.true(f"{what}: `{word}` is not named", word in answer.err, answer.said())


@case
def bad_rows(stage, report):
    """Bad rows of every kind of file are named by file, line and column, and nothing of the file is taken."""
    home = adopted(stage)
    stage.done(home, "entries", [["GK2019", "40000007", "2019-03-03", "yes", "GK2019-070"]], header="event,member_id,postmark,paid,entry", name="more.csv")
    good = {
        "roster": ["40000020", "Hal Test", "p40000020@example.org", "US", "OH", 1500, "2018-12-01", "2030-12-31"],
        "entries": ["GK2019", "40000001", "2019-03-01", "yes"],
        "payments": ["GK2019", "40000001", "25.00", "2019-03-02", "check 1"],
        "ratings": ["40000001", 2111, "2019-06-01"],
        "sections": ["19N02", "preliminary", 1, "40000002", "GK2019-050", "2019-03-01"],
        "results": ["19N01", 1, 4, "1-0", "resignation", "2019-05-20"],
        "scores": ["GK2019-070", "preliminary", "5.5", "0"],
    }
    bad = {
        "roster": [(5, "strong", "rating"), (7, "2030-13-31", "expires"), (2, "no at sign", "email"), (0, "", "member_id")],
        "entries": [(0, "XX2019", "event"), (1, "99999999", "member_id"), (2, "2019-02-30", "postmark"), (3, "perhaps", "paid")],
        "payments": [(2, "25,00", "amount"), (2, "-25.00", "amount"), (1, "99999999", "member_id"), (3, "yesterday", "received")],
        "ratings": [(1, "2lll", "rating"), (0, "99999999", "member_id"), (2, "06/01/2019x", "rating_date")],
        "sections": [(1, "quarterfinal", "round"), (2, "0", "seat"), (2, "x", "seat"), (3, "99999999", "member_id"), (5, "soon", "start")],
        "results": [(3, "2-0", "result"), (4, "lucky", "how"), (0, "19N77", "section"), (1, "9", "white_seat"), (2, "1", "black_seat"), (5, "2019-5-32", "date")],
        "scores": [(1, "quarterfinal", "round"), (2, "4.3", "points"), (2, "6.5", "points"), (3, "-1", "forfeit_losses")],
    }
    for kind, changes in bad.items():
        for place, value, column in changes:
            row = list(good[kind])
            row[place] = value
            books = home.journal()
            answer = home.load(kind, [good[kind], row], name=f"bad-{kind}.csv")
            refused(report, home, f"{kind} with {column} = {value!r}", answer, 3, column)
            report.true(f"{kind} with {column} = {value!r}: the books changed", home.journal() == books)
    for kind, row in good.items():
        answer = home.load(kind, [row + ["too", "many"]], name=f"wide-{kind}.csv")
        refused(report, home, f"{kind} with too many fields", answer, 2)
        books = home.journal()
        answer = home.load(kind, [row], header="member,stuff", name=f"head-{kind}.csv")
        report.true(f"{kind} without its columns: exit code {answer.code}", answer.code in (1, 2), answer.said())
        report.true(f"{kind} bad head: the books changed", home.journal() == books)


@case
def results_that_cannot_be(stage, report):
    """Results whose score and manner do not fit are refused: a drawn mate, a won double forfeit, a decided stalemate."""
    home = adopted(stage)
    odd = [("1/2-1/2", "mate"), ("1-0", "double-forfeit"), ("0-0", "mate"), ("1-0", "stalemate"), ("1/2-1/2", "resignation"),
           ("0-0", "agreement"), ("1/2-1/2", "time-forfeit"), ("1-0", "agreement")]
    games = [(1, 4), (5, 1), (1, 6), (2, 3), (4, 2), (2, 5), (6, 2), (2, 7)]
    for (white, black), (result, how) in zip(games, odd):
        answer = home.load("results", [["19N01", white, black, result, how, "2019-05-20"]], name="odd.csv")
        refused(report, home, f"{result} by {how}", answer, 2)


@case
def same_again(stage, report):
    """The same files again change nothing, exit code 0; a part of them neither; one row changed is refused, exit code 1."""
    home = adopted(stage)
    stage.done(home, "entries", [["GK2019", "40000001", "2019-03-01", "yes"], ["GK2019", "40000002", "2019-03-02", "no"]])
    stage.done(home, "payments", [["GK2019", "40000002", "25.00", "2019-03-05", "check 5"]])
    stage.done(home, "ratings", [["40000003", 1950, "2019-06-01"]])
    books = home.journal()
    for kind in ("roster", "sections", "results", "entries", "payments", "ratings"):
        answer = home.call("import", kind, home.root / f"{kind}.csv")
        report.same(f"{kind} again", 0, answer.code)
        report.true(f"{kind} again: the books changed", home.journal() == books, answer.said())
        books = home.journal()
    answer = home.load("sections", [["19N01", "preliminary", 1, "40000002", "GK2019-002", "2019-02-01"]], name="seat.csv")
    report.same("another member on a taken seat", 1, answer.code)
    answer = home.load("results", [["19N01", 1, 2, "0-1", "mate", "2019-05-01"]], name="other.csv")
    report.same("another result", 1, answer.code)
    refused(report, home, "another result", answer, 2)
    report.true("contradictions changed the books", home.journal() == books)
    answer = home.call("direct", "result", "19N01", "1-2", "0-1", "adjudication", "--reason", "the record was wrong")
    report.same("direct result overrules", (0, ""), (answer.code, answer.said() if answer.code else ""))
    shown = home.call("crosstable", "19N01", "--json").one()
    game = next(g for g in shown["games"] if (g["white"], g["black"]) == (1, 2))
    report.same("after direct result", ("0-1", "adjudication", "ruled"), (game["result"], game["how"], game["state"]))
    audit(report, home)


@case
def codes_in_any_spelling(stage, report):
    """Section codes in every spelling: case, zeros, blanks and hyphens."""
    home = adopted(stage)
    for spelling in ("19N01", "19n1", "19N1", "19 N 01", "19-N-1", "19n-01", "19N001", "2019N01", "19 n1"):
        answer = home.call("crosstable", spelling, "--json")
        shown = answer.one() if answer.code == 0 else None
        report.same(f"crosstable {spelling!r}", "19N01", shown and shown["section"])
    answer = home.load("results", [["19n1", 1, 4, "1-0", "resignation", "2019-05-20"]], name="spelt.csv")
    report.same("results of 19n1", (0, ""), (answer.code, answer.said() if answer.code else ""))


@case
def as_of(stage, report):
    """--as-of shows the books as they were at the end of a day."""
    home = stage.home(now="2019-02-01T12:00:00-06:00")
    stage.done(home, "roster", PEOPLE)
    stage.done(home, "sections", SEATS)
    for day, (white, black, result, how) in [("2019-03-01", (1, 2, "1-0", "mate")), ("2019-04-01", (1, 4, "1-0", "mate"))]:
        home.call("direct", "result", "19N01", f"{white}-{black}", result, how, "--reason", "told by letter", now=f"{day}T12:00:00-06:00")
    for day, points in [("2019-02-28", "0"), ("2019-03-01", "1"), ("2019-03-31", "1"), ("2019-04-01", "2"), ("2019-05-01", "2")]:
        shown = home.call("crosstable", "19N01", "--json", "--as-of", day, now="2019-06-01T12:00:00-05:00").one()
        report.same(f"points of seat 1 as of {day}", points, shown and shown["seats"][0]["points"])
        lines = home.call("standings", "GK2019", "--json", "--as-of", day, now="2019-06-01T12:00:00-05:00").lines()
        mine = [line["points"] for line in lines if line["entry"] == "GK2019-001"]
        report.same(f"standings of GK2019-001 as of {day}", [[points, None, None]], mine)
    answer = home.call("crosstable", "19N01", "--json", "--as-of", "2019-01-15", now="2019-06-01T12:00:00-05:00")
    report.true("a section is shown before it was in the books", answer.code in (1, 2) and not answer.out.strip(), answer.out[:80])


@case
def exit_codes_and_shapes(stage, report):
    """Exit codes of wrong use and unknown things, and the shapes of the contract."""
    home = adopted(stage)
    wrong = [("crosstable", "19N99"), ("show", "entry", "GK2019-999"), ("show", "player", "99999999"), ("standings", "XX2019"), ("prizes", "XX2019"),
             ("rule", "D999", "accept"), ("show", "letter", "L999"), ("why", "L999"), ("show", "section", "19N99"), ("show", "game", "19N01", "1-9")]
    for line in wrong:
        answer = home.call(*line)
        report.true(f"{' '.join(line)}: exit code {answer.code}, it must be 1 or 2", answer.code in (1, 2), answer.said())
        report.true(f"{' '.join(line)}: nothing on standard error", answer.err.strip())
        report.true(f"{' '.join(line)}: standard output must be empty", not answer.out.strip(), answer.out[:80])
    for line in [("frobnicate",), ("import", "nonsense", "x.csv"), ("crosstable",), ("--now", "yesterday", "docket")]:
        answer = home.call(*line)
        report.same(f"{' '.join(line)}: exit code", 2, answer.code)
    shown = home.call("show", "player", "40000001", "--json").one()
    keys(report, "show player", shown, ["entries", "emails", "rating", "expires", "credit"])
    home.call("run", "--once", now="2019-06-03T12:00:00-05:00")
    letter_shape(report, home.json("letters"))
    docket_shape(report, home.json("docket"))
    audit(report, home)
    for line in [("agenda",), ("check",), ("letters",), ("docket",), ("standings", "GK2019"), ("prizes", "GK2019"), ("crosstable", "19N01"), ("preview", "assignment")]:
        answer = home.call(*line)
        report.true(f"{' '.join(line)}: exit code {answer.code}", answer.code == 0, answer.said())
        wide = [row for row in answer.out.splitlines() if len(row) > 100]
        report.same(f"{' '.join(line)}: rows wider than 100 columns", [], wide[:1])
    home.configure("events/golden-knights-2019.toml", 'advance = "4.5"', 'advance = "many"')
    answer = home.call("docket")
    report.same("a wrong key in an event: exit code", 2, answer.code)
    report.true("a wrong key in an event names file, line and key", "golden-knights-2019.toml" in answer.err and "advance" in answer.err, answer.said())


@case
def joined_by_member(stage, report):
    """Sections without entry ids: later rounds are joined by member where that is unambiguous, else refused."""
    home = stage.home(now="2023-03-01T12:00:00-06:00")
    members = [f"41{i:06}" for i in range(1, 21)]
    stage.done(home, "roster", [[m, f"Player {m[-2:]}", f"p{m}@example.org", "US", "OH", 1500, "2018-12-01", "2030-12-31"] for m in members])
    header = "section,round,seat,member_id,start"
    seated = members + members[:1]                 # the first sits in the first and in the third section
    rows = [[f"19N{i // 7 + 1:02}", "preliminary", i % 7 + 1, m, "2019-02-01"] for i, m in enumerate(seated)]
    stage.done(home, "sections", rows, header=header)
    semi = [["19Ns01", 2, seat, m, "2021-02-01"] for seat, m in enumerate(members[1:8], 1)]
    stage.done(home, "sections", semi, header=header, name="semi.csv")
    shown = home.call("show", "player", members[1], "--json").one()
    report.same("one entry in both rounds", 1, len(shown["entries"]))
    report.same("its sections", ["19N01", "19Ns01"], sorted(home.call("show", "entry", shown["entries"][0], "--json").one()["sections"]))
    books = home.journal()
    other = [["19Ns02", 2, seat, m, "2021-02-01"] for seat, m in enumerate([members[0], *members[8:14]], 1)]
    answer = home.load("sections", other, header=header, name="other.csv")
    report.true(f"two entries of one member, which one plays on is not said: exit code {answer.code}", answer.code == 1, answer.said())
    report.true("the row is named", "other.csv:2" in answer.err, answer.said())
    report.true("the books changed", home.journal() == books)


@case
def damaged_store(stage, report):
    """A byte changed in the books: exit code 3, with file and line; nothing is written any more."""
    home = adopted(stage)
    path = sorted((home.dir / "store/journal").glob("*"))[0]
    good = path.read_bytes()
    path.write_bytes(good.replace(b"Test", b"Tost", 1))
    for line in [("docket",), ("crosstable", "19N01"), ("run", "--once"), ("audit",)]:
        answer = home.call(*line)
        report.same(f"{line[0]} on damaged books: exit code", 3, answer.code)
        report.true(f"{line[0]} on damaged books names the file", path.name in answer.err, answer.said())
    path.write_bytes(good)
    report.same("mended again", 0, home.call("audit").code)
