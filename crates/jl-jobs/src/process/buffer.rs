//! What a program printed: its lines, and the tail of its complaints.

/// A line of output without its newline (and without a carriage return before it).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Bytes that are not UTF-8 are replaced, one character for each broken sequence.
    pub text: String,
    /// How many bytes it took, with the newline.
    pub bytes: usize,
}

impl Line {
    fn new(bytes: &[u8]) -> Self {
        let text = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        Line { text: String::from_utf8_lossy(text).into_owned(), bytes: bytes.len() }
    }
}

/// Cuts chunks into lines. It grows with what is not taken: the owner bounds it by [`LineBuffer::len`].
#[derive(Debug, Default)]
pub(super) struct LineBuffer {
    bytes: Vec<u8>,
    /// Where the next line begins.
    start: usize,
    /// No newline lies between `start` and here, so that a long line is not searched again for every chunk.
    searched: usize,
}

impl LineBuffer {
    pub(super) fn push(&mut self, chunk: &[u8]) {
        if self.start > 0 {
            self.bytes.drain(..self.start);
            self.searched -= self.start;
            self.start = 0;
        }
        self.bytes.extend_from_slice(chunk);
    }

    pub(super) fn next_line(&mut self) -> Option<Line> {
        match self.bytes[self.searched..].iter().position(|b| *b == b'\n') {
            Some(at) => {
                let end = self.searched + at + 1;
                let line = Line::new(&self.bytes[self.start..end]);
                (self.start, self.searched) = (end, end);
                Some(line)
            }
            None => {
                self.searched = self.bytes.len();
                None
            }
        }
    }

    pub(super) fn take_rest(&mut self) -> Option<Line> {
        let rest = (self.len() > 0).then(|| Line::new(&self.bytes[self.start..]));
        self.clear();
        rest
    }

    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        (self.start, self.searched) = (0, 0);
    }

    pub(super) fn len(&self) -> usize {
        self.bytes.len() - self.start
    }

    pub(super) fn is_blank(&self) -> bool {
        self.bytes[self.start..].iter().all(u8::is_ascii_whitespace)
    }

    /// The beginning, enough to recognise what it is.
    pub(super) fn peek(&self) -> String {
        let rest = &self.bytes[self.start..];
        String::from_utf8_lossy(&rest[..rest.len().min(400)]).into_owned()
    }
}

/// The last lines of a stream of any length.
#[derive(Debug, Default)]
pub(super) struct Tail {
    bytes: Vec<u8>,
}

impl Tail {
    const LINES: usize = 10;
    const BYTES: usize = 2000;

    pub(super) fn push(&mut self, chunk: &[u8]) {
        self.bytes.extend_from_slice(&chunk[chunk.len().saturating_sub(Self::BYTES)..]);
        let excess = self.bytes.len().saturating_sub(Self::BYTES);
        self.bytes.drain(..excess);
    }

    /// Joined by ` / `, or `None` if there is nothing but blanks.
    pub(super) fn last_lines(&self) -> Option<String> {
        let text = String::from_utf8_lossy(&self.bytes);
        let lines: Vec<_> = text.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
        let last = &lines[lines.len().saturating_sub(Self::LINES)..];
        (!last.is_empty()).then(|| last.join(" / "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(buffer: &mut LineBuffer) -> Vec<String> {
        std::iter::from_fn(|| buffer.next_line()).map(|l| l.text).collect()
    }

    #[test]
    fn chunks_become_lines_wherever_they_are_cut() {
        let text = b"one\r\n\ntwo \xff\nthree";
        for cut in 0..=text.len() {
            let mut buffer = LineBuffer::default();
            buffer.push(&text[..cut]);
            let mut all = lines(&mut buffer);
            buffer.push(&text[cut..]);
            all.extend(lines(&mut buffer));
            assert_eq!(all, ["one", "", "two \u{fffd}"]);
            assert_eq!((buffer.len(), buffer.peek().as_str()), (5, "three"));
            assert_eq!(buffer.take_rest(), Some(Line { text: "three".into(), bytes: 5 }));
            assert_eq!(buffer.take_rest(), None);
        }
    }

    #[test]
    fn a_tail_keeps_the_end() {
        let mut tail = Tail::default();
        assert_eq!(tail.last_lines(), None);
        for i in 0..1000 {
            tail.push(format!("line {i}\n\n").as_bytes());
        }
        let last = tail.last_lines().unwrap();
        assert!(last.starts_with("line 990 / ") && last.ends_with(" / line 999"), "{last}");
        tail.push(&[b'x'; 100_000]);
        assert_eq!(tail.last_lines().unwrap().len(), Tail::BYTES);
    }
}
