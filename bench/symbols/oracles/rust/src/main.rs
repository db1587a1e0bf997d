//! usage: symbench <directory>
//! Prints what `syn` sees in the Rust files of a package, as JSON: its declarations, struct shorthands, `Self` types and
//! code behind conditions that no build of the benchmark meets. Positions are byte offsets.

mod declarations;
mod json;

use std::{env, fs, path::Path};

fn main() {
    let directory = env::args().nth(1).expect("usage: symbench <directory>");
    let mut files = Vec::new();
    walk(Path::new(&directory), "", &mut files);
    files.sort();
    let rendered: Vec<String> = files
        .iter()
        .filter_map(|file| {
            let text = fs::read_to_string(Path::new(&directory).join(file)).ok()?;
            // Some files are templates or data of tests.
            let tree = syn::parse_file(&text).ok()?;
            Some(json::file(file, &declarations::read(&tree, &text)))
        })
        .collect();
    println!("[{}]", rendered.join(",\n"));
}

fn walk(root: &Path, under: &str, files: &mut Vec<String>) {
    let Ok(entries) = fs::read_dir(root.join(under)) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if under.is_empty() { name.clone() } else { format!("{under}/{name}") };
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() && !name.starts_with('.') && name != "target" {
            walk(root, &path, files);
        } else if kind.is_file() && name.ends_with(".rs") {
            files.push(path);
        }
    }
}
