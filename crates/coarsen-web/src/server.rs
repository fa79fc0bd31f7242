//! Opens the door: the address and its token, the routes, and the end by Ctrl-C.

use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::extract::DefaultBodyLimit;
use axum::routing::get;
use axum::{Router, middleware};
use coarsen_engine::{Engine, EngineError, EngineSettings};
use tempfile::TempDir;
use tokio::sync::watch;

use crate::guard::{FORM, Guard, guard};
use crate::place::Place;
use crate::session::Sessions;
use crate::{assets, pages, token, upload};

/// How long open connections may take to end after Ctrl-C.
const FAREWELL: Duration = Duration::from_secs(5);
/// How long cancelled work may take to end.
const PATIENCE: Duration = Duration::from_secs(10);

/// What is served, to whom.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The folder that the page may look into and write to.
    pub folder: PathBuf,
    /// The address to listen at.
    pub host: IpAddr,
    /// The port; any free one where 0.
    pub port: u16,
    /// Whether an address that other machines reach is meant, and the names they may call it by.
    pub open_to: Option<Vec<String>>,
    /// The most bytes that an upload may have.
    pub upload_limit: u64,
}

impl Default for Settings {
    /// This folder, to this machine only, uploads of up to 2 GB.
    fn default() -> Self {
        Settings {
            folder: PathBuf::from("."),
            host: IpAddr::from([127, 0, 0, 1]),
            port: 0,
            open_to: None,
            upload_limit: 2_000_000_000,
        }
    }
}

/// Why the page could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The folder is not there.
    #[error("{}: there is no such folder", .0.display())]
    NoFolder(PathBuf),
    /// An address that other machines reach, without the word that this is meant.
    #[error(
        "{0} can be reached from other machines, and the page shows your data to whoever has the token"
    )]
    Open(IpAddr),
    /// The address cannot be listened at.
    #[error("cannot listen at {address}: {error}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        error: std::io::Error,
    },
    /// No room for private copies, no thread, no randomness.
    #[error("the page cannot start: {0}")]
    System(std::io::Error),
    /// The engine cannot start.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl ServeError {
    /// What to do.
    pub fn help(&self) -> &'static str {
        match self {
            ServeError::NoFolder(_) => "name the folder that your data are in",
            ServeError::Open(_) => {
                "leave --host out to serve this machine only; or add --open-to-network NAME, the name or address that others will type"
            }
            ServeError::Listen { .. } => "choose another --port, or leave it out for any free one",
            ServeError::System(_) | ServeError::Engine(_) => {
                "see that the folder for temporary files can be written to"
            }
        }
    }
}

/// The page, once it is there.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The whole address, with its token.
    pub address: String,
    /// The folder.
    pub folder: PathBuf,
}

/// Ends the page from another thread.
#[derive(Clone, Debug)]
pub struct Stopper(watch::Sender<bool>);

impl Stopper {
    /// Ends it; true where it was asked to before.
    pub fn stop(&self) -> bool {
        self.0.send_replace(true)
    }
}

/// Something that ends the page.
pub fn stopper() -> Stopper {
    Stopper(watch::Sender::new(false))
}

/// What all requests share.
pub struct App {
    pub guard: Guard,
    pub sessions: Sessions,
    /// The folder that was named.
    pub place: Arc<Place>,
    /// For uploads and for releases that wait; nobody else may look into it, and it is gone at the end.
    pub temporary: TempDir,
    /// For what is quick; searches have engines of their own.
    pub engine: Engine,
    pub upload_limit: u64,
}

/// Serves the page until it is stopped. `opened` is told the address.
///
/// # Errors
/// Why it cannot start.
pub fn serve(
    settings: &Settings,
    stopper: &Stopper,
    opened: impl FnOnce(&Opened),
) -> Result<(), ServeError> {
    if !settings.host.is_loopback() && settings.open_to.is_none() {
        return Err(ServeError::Open(settings.host));
    }
    let folder = settings.folder.as_path();
    if !folder.is_dir() {
        return Err(ServeError::NoFolder(folder.to_path_buf()));
    }
    let place = Place::new(folder, false).map_err(ServeError::System)?;
    let temporary =
        private_folder(&std::env::temp_dir(), "coarsen-page-").map_err(ServeError::System)?;
    let token = token::secret()
        .map_err(|error| ServeError::System(std::io::Error::other(error.to_string())))?;
    let engine = Engine::new(EngineSettings::default())?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(ServeError::System)?;
    let address = SocketAddr::new(settings.host, settings.port);
    let listener = runtime
        .block_on(tokio::net::TcpListener::bind(address))
        .map_err(|error| ServeError::Listen { address, error })?;
    let local = listener.local_addr().map_err(ServeError::System)?;
    let app = Arc::new(App {
        guard: Guard {
            token: token.clone(),
            hosts: hosts(settings, local),
            cookie: format!("coarsen-{}", local.port()),
        },
        sessions: Sessions::default(),
        place: Arc::new(place),
        temporary,
        engine,
        upload_limit: settings.upload_limit,
    });
    let shown = match local.ip().is_unspecified() {
        true => settings
            .open_to
            .iter()
            .flatten()
            .next()
            .map_or_else(|| local.to_string(), |name| with_port(name, local.port())),
        false => local.to_string(),
    };
    opened(&Opened {
        address: format!("http://{shown}/?token={token}"),
        folder: app.place.root().to_path_buf(),
    });
    let router = router(app.clone());
    runtime.block_on(async {
        let mut stop = stopper.0.subscribe();
        let mut ended = stop.clone();
        let serving = axum::serve(listener, router).with_graceful_shutdown(async move {
            let _ = stop.wait_for(|stop| *stop).await;
        });
        let farewell = async {
            let _ = ended.wait_for(|stop| *stop).await;
            cancel_all(&app);
            tokio::time::sleep(FAREWELL).await;
        };
        tokio::select! {
            done = async { serving.await } => done.map_err(ServeError::System),
            () = farewell => Ok(()),
        }
    })?;
    cancel_all(&app);
    runtime.shutdown_timeout(PATIENCE);
    wait_for_all(&app);
    Ok(())
}

/// A folder inside another that nobody else may look into; it goes when it is dropped.
pub fn private_folder(inside: &Path, prefix: &str) -> std::io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.tempdir_in(inside)
}

/// The Hosts that the page answers to.
fn hosts(settings: &Settings, local: SocketAddr) -> Vec<String> {
    let port = local.port();
    let mut hosts = vec![local.to_string()];
    if local.ip().is_loopback() || local.ip().is_unspecified() {
        hosts.extend(["127.0.0.1", "localhost", "[::1]"].map(|name| with_port(name, port)));
    }
    hosts.extend(
        settings
            .open_to
            .iter()
            .flatten()
            .map(|name| with_port(name, port)),
    );
    // Browsers leave the usual port out.
    if port == 80 {
        let bare: Vec<String> = hosts
            .iter()
            .filter_map(|h| h.strip_suffix(":80").map(String::from))
            .collect();
        hosts.extend(bare);
    }
    hosts.iter().map(|host| host.to_ascii_lowercase()).collect()
}

fn with_port(name: &str, port: u16) -> String {
    format!("{name}:{port}")
}

fn router(app: Arc<App>) -> Router {
    let forms = Router::new()
        .merge(pages::routes())
        .layer(DefaultBodyLimit::max(FORM));
    Router::new()
        .route("/style.css", get(assets::style))
        .route("/page.js", get(assets::script))
        .merge(forms)
        // It counts for itself, as it goes.
        .merge(upload::routes().layer(DefaultBodyLimit::disable()))
        .layer(middleware::from_fn_with_state(app.clone(), guard))
        .with_state(app)
}

fn cancel_all(app: &App) {
    for session in app.sessions.all() {
        session.with(|project| {
            if let Some(job) = &project.job {
                job.cancel();
            }
        });
    }
}

/// Waits for cancelled work, so that nothing is written when the private folder is removed.
fn wait_for_all(app: &App) {
    let start = std::time::Instant::now();
    let is_busy = || {
        let sessions = app.sessions.all();
        let mut busy = sessions
            .iter()
            .map(|session| session.with(|p| p.running().is_some()));
        busy.any(|busy| busy == Some(true))
    };
    while is_busy() && start.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(20));
    }
}

impl App {
    /// Where releases wait.
    pub fn rooms(&self) -> &Path {
        self.temporary.path()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_named_hosts_and_loopback_are_ours() {
        let settings = Settings {
            open_to: Some(vec!["Stats.Example".into()]),
            ..Settings::default()
        };
        let own = hosts(&settings, "127.0.0.1:80".parse().unwrap());
        for host in ["127.0.0.1:80", "localhost", "[::1]:80", "stats.example"] {
            assert!(own.contains(&host.to_string()), "{host}: {own:?}");
        }
        let open = hosts(&Settings::default(), "192.168.1.5:81".parse().unwrap());
        assert_eq!(open, ["192.168.1.5:81"]);
    }

    #[test]
    fn other_machines_are_let_in_only_by_word() {
        let settings = Settings {
            host: "0.0.0.0".parse().unwrap(),
            ..Settings::default()
        };
        let refused = serve(&settings, &stopper(), |_| panic!("it must not open"));
        assert!(matches!(refused, Err(ServeError::Open(_))));
    }
}
