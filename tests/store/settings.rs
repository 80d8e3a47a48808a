//! Server settings: changed once for each interaction, all edits or none, and written down.

use quorum::{
    domain::{Caps, Change, Edit, GuildId, GuildSettings, InteractionId, Money, Setting, UserId},
    store::{NewSettings, StoreError},
};

use super::fixture::{AT, Db, GUILD, MEMBER};

fn said(changes: &[Change]) -> String {
    let line = |change: &Change| format!("{}: {} > {}", change.setting.name(), change.before, change.after);
    changes.iter().map(line).collect::<Vec<_>>().concat()
}

fn new(interaction: u64, edits: &[Edit]) -> NewSettings {
    NewSettings {
        guild: GUILD,
        interaction: InteractionId(interaction),
        by: MEMBER,
        by_name: "Ada".to_owned(),
        edits: edits.to_vec(),
        allowed: Caps { money: Money(2_000_000), tokens: 400_000, calls: 80 },
        said,
    }
}

#[tokio::test]
async fn a_change_is_made_once_and_said_again() {
    let db = Db::open().await;
    let first = db.store.change_settings(new(1, &[Edit::Hours(5)]), AT).await.unwrap();
    assert_eq!(first, "hours: 24 hours > 5 hours");
    db.store.change_settings(new(2, &[Edit::Hours(6)]), AT + 1).await.unwrap();
    let again = db.store.change_settings(new(1, &[Edit::Hours(5)]), AT + 2).await;
    assert!(matches!(again, Err(StoreError::Duplicate(said)) if said == first));
    assert_eq!(db.store.guild_settings(GUILD).await.unwrap().voting.hours, 6);
    assert_eq!(db.number("SELECT count(*) FROM settings_change").await, 2);
    assert_eq!(db.store.guild_settings(GuildId(72)).await.unwrap(), GuildSettings::default());
}

#[tokio::test]
async fn what_is_refused_or_the_same_leaves_no_trace_in_the_log() {
    let db = Db::open().await;
    let refused = new(1, &[Edit::Hours(5), Edit::SessionCalls(Some(81))]);
    assert!(matches!(db.store.change_settings(refused, AT).await, Err(StoreError::Edit(_))));
    assert_eq!(db.number("SELECT count(*) FROM inbound").await, 0);
    assert_eq!(db.store.change_settings(new(1, &[Edit::Hours(24)]), AT).await.unwrap(), "");
    assert_eq!(db.number("SELECT count(*) FROM settings_change").await, 0);
    assert_eq!(db.number("SELECT count(*) FROM guild_settings").await, 0);
    assert_eq!(db.number("SELECT count(*) FROM inbound").await, 1);
}

#[tokio::test]
async fn the_log_tells_who_changed_what_last() {
    let db = Db::open().await;
    db.store.change_settings(new(1, &[Edit::Hours(5), Edit::Quorum(2)]), AT).await.unwrap();
    let by = NewSettings { by: UserId(32), by_name: "Ben".to_owned(), ..new(2, &[Edit::Hours(6)]) };
    db.store.change_settings(by, AT + 5_000).await.unwrap();
    let log = db.store.settings_log(GUILD, 10).await.unwrap();
    let told: Vec<_> =
        log.iter().map(|made| (made.by.as_str(), made.change.setting, made.change.after.as_str())).collect();
    assert_eq!(
        told,
        [
            ("Ben", Setting::Hours, "6 hours"),
            ("Ada", Setting::Hours, "5 hours"),
            ("Ada", Setting::Quorum, "2 ballots")
        ]
    );
    assert_eq!(db.store.settings_log(GUILD, 1).await.unwrap(), log[..1]);
    let mut last = db.store.settings_last(GUILD).await.unwrap();
    last.sort_by_key(|made| made.change.setting);
    assert_eq!(last, [log[0].clone(), log[2].clone()]);
    assert_eq!(last[0].at, (AT + 5_000) / 1_000);
    assert_eq!(db.store.settings_log(GuildId(72), 10).await.unwrap(), []);
}

#[tokio::test]
async fn of_many_at_once_each_builds_on_the_one_before() {
    let db = Db::open().await;
    let edits =
        [Edit::Hours(5), Edit::Quorum(2), Edit::Standings(true), Edit::Pings(true), Edit::Reminder(3)];
    let tasks = edits.into_iter().zip(1..).map(|(edit, n)| {
        let store = db.store.clone();
        tokio::spawn(async move { store.change_settings(new(n, &[edit]), AT).await.unwrap() })
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await.unwrap();
    }
    let now = db.store.guild_settings(GUILD).await.unwrap().voting;
    assert_eq!((now.hours, now.quorum, now.live, now.ping, now.remind_hours), (5, 2, true, true, 3));
}
