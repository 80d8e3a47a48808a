//! What the members do, by the commands, buttons and forms that the page uses.

use std::time::Duration;

use anyhow::{Context as _, bail};
use serde_json::{Value, json};

use super::{Desk, Team, table};
use domain::{Action, CustomId, Does, Opens};
use playground::{
    Client, Id, Seen,
    ids::{BEN, CHLOE, EXAMPLE},
};

/// How long anything may take that is waited for.
const PATIENCE: Duration = Duration::from_secs(30);

/// Has the session held in the channel of examples, from the command to the decision, which is pinned.
pub async fn act(client: &Client, desk: &Desk, team: &Team) -> anyhow::Result<()> {
    anyhow::ensure!(client.wait_bot(PATIENCE).await, "the bot did not connect");
    // Said where everybody reads it: a command's options are seen by nobody but the bot.
    let problem = team.problem.join("\n\n");
    client.say(BEN, EXAMPLE, &problem).map_err(anyhow::Error::msg)?;
    let options = json!({
        "problem": problem, "modules": table().collect::<Vec<_>>().join(" "),
        "effort": "brief", "search": false,
    });
    let started = client.run_command(BEN, EXAMPLE, "mediate", options).map_err(anyhow::Error::msg)?;
    let said = client.wait_reply(started).await;
    let thread = client.wait_thread(EXAMPLE, PATIENCE, |_| true).await;
    let thread = thread.with_context(|| format!("no session began: {}", said.text()))?;
    let thread = id(&thread["id"])?;
    let above = Table { client, channel: EXAMPLE };
    above
        .fill_in(BEN, |action| *action == Opens::Reword.into(), &[("question", team.question.as_str())])
        .await?;
    client.say(CHLOE, thread, &team.said).map_err(anyhow::Error::msg)?;
    above.fill_in(CHLOE, |action| *action == Opens::Context.into(), &[("note", team.note.as_str())]).await?;
    desk.let_go();

    let here = Table { client, channel: thread };
    let typed = |action: &Action| matches!(action, Action::Opens(Opens::SpreadType(_)));
    for (member, points) in [(BEN, &team.ballots.ben), (CHLOE, &team.ballots.chloe)] {
        here.press(member, |action| *action == Does::VoteSpread.into()).await?;
        here.fill_in(member, typed, &[("points", points.as_str())]).await?;
    }
    here.press(BEN, |action| *action == Does::VoteClose.into()).await?;
    here.press(BEN, |action| *action == Does::VoteCloseSure.into()).await?;
    let decision = &team.decision;
    let form = [
        ("solution", decision.chosen.as_str()),
        ("why", &decision.why),
        ("member", &BEN.to_string()),
        ("review", &decision.review),
        ("dissent", &decision.dissent),
    ];
    here.fill_in(BEN, |action| *action == Opens::Decide.into(), &form).await?;
    let pinned = client.wait_message(thread, PATIENCE, |message| message["pinned"] == true).await;
    pinned.context("the decision was not pinned").map(drop)
}

/// A channel, and what members do there.
struct Table<'a> {
    client: &'a Client,
    channel: Id,
}

impl Table<'_> {
    /// Waits until there is something to press that does this, for this member to see, and presses it.
    async fn press(&self, member: Id, wanted: impl Fn(&Action) -> bool) -> anyhow::Result<(Id, Seen)> {
        let own = Value::from(member.to_string());
        let seen = |message: &Value| message["ephemeral_for"].is_null() || message["ephemeral_for"] == own;
        let found = |message: &Value| seen(message) && control(message, &wanted).is_some();
        let message = self.client.wait_message(self.channel, PATIENCE, found).await;
        let message = message.context("what is to be pressed did not come")?;
        let custom_id = control(&message, &wanted).context("it is gone")?;
        let pressed = self.client.click(member, self.channel, id(&message["id"])?, &custom_id);
        let pressed = pressed.map_err(anyhow::Error::msg)?;
        let seen = self.client.wait_reply(pressed).await;
        if let Some(failed) = &seen.failed {
            bail!("{custom_id} was not answered: {failed}");
        }
        Ok((pressed, seen))
    }

    /// The same with what opens a form, which is filled in and sent.
    async fn fill_in(
        &self,
        member: Id,
        wanted: impl Fn(&Action) -> bool,
        boxes: &[(&str, &str)],
    ) -> anyhow::Result<()> {
        let (opener, seen) = self.press(member, wanted).await?;
        anyhow::ensure!(seen.modal.is_some(), "no form opened: {}", seen.text());
        let sent = self.client.submit_modal(member, opener, boxes).map_err(anyhow::Error::msg)?;
        match self.client.wait_reply(sent).await.failed {
            Some(failed) => bail!("a form was not answered: {failed}"),
            None => Ok(()),
        }
    }
}

/// The name of a message's button that does this.
fn control(message: &Value, wanted: impl Fn(&Action) -> bool) -> Option<String> {
    let rows = message["components"].as_array()?.iter();
    let mut controls = rows.filter_map(|row| row["components"].as_array()).flatten();
    controls.find_map(|control| {
        let name = control["custom_id"].as_str()?;
        let action = CustomId::parse(name)?.action()?;
        wanted(&action).then(|| name.to_owned())
    })
}

fn id(value: &Value) -> anyhow::Result<Id> {
    value.as_str().and_then(|text| text.parse().ok()).with_context(|| format!("{value} is no id"))
}
