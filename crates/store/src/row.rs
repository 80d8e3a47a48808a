//! How a row of a table becomes a struct.

/// Reads each field from the column that is named beside it, and those after a semicolon by an expression of the row. By this
/// and not by sqlx's derive macro, for which SQLite and sqlx are built a second time.
macro_rules! columns {
    ($name:ident: $($field:ident $column:literal),+ $(; $special:ident = |$row:ident| $how:expr)*) => {
        impl sqlx::FromRow<'_, sqlx::sqlite::SqliteRow> for $name {
            fn from_row(row: &sqlx::sqlite::SqliteRow) -> sqlx::Result<Self> {
                use sqlx::Row as _;
                Ok(Self {
                    $($field: row.try_get($column)?,)+
                    $($special: { let $row = row; $how },)*
                })
            }
        }
    };
}

pub(super) use columns;
