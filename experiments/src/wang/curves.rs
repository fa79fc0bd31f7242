//! Panels of curves beside each other as an SVG, as in the paper's Fig. 4.

/// Curves over one thing that varies.
pub struct Panel {
    pub title: String,
    /// The name of each curve, and its points.
    pub lines: Vec<(&'static str, Vec<(f64, f64)>)>,
}

const COLOURS: [&str; 3] = ["#c33", "#36c", "#393"];
const WIDTH: f64 = 260.0;
const HEIGHT: f64 = 180.0;
const LEFT: f64 = 50.0;
const TOP: f64 = 30.0;

/// The panels from left to right, seconds upward.
pub fn plot(panels: &[Panel]) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        panels.len() as f64 * (WIDTH + LEFT) + 20.0,
        HEIGHT + TOP + 50.0
    );
    for (place, panel) in panels.iter().enumerate() {
        svg += &drawn(panel, LEFT + place as f64 * (WIDTH + LEFT));
    }
    svg + "</svg>\n"
}

fn drawn(panel: &Panel, x0: f64) -> String {
    let points = || panel.lines.iter().flat_map(|(_, points)| points);
    let most = points().map(|point| point.1).fold(0.1, f64::max);
    let last = points().map(|point| point.0).fold(1.0, f64::max);
    let bottom = TOP + HEIGHT;
    let at = |(x, y): (f64, f64)| (x0 + x / last * (WIDTH - 20.0), bottom - y / most * HEIGHT);
    let mut svg = format!(
        "<path d=\"M{x0} {TOP}V{bottom}H{}\" fill=\"none\" stroke=\"#888\"/>\n<text x=\"{x0}\" y=\"{}\">{}</text>\n<text x=\"{x0}\" y=\"{}\">{most:.1} s</text>\n",
        x0 + WIDTH - 20.0,
        bottom + 32.0,
        panel.title,
        TOP - 6.0
    );
    for ((name, points), colour) in panel.lines.iter().zip(COLOURS) {
        let places = points.iter().map(|point| at(*point));
        let line: Vec<String> = places.map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        svg += &format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\n",
            line.join(" ")
        );
        if let Some((x, y)) = points.last().map(|point| at(*point)) {
            svg += &format!(
                "<text x=\"{x:.1}\" y=\"{:.1}\" fill=\"{colour}\" text-anchor=\"end\">{name}</text>\n",
                y - 5.0
            );
        }
    }
    let marks = panel
        .lines
        .first()
        .into_iter()
        .flat_map(|(_, points)| points);
    for (x, _) in marks {
        svg += &format!(
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{x}</text>\n",
            at((*x, 0.0)).0,
            bottom + 15.0
        );
    }
    svg
}
