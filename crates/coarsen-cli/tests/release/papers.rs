//! The paper's own example through the binary.

use super::*;

/// Sweeney 2002, Fig. 7.
const PT: &str = "\
Race,BirthDate,Gender,ZIP,Problem
black,9/20/1965,male,02141,short of breath
black,2/14/1965,male,02141,chest pain
black,10/23/1965,female,02138,painful eye
black,8/24/1965,female,02138,wheezing
black,11/7/1964,female,02138,obesity
black,12/1/1964,female,02138,chest pain
white,10/23/1964,male,02138,short of breath
white,3/15/1965,female,02139,hypertension
white,8/13/1964,male,02139,obesity
white,5/5/1964,male,02139,fever
white,2/13/1967,male,02138,vomiting
white,3/21/1967,male,02138,back pain
";

/// Sweeney 2002, Fig. 10.
const MGT: &str = "\
Race,BirthDate,Gender,ZIP,Problem
black,1965,male,02141,short of breath
black,1965,male,02141,chest pain
black,1965,female,02138,painful eye
black,1965,female,02138,wheezing
black,1964,female,02138,obesity
black,1964,female,02138,chest pain
white,1964,male,02139,obesity
white,1964,male,02139,fever
white,1967,male,02138,vomiting
white,1967,male,02138,back pain
";

const SWEENEY: &str = r#"version = 1
input = { path = "pt.csv" }
output = { path = "mgt.csv" }

[columns]
Race = { role = "quasi-identifier", hierarchy = { tree = { person = ["black", "white"] } } }
BirthDate = { role = "quasi-identifier", type = "date", format = "%m/%d/%Y", hierarchy = { dates = ["year", "decade"] } }
Gender = { role = "quasi-identifier" }
ZIP = { role = "quasi-identifier", hierarchy = { mask = "right" } }
Problem = { role = "sensitive" }

[privacy]
k = 2

[suppression]
limit = 0.17

[search]
algorithm = "datafly"
"#;

#[test]
fn datafly_on_sweeneys_table() {
    let desk = Folder::with(&[("pt.csv", PT), ("policy.toml", SWEENEY)]);
    let made = run(&desk);
    let release = desk.table("mgt.csv");
    let expected = Table::parse(MGT, ',');
    assert_eq!(release.names, expected.names);
    assert_eq!(release.multiset(), expected.multiset());
    assert_eq!(made["suppressed_rows"], 2);
    assert_eq!(made["rows_out"], 10);
    assert_eq!(made["classes"], 5);
    assert_eq!(made["smallest_class"], 2);
    assert_eq!(made["recoding"], Value::Null);
    assert_eq!(desk.names(), ["mgt.csv", "policy.toml", "pt.csv"]);
}
