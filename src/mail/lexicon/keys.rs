//! What the phrases and words of the lexicon mean: the keys under which they stand in the files of `words/`, the same in
//! every language.

macro_rules! keys {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// What a phrase means.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub(in crate::mail) enum Key { $($(#[$doc])* $name,)* }

        impl Key {
            pub(super) const ALL: &[(Self, &'static str)] = &[$((Self::$name, $text),)*];
        }
    };
}

keys! {
    /// The sender gives up a game: `I resign`.
    Resign = "acts.resign",
    /// A draw is offered: `I offer a draw`, `remis?`.
    DrawOffer = "draws.offer",
    /// The opponent's offer is accepted.
    DrawAccept = "draws.accept",
    /// The opponent's offer is declined.
    DrawDecline = "draws.decline",
    /// A draw is claimed by the rules of the game.
    DrawClaim = "draws.claim",
    /// Why it is one: the position came up three times.
    DrawRepetition = "draws.repetition",
    /// Why it is one: fifty moves without a capture.
    DrawFifty = "draws.fifty-moves",
    /// Why it is one: neither side can mate.
    DrawMaterial = "draws.material",
    /// Takes an offer back, or speaks of one that was made before.
    DrawWithdrawn = "draws.withdrawn",
    /// What sounds like an offer where it stands by itself: `draw offer`, `(=)`.
    DrawSign = "draws.sign",
    /// What an offer is called, beside words that agree or refuse.
    DrawMatter = "draws.matter",
    /// Agrees to the offer that stands, in a sentence that names it.
    DrawAgree = "draws.agree",
    /// Refuses the offer that stands, in a sentence that names it.
    DrawRefuse = "draws.refuse",
    /// Accepts the offer that stands, as the whole of a sentence: `I accept`.
    DrawYes = "draws.yes",
    /// Stands before words of a draw that are no statement of the sender's: `I might`, `she`.
    DrawThought = "draws.thought",
    /// Says that an answer to an offer is still thought about: `sleep over it`.
    DrawPondered = "draws.pondered",
    /// Shows that a question is about an offer and makes none: `did you`.
    DrawAsking = "draws.asking",
    /// Ties an offer to something else: `in both games or neither`.
    DrawLinked = "draws.linked",
    /// Announces the sender's own move: `my move is`, `I reply`.
    MoveMine = "moves.mine",
    /// Repeats the opponent's move: `your`, `you played`.
    MoveYours = "moves.yours",
    /// Stands before a move that somebody only thinks of: `I looked at`.
    MoveMused = "moves.mused",
    /// Stands directly before a move that is no statement: `after`, `instead of`.
    MoveBefore = "moves.before",
    /// Stands directly behind a move that is no statement: `would have been`.
    MoveBehind = "moves.behind",
    /// Denies a move or puts it off: `not`, `tomorrow`.
    MoveDenied = "moves.denied",
    /// How a sentence goes on behind a move that is made: `and`, `with`.
    MoveGoesOn = "moves.goes-on",
    /// Joins moves that are listed: `and`, `or`.
    MoveJoins = "moves.joins",
    /// Says that a move is told by somebody, or shown: `wrote`, `solution`.
    MoveTold = "moves.told",
    /// Takes a move back for another: `sorry, I mean`.
    MoveCorrects = "moves.corrects",
    /// Says that a move is sent again.
    MoveAgain = "moves.again",
    /// The word for a move: `move 15`, `15. Zug`.
    MoveWord = "moves.word",
    /// Words beside a move that say nothing: `game`, `best wishes`.
    MoveNeutral = "moves.neutral",
    /// Opens a condition: `if`.
    ConditionIf = "conditions.if",
    /// Opens a condition only right before a move: `on 15...h6`.
    ConditionOn = "conditions.on",
    /// Any move of the opponent's.
    ConditionAny = "conditions.any",
    /// Says that what follows is offered beforehand: `conditional`.
    ConditionOffered = "conditions.offered",
    /// Takes the opponent's conditional moves.
    ConditionTaken = "conditions.taken",
    /// An `if` that only is polite.
    ConditionPolite = "conditions.polite",
    /// Stands before an opponent's name: `against`.
    Versus = "games.versus",
    /// Words of time used and dates of mails: `received`, `sent`.
    Clock = "clocks.words",
    /// Shows in which language a mail is written: `Regards`, `terveisin`.
    Tongue = "tongue.shown",
    /// What gives up a game if it stands alone: `you win`, `I give up`.
    ResignWeak = "acts.resign-weak",
    /// What takes back what was said before it: `just kidding`.
    TakenBack = "held.taken-back",
    /// The sender has won: `ich gewann`.
    IWon = "result.i-won",
    /// The sender has lost.
    ILost = "result.i-lost",
    /// The first half of a verb in two halves: `ich habe`.
    IHave = "result.have",
    /// Its second half: `gewonnen`.
    Won = "result.won",
    /// Its second half: `verloren`.
    Lost = "result.lost",
    /// A game has ended in a draw, told and not asked for.
    Drawn = "result.drawn",
    /// The opponent, without a name: `my opponent`, `she`.
    Foe = "result.opponent",
    /// Whoever stands before it has won.
    TheyWon = "result.they-won",
    /// Whoever stands before it has lost.
    TheyLost = "result.they-lost",
    /// Whoever stands before it has given up.
    TheyResigned = "result.they-resigned",
    /// White, as the subject of a sentence.
    White = "result.white",
    /// Black, as the subject of a sentence.
    Black = "result.black",
    /// The sender had White.
    WithWhite = "result.with-white",
    /// The sender had Black.
    WithBlack = "result.with-black",
    /// Shows that a list tells results: `results`, `all my games`.
    ListHeader = "result.list",
    /// A game ended in mate.
    Mate = "how.mate",
    /// A game ended in stalemate.
    Stalemate = "how.stalemate",
    /// A draw was agreed.
    Agreement = "how.agreement",
    /// The position came up three times.
    Repetition = "how.repetition",
    /// Fifty moves without a capture and a pawn move.
    Fifty = "how.fifty",
    /// Nobody can mate.
    Material = "how.material",
    /// A game ended by resignation.
    Resignation = "how.resignation",
    /// Makes a sentence hang on something, or puts it in the future.
    HeldIf = "held.condition",
    /// Denies what the sentence says.
    HeldNot = "held.denial",
    /// Tells what somebody else says.
    HeldTold = "held.hearsay",
    /// Speaks of another event than ours.
    HeldElsewhere = "held.elsewhere",
    /// What is won and lost without being a game: a pawn, time, an address.
    HeldThing = "held.thing",
    /// The sender objects.
    Object = "objection.object",
    /// Something in the books is wrong.
    Wrong = "objection.wrong",
    /// Somebody has reported something else than the sender says.
    Reported = "objection.reported",
    /// How a question begins.
    Asks = "question.begins",
    /// A word of questions about deadlines and fees.
    AskDeadlines = "question.deadlines",
    /// A word of questions about the sender's own entries and payments.
    AskEntries = "question.entries",
    /// A word of questions about a section.
    AskSection = "question.section",
    /// A word of questions about a whole tournament.
    AskStandings = "question.standings",
    /// A word of questions about the sender's games.
    AskGames = "question.games",
    /// A word of questions about the rules.
    AskRules = "question.rules",
    /// A word of questions about how all this works.
    AskHelp = "question.help",
    /// Asks wherever it stands: `I should be glad to know`.
    AskWants = "question.wants",
    /// A question how one tells the program something: `how do I send`.
    AskTelling = "question.telling",
    /// A question how one enters: `how does one enter`.
    AskEntering = "question.entering",
    /// The sender asks for an entry.
    Enter = "entry.asks",
    /// What is counted in an entry: `entries`, `Startplätze`.
    EntryThing = "entry.things",
    /// The fee is paid or enclosed.
    Paid = "entry.paid",
    /// The fee is not paid yet.
    Unpaid = "entry.unpaid",
    /// A wish beside an entry: `not in a section with`.
    Wish = "entry.wishes",
    /// Says "wrote" in the line above a quotation: `On Monday Ann wrote:`.
    Wrote = "quote.wrote",
    /// How the line above a quotation may begin, where it is broken into several.
    AttributionBegins = "quote.begins",
    /// The name of the header that says who wrote, in the block above an old mail.
    HeaderFrom = "quote.from",
    /// The names of the other headers in such a block.
    HeaderOther = "quote.headers",
    /// The line above an old mail: `-----Original Message-----`.
    Original = "quote.original",
    /// The line above a mail that is passed on.
    Forwarded = "quote.forwarded",
    /// What stands before the subject of an answer: `Re`, `AW`.
    Reply = "quote.reply",
    /// What stands before the subject of a mail that is passed on: `Fwd`, `WG`.
    Forward = "quote.forward",
    /// How a plain text says that the real one is in HTML.
    Excuse = "quote.excuse",
    /// How the line begins by which a telephone or a program advertises itself; a device or program is named in it.
    SentFrom = "footer.sent",
    /// Devices and programs.
    Device = "footer.device",
    /// How the line of a virus scanner or a mail gateway begins.
    Scanner = "footer.scanner",
    /// How the lines below a list's mail begin.
    ListFooter = "footer.list",
    /// How a disclaimer begins; one of the words of `Confidential` stands in it.
    Disclaimer = "footer.disclaimer",
    /// Words of disclaimers.
    Confidential = "footer.confidential",
    /// How the subject of an automatic answer begins, or what it holds where a star stands first.
    AutomaticSubject = "automatic.subject",
    /// How the subject of one who is away begins: an automatic answer only if the text says more.
    AwaySubject = "automatic.away",
    /// What only a machine says.
    AutomaticBody = "automatic.body",
    /// What a machine says, and now and then a person: two of them together are a machine's.
    AutomaticHint = "automatic.hints",
    /// What shows that a person writes about chess, although he is away.
    AboutChess = "automatic.person",
    /// Makes a sentence hang on something: `if`.
    Condition = "holds.condition",
    /// Makes a sentence less than a statement: `maybe`, `I am thinking of`.
    Doubtful = "holds.doubt",
    /// Denies: `not`.
    Denial = "holds.denial",
    /// Tells what somebody else said: `he wrote`.
    Told = "holds.told",
    /// Speaks of long ago: `last year`.
    Past = "holds.past",
    /// Speaks of what is not played here: `my club`, `another tournament`.
    Elsewhere = "holds.elsewhere",
    /// Shows that it is not meant: `just kidding`.
    Joke = "holds.joke",
    /// Somebody else is spoken of: `he`, `my opponent`.
    Third = "holds.third",
    /// Makes a request of a question: `may I`.
    Please = "holds.please",
    /// A complaint about time: `time complaint`.
    Complaint = "time.complaint",
    /// The game is claimed: `I claim the win`, `won on time`.
    Claim = "time.claim",
    /// Why a game may be claimed: `on time`, `by forfeit`.
    ClaimReason = "time.support",
    /// Somebody does not answer; who, stands before it.
    Silence = "time.silence",
    /// The sender has heard nothing; from whom, stands behind it.
    Unheard = "time.unheard",
    /// The time is overstepped.
    Overstepped = "time.over",
    /// A move was sent again.
    SentAgain = "time.repeat",
    /// A move was sent.
    Sent = "time.sent",
    /// What was complained about is settled: `he has now answered`.
    Settled = "time.settled",
    /// Takes back what stands before it in the mail: `no, forget that`.
    Retracts = "retracts.words",
    /// The sender plays on while he is away.
    PlaysOn = "leave.plays-on",
    /// One of the family writes in a player's stead.
    FamilyWrites = "death.writes",
    /// Asks for leave, or takes it.
    AskLeave = "leave.ask",
    /// Why somebody is away: `vacation`, `hospital`.
    LeaveWord = "leave.noun",
    /// Somebody is away, whether he asks for leave or not.
    Away = "leave.away",
    /// A leave is changed, or over.
    LeaveDone = "leave.done",
    /// The sender withdraws.
    Withdraw = "withdrawal.from",
    /// From all there is.
    AllEvents = "withdrawal.all",
    /// A tournament.
    EventWord = "withdrawal.event",
    /// A section.
    SectionWord = "withdrawal.section",
    /// An entry.
    EntryWord = "withdrawal.entry",
    /// Words before what is withdrawn from.
    ScopeFiller = "withdrawal.skip",
    /// What may follow a withdrawal that does not say from what.
    WithdrawalReason = "withdrawal.reason",
    /// What a verb of two parts needs behind it: `zurück`.
    Completes = "withdrawal.completes",
    /// The sender has another address.
    NewAddress = "address.new",
    /// An address is to be used from now on.
    UseAddress = "address.use",
    /// An address that goes.
    OldAddress = "address.old",
    /// An address is to be used for a time, or beside another.
    LimitedUse = "address.limited",
    /// How a mail closes; what stands below is a signature.
    Closing = "address.closing",
    /// A membership was renewed, or runs.
    Renewed = "membership.renewed",
    /// A membership.
    MembershipWord = "membership.word",
    /// Somebody died.
    Died = "death.died",
    /// Somebody of the sender's family.
    Relative = "death.relative",
    /// Shows that one who is spoken of plays here.
    Played = "death.player",
    /// The opponent.
    Opponent = "death.opponent",
    /// What dies in chess, and otherwise, and is no player.
    NoPerson = "death.chess",
    /// Somebody plays with a machine's help.
    Engine = "conduct.engine",
    /// Somebody behaves badly.
    Abuse = "conduct.abuse",
    /// Shows that a conduct is complained about.
    Complains = "conduct.complain",
}

/// When the phrases of a key are looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Pass {
    /// In every sentence.
    First,
    /// In sentences that say something already: what they are about, and what keeps them from being a statement.
    Second,
    /// Never in sentences: they mark quotations, footers and automatic mail, and are compared with lines and subjects
    /// (`marks.rs`), since words like `from` say nothing in a sentence.
    Never,
}

impl Key {
    /// Returns when its phrases are looked for.
    pub(super) fn pass(self) -> Pass {
        let name = Self::ALL.iter().find(|(key, _)| *key == self).map_or("", |(_, name)| *name);
        let table = name.split('.').next().unwrap_or_default();
        match (table, self) {
            ("quote" | "footer" | "automatic", _) => Pass::Never,
            ("holds" | "held", _)
            | (
                _,
                Self::ClaimReason
                | Self::Sent
                | Self::AllEvents
                | Self::EventWord
                | Self::SectionWord
                | Self::EntryWord
                | Self::ScopeFiller
                | Self::WithdrawalReason
                | Self::Completes
                | Self::OldAddress
                | Self::LimitedUse
                | Self::Closing
                | Self::MembershipWord
                | Self::Relative
                | Self::Played
                | Self::Opponent
                | Self::NoPerson
                | Self::Complains,
            ) => Pass::Second,
            _ => Pass::First,
        }
    }
}

/// Words that are looked up one by one and not looked for in texts: those of which days and short answers are made. Where the file
/// has a list of lists, the place in it is the number of the word, from 1 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::mail) enum Word {
    /// The months: January is 1.
    Month,
    /// The days of the week: Monday is 1.
    Weekday,
    /// Small numbers.
    Number,
    /// What stands before a first day: `from`, `since`.
    From,
    /// What stands before a last day: `until`.
    Until,
    /// What stands before two days with `and` between them.
    Between,
    /// `and`.
    And,
    /// What may stand inside a day and says nothing: `the`, `of`.
    Filler,
    /// What stands before a month that is meant as a whole: `in`, `during`.
    During,
    /// What stands before a month whose last day is meant: `the end of`.
    EndOf,
    /// `the day before yesterday`, `yesterday`, `today`, `tomorrow`.
    Relative,
    /// `next week`.
    NextWeek,
    /// `day`, `week`, `month`.
    Unit,
    /// Outcomes in a list: won is 1, lost 2, drawn 3, without play 4.
    Outcome,
    /// Words that say nothing by themselves, beside which a phrase is sure to mean what it says: `the`, `game`, `thanks`.
    Common,
    /// What makes a time of the past of a number of days: `ago`.
    Ago,
    /// `yes`.
    Yes,
    /// `no`.
    No,
    /// `neither`.
    Neither,
    /// `both`.
    Both,
    /// `the first`.
    Ordinal,
    /// What may stand beside a short answer and says nothing.
    AnswerFiller,
}

impl Word {
    pub(super) const ALL: &[(Self, &'static str)] = &[
        (Self::Month, "dates.months"),
        (Self::Weekday, "dates.weekdays"),
        (Self::Number, "dates.numbers"),
        (Self::From, "dates.from"),
        (Self::Until, "dates.until"),
        (Self::Between, "dates.between"),
        (Self::And, "dates.and"),
        (Self::Filler, "dates.filler"),
        (Self::During, "dates.during"),
        (Self::EndOf, "dates.end-of"),
        (Self::Relative, "dates.relative"),
        (Self::NextWeek, "dates.next-week"),
        (Self::Unit, "dates.units"),
        (Self::Ago, "dates.ago"),
        (Self::Outcome, "words.outcomes"),
        (Self::Common, "words.common"),
        (Self::Yes, "answers.yes"),
        (Self::No, "answers.no"),
        (Self::Neither, "answers.neither"),
        (Self::Both, "answers.both"),
        (Self::Ordinal, "answers.ordinals"),
        (Self::AnswerFiller, "answers.filler"),
    ];
}
