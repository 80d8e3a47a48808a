use proptest::prelude::*;

use super::*;
use crate::{Side, SolutionId};

fn session() -> SessionId {
    SessionId::from_bits(7)
}

fn verbs() -> Vec<&'static str> {
    [Opens::VERBS, Changes::VERBS, Does::VERBS, Apart::VERBS, Begins::VERBS].concat()
}

fn read(rest: &str) -> Option<Action> {
    CustomId::parse(&format!("v1:{}:{rest}", session()))?.action()
}

proptest! {
    #![proptest_config(properties::cases(64))]

    #[test]
    fn whatever_an_id_says_is_said_again_the_same_and_fits(
        verb in prop::sample::select(verbs()),
        argument in prop_oneof![
            "[a-z0-9/-]{0,80}",
            "(for|undecided|against|pro|con|moderator|Moderator|worked|finding/[0-9]{1,3})",
            "(for|undecided|against)/-?[0-9]{1,19}",
            "[0-9]{1,10}/(worked|partly|did_not)",
            "-?[0-9]{1,20}",
            "[a-z2-7]{10}(/[cl][0-9]{1,20}/[0-9]{1,10})?",
            "[cl][0-9]{1,20}/[0-9]{1,10}",
            "[0-2](\\.[0-3]){1,10}(/minus)?",
            "\\PC{0,40}",
        ],
    ) {
        if let Some(action) = Action::read(verb, &argument) {
            let id = match &action {
                Action::Apart(action) => CustomId::apart(action),
                Action::Begins(action) => CustomId::beginning(action),
                action => CustomId::new(&session(), action.clone()),
            };
            prop_assert_eq!(&id.verb, verb);
            prop_assert!(id.to_string().chars().count() <= 100);
            let again = CustomId::parse(&id.to_string());
            prop_assert_eq!(again.as_ref(), Some(&id));
            prop_assert_eq!(again.and_then(|id| id.action()), Some(action));
            let stored = serde_json::to_string(&id).unwrap();
            prop_assert_eq!(serde_json::from_str::<CustomId>(&stored).unwrap(), id);
        }
    }
}

/// What stands in a `custom_id` stands on messages for good: none of these may be taken out or mean something else.
#[test]
fn what_is_posted_goes_on_meaning_the_same() {
    let draft = Draft { selected: Some(SolutionId(2)), points: vec![3, 7] };
    let step = StepKey::from("round-1/market");
    let pro = Addressee::Advocate(Side::Pro);
    let all: Vec<(&str, Action)> = vec![
        ("context:", Opens::Context.into()),
        ("spread_type:2.3.7", Opens::SpreadType(draft.clone()).into()),
        ("propose:", Opens::Propose.into()),
        ("roles_edit:", Opens::RolesEdit.into()),
        ("table_edit:", Opens::TableEdit.into()),
        ("prop_edit:", Opens::PropositionEdit.into()),
        ("decide:", Opens::Decide.into()),
        ("outcome:2/did_not", Opens::Outcome((2, Verdict::DidNot)).into()),
        ("evidence:", Opens::Evidence.into()),
        ("clarify:", Opens::Clarify.into()),
        ("question:pro", Opens::Question(pro).into()),
        ("hinge:", Opens::Hinge(None).into()),
        ("hinge:3", Opens::Hinge(Some(3)).into()),
        ("spread:2.3.7", Changes::Spread(draft.clone()).into()),
        ("spread:2.3.7/minus", Changes::Spread(draft.clone()).into()),
        ("spread_pick:2.3.7", Changes::SpreadPick(draft.clone()).into()),
        ("whole:round-1/market", Does::Whole(step.clone()).into()),
        ("raw:round-1/market", Does::Raw(step).into()),
        ("note:", Does::Note.into()),
        ("choose:", Does::ChooseModules.into()),
        ("pause:", Does::Pause.into()),
        ("resume:", Does::Resume.into()),
        ("retry:", Does::Retry.into()),
        ("cancel:", Does::Cancel.into()),
        ("cancel_sure:", Does::CancelSure.into()),
        ("vote_all:", Does::VoteAll.into()),
        ("vote_spread:", Does::VoteSpread.into()),
        ("spread_cast:2.3.7", Does::SpreadCast(draft.clone()).into()),
        ("spread_typed:2.3.7", Does::SpreadTyped(draft).into()),
        ("spread_off_minus:", Does::SpreadOffMinus.into()),
        ("spread_off_plus:", Does::SpreadOffPlus.into()),
        ("spread_off_all:", Does::SpreadOffAll.into()),
        ("propose_sent:", Does::ProposeSent.into()),
        ("vote_close:", Does::VoteClose.into()),
        ("vote_close_sure:", Does::VoteCloseSure.into()),
        ("roles_go:0", Does::RolesGo(0).into()),
        ("roles_sent:", Does::RolesSent.into()),
        ("open_points:", Opens::OpenPoints.into()),
        ("open_sent:", Does::OpenPointsSent.into()),
        ("roles_cancel:", Does::RolesCancel.into()),
        ("prop_start:1287", Does::PropositionStart(1287).into()),
        ("prop_sent:", Does::PropositionSent.into()),
        ("prop_cancel:", Does::PropositionCancel.into()),
        ("team_answer:", Opens::TeamAnswer.into()),
        ("team_go:7", Does::TeamGo(7).into()),
        ("team_sent:", Does::TeamSent.into()),
        ("team_cancel:", Does::TeamCancel.into()),
        ("add_budget:", Opens::AddBudget.into()),
        ("budget_sent:2", Does::BudgetSent(2).into()),
        ("estimate_go:7", Does::EstimateGo(7).into()),
        ("estimate_smaller:7", Does::EstimateSmaller(7).into()),
        ("estimate_cancel:", Does::EstimateCancel.into()),
        ("opinion_before:for/1287", Does::OpinionBefore((Opinion::For, 1287)).into()),
        ("opinion_after:undecided", Does::OpinionAfter(Opinion::Undecided).into()),
        ("opinion_close:", Does::OpinionClose.into()),
        ("opinion_close_sure:", Does::OpinionCloseSure.into()),
        ("triage_accept:finding/3", Does::TriageAccept(FindingId(3)).into()),
        ("triage_reject:finding/3", Does::TriageReject(FindingId(3)).into()),
        ("triage_fixed:finding/3", Does::TriageFixed(FindingId(3)).into()),
        ("triage_undo:finding/3", Does::TriageUndo(FindingId(3)).into()),
        ("triage_list:", Does::TriageList.into()),
        ("decide_sent:", Does::DecideSent.into()),
        ("outcome_sent:2/did_not", Does::OutcomeSent((2, Verdict::DidNot)).into()),
        ("evidence_sent:", Does::EvidenceSent.into()),
        ("hinge_sent:3", Does::HingeSent(3).into()),
        ("clarify_sent:", Does::ClarifySent.into()),
        ("question_sent:moderator", Does::QuestionSent(Addressee::Moderator).into()),
    ];
    for (text, action) in &all {
        assert_eq!(read(text).as_ref(), Some(action), "{text}");
    }
    for verb in verbs() {
        assert_eq!(verbs().iter().filter(|other| **other == verb).count(), 1, "{verb}");
    }
}

#[test]
fn what_means_nothing_here_is_told_from_what_is_none_of_ours() {
    for unknown in ["explode:", "outcome:2", "outcome:x/worked", "opinion_before:for", "spread_cast:0.9.9"] {
        assert_eq!(read(unknown), None, "{unknown}");
        assert!(CustomId::parse(&format!("v1:{}:{unknown}", session())).is_some(), "{unknown}");
    }
    for wrong in
        ["", "v1", "v2:baaaaaaaaa:x:", "v1:nope:x:", "v1:baaaaaaaaa::", "v1:baaaaaaaaa:X:", "v1:baaaaaaaaa:x"]
    {
        assert_eq!(CustomId::parse(wrong), None, "{wrong}");
    }
}
