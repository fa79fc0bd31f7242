//! Combinations told apart by some of their figures, without a list of figures for each: one number for
//! each combination, made smaller where it would outgrow 64 bits, and looked up in a table of all numbers
//! where they are few.

/// Up to this many different numbers there is a table of all of them.
const MOST_DIRECT: u64 = 1 << 16;

const SCATTER: u64 = 0x9E37_79B9_7F4A_7C15;

/// A number for each combination.
pub(super) struct Keys {
    keys: Vec<u64>,
    /// All are below this.
    below: u64,
}

impl Keys {
    /// All alike.
    pub fn new(combinations: usize) -> Self {
        Keys {
            keys: vec![0; combinations],
            below: 1,
        }
    }

    /// Tells them apart by a figure of each code too; all figures are below `count`.
    pub fn add(&mut self, codes: &[u32], figure: &[u32], count: usize) {
        let count = count as u64;
        if self.below.checked_mul(count).is_none() {
            let (numbers, first_of) = self.numbered();
            self.keys = numbers.into_iter().map(u64::from).collect();
            self.below = first_of.len() as u64;
        }
        let part: Vec<u64> = figure.iter().map(|f| self.below * u64::from(*f)).collect();
        let with = self.keys.iter_mut().zip(codes);
        with.for_each(|(key, code)| *key += part[*code as usize]);
        self.below *= count;
    }

    /// Each combination's number among those that differ, as they are first met; and where that was.
    pub fn numbered(&self) -> (Vec<u32>, Vec<u32>) {
        let mut first_of: Vec<u32> = Vec::new();
        let mut numbers = Vec::with_capacity(self.keys.len());
        if self.below <= MOST_DIRECT {
            let mut direct = vec![u32::MAX; self.below as usize];
            for (place, key) in self.keys.iter().enumerate() {
                let slot = &mut direct[*key as usize];
                if *slot == u32::MAX {
                    *slot = first_of.len() as u32;
                    first_of.push(place as u32);
                }
                numbers.push(*slot);
            }
            return (numbers, first_of);
        }
        let size = (self.keys.len() * 2).next_power_of_two().max(64);
        let down = 64 - size.trailing_zeros();
        let mut slots = vec![u32::MAX; size];
        for (place, key) in self.keys.iter().enumerate() {
            let mut slot = (key.wrapping_mul(SCATTER) >> down) as usize;
            let number = loop {
                let number = slots[slot];
                if number == u32::MAX {
                    slots[slot] = first_of.len() as u32;
                    first_of.push(place as u32);
                    break slots[slot];
                }
                if self.keys[first_of[number as usize] as usize] == *key {
                    break number;
                }
                slot = (slot + 1) & (size - 1);
            };
            numbers.push(number);
        }
        (numbers, first_of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_are_numbered_as_they_are_met() {
        let figure: Vec<u32> = (0..200).collect();
        let columns: Vec<Vec<u32>> = (0..12u32)
            .map(|c| {
                (0..300u32)
                    .map(|i| (i * i + c * i) % 7 * (c % 3 + 1))
                    .collect()
            })
            .collect();
        // 200 to the 12th is more than 64 bits hold.
        for width in [1, 2, 12] {
            let mut keys = Keys::new(300);
            columns[..width]
                .iter()
                .for_each(|codes| keys.add(codes, &figure, 200));
            let (numbers, first_of) = keys.numbered();
            let row = |i: usize| -> Vec<u32> { columns[..width].iter().map(|c| c[i]).collect() };
            let mut seen: Vec<Vec<u32>> = Vec::new();
            for (i, number) in numbers.iter().enumerate() {
                if !seen.contains(&row(i)) {
                    assert_eq!(first_of[seen.len()] as usize, i);
                    seen.push(row(i));
                }
                assert_eq!(seen[*number as usize], row(i));
            }
            assert_eq!(seen.len(), first_of.len());
        }
    }
}
