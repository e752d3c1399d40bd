//! Signing in at a provider and access tokens, against a provider of a few lines that answers from a list: both flows,
//! every no, tokens that are replaced, a provider that is away or talks nonsense. And no secret is ever printed.

use crate::world::{bare, end, write};
use knightmail::{
    digest::Digest,
    fault::Fault,
    net::{
        oauth::{
            self, OAuth,
            signin::{self, Arrival, Journey},
        },
        secret::Keyring,
    },
};
use secrecy::ExposeSecret as _;
use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    os::unix::fs::PermissionsExt as _,
    path::Path,
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};
use tempfile::TempDir;

/// What the provider was asked: the path, and the form.
type Asked = (String, BTreeMap<String, String>);

/// A provider. It gives its answers in turn, and then is gone.
struct Provider {
    url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Provider {
    fn of(answers: &[(u16, &str)]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let answers: Vec<_> = answers.iter().map(|(s, text)| (*s, (*text).to_owned())).collect();
        let notes = Arc::clone(&asked);
        thread::spawn(move || {
            for (status, text) in answers {
                let (mut stream, _) = listener.accept().unwrap();
                notes.lock().unwrap().push(request(&stream));
                let _ = write!(
                    stream,
                    "HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nLocation: /else\r\n\
                     Content-Length: {}\r\nConnection: close\r\n\r\n{text}",
                    text.len()
                );
            }
        });
        Self { url, asked }
    }

    fn oauth(&self, name: &str) -> OAuth {
        OAuth {
            name: name.to_owned(),
            client_id: "knightmail-id".to_owned(),
            token_url: format!("{}/token", self.url),
            device_url: Some(format!("{}/device", self.url)),
            authorize_url: Some(format!("{}/authorize?hint=yes", self.url)),
            scope: "mail offline".to_owned(),
        }
    }

    /// Returns what was asked, a value of each form.
    fn values(&self, key: &str) -> Vec<Option<String>> {
        self.asked.lock().unwrap().iter().map(|(_, form)| form.get(key).cloned()).collect()
    }
}

fn request(stream: &TcpStream) -> Asked {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    let path = line.split(' ').nth(1).unwrap().to_owned();
    let mut length = 0;
    while line.trim() != "" {
        line.clear();
        reader.read_line(&mut line).unwrap();
        if let Some(("content-length", n)) = line.to_lowercase().trim().split_once(": ") {
            length = n.parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    (path, pairs(&String::from_utf8(body).unwrap()))
}

fn pairs(query: &str) -> BTreeMap<String, String> {
    let plain = |text: &str| {
        let mut parts = text.split('%');
        let mut bytes = parts.next().unwrap().replace('+', " ").into_bytes();
        for part in parts {
            bytes.push(u8::from_str_radix(&part[..2], 16).unwrap());
            bytes.extend(part[2..].replace('+', " ").bytes());
        }
        String::from_utf8(bytes).unwrap()
    };
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    pairs.map(|(key, value)| (plain(key), plain(value))).collect()
}

fn keyring() -> (TempDir, Keyring) {
    let home = tempfile::tempdir().unwrap();
    let keyring = Keyring { folder: home.path().join("secrets") };
    (home, keyring)
}

/// Puts a secret into the home.
fn put(keyring: &Keyring, name: &str, text: &str) {
    fs::create_dir_all(&keyring.folder).unwrap();
    let path = keyring.folder.join(name);
    write(&path, text.as_bytes());
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

const BEGUN: &str = r#"{"device_code": "device-secret", "user_code": "WDJB-MJHT",
    "verification_uri": "https://login.example.org/device", "expires_in": 900, "interval": 1}"#;
const PENDING: &str = r#"{"error": "authorization_pending"}"#;
const SLOWER: &str = r#"{"error": "slow_down"}"#;
const TOKENS: &str = r#"{"access_token": "access-one", "token_type": "Bearer",
    "expires_in": 3600, "refresh_token": "refresh-one"}"#;
const ACCESS: &str = r#"{"access_token": "access-two", "expires_in": "3600"}"#;

/// Signs in by device; returns the waits and what came of it.
fn by_device(answers: &[(u16, &str)], keyring: &Keyring) -> (Vec<u64>, Result<(), Fault>) {
    let provider = Provider::of(answers);
    let (mut waits, mut shown) = (Vec::new(), Vec::new());
    let done = signin::by_device(
        &provider.oauth("club"),
        keyring,
        &mut |prompt| shown.push(prompt.clone()),
        &mut |pause| waits.push(pause.as_secs()),
    );
    assert!(shown.len() <= 1, "{shown:?}");
    (waits, done)
}

#[test]
fn by_device_it_waits_as_it_is_told_and_keeps_the_token_for_the_owner_alone() {
    let (_home, keyring) = keyring();
    let answers = [(200, BEGUN), (400, PENDING), (400, SLOWER), (400, PENDING), (200, TOKENS)];
    let provider = Provider::of(&answers);
    let mut waits = Vec::new();
    let mut prompts = Vec::new();
    signin::by_device(
        &provider.oauth("club"),
        &keyring,
        &mut |prompt| prompts.push(prompt.clone()),
        &mut |pause| waits.push(pause.as_secs()),
    )
    .unwrap();
    assert_eq!(waits, [1, 1, 6, 6]);
    assert_eq!(prompts.len(), 1);
    assert_eq!(prompts[0].code, "WDJB-MJHT");
    assert_eq!(prompts[0].url, "https://login.example.org/device");
    assert_eq!(prompts[0].lasts, Duration::from_mins(15));
    let path = keyring.folder.join("club.refresh");
    assert_eq!(fs::read_to_string(&path).unwrap(), "refresh-one\n");
    assert_eq!((mode(&path), mode(&keyring.folder)), (0o600, 0o700));
    let asked = provider.asked.lock().unwrap();
    assert_eq!(asked[0].0, "/device");
    assert_eq!(asked[0].1["scope"], "mail offline");
    assert_eq!(asked[4].0, "/token");
    assert_eq!(asked[4].1["device_code"], "device-secret");
    assert_eq!(asked[4].1["grant_type"], "urn:ietf:params:oauth:grant-type:device_code");
    assert!(!asked[4].1.contains_key("client_secret"), "there is none");
}

#[test]
fn by_device_a_no_and_a_code_that_has_run_out_are_said_in_words() {
    let short = BEGUN.replace("900", "3").replace("\"interval\": 1", "\"interval\": 2");
    let no = r#"{"error": "access_denied", "error_description": "device-secret refused"}"#;
    let late = r#"{"error": "expired_token"}"#;
    for (answers, told, waited) in [
        (vec![(200, BEGUN), (400, no)], "club was told no (access_denied)", 1),
        (vec![(200, BEGUN), (400, late)], "club waited too long (expired_token)", 1),
        (
            vec![(200, short.as_str()), (400, PENDING), (400, PENDING)],
            "club waited too long (expired_token)",
            4,
        ),
        (vec![(200, r#"{"user_code": "X"}"#)], "club gives no code to type in", 0),
        (vec![(200, BEGUN), (200, ACCESS)], "club gives no refresh token", 1),
    ] {
        let (_home, keyring) = keyring();
        let (waits, done) = by_device(&answers, &keyring);
        let fault = done.unwrap_err();
        assert!(fault.what.starts_with(told), "{fault}");
        assert!(fault.is_transient() && !fault.to_string().contains("device-secret"), "{fault}");
        assert_eq!(waits.iter().sum::<u64>(), waited, "{told}");
        assert!(!keyring.folder.join("club.refresh").exists());
    }
}

#[test]
fn an_access_token_is_kept_until_it_is_refused_and_a_new_refresh_token_is_saved() {
    let rotated =
        r#"{"access_token": "access-one", "expires_in": 3600, "refresh_token": "second"}"#;
    let provider = Provider::of(&[(200, rotated), (200, ACCESS)]);
    let oauth = provider.oauth("rotating");
    let (_home, keyring) = keyring();
    put(&keyring, "rotating.refresh", "first\n");
    put(&keyring, "rotating.client", "client-secret");
    let token = |fresh| oauth::access_token(&oauth, &keyring, fresh).unwrap();
    assert_eq!(token(false).expose_secret(), "access-one");
    assert_eq!(token(false).expose_secret(), "access-one");
    assert_eq!(token(true).expose_secret(), "access-two");
    let sent = |key| provider.values(key).into_iter().map(Option::unwrap).collect::<Vec<_>>();
    assert_eq!(sent("refresh_token"), ["first", "second"]);
    assert_eq!(sent("client_secret"), ["client-secret", "client-secret"]);
    assert_eq!(sent("grant_type"), ["refresh_token", "refresh_token"]);
    let path = keyring.folder.join("rotating.refresh");
    assert_eq!(fs::read_to_string(&path).unwrap(), "second\n");
    assert_eq!(mode(&path), 0o600);
    assert!(!format!("{:?}", token(false)).contains("access"), "a token is not printed");
}

#[test]
fn a_token_that_is_nearly_over_is_not_shown_again() {
    let short = r#"{"access_token": "access-one", "expires_in": 0}"#;
    let provider = Provider::of(&[(200, short), (200, ACCESS)]);
    let (_home, keyring) = keyring();
    put(&keyring, "short.refresh", "first");
    let token = || oauth::access_token(&provider.oauth("short"), &keyring, false).unwrap();
    assert_eq!(token().expose_secret(), "access-one");
    assert_eq!(token().expose_secret(), "access-two");
}

#[test]
fn every_no_of_a_provider_has_its_remedy() {
    let grant = r#"{"error": "invalid_grant", "error_description": "Token refresh-one revoked"}"#;
    let client = r#"{"error": "invalid_client", "error_description": "unknown\nTrace: 7"}"#;
    for (status, text, told, remedy) in [
        (400, grant, "club no longer takes our sign-in (invalid_grant)", "knightmail login club"),
        (401, client, "club does not know us (invalid_client: unknown)", "secrets/club.client"),
        (400, r#"{"error": "odd word!"}"#, "club gives no token (oddword)", "[oauth.club]"),
        (200, "<html>", "127.0.0.1 answers with status 200 and no words", "[oauth.NAME]"),
        (302, "{}", "127.0.0.1 answers with status 302 and no words", "[oauth.NAME]"),
        (503, "", "127.0.0.1 answers with status 503 and no words", "by itself"),
        (200, "{}", "club gives no access token", "token_url"),
        (200, r#"{"access_token": "a\u0001b"}"#, "club gives no access token", "token_url"),
    ] {
        let provider = Provider::of(&[(status, text)]);
        let (_home, keyring) = keyring();
        put(&keyring, "club.refresh", "refresh-one");
        let fault = oauth::access_token(&provider.oauth("club"), &keyring, false).unwrap_err();
        assert!(fault.what.starts_with(told), "{fault}");
        assert!(fault.remedy.contains(remedy), "{fault}");
        assert!(!fault.to_string().contains("refresh-one"), "{fault}");
        assert!(fault.is_transient());
    }
}

#[test]
fn a_provider_that_is_away_and_a_sign_in_that_never_was_are_told_apart() {
    let (_home, keyring) = keyring();
    let oauth = Provider::of(&[]).oauth("club");
    let fault = oauth::access_token(&oauth, &keyring, false).unwrap_err();
    assert_eq!(fault.what, "nobody has signed in to club yet");
    assert!(fault.remedy.contains("knightmail login club"));
    put(&keyring, "club.refresh", "refresh-one");
    let fault = oauth::access_token(&oauth, &keyring, false).unwrap_err();
    assert!(fault.what.starts_with("127.0.0.1 is out of reach"), "{fault}");
    fs::set_permissions(keyring.folder.join("club.refresh"), fs::Permissions::from_mode(0o644))
        .unwrap();
    let fault = oauth::access_token(&oauth, &keyring, false).unwrap_err();
    assert!(fault.remedy.starts_with("chmod 600 "), "{fault}");
}

#[test]
fn a_browser_that_does_not_know_what_was_asked_is_not_believed() {
    let oauth = Provider::of(&[]).oauth("club");
    let journey = Journey::begin("http://127.0.0.1:8400/").unwrap();
    let url = journey.url(&oauth).unwrap();
    let query = pairs(url.split_once('?').unwrap().1);
    assert_eq!(query["hint"], "yes", "what stands in authorize_url stays");
    let state = &query["state"];
    assert!(state.len() >= 22 && query["code_challenge"].len() == 43);
    assert_ne!(Journey::begin("http://127.0.0.1:8400/").unwrap().url(&oauth).unwrap(), url);
    let arrival = |address: &str| match journey.arrival(&oauth, address) {
        Arrival::Code(code) => code,
        Arrival::Refused(fault) => fault.what,
        Arrival::Foreign => "foreign".to_owned(),
    };
    for (address, is) in [
        (format!("http://127.0.0.1:8400/?code=4%2F0A&state={state}"), "4/0A"),
        (format!("  /?state={state}&code=a+b#_\r\n"), "a b"),
        (format!("/?error=access_denied&state={state}"), "club was told no (access_denied)"),
        ("/?code=stolen&state=x".to_owned(), "foreign"),
        ("/?code=stolen&state=".to_owned(), "foreign"),
        ("/favicon.ico".to_owned(), "foreign"),
        (String::new(), "foreign"),
    ] {
        assert_eq!(arrival(&address), is, "{address}");
    }
}

/// A home with a provider, which signs in by browser alone.
fn home(provider: &Provider, device: bool) -> TempDir {
    let home = tempfile::tempdir().unwrap();
    bare(&["init", home.path().to_str().unwrap()], b"").code(0);
    let way = if device { "device_url" } else { "authorize_url" };
    let file = home.path().join("knightmail.toml");
    let text = fs::read_to_string(&file).unwrap();
    let url = &provider.url;
    let table = format!(
        "\n[oauth.club]\nclient_id = \"knightmail-id\"\ntoken_url = \"{url}/token\"\n\
         {way} = \"{url}/begin\"\nscope = \"mail\"\n"
    );
    write(&file, (text + &table).as_bytes());
    home
}

fn start(home: &TempDir, args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_knightmail"));
    command.env_clear().arg("--home").arg(home.path()).arg("login").args(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Reads the program's words up to the address that it shows.
fn address(child: &mut Child) -> (String, BufReader<std::process::ChildStdout>) {
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    loop {
        let mut line = String::new();
        assert!(reader.read_line(&mut line).unwrap() > 0, "it shows an address");
        if line.trim().starts_with("http") {
            return (line.trim().to_owned(), reader);
        }
    }
}

fn get(address: &str, path: &str) -> String {
    let server = address.trim_start_matches("http://").trim_end_matches('/');
    let mut stream = TcpStream::connect(server).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {server}\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

const SECRETS: [&str; 5] = ["refresh-one", "access-", "device-secret", "the-code", "client-secret"];

#[track_caller]
fn assert_no_secret(text: &str) {
    for secret in SECRETS {
        assert!(!text.contains(secret), "{secret} is in {text}");
    }
}

#[test]
fn login_by_browser_from_the_address_to_the_saved_key() {
    let provider = Provider::of(&[(200, TOKENS), (200, ACCESS)]);
    let home = home(&provider, false);
    let mut child = start(&home, &["club"]);
    let (url, mut rest) = address(&mut child);
    let query = pairs(url.split_once('?').unwrap().1);
    let (back, state) = (&query["redirect_uri"], &query["state"]);
    // Browsers open connections for nothing, and others may knock.
    drop(TcpStream::connect(back.trim_start_matches("http://").trim_end_matches('/')).unwrap());
    assert!(get(back, "/favicon.ico").starts_with("HTTP/1.1 404 "));
    assert!(get(back, "/?code=stolen&state=guessed").starts_with("HTTP/1.1 404 "));
    let answer = get(back, &format!("/?code=the-code&state={state}"));
    assert!(answer.ends_with("Signed in. You can close this page."), "{answer}");
    let mut words = String::new();
    rest.read_to_string(&mut words).unwrap();
    let ran = end(child).code(0);
    assert_no_secret(&(words.clone() + &ran.err));
    assert!(words.contains("secrets/club.refresh") && words.contains("It works"), "{words}");
    let saved = home.path().join("secrets/club.refresh");
    assert_eq!(fs::read_to_string(saved).unwrap(), "refresh-one\n");
    let asked = provider.asked.lock().unwrap();
    let form = &asked[0].1;
    assert_eq!((form["code"].as_str(), &form["redirect_uri"]), ("the-code", back));
    assert_eq!(challenge(&form["code_verifier"]), query["code_challenge"]);
    assert_eq!(asked[1].1["refresh_token"], "refresh-one", "it was tried");
}

/// RFC 7636 section 4.2.
fn challenge(verifier: &str) -> String {
    use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
    BASE64_URL_SAFE_NO_PAD.encode(Digest::of(verifier.as_bytes()).0)
}

#[test]
fn login_by_an_address_that_is_pasted() {
    let provider = Provider::of(&[(200, TOKENS), (200, ACCESS)]);
    let home = home(&provider, false);
    let mut child = start(&home, &["club", "--paste"]);
    let (url, mut rest) = address(&mut child);
    let query = pairs(url.split_once('?').unwrap().1);
    let mut stdin = child.stdin.take().unwrap();
    let pasted = format!("{}?state={}&code=the-code\n", query["redirect_uri"], query["state"]);
    stdin.write_all(b"http://127.0.0.1:8400/?code=the-code&state=other\n").unwrap();
    stdin.write_all(pasted.as_bytes()).unwrap();
    let mut words = String::new();
    rest.read_to_string(&mut words).unwrap();
    let ran = end(child).code(0);
    assert!(words.contains("Once more, please") && words.contains("It works"), "{words}");
    assert_no_secret(&(words + &ran.err));
}

#[test]
fn login_by_device_tells_when_the_new_key_does_not_work() {
    let no = r#"{"error": "invalid_grant", "error_description": "refresh-one is revoked"}"#;
    let provider = Provider::of(&[(200, BEGUN), (200, TOKENS), (400, no)]);
    let home = home(&provider, true);
    let mut child = start(&home, &["club"]);
    drop(child.stdin.take());
    let ran = end(child).code(1);
    let words = ran.text();
    assert!(words.contains("https://login.example.org/device") && words.contains("WDJB-MJHT"));
    assert!(ran.err.contains("club no longer takes our sign-in (invalid_grant)"), "{}", ran.err);
    assert_no_secret(&(words + &ran.err));
}

#[test]
fn login_says_what_is_wrong_with_its_name_and_with_the_table() {
    let provider = Provider::of(&[]);
    let home = home(&provider, true);
    let ran = end(start(&home, &["google"])).code(2);
    assert!(ran.err.contains("no table [oauth.google]") && ran.err.contains("there are club"));
    let file = home.path().join("knightmail.toml");
    let text = fs::read_to_string(&file).unwrap().replace("device_url", "# device_url");
    write(&file, text.as_bytes());
    let ran = end(start(&home, &["club"])).code(2);
    assert!(ran.err.contains("nothing of where to sign in"), "{}", ran.err);
}

/// Where systemd hands the first key over, nobody can write there: the new one lies in the home, and says of which it
/// took the place.
#[test]
fn login_beside_a_credential_of_systemd() {
    let answers = [(200, BEGUN), (200, TOKENS), (200, ACCESS), (200, ACCESS), (200, ACCESS)];
    let provider = Provider::of(&answers);
    let home = home(&provider, true);
    let file = home.path().join("knightmail.toml");
    let account = "kind = \"imap\"\nhost = \"127.0.0.1\"\nport = 1\ntls = \"off\"\nuser = \"a\"\n\
                   auth = \"xoauth2\"\noauth = \"club\"\n# ";
    let text = fs::read_to_string(&file).unwrap().replace("path = \"mail/in\"", "# path");
    write(&file, text.replacen("kind = \"maildir\"", account, 1).as_bytes());
    let credentials = tempfile::tempdir().unwrap();
    let hand_over = |token: &[u8]| write(&credentials.path().join("club.refresh"), token);
    hand_over(b"handed-over\n");
    let run = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_knightmail"));
        command.env_clear().env("CREDENTIALS_DIRECTORY", credentials.path());
        command.arg("--home").arg(home.path()).args(args);
        crate::world::finish(command, b"")
    };
    run(&["login", "club"]).code(0);
    let digest = Digest::of(b"handed-over");
    assert_eq!(
        fs::read_to_string(home.path().join("secrets/club.refresh")).unwrap(),
        format!("refresh-one\ninstead of {digest}\n")
    );
    // Nobody listens at the mail server's port; the token is asked for before.
    run(&["check"]).code(1).says("127.0.0.1:1 is out of reach");
    // The operator hands another one over.
    hand_over(b"another\n");
    run(&["check"]).code(1).says("127.0.0.1:1 is out of reach");
    let sent: Vec<_> = provider.values("refresh_token").into_iter().flatten().collect();
    assert_eq!(sent, ["refresh-one", "refresh-one", "another"]);
}
