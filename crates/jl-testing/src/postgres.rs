//! A PostgreSQL server for tests: started by the first test that needs one, gone with the process.

use std::fs;
use std::io::{self, Write};
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

const MISSING: &str = "the tests need the PostgreSQL server: 'apt-get install postgresql' on Debian, or have its pg_ctl on \
                       the PATH";

/// A server on a free port of this machine, for the tests of this process. Everyone may connect.
pub struct Server {
    programs: PathBuf,
    port: u16,
    databases: AtomicU32,
    /// Stops the server and removes its folder when this process ends, however it ends: its standard input is closed then.
    _keeper: Child,
}

/// The server of this process.
///
/// # Panics
/// If there is none, with how to install it.
pub fn server() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(|| Server::new(false))
}

/// Another one, which waits for the disk at every commit (`fsync = on`): for benches.
///
/// # Panics
/// If there is none, with how to install it.
pub fn durable_server() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(|| Server::new(true))
}

impl Server {
    fn new(durable: bool) -> Server {
        let programs = programs().unwrap_or_else(|| panic!("{MISSING}"));
        let mut why = String::new();
        // Someone else may take the free port before the server has it.
        for _ in 0..3 {
            match Server::start(&programs, durable) {
                Ok(server) => return server,
                Err(e) => why = e,
            }
        }
        panic!("no PostgreSQL server for the tests: {why}")
    }

    fn start(programs: &Path, durable: bool) -> Result<Server, String> {
        let told = |e: io::Error| e.to_string();
        let folder = tempfile::Builder::new().prefix("jl-postgres-").tempdir().map_err(told)?;
        // The server refuses to run as root.
        let account = other_account(folder.path())?;
        if let Some((user, group)) = account {
            chown(folder.path(), Some(user), Some(group)).map_err(told)?;
        }
        let command = |program: PathBuf| {
            let mut command = Command::new(program);
            command.current_dir(folder.path()).env("LC_ALL", "C").stdin(Stdio::null());
            if let Some((user, group)) = account {
                command.gid(group).uid(user);
            }
            command
        };
        let made = command(programs.join("initdb"))
            .args(["-D", "data", "-U", "jl", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"])
            .output()
            .map_err(told)?;
        if !made.status.success() {
            return Err(String::from_utf8_lossy(&made.stderr).trim().to_string());
        }
        let listener = TcpListener::bind("127.0.0.1:0").map_err(told)?;
        let port = listener.local_addr().map_err(told)?.port();
        drop(listener);
        // Nothing is ever said to it: the read ends when the test's process does.
        let script = r#"
            "$0" -D data -h 127.0.0.1 -p "$1" -k "$PWD" -c fsync="$3" -c max_connections=200 >log 2>&1 </dev/null &
            read -r nothing
            kill -QUIT $! 2>/dev/null
            wait $!
            cd / && rm -rf "$2""#;
        let mut keeper = command("sh".into());
        keeper.args(["-c", script]).arg(programs.join("postgres")).arg(port.to_string()).arg(folder.path());
        keeper.arg(if durable { "on" } else { "off" });
        // A group of its own: Ctrl-C must not stop it before its server.
        keeper.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        let keeper = keeper.spawn().map_err(told)?;
        // From here on the keeper removes the folder.
        let folder = folder.keep();
        let server =
            Server { programs: programs.into(), port, databases: AtomicU32::new(0), _keeper: keeper };
        server.await_ready(&folder)?;
        Ok(server)
    }

    fn await_ready(&self, folder: &Path) -> Result<(), String> {
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_secs(60) {
            let pid = fs::read_to_string(folder.join("data/postmaster.pid")).unwrap_or_default();
            if pid.lines().nth(7).is_some_and(|line| line.trim() == "ready") {
                return Ok(());
            }
            let log = fs::read_to_string(folder.join("log")).unwrap_or_default();
            if log.contains("FATAL") {
                return Err(log);
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Err("it does not get ready".into())
    }

    /// The address of a new, empty database.
    ///
    /// # Panics
    /// If it can't be made.
    pub fn database(&self) -> String {
        let name = format!("test{}", self.databases.fetch_add(1, Ordering::Relaxed));
        self.sql("postgres", &format!("CREATE DATABASE {name}"));
        format!("postgres://jl@127.0.0.1:{}/{name}", self.port)
    }

    /// Runs SQL in a database of this server; what it prints, without ornament.
    ///
    /// # Panics
    /// If it fails.
    pub fn sql(&self, database: &str, sql: &str) -> String {
        let database = database.rsplit('/').next().unwrap_or(database);
        let mut psql = Command::new(self.programs.join("psql"));
        psql.args(["-h", "127.0.0.1", "-U", "jl", "-d", database, "-p", &self.port.to_string()]);
        psql.args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"]);
        let mut child = psql.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("psql starts");
        child.stdin.take().expect("it is piped").write_all(sql.as_bytes()).expect("psql reads");
        let out = child.wait_with_output().expect("psql ends");
        assert!(out.status.success(), "psql failed: {sql}");
        String::from_utf8_lossy(&out.stdout).trim().to_string()
    }
}

/// Where the server's programs are: the newest that is installed.
fn programs() -> Option<PathBuf> {
    let is_there = |folder: &PathBuf| folder.join("initdb").is_file() && folder.join("postgres").is_file();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).filter_map(|f| f.join("pg_ctl").canonicalize().ok());
    let on_path = found.filter_map(|file| Some(file.parent()?.to_path_buf())).find(is_there);
    let version = |folder: &PathBuf| -> Option<u32> { folder.parent()?.file_name()?.to_str()?.parse().ok() };
    on_path.or_else(|| {
        let installed = fs::read_dir("/usr/lib/postgresql").ok()?.flatten().map(|e| e.path().join("bin"));
        installed.filter(is_there).max_by_key(version)
    })
}

/// Who runs the server in root's stead: user and group. `None` if this process, which made the folder, is not root's.
fn other_account(folder: &Path) -> Result<Option<(u32, u32)>, String> {
    if fs::metadata(folder).map_err(|e| e.to_string())?.uid() != 0 {
        return Ok(None);
    }
    let accounts = fs::read_to_string("/etc/passwd").map_err(|e| format!("/etc/passwd: {e}"))?;
    let named = |name: &str| -> Option<(u32, u32)> {
        let fields = accounts.lines().map(|l| l.split(':').collect::<Vec<_>>()).find(|f| f[0] == name)?;
        Some((fields.get(2)?.parse().ok()?, fields.get(3)?.parse().ok()?))
    };
    let other = named("postgres").or_else(|| named("nobody"));
    other.map(Some).ok_or_else(|| "no account but root can run it".into())
}
