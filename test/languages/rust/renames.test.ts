import { expect } from 'bun:test';
import { questionTimeoutMs } from '../../servers/conformance.ts';
import { cargoProject, rustAnalyzer } from '../../support/rust.ts';
import { openShared, type SharedSession } from '../../support/shared-session.ts';
import { testUnless } from '../../support/skip.ts';

const { env, whyNot: whyNotRust } = rustAnalyzer();

/** Returns a session in a package with these files. */
function openPackage(files: Readonly<Record<string, string>>): Promise<SharedSession> {
  return openShared({ ...cargoProject, ...files }, { env });
}

const unanalyzed = `mod price;
#[cfg(windows)]
mod windows;

macro_rules! call {
    () => { $crate::helper() + helper() + crate::price::cost(1) };
}

macro_rules! leave {
    () => { exit(3) };
}

pub fn helper() -> u32 { 1 }

pub fn exit(code: u32) -> u32 {
    code + call!() + leave!() + std::process::exit(2)
}
`;

testUnless(whyNotRust)(
  'a rename reaches bodies of macros and inactive code if the name has one meaning',
  async () => {
    const { workspace: project, client } = await openPackage({
      'src/lib.rs': unanalyzed,
      'src/price.rs': 'pub fn cost(n: u32) -> u32 {\n    n\n}\n',
      'src/windows.rs': 'pub fn run(list: &[u32]) -> u32 {\n    crate::helper() + list.helper()\n}\n',
    });
    const rename = async (namePath: string, file: string, newName: string) =>
      (await client.call('rename_symbol', { name_path: namePath, relative_path: file, new_name: newName })).blocks.join(
        '\n',
      );
    const noted = await rename('helper', 'src/lib.rs', 'aid');
    expect(noted).toContain(
      'does not analyze this code, where the name has no other meaning:\n    src/lib.rs:5: helper\n    src/windows.rs:1: helper\n',
    );
    // A method of that name is another one: it stays, and is named.
    expect(noted).toMatch(/; incomplete: 1 open\n(?:.*\n)*Open .*:\n.*:\n {4}\[1\] src\/windows\.rs:1: /);
    expect(project.read('src/windows.rs')).toContain('crate::aid() + list.helper()');
    await rename('cost', 'src/price.rs', 'price_of');
    const text = () => project.read('src/lib.rs');
    expect(text()).toContain('{ $crate::aid() + aid() + crate::price::price_of(1) }');
    // The name also means a function of the standard library.
    expect(await rename('exit', 'src/lib.rs', 'end')).toMatch(
      /; incomplete: 1 open\nOpen .*:\n.*:\n {4}\[1\] src\/lib\.rs:9: /,
    );
    expect(text()).toContain('() => { exit(3) }');
  },
  questionTimeoutMs,
);

const splitting = `#[derive(Clone, Copy)]
pub enum Separator {
    Space,
    Comma,
}

impl Separator {
    pub fn split(self) -> u32 {
        self as u32
    }

    pub fn join(self) -> u32 {
        self.split()
    }
}

pub fn user() -> u32 {
    Separator::Space.join()
}

macro_rules! check {
    ($separator:expr) => {
        Separator::Comma
            .split() + $crate::Separator::Space.split() + $separator.join()
    };
}

pub fn checked() -> u32 {
    check!(Separator::Comma)
}
`;

testUnless(whyNotRust)(
  'a rename of a method reaches values of its type in macros, and is refused for other values',
  async () => {
    const { workspace: project, client } = await openPackage({
      'src/lib.rs': splitting,
    });
    const rename = async (name: string, newName: string, more = {}) => {
      const place = { name_path: `impl Separator/${name}`, relative_path: 'src/lib.rs', new_name: newName };
      return await client.call('rename_symbol', { ...place, ...more });
    };
    const renamed = await rename('split', 'parts');
    expect(renamed.blocks.join('\n')).toContain('where the name has no other meaning:\n    src/lib.rs:23: split');
    expect(project.read('src/lib.rs')).toBe(splitting.replaceAll('split', 'parts'));

    const refused = await rename('join', 'glue');
    expect(refused.isError).toBe(true);
    expect(refused.text).toContain('set `force` to true');
    expect(refused.text).toContain(
      'does not resolve with certainty names that may mean it: `src/lib.rs` 23 (0-based lines)',
    );
    expect(project.read('src/lib.rs')).toBe(splitting.replaceAll('split', 'parts'));
    expect(await rename('join', 'glue', { force: true })).toMatchObject({ isError: false });
    expect(project.read('src/lib.rs')).toContain('Separator::Space.glue()');
  },
  questionTimeoutMs,
);

const shapes = `pub struct Square(pub f64);

impl Square {
    pub fn area(&self) -> f64 {
        self.0 * self.0
    }
}

macro_rules! area_of {
    ($x:expr) => {
        $x.area() + Square::area(&$x)
    };
}

pub fn total(squares: &[Square]) -> f64 {
    let mut sum = 0.0;
    for square in squares {
        let area = area_of!(square);
        sum += area;
    }
    sum
}
`;

testUnless(whyNotRust)(
  'a rename of a method that a macro may use is refused also where a variable has its name',
  async () => {
    const { workspace: project, client } = await openPackage({
      'src/lib.rs': shapes,
    });
    const place = { name_path: 'impl Square/area', relative_path: 'src/lib.rs', new_name: 'surface' };
    const refused = await client.call('rename_symbol', place);
    expect(refused).toMatchObject({
      isError: true,
      text: expect.stringContaining('names that may mean it: `src/lib.rs` 10, 10 (0-based lines)'),
    });
    expect(project.read('src/lib.rs')).toBe(shapes);
  },
  questionTimeoutMs,
);

const conditional = `#[cfg(unix)]
fn width(of: char) -> usize { of.len_utf8() }

#[cfg(not(unix))]
fn width(_: char) -> usize { 1 }

pub struct Line(String);

impl Line {
    #[cfg(unix)]
    pub fn end(&self) -> &str { "\\n" }

    #[cfg(not(unix))]
    pub fn end(&self) -> &str { "\\r\\n" }

    pub fn total(&self) -> usize { self.0.chars().map(width).sum::<usize>() + self.end().len() }
}

#[cfg(not(unix))]
pub fn narrow() -> usize { width('n') }
`;

testUnless(whyNotRust)(
  'a rename changes all definitions of which a build has one, whichever is named',
  async () => {
    const { workspace: project, client } = await openPackage({
      'src/lib.rs': conditional,
    });
    const rename = async (namePath: string, newName: string) => {
      const place = { name_path: namePath, relative_path: 'src/lib.rs', new_name: newName };
      expect(await client.call('rename_symbol', place)).toMatchObject({ isError: false });
      return project.read('src/lib.rs');
    };
    const renamed = conditional.replaceAll('width', 'breadth');
    expect(await rename('width[0]', 'breadth')).toBe(renamed);
    expect(await rename('breadth[1]', 'width')).toBe(conditional);
    const methods = conditional.replaceAll('end(', 'last(');
    expect(await rename('impl Line/end[1]', 'last')).toBe(methods);
    expect(await rename('impl Line/last[0]', 'end')).toBe(conditional);
  },
  questionTimeoutMs,
);

const parts = ['head', 'middle', 'tail', 'left', 'right', 'top', 'bottom', 'rest'];

const defining = (part: string) => `
pub fn ${part}<'a, I>(words: I, least: &'a usize) -> impl Iterator<Item = &'a str>
where
    I: IntoIterator<Item = &'a str>,
{
    words.into_iter().filter(move |word| word.len() > *least)
}
`;

const using = (part: string) => `
pub fn lines_of_${part}<'a>(line: &'a str, options: &'a Options) -> usize {
    let words = (options.separator)(line);
    let ${part} = ${part}(words, &options.least);
    let broken = if options.breaks {
        let mut broken = all_of(${part}, 1);
        broken.insert(0, "");
        broken
    } else {
        ${part}.collect::<Vec<_>>()
    };
    broken.len()
}
`;

const options = `use crate::parts::{${parts.join(', ')}};

pub struct Options {
    pub least: usize,
    pub breaks: bool,
    pub separator: Box<dyn Fn(&str) -> Box<dyn Iterator<Item = &str> + '_>>,
}

pub fn all_of<'a, I: IntoIterator<Item = &'a str>>(words: I, _: usize) -> Vec<&'a str> {
    words.into_iter().collect()
}
`;

// rust-analyzer 1.95 lists the variables now and then, where a package has several targets.
testUnless(whyNotRust)(
  'a variable with the name of the function that gave its value is no reference to it',
  async () => {
    const { workspace: project, client } = await openPackage({
      // The targets of a package are read at the start: this one is of no other test.
      'Cargo.toml': cargoProject['Cargo.toml'].replace('0.1.0', '0.2.0'),
      'src/lib.rs': 'pub mod parts;\npub mod wrap;\n',
      'src/parts.rs': parts.map(defining).join(''),
      'src/wrap.rs': `${options}${parts.map(using).join('')}`,
      'tests/one.rs':
        '#[test]\nfn one() {\n    let _: fn(&str, &one::wrap::Options) -> usize = |a, b| one::wrap::lines_of_head(a, b);\n}\n',
      'examples/two.rs': 'fn main() {}\n',
    });
    const original = project.read('src/wrap.rs');
    for (const part of parts) {
      const place = { name_path: part, relative_path: 'src/parts.rs', new_name: `${part}_part` };
      expect(await client.call('rename_symbol', place)).toMatchObject({ isError: false });
    }
    const expected = parts.reduce(
      (text, part) =>
        text
          .replace(new RegExp(`(crate::parts::\\{.*\\b)${part}\\b`), `$1${part}_part`)
          .replace(`= ${part}(words`, `= ${part}_part(words`),
      original,
    );
    expect(project.read('src/wrap.rs')).toBe(expected);
  },
  questionTimeoutMs,
);

testUnless(whyNotRust)(
  'implementations in bodies of functions are found',
  async () => {
    const { client } = await openPackage({
      'src/lib.rs': `pub trait Hook {
    fn finish(&mut self) {}
}

pub struct A;
impl Hook for A {}

pub struct Held<T>(T);
pub trait Other {}
impl<T: Hook> Other for Held<T> {}
impl<T: Hook> Hook for Held<T> {}

#[test]
fn local() {
    struct B;
    impl Hook for B {
        fn finish(&mut self) {}
    }
    B.finish();
}
`,
    });
    const find = async (name_path: string) => {
      const { text } = await client.call('find_implementations', { name_path, relative_path: 'src/lib.rs' });
      return [...text.matchAll(/"name_path": "([^"]*)"/g)].map(([, found]) => found);
    };
    expect(await find('Hook')).toEqual(['impl Hook for A', 'impl Hook for Held<T>', 'local/impl Hook for B']);
    expect(await find('Hook/finish')).toEqual(['local/impl Hook for B/finish']);
  },
  questionTimeoutMs,
);

testUnless(whyNotRust)(
  'a member that implements one of a library is not renamed, and the answer names the member',
  async () => {
    const code = `use std::fmt;

pub struct Item;

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "item")
    }
}
`;
    const { workspace, client } = await openPackage({ 'src/lib.rs': code });
    const target = { name_path: 'impl fmt::Display for Item/fmt', relative_path: 'src/lib.rs', new_name: 'show' };
    const { text, isError } = await client.call('rename_symbol', target);
    expect({ text, isError }).toMatchObject({ isError: true });
    expect(text).toMatch(/`: it overrides or implements what is outside the project: `[\w<>/ ]*fmt` \(`/);
    expect(workspace.read('src/lib.rs')).toBe(code);
  },
  questionTimeoutMs,
);

testUnless(whyNotRust)(
  'a string of an attribute that names a function is a use of it',
  async () => {
    const { client } = await openPackage({
      'src/lib.rs':
        'mod shop;\n\nfn make() -> u8 {\n    1\n}\n\nfn plain() -> u8 {\n    2\n}\n\npub const TEXTS: [&str; 2] = ["plain", "make"];\n',
      'src/shop.rs': '#[derive(Deserialize)]\npub struct Shop {\n    #[serde(default = "make")]\n    size: u8,\n}\n',
    });
    const named =
      'a string has its name, and code may use it by that:\n    [1] src/shop.rs:2: #[serde(default = "make")]';
    const target = { name_path: 'make', relative_path: 'src/lib.rs' };
    const renamed = await client.call('rename_symbol', { ...target, new_name: 'build', dry_run: true });
    expect(renamed.text).toContain(named);
    const deletion = async (name: string) => {
      const deleted = { name_path_pattern: name, relative_path: 'src/lib.rs', dry_run: true };
      return (await client.call('safe_delete_symbol', deleted)).text;
    };
    expect(await deletion('make')).toContain('1 string names it');
    expect(await deletion('plain')).toContain('Would have deleted `plain`');
  },
  questionTimeoutMs,
);
