//! How exposed the rows of the input are: what the figures of a release are held against.

use coarsen::audit::{Audit, AuditSettings, Sensitive, audit};
use coarsen::counts::Counts;
use coarsen::domain::{Attribute, Domain};
use coarsen::policy::Policy;

/// The input audited as if it were released as it is; none where its combinations were never counted.
/// `sensitive` are the columns to speak of, `threshold` the risk above which a row is at risk.
pub fn audit_before(
    policy: &Policy,
    attributes: &[Attribute],
    counts: &Counts,
    sensitive: &[&str],
    threshold: f64,
) -> Option<Audit> {
    if counts.is_lumped() {
        return None;
    }
    let domains: Vec<Domain> = attributes.iter().map(|a| a.domain.clone()).collect();
    let sensitive: Vec<Sensitive> = sensitive
        .iter()
        .filter_map(|column| {
            let tally = counts.tally(column)?;
            Sensitive::of(counts, tally, policy.columns.get(*column)).ok()
        })
        .collect();
    let settings = AuditSettings {
        threshold: Some(threshold),
        population: None,
    };
    Some(audit(counts, &domains, &[], &sensitive, settings))
}
