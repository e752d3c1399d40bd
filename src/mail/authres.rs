//! `Authentication-Results` (RFC 8601): what our own mail server found about a mail. Only the topmost field that bears
//! our server's name is believed: everything below what our server wrote, and every other name, its sender may have
//! made up. A field that is not well formed says nothing.

use std::mem::take;

/// A piece of a field's value.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    /// A word by itself: the server's name, the version.
    Word(String),
    /// A method with its result, or a property with its value; the key is in lower case.
    Pair(String, String),
    /// `;`
    End,
}

/// Returns the domains that our server vouches for, of fields in their order: signed by them (`dkim=pass`), or found to
/// speak for the author's own domain (`dmarc=pass`, RFC 7489). SPF alone proves a route and no author.
pub(super) fn vouched<'v>(
    fields: impl Iterator<Item = impl AsRef<str> + 'v>,
    ours: &str,
) -> Vec<String> {
    let mut read = fields.filter_map(|field| {
        let pieces = pieces(field.as_ref());
        let is_ours = claims(field.as_ref(), pieces.as_deref(), ours);
        is_ours.then_some(pieces.unwrap_or_default())
    });
    let Some(pieces) = read.next() else { return Vec::new() };
    pieces.split(|piece| *piece == Piece::End).skip(1).filter_map(domain).collect()
}

/// Tells whether a field bears our server's name. One that cannot be read as a whole may still do, and is then the
/// topmost one all the same.
fn claims(value: &str, pieces: Option<&[Piece]>, ours: &str) -> bool {
    if let Some(pieces) = pieces {
        return matches!(pieces.first(), Some(Piece::Word(id)) if id.eq_ignore_ascii_case(ours));
    }
    let id = value.trim_start().as_bytes().get(..ours.len());
    id.is_some_and(|id| id.eq_ignore_ascii_case(ours.as_bytes()))
}

/// Returns the domain that one result vouches for.
fn domain(result: &[Piece]) -> Option<String> {
    let [Piece::Pair(method, found), properties @ ..] = result else { return None };
    if !found.eq_ignore_ascii_case("pass") {
        return None;
    }
    let signer = match method.strip_suffix("/1").unwrap_or(method) {
        // The identity is at or below the signing domain, so the latter says less and is surer.
        "dkim" => property(properties, "header.d").or_else(|| {
            let identity = property(properties, "header.i")?;
            identity.rsplit_once('@').map(|(_, domain)| domain)
        }),
        "dmarc" => property(properties, "header.from"),
        _ => None,
    };
    signer.map(|domain| domain.trim_end_matches('.').to_ascii_lowercase())
}

/// Returns the value of a property; none where it is said twice.
fn property<'p>(properties: &'p [Piece], name: &str) -> Option<&'p str> {
    let mut values = properties.iter().filter_map(|piece| match piece {
        Piece::Pair(key, value) if key == name => Some(value.as_str()),
        _ => None,
    });
    values.next().filter(|_| values.next().is_none())
}

/// Returns the pieces of a value without its comments, which a sender has a say in (a display name, the address of the
/// envelope); none where it is not well formed.
fn pieces(value: &str) -> Option<Vec<Piece>> {
    let (mut pieces, mut word) = (Vec::new(), String::new());
    // The key whose value comes next. In a value an equals sign is a letter, and quotes are only a part of it:
    // `header.i="x@example.org"@example.net`.
    let mut key: Option<String> = None;
    let mut characters = value.chars();
    while let Some(c) = characters.next() {
        match c {
            '"' => word.push_str(&quotation(&mut characters)?),
            '=' if key.is_none() => {
                let before =
                    if word.is_empty() { last_word(&mut pieces)? } else { take(&mut word) };
                key = Some(before.to_ascii_lowercase());
            }
            '(' | ';' => {
                end(&mut word, &mut key, &mut pieces);
                if c == '(' {
                    skip_comment(&mut characters)?;
                } else {
                    key = None;
                    pieces.push(Piece::End);
                }
            }
            c if c.is_whitespace() => end(&mut word, &mut key, &mut pieces),
            c => word.push(c),
        }
    }
    end(&mut word, &mut key, &mut pieces);
    Some(pieces)
}

/// Ends a word, where there is one.
fn end(word: &mut String, key: &mut Option<String>, pieces: &mut Vec<Piece>) {
    if !word.is_empty() {
        let word = take(word);
        pieces.push(match key.take() {
            Some(key) => Piece::Pair(key, word),
            None => Piece::Word(word),
        });
    }
}

/// Takes back the word before an equals sign that stands apart from it.
fn last_word(pieces: &mut Vec<Piece>) -> Option<String> {
    match pieces.pop()? {
        Piece::Word(word) => Some(word),
        Piece::Pair(..) | Piece::End => None,
    }
}

fn skip_comment(characters: &mut impl Iterator<Item = char>) -> Option<()> {
    let mut depth = 1_usize;
    while depth > 0 {
        match characters.next()? {
            '(' => depth += 1,
            ')' => depth -= 1,
            // Quotes mean nothing in a comment (RFC 5322 section 3.2.2), but a server that copies an address there may think
            // they do: `("x) ; dkim=pass header.d=example.org (y"@example.net)`. What can be read in two ways is not read.
            '"' => return None,
            '\\' => drop(characters.next()?),
            _ => {}
        }
    }
    Some(())
}

fn quotation(characters: &mut impl Iterator<Item = char>) -> Option<String> {
    let mut text = String::new();
    loop {
        match characters.next()? {
            '"' => return Some(text),
            '\\' => text.push(characters.next()?),
            c => text.push(c),
        }
    }
}

/// Tells whether a domain speaks for an author's: they are the same or one lies below the other (the relaxed alignment
/// of RFC 7489 section 3.1), and the upper one is somebody's and no registry's.
pub(super) fn is_aligned(domain: &str, author: &str) -> bool {
    let (domain, author) = (domain.to_ascii_lowercase(), author.to_ascii_lowercase());
    let (upper, lower) =
        if domain.len() <= author.len() { (&domain, &author) } else { (&author, &domain) };
    let below = lower.strip_suffix(upper.as_str()).is_some_and(|rest| rest.ends_with('.'));
    (upper == lower || below) && !is_public(upper)
}

/// Tells whether names under a domain are anybody's: `org`, `co.uk`. The whole list of such suffixes is long and
/// changes; this knows their usual shapes, and no registry signs mail in its customers' names.
fn is_public(domain: &str) -> bool {
    const SECOND: [&str; 16] = [
        "ac", "co", "com", "edu", "gob", "gov", "ltd", "me", "mil", "ne", "net", "nom", "or",
        "org", "plc", "sch",
    ];
    match domain.split('.').collect::<Vec<_>>()[..] {
        [_] => true,
        [second, country] => country.len() == 2 && SECOND.contains(&second),
        _ => domain.split('.').any(str::is_empty),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(fields: &[&str]) -> Vec<String> {
        vouched(fields.iter(), "mx.example.org")
    }

    #[test]
    fn what_our_server_writes_is_read_in_every_form() {
        for (value, wanted) in [
            ("mx.example.org; dkim=pass header.d=example.net", &["example.net"][..]),
            ("MX.Example.ORG 1; DKIM=Pass Header.D=Example.NET.", &["example.net"]),
            (
                "mx.example.org 1;\r\n\tdkim=pass (2048-bit key; unprotected)\r\n header.d=example.net header.i=@example.net header.b=fuEC==",
                &["example.net"],
            ),
            ("mx.example.org; dkim/1=pass header.i=ann@mail.example.net", &["mail.example.net"]),
            ("mx.example.org; dkim = pass header.d = \"example.net\"", &["example.net"]),
            (
                "mx.example.org; dkim=fail reason=\"bad; dkim=pass header.d=example.net\" header.d=example.net",
                &[],
            ),
            ("mx.example.org; dkim=none (dkim=pass header.d=example.net)", &[]),
            (
                "mx.example.org; dkim=fail header.d=example.com; dkim=pass header.d=example.net; dkim=pass header.d=list.example.org",
                &["example.net", "list.example.org"],
            ),
            ("mx.example.org; spf=pass smtp.mailfrom=ann@example.net", &[]),
            (
                "mx.example.org; spf=pass smtp.mailfrom=ann@example.net; dmarc=pass (policy=reject) header.from=example.net",
                &["example.net"],
            ),
            (
                "mx.example.org; spf=pass (domain of \"x) ; dkim=pass header.d=example.net (y\"@evil.example) smtp.mailfrom=z",
                &[],
            ),
            (
                "mx.example.org; arc=pass header.d=example.net; dkim=policy header.d=example.net",
                &[],
            ),
            ("(by us) mx.example.org (really) 1; dkim=pass header.d=example.net", &["example.net"]),
            ("mx.example.org; none", &[]),
            // What a sender chooses of a value stays in that value.
            (
                "mx.example.org; dkim=pass header.i=x=header.d=example.net@evil.example header.d=evil.example",
                &["evil.example"],
            ),
            (
                "mx.example.org; dkim=pass header.i=\"x@example.net\"@evil.example",
                &["evil.example"],
            ),
            ("mx.example.org; dkim=pass header.d=evil.example header.d=example.net", &[]),
            ("mx.example.org; =pass dkim=pass header.d=example.net", &[]),
        ] {
            assert_eq!(found(&[value]), wanted, "{value}");
        }
    }

    #[test]
    fn another_name_or_a_lower_field_says_nothing() {
        let pass = |id: &str| format!("{id}; dkim=pass header.d=example.net");
        for id in ["mx.example.org.evil.example", "mx.example", "x-mx.example.org", "evil", ""] {
            assert_eq!(found(&[&pass(id)]), Vec::<String>::new(), "{id}");
            // One of another name above ours does not hide it.
            assert_eq!(found(&[&pass(id), &pass("mx.example.org")]), ["example.net"], "{id}");
        }
        let none = "mx.example.org; dkim=none";
        assert_eq!(found(&[none, &pass("mx.example.org")]), Vec::<String>::new());
        for broken in ["mx.example.org; dkim=none (", "mx.example.org; spf=fail reason=\"x"] {
            assert_eq!(found(&[broken, &pass("mx.example.org")]), Vec::<String>::new(), "{broken}");
        }
    }

    #[test]
    fn a_domain_speaks_for_itself_and_its_kin_and_no_registry_for_anybody() {
        for (domain, author, wanted) in [
            ("example.org", "example.org", true),
            ("EXAMPLE.org", "mail.Example.org", true),
            ("mail.example.org", "example.org", true),
            ("ample.org", "example.org", false),
            ("example.org.evil.example", "example.org", false),
            ("news.example.org", "mail.example.org", false),
            ("org", "example.org", false),
            ("co.uk", "club.co.uk", false),
            ("club.co.uk", "club.co.uk", true),
            ("", "example.org", false),
            (".org", "example.org", false),
        ] {
            assert_eq!(is_aligned(domain, author), wanted, "{domain} for {author}");
        }
    }
}
