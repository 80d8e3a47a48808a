//! The prompt files: embedded, overridden, stored with a session, rendered.

use std::{
    collections::BTreeMap,
    sync::{Arc, LazyLock, OnceLock},
};

use forms::{Asked, Form, Shape};
use minijinja::{Environment, UndefinedBehavior, Value, context};
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::length::Length;
use domain::{Effort, Module, ModuleName, Prompt, PromptVersion, Schema};

// `PROMPTS`, which build.rs writes.
include!(concat!(env!("OUT_DIR"), "/prompts.rs"));

/// Longest prompt file, in bytes; more is a mistake that would be paid for in every call.
const MAX_FILE_BYTES: usize = 32_768;

/// Why a set of prompt files cannot be used.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum PromptsError {
    /// No such prompt.
    #[error("There is no prompt file `{0}`; a file's name is its path below prompts/, such as `rules.md`.")]
    Unknown(String),
    /// A template does not parse or does not render.
    #[error("The prompt file `{file}` cannot be used: {why}")]
    Template {
        /// Its path below `prompts/`.
        file: String,
        /// What the template engine says, with the line.
        why: String,
    },
    /// Nothing in it.
    #[error("The prompt file `{0}` is empty.")]
    Empty(String),
    /// Too long.
    #[error("The prompt file `{0}` is larger than 32 KiB.")]
    Long(String),
}

/// A whole set of prompt files. A session stores [`Prompts::files`] when it starts and reads them back with
/// [`Prompts::from_files`], so that neither an upgrade nor an edited file changes what it asks.
#[derive(Clone, Debug)]
pub struct Prompts {
    files: Arc<BTreeMap<String, String>>,
    /// Their hash, worked out when it is first asked for.
    version: Arc<OnceLock<PromptVersion>>,
    /// They, ready to be rendered; each is parsed when it is first needed.
    templates: Arc<OnceLock<Environment<'static>>>,
}

impl Prompts {
    /// The files this program was built with.
    #[must_use]
    pub fn embedded() -> Self {
        // One for all who ask: its hash is worked out once.
        static SET: LazyLock<Prompts> = LazyLock::new(|| Prompts::of(embedded()));
        SET.clone()
    }

    /// A stored set. A file the set lacks (a later version added it) is taken from the embedded ones; one
    /// this version no longer knows is kept. Every template has been parsed when this succeeds.
    pub fn from_files(files: BTreeMap<String, String>) -> Result<Self, PromptsError> {
        let mut all = embedded();
        all.extend(files);
        let set = Self::of(all);
        for (file, text) in set.files.iter() {
            set.check(file, text)?;
        }
        Ok(set)
    }

    fn of(files: BTreeMap<String, String>) -> Self {
        Self { files: Arc::new(files), version: Arc::default(), templates: Arc::default() }
    }

    /// The embedded set with an operator's own files in place of some. A name that stands for nothing is
    /// refused, because a misspelt file would otherwise be passed over in silence.
    pub fn overridden(files: BTreeMap<String, String>) -> Result<Self, PromptsError> {
        let known = embedded();
        if let Some(unknown) = files.keys().find(|file| !known.contains_key(*file)) {
            return Err(PromptsError::Unknown(unknown.clone()));
        }
        Self::from_files(files)
    }

    /// Every file's text by its path below `prompts/`.
    #[must_use]
    pub fn files(&self) -> &Arc<BTreeMap<String, String>> {
        &self.files
    }

    /// Hash of the whole set.
    #[must_use]
    pub fn version(&self) -> &PromptVersion {
        self.version
            .get_or_init(|| version(self.files.iter().map(|(file, text)| (file.as_str(), text.as_str()))))
    }

    /// Hash of some of the files, for the request made of them.
    pub(super) fn version_of(&self, files: &[&str]) -> PromptVersion {
        version(files.iter().map(|&file| (file, self.text(file))))
    }

    /// The path of a module's persona.
    pub(super) fn persona_file(module: &ModuleName) -> String {
        format!("modules/{module}.md")
    }

    /// A module's persona; for a name that has no file, what the registry says of it.
    pub(super) fn persona(&self, module: &ModuleName) -> String {
        let text = self.text(&Self::persona_file(module));
        if !text.is_empty() {
            return text.trim().to_owned();
        }
        let looks_at = Module::find(&module.0).map_or(module.title(), |module| module.looks_at);
        format!("You are the {} specialist of this panel. You look at: {looks_at}.", module.title())
    }

    /// A council member's method, by the path of its file.
    pub(super) fn member(&self, file: &str) -> String {
        self.text(file).trim().to_owned()
    }

    /// A request for a form: its fields stand in the task as `fields`, and it thinks as hard as this effort has it.
    pub(super) fn form<T: Form>(
        &self,
        files: &[&str],
        (material, task): (&Value, &Value),
        asked: &Asked,
        effort: Effort,
    ) -> Prompt {
        let shape = Shape::of::<T>();
        let task = context! { fields => shape.list(asked), ..task.clone() };
        let length = Length::fixed(effort, shape.tokens(asked));
        self.request(files, (material, &task), shape.schema(asked), length)
    }

    /// A request: rules, material and task from three files, in the order in which they are sent; further files are
    /// part of its version only.
    pub(super) fn request(
        &self,
        files: &[&str],
        (material, task): (&Value, &Value),
        mut schema: Schema,
        length: Length,
    ) -> Prompt {
        length.fit(&mut schema);
        let task = context! { effort => length.effort.as_str(), ..task.clone() };
        let render =
            |place: usize, values| self.render(files.get(place).copied().unwrap_or_default(), values);
        Prompt {
            rules: render(0, &Value::from(BTreeMap::<String, String>::new())),
            shared: render(1, material),
            task: render(2, &task),
            pictures: Vec::new(),
            turns: Vec::new(),
            schema: Some(schema),
            tools: Vec::new(),
            max_tokens: length.tokens(),
            room: 0,
            effort: length.effort,
            temperature: None,
            version: self.version_of(files),
        }
    }

    /// Renders a file. A template that fails on data it was never tried with is replaced by the embedded
    /// one, which tests have rendered with every kind of data there is.
    pub(super) fn render(&self, file: &str, values: &Value) -> String {
        let rendered = self.templates().get_template(file).and_then(|template| template.render(values));
        let rendered = rendered.or_else(|_| {
            let mut known = environment();
            known.set_loader(|file| Ok(Some(embedded_text(file).to_owned())));
            known.get_template(file).and_then(|template| template.render(values))
        });
        rendered.map_or_else(|_| String::new(), |text| text.trim().to_owned())
    }

    /// Whether a file of the set can be used.
    fn check(&self, file: &str, text: &str) -> Result<(), PromptsError> {
        if text.trim().is_empty() {
            return Err(PromptsError::Empty(file.to_owned()));
        }
        if text.len() > MAX_FILE_BYTES {
            return Err(PromptsError::Long(file.to_owned()));
        }
        // Rendered with nothing, so that a misspelt filter or block shows at once.
        let rendered = self
            .templates()
            .get_template(file)
            .and_then(|template| template.render(Value::from(BTreeMap::<String, String>::new())));
        let unusable =
            |why: minijinja::Error| PromptsError::Template { file: file.to_owned(), why: why.to_string() };
        rendered.map(|_| ()).map_err(unusable)
    }

    /// The files ready to be rendered; one can take in another.
    fn templates(&self) -> &Environment<'static> {
        self.templates.get_or_init(|| {
            let files = Arc::clone(&self.files);
            let mut templates = environment();
            templates.set_loader(move |file| Ok(files.get(file).cloned()));
            templates
        })
    }

    fn text(&self, file: &str) -> &str {
        self.files.get(file).map_or("", String::as_str)
    }
}

fn version<'a>(files: impl Iterator<Item = (&'a str, &'a str)>) -> PromptVersion {
    let mut hash = Sha256::new();
    for (file, text) in files {
        for part in [file, text] {
            hash.update(part.len().to_le_bytes());
            hash.update(part.as_bytes());
        }
    }
    let start = hash.finalize().iter().take(6).fold(0_u64, |number, &byte| (number << 8) | u64::from(byte));
    PromptVersion(format!("{start:012x}"))
}

fn embedded() -> BTreeMap<String, String> {
    PROMPTS.iter().map(|(file, text)| ((*file).to_owned(), (*text).to_owned())).collect()
}

fn embedded_text(file: &str) -> &'static str {
    PROMPTS.iter().find(|(known, _)| *known == file).map_or("", |(_, text)| text)
}

/// How templates are written: `{{ … }}` and `{% … %}` alone on a line take the line with them.
fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    // Lenient, so that a file stored before a value existed still renders.
    environment.set_undefined_behavior(UndefinedBehavior::Chainable);
    environment.add_filter("ask", by_effort);
    environment
}

/// `{{ effort | ask("60 words", "150 words", "400 words") }}`: what is asked for at each effort, brief first.
#[allow(clippy::needless_pass_by_value)] // minijinja gives values
fn by_effort(effort: Value, brief: Value, standard: Value, deep: Value) -> Value {
    match effort.as_str() {
        Some("deep") => deep,
        Some("standard") => standard,
        _ => brief,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::MODULES;

    fn one(file: &str, text: &str) -> BTreeMap<String, String> {
        BTreeMap::from([(file.to_owned(), text.to_owned())])
    }

    #[test]
    fn every_module_has_its_file_and_every_file_its_module() {
        let prompts = Prompts::embedded();
        for module in &MODULES {
            let file = Prompts::persona_file(&module.name());
            let lines = prompts.files().get(&file).map_or(0, |text| text.lines().count());
            assert!((20..=50).contains(&lines), "{file} has {lines} lines");
        }
        let personas = prompts.files().keys().filter(|file| file.starts_with("modules/")).count();
        assert_eq!(personas, MODULES.len());
    }

    #[test]
    fn a_stored_set_reads_back_as_it_was() {
        let changed = Prompts::overridden(one("rules.md", "Be kind.")).unwrap();
        let stored = Prompts::from_files(changed.files().as_ref().clone()).unwrap();
        assert_eq!(stored.version(), changed.version());
        assert_ne!(stored.version(), Prompts::embedded().version());
        assert_eq!(stored.files()["rules.md"], "Be kind.");
    }

    #[test]
    fn a_set_from_before_a_file_existed_still_works() {
        let mut old = Prompts::embedded().files().as_ref().clone();
        old.remove("repair.md");
        assert_eq!(Prompts::from_files(old).unwrap().version(), Prompts::embedded().version());
    }

    #[test]
    fn files_that_cannot_work_are_named() {
        assert_eq!(
            Prompts::overridden(one("rule.md", "x")).unwrap_err(),
            PromptsError::Unknown("rule.md".into())
        );
        assert_eq!(
            Prompts::overridden(one("rules.md", " \n")).unwrap_err(),
            PromptsError::Empty("rules.md".into())
        );
        let long = "x".repeat(MAX_FILE_BYTES + 1);
        assert_eq!(
            Prompts::overridden(one("rules.md", &long)).unwrap_err(),
            PromptsError::Long("rules.md".into())
        );
        for wrong in ["{% if %}", "{{ a | nosuchfilter }}", "{% for x in %}{% endfor %}", "{{"] {
            let error = Prompts::overridden(one("rules.md", wrong)).unwrap_err();
            assert!(matches!(&error, PromptsError::Template { file, .. } if file == "rules.md"), "{error}");
        }
    }

    #[test]
    fn a_template_that_fails_on_some_data_gives_way_to_the_embedded_one() {
        let text = "{% if language %}{{ 1 // 0 }}{% endif %}";
        let prompts = Prompts::overridden(one("table/material.md", text)).unwrap();
        let values = Value::from(BTreeMap::from([("language", "German"), ("problem", "P")]));
        assert!(prompts.render("table/material.md", &values).contains("German"));
    }
}
