//! The steps of the page, in their order.

/// A step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Which table.
    Data,
    /// What its columns are.
    Columns,
    /// What the release must meet.
    Protection,
    /// How it is looked for.
    Search,
    /// Which of many.
    Explore,
    /// What it is good for.
    Utility,
    /// How exposed people still are.
    Risk,
    /// Where it goes.
    Release,
}

impl Step {
    /// All of them.
    pub const ALL: [Step; 8] = [
        Step::Data,
        Step::Columns,
        Step::Protection,
        Step::Search,
        Step::Explore,
        Step::Utility,
        Step::Risk,
        Step::Release,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Step::Data => "Data",
            Step::Columns => "Columns",
            Step::Protection => "Protection",
            Step::Search => "Search",
            Step::Explore => "Explore",
            Step::Utility => "Utility",
            Step::Risk => "Risk",
            Step::Release => "Release",
        }
    }

    /// Its address.
    pub fn path(self) -> &'static str {
        match self {
            Step::Data => "/data",
            Step::Columns => "/columns",
            Step::Protection => "/protection",
            Step::Search => "/search",
            Step::Explore => "/explore",
            Step::Utility => "/utility",
            Step::Risk => "/risk",
            Step::Release => "/release",
        }
    }

    /// The step after it.
    pub fn next(self) -> Option<Step> {
        let place = Step::ALL.iter().position(|step| *step == self)?;
        Step::ALL.get(place + 1).copied()
    }

    /// Whether it shows a release, so that there must be one.
    pub fn needs_release(self) -> bool {
        matches!(self, Step::Utility | Step::Risk | Step::Release)
    }
}
