//! Discord's error answers.

use serde_json::{Value, json};

/// An answer with a status and perhaps a body.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) body: Option<Value>,
}

#[expect(clippy::unnecessary_wraps, reason = "routes end with `Reply::ok(..)` or with a refusal")]
impl Reply {
    pub(super) fn ok(body: Value) -> Answer {
        Ok(Self { status: 200, body: Some(body) })
    }
    pub(super) fn none() -> Answer {
        Ok(Self { status: 204, body: None })
    }
}

/// An error answer: status, Discord's own code and sentence.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) status: u16,
    pub(crate) code: u32,
    pub(crate) message: String,
    pub(crate) errors: Option<Value>,
}

pub(crate) type Answer = Result<Reply, Refusal>;

impl Refusal {
    pub(super) fn new(status: u16, code: u32, message: &str) -> Self {
        Self { status, code, message: message.to_owned(), errors: None }
    }

    /// "Invalid Form Body" with one error.
    pub(super) fn form(path: &str, code: &'static str, message: &str) -> Self {
        let mut check = super::super::validate::Check::default();
        check.error(path, code, message);
        Self::invalid(&check)
    }

    pub(super) fn invalid(check: &super::super::validate::Check) -> Self {
        let errors = Some(check.json());
        Self { status: 400, code: 50035, message: "Invalid Form Body".to_owned(), errors }
    }

    pub(crate) fn json(&self) -> Value {
        let mut body = json!({"message": self.message, "code": self.code});
        if let Some(errors) = &self.errors {
            body["errors"] = errors.clone();
        }
        body
    }

    /// Whether getting this answer means that a documented rule was broken, and not merely that the world
    /// changed: deleted things, denied permissions and archived threads happen to the best.
    pub(super) fn breaks_a_rule(&self) -> bool {
        matches!(self.code, 0 | 10062 | 40060 | 50006 | 50035 | 40041 | 50024 | 50109)
    }
}

pub(super) fn unknown_channel() -> Refusal {
    Refusal::new(404, 10003, "Unknown Channel")
}
pub(super) fn unknown_message() -> Refusal {
    Refusal::new(404, 10008, "Unknown Message")
}
pub(super) fn missing_access() -> Refusal {
    Refusal::new(403, 50001, "Missing Access")
}
pub(super) fn missing_permissions() -> Refusal {
    Refusal::new(403, 50013, "Missing Permissions")
}
pub(super) fn archived() -> Refusal {
    Refusal::new(400, 50083, "Thread is archived")
}
