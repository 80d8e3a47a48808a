//! How values of the domain stand in columns: snowflakes as 64-bit integers, names and words as text. What cannot be
//! read back is [`StoreError::Corrupt`](super::StoreError::Corrupt).

use sqlx::{
    Decode, Encode, Sqlite, Type,
    encode::IsNull,
    error::BoxDynError,
    sqlite::{SqliteArgumentsBuffer, SqliteTypeInfo, SqliteValueRef},
};

use super::{StoreError, Target};
use crate::domain::{
    Addressee, ChannelId, GuildId, Lies, MessageId, Money, PromptVersion, Protocol, SessionId, SessionState,
    StateTag, StepKey, UserId,
};

fn unknown(text: String) -> StoreError {
    StoreError::Corrupt(format!("{text:?} in a column"))
}

/// Types that stand in a column as another type: how they are written, and read back.
macro_rules! stands_as {
    ($column:ty: $($name:ty, $write:expr, $read:expr;)*) => {$(
        impl Type<Sqlite> for $name {
            fn type_info() -> SqliteTypeInfo {
                <$column as Type<Sqlite>>::type_info()
            }

            fn compatible(info: &SqliteTypeInfo) -> bool {
                <$column as Type<Sqlite>>::compatible(info)
            }
        }

        impl Encode<'_, Sqlite> for $name {
            fn encode_by_ref(&self, buffer: &mut SqliteArgumentsBuffer) -> Result<IsNull, BoxDynError> {
                let write: fn(&Self) -> $column = $write;
                Encode::<Sqlite>::encode(write(self), buffer)
            }
        }

        impl<'r> Decode<'r, Sqlite> for $name {
            fn decode(value: SqliteValueRef<'r>) -> Result<Self, BoxDynError> {
                let read: fn($column) -> Result<Self, StoreError> = $read;
                let column = <$column as Decode<'r, Sqlite>>::decode(value)?;
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
    Addressee, |to| to.as_str().to_owned(), |text| Self::parse(&text).ok_or_else(|| unknown(text));
    Lies, |lies| lies.as_str().to_owned(), |text| Self::parse(&text).ok_or_else(|| unknown(text));
    PromptVersion, |version| version.0.clone(), |text| Ok(Self(text));
    Protocol, |protocol| protocol.as_str().to_owned(), |text| {
        Self::parse(&text).ok_or(StoreError::UnknownProtocol(text))
    };
    SessionId, |id| id.as_str().to_owned(), |text| Self::parse(&text).ok_or_else(|| unknown(text));
    StateTag, |tag| tag.as_str().to_owned(), |text| Self::parse(&text).ok_or_else(|| unknown(text));
    StepKey, |key| key.as_str().to_owned(), |text| Ok(Self::new(text));
    SessionState, |state| state.as_str().to_owned(), |text| Self::parse(&text).ok_or_else(|| unknown(text));
    Target, |target| target.as_str().to_owned(), |text| Self::parse(&text).ok_or_else(|| unknown(text));
}
