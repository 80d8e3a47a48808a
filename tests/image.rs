//! The steps of the Docker image, each a script in `docker/`: what one does is tried here without Docker. The steps that
//! install packages, and the build itself, are only read by the shell.

use std::{
    collections::BTreeSet,
    fs,
    os::unix::fs::{MetadataExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
    process::Command,
};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// What a command says; it has to succeed.
fn said(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{command:?}: {}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

fn script(name: &str) -> Command {
    Command::new(root().join("docker").join(name))
}

/// A file that can be run.
fn program(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn each_step_of_the_image_is_a_script_that_the_shell_can_read() {
    let dockerfile = fs::read_to_string(root().join("Dockerfile")).unwrap().replace("\\\n", " ");
    let mut run = BTreeSet::new();
    for line in dockerfile.lines().filter_map(|line| line.strip_prefix("RUN ")) {
        let mut words = line.split_whitespace().skip_while(|word| word.starts_with("--mount="));
        let step = words.next().unwrap().trim_start_matches('/');
        assert!(step.starts_with("docker/") && !line.contains("&&"), "not one script: {line}");
        run.insert(root().join(step));
    }
    let there = fs::read_dir(root().join("docker")).unwrap().map(|entry| entry.unwrap().path());
    for path in there {
        let by_hand = ["pin.sh", "release.sh"].iter().any(|name| path.ends_with(name));
        assert!(run.contains(&path) || by_hand, "no step runs {}", path.display());
        said(Command::new("sh").arg("-n").arg(&path));
        assert_ne!(fs::metadata(&path).unwrap().mode() & 0o111, 0, "{} can be run", path.display());
        run.remove(&path);
    }
    assert!(run.is_empty(), "steps that are not there: {run:?}");
    let context = fs::read_to_string(root().join(".dockerignore")).unwrap();
    for needed in ["!docker", "!build.rs", "!crates"] {
        assert!(context.lines().any(|line| line == needed), "{needed} is in what the build reads");
    }
}

#[test]
fn lines_for_backtraces_move_out_of_a_program_and_are_found_again() {
    let folder = tempfile::tempdir().unwrap();
    let (source, small) = (folder.path().join("small.c"), folder.path().join("small"));
    fs::write(&source, "int named(int n) { return n + 6; }\nint main(int n) { return named(n); }\n").unwrap();
    said(Command::new("cc").args(["-g", "-O0", "-o"]).args([&small, &source]));
    let before = fs::metadata(&small).unwrap().len();
    said(script("split-debug.sh").arg(&small));
    assert!(fs::metadata(&small).unwrap().len() < before);
    assert_eq!(Command::new(&small).status().unwrap().code(), Some(7), "it runs as before");
    assert!(said(Command::new("nm").arg(&small)).contains(" named"), "names of functions stay");
    let sections = |path: &Path| said(Command::new("objdump").arg("--section-headers").arg(path));
    let stripped = sections(&small);
    assert!(!stripped.contains(".debug_line") && stripped.contains(".gnu_debuglink"), "{stripped}");
    assert!(sections(&folder.path().join("small.debug")).contains(".debug_line"));
    let line = said(Command::new("objdump").args(["--dwarf=links"]).arg(&small));
    assert!(line.contains("small.debug"), "by its name, wherever both lie: {line}");
}

#[test]
fn the_program_s_user_owns_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    if fs::metadata(folder.path()).unwrap().uid() != 0 {
        eprintln!("Left out: only root makes users.");
        return;
    }
    fs::create_dir(folder.path().join("etc")).unwrap();
    said(script("user.sh").arg(folder.path()));
    let file = |name: &str| fs::read_to_string(folder.path().join("etc").join(name)).unwrap();
    assert!(file("passwd").starts_with("quorum:!:10001:10001::/data:"), "{}", file("passwd"));
    assert!(file("group").starts_with("quorum:x:10001:"), "{}", file("group"));
    let data = fs::metadata(folder.path().join("data")).unwrap();
    assert_eq!((data.uid(), data.gid(), data.is_dir()), (10_001, 10_001, true));
}

#[test]
fn base_images_are_pinned_by_what_the_registry_says_and_by_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let (file, docker) = (folder.path().join("Dockerfile"), folder.path().join("docker"));
    fs::copy(root().join("Dockerfile"), &file).unwrap();
    let pin = || {
        // Such a docker is found first.
        let run = "PATH=\"$1:$PATH\" exec \"$2\" \"$3\"";
        let pin = root().join("docker/pin.sh");
        let output =
            Command::new("sh").args(["-c", run, "sh"]).args([folder.path(), &pin, &file]).output().unwrap();
        (output.status.success(), fs::read_to_string(&file).unwrap())
    };
    let pinned = |text: &str, digest: &str| {
        let from: Vec<&str> =
            text.lines().filter(|line| line.starts_with("FROM ") && line.contains(':')).collect();
        assert_eq!(from.len(), 2, "{text}");
        let end = format!("@sha256:{digest}");
        from.iter().all(|line| {
            line.split(' ').nth(1).unwrap().ends_with(&end) && line.matches("sha256").count() == 1
        })
    };
    for digit in ["a", "b"] {
        let digest = digit.repeat(64);
        program(&docker, &format!("#!/bin/sh\ncat >/dev/null\necho sha256:{digest}\n"));
        let (taken, text) = pin();
        assert!(taken && pinned(&text, &digest), "{text}");
    }
    for refusal in ["echo not found", "exit 1"] {
        program(&docker, &format!("#!/bin/sh\n{refusal}\n"));
        let (taken, text) = pin();
        assert!(!taken && pinned(&text, &"b".repeat(64)), "{refusal}: {text}");
    }
}

/// A copy of what a release is made of, in which Docker and Git are stand-ins; Docker notes what it is asked.
struct Release {
    folder: tempfile::TempDir,
}

impl Release {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("docker")).unwrap();
        for name in ["Dockerfile", "Cargo.toml", "docker/pin.sh", "docker/release.sh"] {
            fs::copy(root().join(name), folder.path().join(name)).unwrap();
        }
        let bin = folder.path().join("bin");
        fs::create_dir(&bin).unwrap();
        program(&bin.join("git"), "#!/bin/sh\necho 0123abcd\n");
        Self { folder }
    }

    /// What it says and whether it succeeded, and what Docker was asked. The registry has these, and the program in the image
    /// says this of itself.
    fn run(&self, tag: &str, has: &str, says: &str) -> (String, bool, Vec<String>) {
        let (bin, asked) = (self.folder.path().join("bin"), self.folder.path().join("asked"));
        let digest = "a".repeat(64);
        let docker = format!(
            "#!/bin/sh\necho \"$*\" >>'{}'\ncase \"$*\" in\n\
             *--format*Manifest*) echo sha256:{digest} ;;\n\
             'buildx imagetools inspect {has}') ;;\n\
             'buildx '*) exit 1 ;;\n\
             'run '*) echo '{says}' ;;\n\
             'image inspect '*) echo ghcr.io/a/quorum@sha256:{digest} ;;\nesac\n",
            asked.display()
        );
        program(&bin.join("docker"), &docker);
        fs::write(&asked, "").unwrap();
        let run = "PATH=\"$1:$PATH\" exec \"$2\" \"$3\" ghcr.io/a/quorum 2>&1";
        let release = self.folder.path().join("docker/release.sh");
        let made =
            Command::new("sh").args(["-c", run, "sh"]).args([&bin, &release]).arg(tag).output().unwrap();
        let asked = fs::read_to_string(&asked).unwrap().lines().map(str::to_owned).collect();
        (String::from_utf8_lossy(&made.stdout).into_owned(), made.status.success(), asked)
    }
}

#[test]
fn a_release_is_built_tried_and_pushed_under_its_version_alone_and_once() {
    let (release, version) = (Release::new(), env!("CARGO_PKG_VERSION"));
    let (tag, image, says) =
        (format!("v{version}"), format!("ghcr.io/a/quorum:{version}"), format!("quorum {version}"));
    let (said, done, asked) = release.run(&tag, "none", &says);
    assert!(
        done && said.trim_end().ends_with(&format!("ghcr.io/a/quorum@sha256:{}", "a".repeat(64))),
        "{said}"
    );
    let at = |what: &str| {
        asked.iter().position(|asked| asked.starts_with(what)).unwrap_or_else(|| panic!("{what}: {asked:?}"))
    };
    let order = [
        at("build --platform linux/amd64 "),
        at(&format!("run --rm {image} --version")),
        at(&format!("push {image}")),
    ];
    assert!(order.is_sorted(), "{asked:?}");
    let pushed = asked
        .iter()
        .filter(|asked| asked.contains("push") || asked.contains("latest") || asked.contains(" tag "));
    assert_eq!(pushed.count(), 1, "no name that moves: {asked:?}");
    let built = fs::read_to_string(release.folder.path().join("Dockerfile")).unwrap();
    assert_eq!(built.matches("@sha256:").count(), 2, "on base images that its digests name: {built}");

    // Another tag than the version, a version that is there already, a program that says it is another one.
    for (tag, has, says) in [
        ("v9.9.9", "none", &*says),
        (version, "none", &*says),
        (&*tag, &*image, &*says),
        (&*tag, "none", "quorum 0.0.9"),
    ] {
        let (said, done, asked) = release.run(tag, has, says);
        assert!(!done && !said.is_empty(), "{tag} {has} {says}: {said}");
        assert!(!asked.iter().any(|asked| asked.starts_with("push")), "{tag} {has} {says}: {asked:?}");
    }
}

/// What runs with the right to push has no part that another may exchange.
#[test]
fn the_release_workflow_uses_what_is_here_and_nothing_that_moves() {
    let file = |name: &str| fs::read_to_string(root().join(name)).unwrap();
    let workflow = file(".github/workflows/release.yml");
    let lines: Vec<&str> = workflow.lines().map(str::trim).filter(|line| !line.starts_with('#')).collect();
    assert!(!workflow.contains('\t') && !lines.iter().any(|line| line.contains("latest")), "{workflow}");
    let values = |key: &str| -> Vec<&str> {
        lines.iter().filter_map(|line| line.trim_start_matches("- ").strip_prefix(key)).collect()
    };
    assert_eq!(values("uses:"), Vec::<&str>::new(), "an action of anybody's");
    assert_eq!(values("runs-on: "), ["ubuntu-24.04"; 2]);
    assert_eq!(values("packages: "), ["write"], "one job may push");
    assert_eq!(values("needs: "), ["check"], "and only once everything is checked");
    assert!(values("permissions: ").contains(&"{}"), "no right that is not named");
    for script in [".ci/run", "docker/release.sh"] {
        assert!(values("run: ").iter().any(|run| run.split(' ').next() == Some(script)), "{script}");
        assert_ne!(fs::metadata(root().join(script)).unwrap().mode() & 0o111, 0, "{script} can be run");
    }
    // Nothing that a tag or a name may hold is put into a script; it is read there.
    assert!(
        lines.iter().filter(|line| line.contains("${{")).all(|line| *line == "TOKEN: ${{ github.token }}")
    );
    let dockerfile = file("Dockerfile");
    let rust = dockerfile.split_once("FROM rust:").unwrap().1.split_once('-').unwrap().0;
    assert!(
        workflow.contains(&format!("rustup toolchain install {rust} ")),
        "checked with another Rust than {rust}"
    );
}
