//! A headless Chromium, driven by WebDriver: JSON over HTTP to a chromedriver, written by hand. Where
//! there is none, the tests say what they skip.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::Folder;

/// A browser window; it closes with the test.
pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
    /// Where it downloads to.
    pub downloads: Folder,
}

/// How long something may take to appear.
const PATIENCE: Duration = Duration::from_secs(30);

impl Browser {
    /// Opens a window, or says that there is no browser.
    pub fn open() -> Option<Browser> {
        let started = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let Ok(mut driver) = started else {
            eprintln!(
                "skipped: the page in a real browser, for there is no chromedriver (on Debian: apt install chromium chromium-driver)"
            );
            return None;
        };
        let out = BufReader::new(driver.stdout.take().unwrap());
        let told = out
            .lines()
            .map_while(Result::ok)
            .find(|line| line.contains("successfully on port "));
        let told = told.expect("chromedriver tells its port");
        let port = told
            .rsplit("on port ")
            .next()
            .unwrap()
            .trim_end_matches('.')
            .parse()
            .unwrap();
        let downloads = Folder::new();
        let mut browser = Browser {
            driver,
            port,
            session: String::new(),
            downloads,
        };
        let options = json!({ "capabilities": { "alwaysMatch": {
            "goog:loggingPrefs": { "browser": "ALL" },
            "goog:chromeOptions": {
                "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1280,900"],
                "prefs": { "download.default_directory": browser.downloads.path("").to_string_lossy(), "download.prompt_for_download": false },
            },
        } } });
        let begun = browser.call("POST", "/session", &options);
        match begun["sessionId"].as_str() {
            Some(session) => browser.session = session.to_string(),
            None => {
                eprintln!(
                    "skipped: the page in a real browser, for Chromium does not start: {}",
                    begun["message"]
                );
                return None;
            }
        }
        Some(browser)
    }

    /// Sends a command to the driver and takes its value.
    fn call(&self, method: &str, path: &str, body: &Value) -> Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(120)))
            .unwrap();
        let body = if method == "POST" {
            body.to_string()
        } else {
            String::new()
        };
        write!(stream, "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", self.port, body.len()).unwrap();
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            if let Some(told) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = told.trim().parse().unwrap();
            }
            if line.trim().is_empty() {
                break;
            }
        }
        let mut bytes = vec![0; length];
        reader.read_exact(&mut bytes).unwrap();
        let answer: Value = serde_json::from_slice(&bytes).unwrap();
        answer["value"].clone()
    }

    fn ask(&self, method: &str, path: &str, body: Value) -> Value {
        self.call(method, &format!("/session/{}{path}", self.session), &body)
    }

    /// Goes to an address.
    pub fn go(&self, address: &str) {
        self.ask("POST", "/url", json!({ "url": address }));
    }

    /// Loads the page anew.
    pub fn reload(&self) {
        self.ask("POST", "/refresh", json!({}));
    }

    /// Runs a script in the page. The page's own policy does not concern the driver.
    pub fn script(&self, script: &str) -> Value {
        self.ask(
            "POST",
            "/execute/sync",
            json!({ "script": script, "args": [] }),
        )
    }

    /// All that can be read on the page.
    pub fn text(&self) -> String {
        let text = self.script("return document.body.innerText");
        text.as_str().unwrap_or_default().to_string()
    }

    /// Waits until the page says something.
    #[track_caller]
    pub fn until(&self, words: &str) {
        let start = Instant::now();
        while !self.text().contains(words) {
            assert!(
                start.elapsed() < PATIENCE,
                "the page does not say `{words}`:\n{}",
                self.text()
            );
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Waits until a script says so.
    #[track_caller]
    pub fn until_it_is(&self, script: &str, value: &str) {
        let start = Instant::now();
        loop {
            let found = self.script(script);
            if found == value {
                return;
            }
            assert!(
                start.elapsed() < PATIENCE,
                "{script} is {found}, not {value}"
            );
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    #[track_caller]
    fn find(&self, xpath: &str) -> String {
        let start = Instant::now();
        loop {
            let found = self.ask(
                "POST",
                "/element",
                json!({ "using": "xpath", "value": xpath }),
            );
            let element = found
                .as_object()
                .and_then(|o| o.iter().find(|(key, _)| key.starts_with("element-")));
            if let Some((_, id)) = element {
                return id.as_str().unwrap().to_string();
            }
            assert!(
                start.elapsed() < PATIENCE,
                "no {xpath} on the page:\n{}",
                self.text()
            );
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Presses a button or follows a link by what it is called, and waits for the page that comes.
    #[track_caller]
    pub fn press(&self, name: &str) {
        self.script("window.left = true");
        self.click(name);
        self.arrive(name);
    }

    /// Goes to a step by its name.
    #[track_caller]
    pub fn step(&self, name: &str) {
        self.script("window.left = true");
        self.click_on(&format!("//nav//a[contains(normalize-space(.), {name:?})]"));
        self.arrive(name);
    }

    #[track_caller]
    fn arrive(&self, name: &str) {
        let start = Instant::now();
        let is_there = "return !window.left && document.readyState === 'complete'";
        while self.script(is_there) != true {
            assert!(
                start.elapsed() < PATIENCE,
                "{name} leads nowhere:\n{}",
                self.text()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Presses what downloads a file, and leaves the page where it is.
    #[track_caller]
    pub fn click(&self, name: &str) {
        let is = format!("(normalize-space(.)={name:?} or @aria-label={name:?})");
        self.click_on(&format!(
            "//main//button[{is}] | //main//a[{is}] | //header//button[{is}]"
        ));
    }

    #[track_caller]
    fn click_on(&self, xpath: &str) {
        let element = self.find(xpath);
        let done = self.ask("POST", &format!("/element/{element}/click"), json!({}));
        assert!(done.is_null(), "{xpath}: {done}");
    }

    /// Fills a field in by its label.
    #[track_caller]
    pub fn fill(&self, label: &str, text: &str) {
        let element = self.labelled(label);
        self.ask("POST", &format!("/element/{element}/clear"), json!({}));
        let done = self.ask(
            "POST",
            &format!("/element/{element}/value"),
            json!({ "text": text }),
        );
        assert!(done.is_null(), "{label}: {done}");
    }

    /// Chooses from a list by its label, with the keyboard's way: by what the choice says.
    #[track_caller]
    pub fn choose(&self, label: &str, choice: &str) {
        let element = self.labelled(label);
        let option = self.find(&format!(
            "//*[@id=\"{}\"]/option[starts-with(normalize-space(.), {choice:?})]",
            self.id(&element)
        ));
        let done = self.ask("POST", &format!("/element/{option}/click"), json!({}));
        assert!(done.is_null(), "{label}: {done}");
    }

    /// Chooses a radio button or ticks a box by what stands beside it.
    #[track_caller]
    pub fn tick(&self, label: &str) {
        let element = self.find(&format!("//main//label[.//strong[normalize-space(.)={label:?}] or normalize-space(.)={label:?}]/input"));
        let done = self.ask("POST", &format!("/element/{element}/click"), json!({}));
        assert!(done.is_null(), "{label}: {done}");
    }

    /// Presses keys wherever the focus is.
    pub fn keys(&self, keys: &str) {
        let each = keys.chars().flat_map(|key| {
            let key = key.to_string();
            [
                json!({ "type": "keyDown", "value": key }),
                json!({ "type": "keyUp", "value": key }),
            ]
        });
        let actions = json!({ "actions": [{ "type": "key", "id": "keyboard", "actions": each.collect::<Vec<_>>() }] });
        self.ask("POST", "/actions", actions);
    }

    fn id(&self, element: &str) -> String {
        let id = self.ask(
            "GET",
            &format!("/element/{element}/attribute/id"),
            json!({}),
        );
        id.as_str().unwrap().to_string()
    }

    fn labelled(&self, label: &str) -> String {
        self.find(&format!(
            "//*[@id = //main//label[normalize-space(.)={label:?}]/@for]"
        ))
    }

    /// Waits for a downloaded file and takes its bytes.
    #[track_caller]
    pub fn downloaded(&self, name: &str) -> Vec<u8> {
        let start = Instant::now();
        while !self.downloads.path(name).exists() {
            assert!(
                start.elapsed() < PATIENCE,
                "{name} is not downloaded: {:?}",
                self.downloads.names()
            );
            std::thread::sleep(Duration::from_millis(50));
        }
        self.downloads.bytes(name)
    }

    /// What the browser complained of: broken rules of the content security policy are among it.
    pub fn complaints(&self) -> Vec<String> {
        let log = self.ask("POST", "/se/log", json!({ "type": "browser" }));
        let entries = log.as_array().cloned().unwrap_or_default();
        // A refused form is a page with a status of its own, which the browser notes.
        let worth = |entry: &&Value| {
            !entry["message"]
                .as_str()
                .unwrap_or_default()
                .contains("status of 422")
        };
        entries
            .iter()
            .filter(worth)
            .map(|entry| entry["message"].to_string())
            .collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            self.ask("DELETE", "", json!({}));
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
