//! For tests: a checker of Discord's limits, written apart from the code that keeps them, and hostile text.

use std::{collections::BTreeSet, fmt::Write as _};

pub(super) use properties::{hostile, live};

use domain::{Embed, FileBody, Input, Modal, Post, Row, SelectOption, Standing, TextInput, WaitOutcome};

pub(super) mod drawings;

/// A confirmation of which this became, as it was posted first.
pub(super) fn stands(outcome: WaitOutcome) -> Standing {
    Standing { outcome, ..Standing::default() }
}

/// A form as a person sees it.
pub(super) fn form_shown(modal: &Modal) -> String {
    let lines = modal.inputs.iter().map(|input| match input {
        Input::Text(input) => {
            let required = if input.required { "required" } else { "optional" };
            format!(
                "{} [{}] = {:?} ({}; {required}, {})",
                input.label, input.id, input.value, input.placeholder, input.max
            )
        }
        Input::Choice(input) => {
            let option = |option: &SelectOption| {
                let mark = if input.chosen.contains(&option.value) { "◉" } else { "○" };
                format!("\n    {mark} {} = {} ({})", option.value, option.label, option.description)
            };
            let options: String = input.options.iter().map(option).collect();
            format!(
                "{} [{}] ▾ ({}; {}){options}",
                input.label, input.id, input.placeholder, input.description
            )
        }
        Input::Member(input) => {
            format!("{} [{}] = {:?} ({}; a member)", input.label, input.id, input.chosen, input.placeholder)
        }
    });
    format!("{} → {}\n{}", modal.title, modal.id, lines.collect::<Vec<_>>().join("\n"))
}

/// Forms have limits too (Discord documentation, modals and text inputs).
pub(super) fn assert_form(modal: &Modal) {
    let units = |text: &str| text.encode_utf16().count();
    assert!((1..=45).contains(&units(&modal.title)) && modal.id.to_string().len() <= 100);
    assert!((1..=5).contains(&modal.inputs.len()));
    for input in &modal.inputs {
        assert!((1..=45).contains(&units(input.label())) && units(input.id()) <= 100, "{}", input.label());
        match input {
            Input::Text(input) => {
                assert!(units(&input.placeholder) <= 100 && units(&input.value) <= usize::from(input.max));
            }
            Input::Choice(input) => {
                assert!(units(&input.description) <= 100 && units(&input.placeholder) <= 150);
                assert!((1..=25).contains(&input.options.len()), "{} options", input.options.len());
                let values: BTreeSet<&str> = input.options.iter().map(|option| &*option.value).collect();
                assert_eq!(values.len(), input.options.len(), "each has a value of its own");
                assert!(input.chosen.iter().all(|chosen| values.contains(&**chosen)));
                let (least, most) = (usize::from(input.range.0), usize::from(input.range.1));
                assert!(least <= most && (1..=values.len()).contains(&most), "{least} to {most}");
                assert!(input.chosen.len() <= most, "{:?}", input.chosen);
                for option in &input.options {
                    for text in [&option.label, &option.value] {
                        assert!((1..=100).contains(&units(text)) && !text.trim().is_empty(), "{text:?}");
                    }
                    assert!(units(&option.description) <= 100, "{}", option.description);
                }
            }
            Input::Member(input) => assert!(units(&input.placeholder) <= 150),
        }
    }
}

/// A form's text boxes.
pub(super) fn boxes(modal: &Modal) -> Vec<&TextInput> {
    fn text(input: &Input) -> Option<&TextInput> {
        if let Input::Text(input) = input { Some(input) } else { None }
    }
    modal.inputs.iter().filter_map(text).collect()
}

/// What a post breaks, or nothing. `own` are mentions and timestamps that are meant to be there.
pub(super) fn faults(post: &Post, own: &[&str]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut most = |what: &str, text: &str, limit: usize| {
        let units = text.encode_utf16().count().max(text.chars().count());
        if units > limit {
            faults.push(format!("{what}: {units} of {limit}: {text:?}"));
        }
    };
    most("content", &post.content, 2_000);
    for embed in &post.embeds {
        most("title", &embed.title, 256);
        most("description", &embed.description, 4_096);
        most("footer", &embed.footer, 2_048);
        most("author", &embed.author, 256);
        for field in &embed.fields {
            most("field name", &field.name, 256);
            most("field value", &field.value, 1_024);
        }
    }
    for file in &post.files {
        most("alt", &file.alt, 1_024);
    }
    let total: usize = post.embeds.iter().flat_map(texts).map(|text| text.encode_utf16().count()).sum();
    let mut ids = BTreeSet::new();
    for row in &post.rows {
        match row {
            Row::Buttons(buttons) => {
                if buttons.is_empty() || buttons.len() > 5 {
                    faults.push(format!("{} buttons in a row", buttons.len()));
                }
                for button in buttons {
                    let id = button.id.to_string();
                    if id.chars().count() > 100 || !ids.insert(id.clone()) {
                        faults.push(format!("custom_id {id}"));
                    }
                    if button.label.encode_utf16().count() > 80 || button.label.trim().is_empty() {
                        faults.push(format!("label {:?}", button.label));
                    }
                }
            }
            Row::Select(select) => {
                if !ids.insert(select.id.to_string())
                    || select.options.is_empty()
                    || select.options.len() > 25
                {
                    faults.push(format!("select {}", select.id));
                }
                let values: BTreeSet<&str> =
                    select.options.iter().map(|option| option.value.as_str()).collect();
                let long = |text: &str, most: usize| text.encode_utf16().count() > most;
                let wrong = |option: &SelectOption| {
                    option.label.trim().is_empty()
                        || [&option.label, &option.value, &option.description]
                            .iter()
                            .any(|text| long(text, 100))
                };
                if select.id.to_string().len() > 100
                    || long(&select.placeholder, 150)
                    || values.len() < select.options.len()
                    || select.options.iter().any(wrong)
                {
                    faults.push(format!("options {select:?}"));
                }
            }
        }
    }
    let mut no = |wrong: bool, what: &str| {
        if wrong {
            faults.push(what.to_owned());
        }
    };
    no(total > 6_000, &format!("embeds hold {total} of 6000"));
    no(post.embeds.len() > 10, "more than 10 embeds");
    no(post.rows.len() > 5, "more than 5 rows");
    no(post.files.len() > 10, "more than 10 files");
    let nothing = post.content.trim().is_empty() && post.embeds.is_empty() && post.files.is_empty();
    no(nothing, "an empty message");
    for embed in &post.embeds {
        no(embed.fields.len() > 25, "more than 25 fields");
        no(texts(embed).all(|text| text.trim().is_empty()) && embed.image.is_none(), "an empty embed");
        let half = |field: &domain::Field| field.name.trim().is_empty() || field.value.trim().is_empty();
        no(embed.fields.iter().any(half), "an empty field");
        if let Some(image) = &embed.image {
            no(!post.files.iter().any(|file| file.name == *image), "an image without its file");
        }
    }
    for text in post.embeds.iter().flat_map(texts).chain([post.content.as_str()]) {
        faults.extend(live(text, own).map(|what| format!("live {what} in {text:?}")));
        if text.matches("```").count() % 2 == 1 {
            faults.push(format!("an open fence in {text:?}"));
        }
    }
    for file in &post.files {
        if let FileBody::Svg(svg) = &file.body
            && resvg::usvg::roxmltree::Document::parse(svg).is_err()
        {
            faults.push(format!("not XML: {svg}"));
        }
    }
    faults
}

/// Panics with all that is wrong with the posts.
pub(super) fn assert_fit(posts: &[Post], own: &[&str]) {
    assert!(!posts.is_empty(), "no post at all");
    for post in posts {
        let faults = faults(post, own);
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }
}

fn texts(embed: &Embed) -> impl Iterator<Item = &str> {
    let fields = embed.fields.iter().flat_map(|field| [field.name.as_str(), field.value.as_str()]);
    fields.chain([&*embed.title, &*embed.description, &*embed.footer, &*embed.author])
}

/// How an address begins that a member wrote, which stays one.
pub(super) const MEMBERS: &[&str] = &["<https://", "<http://"];

/// Posts as a person reads them.
pub(super) fn shown(posts: &[Post]) -> String {
    let mut out = String::new();
    for post in posts {
        out.push_str("────────────────────────────────────────\n");
        if !post.content.is_empty() {
            writeln!(out, "{}", post.content).unwrap();
        }
        for embed in &post.embeds {
            writeln!(out, "▌{:?}", embed.color).unwrap();
            for (what, text) in [("author", &embed.author), ("title", &embed.title), ("", &embed.description)]
            {
                if !text.is_empty() {
                    writeln!(out, "{what}{}{text}", if what.is_empty() { "" } else { ": " }).unwrap();
                }
            }
            for field in &embed.fields {
                let beside = if field.inline { " (inline)" } else { "" };
                writeln!(out, "  ▪ {}{beside}\n{}", field.name, field.value).unwrap();
            }
            if let Some(image) = &embed.image {
                writeln!(out, "image: {image}").unwrap();
            }
            if !embed.footer.is_empty() {
                writeln!(out, "footer: {}", embed.footer).unwrap();
            }
        }
        for row in &post.rows {
            match row {
                Row::Buttons(buttons) => {
                    for button in buttons {
                        let emoji = button.emoji.as_deref().unwrap_or_default();
                        let off = if button.disabled { " (off)" } else { "" };
                        writeln!(out, "[{emoji} {}] {:?}{off} {}", button.label, button.style, button.id)
                            .unwrap();
                    }
                }
                Row::Select(select) => {
                    writeln!(out, "[{} ▾] {}", select.placeholder, select.id).unwrap();
                    for option in &select.options {
                        writeln!(out, "    {} = {} ({})", option.value, option.label, option.description)
                            .unwrap();
                    }
                }
            }
        }
        if !post.pings.is_empty() {
            writeln!(out, "may notify: {:?}", post.pings).unwrap();
        }
        for file in &post.files {
            writeln!(out, "file: {} ({})", file.name, file.alt).unwrap();
        }
    }
    out
}
