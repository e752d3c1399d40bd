//! Decoding: transfer encodings, charsets, encoded words, addresses, parameters. mail-parser does what it does well;
//! quoted-printable and base64 are our own, since players write `==` and cut base64 short.

use super::Address;
use mail_parser::{
    Addr, Address as Parsed, HeaderValue,
    decoders::{base64::base64_decode, charsets::map::charset_decoder, html::add_html_token},
    parsers::MessageStream,
};
use std::borrow::Cow;

/// A media type or a disposition with its parameters (RFC 2045 section 5.1, RFC 2183), all in lower case but values.
#[derive(Clone, Debug, Default)]
pub(super) struct Kind {
    pub(super) main: String,
    pub(super) sub: String,
    parameters: Vec<(String, String)>,
}

impl Kind {
    /// Reads the value of a Content-Type or Content-Disposition.
    pub(super) fn read(value: &str) -> Self {
        let line = format!("{}\n", value.replace("= ", "="));
        let HeaderValue::ContentType(kind) =
            MessageStream::new(line.as_bytes()).parse_content_type()
        else {
            return Self::default();
        };
        let parameters = kind.attributes.iter().flatten();
        Self {
            main: kind.c_type.to_lowercase(),
            sub: kind.c_subtype.as_deref().unwrap_or_default().to_lowercase(),
            parameters: parameters.map(|a| (a.name.to_lowercase(), clean(&a.value))).collect(),
        }
    }

    /// Returns a parameter.
    pub(super) fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }
}

/// Returns an unstructured value (RFC 5322 section 3.6.5) with its encoded words decoded, on one line.
pub(super) fn unstructured(value: &str) -> String {
    let line = format!("{value}\n");
    let parsed = MessageStream::new(line.as_bytes()).parse_unstructured();
    clean(parsed.as_text().unwrap_or_default())
}

/// Returns the addresses of a field, and whether any stand in a group (RFC 5322 section 3.4).
pub(super) fn addresses(value: &str) -> (Vec<Address>, bool) {
    let line = format!("{value}\n");
    let parsed = MessageStream::new(line.as_bytes()).parse_address();
    match parsed.into_address() {
        Some(Parsed::List(list)) => (list.iter().filter_map(address).collect(), false),
        Some(Parsed::Group(groups)) => {
            let grouped = groups.iter().any(|g| g.name.is_some());
            (groups.iter().flat_map(|g| &g.addresses).filter_map(address).collect(), grouped)
        }
        None => (Vec::new(), false),
    }
}

fn address(parsed: &Addr<'_>) -> Option<Address> {
    let address = clean(parsed.address.as_deref()?);
    let name = clean(parsed.name.as_deref().unwrap_or_default());
    (!address.is_empty()).then_some(Address { name, address })
}

/// Returns text on one line without control characters, as a header value and a name must be.
pub fn clean(text: &str) -> String {
    let blank =
        |c: char| if c.is_control() || c == '\u{2028}' || c == '\u{2029}' { ' ' } else { c };
    let text: String = text.chars().map(blank).collect();
    text.trim().to_owned()
}

/// Returns the character of an HTML entity such as `&nbsp;`; none where there is no such entity.
pub fn entity(token: &str) -> Option<char> {
    let mut decoded = String::new();
    add_html_token(&mut decoded, token.as_bytes(), false);
    let mut characters = decoded.chars();
    characters
        .next()
        .filter(|c| *c != '&' || token == "&amp;")
        .filter(|_| characters.next().is_none())
}

/// Returns bytes without a declared charset as text: UTF-8, else windows-1252.
pub(super) fn eight_bit(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| Cow::Owned(windows_1252(bytes)), Cow::Borrowed)
}

fn windows_1252(bytes: &[u8]) -> String {
    let decoder =
        charset_decoder(b"windows-1252").unwrap_or(|b| String::from_utf8_lossy(b).into_owned());
    decoder(bytes)
}

/// Returns bytes as text by the charset their part declares. A label that is wrong or unknown loses nothing.
pub(super) fn text(bytes: &[u8], charset: Option<&str>) -> String {
    let label = charset.map(usual_label).unwrap_or_default();
    let plain =
        matches!(label.as_str(), "" | "utf-8" | "utf8" | "us-ascii" | "ascii" | "ansi_x3.4-1968");
    // These write other letters in ASCII bytes; all other charsets agree with it there.
    let shifting =
        label.starts_with("utf-") || label.starts_with("iso-2022") || label.starts_with("hz");
    if plain || (bytes.is_ascii() && !shifting) {
        return eight_bit(bytes).into_owned();
    }
    charset_decoder(label.as_bytes()).map_or_else(|| eight_bit(bytes).into_owned(), |d| d(bytes))
}

/// Returns the usual spelling of a charset's label: `8859_1`, `iso 8859-15` and `ks_c_5601-1987` are seen in mail.
fn usual_label(label: &str) -> String {
    let label = label.trim_matches([' ', '"', '\'', ';', '\t']).to_lowercase().replace('_', "-");
    let label = label.strip_prefix("x-").unwrap_or(&label);
    if let Some(at) = label.find("8859") {
        let number: String = label[at + 4..].chars().filter(char::is_ascii_digit).take(2).collect();
        return format!("iso-8859-{number}");
    }
    let digits = label.trim_start_matches(|c: char| !c.is_ascii_digit());
    match label {
        "utf8" | "utf-8" | "unicode" | "utf" => "utf-8".to_owned(),
        "ks-c-5601-1987" | "ks-c-5601" | "ksc5601" | "cp949" | "windows-949" | "euckr" => {
            "euc-kr".to_owned()
        }
        "latin1" | "l1" | "latin-1" | "iso-latin-1" | "ansi" => "windows-1252".to_owned(),
        "latin2" | "latin-2" | "l2" => "iso-8859-2".to_owned(),
        "latin9" | "latin-9" | "l9" => "iso-8859-15".to_owned(),
        "koi8r" | "koi8" | "koi" => "koi8-r".to_owned(),
        "koi8u" => "koi8-u".to_owned(),
        "cp936" | "gb2312" | "gbk" | "gb18030" | "euc-cn" | "gb-2312-80" => "gb18030".to_owned(),
        "cp950" | "big5" | "big5-hkscs" => "big5".to_owned(),
        "sjis" | "shift-jis" | "shiftjis" | "cp932" | "ms932" | "windows-31j" => {
            "shift_jis".to_owned()
        }
        "eucjp" | "euc-jp" => "euc-jp".to_owned(),
        "csiso2022jp" => "iso-2022-jp".to_owned(),
        "unicode-1-1-utf-7" | "utf7" => "utf-7".to_owned(),
        "mac-roman" | "mac" => "macintosh".to_owned(),
        "unknown-8bit" | "unknown" | "default" | "none" | "binary" | "user-defined" => {
            String::new()
        }
        _ if digits.starts_with("125") && digits.len() == 4 => format!("windows-{digits}"),
        // The letters of 437 stand where those of 850 do.
        _ if matches!(digits, "850" | "437") => "cp850".to_owned(),
        _ if digits == "866" => "cp866".to_owned(),
        _ => label.to_owned(),
    }
}

/// Undoes quoted-printable (RFC 2045 section 6.7). What is no code stands for itself, so that `Nf3==` stays.
pub(super) fn quoted_printable(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|b| *b == b'\n') {
        let line_break = line.ends_with(b"\n");
        let content = line.trim_ascii_end();
        let soft = content.ends_with(b"=");
        decode_line(content.strip_suffix(b"=").unwrap_or(content), &mut out);
        match (soft, line_break) {
            (true, false) => out.push(b'='),
            (false, true) => out.push(b'\n'),
            (true, true) | (false, false) => {}
        }
    }
    out
}

fn decode_line(line: &[u8], out: &mut Vec<u8>) {
    let digit = |byte: Option<&u8>| byte.and_then(|b| char::from(*b).to_digit(16));
    let mut at = 0;
    while let Some(&byte) = line.get(at) {
        let code = digit(line.get(at + 1)).zip(digit(line.get(at + 2))).filter(|_| byte == b'=');
        let (byte, used) = match code {
            Some((high, low)) => (u8::try_from(high * 16 + low).unwrap_or(byte), 3),
            None => (byte, 1),
        };
        out.push(byte);
        at += used;
    }
}

/// Undoes base64 (RFC 2045 section 6.8), with or without its padding, up to what is no base64 any more: lists put
/// footers below. Returns whether more base64 than padding was left behind.
pub(super) fn base64(bytes: &[u8]) -> (Vec<u8>, bool) {
    let digit = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/');
    let fits = |b: &u8| digit(b) || b.is_ascii_whitespace();
    let end = bytes.iter().position(|b| !fits(b)).unwrap_or(bytes.len());
    let cut =
        if bytes.get(end).is_none_or(|b| *b == b'=') { end } else { last_whole_line(bytes, end) };
    let mut digits: Vec<u8> = bytes[..cut].iter().copied().filter(digit).collect();
    if digits.len() % 4 == 1 {
        digits.pop(); // six bits are no byte
    }
    let rest = &bytes[cut..];
    let more = rest.iter().skip_while(|b| **b == b'=' || b.is_ascii_whitespace());
    let broken = !rest.starts_with(b"=") && cut == 0
        || rest.starts_with(b"=") && more.clone().take(8).filter(|b| digit(b)).count() == 8;
    (base64_decode(&digits).unwrap_or_default(), broken)
}

/// Returns where the line begins that holds a position: what is junk there is junk from the line's start on.
fn last_whole_line(bytes: &[u8], position: usize) -> usize {
    bytes[..position].iter().rposition(|b| *b == b'\n').map_or(0, |n| n + 1)
}
