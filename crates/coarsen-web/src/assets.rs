//! The style sheet and the script, both ours, both inside the binary.

use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use coarsen_report::chart;

/// The page's style, with that of the charts.
pub async fn style() -> impl IntoResponse {
    let style = format!("{}\n{}\n", include_str!("assets/style.css"), chart::STYLE);
    ([(CONTENT_TYPE, "text/css; charset=utf-8")], style)
}

/// The page's script.
pub async fn script() -> impl IntoResponse {
    (
        [(CONTENT_TYPE, "text/javascript; charset=utf-8")],
        include_str!("assets/page.js"),
    )
}
