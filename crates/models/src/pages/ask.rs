//! Asking for one page: its head first, then what is needed of the rest.

use std::error::Error;

use reqwest::{
    Method, Response,
    header::{ACCEPT, CONTENT_TYPE, HOST, LOCATION},
};
use url::{Host, Url};

use super::{Found, Pages, public::NotPublic};
use domain::Reached;

/// Most redirects of one page.
const REDIRECTS: usize = 5;
/// Most bytes of a page that are read; what comes after them is left.
const MOST_BYTES: usize = 2 << 20;
/// Most bytes of a PDF that is read: it says at its end where its parts are, so there is no reading its beginning.
const MOST_OF_PDF: usize = 4 << 20;
/// What is read of a page.
const KINDS: &str = "text/html, application/xhtml+xml, text/plain;q=0.9, text/markdown;q=0.9, application/pdf;q=0.8, */*;q=0.1";

/// An answer, or why there is none.
enum Asked {
    Answer(Response),
    None(Reached),
}

impl Pages {
    /// The head first: it says whether the page is there, and what kind of thing it is. Many servers do not answer that
    /// as they answer a reader, so that only what it says of success is believed.
    pub(super) async fn ask(&self, url: &str, read: bool) -> Found {
        let nothing = |reached: Reached, why: &str| Found { reached, bytes: Err(why.to_owned()) };
        let head = match self.request(&Method::HEAD, url).await {
            Asked::None(refused @ Reached::Refused(_)) => {
                return nothing(refused, "its address is not asked");
            }
            Asked::Answer(response) if response.status().is_success() => Some(response),
            Asked::Answer(_) | Asked::None(_) => None,
        };
        match &head {
            Some(_) if !read => return nothing(Reached::There, "it was not to be read"),
            Some(head) => {
                if let Some(why) = unread(head) {
                    return nothing(Reached::There, &why);
                }
            }
            None => {}
        }
        drop(head);
        match self.request(&Method::GET, url).await {
            Asked::None(reached) => nothing(reached, "it cannot be reached"),
            Asked::Answer(response) => match response.status().as_u16() {
                200..300 => {
                    let why =
                        (!read).then(|| "it was not to be read".to_owned()).or_else(|| unread(&response));
                    let bytes = match why {
                        Some(why) => Err(why),
                        None => beginning(response).await,
                    };
                    Found { reached: Reached::There, bytes }
                }
                status @ (401 | 403 | 429) => nothing(Reached::Blocked(status), "it lets no program in"),
                status => nothing(Reached::Status(status), "it is not there"),
            },
        }
    }

    /// One request and the redirects that follow from it, each looked at like the first address.
    async fn request(&self, method: &Method, url: &str) -> Asked {
        let refused = |why: &str| Asked::None(Reached::Refused(why.to_owned()));
        let Ok(mut at) = Url::parse(url.trim()) else { return refused("it is no address") };
        for _ in 0..=REDIRECTS {
            if let Err(why) = Self::may_ask(&at) {
                return refused(why);
            }
            let response = match self.send(method, &at).await {
                Ok(response) => response,
                Err(error) => return Asked::None(lost(&error)),
            };
            let next = response.headers().get(LOCATION).and_then(|next| next.to_str().ok());
            match next.filter(|_| response.status().is_redirection()) {
                None => return Asked::Answer(response),
                Some(next) => match at.join(next) {
                    Ok(next) => at = next,
                    Err(_) => {
                        return Asked::None(Reached::Failed(
                            "it leads to something that is no address".to_owned(),
                        ));
                    }
                },
            }
        }
        Asked::None(Reached::Failed(format!("it leads elsewhere more than {REDIRECTS} times")))
    }

    /// What is wrong with an address before anything is looked up.
    fn may_ask(url: &Url) -> Result<(), &'static str> {
        if url.scheme() != "https" {
            return Err("it leads to an address that is not https");
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("it has a user name or a password in it");
        }
        match url.host() {
            // A number in any spelling has become one of these.
            Some(Host::Domain(name)) if name.trim_end_matches('.').contains('.') => Ok(()),
            _ => Err("it leads to no public name"),
        }
    }

    async fn send(&self, method: &Method, url: &Url) -> Result<Response, reqwest::Error> {
        let stand_in = url.host_str().and_then(|host| Some((host, self.0.reach.stand_ins.get(host)?)));
        let request = match stand_in {
            Some((host, origin)) => {
                let mut there = origin.clone();
                there.set_path(url.path());
                there.set_query(url.query());
                self.0.client.request(method.clone(), there).header(HOST, host)
            }
            None => self.0.client.request(method.clone(), url.clone()),
        };
        request.header(ACCEPT, KINDS).send().await
    }
}

/// Why an answer is not read; nothing where it is a text or a PDF.
fn unread(response: &Response) -> Option<String> {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim().to_lowercase();
    let is_text = kind.is_empty() || kind.starts_with("text/") || kind == "application/xhtml+xml";
    (!is_text && kind != "application/pdf").then(|| "it is no text".to_owned())
}

/// The beginning of a body, after decompression; a PDF whole.
async fn beginning(mut response: Response) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    // Mail programs and web servers put lines before the mark.
    let is_pdf = |bytes: &[u8]| bytes[..bytes.len().min(1_024)].windows(5).any(|mark| mark == b"%PDF-");
    while bytes.len() < MOST_BYTES || (is_pdf(&bytes) && bytes.len() <= MOST_OF_PDF) {
        match response.chunk().await {
            Ok(Some(chunk)) => bytes.extend_from_slice(&chunk),
            Ok(None) => break,
            Err(_) => return Err("it broke off while it was read".to_owned()),
        }
    }
    if !is_pdf(&bytes) {
        bytes.truncate(MOST_BYTES);
    } else if bytes.len() > MOST_OF_PDF {
        return Err("it is a PDF of more than 4 MB, which is not read".to_owned());
    }
    Ok(bytes)
}

/// Why nothing came. No address is in it.
fn lost(error: &reqwest::Error) -> Reached {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(deeper) = cause {
        if let Some(not_public) = deeper.downcast_ref::<NotPublic>() {
            return Reached::Refused(not_public.to_string());
        }
        cause = deeper.source();
    }
    let why = if error.is_timeout() {
        "it did not answer in time"
    } else if error.is_connect() {
        "no connection comes about"
    } else {
        "the connection was cut"
    };
    Reached::Failed(why.to_owned())
}
