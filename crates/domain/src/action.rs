//! What buttons, selects and forms do, and the `custom_id` that carries it.
//!
//! A new button is an entry of one of the five tables here, the card that shows it, and the arm in `bot::components`
//! that answers it; the compiler finds the arm that is missing. The table says how the press is first answered, for
//! that has to be known before anything is looked up.

mod argument;

use std::fmt;

use serde::{Deserialize, Serialize};

use self::argument::Argument;
use super::{
    Addressee, Draft, Estimate, FindingId, FoundOn, InteractionId, Opinion, PageOf, Proposal, Proposition,
    SessionId, StepKey, TeamQuestion, Verdict,
};

/// Who may press.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Right {
    /// Everybody who sees it.
    Anyone,
    /// Whoever may vote; moderators too where it is about findings. What takes the press looks, in the transaction
    /// that takes it.
    Voters,
    /// Whom the server's settings let decide, and moderators. What they want to do, for the sentence to all others.
    Deciders(&'static str),
    /// Whoever started the session, and moderators.
    Starter,
}

/// Declares what can be pressed: a case with what it is about, the verb in its `custom_id`, and who may press it. The
/// verbs stand on messages that were posted long ago, so they never change.
macro_rules! actions {
    (
        $(#[$docs:meta])* $enum:ident
        $($(#[$doc:meta])* $name:ident $(($about:ident: $type:ty))? = $verb:literal, $right:expr;)*
    ) => {
        $(#[$docs])*
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub enum $enum { $($(#[$doc])* $name $(($type))?,)* }

        impl $enum {
            #[cfg(test)]
            const VERBS: &[&str] = &[$($verb),*];

            /// Who may press it.
            #[must_use]
            pub fn right(&self) -> Right {
                match self { $(Self::$name { .. } => $right,)* }
            }

            fn verb(&self) -> &'static str {
                match self { $(Self::$name { .. } => $verb,)* }
            }

            fn argument(&self) -> String {
                match self { $(Self::$name $(($about))? => String::new() $(+ &$about.spelled())?,)* }
            }

            fn read(verb: &str, argument: &str) -> Option<Self> {
                match verb {
                    $($verb => Some(Self::$name $((<$type as Argument>::read(argument)?))?),)*
                    _ => None,
                }
            }
        }

        impl From<$enum> for Action {
            fn from(action: $enum) -> Self {
                Self::$enum(action)
            }
        }
    };
}

/// What a button, a select or a form does, by how a press is first answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// By a form, which has to be the first answer.
    Opens(Opens),
    /// By changing the private message that was pressed on.
    Changes(Changes),
    /// By "thinking…", and the rest later. Forms that were sent are answered so.
    Does(Does),
    /// By what [`Apart::changes`] says, on a private answer that belongs to no session.
    Apart(Apart),
    /// By a form or by "thinking…": which of them, what was chosen before says.
    Begins(Begins),
}

const DECISIONS: Right = Right::Deciders("record decisions and say how they turned out");
const ROLES: Right = Right::Deciders(Proposal::TERMS.decide);
const PROPOSITION: Right = Right::Deciders(Proposition::TERMS.decide);
const ESTIMATE: Right = Right::Deciders(Estimate::TERMS.decide);
const TEAM: Right = Right::Deciders(TeamQuestion::TERMS.decide);
const BUDGET: Right = Right::Deciders("add to this session's budget");
const CLOSE: Right = Right::Deciders("close this vote");

actions! {
    /// What opens a form.
    Opens
    /// For a note to the panel.
    Context = "context", Right::Anyone;
    /// For what has to be decided, in other words.
    Reword = "reword", Right::Starter;
    /// To type points instead of pressing them.
    SpreadType(draft: Draft) = "spread_type", Right::Voters;
    /// For a solution of one's own.
    Propose = "propose", Right::Voters;
    /// How much more the session may use.
    AddBudget = "add_budget", BUDGET;
    /// The proposed roles.
    RolesEdit = "roles_edit", ROLES;
    /// The question, and who sits at the table by which model.
    TableEdit = "table_edit", ROLES;
    /// What a proposal says that only the team can say.
    OpenPoints = "open_points", Right::Anyone;
    /// The proposition.
    PropositionEdit = "prop_edit", PROPOSITION;
    /// The options of a session whose estimate waits for a Go.
    EstimateOptions = "estimate_options", ESTIMATE;
    /// The team's answer to an investigation's question.
    TeamAnswer = "team_answer", TEAM;
    /// What was decided.
    Decide = "decide", DECISIONS;
    /// How a decision turned out, by its number.
    Outcome(said: (u32, Verdict)) = "outcome", DECISIONS;
    /// Evidence for both sides of a debate.
    Evidence = "evidence", Right::Anyone;
    /// What should be made clear.
    Clarify = "clarify", Right::Anyone;
    /// A question to somebody of the debate.
    Question(to: Addressee) = "question", Right::Anyone;
    /// Evidence on a hinge, from 1. In the select it is the option that says which.
    Hinge(hinge: Option<u8>) = "hinge", Right::Anyone;
}

actions! {
    /// What changes the private message that it stands on. Each button carries the draft as it will be once it is
    /// pressed.
    Changes
    /// The points.
    Spread(draft: Draft) = "spread", Right::Voters;
    /// The solution that the buttons work on; the option says which.
    SpreadPick(draft: Draft) = "spread_pick", Right::Voters;
}

actions! {
    /// What does something, which takes as long as it takes.
    Does
    /// Shows the whole text of a card.
    Whole(step: StepKey) = "whole", Right::Anyone;
    /// Shows how a card came about.
    Raw(step: StepKey) = "raw", Right::Anyone;
    /// Shows the whole text of what came out, below the card of a session that is done.
    Result = "result", Right::Anyone;
    /// Puts a report into the thread.
    Export = "export", Right::Anyone;
    /// Shows what a session left open that another could go on with.
    GoOn = "go_on", Right::Anyone;
    /// Starts a session that goes on with it; the option says with what.
    GoOnWith = "go_on_with", Right::Anyone;
    /// Has what was said looked at: prompts, citations, pages, facts.
    Audit = "audit", Right::Anyone;
    /// Takes the note that was written.
    Note = "note", Right::Anyone;
    /// Takes what has to be decided, as it was written.
    Reworded = "reworded", Right::Starter;
    /// Has fitting modules join the usual ones.
    ChooseModules = "choose", Right::Starter;
    /// Has whoever presses told when the session stands still, or not any more.
    TellMe = "tell_me", Right::Anyone;
    /// Pauses the session.
    Pause = "pause", Right::Starter;
    /// Lets it go on.
    Resume = "resume", Right::Anyone;
    /// Tries again what failed, or what Discord did not take.
    Retry = "retry", Right::Starter;
    /// Takes how much more the session may use. The number is how often it was given more before.
    BudgetSent(before: u32) = "budget_sent", BUDGET;
    /// Asks whether it should really end.
    Cancel = "cancel", Right::Starter;
    /// Ends it.
    CancelSure = "cancel_sure", Right::Starter;

    /// Gives all points to one solution; the option says which.
    VoteAll = "vote_all", Right::Voters;
    /// Shows the private panel on which points are spread.
    VoteSpread = "vote_spread", Right::Voters;
    /// Casts what was spread.
    SpreadCast(draft: Draft) = "spread_cast", Right::Voters;
    /// Casts what was typed.
    SpreadTyped(draft: Draft) = "spread_typed", Right::Voters;
    /// One point less, where it cannot be pressed: no two controls of a message may have one id.
    SpreadOffMinus = "spread_off_minus", Right::Voters;
    /// One point more, likewise.
    SpreadOffPlus = "spread_off_plus", Right::Voters;
    /// All that is left, likewise.
    SpreadOffAll = "spread_off_all", Right::Voters;
    /// Takes the solution that was written.
    ProposeSent = "propose_sent", Right::Voters;
    /// Asks whether the vote should really be closed.
    VoteClose = "vote_close", CLOSE;
    /// Closes it.
    VoteCloseSure = "vote_close_sure", CLOSE;

    /// Confirms the roles. The number is the edit that was read.
    RolesGo(revision: i64) = "roles_go", ROLES;
    /// Takes the roles that were written.
    RolesSent = "roles_sent", ROLES;
    /// Takes what somebody answered to them.
    OpenPointsSent = "open_sent", Right::Anyone;
    /// Asks whether the session should really end.
    RolesCancel = "roles_cancel", Right::Starter;
    /// Lets an investigation go on that has asked the team. The number is the edit that was read.
    TeamGo(revision: i64) = "team_go", TEAM;
    /// Takes the answer that was written.
    TeamSent = "team_sent", TEAM;
    /// Asks whether the session should really end.
    TeamCancel = "team_cancel", Right::Starter;
    /// Starts the debate. The number is the edit that was read.
    PropositionStart(revision: i64) = "prop_start", PROPOSITION;
    /// Takes the proposition that was written.
    PropositionSent = "prop_sent", PROPOSITION;
    /// Asks whether the session should really end.
    PropositionCancel = "prop_cancel", Right::Starter;
    /// Lets a session begin whose estimate was shown. The number is the edit that was read.
    EstimateGo(revision: i64) = "estimate_go", ESTIMATE;
    /// Asks for less. The number is the edit that was read.
    EstimateSmaller(revision: i64) = "estimate_smaller", ESTIMATE;
    /// Takes the options that were set.
    EstimateOptionsSent = "estimate_set", ESTIMATE;
    /// Asks whether the session should really end.
    EstimateCancel = "estimate_cancel", Right::Starter;

    /// Takes what somebody thinks before the debate, and the edit of the proposition that they read.
    OpinionBefore(read: (Opinion, i64)) = "opinion_before", Right::Voters;
    /// Takes what somebody thinks after it.
    OpinionAfter(opinion: Opinion) = "opinion_after", Right::Voters;
    /// Asks whether the vote should really be closed.
    OpinionClose = "opinion_close", CLOSE;
    /// Closes it.
    OpinionCloseSure = "opinion_close_sure", CLOSE;

    /// Says that a finding is right.
    TriageAccept(finding: FindingId) = "triage_accept", Right::Voters;
    /// Says that it is wrong.
    TriageReject(finding: FindingId) = "triage_reject", Right::Voters;
    /// Says that it is mended.
    TriageFixed(finding: FindingId) = "triage_fixed", Right::Voters;
    /// Takes back what was said of it.
    TriageUndo(finding: FindingId) = "triage_undo", Right::Voters;
    /// Shows the whole of what was chosen from a list; the option says what. A number tells the lists of one card apart.
    OpenChosen(list: u8) = "open_chosen", Right::Anyone;
    /// Gives the findings as files, with what was said of each.
    TriageList = "triage_list", Right::Anyone;

    /// Records the decision that was written.
    DecideSent = "decide_sent", DECISIONS;
    /// Takes how a decision turned out, by its number.
    OutcomeSent(said: (u32, Verdict)) = "outcome_sent", DECISIONS;

    /// Takes the evidence that was written.
    EvidenceSent = "evidence_sent", Right::Anyone;
    /// Takes it on a hinge, from 1.
    HingeSent(hinge: u8) = "hinge_sent", Right::Anyone;
    /// Takes what should be made clear.
    ClarifySent = "clarify_sent", Right::Anyone;
    /// Takes the question that was written.
    QuestionSent(to: Addressee) = "question_sent", Right::Anyone;
}

actions! {
    /// What is pressed on a private answer that belongs to no one session: pages of `/history`, and `/privacy`. What takes
    /// the press looks whether somebody may see the session, or do it.
    Apart
    /// Another page.
    HistoryPage(page: PageOf) = "history_page", Right::Anyone;
    /// A session of a page; the option says which.
    HistoryPick(page: PageOf) = "history_pick", Right::Anyone;
    /// A session, again.
    HistoryShow(session: FoundOn) = "history_show", Right::Anyone;
    /// Puts a report into its thread.
    HistoryExport(session: SessionId) = "history_export", Right::Anyone;
    /// Asks whether it should really be deleted.
    HistoryDelete(session: FoundOn) = "history_delete", Right::Anyone;
    /// Deletes it.
    HistoryDeleteSure(session: SessionId) = "history_delete_sure", Right::Anyone;
    /// What is kept, again.
    Privacy = "privacy", Right::Anyone;
    /// Asks whether all that is kept of whoever presses should really be deleted.
    ForgetMe = "forget_me", Right::Anyone;
    /// Deletes it.
    ForgetMeSure = "forget_me_sure", Right::Anyone;
    /// Asks whether all that is kept of the server should really be deleted.
    ForgetServer = "forget_server", Right::Anyone;
    /// Deletes it.
    ForgetServerSure = "forget_server_sure", Right::Anyone;
}

actions! {
    /// What leads to a session that is not there yet. Each is about what somebody chose with a command, by its number.
    Begins
    /// Opens the form for its text, again.
    BeginWrite(chosen: InteractionId) = "begin_write", Right::Anyone;
    /// Starts it with the text that was written.
    BeginSent(chosen: InteractionId) = "begin_sent", Right::Anyone;
    /// Starts it on a message; the option says by which protocol.
    BeginAbout(chosen: InteractionId) = "begin_about", Right::Anyone;
}

impl Apart {
    /// Whether the press is first answered by changing the message that it is on; else by "thinking…".
    #[must_use]
    pub fn changes(&self) -> bool {
        !matches!(
            self,
            Self::HistoryExport(_) | Self::HistoryDeleteSure(_) | Self::ForgetMeSure | Self::ForgetServerSure
        )
    }
}

impl Action {
    fn read(verb: &str, argument: &str) -> Option<Self> {
        None.or_else(|| Opens::read(verb, argument).map(Self::Opens))
            .or_else(|| Changes::read(verb, argument).map(Self::Changes))
            .or_else(|| Does::read(verb, argument).map(Self::Does))
            .or_else(|| Apart::read(verb, argument).map(Self::Apart))
            .or_else(|| Begins::read(verb, argument).map(Self::Begins))
    }

    /// Who may press it.
    #[must_use]
    pub fn right(&self) -> Right {
        match self {
            Self::Opens(action) => action.right(),
            Self::Changes(action) => action.right(),
            Self::Does(action) => action.right(),
            Self::Apart(action) => action.right(),
            Self::Begins(action) => action.right(),
        }
    }
}

/// The name of a button, select or form: `v1:<session>:<verb>:<argument>`, at most 100 characters, with `-` where it
/// belongs to no session. It is all that a press carries, so that a press works the same after a restart. Made from an
/// action only; one that was read from Discord or from a stored post may be of another version of the bot and mean
/// nothing to this one.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct CustomId {
    session: Option<SessionId>,
    verb: String,
    argument: String,
}

impl CustomId {
    /// For an action of a session.
    #[must_use]
    pub fn new(session: &SessionId, action: impl Into<Action>) -> Self {
        let (verb, argument) = match action.into() {
            Action::Opens(action) => (action.verb(), action.argument()),
            Action::Changes(action) => (action.verb(), action.argument()),
            Action::Does(action) => (action.verb(), action.argument()),
            Action::Apart(action) => (action.verb(), action.argument()),
            Action::Begins(action) => (action.verb(), action.argument()),
        };
        Self { session: Some(session.clone()), verb: verb.to_owned(), argument }
    }

    /// For an action that belongs to no one session.
    #[must_use]
    pub fn apart(action: &Apart) -> Self {
        Self { session: None, verb: action.verb().to_owned(), argument: action.argument() }
    }

    /// For an action of a session that is not there yet.
    #[must_use]
    pub fn beginning(action: &Begins) -> Self {
        Self { session: None, verb: action.verb().to_owned(), argument: action.argument() }
    }

    /// Reads what came back from Discord; `None` for anything that is not exactly of the form.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.splitn(4, ':');
        if parts.next()? != "v1" {
            return None;
        }
        let session = match parts.next()? {
            "-" => None,
            session => Some(SessionId::parse(session)?),
        };
        let verb = parts.next()?.to_owned();
        let argument = parts.next()?.to_owned();
        let plain = !verb.is_empty() && verb.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
        plain.then_some(Self { session, verb, argument })
    }

    /// Whose it is; `None` where it belongs to no session.
    #[must_use]
    pub fn session(&self) -> Option<&SessionId> {
        self.session.as_ref()
    }

    /// What it does; `None` for what another version of the bot put there.
    #[must_use]
    pub fn action(&self) -> Option<Action> {
        let action = Action::read(&self.verb, &self.argument)?;
        let belongs_to_none = matches!(action, Action::Apart(_) | Action::Begins(_));
        (belongs_to_none == self.session.is_none()).then_some(action)
    }
}

impl fmt::Display for CustomId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let session = self.session.as_ref().map_or("-", SessionId::as_str);
        write!(f, "v1:{session}:{}:{}", self.verb, self.argument)
    }
}

#[cfg(test)]
mod tests;
