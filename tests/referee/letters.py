"""Which letters the rules owe to whom, by the end of a championship."""

from collections import Counter


def letters_owed(report, home, oracle):
    """Compares the letters in the books, by notice and player, with those that follow from the tables."""
    owner = oracle.made.owner
    owed = {name: Counter() for name in ("assignment", "advancement", "filled-in", "gift-certificate", "framing-certificate", "pin", "prize", "champion")}
    for table in oracle.made.tables.values():
        for entry in table.seats.values():
            owed["assignment"][owner[entry]] += 1
    for (entry, index) in oracle.home_of:
        if index < oracle.last and oracle.qualifies(entry, index) == "yes":
            owed["advancement"][owner[entry]] += 1
        if index and oracle.qualifies(entry, index - 1) != "yes":
            owed["filled-in"][owner[entry]] += 1
    for entry, index in oracle.taken.items():
        if (entry, index + 1) not in oracle.home_of:
            owed["filled-in"][owner[entry]] += 1
    for entry in oracle.assigned():
        index = oracle.latest(entry)
        if oracle.states(entry) in ({"eliminated"}, {"withdrawn"}):
            owed["gift-certificate" if index == 0 else "framing-certificate"][owner[entry]] += 1
        if oracle.entitled(entry):
            owed["pin"][owner[entry]] += 1
    _, shares, _ = oracle.prizes()
    if oracle.over():
        for entry, (_, amount, _) in shares.items():
            if amount:
                owed["prize"][owner[entry]] += 1
        best = max(oracle.weighted(entry) for entry in oracle.assigned())
        first = [entry for entry in oracle.assigned() if oracle.weighted(entry) == best]
        if len(first) == 1 and oracle.entitled(first[0]):
            owed["champion"][owner[first[0]]] += 1
        else:
            owed.pop("champion")                # nobody, a tie, or one without a right to it: the director's word decides
    shown = {name: Counter() for name in owed}
    for letter in home.json("letters"):
        if letter["notice"] in shown:
            shown[letter["notice"]][letter["player"]] += 1
        player = oracle.made.players.get(letter["player"])
        if player is not None:
            report.same(f"letter {letter['letter']} goes to", player.email or None, letter["to"])
            if not player.email:
                report.within(f"letter {letter['letter']} to a player without address", {"printed", "waiting"}, letter["state"])
    for name in owed:
        for player in sorted(set(owed[name]) | set(shown[name])):
            report.same(f"letters {name} to {player}", owed[name][player], shown[name][player])
