//! The page's files, built into the program.

/// One file of the page: its name under `/page/` and its content.
pub(super) struct Asset {
    pub(super) name: &'static str,
    pub(super) content: &'static str,
}

impl Asset {
    /// The media type for its ending.
    pub(super) fn media_type(&self) -> &'static str {
        match self.name.rsplit('.').next() {
            Some("html") => "text/html; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("svg") => "image/svg+xml",
            _ => "text/javascript; charset=utf-8",
        }
    }
}

macro_rules! assets {
    ($($name:literal)*) => {
        &[$(Asset { name: $name, content: include_str!(concat!("page/", $name)) }),*]
    };
}

/// The file of that name.
pub(super) fn find(name: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.name == name)
}

const ASSETS: &[Asset] = assets! {
    "api.js"
    "app.js"
    "attachments.js"
    "avatar.js"
    "chat.css"
    "choices.js"
    "command_form.js"
    "commands.js"
    "components.js"
    "composer.js"
    "controls.css"
    "dialog.js"
    "dropping.js"
    "element.js"
    "embeds.css"
    "embeds.js"
    "emoji.js"
    "file_tray.js"
    "focus.js"
    "forum.js"
    "growing.js"
    "header.js"
    "icon.svg"
    "index.html"
    "inline.js"
    "interactions.js"
    "links.js"
    "listings.js"
    "live.js"
    "markdown.js"
    "mention_list.js"
    "mentions.js"
    "menu.js"
    "message.js"
    "modal.js"
    "option_field.js"
    "pending.js"
    "roles.js"
    "select.js"
    "session.js"
    "sidebar.css"
    "sidebar.js"
    "style.css"
    "suggestions.js"
    "theme.js"
    "timeline.js"
    "timestamp.js"
    "welcome.js"
    "world.js"
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_page_is_built_in() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/page");
        let mut there: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        there.sort();
        let built_in: Vec<&str> = ASSETS.iter().map(|asset| asset.name).collect();
        assert_eq!(built_in, there, "ASSETS lists the folder's files, sorted by name");
    }

    #[test]
    fn the_page_names_only_files_that_exist_and_nothing_from_outside() {
        for asset in ASSETS {
            for (at, _) in asset.content.match_indices("/page/") {
                let rest = &asset.content[at + "/page/".len()..];
                let name: String =
                    rest.chars().take_while(|c| c.is_ascii_alphanumeric() || ".-_".contains(*c)).collect();
                assert!(
                    name.is_empty() || name == "api" || find(&name).is_some(),
                    "{} names {name}",
                    asset.name
                );
            }
            for (at, _) in asset.content.match_indices("from \"") {
                let name: String = asset.content[at + 6..].chars().take_while(|c| *c != '"').collect();
                let file = name.strip_prefix("./");
                assert!(file.is_some_and(|file| find(file).is_some()), "{} imports {name}", asset.name);
            }
        }
    }
}
