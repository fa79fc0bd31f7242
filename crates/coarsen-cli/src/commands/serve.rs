//! `coarsen serve`: the local page.

use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use coarsen_engine::EngineError;
use coarsen_web::{ServeError, Settings, serve, stopper};

use super::memory;
use crate::Ending;
use crate::failure::Failure;

/// Open the local page: the same steps in a browser, served from this machine to this machine
#[derive(Args)]
pub struct Arguments {
    /// The port to listen at [default: any free one]
    #[arg(
        long,
        value_name = "PORT",
        default_value_t = 0,
        hide_default_value = true
    )]
    port: u16,
    /// The folder that the page may look into and write to
    #[arg(long, value_name = "DIR", default_value = ".")]
    folder: PathBuf,
    /// The address to listen at
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: IpAddr,
    /// Let other machines in: the names or addresses, separated by commas, that they will type.
    /// Whoever has the token sees the data, and nothing is encrypted on the way
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    open_to_network: Option<Vec<String>>,
    /// The most that may be uploaded, such as 500MB
    #[arg(long, value_name = "SIZE", value_parser = memory, default_value = "2GB")]
    upload_limit: u64,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Ending {
    let settings = Settings {
        folder: arguments.folder,
        host: arguments.host,
        port: arguments.port,
        open_to: arguments.open_to_network,
        upload_limit: arguments.upload_limit,
    };
    let stopper = stopper();
    let own = stopper.clone();
    // Without a handler Ctrl-C still ends the process, only less politely.
    let _ = ctrlc::set_handler(move || {
        if own.stop() {
            std::process::exit(3);
        }
    });
    let served = serve(&settings, &stopper, |page| {
        anstream::println!("{}", page.address);
        anstream::eprintln!(
            "This address lets one in: keep it to yourself. The page sees {}. Stop it with Ctrl-C.",
            page.folder.display()
        );
    });
    match served {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(ServeError::Engine(error)) => Err(error.into()),
        Err(ServeError::System(error)) => Err(EngineError::io(Path::new("the page"), error).into()),
        Err(error) => Err(Failure::usage(error.to_string(), error.help())),
    }
}
