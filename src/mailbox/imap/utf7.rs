//! Names of folders as IMAP writes them: modified UTF-7 (RFC 3501 section 5.1.3). ASCII stands for itself, `&` is `&-`,
//! everything else is UTF-16 in base64 between `&` and `-`.

use base64::{
    Engine as _,
    alphabet::IMAP_MUTF7,
    engine::{GeneralPurpose, general_purpose::NO_PAD},
};

const BASE64: GeneralPurpose = GeneralPurpose::new(&IMAP_MUTF7, NO_PAD);

/// Writes a name in modified UTF-7.
pub(super) fn encode(name: &str) -> String {
    let (mut written, mut foreign) = (String::new(), String::new());
    for letter in name.chars() {
        if !matches!(letter, ' '..='~') {
            foreign.push(letter);
            continue;
        }
        shift(&mut written, &mut foreign);
        written.push(letter);
        if letter == '&' {
            written.push('-');
        }
    }
    shift(&mut written, &mut foreign);
    written
}

/// Writes down the letters that are not ASCII.
fn shift(written: &mut String, foreign: &mut String) {
    if !foreign.is_empty() {
        let units: Vec<u8> = foreign.encode_utf16().flat_map(u16::to_be_bytes).collect();
        written.push('&');
        BASE64.encode_string(units, written);
        written.push('-');
        foreign.clear();
    }
}

/// Reads a name in modified UTF-7; none where it is not well-formed.
pub(super) fn decode(written: &str) -> Option<String> {
    let (mut name, mut rest) = (String::new(), written);
    while let Some((plain, shifted)) = rest.split_once('&') {
        name.push_str(plain);
        let (code, after) = shifted.split_once('-')?;
        if code.is_empty() {
            name.push('&');
        } else {
            let bytes = BASE64.decode(code).ok()?;
            let units: Vec<u16> =
                bytes.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect();
            name.push_str(&String::from_utf16(&units).ok().filter(|_| bytes.len() % 2 == 0)?);
        }
        rest = after;
    }
    name.push_str(rest);
    Some(name)
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn names_go_there_and_back() {
        for (name, written) in [
            ("INBOX", "INBOX"),
            ("Erledigte Züge", "Erledigte Z&APw-ge"),
            ("~peter/mail/台北/日本語", "~peter/mail/&U,BTFw-/&ZeVnLIqe-"),
            ("Tom & Jerry", "Tom &- Jerry"),
            ("Züge & Züge", "Z&APw-ge &- Z&APw-ge"),
            ("♞😀", "&Jl7YPd4A-"),
            ("a\r\nb", "a&AA0ACg-b"),
        ] {
            assert_eq!(encode(name), written);
            assert_eq!(decode(written).as_deref(), Some(name));
        }
    }

    #[test]
    fn what_is_not_well_formed_is_no_name() {
        for written in ["a&b", "&APw", "&A-", "&2Ah-", "&AAAA-"] {
            assert_eq!(decode(written), None, "{written}");
        }
    }
}
