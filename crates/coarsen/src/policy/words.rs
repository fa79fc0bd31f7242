//! Enums that are words of the policy: one line a word gives its variant, its spelling and its
//! summary, and from it come the documentation, the list, the text and the reading.

/// Defines an enum whose variants are kebab-case words of the policy.
///
/// Reading an unknown word reports the words that are known, so that the error can suggest one.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$note:meta])* $variant:ident $word:literal $summary:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name {
            $(#[doc = $summary] $(#[$note])* $variant,)+
        }

        impl $name {
            /// Every one, in the order in which they are listed.
            pub const ALL: &'static [$name] = &[$($name::$variant,)+];

            /// Their words in a policy, in the same order.
            pub const WORDS: &'static [&'static str] = &[$($word,)+];

            /// The word in a policy.
            pub const fn word(self) -> &'static str {
                match self { $($name::$variant => $word,)+ }
            }

            /// What it means, in one line.
            pub const fn summary(self) -> &'static str {
                match self { $($name::$variant => $summary,)+ }
            }

            /// The one that a word stands for.
            pub fn from_word(word: &str) -> Option<$name> {
                Self::ALL.iter().copied().find(|each| each.word() == word)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.pad(self.word())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
                out.serialize_str(self.word())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                struct Word;

                impl serde::de::Visitor<'_> for Word {
                    type Value = $name;

                    fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        out.write_str("one of the words ")?;
                        out.write_str(&$crate::policy::error::listed($name::WORDS, "or"))
                    }

                    fn visit_str<E: serde::de::Error>(self, word: &str) -> Result<$name, E> {
                        $name::from_word(word).ok_or_else(|| E::unknown_variant(word, $name::WORDS))
                    }
                }

                from.deserialize_str(Word)
            }
        }
    };
}

pub(super) use words;
