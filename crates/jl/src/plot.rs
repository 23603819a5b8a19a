//! Plots, as SVG or PNG by the file's name. The font is in the binary, so that a plot looks the same everywhere.

use crate::failure::Failure;
use crate::sim::{Row, shares};
use jl_client::Distances;
use plotters::coord::{CoordTranslate, Shift};
use plotters::prelude::*;
use std::path::Path;
use std::sync::Once;

const SIZE: (u32, u32) = (900, 600);
const FONT: &str = "sans-serif";

/// Distinct for most eyes (Okabe–Ito).
const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(60, 60, 60),
    RGBColor(150, 130, 20),
];

#[derive(Clone, Copy)]
pub enum Format {
    Svg,
    Png,
}

impl Format {
    pub fn of(file: &Path) -> Result<Format, Failure> {
        match file.extension().and_then(|e| e.to_str()) {
            Some("svg") => Ok(Format::Svg),
            Some("png") => Ok(Format::Png),
            _ => Err(Failure::usage(format!("--plot {}: the name must end in .svg or .png", file.display()))),
        }
    }
}

/// Something to draw.
trait Chart {
    fn draw<B: DrawingBackend>(&self, area: DrawingArea<B, Shift>) -> Result<(), String>;
}

fn save(file: &Path, chart: &impl Chart) -> Result<(), Failure> {
    save_sized(file, SIZE, chart)
}

fn save_sized(file: &Path, size: (u32, u32), chart: &impl Chart) -> Result<(), Failure> {
    register_font();
    let drawn = match Format::of(file)? {
        Format::Svg => chart.draw(SVGBackend::new(file, size).into_drawing_area()),
        Format::Png => chart.draw(BitMapBackend::new(file, size).into_drawing_area()),
    };
    drawn.map_err(|e| Failure::run(format!("cannot draw {}: {e}", file.display())))
}

/// Speed-up against workers, a line for each search and policy.
pub fn speedups(file: &Path, title: &str, rows: &[Row]) -> Result<(), Failure> {
    save(file, &SpeedUps { title, rows })
}

/// The shares of distances between nodes, of both kinds.
pub fn distances(file: &Path, title: &str, distances: &Distances) -> Result<(), Failure> {
    save(file, &Shares { title, distances })
}

/// A grade, and what came of it.
pub struct Reliability {
    pub label: String,
    pub nominal: f64,
    pub observed: f64,
    pub low: f64,
    pub high: f64,
    /// Drawn apart.
    pub unstable: bool,
}

/// Observed shares with their intervals against nominal ones; where they agree, they are on the diagonal.
pub fn reliability(file: &Path, title: &str, points: &[Reliability]) -> Result<(), Failure> {
    save(file, &Reliabilities { title, points })
}

/// Lines over numbers.
pub struct Lines<'a> {
    pub title: &'a str,
    pub x: &'a str,
    pub y: &'a str,
    /// Powers of ten are at equal distances; what is not positive is left out.
    pub logarithmic: bool,
    pub series: Vec<(String, Vec<(f64, f64)>)>,
}

/// One or several series of points.
pub fn lines(file: &Path, lines: &Lines) -> Result<(), Failure> {
    save(file, lines)
}

/// Several such charts, two in a row.
pub fn panels(file: &Path, charts: &[Lines]) -> Result<(), Failure> {
    if let [chart] = charts {
        return lines(file, chart);
    }
    let panels = Panels { charts };
    let (rows, columns) = panels.shape();
    save_sized(file, (columns as u32 * PANEL.0, rows as u32 * PANEL.1), &panels)
}

/// The size of one of several charts.
const PANEL: (u32, u32) = (700, 460);

struct Panels<'a> {
    charts: &'a [Lines<'a>],
}

impl Panels<'_> {
    /// Rows and columns.
    fn shape(&self) -> (usize, usize) {
        (self.charts.len().div_ceil(2), 2)
    }
}

impl Chart for Panels<'_> {
    fn draw<B: DrawingBackend>(&self, area: DrawingArea<B, Shift>) -> Result<(), String> {
        area.fill(&WHITE).map_err(|e| e.to_string())?;
        let areas = area.split_evenly(self.shape());
        self.charts.iter().zip(areas).try_for_each(|(chart, area)| chart.draw_in(&area))?;
        area.present().map_err(|e| e.to_string())
    }
}

fn register_font() {
    static FONTS: Once = Once::new();
    FONTS.call_once(|| {
        let font = epaint_default_fonts::UBUNTU_LIGHT;
        // The only error is a font that can't be read, and this one can.
        let _ = plotters::style::register_font(FONT, FontStyle::Normal, font);
    });
}

struct SpeedUps<'a> {
    title: &'a str,
    rows: &'a [Row],
}

impl Chart for SpeedUps<'_> {
    fn draw<B: DrawingBackend>(&self, area: DrawingArea<B, Shift>) -> Result<(), String> {
        let SpeedUps { title, rows } = *self;
        let text = |e: DrawingAreaErrorKind<B::ErrorType>| e.to_string();
        let most_workers = rows.iter().map(|r| r.workers as f64).fold(2.0, f64::max);
        let most = rows.iter().map(|r| r.speedup).fold(2.0, f64::max) * 1.15;
        let least = rows.iter().map(|r| r.speedup).fold(1.0, f64::min);
        area.fill(&WHITE).map_err(text)?;
        let mut chart = frame(&area, title)
            .build_cartesian_2d(
                (1.0..most_workers).log_scale().base(2.0),
                (least..most).log_scale().base(2.0),
            )
            .map_err(text)?;
        chart
            .configure_mesh()
            .x_desc("workers")
            .y_desc("speed-up against one worker")
            .label_style((FONT, 16))
            .x_label_formatter(&|x| format!("{x:.0}"))
            .y_label_formatter(&|y| format!("{y:.1}"))
            .light_line_style(WHITE)
            .draw()
            .map_err(text)?;
        // Both axes are logarithmic, so that ideal speed-up is a straight line.
        let ideal = [1.0, most.min(most_workers)].map(|w| (w, w));
        chart
            .draw_series(LineSeries::new(ideal, RGBColor(170, 170, 170)))
            .map_err(text)?
            .label("linear")
            .legend(|(x, y)| PathElement::new([(x, y), (x + 20, y)], RGBColor(170, 170, 170)));
        let mut names: Vec<(String, String)> =
            rows.iter().map(|r| (r.search.clone(), r.policy.clone())).collect();
        names.dedup();
        for (i, (search, policy)) in names.iter().enumerate() {
            let colour = COLOURS[i % COLOURS.len()];
            let points: Vec<(f64, f64)> = (rows.iter())
                .filter(|r| r.search == *search && r.policy == *policy)
                .map(|r| (r.workers as f64, r.speedup))
                .collect();
            let style = colour.stroke_width(2);
            chart
                .draw_series(LineSeries::new(points.iter().copied(), style).point_size(3))
                .map_err(text)?
                .label(format!("{search}/{policy}"))
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], style));
        }
        legend(&mut chart, SeriesLabelPosition::UpperLeft)?;
        area.present().map_err(text)
    }
}

impl Chart for Lines<'_> {
    fn draw<B: DrawingBackend>(&self, area: DrawingArea<B, Shift>) -> Result<(), String> {
        self.draw_in(&area)?;
        area.present().map_err(|e| e.to_string())
    }
}

impl Lines<'_> {
    /// In a part of a picture, which is complete only with the others.
    fn draw_in<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> Result<(), String> {
        let text = |e: DrawingAreaErrorKind<B::ErrorType>| e.to_string();
        let logarithmic = self.logarithmic;
        let height = |y: f64| if logarithmic { y.log10() } else { y };
        let shown: Vec<(&str, Vec<(f64, f64)>)> = (self.series.iter())
            .map(|(name, points)| {
                let points = points.iter().filter(|(_, y)| !logarithmic || *y > 0.0);
                (name.as_str(), points.map(|&(x, y)| (x, height(y))).collect())
            })
            .collect();
        let all = || shown.iter().flat_map(|(_, points)| points);
        let right = all().map(|p| p.0).fold(1.0, f64::max);
        let left = all().map(|p| p.0).fold(right - 1.0, f64::min);
        // Room for what the series are called.
        let room = 1.1 + if logarithmic { 0.02 } else { 0.07 } * shown.len() as f64;
        let top = all().map(|p| p.1).fold(f64::MIN_POSITIVE, f64::max) * room;
        let bottom = all().map(|p| p.1).fold(0.0, f64::min);
        area.fill(&WHITE).map_err(text)?;
        let mut chart = frame(area, self.title).build_cartesian_2d(left..right, bottom..top).map_err(text)?;
        chart
            .configure_mesh()
            .x_desc(self.x)
            .x_labels(((right - left) as usize + 1).min(11))
            .y_desc(self.y)
            .label_style((FONT, 16))
            .x_label_formatter(&|x| format!("{x:.0}"))
            .y_label_formatter(&|y| if logarithmic { power(*y) } else { format!("{y:.2}") })
            .light_line_style(WHITE)
            .draw()
            .map_err(text)?;
        for (i, (name, points)) in shown.into_iter().enumerate() {
            let style = COLOURS[i % COLOURS.len()].stroke_width(2);
            chart
                .draw_series(LineSeries::new(points, style).point_size(2))
                .map_err(text)?
                .label(name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], style));
        }
        legend(&mut chart, SeriesLabelPosition::UpperLeft)
    }
}

/// The number with this logarithm.
fn power(log: f64) -> String {
    let number = 10f64.powf(log);
    if number < 1e4 { format!("{number:.0}") } else { format!("{number:.0e}") }
}

struct Reliabilities<'a> {
    title: &'a str,
    points: &'a [Reliability],
}

impl Chart for Reliabilities<'_> {
    fn draw<B: DrawingBackend>(&self, area: DrawingArea<B, Shift>) -> Result<(), String> {
        let Reliabilities { title, points } = *self;
        let text = |e: DrawingAreaErrorKind<B::ErrorType>| e.to_string();
        area.fill(&WHITE).map_err(text)?;
        let mut chart = frame(&area, title).build_cartesian_2d(-0.04..1.08, -0.04..1.04).map_err(text)?;
        chart
            .configure_mesh()
            .x_desc("nominal win rate of Black")
            .y_desc("share won by Black")
            .label_style((FONT, 16))
            .x_labels(11)
            .y_labels(11)
            .x_label_formatter(&|x| format!("{x:.1}"))
            .y_label_formatter(&|y| format!("{y:.1}"))
            .light_line_style(WHITE)
            .draw()
            .map_err(text)?;
        chart
            .draw_series(LineSeries::new([(0.0, 0.0), (1.0, 1.0)], RGBColor(170, 170, 170)))
            .map_err(text)?
            .label("as nominal")
            .legend(|(x, y)| PathElement::new([(x, y), (x + 20, y)], RGBColor(170, 170, 170)));
        for (unstable, name) in [(false, "graded, with 95% interval"), (true, "unstable")] {
            let style = COLOURS[usize::from(unstable)].stroke_width(2);
            let of_kind: Vec<&Reliability> = points.iter().filter(|p| p.unstable == unstable).collect();
            if of_kind.is_empty() {
                continue;
            }
            let strokes = |p: &&Reliability| {
                let cap = |y| [(p.nominal - 0.006, y), (p.nominal + 0.006, y)];
                let bar = [(p.nominal, p.low), (p.nominal, p.high)];
                [bar, cap(p.low), cap(p.high)].map(|stroke| PathElement::new(stroke, style))
            };
            chart
                .draw_series(of_kind.iter().flat_map(strokes))
                .map_err(text)?
                .label(name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], style));
            let dot = |p: &&Reliability| Circle::new((p.nominal, p.observed), 4, style.filled());
            chart.draw_series(of_kind.iter().map(dot)).map_err(text)?;
            let label = |p: &&Reliability| {
                let up = if unstable { 0.03 } else { 0.0 };
                Text::new(p.label.clone(), (p.nominal + 0.008, p.observed + up), (FONT, 14))
            };
            chart.draw_series(of_kind.iter().map(label)).map_err(text)?;
        }
        legend(&mut chart, SeriesLabelPosition::UpperLeft)?;
        area.present().map_err(text)
    }
}

struct Shares<'a> {
    title: &'a str,
    distances: &'a Distances,
}

impl Chart for Shares<'_> {
    fn draw<B: DrawingBackend>(&self, area: DrawingArea<B, Shift>) -> Result<(), String> {
        let text = |e: DrawingAreaErrorKind<B::ErrorType>| e.to_string();
        let Distances { parent, sibling } = self.distances;
        let kinds = [("parent and eldest child", shares(parent)), ("neighbouring siblings", shares(sibling))];
        let most = kinds.iter().flat_map(|(_, shares)| shares).copied().fold(0.1, f64::max) * 1.1;
        area.fill(&WHITE).map_err(text)?;
        let mut chart = frame(&area, self.title).build_cartesian_2d(-0.5..5.5, 0.0..most).map_err(text)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .x_labels(6)
            .x_desc("distance of the engine's words, in grades")
            .y_desc("share of the pairs")
            .label_style((FONT, 16))
            .x_label_formatter(&|x| if *x > 4.5 { "5 or more".into() } else { format!("{x:.0}") })
            .y_label_formatter(&|y| format!("{:.0}%", 100.0 * y))
            .light_line_style(WHITE)
            .draw()
            .map_err(text)?;
        for (i, (name, shares)) in kinds.into_iter().enumerate() {
            let style = COLOURS[i].filled();
            let left = if i == 0 { -0.36 } else { 0.02 };
            let bar = |(distance, share)| {
                let from = distance as f64 + left;
                Rectangle::new([(from, 0.0), (from + 0.34, share)], style)
            };
            chart
                .draw_series(shares.into_iter().enumerate().map(bar))
                .map_err(text)?
                .label(name)
                .legend(move |(x, y)| Rectangle::new([(x, y - 5), (x + 20, y + 5)], style));
        }
        legend(&mut chart, SeriesLabelPosition::UpperRight)?;
        area.present().map_err(text)
    }
}

/// A chart with its title, and room for what the axes say.
fn frame<'a, 'b, B: DrawingBackend>(area: &'a DrawingArea<B, Shift>, title: &str) -> ChartBuilder<'a, 'b, B> {
    let mut chart = ChartBuilder::on(area);
    chart.caption(title, (FONT, 26)).margin(16).x_label_area_size(44).y_label_area_size(56);
    chart
}

/// What each series is called.
fn legend<'a, B: DrawingBackend + 'a, C: CoordTranslate>(
    chart: &mut ChartContext<'a, B, C>,
    position: SeriesLabelPosition,
) -> Result<(), String> {
    chart
        .configure_series_labels()
        .position(position)
        .background_style(WHITE.mix(0.85))
        .border_style(RGBColor(190, 190, 190))
        .label_font((FONT, 16))
        .draw()
        .map_err(|e| e.to_string())
}
