//! Tables of our own making: data to measure on, to test with and to show, in which nobody lives.
//!
//! | file | is |
//! | --- | --- |
//! | [`random`] | the seeded generator beneath the others: the same seed gives the same bytes for ever |
//! | [`agrawal`] | the generator of Agrawal et al. 1993 (LeFevre et al. 2006, Figure 6), of any length, and its ten label functions |
//! | [`clinic`] | the patients of `examples/clinic` |
//! | [`mod@enlarge`] | a real table made larger by a scale and a novelty factor (Wang et al. 2004, section 6.2) |
//!
//! Nothing here reads or writes a file: generators fill buffers or strings, and the caller puts them somewhere.

pub mod agrawal;
pub mod clinic;
pub mod enlarge;
pub mod random;

pub use agrawal::{
    Agrawal, AgrawalColumns, AgrawalError, AgrawalRow, AgrawalSettings, LabelFunction,
};
pub use clinic::{clinic_csv, diagnosis_hierarchy_csv};
pub use enlarge::{EnlargeError, EnlargeSettings, enlarge};
pub use random::Random;
