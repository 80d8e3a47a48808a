//! Claims as text: a line or two each, under their numbers.

use super::{anonymous::Anonymous, labels::Labels};
use crate::quote::severity_name;
use domain::{Claim, Document, Span, one_line};

/// How claims are told.
pub(super) struct Teller<'a> {
    /// Their numbers; without, their names.
    pub(super) labels: Option<&'a Labels>,
    /// Names to leave out.
    pub(super) anonymous: Option<&'a Anonymous>,
    /// The text, for the places of quotations.
    pub(super) document: &'a Document,
    /// Whether claims say which section they are about.
    pub(super) sections: bool,
}

impl Teller<'_> {
    /// A list of claims, in its order; of `sure` how sure each is too: how sure others are is no reason to follow them.
    pub(super) fn list(&self, claims: &[&Claim], sure: bool, quoted: bool) -> String {
        if claims.is_empty() {
            return "(no claims)".to_owned();
        }
        claims.iter().map(|claim| self.line(claim, sure, quoted)).collect::<Vec<_>>().join("\n")
    }

    /// Several lists, within so many characters in all: with quotations if they fit, else without them, else the weightiest
    /// claims of each, with how many are left out.
    pub(super) fn within(&self, room: usize, lists: &[(&[&Claim], bool)]) -> Vec<String> {
        for quoted in [true, false] {
            let told: Vec<String> =
                lists.iter().map(|(claims, sure)| self.list(claims, *sure, quoted)).collect();
            if told.iter().map(|text| text.chars().count()).sum::<usize>() <= room {
                return told;
            }
        }
        let share = room / lists.len().max(1);
        lists.iter().map(|(claims, sure)| self.weightiest(claims, *sure, share)).collect()
    }

    fn weightiest(&self, claims: &[&Claim], sure: bool, share: usize) -> String {
        let mut order: Vec<&Claim> = claims.to_vec();
        order.sort_by_key(|claim| claim.weight());
        let mut used = 0;
        let fits = |claim: &&Claim| {
            used += self.line(claim, sure, false).chars().count() + 1;
            used <= share
        };
        let kept: Vec<&Claim> = order.into_iter().take_while(fits).collect();
        let left_out = claims.len() - kept.len();
        format!("{}\n({left_out} lesser claims are left out here.)", self.list(&kept, sure, false))
    }

    /// `#4. (high, sure 60 of 100) What is wrong.`, its quotations below.
    pub(super) fn line(&self, claim: &Claim, sure: bool, quoted: bool) -> String {
        let indent = "  ".repeat(claim.id.path.len().saturating_sub(1));
        let section = if self.sections { format!(", {}", claim.section) } else { String::new() };
        let sure =
            if sure { format!(", sure {:.0} of 100", claim.confidence.get() * 100.0) } else { String::new() };
        let words = self.anonymous.map_or_else(|| claim.claim.clone(), |names| names.text(&claim.claim));
        let label = self.labels.map_or_else(|| claim.id.to_string(), |labels| labels.label(&claim.id));
        let mut line = format!("{indent}{label}. ({}{sure}{section}) {words}", severity_name(claim.severity));
        if claim.is_unquoted() {
            line.push_str(" [its quotation is not in the text]");
        } else if quoted {
            line.push_str(&self.quotations(claim, &indent));
        }
        line
    }

    /// Those that stand in the text, a line each.
    fn quotations(&self, claim: &Claim, indent: &str) -> String {
        let found = claim.evidence.iter().filter_map(|evidence| Some((evidence.found?, &evidence.quote)));
        let line = |(span, quote): (Span, &String)| {
            let place = self.document.place(span);
            format!("\n{indent}   {place}: “{}”", one_line(quote))
        };
        found.map(line).collect()
    }
}
