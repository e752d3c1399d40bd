"""Letters that do not arrive, with the refusals and reports that Postfix and Dovecot really make."""
from home import NAMES, Home, expect, later
from proxy import Proxy
from shapes import Letter

BAD = {"ann": "nobody@example.org", "ben": "busy@example.org", "clara": "gone@example.org", "david": "refused@example.net",
       "edith": "asleep@example.net", "frank": "grey@example.net", "gina": "closing@example.org"}


def _letters(home, notice="assignment"):
    return {row["player"]: row for row in home.letters(notice=notice)}


def _member(name):
    return f"1200000{list(NAMES).index(name) + 1}"


def letters_that_do_not_arrive(binary, lab):
    """Refused, put off, hung up on, bounced, delayed, given up, greylisted: each as the server says it"""
    home = Home(binary, lab)
    home.on_servers(mailbox='done = "Done"\n')
    home.people(emails=BAD | {"clara": f"{BAD['clara']};clara@example.org"})
    home.at("2019-01-07T16:00:00Z")
    home.pass_once(code=None)
    first = _letters(home)
    state = lambda name: _letters(home)[_member(name)]["state"]
    expect(state("ann") in ("printed", "waiting"), f"a 550 sends it on paper: {first[_member('ann')]}")
    expect(state("ben") == "waiting" and state("gina") == "waiting", "a 451 and a 421 are tried again")
    for name in ("clara", "david", "edith", "frank"):
        expect(state(name) == "sent", f"{name}'s was taken: {state(name)}")
    # The reports come: at once, for the delay, and when the next server gives up.
    kinds = set()
    for step in range(1, 9):
        import time
        time.sleep(2)
        home.at(later(home.now, 20))
        home.pass_once(code=None)
        kinds |= {item["kind"] for item in home.json("docket")}
        if state("edith") in ("printed", "bounced", "failed") and step > 3:
            break
    home.at(later(home.now, 20))
    home.pass_once(code=None)
    lab.settle()
    expect("letter-failed" in kinds, f"the director is told: {kinds}")
    expect(state("frank") == "sent", "greylisting is nobody's fault")
    expect(any("Your games" in Letter(raw).subject for raw in lab.mailbox("clara")), "Clara's second address has it")
    for name in ("david", "edith"):
        expect(state(name) == "printed", f"{name} has it on paper: {state(name)}")
    about = {item["about"].get("player") for item in home.json("docket") if item["kind"] == "letter-failed"}
    expect(_member("frank") not in about, "nothing is said about Frank")
    expect(_member("david") in about, f"the docket names David: {about}")
    reports = [row for row in home.json("letters") if row["notice"] == "not-understood"]
    expect(not reports, "no report was answered")
    home.audit()
    # Days go by; 451 for five days is too much.
    for _ in range(6):
        home.at(later(home.now, 24 * 60))
        home.pass_once(code=None)
    expect(state("ben") != "waiting", "it is not tried for ever")
    home.audit()


def a_full_mailbox(binary, lab):
    """Over quota: the report says 5.2.2, and it passes"""
    home = Home(binary, lab)
    home.on_servers(mailbox='done = "Done"\n')
    home.people(emails={"ann": "full@example.org"})
    home.at("2019-01-07T16:00:00Z")
    # The first letters fill it; then reports come.
    for _ in range(4):
        home.pass_once(code=None)
        lab.settle()
        for row in home.letters(player=_member("ann")):
            if row["notice"] == "assignment":
                home.run("resend", row["letter"], code=None)
        home.at(later(home.now, 20))
    home.pass_once(code=None)
    lab.settle()
    home.at(later(home.now, 20))
    home.pass_once(code=None)
    player = home.json("show", "player", _member("ann"))[0]
    expect("full@example.org" in player["emails"] and not player.get("failed_emails"), f"the address is not given up: {player}")
    home.audit()


def a_lost_acknowledgement(binary, lab):
    """The server takes a letter and the wire breaks before it says so: sent again, under the same Message-ID"""
    home = Home(binary, lab)
    proxy = Proxy(lab.port["mx"], lambda n: ("in", b"250 2.0.0 Ok: queued", "lose") if n == 1 else None)
    out = f'kind = "smtp"\nhost = "localhost"\nport = {proxy.port}\ntls = "off"\nauth = "none"\nconnections = 1\n'
    from home import account
    home.configure(account("imap", lab.port["imaps"], lab, "implicit", 'done = "Done"\n'), out)
    home.people()
    home.at("2019-01-07T16:00:00Z")
    home.pass_once(code=None)
    expect(proxy.broken == 1, "the wire broke")
    doubtful = [row for row in home.letters() if row["state"] == "waiting"]
    expect(len(doubtful) >= 1, "one waits")
    for _ in range(3):
        home.at(later(home.now, 20))
        home.pass_once(code=None)
    lab.settle()
    expect(all(row["state"] == "sent" for row in home.letters()), "all are sent in the end")
    times = {}
    for name in [*NAMES, "director"]:
        for raw in lab.mailbox(name):
            key = (name, Letter(raw).id)
            times[key] = times.get(key, 0) + 1
    expect(sorted(times.values())[-2:] == [1, 2], f"one came twice, and no other: {sorted(times.values())}")
    expect(proxy.connections < len(times), f"several letters share a connection: {proxy.connections} for {len(times)}")
    home.audit()
    proxy.close()
