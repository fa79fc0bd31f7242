//! The patients of `examples/clinic`: a small hospital's table to try everything on, in which nobody is real.
//!
//! No paper: it is made so that the usual questions have answers. Ages lean old and with the place; a diagnosis hangs
//! on age and sex, the days in hospital on diagnosis and age, insurance on age; ZIP codes share prefixes by district,
//! and the villages have so few patients that a birth year is enough to find one. Some cells are missing.

mod lists;

use std::fmt::Write;

use chrono::NaiveDate;

use super::random::Random;
use lists::{AGES, DISTRICTS, Diagnosis, FAMILY_NAMES, FEMALE_NAMES, MALE_NAMES, diagnoses};

/// The seed of the shipped `patients.csv`.
pub const SHIPPED_SEED: u64 = 1;

/// The number of patients in it.
pub const SHIPPED_PATIENTS: usize = 2000;

/// The year in which all of them came.
pub const YEAR: i32 = 2024;

/// The columns, in order.
pub const COLUMNS: [&str; 7] = [
    "name",
    "birth_date",
    "zip",
    "sex",
    "diagnosis",
    "insurance",
    "length_of_stay",
];

/// The table as CSV text with a header: the same seed gives the same bytes for ever, and more patients only add lines.
///
/// `birth_date` is an ISO date, `zip` five digits, `sex` F or M, `length_of_stay` whole days from 1. A missing cell is
/// empty; `name`, `sex`, `diagnosis` and `length_of_stay` are never missing. No value needs quoting.
///
/// ```
/// # use coarsen::synthetic::clinic_csv;
/// let table = clinic_csv(1, 20);
/// assert_eq!(table.lines().count(), 21);
/// assert!(table.starts_with("name,birth_date,zip,sex,diagnosis,insurance,length_of_stay\n"));
/// ```
pub fn clinic_csv(seed: u64, patients: usize) -> String {
    let diagnoses = diagnoses();
    let mut text = String::with_capacity(80 * (patients + 1));
    text.push_str(&COLUMNS.join(","));
    text.push('\n');
    for patient in 0..patients {
        // A stream a patient, so that a change in how one of them is made leaves the others as they were.
        write_patient(
            &mut text,
            &mut Random::stream(seed, patient as u64),
            &diagnoses,
        );
    }
    text
}

/// The hierarchy of `diagnosis` in ARX's layout: a line a diagnosis, `diagnosis;block;chapter;*`, without a header.
pub fn diagnosis_hierarchy_csv() -> String {
    diagnoses()
        .iter()
        .map(|d| format!("{};{};{};*\n", d.name, d.block, d.chapter))
        .collect()
}

fn write_patient(text: &mut String, random: &mut Random, diagnoses: &[Diagnosis]) {
    let districts = DISTRICTS
        .iter()
        .map(|district| district.zips.iter().map(|&(_, weight)| weight).sum());
    let district = &DISTRICTS[random.weighted(districts)];
    let (zip, _) = district.zips[random.weighted(district.zips.iter().map(|&(_, weight)| weight))];

    let band = random.weighted(
        AGES.iter()
            .zip(district.ages)
            .map(|(&(_, _, weight), tilt)| weight * tilt),
    );
    let (youngest, oldest, _) = AGES[band];
    // Of the oldest band the lesser of two draws, for few grow very old.
    let drawn = random.between(youngest, oldest);
    let age = if band == AGES.len() - 1 {
        drawn.min(random.between(youngest, oldest))
    } else {
        drawn
    };
    let born = NaiveDate::from_yo_opt(YEAR - age as i32, 1 + random.below(365) as u32)
        .expect("every year has 365 days, and these are not before 1925");

    // More women at the ages of childbirth and among the oldest.
    let female = random.chance([0.48, 0.60, 0.48, 0.49, 0.58][band]);
    let given = if female { &FEMALE_NAMES } else { &MALE_NAMES };
    let given = given[random.below(given.len() as u64) as usize];
    let family = FAMILY_NAMES[random.below(FAMILY_NAMES.len() as u64) as usize];

    let weights = diagnoses.iter().map(|d| {
        let possible = u64::from(d.from <= age && age <= d.to);
        possible * d.ages[band] * if female { d.female } else { d.male }
    });
    let diagnosis = &diagnoses[random.weighted(weights)];

    let insurance = ["public", "private", "veteran", "none"][random.weighted(
        match (band, female) {
            (0, _) => [45, 50, 0, 5],
            (1 | 2, true) => [20, 65, 2, 13],
            (1 | 2, false) => [17, 62, 7, 14],
            (_, true) => [86, 12, 1, 1],
            (_, false) => [76, 12, 11, 1],
        }
        .into_iter(),
    )];

    // Around the diagnosis's days, longer with age, and now and then much longer.
    let spread = 0.4 + 0.6 * (random.unit() + random.unit());
    let slow = if random.chance(0.04) { 2.5 } else { 1.0 };
    let days = diagnosis.stay * spread * slow * (0.8 + 0.005 * age as f64);
    let days = (days as i64).max(1);

    let born = if random.chance(0.008) {
        String::new()
    } else {
        born.to_string()
    };
    let zip = if random.chance(0.012) {
        String::new()
    } else {
        format!("{}{zip:02}", district.prefix)
    };
    let insurance = if random.chance(0.02) { "" } else { insurance };
    let sex = if female { "F" } else { "M" };
    let name = diagnosis.name;
    writeln!(
        text,
        "{given} {family},{born},{zip},{sex},{name},{insurance},{days}"
    )
    .expect("writing to a string cannot fail");
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    const SHIPPED: &str = include_str!("../../../../../examples/clinic/patients.csv");
    const SHIPPED_HIERARCHY: &str = include_str!("../../../../../examples/clinic/diagnosis.csv");

    fn rows() -> Vec<Vec<&'static str>> {
        SHIPPED
            .lines()
            .skip(1)
            .map(|line| line.split(',').collect())
            .collect()
    }

    #[test]
    fn the_shipped_files_are_what_the_seed_gives() {
        // Not assert_eq: two thousand lines are no message.
        assert!(
            clinic_csv(SHIPPED_SEED, SHIPPED_PATIENTS) == SHIPPED,
            "examples/clinic/patients.csv differs"
        );
        assert!(
            diagnosis_hierarchy_csv() == SHIPPED_HIERARCHY,
            "examples/clinic/diagnosis.csv differs"
        );
        assert!(SHIPPED.starts_with(&clinic_csv(SHIPPED_SEED, 10)));
        assert_ne!(clinic_csv(2, 10), clinic_csv(1, 10));
    }

    #[test]
    fn cells_are_well_formed_and_few_are_missing() {
        let rows = rows();
        assert_eq!(rows.len(), SHIPPED_PATIENTS);
        let missing = |column: usize| rows.iter().filter(|row| row[column].is_empty()).count();
        assert_eq!([0, 3, 4, 6].map(missing), [0; 4]);
        for column in [1, 2, 5] {
            assert!(
                (5..80).contains(&missing(column)),
                "column {column}: {}",
                missing(column)
            );
        }
        for row in &rows {
            assert_eq!(row.len(), COLUMNS.len());
            assert!(row[1].is_empty() || row[1].parse::<NaiveDate>().is_ok());
            assert!(row[2].is_empty() || (row[2].len() == 5 && row[2].parse::<u32>().is_ok()));
            assert!(["F", "M"].contains(&row[3]));
            assert!((1..150).contains(&row[6].parse::<u32>().unwrap()));
        }
        assert!(!SHIPPED.contains('"'));
    }

    #[test]
    fn the_hierarchy_is_a_tree_over_every_diagnosis() {
        let mut parents: BTreeMap<(usize, &str), &str> = BTreeMap::new();
        for line in SHIPPED_HIERARCHY.lines() {
            let nodes: Vec<&str> = line.split(';').collect();
            assert_eq!((nodes.len(), nodes[3]), (4, "*"));
            for level in 0..3 {
                let parent = parents
                    .entry((level, nodes[level]))
                    .or_insert(nodes[level + 1]);
                assert_eq!(
                    *parent,
                    nodes[level + 1],
                    "{} has two parents",
                    nodes[level]
                );
            }
        }
        let leaves: BTreeSet<&str> = SHIPPED_HIERARCHY
            .lines()
            .filter_map(|line| line.split(';').next())
            .collect();
        assert_eq!(leaves.len(), SHIPPED_HIERARCHY.lines().count());
        let seen: BTreeSet<&str> = rows().iter().map(|row| row[4]).collect();
        assert_eq!(seen, leaves, "every leaf occurs, and nothing else");
    }

    #[test]
    fn places_are_uneven_and_illness_follows_age_and_sex() {
        let mut zips: BTreeMap<&str, usize> = BTreeMap::new();
        for row in rows() {
            *zips.entry(row[2]).or_default() += 1;
            let never_for = match row[4] {
                "Prostate cancer" => "F",
                "Breast cancer" | "Vaginal delivery" | "Caesarean delivery" | "Miscarriage" => "M",
                _ => "",
            };
            assert_ne!(row[3], never_for, "{row:?}");
        }
        assert!(
            zips.len() > 30 && zips.values().filter(|&&n| n < 5).count() >= 5,
            "{zips:?}"
        );
        assert!(zips.values().any(|&n| n > 100));
        let mean_birth_year = |diagnosis: &str| {
            let years: Vec<f64> = rows()
                .iter()
                .filter(|row| row[4] == diagnosis && !row[1].is_empty())
                .map(|row| row[1][..4].parse().unwrap())
                .collect();
            years.iter().sum::<f64>() / years.len() as f64
        };
        assert!(mean_birth_year("Hip fracture") + 40.0 < mean_birth_year("Appendicitis"));
    }
}
