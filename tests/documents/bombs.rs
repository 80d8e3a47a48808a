//! Little that unpacks to much, put together without packing all of it.

use std::io::Write;

use flate2::{Compress, Compression, FlushCompress};

/// So many megabytes of spaces, squeezed. Nothing is kept between the pieces, so all of them are the same.
pub fn spaces(megabytes: usize) -> Vec<u8> {
    let mut piece = Vec::with_capacity(16_384);
    let mut packer = Compress::new(Compression::best(), false);
    packer.compress_vec(&vec![b' '; 1 << 20], &mut piece, FlushCompress::Full).unwrap();
    let mut squeezed = piece.repeat(megabytes);
    let mut end = Vec::with_capacity(64);
    Compress::new(Compression::best(), false).compress_vec(&[], &mut end, FlushCompress::Finish).unwrap();
    squeezed.extend(end);
    squeezed
}

/// The same as a stream of a PDF has it. Its checksum is wrong, which shows at its end only.
pub fn zlib_spaces(megabytes: usize) -> Vec<u8> {
    [&b"\x78\x9c"[..], &spaces(megabytes), &[0; 4]].concat()
}

/// An archive of these parts, of which one is so many megabytes of spaces where it has no bytes.
pub fn archive(parts: &[(&str, &[u8])], megabytes: usize) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes) in parts {
        let squeezed = if bytes.is_empty() { spaces(megabytes) } else { bytes.to_vec() };
        let (method, size) = if bytes.is_empty() { (8_u16, megabytes << 20) } else { (0, bytes.len()) };
        let mut head = Vec::new();
        for field in [20, 0, method, 0, 0] {
            head.extend_from_slice(&field.to_le_bytes());
        }
        let mut crc = flate2::Crc::new();
        crc.update(bytes);
        for field in [crc.sum() as usize, squeezed.len(), size] {
            head.extend_from_slice(&u32::try_from(field).unwrap().to_le_bytes());
        }
        head.extend_from_slice(&u16::try_from(name.len()).unwrap().to_le_bytes());
        head.extend_from_slice(&[0; 2]);
        let at = u32::try_from(file.len()).unwrap();
        write!(directory, "PK\x01\x02\x14\0").unwrap();
        directory.extend_from_slice(&head);
        directory.extend_from_slice(&[0; 10]);
        directory.extend_from_slice(&at.to_le_bytes());
        directory.extend_from_slice(name.as_bytes());
        file.extend_from_slice(b"PK\x03\x04");
        file.extend_from_slice(&head);
        file.extend_from_slice(name.as_bytes());
        file.extend_from_slice(&squeezed);
    }
    let (at, count) = (u32::try_from(file.len()).unwrap(), u16::try_from(parts.len()).unwrap());
    file.extend_from_slice(&directory);
    file.extend_from_slice(b"PK\x05\x06\0\0\0\0");
    file.extend_from_slice(&[count.to_le_bytes(), count.to_le_bytes()].concat());
    file.extend_from_slice(&u32::try_from(directory.len()).unwrap().to_le_bytes());
    file.extend_from_slice(&at.to_le_bytes());
    file.extend_from_slice(&[0; 2]);
    file
}
