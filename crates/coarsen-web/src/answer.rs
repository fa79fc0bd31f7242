//! What a handler answers: a page, a way to another page, a refusal in words.

use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Redirect, Response};
use maud::{DOCTYPE, Markup, html};

/// A page.
pub fn page(markup: Markup) -> Response {
    Html(markup.into_string()).into_response()
}

/// A page that says what is wrong with what was sent.
pub fn refused(markup: Markup) -> Response {
    (StatusCode::UNPROCESSABLE_ENTITY, Html(markup.into_string())).into_response()
}

/// On to another page, which is asked for by GET.
pub fn go(to: &str) -> Response {
    Redirect::to(to).into_response()
}

/// A refusal that has no page around it.
pub fn plain(status: StatusCode, title: &str, text: &str) -> Response {
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head { meta charset="utf-8"; title { (title) } link rel="stylesheet" href="/style.css"; }
            body class="plain" { main { h1 { (title) } p { (text) } } }
        }
    };
    (status, Html(markup.into_string())).into_response()
}
