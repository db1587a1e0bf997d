import { describe, expect } from 'bun:test';
import { rust } from '../../../src/languages/rust/servers.ts';
import { expectClearError } from '../../support/clear.ts';
import { type CompileCommand, expectCompiles } from '../../support/compiles.ts';
import { trustedWithActions } from '../../support/language-tests/code-actions.ts';
import { installTested } from '../../support/language-tests/tested.ts';
import { cargoProject, rustAnalyzer } from '../../support/rust.ts';
import { openShared, type SharedSession } from '../../support/shared-session.ts';
import { testUnless } from '../../support/skip.ts';

const timeoutMs = 600_000;
const place = (name_path: string, relative_path: string, new_relative_path: string) => ({
  name_path,
  relative_path,
  new_relative_path,
});
const compile: CompileCommand = ['cargo', 'check', '--offline', '--quiet', '--all-targets'];

describe('move_symbol in Rust', () => {
  const tested = { spec: rust, ...rustAnalyzer() };
  installTested(tested);
  const files = {
    ...cargoProject,
    'src/main.rs':
      'mod shop;\nmod tools;\n\nuse shop::{price, total};\nuse std::collections::HashMap;\n\nfn main() {\n    let names: HashMap<u32, u32> = HashMap::new();\n    println!("{} {} {}", total(&names), crate::shop::total(&names), price(1));\n    println!("{}", tools::sums::twice(shop::LIMIT));\n    shop::parts::count();\n}\n',
    'src/shop.rs':
      '//! Prices.\n\nuse crate::tools::Rate;\nuse std::collections::HashMap;\nuse std::fmt::Write;\n\npub mod parts;\n\n/// The most.\npub const LIMIT: u32 = 3;\n\nfn hidden() -> u32 {\n    2\n}\n\npub(crate) struct Item {\n    pub(crate) count: u32,\n    secret: u32,\n}\n\nimpl Item {\n    pub(crate) fn new(count: u32) -> Self {\n        Self { count, secret: 1 }\n    }\n\n    fn secret(&self) -> u32 {\n        self.secret\n    }\n}\n\n/// Adds all.\n#[inline]\npub fn total(names: &HashMap<u32, u32>) -> u32 {\n    let mut out = String::new();\n    write!(out, "{}", 1).unwrap();\n    names.values().sum::<u32>().rate() + LIMIT + super::tools::sums::twice(Item::new(1).count)\n}\n\npub struct Lot(u32);\n\npub fn lot() -> Lot {\n    Lot(1)\n}\n\npub fn price(n: u32) -> u32 {\n    hidden() + n + Item::new(n).secret()\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn adds() {\n        assert_eq!(total(&HashMap::new()), price(1));\n    }\n}\n',
    'src/shop/parts.rs':
      'use super::total;\n\npub fn count() -> u32 {\n    total(&Default::default()) + super::price(1)\n}\n',
    'src/tools.rs':
      'pub mod sums;\n\npub trait Rate {\n    fn rate(&self) -> u32;\n}\n\nimpl Rate for u32 {\n    fn rate(&self) -> u32 {\n        *self\n    }\n}\n',
    'src/tools/sums.rs': 'pub fn twice(n: u32) -> u32 {\n    n * 2\n}\n\n#[cfg(test)]\nmod tests {}\n',
  };

  testUnless(tested.whyNot)(
    'moves items between modules with what their code needs, and corrects paths',
    async () => {
      const { workspace: project, client } = await open(files);
      const moved = await client.call('move_symbol', place('total', 'src/shop.rs', 'src/tools/sums.rs'));
      expect(moved.blocks.join('\n\n')).toBe(
        'Moved `total` from `src/shop.rs` to `src/tools/sums.rs`: 4 files changed, 8 places; complete\nFiles:\n  src/main.rs: 3\n  src/shop.rs: 2\n  src/shop/parts.rs: 1\n  src/tools/sums.rs: 2\n\nNote:\n- `src/shop.rs` may no longer use what it imports as `Rate`, `Write`',
      );
      expect(project.read('src/tools/sums.rs')).toBe(
        'use crate::shop::Item;\nuse crate::shop::LIMIT;\nuse crate::tools::Rate;\nuse std::collections::HashMap;\nuse std::fmt::Write;\n\npub fn twice(n: u32) -> u32 {\n    n * 2\n}\n\n/// Adds all.\n#[inline]\npub fn total(names: &HashMap<u32, u32>) -> u32 {\n    let mut out = String::new();\n    write!(out, "{}", 1).unwrap();\n    names.values().sum::<u32>().rate() + LIMIT + crate::tools::sums::twice(Item::new(1).count)\n}\n\n#[cfg(test)]\nmod tests {}\n',
      );
      expect(project.read('src/main.rs')).toContain('use shop::{price};\nuse crate::tools::sums::total;\n');
      expect(project.read('src/main.rs')).toContain('total(&names), crate::tools::sums::total(&names), price(1)');
      expect(project.read('src/shop/parts.rs')).toContain('use crate::tools::sums::total;\n');
      expectCompiles(project, compile);
      await client.ask('move_symbol', place('LIMIT', 'src/shop.rs', 'src/shop/limits.rs'));
      expect(project.read('src/shop/limits.rs')).toBe('/// The most.\npub const LIMIT: u32 = 3;\n');
      expectCompiles(project, compile);
      await client.ask('move_symbol', { ...place('Rate', 'src/tools.rs', 'src/rates.rs'), re_export: true });
      expect(project.read('src/tools.rs')).toContain('pub use crate::rates::Rate;\n');
      expectCompiles(project, compile);
      const price = await client.call('move_symbol', place('price', 'src/shop.rs', 'src/prices.rs'));
      expect(price.blocks.at(-1)).toContain('`hidden` is `pub(crate)` now\n- `secret` is `pub(crate)` now');
      expect(project.read('src/shop.rs')).toContain('pub(crate) fn hidden()');
      expect(project.read('src/shop.rs')).toContain('    pub(crate) fn secret(');
      expect(project.read('src/main.rs')).toContain('mod prices;\n');
      expectCompiles(project, compile);
      await client.ask('edit_history', { action: 'undo', count: 4 });
      for (const [path, text] of Object.entries(files)) expect(project.read(path)).toBe(text);
    },
    timeoutMs,
  );

  testUnless(tested.whyNot)(
    'refuses what the other module would not see, and what is not understood',
    async () => {
      const { workspace: project, client } = await open({
        ...files,
        'src/stars.rs': 'use crate::shop::*;\n\npub fn star() -> u32 {\n    price(2) + LIMIT\n}\n',
        'src/main.rs': files['src/main.rs'].replace(
          'mod tools;',
          'mod outer;\nmod stars;\nmod tools;\n\n#[cfg(unix)]\nfn only() {}',
        ),
        'src/stray.rs': 'pub fn stray() {}\n',
        'src/outer.rs': 'mod inner;\n\npub use inner::*;\n',
        'src/outer/inner.rs': 'pub fn given() {}\n\nfn kept() {}\n\npub fn uses() {\n    kept();\n}\n',
      });
      const refuse = async (call: object, ...parts: string[]) => {
        expectClearError(await client.call('move_symbol', { ...call }), ...parts);
      };
      const sums = 'src/tools/sums.rs';
      await refuse(place('Lot', 'src/shop.rs', sums), 'private fields', 'make its fields `pub(crate)` first');
      await refuse(place('lot', 'src/shop.rs', sums), 'its code uses `Lot`', 'make `Lot` `pub(crate)` first');
      await refuse(place('Item', 'src/shop.rs', sums), 'private fields', 'make its fields `pub(crate)` first');
      await refuse(place('Rate', 'src/tools.rs', sums), 'its methods', '`re_export`');
      await refuse(place('LIMIT', 'src/shop.rs', sums), '`use …::*`', '`re_export`');
      await refuse(place('given', 'src/outer/inner.rs', sums), 'offers it to others', '`re_export`');
      await refuse(place('only', 'src/main.rs', sums), 'only part of some builds');
      await refuse(place('main', 'src/main.rs', sums), 'called by its name');
      await refuse(place('parts', 'src/shop.rs', sums), 'only functions, constants, types and traits');
      await refuse(place('twice', sums, 'src/stray.rs'), 'no module of its crate');
      await refuse(place('impl Item', 'src/shop.rs', sums), 'only functions, constants, types and traits');
      expect(project.read('src/shop.rs')).toBe(files['src/shop.rs']);
      expect(project.read(sums)).toBe(files[sums]);
    },
    timeoutMs,
  );
});

function open(files: Readonly<Record<string, string>>): Promise<SharedSession> {
  return openShared(files, { config: trustedWithActions, env: rustAnalyzer().env });
}
