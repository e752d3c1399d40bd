//! The characters of a text as the grammar sees them: blanks of no width are gone, every dash is `-`, every times sign
//! `x`, wide letters are plain. Each glyph remembers where in the text it stands, so that a token can be quoted as it was.

use cozy_chess::{File, Piece, Rank};
use std::ops::Range;

/// A character and where it stands.
#[derive(Clone, Copy)]
struct Glyph {
    sign: char,
    start: usize,
    end: usize,
}

/// The glyphs of a text.
pub(super) struct Glyphs(Vec<Glyph>);

impl Glyphs {
    pub(super) fn of(text: &str) -> Self {
        let signs = text.char_indices().filter_map(|(start, sign)| {
            let plain = if sign.is_ascii() { Some(sign) } else { plain(sign) };
            plain.map(|plain| Glyph { sign: plain, start, end: start + sign.len_utf8() })
        });
        let mut glyphs = Vec::with_capacity(text.len());
        glyphs.extend(signs);
        Self(glyphs)
    }

    /// Returns the bytes of the text between two places.
    pub(super) fn span(&self, from: usize, to: usize) -> Range<usize> {
        let start = self.0.get(from).map_or(0, |glyph| glyph.start);
        let end = to.checked_sub(1).and_then(|last| self.0.get(last)).map_or(start, |g| g.end);
        start..end.max(start)
    }

    pub(super) fn start(&self) -> Cursor<'_> {
        Cursor { glyphs: &self.0, at: 0 }
    }
}

/// Returns what a character beyond ASCII stands for; nothing for those that show nothing.
fn plain(sign: char) -> Option<char> {
    Some(match sign {
        '\u{ad}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2064}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' => return None,
        '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' => NO_BREAK,
        '\u{3000}' | '\u{2028}' | '\u{2029}' | '\u{85}' => ' ',
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' => '-',
        '×' | '✕' | '✖' | '⨯' => 'x',
        '∶' | '꞉' => ':',
        '․' => '.',
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(sign) - 0xfee0).unwrap_or(sign),
        _ => sign,
    })
}

/// The blank that HTML mail puts where no line may break; it may stand inside a move.
const NO_BREAK: char = '\u{a0}';

/// A place among the glyphs. It is copied to try something and thrown away when that fails.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'a> {
    glyphs: &'a [Glyph],
    /// How many glyphs are behind it.
    pub(super) at: usize,
}

impl Cursor<'_> {
    /// Returns a glyph ahead, the next for 0.
    pub(super) fn peek(&self, ahead: usize) -> Option<char> {
        self.glyphs.get(self.at + ahead).map(|glyph| glyph.sign)
    }

    /// Returns the glyph behind the cursor.
    pub(super) fn before(&self, back: usize) -> Option<char> {
        self.at.checked_sub(back + 1).and_then(|at| self.glyphs.get(at)).map(|glyph| glyph.sign)
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let sign = self.peek(0);
        self.at += usize::from(sign.is_some());
        sign
    }

    /// Steps over the next glyph if it is one of these.
    pub(super) fn eat(&mut self, signs: &[char]) -> bool {
        let eaten = self.peek(0).is_some_and(|sign| signs.contains(&sign));
        self.at += usize::from(eaten);
        eaten
    }

    /// Steps over a text, letter by letter, capitals or not.
    pub(super) fn eat_text(&mut self, text: &str) -> bool {
        let same = |(ahead, sign): (usize, char)| {
            self.peek(ahead).is_some_and(|there| there.eq_ignore_ascii_case(&sign))
        };
        let eaten = text.chars().enumerate().all(same);
        self.at += if eaten { text.chars().count() } else { 0 };
        eaten
    }

    /// Steps over blanks, at most so many; returns how many there were.
    pub(super) fn blanks(&mut self, most: usize) -> usize {
        let from = self.at;
        while self.at - from < most && self.peek(0).is_some_and(char::is_whitespace) {
            self.at += 1;
        }
        self.at - from
    }

    /// Steps over blanks at which no line breaks.
    pub(super) fn glue(&mut self) {
        while self.eat(&[NO_BREAK]) {}
    }

    /// Steps over a file; the second value tells whether it is a capital. Cyrillic letters that look like one are taken
    /// for it.
    pub(super) fn file(&mut self) -> Option<(File, bool)> {
        let (letter, capital) = match self.peek(0)? {
            letter @ 'a'..='h' => (letter, false),
            letter @ 'A'..='H' => (letter.to_ascii_lowercase(), true),
            'а' => ('a', false),
            'с' => ('c', false),
            'е' => ('e', false),
            _ => return None,
        };
        self.at += 1;
        Some((File::try_from(letter).ok()?, capital))
    }

    /// Steps over a rank.
    pub(super) fn rank(&mut self) -> Option<Rank> {
        let rank = self.peek(0).filter(|sign| matches!(sign, '1'..='8'))?;
        self.at += 1;
        Rank::try_from(rank).ok()
    }

    /// Steps over a figurine of either colour.
    pub(super) fn figurine(&mut self) -> Option<Piece> {
        let piece = match self.peek(0)? {
            '♔' | '♚' => Piece::King,
            '♕' | '♛' => Piece::Queen,
            '♖' | '♜' => Piece::Rook,
            '♗' | '♝' => Piece::Bishop,
            '♘' | '♞' => Piece::Knight,
            '♙' | '♟' => Piece::Pawn,
            _ => return None,
        };
        self.at += 1;
        Some(piece)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glyphs_know_their_bytes() {
        let text = "a\u{200b}–♘\u{a0}f３";
        let glyphs = Glyphs::of(text);
        let mut cursor = glyphs.start();
        assert!(cursor.eat(&['a']) && cursor.eat(&['-']));
        let from = cursor.at;
        assert_eq!(cursor.figurine(), Some(Piece::Knight));
        cursor.glue();
        assert!(cursor.file().is_some() && cursor.rank().is_some());
        assert_eq!(&text[glyphs.span(from, cursor.at)], "♘\u{a0}f３");
        assert_eq!(cursor.next(), None);
    }
}
