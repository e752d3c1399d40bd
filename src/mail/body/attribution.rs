//! The lines that say whom a quotation is from: `On Monday Ann wrote:` in the languages of the players, over up to
//! four lines, and the block of headers that Outlook puts in its place.

/// Words that say "wrote", in lower case.
const WROTE: &[&str] = &[
    "wrote",
    "writes",
    "schrieb",
    "geschrieben",
    "a écrit",
    "écrit",
    "escribió",
    "escribio",
    "ha scritto",
    "scritto",
    "escreveu",
    "schreef",
    "geschreven",
    "napisał",
    "napisala",
    "napsal",
    "skrev",
    "kirjoitti",
    "írta",
    "написал",
    "пишет",
    "пише",
    "написа",
    "さんは書きました",
    "書きました",
    "のメール",
    "写道",
    "寫道",
    "写到",
    "sent",
    "yazdı",
    "напис",
];
/// Names of the headers that say who wrote, in lower case.
const FROM: &[&str] = &[
    "from",
    "von",
    "de",
    "da",
    "van",
    "od",
    "från",
    "fra",
    "lähettäjä",
    "feladó",
    "от",
    "от кого",
    "差出人",
    "发件人",
    "寄件者",
    "expéditeur",
    "remetente",
    "mittente",
];
/// Names of the other headers in such a block, in lower case.
const OTHERS: &[&str] = &[
    "sent",
    "date",
    "to",
    "cc",
    "subject",
    "reply-to",
    "importance",
    "gesendet",
    "datum",
    "an",
    "betreff",
    "envoyé",
    "date d'envoi",
    "à",
    "objet",
    "enviado",
    "fecha",
    "para",
    "asunto",
    "inviato",
    "data",
    "a",
    "oggetto",
    "risposta",
    "enviada em",
    "enviada",
    "assunto",
    "verzonden",
    "aan",
    "onderwerp",
    "wysłano",
    "do",
    "dw",
    "temat",
    "odesláno",
    "komu",
    "předmět",
    "kopie",
    "skickat",
    "till",
    "ämne",
    "sendt",
    "til",
    "emne",
    "lähetetty",
    "vastaanottaja",
    "aihe",
    "elküldve",
    "címzett",
    "tárgy",
    "отправлено",
    "дата",
    "кому",
    "тема",
    "копия",
    "送信日時",
    "宛先",
    "件名",
    "发送时间",
    "收件人",
    "主题",
    "抄送",
    "kopia",
    "antwort an",
];
/// The most lines that an attribution takes.
const LINES: usize = 5;
/// The longest attribution, in bytes.
const BYTES: usize = 400;

/// Returns how many lines an attribution takes that begins at the first of these, where one does. `quoted` says that a
/// quotation follows at once, so that less proof is asked for.
pub(super) fn lines(lines: &[&str], quoted_after: impl Fn(usize) -> bool) -> Option<usize> {
    let first = lines.first()?.trim();
    if first.is_empty() || first.len() > BYTES {
        return None;
    }
    let mut joined = String::new();
    for (n, line) in lines.iter().take(LINES).enumerate() {
        joined.push(' ');
        joined.push_str(line.trim());
        if joined.len() > BYTES {
            return None;
        }
        if is_attribution(&joined, quoted_after(n + 1)) {
            return Some(n + 1);
        }
        // Only a line that is broken goes on: one that ends a sentence or a paragraph does not.
        if n > 0 && line.trim().is_empty()
            || line.trim_end().ends_with(['.', '!', '?'])
            || !may_begin(first)
        {
            return None;
        }
    }
    None
}

/// Tells whether a line may be the first one of an attribution over several lines.
fn may_begin(line: &str) -> bool {
    const BEGINNINGS: &[&str] = &[
        "on ", "am ", "le ", "el ", "il ", "em ", "op ", "w dniu", "dnia ", "dne ", "den ", "på ",
        "at ", "в ", "v ",
    ];
    let lower = line.to_lowercase();
    let bare = lower.trim_start_matches(['-', ' ', '*']);
    BEGINNINGS.iter().any(|b| bare.starts_with(b))
        || bare.starts_with(|c: char| c.is_ascii_digit())
            && (line.contains(':') || line.contains('@'))
        || line.contains('@')
        || line.ends_with('<')
}

fn is_attribution(text: &str, quoted: bool) -> bool {
    let text = text.trim().trim_matches(['-', '*', ' ']);
    let ends = text.ends_with([':', '：']);
    if !ends && !text.ends_with(['e', 'b', 'E', 'B']) {
        return false; // neither a colon nor `wrote` nor `schrieb`
    }
    let lower = text.to_lowercase();
    let wrote = WROTE.iter().any(|word| has_word(&lower, word));
    let addressed = text.contains('@');
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let dated = digits >= 5 || digits >= 3 && text.contains(':') && text.matches(':').count() >= 2;
    if wrote && (ends || lower.ends_with("wrote") || lower.ends_with("schrieb")) {
        return quoted || addressed || dated;
    }
    // `2016-10-24 15:36 GMT+02:00 Ann <ann@example.org>:` says no word.
    let iso = text.bytes().take(4).filter(u8::is_ascii_digit).count() == 4;
    ends && addressed && dated && (iso || quoted)
        || iso && dated && text.contains("GMT") && !addressed && text.len() < 80
}

/// Tells whether a word stands in a text by itself. Words of scripts without blanks stand anywhere.
fn has_word(text: &str, word: &str) -> bool {
    let Some(at) = text.find(word) else { return false };
    if !word.is_ascii() {
        return true;
    }
    let before = text[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric());
    before
        && text[at + word.len()..].chars().next().is_none_or(|c| !c.is_alphanumeric() || c == 'a')
}

/// Tells whether a block of headers of a quoted mail begins here. An entry form begins otherwise: it has no `From:`
/// with a date, a recipient or a subject right below.
pub(super) fn is_header_block(lines: &[&str], after_rule: bool) -> bool {
    let Some(first) = lines.first().and_then(|l| header_name(l)) else { return false };
    let is_from = FROM.contains(&first.as_str());
    if !is_from
        && !matches!(first.as_str(), "date" | "sent" | "datum" | "gesendet" | "subject" | "to")
    {
        return false;
    }
    let (mut from, mut others, mut misses) = (usize::from(is_from), usize::from(!is_from), 0);
    for line in lines.iter().skip(1).take(9) {
        match header_name(line) {
            Some(name) if FROM.contains(&name.as_str()) => from += 1,
            Some(name) if OTHERS.contains(&name.as_str()) => others += 1,
            _ if line.trim().is_empty() && from + others >= 2 => break,
            _ => misses += 1,
        }
        if misses > 3 {
            break;
        }
    }
    from > 0 && others >= if after_rule { 1 } else { 2 }
        || !is_from && others >= 2 && (from > 0 || first == "date")
}

/// Returns the name before a colon, in lower case and without the stars of bold print.
fn header_name(line: &str) -> Option<String> {
    let line = line.trim().trim_start_matches('*');
    let (name, _) = line.split_once([':', '：'])?;
    let name = name.trim().trim_end_matches('*').trim_end();
    (!name.is_empty() && name.len() <= 30).then(|| name.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributions_are_known_in_many_languages() {
        for text in [
            "On Mon, Nov 30, 2026 at 09:00:00AM +0000, Ann Lee wrote:",
            "On Mon, 30 Nov 2026 09:00:00 +0000\nAnn Lee <ann@example.org> wrote:",
            "On Mon, Nov 30, 2026 at 9:00 AM Ann Lee <\nann@example.org> wrote:",
            "On 11/30/26 9:00 AM, Ann Lee wrote:",
            "Am 30.11.2026 um 09:00 schrieb Ann Lee:",
            "Le lun. 30 nov. 2026 à 09:00, Ann Lee <ann@example.org> a écrit :",
            "El lun, 30 nov 2026 a las 9:00, Ann Lee (<ann@example.org>) escribió:",
            "Il giorno lun 30 nov 2026 alle ore 09:00 Ann Lee <ann@example.org> ha scritto:",
            "Em seg., 30 de nov. de 2026 às 09:00, Ann Lee <ann@example.org> escreveu:",
            "Op ma 30 nov 2026 om 09:00 schreef Ann Lee <ann@example.org>:",
            "pon., 30 lis 2026 o 09:00 Ann Lee <ann@example.org> napisał(a):",
            "po 30. 11. 2026 v 9:00 odesílatel Ann Lee <ann@example.org> napsal:",
            "Den man. 30. nov. 2026 kl. 09.00 skrev Ann Lee <ann@example.org>:",
            "Den mån 30 nov. 2026 kl 09:00 skrev Ann Lee <ann@example.org>:",
            "man. 30. nov. 2026 kl. 09:00 skrev Ann Lee <ann@example.org>:",
            "ma 30. marrask. 2026 klo 9.00 Ann Lee (ann@example.org) kirjoitti:",
            "Ann Lee <ann@example.org> ezt írta (időpont: 2026. nov. 30., H, 9:00):",
            "пн, 30 нояб. 2026 г. в 09:00, Ann Lee <ann@example.org>:",
            "2026年11月30日(月) 9:00 Ann Lee <ann@example.org>:",
            "Ann Lee <ann@example.org> 于2026年11月30日周一 09:00写道：",
            "2026-11-30 9:00 GMT+01:00 Ann Lee <ann@example.org>:",
        ] {
            let split: Vec<_> = text.lines().collect();
            assert_eq!(super::lines(&split, |_| true), Some(split.len()), "{text}");
        }
        for text in [
            "I won on 30 November:",
            "19N04: Hale 1, Ortiz 0",
            "Name: Ann Lee",
            "My opponent wrote nothing.",
        ] {
            assert_eq!(super::lines(&[text], |_| false), None, "{text}");
        }
    }

    #[test]
    fn an_entry_form_is_no_header_block() {
        assert!(is_header_block(&["From: Ann", "Sent: Monday", "To: Bob", "Subject: x"], false));
        assert!(is_header_block(&["*Von:* Ann", "*Gesendet:* Montag", "*An:* Bob"], false));
        assert!(!is_header_block(
            &["Name: Ann Lee", "Email: ann@example.org", "Entries: 2"],
            false
        ));
        assert!(!is_header_block(&["From: Ann", "", "I resign"], false));
    }
}
