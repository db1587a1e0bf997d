// Questions about Rust code: what is expected of each server, in this language.

import { rust as spec } from '../../../src/languages/rust/servers.ts';
import { testCrossCheck } from '../../support/language-tests/cross-check.ts';
import { testHierarchies } from '../../support/language-tests/hierarchies.ts';
import { testShortAnswers } from '../../support/language-tests/short-answers.ts';
import type { Tested } from '../../support/language-tests/tested.ts';
import { testTypesOfNames } from '../../support/language-tests/types-of-names.ts';
import { testUnused } from '../../support/language-tests/unused.ts';
import { cargoProject, rustAnalyzer } from '../../support/rust.ts';

const rust: Tested = { spec, ...rustAnalyzer() };

testHierarchies(rust, 'rust', [
  {
    of: ['checkout', 'src/checkout.rs'],
    kind: 'callers',
    expected: ['src/checkout.rs sample 12'],
  },
  {
    of: ['Discount', 'src/discount.rs'],
    kind: 'subtypes',
    expected: ['src/discount.rs impl Discount for HalfOff 9', 'src/discount.rs impl Discount for Flat 17'],
    isDerived: true,
  },
  {
    of: ['Flat', 'src/discount.rs'],
    kind: 'supertypes',
    expected: ['src/discount.rs Discount 2'],
    outside: ['Display'],
    isDerived: true,
  },
]);

testShortAnswers(rust, {
  directory: 'src',
  helper: 'src/helper.rs',
  user: 'src/checkout.rs',
  popular: 'format_amount',
  method: 'impl Basket/total',
  discount: ['src/discount.rs', 'Discount/apply'],
});

testCrossCheck(rust, {
  files: {
    ...cargoProject,
    'src/lib.rs': 'pub mod sema;\n#[cfg(target_os = "windows")]\npub mod win;\n',
    'src/sema.rs': `pub struct Semaphore {
    n: u32,
}

impl Semaphore {
    pub fn gated(&self) -> u32 {
        self.n
    }

    /// Not used: alone.
    pub fn alone(&self) -> u32 {
        self.n
    }
}

pub fn user(one: &Semaphore) -> u32 {
    one.n
}
`,
    'src/win.rs': 'use crate::sema::Semaphore;\n\npub fn wait(one: &Semaphore) -> u32 {\n    one.gated()\n}\n',
  },
  questions: [
    {
      symbol: 'Semaphore',
      file: 'src/sema.rs',
      lines: { 'src/sema.rs': [4, 15] },
      open: ['src/win.rs:0', 'src/win.rs:2'],
    },
    { symbol: 'impl Semaphore/gated', file: 'src/sema.rs', lines: {}, open: ['src/win.rs:3'] },
    { symbol: 'impl Semaphore/alone', file: 'src/sema.rs', lines: {} },
  ],
});

testTypesOfNames(rust, {
  files: {
    ...cargoProject,
    'src/lib.rs':
      'pub struct Basket {\n    pub size: u32,\n}\n\npub trait Crate {\n    fn lid(&self) -> bool;\n}\n\npub fn made(some_crate: &dyn Crate) -> (Basket, bool) {\n    let own = Basket { size: 1 };\n    (own, some_crate.lid())\n}\n',
  },
  file: 'src/lib.rs',
  types: { 'let (own)': ['src/lib.rs Basket'], 'made\\((some_crate)': ['src/lib.rs Crate'] },
});

testUnused(rust, {
  files: {
    ...cargoProject,
    'src/main.rs': `struct Basket;

impl Basket {
    fn total(&self) -> u32 {
        1
    }
    fn weigh(&self) -> u32 {
        2
    }
}

impl std::fmt::Display for Basket {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "")
    }
}

fn tested() -> u32 {
    1
}

#[no_mangle]
fn linked() {}

const UNUSED: u32 = 1;

fn main() {
    println!("{}", Basket.total());
}

#[cfg(test)]
mod tests {
    #[test]
    fn it() {
        super::tested();
    }
}
`,
  },
  found: [
    'unused: impl Basket/weigh',
    'unused: UNUSED',
    'tests: tested',
    'undecided: impl std::fmt::Display for Basket/fmt: it overrides or implements a member of another type (`impl std::fmt::Display for Basket`), and calls of that member may run it',
    'undecided: linked: something may find it by `#[no_mangle`',
  ],
});
