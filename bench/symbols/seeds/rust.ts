import type { Seed } from '../model.ts';
import { appended } from './appended.ts';
import { replaced } from './replaced.ts';

const syntax = { isSyntax: true };
const across = { isAcross: true };

/** Kinds of errors in Rust; code that is added needs no `std`. */
export const rustSeeds: readonly Seed[] = [
  // Names and members.
  replaced('undefined name in a statement', /^( +let (?:mut )?\w+ = )[a-z]\w*;$/m, '$1missing_zq;'),
  appended('undefined function', 'fn seeded_zq() -> i32 {\n    missing_zq(1)\n}'),
  appended('undefined type', 'fn seeded_zq(_: MissingZq) {}'),
  appended('undefined trait', 'fn seeded_zq<T: MissingZq>(_: T) {}'),
  appended('undefined macro', 'fn seeded_zq() {\n    missing_zq!();\n}'),
  appended('undefined lifetime', "fn seeded_zq(a: &'missing_zq str) -> usize {\n    a.len()\n}"),
  appended('undefined label', "fn seeded_zq() {\n    loop {\n        break 'missing_zq;\n    }\n}"),
  appended('unknown field', 'struct SeededZq {\n    a: i32,\n}\n\nfn read_zq(s: SeededZq) -> i32 {\n    s.b + s.a\n}'),
  appended('unknown method', 'struct SeededZq;\n\nfn call_zq(s: SeededZq) {\n    s.missing()\n}'),
  appended('unknown associated function', 'struct SeededZq;\n\nfn call_zq() {\n    SeededZq::missing()\n}'),
  appended('unknown variant', 'enum SeededZq {\n    One,\n}\n\nfn make_zq() -> SeededZq {\n    SeededZq::Two\n}'),
  appended(
    'unknown field in a literal',
    'struct SeededZq {\n    a: i32,\n}\n\nconst MADE_ZQ: SeededZq = SeededZq {\n    a: 1,\n    b: 2,\n};',
  ),
  appended(
    'missing field in a literal',
    'struct SeededZq {\n    a: i32,\n    b: i32,\n}\n\nconst MADE_ZQ: SeededZq = SeededZq { a: 1 };',
  ),
  appended(
    'private field',
    'mod seeded_zq {\n    #[derive(Default)]\n    pub struct Inner {\n        a: i32,\n    }\n}\n\nfn read_zq(s: seeded_zq::Inner) -> i32 {\n    s.a\n}',
  ),
  appended('private function', 'mod seeded_zq {\n    fn inner() {}\n}\n\nfn call_zq() {\n    seeded_zq::inner()\n}'),
  appended('unknown attribute', '#[missing_zq]\nfn seeded_zq() {}'),
  appended('unknown derive', '#[derive(MissingZq)]\nstruct SeededZq;'),
  // Declarations that others use.
  replaced('renamed function', /^pub(\(crate\))? fn (\w+)/m, 'pub$1 fn $2_zq', across),
  replaced('renamed method', /^( {4}pub(?:\(crate\))? (?:const |unsafe )*fn )(\w+)/m, '$1$2_zq', across),
  replaced('renamed struct', /^pub struct (\w+)/m, 'pub struct $1Zq', across),
  replaced('renamed enum', /^pub enum (\w+)/m, 'pub enum $1Zq', across),
  replaced('renamed trait', /^pub trait (\w+)/m, 'pub trait $1Zq', across),
  replaced('no longer public', /^pub(?:\(crate\))? (fn|struct|enum|trait) /m, '$1 ', across),
  replaced('further parameter', /^(pub(?:\(crate\))? fn \w+(?:<[^>(]*>)?\()(\w)/m, '$1added_zq: bool, $2', across),
  replaced('further parameter of a method', /^( {4}pub(?:\(crate\))? fn \w+\(&self)\)/m, '$1, added_zq: bool)', across),
  replaced('further trait method', /^(pub trait \w+[^{;]*\{)$/m, '$1\n    fn added_zq(&self);\n', across),
  // Calls and types.
  appended(
    'too few arguments',
    'fn seeded_zq(a: i32, b: i32) -> i32 {\n    a + b\n}\n\nfn sum_zq() -> i32 {\n    seeded_zq(1)\n}',
  ),
  appended(
    'too many arguments',
    'fn seeded_zq(a: i32) -> i32 {\n    a\n}\n\nfn sum_zq() -> i32 {\n    seeded_zq(1, 2)\n}',
  ),
  appended(
    'wrong type of an argument',
    'fn seeded_zq(a: i32) -> i32 {\n    a\n}\n\nfn sum_zq() -> i32 {\n    seeded_zq("one")\n}',
  ),
  appended('wrong type of a constant', 'const SEEDED_ZQ: i32 = "one";'),
  appended('wrong type of a result', 'fn seeded_zq() -> i32 {\n    "one"\n}'),
  appended('missing result', 'fn seeded_zq(a: i32) -> i32 {\n    if a > 0 {\n        return a;\n    }\n}'),
  appended('semicolon after a result', 'fn seeded_zq(a: i32) -> i32 {\n    a + 1;\n}'),
  appended('mismatched operands', 'fn seeded_zq(a: i32, b: &str) -> bool {\n    a == b\n}'),
  appended(
    'operator that is not implemented',
    'struct SeededZq;\n\nfn sum_zq(a: SeededZq, b: SeededZq) {\n    let _ = a + b;\n}',
  ),
  appended('condition that is no bool', 'fn seeded_zq(a: i32) {\n    if a {}\n}'),
  appended(
    'branches of different types',
    'fn seeded_zq(a: bool) -> i32 {\n    let n = if a { 1 } else { "one" };\n    n\n}',
  ),
  appended('call of a value', 'fn seeded_zq(n: i32) -> i32 {\n    n()\n}'),
  appended('dereferenced number', 'fn seeded_zq(n: i32) -> i32 {\n    *n\n}'),
  appended('indexed number', 'fn seeded_zq(n: i32) -> i32 {\n    n[0]\n}'),
  appended('loop over a number', 'fn seeded_zq(n: i32) {\n    for _ in n {}\n}'),
  appended('invalid cast', 'fn seeded_zq(n: &str) -> i32 {\n    n as i32\n}'),
  appended('question mark without a result', 'fn seeded_zq(n: Option<i32>) {\n    n?;\n}'),
  appended(
    'missing trait method',
    'trait PartZq {\n    fn part(&self);\n}\n\nstruct SeededZq;\n\nimpl PartZq for SeededZq {}',
  ),
  appended(
    'method that is not in the trait',
    'trait PartZq {}\n\nstruct SeededZq;\n\nimpl PartZq for SeededZq {\n    fn other(&self) {}\n}',
  ),
  appended(
    'other signature than in the trait',
    'trait PartZq {\n    fn part(&self, n: i32);\n}\n\nstruct SeededZq;\n\nimpl PartZq for SeededZq {\n    fn part(&self, n: bool) {}\n}',
  ),
  appended(
    'unsatisfied bound',
    'trait PartZq {}\n\nfn seeded_zq<T: PartZq>(_: T) {}\n\nfn call_zq() {\n    seeded_zq(1);\n}',
  ),
  appended('missing type argument', 'struct SeededZq<T>(T);\n\nfn read_zq(_: SeededZq) {}'),
  appended('superfluous type argument', 'struct SeededZq;\n\nfn read_zq(_: SeededZq<i32>) {}'),
  appended('unused type parameter', 'struct SeededZq<T>;'),
  appended('missing lifetime', 'struct SeededZq {\n    a: &str,\n}'),
  appended('conflicting implementations', 'trait PartZq {}\n\nimpl PartZq for i32 {}\n\nimpl PartZq for i32 {}'),
  appended('recursive type', 'struct SeededZq {\n    inner: SeededZq,\n}'),
  appended('missing case', 'fn seeded_zq(n: Option<i32>) -> i32 {\n    match n {\n        Some(n) => n,\n    }\n}'),
  appended(
    'pattern of another shape',
    'fn seeded_zq(n: (i32, i32)) -> i32 {\n    let (a, b, c) = n;\n    a + b + c\n}',
  ),
  // Ownership.
  appended('assignment to an immutable variable', 'fn seeded_zq() -> i32 {\n    let n = 1;\n    n = 2;\n    n\n}'),
  appended(
    'use after move',
    'struct SeededZq;\n\nfn take_zq(_: SeededZq) {}\n\nfn call_zq(s: SeededZq) {\n    take_zq(s);\n    take_zq(s);\n}',
  ),
  appended(
    'two mutable borrows',
    'fn seeded_zq(n: &mut i32) {\n    let a = &mut *n;\n    let b = &mut *n;\n    *a += 1;\n    *b += 1;\n}',
  ),
  appended('reference to a local variable', "fn seeded_zq() -> &'static i32 {\n    let n = 1;\n    &n\n}"),
  appended('use before assignment', 'fn seeded_zq() -> i32 {\n    let n: i32;\n    n\n}'),
  appended('unsafe call', 'unsafe fn seeded_zq() {}\n\nfn call_zq() {\n    seeded_zq()\n}'),
  // Statements and declarations.
  appended('duplicate declaration', 'fn seeded_zq() {}\n\nfn seeded_zq() {}'),
  appended('duplicate field', 'struct SeededZq {\n    a: i32,\n    a: i32,\n}'),
  appended('duplicate parameter', 'fn seeded_zq(a: i32, a: i32) {}'),
  appended('break outside a loop', 'fn seeded_zq() {\n    break;\n}'),
  appended('self outside a method', 'fn seeded_zq() -> i32 {\n    self.a\n}'),
  appended('call in a constant', 'fn seeded_zq() -> i32 {\n    1\n}\n\nconst MADE_ZQ: i32 = seeded_zq();'),
  appended(
    'macro without a matching rule',
    'macro_rules! seeded_zq {\n    (one) => {};\n}\n\nfn call_zq() {\n    seeded_zq!(two);\n}',
  ),
  appended('missing format argument', 'fn seeded_zq() {\n    let _ = core::format_args!("{} {}", 1);\n}'),
  appended('error of a macro', 'compile_error!("seeded");'),
  // Imports.
  appended('crate that does not exist', 'use missing_zq::Part;'),
  appended('name that a module does not have', 'use core::mem::missing_zq;'),
  appended('module without a file', 'mod missing_zq;'),
  replaced('removed import', /^use (crate|super|core|std|alloc)::[^;]*;\n/m, ''),
  // Syntax.
  appended('unclosed brace', 'fn seeded_zq() {\n    if true {\n        return;\n}', syntax),
  appended('unclosed parenthesis', 'const SEEDED_ZQ: i32 = (1 + 2;\n\nconst OTHER_ZQ: i32 = 1;', syntax),
  appended('superfluous brace', 'fn seeded_zq() {\n}\n}', syntax),
  appended('unclosed string', 'const SEEDED_ZQ: &str = "one;', syntax),
  appended('missing operand', 'const SEEDED_ZQ: i32 = 1 + ;', syntax),
  appended('missing semicolon', 'fn seeded_zq() -> i32 {\n    let n = 1\n    n\n}', syntax),
  appended('misspelled keyword', 'fnn seeded_zq() {}', syntax),
  appended('missing comma in a literal', 'const SEEDED_ZQ: [i32; 2] = [1 2];', syntax),
  appended('missing arrow', 'fn seeded_zq() i32 {\n    1\n}', syntax),
  appended('reserved word as a name', 'fn struct() {}', syntax),
  appended('statement outside a function', 'let seeded_zq = 1;', syntax),
  appended('parameter without a type', 'fn seeded_zq(a) {}', syntax),
  appended('unclosed comment', '/* seeded_zq', syntax),
  appended('character that is not allowed', 'const SEEDED_ZQ: i32 = 1 \\ 2;', syntax),
];
