use super::*;
use jl_engine_sudoku::Algorithm;
use std::time::Duration;

/// Grids of a late start, which are soon made, in units of one.
const START: usize = 600_000;
const CLUES: usize = 10;

fn parameters(count: u64, twice: bool) -> Parameters {
    let area = Area::Slice { start: START, place: 0, count, starts: vec![count] };
    Parameters::new(Plan { clues: CLUES, unit: 1, twice, retries: 1 }, area)
}

fn text(parameters: &Parameters) -> String {
    serde_json::to_string(parameters).unwrap()
}

fn project_of(parameters: &Parameters) -> Project {
    let mut project = Project::new(&text(parameters)).unwrap();
    begin(&mut project, "sudoku 1");
    project
}

fn project(count: u64, twice: bool) -> Project {
    project_of(&parameters(count, twice))
}

fn begin(project: &mut Project, engine: &str) {
    let note = project.note(engine);
    project.begin_session(project.unused_job(), Some(&note));
}

/// The job that a free worker gets, and its unit.
fn ask(project: &mut Project, worker: u32) -> Option<(JobId, usize)> {
    match &project.handle(Notice::WorkerAvailable)[..] {
        [Request::Submit(submit)] => {
            let job = submit.job;
            let unit = project.in_flight[&job].unit;
            project.handle(Notice::Assigned { job, worker: WorkerId(worker) });
            Some((job, unit))
        }
        [Request::Decline] => None,
        other => panic!("{other:?}"),
    }
}

fn right(project: &Project, unit: usize) -> Answer {
    let Slice { start, place, grids } = project.slice(unit);
    Answer::of(&catalogue::slice(start, place as usize, grids as usize), CLUES, Algorithm::Fast)
}

fn tell(project: &mut Project, job: JobId, answer: &Answer) {
    let output = vec![serde_json::to_string(answer).unwrap()];
    project.handle(Notice::Done { job, output, cpu: Duration::ZERO });
}

/// The right answer to a job about a unit.
fn finish(project: &mut Project, (job, unit): (JobId, usize)) {
    let answer = right(project, unit);
    tell(project, job, &answer);
}

/// A free worker takes a unit and answers at once, with what is made of the right answer.
fn answer(project: &mut Project, worker: u32, lie: impl FnOnce(&mut Answer)) -> usize {
    let (job, unit) = ask(project, worker).expect("there is something to do");
    let mut answer = right(project, unit);
    lie(&mut answer);
    tell(project, job, &answer);
    unit
}

fn honest(_: &mut Answer) {}

#[test]
fn answers_agree_if_they_found_the_same_by_the_same_work() {
    let project = project(1, true);
    let given = |engine, lie: &dyn Fn(&mut Answer)| {
        let mut answer = right(&project, 0);
        lie(&mut answer);
        Given { answer, engine, worker: None }
    };
    let first = given(0, &|_| ());
    assert!(first.agrees(&given(0, &|a| a.seconds = 9.0)), "times differ");
    assert!(!first.agrees(&given(0, &|a| a.puzzles.push("p".into()))));
    assert!(!first.agrees(&given(0, &|a| a.checksum = "0".repeat(16))));
    assert!(!first.agrees(&given(0, &|a| a.work = "0".repeat(16))));
    assert!(!first.agrees(&given(0, &|a| a.nodes += 1)));
    assert!(!first.agrees(&given(0, &|a| a.nodes_per_grid[0] += 1)));
    assert!(first.agrees(&given(1, &|a| a.work = "0".repeat(16))), "another engine works otherwise");
    assert!(!first.agrees(&given(1, &|a| a.checksum = "0".repeat(16))), "but finds the same");
}

#[test]
fn every_unit_is_asked_about_once_and_what_fails_comes_last() {
    let mut project = project(3, false);
    let (job, unit) = ask(&mut project, 0).unwrap();
    assert_eq!(unit, 0);
    project.handle(Notice::Done { job, output: vec!["nonsense".into()], cpu: Duration::ZERO });
    assert_eq!([0; 3].map(|worker| answer(&mut project, worker, honest)), [1, 2, 0]);
    assert_eq!((project.open(), project.grids_done(), project.jobs().failed), (0, 3, 1));
    assert_eq!(ask(&mut project, 0), None);
    assert!(project.is_finished());
}

#[test]
fn what_cannot_be_is_a_failure_with_its_reason() {
    type Lie = fn(&mut Answer);
    let lies: [(&str, Lie); 4] = [
        ("no checksum", |a| a.checksum.truncate(15)),
        ("nodes", |a| a.nodes = u64::MAX),
        ("seconds", |a| a.seconds = 1e12),
        ("10 clues and one solution", |a| a.puzzles.push(".".repeat(81))),
    ];
    for (expected, lie) in lies {
        let mut project = project(1, false);
        answer(&mut project, 0, lie);
        assert_eq!((project.open(), project.jobs().failed), (1, 1));
        assert!(project.troubles()[0].contains(expected), "{:?}", project.troubles());
        answer(&mut project, 0, lie);
        let (unit, why) = project.given_up().next().unwrap();
        assert!(unit == 0 && why.contains(expected), "{why}");
    }
}

#[test]
fn a_puzzle_of_another_grid_is_none_of_the_unit() {
    let area = Area::Slice { start: START, place: 0, count: 1, starts: vec![1] };
    let mut project =
        project_of(&Parameters::new(Plan { clues: 80, unit: 1, twice: false, retries: 0 }, area));
    let other = Answer::of(&catalogue::slice(START, 1, 1), 80, Algorithm::Fast);
    let (job, _) = ask(&mut project, 0).unwrap();
    tell(&mut project, job, &other);
    let why = project.given_up().next().unwrap().1;
    assert!(why.contains("no puzzle of these grids"), "{why}");
}

#[test]
fn the_second_answer_comes_from_another_worker_if_there_is_one() {
    let mut project = project(4, true);
    // Side by side, as long as both are busy.
    let (a, b) = (ask(&mut project, 0).unwrap(), ask(&mut project, 1).unwrap());
    assert_eq!((a.1, b.1), (0, 0));
    finish(&mut project, a);
    // Worker 0 begins unit 1, and is free again before worker 1 is: it shall not confirm itself.
    assert_eq!(answer(&mut project, 0, honest), 1);
    let c = ask(&mut project, 0).unwrap();
    assert_eq!(c.1, 2);
    finish(&mut project, b);
    assert_eq!(answer(&mut project, 1, honest), 1, "worker 0 gave the first and is busy");
    finish(&mut project, c);
    while project.open() > 0 {
        let (a, b) = (ask(&mut project, 0), ask(&mut project, 1));
        [b, a].into_iter().flatten().for_each(|job| finish(&mut project, job));
    }
    assert!(project.alone() <= 1, "{}", project.alone());

    let mut one = self::project(2, true);
    let units = [0; 4].map(|worker| answer(&mut one, worker, honest));
    assert_eq!((units, one.alone()), ([0, 0, 1, 1], 2), "a single worker has nobody to ask");
}

#[test]
fn a_lie_is_outvoted_and_stays_known_when_a_unit_is_tried_again() {
    let mut project = project(1, true);
    for n in 0..3u64 {
        answer(&mut project, 0, |a| a.checksum = format!("{n:016x}"));
    }
    assert_eq!(project.given_up().next(), Some((0, "3 different answers")));
    assert!(project.is_finished());
    project.retry();
    assert_eq!((project.open(), project.given_up().count()), (1, 0));
    answer(&mut project, 0, honest);
    answer(&mut project, 0, honest);
    assert_eq!((project.open(), project.grids_done()), (0, 1));
    let (unit, all) = project.differences().next().expect("the lies are not forgotten");
    assert_eq!((unit, all.len()), (0, 5));
    let row = project.rows().next().unwrap();
    assert_eq!((row.answered, row.engine), (5, Some("sudoku 1")));
    assert_eq!(row.given.unwrap().answer.checksum, right(&project, 0).checksum);
}

#[test]
fn another_version_confirms_what_was_found() {
    let mut project = project(1, true);
    answer(&mut project, 0, honest);
    begin(&mut project, "sudoku 2");
    answer(&mut project, 0, |a| a.work = "0".repeat(16));
    assert_eq!((project.open(), project.differences().count()), (0, 0));
    assert_eq!(project.engines(), ["sudoku 2"]);
    assert_eq!(project.alone(), 0, "worker 0 of another session is another");
}

#[test]
fn totals_are_those_of_the_units_that_are_done() {
    let mut project = project(3, false);
    answer(&mut project, 0, honest);
    let half = project.totals();
    assert_eq!((half.units, half.grids, half.puzzles.len()), (1, 1, 0));
    let checksum = half.checksum.clone();
    answer(&mut project, 0, |a| {
        a.nodes = u64::MAX;
        a.nodes_per_grid = vec![u64::MAX];
    });
    answer(&mut project, 0, honest);
    let all = project.totals();
    assert_eq!((all.units, all.grids, all.nodes), (3, 3, u64::MAX));
    assert_ne!(all.checksum, checksum);
    let mut honestly = self::project(3, false);
    for unit in 0..3 {
        assert_eq!(answer(&mut honestly, 0, honest), unit);
    }
    let expected = honestly.totals();
    assert_eq!((&all.checksum, &all.work), (&expected.checksum, &expected.work));
}

#[test]
fn parameters_without_sense_are_refused() {
    let good = parameters(3, false);
    let changed = |from: &str, to: &str| {
        let text = text(&good);
        assert!(text.contains(from), "{text}");
        Project::new(&text.replacen(from, to, 1)).err()
    };
    assert_eq!(changed("\"unit\":1", "\"unit\":2"), None);
    for (from, to, expected) in [
        ("\"unit\":1", "\"unit\":0", "0 grids"),
        ("\"starts\":[3]", "\"starts\":[]", "has grids"),
        ("\"starts\":[3]", "\"starts\":[2]", "add up"),
        ("\"starts\":[3]", "\"starts\":[18446744073709551615,4]", "add up"),
        ("\"place\":0", "\"place\":1", "add up"),
        ("\"count\":3", "\"count\":0", "has grids"),
        ("\"clues\":10", "\"clues\":99", "81 clues"),
        ("\"start\":600000", "\"start\":652408", "652408 starts"),
        ("\"clues\":10", "\"clues\":\"x\"", "invalid type"),
    ] {
        let why = changed(from, to).expect(to);
        assert!(why.contains(expected), "{to}: {why}");
    }
    let sample = |parts, draws| {
        let area = Area::Sample { parts, seed: 1, draws };
        Project::new(&text(&Parameters::new(Plan { clues: 16, unit: 7, twice: false, retries: 0 }, area)))
    };
    assert!(sample(2, vec![(0, 1, 0), (1, 600_000, 3)]).is_ok());
    for (parts, draws) in [(1, vec![(1, 1, 0)]), (0, vec![]), (2, vec![]), (1, vec![(0, 652_408, 0)])] {
        assert!(sample(parts, draws.clone()).is_err(), "{draws:?}");
    }
}

#[test]
fn other_parameters_than_those_of_a_session_are_noticed() {
    let mut project = project(3, false);
    let note = project.note("sudoku 1");
    project.begin_session(0, Some(&note));
    assert!(!project.is_spoiled());
    let mut other = Project::new(&text(&parameters(2, false))).unwrap();
    other.begin_session(0, Some(&note));
    assert!(other.is_spoiled());
}

#[test]
fn units_are_slices_from_the_place_on() {
    let area = Area::Slice { start: 7, place: 5, count: 8, starts: vec![9, 1, 3] };
    let project =
        Project::new(&text(&Parameters::new(Plan { clues: 16, unit: 3, twice: false, retries: 0 }, area)));
    let project = project.unwrap();
    let slices: Vec<Slice> = (0..3).map(|unit| project.slice(unit)).collect();
    let slice = |start, place, grids| Slice { start, place, grids };
    assert_eq!(slices, [slice(7, 5, 3), slice(7, 8, 3), slice(9, 1, 2)]);
}

#[test]
fn a_sample_says_what_all_grids_would_take_and_a_slice_does_not() {
    let area = Area::Sample {
        parts: 2,
        seed: 1,
        draws: vec![(0, START, 0), (0, START, 1), (1, START, 2), (1, START, 3)],
    };
    let mut project =
        project_of(&Parameters::new(Plan { clues: CLUES, unit: 1, twice: false, retries: 0 }, area));
    for seconds in [1.0, 3.0, 5.0] {
        assert_eq!(project.estimate().map(|e| e.error), None);
        answer(&mut project, 0, |a| a.seconds = seconds);
    }
    assert_eq!(project.estimate().map(|e| e.error), Some(None), "two grids make an error");
    answer(&mut project, 0, |a| a.seconds = 7.0);
    let estimate = project.estimate().unwrap();
    assert_eq!((estimate.mean, estimate.parts[0].mean, estimate.parts[1].mean), (4.0, 2.0, 6.0));
    // Each part: variance 2, of the mean 1; of the mean of both 1/2.
    assert!((estimate.error.unwrap() - 0.5f64.sqrt()).abs() < 1e-12);

    let mut slice = self::project(1, false);
    answer(&mut slice, 0, honest);
    assert_eq!(slice.estimate(), None);
}
