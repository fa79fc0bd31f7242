//! A client of the page that writes HTTP by hand, so that it can also send what no browser would.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::common::Folder;

/// A page that was opened over a folder; it ends with the test.
pub struct Page {
    child: Child,
    _out: BufReader<ChildStdout>,
    pub port: u16,
    pub token: String,
    pub cookie: String,
}

/// What came back.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
    }

    #[track_caller]
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}\n{}", self.head, self.text());
        self
    }

    /// It must say all of these.
    #[track_caller]
    pub fn says(self, words: &[&str]) -> Self {
        let text = self.text();
        for word in words {
            assert!(text.contains(word), "it does not say `{word}`:\n{text}");
        }
        self
    }
}

impl Page {
    /// Opens the page over a folder and enters by the token.
    pub fn open(folder: &Folder, more: &[&str]) -> Page {
        Page::start(folder, more).enter()
    }

    /// The same with another folder for temporary files.
    pub fn open_in(folder: &Folder, more: &[&str], temporary: &str) -> Page {
        let mut command = folder.command(&["serve"]);
        command
            .args(more)
            .env("TMPDIR", temporary)
            .stderr(Stdio::null());
        Page::of(command).enter()
    }

    /// The same, and the file that all it says on stderr goes to.
    pub fn open_logged(folder: &Folder) -> (Page, PathBuf) {
        let log = folder.path("stderr.log");
        let mut command = folder.command(&["serve"]);
        command.stderr(std::fs::File::create(&log).unwrap());
        (Page::of(command).enter(), log)
    }

    fn enter(self) -> Page {
        let mut page = self;
        let entered = page
            .send("GET", &format!("/?token={}", page.token), &[], b"")
            .expect(303);
        let cookie = entered.header("set-cookie").unwrap();
        assert!(
            cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"),
            "{cookie}"
        );
        page.cookie = cookie.split(';').next().unwrap().to_string();
        page
    }

    /// Opens the page, but does not enter.
    pub fn start(folder: &Folder, more: &[&str]) -> Page {
        let mut command = folder.command(&["serve"]);
        command.args(more).stderr(Stdio::null());
        Page::of(command)
    }

    fn of(mut command: Command) -> Page {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        let (address, token) = line.trim().split_once("/?token=").unwrap();
        let port = address.rsplit(':').next().unwrap().parse().unwrap();
        Page {
            child,
            _out: out,
            port,
            token: token.to_string(),
            cookie: String::new(),
        }
    }

    pub fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// The address with its token, as it was printed.
    pub fn address(&self) -> String {
        format!("http://{}/?token={}", self.host(), self.token)
    }

    /// Sends a request with our Host and nothing else that is not asked for.
    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let host = self.host();
        let mut all = vec![("Host", host.as_str())];
        all.extend(headers);
        let length = body.len().to_string();
        if method != "GET"
            && !headers
                .iter()
                .any(|(name, _)| matches!(*name, "Content-Length" | "Transfer-Encoding"))
        {
            all.push(("Content-Length", &length));
        }
        self.raw(method, path, &all, |stream| stream.write_all(body))
    }

    /// Sends a request as it stands; the body is written by the caller, and may break off.
    pub fn raw(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: impl FnOnce(&mut TcpStream) -> std::io::Result<()>,
    ) -> Answer {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        stream.write_all((head + "\r\n").as_bytes()).unwrap();
        // The server may have answered and gone before all of it is sent.
        let _ = body(&mut stream);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        parse(&bytes)
    }

    /// Asks for a page.
    pub fn get(&self, path: &str) -> Answer {
        self.send("GET", path, &[("Cookie", &self.cookie)], b"")
    }

    /// Sends a form, as a page of ours does.
    pub fn post(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let body: Vec<String> = fields
            .iter()
            .map(|(name, value)| format!("{}={}", encoded(name), encoded(value)))
            .collect();
        let origin = format!("http://{}", self.host());
        let headers = [
            ("Cookie", self.cookie.as_str()),
            ("Origin", &origin),
            ("Content-Type", "application/x-www-form-urlencoded"),
        ];
        self.send("POST", path, &headers, body.join("&").as_bytes())
    }

    /// Sends files as the step Data does.
    pub fn upload(&self, files: &[(&str, &str)]) -> Answer {
        let mut body = String::new();
        for (name, text) in files {
            body += &format!(
                "--cut\r\nContent-Disposition: form-data; name=\"files\"; filename=\"{name}\"\r\nContent-Type: text/csv\r\n\r\n{text}\r\n"
            );
        }
        body += "--cut--\r\n";
        let origin = format!("http://{}", self.host());
        let headers = [
            ("Cookie", self.cookie.as_str()),
            ("Origin", &origin),
            ("Content-Type", "multipart/form-data; boundary=cut"),
        ];
        self.send("POST", "/data/upload", &headers, body.as_bytes())
    }

    /// Searches with the policy's settings as the page shows them, and waits for the end.
    pub fn search(&self, fields: &[(&str, &str)]) {
        let fields = [fields, &[("go", "1")]].concat();
        self.post("/search", &fields).expect(303);
        self.wait();
    }

    /// Waits until nothing goes on.
    pub fn wait(&self) {
        let start = Instant::now();
        while self.get("/search").text().contains("data-events=") {
            assert!(
                start.elapsed() < Duration::from_secs(60),
                "the search does not end"
            );
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Asks it to stop as Ctrl-C does, and waits.
    pub fn stop(mut self) -> ExitStatus {
        self.interrupt()
    }

    fn interrupt(&mut self) -> ExitStatus {
        let id = self.child.id().to_string();
        let told = Command::new("kill").args(["-INT", &id]).status().unwrap();
        assert!(told.success());
        self.child.wait().unwrap()
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        // Politely, so that it removes what is private.
        if matches!(self.child.try_wait(), Ok(None)) {
            self.interrupt();
        }
    }
}

fn parse(bytes: &[u8]) -> Answer {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
    let end = end.unwrap_or_else(|| panic!("no answer: {:?}", String::from_utf8_lossy(bytes)));
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let rest = &bytes[end + 4..];
    let chunked = head
        .to_ascii_lowercase()
        .contains("transfer-encoding: chunked");
    let body = if chunked { joined(rest) } else { rest.to_vec() };
    Answer { status, head, body }
}

/// A body that came in chunks.
fn joined(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = rest.windows(2).position(|two| two == b"\r\n") {
        let size = usize::from_str_radix(std::str::from_utf8(&rest[..end]).unwrap(), 16).unwrap();
        if size == 0 || rest.len() < end + 2 + size {
            break;
        }
        body.extend_from_slice(&rest[end + 2..end + 2 + size]);
        rest = &rest[end + 4 + size..];
    }
    body
}

pub fn encoded(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte.is_ascii_alphanumeric() {
            true => char::from(byte).to_string(),
            false => format!("%{byte:02X}"),
        })
        .collect()
}
