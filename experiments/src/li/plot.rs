//! Lines and bars as SVG, in the manner of seed 004's Figs. 10 to 13.

/// A line of a plot.
pub type Line = (String, Vec<(f64, f64)>);

/// Lines over k or over the number of columns, as an SVG.
pub fn plot(title: &str, lines: &[Line]) -> String {
    const COLOURS: [&str; 6] = [
        "#1b6ca8", "#d1495b", "#2e933c", "#8d6a9f", "#e08e1b", "#444444",
    ];
    let points = || lines.iter().flat_map(|(_, points)| points);
    let most = |of: fn(&(f64, f64)) -> f64| points().map(of).fold(0.0, f64::max);
    let (widest, highest) = (most(|p| p.0).max(1.0), most(|p| p.1).max(f64::MIN_POSITIVE));
    let at = |(x, y): &(f64, f64)| (60.0 + 420.0 * x / widest, 300.0 - 250.0 * y / highest);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"720\" height=\"340\" font-family=\"sans-serif\" font-size=\"11\">\n<text x=\"60\" y=\"24\" font-size=\"14\">{title}</text>\n<path d=\"M60 50V300H480\" fill=\"none\" stroke=\"#888\"/>\n<text x=\"4\" y=\"54\">{highest:.3}</text>\n<text x=\"40\" y=\"304\">0</text>\n"
    );
    let mut ticks: Vec<f64> = points().map(|p| p.0).collect();
    ticks.sort_by(f64::total_cmp);
    ticks.dedup();
    for tick in ticks {
        let (x, _) = at(&(tick, 0.0));
        svg += &format!("<text x=\"{x:.1}\" y=\"318\" text-anchor=\"middle\">{tick}</text>\n");
    }
    for (place, (name, points)) in lines.iter().enumerate() {
        let colour = COLOURS[place % COLOURS.len()];
        let dashes = ["", " stroke-dasharray=\"5 3\""][place / COLOURS.len() % 2];
        let path: Vec<String> = points
            .iter()
            .map(|point| format!("{:.1},{:.1}", at(point).0, at(point).1))
            .collect();
        svg += &format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.6\"{dashes}/>\n<text x=\"500\" y=\"{}\" fill=\"{colour}\">{name}</text>\n",
            path.join(" "),
            60 + place * 16
        );
    }
    svg + "</svg>\n"
}

/// One bar a name, the longest as wide as the plot.
pub fn bars(title: &str, bars: &[(String, f64)]) -> String {
    let most = bars.iter().map(|(_, figure)| *figure).fold(0.0, f64::max);
    let height = 50 + bars.len() * 22;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"720\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"11\">\n<text x=\"20\" y=\"24\" font-size=\"14\">{title}</text>\n"
    );
    for (place, (name, figure)) in bars.iter().enumerate() {
        let y = 40 + place * 22;
        let width = 360.0 * figure / most.max(f64::MIN_POSITIVE);
        svg += &format!(
            "<text x=\"250\" y=\"{}\" text-anchor=\"end\">{name}</text>\n<rect x=\"258\" y=\"{y}\" width=\"{width:.1}\" height=\"16\" fill=\"#1b6ca8\"/>\n<text x=\"{:.1}\" y=\"{}\">{figure:.2}</text>\n",
            y + 12,
            264.0 + width,
            y + 12
        );
    }
    svg + "</svg>\n"
}
