//! What is pressed while a session waits: by whom, once, and with what was read.

use std::time::Duration;

use playground::ids::{ADA, BEN, CHLOE, DECISIONS};
use serde_json::json;

use crate::{
    confirm::scene::{Asking, KINDS, PROPOSITION, ROLES},
    support::{nothing_comes, wait_for_end},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_goes_on_before_it_is_confirmed_and_then_it_does() {
    for kind in KINDS {
        let asking = Asking::of(kind).await;
        let (stage, thread) = (&asking.stage, asking.thread);
        let card = stage.wait_card(thread, "Waits for Ada").await;
        let press = format!("or a moderator to press **{}** {}", kind.button, kind.under);
        assert!(card.contains(&press) && card.contains("it ends <t:"), "{card}");
        assert!(card.contains(kind.phase), "{card}");
        assert!(!card.contains("[Pause]") && card.contains("[Cancel]"), "{card}");
        assert!(asking.shown().contains("[Cancel]"), "{}", asking.shown());
        let spent = stage.model.calls().len();
        nothing_comes(Duration::from_millis(300)).await;
        assert_eq!(stage.model.calls().len(), spent);

        let waits = [format!("press **{}** {}", kind.button, kind.under), "nothing is spent".to_owned()];
        for verb in ["pause", "resume"] {
            let said = asking.press_old(ADA, &asking.id_of(verb)).await;
            assert!(waits.iter().all(|phrase| said.contains(phrase)), "{said}");
        }
        let said = stage.told(ADA, thread, "session retry", json!({})).await;
        assert!(waits.iter().all(|phrase| said.contains(phrase)), "{said}");
        let shown = stage.told(CHLOE, thread, "session show", json!({})).await;
        assert!(shown.contains("Waits for Ada"), "{shown}");

        let said = asking.press(ADA, kind.go).await;
        assert!(said.contains(kind.begins), "{said}");
        let shown = asking.closed().await;
        assert!(shown.contains(&format!("{} Ada", kind.confirmed)), "{shown}");
        assert!(!shown.contains("[Edit") && !shown.contains("[Cancel]"), "{shown}");
        wait_for_end(stage, thread).await;
        stage.wait_card(thread, "Done").await;
        asking.stage.nothing_amiss_but_repeats();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_may_not_decide_is_told_who_may() {
    for kind in KINDS {
        let asking = Asking::of(kind).await;
        for verb in [kind.go, kind.cancel].into_iter().chain(kind.edit.as_ref().map(|edit| edit.verb)) {
            let seen = asking.seen(CHLOE, asking.click(CHLOE, verb)).await;
            assert!(seen.modal.is_none());
            assert!(seen.text().contains("Only Ada") && seen.text().contains("moderator"), "{}", seen.text());
        }
        assert!(asking.shown().contains(&format!("[{}]", kind.button)));
        asking.stage.everyone_decides().await;
        let said = asking.press(CHLOE, kind.go).await;
        assert!(said.contains(kind.begins), "{said}");
        asking.shows(&format!("{} Chlo", kind.confirmed), true).await;
        asking.stage.nothing_amiss_but_repeats();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn delivered_twice_or_pressed_by_two_it_begins_once_and_is_fixed_then() {
    for kind in KINDS {
        let asking = Asking::of(kind).await;
        let client = asking.stage.discord.client();
        asking.stage.everyone_decides().await;
        let mut open = None;
        if let Some(edit) = &kind.edit {
            let first = asking.send(ADA, &asking.form(ADA).await, &[(edit.of, edit.texts[0].0)]);
            client.wait_reply(first).await;
            asking.edited(ADA, 1).await;
            // The first edit comes again, after the second: it is known, and changes nothing.
            client.redeliver(first).unwrap();
            open = Some((edit, asking.form(BEN).await));
        }
        let (by_ada, by_ben) = (asking.click(ADA, kind.go), asking.click(BEN, kind.go));
        client.redeliver(by_ada).unwrap();
        client.redeliver(by_ben).unwrap();
        let said = [asking.seen(ADA, by_ada).await.text(), asking.seen(BEN, by_ben).await.text()];
        assert_eq!(said.iter().filter(|said| said.contains(kind.begins)).count(), 1, "{said:?}");
        assert_eq!(said.iter().filter(|said| said.contains(kind.already)).count(), 1, "{said:?}");
        // The form that Ben had open.
        if let Some((edit, form)) = &open {
            let late = asking.send(BEN, form, &[(edit.of, edit.texts[0].0)]);
            let told = asking.seen(BEN, late).await.text();
            assert!(told.contains(kind.already) && told.contains(edit.texts[0].0), "{told}");
        }
        wait_for_end(&asking.stage, asking.thread).await;
        let shown = asking.closed().await;
        if let Some((edit, _)) = &open {
            let [(_, first), (_, second)] = edit.texts;
            assert!(shown.contains(second) && !shown.contains(first), "{shown}");
        }
        let ends = asking.count("Nothing was degraded") + asking.count("**Degraded:**");
        assert_eq!(ends, 1);
        asking.stage.nothing_amiss_but_repeats();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_lets_begin_what_they_have_not_read() {
    for kind in [&ROLES, &PROPOSITION] {
        let asking = Asking::of(kind).await;
        let read_before = asking.button(kind.go);
        asking.edited(ADA, 0).await;
        // On a phone that has not seen the edit yet.
        let said = asking.press_old(ADA, &read_before).await;
        assert!(said.contains("edited since you read it") && said.contains("nothing was started"), "{said}");
        assert!(said.contains(&format!("press **{}**", kind.button)), "{said}");
        asking.stage.wait_card(asking.thread, "Waiting for an answer").await;
        asking.press(ADA, kind.go).await;
        let shown = asking.shows(&format!("{} Ada", kind.confirmed), true).await;
        assert!(shown.contains(kind.edit.as_ref().unwrap().texts[0].1), "{shown}");
        asking.stage.nothing_amiss_but_repeats();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_wait_and_its_edits_outlive_the_process() {
    for kind in KINDS {
        let mut asking = Asking::of(kind).await;
        let words = kind.edit.as_ref().map_or("[Go]", |edit| edit.texts[0].1);
        if kind.edit.is_some() {
            asking.edited(ADA, 0).await;
        }
        let spent = asking.stage.model.calls().len();
        asking.kill().await;
        asking.start().await;
        asking.shows(words, true).await;
        let card = asking.stage.wait_card(asking.thread, "Waiting for an answer").await;
        assert!(card.contains("Waits for Ada"), "{card}");
        assert_eq!(asking.stage.model.calls().len(), spent, "what asks is not made again");
        asking.press(ADA, kind.go).await;
        wait_for_end(&asking.stage, asking.thread).await;
        let shown = asking.closed().await;
        assert!(kind.edit.is_none() || shown.contains(words), "{shown}");
        assert_eq!(asking.stage.discord.threads(DECISIONS).len(), 1);
        asking.stage.nothing_amiss_but_repeats();
    }
}
