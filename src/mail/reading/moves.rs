//! Moves: from the words of a mail to the one move in the right game. The moves of the text (`tokens.rs`) stand in blocks
//! with the clues that govern them (`blocks.rs`); the books say which games may be meant (`game.rs`) and what the moves
//! mean there (`played.rs`). What a block comes to is decided here, and what the whole mail says of one game.
//!
//! Sure is a move whose game is named, or whose opponent's last move is repeated with it. One that only its number, its
//! side and the rules of chess put into a game is asked about; so are two different moves for one game.

use super::{
    Found, Said,
    blocks::{self, Block},
    board::Board,
    conditional,
    deliver::{self, Made},
    dictated,
    game::{self, By, Field, Pick, Problem},
    phrases::short,
    played::{self, Sense},
    tokens::{self, Token},
    verdict,
};
use crate::{
    chess::notation::Language,
    domain::{event::Trouble, ids::GameId, points::Side},
    mail::{lexicon::Key, understanding::Confidence},
};

/// Reads moves.
pub(super) fn read(said: &Said<'_>, found: &mut Found) {
    let mut notes = Vec::new();
    let blocks = blocks::of(said, &mut notes);
    found.reasons.append(&mut notes);
    let shown = said.languages();
    let mut made = Vec::new();
    // Beside a question whether a move has arrived, one that is stated is asked about too; so is one that was dictated.
    let asked = blocks.iter().flat_map(|b| &b.tokens).any(|t| t.mused == Some(tokens::ASKED))
        || dictated::is_dictated(said.text);
    for block in &joined(blocks, said) {
        understand(block, &shown, said, &mut made, found);
    }
    if asked {
        for one in &mut made {
            one.sure = one.sure.min(Confidence::Probable);
        }
    }
    deliver::deliver(made, said, found);
}

/// Joins blocks that follow each other and name the same game: a condition may name the opponent again.
fn joined(blocks: Vec<Block>, said: &Said<'_>) -> Vec<Block> {
    let mut all: Vec<(Option<GameId>, Block)> = Vec::new();
    for block in blocks {
        let only = field(&block, said).ok().and_then(|field| match &field.picks[..] {
            [only] if field.by >= By::Thread => Some(only.game.id()),
            _ => None,
        });
        match all.last_mut() {
            Some((game @ Some(_), before)) if *game == only => before.take(block),
            _ => all.push((only, block)),
        }
    }
    all.into_iter().map(|(_, block)| block).collect()
}

/// A game that may be meant, with what the moves of a block mean there.
pub(super) struct Candidate<'a> {
    /// The game.
    pub(super) pick: Pick,
    /// Its moves.
    pub(super) board: Board<'a>,
    /// The moves of the block, those under conditions apart.
    pub(super) sorted: conditional::Sorted,
    /// What they mean.
    pub(super) sense: Sense,
}

impl Candidate<'_> {
    /// Tells whether the move has its number and side.
    fn is_numbered(&self) -> bool {
        self.sense.own.iter().all(|own| {
            let token = &self.sorted.plain[own.token];
            token.number.is_some() && token.side.is_some()
        })
    }
}

impl Candidate<'_> {
    /// Tells whether something in the mail makes the move hang: a sentence behind it, or a condition that was not understood.
    pub(super) fn is_hung(&self, block: &Block, said: &Said<'_>) -> bool {
        let later = |(n, _): &(usize, String)| {
            let token = &self.sorted.plain[*n];
            let sentence = said.sentences.get(token.sentence);
            token.number > Some(self.board.record.next_number())
                && sentence.is_some_and(|s| s.tags.has(Key::ConditionAny))
        };
        block.hung || self.sense.aside.iter().any(later)
    }
}

/// Decides what the moves of a block come to.
fn understand(
    block: &Block,
    shown: &[Language],
    said: &Said<'_>,
    made: &mut Vec<Made>,
    found: &mut Found,
) {
    if block.tokens.iter().all(|t| t.weak && !t.stands) {
        return;
    }
    let field = match field(block, said) {
        Ok(field) => field,
        Err(problem) => return problem_with(block, &problem, found),
    };
    let named = block.clues.iter().any(|c| !c.sections.is_empty());
    if said.players.is_empty() && !named {
        let reason = "A move is named, but no game, and the sender is not known.".to_owned();
        return found.reasons.push(reason);
    }
    let only = field.picks.len() == 1;
    let candidates: Vec<Candidate<'_>> =
        field.picks.iter().filter_map(|pick| candidate(pick, block, shown, said)).collect();
    let candidates = playing(candidates, said);
    match &candidates[..] {
        [] => {
            if is_statement(&block.tokens) {
                let reason = format!("{} names no game of the sender's.", quoted(&block.tokens));
                found.trouble(Trouble::GameUnclear, reason);
            }
        }
        [one] if only || field.by >= By::Thread => verdict::single(one, block, said, made, found),
        [one] if running(said) == 1 => verdict::single(one, block, said, made, found),
        several => choose(several, &field, block, shown, said, made, found),
    }
}

/// Returns the games that the clues of a block leave. What is named in passing counts where nothing else names one.
fn field(block: &Block, said: &Said<'_>) -> Result<Field, Problem> {
    let clues: Vec<_> = block.clues.iter().collect();
    let field = game::field(&clues, said)?;
    if field.by >= By::Thread || said.players.is_empty() {
        return Ok(field);
    }
    let wider: Vec<_> = block.clues.iter().chain(&block.passing).collect();
    match game::field(&wider, said) {
        Ok(more) if more.by >= By::Name && !more.picks.is_empty() => Ok(more),
        _ => Ok(field),
    }
}

/// Says what is wrong with the section that is named, where a move is stated.
fn problem_with(block: &Block, problem: &Problem, found: &mut Found) {
    if !is_statement(&block.tokens) {
        return;
    }
    let text = quoted(&block.tokens);
    let reason = match problem {
        Problem::NoSuchSection(code) => {
            format!("{text} is for section {code}, which the books do not have.")
        }
        Problem::Unclear(why) => format!("{text} leaves the game open. {why}"),
    };
    found.trouble(Trouble::GameUnclear, reason);
}

/// Tells whether one of the moves is there to be played.
fn is_statement(tokens: &[Token]) -> bool {
    tokens.iter().any(|t| t.mused.is_none() && t.stands)
}

/// Sets a game up and reads the moves of a block for it.
fn candidate<'a>(
    pick: &Pick,
    block: &Block,
    shown: &'a [Language],
    said: &'a Said<'_>,
) -> Option<Candidate<'a>> {
    let state = said.desk.state;
    let (_, game) = state.game(&pick.game.id())?;
    let me = pick.sender.as_ref().map(|(side, _)| *side);
    let language = pick
        .sender
        .as_ref()
        .and_then(|(_, member)| Language::of(state.players.get(member)?.language.as_deref()?));
    let over = game.outcome().is_some() || game.record.position().end().is_some();
    let board = Board::new(&game.record, me, over, language, shown);
    let sorted = conditional::sort(&board, &block.tokens);
    let sense = played::sense(&board, &sorted.plain);
    Some(Candidate { pick: pick.clone(), board, sorted, sense })
}

/// Leaves the games of others out: nobody moves in them but they.
fn playing<'a>(candidates: Vec<Candidate<'a>>, said: &Said<'_>) -> Vec<Candidate<'a>> {
    let mine = |c: &Candidate<'_>| said.players.is_empty() || c.pick.sender.is_some();
    candidates.into_iter().filter(mine).collect()
}

/// Returns how many games of the sender's still run.
fn running(said: &Said<'_>) -> usize {
    let games = said.sections().flat_map(|section| {
        let own = said.own_seats(section);
        section.games.iter().filter(move |g| {
            (own.contains(&g.white) || own.contains(&g.black)) && g.settled().is_none()
        })
    });
    games.count()
}

/// Chooses among several games: the one that can take the move, above all where the opponent's last one is repeated.
fn choose(
    candidates: &[Candidate<'_>],
    field: &Field,
    block: &Block,
    shown: &[Language],
    said: &Said<'_>,
    made: &mut Vec<Made>,
    found: &mut Found,
) {
    let open: Vec<&Candidate<'_>> = candidates.iter().filter(|c| !c.board.over).collect();
    let fitting: Vec<&Candidate<'_>> = open.iter().copied().filter(|c| c.sense.fits()).collect();
    if let Some(parts) =
        block.apart().filter(|_| !fitting.iter().any(|c| c.sense.faults.is_empty()))
    {
        // Lines that name no game may each be of another one.
        for part in &parts {
            understand(part, shown, said, made, found);
        }
        return;
    }
    let met: Vec<&Candidate<'_>> =
        fitting.iter().copied().filter(|c| c.sense.last_repeated).collect();
    match (&met[..], &fitting[..]) {
        ([one], _) => verdict::single(one, block, said, made, found),
        (_, [one]) if field.by >= By::Name => verdict::single(one, block, said, made, found),
        (_, [one]) if field.by == By::Section && one.is_numbered() => {
            verdict::single(one, block, said, made, found);
        }
        (_, [one]) => verdict::guessed(one, block, said, made, found),
        (_, []) => nowhere(&open, block, said, made, found),
        (_, several) => {
            let choice =
                |c: &&Candidate<'_>| Some(verdict::choice(c, c.sense.own.first()?, block, said));
            verdict::ask_which(several.iter().filter_map(choice).collect(), block, found);
        }
    }
}

/// Finds the game of a move that none of several games can take: the one at whose turn and number it stands.
fn nowhere(
    open: &[&Candidate<'_>],
    block: &Block,
    said: &Said<'_>,
    made: &mut Vec<Made>,
    found: &mut Found,
) {
    if !is_statement(&block.tokens) {
        return;
    }
    let slips: Vec<_> = open.iter().filter(|c| !c.sense.own.is_empty()).collect();
    if let [one] = slips[..] {
        return verdict::guessed(one, block, said, made, found);
    }
    let again: Vec<_> = open.iter().filter(|c| c.sense.again.is_some()).collect();
    if let [one] = again[..] {
        return verdict::single(one, block, said, made, found);
    }
    let numbered = |c: &&&Candidate<'_>| {
        let next = (c.board.record.next_number(), c.board.record.next_side());
        c.board.mine_to_move()
            && c.sense.faults.iter().any(|f| (f.number, f.side) == next && f.has_number(block))
    };
    let numbered: Vec<_> = open.iter().filter(numbered).collect();
    if let [one] = numbered[..] {
        return verdict::single(one, block, said, made, found);
    }
    let names: Vec<String> = open.iter().take(8).map(|c| c.pick.described(said)).collect();
    let text = quoted(&block.tokens);
    let reason = format!("{text} fits none of the games that may be meant: {}.", names.join(", "));
    found.trouble(Trouble::GameUnclear, reason);
}

/// Returns the moves of a block as the mail has them.
pub(super) fn quoted(tokens: &[Token]) -> String {
    let texts: Vec<String> = tokens.iter().take(6).map(Token::shown).collect();
    format!("`{}`", short(&texts.join(" ")))
}

impl super::played::Faulty {
    /// Tells whether the text gives its number.
    fn has_number(&self, block: &Block) -> bool {
        block.tokens.iter().any(|t| t.number == Some(self.number))
    }
}

/// Returns the place of a game's next move with its side in words: `15.`.
pub(super) fn place(number: u16, side: Side) -> String {
    format!("{number}{}", if side == Side::White { "." } else { "..." })
}
