//! Who may talk to the page. Every request passes here first:
//!
//! 1. its Host is one of ours, so that a foreign name that was made to point here (DNS rebinding) gets
//!    nothing;
//! 2. it has the session's cookie, which only the token on the printed address gives;
//! 3. if it changes anything, it comes from a page of ours: its Origin is ours, and where the browser says
//!    which site asks, that is ours too.
//!
//! Every answer goes out with a content security policy that allows our own files and nothing else. The
//! referrer goes to nobody but ourselves (`same-origin`): with `no-referrer` browsers would send
//! `Origin: null` with every form, and 3 could not be told.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::answer::{go, plain};
use crate::server::App;
use crate::token;

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// What goes out with every answer.
const HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "same-origin"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::CACHE_CONTROL, "no-store"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

/// How much a form may send.
pub const FORM: usize = 8 << 20;
/// How long a form may take to arrive.
const FORM_TIME: Duration = Duration::from_secs(20);
/// Where files go.
pub const UPLOAD: &str = "/data/upload";

/// Secrets and names that requests are held against.
pub struct Guard {
    /// The token on the address.
    pub token: String,
    /// The Hosts that are ours, each with its port, in lower case.
    pub hosts: Vec<String>,
    /// The cookie's name: cookies of one host are shared by all its ports.
    pub cookie: String,
}

impl Guard {
    fn knows_host(&self, headers: &HeaderMap) -> bool {
        let mut given = headers.get_all(header::HOST).iter();
        match (
            given.next().and_then(|host| host.to_str().ok()),
            given.next(),
        ) {
            (Some(host), None) => self.hosts.contains(&host.to_ascii_lowercase()),
            _ => false,
        }
    }

    /// Whether a request that changes something comes from a page of ours.
    fn is_own(&self, headers: &HeaderMap) -> bool {
        let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
        let origin = text(header::ORIGIN).and_then(|origin| origin.strip_prefix("http://"));
        let is_ours = origin.is_some_and(|host| self.hosts.contains(&host.to_ascii_lowercase()));
        let site = text(HeaderName::from_static("sec-fetch-site"));
        is_ours && site.is_none_or(|site| site == "same-origin")
    }

    fn session<'a>(&self, headers: &'a HeaderMap) -> Option<&'a str> {
        let cookies = headers.get_all(header::COOKIE).iter();
        let cookies = cookies.filter_map(|value| value.to_str().ok());
        let mut pairs = cookies.flat_map(|line| line.split("; "));
        pairs.find_map(|pair| pair.strip_prefix(&self.cookie)?.strip_prefix('='))
    }
}

/// The token that an address brings along.
fn token_of(uri: &Uri) -> Option<&str> {
    let mut pairs = uri.query()?.split('&');
    pairs.find_map(|pair| pair.strip_prefix("token="))
}

/// Lets a request through, or refuses it.
pub async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let mut answer = judge(&app, request, next).await;
    let headers = answer.headers_mut();
    for (name, value) in HEADERS {
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
    answer
}

async fn judge(app: &Arc<App>, mut request: Request, next: Next) -> Response {
    let guard = &app.guard;
    if !guard.knows_host(request.headers()) {
        return plain(
            StatusCode::MISDIRECTED_REQUEST,
            "Not here",
            "This page answers only under the address that `coarsen serve` printed.",
        );
    }
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    if !reads && !guard.is_own(request.headers()) {
        return plain(
            StatusCode::FORBIDDEN,
            "Not from there",
            "Another site tried to send something to this page. Nothing was done.",
        );
    }
    let is_asset = matches!(request.uri().path(), "/style.css" | "/page.js");
    let session = guard.session(request.headers());
    let session = session.and_then(|name| app.sessions.find(name));
    if reads && let Some(given) = token_of(request.uri()) {
        return enter(app, given, session.is_some());
    }
    match session {
        Some(session) => {
            request.extensions_mut().insert(session);
            // Uploads are streamed, and have limits of their own.
            if !reads && request.uri().path() != UPLOAD {
                request = match whole(request).await {
                    Ok(request) => request,
                    Err(refusal) => return *refusal,
                };
            }
            next.run(request).await
        }
        None if is_asset => next.run(request).await,
        None => plain(
            StatusCode::UNAUTHORIZED,
            "Who is there?",
            "Open the whole address that `coarsen serve` printed, with its token: it lets you in, and nobody else.",
        ),
    }
}

/// A form that has arrived whole: not too large, and not drop by drop.
async fn whole(request: Request) -> Result<Request, Box<Response>> {
    let (parts, body) = request.into_parts();
    let arrived = tokio::time::timeout(FORM_TIME, axum::body::to_bytes(body, FORM)).await;
    match arrived {
        Ok(Ok(bytes)) => Ok(Request::from_parts(parts, bytes.into())),
        Ok(Err(_)) => Err(Box::new(plain(
            StatusCode::PAYLOAD_TOO_LARGE,
            "Too large",
            "A form may not be that large. Nothing was done.",
        ))),
        Err(_) => Err(Box::new(plain(
            StatusCode::REQUEST_TIMEOUT,
            "Too slow",
            "The form did not arrive in time. Nothing was done.",
        ))),
    }
}

/// The token is taken off the address and a cookie given for it.
fn enter(app: &App, given: &str, has_session: bool) -> Response {
    if !token::is_same(given, &app.guard.token) {
        return plain(
            StatusCode::UNAUTHORIZED,
            "Who is there?",
            "This token is not the one that `coarsen serve` printed; each start prints a new one.",
        );
    }
    if has_session {
        return go("/");
    }
    let Some(name) = app.sessions.begin() else {
        return plain(
            StatusCode::SERVICE_UNAVAILABLE,
            "Too many visitors",
            "Stop `coarsen serve` with Ctrl-C and start it again.",
        );
    };
    let cookie = format!(
        "{}={name}; HttpOnly; SameSite=Strict; Path=/",
        app.guard.cookie
    );
    ([(header::SET_COOKIE, cookie)], go("/")).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard() -> Guard {
        Guard {
            token: "t".into(),
            hosts: vec!["127.0.0.1:9".into(), "localhost:9".into()],
            cookie: "coarsen-9".into(),
        }
    }

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let pair = |(name, value): &(&'static str, &'static str)| {
            (
                HeaderName::from_static(name),
                HeaderValue::from_static(value),
            )
        };
        let mut headers = HeaderMap::new();
        for (name, value) in pairs.iter().map(pair) {
            headers.append(name, value);
        }
        headers
    }

    #[test]
    fn only_our_hosts_are_known() {
        let guard = guard();
        assert!(guard.knows_host(&headers(&[("host", "LOCALHOST:9")])));
        for foreign in [
            "localhost",
            "localhost:8",
            "evil.example:9",
            "127.0.0.1:9.evil.example",
        ] {
            let mut map = HeaderMap::new();
            map.insert(header::HOST, foreign.parse().unwrap());
            assert!(!guard.knows_host(&map), "{foreign}");
        }
        assert!(!guard.knows_host(&headers(&[])));
        assert!(!guard.knows_host(&headers(&[("host", "localhost:9"), ("host", "evil:9")])));
    }

    #[test]
    fn only_our_pages_change_anything() {
        let guard = guard();
        let ours = ("origin", "http://localhost:9");
        assert!(guard.is_own(&headers(&[ours])));
        assert!(guard.is_own(&headers(&[ours, ("sec-fetch-site", "same-origin")])));
        assert!(!guard.is_own(&headers(&[ours, ("sec-fetch-site", "cross-site")])));
        assert!(!guard.is_own(&headers(&[])));
        for foreign in [
            "null",
            "http://evil.example",
            "https://localhost:9",
            "http://localhost:99",
        ] {
            let mut map = HeaderMap::new();
            map.insert(header::ORIGIN, foreign.parse().unwrap());
            assert!(!guard.is_own(&map), "{foreign}");
        }
    }

    #[test]
    fn the_cookie_is_found_among_others() {
        let guard = guard();
        let map = headers(&[("cookie", "a=b; coarsen-9=xyz; coarsen-99=no")]);
        assert_eq!(guard.session(&map), Some("xyz"));
        assert_eq!(
            guard.session(&headers(&[("cookie", "coarsen-99=no")])),
            None
        );
    }
}
