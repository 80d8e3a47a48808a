//! Cards are short first: about a phone's screen, whatever a model wrote, with the rest behind a button.

use super::*;
use domain::{Claim, Severity};

/// What somebody reads on a card before they press anything.
fn read_on(post: &Post) -> usize {
    let texts = post.embeds.iter().flat_map(|embed| {
        let fields = embed.fields.iter().flat_map(|field| [&field.name, &field.value]);
        [&embed.title, &embed.description].into_iter().chain(fields)
    });
    texts.map(|text| text.chars().count()).sum()
}

/// As wordy as a model that does not hold itself back.
fn wordy(text: &str) -> String {
    format!("{text} {}LAST", "More follows, and more of it again and again. ".repeat(30))
}

#[test]
fn a_tree_shows_its_weightiest_claims_and_its_whole_has_all() {
    let mut tree = tree();
    for claim in &mut tree.claims {
        *claim = Claim { claim: wordy(&claim.claim), area: wordy(&claim.area), ..claim.clone() };
    }
    let many = tree.claims.iter().cycle().take(15).cloned().collect();
    let tree = domain::Tree { claims: many, ..tree };
    let post =
        tree_card(&session(), &"critique/popper".into(), &tree, &document(), &sections(), &[]).remove(0);
    assert!(read_on(&post) <= 1_200, "{} characters", read_on(&post));
    let card = shown(std::slice::from_ref(&post));
    assert!(
        card.contains("pays for itself contradicts") && card.contains('…') && !card.contains("LAST"),
        "{card}"
    );
    assert!(!card.contains("No number could prove"), "the lesser ones are behind the button: {card}");
    let (_, whole) = whole_tree(&tree, &document(), &sections());
    assert!(whole.matches("LAST").count() >= 15 && whole.contains("No number could prove"));
}

#[test]
fn the_weightiest_claim_is_the_most_severe_and_then_the_surest_wherever_it_grew() {
    let mut tree = tree();
    tree.claims[1].severity = Severity::Low;
    tree.claims[1].children[0].severity = Severity::Critical;
    tree.claims[0].severity = Severity::High;
    let post =
        tree_card(&session(), &"critique/popper".into(), &tree, &document(), &sections(), &[]).remove(0);
    let at =
        |text: &str| post.embeds[0].description.find(text).unwrap_or_else(|| panic!("{text} is missing"));
    assert!(at("Pay by the order") < at("Demand"));
}

#[test]
fn a_finding_and_the_assessment_are_about_a_screen_long() {
    let mut wages = sample::finding(1);
    wages.critique = wordy(&wages.critique);
    wages.area = wordy(&wages.area);
    wages.evidence = vec![sample::evidence(&wordy("no such words")); 9];
    let post = finding(&session(), &sample::assessment(), &wages, &document(), None);
    assert!(read_on(&post) <= 2_200, "{} characters", read_on(&post));
    let card = shown(std::slice::from_ref(&post));
    assert!(
        card.contains("…and 7 more quotations in the whole assessment.") && !card.contains("LAST"),
        "{card}"
    );
    let long =
        domain::Assessment { text: wordy("Said.").repeat(4), findings: vec![wages; 10], ..assessment() };
    let posts = assessment_cards(&session(), &"assessment".into(), &long, &document(), &sections());
    assert_eq!(posts.len(), 1);
    assert!(read_on(&posts[0]) <= 2_800, "{} characters", read_on(&posts[0]));
    let (_, whole) = whole_assessment(&long, &document(), &sections());
    assert!(whole.matches("LAST").count() > 10 * 10);
}

#[test]
fn quotations_are_cut_between_words_and_say_so() {
    let long = "Every single district orders twice a week. ".repeat(40);
    let of = domain::Finding { evidence: vec![sample::evidence(&long)], ..sample::finding(1) };
    let card = shown(&[finding(&session(), &sample::assessment(), &of, &document(), None)]);
    let line = card.lines().find(|line| line.contains("Every single")).unwrap();
    let (head, _) = line.split_once("…”").expect("it says that it goes on");
    assert!(long.split(' ').any(|word| head.ends_with(word)), "{head}");
}
