"""Accounts: how the program proves who it is, and what `check` says where that does not work."""
from home import SECRET, Home, account, expect
from lab import PASSWORD, free_port

from .looks import _post


def _answered(home, lab, times=1):
    home.pass_once()
    lab.settle()
    came = len(lab.mailbox("ann"))
    expect(came == times, f"{came} answers came, not {times}")


def check_explains(binary, lab):
    """`check` tries the accounts for real, names what is wrong and what mends it, and shows no secret"""
    home = Home(binary, lab)
    port = lab.port
    good_in = lambda: account("imap", port["imaps"], lab, "implicit", 'done = "Done"\n')
    good_out = lambda: account("smtp", port["smtps"], lab, "implicit")
    home.configure(good_in(), good_out())
    home.run("check")
    starttls_in, starttls_out = (account("imap", port["imap"], lab, "starttls", 'done = "Done"\n'),
                                 account("smtp", port["submission"], lab, "starttls"))
    home.configure(starttls_in, starttls_out)
    home.run("check")
    stranger = good_in().replace(str(lab.ca), str(lab.root / "ca/othername.crt"))
    no_folder = account("imap", port["imaps"], lab, "implicit", 'folders = ["INBOX", "Championship"]\ndone = "Done"\n')
    closed = account("smtp", free_port(), lab, "implicit")
    for what, inbox, outbox, words in [
        ("an authority that nobody knows", stranger, good_out(), ["certificate"]),
        ("a folder that is not there", no_folder, good_out(), ["Championship"]),
        ("nobody listens", good_in(), closed, ["out of reach"]),
        ("a plain port where TLS is expected", account("imap", port["imap"], lab, "implicit"), good_out(), ["TLS"]),
    ]:
        home.configure(inbox, outbox)
        done = home.run("check", code=1)
        said = done.stderr.decode() + done.stdout.decode()
        expect(all(word in said for word in words), f"{what}: {said}")
        expect(PASSWORD not in said, "the password is shown")
    home.configure(good_in(), good_out())
    home.secret(SECRET, "not-the-right-one")
    done = home.run("check", code=1)
    said = done.stderr.decode() + done.stdout.decode()
    expect("not-the-right-one" not in said and "password" in said, f"a wrong password: {said}")


def tokens_instead_of_passwords(binary, lab):
    """XOAUTH2 and OAUTHBEARER: a token that has run out is replaced, and the mail comes all the same"""
    home = Home(binary, lab)
    lab.provider.refresh["the-refresh-token"] = "knights@example.org"
    home.secret("club.refresh", "the-refresh-token")
    times = 0
    for way in ("xoauth2", "oauthbearer"):
        keys = lambda kind, port, more="": account(kind, port, lab, "implicit", more).replace(
            f'secret = "{SECRET}"', f'auth = "{way}"\noauth = "club"')
        home.configure(keys("imap", lab.port["imaps"], 'done = "Done"\n'), keys("smtp", lab.port["smtps"]))
        path = home.dir / "knightmail.toml"
        if "[oauth.club]" not in path.read_text():
            path.write_text(path.read_text() + f'\n[oauth.club]\nclient_id = "knightmail"\ntoken_url = "{lab.provider.url}/token"\n'
                                               'scope = "mail"\n')
        if times == 0:
            home.people()
        for n in (1, 2):
            _post(lab, f"{way}-{n}")
            times += 1
            _answered(home, lab, times)
            lab.provider.forget()
    said = home.run("check").stdout.decode()
    expect("access-token" not in said and "refresh-token" not in said, "a token is shown")
    lab.provider.refresh.clear()
    lab.provider.forget()
    done = home.pass_once(code=1)
    said = done.stderr.decode()
    expect("login club" in said, f"the remedy is to sign in again: {said}")
    home.audit()


def mail_by_pop3(binary, lab):
    """POP3: a mail is deleted only after it is in the books"""
    home = Home(binary, lab)
    home.people()
    out = account("smtp", lab.port["smtps"], lab, "implicit")
    for number, (tls, port) in enumerate((("implicit", "pop3s"), ("starttls", "pop3")), 1):
        home.configure(account("pop3", lab.port[port], lab, tls), out)
        home.run("check")
        _post(lab, number)
        expect(len(lab.mailbox("knights")) == 1, "it waits")
        _answered(home, lab, number)
        expect(not lab.mailbox("knights"), "and is gone when it was seen to")
    expect(home.audit()["mails"]["received"] == 2, "two mails")
