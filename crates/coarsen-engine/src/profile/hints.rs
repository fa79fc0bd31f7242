//! What a column's name says about it: words that stewards use, each group with its role and the
//! reason for it. A new word is one entry here.

use coarsen::policy::Role;

/// A group of words with what they mean.
#[derive(Debug)]
pub(super) struct Hint {
    /// The role that they suggest.
    pub role: Role,
    /// Why.
    pub why: &'static str,
    /// Whether they name postal codes, whose ends can be masked.
    pub is_postal: bool,
    /// Whether they name dates.
    pub is_date: bool,
    /// The words, blanks between them; a `*` at the end stands for any ending.
    words: &'static str,
}

const fn hint(role: Role, why: &'static str, words: &'static str) -> Hint {
    Hint {
        role,
        why,
        is_postal: false,
        is_date: false,
        words,
    }
}

use Role::{Identifier, QuasiIdentifier, Sensitive};

/// The first group that has a word of the name decides, so what is worst to miss comes first.
const HINTS: &[Hint] = &[
    hint(
        Identifier,
        "an official or internal number names one person",
        "id ids ident identifier uid uuid guid pid ssn nin nino socialsecurity* mrn nhs \
             passport* license licence iban bic accountn* cardn* creditcard matricul* ahv \
             svnr steuernummer steuerid taxid dni curp cpf bsn pesel aadhaar medicalrecord* \
             plate vin imei serial* fingerprint*",
    ),
    hint(
        Identifier,
        "a way to reach one person or household",
        "email mail phone telephone tel mobile fax address addr street strasse straße \
             adresse ip mac url website homepage username login twitter facebook",
    ),
    hint(
        Identifier,
        "a person's name",
        "surname lastname firstname forename fullname middlename givenname familyname \
             maiden* nickname vorname nachname prenom prénom nom nombre apellido* initials \
             signature",
    ),
    hint(
        Sensitive,
        "about health, which nobody should learn of a person",
        "diagnos* disease* icd medication* medicine* drug* treatment* therap* hiv aids \
             illness* condition symptom* procedure* surger* allerg* pregnan* cancer* tumor* \
             tumour* mental* disab* disorder* health* contracept* abort* causeofdeath \
             prescri* vaccin* infect* bloodpressure bloodgroup genetic* gene krankheit* \
             diagnose* depress* suicid* alcohol* smok*",
    ),
    hint(
        Sensitive,
        "about money, which few outside know of a person",
        "income* salar* wage* earning* debt* credit* balance loan* mortgage* capital* \
             wealth* networth bankrupt* pension* tax taxes gehalt einkommen salaire \
             benefit* welfare",
    ),
    hint(
        Sensitive,
        "about the law or convictions, which may harm a person",
        "crime* criminal* offen* convict* arrest* sentence* prison* vote* voting party \
             politic* sexual* orientation",
    ),
    Hint {
        is_date: true,
        ..hint(
            QuasiIdentifier,
            "a date of birth is known to many, and with place and sex it singles out most people",
            "birth* dob born bday yob dateofbirth geburt* geb naissance nacimiento",
        )
    },
    hint(
        QuasiIdentifier,
        "a person's age is known to many",
        "age ages alter edad",
    ),
    hint(
        QuasiIdentifier,
        "seen by everybody",
        "sex gender geschlecht sexe sexo",
    ),
    hint(
        QuasiIdentifier,
        "origin is seen or known by many",
        "race racial ethnic* skin tribe caste nationality citizen* country* native* \
             origin* immigra* migrat* visa",
    ),
    Hint {
        is_postal: true,
        ..hint(
            QuasiIdentifier,
            "where a person lives is public knowledge",
            "zip* postal* postcode* plz postleitzahl codepostal pincode",
        )
    },
    hint(
        QuasiIdentifier,
        "where a person lives or stays is known to many",
        "city town village municipal* county district region* state province canton \
             kanton ward neighbo* community location place residence area ort stadt land \
             wohnort ville lat latitude lon lng longitude gps geo* department hospital \
             clinic facility site urban rural",
    ),
    hint(
        QuasiIdentifier,
        "schooling is known to many and often public",
        "educat* degree school* universit* college qualification* study literacy \
             diploma bildung schooling",
    ),
    hint(
        QuasiIdentifier,
        "work is known to colleagues and often public",
        "occupation* job* profession* work* employ* company industry title position \
             hours sector beruf rank tenure seniority",
    ),
    hint(
        QuasiIdentifier,
        "known to many around a person, and delicate: make it sensitive if only that matters",
        "religio* faith church belief* language* tongue dialect sprache",
    ),
    hint(
        QuasiIdentifier,
        "family is known to relatives and neighbours",
        "marital* married marriage civilstatus spouse* husband wife partner \
             relationship family household children child kids sibling* parent* mother* \
             father* dependents dependants familienstand parity",
    ),
    hint(
        QuasiIdentifier,
        "the body is seen by everybody",
        "height weight bmi eye eyes hair handed* stature",
    ),
    Hint {
        is_date: true,
        ..hint(
            QuasiIdentifier,
            "when something happened can be looked up or is remembered",
            "date* day month year time* admission* admit* discharge* visit* death* died \
             deceased created updated datum fecha",
        )
    },
    hint(
        QuasiIdentifier,
        "possessions are seen by neighbours",
        "car cars vehicle* house* housing home* own owner* rent",
    ),
    // Last, for it is a part of many other names (country_name).
    hint(Identifier, "a person's name", "name names"),
];

/// Words for what is to be predicted, wherever they stand.
const LABELS: &str = "label target outcome response prediction churn";
/// And where they name the last column.
const LAST_LABELS: &str = "class result y group survived default status category";

/// What a column's name says about it.
pub(super) fn hint_of(name: &str) -> Option<&'static Hint> {
    let parts = parts(name);
    HINTS.iter().find(|hint| says_any(&parts, hint.words))
}

/// Whether a name is that of a label; some are only at the end of a table.
pub(super) fn is_label(name: &str, is_last: bool) -> bool {
    let parts = parts(name);
    says_any(&parts, LABELS) || (is_last && says_any(&parts, LAST_LABELS))
}

fn says_any(parts: &[String], words: &str) -> bool {
    words.split_whitespace().any(|word| says(parts, word))
}

/// Whether one to three neighbouring parts of a name make this word.
fn says(parts: &[String], word: &str) -> bool {
    (1..=3).any(|count| {
        parts.windows(count).any(|window| {
            let part = window.concat();
            match word.strip_suffix('*') {
                Some(start) => part.starts_with(start),
                None => part == word,
            }
        })
    })
}

/// A name's parts in small letters: `birthDate`, `BIRTH_DATE` and `Birth date` are birth and date.
pub(super) fn parts(name: &str) -> Vec<String> {
    let chars: Vec<char> = name.chars().collect();
    let mut parts = vec![String::new()];
    for (place, c) in chars.iter().enumerate() {
        let before = place.checked_sub(1).map(|place| chars[place]);
        let after = chars.get(place + 1);
        let starts = before.is_some_and(|before| {
            (before.is_lowercase() && c.is_uppercase())
                || (before.is_alphabetic() && c.is_numeric())
                || (before.is_numeric() && c.is_alphabetic())
                || (before.is_uppercase()
                    && c.is_uppercase()
                    && after.is_some_and(|after| after.is_lowercase()))
        });
        if starts || !c.is_alphanumeric() {
            parts.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(part) = parts.last_mut()
        {
            part.extend(c.to_lowercase());
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_into_words() {
        for name in ["birthDate", "BIRTH_DATE", "Birth date", "birth.date"] {
            assert_eq!(parts(name), ["birth", "date"]);
        }
        assert_eq!(parts("ZIPCode"), ["zip", "code"]);
        assert_eq!(parts("ICD10"), ["icd", "10"]);
        assert_eq!(parts("?!"), Vec::<String>::new());
    }

    #[test]
    fn names_tell_roles() {
        let role = |name: &str| hint_of(name).map(|hint| hint.role);
        for name in [
            "PatientID",
            "first_name",
            "e-mail",
            "Name",
            "social security no",
        ] {
            assert_eq!(role(name), Some(Identifier), "{name}");
        }
        for name in [
            "age",
            "native-country",
            "country name",
            "ZIP",
            "Post code",
            "job",
        ] {
            assert_eq!(role(name), Some(QuasiIdentifier), "{name}");
        }
        for name in ["diagnosis_code", "ICD10", "capital-gain", "Salary"] {
            assert_eq!(role(name), Some(Sensitive), "{name}");
        }
        for name in ["fnlwgt", "language_model_x9", "storage", "x"] {
            let expected = (name.starts_with("language")).then_some(QuasiIdentifier);
            assert_eq!(role(name), expected, "{name}");
        }
        assert!(is_label("salary-class", true) && !is_label("workclass", true));
        assert!(!is_label("salary-class", false) && is_label("outcome", false));
    }
}
