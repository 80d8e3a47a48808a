//! Lists: modules, commands.

use super::{card, limits, trust};
use domain::{Color, Embed, MODULES, ModuleTrust, Post, Protocol};

/// Every module and what it looks at, and how much each counts here by how its advice turned out; `None`: the server has
/// that switched off.
#[must_use]
pub fn modules(trust: Option<&[ModuleTrust]>) -> Vec<Post> {
    let lines = MODULES.map(|module| {
        let default =
            if domain::DEFAULT_MODULES.contains(&module.name) { " · seated by default" } else { "" };
        format!("{} **{}** `{}`{default}\n{}", module.emoji, module.title, module.name, module.looks_at)
    });
    let description = format!(
        "Each looks at one side of your problem. Choose some with `modules`, or give one more say with \
         `weights`, such as `legal=2`; `cost=0` leaves one out. With `auto_select`, fitting ones are chosen for your \
         problem, and up to three are made for it where none of these looks.\n\n{}",
        lines.join("\n\n")
    );
    let modules =
        Embed {
            title: "🧠 The modules".to_owned(), description, color: Color::Neutral, ..Embed::default()
        };
    limits::fit(Post { embeds: vec![modules, trust::history(trust)], ..Post::default() })
}

/// What one can do here.
#[must_use]
pub fn help() -> Vec<Post> {
    let description = "I help a team decide. You bring a problem; a panel of experts, each played by a \
        language model, looks at it from several sides, reads one another, and a mediator sums it up. Then \
        the experts spread points over the solutions, and you decide.";
    let sessions = Protocol::ALL.map(|protocol| (format!("`/{protocol}`"), protocol.words().help));
    let commands = [
        (
            "`/ask`",
            "In a thread of mine: ask about what was said. Mentioning me or replying to me works too. In a debate, \
             `/ask to:` chooses Pro, Con or the moderator.",
        ),
        (
            "`/session show` · `cancel` · `retry`",
            "See where a session stands, end it, or try again what failed.",
        ),
        (
            "`/history` · `/decisions`",
            "Earlier sessions of this channel, or with `search` all you can read that hold your words: open, export or \
             delete them; what was decided and how it turned out.",
        ),
        (
            "`/export`",
            "A report on a session that has ended, in its thread: for the team, or for people outside, to read or print.",
        ),
        (
            "`/audit`",
            "Whether what was said holds: the citations, the pages behind them, facts that came from nowhere.",
        ),
        ("`/privacy`", "What I keep about you and this server, and how to have it deleted."),
        ("`/modules`", "Which experts there are and what each looks at."),
        (
            "`/settings`",
            "For this server's managers: who may start and decide, how votes are held, what it may cost.",
        ),
    ];
    let buttons = "**Pause** and **Resume** stop and go on. **Add context** tells the experts something new \
        before their next step; in a debate, **Add evidence** tells Pro and Con, and **Clarify** asks the moderator. \
        **Tell me when it is done** pings you, and nobody else; **Try again** asks once more for what failed; **Follow-up as…** goes on with what a session left open. \
        A seat's name, **Whole memo**, **Where they disagree** or **Tree** shows the full text, **Raw output** exactly what was asked and answered.";
    let votes = "When the experts are done, a vote opens: give one solution all 10 points, or **Spread 10 points** \
        over several. **Propose** adds a solution of your own. Ballots are secret until the vote closes; then you \
        see experts and team side by side. In a debate you vote For, Undecided or Against, before it and after it, and \
        see how opinions moved. **Record decision** keeps what you chose, why, and who sees to it; on \
        the day you name I ask how it turned out. In a critique you also **Accept** or **Reject** each finding, or mark \
        it **Fixed**, and **Export list** gives you all of them.";
    let care = "The experts are language models: they can be wrong and sound sure. Check numbers before you rely on them.";
    let mut fields: Vec<_> = sessions.map(|(name, value)| card::field(name, value)).into();
    fields.extend(commands.map(|(name, value)| card::field(name, value)));
    fields.push(card::field("The buttons", buttons));
    fields.push(card::field("Votes and decisions", votes));
    fields.push(card::field("Read with care", care));
    limits::fit(card::post(Embed {
        title: "👋 How this works".to_owned(),
        description: description.to_owned(),
        color: Color::Active,
        fields,
        ..Embed::default()
    }))
}
