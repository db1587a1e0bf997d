use crate::declarations::{Declaration, Facts, Implementation};

/// Returns the facts about one file as a JSON object.
pub fn file(path: &str, facts: &Facts) -> String {
    format!(
        "{{\"file\":{},\"declarations\":[{}],\"shorthands\":[{}],\"selfTypes\":[{}],\"conditional\":[{}],\"implementations\":[{}]}}",
        string(path),
        join(&facts.declarations, declaration),
        join(&facts.shorthands, usize::to_string),
        join(&facts.self_types, |(of, at)| format!("{{\"of\":{},\"at\":{at}}}", string(of))),
        join(&facts.conditional, |(start, end)| format!("[{start},{end}]")),
        join(&facts.implementations, |Implementation { at, path, name }| {
            format!("{{\"at\":{at},\"path\":{path},\"name\":{name}}}")
        }),
    )
}

fn declaration(found: &Declaration) -> String {
    format!(
        "{{\"name\":{},\"namePath\":{},\"kind\":{},\"isExported\":{},\"isAskable\":{},\"at\":{},\"start\":{},\"end\":{}}}",
        string(&found.name),
        string(&found.path),
        string(found.kind),
        found.is_exported,
        found.is_askable,
        found.at,
        found.start,
        found.end,
    )
}

fn join<T>(items: &[T], render: impl Fn(&T) -> String) -> String {
    items.iter().map(render).collect::<Vec<_>>().join(",")
}

fn string(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\0'..='\u{1f}' => quoted.push_str(&format!("\\u{:04x}", u32::from(character))),
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}
