//! The rules about words: what the moderator may not say, and where a side may.

use super::{
    pattern::Pattern,
    reading::{Gap, Word},
};

/// A rule, with the patterns of which none may stand in a text.
pub(super) struct Rule {
    /// What breaks it.
    patterns: &'static [&'static str],
    /// A side may say so: it is no verdict about the sides, so it is fine where it is attributed.
    attributable: bool,
    /// It is fine in a condition: `if demand doubles, the evidence favours Pro`.
    conditional: bool,
    /// The moderator may deny it when it speaks of its own neutrality: `no side is recommended`.
    deniable: bool,
    /// What to do instead, for the moderator.
    pub instead: &'static str,
    /// For people.
    pub shown: &'static str,
}

/// All of them. English first; each list ends with a few words of German, French and Spanish.
pub(super) const RULES: [Rule; 8] = [
    Rule {
        patterns: &[
            "recommend|recommends|recommended|recommending|recommendation|recommendations|recommendable",
            "should|must|ought|advisable",
            "better|worse to",
            "superior|inferior|superiority|inferiority",
            "winner|winners",
            "clearly|obviously|plainly|undoubtedly|certainly|evidently|unquestionably|undeniably the|a? right|correct|wrong|better|best|stronger|superior",
            "empfehl*|empfiehl*|sollte|sollten|gewinner|sieger",
            "recommand*|devrait|devraient|devrions|gagnant|vainqueur",
            "recomiend*|recomend*|debería|deberían|deberíamos|ganador",
        ],
        attributable: true,
        conditional: false,
        deniable: true,
        instead: "do not say what is to be done or what is better; say only what each side holds (“Pro argues that …”) or what the question hangs on",
        shown: "recommends or judges in the moderator's own words",
    },
    Rule {
        patterns: &[
            "SIDE ~ is|are|was|were|be|been|seems|seem|appears|looks|proves|remains|comes|has|have ~ right|correct|wrong|mistaken|incorrect|justified|unjustified|vindicated|persuasive|convincing|compelling|unconvincing|unpersuasive|stronger|weaker|strongest|weakest|better|worse|superior|inferior|ahead|sound|unsound|flawed|decisive|winning|losing|winner|loser|victorious|irrefutable|untenable|indefensible",
            "SIDE ~ should|must|deserves|deserve|ought ~ win|prevail|lose|succeed|be|adopted|followed",
            "SIDE ~ wins|won|win|prevails|prevailed|prevail|triumphs|triumphed|loses|lost|beats|beat|defeats|defeated|outargues|outargued|outperforms|outperformed",
            "SIDE ~ gets|got|has|had it|this|that right|wrong",
            "SIDE ~ has|had|holds|held|gains|gained|takes|took|carries|carried|keeps|kept ~ edge|advantage|day|debate|argument|victory|upper|greater|better|stronger|weaker|heavier",
            "SIDE ~ carries|deserves|has ~ weight",
            "SIDE ~ proves|proved|demonstrates|demonstrated|establishes|established|refutes|refuted|debunks|debunked|demolishes|demolished",
            "SIDE ~ fails|failed|fail",
            "SIDE ~ falls|fell short|flat|apart",
            "OWNER ~ right|correct|wrong about|that|on|to|when|in",
            "right|correct|better|stronger|winning|best side|answer|choice|position|case|argument is|would ~ SIDE",
            "adopt|adopting|endorse|endorsing|choose|choosing|back|backing the|a? SIDE",
            "side|sides|sided|siding|agree|agrees|agreed|vote|votes|voting with|for SIDE",
            "SIDE hat|haben|behält ~ recht|unrecht|gewonnen",
            "SIDE a|avait raison|tort|gagné",
            "SIDE ~ gewinnt|siegt|überzeugt|gagne|gana|vence|tiene|convence",
        ],
        attributable: false,
        conditional: false,
        deniable: false,
        instead: "never say that a side is right, wrong, ahead or behind, in whatever words; leave the verdict away and say what each holds",
        shown: "gives a verdict on a side",
    },
    Rule {
        patterns: &[
            "stronger|weaker|better|worse . argument|arguments|case|cases|side|position|positions",
            "stronger|weaker|better|worse argument|arguments|case|cases|side|position|positions|debater|advocate",
            "the strongest|weakest|best|worst argument|arguments|case|side|position of|in|overall",
            "more|most|less|least convincing|persuasive|compelling|convincingly|persuasively|compellingly",
            "more|most|less|least plausible|credible|sound|cogent|robust|solid|rigorous argument|arguments|case|cases|side|position|positions",
            "stärkere|stärkeren|stärkeres|schwächere|schwächeren|bessere|besseren argument|argumente|argumenten|position|seite",
            "argument|arguments|position plus fort|forts|forte|faible|faibles|convaincant|convaincants|convaincante",
            "argumento|argumentos|posición más fuerte|fuertes|débil|débiles|convincente|convincentes",
            "überzeugender|überzeugendere|überzeugenderen",
        ],
        attributable: false,
        conditional: false,
        deniable: true,
        instead: "do not compare the sides or their arguments; say on what each rests and what would change it",
        shown: "compares the strength of the sides",
    },
    Rule {
        patterns: &[
            "SIDE . rightly|correctly|convincingly|persuasively|compellingly|wrongly|mistakenly|falsely|incorrectly|weakly|unconvincingly|cogently|wisely|astutely|shrewdly|naively|validly|justly|successfully|forcefully|lamely|feebly|brilliantly",
            "SIDE rightly|correctly|convincingly|persuasively|compellingly|wrongly|mistakenly|falsely|incorrectly|weakly|unconvincingly|cogently|wisely|astutely|shrewdly|naively|validly|justly|successfully|forcefully|lamely|feebly|brilliantly",
            "rightly|correctly|convincingly|persuasively|wrongly|mistakenly|falsely|incorrectly|unconvincingly|cogently|wisely the? SIDE",
        ],
        attributable: false,
        conditional: false,
        deniable: false,
        instead: "report what the side says without agreeing or disagreeing: no “rightly”, “correctly” or “wrongly”",
        shown: "agrees or disagrees with a side while reporting it",
    },
    Rule {
        patterns: &[
            "SIDE ~ ignores|ignored|overlooks|overlooked|neglects|neglected|overstates|overstated|understates|understated|exaggerates|exaggerated|misreads|misread|misrepresents|misunderstands|misunderstood|dodges|dodged|evades|evaded",
        ],
        attributable: true,
        conditional: false,
        deniable: false,
        instead: "do not blame a side; say what it did not address only if you say the same kind of thing of both, as an open point",
        shown: "finds fault with a side",
    },
    Rule {
        patterns: &[
            "evidence|record|debate|transcript|data|facts|balance|weight|analysis|logic|reason|truth|everything|it|this|scales|arguments|synthesis|science|research ~ favors|favours|favor|favour|favored|favoured|favoring|favouring|supports|support|supported|backs|back|vindicates|confirms ~ SIDE",
            "evidence|record|debate|transcript|data|facts|balance|weight|analysis|logic|reason|truth|everything|it|this|scales|arguments|synthesis|science|research ~ points|point|tilts|tilt|leans|lean|tips|tip|sides|side|speaks|speak ~ toward|towards|to|with|for|in ~ favor|favour|of? of? SIDE",
            "evidence|record|debate|transcript|data|facts|balance|weight|analysis|logic|reason|truth|everything|it|this|scales|arguments|synthesis|science|research ~ is|are|lies|lie|stands|stand ~ on SIDE",
        ],
        attributable: true,
        conditional: true,
        deniable: false,
        instead: "do not say whom the evidence favours; put it as a hinge: if something is so, whose case it would help",
        shown: "says which side the evidence favours",
    },
    Rule {
        patterns: &[
            "proposition|motion|resolution ~ is|was|seems|appears|remains|stands|would ~ justified|unjustified|right|correct|wrong|true|false|sound|unsound|valid|invalid|warranted|unwarranted|desirable|undesirable|persuasive|compelling|convincing|defensible|indefensible|untenable|sensible|wise|unwise|supported|refuted|proven|proved|adopted|rejected",
            "proposition|motion|resolution ~ holds|fails|succeeds|deserves|stands|carries|prevails|wins|passes",
            "answer is ~ yes|no",
            "adopt|adopting|accept|accepting|reject|rejecting|support|supporting|oppose|opposing|endorse|endorsing|back the proposition|motion|resolution",
        ],
        attributable: true,
        conditional: true,
        deniable: false,
        instead: "do not say whether the proposition holds; say what its answer hangs on",
        shown: "says whether the proposition holds",
    },
    Rule {
        patterns: &[
            "i|we|moderator ~ favor|favour|support|prefer|endorse|believe|believes|think|thinks|side|sides|lean|leans|conclude|concludes|judge|judges|feel|feels|favors|favours|supports|prefers|endorses",
            "i|we|moderator agree|agrees with",
            "in my|our ~ view|opinion|judgment|judgement|assessment|eyes",
        ],
        attributable: true,
        conditional: false,
        deniable: true,
        instead: "you have no view here; report what the sides hold",
        shown: "states a view of the moderator's own",
    },
];

/// What breaks a rule in a text, as it is written there. `held`: the whole text is a side's position. `checks`: in it
/// the moderator speaks of its own neutrality.
pub(super) fn broken(rule: &Rule, words: &[Word], held: bool, checks: bool) -> Vec<String> {
    let mut found = Vec::new();
    let mut past = 0;
    let patterns: Vec<Pattern> = rule.patterns.iter().map(|pattern| Pattern::of(pattern)).collect();
    for at in 0..words.len() {
        let end = patterns.iter().filter_map(|pattern| pattern.matches(words, at)).max();
        let Some(end) = end.filter(|_| at >= past) else { continue };
        if exempt(rule, words, at, end, held, checks) {
            continue;
        }
        past = end;
        let around = words.get(at.saturating_sub(2)..words.len().min(end + 2)).unwrap_or_default();
        let written: Vec<&str> =
            around.iter().map(|word| word.written.as_str()).filter(|word| !word.is_empty()).collect();
        found.push(written.join(" "));
    }
    found
}

fn exempt(rule: &Rule, words: &[Word], at: usize, end: usize, held: bool, checks: bool) -> bool {
    let Some(word) = words.get(at) else { return true };
    let before = clause(words, at);
    let has = |among: &[&str]| before.iter().any(|word| among.contains(&word.text.as_str()));
    // A match that begins outside of quotation marks is not saved by its second half: `Pro is “right”`.
    word.quoted
        || word.proposed
        || (rule.attributable && (held || word.attributed))
        // Neither a court nor a lake is a judgement.
        || (word.text == "superior" && (next_is(words, end, &["court", "courts"]) || has(&["lake"]) && follows(words, at, "lake")))
        // `Neither Pro nor Con is right` takes no side.
        || (word.side.is_some() && follows(words, at, "nor") && has(&["neither"]))
        // An open question is nobody's demand: `whether states should pay`; not `whether or not`, after which the
        // moderator may go on in its own name.
        || (rule.deniable && rule.attributable && asks(before))
        || (rule.conditional && conditional(words, at, end))
        || (checks && rule.deniable && denied(words, before, end))
}

/// What stands before a word in its clause.
fn clause(words: &[Word], at: usize) -> &[Word] {
    let begin = (0..=at).rev().find(|at| words.get(*at).is_none_or(|word| word.gap >= Gap::Clause));
    words.get(begin.unwrap_or_default()..at).unwrap_or_default()
}

fn follows(words: &[Word], at: usize, before: &str) -> bool {
    at.checked_sub(1).and_then(|at| words.get(at)).is_some_and(|word| word.text == before)
}

fn next_is(words: &[Word], at: usize, among: &[&str]) -> bool {
    words.get(at).is_some_and(|word| among.contains(&word.text.as_str()))
}

fn asks(before: &[Word]) -> bool {
    let from = before.iter().rposition(|word| matches!(word.text.as_str(), "whether" | "ob"));
    from.and_then(|from| before.get(from + 1..)).is_some_and(|after| {
        after.iter().all(|word| word.gap < Gap::Comma) && after.first().is_none_or(|word| word.text != "or")
    })
}

/// Words that make something depend on something else.
const CONDITIONS: [&str; 18] = [
    "if",
    "whether",
    "unless",
    "would",
    "could",
    "might",
    "may",
    "depends",
    "depend",
    "depending",
    "suppose",
    "until",
    "provided",
    "assuming",
    "hinge",
    "hinges",
    "partly",
    "some",
];

fn conditional(words: &[Word], at: usize, end: usize) -> bool {
    let matched = words.get(at..end).unwrap_or_default();
    clause(words, at).iter().chain(matched).any(|word| CONDITIONS.contains(&word.text.as_str()))
}

/// Whether the moderator denies it, and of no one side alone.
fn denied(words: &[Word], before: &[Word], end: usize) -> bool {
    const DENIALS: [&str; 12] = [
        "no", "not", "never", "neither", "nor", "without", "nothing", "none", "nowhere", "free", "nobody",
        "cannot",
    ];
    let denies = words
        .get(end)
        .is_some_and(|word| matches!(word.text.as_str(), "neither" | "nothing" | "none" | "no"))
        || before.iter().any(|word| {
            DENIALS.contains(&word.text.as_str())
                || word.text.starts_with("avoid")
                || word.text.starts_with("refrain")
        });
    let after = words.get(end..).unwrap_or_default().iter().take_while(|word| word.gap < Gap::Clause).take(6);
    let named: Vec<_> = after.filter_map(|word| word.side).collect();
    denies && (named.is_empty() || named.iter().any(|side| Some(side) != named.first()))
}
