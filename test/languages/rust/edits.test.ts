// Edits of Rust code: what is expected of each server, in this language.
import { rust as spec } from '../../../src/languages/rust/servers.ts';
import { testCapturedNames } from '../../support/language-tests/captured-names.ts';
import { testCleanEdits } from '../../support/language-tests/clean-edits.ts';
import { testCodeActions } from '../../support/language-tests/code-actions.ts';
import { testFormatting } from '../../support/language-tests/formatting.ts';
import { testMovedFiles } from '../../support/language-tests/moved-files.ts';
import { testOverridingDeletions } from '../../support/language-tests/overriding-deletions.ts';
import type { Tested } from '../../support/language-tests/tested.ts';
import { cargoProject, rustAnalyzer, whyNoRustfmt } from '../../support/rust.ts';

const rust: Tested = { spec, ...rustAnalyzer() };

testCodeActions(rust, {
  files: {
    ...cargoProject,
    'src/main.rs':
      'mod shop;\n\nfn main() {\n    let six = shop::twice(3);\n    println!("{} {}", shop::price(2), six);\n    let m: HashMap<u32, u32> = Default::default();\n    println!("{}", m.len());\n}\n',
    'src/shop.rs':
      'pub fn twice(n: u32) -> u32 {\n    n * 2\n}\n\npub fn price(n: u32) -> u32 {\n    let x = twice(n) + 1;\n    x + twice(x)\n}\n\npub mod parts {\n    pub fn count() -> u32 {\n        super::price(1)\n    }\n}\n',
  },
  steps: [
    {
      at: { relative_path: 'src/main.rs', name_path: 'main', selected_text: 'HashMap' },
      offers: [
        'quickfix: Import `std::collections::HashMap`',
        'refactor.extract: Extract type as type alias',
        'quickfix: Qualify as `std::collections::HashMap`',
      ],
      applies: 'Import',
      answer: 'Applied "Import `std::collections::HashMap`"; changed: src/main.rs.',
    },
    {
      at: { relative_path: 'src/shop.rs', name_path: 'twice', kind: 'refactor.inline' },
      offers: ['refactor.inline: Inline into all callers'],
      applies: 'Inline',
      answer: 'Applied "Inline into all callers"; changed: src/main.rs, src/shop.rs.',
    },
    {
      at: { relative_path: 'src/shop.rs', name_path: 'parts', kind: 'refactor.extract' },
      offers: [
        'refactor.extract: Extract module to file',
        'refactor.extract: Extract into variable',
        'refactor.extract: Extract Module',
      ],
      applies: 'module to file',
      answer: 'Applied "Extract module to file"; changed: src/shop.rs, src/shop/parts.rs.',
      files: {
        'src/shop.rs':
          '\n\npub fn price(n: u32) -> u32 {\n    let x = n * 2 + 1;\n    x + x * 2\n}\n\npub mod parts;\n',
        'src/shop/parts.rs': 'pub fn count() -> u32 {\n    super::price(1)\n}\n',
      },
    },
  ],
  compile: ['cargo', 'check', '--offline', '--quiet'],
});

testFormatting(
  { ...rust, whyNot: whyNoRustfmt() },
  {
    server: 'rust-analyzer',
    isTrusted: true,
    file: 'src/lib.rs',
    files: cargoProject,
    code: 'pub fn  first( )->i32{1}\n',
    symbol: 'first',
    body: 'pub fn added( )->i32{if true{return 2;}\n3}',
    after: 'pub fn  first( )->i32{1}\n\npub fn added() -> i32 {\n    if true {\n        return 2;\n    }\n    3\n}\n',
    before: 'pub fn added() -> i32 {\n    if true {\n        return 2;\n    }\n    3\n}\n\npub fn  first( )->i32{1}\n',
    replaced: 'pub fn added() -> i32 {\n    if true {\n        return 2;\n    }\n    3\n}\n',
  },
);

testMovedFiles(rust, {
  files: {
    ...cargoProject,
    'src/main.rs':
      'mod helper;\n\nuse crate::helper::price;\n\nfn main() {\n    println!("{} {}", price(), helper::price());\n}\n',
    'src/helper.rs': 'pub fn price() -> u32 {\n    1\n}\n',
    // insta looks for a snapshot under the name of the module.
    'src/snapshots/shop__helper__price.snap': '---\nsource: src/helper.rs\nexpression: price()\n---\n1\n',
    'src/snapshots/shop__main__helper_price.snap': '---\nsource: src/main.rs\nexpression: price()\n---\n1\n',
  },
  moves: [
    {
      from: 'src/helper.rs',
      to: 'src/prices.rs',
      answer:
        'Moved `src/helper.rs` to `src/prices.rs`: 1 file changed, 3 places in `src/main.rs`; incomplete: 1 open\nOpen (0-based lines):\n  a test snapshot has the old name:\n    src/snapshots/shop__helper__price.snap:0: ---',
    },
    { from: 'src/prices.rs', to: 'src/deep/prices.rs', answer: 'to another directory', isRefused: true },
  ],
  compile: ['cargo', 'check', '--offline', '--quiet'],
});

testOverridingDeletions(rust, {
  file: 'src/lib.rs',
  overriding: ['impl Iterator for Log/next', 'impl Iterator for Log'],
  own: 'impl Log/own',
  files: {
    ...cargoProject,
    'src/lib.rs': `pub struct Log;

impl Iterator for Log {
    type Item = u8;
    fn next(&mut self) -> Option<u8> {
        None
    }
}

impl Log {
    pub fn own(&self) {}
}
`,
  },
});

testCapturedNames(rust, {
  files: {
    ...cargoProject,
    'src/lib.rs':
      'mod util {\n    pub fn helper(x: i32) -> i32 {\n        x + 1\n    }\n}\nuse util::*;\n\nfn helper2(x: i32) -> i32 {\n    x * 2\n}\n\npub fn used(v: i32) -> i32 {\n    helper(v)\n}\n\npub fn inner(total: fn(i32) -> i32) -> i32 {\n    helper2(1) + total(2)\n}\n',
  },
  file: 'src/lib.rs',
  refused: [
    ['helper2', 'helper', 'these uses of another `helper` would mean it: `src/lib.rs` 12'],
    ['helper2', 'total', 'references to it would mean another `total`: `src/lib.rs` 16'],
  ],
  done: ['used', 'v'],
});

testCleanEdits(rust, {
  files: {
    ...cargoProject,
    'src/lib.rs': 'mod shop;\n\npub fn price(amount: u32) -> u32 {\n    amount\n}\n',
    'src/shop.rs': 'pub fn total() -> u32 {\n    crate::price(1)\n}\n',
  },
  symbol: ['price', 'src/lib.rs'],
  breaking: [
    'pub fn price(amount: u32, rate: u32) -> u32 {\n    amount * rate\n}',
    'src/shop.rs:1: error: expected 2 arguments, found 1',
  ],
  clean: 'pub fn price(amount: u32) -> u32 {\n    amount + 1\n}',
});
