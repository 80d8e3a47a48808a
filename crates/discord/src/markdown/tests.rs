//! What has to hold for any text.

use proptest::prelude::*;

use super::{super::text::length, inline, parts, short};

fn one(markdown: &str) -> String {
    parts(markdown, 4_000).join("\n=====\n")
}

#[test]
fn what_discord_knows_stays() {
    let text = "# Title\nSome **bold**, *italic*, ~~old~~ and `code`.\n\n- a\n- b\n  - c\n\n1. one\n2. two\n\n> said";
    assert_eq!(
        one(text),
        "# Title\nSome **bold**, *italic*, ~~old~~ and `code`.\n- a\n- b\n  - c\n1. one\n2. two\n\n> said"
    );
}

#[test]
fn the_prose_of_a_card_has_no_headings_and_no_quotations() {
    let text = "# The verdict\nPro is right.\n\n> **Ada:** I agree\n\n- # Decided\n\n```\n# code\n```";
    assert_eq!(
        short(text, 500),
        "**The verdict**\n\nPro is right.\n\n***Ada:*** *I agree*\n\n**Decided**\n```\n# code\n```"
    );
}

#[test]
fn what_was_restyled_or_shortened_is_no_address() {
    assert_eq!(short("> *https:*//x.org", 100), "*x.org*");
    assert_eq!(inline("hthttps://a.org ps://x.org", 100), "hta.org ps://x.org");
}

#[test]
fn what_discord_lacks_is_rewritten() {
    assert_eq!(one("##### Deep"), "### Deep");
    assert_eq!(one("a<br>b <b>c</b>"), "a\nb \\<b>c\\<\u{200b}/b>");
    assert_eq!(one("See[^1].\n\n[^1]: A note."), "See\\[1].\n\n\\[1]: A note.");
    assert_eq!(one("a\n\n---\n\nb"), "a\n\n────────\n\nb");
    assert_eq!(one("- [x] done\n- [ ] open"), "- ☑ done\n- ☐ open");
    assert_eq!(one("1. # Head\n2. b"), "1. **Head**\n2. b".replace("1. **Head**\n", "**Head**\n\n"));
}

#[test]
fn narrow_tables_are_aligned_and_wide_ones_are_items() {
    insta::assert_snapshot!(one("| Item | Cost |\n|---|--:|\n| Van | 40,000 |\n| 市场 | **1** |"), @r"
    ```
    Item  Cost
    ────  ──────
    Van   40,000
    市场  1
    ```
    ");
    let wide = format!("| Item | Why |\n|---|---|\n| Van | {} |\n| Bike | cheap |", "because ".repeat(10));
    insta::assert_snapshot!(one(&wide), @r"
    **Item · Why**
    - **Van:** because because because because because because because because because because
    - **Bike:** cheap
    ");
    let three = format!(
        "| In euros | Paper | Anew, *all* |\n|---|--:|---|\n| **Loss** of [all]({}) | 26,500 | {} |\n| Gain | – | 10,642 |",
        "x",
        "19,890 ".repeat(9)
    );
    insta::assert_snapshot!(one(&three), @r"
    **In euros**
    - **Loss of all (x):** *Paper:* 26,500 · *Anew, all:* 19,890 19,890 19,890 19,890 19,890 19,890 19,890 19,890 19,890
    - **Gain:** *Anew, all:* 10,642
    ");
    let long = format!(
        "| Count | It means | Do |\n|---|---|---|\n| 19 | {} | step 3 |\n| 5 | less | |",
        "both lists ".repeat(10)
    );
    insta::assert_snapshot!(one(&long), @r"
    **Count**
    - **19:**
      - *It means:* both lists both lists both lists both lists both lists both lists both lists both lists both lists both lists
      - *Do:* step 3
    - **5:** *It means:* less
    ");
}

#[test]
fn of_a_text_that_a_card_is_there_for_headings_and_quotations_stay() {
    let text = "# Why\n\nSo.\n\n> To be sent: \"We take it.\"\n\n##### Then";
    assert_eq!(super::body(text, 500), ["### Why\nSo.\n\n> To be sent: \"We take it.\"\n### Then"]);
    assert_eq!(super::prose(text, 500), ["**Why**\n\nSo.\n\n*To be sent: \"We take it.\"*\n\n**Then**"]);
}

#[test]
fn a_fence_longer_than_a_part_is_closed_and_opened_again() {
    let code = (0..40).map(|i| format!("let line_{i} = {i};")).collect::<Vec<_>>().join("\n");
    let parts = parts(&format!("Before.\n\n```rust\n{code}\n```\n\nAfter."), 300);
    assert!(parts.len() > 2);
    for part in &parts[1..parts.len() - 1] {
        assert!(part.starts_with("```rust\nlet") && part.ends_with(";\n```"), "{part}");
    }
    assert!(parts.last().unwrap().ends_with("After."));
}

#[test]
fn items_are_not_torn_and_headings_stay_with_what_follows() {
    let item = "word ".repeat(20);
    let text = format!("# One\n\n- {item}\n- {item}\n\n## Two\n\n- {item}\n- {item}");
    let parts = parts(&text, 150);
    assert_eq!(parts.len(), 4, "{parts:#?}");
    assert!(parts.iter().all(|part| part.ends_with("word")), "{parts:#?}");
    assert!(parts[2].starts_with("## Two"), "{parts:#?}");
}

#[test]
fn one_line_and_a_short_form_say_that_there_is_more() {
    assert_eq!(inline("# A\n\n- b **c**\n- d", 100), "A b **c** d");
    // A backtick of the text is none of a fence.
    assert_eq!(inline("\\```a` b``", 100), "\\` `` a` b ``");
    assert_eq!(inline("**one two three four five six**", 20), "**one two**…");
    assert_eq!(short("para one\n\npara two", 11), "para one\n\npara two");
    assert_eq!(short(&"word ".repeat(40), 70).chars().last(), Some('…'));
}

#[test]
fn depth_does_not_overflow() {
    for deep in
        ["> ".repeat(5_000), "- ".repeat(5_000), "*a ".repeat(5_000), "[".repeat(20_000), "**_".repeat(4_000)]
    {
        let text = format!("{deep}end");
        assert!(parts(&text, 2_000).concat().contains("end"));
    }
}

#[test]
fn a_large_table_is_shown_whole() {
    let rows =
        (0..400).map(|i| format!("| row{i} | cell{i} | and more {i} |")).collect::<Vec<_>>().join("\n");
    let parts = parts(&format!("| a | b | c |\n|---|---|---|\n{rows}"), 1_000);
    let all = parts.concat();
    assert!((0..400).all(|i| all.contains(&format!("cell{i} "))));
    assert!(parts.iter().all(|part| part.starts_with("```\na") && length(part) <= 1_000));
}

/// A document of words that are all different, in any structure.
fn document() -> impl Strategy<Value = (String, usize)> {
    let shapes = prop::sample::select(vec![
        "{}",
        "{} {}",
        "**{}** {}",
        "*{} {}*",
        "\n\n{}",
        "\n# {}\n",
        "\n#### {}\n",
        "\n- {}",
        "\n  - {} {}",
        "\n1. {}",
        "\n> {}\n",
        "\n\n```\n{}\n{}\n```\n\n",
        "`{}`",
        "\n\n| {} | {} |\n|---|---|\n| {} | {} |\n\n",
        "~~{}~~",
        "[{}](https://x.org)",
        "{}\n",
        "\n\n    {}\n\n",
        "<b>{}</b>",
        "[{}]: {}",
        "{}[^{}]",
        "\n\n[^{}]: {}\n\n",
        "\n<div>\n{}\n</div>\n\n",
        "![{}](https://x.org/i.png)",
        " ",
    ]);
    prop::collection::vec(shapes, 1..60).prop_map(|shapes| {
        let mut count = 0;
        let mut text = String::new();
        for shape in shapes {
            for piece in shape.split_inclusive("{}") {
                match piece.strip_suffix("{}") {
                    Some(before) => {
                        text.extend([before.to_owned(), format!("w{count}w")]);
                        count += 1;
                    }
                    None => text.push_str(piece),
                }
            }
        }
        (text, count)
    })
}

#[test]
fn lines_of_a_torn_item_hang_below_its_text() {
    let text = format!("- first line\nsecond line {}", "and so on ".repeat(12));
    let torn = parts(&text, 64);
    assert!(torn[0].starts_with("- first line\n  second line"), "{torn:?}");
    for part in torn {
        assert_eq!(parts(&part, 64), [part]);
    }
}

#[test]
fn what_follows_the_rest_of_a_torn_item_is_no_line_of_it() {
    let long = "and so on ".repeat(12);
    for (text, last) in [
        (format!("1. {long}\n2. second"), "\n\n2. second"),
        (format!("- {long}\n  - below it"), "\n- below it"),
        (format!("- {long}\n  - below it\n- another"), "\n- below it\n- another"),
        (format!("# {long}\n7. seventh"), "\n\n7. seventh"),
    ] {
        let torn = parts(&text, 64);
        assert!(torn.last().unwrap().ends_with(last), "{torn:#?}");
        for part in torn {
            assert_eq!(parts(&part, 64), [part]);
        }
    }
}

proptest! {
    #![proptest_config(properties::cases(64))]

    #[test]
    fn no_word_is_lost((text, words) in document(), most in 64usize..3_000) {
        let all: String = parts(&text, most).join(" ").chars().filter(|c| c.is_alphanumeric()).collect();
        for word in 0..words {
            prop_assert!(all.contains(&format!("w{word}w")), "w{}w of {:?} in {:?}", word, text, all);
        }
    }

    #[test]
    fn every_part_fits_is_closed_and_mentions_nobody(text in properties::hostile(), most in 64usize..3_000) {
        for part in parts(&text, most) {
            prop_assert!(length(&part) <= most, "{} of {}: {:?}", length(&part), most, part);
            prop_assert!(!part.trim().is_empty());
            prop_assert_eq!(part.matches("```").count() % 2, 0, "{:?}", part);
            prop_assert_eq!(properties::live(&part, &[]), None, "{:?}", part);
        }
        let line = inline(&text, most);
        prop_assert!(length(&line) <= most && !line.contains('\n'), "{:?}", line);
        prop_assert_eq!(properties::live(&line, &[]), None, "{:?}", line);
        prop_assert!(length(&short(&text, most)) <= most);
    }

    #[test]
    fn a_part_given_again_comes_back_as_it_is(
        (text, _) in document(), most in prop_oneof![64usize..130, 64usize..3_000]
    ) {
        for part in parts(&text, most) {
            prop_assert_eq!(parts(&part, most), vec![part], "of {:?}", text);
        }
    }
}

#[test]
fn a_label_that_is_cut_off_leads_nowhere() {
    let shown = super::member_short("Why? ![a bank](https://evil.example/login", 400);
    assert!(!shown.contains("](<http") && shown.contains("<https://evil.example/login>"), "{shown}");
}
