//! How names are compared: without accents, in Latin letters, and with how many letters they differ. Which words are names,
//! `names.rs` tells.

/// Returns a name in small plain letters without accents, apostrophes and hyphens, as names are compared.
pub(super) fn folded(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars().flat_map(char::to_lowercase) {
        match c {
            'à'..='å' | 'ā' | 'ă' | 'ą' => out.push('a'),
            'ç' | 'ć' | 'č' => out.push('c'),
            'ď' | 'đ' | 'ð' => out.push('d'),
            'è'..='ë' | 'ē' | 'ė' | 'ę' | 'ě' => out.push('e'),
            'ğ' => out.push('g'),
            'ì'..='ï' | 'ī' | 'į' | 'ı' => out.push('i'),
            'ł' | 'ľ' => out.push('l'),
            'ñ' | 'ń' | 'ň' => out.push('n'),
            'ò'..='ö' | 'ø' | 'ō' | 'ő' => out.push('o'),
            'ř' => out.push('r'),
            'ś' | 'š' | 'ş' | 'ș' => out.push('s'),
            'ť' | 'ţ' | 'ț' => out.push('t'),
            'ù'..='ü' | 'ū' | 'ů' | 'ű' => out.push('u'),
            'ý' | 'ÿ' => out.push('y'),
            'ź' | 'ž' | 'ż' => out.push('z'),
            'ß' => out.push_str("ss"),
            'æ' => out.push_str("ae"),
            'œ' => out.push_str("oe"),
            'þ' => out.push_str("th"),
            c if ('\u{430}'..='\u{451}').contains(&c) => out.push_str(latin(c)),
            c if c.is_alphanumeric() => out.push(c),
            _ => {}
        }
    }
    out
}

/// Returns how many letters differ, up to three: beyond that names are different names.
pub(super) fn distance(one: &str, other: &str) -> usize {
    const FAR: usize = 3;
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    if one.len().abs_diff(other.len()) >= FAR || one.len() > 40 {
        return FAR;
    }
    let mut row: Vec<usize> = (0..=other.len()).collect();
    let mut above: Vec<usize> = Vec::new();
    for (i, a) in one.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, b) in other.iter().enumerate() {
            let swapped = i > 0 && j > 0 && *a == other[j - 1] && one[i - 1] == *b;
            let mut cost = (row[j] + usize::from(a != b)).min(row[j + 1] + 1).min(next[j] + 1);
            if swapped {
                cost = cost.min(above[j - 1] + 1);
            }
            next.push(cost);
        }
        above = std::mem::replace(&mut row, next);
    }
    row.last().copied().unwrap_or(FAR).min(FAR)
}

/// Writes a Cyrillic small letter in Latin ones: `Кесслер` is Kessler.
const fn latin(c: char) -> &'static str {
    match c {
        'а' => "a",
        'б' => "b",
        'в' => "v",
        'г' => "g",
        'д' => "d",
        'е' | 'ё' | 'э' => "e",
        'ж' => "zh",
        'з' => "z",
        'и' | 'й' => "i",
        'к' => "k",
        'л' => "l",
        'м' => "m",
        'н' => "n",
        'о' => "o",
        'п' => "p",
        'р' => "r",
        'с' => "s",
        'т' => "t",
        'у' => "u",
        'ф' => "f",
        'х' => "h",
        'ц' => "c",
        'ч' => "ch",
        'ш' => "sh",
        'щ' => "shch",
        'ы' => "y",
        'ю' => "yu",
        'я' => "ya",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_by_their_letters() {
        assert_eq!(folded("O'Dell-Müller"), "odellmuller");
        assert_eq!(folded("Кесслер"), "kessler");
        for (one, other, far) in [
            ("ortiz", "ortis", 1),
            ("hale", "heal", 2),
            ("hale", "ortiz", 3),
            ("keating", "kaeting", 1),
        ] {
            assert_eq!(distance(one, other), far, "{one} {other}");
        }
    }
}
