//! What a server's words mean beyond their three digits, where the digits mislead: a refusal that is no word about the
//! recipient but about us.

/// Words by which a server says that it does not carry our mail, or not in our name.
const OURS: &[&str] = &[
    "relay access",
    "relay denied",
    "relay not",
    "relaying",
    "to relay",
    "not relay",
    "authentication required",
    "authenticate first",
    "must authenticate",
    "sendasdenied",
    "send as this sender",
    "not owned by user",
    "5.7.60",
];

/// Tells whether a refusal is ours to mend: no login where one is wanted, the wrong server, an address that is not ours.
pub(super) fn is_ours_to_mend(code: u16, text: &str) -> bool {
    let lower = text.to_lowercase();
    code == 530 || code >= 500 && OURS.iter().any(|words| lower.contains(words))
}

/// Tells whether a refusal speaks of the sender.
pub(super) fn names_sender(text: &str) -> bool {
    let lower = text.to_lowercase();
    lower.contains("sender") || lower.contains("not owned by user")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_ours_is_told_from_what_is_the_recipients() {
        for ours in [
            "554 5.7.1 <x@example.net>: Relay access denied",
            "550 5.7.1 Unable to relay",
            "550 relay not permitted",
            "550 5.7.1 relaying denied",
            "530 5.7.0 Must issue a STARTTLS command first",
            "554 5.2.252 SendAsDenied; knights@example.org not allowed to send as us",
        ] {
            assert!(is_ours_to_mend(ours[..3].parse().unwrap(), ours), "{ours}");
        }
        for theirs in [
            "550 5.1.1 Recipient address rejected: User unknown in relay recipient table",
            "550 5.7.1 rejected as spam",
            "450 4.7.1 Relay access denied, try again",
        ] {
            assert!(!is_ours_to_mend(theirs[..3].parse().unwrap(), theirs), "{theirs}");
        }
    }
}
