//! The tables of a run store.

/// Of files and databases. Version 1 had files only, without positions and moves, and jobs in the journal.
pub const VERSION: i32 = 2;

/// Who keeps the tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    Sqlite,
    Postgres,
}

// One text for both. In SQLite, a table that is its own index saves a third where rows are short; answers may be long, and
// would each overflow into a page of their own there.
const TABLES: &str = "
CREATE TABLE runs (
    id         @ID,
    name       TEXT NOT NULL UNIQUE,
    created    TEXT NOT NULL,                -- UTC, as 2026-11-15T21:43:30Z
    parameters TEXT NOT NULL,                -- JSON: game, position, search, program, limits
    status     TEXT NOT NULL,                -- running, stopped, decided, limit, given-up
    digest     TEXT,                         -- fingerprint of the graph when the run last stopped
    report     TEXT,                         -- JSON: the last report
    saved      BIGINT NOT NULL DEFAULT 0,    -- the last journal entry that positions and moves account for
    state      TEXT,                         -- JSON: what else is needed to go on from there
    total      BIGINT NOT NULL DEFAULT 0,    -- of the sums of the positions
    sum        INTEGER                       -- of saved, state and total
);
CREATE TABLE journal (
    run    INTEGER NOT NULL,
    seq    BIGINT NOT NULL,                  -- 1, 2, 3 … within the run
    at     BIGINT NOT NULL,                  -- milliseconds of running time since the run was created
    kind   TEXT NOT NULL,                    -- available, assigned, done, failed, dropped, cached, limit, retry, session
    job    BIGINT,                           -- the job that ended
    detail TEXT,                             -- JSON
    sum    INTEGER,                          -- of the entry and all before it; null for available
    PRIMARY KEY (run, seq)
)@ROWLESS;
CREATE TABLE jobs (
    run      INTEGER NOT NULL,
    job      BIGINT NOT NULL,
    question TEXT,
    output   TEXT,                           -- JSON: the lines that the program printed
    cpu      DOUBLE PRECISION,               -- seconds
    reason   TEXT,                           -- JSON: why there is no answer
    PRIMARY KEY (run, job)                   -- every job ends at most once
);
CREATE TABLE positions (
    run     INTEGER NOT NULL,
    id      INTEGER NOT NULL,
    key     @BYTES NOT NULL,                 -- 16 bytes: equal positions have equal keys
    value   TEXT,
    status  TEXT,                            -- what the program said
    count   BIGINT NOT NULL,
    level   BIGINT NOT NULL,
    bits    BIGINT NOT NULL,
    parents TEXT,                            -- 12 or 12,55
    data    TEXT NOT NULL,                   -- JSON: the search's numbers
    sum     INTEGER NOT NULL,                -- of the row and its moves
    PRIMARY KEY (run, id)
)@ROWLESS;
CREATE TABLE moves (
    run    INTEGER NOT NULL,
    parent INTEGER NOT NULL,
    ord    INTEGER NOT NULL,                 -- 0, 1, 2 … at the parent
    code   BIGINT NOT NULL,
    move   TEXT NOT NULL,
    child  INTEGER NOT NULL,
    echo   INTEGER NOT NULL,                 -- 1: a second move to a child that the parent has already
    PRIMARY KEY (run, parent, ord)
)@ROWLESS;
";

pub fn tables(dialect: Dialect) -> String {
    let (id, bytes, rowless) = match dialect {
        Dialect::Sqlite => ("INTEGER PRIMARY KEY", "BLOB", " WITHOUT ROWID"),
        Dialect::Postgres => ("INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY", "BYTEA", ""),
    };
    TABLES.replace("@ID", id).replace("@BYTES", bytes).replace("@ROWLESS", rowless)
}
