"""A preliminary section, from the first letter to the last, through Postfix and Dovecot."""
from home import Home, expect, later
from play import Play


def a_section_is_played(binary, lab):
    """Seven players with ten mail programs play their 21 games by mail; every letter comes once"""
    home = Home(binary, lab)
    home.on_servers(mailbox='done = "Done"\n')
    table = home.form_section()
    expect(table["state"] == "running" and len(table["games"]) == 21, f"no section formed: {table}")
    lab.settle()
    play = Play(home)
    rounds = 0
    while not play.is_over:
        play.go_on()
        mails = play.round()
        home.pass_once()
        lab.settle()
        rounds += 1
        expect(rounds < 30 and mails, "the section does not come to its end")
    play.check_table()
    expect(home.json("crosstable", "19N01")[0]["state"] == "complete", "the section is not complete")
    audit = home.audit()
    expect(audit["mails"]["received"] == play.sent, f"{play.sent} mails were sent: {audit['mails']}")
    expect(audit["mails"]["held"] == 0 and audit["mails"]["acted"] == play.sent, f"all were understood: {audit['mails']}")
    play.check_letters()
    left = lab.doveadm("search", "-u", "knights@example.org", "mailbox", "INBOX", "all").strip()
    expect(not left, "what was seen to has left the inbox")
    done = lab.doveadm("search", "-u", "knights@example.org", "mailbox", "Done", "all").split("\n")
    expect(len([line for line in done if line]) == play.sent, "and lies in the folder for it")
    home.at(later(home.now, 60))
    home.pass_once()
    expect(home.audit() == audit, "another pass finds nothing to do")
