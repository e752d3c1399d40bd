//! format=flowed (RFC 3676): a line that ends in a blank goes on in the next, so that words are not torn apart and
//! moves not glued together.

/// Joins the lines that belong together. With `delsp` the blank at the break is deleted (RFC 3676 section 4.2).
pub(super) fn unflowed(text: &str, delsp: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut open: Option<usize> = None; // the depth of the paragraph that goes on
    for line in text.lines() {
        let content = line.trim_start_matches('>');
        let depth = line.len() - content.len();
        let content = content.strip_prefix(' ').unwrap_or(content); // space-stuffing, section 4.4
        let separator = content == "-- "; // section 4.3: never flowed
        let goes_on = open == Some(depth) && !separator;
        if !goes_on {
            start_line(&mut out, open.is_some(), depth);
        }
        let flows = content.ends_with(' ') && !separator;
        let content = if flows && delsp { &content[..content.len() - 1] } else { content };
        out.push_str(content);
        open = flows.then_some(depth);
        if !flows {
            out.push('\n');
        }
    }
    out
}

fn start_line(out: &mut String, unfinished: bool, depth: usize) {
    if unfinished {
        out.push('\n'); // the depth changed within a paragraph, section 4.5
    }
    if depth > 0 {
        out.extend(std::iter::repeat_n('>', depth));
        out.push(' ');
    }
}

#[cfg(test)]
mod tests {
    use super::unflowed;

    #[test]
    fn lines_flow_only_within_their_depth() {
        for (text, delsp, expected) in [
            ("a \nb\nc\n", false, "a b\nc\n"),
            ("12.Nf \n3\n", true, "12.Nf3\n"),
            ("> a \n> b\nc\n", false, "> a b\nc\n"),
            ("> a \nb\n", false, "> a \nb\n"),
            ("-- \nAnn\n", false, "-- \nAnn\n"),
            (" > no quote\n", false, "> no quote\n"),
        ] {
            assert_eq!(unflowed(text, delsp), expected, "{text:?}");
        }
    }
}
