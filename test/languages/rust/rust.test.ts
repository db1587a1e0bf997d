import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rust } from '../../../src/languages/rust/servers.ts';
import { describeServer, questionTimeoutMs } from '../../servers/conformance.ts';
import { Opened, referencesTo } from '../../servers/opened.ts';
import { startClient } from '../../support/client.ts';
import { makeHome } from '../../support/homes.ts';
import { whyNoRustAnalyzer } from '../../support/rust.ts';
import { testUnless } from '../../support/skip.ts';
import { makeTempDir } from '../../support/temp.ts';
import { makeWorkspace } from '../../support/workspace.ts';

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
  'code that a project makes Cargo run is not run',
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
    // Instead of flags that make rustc load a library: this one leaves files in the directory.
    config.push(`rustflags = ["-Zself-profile=${marks}"]`, '[env]', 'RUSTC_BOOTSTRAP = "1"');
    project.write('.cargo/config.toml', `${config.join('\n')}\n`);
    // The directory in which the tests have installed rust-analyzer; see `whyNoRustAnalyzer`.
    const { RUSTUP_HOME } = process.env;
    const env = { SERENA_HOME: makeHome(), ...(RUSTUP_HOME === undefined ? {} : { RUSTUP_HOME }) };
    await using client = await startClient({ args: ['--project', project.root], env });
    const question = { name_path: 'shared', relative_path: 'src/lib.rs' };
    expect((await client.call('find_referencing_symbols', question)).text).toContain('user');
    expect(readdirSync(marks)).toEqual([]);
  },
  questionTimeoutMs,
);

const library = `pub fn shared() {}

#[cfg(feature = "extra")]
pub mod extra;

#[cfg(windows)]
pub fn inactive() {}

#[cfg(windows)]
pub fn user() {
    inactive()
}
`;

const wrapped = `macro_rules! cfg_rt {
    ($($item:item)*) => { $($item)* }
}

cfg_rt! {
    /// Runs it: "{".
    pub(crate) async fn spawn() {}

    pub struct Handle {
        id: u8,
    }
}

fn plain() {
    quote! { fn not_an_item() {} }
}
`;

describe('rust-analyzer and code that is not part of the build', () => {
  let opened: Opened;
  beforeAll(async () => {
    const project = makeWorkspace({
      'Cargo.toml': '[package]\nname = "one"\nversion = "0.1.0"\nedition = "2021"\n\n[features]\nextra = []\n',
      'src/lib.rs': library,
      'src/extra.rs': 'pub fn gated() {}\n\npub fn user() {\n    gated()\n}\n',
      'src/unlinked.rs': 'pub fn alone() {}\n\npub fn user() {\n    alone()\n}\n',
      'src/wrapped.rs': wrapped,
    });
    opened = await Opened.open(project);
  });
  afterAll(() => opened[Symbol.asyncDispose]());

  testUnless(whyNotRust)(
    'finds references behind features, and reports what it does not analyze',
    async () => {
      const ask = (name: string, file: string) =>
        opened.askPartly(async (symbols) => (await referencesTo(symbols, name, file)).length);
      expect(await ask('gated', 'src/extra.rs')).toEqual({ answer: 1, missing: [] });
      expect(await ask('shared', 'src/lib.rs')).toEqual({ answer: 0, missing: [] });
      for (const [name, file] of [
        ['alone', 'src/unlinked.rs'],
        ['inactive', 'src/lib.rs'],
      ] as const) {
        const gap = `References of \`${name}\` may be missing: rust-analyzer [^ ]+ does not analyze its definition in \`${file}\``;
        expect((await ask(name, file)).missing.join('\n')).toMatch(new RegExp(gap.replace('[^ ]+', '.*')));
      }
    },
    questionTimeoutMs,
  );

  testUnless(whyNotRust)(
    'reports items inside macro calls, for which it has no symbols',
    async () => {
      const overview = await opened.askPartly((symbols) => symbols.overview('src/wrapped.rs'));
      expect(overview.answer.map(({ name }) => name)).toEqual(['cfg_rt', 'plain']);
      expect(overview.missing).toEqual([
        'Definitions in `src/wrapped.rs` are missing: `spawn` (line 6), `Handle` (line 8): rust-analyzer does not report symbols inside macro calls',
      ]);
      const find = (name: string) =>
        opened.askPartly(async (symbols) => {
          const options = { within: '', isSubstring: false, kinds: { include: [], exclude: [] } };
          return (await symbols.find(name, options)).map(({ file }) => file);
        });
      expect((await find('spawn')).missing.join('\n')).toContain('`spawn` (line 6)');
      expect(await find('plain')).toEqual({ answer: ['src/wrapped.rs'], missing: [] });
      expect(await find('not_an_item')).toEqual({ answer: [], missing: [] });
    },
    questionTimeoutMs,
  );
});

/** Returns the answer to a client whose `PATH` has only these programs. */
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

test("rustup's proxy for a component that is not installed is recognized", async () => {
  const proxy = `echo "error: unknown binary 'rust-analyzer' in toolchain 'stable'" >&2; exit 1`;
  const text = await askWith({ cargo: 'exit 0', rustc: 'exit 0', 'rust-analyzer': proxy });
  expect(text).toContain("unknown binary 'rust-analyzer' in toolchain 'stable'");
  expect(text).toContain('`rustup component add rust-analyzer rust-src`');
});

test('a missing default toolchain is recognized, without a backtrace', async () => {
  const message =
    "error: rustup could not choose a version of rust-analyzer to run, because one wasn't specified explicitly, and no default is configured.";
  const frames = Array.from({ length: 16 }, (_, index) => `  ${index}: frame_number_${index}_of_the_backtrace`).join(
    '\\n',
  );
  const proxy = `printf "%s\\n\\nStack backtrace:\\n${frames}\\n" "${message}" >&2; exit 1`;
  const text = await askWith({ cargo: 'exit 0', rustc: 'exit 0', 'rust-analyzer': proxy });
  expect(text).toContain('no default is configured');
  expect(text).not.toContain('frame_number');
  expect(text).toContain('`rustup default stable`');
});

test('on a machine without Rust the error names what is missing', async () => {
  expect(await askWith({ 'rust-analyzer': 'exit 1' })).toContain('rust-analyzer needs `cargo`, which is not on `PATH`');
  expect(await askWith({ cargo: 'exit 0', rustc: 'exit 0' })).toContain('cannot find rust-analyzer on `PATH`');
});
