//! The names of the letters: the contract's words, and the templates' file names.

use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! names {
    ($($name:ident = $text:literal,)*) => {
        /// The names of the letters, as the contract lists them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        #[expect(missing_docs, reason = "the names are the contract's; what each says is its template")]
        pub enum NoticeName {
            $($name,)*
        }

        impl NoticeName {
            /// All letters there are, in the order in which a tournament brings them.
            pub const ALL: [Self; [$($text),*].len()] = [$(Self::$name),*];

            /// Returns the name in the contract's spelling; the template is the file of this name.
            pub const fn text(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }
        }
    };
}

names! {
    EntryReceived = "entry-received",
    EntryRefused = "entry-refused",
    EntryCarriedForward = "entry-carried-forward",
    PaymentReminder = "payment-reminder",
    MembershipReminder = "membership-reminder",
    Assignment = "assignment",
    Receipt = "receipt",
    Move = "move",
    MoveRejected = "move-rejected",
    DrawOffer = "draw-offer",
    DrawDeclined = "draw-declined",
    Question = "question",
    Confirmation = "confirmation",
    Condolence = "condolence",
    ComplaintPremature = "complaint-premature",
    TimeComplaintReceived = "time-complaint-received",
    TimeWarning = "time-warning",
    LeaveGranted = "leave-granted",
    LeaveAnnounced = "leave-announced",
    AddressChanged = "address-changed",
    Substitution = "substitution",
    Bereavement = "bereavement",
    ResultReceipt = "result-receipt",
    ResultReported = "result-reported",
    ResultDisputed = "result-disputed",
    AdjudicationRequest = "adjudication-request",
    Ruling = "ruling",
    Forfeit = "forfeit",
    TakenBack = "taken-back",
    WithdrawalConfirmed = "withdrawal-confirmed",
    SectionComplete = "section-complete",
    Advancement = "advancement",
    FilledIn = "filled-in",
    NotAdvancing = "not-advancing",
    GiftCertificate = "gift-certificate",
    FramingCertificate = "framing-certificate",
    Pin = "pin",
    Prize = "prize",
    Champion = "champion",
    NotUnderstood = "not-understood",
    Help = "help",
    DirectorSummary = "director-summary",
    DirectorAlert = "director-alert",
    Transcript = "transcript",
    DirectorConfirm = "director-confirm",
}

impl fmt::Display for NoticeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text())
    }
}
