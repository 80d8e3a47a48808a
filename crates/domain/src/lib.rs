//! Pure values and rules, a file for each noun: what a module, a solution, points or a post *is*.
//!
//! Invariant: nothing here knows a clock, chance, the network, the disk or the environment, and every value
//! that exists is valid. Every other room reads these words; this room reads none of theirs.

// What unit tests share with the bot's names this crate as the bot does.
#[cfg(test)]
extern crate self as domain;

mod about;
mod action;
mod ad_hoc;
mod addition;
mod audit;
mod baseline;
mod brief;
mod budget;
mod came_out;
pub mod citations;
#[cfg(feature = "columns")]
mod column;
mod command;
mod confirmation;
mod critique;
mod debate;
mod decision;
mod decision_form;
mod degraded;
mod delphi;
mod digest;
mod document;
mod draft;
mod drafts;
mod effort;
mod estimate;
mod figures;
mod first_answer;
mod form;
mod forum;
mod full_text;
mod home;
mod id;
mod investigate;
mod kept;
mod letters;
mod lookup;
mod measured;
mod mending;
mod mention;
mod model;
mod module;
mod opinion;
mod options;
mod pace;
mod partial_reply;
mod points;
mod post;
mod problem;
mod protocol;
mod question;
mod raci;
mod ran;
mod ranges;
mod request;
mod reseating;
mod resolution;
mod rest_rate;
mod role;
mod roundtable;
#[cfg(test)]
#[allow(dead_code, unused_imports, reason = "the unit tests of each crate use their part of it")]
mod sample;
mod secret;
mod selection;
mod sequel;
mod setting;
mod settings;
mod shard;
mod solution;
mod source;
mod source_list;
mod status;
mod table;
mod tally;
mod text;
mod trust;
mod unused;
mod vote;
mod wording;
pub mod written;

pub use about::AboutMessage;
pub use action::{Action, Apart, Begins, Changes, CustomId, Does, Opens, Right};
pub use ad_hoc::{AdHocModule, MAX_MADE_PROMPT, MAX_MADE_SIDE};
pub use addition::{Addition, Room, read_addition};
pub use audit::{
    Audit, AuditFault, AuditFinding, AuditLayer, AuditScope, CheckedClaim, CitedPage, ClaimVerdict,
    DOSSIER_VERSION, Dossier, Examined, Grounded, Judged, Origin, Page, PageText, PromptText, Reached,
    Speech,
};
pub use baseline::{Becomes, Comparison, Fate, PlainAnswer, PlainOption, Worth};
pub use brief::{Brief, ContextNote, Plan, RoundtableBrief};
pub use budget::{Budgets, Caps, OpenSessions, WholeBot};
pub use came_out::CameOut;
#[cfg(feature = "columns")]
pub use column::ColumnError;
pub use command::{FILES, MAX_EXAMINED_CHARS, Parameter, SessionCommand, Takes as CommandTakes};
pub use confirmation::{Confirmation, Editing, Standing, Terms, WaitKind, WaitOutcome};
pub use critique::{
    Adjustment, CallPlan, Change, Claim, ClaimEvidence, ClaimId, Confidence, CritiqueBrief, Deeper,
    DocumentSection, Effect, Ended, Finding, FindingId, Grouped, HoldsUp, MAX_FINDINGS, MIN_SEGMENT,
    Opposition, Philosopher, PlainClaim, Reading, Review, SaidAdjustment, SaidClaim, SaidCloser, SaidFinding,
    SaidGroup, SaidLook, SaidOfItself, SaidOpposed, SaidReview, SaidSame, SaidToBeSame, SaidToHold,
    SectionId, SelfCritique, Skipped, Tree, TreeDepth, Triage, TriageVerdict, TriagedFinding, adjusted,
    find_quote, grouped, lapses, misquoted, plan_calls, ranked, sections, segment, stayed,
};
pub use debate::{
    Acknowledgement, Act, Addressee, Advocates, Agreement, Aim, AnswerKind, AnsweredQuestion, Argument,
    AssumptionConflict, Bearing, Between, Body, Clarification, CoreDisagreement, CrossAnswer, CrossQuestion,
    Debate, DebateBrief, DebatePhase, DebateSynthesis, DebateTurn, Evidence, EvidenceGap, EvidenceKind,
    Favors, Framing, Hinge, Knowledge, Level, MAX_BACKGROUND_CHARS, MAX_BOUND_CHARS, MAX_PROPOSITION_CHARS,
    MAX_STAKEHOLDERS_CHARS, Mark, Missing, NeutralSynthesis, Preset, Proposition, PropositionContext,
    PropositionError, PropositionFormError, RebuttalPoint, RootCause, Section, Side, Slot, Theme, Withheld,
    addressed, bounds, breaks, debatable, neutrality, paper_bounds, words,
};
pub use decision::{Decision, Elsewhere, Outcome, Verdict};
pub use decision_form::{
    Choice, Chosen, DecisionDraft, DecisionError, IN_OWN_WORDS, MAX_DISSENT, MAX_OUTCOME, MAX_OWN_WORDS,
    MAX_RATIONALE, OWN_WORDS, Owner, last_day_named, leading, numbers, sides,
};
pub use degraded::{Countable, Degraded, Piece, Written};
pub use delphi::{
    DelphiBrief, Estimated, Estimates, NumberAsked, Outlook, Pooled, ROUNDS, SaidEstimate, figures,
};
pub use digest::{Digest, ReadInSections, SectionNotes};
pub use document::{
    Document, Landmark, Omission, Omitted, PictureText, Pictured, PicturesRead, Place, ReadPictures, Span,
    Unit,
};
pub use draft::{Draft, DraftError};
pub use drafts::{ChosenDraft, DraftRead, DraftsCheck, DraftsRead, Objection, chosen_draft, reading_order};
pub use effort::Effort;
pub use estimate::{Estimate, PicturesTake, Planned, Rates, estimate};
pub use first_answer::FirstAnswer;
pub use form::{ChoiceInput, GivenBack, Input, MemberInput, Modal, TextInput};
pub use forum::{Forum, ForumTag, StateTag};
pub use full_text::FullText;
pub use home::{Home, Lies};
pub use id::{ChannelId, GuildId, InteractionId, MessageId, RoleId, SessionId, StepKey, TagId, UserId};
pub use investigate::{
    Call, Called, Check, CheckFinding, CheckedBy, Checking, Compared, Critic, Entry, EvidenceTag, Given,
    Guard, InvestigateBrief, InvestigationAnswer, InvestigatorTool, LedgerTag, LoneClaim, LoopLimits,
    MOST_PROBES, Mode, Nudge, Opening, QuestionKind, Rival, SCOUTS, Scout, ScoutAnswer, ScoutId, ScoutSplit,
    SharedAnswer, SharedClaim, SplitKind, SplitSide, Stated, StopReason, StopRule, Sure, TeamQuestion,
    ToolAction, Understood, calls_used, ledger, unfinished,
};
pub use kept::{FORMER_MEMBER, Kept, WORDS_DELETED};
pub use letters::without_letters;
pub use lookup::{FoundOn, Listing, MARKS, PageOf, excerpt, indexed, wanted};
pub use measured::{Takes, takes, takes_reading};
pub use mending::{Anew, Edit, Mended, Unmendable};
pub use mention::{Mention, called, mentions, with_names};
pub use model::{ModelName, ModelNameError, Money, Price, Provider, Seat, Usage, short_model};
pub use module::{
    DEFAULT_MODULES, MODULES, Module, ModuleName, Panel, PanelError, PanelSeat, Weight, WeightsError,
    parse_modules, parse_weights,
};
pub use opinion::{Opinion, Opinions, Swing};
pub use options::{OptionName, OptionValues, OptionWords, OptionsError, SWITCHES, THE_REST};
pub use pace::Pace;
pub use partial_reply::{PartialReply, Said, Writing};
pub use points::{Allocation, POINTS_PER_VOTER, PointsError, Score, Totals};
pub use post::{
    Button, ButtonStyle, Color, Embed, Field, File, FileBody, Pings, Post, Row, Select, SelectOption,
};
pub use problem::{MAX_PROBLEM_CHARS, Problem, ProblemError, is_blank};
pub use protocol::{Asks, Brings, Protocol, WholeResult, Words};
pub use question::{MAX_QUESTION, PutQuestion, StatedQuestion};
pub use raci::RaciRow;
pub use ran::Ran;
pub use ranges::{Ranges, RangesError};
pub use request::{Finish, Picture, Prompt, PromptVersion, Reply, Schema, Tool, Turn};
pub use resolution::{ConflictResolution, Gravity, MOST_RESEARCHED, Matter, Research, Sharper, Supported};
pub use rest_rate::{RequestRate, RestRate, RestRateError};
pub use role::STOCK_ROLES;
pub use roundtable::{
    EXPERTS, ExpertId, MAX_RESTATED, MAX_ROLE_MISSION, MAX_ROLE_NAME, Proposal, Role, RoleError, Scored,
};
pub use secret::Secret;
pub use selection::{
    Choosable, Choosing, Gaps, MOST_CHOSEN, MOST_MADE, Offer, PICKS, Picked, Picks, Selecting,
    SelectionMetadata, Unfit,
};
pub use sequel::{GoesOnFrom, Left, LeftOpen, OpenMatter, OpenMatters, Sequel, Unsettled};
pub use setting::{
    Beside, Bounds, Changed, LoggedChange, SETTING_GROUPS, Setting, SettingChange, SettingError,
    SettingGroup, SettingOption, Typed, changed, differences,
};
pub use settings::{Grant, GuildSettings};
pub use shard::{FleetError, ShardRange, ShardRangeError, covers_all, shard_of};
pub use solution::{MAX_SOLUTIONS, Provenance, Raised, Solution, SolutionId};
pub use source::{Found, MOST_QUERIES, Numbered, SearchFault, Searched, Searching, Source, SourceUrl};
pub use source_list::{Citing, Offered, SourceList};
pub use status::{Failing, Ledger, Phase, SessionState, Status, ThreadIs, Waiting};
pub use table::{
    Alone, AnsweredObjection, Challenge, Conflict, CounterFinding, Flag, FlagColor, Holding, MemoOption,
    ModuleOutput, NotKnown, Position, Redelegation, Rejoinder, Round, Severity, Spoken, Synthesis,
    TableBrief, TableExtras, Writer,
};
pub use tally::{Gap, Tally};
pub use text::{count_words, equal_words, first_sentence, replace_word, whole_sentences};
pub use trust::{
    Champion, Evidence as TrustEvidence, Influence, Influences, ModuleTrust, Moved, TrustEvent, TrustKind,
    by_outcome, by_points, by_synthesis, champions, told as influences_told,
};
pub use unused::unused_figures;
pub use vote::{
    Ballot, BallotChoice, Basis, Closed, Electorate, ElectorateError, ExpertPoints, MAX_NAMED,
    MAX_VOTE_HOURS, Vote, VoteKind, VoteRules, VoteState,
};
pub use wording::{enumerated, one_line, readable, shortened, thousands};
