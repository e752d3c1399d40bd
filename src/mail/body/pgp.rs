//! Text that is signed or encrypted in place (RFC 9580 section 7): what is signed in the clear is read, what is encrypted
//! is not. Whether a signature is good nobody here can tell.

use std::borrow::Cow;

const SIGNED: &str = "-----BEGIN PGP SIGNED MESSAGE-----";
const SIGNATURE: &str = "-----BEGIN PGP SIGNATURE-----";
const SIGNATURE_END: &str = "-----END PGP SIGNATURE-----";
const MESSAGE: &str = "-----BEGIN PGP MESSAGE-----";
const MESSAGE_END: &str = "-----END PGP MESSAGE-----";

/// Returns a text without the armour around what is signed, and whether something in it is encrypted.
pub(super) fn opened(text: &str) -> (Cow<'_, str>, bool) {
    if !text.contains("-----BEGIN PGP ") {
        return (Cow::Borrowed(text), false);
    }
    let mut out = String::with_capacity(text.len());
    let mut state = Armour::None;
    let mut encrypted = false;
    for line in text.lines() {
        let next = state.after(line.trim_end());
        encrypted |= next == Armour::Encrypted;
        let kept =
            matches!((state, next), (Armour::None | Armour::Text, Armour::None | Armour::Text))
                && line.trim_end() != SIGNATURE_END
                && line.trim_end() != MESSAGE_END;
        if kept {
            let dashed = line.strip_prefix("- ").filter(|_| state == Armour::Text);
            out.push_str(dashed.unwrap_or(line));
            out.push('\n');
        }
        state = next;
    }
    (Cow::Owned(out), encrypted)
}

/// Where in the armour a line stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Armour {
    /// Outside of it.
    None,
    /// In the headers above a signed text (`Hash: SHA256`).
    Headers,
    /// In a signed text, whose lines with a dash are escaped.
    Text,
    /// In a signature.
    Signature,
    /// In what is encrypted.
    Encrypted,
}

impl Armour {
    fn after(self, line: &str) -> Self {
        match (self, line) {
            (Self::None | Self::Text, SIGNED) => Self::Headers,
            (_, SIGNATURE) => Self::Signature,
            (Self::None, MESSAGE) => Self::Encrypted,
            (Self::Headers, "") => Self::Text,
            (Self::Signature, SIGNATURE_END) | (Self::Encrypted, MESSAGE_END) => Self::None,
            (state, _) => state,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::opened;

    #[test]
    fn signed_text_is_read_and_encrypted_text_is_not() {
        let text = "Hello\n-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n19N04\n- -- \nAnn\n\
                    -----BEGIN PGP SIGNATURE-----\n\niQEz\n-----END PGP SIGNATURE-----\nbelow\n";
        assert_eq!(opened(text), ("Hello\n19N04\n-- \nAnn\nbelow\n".into(), false));
        let text = "-----BEGIN PGP MESSAGE-----\n\nhQEM\n-----END PGP MESSAGE-----\nx\n";
        assert_eq!(opened(text), ("x\n".into(), true));
        assert_eq!(opened("plain"), ("plain".into(), false));
    }
}
