//! Tables of keys as files have them.

/// Structs that are read from tables in which every other key is an error. All keys of an
/// `optional` table may be left out, so that it has a default; a `table` has some that must be
/// there. Defaults stand at keys: at the struct, serde would also take an empty array for it.
macro_rules! tables {
    (@optional $($item:tt)*) => {
        #[derive(Default, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        $($item)*
    };
    (@table $($item:tt)*) => {
        #[derive(serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        $($item)*
    };
    ($(
        $(#[$about:meta])*
        $kind:ident $name:ident { $($(#[$meta:meta])* $key:ident: $type:ty,)* }
    )*) => {$(
        tables! { @$kind
            $(#[$about])*
            pub(crate) struct $name { $($(#[$meta])* pub $key: $type,)* }
        }
    )*};
}

pub(crate) use tables;
