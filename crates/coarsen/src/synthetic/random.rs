//! A small seeded generator whose output never changes: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
//!
//! Of our own, and not the `rand` crate's, for three reasons. A shipped table is compared byte for byte with what its
//! seed gives, so neither a generator nor its mapping to ranges may change under an upgrade. The state is a counter:
//! a million draws are skipped by one multiplication, so parts of a table can be made apart. And a column of ten
//! million values costs some hundredths of a second, with no dependency. It is no source of secrets: tokens and keyed
//! hashes must not come from here.

/// The odd constant by which the counter advances: 2⁶⁴ divided by the golden ratio.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// A seeded stream of random numbers; see the module for what it promises.
///
/// ```
/// # use coarsen::synthetic::Random;
/// let mut random = Random::new(7);
/// let die = random.between(1, 6);
/// assert!((1..=6).contains(&die));
/// assert_eq!(Random::new(7).between(1, 6), die);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The stream of `seed`.
    pub fn new(seed: u64) -> Random {
        Random::stream(seed, 0)
    }

    /// One of the many streams of `seed`, told apart by `number`: a column that has a stream to itself keeps its values
    /// whatever is drawn for the others.
    pub fn stream(seed: u64, number: u64) -> Random {
        // Both are mixed, for seeds 1, 2, 3 would otherwise start one step apart on the same cycle.
        Random {
            state: mix(mix(seed) ^ mix(number.wrapping_add(STEP))),
        }
    }

    /// The next 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(STEP);
        mix(self.state)
    }

    /// Passes over the next `draws` draws, at once.
    pub fn skip(&mut self, draws: u64) {
        self.state = self.state.wrapping_add(STEP.wrapping_mul(draws));
    }

    /// A whole number from 0 to `bound` − 1; 0 where `bound` is 0.
    ///
    /// The high half of a product, without the rejection that would make it exact: the bias is below `bound` / 2⁶⁴, and
    /// every call costs exactly one draw, on which [`skip`](Random::skip) relies.
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next_u64()) * u128::from(bound)) >> 64) as u64
    }

    /// A whole number from `low` to `high`, both included; `low` where `high` is below it.
    #[inline]
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        if high < low {
            self.next_u64();
            return low;
        }
        // The whole of i64 would need a bound of 2⁶⁴; one value short of it is near enough.
        low.wrapping_add(self.below((high.wrapping_sub(low) as u64).saturating_add(1)) as i64)
    }

    /// A number in [0, 1), one of 2⁵³ evenly spaced.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// True `share` of the time.
    #[inline]
    pub fn chance(&mut self, share: f64) -> bool {
        self.unit() < share
    }

    /// A place in `weights`, each as often as its weight says; 0 where all of them are 0.
    pub fn weighted(&mut self, weights: impl Iterator<Item = u64> + Clone) -> usize {
        let mut left = self.below(weights.clone().sum());
        for (place, weight) in weights.enumerate() {
            if left < weight {
                return place;
            }
            left -= weight;
        }
        0
    }
}

/// SplitMix64's finalizer: a bijection of the 64-bit numbers that leaves no trace of counting.
#[inline]
fn mix(state: u64) -> u64 {
    let mut bits = state;
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_splitmix64_as_published() {
        // The first outputs of the reference implementation from state 1234567.
        let mut random = Random { state: 1_234_567 };
        let drawn: Vec<u64> = (0..5).map(|_| random.next_u64()).collect();
        assert_eq!(
            drawn,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821,
            ]
        );
    }

    #[test]
    fn skipping_equals_drawing() {
        let mut drawn = Random::new(3);
        (0..1000).for_each(|_| {
            drawn.next_u64();
        });
        let mut skipped = Random::new(3);
        skipped.skip(1000);
        assert_eq!(drawn, skipped);
    }

    #[test]
    fn streams_and_seeds_differ() {
        let mut firsts: Vec<u64> = Vec::new();
        for seed in 0..50 {
            firsts.extend((0..50).map(|number| Random::stream(seed, number).next_u64()));
        }
        firsts.sort_unstable();
        firsts.dedup();
        assert_eq!(firsts.len(), 2500);
    }

    #[test]
    fn ranges_include_both_ends_and_are_even() {
        let mut random = Random::new(1);
        let mut seen = [0u32; 6];
        for _ in 0..60_000 {
            seen[(random.between(-2, 3) + 2) as usize] += 1;
        }
        assert!(
            seen.iter().all(|&n| (9_500..10_500).contains(&n)),
            "{seen:?}"
        );
        assert_eq!(random.between(5, 5), 5);
        assert_eq!(random.between(5, 4), 5);
        assert_eq!(random.below(0), 0);
        random.between(i64::MIN, i64::MAX);
        let unit = random.unit();
        assert!((0.0..1.0).contains(&unit));
    }

    #[test]
    fn weights_are_followed() {
        let mut random = Random::new(2);
        let mut seen = [0u32; 3];
        for _ in 0..40_000 {
            seen[random.weighted([1u64, 0, 3].into_iter())] += 1;
        }
        assert!(
            seen[1] == 0 && (9_500..10_500).contains(&seen[0]),
            "{seen:?}"
        );
        assert_eq!(random.weighted([0u64, 0].into_iter()), 0);
    }
}
