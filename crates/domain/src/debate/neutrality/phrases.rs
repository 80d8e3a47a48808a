//! Phrases that always take a side, where the moderator says them in its own voice.
//!
//! Few on purpose: each is wrong whatever the debate is about. What depends on how it is meant is for the judge.

use std::sync::LazyLock;

use regex::Regex;

use super::own::is_own;
use crate::text::own_sentences;

/// What a phrase does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Offence {
    /// Says what the moderator itself thinks is to be done.
    Own,
    /// Says who is right, has won or has the stronger case.
    Verdict,
    /// Says what the team is to do.
    Advice,
}

impl Offence {
    /// For the moderator: what to do instead.
    pub(super) fn instead(self) -> &'static str {
        match self {
            Self::Own => "the moderator has no opinion of its own; say what each side holds",
            Self::Verdict => {
                "never say who is right, has won or has the stronger case; say what each side holds and what that rests on"
            }
            Self::Advice => "never say what is to be done; say who holds that it is, or what it hangs on",
        }
    }

    /// For people, when the part is withheld.
    pub(super) fn shown(self) -> &'static str {
        match self {
            Self::Own => "gives an opinion of its own",
            Self::Verdict => "says which side is right or stronger",
            Self::Advice => "says what is to be done",
        }
    }
}

/// The phrases, in the languages that the code knows. `SIDE` is a name of a side, `CASE` what a side brings forward.
const PHRASES: [(Offence, &str); 51] = [
    (
        Offence::Own,
        r"\bI(?:'d| would| will| must| can only| strongly| therefore| also)* (?:recommend|advise|suggest|urge|endorse|favou?r|vote|lean)\b",
    ),
    (Offence::Own, r"\b(?:I agree|I side|I am|I'm) (?:with|on the side of|convinced by) (?:the )?SIDE\b"),
    (Offence::Own, r"\bI (?:think|believe|find)(?: that)? (?:the )?SIDE\b"),
    (
        Offence::Own,
        r"\bmy (?:own )?(?:recommendation|advice|verdict|vote|judge?ment|preference)(?: is| goes|:)",
    ),
    (Offence::Own, r"\b(?:ich empfehle|ich rate|ich schlage vor|meine empfehlung ist|ich stimme SIDE zu)\b"),
    (Offence::Own, r"\bje (?:recommande|conseille|préconise|donne raison)\b"),
    (Offence::Own, r"\b(?:recomiendo|aconsejo|mi recomendación es)\b"),
    (Offence::Own, r"\b(?:recomendo|aconselho|sugiro|a minha recomendação é|minha recomendação é)\b"),
    (
        Offence::Verdict,
        r"\bSIDE (?:side |advocate )?(?:is|was)(?: clearly| obviously| simply| plainly| entirely| largely| mostly| of course)? (?:right|wrong|correct|mistaken)\b",
    ),
    (
        Offence::Verdict,
        r"\bSIDE(?: side)?(?: clearly| plainly| therefore| thus)? (?:wins|prevails|has won|has prevailed|has lost)\b",
    ),
    (
        Offence::Verdict,
        r"\bSIDE\b[^.;:?!]{0,100}\b(?:wins|won|loses|lost) (?:the|this|that) (?:debate|exchange|argument|point|round|phase)\b",
    ),
    (
        Offence::Verdict,
        r"\bCASE (?:for|against|of|by) (?:the )?(?:SIDE|proposition|motion|proposal) (?:is|are|was|were)(?: clearly| far| much| overall| simply| the)? STRONGER\b",
    ),
    (
        Offence::Verdict,
        r"\bSIDE(?:'s)? CASE (?:is|are|was|were)(?: clearly| far| much| overall| simply| the)? STRONGER\b",
    ),
    (
        Offence::Verdict,
        r"\bSIDE(?: side)?(?: clearly| plainly)? (?:has|had|makes|made|offers|offered|brings|brought)(?: clearly| plainly)? (?:the|a|by far the) STRONGER CASE\b",
    ),
    (
        Offence::Verdict,
        r"\bSTRONGER CASE (?:is|are|lies|stands|belongs)(?: clearly)? (?:(?:that|those) of |with |on the side of |to |for |against )?(?:the )?(?:SIDE|proposition|motion|proposal)\b",
    ),
    (Offence::Verdict, r"\b(?:winner|victory|debate|points?|round)(?: is| go(?:es)? to| belongs? to) SIDE\b"),
    (
        Offence::Verdict,
        r"\bthe (?:evidence|balance|weight of the evidence)(?: clearly| plainly| strongly)? (?:favou?rs|supports|speaks for|is on the side of) (?:the )?(?:SIDE|proposition|motion)\b",
    ),
    (
        Offence::Verdict,
        r"\bSIDE hat(?: eindeutig| klar| völlig| natürlich)? (?:recht|unrecht|gewonnen|verloren)\b",
    ),
    (
        Offence::Verdict,
        r"\büberzeug(?:t|te|en|ten) (?:die )?(?:seite |argumente von )?SIDE (?:mehr|stärker|besser|am meisten)\b",
    ),
    (Offence::Verdict, r"\bSIDE(?: \w+){0,2} überzeugt(?: \w+)? (?:mehr|stärker|besser)\b"),
    (
        Offence::Verdict,
        r"\bdie (?:stärkeren|besseren|überzeugenderen) argumente (?:hat|hatte|liegen|sind|kommen)(?: bei| auf der seite von| von)? SIDE\b",
    ),
    (Offence::Verdict, r"\bSIDE (?:a|avait)(?: clairement| évidemment)? (?:raison|tort|gagné|perdu)\b"),
    (
        Offence::Verdict,
        r"\bSIDE (?:tiene|tenía)(?: claramente)? (?:la )?razón\b|\bSIDE (?:ha ganado|se equivoca)\b",
    ),
    (
        Offence::Verdict,
        r"\bSIDE(?:'s case|'s position)?(?: side| advocate)? (?:is|was|seems|seemed|remains|sounds)(?: clearly| far| much| overall| simply| by far)? (?:the )?(?:more|most|less) (?:persuasive|convincing|compelling|credible|plausible|cogent)\b",
    ),
    (
        Offence::Verdict,
        r"\bSIDE(?: side)?(?: clearly| plainly| therefore)? (?:has|had|keeps|kept|gains|gained) the (?:upper hand|edge|better of)\b",
    ),
    (
        Offence::Verdict,
        r"\bSIDE(?: side)?(?: clearly| plainly| therefore)? (?:comes|came|emerges|emerged) (?:out )?(?:ahead|on top|victorious|stronger|the winner)\b",
    ),
    (
        Offence::Verdict,
        r"\b(?:SIDE's CASE|CASE (?:of|by|for|against) (?:the )?(?:SIDE|proposition|motion|proposal))(?: clearly| plainly| therefore| far)? outweigh(?:s|ed)?\b",
    ),
    (
        Offence::Verdict,
        r"\bthe (?:benefits|advantages|gains|costs|risks|harms|drawbacks|disadvantages)(?: clearly| plainly| therefore| far)? outweigh(?:ed)?\b",
    ),
    (
        Offence::Verdict,
        r"\bSIDE's (?:case|cases|arguments?|position|reasoning|objections?|claims?|figures|worries|fears|concerns) (?:(?:do|does|did|can|could)(?: not|n't) (?:hold up|hold water|stand|survive|withstand|convince|persuade)|cannot (?:stand|hold|convince)|fails? to (?:convince|persuade)|(?:is|are|was|were)(?: simply| clearly| plainly)? (?:baseless|flawed|untenable|unconvincing|refuted|mistaken))\b",
    ),
    (
        Offence::Verdict,
        r"\bSIDE(?: has| had)?(?: convincingly| clearly| successfully| plainly| effectively| thoroughly)? (?:refute[sd]|disprove[sd]|debunk(?:s|ed)|demolishe[sd])\b",
    ),
    (
        Offence::Verdict,
        r"\b(?:balance|scales?|evidence|weight|record)(?: clearly| plainly| strongly)? (?:tips?|leans?|points?|speaks?|tilts?|comes? down)(?: clearly| plainly| strongly)? (?:towards?|to|for|against|in favou?r of|on the side of) (?:the )?(?:SIDE|proposition|motion|proposal)\b",
    ),
    (
        Offence::Verdict,
        r"\bhat SIDE(?: eindeutig| klar| völlig| natürlich)? (?:recht|unrecht|gewonnen|verloren|(?:die |das )?(?:stärkeren?|besseren?|überzeugenderen?|schlagenderen?) (?:argumente?|gründe))\b",
    ),
    (Offence::Verdict, r"\bSIDE (?:ist|war|wirkt)(?: \w+)? (?:überzeugender|im recht|im unrecht)\b"),
    (
        Offence::Verdict,
        r"\bSIDE (?:est|était|semble|paraît)(?: nettement| bien| clairement)? plus (?:convaincante?|solide|persuasive?|persuasif)\b|\barguments de SIDE sont(?: nettement| bien)? (?:plus|les plus) (?:convaincants|solides|forts)\b",
    ),
    (
        Offence::Verdict,
        r"\bSIDE (?:es|resulta|parece|fue)(?: claramente| mucho)? más (?:convincente|persuasivo|persuasiva|sólido|sólida)\b|\bargumentos de SIDE son(?: claramente| mucho)? (?:más|los más) (?:convincentes|sólidos|fuertes)\b",
    ),
    (
        Offence::Verdict,
        r"\bSIDE (?:tem|tinha|teve)(?: claramente| toda)?(?: a)? razão\b|\bSIDE (?:venceu|ganhou|perdeu|está errado|está errada|está certo|está certa|se engana)\b",
    ),
    (
        Offence::Verdict,
        r"\bSIDE (?:é|foi|parece|soa)(?: claramente| bem| muito)? mais (?:convincente|persuasivo|persuasiva|sólido|sólida)\b|\bSIDE(?: \w+)? convence mais\b|\bargumentos (?:de|do|da) SIDE são(?: claramente| bem)? (?:mais|os mais) (?:convincentes|sólidos|fortes)\b",
    ),
    (
        Offence::Advice,
        r"\b(?:the team|you|the reader|readers|members|voters|everyone) (?:should|must|ought to|would do well to)(?: therefore| clearly| now| not)* ACT\b",
    ),
    (
        Offence::Advice,
        r"\bthe (?:proposition|proposal|motion) (?:should|must|ought to|deserves to)(?: therefore| clearly| not)* be (?:adopt|accept|approv|support|reject|affirm|den|pass)\w*\b",
    ),
    (
        Offence::Advice,
        r"\b(?:das team|der antrag|der vorschlag|man) (?:sollte|muss|müsste)\b[^.;:?!]{0,60}\b(?:annehmen|angenommen|ablehnen|abgelehnt|zustimmen|folgen)\b",
    ),
    (
        Offence::Advice,
        r"\bl'équipe (?:devrait|doit) (?:adopter|accepter|rejeter|refuser|approuver|voter|choisir)\b",
    ),
    (Offence::Advice, r"\bel equipo (?:debería|debe) (?:adoptar|aceptar|rechazar|aprobar|votar|elegir)\b"),
    (
        Offence::Advice,
        r"\b(?:it|that|this) (?:is|was|would be|will be|seems|remains)(?: clearly| far| much| therefore)? (?:better|best|wiser|wisest|safer|wise|sensible|advisable|preferable|prudent)(?: not)? to DO\b",
    ),
    (
        Offence::Advice,
        r"\bit (?:should|must|ought to|deserves to)(?: therefore| clearly| not)* be (?:adopt|accept|approv|reject|affirm|pass)\w*\b",
    ),
    (
        Offence::Advice,
        r"\b(?:proposition|proposal|motion|plan) deserves (?:a |an |the |your |the team's )*(?:clear )?(?:yes|no|support|approval|rejection|vote)\b",
    ),
    (
        Offence::Advice,
        r"\bthe answer(?: to (?:it|this|that|the question|the proposition))? (?:is|must be|should be|has to be)(?: therefore| clearly)?(?: a)?(?: clear)? (?:yes|no)\b",
    ),
    (
        Offence::Advice,
        r"\bes (?:ist|wäre|scheint)(?: \w+)? (?:besser|klüger|sinnvoller|sinnvoll|ratsam|am besten)\b[^.;:?!]{0,60}\b(?:anzunehmen|abzulehnen|zuzustimmen|einzuführen|zu warten|zu beginnen)\b",
    ),
    (
        Offence::Advice,
        r"\b(?:il vaut mieux|il vaudrait mieux|il serait préférable d[e'] ?|mieux vaut) ?(?:l'|la |le )?(?:adopter|accepter|rejeter|refuser|approuver|attendre)\b",
    ),
    (
        Offence::Advice,
        r"\b(?:sería mejor|es mejor|lo mejor (?:es|sería)) (?:adoptar|aceptar|rechazar|aprobar|esperar)(?:l[ao])?\b",
    ),
    (
        Offence::Advice,
        r"\b(?:seria melhor|é melhor|o melhor (?:é|seria)) (?:adotar|adotá-la|aceitar|aceitá-la|rejeitar|rejeitá-la|aprovar|aprová-la|esperar)\b",
    ),
    (
        Offence::Advice,
        r"\b(?:a equipe|a equipa|o time|vocês) (?:deveria|deve|devia|deveriam|devem) (?:adotar|aceitar|rejeitar|recusar|aprovar|votar|escolher)\b|\ba proposta (?:deve|deveria) ser (?:adotada|aceita|aceite|rejeitada|recusada|aprovada)\b",
    ),
];

/// What may stand in a phrase under one word.
const WORDS: [(&str, &str); 5] = [
    ("SIDE", r"(?:pro|con)"),
    ("CASE", r"(?:the )?(?:case|cases|argument|arguments|position|reasoning)"),
    (
        "STRONGER",
        r"(?:the )?(?:stronger|weaker|better|worse|sounder|superior|inferior|more convincing|more persuasive|less convincing)",
    ),
    (
        "ACT",
        r"(?:adopt|accept|approve|support|reject|vote|choose|follow|back|oppose|affirm|deny|side|go ahead|decline|prefer|refuse)",
    ),
    (
        "DO",
        r"(?:adopt|accept|approve|support|reject|vote|choose|follow|back|oppose|affirm|side|go ahead|decline|refuse|introduce|allow|ban|build|keep|stay|leave|wait|act|begin|start|stop|postpone|try|implement|proceed|say (?:yes|no))",
    ),
];

static RULES: LazyLock<Vec<(Offence, Regex)>> = LazyLock::new(|| {
    let pattern = |text: &str| {
        let text =
            WORDS.iter().fold(text.to_owned(), |text, (word, stands_for)| text.replace(word, stands_for));
        Regex::new(&format!("(?i){text}")).ok()
    };
    PHRASES.iter().filter_map(|(offence, text)| Some((*offence, pattern(text)?))).collect()
});

/// The phrases in a text that take a side in its author's own voice, as they are written. What stands in quotation
/// marks and in `others`, which is the proposition, is not its own.
pub(super) fn found(text: &str, others: &[&str]) -> Vec<(Offence, String)> {
    let mut found = Vec::new();
    for sentence in own_sentences(text, others) {
        for (offence, rule) in RULES.iter() {
            let own = rule.find_iter(&sentence).find(|phrase| {
                let before = sentence.get(..phrase.start()).unwrap_or_default();
                let after = sentence.get(phrase.end()..).unwrap_or_default();
                match offence {
                    Offence::Own => !denies(after),
                    Offence::Verdict | Offence::Advice => {
                        let product = names_first(phrase.as_str()) && is_product(before);
                        !product && is_own(before, phrase.as_str(), after)
                    }
                }
            });
            found.extend(own.map(|phrase| (*offence, phrase.as_str().to_owned())));
        }
    }
    found
}

/// `I recommend neither`, `I recommend nothing`.
fn denies(after: &str) -> bool {
    let next = after.trim_start().split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    ["neither", "nothing", "no", "none", "nichts", "weder", "rien", "nada"]
        .contains(&next.to_lowercase().as_str())
}

/// Whether a phrase begins with the name of a side.
fn names_first(phrase: &str) -> bool {
    let first = phrase.get(..3).unwrap_or_default();
    first.eq_ignore_ascii_case("pro") || first.eq_ignore_ascii_case("con")
}

/// Words with a capital that begin a sentence and are no part of a name.
const OPENINGS: [&str; 16] = [
    "But",
    "And",
    "Yet",
    "So",
    "Here",
    "While",
    "Overall",
    "Then",
    "Thus",
    "Still",
    "Again",
    "Since",
    "Because",
    "Hence",
    "The",
    "Therefore",
];

/// Whether the name that follows belongs to something else: `Copilot Pro is …`.
fn is_product(before: &str) -> bool {
    let Some(last) = before.strip_suffix(' ').and_then(|before| before.rsplit(' ').next()) else {
        return false;
    };
    let name = last.chars().next().is_some_and(char::is_uppercase) && last.chars().all(char::is_alphanumeric);
    let first = before.trim_end().len() == last.len();
    name && !(first && (OPENINGS.contains(&last) || last.ends_with("ly")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_phrase_is_a_pattern() {
        assert_eq!(RULES.len(), PHRASES.len());
    }

    #[test]
    fn what_a_side_says_of_itself_is_not_the_moderators_word() {
        for passes in
            ["Pro claims to have won the point about overtime, Con denies it.", "Con says it won this round."]
        {
            assert_eq!(found(passes, &[]), [], "{passes}");
        }
        for sided in [
            "Both made good points about noise, but Con has the stronger case where deliveries are concerned.",
            "Pro has by its figures won the point about overtime.",
            "On cost Con clearly lost this round.",
        ] {
            assert_eq!(found(sided, &[]).len(), 1, "{sided}");
        }
    }
}
