import { expect, test } from 'bun:test';
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rust } from '../../src/servers/specs/rust.ts';
import { startClient } from '../support/client.ts';
import { makeHome } from '../support/homes.ts';
import { whyNoRustAnalyzer } from '../support/rust.ts';
import { testUnless } from '../support/skip.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace } from '../support/workspace.ts';
import { describeServer, questionTimeoutMs } from './conformance.ts';

const whyNotRust = whyNoRustAnalyzer();

const formatAmount = { namePath: 'format_amount', file: 'src/helper.rs' };

describeServer(rust, {
  fixture: 'rust',
  whyNot: whyNotRust,
  questions: {
    overview: ['src/basket.rs', 'src/discount.rs', 'src/helper.rs', 'src/lib.rs'],
    find: ['apply', 'Basket', '/CURRENCY', 'impl Basket/total', { part: 'Off' }, 'nowhere'],
    body: [
      { namePath: 'impl Basket/add', file: 'src/basket.rs' },
      { namePath: 'Payment', file: 'src/basket.rs' },
      { namePath: 'Discount', file: 'src/discount.rs' },
      formatAmount,
    ],
    containing: [
      { file: 'src/checkout.rs', at: /println!\("🧾 \{\}", (format_amount)/ },
      { file: 'src/basket.rs', at: /self\.(items)\.push/ },
      { file: 'src/checkout.rs', at: /(filled) = basket/ },
    ],
    references: [
      formatAmount,
      { namePath: 'impl Basket/total', file: 'src/basket.rs' },
      { namePath: 'Discount/apply', file: 'src/discount.rs' },
      { namePath: 'CURRENCY', file: 'src/helper.rs' },
    ],
    implementation: { namePath: 'Discount/apply', file: 'src/discount.rs' },
    diagnostics: { clean: 'src/clean.rs', broken: 'src/broken.rs' },
    rename: { file: 'src/helper.rs', at: /fn (format_amount)/, to: 'render_amount' },
    edit: {
      symbol: formatAmount,
      appended:
        '\npub fn render_all(amounts: &[u32]) -> Vec<String> {\n    amounts.iter().map(|each| format_amount(*each)).collect()\n}\n',
      defines: 'render_all',
      user: 'tests/prices.rs',
      prepended: '// What things cost.\n\n',
    },
    external: {
      symbol: formatAmount,
      file: 'tests/label.rs',
      text: 'use shop::helper::format_amount;\n\n#[test]\nfn label() {\n    assert_eq!(format_amount(1), "0.01 €");\n}\n',
      changed:
        'use shop::helper::format_amount;\n\n#[test]\nfn free() {\n    let free = format_amount(0);\n    assert!(!free.is_empty());\n}\n',
      moved: 'tests/tag.rs',
    },
  },
});

testUnless(whyNotRust)(
  'nothing runs that a project has Cargo run',
  async () => {
    await using project = makeWorkspace({
      'Cargo.toml': '[package]\nname = "one"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs': 'pub fn shared() -> u32 {\n    1\n}\n\npub fn user() -> u32 {\n    shared()\n}\n',
    });
    const marks = makeTempDir('marks');
    const programs = makeTempDir('programs');
    const config = ['[build]'];
    for (const key of ['rustc', 'rustc-wrapper', 'rustc-workspace-wrapper']) {
      const run = key === 'rustc' ? 'exec rustc "$@"' : 'exec "$@"';
      writeFileSync(join(programs, key), `#!/bin/sh\ntouch ${marks}/${key}\n${run}\n`, { mode: 0o755 });
      config.push(`${key} = "${programs}/${key}"`);
    }
    // Stands for the flags that have rustc load a library: it leaves files in the folder.
    config.push(`rustflags = ["-Zself-profile=${marks}"]`, '[env]', 'RUSTC_BOOTSTRAP = "1"');
    project.write('.cargo/config.toml', `${config.join('\n')}\n`);
    await using client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: makeHome() } });
    const question = { name_path: 'shared', relative_path: 'src/lib.rs' };
    expect((await client.call('find_referencing_symbols', question)).text).toContain('user');
    expect(readdirSync(marks)).toEqual([]);
  },
  questionTimeoutMs,
);

/** Returns what a client is told whose `PATH` holds just these programs. */
async function askWith(programs: Readonly<Record<string, string>>): Promise<string> {
  await using project = makeWorkspace({ 'a.rs': 'fn shared() {}\n' });
  const bin = makeTempDir('bin');
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const env = { SERENA_HOME: makeHome(), PATH: bin };
  await using client = await startClient({ args: ['--project', project.root], env });
  const answer = await client.call('find_symbol', { name_path_pattern: 'shared' });
  expect(answer.isError).toBe(true);
  return answer.text;
}

test("rustup's stand-in for a component that is not installed is told apart", async () => {
  const proxy = `echo "error: unknown binary 'rust-analyzer' in toolchain 'stable'" >&2; exit 1`;
  const text = await askWith({ cargo: 'exit 0', rustc: 'exit 0', 'rust-analyzer': proxy });
  expect(text).toContain("unknown binary 'rust-analyzer' in toolchain 'stable'");
  expect(text).toContain('`rustup component add rust-analyzer rust-src`');
});

test('a machine without Rust is told what is missing', async () => {
  expect(await askWith({ 'rust-analyzer': 'exit 1' })).toContain('rust-analyzer needs `cargo`, which is not on `PATH`');
  expect(await askWith({ cargo: 'exit 0', rustc: 'exit 0' })).toContain('Cannot find rust-analyzer on `PATH`');
});
