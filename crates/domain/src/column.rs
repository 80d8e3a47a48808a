//! How values stand in columns of `SQLite`: snowflakes as 64-bit integers, names and words as text. It is here, under the
//! feature `columns`, because only a type's own crate may say so; the bot's store alone switches it on. What a column holds
//! that is no such value is a [`ColumnError`].

use thiserror::Error;

use crate::{
    Addressee, ChannelId, GuildId, Lies, MessageId, Money, PromptVersion, Protocol, SessionId, SessionState,
    StateTag, StepKey, UserId,
};

/// What stands in a column is no value of its type.
#[derive(Debug, Error)]
pub enum ColumnError {
    /// It cannot be read.
    #[error("{0:?} in a column")]
    Unreadable(String),
    /// A protocol that this version does not know.
    #[error("the protocol {0} is not known to this version")]
    UnknownProtocol(String),
}

/// Types that stand in a column as another type: how they are written, and read back.
#[macro_export]
macro_rules! stands_as {
    ($column:ty: $($name:ty, $write:expr, $read:expr;)*) => {$(
        impl ::sqlx::Type<::sqlx::Sqlite> for $name {
            fn type_info() -> ::sqlx::sqlite::SqliteTypeInfo {
                <$column as ::sqlx::Type<::sqlx::Sqlite>>::type_info()
            }

            fn compatible(info: &::sqlx::sqlite::SqliteTypeInfo) -> bool {
                <$column as ::sqlx::Type<::sqlx::Sqlite>>::compatible(info)
            }
        }

        impl ::sqlx::Encode<'_, ::sqlx::Sqlite> for $name {
            fn encode_by_ref(
                &self,
                buffer: &mut ::sqlx::sqlite::SqliteArgumentsBuffer,
            ) -> Result<::sqlx::encode::IsNull, ::sqlx::error::BoxDynError> {
                let write: fn(&Self) -> $column = $write;
                ::sqlx::Encode::<::sqlx::Sqlite>::encode(write(self), buffer)
            }
        }

        impl<'r> ::sqlx::Decode<'r, ::sqlx::Sqlite> for $name {
            fn decode(value: ::sqlx::sqlite::SqliteValueRef<'r>) -> Result<Self, ::sqlx::error::BoxDynError> {
                let read: fn($column) -> Result<Self, $crate::ColumnError> = $read;
                let column = <$column as ::sqlx::Decode<'r, ::sqlx::Sqlite>>::decode(value)?;
                Ok(read(column)?)
            }
        }
    )*};
}

stands_as! { i64:
    ChannelId, |id| id.as_i64(), |number| Ok(Self::from_i64(number));
    GuildId, |id| id.as_i64(), |number| Ok(Self::from_i64(number));
    MessageId, |id| id.as_i64(), |number| Ok(Self::from_i64(number));
    UserId, |id| id.as_i64(), |number| Ok(Self::from_i64(number));
    Money, |money| money.0, |number| Ok(Self(number));
}

stands_as! { String:
    Addressee, |to| to.as_str().to_owned(), |text| Self::parse(&text).ok_or(ColumnError::Unreadable(text));
    Lies, |lies| lies.as_str().to_owned(), |text| Self::parse(&text).ok_or(ColumnError::Unreadable(text));
    PromptVersion, |version| version.0.clone(), |text| Ok(Self(text));
    Protocol, |protocol| protocol.as_str().to_owned(), |text| {
        Self::parse(&text).ok_or(ColumnError::UnknownProtocol(text))
    };
    SessionId, |id| id.as_str().to_owned(), |text| Self::parse(&text).ok_or(ColumnError::Unreadable(text));
    StateTag, |tag| tag.as_str().to_owned(), |text| Self::parse(&text).ok_or(ColumnError::Unreadable(text));
    StepKey, |key| key.as_str().to_owned(), |text| Ok(Self::new(text));
    SessionState, |state| state.as_str().to_owned(), |text| {
        Self::parse(&text).ok_or(ColumnError::Unreadable(text))
    };
}
