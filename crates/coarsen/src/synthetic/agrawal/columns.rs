//! The rows of Agrawal et al. 1993, one at a time for a label function and by column for everybody else: buffers that
//! the engine turns into Arrow arrays without touching a row.

/// One row, as the label functions see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgrawalRow {
    /// Even in [20,000, 150,000].
    pub salary: f64,
    /// 0 where the salary is 75,000 or more, else even in [10,000, 75,000].
    pub commission: f64,
    /// Even in 20 to 80.
    pub age: i64,
    /// Level of education, even in 0 to 4.
    pub elevel: i64,
    /// Make of the car, even in 1 to 20.
    pub car: i64,
    /// Even in 0 to 9.
    pub zipcode: i64,
    /// Value of the house: zipcode × h × 100,000 with h even in [0.5, 1.5].
    pub hvalue: f64,
    /// Years the house has been owned, even in 1 to 30.
    pub hyears: i64,
    /// Even in [0, 500,000].
    pub loan: f64,
}

/// Rows by column, each as long as the last call of [`Agrawal::next_rows`](super::Agrawal::next_rows) asked; the fields are those of
/// [`AgrawalRow`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AgrawalColumns {
    /// Salaries.
    pub salary: Vec<f64>,
    /// Commissions.
    pub commission: Vec<f64>,
    /// Ages.
    pub age: Vec<i64>,
    /// Levels of education.
    pub elevel: Vec<i64>,
    /// Makes of car.
    pub car: Vec<i64>,
    /// ZIP codes.
    pub zipcode: Vec<i64>,
    /// Values of houses.
    pub hvalue: Vec<f64>,
    /// Years of owning them.
    pub hyears: Vec<i64>,
    /// Loans.
    pub loan: Vec<f64>,
    /// One column a function, in the order of the settings; true is group A.
    pub labels: Vec<Vec<bool>>,
}

impl AgrawalColumns {
    /// Row `place`, which must be below the columns' length.
    #[inline]
    pub fn row(&self, place: usize) -> AgrawalRow {
        AgrawalRow {
            salary: self.salary[place],
            commission: self.commission[place],
            age: self.age[place],
            elevel: self.elevel[place],
            car: self.car[place],
            zipcode: self.zipcode[place],
            hvalue: self.hvalue[place],
            hyears: self.hyears[place],
            loan: self.loan[place],
        }
    }
}
