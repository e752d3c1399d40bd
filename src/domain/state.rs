//! The state: what all events so far add up to. It is derived, never saved, and rebuilt at every start.
//! Questions that only read it are answered here; changing it is `apply.rs` and nothing else.

use super::{
    acts::Leave,
    alarm,
    docket::{Item, ItemKind, Ruling},
    event::Job,
    flood::Cap,
    honours::PrizeList,
    ids::{EntryId, GameId, ItemId, MemberId, QuestionId, Seat, SectionCode, TournamentId},
    player::Player,
    points::Side,
    post::Post,
    progress,
    question::Question,
    section::{Entry, EntryState, Game, Section},
    transcript::HeldLines,
};
use chrono::NaiveDate;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Everything the books know of players, entries, sections and the docket.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// The roster.
    pub players: BTreeMap<MemberId, Player>,
    /// Which players use an address (lower case). Two may share one.
    pub addresses: BTreeMap<String, BTreeSet<MemberId>>,
    /// All entries.
    pub entries: BTreeMap<EntryId, Entry>,
    /// The entries of each player, in order of arrival.
    pub entries_of: BTreeMap<MemberId, Vec<EntryId>>,
    /// The last running number given in each tournament.
    pub last_entry: BTreeMap<TournamentId, u32>,
    /// All sections.
    pub sections: BTreeMap<SectionCode, Section>,
    /// Money by tournament and player (Rule 8).
    pub accounts: BTreeMap<(TournamentId, MemberId), Account>,
    /// The credit of gift certificates by player and currency (Rule 4).
    pub credit: BTreeMap<(MemberId, String), Decimal>,
    /// The prizes that were announced, of a tournament or of one of its sections (Rule 5).
    pub prizes: BTreeMap<(TournamentId, Option<SectionCode>), PrizeList>,
    /// How many entries were assigned, where the director had to say it (Rule 5).
    pub assigned: BTreeMap<TournamentId, u32>,
    /// Players who asked not to meet, the smaller number first (Rule 2).
    pub apart: BTreeSet<(MemberId, MemberId)>,
    /// Leave by player, in the order in which it was granted (Rule 10).
    pub leaves: BTreeMap<MemberId, Vec<Leave>>,
    /// Players who have died, and when that came to be known. No letter goes to them.
    pub died: BTreeMap<MemberId, NaiveDate>,
    /// The membership whose end a player was last reminded of, and how many days before (Rule 1).
    pub membership_reminded: BTreeMap<MemberId, (NaiveDate, u16)>,
    /// Warnings for overstepping the time, by game and side (Rule 10).
    pub oversteps: BTreeMap<(GameId, Side), Vec<u16>>,
    /// Days charged beside those used, with the day of each charge, by game and side (Rule 10).
    pub charged: BTreeMap<(GameId, Side), Vec<(NaiveDate, u16)>>,
    /// All docket items, open and closed.
    pub docket: BTreeMap<ItemId, (Item, Option<Ruling>)>,
    /// The last number that an item had. It is given once, whatever becomes of the item.
    pub last_item: ItemId,
    /// The items that are open.
    pub open_items: BTreeSet<ItemId>,
    /// The same by kind, so that a question about a few need not go through all.
    pub open_by_kind: BTreeSet<(ItemKind, ItemId)>,
    /// All questions to players, open and answered.
    pub questions: BTreeMap<QuestionId, Question>,
    /// Those that nobody has answered, with whom they were put to.
    pub open_questions: BTreeSet<(MemberId, QuestionId)>,
    /// Letters that did not arrive, and addresses that failed (Rule 10).
    pub post: Post,
    /// Lines in the director's name that wait for his word, by the digest of their mail.
    pub held_lines: BTreeMap<String, HeldLines>,
    /// The day of the last slot of each job that was seen to.
    pub slots: BTreeMap<Job, NaiveDate>,
    /// The day on which the director was last alerted of a flood, by the cap it is beyond.
    pub flood_alerts: BTreeMap<Cap, NaiveDate>,
    /// The day on which the director was last told at once, by what was the matter.
    pub alarms: BTreeMap<alarm::Matter, NaiveDate>,
    /// The day of the last summary.
    pub last_summary: Option<NaiveDate>,
}

/// What a player paid for a tournament.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// Every payment: amount, day, reference. What went back is less than nothing.
    pub payments: Vec<(Decimal, NaiveDate, String)>,
    /// How much of it the fees of entries have used.
    pub used: Decimal,
}

impl Account {
    /// Returns what is left of all payments.
    pub fn balance(&self) -> Decimal {
        self.payments.iter().map(|(amount, ..)| *amount).sum::<Decimal>() - self.used
    }
}

impl State {
    /// Returns the players who use an address, in any case.
    pub fn players_at(&self, address: &str) -> impl Iterator<Item = &MemberId> {
        self.addresses.get(&address.to_lowercase()).into_iter().flatten()
    }

    /// Returns the entries of a player in a tournament.
    pub fn entries_in<'a>(
        &'a self,
        event: &'a TournamentId,
        member: &MemberId,
    ) -> impl Iterator<Item = &'a Entry> {
        let ids = self.entries_of.get(member).into_iter().flatten();
        ids.filter_map(|id| self.entries.get(id)).filter(move |e| &e.tournament == event)
    }

    /// Returns the sections in which a player sits, with his seat.
    pub fn seats_of(&self, member: &MemberId) -> impl Iterator<Item = (&Section, Seat)> {
        let ids = self.entries_of.get(member).into_iter().flatten();
        let entries = ids.filter_map(|id| self.entries.get(id));
        let sections = entries.flat_map(|e| e.sections.iter().map(move |code| (e, code)));
        sections.filter_map(|(entry, code)| {
            let section = self.sections.get(code)?;
            Some((section, section.seat_of(&entry.id)?))
        })
    }

    /// Returns who sits at a seat.
    pub fn member_at(&self, section: &Section, seat: Seat) -> Option<&MemberId> {
        let seated = section.seated(seat)?;
        Some(&self.entries.get(&seated.entry)?.member)
    }

    /// Returns the player at a seat.
    pub fn player_at(&self, section: &Section, seat: Seat) -> Option<&Player> {
        self.players.get(self.member_at(section, seat)?)
    }

    /// Returns a game with its section.
    pub fn game(&self, id: &GameId) -> Option<(&Section, &Game)> {
        let section = self.sections.get(&id.section)?;
        Some((section, section.game(id.white, id.black)?))
    }

    /// Returns the side that a player has in a game.
    pub fn side_of(&self, id: &GameId, member: &MemberId) -> Option<Side> {
        let (section, game) = self.game(id)?;
        [Side::White, Side::Black]
            .into_iter()
            .find(|side| self.member_at(section, game.seat(*side)) == Some(member))
    }

    /// Returns the member who has a side in a game.
    pub fn member_of(&self, id: &GameId, side: Side) -> Option<&MemberId> {
        let (section, game) = self.game(id)?;
        self.member_at(section, game.seat(side))
    }

    /// Returns the addresses that a player is reached at, as far as is known.
    pub fn good_emails<'a>(&'a self, player: &'a Player) -> impl Iterator<Item = &'a str> {
        let emails = player.emails.iter().map(String::as_str);
        emails.filter(|address| !self.post.has_failed(Some(&player.member), address))
    }

    /// Returns the open docket items, oldest first.
    pub fn open_docket(&self) -> impl DoubleEndedIterator<Item = &Item> {
        self.open_items.iter().filter_map(|id| self.docket.get(id)).map(|(item, _)| item)
    }

    /// Returns the open docket items of a kind, oldest first.
    pub fn open_of_kind(&self, kind: ItemKind) -> impl Iterator<Item = &Item> {
        let all = (kind, ItemId(0))..=(kind, ItemId(u64::MAX));
        let ids = self.open_by_kind.range(all).map(|(_, id)| id);
        ids.filter_map(|id| self.docket.get(id)).map(|(item, _)| item)
    }

    /// Returns the questions to a player that are not answered, oldest first.
    pub fn open_questions_to(&self, member: &MemberId) -> impl Iterator<Item = &Question> {
        let all = (member.clone(), QuestionId(0))..=(member.clone(), QuestionId(u64::MAX));
        let ids = self.open_questions.range(all).map(|(_, id)| id);
        ids.filter_map(|id| self.questions.get(id))
    }

    /// Returns the sections of a tournament's round.
    pub fn sections_in<'a>(
        &'a self,
        event: &'a TournamentId,
        round: usize,
    ) -> impl Iterator<Item = &'a Section> {
        self.sections.values().filter(move |s| &s.tournament == event && s.round == round)
    }

    /// Returns the entries that wait for a section of a round, in the order in which they are served (Rule 2): whoever
    /// was passed over, then by postmark, then arrival.
    pub fn waiting(&self, event: &TournamentId, round: usize) -> Vec<&Entry> {
        let wanted = if round == 0 { EntryState::Waiting } else { EntryState::Advanced };
        let waits = |e: &&Entry| {
            &e.tournament == event && e.state == wanted && progress::reached(self, e) == round
        };
        let mut entries: Vec<_> = self.entries.values().filter(waits).collect();
        entries.sort_by_key(|e| (!e.passed_over, e.postmark, e.arrived, &e.id));
        entries
    }

    /// Returns what a player's gift certificates are still worth in a currency (Rule 4).
    pub fn credit_of(&self, member: &MemberId, currency: &str) -> Decimal {
        let account = (member.clone(), currency.to_owned());
        self.credit.get(&account).copied().unwrap_or_default()
    }

    /// Tells whether two players asked not to meet (Rule 2).
    pub fn are_apart(&self, one: &MemberId, other: &MemberId) -> bool {
        let pair = if one < other { (one, other) } else { (other, one) };
        !self.apart.is_empty() && self.apart.contains(&(pair.0.clone(), pair.1.clone()))
    }
}
