//! Prometheus' text format, version 0.0.4: families with a HELP and a TYPE, and their samples.

use std::fmt::{Display, Write as _};

use crate::store::CommitTimes;

/// A page in the making.
#[derive(Default)]
pub(super) struct Text(String);

/// A family that was begun; its samples follow.
pub(super) struct Family<'a> {
    name: &'static str,
    text: &'a mut String,
}

impl Text {
    /// What goes up and down.
    pub(super) fn gauge(&mut self, name: &'static str, help: &str) -> Family<'_> {
        self.family(name, "gauge", help)
    }

    /// What only grows; its name ends in `_total`.
    pub(super) fn counter(&mut self, name: &'static str, help: &str) -> Family<'_> {
        self.family(name, "counter", help)
    }

    /// Times by how long they were, in seconds.
    pub(super) fn times(&mut self, name: &'static str, help: &str, times: &CommitTimes) {
        let mut family = self.family(name, "histogram", help);
        for (bound, count) in &times.within {
            family.line("_bucket", &[("le", &bound.as_secs_f64().to_string())], count);
        }
        family.line("_bucket", &[("le", "+Inf")], times.count);
        family.line("_sum", &[], times.sum.as_secs_f64());
        family.line("_count", &[], times.count);
    }

    /// The page.
    pub(super) fn done(self) -> String {
        self.0
    }

    fn family(&mut self, name: &'static str, kind: &str, help: &str) -> Family<'_> {
        let help = help.replace('\\', r"\\").replace('\n', r"\n");
        // Writing to a text cannot fail, here as below.
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}");
        Family { name, text: &mut self.0 }
    }
}

impl Family<'_> {
    /// One value.
    pub(super) fn is(&mut self, labels: &[(&str, &str)], value: impl Display) -> &mut Self {
        self.line("", labels, value);
        self
    }

    fn line(&mut self, ending: &str, labels: &[(&str, &str)], value: impl Display) {
        let escaped = |value: &str| value.replace('\\', r"\\").replace('"', "\\\"").replace('\n', r"\n");
        let labels = labels.iter().map(|(name, value)| format!("{name}=\"{}\"", escaped(value)));
        let labels = labels.collect::<Vec<_>>().join(",");
        let labels = if labels.is_empty() { labels } else { format!("{{{labels}}}") };
        let _ = writeln!(self.text, "{}{ending}{labels} {value}", self.name);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn families_samples_and_times_are_written_as_the_format_wants_them() {
        let mut text = Text::default();
        text.gauge("a", "One\nline, \\ and all.").is(&[], 1).is(&[("b", "x\"\\\n"), ("c", "")], 0.5);
        let within = vec![(Duration::from_millis(1), 2), (Duration::from_secs(5), 3)];
        let times = CommitTimes { within, count: 4, sum: Duration::from_millis(7_250) };
        text.times("t_seconds", "Times.", &times);
        assert_eq!(
            text.done(),
            r#"# HELP a One\nline, \\ and all.
# TYPE a gauge
a 1
a{b="x\"\\\n",c=""} 0.5
# HELP t_seconds Times.
# TYPE t_seconds histogram
t_seconds_bucket{le="0.001"} 2
t_seconds_bucket{le="5"} 3
t_seconds_bucket{le="+Inf"} 4
t_seconds_sum 7.25
t_seconds_count 4
"#
        );
    }
}
