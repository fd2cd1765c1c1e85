//! Macro for tables of keys in files.

/// Declares structs that are read from tables; unknown keys are errors. All keys of an `optional`
/// table may be omitted, so that it has a default; a `table` has required keys. Defaults are
/// declared per key, because with a default per struct serde would also accept an empty array.
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
