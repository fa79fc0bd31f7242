//! The lists from which the clinic's patients are drawn: names, places, ages, illnesses. All of it is invented; the ZIP
//! codes begin with 568, 578, 579 and 589, which the American post does not use.

pub(super) const FEMALE_NAMES: [&str; 40] = [
    "Abigail", "Alma", "Amelia", "Anita", "Beatrice", "Bianca", "Carmen", "Clara", "Daria",
    "Edith", "Elena", "Esther", "Fatima", "Flora", "Grace", "Hanna", "Helen", "Ingrid", "Irene",
    "Jasmine", "Joan", "Judith", "Katya", "Laura", "Leila", "Lucy", "Maria", "Mei", "Miriam",
    "Nadia", "Nora", "Olga", "Paula", "Priya", "Rosa", "Ruth", "Sofia", "Tamara", "Vera", "Yara",
];

pub(super) const MALE_NAMES: [&str; 40] = [
    "Aaron", "Adam", "Ahmed", "Albert", "Andre", "Boris", "Bruno", "Carl", "Cesar", "Daniel",
    "David", "Diego", "Edgar", "Elias", "Felix", "Frank", "George", "Hassan", "Henry", "Hugo",
    "Ivan", "Jacob", "James", "Jonas", "Juan", "Kofi", "Leo", "Louis", "Marco", "Martin", "Nils",
    "Omar", "Oscar", "Paul", "Rafael", "Samuel", "Simon", "Tariq", "Victor", "Wei",
];

pub(super) const FAMILY_NAMES: [&str; 60] = [
    "Adler", "Albright", "Amari", "Archer", "Baker", "Barros", "Becker", "Bianchi", "Brook",
    "Carver", "Castillo", "Chen", "Cole", "Cooper", "Dahl", "Dubois", "Eriksen", "Farrow",
    "Fisher", "Fontaine", "Garcia", "Greene", "Haas", "Haddad", "Hale", "Hill", "Holm", "Ibarra",
    "Ito", "Jansen", "Kaya", "Keller", "Kim", "Kowalski", "Lang", "Lind", "Lopez", "Marsh",
    "Mason", "Mensah", "Moreau", "Nakamura", "Novak", "Okafor", "Olsen", "Park", "Petrov", "Quinn",
    "Rao", "Reyes", "Rossi", "Sato", "Silva", "Stone", "Tan", "Varga", "Weaver", "Winter",
    "Yilmaz", "Zeller",
];

/// A kind of place: the ZIP codes that begin alike, with their weights, and how its people's ages are tilted.
pub(super) struct District {
    pub(super) prefix: &'static str,
    /// The last two digits and how many of the clinic's patients come from there.
    pub(super) zips: &'static [(u8, u64)],
    /// Percent by which the weight of each of [`AGES`] is multiplied.
    pub(super) ages: [u64; 5],
}

/// A city, its suburbs, market towns, and villages in which a patient stands out.
pub(super) const DISTRICTS: [District; 4] = [
    District {
        prefix: "568",
        zips: &[
            (1, 95),
            (2, 120),
            (3, 110),
            (4, 80),
            (5, 140),
            (7, 70),
            (11, 105),
            (12, 65),
            (14, 90),
            (15, 55),
        ],
        ages: [90, 130, 100, 85, 80],
    },
    District {
        prefix: "578",
        zips: &[
            (20, 60),
            (21, 45),
            (23, 70),
            (24, 35),
            (30, 50),
            (31, 40),
            (36, 25),
            (38, 30),
        ],
        ages: [150, 90, 110, 90, 75],
    },
    District {
        prefix: "579",
        zips: &[
            (1, 30),
            (3, 22),
            (10, 26),
            (12, 14),
            (40, 18),
            (41, 9),
            (45, 12),
            (48, 16),
        ],
        ages: [95, 80, 105, 115, 110],
    },
    District {
        prefix: "589",
        zips: &[
            (2, 6),
            (5, 4),
            (9, 3),
            (13, 5),
            (17, 2),
            (22, 3),
            (26, 1),
            (31, 2),
            (54, 4),
            (58, 1),
            (77, 2),
            (93, 1),
        ],
        ages: [60, 55, 90, 140, 160],
    },
];

/// First and last age of a band, and its weight among the patients of a hospital, who are older than their neighbours.
pub(super) const AGES: [(i64, i64, u64); 5] = [
    (0, 17, 9),
    (18, 39, 22),
    (40, 64, 30),
    (65, 79, 26),
    (80, 99, 13),
];

/// One diagnosis: its place in the hierarchy and who has it.
pub(super) struct Diagnosis {
    pub(super) name: &'static str,
    pub(super) block: &'static str,
    pub(super) chapter: &'static str,
    /// First and last age.
    pub(super) from: i64,
    pub(super) to: i64,
    /// Weight in each of [`AGES`], for women and for men alike ...
    pub(super) ages: [u64; 5],
    /// ... times these.
    pub(super) female: u64,
    pub(super) male: u64,
    /// Days in hospital, about.
    pub(super) stay: f64,
}

type Listed = (&'static str, [u64; 5], u64, u64, f64);

/// The catalogue by chapter and block: name, weights by age, factors of women and men, days.
#[rustfmt::skip]
const CATALOGUE: [(&str, &str, &[Listed]); 18] = [
    ("Circulatory system", "Heart disease", &[
        ("Heart failure", [0, 1, 8, 30, 60], 4, 5, 7.0),
        ("Myocardial infarction", [0, 1, 16, 25, 22], 3, 6, 6.0),
        ("Atrial fibrillation", [0, 1, 9, 24, 30], 5, 5, 4.0),
    ]),
    ("Circulatory system", "Vascular disease", &[
        ("Stroke", [0, 1, 9, 25, 34], 5, 5, 9.0),
        ("Hypertension", [0, 3, 14, 16, 12], 5, 4, 2.0),
        ("Deep vein thrombosis", [0, 4, 8, 9, 6], 5, 4, 4.0),
    ]),
    ("Respiratory system", "Respiratory infection", &[
        ("Pneumonia", [16, 6, 12, 24, 42], 4, 5, 6.0),
        ("Influenza", [14, 7, 7, 10, 14], 5, 5, 3.0),
        ("Bronchiolitis", [110, 0, 0, 0, 0], 4, 5, 3.0),
    ]),
    ("Respiratory system", "Chronic lung disease", &[
        ("COPD", [0, 0, 12, 26, 18], 4, 5, 6.0),
        ("Asthma", [22, 10, 8, 5, 2], 5, 4, 3.0),
    ]),
    ("Digestive system", "Abdominal emergency", &[
        ("Appendicitis", [24, 16, 6, 2, 1], 4, 5, 3.0),
        ("Gallstones", [1, 12, 20, 14, 8], 6, 3, 3.0),
        ("Bowel obstruction", [2, 3, 9, 14, 14], 5, 5, 6.0),
    ]),
    ("Digestive system", "Stomach and bowel disease", &[
        ("Gastric ulcer", [0, 4, 10, 10, 8], 4, 5, 4.0),
        ("Crohn disease", [4, 10, 7, 2, 0], 5, 5, 6.0),
    ]),
    ("Cancer", "Cancer of breast or genitals", &[
        ("Breast cancer", [0, 3, 20, 16, 9], 8, 0, 4.0),
        ("Ovarian cancer", [0, 1, 6, 6, 3], 7, 0, 6.0),
        ("Prostate cancer", [0, 0, 12, 22, 12], 0, 8, 4.0),
    ]),
    ("Cancer", "Other cancer", &[
        ("Lung cancer", [0, 0, 14, 20, 8], 4, 5, 7.0),
        ("Colorectal cancer", [0, 1, 12, 18, 14], 4, 5, 8.0),
        ("Leukemia", [5, 2, 4, 7, 4], 4, 5, 14.0),
    ]),
    ("Pregnancy", "Childbirth", &[
        ("Vaginal delivery", [2, 75, 3, 0, 0], 9, 0, 2.0),
        ("Caesarean delivery", [0, 32, 3, 0, 0], 9, 0, 4.0),
    ]),
    ("Pregnancy", "Complication of pregnancy", &[
        ("Pre-eclampsia", [0, 10, 1, 0, 0], 9, 0, 5.0),
        ("Miscarriage", [0, 12, 2, 0, 0], 9, 0, 1.0),
    ]),
    ("Injury", "Fracture", &[
        ("Hip fracture", [0, 1, 5, 22, 58], 7, 3, 9.0),
        ("Wrist fracture", [16, 6, 8, 9, 6], 5, 4, 1.0),
        ("Ankle fracture", [6, 10, 10, 6, 3], 5, 5, 3.0),
    ]),
    ("Injury", "Other injury", &[
        ("Concussion", [22, 12, 6, 6, 8], 4, 6, 1.0),
        ("Burn", [8, 5, 4, 2, 2], 4, 6, 8.0),
        ("Poisoning", [9, 10, 6, 3, 2], 5, 5, 2.0),
    ]),
    ("Mental health", "Mood disorder", &[
        ("Depression", [10, 18, 16, 8, 5], 6, 4, 12.0),
        ("Bipolar disorder", [1, 9, 7, 2, 1], 5, 5, 14.0),
    ]),
    ("Mental health", "Other mental disorder", &[
        ("Schizophrenia", [1, 10, 7, 2, 0], 4, 6, 18.0),
        ("Alcohol dependence", [1, 9, 20, 7, 1], 2, 7, 8.0),
    ]),
    ("Metabolism", "Diabetes", &[
        ("Type 1 diabetes", [14, 7, 4, 1, 0], 5, 5, 4.0),
        ("Type 2 diabetes", [0, 3, 17, 20, 13], 4, 5, 5.0),
    ]),
    ("Metabolism", "Thyroid disease", &[
        ("Overactive thyroid", [1, 4, 4, 3, 1], 8, 2, 2.0),
        ("Underactive thyroid", [1, 3, 6, 4, 3], 8, 2, 2.0),
    ]),
    ("Infection", "Acute infection", &[
        ("Sepsis", [4, 3, 9, 18, 28], 5, 5, 10.0),
        ("Kidney infection", [6, 10, 6, 10, 18], 7, 3, 4.0),
    ]),
    ("Infection", "Chronic infection", &[
        ("HIV infection", [0, 5, 6, 1, 0], 2, 6, 6.0),
        ("Hepatitis C", [0, 3, 8, 3, 1], 3, 6, 4.0),
    ]),
];

/// The first and last age of those that do not come at any age within their bands.
const LIMITS: [(&str, i64, i64); 18] = [
    ("Bronchiolitis", 0, 2),
    ("Gallstones", 15, 99),
    ("Crohn disease", 8, 99),
    ("Breast cancer", 25, 99),
    ("Ovarian cancer", 25, 99),
    ("Prostate cancer", 48, 99),
    ("Lung cancer", 44, 99),
    ("Vaginal delivery", 17, 45),
    ("Caesarean delivery", 18, 46),
    ("Pre-eclampsia", 18, 45),
    ("Miscarriage", 18, 46),
    ("Wrist fracture", 3, 99),
    ("Depression", 12, 99),
    ("Bipolar disorder", 16, 99),
    ("Schizophrenia", 17, 99),
    ("Alcohol dependence", 17, 99),
    ("Overactive thyroid", 8, 99),
    ("Underactive thyroid", 8, 99),
];

/// Every diagnosis of the catalogue, in its order.
pub(super) fn diagnoses() -> Vec<Diagnosis> {
    let mut all = Vec::new();
    for (chapter, block, listed) in CATALOGUE {
        for &(name, ages, female, male, stay) in listed {
            let limits = LIMITS.iter().find(|(limited, _, _)| *limited == name);
            let (from, to) = limits.map_or((0, 99), |&(_, from, to)| (from, to));
            all.push(Diagnosis {
                name,
                block,
                chapter,
                from,
                to,
                ages,
                female,
                male,
                stay,
            });
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_is_about_a_diagnosis_and_every_age_and_sex_has_some() {
        let all = diagnoses();
        assert!(
            LIMITS
                .iter()
                .all(|(name, _, _)| all.iter().any(|d| d.name == *name))
        );
        for (band, (first, last, _)) in AGES.into_iter().enumerate() {
            for age in first..=last {
                let open = |d: &&Diagnosis| d.from <= age && age <= d.to && d.ages[band] > 0;
                assert!(all.iter().filter(open).filter(|d| d.female > 0).count() > 5);
                assert!(all.iter().filter(open).filter(|d| d.male > 0).count() > 5);
            }
        }
    }
}
