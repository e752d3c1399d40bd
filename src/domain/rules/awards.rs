//! Rule 4: what is given beside the prizes: the gift certificate for a first round, the certificate suitable for
//! framing for a later one, the pin for all rounds without a forfeit loss. Each once an entry.

use crate::domain::{
    crosstable,
    decide::Decision,
    event::Event,
    honours::{Award, AwardGiven},
    ids::{EntryId, SectionCode},
    progress,
    section::{Entry, Section},
    state::State,
    tournament::Tournament,
};

/// Gives an entry that does not reach the next round what there is for it (Rule 4).
pub(super) fn for_eliminated(
    decision: &mut Decision<'_>,
    tournament: &Tournament,
    entry: &EntryId,
    round: usize,
    section: Option<&SectionCode>,
) {
    let terms = &tournament.awards;
    if let (0, Some(amount)) = (round, terms.gift_certificate) {
        let currency = tournament.entry.currency.clone();
        give(decision, entry, Award::GiftCertificate { amount, currency }, section);
    }
    let name = tournament.rounds.get(round).map(|round| &round.name);
    if name.is_some() && name == terms.framing_certificate_round.as_ref() {
        give(decision, entry, Award::FramingCertificate, section);
    }
}

/// Gives the pin to an entry that has finished the last round, where it completed all of them without a forfeit loss
/// (Rule 4). The section comes as it is after the decision.
pub(super) fn for_finished(
    decision: &mut Decision<'_>,
    tournament: &Tournament,
    entry: &EntryId,
    after: &Section,
) {
    let Some(seat) = after.seat_of(entry) else { return };
    let row = crosstable::row(after, seat, entry.clone());
    if row.forfeit_losses == 0 {
        for_completed(decision, tournament, entry, Some(after.round), Some(&after.code));
    }
}

/// Gives the pin where every round is complete in the books and without a forfeit loss; `just` is a round that is
/// completed so by this decision (Rule 4).
pub(super) fn for_completed(
    decision: &mut Decision<'_>,
    tournament: &Tournament,
    entry: &EntryId,
    just: Option<usize>,
    section: Option<&SectionCode>,
) {
    let state = decision.state;
    let Some(known) = state.entries.get(entry).filter(|_| tournament.awards.pin) else { return };
    let mut rounds = (0..tournament.rounds.len()).filter(|round| just != Some(*round));
    if rounds.all(|round| is_clean(state, known, round)) {
        give(decision, entry, Award::Pin, section);
    }
}

/// Tells whether an entry completed a round without a forfeit loss.
fn is_clean(state: &State, entry: &Entry, round: usize) -> bool {
    let score = progress::score(state, entry, round);
    score.is_some_and(|score| score.complete && score.forfeit_losses == 0)
}

/// Makes void what an entry was given for being out, when it goes on after all (Rule 4). A certificate that has been
/// spent is not asked back.
pub(super) fn take_back(decision: &mut Decision<'_>, id: &EntryId) {
    let state = decision.state;
    let Some(entry) = state.entries.get(id) else { return };
    for award in entry.awards.iter().cloned() {
        let is_void = match &award {
            Award::GiftCertificate { amount, currency } => {
                state.credit_of(&entry.member, currency) >= *amount
            }
            Award::FramingCertificate => true,
            Award::Pin | Award::Title(_) => false,
        };
        if is_void {
            let (entry, section, on) = (id.clone(), None, decision.now.today);
            decision.push(Event::AwardTakenBack(AwardGiven { entry, award, section, on }));
        }
    }
}

/// What an entry has been given already it is not given again.
fn give(decision: &mut Decision<'_>, entry: &EntryId, award: Award, section: Option<&SectionCode>) {
    let same = |known: &Award| std::mem::discriminant(known) == std::mem::discriminant(&award);
    let entries = &decision.state.entries;
    if entries.get(entry).is_some_and(|entry| entry.awards.iter().any(same)) {
        return;
    }
    let (entry, section, on) = (entry.clone(), section.cloned(), decision.now.today);
    decision.push(Event::AwardGiven(AwardGiven { entry, award, section, on }));
}
