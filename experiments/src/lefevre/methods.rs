//! The searches that are held against each other. One that has not landed yet leaves its column empty,
//! and is measured as soon as the table of algorithms has it.

use coarsen::policy::Policy;
use coarsen::search;
use coarsen_learn::Method;

use super::Fallible;

/// A search with its settings under a name.
pub struct Contender {
    /// As the column is headed.
    pub name: &'static str,
    algorithm: &'static str,
    /// Its own settings, as TOML.
    settings: &'static str,
    /// The loss that it is told to lose least of.
    loss: &'static str,
}

/// Every search of the comparison.
pub const CONTENDERS: &[Contender] = &[
    Contender {
        name: "InfoGain Mondrian",
        algorithm: "mondrian",
        settings: "split = \"info-gain\"",
        loss: "conditional-entropy",
    },
    Contender {
        name: "Median Mondrian",
        algorithm: "mondrian",
        settings: "split = \"median\"",
        loss: "lm",
    },
    Contender {
        name: "TDS",
        algorithm: "top-down",
        settings: "",
        loss: "conditional-entropy",
    },
    Contender {
        name: "bottom-up",
        algorithm: "bottom-up",
        settings: "",
        loss: "conditional-entropy",
    },
    Contender {
        name: "bottom-up, refined",
        algorithm: "bottom-up",
        settings: "over = \"table\"\nrefine = true",
        loss: "conditional-entropy",
    },
    Contender {
        name: "genetic (CM)",
        algorithm: "genetic",
        settings: "",
        loss: "cm",
    },
];

impl Contender {
    /// Whether the table of algorithms has it.
    pub fn has_landed(&self) -> bool {
        search::find(self.algorithm).is_some()
    }

    /// The method for a k, over the columns of a policy.
    pub fn method(&self, policy: &Policy, k: u64) -> Fallible<Method> {
        method(
            self.name,
            policy,
            k,
            self.algorithm,
            self.settings,
            self.loss,
        )
    }
}

/// A method by its parts.
pub fn method(
    name: &str,
    policy: &Policy,
    k: u64,
    algorithm: &str,
    settings: &str,
    loss: &str,
) -> Fallible<Method> {
    let mut policy = policy.clone();
    policy.privacy.k = k;
    policy.search.algorithm = algorithm.into();
    policy.search.loss = loss.into();
    let own: toml::Value = toml::from_str(settings)?;
    policy.search.settings.insert(algorithm.into(), own);
    Ok(Method {
        name: name.into(),
        policy,
    })
}

/// The contenders that are there, by their place in [`CONTENDERS`], with their methods.
pub fn present(policy: &Policy, k: u64) -> Fallible<Vec<(usize, Method)>> {
    let landed = CONTENDERS
        .iter()
        .enumerate()
        .filter(|(_, one)| one.has_landed());
    landed
        .map(|(place, one)| Ok((place, one.method(policy, k)?)))
        .collect()
}
