//! `compose.fleet.yaml`, as far as it can be read without Docker: what it names is there, each range has its own database and
//! replica, and the ranges are all shards once. That a replica can be restored from: `litestream`.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::PathBuf,
};

use domain::{Ranges, ShardRange};

use crate::support::has;

fn file(name: &str) -> String {
    fs::read_to_string(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

/// The keys of one depth below a key of the top, and what stands below each; remarks are left out.
fn below(text: &str, top: &str) -> BTreeMap<String, String> {
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    let (mut inside, mut name) = (false, String::new());
    for line in text.lines().filter(|line| !line.trim_start().starts_with('#') && !line.trim().is_empty()) {
        assert!(!line.contains('\t'), "a tab: {line}");
        let depth = line.len() - line.trim_start().len();
        match depth {
            0 => inside = line == format!("{top}:"),
            2 if inside => {
                line.trim().trim_end_matches(':').clone_into(&mut name);
                assert!(found.insert(name.clone(), String::new()).is_none(), "{name} stands there twice");
            }
            _ if inside => {
                let service = found.get_mut(&name).unwrap();
                service.push_str(line);
                service.push('\n');
            }
            _ => {}
        }
    }
    found
}

/// What stands after `key: ` in a service.
fn value<'a>(service: &'a str, key: &str) -> Option<&'a str> {
    service.lines().find_map(|line| line.trim().strip_prefix(key)?.strip_prefix(": "))
}

#[test]
fn ranges_share_the_limits_and_nothing_else_and_are_all_shards_once() {
    let text = file("compose.fleet.yaml");
    let (services, volumes) = (below(&text, "services"), below(&text, "volumes"));
    let ranges: Vec<&str> = services.keys().filter_map(|name| name.strip_prefix("bot-")).collect();
    assert_eq!(ranges, ["0", "1"]);
    let (mut shards, mut own, mut replicas) = (Vec::new(), Vec::new(), BTreeSet::new());
    for range in &ranges {
        let [made, restore, bot, replica] =
            ["made", "restore", "bot", "replica"].map(|part| &services[&format!("{part}-{range}")]);
        let data = format!("- data-{range}:/data\n");
        for service in [made, restore, bot, replica] {
            has(service, &[&data]);
            assert_eq!(service.matches("- data-").count(), 1, "{service}");
        }
        assert!(volumes.contains_key(&format!("data-{range}")));
        has(restore, &[&format!("made-{range}:"), "-if-db-not-exists", "-if-replica-exists"]);
        has(bot, &[&format!("restore-{range}:"), "limits:", "service_completed_successfully"]);
        has(replica, &[&format!("restore-{range}:"), "replicate"]);
        let to = value(replica, "LITESTREAM_REPLICA").unwrap();
        assert_eq!(value(restore, "LITESTREAM_REPLICA"), Some(to), "it is restored from where it is kept");
        assert!(replicas.insert(to), "two ranges in one replica: {to}");
        own.push(value(bot, "QUORUM_SHARDS").unwrap().parse::<ShardRange>().unwrap());
        let (range, of) = value(bot, "QUORUM_SHARDS").unwrap().split_once('/').unwrap();
        let (first, last) = range.split_once('-').unwrap();
        let number = |text: &str| text.parse::<u32>().unwrap();
        shards.extend((number(first)..=number(last)).map(|shard| (shard, number(of))));
    }
    let all: Vec<(u32, u32)> = (0..shards[0].1).map(|shard| (shard, shards[0].1)).collect();
    assert_eq!(shards, all, "each shard once");
    assert_eq!(volumes.len(), ranges.len());
    has(&text, &["DISCORD_API_BASE: http://limits:8080", "QUORUM_REST_RATE: proxy"]);
    assert_eq!(value(&services["limits"], "PORT"), Some("\"8080\""));
    assert_eq!(value(&services["limits"], "BOT_RATELIMIT_OVERRIDES"), Some("${LIMIT:-}"));
    // Each knows the others, and so says who has a server that it has not.
    let fleet: Ranges = value(&text, "QUORUM_FLEET").unwrap().parse().unwrap();
    assert_eq!(fleet.all(), own, "all processes");
}

/// An image that is not built here is a release or a digest: a word such as `main` is another program tomorrow, and gets the
/// token all the same.
#[test]
fn no_image_is_named_by_a_word_that_moves() {
    let fixed = |image: &str| {
        let (name, digest) = image.split_once("@sha256:").unwrap_or((image, ""));
        let tag = name.rsplit_once(':').map_or("", |(_, tag)| tag).trim_start_matches('v');
        digest.len() == 64 || tag.split(['.', '-']).filter(|part| part.parse::<u32>().is_ok()).count() >= 3
    };
    assert!(fixed("a/b:v1.3.3") && fixed(&format!("a/b:main@sha256:{}", "0".repeat(64))));
    assert!(!fixed("a/b:main") && !fixed("a/b") && !fixed("a/b:1") && !fixed("localhost:5000/b"));
    for name in ["compose.yaml", "compose.fleet.yaml"] {
        let text = file(name);
        let images = text.lines().filter_map(|line| line.trim().strip_prefix("image: "));
        let moving: Vec<&str> = images.filter(|image| *image != "quorum" && !fixed(image)).collect();
        assert_eq!(moving, Vec::<&str>::new(), "{name}");
    }
}

#[test]
fn what_it_refers_to_is_there() {
    let text = file("compose.fleet.yaml");
    let words = |mark: char| -> BTreeSet<&str> {
        let marked = text.split_whitespace().filter_map(|word| word.strip_prefix(mark));
        marked.filter(|word| word.starts_with(char::is_alphabetic)).collect()
    };
    assert_eq!(words('*'), words('&'), "parts that are used, and parts that there are");
    let services = below(&text, "services");
    for (name, service) in &services {
        let needed = service.lines().skip_while(|line| line.trim() != "depends_on:").skip(1);
        for other in
            needed.take_while(|line| line.starts_with("      ")).filter(|line| !line.starts_with("       "))
        {
            let other = other.trim().trim_end_matches(':');
            assert!(services.contains_key(other), "{name} waits for {other}, which is not there");
        }
    }
    // As the one of one machine, with the same check whether a bot can do its work.
    let one = file("compose.yaml");
    let check = one.lines().find(|line| line.trim().starts_with("test: ")).unwrap().trim();
    has(&text, &[check, "./docs/litestream.yml:/etc/litestream.yml:ro"]);
    // All that Litestream's configuration takes from its environment is given to it.
    let settings = file("docs/litestream.yml");
    for name in settings.split("${").skip(1).map(|rest| rest.split('}').next().unwrap()) {
        has(&text, &[&format!("{name}: ")]);
    }
    let user = file("docker/user.sh");
    let number = text.split("user: \"").nth(1).unwrap().split(':').next().unwrap();
    has(&user, &[number]);
}
