//! What is told once nothing can be confirmed any more.

use std::time::Duration;

use playground::ids::ADA;

use crate::{
    confirm::scene::{Asking, KINDS},
    support::nothing_comes,
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_cancel_the_buttons_are_gone_and_say_why() {
    for kind in KINDS {
        let asking = Asking::of(kind).await;
        let (stage, thread) = (&asking.stage, asking.thread);
        let spent = stage.model.calls().len();
        let open = match &kind.edit {
            Some(edit) => Some((edit, asking.form(ADA).await)),
            None => None,
        };
        let asked = asking.seen(ADA, asking.click(ADA, kind.cancel)).await;
        assert!(asked.text().contains("End this session?"), "{}", asked.text());
        let sure = stage.press(ADA, thread, &asked.messages[0], "Yes, end it").await.text();
        assert!(sure.contains("Cancelled"), "{sure}");
        stage.wait_card(thread, "Cancelled").await;
        let shown = asking.closed().await;
        assert!(shown.contains(&format!("ended before anybody pressed {}", kind.button)), "{shown}");

        for old in
            [asking.first_go()].into_iter().chain(kind.edit.as_ref().map(|edit| asking.id_of(edit.verb)))
        {
            let said = asking.press_old(ADA, &old).await;
            assert!(said.contains("has ended") && said.contains("Start the command again"), "{said}");
        }
        if let Some((edit, form)) = &open {
            let late = asking.send(ADA, form, &[(edit.of, edit.texts[0].0)]);
            let said = asking.seen(ADA, late).await.text();
            assert!(said.contains("has ended"), "{said}");
        }
        assert_eq!(stage.model.calls().len(), spent);
        asking.stage.nothing_amiss_but_repeats();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_day_that_passes_while_the_bot_is_down_ends_it_once_with_a_note() {
    for kind in KINDS {
        let mut asking = Asking::of(kind).await;
        let spent = asking.stage.model.calls().len();
        asking.kill().await;
        asking.a_day_passes().await;
        for _ in 0..2 {
            asking.start().await;
            asking.stage.wait_card(asking.thread, "Cancelled").await;
            let note = format!("Nobody pressed **{}** within a day", kind.button);
            asking.stage.wait_for(asking.thread, &note).await;
            asking.shows(&format!("Nobody pressed {} within a day", kind.button), true).await;
            asking.closed().await;
            nothing_comes(Duration::from_millis(300)).await;
            asking.kill().await;
            assert_eq!(asking.count("Nothing more was spent"), 1);
        }
        assert_eq!(asking.stage.model.calls().len(), spent);
        asking.stage.nothing_amiss_but_repeats();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_press_after_the_deadline_is_too_late_though_nobody_has_looked_at_the_clock() {
    for kind in KINDS {
        let asking = Asking::of(kind).await;
        asking.a_day_passes().await;
        let said = asking.press(ADA, kind.go).await;
        assert!(said.contains("within a day") && said.contains("Start the command again"), "{said}");
        asking.stage.wait_card(asking.thread, "Cancelled").await;
        asking.closed().await;
        asking.stage.nothing_amiss_but_repeats();
    }
}
