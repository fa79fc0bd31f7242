//! Seed 002, Fig. 7, as a file and a policy. Of the lost Fig. 6 a date climbs to its year and its decade.

use super::Folder;

pub const PT: &str = "race,birth,gender,zip,problem
black,1965-09-20,male,02141,short of breath
black,1965-02-14,male,02141,chest pain
black,1965-10-23,female,02138,painful eye
black,1965-08-24,female,02138,wheezing
black,1964-11-07,female,02138,obesity
black,1964-12-01,female,02138,chest pain
white,1964-10-23,male,02138,short of breath
white,1965-03-15,female,02139,hypertension
white,1964-08-13,male,02139,obesity
white,1964-05-05,male,02139,fever
white,1967-02-13,male,02138,vomiting
white,1967-03-21,male,02138,back pain
";

pub const POLICY: &str = "version = 1
input = { path = \"pt.csv\" }
output = { path = \"release.csv\" }
[columns]
race = { role = \"quasi-identifier\", hierarchy = { tree = { person = [\"black\", \"white\"] } } }
birth = { role = \"quasi-identifier\", type = \"date\", hierarchy = { dates = [\"year\", \"decade\"] } }
gender = { role = \"quasi-identifier\" }
zip = { role = \"quasi-identifier\", type = \"text\", hierarchy = { mask = \"right\", levels = 2 } }
problem = { role = \"other\" }
[privacy]
k = 2
[suppression]
limit = 0.0
[search]
algorithm = \"mingen\"
loss = \"prec\"
";

/// The table and its policy.
pub fn figure_7() -> Folder {
    Folder::with(&[("pt.csv", PT), ("policy.toml", POLICY)])
}
