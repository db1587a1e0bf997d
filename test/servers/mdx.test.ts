import { beforeAll, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { mdx } from '../../src/servers/catalog/specs/mdx.ts';
import { typescript } from '../../src/servers/catalog/specs/typescript.ts';
import { makeTempDir } from '../support/temp.ts';
import { copyFixture, makeWorkspace } from '../support/workspace.ts';
import { questionTimeoutMs } from './conformance.ts';
import { install, installTimeoutMs, Opened, referencesTo } from './opened.ts';
import { placesOf } from './render.ts';

beforeAll(() => install(mdx), installTimeoutMs);

test(
  'MDX: no plugin that a project names is run, and its files are read without it',
  async () => {
    await install(mdx);
    const workspace = copyFixture('mdx');
    const marks = makeTempDir('marks');
    workspace.write('plugin.cjs', `require('node:fs').writeFileSync(${JSON.stringify(join(marks, 'ran'))}, '');\n`);
    const configuration = workspace.read('tsconfig.json');
    workspace.write('tsconfig.json', configuration.replace('"checkMdx"', '"plugins": ["./plugin.cjs"], "checkMdx"'));
    await using opened = await Opened.open(workspace, mdx);
    const found = await opened.ask((symbols) => referencesTo(symbols, 'cents', 'src/Price.mdx'));
    expect(placesOf(found)).toEqual(['src/Price.mdx:5', 'src/Shop.mdx:1', 'src/Shop.mdx:7']);
    const users = await opened.ask((symbols) => referencesTo(symbols, 'Points/total', 'src/helper.ts'));
    expect(placesOf(users)).toEqual(['src/Shop.mdx:14']);
    expect(readdirSync(marks)).toEqual([]);
  },
  questionTimeoutMs,
);

test(
  "TypeScript's server names the MDX files that may refer to a symbol, and no prose",
  async () => {
    await install(typescript);
    const files = {
      'helper.ts': 'export function total(): number {\n  return 1;\n}\n',
      'shop.mdx': "import { total } from './helper.ts';\n\n{total()}\n",
      'prose.mdx': '# The total\n\nCall `total` for the total.\n',
    };
    await using opened = await Opened.open(makeWorkspace(files), typescript);
    const { answer, missing } = await opened.askPartly((symbols) => referencesTo(symbols, 'total', 'helper.ts'));
    expect(placesOf(answer)).toEqual([]);
    expect(missing).toEqual([expect.stringContaining('`shop.mdx`')]);
    expect(missing[0]).not.toContain('prose.mdx');
  },
  questionTimeoutMs,
);
