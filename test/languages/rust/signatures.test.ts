import { describe, expect } from 'bun:test';
import { openSignatures } from '../../support/language-tests/signatures.ts';
import { cargoProject, rustAnalyzer } from '../../support/rust.ts';
import { testUnless } from '../../support/skip.ts';

const timeoutMs = 300_000;
const compile = ['cargo', 'check', '--quiet', '--tests', '--offline'] as const;

const files = {
  ...cargoProject,
  'src/lib.rs': `pub trait Store {
    fn get(&self, key: &str, depth: u32) -> Vec<String>;
    fn twice(&self, key: &str) -> Vec<String> {
        self.get(key, 2)
    }
}

pub struct Memory;

impl Store for Memory {
    fn get(&self, key: &str, depth: u32) -> Vec<String> {
        if depth > 1 {
            return self.get(key, depth - 1);
        }
        vec![key.to_string()]
    }
}

pub struct Lazy<T>(pub T);

impl<T: Store> Store for Lazy<T> {
    fn get(&self, k: &str, d: u32) -> Vec<String> {
        Store::get(&self.0, k, d)
    }
}

pub mod math {
    pub fn sum(a: i32, b: i32) -> i32 {
        a - b
    }
    pub fn size<T>((a, b): (T, T), scale: T) -> (T, T, T) {
        (a, b, scale)
    }
}

#[cfg(test)]
mod tests {
    use super::math::sum as add;
    use super::*;

    #[test]
    fn gets() {
        let m = Memory;
        assert_eq!(m.get("a, (b", 2), vec!["a, (b"]);
        assert_eq!(
            Memory::get(&m, "x", 3), // three
            <Memory as Store>::get(&m, "x", 1)
        );
        let f = Memory::get;
        assert_eq!(f(&m, "x", 1).len(), Lazy(Memory).get("x", math::sum(2, 1) as u32).len());
        assert_eq!(add(add(3, 1), 2), 0);
        assert_eq!([(1, 2)].iter().map(|&(a, b)| math::sum(a, b)).sum::<i32>(), -1);
        let _ = math::size::<u8>((1, 2), 3);
    }
}
`,
};

type Change = Readonly<Record<string, string | readonly string[]>>;

const of = (namePath: string, ...changes: Change[]) => ({ namePath, file: 'src/lib.rs', changes });

describe('change_signature in Rust', () => {
  const { env, whyNot } = rustAnalyzer();
  const test = testUnless(whyNot);
  const open = () => openSignatures(files, { env });

  test(
    'changes a method of a trait and what implements it, also in macros and with the receiver as an argument',
    async () => {
      const project = await open();
      await project.refuse(of('Store/get', { add: 'wait: bool', value: 'true' }), 'expected 4 arguments, found 3');
      project.expectUnchanged();
      const answer = await project.change({
        ...of('Store/get', { add: 'wait: bool', value: '1 > 2', before: 'depth' }),
        force: true,
      });
      expect(answer).toContain('it is used without a call:\n    src/lib.rs:48: let f = Memory::get;');
      expect(project.lines('src/lib.rs', /get\(/)).toEqual([
        'fn get(&self, key: &str, wait: bool, depth: u32) -> Vec<String>;',
        'self.get(key, 1 > 2, 2)',
        'fn get(&self, key: &str, wait: bool, depth: u32) -> Vec<String> {',
        'return self.get(key, wait, depth - 1);',
        'fn get(&self, k: &str, wait: bool, d: u32) -> Vec<String> {',
        'Store::get(&self.0, k, wait, d)',
        'assert_eq!(m.get("a, (b", 1 > 2, 2), vec!["a, (b"]);',
        'Memory::get(&m, "x", 1 > 2, 3), // three',
        '<Memory as Store>::get(&m, "x", 1 > 2, 1)',
        'assert_eq!(f(&m, "x", 1).len(), Lazy(Memory).get("x", 1 > 2, math::sum(2, 1) as u32).len());',
      ]);
    },
    timeoutMs,
  );

  test(
    'changes functions behind other names, generic ones and patterns',
    async () => {
      const project = await open();
      await project.change(of('math/sum', { order: ['b', 'a'] }));
      await project.change(of('math/size', { add: 'flag: bool', value: 'false' }));
      await project.change(of('Store/get', { rename: 'depth', to: 'level' }));
      expect(project.lines('src/lib.rs', /add\(|sum\(|size/)).toEqual([
        'pub fn sum(b: i32, a: i32) -> i32 {',
        'pub fn size<T>((a, b): (T, T), scale: T, flag: bool) -> (T, T, T) {',
        'assert_eq!(f(&m, "x", 1).len(), Lazy(Memory).get("x", math::sum(1, 2) as u32).len());',
        'assert_eq!(add(2, add(1, 3)), 0);',
        'assert_eq!([(1, 2)].iter().map(|&(a, b)| math::sum(b, a)).sum::<i32>(), -1);',
        'let _ = math::size::<u8>((1, 2), 3, false);',
      ]);
      expect(project.lines('src/lib.rs', /level/)).toHaveLength(4);
      project.expectCompiles(compile);
    },
    timeoutMs,
  );
});
