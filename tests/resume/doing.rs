//! What somebody does in a session: which button, what comes after, what it promises.

use playground::Id;

/// What a press leads to.
#[derive(Clone, Copy)]
pub enum Then {
    /// Nothing more to do.
    Over,
    /// The same for what may be done only once: pressed and not answered, it is delivered again, not pressed again.
    Once,
    /// A form, which is sent with these texts, from its first box on.
    Send(&'static [&'static str]),
    /// A form with what may be done only once: sent and not answered, it is delivered again, not written again.
    SendOnce(&'static [&'static str]),
    /// A question whether they are sure, answered with the button that means this.
    Sure(&'static str),
    /// A private answer, on which a button is pressed that means this and counts once: delivered again, not pressed again.
    SureOnce(&'static str),
    /// A private panel, on which points are spread like this and cast.
    Spread(&'static [u32]),
    /// A private panel, from which a form is opened and sent with these points.
    Type(&'static str),
    /// No button at all: this question is put with `/ask`, and delivered again, not asked again.
    Ask(&'static str),
}

/// Something that somebody does.
#[derive(Clone, Copy)]
pub struct Doing {
    /// Who.
    pub member: Id,
    /// What the button or select means, such as `roles_go`; behind a colon what it is about, as far as that matters.
    pub verb: &'static str,
    /// What is chosen, where it is a select.
    pub choose: &'static [&'static str],
    /// What comes after.
    pub then: Then,
    /// What the member is told, and the query that gives 1 from then on, whatever happens to the bot.
    pub promise: Option<(&'static str, &'static str)>,
    /// The query that gives 1 once it is time for it; `None`: as soon as the button is there.
    pub after: Option<&'static str>,
}

impl Doing {
    /// Somebody presses a button, and that is all.
    pub const fn press(member: Id, verb: &'static str) -> Self {
        Self { member, verb, choose: &[], then: Then::Over, promise: None, after: None }
    }

    /// Somebody asks about the session, as soon as there is a thread.
    pub const fn ask(member: Id, question: &'static str) -> Self {
        Self::press(member, "ask").then(Then::Ask(question))
    }

    /// The same with what comes after.
    pub const fn then(self, then: Then) -> Self {
        Self { then, ..self }
    }

    /// The same with what it promises.
    pub const fn promises(self, said: &'static str, kept: &'static str) -> Self {
        Self { promise: Some((said, kept)), ..self }
    }

    /// The same, from when this query gives 1.
    pub const fn after(self, query: &'static str) -> Self {
        Self { after: Some(query), ..self }
    }

    /// Whether it is delivered again rather than done again.
    pub const fn is_once(&self) -> bool {
        matches!(self.then, Then::Once | Then::SureOnce(_) | Then::SendOnce(_) | Then::Ask(_))
    }
}
