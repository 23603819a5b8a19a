//! What holds of databases alone.

use crate::place::{Place, read};
use jl_messages::{DropReason, JobId};
use jl_store::{Address, Entry, RunStore, StoreError};

#[test]
fn an_address_must_name_a_run() {
    let place = Place::postgres();
    let address = Address::from(place.database());
    for refused in
        [RunStore::create(&address, "{}"), RunStore::open(&address), RunStore::open_to_read(&address)]
    {
        let why = refused.err().unwrap();
        assert!(why.to_string().contains("add ?run=NAME"), "{why}");
    }
}

#[test]
fn looking_for_a_run_makes_no_tables() {
    let place = Place::postgres();
    for refused in [RunStore::open(&place.run()), RunStore::open_to_read(&place.run())] {
        let why = refused.err().unwrap();
        assert!(why.to_string().contains("the database has no runs"), "{why}");
    }
    let tables = jl_testing::server()
        .sql(place.database(), "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'");
    assert_eq!(tables, "0");
}

#[test]
fn other_tables_and_newer_versions_are_left_alone() {
    let place = Place::postgres();
    place.tamper("CREATE TABLE runs (name TEXT)");
    let why = RunStore::create(&place.run(), "{}").err().unwrap();
    assert!(matches!(&why, StoreError::CannotOpen { .. }) && why.to_string().contains("\"runs\""), "{why}");
    let tables = jl_testing::server()
        .sql(place.database(), "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'");
    assert_eq!(tables, "1", "all tables or none");
    place.tamper("DROP TABLE runs");
    drop(place.create());
    place.tamper("UPDATE joblevel SET version = 99");
    for refused in [
        RunStore::create(&place.of("other"), "{}"),
        RunStore::open(&place.run()),
        RunStore::open_to_read(&place.run()),
    ] {
        let why = refused.err().unwrap();
        assert!(why.to_string().contains("has version 99"), "{why}");
    }
}

#[test]
fn passwords_are_not_told() {
    let url = jl_testing::server().database().replace("jl@", "nobody:secret@");
    let refused =
        RunStore::create(&Address::from(format!("{url}?run=x").as_str()), "{}").err().unwrap().to_string();
    assert!(refused.contains("postgres://nobody@127.0.0.1"), "{refused}");
    assert!(refused.contains("role \"nobody\" does not exist") && !refused.contains("secret"), "{refused}");
    let nowhere =
        RunStore::open(&"postgres://jl:secret@127.0.0.1:1/x?run=y".into()).err().unwrap().to_string();
    assert!(nowhere.contains("onnection refused") && !nowhere.contains("secret"), "{nowhere}");
}

#[test]
fn a_lost_connection_is_an_error_and_the_run_can_be_resumed() {
    let place = Place::postgres();
    let lost = |job| Entry::Dropped { job: JobId(job), reason: DropReason::WorkerLost };
    let mut run = place.create();
    run.append(&lost(1)).unwrap();
    run.commit().unwrap();
    run.append(&lost(2)).unwrap();
    let others = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                  WHERE datname = current_database() AND pid <> pg_backend_pid()";
    assert_eq!(jl_testing::server().sql(place.database(), others), "1");
    let why = run.commit().unwrap_err();
    assert!(matches!(why, StoreError::CannotWrite { .. }), "{why}");
    assert!(run.append(&lost(3)).is_err());
    // The lock has gone with the connection, although the writer is still there.
    let mut again = RunStore::open(&place.run()).unwrap();
    assert_eq!(read(&place.run()), [lost(1)]);
    again.append(&lost(2)).unwrap();
    again.commit().unwrap();
    drop(run);
    assert_eq!(read(&place.run()), [lost(1), lost(2)]);
}

#[test]
fn clients_that_come_together_make_the_tables_once() {
    let place = Place::postgres();
    std::thread::scope(|scope| {
        let create = |i: u32| {
            scope.spawn({
                let address = place.of(&format!("run{i}"));
                move || RunStore::create(&address, "{}").map(|_| ())
            })
        };
        for made in (0..8).map(create).collect::<Vec<_>>() {
            made.join().unwrap().unwrap();
        }
    });
    assert_eq!(jl_store::list(&place.database().into()).unwrap().len(), 8);
}
