//! What was degraded, in sentences for the last line of a session.

use domain::{
    Basis, Countable, Degraded, Mark, ModelName, ModuleName, Piece, Redelegation, Round, Searched, Searching,
    SectionId, Side, enumerated, shortened, thousands,
};

/// A sentence for each thing that was degraded, as it happened first; what is counted is added up.
#[must_use]
pub fn sentences(notes: &[Degraded]) -> Vec<String> {
    let mut sentences: Vec<String> = Vec::new();
    for (place, note) in notes.iter().enumerate() {
        if notes[..place].iter().any(|earlier| says_the_same_of_a_server(earlier, note)) {
            continue;
        }
        let sentence = sentence(note, notes);
        if !sentences.contains(&sentence) {
            sentences.push(sentence);
        }
    }
    sentences
}

/// What servers said when they refused a model, as far as it was noted; the first three.
#[must_use]
pub fn refusals(notes: &[Degraded]) -> Vec<String> {
    let refused = |note: &&Degraded| matches!(note, Degraded::Barred { .. } | Degraded::NotTaken { .. });
    let refused: Vec<Degraded> = notes.iter().filter(refused).cloned().collect();
    sentences(&refused).into_iter().take(3).collect()
}

/// Whether two notes tell the same of one model: its server counts a little otherwise each time, and numbers its refusals.
fn says_the_same_of_a_server(one: &Degraded, other: &Degraded) -> bool {
    match (one, other) {
        (Degraded::Barred { model, .. }, Degraded::Barred { model: other, .. })
        | (Degraded::NotTaken { model, .. }, Degraded::NotTaken { model: other, .. })
        | (Degraded::CutPrompt { model, .. }, Degraded::CutPrompt { model: other, .. }) => model == other,
        _ => false,
    }
}

/// A note's sentence, with what other notes add to it.
fn sentence(note: &Degraded, notes: &[Degraded]) -> String {
    match note {
        Degraded::Counted { what, .. } => counted(*what, total(notes, *what)),
        Degraded::Barred { model, why } => {
            let why = shortened(why.trim_end_matches('.'), 200);
            format!("{} cannot be used here: {why}.", model.shown())
        }
        Degraded::NotTaken { model, why } => {
            let why = shortened(why.trim_end_matches('.'), 200);
            format!("{} did not take a request: {why}.", model.shown())
        }
        Degraded::CutPrompt { model, tokens } => format!(
            "The server of {} read only {} tokens of a longer request and did not say so; give it a larger context \
             (Ollama: num_ctx, or OLLAMA_CONTEXT_LENGTH).",
            model.shown(),
            thousands(*tokens)
        ),
        Degraded::StandIn { piece, model } => written_by(piece, model, notes),
        Degraded::Missing { piece, why } => missing(piece, why.as_deref().unwrap_or("no model answered")),
        Degraded::Redelegated(redelegation) => redelegated(redelegation),
        Degraded::Unsearched { module, round, searched } => unsearched(module, *round, searched),
        Degraded::Unresearched(searching) => {
            format!("There was no deep research: {}.", not_searching(*searching))
        }
        Degraded::MatterUnsearched { topic, searched } => {
            format!("Nothing was looked up on “{topic}”: {}.", why_unsearched(searched))
        }
        Degraded::TurnUnsearched { slot, searched } => {
            let (side, act) = (slot.side.name(), slot.act.name());
            format!("{side} spoke without a search ({act}): {}.", why_unsearched(searched))
        }
        Degraded::HingeUnsearched { hinge, searched } => {
            format!("Nothing was looked up on open question {hinge}: {}.", why_unsearched(searched))
        }
        Degraded::MattersLeftOut(topics) => {
            let topics: Vec<String> =
                topics.iter().map(|topic| format!("“{}”", shortened(topic, 60))).collect();
            format!("Deep research had no room for {}.", enumerated(&topics))
        }
        Degraded::Points { expert, basis: None | Some(Basis::Given) } => format!("{expert} gave no points."),
        Degraded::Points { expert, basis: Some(Basis::Scaled) } => {
            format!("{expert}'s points did not add up to 10 and were scaled.")
        }
        Degraded::Points { expert, basis: Some(Basis::Even) } => {
            format!("{expert} gave no usable points; ten were spread evenly and are not counted.")
        }
        Degraded::TooFewRoles => {
            "The gatekeeper proposed too few roles; stock ones took the other places.".to_owned()
        }
        Degraded::Evidence { side, late, numbers } => {
            let numbers: Vec<String> = numbers.iter().map(|number| format!("E{number}")).collect();
            let (side, evidence) = (side.name(), enumerated(&numbers));
            if *late {
                format!("The evidence {evidence} came after {side}'s last turn.")
            } else {
                format!("{side} never acknowledged the evidence {evidence}.")
            }
        }
        Degraded::Withheld(sections) => {
            let names: Vec<String> = sections.iter().map(|section| format!("“{}”", section.name())).collect();
            let were = were(names.len());
            format!("Of the synthesis {} {were} withheld, because it took a side.", enumerated(&names))
        }
        Degraded::Leaning(sections) => {
            let names: Vec<String> = sections.iter().map(|section| format!("“{}”", section.name())).collect();
            format!(
                "A second model thinks that words in {} of the synthesis may take a side.",
                enumerated(&names)
            )
        }
        Degraded::Marked(mark) => format!("The synthesis is {}.", Mark::shown(mark)),
        Degraded::Depth { levels, wanted } => format!(
            "The trees may grow to depth {levels} and not to {wanted}, because the session's budget does not suffice for more."
        ),
        Degraded::Unread(all) => format!(
            "{} {} not read, because the session's budget does not suffice: {}.",
            sections(all),
            were(all.len()),
            enumerated(all)
        ),
        Degraded::NotNoted(all) => format!(
            "The document was longer than the panel reads at once, and {} of it {} read by nobody: {}.",
            sections(all).to_lowercase(),
            were(all.len()),
            enumerated(all)
        ),
        Degraded::PicturesUnread(1) => "A picture of the document could be read by no model.".to_owned(),
        Degraded::PicturesUnread(number) => {
            format!("{number} pictures of the document could be read by no model.")
        }
        Degraded::Unreadable(all) => format!(
            "{} could be read by nobody, because every call for {} failed: {}.",
            sections(all),
            if all.len() == 1 { "it" } else { "them" },
            enumerated(all)
        ),
        Degraded::Skipped { member, sections: all } => {
            format!("{member} could not read {}: {}.", sections(all), enumerated(all))
        }
    }
}

fn unsearched(module: &ModuleName, round: Round, searched: &Searched) -> String {
    let why = why_unsearched(searched);
    format!("{} wrote round {} without a search: {why}.", module.title(), round.number())
}

fn why_unsearched(searched: &Searched) -> String {
    match searched {
        Searched::Failed(fault) => format!("the search {}", fault.words()),
        _ => "its model wrote no queries".to_owned(),
    }
}

/// Why nothing is looked up in a session.
pub(super) fn not_searching(searching: Searching) -> &'static str {
    match searching {
        Searching::NotSetUp => "whoever runs this bot has set up no search",
        Searching::On | Searching::Off => "the search was off",
    }
}

fn redelegated(redelegation: &Redelegation) -> String {
    match redelegation {
        Redelegation::Simpler { module, round } => {
            format!("{} answered round {} only to a simpler question.", module.title(), round.number())
        }
        Redelegation::Fallback { module, round, model } => {
            format!("{} was answered by {} in round {}.", module.title(), model.shown(), round.number())
        }
        Redelegation::Heir { module, round, heir } => {
            let (title, heir) = (module.title(), heir.title());
            format!("{title}'s side was taken over by {heir} in round {}.", round.number())
        }
        Redelegation::Lost { module, round } => {
            format!("{} is missing from round {}.", module.title(), round.number())
        }
    }
}

fn written_by(piece: &Piece, model: &ModelName, notes: &[Degraded]) -> String {
    let by = model;
    let model = model.shown();
    match piece {
        Piece::Memo => {
            format!("The memo was written by {model}, because the model meant for it failed.")
        }
        Piece::FirstAnswer(written) | Piece::MergedDraft(written) => {
            format!("What the {} began with was written by {model}.", written.word())
        }
        Piece::DraftChoice(written) => format!("{model} chose the draft of the {}.", written.word()),
        Piece::DraftCheck(name, _) => format!("{name}'s check of the draft was made by {model}."),
        Piece::Roles => {
            format!("The question was restated by {model}, because the gatekeeper's model failed.")
        }
        Piece::Question => format!("The question was put in a sentence by {model}."),
        Piece::Points(name) => format!("{name}'s points were given by {model}."),
        Piece::DuplicatesCheck => format!("{model} checked the solutions."),
        Piece::Resolution(topic) => {
            format!(
                "What was found on “{topic}” was weighed by {model}, because the mediator's model failed."
            )
        }
        Piece::Baseline => format!("The plain answer is by {model}, because the mediator's model failed."),
        Piece::Selection => {
            format!("The modules were chosen by {model}, because the mediator's model failed.")
        }
        Piece::GapCheck => format!(
            "{model} looked for what the chosen modules leave unseen, because the mediator's model failed."
        ),
        Piece::BaselinesCheck => format!("{model} compared the plain answer with the deliberation."),
        Piece::Proposition => {
            format!("The proposition was reworded by {model}, because its usual model failed.")
        }
        Piece::Turn(slot) => turns_by(notes, slot.side, by),
        Piece::ModeratorsSynthesis => {
            format!("The synthesis was written by {model}, because the moderator's model failed.")
        }
        Piece::Tree(member) => format!("{model} stood in for {member}'s own model, which failed."),
        Piece::SelfCritique(member) => {
            format!("{member}'s self-critique was written by {model}, because its own model failed.")
        }
        Piece::Scout(name) => {
            format!("{name}'s answer was written by {model}, because its own model failed.")
        }
        Piece::Comparison => format!("{model} compared the answers, because the model for checks failed."),
        Piece::Opening | Piece::Wish(_) => {
            format!("{model} investigated, because the investigator's model failed.")
        }
        Piece::Check(topic) => format!("{model} checked “{}”.", shortened(topic, 60)),
        Piece::Answer => {
            format!("The answer was written by {model}, because the investigator's model failed.")
        }
        Piece::Across => {
            format!("The look across sections was made by {model}, because Leibniz's own model failed.")
        }
        Piece::Comparing => {
            format!("The claims were compared by {model}, because the model that compares failed.")
        }
        Piece::Review => {
            format!("The review was written by {model}, because the model that writes it failed.")
        }
    }
}

/// All turns of a side that one model wrote: `Con's opening and rebuttal were written by …`.
fn turns_by(notes: &[Degraded], of: Side, by: &ModelName) -> String {
    let act = |note: &Degraded| match note {
        Degraded::StandIn { piece: Piece::Turn(slot), model } if slot.side == of && model == by => {
            Some(slot.act.name())
        }
        _ => None,
    };
    let acts: Vec<String> = notes.iter().filter_map(act).collect();
    let (side, were) = (of.name(), were(acts.len()));
    format!("{side}'s {} {were} written by {}, because its own model failed.", enumerated(&acts), by.shown())
}

fn missing(piece: &Piece, why: &str) -> String {
    match piece {
        Piece::Memo => {
            format!("There is no memo ({why}); each option is what one of them would do.")
        }
        Piece::ModeratorsSynthesis => format!("There is no synthesis: {why}."),
        Piece::FirstAnswer(written) => {
            format!(
                "The {} does not begin with a first answer, for nobody could give one: {why}.",
                written.word()
            )
        }
        Piece::MergedDraft(written) => format!(
            "Nobody made one of the drafts of the {} ({why}), so the best of them went on.",
            written.word()
        ),
        Piece::DraftChoice(written) => format!(
            "Nobody could check the draft of the {} but whoever writes from it ({why}).",
            written.word()
        ),
        Piece::DraftCheck(name, written) => {
            format!("{name} could not check the draft of the {}.", written.word())
        }
        Piece::Roles => "The gatekeeper could not answer, so stock roles were proposed.".to_owned(),
        Piece::Question => {
            "No model put the question in a sentence, so the vote has the problem's own words as its title."
                .to_owned()
        }
        Piece::Points(name) => format!("{name} gave no points."),
        Piece::DuplicatesCheck => "No model looked whether two of the solutions are the same.".to_owned(),
        Piece::Resolution(topic) => format!("Nobody weighed what was found on “{topic}”: {why}."),
        Piece::Baseline => {
            format!("The plain call failed ({why}), so there is nothing to compare the deliberation with.")
        }
        Piece::Selection => format!("No model could choose fitting modules ({why}), so the usual ones sat."),
        Piece::GapCheck => format!("No model looked for what the chosen modules leave unseen ({why})."),
        Piece::BaselinesCheck => "No model could compare the plain answer with the deliberation.".to_owned(),
        Piece::Proposition => "No model could reword the proposition neutrally.".to_owned(),
        Piece::Turn(slot) => format!("{}'s {} is missing: {why}.", slot.side.name(), slot.act.name()),
        Piece::Tree(member) => format!("{member} could not read and is missing: {why}."),
        Piece::SelfCritique(member) => format!("{member} gave no self-critique."),
        Piece::Scout(name) => format!("{name} could not answer and is missing: {why}."),
        Piece::Comparison => {
            "No model could compare the answers, so only equal words counted as the same.".to_owned()
        }
        Piece::Opening => {
            "The investigator could not begin, so what the scouts differ on was checked one by one."
                .to_owned()
        }
        Piece::Wish(number) => format!("The investigator gave no usable turn {number}."),
        Piece::Check(topic) => format!("Nobody checked “{}”: {why}.", shortened(topic, 60)),
        Piece::Answer => "No model could write the answer; it is the one that most scouts gave.".to_owned(),
        Piece::Across => "Nobody compared the sections with one another.".to_owned(),
        Piece::Comparing => {
            "No model could compare the claims, so some findings may say the same.".to_owned()
        }
        Piece::Review => {
            "No model could write the review; the findings stand in the critics' own words.".to_owned()
        }
    }
}

fn total(notes: &[Degraded], of: Countable) -> u32 {
    let number = |note: &Degraded| match note {
        Degraded::Counted { what, number } if *what == of => *number,
        _ => 0,
    };
    notes.iter().map(number).fold(0, u32::saturating_add)
}

fn counted(what: Countable, number: u32) -> String {
    let one = number == 1;
    // `1 citation was`, `2 citations were`.
    let so_many =
        |name: &str| format!("{number} {name}{} {}", if one { "" } else { "s" }, were(number as usize));
    match what {
        Countable::Citations => format!("{} taken out, because nothing was searched.", so_many("citation")),
        Countable::Unfounded => {
            format!(
                "{} taken out, because {} named no page that was found.",
                so_many("citation"),
                if one { "it" } else { "they" }
            )
        }
        Countable::MarkedTurns if one => "1 turn is marked with what it breaks.".to_owned(),
        Countable::MarkedTurns => format!("{number} turns are marked with what they break."),
        Countable::TurnsReadInShort => format!(
            "{} written from the debate in short, because a model cannot take in the whole of it.",
            so_many("turn")
        ),
        Countable::UncheckedTurns => {
            format!(
                "{} not judged by a second model; only what code is sure of was checked.",
                so_many("turn")
            )
        }
        Countable::UnjudgedTexts => format!(
            "The neutrality of {number} text{} was not judged by a second model; only a list of phrases was checked.",
            if one { "" } else { "s" }
        ),
        Countable::WithheldClarifications => {
            format!("{} withheld, because the moderator's answer took a side.", so_many("clarification"))
        }
        Countable::UnansweredClarifications => {
            format!("{} not answered, because no model could.", so_many("clarification"))
        }
        Countable::FailedBranches => format!(
            "{} not looked into, because {} failed.",
            branches(number),
            if one { "its call" } else { "their calls" }
        ),
        Countable::BranchesWithoutCalls => format!(
            "{} not looked into, because answers that had to be asked for again used up the calls for it.",
            branches(number)
        ),
        Countable::Remarks => format!(
            "{number} {} of the self-critiques {} left out: {} not the critic's own.",
            if one { "remark" } else { "remarks" },
            were(number as usize),
            if one {
                "it named a claim that does not exist or is"
            } else {
                "they named claims that do not exist or are"
            }
        ),
        Countable::FirstAnswers => {
            format!("{} could not be had; the choice was among fewer.", so_many("first answer"))
        }
        Countable::LoneSentences => format!(
            "{} left out of the answer, because one scout alone says what {} as a fact.",
            so_many("sentence"),
            if one { "it states" } else { "they state" }
        ),
        Countable::MarkedSentences => format!(
            "{number} {} of the review {were} personal, praise or advice, and stand{} all the same.",
            if one { "sentence" } else { "sentences" },
            if one { "s" } else { "" },
            were = were(number as usize)
        ),
        Countable::Misquotations => {
            format!(
                "{number} {} of the review {} not found in the text.",
                if one { "quotation" } else { "quotations" },
                were(number as usize)
            )
        }
    }
}

fn branches(number: u32) -> String {
    format!("{number} {} {}", if number == 1 { "branch" } else { "branches" }, were(number as usize))
}

fn sections(all: &[SectionId]) -> String {
    format!("{} {}", all.len(), if all.len() == 1 { "section" } else { "sections" })
}

fn were(number: usize) -> &'static str {
    if number == 1 { "was" } else { "were" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{Act, Provider, Slot};

    #[test]
    fn what_is_of_one_kind_is_one_sentence_where_it_happened_first() {
        let model = ModelName { provider: Provider::Openai, model: "alpha".into() };
        let turn = |act| Piece::Turn(Slot::new(act, Side::Con)).stood_in(Some(&model)).unwrap();
        let one = |what: Countable| what.counted(1).unwrap();
        let notes = [
            turn(Act::Opening),
            one(Countable::MarkedTurns),
            one(Countable::Citations),
            turn(Act::Rebuttal),
            Piece::Turn(Slot::new(Act::Closing, Side::Pro)).missing(Some("the model declined to answer")),
            one(Countable::Citations),
            one(Countable::MarkedSentences),
            one(Countable::Misquotations),
            Degraded::Unread(vec![SectionId(2), SectionId(4)]),
            Degraded::Unread(vec![SectionId(2), SectionId(4)]),
            Degraded::NotNoted(vec![SectionId(1)]),
        ];
        assert_eq!(
            sentences(&notes),
            [
                "Con's opening and rebuttal were written by openai/alpha, because its own model failed.",
                "1 turn is marked with what it breaks.",
                "2 citations were taken out, because nothing was searched.",
                "Pro's closing is missing: the model declined to answer.",
                "1 sentence of the review was personal, praise or advice, and stands all the same.",
                "1 quotation of the review was not found in the text.",
                "2 sections were not read, because the session's budget does not suffice: §2 and §4.",
                "The document was longer than the panel reads at once, and 1 section of it was read by nobody: §1.",
            ]
        );
    }
}
