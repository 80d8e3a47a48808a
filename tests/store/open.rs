//! Opening: one process at a time, and a sentence for whoever cannot.

use std::{
    fs,
    io::{Seek, SeekFrom, Write},
    path::Path,
    time::Duration,
};

use domain::SessionState;
use quorum::store::{OpenError, Store, StoreError, StoreOptions};

use super::fixture::{AT, Db, RUNNING, TAKEOVER, attempt, event, id, new_session, settled};

async fn refused(path: &Path) -> OpenError {
    let opened = Store::open(path, StoreOptions::default(), AT).await;
    opened.err().unwrap_or_else(|| panic!("{} was opened", path.display()))
}

#[tokio::test]
async fn a_later_process_takes_over_and_the_earlier_ones_writes_are_refused() {
    let db = Db::open().await;
    let id = db.start(1).await;
    assert!(!db.store.is_taken_over().await);
    let later = Store::open(&db.path, TAKEOVER, AT).await.unwrap();
    assert_eq!(later.epoch(), db.store.epoch() + 1);
    assert!(!later.is_taken_over().await && db.store.is_taken_over().await);
    assert!(matches!(db.store.stopped().await, StoreError::Superseded), "whoever looks stops");
    let commits = db.store.commits();
    let tasks = (0..50).map(|n| {
        let (store, id) = (db.store.clone(), id.clone());
        tokio::spawn(async move { store.intend(attempt(&id, &format!("step-{n}")), AT).await })
    });
    for task in tasks.collect::<Vec<_>>() {
        assert!(matches!(task.await.unwrap(), Err(StoreError::Superseded)));
    }
    let started = db.store.start_session(new_session(2), AT).await;
    assert!(matches!(started, Err(StoreError::Superseded)));
    let cancelled = db.store.cancel_session(&id, event(5, "cancel"), String::new(), vec![], AT).await;
    assert!(matches!(cancelled, Err(StoreError::Superseded)));
    assert_eq!(db.store.commits(), commits, "nothing was committed");
    assert_eq!(db.number("SELECT count(*) FROM step").await, 0);

    later.settle(&id, None, settled(&id, "a", &["card"]), AT).await.unwrap();
    let moved = later.move_session(&id, RUNNING, SessionState::Done, None, vec![], AT);
    moved.await.unwrap();
    // It may still read, and sees what the later one wrote.
    assert_eq!(db.store.session(&id).await.unwrap().state, SessionState::Done);
    assert!(db.store.step(&id, &"a".into()).await.unwrap().is_some());
}

#[tokio::test]
async fn a_file_with_a_damaged_page_is_refused_with_what_to_do() {
    let db = Db::open().await;
    let id = db.start(1).await;
    for n in 0..60 {
        db.store.settle(&id, None, settled(&id, &format!("step-{n}"), &["card"]), AT).await.unwrap();
    }
    let Db { store, path, dir } = db;
    drop(store);
    let pool = sqlx::SqlitePool::connect(&format!("sqlite:{}", path.display())).await.unwrap();
    sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&pool).await.unwrap();
    let root: i64 = sqlx::query_scalar("SELECT rootpage FROM sqlite_schema WHERE name = 'step'")
        .fetch_one(&pool)
        .await
        .unwrap();
    pool.close().await;
    let mut file = fs::File::options().write(true).open(&path).unwrap();
    file.seek(SeekFrom::Start((u64::try_from(root).unwrap() - 1) * 4096)).unwrap();
    file.write_all(&[0xff; 64]).unwrap();
    drop(file);
    let asked = Store::standing(&path).await.expect_err("doctor sees it").to_string();
    let opened = Store::open(&path, TAKEOVER, AT).await.err().expect("it is refused").to_string();
    for said in [asked, opened] {
        assert!(said.contains("cannot be used") && said.contains("Restore a backup"), "{said}");
    }
    drop(dir);
}

#[tokio::test]
async fn a_second_process_is_kept_out_until_the_first_has_gone() {
    let db = Db::open().await;
    let id = db.start(1).await;
    let Db { store, path, dir } = db;
    let error = refused(&path).await;
    assert!(matches!(&error, OpenError::InUse(at) if *at == path));
    let sentence = error.to_string();
    let (name, says) = (path.display().to_string(), "another Quorum process is using ");
    assert_eq!(
        sentence,
        format!("{says}{name}. Stop it first, or choose another database with DATABASE_URL.")
    );
    store.count_restart(&id).await.unwrap(); // the one that was refused has not taken it over
    let clone = store.clone();
    drop(store);
    assert!(matches!(refused(&path).await, OpenError::InUse(_)), "a copy still uses it");
    drop(clone);
    let again = Store::open(&path, StoreOptions::default(), AT).await.unwrap();
    assert_eq!((again.epoch(), again.session(&id).await.unwrap().restarts), (2, 1));
    drop(dir);
}

#[tokio::test]
async fn a_place_that_cannot_be_written_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "").unwrap();
    let folder = dir.path().join("folder.db");
    fs::create_dir(&folder).unwrap();
    // No such folder, a file in the folder's place, a folder in the file's place, a folder of the system's own.
    for path in [dir.path().join("none/quorum.db"), file.join("quorum.db"), folder, "/proc/quorum.db".into()]
    {
        let error = refused(&path).await;
        assert!(matches!(&error, OpenError::Unwritable { path: at, .. } if *at == path), "{error:?}");
        let sentence = error.to_string();
        assert!(sentence.contains(&path.display().to_string()), "{sentence}");
        assert!(sentence.contains("permissions, or set DATABASE_URL."), "{sentence}");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn a_folder_without_permission_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("quorum.db");
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o555)).unwrap();
    // Root may write everywhere, and there is nothing to see then.
    if fs::write(dir.path().join("probe"), "").is_ok() {
        return;
    }
    assert!(matches!(refused(&path).await, OpenError::Unwritable { .. }));
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
}

/// A database with something in it, closed, all of it in its one file.
async fn closed() -> (tempfile::TempDir, std::path::PathBuf) {
    let db = Db::open().await;
    for n in 1..=20 {
        let id = db.start(n).await;
        db.store.settle(&id, None, settled(&id, "a", &["card"]), AT).await.unwrap();
    }
    let path = db.dir.path().join("closed.db");
    Store::backup(&db.path, &path).await.unwrap();
    (db.dir, path)
}

#[tokio::test]
async fn a_damaged_database_is_not_used() {
    for cut in [100, 5_000, 20_000] {
        let (_dir, path) = closed().await;
        fs::File::options().write(true).open(&path).unwrap().set_len(cut).unwrap();
        let error = refused(&path).await;
        assert!(matches!(error, OpenError::Damaged { .. }), "cut at {cut}: {error:?}");
    }
    // Noise over each page in turn, as a bad disk writes it.
    let (_dir, path) = closed().await;
    let whole = fs::read(&path).unwrap();
    let mut refused = Vec::new();
    for page in 0..whole.len() / 4096 {
        fs::write(&path, &whole).unwrap();
        let mut file = fs::File::options().write(true).open(&path).unwrap();
        file.seek(SeekFrom::Start(page as u64 * 4096)).unwrap();
        file.write_all(&[0xA5; 4096]).unwrap();
        drop(file);
        // What was opened for the page before may be closing still.
        let opened = loop {
            match Store::open(&path, StoreOptions::default(), AT).await {
                Err(OpenError::InUse(_)) => tokio::time::sleep(Duration::from_millis(5)).await,
                opened => break opened,
            }
        };
        match opened {
            Err(OpenError::Damaged { .. }) => refused.push(page),
            Err(other) => panic!("page {page}: {other:?}"),
            // Opening does not read every page; what is broken shows when it is read, and never as a panic.
            Ok(store) => {
                let _ = store.unfinished_sessions().await;
                let _ = store.steps(&id(1), "").await;
                let _ = store.next_post(&id(1)).await;
            }
        }
        for end in ["-wal", "-shm"] {
            let _ = fs::remove_file(format!("{}{end}", path.display()));
        }
    }
    assert!(refused.contains(&0) && refused.len() > 1, "{refused:?}");
}

#[tokio::test]
async fn another_programs_database_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("quorum.db");
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(&path).create_if_missing(true);
    let mut theirs = <sqlx::SqliteConnection as sqlx::Connection>::connect_with(&options).await.unwrap();
    sqlx::query("CREATE TABLE session (theirs TEXT)").execute(&mut theirs).await.unwrap();
    let before = fs::read(&path).unwrap();
    let error = refused(&path).await;
    assert!(matches!(error, OpenError::Damaged { .. }), "{error:?}");
    assert!(error.to_string().contains("it is another program's"), "{error}");
    assert!(fs::read(&path).unwrap() == before, "not a byte of it was changed");
    let kept: i64 = sqlx::query_scalar("SELECT count(*) FROM pragma_table_info('session')")
        .fetch_one(&mut theirs)
        .await
        .unwrap();
    assert_eq!(kept, 1);
}

#[cfg(unix)]
#[tokio::test]
async fn its_files_and_its_backups_are_their_owners_alone() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("quorum.db");
    // As a copy may be, readable for everybody.
    std::fs::write(&path, b"").unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    let store = Store::open(&path, StoreOptions::default(), AT).await.unwrap();
    store.start_session(new_session(1), AT).await.unwrap();
    Store::backup(&path, &folder.path().join("copy.db")).await.unwrap();
    for name in ["quorum.db", "quorum.db-wal", "quorum.db-shm", "copy.db"] {
        let mode = std::fs::metadata(folder.path().join(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
}
