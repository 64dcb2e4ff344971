//! Streams of JSON lines: one line in, one line out, for files and for pipes that stay open.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;

use super::output::Failure;
use crate::load::{MAX_FILE_BYTES, ReadError};

/// Answers each line of a file (`-`: standard input) with a line on stdout, in order.
///
/// Blank lines are passed over. An answer waits in a buffer only while more input is at hand, so
/// a program that writes one line and waits for its answer gets it. `answer` appends its line to
/// the buffer, without the newline.
pub(super) fn answer_lines(path: &Path, mut answer: impl FnMut(&str, &mut Vec<u8>)) -> Result<(), Failure> {
    let input: Box<dyn Read> = if path == Path::new("-") {
        Box::new(io::stdin())
    } else {
        let file = File::open(path).map_err(ReadError::from);
        Box::new(file.map_err(|error| Failure::Unreadable { path: path.to_owned(), error })?)
    };
    let mut input = BufReader::with_capacity(1 << 16, input);
    let mut output = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let (mut line, mut out) = (Vec::new(), Vec::new());
    loop {
        line.clear();
        let unreadable = |error: io::Error| Failure::Unreadable { path: path.to_owned(), error: error.into() };
        let read = input.by_ref().take(MAX_FILE_BYTES).read_until(b'\n', &mut line).map_err(unreadable)?;
        if read == 0 {
            break;
        }
        if read as u64 == MAX_FILE_BYTES && line.last() != Some(&b'\n') {
            return Err(Failure::Unreadable { path: path.to_owned(), error: ReadError::TooLarge });
        }
        let text = String::from_utf8_lossy(&line);
        if !text.trim().is_empty() {
            out.clear();
            answer(text.trim(), &mut out);
            out.push(b'\n');
            output.write_all(&out)?;
        }
        if input.buffer().is_empty() {
            output.flush()?;
        }
    }
    output.flush()?;
    Ok(())
}
