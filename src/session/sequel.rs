//! Going on with what a session left open: another session begins by the protocol that fits, with the first one's record to
//! read, and both threads name the other.

use super::{Actor, Allowed, Choices, Request, Sessions, report::report, start::Sequel};
use crate::{
    error::UserError,
    protocols, render,
    report::Audience,
    steps::Journal,
    store::{FromOthers, SessionRow, StoreError, sequel_key},
};
use domain::{
    Document, FileBody, GoesOnFrom, Left, LeftOpen, OptionWords, Post, Problem, SessionId, SessionState,
    Solution, shortened,
};

/// A record is short that takes no more than this part of what a model reads of a document at once.
const SHORT: usize = 3;

/// Longest name of a solution in the title of its critique, in characters.
const NAME: usize = 70;

impl Sessions {
    /// What a session left open, for somebody to choose from.
    pub async fn sequels(&self, row: &SessionRow) -> anyhow::Result<Post> {
        let offered = self.left_open(row).await?;
        if offered.is_empty() {
            return UserError::of("This session left nothing open that another could go on with.");
        }
        Ok(render::sequel::choice(&row.id, &offered))
    }

    /// Starts a session about one of the points that this one left open; `chosen` is the value of the menu's option.
    pub async fn go_on_with(
        &self,
        row: &SessionRow,
        actor: &Actor,
        chosen: &str,
        allowed: Allowed,
    ) -> anyhow::Result<SessionId> {
        let offered = self.left_open(row).await?;
        let left = Left::parse(chosen).and_then(|chosen| offered.into_iter().find(|one| one.left == chosen));
        let (Some(left), Some(thread)) = (left, row.thread) else {
            return UserError::of(
                "That is not among what this session left open any more. Press **Follow-up as…** again to see what is.",
            );
        };
        let settings = self.admit(actor, row.guild).await?;
        let protocol = left.left.protocol();
        let channel = self.home_beside(row).await?;
        allowed.begin(channel)?;
        let (problem, document) = self.material(row, &left).await?;
        let request = Request {
            actor: actor.clone(),
            guild: row.guild,
            channel,
            problem,
            document: Some(document),
            about: None,
            from_others: FromOthers::default(),
            chosen: Choices::usual(
                protocols::wanted(protocol, &OptionWords::default(), &settings)?,
                settings.voting,
            ),
        };
        let from = GoesOnFrom { session: row.id.clone(), thread, topic: left.topic };
        match self.start_sequel(request, Sequel { from, left: left.left }).await {
            Ok(id) => {
                // Its card in the thread of the first.
                self.0.outbox.kick(&row.id);
                Ok(id)
            }
            Err(error) => match error.downcast::<StoreError>() {
                Ok(StoreError::TakenUp(other)) => self.taken_up(&other).await,
                Ok(StoreError::Missing(_)) => {
                    UserError::of("This session was deleted meanwhile, so nothing goes on from it.")
                }
                Ok(other) => Err(other.into()),
                Err(error) => Err(error),
            },
        }
    }

    /// Has the card that names a session drawn again once that has a thread.
    pub(super) async fn named_again(&self, session: &SessionId) -> Result<(), StoreError> {
        if let Some(from) = self.store().sequel_of(session).await? {
            self.0.panels.kick(&from, sequel_key(session).as_str());
        }
        Ok(())
    }

    async fn taken_up<T>(&self, other: &SessionId) -> anyhow::Result<T> {
        let row = self.store().session(other).await?;
        let place =
            row.thread.map_or_else(|| "in a moment in this channel".to_owned(), |id| format!("in <#{id}>"));
        UserError::of(format!(
            "{} has taken this up already: it goes on {place}. Nothing was started.",
            row.starter_name
        ))
    }

    async fn left_open(&self, row: &SessionRow) -> anyhow::Result<Vec<LeftOpen>> {
        if row.state != SessionState::Done || row.thread.is_none() {
            return UserError::of(
                "Only a session that came to its end can be gone on with. Start another with its command instead.",
            );
        }
        let journal = Journal::new(self.store().clone(), row.id.clone());
        let matters = protocols::left_open(&journal, row.protocol).await?;
        let solutions = self.solutions(row).await?;
        let question = self.question_of(row).await?;
        Ok(LeftOpen::of((row.protocol, &question), matters, &solutions))
    }

    /// What was voted on; nothing where that is no solution but a finding or a side.
    async fn solutions(&self, row: &SessionRow) -> Result<Vec<Solution>, StoreError> {
        if !row.protocol.words().votes_on_solutions {
            return Ok(Vec::new());
        }
        let vote = self.store().deciding_vote(&row.id).await?;
        Ok(vote.map(|row| row.vote.solutions).unwrap_or_default())
    }

    /// What the session had to decide, in a sentence where there is one.
    async fn question_of(&self, row: &SessionRow) -> anyhow::Result<String> {
        let stated = self.store().stated_question(&row.id).await?.and_then(|stated| stated.text);
        match stated {
            Some(text) => Ok(text),
            None => Ok(self.store().plan(&row.id).await?.brief.problem().as_str().to_owned()),
        }
    }

    /// What the new session has to decide, and what it reads: the record of this one. A critique examines what it reads, so
    /// it gets the solution alone, with the question that it answers.
    async fn material(&self, row: &SessionRow, left: &LeftOpen) -> anyhow::Result<(Problem, Document)> {
        let sentence = |error: &dyn std::fmt::Display| UserError(error.to_string());
        if let Left::Solution(id) = left.left {
            let solutions = self.solutions(row).await?;
            let solution = solutions.into_iter().find(|one| one.id == id);
            let solution = solution.ok_or(StoreError::Missing("solution"))?;
            let question = self.question_of(row).await?;
            let name = shortened(&left.topic, NAME);
            let text = render::sequel::solution_text(&solution, &question);
            let document =
                documents::of_text(&format!("{name}.md"), &text).map_err(|error| sentence(&error))?;
            let problem = Problem::new(&format!("Critique of {name}")).map_err(|error| sentence(&error))?;
            return Ok((problem, document));
        }
        let problem = left.problem().map_err(|error| sentence(&error))?;
        Ok((problem, self.record(row).await?))
    }

    /// The record of a session: everything that was said where that is short, for each call of the new session pays for it; else
    /// what came out, the vote and the decision.
    async fn record(&self, row: &SessionRow) -> anyhow::Result<Document> {
        let most = self.0.settings.document_chars / SHORT;
        let mut text = String::new();
        for audience in [Audience::Internal, Audience::Customer] {
            let files = report(self.store(), row, audience).await?.files();
            let markdown = files.into_iter().find(|file| file.name.strip_suffix(".md").is_some());
            if let Some(FileBody::Text(told)) = markdown.map(|file| file.body) {
                text = told;
            }
            if text.chars().count() <= most {
                break;
            }
        }
        documents::of_text("record.md", &text).map_err(|error| UserError(error.to_string()).into())
    }
}
