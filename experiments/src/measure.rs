//! A process with its time and its peak memory.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What a process took.
#[derive(Clone, Debug)]
pub struct Taken {
    /// Seconds from start to exit.
    pub seconds: f64,
    /// Peak resident memory in megabytes; 0 where the system does not tell.
    pub megabytes: f64,
    /// Seconds that its threads were at work, all together; 0 where the system does not tell. Others
    /// on the machine make a process wait, which this leaves out.
    pub cpu: f64,
    /// What it printed.
    pub stdout: String,
}

/// Runs a process to its end; fails where it does.
pub fn run(command: &mut Command) -> Result<Taken, Box<dyn std::error::Error>> {
    let start = Instant::now();
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let status_file = PathBuf::from(format!("/proc/{}/status", child.id()));
    let times_file = PathBuf::from(format!("/proc/{}/stat", child.id()));
    let (mut peak, mut cpu) = (0.0f64, 0.0f64);
    let status = loop {
        peak = peak.max(peak_memory(&status_file));
        cpu = cpu.max(cpu_seconds(&times_file));
        match child.try_wait()? {
            Some(status) => break status,
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    let seconds = start.elapsed().as_secs_f64();
    let stdout = match child.stdout.take() {
        Some(pipe) => std::io::read_to_string(pipe)?,
        None => String::new(),
    };
    if !status.success() {
        return Err(format!("{command:?} ended with {status}").into());
    }
    Ok(Taken {
        seconds,
        megabytes: peak,
        cpu,
        stdout,
    })
}

/// The peak resident memory so far, in megabytes.
fn peak_memory(status: &Path) -> f64 {
    let Ok(text) = std::fs::read_to_string(status) else {
        return 0.0;
    };
    text.lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .and_then(|rest| rest.split_whitespace().next()?.parse::<f64>().ok())
        .map_or(0.0, |kilobytes| kilobytes / 1024.0)
}

/// The seconds that this process has been on a processor so far, all its threads together; 0 where the
/// system does not tell. Unlike the time that went by, it does not grow with what others do.
pub fn on_processor() -> f64 {
    let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten();
    let nanoseconds = tasks.flatten().filter_map(|task| {
        let text = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse::<f64>().ok()
    });
    nanoseconds.sum::<f64>() / 1e9
}

/// The seconds of all threads so far: the 14th and 15th figure of the file, in hundredths.
fn cpu_seconds(times: &Path) -> f64 {
    let Ok(text) = std::fs::read_to_string(times) else {
        return 0.0;
    };
    // The second figure is the name in brackets, which may hold spaces.
    let after = text.rsplit(')').next().unwrap_or_default();
    let figures = after.split_whitespace().skip(11).take(2);
    figures.filter_map(|f| f.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// A program that was built beside this one.
pub fn sibling(name: &str) -> Result<PathBuf, Box<dyn std::error::Error>> {
    let path = std::env::current_exe()?.with_file_name(name);
    if !path.exists() {
        return Err(format!(
            "{} is not there; build it with `cargo build --release`",
            path.display()
        )
        .into());
    }
    Ok(path)
}
