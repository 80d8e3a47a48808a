//! Server settings: changed once for each interaction, all edits or none, and written down.

use domain::{
    Bounds, Caps, Changed, GuildId, GuildSettings, InteractionId, Money, Setting, SettingChange, Typed,
    UserId,
};
use quorum::store::{NewSettings, StoreError};

use super::fixture::{AT, Db, GUILD, MEMBER};

fn said(changes: &[Changed]) -> String {
    let line = |change: &Changed| format!("{}: {} > {}", change.setting.name, change.before, change.after);
    changes.iter().map(line).collect::<Vec<_>>().concat()
}

fn setting(name: &str) -> &'static Setting {
    Setting::find(name).unwrap()
}

fn number(name: &str, number: i64) -> SettingChange {
    setting(name).to(Typed::Number(number))
}

fn new(interaction: u64, changes: &[SettingChange]) -> NewSettings {
    NewSettings {
        guild: GUILD,
        interaction: InteractionId(interaction),
        by: MEMBER,
        by_name: "Ada".to_owned(),
        changes: changes.to_vec(),
        bounds: Bounds {
            session: Caps { money: Money(2_000_000), tokens: 400_000, calls: 80 },
            models: Vec::new(),
        },
        said,
    }
}

#[tokio::test]
async fn a_change_is_made_once_and_said_again() {
    let db = Db::open().await;
    let first = db.store.change_settings(new(1, &[number("hours", 5)]), AT).await.unwrap();
    assert_eq!(first, "hours: 24 hours > 5 hours");
    db.store.change_settings(new(2, &[number("hours", 6)]), AT + 1).await.unwrap();
    let again = db.store.change_settings(new(1, &[number("hours", 5)]), AT + 2).await;
    assert!(matches!(again, Err(StoreError::Duplicate(said)) if said == first));
    assert_eq!(db.store.guild_settings(GUILD).await.unwrap().voting.hours, 6);
    assert_eq!(db.number("SELECT count(*) FROM settings_change").await, 2);
    assert_eq!(db.store.guild_settings(GuildId(72)).await.unwrap(), GuildSettings::default());
}

#[tokio::test]
async fn what_is_refused_or_the_same_leaves_no_trace_in_the_log() {
    let db = Db::open().await;
    let refused = new(1, &[number("hours", 5), setting("session_calls").to(Typed::Text("81".to_owned()))]);
    assert!(matches!(db.store.change_settings(refused, AT).await, Err(StoreError::Setting(_))));
    assert_eq!(db.number("SELECT count(*) FROM inbound").await, 0);
    assert_eq!(db.store.change_settings(new(1, &[number("hours", 24)]), AT).await.unwrap(), "");
    assert_eq!(db.number("SELECT count(*) FROM settings_change").await, 0);
    assert_eq!(db.number("SELECT count(*) FROM guild_settings").await, 0);
    assert_eq!(db.number("SELECT count(*) FROM inbound").await, 1);
}

#[tokio::test]
async fn the_log_tells_who_changed_what_last() {
    let db = Db::open().await;
    db.store.change_settings(new(1, &[number("hours", 5), number("quorum", 2)]), AT).await.unwrap();
    let by = NewSettings { by: UserId(32), by_name: "Ben".to_owned(), ..new(2, &[number("hours", 6)]) };
    db.store.change_settings(by, AT + 5_000).await.unwrap();
    let log = db.store.settings_log(GUILD, 10).await.unwrap();
    let told: Vec<_> = log
        .iter()
        .map(|made| (made.by.as_str(), made.changed.setting.name, made.changed.after.as_str()))
        .collect();
    assert_eq!(
        told,
        [("Ben", "hours", "6 hours"), ("Ada", "hours", "5 hours"), ("Ada", "quorum", "2 ballots")]
    );
    assert_eq!(db.store.settings_log(GUILD, 1).await.unwrap(), log[..1]);
    let mut last = db.store.settings_last(GUILD).await.unwrap();
    last.sort_by_key(|made| made.changed.setting.name);
    assert_eq!(last, [log[0].clone(), log[2].clone()]);
    assert_eq!(last[0].at, (AT + 5_000) / 1_000);
    assert_eq!(db.store.settings_log(GuildId(72), 10).await.unwrap(), []);
}

#[tokio::test]
async fn of_many_at_once_each_builds_on_the_one_before() {
    let db = Db::open().await;
    let changes = [
        number("hours", 5),
        number("quorum", 2),
        setting("standings").to(Typed::Switch(true)),
        setting("reminder_pings").to(Typed::Switch(true)),
        number("reminder_hours", 3),
    ];
    let tasks = changes.into_iter().zip(1..).map(|(change, n)| {
        let store = db.store.clone();
        tokio::spawn(async move { store.change_settings(new(n, &[change]), AT).await.unwrap() })
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await.unwrap();
    }
    let now = db.store.guild_settings(GUILD).await.unwrap().voting;
    assert_eq!((now.hours, now.quorum, now.live, now.ping, now.remind_hours), (5, 2, true, true, 3));
}
