//! Who takes part, as a message says it for a moment, so that Discord adds them to its thread.

use domain::UserId;

/// Mentions members, who are some sixty at most: they fit Discord's 2,000 characters.
#[must_use]
pub fn line(members: &[UserId]) -> String {
    let who: Vec<String> = members.iter().map(|user| format!("<@{user}>")).collect();
    format!("-# In this thread: {}", who.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_as_are_added_at_once_fit_a_message() {
        let said = line(&[UserId(u64::MAX); 60]);
        assert!(said.starts_with("-# In this thread: <@18446744073709551615> <@"), "{said}");
        assert!(said.chars().count() <= 2_000, "{}", said.chars().count());
    }
}
