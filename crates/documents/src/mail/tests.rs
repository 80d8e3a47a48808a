use std::{fmt::Write as _, time::Duration};

use crate::{Fault, extract::Extract, reader};
use domain::Omitted;

fn read(mail: &str) -> Result<Extract, Fault> {
    reader::read(mail.as_bytes(), Duration::MAX, false)
}

const HEAD: &str = "From: =?utf-8?Q?Ada_M=C3=BCller?= <ada@example.org>\r\nTo: Ben <ben@example.org>\r\nSubject: =?utf-8?B?VW16dWcgaW0g?=\r\n =?iso-8859-1?Q?M=E4rz?=\r\nDate: Mon, 2 Mar 2026 09:00:00 +0100\r\nMessage-ID: <1@example.org>\r\nMIME-Version: 1.0\r\n";
const SHOWN: &str = "From: Ada Müller <ada@example.org>\nTo: Ben <ben@example.org>\nDate: Mon, 2 Mar 2026 09:00:00 +0100\nSubject: Umzug im März";

#[test]
fn a_mail_is_read_as_it_was_written() {
    let base64 = format!(
        "{HEAD}Content-Type: multipart/mixed; boundary=\"b\"\r\n\r\nno\r\n--b\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\nNDAuMDAwIEV1cm8gZsO8\r\nciBmw7xuZiBXb2NoZW4K\r\n\r\n--b\r\nContent-Type: application/pdf; name=\"offer.pdf\"\r\nContent-Disposition: attachment; filename=\"offer.pdf\"\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBERg==\r\n--b--\r\nno"
    );
    let extract = read(&base64).unwrap();
    assert_eq!(extract.text, format!("{SHOWN}\n\n40.000 Euro für fünf Wochen"));
    assert_eq!(extract.omitted, [Omitted::Attachments(vec!["offer.pdf".into()])]);
    let quoted = format!(
        "{HEAD}Content-Type: text/plain; charset=\"windows-1252\"\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nf=FCr 5 =80, that is =\r\nall, 1=2=3"
    );
    assert_eq!(read(&quoted).unwrap().text, format!("{SHOWN}\n\nfür 5 €, that is all, 1=2=3"));
    let both = format!(
        "{HEAD}Content-Type: multipart/alternative; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain\r\n\r\nplain\r\n--x\r\nContent-Type: text/html\r\n\r\n<p>rich</p>\r\n--x--"
    );
    assert_eq!(read(&both).unwrap().text, format!("{SHOWN}\n\nplain"));
    let forwarded = format!(
        "{HEAD}Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\nSee below.\r\n--x\r\nContent-Type: message/rfc822\r\n\r\nFrom: Cleo\r\nSubject: Offer\r\n\r\n900 euros\r\n--x--"
    );
    assert_eq!(
        read(&forwarded).unwrap().text,
        format!("{SHOWN}\n\nSee below.\n\nForwarded message:\nFrom: Cleo\nSubject: Offer\n\n900 euros")
    );
}

#[test]
fn a_page_saved_as_one_file_is_its_page() {
    let page = "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=\"----=_P\"\n\nThis document is a Single File Web Page.\n\n------=_P\nContent-Location: file:///C:/a.htm\nContent-Transfer-Encoding: quoted-printable\nContent-Type: text/html; charset=\"us-ascii\"\n\n<html xmlns=3D\"x\"><body><p class=3DMsoNormal>10<sup>6</sup> bottles, caf=\n&eacute;</p></body></html>\n\n------=_P\nContent-Type: text/xml\n\n<x>no</x>\n------=_P--\n";
    let extract = read(page).unwrap();
    assert_eq!(extract.text, "10^6 bottles, café");
    assert_eq!(extract.omitted, []);
}

#[test]
fn what_only_looks_like_a_mail_is_text() {
    for text in [
        "Subject: plan\nDate: today\n\nWe open in May.",
        "From: us\nTo: you\nSubject: rent\n\nMessage-ID: none",
        "# Plan\n\nFrom: a\nMessage-ID: b",
        "title: x\nauthor: y\n",
    ] {
        assert_eq!(read(text).unwrap().text, text);
    }
}

#[test]
fn hostile_mails_stay_within_bounds() {
    let mut nested = String::from("words");
    for depth in 0..60 {
        nested = format!("From: a\r\nMessage-ID: <{depth}>\r\nContent-Type: message/rfc822\r\n\r\n{nested}");
    }
    let extract = read(&nested).unwrap();
    assert!(!extract.text.contains("words"));
    assert_eq!(extract.omitted, [Omitted::Parts]);
    let mut many = format!("{HEAD}Content-Type: multipart/mixed; boundary=x\r\n\r\n");
    for part in 0..2_000 {
        write!(many, "--x\r\nContent-Type: text/plain\r\n\r\npart {part}\r\n").unwrap();
    }
    let extract = read(&many).unwrap();
    assert!(extract.text.contains("part 498") && !extract.text.contains("part 600"));
    assert_eq!(extract.omitted, [Omitted::Parts]);
    let files = "--x\r\nContent-Type: image/png\r\n\r\n1\r\n".repeat(400);
    assert!(
        read(&format!("{HEAD}Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\nhi\r\n{files}"))
            .unwrap()
            .is_sound()
    );
    let itself = format!(
        "{HEAD}Content-Type: multipart/mixed; boundary=x\r\n\r\n{}",
        "--x\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n".repeat(5_000)
    );
    assert!(read(&itself).is_ok());
    assert_eq!(read(&format!("{HEAD}Content-Type: multipart/mixed\r\n\r\nx")), Err(Fault::Broken));
}
