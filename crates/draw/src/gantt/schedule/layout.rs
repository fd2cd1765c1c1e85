//! Layout of a chart: rows get thinner the more there are, and labels that would touch the one
//! above are left out.

use super::super::LONGEST_NAME;
use super::super::axis::PLOT;
use super::super::timeline::shortened;
use super::{Band, Bar, Colour, Schedule};
use crate::svg::{LETTER, MARGIN};

/// Height of the heading.
const HEAD: f64 = 36.0;
/// Height of a line of captions or of the legend.
const LINE: f64 = 16.0;
/// Width for the numbers of PEs, in pixels.
const PE_LABEL: f64 = 22.0;

/// Height that all rows together should not exceed, in pixels; gives the row height within `ROW`.
const TARGET: f64 = 1_100.0;
const ROW: (f64, f64) = (3.0, 26.0);
/// Number of rows drawn at most; further resources are left out.
const MOST_ROWS: f64 = 420.0;
/// Number of rows at most for a resource whose lanes are not PEs.
const MOST_SHARED_ROWS: f64 = 10.0;

/// Position of one resource.
#[derive(Clone, Copy)]
pub(super) struct BandPlace {
    pub(super) top: f64,
    pub(super) height: f64,
    lanes: u32,
}

pub(super) struct Layout {
    /// x coordinate of the left end of the axis.
    pub(super) left: f64,
    /// y coordinate of the bottom of the captions.
    head: f64,
    /// y coordinate of the top of the first band.
    pub(super) top: f64,
    places: Vec<BandPlace>,
    row: f64,
    gap: f64,
    with_pes: bool,
}

impl Layout {
    pub(super) fn new(schedule: &Schedule) -> Self {
        let shown = shown(&schedule.bands);
        let bands = &schedule.bands[..shown];
        let total: f64 = bands.iter().map(rows).sum();
        let row = (TARGET / total.max(1.0)).clamp(ROW.0, ROW.1);
        let gap = if row >= 8.0 { 5.0 } else { 1.0 };
        let with_pes = row >= 9.0 && bands.iter().any(has_pe_labels);
        let names = bands.iter().map(|band| shortened(&band.name, LONGEST_NAME).chars().count());
        let letters = names.max().unwrap_or(0) as f64 * LETTER;
        let left = MARGIN + letters + 8.0 + if with_pes { PE_LABEL } else { 0.0 };
        let hidden = usize::from(shown < schedule.bands.len());
        let head = HEAD + LINE * (schedule.captions.len() + hidden) as f64;
        let mut layout =
            Self { left, head, top: head, places: Vec::with_capacity(shown), row, gap, with_pes };
        layout.top = layout.legend_places(schedule).last().map_or(head, |end| end.1) + 1.6 * LINE;
        layout.place(bands);
        layout
    }

    fn place(&mut self, bands: &[Band]) {
        let mut top = self.top;
        for band in bands {
            let height = rows(band) * self.row;
            self.places.push(BandPlace { top, height, lanes: band.lanes.max(1) });
            top += height + self.gap;
        }
    }

    pub(super) fn width(&self) -> f64 {
        self.left + PLOT + 2.0 * MARGIN
    }

    /// y coordinate of the axis.
    pub(super) fn bottom(&self) -> f64 {
        self.places.last().map_or(self.top, |band| band.top + band.height) + 3.0
    }

    pub(super) fn bands(&self) -> &[BandPlace] {
        &self.places
    }

    /// How many resources are left out; `None` if all are drawn.
    pub(super) fn hidden_bands(&self, schedule: &Schedule) -> Option<usize> {
        Some(schedule.bands.len() - self.places.len()).filter(|&count| count > 0)
    }

    pub(super) fn shows(&self, bar: &Bar) -> bool {
        bar.band < self.places.len()
    }

    /// Top and height of a lane.
    pub(super) fn lane(&self, band: usize, lane: u32) -> (f64, f64) {
        let place = self.places[band];
        let height = place.height / f64::from(place.lanes);
        let space = if height >= 8.0 { 1.0 } else { 0.0 };
        (place.top + height * f64::from(lane) + space / 2.0, height - space)
    }

    /// x coordinate of the right end of the resource names.
    pub(super) fn label_end(&self) -> f64 {
        self.left - 8.0 - if self.with_pes { PE_LABEL } else { 0.0 }
    }

    /// Baselines and texts of the resource names.
    pub(super) fn band_labels(&self, schedule: &Schedule) -> Vec<(f64, String)> {
        let mut labels: Vec<(f64, String)> = Vec::new();
        for (place, band) in self.places.iter().zip(&schedule.bands) {
            let y = place.top + place.height / 2.0 + 4.0;
            if labels.last().is_none_or(|(above, _)| y - above >= 12.0) {
                labels.push((y, shortened(&band.name, LONGEST_NAME)));
            }
        }
        labels
    }

    /// Baselines and numbers of the PEs.
    pub(super) fn pe_labels(&self, schedule: &Schedule) -> Vec<(f64, u32)> {
        if !self.with_pes {
            return Vec::new();
        }
        let numbers = |(place, band): (&BandPlace, &Band)| {
            let (top, height) = (place.top, self.row);
            let lanes = if has_pe_labels(band) { band.lanes } else { 0 };
            (0..lanes).map(move |pe| (top + height * (f64::from(pe) + 0.5) + 3.0, pe))
        };
        self.places.iter().zip(&schedule.bands).flat_map(numbers).collect()
    }

    /// Position and text of each legend entry.
    pub(super) fn legend<'a>(
        &self,
        schedule: &'a Schedule,
    ) -> impl Iterator<Item = ((f64, f64), &'a (Colour, String))> {
        self.legend_places(schedule).into_iter().zip(&schedule.legend)
    }

    fn legend_places(&self, schedule: &Schedule) -> Vec<(f64, f64)> {
        let (mut x, mut y) = (MARGIN, self.head + LINE);
        let mut places = Vec::with_capacity(schedule.legend.len());
        for (_, meaning) in &schedule.legend {
            let width = 17.0 + LETTER * meaning.chars().count() as f64 + 14.0;
            if x + width > self.width() && x > MARGIN {
                (x, y) = (MARGIN, y + LINE);
            }
            places.push((x, y));
            x += width;
        }
        places
    }
}

/// How many resources fit.
fn shown(bands: &[Band]) -> usize {
    let mut total = 0.0;
    let fits = |band: &&Band| {
        total += rows(band);
        total <= MOST_ROWS
    };
    // The first resource is drawn even if it is too large.
    bands.iter().take_while(fits).count().max(1).min(bands.len())
}

fn rows(band: &Band) -> f64 {
    let lanes = f64::from(band.lanes.max(1));
    if band.lanes_are_pes { lanes } else { lanes.min(MOST_SHARED_ROWS) }
}

fn has_pe_labels(band: &Band) -> bool {
    band.lanes_are_pes && band.lanes > 1
}
