//! Pictures of a document: a model that sees them says what stands on each, one call for a picture. It is said before what
//! that takes. What it read stands in the document from then on, marked as a model's; what it could not read is named.

use crate::{
    prompt::{self, reply::PictureReply},
    render,
    steps::{Journal, Question, RatesAt, Steps, Stop},
};
use domain::{
    Brief, Degraded, Document, Effort, Picture, PictureText, Pictured, PicturesRead, PicturesTake, Plan,
    ReadPictures, Reply, StepKey, estimate,
};

/// The step in which what was read is kept; each picture's is below it.
const KEY: &str = PicturesRead::STEP;
/// The step in which people are told, where no estimate does it.
const TOLD: &str = "picturing";

/// The brief with what stands on its document's pictures in the text.
pub(super) async fn read(steps: &Steps, brief: Brief, plan: &Plan) -> Result<Brief, Stop> {
    let Some(how) = &plan.pictures else { return Ok(brief) };
    let read = if let Some(kept) = steps.kept(KEY).await? {
        kept
    } else {
        let Some(document) = brief.document() else { return Ok(brief) };
        if plan.estimate.is_none() {
            tell(steps, how, document).await?;
        }
        let number = document.pictures.len();
        let what = if number == 1 { "a picture".to_owned() } else { format!("{number} pictures") };
        steps.phase(0, brief.phases(), &format!("Reading what stands on {what}"));
        let mut texts = Vec::with_capacity(number);
        for (some, at) in document.pictures.chunks(Pictured::AT_ONCE).zip((1..).step_by(Pictured::AT_ONCE)) {
            texts.extend(steps.all(some.iter().zip(at..).map(|one| see(steps, how, one))).await?);
        }
        let read = PicturesRead { model: how.reader.model.clone(), texts };
        if let Some(least) = brief.least_letters() {
            suffices(least, document, &read)?;
        }
        let card = render::pictures::card(steps.session(), &KEY.into(), document, &read);
        steps.keep(KEY, &read, vec![card]).await?
    };
    steps.forget_pictures(brief.document()).await?;
    let unread = u32::try_from(read.unread()).unwrap_or(u32::MAX);
    steps.note_degraded(KEY, (unread > 0).then_some(Degraded::PicturesUnread(unread))).await?;
    Ok(brief.with_pictures_read(&read))
}

/// Says what goes to which model, and what that costs.
async fn tell(steps: &Steps, how: &ReadPictures, document: &Document) -> Result<(), Stop> {
    if steps.kept::<PicturesTake>(TOLD).await?.is_some() {
        return Ok(());
    }
    let model = how.reader.model.clone();
    let rates: RatesAt = steps.rates_up_to(std::slice::from_ref(&model), Effort::Brief).await?;
    let number = document.pictures.len();
    let cost = rates.get(&Effort::Brief).and_then(|rates| estimate(Pictured::takes(number), *rates).cost);
    let take = PicturesTake { number: u32::try_from(number).unwrap_or(u32::MAX), model, cost };
    let told = render::pictures::told(document, &take);
    steps.keep(TOLD, &take, vec![told]).await.map(drop)
}

/// What stands on a picture; nothing where it could not be read.
async fn see(
    steps: &Steps,
    how: &ReadPictures,
    (picture, number): (&Pictured, usize),
) -> Result<Option<PictureText>, Stop> {
    let key = StepKey::from(KEY).child(number.to_string());
    let Some(base64) = steps.picture(picture).await? else { return Ok(None) };
    let place = picture.page.map_or_else(|| "all of it".to_owned(), |page| format!("page {page}"));
    let sent = Picture { media: picture.media.clone(), base64 };
    let question = Question {
        key,
        who: format!("Reader of {place}"),
        prompt: prompt::picture::read(steps.prompts(), (&picture.file, &place), sent),
    };
    let read = |reply: &Reply, _| prompt::parse::<PictureReply>(&reply.text).map(PictureReply::into_text);
    let seen = steps.ask_seat(&how.reader, question, read, |_, _, _| Vec::new()).await?;
    Ok(seen.ok().map(|seen| seen.value).filter(|text| !text.is_nothing()))
}

/// Whether there is enough to examine, on the pages that have text and on the pictures together.
fn suffices(least: usize, document: &Document, read: &PicturesRead) -> Result<(), Stop> {
    let words = read.texts.iter().flatten().flat_map(|text| [&text.text, &text.shows]);
    let letters = std::iter::once(&document.text).chain(words).flat_map(|text| text.chars());
    let letters = letters.filter(|letter| letter.is_alphanumeric()).take(least).count();
    if letters == least {
        return Ok(());
    }
    let (all, seen) = (read.texts.len(), read.texts.len() - read.unread());
    Err(Stop::Fail(format!(
        "{} could read {seen} of the {all} pictures in this document, so it has {letters} of the {least} letters and digits that are needed to examine it. **Try again** asks once more for those that failed; else start anew with the text itself or a clearer picture.",
        read.model,
    )))
}

/// All that was read on pictures, with the card's title; nothing for another card.
pub(super) async fn full_text(journal: &Journal, card: &StepKey) -> Result<Option<(String, String)>, Stop> {
    if card.as_str() != KEY {
        return Ok(None);
    }
    let read: Option<PicturesRead> = journal.kept(&KEY.into()).await?;
    Ok(read.map(|read| render::pictures::whole(&read)))
}
