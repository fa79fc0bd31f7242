//! Where a table is: `sqlite://path.db#table`, `postgres://user@host:port/database#schema.table`, or a query
//! in the table's stead (`?query=…`, with blanks and signs percent-encoded).
//!
//! A password is never part of it. `${NAME}` in its place names the environment variable that has it;
//! without one, `PGPASSWORD` is asked.

use std::path::{Path, PathBuf};

use url::Url;

use crate::DatabaseError;

/// Which database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// SQLite: a file.
    Sqlite,
    /// PostgreSQL: a server.
    Postgres,
}

/// A table of a database, or a query to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    kind: Kind,
    /// The file of SQLite; the URL of PostgreSQL without password, table and query.
    database: String,
    /// The environment variable that has the password.
    password: Option<String>,
    table: Option<String>,
    query: Option<String>,
}

impl Place {
    /// Whether a text is meant for a database.
    pub fn is_meant(text: &str) -> bool {
        let scheme = text.split_once(':').map(|(scheme, _)| scheme);
        matches!(scheme, Some("sqlite" | "postgres" | "postgresql"))
    }

    /// Reads a place. Files of SQLite are looked for from a folder.
    ///
    /// # Errors
    /// A password in it, and what is no such place.
    pub fn parse(text: &str, folder: &Path) -> Result<Place, DatabaseError> {
        let place = match text.strip_prefix("sqlite:") {
            Some(rest) => sqlite(rest, folder)?,
            None => postgres(text)?,
        };
        if place.table.is_some() == place.query.is_some() {
            return Err(DatabaseError::usage(
                "it names no table, or a table and a query",
                "end it in #table or #schema.table; or give a query by input.query or ?query=",
            ));
        }
        Ok(place)
    }

    /// The same place with a query.
    ///
    /// # Errors
    /// If it has a table or a query already.
    pub fn parse_query(text: &str, folder: &Path, query: &str) -> Result<Place, DatabaseError> {
        let mut place = match text.strip_prefix("sqlite:") {
            Some(rest) => sqlite(rest, folder)?,
            None => postgres(text)?,
        };
        if place.table.is_some() || place.query.is_some() {
            return Err(DatabaseError::usage(
                "it names a table, and input.query asks for something else",
                "leave the # and what follows out, or remove input.query",
            ));
        }
        place.query = Some(query.to_string());
        Ok(place)
    }

    /// Which database.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// SQLite's file.
    pub(crate) fn file(&self) -> &Path {
        Path::new(&self.database)
    }

    /// PostgreSQL's URL, without the password.
    #[cfg(feature = "postgres")]
    pub(crate) fn url(&self) -> &str {
        &self.database
    }

    /// PostgreSQL's password, from the environment alone.
    #[cfg(feature = "postgres")]
    pub(crate) fn password(&self) -> Result<Option<String>, DatabaseError> {
        match &self.password {
            None => Ok(std::env::var("PGPASSWORD").ok()),
            Some(name) => std::env::var(name).map(Some).map_err(|_| {
                DatabaseError::usage(
                    format!("the environment has no {name}, which is to have the password"),
                    "set it, or leave it out of the URL and set PGPASSWORD",
                )
            }),
        }
    }

    /// The name of the table.
    ///
    /// # Errors
    /// Where it is a query.
    pub fn table(&self) -> Result<&str, DatabaseError> {
        self.table.as_deref().ok_or_else(|| {
            DatabaseError::usage(
                "a query cannot be written to",
                "name a table: end the URL in #table",
            )
        })
    }

    /// The query, where it is one.
    pub fn query(&self) -> Option<&str> {
        self.query.as_deref()
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.kind {
            Kind::Sqlite => write!(to, "sqlite://{}", self.database)?,
            Kind::Postgres => to.write_str(&self.database)?,
        }
        match &self.table {
            Some(table) => write!(to, "#{table}"),
            None => to.write_str("?query"),
        }
    }
}

fn sqlite(rest: &str, folder: &Path) -> Result<Place, DatabaseError> {
    let rest = rest.strip_prefix("//").unwrap_or(rest);
    let (rest, table) = match rest.split_once('#') {
        Some((rest, table)) => (rest, Some(decoded(table))),
        None => (rest, None),
    };
    let (path, query) = match rest.split_once("?query=") {
        Some((path, query)) => (path, Some(decoded(query))),
        None => (rest, None),
    };
    if path.is_empty() {
        return Err(DatabaseError::usage(
            "it names no file",
            "write sqlite:///folder/file.db#table",
        ));
    }
    let path: PathBuf = folder.join(path);
    let Some(database) = path.to_str().map(str::to_string) else {
        return Err(DatabaseError::usage("its path is not text", "rename it"));
    };
    Ok(Place {
        kind: Kind::Sqlite,
        database,
        password: None,
        table: table.filter(|table| !table.is_empty()),
        query,
    })
}

fn postgres(text: &str) -> Result<Place, DatabaseError> {
    let unreadable = |_| {
        DatabaseError::usage(
            "this is no URL of a database",
            "write postgres://user@host/database#schema.table",
        )
    };
    let mut url = Url::parse(text).map_err(unreadable)?;
    let password = match url.password().map(decoded) {
        None => None,
        Some(password) => match password
            .strip_prefix("${")
            .and_then(|p| p.strip_suffix('}'))
        {
            Some(name) if !name.is_empty() => Some(name.to_string()),
            _ => {
                return Err(DatabaseError::usage(
                    "it has a password in it, which would end in files and logs",
                    "remove it and set PGPASSWORD; or write ${NAME} in its place and set that variable",
                ));
            }
        },
    };
    let table = url
        .fragment()
        .map(decoded)
        .filter(|table| !table.is_empty());
    let (mut query, mut others) = (None, Vec::new());
    for (key, value) in url.query_pairs() {
        match &*key {
            "query" => query = Some(value.into_owned()),
            "password" => {
                return Err(DatabaseError::usage(
                    "it has a password in it, which would end in files and logs",
                    "remove it and set PGPASSWORD",
                ));
            }
            _ => others.push((key.into_owned(), value.into_owned())),
        }
    }
    url.set_fragment(None);
    url.set_query(None);
    if !others.is_empty() {
        url.query_pairs_mut().extend_pairs(others);
    }
    // Only a URL without a host has no room for a password, and there was none.
    let _ = url.set_password(None);
    Ok(Place {
        kind: Kind::Postgres,
        database: url.into(),
        password,
        table,
        query,
    })
}

/// A part of a URL as it was meant.
fn decoded(part: &str) -> String {
    // What stands for `a=PART` in a form is that part, but that a form has pluses for blanks.
    let form = format!("a={}", part.replace('+', "%2B").replace('&', "%26"));
    let mut pairs = url::form_urlencoded::parse(form.as_bytes());
    pairs
        .next()
        .map(|(_, value)| value.into_owned())
        .unwrap_or_default()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Place, DatabaseError> {
        Place::parse(text, Path::new("/desk"))
    }

    #[test]
    fn tables_and_queries() {
        let place = parse("sqlite:///data/x.db#people").unwrap();
        assert_eq!(
            (place.file(), place.table().unwrap()),
            (Path::new("/data/x.db"), "people")
        );
        assert_eq!(place.to_string(), "sqlite:///data/x.db#people");
        for near in ["sqlite://x.db#a%20b", "sqlite:x.db#a b"] {
            let place = parse(near).unwrap();
            assert_eq!(
                (place.file(), place.table().unwrap()),
                (Path::new("/desk/x.db"), "a b")
            );
        }
        let asked = parse("sqlite:x.db?query=select%20a%20from%20b%20where%20c%3D'1%2B1'").unwrap();
        assert_eq!(asked.query(), Some("select a from b where c='1+1'"));
        assert!(asked.table().is_err());
        let place = parse("postgres://ann@host:5433/clinic?connect_timeout=3#care.people").unwrap();
        assert_eq!(place.table().unwrap(), "care.people");
        assert_eq!(
            place.to_string(),
            "postgres://ann@host:5433/clinic?connect_timeout=3#care.people"
        );
        for bad in [
            "sqlite:#t",
            "sqlite:x.db",
            "postgres://h/db",
            "sqlite:x.db?query=select%201#t",
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
        let whole = Path::new("/desk");
        assert!(Place::parse_query("sqlite:x.db", whole, "select 1").is_ok());
        assert!(Place::parse_query("sqlite:x.db#t", whole, "select 1").is_err());
        assert!(Place::is_meant("postgresql://h/d#t") && !Place::is_meant("people.csv"));
    }

    #[test]
    fn passwords_are_only_named() {
        for bad in [
            "postgres://ann:secret@host/db#t",
            "postgres://ann@host/db?password=secret#t",
        ] {
            let error = parse(bad).unwrap_err();
            assert!(error.to_string().contains("password"));
            assert!(!format!("{error:?}").contains("secret"));
        }
        let place = parse("postgres://ann:${CARE_PASSWORD}@host/db#t").unwrap();
        assert_eq!(place.password.as_deref(), Some("CARE_PASSWORD"));
        assert_eq!(place.to_string(), "postgres://ann@host/db#t");
    }
}
