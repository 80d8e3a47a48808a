//! The example that a new playground begins with: made once, in a folder beside the database, by a bot and a stand-in of
//! its own, and moved into its place when it is whole. So nobody ever meets half of one, nothing of what makes it stays
//! behind, and one that was cut off is made anew.

use std::{
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::Context as _;
use tokio_util::sync::CancellationToken;

use super::{Bot, Parts, terminal};
use crate::{
    bot::Access,
    config::program,
    example::{self, Desk, Team},
    prompt::Prompts,
    protocols::Appointed,
    render::Rasterizer,
    session::Settings,
    store::{Store, StoreOptions},
};
use discord::{Discord, Nonce};
use documents::Confine;
use domain::{Budgets, ChannelId, OpenSessions, Pace, Post, Secret, WholeBot};
use models::{
    Endpoint, Endpoints, Limits, Llm, Prices,
    pages::{Pages, Reach},
};
use playground::{Options, Playground, ids};

/// How fast the pauses pass: nobody waits for a reader here.
const PACE: u32 = 25;
/// How long it may take in all.
const PATIENCE: Duration = Duration::from_mins(1);
/// Said on its live card.
const NOTICE: &str = "An example: all its texts were written by hand, and no model was asked.";

/// The names in the folder in which it is made.
const DRAFT: &str = "draft.db";
const DATABASE: &str = "quorum.db";
const STATE: &str = "discord.json";

/// Where a playground keeps what it has, and where its example is made.
struct Place {
    database: PathBuf,
    state: PathBuf,
    /// In the making; thrown away at the next start.
    making: PathBuf,
    /// Whole, on its way into its place.
    whole: PathBuf,
}

/// Sees to it that a playground that is new begins with the example. One that has begun is left as it is. Where the example
/// cannot be made, the log says why, and the playground is without.
pub async fn prepare(database: &Path) {
    let place = Place::of(database);
    if let Err(error) = place.prepare().await {
        tracing::warn!(error = %format!("{error:#}"), "the playground has no example: it could not be made");
    }
}

impl Place {
    fn of(database: &Path) -> Self {
        Self {
            database: database.to_owned(),
            state: super::state_of(database),
            making: beside(database, ".example-making"),
            whole: beside(database, ".example"),
        }
    }

    async fn prepare(&self) -> anyhow::Result<()> {
        self.move_in()?;
        clear(&self.making)?;
        if !self.is_new() {
            return Ok(());
        }
        terminal::note("Preparing the example in #example; this is done once and takes some seconds.");
        let mut folder = std::fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut folder, 0o700);
        folder.create(&self.making).with_context(|| format!("{} cannot be made", self.making.display()))?;
        let made = tokio::time::timeout(PATIENCE, make(&self.making)).await;
        let made = made.unwrap_or_else(|_| Err(anyhow::anyhow!("it took longer than {PATIENCE:?}")));
        if made.is_err() {
            clear(&self.making)?;
        }
        made?;
        std::fs::rename(&self.making, &self.whole)?;
        self.move_in()
    }

    /// Whether nothing has ever happened in this playground.
    fn is_new(&self) -> bool {
        let files = beside(&self.state, ".files");
        let log = beside(&self.database, "-wal");
        ![&self.database, &self.state, &files, &log].iter().any(|path| path.exists())
    }

    /// Moves one that is whole to where a playground looks, the database last: once that is there, all of it is. Cut off,
    /// this goes on at the next start.
    fn move_in(&self) -> anyhow::Result<()> {
        if !self.whole.exists() {
            return Ok(());
        }
        let state = self.whole.join(STATE);
        let moves = [
            (beside(&state, ".files"), beside(&self.state, ".files")),
            (state, self.state.clone()),
            (self.whole.join(DATABASE), self.database.clone()),
        ];
        for (from, to) in moves {
            if from.exists() {
                std::fs::rename(&from, &to).with_context(|| format!("{} cannot be made", to.display()))?;
            }
        }
        clear(&self.whole)
    }
}

/// Has the session held, in a folder of its own.
async fn make(folder: &Path) -> anyhow::Result<()> {
    let options = Options {
        state_path: Some(folder.join(STATE)),
        rate_limits: false,
        token: passing_token(),
        ..Options::default()
    };
    let discord = Playground::start(options).await?;
    discord.add_example();
    let (desk, team) = (Desk::start().await?, Team::embedded()?);
    let access = Access::alone(discord.url().parse()?, Secret::new(discord.token()));
    let pace = Pace::faster(PACE);
    let speaker = Discord::new(access.api.clone(), access.token.clone(), pace)?;
    let stop = CancellationToken::new();
    let _stops = stop.clone().drop_guard();
    let bot = Bot::build(parts(access, &folder.join(DRAFT), &desk, pace)?, stop.clone()).await?;
    let store = bot.store.clone();
    let serving = tokio::spawn(bot.serve());
    example::act(&discord.client(), &desk, &team).await?;
    settled(&store).await?;
    // Last, for that is where a channel opens.
    let welcome = Post { content: example::welcome(&team), ..Post::default() };
    let nonce = Nonce::stored("example-welcome");
    speaker.create_message(ChannelId(ids::EXAMPLE), &welcome, &[], &nonce, None).await?;
    discord.dismiss_private();
    stop.cancel();
    serving.await??;
    store.stand_still();
    discord.stop().await;
    // One file, with nothing beside it that has not been worked in.
    Store::backup(&folder.join(DRAFT), &folder.join(DATABASE)).await?;
    Ok(())
}

/// A token that nothing else has: a bot that still looks for its Discord at a port that had been free again is not let in.
fn passing_token() -> String {
    format!("MTEwMDAwMDAwMDAwMDAwMDAwMQ.playgr.{:032x}", rand::random::<u128>())
}

/// A bot whose models are what was written by hand.
fn parts(access: Access, database: &Path, desk: &Desk, pace: Pace) -> anyhow::Result<Parts> {
    let endpoints = Endpoints { local: Some(Endpoint::new(desk.base.clone(), None)), ..Endpoints::default() };
    // All of round 1 waits for what members add, and the question is answered meanwhile.
    let usual = Limits::default();
    let limits = Limits { local: models::Pace { start: 8, max: 8, ..usual.local }, ..usual };
    let [mediator, checks] = ["mediator", "checks"].map(Desk::model);
    Ok(Parts {
        access,
        database: database.to_owned(),
        store: StoreOptions::default(),
        llm: Llm::new(endpoints, limits, Prices::read(&Desk::prices())?)?,
        search: None,
        pages: Pages::new(Reach::default())?,
        settings: Settings {
            appointed: Appointed {
                panel: example::table().map(Desk::model).collect(),
                cheap: checks,
                ..Appointed::alone(&mediator)
            },
            pictures: None,
            budgets: Budgets::default(),
            most_open: OpenSessions { of_server: 1, of_member: 1 },
            document_chars: 60_000,
            prompts: Prompts::embedded(),
            notice: Some(NOTICE.to_owned()),
            // What was written by hand says nothing of how good a module's advice is.
            whole: WholeBot::NO_LIMIT,
            servers: None,
            trust: false,
        },
        program: program().context("this program's own file cannot be found")?,
        confine: Confine::default(),
        metrics: None,
        rasterizer: Rasterizer::new(true),
        pace,
        drain: Duration::from_secs(1),
    })
}

/// Waits until everything is posted that is to be posted.
async fn settled(store: &Store) -> anyhow::Result<()> {
    loop {
        if store.unfinished_sessions().await?.is_empty() && store.stale_panels().await?.is_empty() {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// The same path with a longer name.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Removes a folder, if it is there.
fn clear(folder: &Path) -> anyhow::Result<()> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("{} cannot be removed", folder.display()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 3] = ["p.db", "p.discord.json", "p.discord.json.files/1"];

    /// What is whole, waiting to be moved, with so many of its parts in their place already.
    fn moved(parts: usize) -> (tempfile::TempDir, Place) {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::of(&folder.path().join("p.db"));
        std::fs::create_dir_all(place.whole.join("discord.json.files")).unwrap();
        for name in ["discord.json.files/1", STATE, DATABASE, DRAFT] {
            std::fs::write(place.whole.join(name), name).unwrap();
        }
        let parts =
            [("discord.json.files", "p.discord.json.files"), (STATE, "p.discord.json"), (DATABASE, "p.db")]
                .into_iter()
                .take(parts);
        for (from, to) in parts {
            std::fs::rename(place.whole.join(from), folder.path().join(to)).unwrap();
        }
        (folder, place)
    }

    #[tokio::test]
    async fn a_move_that_was_cut_off_goes_on_and_nothing_is_made_again() {
        for cut_after in 0..=3 {
            let (folder, place) = moved(cut_after);
            std::fs::create_dir(&place.making).unwrap();
            place.prepare().await.unwrap();
            for (name, was) in NAMES.into_iter().zip([DATABASE, STATE, "discord.json.files/1"]) {
                assert_eq!(std::fs::read_to_string(folder.path().join(name)).unwrap(), was, "{cut_after}");
            }
            assert!(!place.whole.exists() && !place.making.exists(), "{cut_after}");
        }
    }

    #[tokio::test]
    async fn a_playground_that_has_begun_is_left_as_it_is() {
        for name in NAMES {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, "mine").unwrap();
            let place = Place::of(&folder.path().join("p.db"));
            place.prepare().await.unwrap();
            assert_eq!(std::fs::read_to_string(path).unwrap(), "mine");
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "{name}");
        }
    }
}
