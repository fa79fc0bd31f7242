//! Every chart, whatever its words bring along: well-formed, escaped, titled, within its frame.

use super::*;

/// What a hostile column name or cell may look like.
const NASTY: &str = "<script>alert('x')</script> & \"so\" on ]]>";

fn words() -> Words {
    Words {
        title: NASTY.into(),
        description: NASTY.into(),
    }
}

fn bars(count: usize) -> Bars {
    let bar = |i: usize| Bar {
        label: format!("{NASTY}{i}"),
        before: Some(i as f64),
        after: Some(1.5 * i as f64),
    };
    Bars {
        words: words(),
        places: NASTY.into(),
        values: Axis::new(NASTY, Unit::Count),
        bars: (0..count).map(bar).collect(),
    }
}

fn curve(points: Vec<(f64, f64)>) -> Curve {
    let line = |side| Line {
        side,
        name: NASTY.into(),
        points: points.clone(),
    };
    Curve {
        words: words(),
        x: Axis::new(NASTY, Unit::Share).log(),
        y: Axis::new(NASTY, Unit::Share),
        lines: vec![line(Side::Before), line(Side::After)],
        mark: Some(Mark {
            x: 0.2,
            label: NASTY.into(),
        }),
        ticks: None,
    }
}

fn heat(rows: usize, columns: usize) -> Heat {
    Heat {
        words: words(),
        across: NASTY.into(),
        down: NASTY.into(),
        columns: vec![NASTY.into(); columns],
        rows: vec![NASTY.into(); rows],
        cells: vec![vec![0.5; columns]; rows],
        deepest: 1.0,
    }
}

fn scatter(count: usize) -> Scatter {
    let point = |i: usize| Point {
        label: NASTY.into(),
        said: NASTY.into(),
        group: i,
        x: 0.1 + i as f64,
        y: 9.0 - i as f64,
        undominated: i.is_multiple_of(2),
    };
    Scatter {
        words: words(),
        x: Axis::new(NASTY, Unit::Share).log(),
        y: Axis::new(NASTY, Unit::Plain),
        groups: vec![NASTY.into(); count],
        points: (0..count).map(point).collect(),
    }
}

/// A plain reading of XML: tags must nest, and nothing but text and entities may stand between them.
fn elements(text: &str) -> Vec<String> {
    let (mut open, mut seen) = (Vec::new(), Vec::new());
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        assert!(!rest[..start].contains('>'), "a stray > in {rest}");
        let end = rest.find('>').unwrap();
        let tag = &rest[start + 1..end];
        assert!(!tag.contains('<'), "a stray < in {tag}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "tags must nest");
        } else if !tag.starts_with('?') {
            let name = tag.split(' ').next().unwrap().to_string();
            assert_eq!(tag.matches('"').count() % 2, 0, "quotes in {tag}");
            seen.push(name.clone());
            open.push(name);
        }
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty(), "left open: {open:?}");
    seen
}

#[test]
fn charts_are_well_formed_whatever_they_are_of() {
    for count in [0, 1, 2, 7, 40] {
        let points: Vec<(f64, f64)> = (1..=count).map(|i| (i as f64, i as f64)).collect();
        for chart in [
            bars(count).upright(),
            bars(count).lying(),
            curve(points).draw(),
            heat(count, 3).draw(),
            heat(3, count).draw(),
            scatter(count).draw(),
        ] {
            let seen = elements(chart.as_str());
            assert_eq!(seen[..3], ["svg", "title", "desc"]);
            assert!(!seen.contains(&"script".to_string()), "{chart}");
            assert!(
                chart
                    .as_str()
                    .starts_with("<svg class=\"chart\" role=\"img\"")
            );
            for bad in ["NaN", "inf", "style=", "#000"] {
                assert!(!chart.as_str().contains(bad), "{bad} in {chart}");
            }
        }
    }
}

#[test]
fn a_file_of_its_own_brings_its_style() {
    let file = bars(3).upright().to_file();
    assert!(file.starts_with("<?xml"));
    assert!(file.contains("xmlns=\"http://www.w3.org/2000/svg\""));
    // The style's own `>` would stop the plain reader: it has none.
    assert_eq!(elements(&file)[..2], ["svg", "style"]);
}

#[test]
fn before_is_hollow_and_after_solid_and_one_side_needs_no_legend() {
    let both = bars(3).lying().to_string();
    assert_eq!(both.matches("class=\"before\"").count(), 3 + 1);
    assert_eq!(both.matches("class=\"after\"").count(), 3 + 1);
    let mut alone = bars(3);
    for bar in &mut alone.bars {
        bar.before = None;
    }
    let alone = alone.lying().to_string();
    assert_eq!(alone.matches("class=\"before\"").count(), 0);
    assert_eq!(alone.matches("class=\"after\"").count(), 3);
}

#[test]
fn longer_bars_for_larger_values() {
    let drawn = bars(4).lying().to_string();
    let widths: Vec<f64> = drawn
        .split("<rect class=\"after\"")
        .skip(2)
        .map(|rest| {
            let width = rest.split("width=\"").nth(1).unwrap();
            width.split('"').next().unwrap().parse().unwrap()
        })
        .collect();
    assert_eq!(widths.len(), 4);
    assert!(widths.is_sorted() && widths[3] > 3.0 * widths[1] - 0.5);
}
