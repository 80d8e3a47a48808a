//! A statement with its values: `sql!("DELETE FROM bell WHERE session_id = ?1", session)`. That there are as many values as the
//! statement has places for them is checked when it is compiled.

/// The highest number of a place for a value, such as `?2`, in a statement.
pub(super) const fn places(sql: &str) -> usize {
    let (sql, mut at, mut most) = (sql.as_bytes(), 0, 0);
    while at < sql.len() {
        let (mark, mut number) = (sql[at] == b'?', 0);
        at += 1;
        while mark && at < sql.len() && sql[at].is_ascii_digit() {
            number = number * 10 + (sql[at] - b'0') as usize;
            at += 1;
        }
        if number > most {
            most = number;
        }
    }
    most
}

/// Refuses to be compiled where a statement has not as many values as places.
macro_rules! counted {
    ($sql:expr $(, $value:expr)*) => {
        const _: () = assert!(
            crate::statement::places($sql) == 0 $(+ { let _ = stringify!($value); 1 })*,
            "as many values as places"
        );
    };
}

/// A query of sqlx's, by name, with its value, or with several in the order of their places.
macro_rules! bound {
    ($query:ident, $sql:expr) => { crate::statement::bound!($query, $sql, ()) };
    ($query:ident, $sql:expr, ($($value:expr),* $(,)?)) => {{
        crate::statement::counted!($sql $(, $value)*);
        sqlx::$query($sql)$(.bind($value))*
    }};
    ($query:ident, $sql:expr, $value:expr) => { crate::statement::bound!($query, $sql, ($value)) };
}

/// A statement.
macro_rules! sql {
    ($($of:tt)+) => { crate::statement::bound!(query, $($of)+) };
}

/// A statement whose rows become a struct or a tuple.
macro_rules! sql_as {
    ($($of:tt)+) => { crate::statement::bound!(query_as, $($of)+) };
}

/// A statement whose rows have one column.
macro_rules! sql_scalar {
    ($($of:tt)+) => { crate::statement::bound!(query_scalar, $($of)+) };
}

/// A statement at the end of a script, with its value, or with several in the order of their places.
macro_rules! add {
    ($script:ident, $sql:expr, ($($value:expr),+ $(,)?)) => {{
        crate::statement::counted!($sql $(, $value)+);
        $script.add($sql)$(.bind($value))+
    }};
    ($script:ident, $sql:expr, $value:expr) => { crate::statement::add!($script, $sql, ($value)) };
}

pub(super) use {add, bound, counted, sql, sql_as, sql_scalar};

#[cfg(test)]
mod tests {
    use super::places;

    #[test]
    fn places_are_counted_by_their_highest_number() {
        for (sql, many) in [
            ("SELECT 1", 0),
            ("UPDATE a SET b = ?2 WHERE c = ?1 AND d >= ?1", 2),
            ("VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)", 10),
            ("SELECT '?' WHERE a = ?1", 1),
        ] {
            assert_eq!(places(sql), many, "{sql}");
        }
    }
}
